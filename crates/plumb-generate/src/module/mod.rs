//! The modules of a run, and how imports are resolved to them.

mod builtin;
mod package;
mod resolve;

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use plumb_source::FileId;
use plumb_source::root::Root;

use crate::run::Run;

pub(crate) use builtin::{BYTECODE, exports_of, is_builtin, public_below};
pub(crate) use resolve::{ResolveError, TOP_LEVEL, resolve};

/// The modules of a run.
pub(crate) struct Modules {
    /// The directories in which modules are searched: the root of the script, then the libraries.
    roots: Vec<Rc<Root>>,
    /// The directory of the script, as a path of the world.
    script_directory: PathBuf,
    by_name: HashMap<String, Entry>,
    /// The last import that could not be resolved: the engine only passes on its message.
    pub(crate) unresolved: Option<ResolveError>,
    /// The last module that could not be translated to JavaScript, for the same reason.
    pub(crate) module_error: Option<ModuleError>,
    /// The name and the JavaScript of the entry module.
    pub(crate) first: Option<(String, String)>,
}

/// A module that cannot be translated to JavaScript, and the place of the error.
#[derive(Clone, Debug)]
pub(crate) struct ModuleError {
    pub(crate) module: String,
    pub(crate) message: String,
    /// Line and column, both counted from 1.
    pub(crate) line: usize,
    pub(crate) column: usize,
}

/// A module that is not built in.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    pub(crate) content: Content,
    /// Its text, once it was read.
    pub(crate) file: Option<FileId>,
}

#[derive(Clone, Debug)]
pub(crate) enum Content {
    /// A path below a root.
    File { root: usize, path: PathBuf },
    /// Code from the command line, which counts as a file in the root.
    Text(String),
    /// An expression from the command line, which becomes the default export.
    Expression(String),
    /// `@jkcfg/std/resource` for one directory, with its name among the resources.
    Resource(String),
}

impl Modules {
    /// Modules below `root`, which is the directory of the script or contains it.
    pub(crate) fn new(root: PathBuf, script_directory: PathBuf, libraries: &[PathBuf]) -> Self {
        let roots = std::iter::once(root).chain(libraries.iter().cloned());
        let roots = roots.map(|directory| Rc::new(Root::new(directory))).collect();
        Self {
            roots,
            script_directory,
            by_name: HashMap::new(),
            unresolved: None,
            module_error: None,
            first: None,
        }
    }

    pub(crate) fn script_directory(&self) -> &Path {
        &self.script_directory
    }

    pub(crate) fn len(&self) -> usize {
        self.by_name.len()
    }

    pub(crate) fn get(&self, name: &str) -> Option<&Entry> {
        self.by_name.get(name)
    }

    /// The texts of all modules that were read, in the order of reading.
    pub(crate) fn files(&self) -> impl Iterator<Item = FileId> {
        let mut files: Vec<FileId> = self.by_name.values().filter_map(|it| it.file).collect();
        files.sort_unstable();
        files.into_iter()
    }

    /// Records the text of a module.
    pub(crate) fn set_file(&mut self, name: &str, file: FileId) {
        if let Some(entry) = self.by_name.get_mut(name) {
            entry.file = Some(file);
        }
    }

    /// Adds a module and returns its name.
    pub(crate) fn add(&mut self, name: String, content: Content) -> String {
        self.by_name.entry(name.clone()).or_insert(Entry { content, file: None });
        name
    }

    pub(crate) fn root(&self, at: usize) -> Rc<Root> {
        Rc::clone(&self.roots[at])
    }

    fn add_file(&mut self, root: usize, path: PathBuf) -> String {
        // For files in the root of the script, the name is the path that the user sees.
        let full = if root == 0 { path.clone() } else { self.roots[root].full(&path) };
        let mut name = full.to_string_lossy().into_owned();
        if is_builtin(&name) {
            // A file must not be mistaken for a built-in module, whatever its name.
            name.insert_str(0, "./");
        }
        self.add(name, Content::File { root, path })
    }
}

/// The code before an expression of the command line, on its first line.
pub(crate) const BEFORE_EXPRESSION: &str = "export default (";

/// The file of a module, as a path of the world. Returns `None` if it is not a file.
pub(crate) fn full_path(run: &Run, name: &str) -> Option<PathBuf> {
    let modules = run.modules.borrow();
    match &modules.get(name)?.content {
        Content::File { root, path } => Some(modules.root(*root).full(path)),
        Content::Text(_) | Content::Expression(_) | Content::Resource(_) => None,
    }
}
