//! `@ytt:data`: data values, and the unprocessed files of the library.

use std::sync::Arc;

use plumb_source::{Message, Text, message};
use plumb_starlark::{Args, Builtin, Doc, Error, Value};
use plumb_stdlib::{Member, ModuleDefinition};
use plumb_template::to_structs;

use crate::environment::{Environment, FileLoader};
use crate::run::Run;
use crate::tree::DirectoryId;

pub(crate) static MODULE: ModuleDefinition<FileLoader> = ModuleDefinition {
    name: "data",
    summary: "data values, and files next to the template",
    members: &[
        Member::created("data.values", "The data values.", |_, loader| {
            let Environment { run, visible, .. } = &*loader.environment;
            let values = visible.values.as_ref();
            let values = values.map(|it| to_structs(it, run.runtime.budget()));
            // A conversion fails only at a limit, which ends the run in any case.
            values.and_then(Result::ok).unwrap_or(Value::None)
        }),
        Member::created(
            "data.list(path=\"\")",
            "The paths of the files in a directory.",
            |doc, loader| FileScope::of(loader).function(doc, FileScope::list),
        ),
        Member::created("data.read(path)", "The text of a file.", |doc, loader| {
            FileScope::of(loader).function(doc, FileScope::read)
        }),
    ],
};

/// The directory of a file, to which its paths are relative. It does not refer to the environment,
/// because the environment stores values that may refer to this struct.
#[derive(Clone)]
struct FileScope {
    run: Arc<Run>,
    /// The directory that absolute paths start from.
    root: DirectoryId,
    home: DirectoryId,
}

impl FileScope {
    fn of(loader: &FileLoader) -> Self {
        let Environment { run, root, .. } = &*loader.environment;
        Self { run: Arc::clone(run), root: *root, home: loader.home }
    }

    fn function(
        self,
        doc: &Doc,
        act: fn(&Self, &Args<'_>) -> std::result::Result<Value, Message>,
    ) -> Value {
        let name = doc.full_name();
        Value::Builtin(Arc::new(Builtin::new(name, move |_, args| {
            act(&self, args).map_err(|problem| Error::new(message!("{name}: {problem}")))
        })))
    }

    /// Returns the paths of the files below a directory.
    fn list(&self, args: &Args<'_>) -> std::result::Result<Value, Message> {
        let path = match (args.len(), args.get(0)) {
            (0, _) => String::new(),
            (1, Some(path)) => path_of(path)?,
            _ => return Err("expected exactly zero or one argument".into()),
        };
        let (start, path) = start_of(&path);
        let is_from_root = start == Start::Root;
        let tree = &self.run.tree;
        let from = match start {
            Start::Root => self.root,
            Start::Home => self.home,
        };
        let directory = if path.is_empty() { from } else { tree.find_directory(from, path)? };
        let files = tree.visited(directory);
        let paths = files.into_iter().map(|file| {
            let below = tree.path_below(directory, file);
            Value::from(if is_from_root { format!("/{below}") } else { below })
        });
        Ok(Value::list(paths))
    }

    /// Returns the content of a file.
    fn read(&self, args: &Args<'_>) -> std::result::Result<Value, Message> {
        let (1, Some(path)) = (args.len(), args.get(0)) else {
            return Err("expected exactly one argument".into());
        };
        let path = path_of(path)?;
        let (start, path) = start_of(&path);
        let run = &self.run;
        let file = match start {
            Start::Root => run.tree.find_file(self.root, path)?,
            Start::Home => run.tree.find_file(self.home, path)?,
        };
        let text = run.file(file).data(&*run.world).unwrap_or_else(|| {
            let id = run.source(file)?;
            Ok(Text::from_bytes(run.sources.get(id).bytes()))
        });
        Ok(text.map_err(|failure| run.runtime.text(&failure))?.into())
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Start {
    Root,
    Home,
}

/// Returns where a path starts, and the rest of the path.
fn start_of(path: &str) -> (Start, &str) {
    path.strip_prefix('/').map_or((Start::Home, path), |rest| (Start::Root, rest))
}

fn path_of(value: &Value) -> std::result::Result<String, Message> {
    match value {
        Value::String(path) => Ok(path.to_str_lossy().into_owned()),
        other => Err(message!("expected a string, {}", message::found(other.type_name()))),
    }
}
