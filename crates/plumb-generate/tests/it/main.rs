//! Runs in an in-memory world: tests that cannot be written as consoles.

mod attacks;
mod bombs;
mod world;

use std::any::Any;
use std::path::PathBuf;
use std::sync::Arc;

use plumb_generate::{
    Action, Clock, Destination, Dialect, EngineMemory, Limits, Outcome, Parameters, Reporting,
    Request, RuleFunction, Script, Surroundings, run,
};
use plumb_source::Sources;
use plumb_value::{CallError, Callable, Datum, Node, Step};

use world::{Lines, Memory};

fn request(script: &str) -> Request {
    Request {
        action: Action::Generate {
            script: Script::File(PathBuf::from(script)),
            to: Destination::Files,
        },
        dialect: Dialect::Plumb,
        parameters: Parameters::default(),
        input_directory: None,
        output_directory: PathBuf::from("out"),
        libraries: Vec::new(),
        validators: Vec::new(),
        native_validators: Vec::new(),
        schema: None,
        limits: Limits::default(),
        clock: Clock::Fixed,
        reporting: Reporting::default(),
    }
}

fn surroundings(world: &Arc<Memory>) -> Surroundings {
    Surroundings {
        world: Arc::clone(world) as _,
        console: Arc::new(Lines),
        sources: Arc::new(Sources::new()),
        stop: Arc::new(|| None),
        memory: EngineMemory::Freed,
        wording: Clone::clone,
    }
}

fn lines(outcome: &Outcome) -> Vec<String> {
    let sources = Sources::new();
    outcome.reports.iter().flat_map(|report| report.lines(&sources)).collect()
}

/// The files of an outcome, as `path = text`.
fn files(outcome: &Outcome) -> Vec<String> {
    let files = outcome.trees.iter().flat_map(|tree| {
        tree.files.iter().map(|(path, bytes)| {
            let path = tree.directory.join(path);
            format!("{} = {}", path.display(), String::from_utf8_lossy(bytes))
        })
    });
    files.collect()
}

/// A rule as in a template: names must be strings.
#[derive(Debug)]
struct NameIsText;

impl Callable for NameIsText {
    fn name(&self) -> &'static str {
        "name_is_text"
    }

    fn arity(&self) -> Option<usize> {
        Some(1)
    }

    fn call(&self, args: Vec<Datum>) -> Result<Datum, CallError> {
        let name = args[0].to_node().and_then(|it| it.as_map()?.get_str("name").cloned());
        match name {
            Some(Node::String(_)) => Ok(Datum::Node(Node::Null)),
            Some(_) => Err(CallError {
                at: [Step::Key("name".into())].into(),
                ..CallError::deliberate("must be a text")
            }),
            None => Ok(Datum::Node(Node::Bool(false))),
        }
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

#[test]
fn rules_of_another_language_validate_every_value() {
    let script = "export default [
        { path: 'a.yaml', value: { name: 'a' } },
        { path: 'b.yaml', value: { name: 1 } },
        { path: 'c.yaml', value: {} },
    ];";
    let world = Arc::new(Memory::new(&[("config.js", script)]));
    let request = Request {
        native_validators: vec![Arc::new(RuleFunction(Arc::new(NameIsText)))],
        ..request("config.js")
    };
    let outcome = run(request, &surroundings(&world)).expect("the script itself is right");
    assert_eq!(
        lines(&outcome),
        ["b.yaml: must be a text at name", "c.yaml: \"name_is_text()\" returned False"]
    );
    assert_eq!(files(&outcome), [] as [&str; 0]);
}

#[test]
fn the_files_of_a_generator_are_one_tree() {
    let script = "export default [{ path: 'd/a.yaml', value: 1 }, { path: 'b.json', value: 2 }];";
    let world = Arc::new(Memory::new(&[("config.js", script)]));
    let outcome = run(request("config.js"), &surroundings(&world)).expect("a right script");
    assert!(outcome.is_valid());
    assert_eq!(files(&outcome), ["out/d/a.yaml = 1\n", "out/b.json = 2\n"]);
    assert_eq!(outcome.trees.len(), 1);
}
