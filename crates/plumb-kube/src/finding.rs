//! What is found, and how it is told.

use plumb_diagnostic::{Code, Severity, nearest};
use plumb_source::{Origin, Text};
use plumb_validation::{Violation, Words};
use plumb_value::{Map, Node, Step};

use crate::check::Checker;
use crate::shape::{Shape, Types};

/// A field that the schema of its resource does not have: an API server drops it without a word.
///
/// Often it is misspelt, or stands one level too high or too low: the indentation decides which
/// map a field belongs to.
pub const UNKNOWN_FIELD: Code = Code::new("kube/unknown-field");

/// A value is not of the type that the schema of its resource asks for.
///
/// Numbers and booleans between quotes are strings, and labels and annotations are strings always:
/// quote them.
pub const WRONG_TYPE: Code = Code::new("kube/wrong-type");

/// A field is missing that the schema of its resource requires.
///
/// Add it. Where it is there, look at its indentation: it may stand in another map.
pub const REQUIRED: Code = Code::new("kube/required");

/// A value is of the right type, but not among those that the schema of its resource allows.
///
/// The message says which are. An API server would refuse the document for the same reason.
pub const NOT_VALID: Code = Code::new("kube/not-valid");

/// A value breaks a rule in CEL of its custom resource (`x-kubernetes-validations`).
///
/// The message is that of the rule's author.
pub const BROKEN_RULE: Code = Code::new("kube/broken-rule");

/// A document could not be checked to its end: its schema has too many alternatives within
/// alternatives.
///
/// What was found until then is told. Use a schema with fewer alternatives, or leave the document out of
/// what is checked.
pub const TOO_COMPLEX: Code = Code::new("kube/too-complex");

impl Checker<'_> {
    pub(crate) fn wrong_type(&mut self, types: Types, node: &Node, origin: Origin) {
        let required = match types.words() {
            none if none.is_empty() => "nothing".to_owned(),
            words => words,
        };
        let found = format!("it is {}", node.kind().with_article());
        self.report(WRONG_TYPE, origin, &required, &found);
        let help = match node {
            Node::String(text) => text.as_str().and_then(|it| unquoted(it, types)),
            Node::Bool(_) | Node::Int(_) | Node::UInt(_) | Node::Float(_)
                if types.has(Types::STRING) =>
            {
                Some("put it between quotes")
            }
            _ => None,
        };
        if let (Some(help), Some(violation), false) =
            (help, self.violations.last_mut(), self.is_quiet)
        {
            violation.help.push(help.to_owned());
        }
    }

    pub(crate) fn unknown(&mut self, key: &str, shape: &Shape, origin: Origin) {
        self.path.push(Step::Key(Text::from(key)));
        self.report(UNKNOWN_FIELD, origin, "", "no such field");
        self.path.pop();
        if self.is_quiet {
            return;
        }
        let names = shape.fields.iter().flat_map(Map::items).filter_map(|it| it.key.as_str());
        let names: Vec<&str> = names.collect();
        let help = match nearest(key, names.iter().copied()) {
            Some(meant) => format!("did you mean `{meant}`?"),
            None if names.is_empty() => "there are no fields here".to_owned(),
            None => format!("there are {}", listed(&names)),
        };
        if let Some(violation) = self.violations.last_mut() {
            violation.help.push(help);
        }
    }

    pub(crate) fn missing(&mut self, name: &str, origin: Origin) {
        self.path.push(Step::Key(Text::from(name)));
        self.report(REQUIRED, origin, &format!("`{name}` in it"), "it is missing");
        self.path.pop();
    }

    pub(crate) fn report(&mut self, code: Code, origin: Origin, required: &str, found: &str) {
        if self.is_quiet {
            self.has_objections = true;
            return;
        }
        let subject = if self.path.is_root() {
            self.title.clone()
        } else {
            format!("`{}` of {}", self.path, self.title)
        };
        let message = match code {
            UNKNOWN_FIELD => format!("{subject}: {} has no such field", self.resource.gvk),
            REQUIRED => format!("{subject} is missing"),
            _ if required.is_empty() => format!("{subject}: {found}"),
            _ => format!("{subject}: expected {required}; {found}"),
        };
        self.violations.push(Violation {
            code,
            severity: Severity::Error,
            path: self.path.clone(),
            origin,
            rule: Origin::Unknown,
            required: Words::from(required),
            found: Words::from(found),
            message,
            is_worded_by_author: false,
            help: Vec::new(),
            trace: Vec::new(),
        });
    }
}

/// The first of many names.
fn listed(names: &[&str]) -> String {
    const SHOWN: usize = 12;
    let shown = names.iter().take(SHOWN).map(|it| format!("`{it}`"));
    let shown = shown.collect::<Vec<_>>().join(", ");
    if names.len() > SHOWN { format!("{shown}, …") } else { shown }
}

/// What to do about a string where a number or boolean belongs.
fn unquoted(text: &str, types: Types) -> Option<&'static str> {
    let is_number = types.has(Types::NUMBER) && text.parse::<f64>().is_ok()
        || types.has(Types::INTEGER) && text.parse::<i64>().is_ok();
    let is_boolean = types.has(Types::BOOLEAN) && matches!(text, "true" | "false");
    (is_number || is_boolean).then_some("take it out of its quotes")
}
