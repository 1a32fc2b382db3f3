//! Prints documents: all in one stream, or each file separately.
//!
//! Documents may be nested deeply, so all functions run on a deep stack.

use std::ops::ControlFlow;
use std::path::PathBuf;

use plumb_diagnostic::{Code, Diagnostic, Failure, Severity};
use plumb_library::SilentDrops;
use plumb_library::activity::Activity;
use plumb_peer as peer;
use plumb_source::{Cores, Sources, Values, lexical, message, on_deep_stack};
use plumb_value::Document;
pub use plumb_yaml::print::Flavour;
use plumb_yaml::print::json::{self, JsonError};
use plumb_yaml::print::{self, PositionStyle};

use crate::{Content, OutputFile, Printable};

/// The minimum number of documents for which threads are worthwhile.
const WORTH_THREADS: usize = 512;
/// The number of documents that a thread prints at a time.
const BATCH: usize = 128;
/// The number of documents that are printed for each thread before their text is passed on. All of
/// that text is in memory at once.
const ROUND: usize = 4 * BATCH;

/// The text between two documents of YAML.
const SEPARATOR: &[u8] = b"---\n";

/// A document contains something that JSON cannot express: a key that is not a string, or a number
/// that is not finite.
///
/// Quote the key, or print YAML.
pub const NOT_JSON: Code = Code::new("output/not-json");

/// How documents are written. The set is closed: programs may match all of its variants.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Format {
    /// YAML, with `---` between documents.
    #[default]
    Yaml,
    /// JSON, with each document on a line.
    Json,
    /// The place of every node, with its value.
    Positions,
}

/// The format of a stream.
///
/// ```
/// use plumb::print::{Format, Style};
///
/// let style = Style::new().format(Format::Json);
/// ```
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Style {
    /// How documents are written.
    pub format: Format,
    /// Whose layout to follow if Plumb and ytt differ.
    pub flavour: Flavour,
    /// Whether a document that JSON cannot express makes printing fail, or is left out with a
    /// warning.
    pub silent_drops: SilentDrops,
}

impl Style {
    /// YAML in Plumb's layout. Nothing is left out.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets how documents are written.
    #[must_use]
    pub fn format(mut self, format: Format) -> Self {
        self.format = format;
        self
    }

    /// Sets whose layout to follow if Plumb and ytt differ.
    #[must_use]
    pub fn flavour(mut self, flavour: Flavour) -> Self {
        self.flavour = flavour;
        self
    }

    /// Sets whether a document that JSON cannot express makes printing fail, or is left out with a
    /// warning.
    #[must_use]
    pub fn silent_drops(mut self, silent_drops: SilentDrops) -> Self {
        self.silent_drops = silent_drops;
        self
    }
}

impl Default for Style {
    fn default() -> Self {
        let (flavour, silent_drops) = (Flavour::Plumb, SilentDrops::Refuse);
        Self { format: Format::default(), flavour, silent_drops }
    }
}

/// A stream of documents, and warnings about documents that are left out.
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct Stream {
    /// The printed documents.
    pub bytes: Vec<u8>,
    /// One for each document that is left out.
    pub warnings: Vec<Diagnostic>,
}

/// Documents as YAML, with `---` between them.
pub fn yaml<'a>(documents: impl IntoIterator<Item = &'a Document>) -> Vec<u8> {
    let documents: Vec<&Document> = documents.into_iter().collect();
    on_deep_stack(|| {
        let mut out = Vec::new();
        print::documents(documents, &mut out);
        out
    })
}

/// Documents in one stream.
pub fn stream<'a>(
    documents: impl IntoIterator<Item = &'a Document>,
    style: Style,
    sources: &Sources,
) -> Result<Stream, Failure> {
    stream_on(|| Cores::ONE, documents, style, sources)
}

/// Like [`stream`], on several threads if there are many documents. Only then is `cores` called.
pub fn stream_on<'a>(
    cores: impl FnOnce() -> Cores + Send,
    documents: impl IntoIterator<Item = &'a Document>,
    style: Style,
    sources: &Sources,
) -> Result<Stream, Failure> {
    let documents: Vec<&Document> = documents.into_iter().collect();
    on_deep_stack(|| in_style(cores, documents, style, sources))
}

/// Documents as one stream of YAML, which is passed to `write` in pieces, so that the whole text is
/// never in memory. Many documents are printed on several threads; `cores` is called only in this
/// case. Ends if `write` returns `Break`.
pub fn yaml_in_pieces<'a>(
    cores: impl FnOnce() -> Cores + Send,
    documents: impl IntoIterator<Item = &'a Document>,
    flavour: Flavour,
    sources: &Sources,
    mut write: impl FnMut(&[u8]) -> ControlFlow<()> + Send,
) -> ControlFlow<()> {
    let documents: Vec<&Document> = documents.into_iter().collect();
    on_deep_stack(|| in_flavour(cores, &documents, flavour, sources, &mut write))
}

/// Prints a result like [`yaml_in_pieces`]. The flavour must be the one that it was rendered for.
pub fn printable_in_pieces(
    cores: impl FnOnce() -> Cores + Send,
    printable: &Printable,
    flavour: Flavour,
    sources: &Sources,
    mut write: impl FnMut(&[u8]) -> ControlFlow<()> + Send,
) -> ControlFlow<()> {
    match printable {
        Printable::Documents(rendered) => {
            yaml_in_pieces(cores, rendered.documents(), flavour, sources, write)
        }
        Printable::Printed(files) => {
            let mut pieces = files.iter().flat_map(|it| &it.text.pieces);
            pieces.next().map_or(ControlFlow::Continue(()), |it| write(it))?;
            for piece in pieces {
                write(SEPARATOR)?;
                write(piece)?;
            }
            ControlFlow::Continue(())
        }
    }
}

fn in_style(
    cores: impl FnOnce() -> Cores,
    documents: Vec<&Document>,
    style: Style,
    sources: &Sources,
) -> Result<Stream, Failure> {
    let mut stream = Stream::default();
    match style.format {
        Format::Yaml => {
            let mut keep = |piece: &[u8]| {
                stream.bytes.extend_from_slice(piece);
                ControlFlow::Continue(())
            };
            let _ = in_flavour(cores, &documents, style.flavour, sources, &mut keep);
        }
        Format::Json => {
            for document in documents {
                json_line(document, style, &mut stream)?;
            }
        }
        Format::Positions => {
            let flavour = match style.flavour {
                Flavour::Plumb => PositionStyle::Plumb,
                Flavour::Ytt => PositionStyle::Ytt,
            };
            print::positions(documents, sources, flavour, &mut stream.bytes);
        }
    }
    Ok(stream)
}

fn in_flavour(
    cores: impl FnOnce() -> Cores,
    documents: &[&Document],
    flavour: Flavour,
    sources: &Sources,
    write: &mut dyn FnMut(&[u8]) -> ControlFlow<()>,
) -> ControlFlow<()> {
    let cores = if documents.len() < WORTH_THREADS { Cores::ONE } else { cores() };
    if cores == Cores::ONE {
        let sources = match flavour {
            Flavour::Plumb => None,
            Flavour::Ytt => Some(sources),
        };
        return print::documents_in_pieces(documents.iter().copied(), sources, write);
    }
    let print = |documents: &&[&Document]| {
        let mut out = SEPARATOR.to_vec();
        let documents = documents.iter().copied();
        match flavour {
            Flavour::Plumb => print::documents(documents, &mut out),
            Flavour::Ytt => print::documents_like_ytt(documents, sources, &mut out),
        }
        out
    };
    let mut is_first = true;
    for round in documents.chunks(ROUND * cores.count()) {
        let batches: Vec<&[&Document]> = round.chunks(BATCH).collect();
        let printed = cores.map(&batches, print);
        for text in printed.iter().filter(|it| it.len() > SEPARATOR.len()) {
            write(if is_first { &text[SEPARATOR.len()..] } else { text })?;
            is_first = false;
        }
    }
    ControlFlow::Continue(())
}

/// Prints one document on a line. ytt does not separate documents, and leaves out documents with a
/// number that JSON cannot express.
fn json_line(document: &Document, style: Style, stream: &mut Stream) -> Result<(), Failure> {
    let out = &mut stream.bytes;
    let start = out.len();
    match json::documents([document], out) {
        Ok(()) if style.flavour == Flavour::Plumb && start < out.len() => out.push(b'\n'),
        Ok(()) => {}
        Err(error @ JsonError::Number { .. }) if style.silent_drops == SilentDrops::Warn => {
            let mut warning = not_json(&error);
            warning.severity = Severity::Warning;
            warning.message = message!("a document is left out: {}", warning.message);
            stream.warnings.push(warning);
        }
        Err(error) => return Err(Failure::from(not_json(&error)).within(Activity::Print)),
    }
    Ok(())
}

/// Prints each file separately, with its path below an output directory.
pub fn files(files: &[OutputFile]) -> Vec<(PathBuf, Vec<u8>)> {
    let print = |file: &OutputFile| {
        let path = lexical::clean(file.path.trim_start_matches('/').as_ref());
        (path, file_bytes(file))
    };
    on_deep_stack(|| files.iter().map(print).collect())
}

/// The bytes of one output file.
pub fn file_bytes(file: &OutputFile) -> Vec<u8> {
    match &file.content {
        Content::Yaml(documents) => yaml(documents),
        Content::Text(written) => written.text.as_bytes().to_vec(),
    }
}

/// Prints files as one JSON text, `{"files":[{"name":…,"data":…}]}`, or the error instead. Values
/// in the error are masked or shown.
pub fn bulk(result: Result<&[OutputFile], &Failure>, sources: &Sources, values: Values) -> Vec<u8> {
    on_deep_stack(|| bulk_bytes(result, sources, values))
}

fn bulk_bytes(
    result: Result<&[OutputFile], &Failure>,
    sources: &Sources,
    values: Values,
) -> Vec<u8> {
    let mut out = Vec::new();
    out.push(b'{');
    match result {
        Err(failure) => {
            out.extend_from_slice(b"\"errors\":");
            let text = peer::text_with(failure, sources, values);
            json::string(text.text(values).as_bytes(), true, &mut out);
        }
        Ok([]) => {}
        Ok(files) => {
            out.extend_from_slice(b"\"files\":[");
            for (at, file) in files.iter().enumerate() {
                if at > 0 {
                    out.push(b',');
                }
                bulk_file(file, &mut out);
            }
            out.push(b']');
        }
    }
    out.push(b'}');
    out
}

fn bulk_file(file: &OutputFile, out: &mut Vec<u8>) {
    out.extend_from_slice(b"{\"name\":");
    json::string(file.path.as_bytes(), true, out);
    out.extend_from_slice(b",\"data\":");
    json::string(&file_bytes(file), true, out);
    out.push(b'}');
}

fn not_json(error: &JsonError) -> Diagnostic {
    let (origin, help) = match error {
        JsonError::Key { origin, .. } => (origin, "put the key in quotes"),
        JsonError::Number { origin, .. } => (origin, "print it as YAML, which has such numbers"),
    };
    Diagnostic::error(NOT_JSON, error.message()).at(*origin, "").help(help)
}
