//! Findings of validators about values, and their lines in a report.

use std::fmt;

use plumb_diagnostic::{Code, Diagnostic, FramePlace, Severity, Subject};
use plumb_source::message::plain;
use plumb_source::{Message, Origin, Sources, Span, message};
use plumb_validation::{Cause, RULE_FAILED, Violation};
use plumb_value::{DataPath, Step};

use crate::answer::{SaidWords, Validated};
use crate::error::Error;
use crate::run::Run;
use crate::validator::origin_of;
use crate::{Dialect, FILE};

/// A validator of a script, or a JSON Schema, does not accept a value.
///
/// The message comes from the validator. Change the value, or the code that computes it.
pub const INVALID: Code = Code::new("generate/invalid-value");

/// The findings about one file, or about the whole configuration.
#[derive(Clone, Debug)]
pub struct Report {
    /// The path of the file; `None` for the configuration as a whole.
    pub path: Option<String>,
    /// The findings. Empty if the file is valid.
    pub findings: Vec<Finding>,
}

/// One finding about a value.
#[derive(Clone, Debug)]
pub struct Finding {
    /// What is wrong, and the path of the value.
    pub violation: Violation,
    /// The message, if it replaces the message of the violation.
    pub message: Option<Message>,
    /// The number of the document in its file, counted from 1, if the file has several.
    pub document: Option<usize>,
    /// The place in the text of the file, if the validator reports one.
    pub start: Option<Position>,
    /// The place after the last character, if the validator reports one.
    pub end: Option<Position>,
}

/// A line and a column in the text of a file, both counted from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    /// The line, counted from 1.
    pub line: u64,
    /// The column, counted from 1.
    pub column: u64,
}

impl Report {
    /// The lines of the report, such as `a.yaml: name is missing` or `a.yaml:3.20: here`. Empty if
    /// the file is valid.
    pub fn lines(&self, sources: &Sources) -> Vec<String> {
        let path = self.path.as_deref();
        let lines = self.findings.iter().map(|finding| finding.line(path, sources));
        lines.map(|it| it.shown().to_owned()).collect()
    }

    /// The same as diagnostics, each with its line as the message.
    pub fn diagnostics(&self, sources: &Sources) -> Vec<Diagnostic> {
        let path = self.path.as_deref();
        self.findings.iter().map(|finding| finding.diagnostic(path, sources)).collect()
    }

    /// The report about a file. `held` are the findings that scripts only know by their numbers.
    pub(crate) fn new(said: Validated, held: &[Finding], run: &Run) -> Self {
        let path = said.path.as_deref();
        let findings = said.findings.into_iter().map(|said| {
            let document = said.document;
            let finding = Finding::new(said.words, held);
            match (path, document) {
                (Some(path), Some(number)) => finding.about(run, path, number),
                (Some(_) | None, _) => finding,
            }
        });
        let findings = findings.collect();
        Self { path: path.map(|it| run.shown_input(it).to_owned()), findings }
    }
}

impl Finding {
    /// A finding of a validator that knows the places of values.
    pub(crate) fn of(violation: Violation) -> Self {
        Self { violation, message: None, document: None, start: None, end: None }
    }

    /// The finding that a validator failed on a value.
    pub(crate) fn failed(message: Message) -> Self {
        Self { message: Some(message.clone()), ..Self::of(violation(message, DataPath::root())) }
    }

    /// The finding that a file cannot be read.
    pub(crate) fn unreadable(error: &Error) -> Self {
        // The report names the file.
        let message = match error {
            Error::World(error) => plain(&error.kind).into(),
            Error::In { error, .. } => error.message(),
            error => error.message(),
        };
        let mut finding = Self::failed(message);
        finding.violation.code = FILE;
        finding
    }

    /// Adds the document of a file of the command line to the finding. The path that the validator
    /// names is looked up in the document. jk only shows places that validators report.
    fn about(mut self, run: &Run, path: &str, index: usize) -> Self {
        if run.request.dialect == Dialect::Jk {
            return self;
        }
        let places = run.input_places(path);
        if let Some(document) = places.get(index)
            && self.violation.origin == Origin::Unknown
        {
            let named = self.violation.path.to_string();
            self.violation.origin = origin_of(document, &steps_of(&named));
        }
        self.document = (places.len() > 1).then_some(index + 1);
        self
    }

    fn line(&self, path: Option<&str>, sources: &Sources) -> Message {
        self.line_at(path, self.start.or_else(|| self.written_at(path, sources)), sources)
    }

    fn line_at(&self, path: Option<&str>, start: Option<Position>, sources: &Sources) -> Message {
        let before = match (path, start, self.end) {
            (None, None, _) => String::new(),
            (Some(path), None, _) => format!("{path}: "),
            (path, Some(start), end) => {
                let path = path.map(|path| format!("{path}:")).unwrap_or_default();
                let end = end.map(|end| format!("-{end}")).unwrap_or_default();
                format!("{path}{start}{end}: ")
            }
        };
        let mut line = message!("{}{}", plain(before), self.words());
        if let Some(span) = self.fault() {
            let source = sources.get(span.file);
            let (line_number, column) = (source.line(span.start), source.column(span.start));
            line.push(&message!(" ({}:{line_number}:{column})", plain(source.name())));
        }
        line
    }

    /// The message, with the field that it concerns.
    fn words(&self) -> Message {
        if let Some(message) = &self.message {
            return message.clone();
        }
        let Violation { message, path: field, is_worded_by_author, .. } = &self.violation;
        let field = field.to_string();
        // Messages of Plumb contain the path if that helps.
        let names_field = !is_worded_by_author && message.shown().contains(&field);
        if field.is_empty() || names_field {
            return message.clone();
        }
        message!("{} at {}", message.without_final_stops(), plain(field))
    }

    fn diagnostic(&self, path: Option<&str>, sources: &Sources) -> Diagnostic {
        let mut finding = plumb_validation::report::finding(&self.violation);
        // The place is shown separately, unless only the validator knows it.
        let named = match (path, self.document, self.start) {
            (Some(path), Some(number), None) => Some(format!("{path}, document {number}")),
            (path, _, _) => path.map(str::to_owned),
        };
        finding.message = self.line_at(named.as_deref(), self.start, sources);
        finding.subject = finding.subject.map(|it| Subject { file: path.map(str::to_owned), ..it });
        finding
    }

    /// The place of a rule that failed.
    fn fault(&self) -> Option<Span> {
        let frames = self.violation.trace.iter().filter(|_| self.violation.code == RULE_FAILED);
        let mut places = frames.filter_map(|frame| match frame.place {
            FramePlace::Source(span) => Some(span),
            _ => None,
        });
        places.next()
    }

    /// The place of the value in the file that is validated.
    fn written_at(&self, path: Option<&str>, sources: &Sources) -> Option<Position> {
        let span = self.violation.origin.span()?;
        let source = sources.get(span.file);
        let (line, column) = (source.line(span.start), source.column(span.start));
        (Some(source.name()) == path).then(|| Position { line: line.into(), column: column.into() })
    }

    fn new(said: SaidWords, held: &[Self]) -> Self {
        match said {
            SaidWords::Held(number) => match held.get(number) {
                Some(finding) => finding.clone(),
                None => Self::of(violation(Message::new(), DataPath::root())),
            },
            SaidWords::Script { message, path, start, end } => {
                Self { start, end, ..Self::of(violation(plain(message).into(), field(&path))) }
            }
        }
    }
}

/// A violation with the message of a validator.
pub(crate) fn violation(message: Message, path: DataPath) -> Violation {
    Violation {
        code: INVALID,
        severity: Severity::Error,
        path,
        document: 0,
        origin: Origin::Unknown,
        rule: Origin::Unknown,
        required: Message::new(),
        found: Message::new(),
        cause: Cause::Words,
        message,
        is_worded_by_author: true,
        help: Vec::new(),
        trace: Vec::new(),
    }
}

/// The path that a validator names, as it wrote it.
fn field(text: &str) -> DataPath {
    let mut path = DataPath::root();
    if !text.is_empty() {
        path.push(Step::Key(text.into()));
    }
    path
}

/// The steps of a path such as `spec.ports[0].name` or `spec.ports.0.name`. Validators may write
/// paths in any form; an unknown form selects nothing.
fn steps_of(text: &str) -> DataPath {
    let mut path = DataPath::root();
    for name in text.split(['.', '[', ']', '/']).filter(|it| !it.is_empty() && *it != "(root)") {
        let name = name.trim_matches(['"', '\'']);
        path.push(match name.parse() {
            Ok(index) => Step::Index(index),
            Err(_) => Step::Key(name.into()),
        });
    }
    path
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.line, self.column)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::answer::Said;

    fn line(json: &str) -> String {
        let node = crate::format::node_from_json(json).expect("a case is JSON");
        let said = Said::from_node(&node).expect("a case is an object");
        let line = Finding::new(said.words, &[]).line(Some("a.yaml"), &Sources::new());
        line.shown().to_owned()
    }

    #[test]
    fn a_line_names_file_place_and_field() {
        assert_eq!(line(r#"{"msg":"bad"}"#), "a.yaml: bad");
        assert_eq!(line(r#"{"msg":"bad","path":"x.y"}"#), "a.yaml: bad at x.y");
        let start = r#"{"msg":"bad","start":{"line":3,"column":20}}"#;
        assert_eq!(line(start), "a.yaml:3.20: bad");
        let both = r#"{"msg":"bad","path":"x","start":{"line":3,"column":20},"end":{"line":5,"column":0}}"#;
        assert_eq!(line(both), "a.yaml:3.20-5.0: bad at x");
    }

    #[test]
    fn the_whole_configuration_has_no_path() {
        let violation = violation("no service".into(), DataPath::root());
        let finding = Finding::of(violation);
        assert_eq!(finding.line(None, &Sources::new()).shown(), "no service");
    }
}
