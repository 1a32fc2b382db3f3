//! Actions that an editor shows above a line: run a test, or show the output of a file.

use std::path::Path;

use plumb_value::Node;

use crate::TextRange;
use crate::file::{File, FileKind};
use crate::knowledge::Knowledge;
use crate::preview;

/// An action for a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lens {
    pub range: TextRange,
    pub action: LensAction,
}

/// What an editor offers to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LensAction {
    /// Run the test with this name: `plumb test FILE --filter NAME`.
    RunTest(String),
    /// Run all tests of the file.
    RunTests,
    /// Show the output of this target.
    ShowOutput(String),
}

pub(crate) fn lenses(file: &File, path: &Path, knowledge: &Knowledge) -> Vec<Lens> {
    let tests = tests(file, path);
    if !tests.is_empty() {
        let all = Lens { range: 0..0, action: LensAction::RunTests };
        return std::iter::once(all).chain(tests).collect();
    }
    let is_rendered = |it: &&crate::TargetKnowledge| {
        it.output
            .as_ref()
            .is_some_and(|output| output.files.iter().any(|it| preview::is_from(it, path, output)))
    };
    let targets = knowledge.targets.iter().filter(is_rendered);
    targets
        .map(|it| Lens { range: 0..0, action: LensAction::ShowOutput(it.name.clone()) })
        .collect()
}

/// The tests of a file, by its name.
fn tests(file: &File, path: &Path) -> Vec<Lens> {
    let name = path.file_stem().and_then(|it| it.to_str()).unwrap_or_default();
    if !name.ends_with("_test") {
        return Vec::new();
    }
    match file.kind {
        FileKind::Yaml => suites(file),
        FileKind::Starlark => functions(file),
        FileKind::Text | FileKind::Other => Vec::new(),
    }
}

fn suites(file: &File) -> Vec<Lens> {
    let mut lenses = Vec::new();
    for document in &file.documents {
        let Some(suite) = document.node.as_map() else { continue };
        let Some(Node::Array(tests)) = suite.get_str("tests") else { continue };
        for test in &tests.items {
            let name = test.node.as_map().and_then(|it| it.get_str("it")?.as_str());
            let (Some(name), Some(span)) = (name, test.origin.span()) else { continue };
            let action = LensAction::RunTest(name.to_owned());
            lenses.push(Lens { range: span.start..span.end, action });
        }
    }
    lenses
}

fn functions(file: &File) -> Vec<Lens> {
    let functions = file.outline.code.functions.iter();
    let tests = functions.filter(|it| it.parent.is_none() && it.parameters.is_empty());
    let lens = |it: &plumb_starlark::outline::FunctionOutline| {
        let span = it.span.filter(|it| it.file == file.id)?;
        let name = it.name.as_str().filter(|it| it.starts_with("test_"))?;
        let action = LensAction::RunTest(name.to_owned());
        Some(Lens { range: span.start..span.end, action })
    };
    tests.filter_map(lens).collect()
}
