//! The state that all templates of a run share.

use std::collections::HashSet;
use std::fmt;
use std::ops::Deref;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, Mutex, RwLock};

use plumb_diagnostic::{Diagnostic, Failure, SilentDrops, Wording};
use plumb_source::message::plain;
use plumb_source::{Cancel, Message, Sources, Span, Text, message};
use plumb_starlark::Result as StarlarkResult;
use plumb_starlark::{Budget, Error, Globals, Language, Limits, Thread, Value};
use plumb_value::Annotation;

use crate::build::BuildError;
use crate::compile::Options;
use crate::coverage::Coverage;
use crate::error;
use crate::program::{Operation, Plan};
use crate::session::{Replaced, Session};
use crate::vocabulary::Vocabulary;

/// The prefix of the names of instructions.
pub(crate) const INSTRUCTION: &str = "__ytt_tpl";

/// The shared state of all evaluations of a run: known templates, limits, the output of `print`.
pub struct Runtime {
    /// The sources of the run, which places refer to.
    pub sources: Arc<Sources>,
    budget: Arc<Budget>,
    silent_drops: SilentDrops,
    wording: Wording,
    vocabulary: &'static Vocabulary,
    print: Box<dyn Fn(&Text) + Send + Sync>,
    registry: Arc<Registry>,
    warnings: Mutex<Vec<Diagnostic>>,
    /// The places of parts without effect that were already reported, because they may be evaluated
    /// repeatedly.
    warned: Mutex<HashSet<Span>>,
    /// The number of programs so far; the names of instructions contain it.
    n_programs: AtomicU32,
    n_printed: AtomicU32,
    keeps_comments: bool,
    /// Whether a template has an `@output/comment`.
    computes_comments: AtomicBool,
    at_end: Mutex<Vec<Box<dyn FnOnce() + Send>>>,
}

/// The owner of a [`Runtime`]. When it is dropped, the run ends: functions of templates can no
/// longer be called, and values that refer to each other are freed, even if something still refers
/// to the runtime. Code that calls functions after a run must keep its owner.
pub struct RuntimeOwner(Arc<Runtime>);

impl RuntimeOwner {
    /// Creates the shared state of a run.
    pub fn new(
        sources: Arc<Sources>,
        settings: Settings,
        print: impl Fn(&Text) + Send + Sync + 'static,
    ) -> Self {
        let language = match settings.silent_drops {
            SilentDrops::Refuse => Language::Modern,
            SilentDrops::Warn => Language::Ytt,
        };
        Self(Arc::new(Runtime {
            sources,
            budget: Budget::of(settings.limits, settings.cancel, language),
            silent_drops: settings.silent_drops,
            wording: settings.wording,
            vocabulary: settings.vocabulary,
            print: Box::new(print),
            registry: settings.registry,
            warnings: Mutex::default(),
            warned: Mutex::default(),
            n_programs: AtomicU32::new(1),
            n_printed: AtomicU32::new(0),
            keeps_comments: settings.keeps_comments,
            computes_comments: AtomicBool::new(false),
            at_end: Mutex::default(),
        }))
    }
}

impl Deref for RuntimeOwner {
    type Target = Arc<Runtime>;

    fn deref(&self) -> &Arc<Runtime> {
        &self.0
    }
}

impl Drop for RuntimeOwner {
    fn drop(&mut self) {
        self.0.end();
    }
}

impl fmt::Debug for RuntimeOwner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RuntimeOwner").finish_non_exhaustive()
    }
}

/// The instructions of compiled templates, by their numbers. Runs that share one can use each
/// other's [compiled files](crate::Compiled).
#[derive(Default)]
pub struct Registry {
    /// The templates, sorted by the number of their first instruction.
    templates: RwLock<Vec<Arc<Registered>>>,
    coverage: Option<Coverage>,
}

impl Registry {
    /// A registry of templates that count which of their parts are evaluated.
    pub fn counting() -> Self {
        Self { coverage: Some(Coverage::default()), ..Self::default() }
    }

    /// Returns the counts. Returns `None` if nothing is counted.
    pub fn coverage(&self) -> Option<&Coverage> {
        self.coverage.as_ref()
    }
}

impl fmt::Debug for Registry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Registry").finish_non_exhaustive()
    }
}

/// Finds the files of a library and the modules of the standard library.
pub trait Loader: Send + Sync {
    /// Returns the names of a module; `from` is the place of the `load`. Fails if the module does
    /// not exist or cannot be evaluated.
    fn load(
        &self,
        thread: &mut Thread<'_>,
        module: &Text,
        from: Option<Span>,
    ) -> StarlarkResult<Globals>;

    /// Stores rules of `assert.output`, which apply to all documents of the final output.
    fn require_of_output(&self, _rules: Annotation) -> StarlarkResult<()> {
        Err(Error::new("this file has no output documents"))
    }
}

/// Side effects of an evaluation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Traces {
    n_programs: u32,
    n_printed: u32,
}

/// The user's settings for evaluations.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// Limits on steps, call depth and memory, for the whole run.
    pub limits: Limits,
    /// Ends every evaluation of the run once it is requested.
    pub cancel: Cancel,
    /// How parts of a template without effect are reported.
    pub silent_drops: SilentDrops,
    /// The text of errors that templates can catch.
    pub wording: Wording,
    /// The annotations and modules that are known.
    pub vocabulary: &'static Vocabulary,
    /// The templates of this run, and of others that share them.
    pub registry: Arc<Registry>,
    /// Whether the output has the plain comments of templates.
    pub keeps_comments: bool,
}

/// A template whose instructions can be executed.
pub(crate) struct Registered {
    first_op: u32,
    pub(crate) plan: Plan,
    pub(crate) options: Options,
    program_number: u32,
}

impl Runtime {
    /// Adds an action for the end of the run: to drop cached values that refer to the run.
    pub fn at_end(&self, act: impl FnOnce() + Send + 'static) {
        self.at_end.lock().expect("no holder of this lock panics").push(Box::new(act));
    }

    fn end(&self) {
        let acts = std::mem::take(&mut *self.at_end.lock().expect("no holder of this lock panics"));
        for act in acts {
            act();
        }
        self.budget.end();
    }

    /// Returns the runtime of a thread. Fails if the thread does not evaluate a template.
    pub fn of(thread: &Thread<'_>) -> StarlarkResult<Arc<Self>> {
        Ok(Arc::clone(session(thread)?.runtime()))
    }

    /// How parts of a template without effect are reported.
    pub fn silent_drops(&self) -> SilentDrops {
        self.silent_drops
    }

    /// The annotations and modules that are known.
    pub fn vocabulary(&self) -> &'static Vocabulary {
        self.vocabulary
    }

    /// Returns a failure as the text of an error, which templates can catch.
    pub fn text(&self, failure: &Failure) -> Message {
        (self.wording.failure)(failure, &self.sources)
    }

    /// Returns a message as a part of such a text.
    pub fn worded(&self, message: &Message) -> Message {
        (self.wording.message)(message)
    }

    /// The remaining steps and memory of all evaluations of the run.
    pub fn budget(&self) -> &Arc<Budget> {
        &self.budget
    }

    /// Whether the output has the plain comments of templates.
    pub fn keeps_comments(&self) -> bool {
        self.keeps_comments
    }

    /// Records that a template has an `@output/comment`.
    pub(crate) fn expect_computed_comments(&self) {
        self.computes_comments.store(true, Ordering::Relaxed);
    }

    /// Returns whether a template of the run has an `@output/comment`. Otherwise, documents do not
    /// have to be searched for it.
    pub fn computes_comments(&self) -> bool {
        self.computes_comments.load(Ordering::Relaxed)
    }

    /// Returns the number of a new program.
    pub(crate) fn next_program_number(&self) -> u32 {
        self.n_programs.fetch_add(1, Ordering::Relaxed) + 1
    }

    /// The counts for coverage. Returns `None` if nothing is counted.
    pub(crate) fn coverage(&self) -> Option<&Coverage> {
        self.registry.coverage()
    }

    /// Registers a plan, and numbers its instructions.
    pub(crate) fn register(
        &self,
        plan: Plan,
        options: Options,
        program_number: u32,
    ) -> Arc<Registered> {
        let mut templates = self.registry.templates.write().expect("no holder of this lock panics");
        let first_op = templates.last().map_or(0, |last| last.end());
        let registered = Arc::new(Registered { first_op, plan, options, program_number });
        templates.push(Arc::clone(&registered));
        registered
    }

    pub(crate) fn find(&self, op: u32) -> Arc<Registered> {
        let templates = self.registry.templates.read().expect("no holder of this lock panics");
        let after = templates.partition_point(|it| it.first_op <= op);
        Arc::clone(&templates[after - 1])
    }

    /// Returns the code that ytt generates for an instruction without a place in the template.
    pub(crate) fn generated_code(&self, op: u32) -> Option<String> {
        let registered = self.find(op);
        let of_document = |call: &str| {
            let number = registered.plan.node_number(op - registered.first_op);
            format!("{call}({number}) # *yamlmeta.Document")
        };
        let call = match registered.operation(op) {
            Operation::StartText => "set_ctx_type(\"text\")".to_owned(),
            // Among these, only a document with comments after the last node has no place.
            Operation::Start(_) => of_document("start_node"),
            Operation::SetScalar(_) => of_document("set_node"),
            Operation::End => "end_ctx(None)".to_owned(),
            _ => return None,
        };
        Some(format!("{INSTRUCTION}{}_{call}", registered.program_number))
    }

    /// Returns the name that ytt gives to an instruction.
    pub(crate) fn instruction_name(&self, op: u32) -> String {
        let registered = self.find(op);
        let name = match registered.operation(op) {
            Operation::Annotate(..) | Operation::AnnotateQuoted(..) => "start_node_annotation",
            Operation::Start(_)
            | Operation::Add { .. }
            | Operation::AddText(..)
            | Operation::AddTextValue(_) => "start_node",
            Operation::SetScalar(_) | Operation::SetValue(_) | Operation::SetText => "set_node",
            Operation::SetKey(_) => "set_map_item_key",
            Operation::StartText => "start_ctx",
            Operation::End => "end_ctx",
        };
        format!("{INSTRUCTION}{}_{name}", registered.program_number)
    }

    pub(crate) fn print(&self, message: &Text) {
        self.n_printed.fetch_add(1, Ordering::Relaxed);
        (self.print)(message);
    }

    /// The side effects so far.
    pub fn traces(&self) -> Traces {
        Traces {
            n_programs: self.n_programs.load(Ordering::Relaxed),
            n_printed: self.n_printed.load(Ordering::Relaxed),
        }
    }

    /// Returns the side effects since `before`. Returns `None` if something was printed, because
    /// the evaluation cannot be reused then.
    pub fn unseen_since(&self, before: Traces) -> Option<Traces> {
        let now = self.traces();
        let n_programs = now.n_programs - before.n_programs;
        (now.n_printed == before.n_printed).then_some(Traces { n_programs, n_printed: 0 })
    }

    /// Adds the side effects of an evaluation that is reused.
    pub fn leave(&self, traces: Traces) {
        self.n_programs.fetch_add(traces.n_programs, Ordering::Relaxed);
    }

    /// Adds warnings for the user.
    pub fn warn(&self, warnings: impl IntoIterator<Item = Diagnostic>) {
        self.warnings.lock().expect("no holder of this lock panics").extend(warnings);
    }

    /// Reports a part without effect at `place` once. Fails if it is an error.
    pub(crate) fn report_drop(
        &self,
        place: Span,
        finding: Diagnostic,
    ) -> Result<(), Box<Diagnostic>> {
        let warning = self.silent_drops.apply(finding)?;
        if self.warned.lock().expect("no holder of this lock panics").insert(place) {
            self.warn([warning]);
        }
        Ok(())
    }

    /// Removes and returns the warnings, in the order in which they were added.
    pub fn take_warnings(&self) -> Vec<Diagnostic> {
        std::mem::take(&mut *self.warnings.lock().expect("no holder of this lock panics"))
    }

    /// Calls a function of a template that was evaluated before. Fails if the function fails or
    /// exceeds a limit.
    pub fn call(self: &Arc<Self>, function: &Value, args: &[Value]) -> StarlarkResult<Value> {
        self.budget.check_running()?;
        let session = Session::new(Arc::clone(self), None);
        Thread::within(&session, Arc::clone(&self.budget)).call(function, args, &[])
    }

    /// Like [`Runtime::call`], for a function that is run on its own: its error becomes a failure
    /// with the active calls.
    pub fn perform(self: &Arc<Self>, function: &Value) -> Result<Value, Failure> {
        self.call(function, &[]).map_err(|error| error::failure(&[error], self))
    }
}

impl Registered {
    /// The number of its first instruction.
    pub(crate) fn first_op(&self) -> u32 {
        self.first_op
    }

    pub(crate) fn has(&self, op: u32) -> bool {
        (self.first_op..self.end()).contains(&op)
    }

    fn end(&self) -> u32 {
        self.first_op + self.plan.n_operations()
    }

    pub(crate) fn operation(&self, op: u32) -> &Operation {
        self.plan.operation(op - self.first_op)
    }

    /// Returns the number of the node that begins after an instruction.
    pub(crate) fn number_after(&self, op: u32) -> usize {
        self.plan.node_number(op - self.first_op) + 1
    }

    /// An error of an instruction, with the name of the instruction.
    pub(crate) fn instruction_error(&self, instruction: &'static str, error: &BuildError) -> Error {
        Error::new(self.prefixed(instruction, &error.0))
    }

    pub(crate) fn instruction_failure(&self, instruction: &'static str, error: &Error) -> Error {
        error.clone().map_message(|message| self.prefixed(instruction, message))
    }

    fn prefixed(&self, instruction: &'static str, message: &Message) -> Message {
        message!("{INSTRUCTION}{}_{instruction}: {message}", plain(self.program_number))
    }
}

/// Replaces the node whose value is being computed: `template.replace`.
pub fn replace(thread: &Thread<'_>, value: &Value) -> StarlarkResult<Value> {
    session(thread)?.replace(value)?;
    Ok(Value::host(Replaced))
}

/// Stores rules for all output documents of the library that is being evaluated: `assert.output`.
pub fn require_of_output(thread: &Thread<'_>, rules: Annotation) -> StarlarkResult<()> {
    match session(thread)?.loader() {
        Some(loader) => loader.require_of_output(rules),
        None => Err(Error::new("expected to be called while files are evaluated")),
    }
}

fn session<'a>(thread: &'a Thread<'_>) -> StarlarkResult<&'a Session> {
    let host = thread.host().as_any().downcast_ref();
    host.ok_or_else(|| Error::new("expected to be called by a template"))
}
