//! The common parts of the commands for scripts: flags, environment, and exit codes.

mod console;

use plumb_source::message::plain;
use plumb_source::{lexical, message};

use std::fmt::Write as _;
use std::path::PathBuf;
use std::sync::Arc;

use plumb::generator::{
    self, Dependency, DependencyKind, Dialect, EngineMemory, FILE, Ran, Reporting, Script,
    WRONG_OPTION,
};
use plumb::native::NativeWorld;
use plumb::{Diagnostic, Failure, GeneratorOptions, Sources, World};
use serde_json::json;

use super::{Command, help, template};
use crate::Name;
use crate::args::{self, Parsed, Spec, UsageError};
use crate::exit::Exit;
use crate::report::{NOT_WRITTEN, Report};
use console::Terminal;

pub(super) use plumb_flags::script::{
    Flags, common, emit_dependencies, exec, input_directory, module, overwrite, schema, stdout,
    validate,
};

/// Runs a command for scripts: reads its flags, and calls `task` to determine the script and its
/// files.
pub(super) fn run(
    report: &Report,
    command: Command,
    arguments: Vec<String>,
    specs: &[Spec<Flags>],
    task: impl FnOnce(&mut Flags, Vec<String>) -> Result<GeneratorOptions, UsageError>,
) -> Result<Exit, UsageError> {
    let Parsed { mut flags, wants_help, extra } = args::parse(arguments, specs)?;
    if wants_help {
        return Ok(help::show(report, command));
    }
    if report.name() == Name::Plumb {
        refuse_without_effect(command, &flags)?;
    }
    let mut options = task(&mut flags, extra)?;
    let wanted = wanted_of(&flags);
    // A list of dependencies is printed alone, without the output of scripts.
    let terminal = Arc::new(Terminal::new(wanted != Wanted::Results));
    complete(flags, &mut options, report.name(), Arc::clone(&terminal))?;
    let world: Arc<dyn World> = Arc::new(NativeWorld::default());
    let outcome = generator::run(&world, &options, generator_command(command));
    let sources = &outcome.sources;
    let delivered = outcome.result.and_then(|ran| {
        if wanted == Wanted::Results {
            deliver(report, &*world, &options, &ran)?;
        }
        match terminal.take_refusal() {
            None => Ok(ran),
            Some(error) => {
                let message = message!("Writing to standard output: {}", plain(error));
                Err(Diagnostic::error(NOT_WRITTEN, message).into())
            }
        }
    });
    Ok(match delivered {
        Ok(ran) => print_results(report, command, &ran, wanted, sources),
        Err(failure) => {
            let is_usage_error =
                failure.findings().iter().all(|finding| finding.code == WRONG_OPTION);
            let exit = report.failure(&failure, sources);
            if is_usage_error { Exit::UsageError } else { exit }
        }
    })
}

/// What the caller wants of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Wanted {
    /// The files, and what the script prints.
    Results,
    /// Findings only.
    Findings,
    /// A list of the files that were read.
    Dependencies,
}

fn generator_command(command: Command) -> generator::Command {
    match command {
        Command::Run => generator::Command::Run,
        Command::Transform => generator::Command::Transform,
        Command::Validate => generator::Command::Validate,
        _ => generator::Command::Generate,
    }
}

/// Writes and prints the results.
fn deliver(
    report: &Report,
    world: &dyn World,
    options: &GeneratorOptions,
    ran: &Ran,
) -> Result<(), Failure> {
    let console = options.console.as_deref().expect("the command line has a terminal");
    let mut written = String::new();
    for tree in &ran.trees {
        tree.write(world).map_err(|error| Diagnostic::error(FILE, plain(error)))?;
        for (path, _) in tree.files.iter().filter(|_| options.reporting.is_verbose) {
            // jk prints it with the results.
            match report.name() {
                Name::Jk => _ = writeln!(written, "write {}", lexical::shown(path)),
                Name::Plumb | Name::Ytt => {
                    console.log(format!("wrote {}\n", lexical::shown(path)).as_bytes());
                }
            }
        }
    }
    for printed in [&*ran.printed, written.as_bytes()].into_iter().filter(|it| !it.is_empty()) {
        console.print(printed);
    }
    Ok(())
}

/// Rejects flags that have no effect. jk accepts them.
fn refuse_without_effect(command: Command, flags: &Flags) -> Result<(), UsageError> {
    let (flag, reason) = match command {
        _ if flags.has_cache => ("cache", "nothing is cached"),
        Command::Validate if !flags.output_directory.as_os_str().is_empty() => {
            ("output-directory", "validate writes nothing")
        }
        _ => return Ok(()),
    };
    debug_assert!(command.is_without_effect(flag), "the help does not list rejected flags");
    Err(UsageError {
        message: message!("--{} has no effect: {}", plain(flag), plain(reason)),
        help: Some("remove the flag".into()),
    })
}

/// Validates the flags, and does nothing else.
pub(super) fn understand(arguments: Vec<String>, specs: &[Spec<Flags>]) -> Result<(), UsageError> {
    let flags = args::parse(arguments, specs)?.flags;
    flags.limits()?;
    flags.time_limit()?;
    Ok(())
}

/// The script that a plain argument names.
pub(super) fn script(flags: &Flags, argument: String) -> Result<Script, UsageError> {
    match (flags.is_module, flags.is_exec) {
        (true, true) => Err("-m and -c cannot be combined".into()),
        (true, false) => Ok(Script::Module(argument)),
        (false, true) => Ok(Script::Text(argument)),
        (false, false) => Ok(Script::File(PathBuf::from(argument))),
    }
}

/// Reports the result of a run.
fn print_results(
    report: &Report,
    command: Command,
    ran: &Ran,
    wanted: Wanted,
    sources: &Sources,
) -> Exit {
    for found in &ran.reports {
        match &found.path {
            Some(path) if command == Command::Validate && found.findings.is_empty() => {
                report.note(&format!("{path}: ok\n"));
            }
            _ if report.name() == Name::Jk => {
                found.lines(sources).iter().for_each(|line| report.note(&format!("{line}\n")));
            }
            _ => report.findings(&found.diagnostics(sources), sources),
        }
    }
    let reported = match (wanted, command) {
        (Wanted::Dependencies, _) => report.print(list(&ran.dependencies).as_bytes()),
        (_, Command::Check) => report.summary(&format!("1 script checked: {}", report.counts())),
        _ => Exit::Fine,
    };
    match command {
        // jk reports invalid values, and succeeds.
        Command::Validate if report.name() == Name::Jk => Exit::Fine,
        _ if wanted == Wanted::Dependencies && report.name() == Name::Jk => reported,
        _ if ran.is_valid() => reported,
        _ => Exit::Findings,
    }
}

/// The files that were read, as JSON.
fn list(dependencies: &[Dependency]) -> String {
    let here = std::env::current_dir().unwrap_or_default();
    let rows: Vec<serde_json::Value> = dependencies
        .iter()
        .map(|Dependency { kind, path }| {
            let path = here.join(path);
            let path = path.to_string_lossy();
            match kind {
                DependencyKind::Parameters => json!({"kind": "parameter-file", "path": path}),
                DependencyKind::Read => json!({"kind": "read-file", "path": path}),
                DependencyKind::Import { specifier } => {
                    json!({"kind": "import-file", "path": path, "specifier": specifier})
                }
            }
        })
        .collect();
    format!("{:#}\n", serde_json::Value::from(rows))
}

fn wanted_of(flags: &Flags) -> Wanted {
    match (flags.lists_dependencies, flags.is_dry) {
        (true, _) => Wanted::Dependencies,
        (false, true) => Wanted::Findings,
        (false, false) => Wanted::Results,
    }
}

/// Adds the flags that all commands have in common.
fn complete(
    flags: Flags,
    options: &mut GeneratorOptions,
    name: Name,
    terminal: Arc<Terminal>,
) -> Result<(), UsageError> {
    options.cancel = flags.time_limit()?.map(template::after).unwrap_or_default();
    options.dialect = match name {
        Name::Jk => Dialect::Jk,
        Name::Plumb | Name::Ytt => Dialect::Plumb,
    };
    options.reporting = Reporting {
        is_verbose: flags.is_verbose && !flags.is_dry,
        traces_imports: flags.traces_imports,
    };
    options.console = Some(terminal);
    options.memory = EngineMemory::Kept;
    Ok(flags.complete(options)?)
}
