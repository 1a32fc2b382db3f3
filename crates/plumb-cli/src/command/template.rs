//! The main command: renders input files.

use std::sync::Arc;
use std::time::{Duration, Instant};

use plumb::print::Format;
use plumb::{
    Cancel, CrdNames, DroppedNulls, Input, Options, Outcome, Printable, SchemaLanguage,
    SilentDrops, World,
};

use super::sink::{self, Product, Sink};
use super::template_flags::{self, CrdFlags, Flags, OUTPUT_TYPES, SchemaType};
use super::{Command, debug, flags_alone, version, watch, without_effect};
use crate::args::{self, Spec, UsageError, UsageErrorKind, nearest};
use crate::exit::Exit;
use crate::report::{self, Report};
use crate::{Name, bulk};
use plumb::native::NativeWorld;
use plumb_source::message;
use plumb_source::message::{plain, term};

pub(super) fn root(report: &Report, arguments: Vec<String>) -> Result<Exit, UsageError> {
    match flags_alone(report, Command::Root, arguments, template_flags::SPECS)? {
        Ok(flags) if flags.version => Ok(version::show(report)),
        Ok(flags) => render(report, flags),
        Err(exit) => Ok(exit),
    }
}

pub(super) fn old_name(report: &Report, arguments: Vec<String>) -> Result<Exit, UsageError> {
    match flags_alone(report, Command::Template, arguments, template_flags::without_version())? {
        Ok(flags) => render(report, flags),
        Err(exit) => Ok(exit),
    }
}

/// Validates the flags, and does nothing else.
pub(super) fn understand(
    name: Name,
    arguments: Vec<String>,
    specs: &[Spec<Flags>],
) -> Result<(), UsageError> {
    let flags = args::parse(arguments, specs)?.flags;
    machine(&flags)?;
    format(&flags)?;
    wanted(&flags)?;
    options(name, flags).map(drop)
}

/// The requested output of a run.
#[derive(Debug)]
enum Wanted {
    /// The rendered files.
    Files,
    /// The paths of the files that would be read.
    FileList,
    /// The data values that templates see.
    DataValues,
    /// The schema of the data values.
    Schema(SchemaLanguage),
}

impl Wanted {
    fn run(
        &self,
        world: &Arc<dyn World>,
        options: &Options,
        name: Name,
        sink: &Sink,
    ) -> Outcome<Product> {
        match self {
            Self::Files if sink.is_yaml_stream() => {
                plumb::render_printable(world, options, name.flavour()).map(Product::Files)
            }
            Self::Files => {
                let files = |it| Product::Files(Printable::Documents(it));
                plumb::render(world, options).map(files)
            }
            Self::FileList => plumb::input_files(world, options).map(Product::list),
            Self::DataValues => match options.silent_drops {
                SilentDrops::Refuse => plumb::shown_data_values(world, options),
                SilentDrops::Warn => plumb::data_values(world, options),
            }
            .map(Product::Answer),
            Self::Schema(language) => plumb::schema(world, options, language).map(Product::Answer),
        }
    }
}

fn render(report: &Report, flags: Flags) -> Result<Exit, UsageError> {
    if report.watches() {
        return watch(report, flags, IsChecked::No);
    }
    let (format, wanted) = match format(&flags).and_then(|it| Ok((it, wanted(&flags)?))) {
        Ok(both) => both,
        Err(usage_error) if report.name() == Name::Ytt => {
            return input_first(report, flags, usage_error);
        }
        Err(usage_error) => return Err(usage_error),
    };
    if report.name() == Name::Plumb {
        without_effect::refuse(&flags)?;
    }
    let sink = Sink::of_flags(&flags, format);
    deliver(report, &wanted, flags, &sink, |_| Exit::Fine)
}

/// Runs all stages, and passes the result to a sink. `then` gets the number of input files.
fn deliver(
    report: &Report,
    wanted: &Wanted,
    flags: Flags,
    sink: &Sink,
    then: impl FnOnce(usize) -> Exit,
) -> Result<Exit, UsageError> {
    let started = Instant::now();
    let is_debug = flags.debug;
    let world = machine(&flags)?;
    let name = report.name();
    let outcome = wanted.run(&world, &options(name, flags)?, name, sink);
    if is_debug {
        report::say(&debug::inputs(outcome.inputs()));
    }
    for warning in &outcome.warnings {
        report.warning(warning, &outcome.sources);
    }
    let exit = sink::deliver(report, &*world, sink, &outcome);
    let ended = then(outcome.inputs().len());
    if is_debug {
        report::say(&format!("total: {:?}\n", started.elapsed()));
    }
    // The process is about to end, so freeing every node would waste time.
    std::mem::forget(outcome);
    Ok(if exit == Exit::Fine { ended } else { exit })
}

/// Whether a run only checks its input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum IsChecked {
    Yes,
    No,
}

/// Renders or checks input again whenever it changes.
pub(super) fn watch(
    report: &Report,
    flags: Flags,
    is_checked: IsChecked,
) -> Result<Exit, UsageError> {
    let (format, wanted) = (format(&flags)?, wanted(&flags)?);
    let sink = match is_checked {
        IsChecked::Yes => Sink::Nowhere(format),
        IsChecked::No => {
            without_effect::refuse(&flags)?;
            Sink::of_flags(&flags, format)
        }
    };
    let is_stdin = |it: &str| it == "-" || it.ends_with("=-");
    let values = flags.data_values.iter().map(|it| it.argument.as_str());
    let names: Vec<&str> = flags.files.iter().map(String::as_str).chain(values).collect();
    if names.into_iter().any(is_stdin) || !flags.bulk_in.is_empty() {
        return Err(UsageError {
            message: "--watch requires files: standard input and --bulk-in do not change".into(),
            help: Some("save the input to a file, or remove --watch".into()),
        });
    }
    let (world, time_limit) = (machine(&flags)?, flags.time_limit()?);
    let options = options(report.name(), flags)?;
    Ok(watch::calls(report, world, |world, cause| {
        let options = options.clone().cancel(time_limit.map(after).unwrap_or_default());
        let outcome = wanted.run(world, &options, report.name(), &sink);
        for warning in &outcome.warnings {
            report.warning(warning, &outcome.sources);
        }
        let exit = sink::deliver(report, &**world, &sink, &outcome);
        let done = match (is_checked, exit) {
            (IsChecked::Yes, _) => format!("checked: {}", report.counts()),
            (IsChecked::No, Exit::Fine) => "rendered".to_owned(),
            (IsChecked::No, _) => format!("not rendered: {}", report.counts()),
        };
        match cause {
            Some(cause) => report.note(&format!("{cause}: {done}\n")),
            None => report.note(&format!("{done}\n")),
        }
    }))
}

/// Reports a wrong output type as ytt does: an error in the input, in any stage up to the schema,
/// is reported instead.
fn input_first(report: &Report, flags: Flags, usage_error: UsageError) -> Result<Exit, UsageError> {
    let wanted = if flags.inspects_files {
        Wanted::FileList
    } else {
        Wanted::Schema(SchemaLanguage::OpenApi)
    };
    let sink = Sink::of_flags(&flags, Format::Yaml);
    let world = machine(&flags)?;
    let name = report.name();
    let outcome = wanted.run(&world, &options(name, flags)?, name, &sink);
    if outcome.result.is_ok() {
        return sink::misuse(report, &sink, usage_error, &outcome.sources);
    }
    for warning in &outcome.warnings {
        report.warning(warning, &outcome.sources);
    }
    Ok(sink::deliver(report, &*world, &sink, &outcome))
}

/// Runs all stages of a render, and writes nothing.
pub(super) fn check(report: &Report, flags: Flags) -> Result<Exit, UsageError> {
    let sink = Sink::Nowhere(format(&flags)?);
    let wanted = wanted(&flags)?;
    deliver(report, &wanted, flags, &sink, |n_files| {
        let files = if n_files == 1 { "file" } else { "files" };
        report.summary(&format!("{n_files} {files} checked: {}", report.counts()))
    })
}

fn options(name: Name, flags: Flags) -> Result<Options, UsageError> {
    let cancel = flags.time_limit()?.map(after).unwrap_or_default();
    let given = match flags.bulk_in.as_str() {
        "" => None,
        text => Some(bulk::read(text)?),
    };
    let mut options = flags.options()?.cancel(cancel);
    if let Some(files) = given {
        // They replace the files of `-f`, as in ytt.
        options.inputs = files.into_iter().map(Input::File).collect();
    }
    options.silent_drops = name.silent_drops();
    Ok(options)
}

/// The names of the custom resource whose definition is exported.
fn crd_names(flags: &CrdFlags) -> Result<CrdNames, UsageError> {
    let CrdFlags { group, version, kind, plural, .. } = flags.clone();
    CrdNames::new(group, version, kind, plural).map_err(|problem| UsageError {
        message: message!("--crd-{} is not valid: {}", plain(problem.name()), plain(problem)),
        help: None,
    })
}

/// Rejects names of a custom resource if no definition is exported.
fn refuse_crd_names(flags: &CrdFlags) -> Result<(), UsageError> {
    let CrdFlags { group, version, kind, plural, drops_null } = flags;
    let given = [("group", group), ("version", version), ("kind", kind), ("plural", plural)];
    let given = given.map(|(name, it)| (name, it.is_some()));
    match given.into_iter().chain([("drop-null", *drops_null)]).find(|(_, is_given)| *is_given) {
        None => Ok(()),
        Some((name, _)) => Err(UsageError {
            message: message!("--crd-{} has no effect without -o crd", plain(name)),
            help: Some(message!("add --data-values-schema-inspect -o {}", SchemaType::Crd.name())),
        }),
    }
}

/// The file system, with the allowed size of files.
fn machine(flags: &Flags) -> Result<Arc<dyn World>, UsageError> {
    let world =
        flags.max_file_size()?.map_or_else(NativeWorld::default, NativeWorld::with_max_size);
    Ok(Arc::new(world))
}

/// A request to stop after this time.
pub(super) fn after(time: Duration) -> Cancel {
    let cancel = Cancel::default();
    let timer = cancel.clone();
    std::thread::spawn(move || {
        std::thread::sleep(time);
        timer.time_out(format!("it took longer than {} s (--time-limit)", time.as_secs_f64()));
    });
    cancel
}

/// What to print. If flags request several outputs, the most comprehensive one is printed.
fn wanted(flags: &Flags) -> Result<Wanted, UsageError> {
    let language = schema_language(flags);
    if language != Some(SchemaType::Crd) {
        refuse_crd_names(&flags.crd)?;
    }
    match (flags.inspects_files, flags.inspects_schema, language) {
        (true, _, _) => Ok(Wanted::FileList),
        (false, true, Some(language)) => Ok(Wanted::Schema(match language {
            SchemaType::OpenApi => SchemaLanguage::OpenApi,
            SchemaType::JsonSchema => SchemaLanguage::JsonSchema,
            SchemaType::Crd => {
                let accepts = flags.crd.drops_null;
                let nulls = if accepts { DroppedNulls::Accept } else { DroppedNulls::Warn };
                SchemaLanguage::Crd(crd_names(&flags.crd)?, nulls)
            }
        })),
        (false, true, None) => Err(UsageError {
            message: term(
                "--data-values-schema-inspect requires the language of the schema",
                UsageErrorKind::NoSchemaLanguage,
            )
            .into(),
            help: Some(message!(
                "add -o {}, -o {}, or -o {} for a custom resource of Kubernetes",
                SchemaType::OpenApi.name(),
                SchemaType::JsonSchema.name(),
                SchemaType::Crd.name()
            )),
        }),
        (false, false, Some(language)) => {
            let message = message!("-o {} is for the schema of the data values", language.name());
            Err(UsageError {
                message: term(message, UsageErrorKind::NoSchema).into(),
                help: Some("add --data-values-schema-inspect".into()),
            })
        }
        (false, false, None) if flags.inspects_values => Ok(Wanted::DataValues),
        (false, false, None) => Ok(Wanted::Files),
    }
}

/// The language of the exported schema. If several are given, the first one is used.
fn schema_language(flags: &Flags) -> Option<SchemaType> {
    flags.outputs.iter().flatten().find_map(|it| SchemaType::of_name(it))
}

/// The format of printed files. If several are given, the first one is used.
fn format(flags: &Flags) -> Result<Format, UsageError> {
    let types = flags.outputs.as_deref().unwrap_or_default();
    if let Some(unknown) = types.iter().find(|it| !OUTPUT_TYPES.contains(&it.as_str())) {
        let help = match nearest(unknown, OUTPUT_TYPES.into_iter()) {
            Some(name) => message!("did you mean {}?", plain(name)),
            None => message!("types are {}", plain(OUTPUT_TYPES.join(", "))),
        };
        return Err(UsageError {
            message: term(
                message!("there is no output type `{}`", plain(unknown)),
                UsageErrorKind::UnknownOutput(unknown.clone()),
            )
            .into(),
            help: Some(help),
        });
    }
    let formats = types.iter().filter_map(|it| match it.as_str() {
        "yaml" => Some(Format::Yaml),
        "json" => Some(Format::Json),
        "pos" => Some(Format::Positions),
        _ => None,
    });
    Ok(formats.into_iter().next().unwrap_or(Format::Yaml))
}
