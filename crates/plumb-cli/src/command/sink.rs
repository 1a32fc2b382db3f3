//! Where a result goes: standard output, a directory, or one JSON text.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use plumb::document::{Array, ArrayItem, Node, Origin};
use plumb::print::{self, Format, Style};
use plumb::world::{Access, Fault, Occupant, OutputTree, World, WorldError};
use plumb::{
    Code, Content, Diagnostic, Document, Failure, Outcome, OutputFile, Rendered, Stage, lexical,
    resolve,
};

use super::template_flags::Flags;
use crate::Name;
use crate::exit::Exit;
use crate::report::{self, NOT_WRITTEN, Report};

/// Two results have the same path, so that only one of them could be kept.
///
/// Files of a directory are written with their paths below it; a file that was given by itself,
/// with its name. Change one of the paths: `-f NAME=PATH`, or `--file-mark 'GLOB:path=NAME'`.
const SAME_PATH: Code = Code::new("output/same-path");

/// A directory that would be emptied may contain important files.
///
/// `--dangerous-emptied-output-directory` deletes everything in its directory. It refuses the root,
/// the working directory and the directories above it: use a directory that contains only output.
const NOT_EMPTIED: Code = Code::new("output/not-emptied");

/// The output directory is inside an input directory, so that results of an earlier run are read as
/// templates.
///
/// Keep templates in a directory of their own (`-f config --output-files rendered`), or leave the results
/// out with `--file-mark 'rendered/**/*:exclude=true'`.
const READ_BACK: Code = Code::new("output/read-back");

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

/// Directories that are never emptied, as written on the command line.
const SUSPICIOUS: [&str; 4] = ["/", ".", "./", ""];

/// The result of a run.
#[derive(Debug)]
pub(super) enum Product {
    Files(Rendered),
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

    fn documents(&self) -> Vec<&Document> {
        match self {
            Self::Files(rendered) => rendered.documents().collect(),
            Self::Answer(document) => vec![document],
        }
    }

    fn files(&self) -> &[OutputFile] {
        match self {
            Self::Files(rendered) => &rendered.files,
            Self::Answer(_) => &[],
        }
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
                && let Some(warning) = read_back(world, directory, outcome)
            {
                report.warning(&warning, &outcome.sources);
            }
            write(report, world, directory, *occupant, product.files())
        }
        (Sink::Bulk, Ok(product)) => stream(report, world, product, Format::Yaml, outcome),
        (Sink::Nowhere(format), Ok(product)) => {
            printed(report, world, product, *format, outcome).map(|_| Exit::Fine)
        }
        (Sink::Stream(format), Ok(product)) => stream(report, world, product, *format, outcome),
    };
    delivered.unwrap_or_else(|failure| report.failure(&failure, &outcome.sources))
}

/// An error is part of the answer here. Called as ytt, it is not a failure of the run.
fn bulk(report: &Report, result: Result<&Product, &Failure>, outcome: &Outcome<Product>) -> Exit {
    if report.is_failed() {
        return Exit::Findings;
    }
    let printed = report.print(&print::bulk(result.map(Product::files), &outcome.sources));
    match (printed, result, report.name()) {
        (Exit::Fine, Err(_), Name::Plumb | Name::Jk) => Exit::Findings,
        (printed, _, _) => printed,
    }
}

fn stream(
    report: &Report,
    world: &dyn World,
    product: &Product,
    format: Format,
    outcome: &Outcome<Product>,
) -> Result<Exit, Failure> {
    let name = report.name();
    let bytes = printed(report, world, product, format, outcome)?;
    let is_text = |file: &&OutputFile| matches!(file.content, Content::Text(_));
    let text = product.files().iter().find(is_text);
    if let Some(text) = text.filter(|_| name != Name::Ytt) {
        let message = format!("text files such as `{}` are not printed", text.path);
        let help = "write all files to a directory with --output-files DIR";
        let warning = Diagnostic::warning(TEXT_NOT_SHOWN, message).help(help);
        report.warning(&warning, &outcome.sources);
    }
    if report.is_failed() {
        return Ok(Exit::Findings);
    }
    let exit = report.print(&bytes);
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
    outcome: &Outcome<Product>,
) -> Result<Vec<u8>, Failure> {
    let name = report.name();
    let style = Style { format, flavour: name.flavour(), silent_drops: name.silent_drops() };
    let stream = print::stream_on(|| world.cores(), product.documents(), style, &outcome.sources)?;
    for warning in &stream.warnings {
        report.warning(warning, &outcome.sources);
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
        check_paths(files)?;
    }
    if occupant == Occupant::Removed {
        check_directory(world, directory)?;
    }
    if report.is_failed() {
        return Ok(Exit::Findings);
    }
    let files = print::files(files);
    let tree = OutputTree { directory, occupant, access: Access::Owner, files: &files };
    world.write(&tree).map_err(|error| not_written(&error))?;
    Ok(match report.name() {
        _ if report.is_quiet() => Exit::Fine,
        Name::Plumb | Name::Jk if files.len() > MAX_LISTED => {
            let written = format!("wrote {} files to {}\n", files.len(), directory.display());
            report.print(written.as_bytes())
        }
        Name::Plumb | Name::Jk | Name::Ytt => {
            let created = files.iter().map(|(path, _)| {
                format!("creating: {}\n", lexical::clean(&directory.join(path)).display())
            });
            report.print(created.collect::<String>().as_bytes())
        }
    })
}

/// A warning if templates of this run are in the output directory, although that directory was not
/// given as input itself.
fn read_back(
    world: &dyn World,
    directory: &Path,
    outcome: &Outcome<Product>,
) -> Option<Diagnostic> {
    let here = world.directory().ok()?;
    let output = lexical::absolute(directory, &here);
    let read = outcome.inputs().iter().filter(|it| it.is_for_output()).filter_map(|it| {
        let path = lexical::absolute(it.disk_path()?, &here);
        // Without its path below the argument of `-f`, what remains is that argument.
        let n_below = Path::new(it.original_path()).components().count();
        let argument = path.ancestors().nth(n_below)?;
        let is_inside = output.starts_with(argument) && output != argument;
        (is_inside && path.starts_with(&output)).then(|| it.disk_path()).flatten()
    });
    let read: Vec<&Path> = read.collect();
    let first = read.first()?.display();
    let message = format!("the output directory is read as input: `{first}` is used as a template");
    let shown = directory.display();
    Some(
        Diagnostic::warning(READ_BACK, message)
            .help("give -f a directory that does not contain the output")
            .help(format!("or exclude it: --file-mark '{shown}/**/*:exclude=true'")),
    )
}

fn check_paths(files: &[OutputFile]) -> Result<(), Failure> {
    let mut seen = HashSet::new();
    match files.iter().find(|file| !seen.insert(&file.path)) {
        None => Ok(()),
        Some(file) => {
            let message =
                format!("Multiple files have same output destination paths: {}", file.path);
            let help =
                "give one of them another path: -f NAME=PATH, or --file-mark 'GLOB:path=NAME'";
            Err(Diagnostic::error(SAME_PATH, message).help(help).into())
        }
    }
}

/// Refuses to empty the root, the working directory, or a directory that contains it.
fn check_directory(world: &dyn World, directory: &Path) -> Result<(), Failure> {
    let here = world.directory().map_err(|error| not_written(&error))?;
    let whole = lexical::absolute(directory, &here);
    // A link may point to a directory that contains us. A directory that does not exist cannot.
    let resolved = resolve(world, &whole).unwrap_or_else(|_| whole.clone());
    let is_suspicious = SUSPICIOUS.iter().any(|it| directory == Path::new(it))
        || here.starts_with(whole)
        || here.starts_with(resolved);
    if !is_suspicious {
        return Ok(());
    }
    let message =
        format!("Expected output directory path to not be one of '{}'", SUSPICIOUS.join("', '"));
    let help = "name a directory that holds nothing but output";
    Err(Diagnostic::error(NOT_EMPTIED, message).help(help).into())
}

fn not_written(error: &WorldError) -> Failure {
    let finding = Diagnostic::error(NOT_WRITTEN, error.words());
    let finding = match error.fault {
        Fault::PermissionDenied => finding.help("choose a directory that you may write to"),
        _ => finding,
    };
    Failure::of_many(vec![finding], error.to_string())
}
