//! Reads the maps of a file that users write: checks keys and kinds of values, and reports every
//! mistake at its place. It is used for project files and test suites.

use plumb_diagnostic::{Code, Diagnostic};
use plumb_source::message::plain;
use plumb_source::{Message, Origin, Span, message};
use plumb_value::{Map, MapItem, Node};

/// A text of the file, and its place.
#[derive(Clone, Debug)]
pub struct Written {
    pub text: String,
    pub place: Option<Span>,
}

/// The codes of mistakes in one kind of file.
#[derive(Clone, Copy, Debug)]
pub struct Codes {
    pub unknown_key: Code,
    pub wrong_value: Code,
}

/// The mistakes that were found so far.
pub struct Fields<'a> {
    pub codes: Codes,
    pub findings: &'a mut Vec<Diagnostic>,
}

impl Fields<'_> {
    /// Returns the items of a map. Reports a key that occurs twice.
    pub fn items<'m>(&mut self, map: &'m Map) -> &'m [MapItem] {
        if let Some((first, second)) = map.twins() {
            let key = plain(second.key.as_str().unwrap_or_default().to_owned());
            let message = message!("the key `{}` is given twice", key);
            let finding = Diagnostic::error(self.codes.wrong_value, message);
            let finding = finding.at(second.origin, "").at(first.origin, "first given here");
            self.findings.push(finding);
        }
        map.items()
    }

    /// Returns the map. Returns `None`, with a finding, if the node is something else.
    pub fn map<'n>(
        &mut self,
        node: &'n Node,
        origin: Origin,
        expected: &'static str,
    ) -> Option<&'n Map> {
        let map = node.as_map();
        if map.is_none() {
            self.wrong_kind(node, origin, expected);
        }
        map
    }

    /// Returns a string or a number as text. Returns `None`, with a finding, for other values.
    pub fn one(&mut self, item: &MapItem, expected: &'static str) -> Option<Written> {
        let value = scalar(&item.node, item.origin);
        if value.is_none() {
            self.expected(item, expected);
        }
        value
    }

    /// Returns the texts of a list, or of a single value. Returns `None`, with a finding, for other
    /// values.
    pub fn many(&mut self, item: &MapItem, expected: &'static str) -> Option<Vec<Written>> {
        let Node::Array(array) = &item.node else {
            return self.one(item, expected).map(|it| vec![it]);
        };
        let mut values = Vec::new();
        for element in &array.items {
            match scalar(&element.node, element.origin) {
                Some(value) => values.push(value),
                None => {
                    self.wrong_kind(&element.node, element.origin, "a string");
                    return None;
                }
            }
        }
        Some(values)
    }

    /// Reports that the value of a key differs from what was expected.
    pub fn expected(&mut self, item: &MapItem, expected: &'static str) {
        let key = plain(item.key.as_str().unwrap_or_default());
        let found = item.node.kind().with_article();
        self.wrong(item.origin, message!("`{key}`: expected {}, found {}", expected, found));
    }

    /// Reports that a value differs from what was expected.
    pub fn wrong_kind(&mut self, node: &Node, origin: Origin, expected: &'static str) {
        let found = node.kind().with_article();
        self.wrong(origin, message!("expected {}, found {}", expected, found));
    }

    /// Reports a value that is not valid.
    pub fn wrong(&mut self, place: impl Into<Option<Span>>, message: Message) {
        self.findings.push(Diagnostic::error(self.codes.wrong_value, message).at(place, ""));
    }

    /// Reports an unknown key.
    pub fn unknown(&mut self, item: &MapItem, message: Message, help: Message) {
        let finding = Diagnostic::error(self.codes.unknown_key, message);
        self.findings.push(finding.at(item.origin, "").help(help));
    }
}

/// The text of a string or a number. Returns `None` for other nodes.
fn scalar(node: &Node, origin: Origin) -> Option<Written> {
    let text = match node {
        Node::String(text) => text.as_str()?.to_owned(),
        Node::Int(number) => number.to_string(),
        Node::UInt(number) => number.to_string(),
        Node::Float(number) => number.to_string(),
        Node::Null | Node::Bool(_) | Node::Map(_) | Node::Array(_) => return None,
    };
    Some(Written { text, place: origin.span() })
}
