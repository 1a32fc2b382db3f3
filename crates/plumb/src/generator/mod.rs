//! Generators: scripts in JavaScript and TypeScript that create, transform or validate values.
//!
//! [`run`] is the common part of [`generate`], [`transform`] and [`validate`]. It also evaluates
//! scripts for their side effects, and returns findings about values without a failure.

mod options;
mod rule_file;
mod schema_file;
mod validators;

use std::fmt::Display;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use plumb_diagnostic::{Code, Diagnostic, Failure};
use plumb_generate::{Action, Request, Surroundings};
use plumb_source::message::plain;
use plumb_source::{Sources, Text, World, WorldError, message, on_deep_stack};

use crate::{Outcome, Stage};

pub use options::{GeneratorOptions, Parameter};
pub use plumb_generate::{
    Clock, Console, Dependency, DependencyKind, Destination, Dialect, EngineMemory, FILE, Finding,
    INVALID, LIMIT_REACHED, Limits, Outcome as Ran, PROTOCOL, Position, Report, Reporting, Script,
    THROWN, Tree, UNRESOLVED, peer,
};
pub use rule_file::RULE_FILE;

/// An option of a generator cannot be used.
///
/// A parameter has no value, a file of parameters cannot be read, a directory of modules is not a
/// directory, the function of a file of rules is missing, or a schema is not valid. The message
/// says which. No script was run.
pub const WRONG_OPTION: Code = Code::new("generate/wrong-option");

/// What to do with a script.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Command {
    /// Evaluates it for its side effects.
    Run,
    /// Creates the files that its default export describes.
    Generate,
    /// Applies its default export to every value of files.
    Transform,
    /// Validates every value of files with its default export.
    Validate,
}

/// The files of a generator or a transformation. All values are valid.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Generated {
    /// The files, by their output directory.
    pub trees: Vec<Tree>,
    /// The text for standard output.
    pub printed: Vec<u8>,
    /// The files that were read.
    pub dependencies: Vec<Dependency>,
}

impl Generated {
    /// The files: their paths, and their contents.
    pub fn files(&self) -> impl Iterator<Item = (PathBuf, &[u8])> {
        let file = |tree: &Tree, path: &Path| tree.directory.join(path);
        self.trees.iter().flat_map(move |tree| {
            tree.files.iter().map(move |(path, it)| (file(tree, path), &**it))
        })
    }

    /// Writes the files. The files of one tree are written all or none.
    ///
    /// # Errors
    ///
    /// If a file cannot be written. Trees that were written before are kept.
    pub fn write(&self, world: &dyn World) -> Result<(), WorldError> {
        self.trees.iter().try_for_each(|tree| tree.write(world))
    }
}

/// Runs a script that describes files, and validates their values.
///
/// The default export of the script is a list of objects with a path and a value, a promise of one
/// or a function that returns one. Values that a validator or schema does not accept make the run
/// fail.
///
/// ```
/// use std::path::PathBuf;
/// use std::sync::Arc;
///
/// use plumb::world::MemoryWorld;
/// use plumb::{GeneratorOptions, World, generate};
///
/// let script = "
///     import * as param from '@jkcfg/std/param';
///     const team = param.String('team');
///     export default [{ path: 'owners.yaml', value: { team } }];
/// ";
/// let world: Arc<dyn World> = Arc::new(MemoryWorld::new().file("index.js", script));
/// let options =
///     GeneratorOptions::script("index.js").parameter("team", "billing").output_directory("out");
/// let generated = generate(&world, &options).result.expect("the script is right");
///
/// let files: Vec<_> = generated.files().collect();
/// assert_eq!(files, [(PathBuf::from("out/owners.yaml"), b"team: billing\n".as_slice())]);
/// ```
pub fn generate(world: &Arc<dyn World>, options: &GeneratorOptions) -> Outcome<Generated> {
    run(world, options, Command::Generate).and_then(valid)
}

/// Applies the function that a script exports to every value of files.
///
/// Set [`GeneratorOptions::destination`] to [`Destination::InPlace`] to replace the files.
///
/// ```
/// use std::sync::Arc;
///
/// use plumb::generator::Destination;
/// use plumb::world::MemoryWorld;
/// use plumb::{GeneratorOptions, World, transform};
///
/// let world: Arc<dyn World> = Arc::new(MemoryWorld::new().file("a.yaml", "replicas: 1\n"));
/// let mut options = GeneratorOptions::code("(it) => ({ ...it, replicas: 3 })").file("a.yaml");
/// options.destination = Destination::Stdout;
/// let transformed = transform(&world, &options).result.expect("the script is right");
///
/// assert_eq!(String::from_utf8_lossy(&transformed.printed), "replicas: 3\n");
/// ```
pub fn transform(world: &Arc<dyn World>, options: &GeneratorOptions) -> Outcome<Generated> {
    run(world, options, Command::Transform).and_then(valid)
}

/// Validates every value of files with the function that a script exports, with a schema, and with
/// other validators.
///
/// The result has a report for each file; [`Report::diagnostics`] returns its findings. The run
/// only fails if files cannot be read or scripts cannot be run.
///
/// ```
/// use std::sync::Arc;
///
/// use plumb::world::MemoryWorld;
/// use plumb::{GeneratorOptions, World, validate};
///
/// let schema = r#"{"properties": {"port": {"maximum": 65535}}}"#;
/// let world = MemoryWorld::new().file("schema.json", schema).file("a.yaml", "port: 80000\n");
/// let world: Arc<dyn World> = Arc::new(world);
/// let options = GeneratorOptions::without_script().schema("schema.json").file("a.yaml");
/// let outcome = validate(&world, &options);
///
/// let reports = outcome.result.expect("the files can be read");
/// let findings = reports[0].diagnostics(&outcome.sources);
/// assert_eq!(findings.len(), 1);
/// assert_eq!(outcome.sources.place(findings[0].labels[0].span), "a.yaml:1");
/// ```
pub fn validate(world: &Arc<dyn World>, options: &GeneratorOptions) -> Outcome<Vec<Report>> {
    run(world, options, Command::Validate).map(|ran| ran.reports)
}

/// Runs a script and returns all of its results. Findings about values do not make the run fail,
/// but then there are no files.
pub fn run(world: &Arc<dyn World>, options: &GeneratorOptions, command: Command) -> Outcome<Ran> {
    on_deep_stack(|| run_here(world, options, command))
}

fn run_here(world: &Arc<dyn World>, options: &GeneratorOptions, command: Command) -> Outcome<Ran> {
    let mut outcome = Outcome::new(options.session.as_ref());
    let request = match request(world, options, command, &outcome.sources) {
        Ok(request) => request,
        Err(failure) => return Outcome { result: Err(failure), ..outcome },
    };
    outcome.reached = Stage::Render;
    let kept = Arc::new(Kept { world: Arc::clone(world), printed: Mutex::default() });
    let cancel = options.cancel.clone();
    let surroundings = Surroundings {
        world: Arc::clone(world),
        console: options.console.clone().unwrap_or_else(|| Arc::clone(&kept) as _),
        sources: Arc::clone(&outcome.sources),
        stop: Arc::new(move || cancel.reason().map(str::to_owned)),
        memory: options.memory,
        wording: plumb_peer::WORDING.message,
    };
    outcome.result = plumb_generate::run(request, &surroundings);
    if let Ok(ran) = &mut outcome.result {
        ran.printed.append(&mut kept.printed());
    }
    outcome
}

/// The files, if no validator reported a finding.
fn valid(ran: Ran, sources: &Sources) -> Result<Generated, Failure> {
    if !ran.is_valid() {
        let findings = ran.reports.iter().flat_map(|it| it.diagnostics(sources));
        return Err(findings.collect::<Vec<_>>().into());
    }
    let Ran { trees, printed, dependencies, .. } = ran;
    Ok(Generated { trees, printed, dependencies })
}

fn request(
    world: &Arc<dyn World>,
    options: &GeneratorOptions,
    command: Command,
    sources: &Arc<Sources>,
) -> Result<Request, Failure> {
    let action = action(options, command)?;
    let parameters = parameters(&options.parameters, &**world)?;
    let (rules, validators): (Vec<_>, Vec<_>) =
        options.validators.iter().partition(|it| validators::is_rule(it));
    let settings = validators::settings(options);
    let mut native_validators = validators::rules(&rules, world, sources, &settings)?;
    let schema = match &options.schema {
        Some(path) => validators::schema(path, world, sources, settings, &mut native_validators)?,
        None => None,
    };
    for library in &options.libraries {
        check_library(library, &**world)?;
    }
    Ok(Request {
        action,
        dialect: options.dialect,
        parameters,
        input_directory: options.input_directory.clone(),
        output_directory: options.output_directory.clone(),
        libraries: options.libraries.clone(),
        validators: validators.into_iter().map(|it| named_script(it)).collect(),
        native_validators,
        schema,
        limits: options.limits,
        clock: options.clock,
        reporting: options.reporting,
    })
}

fn action(options: &GeneratorOptions, command: Command) -> Result<Action, Failure> {
    let script = options.script.clone();
    let required = || script.clone().ok_or_else(no_script);
    let (files, to) = (options.files.clone(), options.destination);
    Ok(match command {
        Command::Run => Action::Run { script: required()? },
        Command::Generate => Action::Generate { script: required()?, to },
        Command::Transform => Action::Transform { script: required()?, files, to },
        Command::Validate => Action::Validate { script, files },
    })
}

fn no_script() -> Failure {
    Diagnostic::error(WRONG_OPTION, "expected a script to run, found none").into()
}

/// A file by its path, or a module by its specifier.
fn named_script(name: &str) -> Script {
    let is_path = name.starts_with('.') || Path::new(name).extension().is_some();
    if is_path { Script::File(PathBuf::from(name)) } else { Script::Module(name.to_owned()) }
}

fn parameters(
    given: &[Parameter],
    world: &dyn World,
) -> Result<plumb_generate::Parameters, Failure> {
    let mut parameters = plumb_generate::Parameters::default();
    for parameter in given {
        let merged = match parameter {
            Parameter::Value(setting) => parameters.set(setting),
            Parameter::File(path) => {
                let content = world.read(Path::new(path)).map_err(|error| wrong(&error))?;
                parameters.merge_file(path, &content)
            }
        };
        merged.map_err(|error| Diagnostic::error(WRONG_OPTION, error.message()))?;
    }
    Ok(parameters)
}

/// Fails if a library is not a directory: images are not fetched.
fn check_library(library: &Path, world: &dyn World) -> Result<(), Failure> {
    match world.list(library) {
        Ok(_) => Ok(()),
        Err(error) => {
            let message = message!("--lib takes a directory of modules: {}", plain(error));
            Err(Diagnostic::error(WRONG_OPTION, message)
                .help("images are not fetched; unpack the image and name the directory")
                .into())
        }
    }
}

fn wrong(error: &dyn Display) -> Failure {
    Diagnostic::error(WRONG_OPTION, plain(error)).into()
}

/// The console of a run without its own console.
struct Kept {
    world: Arc<dyn World>,
    printed: Mutex<Vec<u8>>,
}

impl Kept {
    fn printed(&self) -> Vec<u8> {
        std::mem::take(&mut self.printed.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Console for Kept {
    fn print(&self, bytes: &[u8]) {
        self.printed.lock().unwrap_or_else(PoisonError::into_inner).extend_from_slice(bytes);
    }

    fn log(&self, bytes: &[u8]) {
        self.world.print(&Text::from_bytes(bytes.strip_suffix(b"\n").unwrap_or(bytes)));
    }
}
