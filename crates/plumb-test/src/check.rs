//! Checks whether an assertion holds.

use plumb::{Content, Rendered};
use plumb_diagnostic::{Code, Diagnostic};
use plumb_source::message::{plain, secret};
use plumb_source::{Message, Origin, message};
use plumb_validation::is_same_value;
use plumb_value::{Document, Node};

use crate::differ;
use crate::path::{Found, Gap, Path};
use crate::suite::{Assertion, Check, Contains, Scope};

/// An assertion of a test failed.
///
/// The first place is the assertion, the second one is the origin of the value. Values that were
/// found are masked unless `--show-values` is given. Correct the templates or the test.
pub(crate) const FAILED: Code = Code::new("test/failed");

/// The documents that an assertion applies to.
pub(crate) fn selected<'r>(rendered: &'r Rendered, scope: &Scope) -> Vec<&'r Document> {
    let is_named = |path: &str| {
        let is_it = |it: &str| {
            let rest = path.strip_suffix(it);
            rest.is_some_and(|rest| rest.is_empty() || rest.ends_with('/'))
        };
        scope.templates.is_empty() || scope.templates.iter().any(|it| is_it(&it.text))
    };
    let files = rendered.files.iter().filter(|it| is_named(&it.path));
    let documents = files.flat_map(|file| match &file.content {
        Content::Yaml(documents) => documents.as_slice(),
        Content::Text(_) => &[],
    });
    let has_values = |document: &&Document| {
        let root = root(document);
        scope.selector.iter().all(|(path, value)| {
            path.find(root).unwrap_or_default().iter().any(|it| is_same_value(it.node, value))
        })
    };
    let is_printed = |it: &&Document| !it.is_injected && !it.node.is_empty_document();
    let documents = documents.filter(is_printed).filter(has_values);
    match scope.index {
        Some(at) => documents.skip(at).take(1).collect(),
        None => documents.collect(),
    }
}

/// Checks an assertion about values on one document. Returns `None` if it holds.
pub(crate) fn violation(assertion: &Assertion, document: &Document) -> Option<Diagnostic> {
    let root = root(document);
    let checked = match &assertion.check {
        Check::Equal { path, value } => each(path, root, |found| equal(path, value, found)),
        Check::MatchRegex { path, pattern } => each(path, root, |found| match found.node {
            Node::String(text) if pattern.is_match(text.as_bytes()) => Ok(()),
            Node::String(text) => Err(Box::new(failed(
                message!(
                    "expected a text that matches `{}` at {}, found {}",
                    plain(pattern.as_str()),
                    shown(path),
                    text
                ),
                found.origin,
            ))),
            other => Err(Box::new(wrong_kind(path, "a string", other, found.origin))),
        }),
        Check::Contains(contains) => each(&contains.path, root, |found| contained(contains, found)),
        Check::IsSubset { path, content } => each(path, root, |found| {
            if is_subset(content, found.node) {
                return Ok(());
            }
            let message =
                message!("the value at {} does not contain the expected content", shown(path));
            let mut finding = failed(message, found.origin);
            finding.diff = differ::compare(content, found.node, found.origin);
            Err(Box::new(finding))
        }),
        Check::Exists(path) => each(path, root, |_| Ok(())),
        Check::IsNull(path) => each_or_missing(path, root, |found| match found.node {
            Node::Null => Ok(()),
            other => Err(Box::new(not_empty(path, "null", other, found.origin))),
        }),
        Check::IsEmpty(path) => each_or_missing(path, root, |found| {
            if is_empty(found.node) {
                return Ok(());
            }
            Err(Box::new(not_empty(path, "an empty value", found.node, found.origin)))
        }),
        Check::LengthEqual { path, count } => each(path, root, |found| {
            let n_items = match found.node {
                Node::Array(array) => array.items.len(),
                Node::Map(map) => map.len(),
                other => {
                    return Err(Box::new(wrong_kind(path, "a list or a map", other, found.origin)));
                }
            };
            if n_items == *count {
                return Ok(());
            }
            let found_items = secret(n_items);
            let message =
                message!("expected {count} items at {}, found {found_items}", shown(path));
            Err(Box::new(failed(message, found.origin)))
        }),
        Check::Cel { path, program } => each(path, root, |found| match program.holds(found.node) {
            Ok(true) => Ok(()),
            Ok(false) => {
                let message = message!("`{}` is false", plain(program.source()));
                Err(Box::new(untrue(message, path, found.origin)))
            }
            Err(fault) => {
                let message = message!("`{}` failed: {}", plain(program.source()), fault.message);
                let finding = untrue(message, path, found.origin);
                Err(Box::new(fault.help.into_iter().fold(finding, Diagnostic::help)))
            }
        }),
        Check::HasDocuments { .. } | Check::MatchSnapshot(_) | Check::Fails(_) => Ok(()),
    };
    match (checked, assertion.is_negated) {
        (Ok(()), false) | (Err(_), true) => None,
        (Err(found), false) => Some(*found),
        (Ok(()), true) => Some(negated(assertion, root)),
    }
}

/// The finding for an assertion that holds but must not.
fn negated(assertion: &Assertion, root: Found<'_>) -> Diagnostic {
    let path = match &assertion.check {
        Check::Equal { path, .. }
        | Check::MatchRegex { path, .. }
        | Check::IsSubset { path, .. }
        | Check::Exists(path)
        | Check::IsNull(path)
        | Check::IsEmpty(path)
        | Check::LengthEqual { path, .. }
        | Check::Cel { path, .. }
        | Check::MatchSnapshot(path) => Some(path),
        Check::Contains(contains) => Some(&contains.path),
        Check::HasDocuments { .. } | Check::Fails(_) => None,
    };
    let found = path.and_then(|it| it.find(root).ok()).and_then(|it| it.first().copied());
    let origin = found.map_or(root.origin, |it| it.origin);
    let at = path.map(shown).unwrap_or_default();
    let message = match &assertion.check {
        Check::Equal { value, .. } if !value.is_collection() => {
            message!("expected another value than {} at {at}", plain(differ::scalar(value)))
        }
        Check::Equal { .. } => message!("expected another value at {at}"),
        Check::MatchRegex { pattern, .. } => {
            message!("expected a text that does not match `{}` at {at}", plain(pattern.as_str()))
        }
        Check::Contains(_) => message!("the list at {at} contains the content, which it must not"),
        Check::IsSubset { .. } => {
            message!("the map at {at} contains the content, which it must not")
        }
        Check::Exists(_) => message!("expected nothing at {at}, found a value"),
        Check::IsNull(_) => message!("expected a value that is not null at {at}"),
        Check::IsEmpty(_) => message!("expected a value that is not empty at {at}"),
        Check::LengthEqual { count, .. } => {
            message!("expected another number of items than {count} at {at}")
        }
        Check::Cel { program, .. } => {
            message!("`{}` is true, but must be false", plain(program.source()))
        }
        Check::HasDocuments { count } => {
            message!("expected another number of documents than {count}")
        }
        Check::MatchSnapshot(_) => message!("expected another value than the snapshot at {at}"),
        Check::Fails(_) => "expected no such finding".into(),
    };
    failed(message, origin)
}

fn equal(path: &Path, expected: &Node, found: Found<'_>) -> Result<(), Box<Diagnostic>> {
    if is_same_value(expected, found.node) {
        return Ok(());
    }
    if !expected.is_collection() && !found.node.is_collection() {
        let kinds = (expected.kind(), found.node.kind());
        let kind = if kinds.0 == kinds.1 {
            Message::new()
        } else {
            message!(" ({}, not {})", kinds.1.with_article(), kinds.0.with_article())
        };
        let message = message!(
            "expected {} at {}, found {}{kind}",
            plain(differ::scalar(expected)),
            shown(path),
            secret(differ::scalar(found.node))
        );
        return Err(Box::new(failed(message, found.origin)));
    }
    let mut finding = failed(message!("expected another value at {}", shown(path)), found.origin);
    finding.diff = differ::compare(expected, found.node, found.origin);
    Err(Box::new(finding))
}

fn contained(contains: &Contains, found: Found<'_>) -> Result<(), Box<Diagnostic>> {
    let Contains { path, content, count, any } = contains;
    let Node::Array(array) = found.node else {
        return Err(Box::new(wrong_kind(path, "a list", found.node, found.origin)));
    };
    let is_it = |it: &Node| if *any { is_subset(content, it) } else { is_same_value(content, it) };
    let n_found = array.items.iter().filter(|it| is_it(&it.node)).count();
    let is_right = count.map_or(n_found > 0, |count| n_found == count);
    if is_right {
        return Ok(());
    }
    let message = match count {
        None if content.is_collection() => {
            message!("no item of the list at {} equals the expected one", shown(path))
        }
        None => message!(
            "the list at {} does not contain {}",
            shown(path),
            plain(differ::scalar(content))
        ),
        Some(count) => message!(
            "expected {count} such items in the list at {}, found {}",
            shown(path),
            secret(n_found)
        ),
    };
    let mut finding = failed(message, found.origin);
    // The most similar item is compared.
    if count.is_none()
        && let [only] = array.items.as_slice()
    {
        finding.diff = differ::compare(content, &only.node, only.origin);
    }
    Err(Box::new(finding))
}

/// Whether a value contains another one: maps may have additional keys, everything else must be
/// equal.
fn is_subset(part: &Node, whole: &Node) -> bool {
    match (part, whole) {
        (Node::Map(part), Node::Map(whole)) => part.items().iter().all(|item| {
            whole.get(&item.key).is_some_and(|other| is_subset(&item.node, &other.node))
        }),
        _ => is_same_value(part, whole),
    }
}

fn is_empty(node: &Node) -> bool {
    match node {
        Node::Null => true,
        Node::Int(number) => *number == 0,
        Node::UInt(_) => false,
        Node::Float(number) => *number == 0.0,
        Node::Bool(value) => !value,
        Node::String(text) => text.is_empty(),
        Node::Map(map) => map.is_empty(),
        Node::Array(array) => array.items.is_empty(),
    }
}

/// Checks all values at a path. Fails if there are no values.
fn each<'n>(
    path: &Path,
    root: Found<'n>,
    check: impl Fn(Found<'n>) -> Result<(), Box<Diagnostic>>,
) -> Result<(), Box<Diagnostic>> {
    let found = path.find(root).map_err(|gap| Box::new(missing(path, &gap)))?;
    found.into_iter().try_for_each(check)
}

/// Checks all values at a path. Succeeds if there are no values.
fn each_or_missing<'n>(
    path: &Path,
    root: Found<'n>,
    check: impl Fn(Found<'n>) -> Result<(), Box<Diagnostic>>,
) -> Result<(), Box<Diagnostic>> {
    path.find(root).unwrap_or_default().into_iter().try_for_each(check)
}

fn missing(path: &Path, gap: &Gap<'_>) -> Diagnostic {
    let message = message!("there is no value at {}", shown(path));
    let finding = Diagnostic::error(FAILED, message);
    let label = message!("this has no `{}`", plain(&gap.step));
    let finding = finding.at(gap.last.origin, label);
    match gap.meant {
        Some(meant) => finding.help(message!("did you mean `{}`?", plain(meant))),
        None => finding,
    }
}

fn wrong_kind(path: &Path, expected: &'static str, found: &Node, origin: Origin) -> Diagnostic {
    let found = found.kind().with_article();
    failed(message!("expected {expected} at {}, found {found}", shown(path)), origin)
}

fn not_empty(path: &Path, expected: &'static str, found: &Node, origin: Origin) -> Diagnostic {
    let kind = found.kind().with_article();
    failed(message!("expected {expected} at {}, found {kind}", shown(path)), origin)
}

pub(crate) fn shown(path: &Path) -> Message {
    match path.text.as_str() {
        "" => "the root of the document".into(),
        text => message!("`{}`", plain(text)),
    }
}

pub(crate) fn root(document: &Document) -> Found<'_> {
    Found { origin: document.origin, node: &document.node }
}

/// A finding about a value.
pub(crate) fn failed(message: Message, origin: Origin) -> Diagnostic {
    Diagnostic::error(FAILED, message).at(origin, "this value")
}

/// A finding about an expression over a value, or over the whole document.
fn untrue(message: Message, path: &Path, origin: Origin) -> Diagnostic {
    let subject = if path.text.is_empty() { "this document" } else { "this value" };
    Diagnostic::error(FAILED, message).at(origin, subject)
}
