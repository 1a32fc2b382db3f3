//! What the commands for scripts have in common: flags, environment, and exit codes.

mod console;
mod flags;
mod judges;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use plumb::{Diagnostic, Failure, Sources, World};
use plumb_generate::{
    Action, Clock, Dialect, Limits, Outcome, Parameters, Reporting, Request, Script, Surroundings,
};

use super::{Command, help};
use crate::Name;
use crate::args::{self, Misuse, Parsed, Spec};
use crate::exit::Exit;
use crate::report::{MISUSE, NOT_WRITTEN, Report};
use console::Terminal;
use plumb::native::NativeWorld;

pub(super) use flags::Flags;
use flags::Setting;
pub(super) use flags::{
    common, emit_dependencies, exec, input_directory, module, overwrite, schema, stdout, validate,
};

/// Runs a command for scripts: reads its flags, and calls `action` to find out what to do.
pub(super) fn run(
    report: &Report,
    command: Command,
    arguments: Vec<String>,
    specs: &[Spec<Flags>],
    action: impl FnOnce(&mut Flags, Vec<String>) -> Result<Action, Misuse>,
) -> Result<Exit, Misuse> {
    let Parsed { mut flags, wants_help, extra } = args::parse(arguments, specs)?;
    if wants_help {
        return Ok(help::show(report, command));
    }
    if report.name() == Name::Plumb {
        refuse_without_effect(command, &flags)?;
    }
    let action = action(&mut flags, extra)?;
    let limits = (flags.limits()?, flags.time_limit()?);
    let sources = Arc::new(Sources::new());
    Ok(match carry_out(report, action, flags, limits, &sources) {
        Ok(outcome) => tell(report, command, &outcome, &sources),
        Err(failure) => {
            let is_misuse = failure.findings().iter().all(|finding| finding.code == MISUSE);
            let exit = report.failure(&failure, &sources);
            if is_misuse { Exit::Misuse } else { exit }
        }
    })
}

/// Refuses flags without an effect. jk accepts them.
fn refuse_without_effect(command: Command, flags: &Flags) -> Result<(), Misuse> {
    let (flag, reason) = match command {
        _ if flags.has_cache => ("cache", "nothing is cached"),
        Command::Validate if !flags.output_directory.as_os_str().is_empty() => {
            ("output-directory", "validate writes nothing")
        }
        _ => return Ok(()),
    };
    debug_assert!(command.is_without_effect(flag), "the help leaves out what is refused");
    Err(Misuse {
        message: format!("--{flag} has no effect: {reason}"),
        help: Some("remove the flag".to_owned()),
    })
}

/// Validates the flags, and does nothing else.
pub(super) fn understand(arguments: Vec<String>, specs: &[Spec<Flags>]) -> Result<(), Misuse> {
    let flags = args::parse(arguments, specs)?.flags;
    flags.limits()?;
    flags.time_limit().map(drop)
}

/// The script that a plain argument names.
pub(super) fn script(flags: &Flags, argument: String) -> Result<Script, Misuse> {
    match (flags.is_module, flags.is_exec) {
        (true, true) => Err("-m and -c exclude each other".to_owned().into()),
        (true, false) => Ok(Script::Module(argument)),
        (false, true) => Ok(Script::Text(argument)),
        (false, false) => Ok(Script::File(PathBuf::from(argument))),
    }
}

fn carry_out(
    report: &Report,
    action: Action,
    flags: Flags,
    (limits, time_limit): (Limits, Option<Duration>),
    sources: &Arc<Sources>,
) -> Result<Outcome, Failure> {
    let world =
        Arc::new(if flags.is_dry { NativeWorld::read_only() } else { NativeWorld::default() });
    let is_quiet = flags.is_dry;
    let start = Instant::now();
    let is_over = move || time_limit.is_some_and(|limit| start.elapsed() > limit);
    let request = request(report, action, flags, limits, &world, sources)?;
    let terminal = Arc::new(Terminal::new(is_quiet));
    let surroundings = Surroundings {
        world,
        console: Arc::clone(&terminal) as _,
        sources: Arc::clone(sources),
        is_over: Arc::new(is_over),
    };
    let outcome = plumb_generate::run(request, &surroundings)?;
    match terminal.take_refusal() {
        None => Ok(outcome),
        Some(error) => {
            let message = format!("Writing to standard output: {error}");
            Err(Diagnostic::error(NOT_WRITTEN, message).into())
        }
    }
}

fn request(
    report: &Report,
    action: Action,
    flags: Flags,
    limits: Limits,
    world: &Arc<NativeWorld>,
    sources: &Arc<Sources>,
) -> Result<Request, Failure> {
    let parameters = parameters(&flags.settings, world)?;
    let (rules, validators): (Vec<_>, Vec<_>) =
        flags.validators.into_iter().partition(|it| judges::is_rule(it));
    let mut judges = judges::rules(&rules, world, sources)?;
    let schema = match flags.schema {
        Some(path) => judges::schema(path, world, sources, &mut judges)?,
        None => None,
    };
    for library in &flags.libraries {
        is_directory(library, world)?;
    }
    Ok(Request {
        action,
        dialect: match report.name() {
            Name::Jk => Dialect::Jk,
            Name::Plumb | Name::Ytt => Dialect::Plumb,
        },
        parameters,
        input_directory: flags.input_directory,
        output_directory: flags.output_directory,
        libraries: flags.libraries,
        validators: validators.into_iter().map(named_script).collect(),
        judges,
        schema,
        limits,
        clock: if flags.has_clock { Clock::Real } else { Clock::Fixed },
        reporting: Reporting {
            is_verbose: flags.is_verbose && !flags.is_dry,
            traces_imports: flags.traces_imports,
            lists_dependencies: flags.lists_dependencies,
        },
    })
}

/// A file by its path, or a module by its specifier.
fn named_script(name: String) -> Script {
    let is_path = name.starts_with('.') || Path::new(&name).extension().is_some();
    if is_path { Script::File(PathBuf::from(name)) } else { Script::Module(name) }
}

fn parameters(settings: &[Setting], world: &NativeWorld) -> Result<Parameters, Failure> {
    let mut parameters = Parameters::default();
    for setting in settings {
        let merged = match setting {
            Setting::Value(setting) => parameters.set(setting),
            Setting::File(path) => {
                let content = world.read(Path::new(path)).map_err(|error| misused(&error))?;
                parameters.merge_file(path, &content)
            }
        };
        merged.map_err(|error| Diagnostic::error(MISUSE, error.message()))?;
    }
    Ok(parameters)
}

/// Refuses a library that is not a directory: images are not fetched.
fn is_directory(library: &Path, world: &NativeWorld) -> Result<(), Failure> {
    match world.list(library) {
        Ok(_) => Ok(()),
        Err(error) => {
            let message = format!("--lib takes a directory of modules: {error}");
            Err(Diagnostic::error(MISUSE, message)
                .help("images are not fetched; unpack the image and name the directory")
                .into())
        }
    }
}

fn misused(error: &dyn std::fmt::Display) -> Failure {
    Diagnostic::error(MISUSE, error.to_string()).into()
}

/// Reports the result of a run.
fn tell(report: &Report, command: Command, outcome: &Outcome, sources: &Sources) -> Exit {
    for found in &outcome.reports {
        match &found.path {
            Some(path) if command == Command::Validate && found.complaints.is_empty() => {
                report.note(&format!("{path}: ok\n"));
            }
            _ if report.name() == Name::Jk => {
                found.lines(sources).iter().for_each(|line| report.note(&format!("{line}\n")));
            }
            _ => report.findings(&found.findings(sources), sources),
        }
    }
    let told = match (&outcome.dependencies, command) {
        (Some(dependencies), _) => report.print(format!("{dependencies}\n").as_bytes()),
        (None, Command::Check) => report.summary(&format!("1 script checked: {}", report.counts())),
        (None, _) => Exit::Fine,
    };
    match command {
        // jk reports invalid values, and succeeds.
        Command::Validate if report.name() == Name::Jk => Exit::Fine,
        _ if outcome.dependencies.is_some() && report.name() == Name::Jk => told,
        _ if outcome.is_valid() => told,
        _ => Exit::Findings,
    }
}

impl Flags {
    /// The time limit. Returns `None` for no limit, which is the meaning of zero.
    fn time_limit(&self) -> Result<Option<Duration>, Misuse> {
        let time = match &self.time_limit {
            Some(value) => args::seconds("time-limit", value)?,
            None => Some(flags::TIME_LIMIT),
        };
        Ok(time.filter(|it| !it.is_zero()))
    }

    fn limits(&self) -> Result<Limits, Misuse> {
        let mut limits = Limits::default();
        if let Some(value) = &self.memory_limit {
            let mebibytes: usize = args::number("memory-limit", value, "a whole number")?;
            limits.memory = mebibytes.saturating_mul(1 << 20);
        }
        Ok(limits)
    }
}
