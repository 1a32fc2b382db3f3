//! The destination of a result: standard output, a directory, or one JSON text.

use std::path::{Path, PathBuf};

use plumb::document::{Array, ArrayItem, Node, Origin, Text};
use plumb::print::{self, Format, Style};
use plumb::world::{Occupant, World};
use plumb::{
    Code, Content, Diagnostic, Document, Failure, Outcome, OutputFile, Printable, Sources, Stage,
    lexical,
};
use plumb_source::message;
use plumb_source::message::plain;

use super::template_flags::Flags;
use crate::Name;
use crate::args::UsageError;
use crate::exit::Exit;
use crate::report::{self, MISUSE, Report};

/// Some results are text files, but standard output shows only YAML.
///
/// `--output-files DIR` writes all files. If a text is only for templates to read, leave it out of
/// the results with `--file-mark 'PATH:type=data'`.
const TEXT_NOT_SHOWN: Code = Code::new("output/text-not-shown");

const YTT_TEXT_WARNING: &str = "
Warning: Found Non-YAML templates in input. Non-YAML templates are not rendered to standard output.
If you want to include those results, use the --output-files or --dangerous-emptied-output-directory flag.
";

/// The greatest number of written files that are listed; for more, only the number is printed.
const MAX_LISTED: usize = 20;

/// The result of a run.
#[derive(Debug)]
pub(super) enum Product {
    Files(Printable),
    /// The answer to a question about the run, which is printed and not written to a directory.
    Answer(Document),
}

impl Product {
    /// Paths as an array.
    pub(super) fn list(paths: Vec<String>) -> Self {
        let item = |it: String| ArrayItem::new(it.as_str().into(), Origin::Unknown);
        let items = paths.into_iter().map(item).collect();
        let array = Node::array(Array::new(items, Origin::Unknown));
        Self::Answer(Document::new(array, Origin::Unknown))
    }

    /// The documents, unless only their text is known.
    fn documents(&self) -> Vec<&Document> {
        match self {
            Self::Files(Printable::Documents(rendered)) => rendered.documents().collect(),
            Self::Files(Printable::Printed(_)) => Vec::new(),
            Self::Answer(document) => vec![document],
        }
    }

    fn files(&self) -> &[OutputFile] {
        match self {
            Self::Files(Printable::Documents(rendered)) => &rendered.files,
            Self::Files(Printable::Printed(_)) | Self::Answer(_) => &[],
        }
    }

    /// Returns the files as ytt prints them, including the lines of sequences within keys. Returns
    /// `None` if Plumb was called by another name.
    fn printed_by_ytt(&self, name: Name, sources: &Sources) -> Option<Vec<OutputFile>> {
        if name != Name::Ytt {
            return None;
        }
        let style = Style::new().flavour(name.flavour()).silent_drops(name.silent_drops());
        let printed = self.files().iter().map(|file| {
            let text = match &file.content {
                Content::Yaml(documents) => {
                    Text::from_bytes(&print::stream(documents, style, sources).ok()?.bytes)
                }
                Content::Text(written) => written.text.clone(),
            };
            Some(OutputFile::new(&file.path, Content::Text(text.into())))
        });
        printed.collect()
    }
}

#[derive(Debug)]
pub(super) enum Sink {
    Stream(Format),
    /// The output is created, but discarded.
    Nowhere(Format),
    Bulk,
    Directory(PathBuf, Occupant),
}

impl Sink {
    pub(super) fn of_flags(flags: &Flags, format: Format) -> Self {
        let inspects = flags.inspects_files || flags.inspects_values || flags.inspects_schema;
        match () {
            () if flags.bulk_out => Self::Bulk,
            // An answer to a question is printed, wherever files would go.
            () if inspects => Self::Stream(format),
            () if !flags.emptied_directory.is_empty() => {
                Self::Directory((&flags.emptied_directory).into(), Occupant::Removed)
            }
            () if !flags.output_files.is_empty() => {
                Self::Directory((&flags.output_files).into(), Occupant::Kept)
            }
            () => Self::Stream(format),
        }
    }

    /// Returns whether the result is only printed, as one stream of YAML, or discarded.
    pub(super) fn is_yaml_stream(&self) -> bool {
        matches!(self, Self::Stream(Format::Yaml) | Self::Nowhere(Format::Yaml))
    }
}

/// Delivers the result of a run, or reports why there is none.
pub(super) fn deliver(
    report: &Report,
    world: &dyn World,
    sink: &Sink,
    outcome: &Outcome<Product>,
) -> Exit {
    let delivered = match (sink, &outcome.result) {
        (Sink::Bulk, result) if outcome.reached == Stage::Render => {
            return bulk(report, result.as_ref(), outcome);
        }
        (_, Err(failure)) => return report.failure(failure, &outcome.sources),
        (Sink::Directory(directory, occupant), Ok(product)) => {
            if report.name() != Name::Ytt
                && let Some(warning) = plumb::read_back(world, directory, outcome.inputs())
            {
                report.warning(&warning, &outcome.sources);
            }
            match product.printed_by_ytt(report.name(), &outcome.sources) {
                Some(files) => write(report, world, directory, *occupant, &files),
                None => write(report, world, directory, *occupant, product.files()),
            }
        }
        (Sink::Bulk, Ok(product)) => stream(report, world, product, Format::Yaml, &outcome.sources),
        (Sink::Nowhere(format), Ok(product)) => {
            printed(report, world, product, *format, &outcome.sources).map(|_| Exit::Fine)
        }
        (Sink::Stream(format), Ok(product)) => {
            stream(report, world, product, *format, &outcome.sources)
        }
    };
    delivered.unwrap_or_else(|failure| report.failure(&failure, &outcome.sources))
}

/// An error is part of the answer here. If the program is called as ytt, it is not a failure of the
/// run.
fn bulk(report: &Report, result: Result<&Product, &Failure>, outcome: &Outcome<Product>) -> Exit {
    if report.is_failed() {
        return Exit::Findings;
    }
    let by_ytt = result.ok().and_then(|it| it.printed_by_ytt(report.name(), &outcome.sources));
    let files = result.map(|it| by_ytt.as_deref().unwrap_or_else(|| it.files()));
    let printed = report.print(&print::bulk(files, &outcome.sources, report.values_in_bulk()));
    match (printed, result, report.name()) {
        (Exit::Fine, Err(_), Name::Plumb | Name::Jk) => Exit::Findings,
        (printed, _, _) => printed,
    }
}

/// Reports a wrong flag of a run whose input was read. The report is JSON if the result would be.
pub(super) fn misuse(
    report: &Report,
    sink: &Sink,
    error: UsageError,
    sources: &Sources,
) -> Result<Exit, UsageError> {
    if !matches!(sink, Sink::Bulk) {
        return Err(error);
    }
    let failure = Failure::from(Diagnostic::error(MISUSE, report.usage_message(&error)));
    Ok(report.print(&print::bulk(Err(&failure), sources, report.values_in_bulk())))
}

/// Prints results in one stream.
pub(super) fn stream(
    report: &Report,
    world: &dyn World,
    product: &Product,
    format: Format,
    sources: &Sources,
) -> Result<Exit, Failure> {
    let name = report.name();
    // YAML can express every document, and its whole text does not have to be in memory. Other
    // formats may fail, so nothing is printed before the text is complete.
    let whole = match format {
        Format::Yaml => None,
        Format::Json | Format::Positions => Some(printed(report, world, product, format, sources)?),
    };
    let is_text = |file: &&OutputFile| matches!(file.content, Content::Text(_));
    let text = product.files().iter().find(is_text);
    if let Some(text) = text.filter(|_| name != Name::Ytt) {
        let message = message!("text files such as `{}` are not printed", plain(&text.path));
        let help = "write all files to a directory with --output-files DIR";
        let warning = Diagnostic::warning(TEXT_NOT_SHOWN, message).help(help);
        report.warning(&warning, sources);
    }
    if report.is_failed() {
        return Ok(Exit::Findings);
    }
    let exit = match whole {
        Some(bytes) => report.print(&bytes),
        None => report.print_in_pieces(|write| {
            let (cores, flavour) = (|| world.cores(), name.flavour());
            let _ = match product {
                Product::Files(it) => {
                    print::printable_in_pieces(cores, it, flavour, sources, write)
                }
                Product::Answer(it) => print::yaml_in_pieces(cores, [it], flavour, sources, write),
            };
        }),
    };
    if text.is_some() && name == Name::Ytt {
        report::say(YTT_TEXT_WARNING);
    }
    Ok(exit)
}

/// The text of all results. Warns about values that the format cannot express.
fn printed(
    report: &Report,
    world: &dyn World,
    product: &Product,
    format: Format,
    sources: &Sources,
) -> Result<Vec<u8>, Failure> {
    let name = report.name();
    let style =
        Style::new().format(format).flavour(name.flavour()).silent_drops(name.silent_drops());
    let stream = print::stream_on(|| world.cores(), product.documents(), style, sources)?;
    for warning in &stream.warnings {
        report.warning(warning, sources);
    }
    Ok(stream.bytes)
}

fn write(
    report: &Report,
    world: &dyn World,
    directory: &Path,
    occupant: Occupant,
    files: &[OutputFile],
) -> Result<Exit, Failure> {
    if occupant == Occupant::Removed || report.name() != Name::Ytt {
        plumb::check_paths(files)?;
    }
    if report.is_failed() {
        return Ok(Exit::Findings);
    }
    let files = plumb::write(world, directory, occupant, files)?;
    Ok(match report.name() {
        _ if !report.lists_files() => Exit::Fine,
        Name::Plumb | Name::Jk if files.len() > MAX_LISTED => {
            let written = format!("wrote {} files to {}\n", files.len(), lexical::shown(directory));
            report.print(written.as_bytes())
        }
        Name::Plumb | Name::Jk | Name::Ytt => {
            let created = files.iter().map(|(path, _)| {
                format!("creating: {}\n", lexical::shown(&lexical::clean(&directory.join(path))))
            });
            report.print(created.collect::<String>().as_bytes())
        }
    })
}
