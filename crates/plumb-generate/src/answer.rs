//! The result of a command in `js/`: problems with the script, or findings of validators.

use plumb_value::{Map, Node};

use crate::Position;

/// The answer of a command.
#[derive(Debug, Default)]
pub(crate) struct Answer {
    /// Why the exports of the script are not valid.
    pub(crate) problems: Vec<String>,
    /// Whether the problems concern the whole protocol, so that an example helps.
    pub(crate) shows_help: bool,
    pub(crate) reports: Vec<Validated>,
}

/// A file that was validated, or the whole configuration, which has no path.
#[derive(Debug)]
pub(crate) struct Validated {
    pub(crate) path: Option<String>,
    pub(crate) findings: Vec<Said>,
}

/// One finding about a value.
#[derive(Debug)]
pub(crate) struct Said {
    /// The index of the value in its file.
    pub(crate) document: Option<usize>,
    pub(crate) words: SaidWords,
}

/// The reporter of a finding, and its words.
#[derive(Debug)]
pub(crate) enum SaidWords {
    /// A validator that is not a script: the number of a finding that the run stores.
    Held(usize),
    /// A script.
    Script { message: String, path: String, start: Option<Position>, end: Option<Position> },
}

impl Answer {
    /// Reads the object that a command returns. Returns `None` if it is something else: a script
    /// can change the language enough to cause this.
    pub(crate) fn from_node(node: &Node) -> Option<Self> {
        let answer = node.as_map()?;
        Some(Self {
            problems: items(answer, "problems").map(text).collect(),
            shows_help: matches!(answer.get_str("showsHelp"), Some(Node::Bool(true))),
            reports: items(answer, "reports").filter_map(Validated::from_node).collect(),
        })
    }
}

impl Validated {
    fn from_node(node: &Node) -> Option<Self> {
        let report = node.as_map()?;
        Some(Self {
            path: report.get_str("path").map(text),
            findings: items(report, "findings").filter_map(Said::from_node).collect(),
        })
    }
}

impl Said {
    pub(crate) fn from_node(node: &Node) -> Option<Self> {
        let said = node.as_map()?;
        let shown = |key: &str| said.get_str(key).map(text).unwrap_or_default();
        let words = match number(said, "held") {
            Some(number) => SaidWords::Held(number),
            None => SaidWords::Script {
                message: shown("msg"),
                path: shown("path"),
                start: position(said, "start"),
                end: position(said, "end"),
            },
        };
        Some(Self { document: number(said, "document"), words })
    }
}

fn items<'a>(map: &'a Map, key: &str) -> impl Iterator<Item = &'a Node> {
    let array = map.get_str(key).and_then(Node::as_array);
    array.into_iter().flat_map(|it| it.items.iter().map(|item| &item.node))
}

/// A text without quotes, and other values as JSON, because scripts can return any value.
fn text(node: &Node) -> String {
    match node {
        Node::Null => String::new(),
        Node::String(text) => text.to_str_lossy().into_owned(),
        node => {
            let style = plumb_yaml::print::json::JsonStyle { indent: 0, escapes_html: false };
            let mut out = Vec::new();
            plumb_yaml::print::json::node(node, style, &mut out)
                .expect("numbers that cross from a script are finite, and keys are strings");
            String::from_utf8_lossy(&out).into_owned()
        }
    }
}

fn number(map: &Map, key: &str) -> Option<usize> {
    match map.get_str(key)? {
        Node::Int(value) => usize::try_from(*value).ok(),
        _ => None,
    }
}

fn position(map: &Map, key: &str) -> Option<Position> {
    let position = map.get_str(key)?.as_map()?;
    let number = |key: &str| number(position, key).unwrap_or_default() as u64;
    Some(Position { line: number("line"), column: number("column") })
}
