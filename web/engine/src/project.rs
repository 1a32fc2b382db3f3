//! The project of a request: its own `plumb.yml`, or one that contains only the target.

use std::borrow::Cow;
use std::path::Path;
use std::sync::Arc;

use plumb::World;
use plumb::world::MemoryWorld;
use plumb_project::{FILE_NAME, Project, Work};
use serde_json::{Map, Value, json};

use crate::answer::Found;
use crate::request::{Request, SetValue, Target};

/// The target of a request that has no project file.
const ONLY_TARGET: &str = "playground";

/// The file that contains standard input. A target of a project cannot read standard input itself.
const STDIN: &str = "/dev/stdin";

/// A project whose files are in memory, and one of its targets.
pub(crate) struct Opened {
    pub(crate) world: Arc<dyn World>,
    pub(crate) session: plumb::Session,
    pub(crate) project: Project,
    pub(crate) at: usize,
}

impl Opened {
    /// Reads the project. Fails with the mistakes in its file.
    pub(crate) fn new(request: &Request) -> Result<Self, Found> {
        let text = text(request);
        let others = request.files.iter().filter(|it| it.0 != FILE_NAME);
        let world = others.fold(MemoryWorld::new(), |world, (path, text)| world.file(path, text));
        let world = world.file(FILE_NAME, text.as_bytes());
        let world: Arc<dyn World> = match &request.stdin {
            Some(stdin) => Arc::new(world.file(STDIN, stdin)),
            None => Arc::new(world),
        };
        let session = plumb::Session::default();
        let mut found = Found { sources: session.sources(), ..Found::default() };
        let read = Project::read(&*world, Path::new(FILE_NAME), &found.sources);
        let Some(mut project) = found.keep(read) else { return Err(found) };
        let at = match &request.target {
            Target::Named(name) => found.keep(project.target(name)),
            Target::First | Target::Given(_) => Some(0),
        };
        let Some(at) = at else { return Err(found) };
        if has_own_file(request)
            && let Work::Render(render) = &mut project.targets[at].work
        {
            let values = request.values.iter().map(SetValue::data_value);
            render.options.data_values.extend(values);
        }
        Ok(Self { world, session, project, at })
    }

    pub(crate) fn work(&self) -> &Work {
        &self.project.targets[self.at].work
    }

    /// The names of all targets.
    pub(crate) fn targets(&self) -> Vec<&str> {
        self.project.targets.iter().map(|it| it.name.as_str()).collect()
    }
}

/// Whether the project file is one of the files. A target in the request takes precedence over it.
fn has_own_file(request: &Request) -> bool {
    !matches!(request.target, Target::Given(_)) && request.files.contains_key(FILE_NAME)
}

/// The text of the project file.
pub(crate) fn text(request: &Request) -> Cow<'_, str> {
    match (&request.target, request.files.get(FILE_NAME)) {
        (Target::Given(target), _) => {
            let mut target = target.clone();
            if request.stdin.is_some() {
                read_stdin(&mut target);
            }
            of_target(target, &request.values).into()
        }
        (_, Some(text)) => text.into(),
        (_, None) => {
            let all = Map::from_iter([("file".to_owned(), json!(["."]))]);
            of_target(all, &request.values).into()
        }
    }
}

fn of_target(mut target: Map<String, Value>, values: &[SetValue]) -> String {
    for value in values {
        let (flag, argument) = value.argument();
        add(&mut target, flag, argument);
    }
    if target.contains_key("generate") {
        // Nothing is written. The directory only determines the paths of files.
        target.entry("output-directory").or_insert_with(|| json!("."));
    }
    // The project file is in the same directory as the others, but must not be read as a template.
    let reads_all =
        |it: &Value| it == "." || it.as_array().is_some_and(|it| it.contains(&json!(".")));
    if target.get("file").is_some_and(reads_all) {
        add(&mut target, "file-mark", format!("{FILE_NAME}:exclude=true"));
    }
    format!("{:#}\n", json!({ "targets": { ONLY_TARGET: target } }))
}

/// Replaces `-` in a target by the file with the content of standard input.
fn read_stdin(target: &mut Map<String, Value>) {
    for flag in ["file", "data-values-file", "data-value-file"] {
        let Some(values) = target.get_mut(flag) else { continue };
        let values = match values {
            Value::Array(values) => values.as_mut_slice(),
            one => std::slice::from_mut(one),
        };
        for value in values {
            let Value::String(text) = value else { continue };
            if text == "-" {
                let name = if flag == "file" { "stdin.yml=" } else { "" };
                *text = format!("{name}{STDIN}");
            } else if let Some(name) = text.strip_suffix("=-") {
                *text = format!("{name}={STDIN}");
            }
        }
    }
}

/// Adds a value to a flag that can be repeated.
fn add(target: &mut Map<String, Value>, flag: &str, argument: String) {
    let list = target.entry(flag).or_insert_with(|| json!([]));
    if !list.is_array() {
        *list = json!([list.take()]);
    }
    list.as_array_mut().expect("it is a list").push(argument.into());
}
