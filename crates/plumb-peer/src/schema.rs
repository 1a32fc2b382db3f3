//! Data values and schemas that are not valid.
//!
//! A report has a summary, and a block for each problem: the lines of source, what was found there,
//! and what was expected. A report can be quoted in another.

use plumb_diagnostic::{argument, line_of_source};
use plumb_schema::malformed::Malformed;
use plumb_schema::report::SchemaError;
use plumb_schema::wrong_values::{Role, WrongValues};
use plumb_schema::{Calculated, DeclaredKeys, Mismatch, MismatchKind};
use plumb_source::message::{plain, secret};
use plumb_source::{FileId, Message, SourceKind, Sources, Span, message};
use plumb_validation::report::place;
use plumb_value::{Node, Step};

use crate::layout::View;
use crate::malformed::{self, Words};
use crate::term;

/// The maximum number of keys that a message names.
const MAX_NAMED: usize = 9;

/// Data values that do not conform. If maps, arrays and scalars are confused, only that is
/// reported.
pub(crate) fn mismatches(mismatches: &[Mismatch], sources: &Sources, view: View) -> Message {
    let has_structural = mismatches.iter().any(|it| it.is_structural);
    let reported = mismatches.iter().filter(|it| it.is_structural || !has_structural);
    let nodes = reported.clone().map(|it| it.violation.origin.span());
    let blocks = reported.map(|it| Block::of_mismatch(it, sources));
    let numbered = Numbered { blocks, numbers: numbers(nodes, sources) };
    laid_out("One or more data values were invalid", numbered, None, sources, view)
}

/// A schema that is not valid. If several keys are not, ytt stops at the first one.
pub(crate) fn error(error: &SchemaError, sources: &Sources, view: View) -> Message {
    match error {
        SchemaError::Malformed(malformed) => of_malformed(malformed, sources, view),
        SchemaError::Values(values) => of_values(values, sources, view),
        SchemaError::Rule(finding) => crate::words::of_one(finding, sources),
        SchemaError::Several(errors) => self::error(&errors[0], sources, view),
        SchemaError::BelowNullable(error) => {
            quoted(&self::error(error, sources, view), sources, view)
        }
    }
}

/// A report that quotes another one.
fn quoted(report: &Message, sources: &Sources, view: View) -> Message {
    let nothing = Numbered { blocks: std::iter::empty(), numbers: Vec::new() };
    laid_out("Invalid schema", nothing, Some(report), sources, view)
}

fn of_malformed(malformed: &Malformed, sources: &Sources, view: View) -> Message {
    let Words { description, found, expected, hints } = malformed::words(malformed, sources);
    let (annotations, node) = (malformed.annotations.clone(), malformed.node);
    let words = Block { description, found, expected, hints, ..Block::default() };
    let block = Block { annotations, node, ..words };
    let blocks = std::iter::once(block);
    let numbers = numbers(std::iter::once(malformed.node), sources);
    let summary = malformed::summary(&malformed.kind);
    let report = laid_out(summary, Numbered { blocks, numbers }, None, sources, view);
    if malformed::is_quoted(&malformed.kind) { quoted(&report, sources, view) } else { report }
}

fn of_values(values: &WrongValues, sources: &Sources, view: View) -> Message {
    let summary = match values.role {
        Role::Sample => "Invalid schema - default contradicts the declared type",
        Role::Default => "Invalid schema - @schema/default is wrong type",
        Role::Example => "Invalid schema - @schema/example has wrong type",
        Role::Examples => "Invalid schema - @schema/examples has wrong type",
    };
    let nodes = values.mismatches.iter().map(|it| it.violation.origin.span());
    let blocks = values.mismatches.iter().map(|it| Block::of_value(it, values, sources));
    let numbered = Numbered { blocks, numbers: numbers(nodes, sources) };
    laid_out(summary, numbered, None, sources, view)
}

/// Blocks, and the line number of the node of each. There can be many blocks, so each is created when
/// it is written.
struct Numbered<I> {
    blocks: I,
    numbers: Vec<String>,
}

fn numbers(nodes: impl Iterator<Item = Option<Span>>, sources: &Sources) -> Vec<String> {
    nodes.map(|it| line_number(it, sources)).collect()
}

fn laid_out(
    summary: &'static str,
    numbered: Numbered<impl Iterator<Item = Block>>,
    quoted: Option<&Message>,
    sources: &Sources,
    view: View,
) -> Message {
    let Numbered { blocks, numbers } = numbered;
    let width = numbers.iter().map(String::len).max().unwrap_or(0);
    let mut out = message!("\n{summary}\n{}\n", plain("=".repeat(summary.len())));
    let margin = Margin { width, pad: " ".repeat(width) };
    let excerpt = Excerpt { margin: &margin, sources, marks_values: view.marks_lines };
    for (block, number) in blocks.zip(&numbers) {
        block.write(number, excerpt, &mut out);
    }
    if let Some(quoted) = quoted {
        out.push(&message!("{quoted} \n"));
    }
    out.push(&"\n");
    out
}

/// The width of the line numbers to the left of all lines.
struct Margin {
    width: usize,
    pad: String,
}

impl Margin {
    fn push_bar(&self, out: &mut Message) {
        push_all(out, &["  ", &self.pad, " |"]);
    }
}

/// How lines of sources are shown.
#[derive(Clone, Copy)]
struct Excerpt<'a> {
    margin: &'a Margin,
    sources: &'a Sources,
    /// Whether the values in the lines are marked as secret.
    marks_values: bool,
}

impl Excerpt<'_> {
    /// Appends the line of a span, which has this number.
    fn push_line(self, span: Option<Span>, number: &str, out: &mut Message) {
        let indent = &self.margin.pad[..self.margin.width.saturating_sub(number.len())];
        push_all(out, &["\n  ", indent, number, " | "]);
        push_line_text(span, self.sources, self.marks_values, out);
    }
}

#[derive(Default)]
struct Block {
    description: Message,
    annotations: Vec<Span>,
    node: Option<Span>,
    /// The text that is shown for a node without a source.
    calculated: Option<Message>,
    found: Message,
    expected: Message,
    hints: Vec<Message>,
    /// Whether its lines are masked.
    is_secret: bool,
}

impl Block {
    /// A value in a schema. ytt shows the annotation that contains it.
    fn of_value(mismatch: &Mismatch, values: &WrongValues, sources: &Sources) -> Self {
        let preposition = match values.role {
            Role::Sample => return Self::of_mismatch(mismatch, sources),
            Role::Default => "at",
            Role::Example | Role::Examples => "by",
        };
        let mut block = Self::of_mismatch(mismatch, sources);
        if let Some(annotation) = values.annotation {
            let place = plain(place(Some(annotation), sources));
            block.found.push(&message!(" ({preposition} {place})"));
            block.annotations.push(annotation);
        }
        block
    }

    fn of_mismatch(mismatch: &Mismatch, sources: &Sources) -> Self {
        let violation = &mismatch.violation;
        let declared_at = plain(place(violation.rule.span(), sources));
        let block = Self {
            node: violation.origin.span(),
            calculated: mismatch.calculated.as_deref().map(line),
            is_secret: violation.is_secret(),
            ..Self::default()
        };
        match &mismatch.kind {
            MismatchKind::Key(undeclared) => {
                let meant = undeclared.alike.iter().map(Node::key_words);
                Self {
                    description: "Given data value is not declared in schema".into(),
                    found: plain(plain_key(&undeclared.key)).into(),
                    expected: message!("{} (from {declared_at})", allowed(&undeclared.declared)),
                    hints: meant.map(|it| message!("did you mean \"{it}\"?")).collect(),
                    ..block
                }
            }
            MismatchKind::Type { .. } | MismatchKind::Choice => {
                // The type is not named if it has no place.
                let is_named = violation.rule.span().is_some();
                let expected = is_named.then(|| violation.required.clone());
                Self {
                    found: violation.found.clone(),
                    expected: message!("{expected} (by {declared_at})"),
                    hints: violation.help.clone(),
                    ..block
                }
            }
        }
    }

    fn write(&self, number: &str, excerpt: Excerpt<'_>, out: &mut Message) {
        let pad = &excerpt.margin.pad;
        if !self.description.is_empty() {
            out.push(&message!("\n{}", self.description));
        }
        let marks_values = excerpt.marks_values || self.is_secret;
        let excerpt = Excerpt { marks_values, ..excerpt };
        let mut lines = Message::new();
        match &self.calculated {
            Some(line) => {
                push_all(&mut lines, &["\nData value calculated:\n  ", pad, " #\n  ", pad, " # "]);
                lines.push(line);
                push_all(&mut lines, &["\n  ", pad, " #"]);
            }
            None if self.is_secret => self.write_lines(number, excerpt, &mut lines),
            None => self.write_lines(number, excerpt, out),
        }
        if !lines.is_empty() {
            out.push(&if self.is_secret { lines.concealed() } else { lines });
        }
        out.push(&"\n\n");
        if !self.found.is_empty() {
            push_all(out, &["  ", pad, " = found: "]);
            out.push(&self.found);
        }
        out.push(&"\n");
        if !self.expected.is_empty() {
            push_all(out, &["  ", pad, " = expected: "]);
            out.push(&self.expected);
        }
        for hint in &self.hints {
            push_all(out, &["\n  ", pad, " = hint: "]);
            out.push(hint);
        }
        out.push(&"\n");
    }

    /// Writes the lines of the annotations and of the node, which has this number, with dots for
    /// omitted lines.
    fn write_lines(&self, number: &str, excerpt: Excerpt<'_>, out: &mut Message) {
        let Excerpt { margin, sources, .. } = excerpt;
        out.push(&"\n");
        if let Some(span) = self.node {
            out.push_plain(sources.get(span.file).name());
        }
        out.push(&":\n");
        margin.push_bar(out);
        if !self.annotations.is_empty() {
            self.write_annotations(excerpt, out);
        }
        excerpt.push_line(self.node, number, out);
        out.push(&"\n");
        margin.push_bar(out);
    }

    fn write_annotations(&self, excerpt: Excerpt<'_>, out: &mut Message) {
        let Excerpt { margin, sources, .. } = excerpt;
        let line_of = |span: Span| (span.file, sources.get(span.file).line(span.start));
        let mut annotations = self.annotations.clone();
        annotations.sort_by_key(|span| span.start);
        let after = annotations.iter().skip(1).copied().map(Some).chain([self.node]);
        for (&span, after) in annotations.iter().zip(after) {
            let number = line_number(Some(span), sources);
            excerpt.push_line(Some(span), &number, out);
            if !is_adjacent(Some(line_of(span)), after.map(line_of)) {
                out.push(&"\n");
                margin.push_bar(out);
                out.push(&" ...");
            }
        }
    }
}

/// Appends several texts that are always shown.
fn push_all(out: &mut Message, parts: &[&str]) {
    for part in parts {
        out.push_plain(part);
    }
}

/// A computed item, as a line of source.
fn line(item: &Calculated) -> Message {
    let label = match &item.key {
        Some(key) => format!("{}:", plain_key(key)),
        None => "-".to_owned(),
    };
    let value = match &item.value {
        Node::Null => "<nil>".to_owned(),
        Node::Bool(value) => value.to_string(),
        node => node.repr(),
    };
    message!("{} {}", plain(label), secret(value))
}

/// The keys of a map, as the allowed keys.
fn allowed(declared: &DeclaredKeys) -> Message {
    let keys = declared.keys();
    if !(1..=MAX_NAMED).contains(&keys.len()) {
        return "a key declared in map".into();
    }
    let mut names: Vec<String> = keys.map(listed_key).collect();
    names.sort_unstable();
    match names.as_slice() {
        [name] => message!("a map item with the key named \"{}\"", plain(name)),
        names => message!("one of {{ {} }}", plain(names.join(", "))),
    }
}

/// A key in a list of keys. Keys that are not strings include their type.
fn listed_key(name: &Node) -> String {
    match name {
        Node::UInt(value) => format!("%!s(int={value})"),
        Node::Float(_) => format!("%!s(float64={})", name.repr()),
        _ => term::key(name),
    }
}

fn plain_key(key: &Node) -> String {
    match key {
        Node::Null => "<nil>".to_owned(),
        key => Step::of_key(key).to_string(),
    }
}

type Line = Option<(FileId, u32)>;

fn is_adjacent(one: Line, other: Line) -> bool {
    match (one, other) {
        (Some((file, line)), Some((other_file, other_line))) => {
            file == other_file && line.abs_diff(other_line) <= 1
        }
        _ => false,
    }
}

fn line_number(span: Option<Span>, sources: &Sources) -> String {
    span.map_or_else(|| "?".to_owned(), |span| sources.get(span.file).line(span.start).to_string())
}

/// Appends the line of a span. An empty span has no line to show: it marks something that is not in
/// the file, such as the start of a document without `---`.
fn push_line_text(span: Option<Span>, sources: &Sources, marks_values: bool, out: &mut Message) {
    let Some(span) = span.filter(|it| it.start < it.end) else { return };
    let source = sources.get(span.file);
    match source.kind() {
        // All lines of an argument belong to one value.
        SourceKind::Flag | SourceKind::Environment if !source.name().is_empty() => {
            out.push(&argument(&source));
        }
        _ if marks_values => out.push(&line_of_source(&source, source.line(span.start))),
        _ => out.push_plain(&source.line_text(source.line(span.start))),
    }
}
