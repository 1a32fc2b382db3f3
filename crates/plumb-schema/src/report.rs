//! Reports what is wrong with data values or with a schema: as findings, and in ytt's layout.
//!
//! ytt's report has a summary, and a block for each problem: the lines of source, what was found
//! there, and what was expected. A report can be quoted in another.

use plumb_diagnostic::{Code, Diagnostic, Failure, argument, line_of_source};
use plumb_source::message::plain;
use plumb_source::{Message, SourceKind, Sources, Span, message};
use plumb_validation::report::{finding, place};
use plumb_value::NodeKind;

use crate::mismatch::{Mismatch, TYPE_MISMATCH, UNKNOWN_KEY};

/// Why a schema is not valid.
pub(crate) enum SchemaError {
    Report(Box<Report>),
    /// A problem that is reported in one line.
    Line(Box<Diagnostic>),
    /// Problems of several keys; never empty. ytt reports the first.
    Several(Vec<Self>),
}

pub(crate) struct Report {
    pub(crate) code: Code,
    pub(crate) summary: &'static str,
    pub(crate) blocks: Vec<Block>,
    /// A report that is quoted below the blocks.
    pub(crate) quoted: Option<SchemaError>,
}

#[derive(Default)]
pub(crate) struct Block {
    pub(crate) description: Message,
    pub(crate) annotations: Vec<Span>,
    pub(crate) node: Option<Span>,
    /// The text that is shown for a node without a source.
    pub(crate) calculated: Option<Message>,
    pub(crate) found: Message,
    pub(crate) expected: Message,
    pub(crate) hints: Vec<Message>,
    /// How a finding words the block, if ytt's words do not fit.
    pub(crate) own: Option<OwnWords>,
}

/// Plumb's words for a block.
pub(crate) struct OwnWords {
    pub(crate) description: Message,
    pub(crate) found: Message,
    pub(crate) expected: Message,
    pub(crate) hints: Vec<Message>,
}

/// The failure that ends a run if data values do not conform.
pub fn failure(mismatches: &[Mismatch], sources: &Sources) -> Failure {
    let findings = mismatches.iter().map(|it| {
        let finding = finding(&it.violation);
        match yaml_flag(it, sources) {
            Some(help) => finding.help(help),
            None => finding,
        }
    });
    let findings = findings.collect();
    let has_structural = mismatches.iter().any(|it| it.is_structural);
    let in_peer = mismatches.iter().filter(|it| it.is_structural || !has_structural);
    let blocks = in_peer.map(|it| Block::of(it, sources)).collect();
    let summary = "One or more data values were invalid";
    let report = Report { code: UNKNOWN_KEY, summary, blocks, quoted: None };
    Failure::of_many(findings, report.text(sources))
}

/// The hint for a number, boolean or the like that was given with a flag for strings.
fn yaml_flag(mismatch: &Mismatch, sources: &Sources) -> Option<Message> {
    let violation = &mismatch.violation;
    let is_string = violation.found.as_peer().shown() == NodeKind::String.to_string();
    if violation.code != TYPE_MISMATCH || !is_string {
        return None;
    }
    let source = sources.get(violation.origin.span()?.file);
    let (flag, _) = source.name().strip_prefix('(')?.split_once(" arg)")?;
    let wanted = match flag {
        "data-value" => "data-value-yaml",
        "data-values-env" => "data-values-env-yaml",
        _ => return None,
    };
    Some(message!("--{} always gives a string; --{wanted} gives what the YAML says", plain(flag)))
}

impl SchemaError {
    pub(crate) fn into_failure(self, sources: &Sources) -> Failure {
        match self {
            Self::Line(diagnostic) => Failure::from(*diagnostic),
            Self::Report(report) => {
                let text = report.text(sources);
                let mut findings = report.findings();
                for finding in &mut findings {
                    finding.reveal_literals(sources);
                }
                Failure::of_many(findings, text)
            }
            Self::Several(refusals) => {
                let failures = refusals.into_iter().map(|it| it.into_failure(sources));
                failures.reduce(Failure::and).expect("there are several")
            }
        }
    }

    fn code(&self) -> Code {
        match self {
            Self::Report(report) => report.code,
            Self::Line(diagnostic) => diagnostic.code,
            Self::Several(refusals) => refusals[0].code(),
        }
    }

    fn findings(&self) -> Vec<Diagnostic> {
        match self {
            Self::Report(report) => report.findings(),
            Self::Line(diagnostic) => vec![Diagnostic::clone(diagnostic)],
            Self::Several(refusals) => refusals.iter().flat_map(Self::findings).collect(),
        }
    }

    /// Quotes the refusal in a report with ytt's summary for parts of a schema.
    pub(crate) fn quoted(self) -> Self {
        let (summary, blocks) = ("Invalid schema", Vec::new());
        let code = self.code();
        Self::Report(Box::new(Report { code, summary, blocks, quoted: Some(self) }))
    }

    fn text(&self, sources: &Sources) -> Message {
        match self {
            Self::Report(report) => report.text(sources),
            Self::Line(diagnostic) => diagnostic.message.clone(),
            Self::Several(refusals) => refusals[0].text(sources),
        }
    }
}

impl Report {
    fn findings(&self) -> Vec<Diagnostic> {
        match &self.quoted {
            Some(quoted) => quoted.findings(),
            None => self.blocks.iter().map(|block| self.finding(block)).collect(),
        }
    }

    fn finding(&self, block: &Block) -> Diagnostic {
        let (description, expected, found, hints) = match &block.own {
            Some(own) => (&own.description, &own.expected, &own.found, &own.hints),
            None => (&block.description, &block.expected, &block.found, &block.hints),
        };
        let summary = self.summary;
        let message = match description {
            it if it.is_empty() => summary.into(),
            description => message!("{summary}: {description}"),
        };
        let mut diagnostic = Diagnostic::error(self.code, message);
        let about = match (expected, found) {
            (expected, found) if expected.is_empty() => found.clone(),
            (expected, found) if found.is_empty() => message!("expected {expected}"),
            (expected, found) => message!("expected {expected}, found {found}"),
        };
        let mut places = block.annotations.iter().chain(&block.node);
        if let Some(&first) = places.next() {
            diagnostic = diagnostic.label(first, about);
        }
        for &span in places {
            diagnostic = diagnostic.label(span, "on this");
        }
        diagnostic.help.clone_from(hints);
        diagnostic
    }

    fn text(&self, sources: &Sources) -> Message {
        let line_numbers = self.blocks.iter().map(|block| line_number(block.node, sources).len());
        let width = line_numbers.max().unwrap_or(0);
        let rule = "=".repeat(self.summary.len());
        let mut out = message!("\n{}\n{}\n", self.summary, plain(rule));
        for block in &self.blocks {
            block.write(width, sources, &mut out);
        }
        if let Some(quoted) = &self.quoted {
            out.push(&message!("{} \n", quoted.text(sources)));
        }
        out.push(&"\n");
        out
    }
}

impl Block {
    pub(crate) fn of(mismatch: &Mismatch, sources: &Sources) -> Self {
        let violation = &mismatch.violation;
        let is_unknown_key = violation.code == UNKNOWN_KEY;
        let declared_at = place(violation.rule.span(), sources);
        let preposition = if is_unknown_key { "from" } else { "by" };
        let description =
            if is_unknown_key { "Given data value is not declared in schema" } else { "" };
        Self {
            description: description.into(),
            annotations: Vec::new(),
            node: violation.origin.span(),
            calculated: mismatch.calculated.clone(),
            found: violation.found.as_peer().clone(),
            expected: message!(
                "{} ({preposition} {})",
                violation.required.as_peer(),
                plain(declared_at)
            ),
            hints: mismatch.peer_hints(),
            own: None,
        }
    }

    /// The block of a value in an annotation of the schema.
    pub(crate) fn within(
        mismatch: &Mismatch,
        span: Option<Span>,
        found: &Message,
        sources: &Sources,
    ) -> Self {
        let mut block = Self::of(mismatch, sources);
        block.annotations.extend(span);
        block.found.push(found);
        block
    }

    fn write(&self, width: usize, sources: &Sources, out: &mut Message) {
        let pad = plain(" ".repeat(width));
        if !self.description.is_empty() {
            out.push(&message!("\n{}", self.description));
        }
        match &self.calculated {
            Some(line) => {
                out.push(&message!(
                    "\nData value calculated:\n  {pad} #\n  {pad} # {line}\n  {pad} #"
                ));
            }
            None => self.write_lines(width, sources, out),
        }
        out.push(&"\n\n");
        if !self.found.is_empty() {
            out.push(&message!("  {pad} = found: {}", self.found));
        }
        out.push(&"\n");
        if !self.expected.is_empty() {
            out.push(&message!("  {pad} = expected: {}", self.expected));
        }
        for hint in &self.hints {
            out.push(&message!("\n  {pad} = hint: {hint}"));
        }
        out.push(&"\n");
    }

    /// Writes the lines of the annotations and of the node, with dots for omitted lines.
    fn write_lines(&self, width: usize, sources: &Sources, out: &mut Message) {
        let bar = plain(format!("  {:width$} |", ""));
        let name = self.node.map(|span| sources.get(span.file).name().to_owned());
        out.push(&message!("\n{}:\n{bar}", plain(name.unwrap_or_default())));
        let mut annotations = self.annotations.clone();
        annotations.sort_by_key(|span| span.start);
        let mut before = None;
        for span in annotations.into_iter().map(Some).chain([self.node]) {
            let line = span.map(|span| (span.file, sources.get(span.file).line(span.start)));
            if before.is_some_and(|before| !is_adjacent(before, line)) {
                out.push(&message!("\n{bar} ..."));
            }
            before = Some(line);
            let number = plain(format!("{:>width$}", line_number(span, sources)));
            out.push(&message!("\n  {number} | {}", line_text(span, sources)));
        }
        out.push(&message!("\n{bar}"));
    }
}

type Line = Option<(plumb_source::FileId, u32)>;

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

/// Returns the line of a span. An empty span marks a place that is not written, such as the start
/// of a document without `---`: it has no line to show.
fn line_text(span: Option<Span>, sources: &Sources) -> Message {
    match span {
        Some(span) if span.start < span.end => {
            let source = sources.get(span.file);
            match source.kind() {
                // All lines of an argument belong to one value.
                SourceKind::Flag | SourceKind::Environment if !source.name().is_empty() => {
                    argument(&source)
                }
                _ => line_of_source(&source, source.line(span.start)),
            }
        }
        _ => Message::new(),
    }
}
