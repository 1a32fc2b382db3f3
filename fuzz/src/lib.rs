//! The common parts of fuzz targets: inputs of several files, and checks of every run.

pub mod bounds;
pub mod generator;
pub mod prepared;

use std::sync::Arc;

use plumb::print::{self, Format, Style};
use plumb::{
    Diagnostic, Document, GivenFile, Limits, Options, Outcome, Rendered, SchemaLanguage, Sources,
    World,
};
use plumb_diagnostic::FramePlace;
use plumb_source::{MemoryWorld, Span};

/// Limits that end a run within a moment.
pub const LIMITS: Limits =
    Limits::DEFAULT.steps(20_000).depth(200).native_depth(20).memory(16 << 20).regexp(1 << 20);

/// A line that begins a file; its name follows.
const START: &[u8] = b"=== ";

/// The files of an input. The text before the first name is a file called `first`.
pub fn files(input: &[u8], first: &str) -> Vec<GivenFile> {
    let mut files = vec![(first.to_owned(), Vec::new())];
    for line in input.split_inclusive(|&byte| byte == b'\n') {
        match line.strip_prefix(START) {
            Some(name) => {
                files.push((String::from_utf8_lossy(name.trim_ascii()).into_owned(), Vec::new()));
            }
            None => files.last_mut().expect("there is a first").1.extend_from_slice(line),
        }
    }
    let is_empty = |(name, bytes): &(String, Vec<u8>)| name == first && bytes.is_empty();
    let files = files.into_iter().filter(|it| !is_empty(it));
    files.map(|(path, bytes)| GivenFile { path, bytes: bytes.into() }).collect()
}

/// The parts of an input between lines `===`, up to `N` of them.
pub fn parts<const N: usize>(input: &[u8]) -> [&[u8]; N] {
    let mut rest = input;
    std::array::from_fn(|_| {
        let end = rest.windows(5).position(|it| it == b"\n===\n");
        let (part, after) = match end {
            Some(end) => (&rest[..=end], &rest[end + 5..]),
            None => (rest, &[][..]),
        };
        rest = after;
        part
    })
}

/// Options of a run over files in memory.
pub fn options(files: Vec<GivenFile>) -> Options {
    Options::new().limits(LIMITS).files(files)
}

/// Renders, and checks the invariants of all outcomes.
pub fn render(options: &Options) -> Outcome<Rendered> {
    checked(plumb::render(&world(), options), FORMATS, |it| it.documents().collect())
}

/// Like [`render`], but prints the result only as YAML.
pub fn render_yaml(options: &Options) -> Outcome<Rendered> {
    checked(plumb::render(&world(), options), &[Format::Yaml], |it| it.documents().collect())
}

/// Computes data values, and checks the invariants of all outcomes.
pub fn data_values(options: &Options) -> Outcome<Document> {
    checked(plumb::data_values(&world(), options), FORMATS, |it| vec![it])
}

/// Like [`data_values`], but prints them only as YAML.
pub fn data_values_yaml(options: &Options) -> Outcome<Document> {
    checked(plumb::data_values(&world(), options), &[Format::Yaml], |it| vec![it])
}

/// Exports a schema, and checks the invariants of all outcomes.
pub fn schema(options: &Options, language: &SchemaLanguage) -> Outcome<Document> {
    checked(plumb::schema(&world(), options, language), FORMATS, |it| vec![it])
}

fn world() -> Arc<dyn World> {
    Arc::new(MemoryWorld::new())
}

/// The formats of documents.
const FORMATS: &[Format] = &[Format::Yaml, Format::Json, Format::Positions];

fn checked<T>(
    outcome: Outcome<T>,
    formats: &[Format],
    documents: impl Fn(&T) -> Vec<&Document>,
) -> Outcome<T> {
    for warning in &outcome.warnings {
        hold(warning, &outcome.sources);
    }
    match &outcome.result {
        Err(failure) => {
            assert!(!failure.findings().is_empty(), "a failure has findings");
            for finding in failure.findings() {
                hold(finding, &outcome.sources);
            }
            plumb::peer::render(failure, &outcome.sources);
        }
        Ok(result) => {
            for &format in formats {
                let style = Style::new().format(format);
                // JSON cannot express some documents.
                let _ = print::stream(documents(result), style, &outcome.sources);
            }
        }
    }
    outcome
}

/// Checks that a diagnostic points into its sources, and that every layout can show it.
pub fn hold(diagnostic: &Diagnostic, sources: &Sources) {
    assert!(!diagnostic.message.is_empty(), "{diagnostic:?}");
    let labels = diagnostic.labels.iter().map(|it| it.span);
    for span in labels.chain(diagnostic.plain.iter().copied()) {
        hold_span(span, sources);
    }
    for frame in diagnostic.trace.iter().flatten() {
        if let FramePlace::Source(span) = frame.place {
            hold_span(span, sources);
        }
    }
    plumb::pretty::render(diagnostic, sources, plumb::pretty::Colour::Always);
}

fn hold_span(span: Span, sources: &Sources) {
    let length = sources.get(span.file).bytes().len();
    assert!(span.start <= span.end && span.end as usize <= length, "{span:?} of {length}");
}
