//! Compiles and evaluates a whole file.

use std::borrow::Cow;
use std::collections::HashSet;
use std::sync::Arc;

use plumb_diagnostic::{Diagnostic, Failure, FramePlace, SilentDrops};
use plumb_source::{FileId, Span, Text};
use plumb_starlark::{
    Environment, Fragment as CodeFragment, Globals, Joined, Piece, Program, Thread,
};
use plumb_value::{Document, Meta};

use crate::build::Built;
use crate::compile::{self, DashLines, Options};
use crate::known::MISSING_SPACE;
use crate::program::Plan;
use crate::runtime::{Registered, Runtime};
use crate::session::Session;
use crate::{Loader, directive, error};

/// A file that can be evaluated, any number of times.
pub struct Template {
    program: Program,
    kind: Kind,
    runtime: Arc<Runtime>,
    /// A mistake that does not prevent the evaluation.
    refused: Option<Failure>,
}

/// A compiled file, for one run or for several whose runtimes share a
/// [`Registry`](crate::Registry).
#[derive(Debug)]
pub struct Compiled {
    program: Result<Program, Failure>,
    kind: Kind,
    /// Parts without effect, with their places.
    drops: Vec<(Span, Diagnostic)>,
    /// Whether a node has an `@output/comment`.
    computes_comments: bool,
}

#[derive(Clone, Copy, Debug)]
enum Kind {
    Yaml { overrides_map_keys: bool },
    Text,
    Module,
}

/// The result of evaluating a file.
pub struct Evaluated {
    /// The names that other files can load.
    pub globals: Globals,
    /// The documents or the text of the file.
    pub output: Output,
}

/// The output of a file.
#[derive(Debug)]
pub enum Output {
    Documents(Vec<Document>),
    Text(TextOutput),
    Nothing,
}

/// The output of a text file.
#[derive(Clone, Debug, Default)]
pub struct TextOutput {
    /// The text.
    pub text: Text,
    /// The origins of its parts, in order. Empty if they are not known.
    pub origins: Vec<TextOrigin>,
}

/// The origin of a part of a text. The part ends where the next one begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TextOrigin {
    /// Where the part begins, in bytes.
    pub start: usize,
    /// The same text in the template, or the code that computed it.
    pub span: Span,
}

impl From<Text> for TextOutput {
    fn from(text: Text) -> Self {
        Self { text, origins: Vec::new() }
    }
}

impl Compiled {
    /// Compiles a YAML template. Its documents are dropped as soon as they are not needed.
    pub fn yaml(
        runtime: &Runtime,
        documents: Cow<'_, [Document]>,
        options: Options,
    ) -> Result<Self, Failure> {
        let number = runtime.next_program_number();
        let dash_lines = match runtime.silent_drops() {
            SilentDrops::Refuse => DashLines::FirstKey,
            SilentDrops::Warn => DashLines::Item,
        };
        let parts = compile::compile(
            &documents,
            options,
            dash_lines,
            &runtime.sources,
            runtime.vocabulary(),
        )?;
        let kind = Kind::Yaml { overrides_map_keys: options.overrides_map_keys };
        let linked = Linked::new(runtime, parts, options, number);
        drop(documents);
        Ok(linked.compile(runtime, kind))
    }

    /// Compiles a text template.
    pub fn text(runtime: &Runtime, file: FileId) -> Result<Self, Failure> {
        let number = runtime.next_program_number();
        let bytes = Arc::clone(runtime.sources.get(file).bytes());
        let parts = compile::compile_text(&bytes, file)?;
        Ok(Linked::new(runtime, parts, Options::default(), number).compile(runtime, Kind::Text))
    }

    /// Compiles a file of plain code.
    pub fn module(runtime: &Runtime, file: FileId) -> Self {
        runtime.next_program_number();
        let source = runtime.sources.get(file);
        let bytes = source.bytes();
        let end = u32::try_from(bytes.len()).expect("a source is at most 4 GiB");
        let span = Some(Span::new(file, 0, end));
        let pieces = [Piece::Code(CodeFragment { text: bytes, span })].into_iter();
        let program = compile_joined(Joined::new(pieces, environment(runtime)), runtime);
        count(&program, None, runtime);
        Self { program, kind: Kind::Module, drops: Vec::new(), computes_comments: false }
    }
}

/// The code of a template, joined. It does not refer to the documents or to the text of the template.
struct Linked {
    joined: Joined,
    registered: Arc<Registered>,
    drops: Vec<(Span, Diagnostic)>,
    computes_comments: bool,
}

impl Linked {
    /// Numbers the instructions, and joins the code.
    fn new(runtime: &Runtime, parts: compile::Compiled<'_>, options: Options, number: u32) -> Self {
        let compile::Compiled { plan, code, drops, computes_comments } = parts;
        let registered = runtime.register(plan, options, number);
        let first_op = registered.first_op();
        let pieces = code.iter().map(|it| it.piece(first_op));
        let joined = Joined::new(pieces, environment(runtime));
        Self { joined, registered, drops, computes_comments }
    }

    /// Creates the program.
    fn compile(self, runtime: &Runtime, kind: Kind) -> Compiled {
        let Self { joined, registered, drops, computes_comments } = self;
        let program = compile_joined(joined, runtime);
        count(&program, Some((&registered.plan, registered.first_op())), runtime);
        Compiled { program, kind, drops, computes_comments }
    }
}

impl Template {
    /// Compiles a YAML template.
    pub fn yaml(
        runtime: &Arc<Runtime>,
        documents: &[Document],
        options: Options,
    ) -> Result<Self, Failure> {
        Self::new(runtime, &Compiled::yaml(runtime, documents.into(), options)?)
    }

    /// Compiles a text template.
    pub fn text(runtime: &Arc<Runtime>, file: FileId) -> Result<Self, Failure> {
        Self::new(runtime, &Compiled::text(runtime, file)?)
    }

    /// Compiles a file of plain code.
    pub fn module(runtime: &Arc<Runtime>, file: FileId) -> Result<Self, Failure> {
        Self::new(runtime, &Compiled::module(runtime, file))
    }

    /// A template of a run, from a file that was compiled for this run or for another one that
    /// shares its [`Registry`](crate::Registry).
    pub fn new(runtime: &Arc<Runtime>, compiled: &Compiled) -> Result<Self, Failure> {
        let refused = report_drops(runtime, &compiled.drops).err();
        if compiled.computes_comments {
            runtime.expect_computed_comments();
        }
        // Code that is misread as an annotation causes further errors about undefined names.
        let lacks_code = |it: &Failure| it.findings().iter().any(|it| it.code == MISSING_SPACE);
        if let Some(refused) = refused.clone().filter(lacks_code) {
            return Err(refused);
        }
        match (compiled.program.clone(), refused) {
            (Ok(program), refused) => {
                let runtime = Arc::clone(runtime);
                Ok(Self { program, kind: compiled.kind, runtime, refused })
            }
            (Err(failure), Some(refused)) => {
                let failure = elsewhere(failure, &refused, runtime);
                Err(if failure.findings().is_empty() { refused } else { refused.and(failure) })
            }
            (Err(failure), None) => Err(failure),
        }
    }

    /// Evaluates the file; `loader` finds the modules that it loads.
    pub fn evaluate(&self, loader: Arc<dyn Loader>) -> Result<Evaluated, Failure> {
        match (self.run(loader), &self.refused) {
            (evaluated, None) => evaluated,
            (Ok(_), Some(refused)) => Err(refused.clone()),
            (Err(failure), Some(refused)) => Err(refused.clone().and(failure)),
        }
    }

    fn run(&self, loader: Arc<dyn Loader>) -> Result<Evaluated, Failure> {
        let session = Session::new(Arc::clone(&self.runtime), Some(loader));
        if let Kind::Yaml { overrides_map_keys } = self.kind {
            session.start_yaml(overrides_map_keys);
        }
        let mut thread = Thread::within(&session, Arc::clone(self.runtime.budget()));
        let result = match self.runtime.silent_drops() {
            SilentDrops::Refuse => thread.run_past_errors(&self.program),
            SilentDrops::Warn => thread.run(&self.program).map_err(|error| vec![error]),
        };
        let globals = result.map_err(|errors| error::failure(&errors, &self.runtime))?;
        let output = match self.kind {
            Kind::Module => Output::Nothing,
            Kind::Text => Output::Text(session.finish_text()),
            Kind::Yaml { .. } => match session.finish_yaml() {
                Built::Documents(documents) => Output::Documents(documents),
                Built::Nothing | Built::Node(_) => Output::Documents(Vec::new()),
            },
        };
        Ok(Evaluated { globals, output })
    }
}

/// Reports parts of a template that have no effect on the output: all of them, even if this ends
/// the run.
fn report_drops(runtime: &Runtime, drops: &[(Span, Diagnostic)]) -> Result<(), Failure> {
    let tell =
        |(place, finding): &(Span, Diagnostic)| runtime.report_drop(*place, finding.clone()).err();
    let refused: Vec<Diagnostic> = drops.iter().filter_map(tell).map(|it| *it).collect();
    if refused.is_empty() { Ok(()) } else { Err(refused.into()) }
}

/// Leaves out errors in the lines of rejected annotations: the cause was already reported.
fn elsewhere(failure: Failure, refused: &Failure, runtime: &Runtime) -> Failure {
    let line = |span: Span| (span.file, runtime.sources.get(span.file).line(span.start));
    let labels = refused.findings().iter().flat_map(|it| &it.labels);
    let known: HashSet<(FileId, u32)> = labels.map(|it| line(it.span)).collect();
    let is_new = |finding: &Diagnostic| {
        let place = finding.trace.iter().flatten().find_map(|it| match it.place {
            FramePlace::Source(span) => Some(line(span)),
            _ => None,
        });
        place.is_none_or(|place| !known.contains(&place))
    };
    failure.rearranged(|findings| findings.into_iter().filter(is_new).collect())
}

fn environment(runtime: &Runtime) -> &'static Environment {
    Environment::of(runtime.budget().language())
}

fn compile_joined(joined: Joined, runtime: &Runtime) -> Result<Program, Failure> {
    let program = match runtime.coverage() {
        None => Program::compile_joined(joined, environment(runtime)),
        Some(_) => Program::compile_counting(joined, environment(runtime)),
    };
    program.map_err(|errors| error::failure(&errors, runtime))
}

/// Adds a program to the counted ones, if programs are counted.
fn count(program: &Result<Program, Failure>, plan: Option<(&Plan, u32)>, runtime: &Runtime) {
    if let (Some(coverage), Ok(program)) = (runtime.coverage(), program) {
        coverage.add(program, plan);
    }
}

/// The names of the annotations in the comments of a node that was not evaluated.
pub fn annotation_names(meta: &Meta) -> impl Iterator<Item = &str> {
    meta.comments().iter().filter_map(directive::annotation_name)
}

/// Returns whether documents have any template comment: one makes the whole file a template.
pub fn is_template(documents: &[Document]) -> bool {
    let is_templated = |meta: &Meta| meta.comments().iter().any(directive::is_template);
    documents.iter().any(|document| {
        is_templated(&document.meta)
            || document.node.descendants().any(|(meta, _)| is_templated(meta))
    })
}
