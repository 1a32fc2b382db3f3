//! Findings as the results of a function: a message, its severity, and its subject.

use plumb_diagnostic::{Diagnostic, Failure, FramePlace, Severity};
use plumb_source::{Origin, Sources, Span};
use plumb_value::{DataPath, Map, MapItem, Node, Step};
use plumb_yaml::ReadOptions;

use super::list::List;

pub(super) fn of_failure(failure: &Failure, list: &List, sources: &Sources) -> Vec<Node> {
    failure.findings().iter().map(|it| result(it, list, sources)).collect()
}

pub(super) fn of_warnings(warnings: &[Diagnostic], list: &List, sources: &Sources) -> Vec<Node> {
    warnings.iter().map(|it| result(it, list, sources)).collect()
}

fn result(finding: &Diagnostic, list: &List, sources: &Sources) -> Node {
    let severity = match finding.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
    };
    let mut message = finding.message.masked().into_owned();
    for help in &finding.help {
        message.push_str("; ");
        message.push_str(&help.masked());
    }
    let mut entries = vec![("message", message.as_str().into()), ("severity", severity.into())];
    let label = finding.labels.first().map(|it| it.span);
    if let Some(span) = label.or_else(|| raised_at(finding)) {
        entries.extend(place(span, list, sources));
    }
    entries.push(("tags", map([("code", finding.code.as_str().into())])));
    map(entries)
}

/// Where template code failed.
fn raised_at(finding: &Diagnostic) -> Option<Span> {
    finding.trace.iter().flatten().find_map(|frame| match &frame.place {
        FramePlace::Source(span) => Some(*span),
        FramePlace::Unavailable(_) | FramePlace::Generated { .. } | FramePlace::Unknown => None,
    })
}

/// Returns the resource, its field and its file if the place is in a resource, and only the file
/// otherwise.
fn place(span: Span, list: &List, sources: &Sources) -> Vec<(&'static str, Node)> {
    let source = sources.get(span.file);
    let Some(item) = list.item_of(source.name()) else {
        return vec![("file", map([("path", source.name().into())]))];
    };
    let reference = item.reference().into_iter().map(|(key, value)| (key, value.into()));
    let mut entries = vec![("resourceRef", map(reference))];
    if let Some(path) = path_at(span, source.bytes()) {
        entries.push(("field", map([("path", path.to_string().as_str().into())])));
    }
    if let Some(path) = item.path() {
        let mut file = vec![("path", path.into())];
        file.extend(item.index().map(|it| ("index", Node::Int(it))));
        entries.push(("file", map(file)));
    }
    entries
}

/// Returns the path of the value at a place.
fn path_at(span: Span, bytes: &[u8]) -> Option<DataPath> {
    let documents = plumb_yaml::parse(span.file, bytes, &ReadOptions::default()).ok()?;
    let mut path = DataPath::root();
    let is_found = documents.iter().any(|it| find(span, &it.node, &mut path));
    is_found.then_some(path)
}

fn find(span: Span, node: &Node, path: &mut DataPath) -> bool {
    let mut below = |step: Step, origin: Origin, node: &Node| {
        path.push(step);
        let is_here = origin.span().is_some_and(|it| it == span);
        if is_here || find(span, node, path) {
            return true;
        }
        path.pop();
        false
    };
    node.steps().any(|(step, origin, node)| below(step, origin, node))
}

fn map<'a>(entries: impl IntoIterator<Item = (&'a str, Node)>) -> Node {
    let items = entries.into_iter();
    let items = items.map(|(key, node)| MapItem::new(key.into(), node, Origin::Unknown));
    Node::map(Map::new(items.collect(), Origin::Unknown))
}
