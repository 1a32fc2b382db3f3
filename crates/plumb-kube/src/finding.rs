//! Findings and their messages.

use plumb_diagnostic::{Code, Severity, nearest};
use plumb_jsonschema::{Finding, FindingKind, Hint, ShapeId, Shapes};
use plumb_source::message::plain;
use plumb_source::{Message, Origin, Text, message};
use plumb_validation::{Cause, Violation};
use plumb_value::Step;

use crate::resource::Resource;

/// A field is not in the schema of its resource: an API server silently drops it.
///
/// Often it is misspelt, or is one level too high or too low: the indentation decides which map a
/// field belongs to.
pub const UNKNOWN_FIELD: Code = Code::new("kube/unknown-field");

/// A value does not have the type that the schema of its resource requires.
///
/// Quoted numbers and booleans are strings. Labels and annotations are always strings: quote them.
pub const WRONG_TYPE: Code = Code::new("kube/wrong-type");

/// A field that the schema of its resource requires is missing.
///
/// Add it. If it exists, check its indentation: it may be in another map.
pub const REQUIRED: Code = Code::new("kube/required");

/// A value has the right type, but the schema of its resource does not allow it.
///
/// The message says what is allowed. An API server would reject the document for the same reason.
pub const NOT_VALID: Code = Code::new("kube/not-valid");

/// A value breaks a CEL rule of its custom resource (`x-kubernetes-validations`).
///
/// The message comes from the author of the rule.
pub const RULE_BROKEN: Code = Code::new("kube/rule-broken");

/// A document could not be checked completely: its schema has too many nested alternatives.
///
/// Findings up to that point are reported. Use a schema with fewer alternatives, or leave out the
/// document.
pub const TOO_COMPLEX: Code = Code::new("kube/too-complex");

/// Turns findings about a resource into violations with messages.
pub(crate) fn violations(
    shapes: &Shapes,
    resource: &Resource<'_>,
    findings: Vec<Finding>,
) -> Vec<Violation> {
    let kind = &resource.gvk.kind;
    let meta = resource.node.as_map().and_then(|it| it.get_str("metadata")?.as_map());
    let name = meta.and_then(|it| it.get_str("name")?.as_str());
    let title = name.map_or_else(|| kind.clone(), |name| format!("{kind} `{name}`"));
    findings.into_iter().map(|it| violation(shapes, resource, &title, it)).collect()
}

fn violation(shapes: &Shapes, resource: &Resource<'_>, title: &str, finding: Finding) -> Violation {
    let Finding { kind, mut path, origin } = finding;
    if let FindingKind::Unknown { key, .. }
    | FindingKind::Missing { key }
    | FindingKind::MissingBeside { key, .. }
    | FindingKind::KeyNotText { key }
    | FindingKind::KeyName { key } = &kind
    {
        path.push(Step::Key(key.clone()));
    }
    let subject = if path.is_root() { title.to_owned() } else { format!("`{path}` of {title}") };
    let subject = plain(subject);
    let (code, help) = match &kind {
        FindingKind::Unknown { key, shape } => {
            (UNKNOWN_FIELD, Some(known_fields(shapes, *shape, key)))
        }
        FindingKind::Missing { .. } | FindingKind::MissingBeside { .. } => (REQUIRED, None),
        FindingKind::Type { hint, .. } => {
            let help = hint.map(|it| match it {
                Hint::Quote => "put it between quotes".into(),
                Hint::Unquote => "remove its quotes".into(),
            });
            (WRONG_TYPE, help)
        }
        FindingKind::KeyNotText { .. } => (WRONG_TYPE, None),
        FindingKind::Expression { .. } => (RULE_BROKEN, None),
        FindingKind::TooComplex => (TOO_COMPLEX, None),
        FindingKind::Repeated { .. } => (NOT_VALID, Some("server-side apply rejects it".into())),
        FindingKind::Never
        | FindingKind::Rule { .. }
        | FindingKind::Pattern { .. }
        | FindingKind::Format { .. }
        | FindingKind::Width(_)
        | FindingKind::KeyName { .. }
        | FindingKind::MoreItems
        | FindingKind::Contains { .. }
        | FindingKind::NoneOf
        | FindingKind::NotOneOf { .. }
        | FindingKind::RuledOut => (NOT_VALID, None),
    };
    let (required, found) = (kind.expected(), kind.found());
    let message = match code {
        UNKNOWN_FIELD => message!("{subject}: {} has no such field", plain(&resource.gvk)),
        REQUIRED => message!("{subject} is missing"),
        _ => message!("{subject}: {}", kind.message()),
    };
    Violation {
        code,
        severity: Severity::Error,
        path,
        document: 0,
        origin,
        rule: Origin::Unknown,
        required,
        found,
        cause: Cause::Words,
        message,
        is_worded_by_author: false,
        help: help.into_iter().collect(),
        trace: Vec::new(),
    }
}

/// The help for an unknown field: the nearest name, or all names.
fn known_fields(shapes: &Shapes, shape: ShapeId, key: &Text) -> Message {
    let names = shapes.get(shape).fields.iter().filter_map(|(name, _)| name.as_str());
    let names: Vec<&str> = names.collect();
    match nearest(&key.to_str_lossy(), names.iter().copied()) {
        Some(meant) => message!("did you mean `{}`?", plain(meant)),
        None if names.is_empty() => "there are no fields here".into(),
        None => message!("there are {}", plain(listed(&names))),
    }
}

/// The first few of many names.
fn listed(names: &[&str]) -> String {
    const SHOWN: usize = 12;
    let shown = names.iter().take(SHOWN).map(|it| format!("`{it}`"));
    let shown = shown.collect::<Vec<_>>().join(", ");
    if names.len() > SHOWN { format!("{shown}, …") } else { shown }
}
