//! Functions in files of plain code (`rules.star`), for commands that validate values with them.

use std::path::{Component, Path, PathBuf};
use std::sync::{Arc, Mutex};

use plumb_diagnostic::{Code, Diagnostic, Failure, peer};
use plumb_source::message::plain;
use plumb_source::{Message, SourceKind, Sources, Span, Text, World, message};
use plumb_starlark::{Error, Globals, Result as Loaded, Thread};
use plumb_template::{Loader, Runtime, Settings, Template, datum};
use plumb_value::{Callable, Datum};

/// A file of rules cannot be read, or has no such function.
///
/// `--validate FILE.star:FUNCTION` names a file and a function that it defines at its top level.
pub const RULE_FILE: Code = Code::new("rules/no-such-function");

/// The function called `name` in the file at `path`. What it prints is passed to `print`.
pub(super) fn rule(
    world: &Arc<dyn World>,
    path: &Path,
    name: &str,
    sources: &Arc<Sources>,
    print: impl Fn(&Text) + Send + Sync + 'static,
) -> Result<Arc<dyn Callable>, Failure> {
    let runtime = Runtime::new(Arc::clone(sources), Settings::default(), print);
    let files = Files {
        world: Arc::clone(world),
        runtime: Arc::clone(&runtime),
        directory: path.parent().unwrap_or(Path::new("")).to_owned(),
        under_way: Arc::default(),
    };
    let globals = Arc::new(files).evaluate(path)?;
    let value = globals.get(&Text::from(name));
    let function = value.and_then(|it| datum::from_argument(it, &runtime).ok());
    match function {
        Some(Datum::Function(function)) => Ok(function),
        Some(other) => {
            let kind = other.type_name();
            Err(refused(message!(
                "`{}` of {} is a {kind}, not a function",
                plain(&name),
                plain(path.display())
            )))
        }
        None => {
            Err(refused(message!("{} has no function `{}`", plain(path.display()), plain(&name))))
        }
    }
}

fn refused(message: impl Into<Message>) -> Failure {
    Diagnostic::error(RULE_FILE, message).into()
}

/// Finds the modules that the file loads: built-in modules, and files below its own directory.
struct Files {
    world: Arc<dyn World>,
    runtime: Arc<Runtime>,
    directory: PathBuf,
    /// Files that are being evaluated. None of them can be loaded again.
    under_way: Arc<Mutex<Vec<PathBuf>>>,
}

impl Files {
    fn evaluate(self: Arc<Self>, path: &Path) -> Result<Globals, Failure> {
        let bytes = self.world.read(path).map_err(|error| refused(plain(error)))?;
        let sources = &self.runtime.sources;
        let file = sources.add(path.to_string_lossy(), SourceKind::Module, bytes);
        let template = Template::module(&self.runtime, file)?;
        let under_way = Arc::clone(&self.under_way);
        under_way.lock().expect("no holder of this lock panics").push(path.to_owned());
        let evaluated = template.evaluate(Arc::new(Nested(self)));
        under_way.lock().expect("no holder of this lock panics").pop();
        Ok(evaluated?.globals)
    }

    fn is_under_way(&self, path: &Path) -> bool {
        let under_way = self.under_way.lock().expect("no holder of this lock panics");
        under_way.iter().any(|it| it == path)
    }
}

/// The files, as one of them sees them.
struct Nested(Arc<Files>);

impl Loader for Nested {
    fn load(&self, _: &mut Thread<'_>, module: &Text, _: Option<Span>) -> Loaded<Globals> {
        let name = module.to_str_lossy();
        if let Some(built_in) = name.strip_prefix("@ytt:") {
            let value = plumb_stdlib::module(built_in).ok_or_else(|| {
                Error::new(message!("there is no built-in module {}", plain(&name)))
            })?;
            return Ok(Globals::from_iter([(Text::from(built_in), value)]));
        }
        let is_inside = Path::new(&*name).components().all(|it| matches!(it, Component::Normal(_)));
        if !is_inside {
            return Err(Error::new(message!(
                "{} is not below the directory of the rules",
                plain(&name)
            )));
        }
        let path = self.0.directory.join(&*name);
        if self.0.is_under_way(&path) {
            return Err(Error::new(message!("{} loads itself", plain(&name))));
        }
        let loaded = Arc::clone(&self.0).evaluate(&path);
        loaded.map_err(|failure| Error::new(peer::text(&failure, &self.0.runtime.sources)))
    }
}
