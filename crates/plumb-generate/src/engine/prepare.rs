//! Finds the modules of a request, and creates the module that connects them.

use std::fmt::Write as _;
use std::path::{Component, Path, PathBuf};

use plumb_diagnostic::{Diagnostic, Failure};
use serde_json::json;

use super::loader::load_first;
use super::thrown::not_javascript;
use super::{FILE, directories, unreadable};
use crate::module::{self, Content, Modules};
use crate::run::Run;
use crate::{Action, DependencyKind, Destination, Dialect, Request, Script, Surroundings};

/// The name of code from the command line, and of a script from standard input.
const EXEC: &str = "<exec>";
const STDIN: &str = "<stdin>";

/// The run of a request, and the code of `plumb:main`.
pub(super) fn prepare(
    mut request: Request,
    surroundings: Surroundings,
) -> Result<(Run, String), Failure> {
    if let (Action::Validate { files, .. }, Dialect::Plumb) = (&mut request.action, request.dialect)
    {
        *files = directories::listed(files, &*surroundings.world)
            .map_err(|error| Diagnostic::error(FILE, error.message()))?;
    }
    let (root, script_directory) = roots(&request);
    let modules = Modules::new(root.clone(), script_directory, &request.libraries);
    let mut run = Run::new(request, surroundings, modules);
    if run.request.dialect == Dialect::Plumb {
        run.read_all_inputs();
    }
    let mut entries = Vec::new();
    let shape = shape_of(&run.request.action);
    let script = script_of(&run.request.action).cloned();
    if let Some(script) = &script {
        entries.push(entry(&run, &root, script, shape)?);
    }
    for validator in run.request.validators.clone() {
        entries.push(entry(&run, &root, &validator, Shape::Expression)?);
    }
    if let Some(first) = entries.first() {
        load_first(&run, first).map_err(|refused| not_javascript(&run, &refused))?;
    }
    let main = main_module(&run.request, script.as_ref(), &entries);
    Ok((run, main))
}

/// The kind of code on the command line.
#[derive(Clone, Copy)]
enum Shape {
    /// A module.
    Module,
    /// An expression whose value is a function.
    Expression,
}

fn shape_of(action: &Action) -> Shape {
    match action {
        Action::Run { .. } | Action::Generate { .. } => Shape::Module,
        Action::Transform { .. } | Action::Validate { .. } => Shape::Expression,
    }
}

fn script_of(action: &Action) -> Option<&Script> {
    match action {
        Action::Run { script }
        | Action::Generate { script, .. }
        | Action::Transform { script, .. } => Some(script),
        Action::Validate { script, .. } => script.as_ref(),
    }
}

/// The root of imports, and the directory of the script. `run` confines a script to its own
/// directory. The other commands confine it to the working directory, if that contains the script.
fn roots(request: &Request) -> (PathBuf, PathBuf) {
    let Some(Script::File(path)) = script_of(&request.action) else {
        return (PathBuf::new(), PathBuf::new());
    };
    let directory = path.parent().unwrap_or(Path::new("")).to_owned();
    let is_inside = !path.is_absolute() && !path.components().any(|it| it == Component::ParentDir);
    match request.action {
        Action::Generate { .. } | Action::Transform { .. } | Action::Validate { .. }
            if is_inside =>
        {
            (PathBuf::new(), directory)
        }
        _ => (directory.clone(), directory),
    }
}

/// Adds the module of a script and returns its name.
fn entry(run: &Run, root: &Path, script: &Script, shape: Shape) -> Result<String, Failure> {
    let text = |name: &str, content: Content| {
        let mut modules = run.modules.borrow_mut();
        let name = match modules.get(name) {
            // A command line may contain two pieces of code.
            Some(_) => format!("{name} {}", modules.len()),
            None => name.to_owned(),
        };
        modules.add(name, content)
    };
    match script {
        Script::File(path) => {
            let below = path.strip_prefix(root).unwrap_or(path);
            let specifier = format!("./{}", below.to_string_lossy().trim_start_matches("./"));
            resolve(run, &specifier, &path.to_string_lossy())
        }
        Script::Module(specifier) => resolve(run, specifier, specifier),
        Script::Text(code) => Ok(match shape {
            Shape::Module => text(EXEC, Content::Text(code.clone())),
            Shape::Expression => text(EXEC, Content::Expression(code.clone())),
        }),
        Script::Stdin => {
            let bytes = run.world().stdin();
            let bytes = bytes.map_err(|error| unreadable(Path::new(STDIN), &error))?;
            let code = String::from_utf8(bytes.to_vec())
                .map_err(|_| unreadable(Path::new(STDIN), &"not UTF-8"))?;
            Ok(text(STDIN, Content::Text(code)))
        }
    }
}

fn resolve(run: &Run, specifier: &str, named: &str) -> Result<String, Failure> {
    match module::resolve(run, module::TOP_LEVEL, specifier) {
        Ok(name) => {
            if let Some(path) = module::full_path(run, &name) {
                let specifier = named.to_owned();
                run.depend(DependencyKind::Import { specifier }, &path);
            }
            Ok(name)
        }
        Err(mut unresolved) => {
            named.clone_into(&mut unresolved.specifier);
            Err(super::thrown::unresolved(run, &unresolved).into())
        }
    }
}

fn main_module(request: &Request, script: Option<&Script>, entries: &[String]) -> String {
    let mut main = String::from("import 'plumb:console';\n");
    let quote = |name: &str| serde_json::to_string(name).expect("a string is always JSON");
    let import = |name: &str| quote(&format!("plumb:entry/{name}"));
    if let Action::Run { .. } = request.action {
        if matches!(script, Some(Script::Text(_))) {
            main.push_str("import 'plumb:globals';\n");
        }
        for name in entries {
            let _ = writeln!(main, "import {};", import(name));
        }
        main.push_str("export default async () => {};\n");
        return main;
    }
    main.push_str("import { commands } from 'plumb:command';\n");
    for (at, name) in entries.iter().enumerate() {
        let _ = writeln!(main, "import * as entry{at} from {};", import(name));
    }
    let mut names: Vec<String> = (0..entries.len()).map(|at| format!("entry{at}")).collect();
    let script = if script.is_some() { names.remove(0) } else { "undefined".to_owned() };
    let (command, options) = options(request);
    let _ = writeln!(
        main,
        "export default () => commands.{command}({script}, {options}, [{}]);",
        names.join(", ")
    );
    main
}

/// The name of a command among those in `js/command.js`, and its options.
fn options(request: &Request) -> (&'static str, serde_json::Value) {
    const OVERWRITE_WRITE: u32 = 1;
    const OVERWRITE_ERR: u32 = 2;
    match &request.action {
        Action::Run { .. } => ("run", json!({})),
        Action::Generate { to, .. } => (
            "generate",
            json!({ "toStdout": *to == Destination::Stdout, "overwrite": OVERWRITE_WRITE }),
        ),
        Action::Transform { files, to, .. } => (
            "transform",
            json!({
                "files": files_in_order(files, request.dialect),
                "toStdout": *to == Destination::Stdout,
                "overwrite": OVERWRITE_ERR,
                "isUnconfined": *to == Destination::InPlace,
            }),
        ),
        Action::Validate { files, .. } => {
            ("validate", json!({ "files": files_in_order(files, request.dialect) }))
        }
    }
}

/// Each file once, in the order of the command line, or sorted by name in jk's dialect.
pub(super) fn files_in_order(files: &[String], dialect: Dialect) -> Vec<&str> {
    let mut seen = std::collections::HashSet::new();
    let mut files: Vec<&str> =
        files.iter().map(String::as_str).filter(|it| seen.insert(*it)).collect();
    if dialect == Dialect::Jk {
        files.sort_unstable();
    }
    files
}
