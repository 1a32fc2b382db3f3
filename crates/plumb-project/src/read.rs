//! Reads the text of a project file: its keys, their values and their places. [`crate::project`]
//! interprets the keys together.

use plumb_diagnostic::{Code, Diagnostic, nearest};
use plumb_source::message::plain;
use plumb_source::{Span, message};
use plumb_value::{Document, Map, MapItem, Node};

use crate::fields::{Codes, Fields, Written};
use crate::key::{self, Arity, ENV, EXTENDS, GENERATE, Key, MACHINES, TEMPLATES, VM_CHECK};

/// A project file has an unknown key.
///
/// The keys of a target are the long names of flags, such as `file` and `data-values-file`;
/// `plumb project schema` prints all of them. The help offers the nearest name.
pub(crate) const UNKNOWN_KEY: Code = Code::new("project/unknown-key");

/// The value of a key in a project file is not valid.
///
/// A flag that can be repeated takes a list or a single value, a switch takes `true` or `false`,
/// and all others take one value. The message says what was expected.
pub(crate) const WRONG_VALUE: Code = Code::new("project/wrong-value");

pub(crate) const DEFAULTS: &str = "defaults";
pub(crate) const TARGETS: &str = "targets";

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

/// Reads the documents of a project file. Mistakes are added to `findings`, and the wrong parts are
/// left out.
pub(crate) fn read(documents: &[Document], findings: &mut Vec<Diagnostic>) -> Text {
    let codes = Codes { unknown_key: UNKNOWN_KEY, wrong_value: WRONG_VALUE };
    let mut reader = Reader(Fields { codes, findings });
    let mut text = Text::default();
    let documents: Vec<&Document> = documents.iter().filter(|it| !it.is_injected).collect();
    let [document] = documents.as_slice() else {
        let message = "expected one document in a project file, found several";
        let second = documents.get(1).and_then(|it| it.origin.span());
        reader.0.findings.push(Diagnostic::error(WRONG_VALUE, message).at(second, ""));
        return text;
    };
    let Some(map) = reader.0.map(&document.node, document.origin, "a map with the key `targets`")
    else {
        return text;
    };
    for item in reader.0.items(map) {
        match item.key.as_str().unwrap_or_default() {
            DEFAULTS => {
                if let Some(map) = reader.0.map(&item.node, item.origin, "a map of flags") {
                    text.defaults = reader.entries(map, IsDefaults::Yes);
                }
            }
            TARGETS => {
                if let Some(map) = reader.0.map(&item.node, item.origin, "a map of targets") {
                    text.targets = reader.targets(map);
                }
            }
            other => {
                let known = [DEFAULTS, TARGETS].into_iter();
                let help = match (nearest(other, known), key::find(other)) {
                    (Some(near), _) => message!("did you mean `{}`?", plain(near)),
                    (None, Some(_)) => message!(
                        "a flag belongs to a target: write `{}` below the name of a target, or below `defaults`",
                        plain(other)
                    ),
                    (None, None) => "a project file has `defaults` and `targets`".into(),
                };
                reader.0.unknown(
                    item,
                    message!("a project file has no key `{}`", plain(other)),
                    help,
                );
            }
        }
    }
    text
}

/// Reads flags in a file that is not a project file. Mistakes are added to `findings`, and the
/// wrong parts are left out.
pub(crate) fn flags(map: &Map, findings: &mut Vec<Diagnostic>) -> Vec<Entry> {
    let codes = Codes { unknown_key: UNKNOWN_KEY, wrong_value: WRONG_VALUE };
    Reader(Fields { codes, findings }).entries(map, IsDefaults::No)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum IsDefaults {
    Yes,
    No,
}

struct Reader<'a>(Fields<'a>);

impl Reader<'_> {
    fn targets(&mut self, map: &Map) -> Vec<TargetText> {
        let mut targets = Vec::new();
        for item in self.0.items(map) {
            let Some(name) = item.key.as_str().filter(|it| is_name(it)) else {
                let message = "expected the name of a target: letters, digits, `-`, `_` and `.`";
                self.0.findings.push(Diagnostic::error(WRONG_VALUE, message).at(item.origin, ""));
                continue;
            };
            let name = Written { text: name.to_owned(), place: item.origin.span() };
            let entries = match &item.node {
                // A target can consist only of the defaults.
                Node::Null => Vec::new(),
                node => match self.0.map(node, item.origin, "a map of flags") {
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
        for item in self.0.items(map) {
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
            self.0.unknown(item, message, "defaults are flags and `env`".into());
            return None;
        }
        match name {
            EXTENDS => self.0.one(item, "the name of a target").map(Setting::Extends),
            GENERATE => self.0.one(item, "the path of a script").map(Setting::Generate),
            VM_CHECK => self.machines(item).map(Setting::VmCheck),
            ENV => self.0.many(item, "a list of names of variables").map(Setting::Env),
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
                self.0.expected(item, "`true` or `false`");
                None
            }
            (Arity::One, _) => {
                let value = self.0.one(item, "one value")?;
                self.check_choice(key, &value)?;
                Some(Setting::Flag(key, vec![value]))
            }
            (Arity::Many, _) => {
                let values = self.0.many(item, "a list of values, or one value")?;
                for value in &values {
                    self.check_choice(key, value)?;
                }
                Some(Setting::Flag(key, values))
            }
        }
    }

    /// Returns `None`, with a finding, if the value is not one of those that the flag accepts.
    fn check_choice(&mut self, key: Key, value: &Written) -> Option<()> {
        let values = key.flag.values;
        if values.is_empty() || values.contains(&value.text.as_str()) {
            return Some(());
        }
        let message = message!("the value of `{}` is not valid", plain(key.flag.long));
        let help = match nearest(&value.text, values.iter().copied()) {
            Some(near) => message!("did you mean `{}`?", plain(near)),
            None => message!("values are {}", plain(values.join(", "))),
        };
        let finding = Diagnostic::error(WRONG_VALUE, message).at(value.place, "").help(help);
        self.0.findings.push(finding);
        None
    }

    fn machines(&mut self, item: &MapItem) -> Option<MachinesText> {
        let expected = "a map with `templates` and `machines`";
        let map = self.0.map(&item.node, item.origin, expected)?;
        let mut machines = MachinesText::default();
        for item in self.0.items(map) {
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
                    self.0.unknown(item, message, help);
                    continue;
                }
            };
            *list = self.0.many(item, "a list of paths, or one path")?;
        }
        Some(machines)
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
        self.0.unknown(item, message, help);
    }
}

/// Short names and names in other programs, with the corresponding keys.
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

/// Names are shown in messages, passed as arguments and used in reports.
fn is_name(text: &str) -> bool {
    let is_plain = |it: char| it.is_alphanumeric() || "-_.".contains(it);
    !text.is_empty() && !text.starts_with('-') && text.chars().all(is_plain)
}
