//! The state of one run: the directories that it may read and write, the files to write, and the
//! files that were read.

mod inputs;
mod listing;
mod outputs;

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;

use plumb_source::root::{Root, RootError};
use plumb_source::{EntryKind, Message, World, WorldError, WorldErrorKind};

use crate::answer::Answer;
use crate::error::{Doing, Error};
use crate::format::{Format, StreamPart};
use crate::module::Modules;
use crate::schema::Schemas;
use crate::{Action, Dependency, DependencyKind, Dialect, Finding, Report, Request, Surroundings};

pub(crate) use inputs::Input;
pub(crate) use listing::Entry;
use outputs::Outputs;
pub(crate) use outputs::Overwrite;

pub(crate) struct Run {
    pub(crate) surroundings: Surroundings,
    pub(crate) request: Request,
    pub(crate) modules: RefCell<Modules>,
    pub(crate) schemas: RefCell<Schemas>,
    pub(crate) limit_reached: Cell<Option<Limit>>,
    input: Root,
    output: Root,
    /// Directories of modules that requested their resources; the index is their name.
    resources: RefCell<Vec<Root>>,
    outputs: RefCell<Outputs>,
    /// Findings about files to validate that cannot be read.
    pub(crate) unreadable: Vec<Report>,
    /// Files that are validated and were already read.
    inputs: RefCell<HashMap<String, Rc<Input>>>,
    /// Findings of validators that are not scripts. Scripts refer to them by index.
    held: RefCell<Vec<Finding>>,
    /// Messages that the host threw, by their text.
    composed: RefCell<HashMap<String, Message>>,
    /// Values in the form in which they will be printed. Scripts refer to them by index.
    taken: RefCell<Vec<Option<Taken>>>,
    /// The result of the command, once there is one.
    pub(crate) answer: RefCell<Option<Answer>>,
    dependencies: RefCell<Vec<Dependency>>,
}

/// A value in the form in which it will be printed.
#[derive(Debug)]
pub(crate) enum Taken {
    /// The content of a file.
    File(Vec<u8>),
    /// A part of a stream on standard output.
    Part(StreamPart),
}

/// Which limit a script has reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Limit {
    Time,
    Memory,
}

impl Run {
    pub(crate) fn new(request: Request, surroundings: Surroundings, modules: Modules) -> Self {
        let input = request.input_directory.clone();
        let input = input.unwrap_or_else(|| modules.script_directory().to_owned());
        let output = request.output_directory.clone();
        let run = Self {
            surroundings,
            modules: RefCell::new(modules),
            schemas: RefCell::default(),
            limit_reached: Cell::new(None),
            input: Root::new(input),
            output: Root::new(output),
            resources: RefCell::default(),
            outputs: RefCell::default(),
            unreadable: Vec::new(),
            inputs: RefCell::default(),
            held: RefCell::default(),
            composed: RefCell::default(),
            taken: RefCell::default(),
            answer: RefCell::default(),
            dependencies: RefCell::default(),
            request,
        };
        for path in &run.request.parameters.files {
            run.depend(DependencyKind::Parameters, Path::new(path));
        }
        run
    }

    pub(crate) fn world(&self) -> &dyn World {
        &*self.surroundings.world
    }

    /// Prints to standard output: immediately if a script runs for its side effects, and otherwise
    /// together with the files, after the run has succeeded.
    pub(crate) fn print(&self, bytes: &[u8]) -> Result<(), Error> {
        match self.request.action {
            Action::Run { .. } => self.surroundings.console.print(bytes),
            Action::Generate { .. } | Action::Transform { .. } | Action::Validate { .. } => {
                return self.keep_printed(bytes);
            }
        }
        Ok(())
    }

    pub(crate) fn log(&self, bytes: &[u8]) {
        self.surroundings.console.log(bytes);
    }

    /// Reads a file below the input directory, or below the directory of a module that requests its
    /// resources.
    pub(crate) fn read(&self, path: &str, resource: Option<&str>) -> Result<Arc<[u8]>, Error> {
        let refused = |root_error: RootError| self.refusal(path, root_error, Doing::Reading);
        self.with_root(resource, |root| {
            let located = root.locate(self.world(), Path::new(path)).map_err(refused)?;
            let full = root.full(&located.path);
            self.depend(DependencyKind::Read, &full);
            if let Some(bytes) = self.outputs.borrow().pending(&full) {
                return Ok(bytes.into());
            }
            if located.kind.is_none() {
                let path = full.to_string_lossy();
                return Err(WorldError::new("open", path, WorldErrorKind::NotFound).into());
            }
            if matches!(located.kind, Some(EntryKind::Pipe | EntryKind::Other)) {
                // Reading from it might never end.
                return Err(Error::NotRegular.in_file(path));
            }
            Ok(self.world().read(&full)?)
        })
    }

    /// The error for a rejected path. jk does not show the path.
    fn refusal(&self, path: &str, root_error: RootError, doing: Doing) -> Error {
        match self.request.dialect {
            Dialect::Plumb => {
                Error::OutsideFlaggedRoot { path: path.to_owned(), root_error, doing }
            }
            Dialect::Jk => Error::OutsideRoot { root_error, doing },
        }
    }

    pub(crate) fn say_read(&self, path: &str, format: Format) {
        if self.request.reporting.is_verbose {
            self.say(&format!("read (as {format}) {path}\n"));
        }
    }

    pub(crate) fn read_stdin(&self) -> Result<Arc<[u8]>, Error> {
        Ok(self.world().stdin()?)
    }

    /// The parts of a message that the host threw with this text.
    pub(crate) fn composed(&self, text: &str) -> Option<Message> {
        self.composed.borrow().get(text).cloned()
    }

    /// Records which parts of a message are values, and returns its text for a script, which may
    /// throw it again.
    pub(crate) fn compose(&self, message: &Message) -> String {
        const MAX_KEPT: usize = 10_000;
        let text = (self.surroundings.wording)(message).shown().to_owned();
        let mut composed = self.composed.borrow_mut();
        if composed.len() == MAX_KEPT {
            composed.clear();
        }
        composed.insert(text.clone(), self.worded(message));
        text
    }

    /// The message in the words for the user of this dialect.
    pub(crate) fn worded(&self, message: &Message) -> Message {
        match self.request.dialect {
            Dialect::Plumb => message.clone(),
            Dialect::Jk => (self.surroundings.wording)(message),
        }
    }

    /// Stores findings, and returns their numbers.
    pub(crate) fn hold(&self, found: Vec<Finding>) -> Vec<usize> {
        let mut held = self.held.borrow_mut();
        let start = held.len();
        held.extend(found);
        (start..held.len()).collect()
    }

    /// Stores a value to print, and returns its number.
    pub(crate) fn take(&self, taken: Taken) -> Result<usize, Error> {
        let n_bytes = match &taken {
            Taken::File(bytes) => bytes.len(),
            Taken::Part(part) => part.len(),
        };
        self.reserve(n_bytes)?;
        let mut all = self.taken.borrow_mut();
        all.push(Some(taken));
        Ok(all.len() - 1)
    }

    /// Removes and returns a value that was stored.
    pub(crate) fn give_back(&self, number: usize) -> Option<Taken> {
        let taken = self.taken.borrow_mut().get_mut(number)?.take()?;
        let n_bytes = match &taken {
            Taken::File(bytes) => bytes.len(),
            Taken::Part(part) => part.len(),
        };
        self.release(n_bytes);
        Some(taken)
    }

    /// Removes and returns all findings that were stored.
    pub(crate) fn held(&self) -> Vec<Finding> {
        self.held.take()
    }

    /// Writes a line about the run to standard error. jk mixes such lines with the output.
    fn say(&self, line: &str) {
        match self.request.dialect {
            Dialect::Plumb => self.log(line.as_bytes()),
            // If a script prints too much, its own call reports the error.
            Dialect::Jk => _ = self.print(line.as_bytes()),
        }
    }

    /// Adds the directory of a module, and returns the name by which the module accesses its
    /// resources.
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
        use_root: impl FnOnce(&Root) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let Some(name) = resource else {
            return use_root(&self.input);
        };
        let resources = self.resources.borrow();
        let number = name.strip_prefix("module ").and_then(|it| it.parse::<usize>().ok());
        match number.and_then(|it| resources.get(it)) {
            Some(root) => use_root(root),
            None => Err(Error::NotAModule),
        }
    }

    /// Records that the run depends on a file.
    pub(crate) fn depend(&self, kind: DependencyKind, path: &Path) {
        let dependency = Dependency { kind, path: path.to_owned() };
        // A script that reads too many files reaches the memory limit, which this call records.
        let _ = self.reserve(size_of::<Dependency>() + path.as_os_str().len());
        self.dependencies.borrow_mut().push(dependency);
    }
}
