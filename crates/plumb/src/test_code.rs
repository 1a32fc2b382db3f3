//! Tests in Starlark: the functions `test_…` of a file, and the module `@plumb:test` that they can
//! load.

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use plumb_diagnostic::{Code, Failure, SilentDrops};
use plumb_source::message::plain;
use plumb_source::{Origin, Span, Text, World, message, on_deep_stack};
use plumb_starlark::{
    Args, Builtin, Error, Module, Result as StarlarkResult, Tally, Thread, Value,
};
use plumb_template::{Runtime, RuntimeOwner, Settings, convert};
use plumb_value::{Document, Node};

use crate::Session;
use crate::modules::{Modules, Reach};

/// A file of tests, or a file that it loads, cannot be read.
///
/// A path that begins with a slash, as in `load("/config/names.star", …)`, starts at the directory
/// of plumb.yml. Other paths start at the directory of the file that contains the `load`.
const NOT_READ: Code = Code::new("test/not-loaded");

/// The name of the module.
const MODULE: &str = "@plumb:test";

/// The arguments of a test's call of `test.render`.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct RenderCall {
    /// The name of a target; the only target if it is missing.
    pub target: Option<String>,
    /// Data values by path.
    pub set: Vec<(String, Node)>,
    /// Files of data values.
    pub values: Vec<String>,
}

/// Renders a target for a test: returns the documents that the test sees.
pub type RenderTarget = dyn Fn(RenderCall) -> Result<Vec<Document>, Failure> + Send + Sync;

/// A file with tests.
#[non_exhaustive]
pub struct TestCode<'a> {
    /// The path of the file.
    pub path: &'a Path,
    /// The directory of the project: paths that begin with a slash start there.
    pub root: PathBuf,
    /// The session that the tests share with other runs.
    pub session: &'a Session,
    /// Is called for each `test.render` of a test.
    pub render: Arc<RenderTarget>,
}

impl<'a> TestCode<'a> {
    /// The tests of a file, in a project whose directory is the working directory.
    pub fn new(path: &'a Path, session: &'a Session, render: Arc<RenderTarget>) -> Self {
        Self { path, root: PathBuf::new(), session, render }
    }

    /// Sets the directory of the project.
    #[must_use]
    pub fn root(mut self, root: impl Into<PathBuf>) -> Self {
        self.root = root.into();
        self
    }
}

impl fmt::Debug for TestCode<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TestCode")
            .field("path", &self.path)
            .field("root", &self.root)
            .finish_non_exhaustive()
    }
}

/// The result of one function.
#[derive(Debug)]
#[non_exhaustive]
pub struct TestFunction {
    /// The name of the function, with `test_`.
    pub name: String,
    /// The place of its definition.
    pub place: Option<Span>,
    /// Whether it returned, or the error that ended it.
    pub result: Result<(), Failure>,
    /// The lines that it printed.
    pub printed: Vec<Text>,
}

/// Runs all functions of a file whose names begin with `test_` and for which `is_wanted` returns
/// true, in the order of the file. Fails if the file cannot be evaluated.
pub fn test_code(
    world: &Arc<dyn World>,
    code: &TestCode<'_>,
    is_wanted: &(dyn Fn(&str) -> bool + Sync),
) -> Result<Vec<TestFunction>, Failure> {
    on_deep_stack(|| run(world, code, is_wanted))
}

fn run(
    world: &Arc<dyn World>,
    code: &TestCode<'_>,
    is_wanted: &(dyn Fn(&str) -> bool + Sync),
) -> Result<Vec<TestFunction>, Failure> {
    let printed = Arc::new(Mutex::new(Vec::new()));
    let take = || std::mem::take(&mut *printed.lock().unwrap_or_else(PoisonError::into_inner));
    let settings = Settings {
        silent_drops: SilentDrops::Refuse,
        registry: code.session.registry(),
        wording: plumb_peer::WORDING,
        vocabulary: plumb_library::vocabulary(),
        ..Settings::default()
    };
    let lines = Arc::clone(&printed);
    let print = move |line: &Text| {
        lines.lock().unwrap_or_else(PoisonError::into_inner).push(line.clone());
    };
    let runtime = RuntimeOwner::new(code.session.sources(), settings, print);
    let modules = Modules {
        world: Arc::clone(world),
        runtime: Arc::clone(&runtime),
        reach: Reach::Project(code.root.clone()),
        extra: vec![(MODULE, module(&code.render))],
        not_read: NOT_READ,
        under_way: Mutex::default(),
    };
    let globals = Arc::new(modules).evaluate(code.path)?;
    let mut functions: Vec<(String, Option<Span>, &Value)> = globals
        .iter()
        .filter_map(|(name, value)| match value {
            Value::Function(function) if name.as_bytes().starts_with(b"test_") => {
                Some((name.to_str_lossy().into_owned(), function.span(), value))
            }
            _ => None,
        })
        .filter(|(name, ..)| is_wanted(name))
        .collect();
    functions.sort_by_key(|it| it.1.map(|span| span.start));
    let at_load = take();
    let mut results = Vec::new();
    for (name, place, function) in functions {
        let result = runtime.perform(function).map(drop);
        results.push(TestFunction { name, place, result, printed: take() });
    }
    if let Some(first) = results.first_mut() {
        first.printed.splice(0..0, at_load);
    }
    Ok(results)
}

/// The module that tests can load.
fn module(render: &Arc<RenderTarget>) -> Value {
    let render = Arc::clone(render);
    let function = Builtin::new("test.render", move |thread, args| {
        let call = call(thread, args)?;
        match render(call) {
            Ok(documents) => {
                Ok(Value::list(documents.iter().map(|it| convert::to_plain_value(&it.node))))
            }
            Err(failure) => {
                let text = Runtime::of(thread)?.text(&failure);
                Err(Error::new(text).with_detail(failure))
            }
        }
    });
    let members = [(Text::from("render"), Value::Builtin(Arc::new(function)))];
    Value::Module(Arc::new(Module::new("test", members)))
}

/// Reads the arguments of `test.render(target, set={}, values=[])`.
fn call(thread: &Thread<'_>, args: &Args<'_>) -> StarlarkResult<RenderCall> {
    let mut call = RenderCall::default();
    if args.positional().len() > 1 {
        return Err(Error::new("test.render: expected at most one target"));
    }
    let text = |value: &Value, what: &'static str| match value.as_text() {
        Some(text) => Ok(text.to_str_lossy().into_owned()),
        None => {
            let found = value.type_name();
            Err(Error::new(message!("test.render: expected {what}, found {}", plain(found))))
        }
    };
    for value in args.positional() {
        call.target = Some(text(value, "the name of a target")?);
    }
    for (name, value) in args.named() {
        let mut tally = Tally::borrowed(thread.budget());
        let node = convert::to_node(value, Origin::Unknown, &mut tally)?;
        match (&*name.to_str_lossy(), node) {
            ("target", _) => call.target = Some(text(value, "the name of a target")?),
            ("set", Node::Map(map)) => {
                let items = map.items().iter();
                let pair = |it: &plumb_value::MapItem| {
                    Some((it.key.as_str()?.to_owned(), it.node.clone()))
                };
                call.set = items.filter_map(pair).collect();
            }
            ("values", Node::Array(array)) => {
                let paths = array.items.iter().filter_map(|it| it.node.as_str());
                call.values = paths.map(str::to_owned).collect();
            }
            ("set", _) => return Err(Error::new("test.render: expected set= to be a dict")),
            ("values", _) => return Err(Error::new("test.render: expected values= to be a list")),
            (other, _) => {
                let message = message!("test.render: unexpected keyword argument {}", plain(other));
                return Err(Error::new(message));
            }
        }
    }
    Ok(call)
}
