//! Compares two values line by line, with the origin of each line.
//!
//! The lines are those of YAML. Keys are shown, but values may be masked, because they may be
//! secret.

use plumb::document::Document;
use plumb_diagnostic::{DiffLine, Side};
use plumb_source::message::{plain, secret};
use plumb_source::{Comparison, Message, Origin, message};
use plumb_value::Node;

/// The number of equal lines that are shown before and after a difference.
const CONTEXT: usize = 3;
/// The greatest number of lines that are shown.
const MAX_LINES: usize = 60;

/// Compares the expected value with the one that was found.
pub(crate) fn compare(expected: &Node, found: &Node, origin: Origin) -> Vec<DiffLine> {
    let (expected, found) = (lines(expected, Origin::Unknown), lines(found, origin));
    let [left, right] =
        [&expected, &found].map(|lines| lines.iter().map(Line::text).collect::<Vec<_>>());
    let comparison = Comparison::of_lines(
        left.iter().map(String::as_str).collect(),
        right.iter().map(String::as_str).collect(),
    );
    let mut diff = Vec::new();
    let (mut end_of_last, mut n_before) = (0, 0);
    for change in comparison.changes() {
        add_equal(&expected[end_of_last..change.old.start], n_before, CONTEXT, &mut diff);
        (end_of_last, n_before) = (change.old.end, CONTEXT);
        diff.extend(expected[change.old.clone()].iter().map(|it| it.shown(Side::Expected)));
        diff.extend(found[change.new.clone()].iter().map(|it| it.shown(Side::Found)));
    }
    add_equal(&expected[end_of_last..], n_before, 0, &mut diff);
    if diff.len() > MAX_LINES {
        let n_more = diff.len() - MAX_LINES;
        diff.truncate(MAX_LINES);
        let text = message!("… {n_more} more lines");
        diff.push(DiffLine { side: Side::Both, text, place: None });
    }
    diff
}

/// Adds equal lines: the first ones, the last ones, and a mark for the others.
fn add_equal(lines: &[Line], n_first: usize, n_last: usize, diff: &mut Vec<DiffLine>) {
    let both = lines.iter().map(|it| it.shown(Side::Both));
    if lines.len() > n_first + n_last + 1 {
        diff.extend(both.clone().take(n_first));
        diff.push(DiffLine { side: Side::Both, text: "…".into(), place: None });
        diff.extend(both.skip(lines.len() - n_last));
    } else {
        diff.extend(both);
    }
}

/// A scalar or an empty collection as YAML, in one line.
pub(crate) fn scalar(node: &Node) -> String {
    // The YAML printer does not print documents without content.
    match node {
        Node::Null => return "null".to_owned(),
        Node::Map(map) if map.is_empty() => return "{}".to_owned(),
        Node::Array(array) if array.items.is_empty() => return "[]".to_owned(),
        _ => {}
    }
    let document = Document::new(node.clone(), Origin::Unknown);
    let text = String::from_utf8_lossy(&plumb::print::yaml([&document])).trim_end().to_owned();
    if text.contains('\n') { node.repr() } else { text }
}

/// One line of YAML.
struct Line {
    /// Indentation, dashes and key.
    head: String,
    value: Option<String>,
    origin: Origin,
}

impl Line {
    fn text(&self) -> String {
        [&self.head, self.value.as_deref().unwrap_or_default()].concat()
    }

    fn shown(&self, side: Side) -> DiffLine {
        let head = plain(&self.head);
        let text: Message = match (&self.value, side) {
            (None, _) => head.into(),
            (Some(value), Side::Expected | Side::Both) => message!("{head}{}", plain(value)),
            (Some(value), Side::Found) => message!("{head}{}", secret(value)),
        };
        let place = self.origin.span().filter(|_| side == Side::Found);
        DiffLine { side, text, place }
    }
}

fn lines(node: &Node, origin: Origin) -> Vec<Line> {
    let mut lines = Vec::new();
    add(node, origin, 0, String::new(), &mut lines);
    lines
}

/// Adds the lines of a node after `head`, which begins the first line.
fn add(node: &Node, origin: Origin, indent: usize, head: String, lines: &mut Vec<Line>) {
    let space = |n: usize| " ".repeat(n);
    match node {
        Node::Map(map) if !map.is_empty() => {
            let mut head = start_of_collection(head, origin, lines);
            for item in map.items() {
                let key = match &item.key {
                    Node::String(key) => key.to_str_lossy().into_owned(),
                    other => scalar(other),
                };
                let start = head.take().unwrap_or_else(|| space(indent));
                add(&item.node, item.origin, indent + 2, format!("{start}{key}:"), lines);
            }
        }
        Node::Array(array) if !array.items.is_empty() => {
            // Lists are not indented below their key.
            let below = if head.ends_with(':') { indent - 2 } else { indent };
            let mut head = start_of_collection(head, origin, lines);
            for item in &array.items {
                let start = head.take().unwrap_or_else(|| space(below));
                add(&item.node, item.origin, below + 2, format!("{start}-"), lines);
            }
        }
        Node::String(text) if text.as_bytes().contains(&b'\n') => {
            lines.push(Line { head: format!("{} |", head.trim_end()), value: None, origin });
            for line in text.to_str_lossy().lines() {
                let value = Some(line.to_owned());
                lines.push(Line { head: space(indent), value, origin });
            }
        }
        scalar_node => {
            let head = if head.is_empty() { head } else { head + " " };
            lines.push(Line { head, value: Some(scalar(scalar_node)), origin });
        }
    }
}

/// Puts the key of a collection on a separate line. Items begin on the line of a dash.
fn start_of_collection(head: String, origin: Origin, lines: &mut Vec<Line>) -> Option<String> {
    if head.is_empty() {
        None
    } else if head.ends_with('-') {
        Some(head + " ")
    } else {
        lines.push(Line { head, value: None, origin });
        None
    }
}

#[cfg(test)]
mod tests {
    use plumb_source::{SourceKind, Sources};
    use plumb_yaml::ReadOptions;

    use super::*;

    fn node(text: &str) -> Node {
        let sources = Sources::new();
        let file = sources.add("a.yml", SourceKind::File, text.as_bytes().into());
        let documents = plumb_yaml::parse(file, text.as_bytes(), &ReadOptions::default());
        documents.expect("it is YAML").remove(0).node
    }

    #[test]
    fn the_lines_are_those_of_yaml() {
        let yaml = "a: 1\nb:\n- x: 1\n  k:\n    z: two words\n- - 1\n  - 2\nc: {}\ne: null\nd: |\n  x\n  y\n";
        let texts: Vec<String> =
            lines(&node(yaml), Origin::Unknown).iter().map(Line::text).collect();
        assert_eq!(texts.join("\n") + "\n", yaml);
    }

    #[test]
    fn only_values_that_were_found_are_masked() {
        let diff = compare(&node("a: 1\nb: x\n"), &node("a: 1\nb: hunter2\n"), Origin::Unknown);
        let masked = |it: &DiffLine| format!("{} {}", it.side.sign(), it.text.masked());
        let lines: Vec<String> = diff.iter().map(masked).collect();
        assert_eq!(lines, ["  a: 1", "- b: x", "+ b: ***"]);
    }
}
