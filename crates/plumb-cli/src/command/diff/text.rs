//! Differences for people: one line for each value of each side, as in a unified diff.

use std::fmt::Write as _;
use std::io::{self, IsTerminal as _};

use plumb::document::Node;
use plumb::lexical;
use plumb_project::diff::{Change, Difference, DifferenceKind, Value};
use plumb_source::Comparison;

use super::super::build::counted;
use super::TargetDiff;
use super::json::scalar;
use super::sides::Places;

/// All differences. Empty if there are none.
pub(super) fn text(targets: &[TargetDiff], shows_values: bool) -> String {
    let is_coloured =
        io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|it| it.is_empty());
    let mut printer = Printer { out: String::new(), shows_values, is_coloured };
    for target in targets.iter().filter(|it| !it.documents.is_empty()) {
        printer.target(target);
    }
    printer.out
}

/// One line about all targets.
pub(super) fn summary(targets: &[TargetDiff], is_complete: bool) -> String {
    let compared = format!("{} compared", counted(targets.len(), "target"));
    let documents = targets.iter().flat_map(|it| &it.documents);
    let (mut n_changed, mut n_added, mut n_removed) = (0, 0, 0);
    for document in documents {
        match document.change {
            Change::Added(_) => n_added += 1,
            Change::Removed(_) => n_removed += 1,
            Change::Changed(_) => n_changed += 1,
        }
    }
    let rest = if is_complete { "" } else { "; others could not be rendered" };
    if n_changed + n_added + n_removed == 0 {
        return format!("{compared}: no differences{rest}");
    }
    let changed = counted(n_changed, "document");
    format!("{compared}: {changed} changed, {n_added} added, {n_removed} removed{rest}")
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Sign {
    Old,
    New,
    Head,
}

struct Printer {
    out: String,
    shows_values: bool,
    is_coloured: bool,
}

impl Printer {
    fn target(&mut self, target: &TargetDiff) {
        self.line(Sign::Old, &format!("-- {}: {}", target.name, target.against));
        self.line(Sign::New, &format!("++ {}: rendered", target.name));
        for document in &target.documents {
            let name = document.name.to_string();
            let name = lexical::one_line(&name);
            match &document.change {
                Change::Added(value) => {
                    let place = place(value, &target.new);
                    self.line(Sign::Head, &format!("@@ {name} @@ added{place}"));
                    self.whole(Sign::New, value, &target.new);
                }
                Change::Removed(value) => {
                    let place = place(value, &target.old);
                    self.line(Sign::Head, &format!("@@ {name} @@ removed{place}"));
                    self.whole(Sign::Old, value, &target.old);
                }
                Change::Changed(differences) => {
                    self.line(Sign::Head, &format!("@@ {name} @@"));
                    for difference in differences {
                        self.difference(difference, target);
                    }
                }
            }
        }
    }

    /// The values of a document that is only on one side. Without `--show-values`, only its name is
    /// shown.
    fn whole(&mut self, sign: Sign, value: &Value, places: &Places) {
        if self.shows_values {
            self.leaves(sign, "", value, places);
        }
    }

    fn difference(&mut self, difference: &Difference, target: &TargetDiff) {
        let Difference { path, old, new, kind } = difference;
        let path = if path.is_empty() { "(whole document)" } else { path };
        match (kind, old, new) {
            (DifferenceKind::Reordered, Some(old), Some(new)) => {
                let line =
                    |it: &Value, places| format!("{path}: order of items{}", place(it, places));
                self.line(Sign::Old, &line(old, &target.old));
                self.line(Sign::New, &line(new, &target.new));
            }
            (_, Some(old), Some(new)) if self.shows_values && is_text(old) && is_text(new) => {
                self.texts(path, old, new, target);
            }
            _ => {
                if let Some(old) = old {
                    self.leaves(Sign::Old, path, old, &target.old);
                }
                if let Some(new) = new {
                    self.leaves(Sign::New, path, new, &target.new);
                }
            }
        }
    }

    /// A line for each value that contains no others.
    fn leaves(&mut self, sign: Sign, path: &str, value: &Value, places: &Places) {
        for (below, leaf) in value.leaves() {
            let dot = match below.as_str() {
                _ if path.is_empty() => "",
                "" => "",
                below if below.starts_with('[') => "",
                _ => ".",
            };
            let shown = self.shown(&leaf.node);
            let place = place(&leaf, places);
            self.line(sign, &format!("{path}{dot}{below}: {shown}{place}"));
        }
    }

    fn shown(&self, node: &Node) -> String {
        match node {
            Node::Map(_) => "{}".to_owned(),
            Node::Array(_) => "[]".to_owned(),
            Node::Null => "null".to_owned(),
            _ if self.shows_values => scalar(node).to_string(),
            _ => {
                let n_lines = node.as_str().map_or(1, |it| it.lines().count());
                match n_lines {
                    0 | 1 => format!("*** ({})", node.kind()),
                    n => format!("*** ({}, {n} lines)", node.kind()),
                }
            }
        }
    }

    /// The lines of two texts that differ.
    fn texts(&mut self, path: &str, old: &Value, new: &Value, target: &TargetDiff) {
        let head = |it: &Value, places| format!("{path}: |{}", place(it, places));
        let (old_text, new_text) = (old.node.as_str(), new.node.as_str());
        let (old_text, new_text) = (old_text.unwrap_or_default(), new_text.unwrap_or_default());
        let comparison = Comparison::new(old_text, new_text);
        self.line(Sign::Old, &head(old, &target.old));
        for line in comparison.removed() {
            self.line(Sign::Old, &format!("  {}", line.trim_end_matches('\n')));
        }
        self.line(Sign::New, &head(new, &target.new));
        for line in comparison.added() {
            self.line(Sign::New, &format!("  {}", line.trim_end_matches('\n')));
        }
    }

    fn line(&mut self, sign: Sign, text: &str) {
        let text = lexical::printable(text);
        let (sign, colour) = match sign {
            Sign::Old => ("-", "\x1b[31m"),
            Sign::New => ("+", "\x1b[32m"),
            Sign::Head => ("", "\x1b[36m"),
        };
        let _ = if self.is_coloured {
            writeln!(self.out, "{colour}{sign}{text}\x1b[0m")
        } else {
            writeln!(self.out, "{sign}{text}")
        };
    }
}

/// Whether a value is a text of several lines.
fn is_text(value: &Value) -> bool {
    value.node.as_str().is_some_and(|it| it.lines().nth(1).is_some())
}

/// The origin of a value, at the end of a line.
fn place(value: &Value, places: &Places) -> String {
    match value.place {
        None => String::new(),
        Some(place) => {
            let (file, line) = places.file_and_line(place);
            format!("  # {}:{line}", lexical::one_line(&file))
        }
    }
}
