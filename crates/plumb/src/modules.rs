//! Starlark files that are evaluated on their own, not as part of a library: rules of validators,
//! and tests. They can load built-in modules and each other.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use plumb_diagnostic::{Code, Diagnostic, Failure};
use plumb_source::message::plain;
use plumb_source::root::{Root, RootError};
use plumb_source::{SourceKind, Span, Text, World, lexical, message};
use plumb_starlark::{Error, Globals, Result as Loaded, Thread, Value};
use plumb_template::{Compiled, Loader, Options, Runtime, Template};
use plumb_yaml::ReadOptions;

/// The files that can be loaded.
pub(crate) enum Reach {
    /// Files below a directory, by their paths relative to it.
    #[cfg(feature = "generators")]
    Below(PathBuf),
    /// Files below a directory, by their paths relative to the file that loads them, or relative to
    /// the directory if they begin with a slash.
    Project(PathBuf),
}

/// Evaluates files of code.
pub(crate) struct Modules {
    pub(crate) world: Arc<dyn World>,
    pub(crate) runtime: Arc<Runtime>,
    pub(crate) reach: Reach,
    /// Built-in modules in addition to those of all templates, by their full names.
    pub(crate) extra: Vec<(&'static str, Value)>,
    /// The code of files that cannot be read.
    pub(crate) not_read: Code,
    /// Files that are being evaluated. They cannot be loaded again until they are finished.
    pub(crate) under_way: Mutex<Vec<PathBuf>>,
}

impl Modules {
    /// Evaluates a file, and returns the names that it defines.
    pub(crate) fn evaluate(self: Arc<Self>, path: &Path) -> Result<Globals, Failure> {
        let bytes = self.world.read(path).map_err(|error| {
            Failure::from(Diagnostic::error(self.not_read, plain(error.words())))
        })?;
        let sources = &self.runtime.sources;
        let name = path.to_string_lossy();
        let is_yaml = path.extension().is_some_and(|it| it == "yml" || it == "yaml");
        let template = if is_yaml {
            let file = sources.add_file(&name, path, SourceKind::File, bytes);
            let documents =
                plumb_yaml::parse(file, sources.get(file).bytes(), &ReadOptions::default())?;
            let compiled = Compiled::yaml(&self.runtime, documents.into(), Options::default())?;
            Template::new(&self.runtime, &compiled)?
        } else {
            let file = sources.add_file(&name, path, SourceKind::Module, bytes);
            Template::module(&self.runtime, file)?
        };
        self.under_way.lock().expect("no holder of this lock panics").push(path.to_owned());
        let home = path.parent().unwrap_or(Path::new("")).to_owned();
        let evaluated = template.evaluate(Arc::new(Nested { modules: Arc::clone(&self), home }));
        self.under_way.lock().expect("no holder of this lock panics").pop();
        Ok(evaluated?.globals)
    }

    fn is_under_way(&self, path: &Path) -> bool {
        let under_way = self.under_way.lock().expect("no holder of this lock panics");
        under_way.iter().any(|it| it == path)
    }

    /// The path of a file that another one in the directory `home` loads.
    fn locate(&self, home: &Path, name: &str) -> Loaded<PathBuf> {
        let (root, what) = match &self.reach {
            #[cfg(feature = "generators")]
            Reach::Below(root) => (root, "rules"),
            Reach::Project(root) => (root, "project"),
        };
        let root = Root::new(root);
        let located = self
            .below(root.directory(), home, name)
            .and_then(|path| root.locate(&*self.world, &path))
            .map_err(|error| {
                let name = plain(lexical::one_line(name));
                Error::new(match error {
                    RootError::Absolute | RootError::Parent => {
                        message!("{name} is not below the directory of the {what}")
                    }
                    RootError::Link => {
                        message!("{name} is a link that leads out of the directory of the {what}")
                    }
                    RootError::World(error) => message!("{}", plain(error.words())),
                })
            })?;
        Ok(lexical::clean(&root.full(&located.path)))
    }

    /// The path from the root to what a file in the directory `home` calls `name`.
    fn below(&self, root: &Path, home: &Path, name: &str) -> Result<PathBuf, RootError> {
        match &self.reach {
            #[cfg(feature = "generators")]
            Reach::Below(_) => Ok(PathBuf::from(name)),
            Reach::Project(_) => match name.strip_prefix('/') {
                Some(rest) => Ok(PathBuf::from(rest)),
                None => {
                    let working = self.world.directory().map_err(RootError::World)?;
                    let path = lexical::absolute(&home.join(name), &working);
                    let root = lexical::absolute(root, &working);
                    Ok(path.strip_prefix(root).map_err(|_| RootError::Parent)?.to_owned())
                }
            },
        }
    }
}

/// Loads modules for one of the files.
struct Nested {
    modules: Arc<Modules>,
    home: PathBuf,
}

impl Loader for Nested {
    fn load(&self, _: &mut Thread<'_>, module: &Text, _: Option<Span>) -> Loaded<Globals> {
        let name = module.to_str_lossy();
        let extra = self.modules.extra.iter().find(|it| it.0 == name);
        if let Some((name, value)) = extra {
            let short = name.rsplit(':').next().unwrap_or(name);
            return Ok(Globals::from_iter([(Text::from(short), value.clone())]));
        }
        if let Some(built_in) = name.strip_prefix("@ytt:") {
            let value = plumb_stdlib::module(built_in).ok_or_else(|| {
                Error::new(message!("there is no built-in module {} here", plain(&name)))
            })?;
            return Ok(Globals::from_iter([(Text::from(built_in), value)]));
        }
        let path = self.modules.locate(&self.home, &name)?;
        if self.modules.is_under_way(&path) {
            return Err(Error::new(message!("{} loads itself", plain(lexical::one_line(&name)))));
        }
        let loaded = Arc::clone(&self.modules).evaluate(&path);
        loaded.map_err(|failure| {
            let text = self.modules.runtime.text(&failure);
            Error::new(text).with_detail(failure)
        })
    }
}
