//! Runs scripts.
//!
//! Each run has its own engine, which cannot be shared, and its own thread if there are threads,
//! because it needs a large stack. A synthetic module, `plumb:main`, imports the modules that the
//! user named and the requested command; the promise that the command returns is run until it is
//! settled. Validating files without a script needs no engine.

mod directories;
mod hint;
mod host;
mod loader;
mod place;
mod prepare;
mod rejections;
#[cfg(not(target_family = "wasm"))]
mod thread;
mod thrown;
mod values;
mod wording;

use std::mem::ManuallyDrop;
use std::path::Path;
use std::rc::Rc;

use plumb_diagnostic::{Code, Diagnostic, Failure};
use plumb_source::message::plain;
use rquickjs::promise::PromiseState;
use rquickjs::{Context, Ctx, Function, Module, Promise, Runtime, Value};

use crate::answer::Answer;
use crate::run::{Limit, Run};
use crate::{
    Action, Clock, Dialect, EngineMemory, Outcome, Report, Request, Surroundings, validator,
};
use loader::{ModuleLoader, ModuleResolver, declare_builtin};
use rejections::Rejections;
use thrown::ScriptError;

pub use thrown::{LIMIT_REACHED, THROWN, UNRESOLVED};

/// The exports of a module are not what the command expects.
///
/// A generator must export an array of `{ path, value }` objects as its default, or a promise or a
/// function that returns such an array. A transformation or a validation must export a function.
pub const PROTOCOL: Code = Code::new("generate/protocol");

/// A file that the command line or a script names cannot be read or written.
///
/// Check its path and its permissions. Scripts write below the output directory (`-o DIR`) and read
/// below the input directory (`-i DIR`); links that lead out of them are not followed.
pub const FILE: Code = Code::new("generate/file");

const HELP: &str = "\
To use generate, export a default value with the list of files to generate:

  export default [
    { path: 'file1.yaml', value: value1 },
    { path: 'file2.yaml', value: [v0, v1, v2], format: std.Format.YAMLStream },
    ...
  ];

The default export can also be a promise of such an array, or a function that returns one.
Further properties are options of std.write().";

/// What jk does not know.
const HELP_OF_PLUMB: &str = "\
Each element can have a `validate` function. To validate all files together, export
{ files: [...], validate }.";

/// Executes a request. There are files to write only if everything is valid.
///
/// # Errors
///
/// If a script fails or exceeds a limit, or a file cannot be read.
pub fn run(request: Request, surroundings: &Surroundings) -> Result<Outcome, Failure> {
    #[cfg(not(target_family = "wasm"))]
    let run = thread::run;
    // There are no threads: the host of the WebAssembly module ends it if it takes too long.
    #[cfg(target_family = "wasm")]
    let run = |request, surroundings: &Surroundings| run_here(request, surroundings.clone());
    run(request, surroundings)
}

fn run_here(request: Request, surroundings: Surroundings) -> Result<Outcome, Failure> {
    let (run, main) = prepare::prepare(request, surroundings)?;
    if let Action::Validate { script: None, files } = &run.request.action
        && run.request.validators.is_empty()
    {
        let files = prepare::files_in_order(files, run.request.dialect);
        let reports = validator::check_files(&run, &files);
        let reports =
            reports.map_err(|error| Diagnostic::error(FILE, run.worded(&error.message())))?;
        let reports = run.unreadable.iter().cloned().chain(reports).collect();
        return Ok(Outcome { reports, ..run.outcome() });
    }
    let run = Rc::new(run);
    evaluate(&run, &main)?;
    let mut outcome = outcome(&run)?;
    // jk always succeeds, even if it reports findings in files.
    let is_report_only =
        run.request.dialect == Dialect::Jk && matches!(run.request.action, Action::Validate { .. });
    if !outcome.is_valid() && !is_report_only {
        outcome.trees.clear();
        outcome.printed.clear();
    }
    Ok(outcome)
}

/// The result of the command in `js/`.
fn outcome(run: &Run) -> Result<Outcome, Failure> {
    let answer = match (run.answer.take(), &run.request.action) {
        (Some(answer), _) => answer,
        (None, Action::Run { .. }) => Answer::default(),
        (None, _) => {
            let message = "the script changes the language so far that its outcome is not known";
            return Err(Diagnostic::error(THROWN, message).into());
        }
    };
    let problems = answer.problems.into_iter();
    let mut findings: Vec<Diagnostic> =
        problems.map(|problem| Diagnostic::error(PROTOCOL, plain(problem))).collect();
    if let Some(last) = findings.last_mut() {
        let is_plumb = run.request.dialect == Dialect::Plumb;
        let help = [(true, HELP), (is_plumb, HELP_OF_PLUMB)];
        let help = help.into_iter().filter(|(holds, _)| *holds && answer.shows_help);
        last.help.extend(help.map(|(_, text)| text.into()));
        return Err(findings.into());
    }
    let held = run.held();
    let reports = answer.reports.into_iter().map(|it| Report::new(it, &held, run));
    let reports = run.unreadable.iter().cloned().chain(reports);
    Ok(Outcome { reports: reports.collect(), ..run.outcome() })
}

fn evaluate(run: &Rc<Run>, main: &str) -> Result<(), Failure> {
    let memory = |_| Failure::from(thrown::out_of_memory(run));
    let runtime = Runtime::new().map_err(memory)?;
    runtime.set_memory_limit(run.request.limits.memory);
    runtime.set_max_stack_size(run.request.limits.stack);
    // With the default threshold, the collector would run again and again while a large tree is
    // built.
    runtime.set_gc_threshold(64 << 20);
    let watch = Rc::clone(run);
    runtime.set_interrupt_handler(Some(Box::new(move || {
        let is_over = (watch.surroundings.stop)().is_some();
        if is_over {
            watch.limit_reached.set(Some(Limit::Time));
        }
        is_over
    })));
    let rejections = Rejections::default();
    runtime.set_host_promise_rejection_tracker(Some(rejections.tracker()));
    runtime.set_loader(ModuleResolver(Rc::clone(run)), ModuleLoader(Rc::clone(run)));
    let context = Context::full(&runtime).map_err(memory)?;
    let result = context.with(|ctx| {
        let result = Evaluation { run, ctx: ctx.clone() }.evaluate(main);
        result.and_then(|()| match rejections.first(&ctx) {
            Some(reason) => Err(thrown(run, &reason)),
            None => Ok(()),
        })
    });
    let is_memory_low =
        matches!(result, Err(ScriptError::Null)) && self::is_memory_low(run, &runtime);
    // Values of the engine must not outlive it.
    context.with(|_| rejections.clear());
    if run.surroundings.memory == EngineMemory::Kept {
        let _ = ManuallyDrop::new((context, runtime));
    }
    result.map_err(|thrown| match thrown {
        ScriptError::Null if is_memory_low => thrown::out_of_memory(run).into(),
        thrown => thrown.into_failure(run),
    })
}

/// Whether memory may have run out. The engine then throws null, but so may a script.
fn is_memory_low(run: &Run, runtime: &Runtime) -> bool {
    let n_used = usize::try_from(runtime.memory_usage().malloc_size).unwrap_or_default();
    n_used > run.request.limits.memory / 2
}

struct Evaluation<'js, 's> {
    run: &'s Rc<Run>,
    ctx: Ctx<'js>,
}

impl<'js> Evaluation<'js, '_> {
    fn evaluate(&self, main: &str) -> Result<(), ScriptError> {
        self.set_up().map_err(|error| self.thrown(&error))?;
        let module = Module::declare(self.ctx.clone(), "plumb:main", main);
        let evaluated = module.and_then(Module::eval);
        let (module, promise) = evaluated.map_err(|error| self.thrown(&error))?;
        self.settle(&promise)?;
        let start = module.get::<_, Function>("default");
        let promise = start.and_then(|start| start.call::<_, Promise>(()));
        self.settle(&promise.map_err(|error| self.thrown(&error))?).map(drop)
    }

    fn set_up(&self) -> rquickjs::Result<()> {
        let (prelude, promise) = declare_builtin(&self.ctx, "plumb:prelude")?.eval()?;
        promise.finish::<()>()?;
        let prelude: Function = prelude.get("default")?;
        let options = rquickjs::Object::new(self.ctx.clone())?;
        options.set("fixesClock", self.run.request.clock == Clock::Fixed)?;
        options.set("marksErrors", self.run.request.dialect == Dialect::Plumb)?;
        prelude.call::<_, ()>((options,))?;
        host::install(&self.ctx, self.run)
    }

    /// Runs pending jobs until none is left, and returns the result of the promise.
    fn settle(&self, promise: &Promise<'js>) -> Result<Value<'js>, ScriptError> {
        while self.run.limit_reached.get().is_none() && self.ctx.execute_pending_job() {}
        if let Some(limit) = self.run.limit_reached.get() {
            return Err(ScriptError::Limit(limit));
        }
        match promise.state() {
            PromiseState::Pending => Err(ScriptError::Pending),
            PromiseState::Resolved | PromiseState::Rejected => {
                let result = promise.result::<Value>().expect("it is settled");
                result.map_err(|error| self.thrown(&error))
            }
        }
    }

    fn thrown(&self, error: &rquickjs::Error) -> ScriptError {
        match error {
            rquickjs::Error::Exception => thrown(self.run, &self.ctx.catch()),
            other => match self.run.limit_reached.get() {
                Some(limit) => ScriptError::Limit(limit),
                None => ScriptError::Other(other.to_string()),
            },
        }
    }
}

/// Why a script ended, from the value that was thrown.
fn thrown(run: &Run, value: &Value<'_>) -> ScriptError {
    let thrown = ScriptError::from_value(run, value);
    // Reading the message of an error may run code of the script.
    match run.limit_reached.get() {
        Some(limit) => ScriptError::Limit(limit),
        None => thrown,
    }
}

/// The failure of an operation on a file.
fn unreadable(path: &Path, reason: &dyn std::fmt::Display) -> Failure {
    let words = reason.to_string();
    let message = if words.contains(&*path.to_string_lossy()) {
        words
    } else {
        format!("{}: {words}", path.display())
    };
    Diagnostic::error(FILE, plain(message)).into()
}
