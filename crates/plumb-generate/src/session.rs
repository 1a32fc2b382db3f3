//! The state of one run: where it may read and write, what it will write, and what it has read.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;

use plumb_source::{Access, EntryKind, Fault, Occupant, OutputTree, World, WorldError};
use plumb_validation::Violation;
use plumb_value::Document;
use serde_json::json;

use crate::format::{self, Format};
use crate::module::Modules;
use crate::root::{Denied, Doing, Root};
use crate::schema::Schemas;
use crate::{Action, Dialect, Request, Surroundings};

pub(crate) struct Session {
    pub(crate) surroundings: Surroundings,
    pub(crate) request: Request,
    pub(crate) modules: RefCell<Modules>,
    pub(crate) schemas: RefCell<Schemas>,
    pub(crate) limit_reached: Cell<Option<Limit>>,
    input: Root,
    output: Root,
    /// Directories of modules that asked for their resources; the number is their name.
    resources: RefCell<Vec<Root>>,
    outputs: RefCell<Outputs>,
    /// Files that were named on the command line, once they were read.
    inputs: RefCell<HashMap<String, Rc<Vec<Document>>>>,
    /// What judges that are not scripts found; the number is its name.
    held: RefCell<Vec<Violation>>,
    dependencies: RefCell<Vec<serde_json::Value>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Limit {
    Time,
    Memory,
}

/// What happens to a file that stands where one is to be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Overwrite {
    Skip,
    Write,
    Err,
}

/// Files to be written when the run has ended well.
#[derive(Default)]
struct Outputs {
    /// Below the output directory.
    files: Vec<(PathBuf, Vec<u8>)>,
    /// Anywhere: files that a transformation was told to replace.
    in_place: Vec<(PathBuf, Vec<u8>)>,
    /// Positions in `files` by the path that the world knows.
    positions: HashMap<PathBuf, usize>,
    n_bytes: usize,
}

impl Session {
    pub(crate) fn new(request: Request, surroundings: Surroundings, modules: Modules) -> Self {
        let input = request.input_directory.clone();
        let input = input.unwrap_or_else(|| modules.script_directory().to_owned());
        let output = request.output_directory.clone();
        let session = Self {
            surroundings,
            modules: RefCell::new(modules),
            schemas: RefCell::default(),
            limit_reached: Cell::new(None),
            input: Root::new(input),
            output: Root::new(output),
            resources: RefCell::default(),
            outputs: RefCell::default(),
            inputs: RefCell::default(),
            held: RefCell::default(),
            dependencies: RefCell::default(),
            request,
        };
        for path in &session.request.parameters.files {
            session.depend("parameter-file", Path::new(path), None);
        }
        session
    }

    pub(crate) fn world(&self) -> &dyn World {
        &*self.surroundings.world
    }

    pub(crate) fn print(&self, bytes: &[u8]) {
        if !self.request.reporting.lists_dependencies {
            self.surroundings.console.print(bytes);
        }
    }

    pub(crate) fn log(&self, bytes: &[u8]) {
        self.surroundings.console.log(bytes);
    }

    /// A file below the input directory, or below that of a module that asks for its resources.
    pub(crate) fn read(&self, path: &str, resource: Option<&str>) -> Result<Arc<[u8]>, String> {
        let refused = |denied: Denied| self.refusal(path, &denied, Doing::Reading);
        self.with_root(resource, |root| {
            let located = root.locate(self.world(), Path::new(path)).map_err(refused)?;
            let full = root.full(&located.path);
            self.depend("read-file", &full, None);
            if let Some(bytes) = self.outputs.borrow().pending(&full) {
                return Ok(bytes.into());
            }
            if located.kind.is_none() {
                let error = WorldError::new("open", full.to_string_lossy(), Fault::NotFound);
                return Err(error.to_string());
            }
            if matches!(located.kind, Some(EntryKind::Pipe | EntryKind::Other)) {
                // Reading one may never end.
                return Err(format!("{path}: not a regular file"));
            }
            self.world().read(&full).map_err(|error| error.to_string())
        })
    }

    /// Why a path is refused; jk does not name the path.
    fn refusal(&self, path: &str, denied: &Denied, doing: Doing) -> String {
        let words = denied.words(doing);
        match self.request.dialect {
            Dialect::Plumb => format!("{path}: {words}"),
            Dialect::Jk => words,
        }
    }

    pub(crate) fn say_read(&self, path: &str, format: Format) {
        if self.request.reporting.is_verbose {
            self.say(&format!("read (as {format}) {path}\n"));
        }
    }

    pub(crate) fn read_stdin(&self) -> Result<Arc<[u8]>, String> {
        self.world().stdin().map_err(|error| error.to_string())
    }

    /// Whether a file was named on the command line.
    pub(crate) fn input_named(&self, path: &str) -> Result<(), String> {
        let is_named = match &self.request.action {
            Action::Transform { files, .. } | Action::Validate { files, .. } => {
                files.iter().any(|it| it == path)
            }
            Action::Run { .. } | Action::Generate { .. } => false,
        };
        if is_named { Ok(()) } else { Err(format!("{path} was not named on the command line")) }
    }

    /// A file that was named on the command line, wherever it is.
    pub(crate) fn read_input(&self, path: &str) -> Result<Arc<[u8]>, String> {
        self.depend("read-file", Path::new(path), None);
        self.world().read(Path::new(path)).map_err(|error| error.to_string())
    }

    /// The values of a file that was named on the command line, as a JSON text. The documents
    /// themselves are kept where they are to be judged.
    pub(crate) fn input(&self, path: &str, format: Format) -> Result<String, String> {
        let bytes = self.read_input(path)?;
        let refused = |reason: String| format!("{path}: {reason}");
        if !matches!(self.request.action, Action::Validate { .. }) {
            return format::to_json(path, &bytes, format).map_err(refused);
        }
        let documents = format::documents(path, &bytes, format, &self.surroundings.sources);
        let documents = documents.map_err(refused)?;
        let json = format::json_of_input(&documents, format).map_err(refused)?;
        self.inputs.borrow_mut().insert(path.to_owned(), Rc::new(documents));
        Ok(json)
    }

    /// The documents of a file that is judged.
    pub(crate) fn input_documents(&self, path: &str) -> Result<Rc<Vec<Document>>, String> {
        let known = self.inputs.borrow().get(path).cloned();
        known.ok_or_else(|| format!("{path} was not read"))
    }

    /// Keeps what judges found, and gives the numbers of it: a JSON text.
    pub(crate) fn hold(&self, found: Vec<Violation>) -> String {
        let mut held = self.held.borrow_mut();
        let start = held.len();
        held.extend(found);
        let numbers = (start..held.len()).map(|number| json!({ "held": number }));
        serde_json::Value::Array(numbers.collect()).to_string()
    }

    /// What was held back; nothing is from here on.
    pub(crate) fn held(&self) -> Vec<Violation> {
        self.held.take()
    }

    /// Keeps a file to be written below the output directory.
    pub(crate) fn write(
        &self,
        path: &str,
        overwrite: Overwrite,
        content: impl FnOnce() -> Result<Vec<u8>, String>,
    ) -> Result<(), String> {
        let refused = |denied: Denied| self.refusal(path, &denied, Doing::Writing);
        let located = self.output.locate(self.world(), Path::new(path)).map_err(refused)?;
        let full = self.output.full(&located.path);
        let exists = located.kind.is_some() || self.outputs.borrow().pending(&full).is_some();
        match overwrite {
            Overwrite::Skip if exists => return Ok(()),
            Overwrite::Err if exists => {
                return Err(format!("file {} already exists", full.display()));
            }
            Overwrite::Skip | Overwrite::Write | Overwrite::Err => {}
        }
        if located.kind == Some(EntryKind::Directory) {
            return Err(format!("open {}: is a directory", full.display()));
        }
        let content = content()?;
        let mut outputs = self.outputs.borrow_mut();
        self.account(&mut outputs, content.len())?;
        outputs.push(full, located.path, content);
        Ok(())
    }

    /// Keeps a file that replaces one named on the command line, wherever it is.
    pub(crate) fn write_input(&self, path: &str, content: Vec<u8>) -> Result<(), String> {
        let mut outputs = self.outputs.borrow_mut();
        self.account(&mut outputs, content.len())?;
        outputs.in_place.push((self.request.output_directory.join(path), content));
        Ok(())
    }

    fn account(&self, outputs: &mut Outputs, n_bytes: usize) -> Result<(), String> {
        outputs.n_bytes += n_bytes;
        if outputs.n_bytes <= self.request.limits.memory {
            return Ok(());
        }
        self.limit_reached.set(Some(Limit::Memory));
        Err("the files to be written are larger than the memory limit".to_owned())
    }

    /// Writes everything that was kept.
    pub(crate) fn flush(&self) -> Result<(), WorldError> {
        let outputs = self.outputs.take();
        if self.request.reporting.lists_dependencies {
            return Ok(());
        }
        let directory = self.output.full(Path::new(""));
        self.write_tree(&directory, &outputs.files)?;
        for (path, content) in outputs.in_place {
            let directory = path.parent().filter(|it| !it.as_os_str().is_empty());
            let name = PathBuf::from(path.file_name().unwrap_or_default());
            self.write_tree(directory.unwrap_or(Path::new(".")), &[(name, content)])?;
        }
        Ok(())
    }

    fn write_tree(&self, directory: &Path, files: &[(PathBuf, Vec<u8>)]) -> Result<(), WorldError> {
        if files.is_empty() {
            return Ok(());
        }
        let (occupant, access) = (Occupant::Kept, Access::Usual);
        self.world().write(&OutputTree { directory, occupant, access, files })?;
        if self.request.reporting.is_verbose {
            let verb = match self.request.dialect {
                Dialect::Plumb => "wrote",
                Dialect::Jk => "write",
            };
            for (path, _) in files {
                self.say(&format!("{verb} {}\n", path.display()));
            }
        }
        Ok(())
    }

    /// What a run says about itself goes to standard error; jk mixes it with the output.
    fn say(&self, line: &str) {
        match self.request.dialect {
            Dialect::Plumb => self.log(line.as_bytes()),
            Dialect::Jk => self.print(line.as_bytes()),
        }
    }

    /// What stands at a path: a JSON text for `@jkcfg/std/fs`.
    pub(crate) fn info(&self, path: &str, resource: Option<&str>) -> Result<String, String> {
        self.with_root(resource, |root| {
            let (_, kind) = self.existing(root, path)?;
            if !matches!(kind, EntryKind::File | EntryKind::Directory) {
                return Err("not a regular file".to_owned());
            }
            Ok(info(base_name(path), path, kind).to_string())
        })
    }

    /// The files of a directory: a JSON text for `@jkcfg/std/fs`.
    pub(crate) fn list(&self, path: &str, resource: Option<&str>) -> Result<String, String> {
        self.with_root(resource, |root| {
            let (full, _) = self.existing(root, path)?;
            let entries = self.world().list(&full).map_err(|error| error.to_string())?;
            let regular = entries
                .into_iter()
                .filter(|entry| matches!(entry.kind, EntryKind::File | EntryKind::Directory));
            let files: Vec<_> = regular
                .map(|entry| {
                    let name = entry.name.to_string_lossy().into_owned();
                    info(&name, &format::join_paths(path, &name), entry.kind)
                })
                .collect();
            Ok(json!({ "name": base_name(path), "path": path, "files": files }).to_string())
        })
    }

    fn existing(&self, root: &Root, path: &str) -> Result<(PathBuf, EntryKind), String> {
        let located = root
            .locate(self.world(), Path::new(path))
            .map_err(|denied| denied.words(Doing::Reading))?;
        let full = root.full(&located.path);
        let Some(kind) = located.kind else {
            let error = WorldError::new("open", full.to_string_lossy(), Fault::NotFound);
            return Err(error.to_string());
        };
        Ok((full, kind))
    }

    /// A name for the directory of a module, by which it reaches its resources.
    pub(crate) fn add_resource(&self, directory: PathBuf) -> String {
        let mut resources = self.resources.borrow_mut();
        let known = resources.iter().position(|root| root.directory() == directory);
        let number = known.unwrap_or_else(|| {
            resources.push(Root::new(directory));
            resources.len() - 1
        });
        format!("module {number}")
    }

    /// Runs `use_root` with the root that a path is relative to.
    pub(crate) fn with_root<T>(
        &self,
        resource: Option<&str>,
        use_root: impl FnOnce(&Root) -> Result<T, String>,
    ) -> Result<T, String> {
        let Some(name) = resource else {
            return use_root(&self.input);
        };
        let resources = self.resources.borrow();
        let number = name.strip_prefix("module ").and_then(|it| it.parse::<usize>().ok());
        match number.and_then(|it| resources.get(it)) {
            Some(root) => use_root(root),
            None => Err("not a reference to a module".to_owned()),
        }
    }

    /// Notes that the run depends on a file.
    pub(crate) fn depend(&self, kind: &str, path: &Path, specifier: Option<&str>) {
        if !self.request.reporting.lists_dependencies {
            return;
        }
        let absolute = self.world().directory().unwrap_or_default().join(path);
        let mut dependency = json!({ "kind": kind, "path": absolute.to_string_lossy() });
        if let Some(specifier) = specifier {
            dependency["specifier"] = specifier.into();
        }
        self.dependencies.borrow_mut().push(dependency);
    }

    pub(crate) fn dependencies(&self) -> Option<String> {
        self.request.reporting.lists_dependencies.then(|| {
            let list = serde_json::Value::Array(self.dependencies.take());
            serde_json::to_string_pretty(&list).expect("keys of a JSON tree are strings")
        })
    }
}

impl Outputs {
    fn push(&mut self, full: PathBuf, path: PathBuf, content: Vec<u8>) {
        if let Some(&at) = self.positions.get(&full) {
            self.files[at].1 = content;
        } else {
            self.positions.insert(full, self.files.len());
            self.files.push((path, content));
        }
    }

    fn pending(&self, full: &Path) -> Option<&[u8]> {
        self.positions.get(full).map(|&at| &*self.files[at].1)
    }
}

fn info(name: &str, path: &str, kind: EntryKind) -> serde_json::Value {
    json!({ "name": name, "path": path, "isdir": kind == EntryKind::Directory })
}

/// The last name of a path; `.` for the directory itself.
fn base_name(path: &str) -> &str {
    match path.trim_end_matches('/') {
        "" => ".",
        path => path.rsplit('/').next().unwrap_or(path),
    }
}
