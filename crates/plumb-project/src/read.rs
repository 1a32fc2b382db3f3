//! Reads the text of a project file: its keys, their values and their places. What the keys mean
//! together is found in [`crate::project`].

use plumb_diagnostic::{Code, Diagnostic, nearest};
use plumb_source::message::plain;
use plumb_source::{Message, Origin, Span, message};
use plumb_value::{Document, Map, MapItem, Node};

use crate::key::{self, Arity, ENV, EXTENDS, GENERATE, Key, MACHINES, TEMPLATES, VM_CHECK};

/// A project file has a key that nothing reads.
///
/// The keys of a target are the long names of flags, such as `file` and `data-values-file`;
/// `plumb project schema` prints all of them. The help offers the nearest name.
pub(crate) const UNKNOWN_KEY: Code = Code::new("project/unknown-key");

/// The value of a key in a project file is not valid.
///
/// A flag that can be repeated takes a list or a single value, a switch takes `true` or `false`, and
/// all others take one value. The message says what was expected.
pub(crate) const WRONG_VALUE: Code = Code::new("project/wrong-value");

pub(crate) const DEFAULTS: &str = "defaults";
pub(crate) const TARGETS: &str = "targets";

/// A text of the project file, and its place.
#[derive(Clone, Debug)]
pub(crate) struct Written {
    pub(crate) text: String,
    pub(crate) place: Option<Span>,
}

/// The project file as it is written.
#[derive(Debug, Default)]
pub(crate) struct Text {
    pub(crate) defaults: Vec<Entry>,
    pub(crate) targets: Vec<TargetText>,
}

/// A target as it is written.
#[derive(Debug)]
pub(crate) struct TargetText {
    pub(crate) name: Written,
    pub(crate) entries: Vec<Entry>,
}

/// A key of a target and its value.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    pub(crate) place: Option<Span>,
    pub(crate) setting: Setting,
}

#[derive(Clone, Debug)]
pub(crate) enum Setting {
    Extends(Written),
    Generate(Written),
    VmCheck(MachinesText),
    Env(Vec<Written>),
    /// A flag with a value, or several of them.
    Flag(Key, Vec<Written>),
    Switch(Key, bool),
}

/// The files of `vm-check`.
#[derive(Clone, Debug, Default)]
pub(crate) struct MachinesText {
    pub(crate) templates: Vec<Written>,
    pub(crate) machines: Vec<Written>,
}

impl Setting {
    /// The key that the setting belongs to.
    pub(crate) fn key(&self) -> &'static str {
        match self {
            Self::Extends(_) => EXTENDS,
            Self::Generate(_) => GENERATE,
            Self::VmCheck(_) => VM_CHECK,
            Self::Env(_) => ENV,
            Self::Flag(key, _) | Self::Switch(key, _) => key.flag.long,
        }
    }
}

/// Reads the documents of a project file. Mistakes are added to `findings`, and what is wrong is
/// left out.
pub(crate) fn read(documents: &[Document], findings: &mut Vec<Diagnostic>) -> Text {
    let mut reader = Reader { findings };
    let mut text = Text::default();
    let documents: Vec<&Document> = documents.iter().filter(|it| !it.is_injected).collect();
    let [document] = documents.as_slice() else {
        let message = "expected one document in a project file, found several";
        let second = documents.get(1).and_then(|it| it.origin.span());
        reader.findings.push(Diagnostic::error(WRONG_VALUE, message).at(second, ""));
        return text;
    };
    let Some(map) = reader.map(&document.node, document.origin, "a map with the key `targets`")
    else {
        return text;
    };
    for item in reader.items(map) {
        match item.key.as_str().unwrap_or_default() {
            DEFAULTS => {
                if let Some(map) = reader.map(&item.node, item.origin, "a map of flags") {
                    text.defaults = reader.entries(map, IsDefaults::Yes);
                }
            }
            TARGETS => {
                if let Some(map) = reader.map(&item.node, item.origin, "a map of targets") {
                    text.targets = reader.targets(map);
                }
            }
            other => {
                let known = [DEFAULTS, TARGETS].into_iter();
                let help = match (nearest(other, known), key::find(other)) {
                    (Some(near), _) => message!("did you mean `{}`?", plain(near)),
                    (None, Some(_)) => message!(
                        "flags belong to a target: write `{}` below its name, or below `defaults`",
                        plain(other)
                    ),
                    (None, None) => "a project file has `defaults` and `targets`".into(),
                };
                reader.unknown(
                    item,
                    message!("a project file has no key `{}`", plain(other)),
                    help,
                );
            }
        }
    }
    text
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum IsDefaults {
    Yes,
    No,
}

struct Reader<'a> {
    findings: &'a mut Vec<Diagnostic>,
}

impl Reader<'_> {
    fn targets(&mut self, map: &Map) -> Vec<TargetText> {
        let mut targets = Vec::new();
        for item in self.items(map) {
            let Some(name) = item.key.as_str().filter(|it| is_name(it)) else {
                let message = "expected the name of a target: letters, digits, `-`, `_` and `.`";
                self.findings.push(Diagnostic::error(WRONG_VALUE, message).at(item.origin, ""));
                continue;
            };
            let name = Written { text: name.to_owned(), place: item.origin.span() };
            let entries = match &item.node {
                // A target that takes everything from the defaults.
                Node::Null => Vec::new(),
                node => match self.map(node, item.origin, "a map of flags") {
                    Some(map) => self.entries(map, IsDefaults::No),
                    None => continue,
                },
            };
            targets.push(TargetText { name, entries });
        }
        targets
    }

    fn entries(&mut self, map: &Map, is_defaults: IsDefaults) -> Vec<Entry> {
        let mut entries = Vec::new();
        for item in self.items(map) {
            if let Some(setting) = self.setting(item, is_defaults) {
                entries.push(Entry { place: item.origin.span(), setting });
            }
        }
        entries
    }

    fn setting(&mut self, item: &MapItem, is_defaults: IsDefaults) -> Option<Setting> {
        let name = item.key.as_str().unwrap_or_default();
        if is_defaults == IsDefaults::Yes && [EXTENDS, GENERATE, VM_CHECK].contains(&name) {
            let message = message!("`{}` belongs to a target, not to `defaults`", plain(name));
            self.unknown(item, message, "defaults are flags and `env`".into());
            return None;
        }
        match name {
            EXTENDS => self.one(item, "the name of a target").map(Setting::Extends),
            GENERATE => self.one(item, "the path of a script").map(Setting::Generate),
            VM_CHECK => self.machines(item).map(Setting::VmCheck),
            ENV => self.many(item, "a list of names of variables").map(Setting::Env),
            _ => match key::find(name) {
                Some(key) => self.flag(item, key),
                None => {
                    self.unknown_key(item, name);
                    None
                }
            },
        }
    }

    fn flag(&mut self, item: &MapItem, key: Key) -> Option<Setting> {
        match (key.arity, &item.node) {
            (Arity::Switch, Node::Bool(is_on)) => Some(Setting::Switch(key, *is_on)),
            (Arity::Switch, _) => {
                self.expected(item, "`true` or `false`");
                None
            }
            (Arity::One, _) => {
                let value = self.one(item, "one value")?;
                self.check_choice(key, &value)?;
                Some(Setting::Flag(key, vec![value]))
            }
            (Arity::Many, _) => {
                let values = self.many(item, "a list of values, or one value")?;
                for value in &values {
                    self.check_choice(key, value)?;
                }
                Some(Setting::Flag(key, values))
            }
        }
    }

    /// Returns `None`, with a finding, if the flag takes one of a few values and this is another.
    fn check_choice(&mut self, key: Key, value: &Written) -> Option<()> {
        let values = key.flag.values;
        if values.is_empty() || values.contains(&value.text.as_str()) {
            return Some(());
        }
        let message = message!("`{}` has no such value", plain(key.flag.long));
        let help = match nearest(&value.text, values.iter().copied()) {
            Some(near) => message!("did you mean `{}`?", plain(near)),
            None => message!("values are {}", plain(values.join(", "))),
        };
        let finding = Diagnostic::error(WRONG_VALUE, message).at(value.place, "").help(help);
        self.findings.push(finding);
        None
    }

    fn machines(&mut self, item: &MapItem) -> Option<MachinesText> {
        let expected = "a map with `templates` and `machines`";
        let map = self.map(&item.node, item.origin, expected)?;
        let mut machines = MachinesText::default();
        for item in self.items(map) {
            let name = item.key.as_str().unwrap_or_default();
            let list = match name {
                TEMPLATES => &mut machines.templates,
                MACHINES => &mut machines.machines,
                _ => {
                    let help = match nearest(name, [TEMPLATES, MACHINES].into_iter()) {
                        Some(near) => message!("did you mean `{}`?", plain(near)),
                        None => "`vm-check` has `templates` and `machines`".into(),
                    };
                    let message = message!("`vm-check` has no key `{}`", plain(name));
                    self.unknown(item, message, help);
                    continue;
                }
            };
            *list = self.many(item, "a list of paths, or one path")?;
        }
        Some(machines)
    }

    /// The items of a map without those whose key occurs again.
    fn items<'m>(&mut self, map: &'m Map) -> &'m [MapItem] {
        if let Some((first, second)) = map.twins() {
            let key = plain(second.key.as_str().unwrap_or_default().to_owned());
            let finding =
                Diagnostic::error(WRONG_VALUE, message!("the key `{}` is given twice", key));
            let finding = finding.at(second.origin, "").at(first.origin, "first given here");
            self.findings.push(finding);
        }
        map.items()
    }

    fn map<'n>(
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

    fn one(&mut self, item: &MapItem, expected: &'static str) -> Option<Written> {
        let value = scalar(&item.node, item.origin);
        if value.is_none() {
            self.expected(item, expected);
        }
        value
    }

    fn many(&mut self, item: &MapItem, expected: &'static str) -> Option<Vec<Written>> {
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

    fn expected(&mut self, item: &MapItem, expected: &'static str) {
        let key = plain(item.key.as_str().unwrap_or_default());
        let found = item.node.kind().with_article();
        let message = message!("`{key}`: expected {}, found {}", expected, found);
        self.findings.push(Diagnostic::error(WRONG_VALUE, message).at(item.origin, ""));
    }

    fn wrong_kind(&mut self, node: &Node, origin: Origin, expected: &'static str) {
        let found = node.kind().with_article();
        let message = message!("expected {}, found {}", expected, found);
        self.findings.push(Diagnostic::error(WRONG_VALUE, message).at(origin, ""));
    }

    fn unknown_key(&mut self, item: &MapItem, name: &str) {
        let message = message!("a target has no key `{}`", plain(name));
        let help = match nearest(name, key::names()).or_else(|| of_other_programs(name)) {
            _ if key::is_left_out(name) => {
                message!("`--{}` is only for the command line; remove the key", plain(name))
            }
            Some(near) => message!("did you mean `{}`?", plain(near)),
            None => "keys are the long names of flags; `plumb project schema` prints them".into(),
        };
        self.unknown(item, message, help);
    }

    fn unknown(&mut self, item: &MapItem, message: Message, help: Message) {
        let finding = Diagnostic::error(UNKNOWN_KEY, message).at(item.origin, "").help(help);
        self.findings.push(finding);
    }
}

/// Short names and words of other programs, and the keys that mean the same.
fn of_other_programs(name: &str) -> Option<&'static str> {
    match name {
        "f" | "input" | "inputs" | "paths" | "templates" => Some("file"),
        "v" | "set" => Some("data-value"),
        "values" | "data-values" => Some("data-values-file"),
        "out" | "output-dir" | "output-directory" => Some("output-files"),
        "inherits" | "base" => Some(EXTENDS),
        "environment" => Some(ENV),
        "script" => Some(GENERATE),
        _ => None,
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

/// Names are shown in messages, passed as arguments and used in reports.
fn is_name(text: &str) -> bool {
    let is_plain = |it: char| it.is_alphanumeric() || "-_.".contains(it);
    !text.is_empty() && !text.starts_with('-') && text.chars().all(is_plain)
}
