//! `plumb schema docs`: a reference of a schema, printed or inserted into another file.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use plumb::docs::{html, inject, markdown};
use plumb::native::NativeWorld;
use plumb::world::{Access, Occupant, OutputTree};
use plumb::{Options, ReferenceOptions, SourceKind, Sources, World, docs};
use plumb_source::message::plain;
use plumb_source::{Comparison, message};

use super::{Command, help};
use crate::args::{self, Parsed, Spec, Takes, Topic, UsageError};
use crate::exit::Exit;
use crate::report::Report;

#[derive(Debug, Default)]
pub(super) struct Flags {
    files: Vec<String>,
    format: Option<String>,
    reference: ReferenceOptions,
    inject: Option<String>,
    checks: bool,
}

pub(super) const SPECS: &[Spec<Flags>] = &[
    Spec {
        long: "file",
        short: Some('f'),
        takes: Takes::Each("PATH", |flags, value| flags.files.push(value)),
        topic: Topic::Input,
        help: "A schema of data values, a CRD, an OpenAPI document or a JSON Schema. Can be repeated",
    },
    Spec {
        long: "name",
        short: None,
        takes: Takes::One("NAME", |flags, value| flags.reference.choice.name = Some(value)),
        topic: Topic::Input,
        help: "The schema to use, if there are several: the kind of a custom resource, or the name of an API component",
    },
    Spec {
        long: "version",
        short: None,
        takes: Takes::One("VERSION", |flags, value| flags.reference.choice.version = Some(value)),
        topic: Topic::Input,
        help: "The version of the custom resource. Default: the storage version",
    },
    Spec {
        long: "output",
        short: Some('o'),
        takes: Takes::One("FORMAT", |flags, value| flags.format = Some(value)),
        topic: Topic::Output,
        help: "Print markdown (default), or html: a self-contained page",
    },
    Spec {
        long: "title",
        short: None,
        takes: Takes::One("TEXT", |flags, value| flags.reference.title = Some(value)),
        topic: Topic::Output,
        help: "The title. Default: the title of the schema, or 'Data values'",
    },
    Spec {
        long: "inject",
        short: None,
        takes: Takes::One("FILE", |flags, value| flags.inject = Some(value)),
        topic: Topic::Output,
        help: "Write the reference between the two markers of a Markdown file",
    },
    Spec {
        long: "check",
        short: None,
        takes: Takes::Nothing(|flags| &mut flags.checks),
        topic: Topic::Output,
        help: "With --inject: write nothing, print what would change, and exit with 1 if anything would",
    },
];

#[derive(Clone, Copy, PartialEq, Eq)]
enum Format {
    Markdown,
    Html,
}

pub(super) fn run(report: &Report, arguments: Vec<String>) -> Result<Exit, UsageError> {
    let Parsed { mut flags, wants_help, extra } = args::parse(arguments, SPECS)?;
    if wants_help {
        return Ok(help::show(report, Command::SchemaDocs));
    }
    flags.files.extend(extra);
    let format = format(&flags)?;
    let world: Arc<dyn World> = Arc::new(NativeWorld::default());
    let options = Options::new().paths(flags.files);
    let outcome = plumb::schema_reference(&world, &options, &flags.reference);
    for warning in &outcome.warnings {
        report.warning(warning, &outcome.sources);
    }
    let reference = match &outcome.result {
        Ok(reference) => reference,
        Err(failure) => return Ok(report.failure(failure, &outcome.sources)),
    };
    match (flags.inject, format) {
        (Some(path), _) => {
            let target = Target { path, is_only_compared: flags.checks };
            injected(report, &*world, &target, reference, &outcome.sources)
        }
        (None, Format::Markdown) => Ok(report.print(markdown(reference, 0).as_bytes())),
        (None, Format::Html) => Ok(report.print(html(reference).as_bytes())),
    }
}

fn format(flags: &Flags) -> Result<Format, UsageError> {
    let error = |message: plumb::Message, help: &'static str| {
        Err(UsageError { message, help: Some(help.into()) })
    };
    let format = match flags.format.as_deref() {
        None | Some("markdown" | "md") => Format::Markdown,
        Some("html") => Format::Html,
        Some(other) => {
            let message = message!("expected the format markdown or html, found {}", plain(other));
            return error(message, "use -o markdown or -o html");
        }
    };
    match &flags.inject {
        _ if flags.files.is_empty() => error(
            "schema docs requires a schema".into(),
            "name a file or a directory: plumb schema docs schema.yml",
        ),
        Some(_) if format == Format::Html => error(
            "an HTML page cannot be inserted into another file".into(),
            "remove -o html, or remove --inject and redirect the output: > reference.html",
        ),
        None if flags.checks => error(
            "--check requires --inject: there is no file to compare with".into(),
            "name the file that contains the reference: --inject README.md",
        ),
        _ => Ok(format),
    }
}

/// The file that contains a reference.
struct Target {
    path: String,
    /// Whether the file is compared with the reference, instead of being written.
    is_only_compared: bool,
}

/// Writes the reference into a file, or compares it with the content of the file.
fn injected(
    report: &Report,
    world: &dyn World,
    target: &Target,
    reference: &docs::Reference,
    sources: &Sources,
) -> Result<Exit, UsageError> {
    let path = target.path.as_str();
    let file = PathBuf::from(path);
    let old = world.read(&file).map_err(|error| UsageError {
        message: message!("--inject: {}", plain(error.words())),
        help: Some(message!(
            "create the file with the lines `{}` and `{}`: the reference goes between them",
            plain(docs::BEGIN),
            plain(docs::END)
        )),
    })?;
    let id = sources.add(path, SourceKind::File, old.clone());
    let new = match inject(reference, sources, id) {
        Ok(new) => new,
        Err(failure) => return Ok(report.failure(&failure, sources)),
    };
    if new.as_bytes() == &*old {
        report.note(&format!("{path}: no changes\n"));
        return Ok(Exit::Fine);
    }
    if target.is_only_compared {
        let old = String::from_utf8_lossy(&old);
        let diff = Comparison::new(&old, &new).unified(path, "with the current reference");
        return Ok(match report.print(diff.as_bytes()) {
            Exit::Fine => {
                report.note(&format!(
                    "{path} is out of date: run plumb schema docs without --check\n"
                ));
                Exit::Findings
            }
            other => other,
        });
    }
    let here = world.directory().unwrap_or_default();
    let whole = plumb::lexical::absolute(&file, &here);
    let directory = whole.parent().unwrap_or_else(|| Path::new("/"));
    let name = whole.file_name().map(PathBuf::from).unwrap_or_default();
    let files = [(name, new.into_bytes())];
    let (occupant, access) = (Occupant::Kept, Access::Usual);
    if let Err(error) = world.write(&OutputTree { directory, occupant, access, files: &files }) {
        return Ok(report.failure(&plumb::not_written(&error), sources));
    }
    report.note(&format!("written: {path}\n"));
    Ok(Exit::Fine)
}
