//! Runs the tests of a file of code (`*_test.star`).

use std::path::Path;
use std::sync::Arc;

use plumb::{Failure, RenderCall, SetValue, TestCode, TestFunction};
use plumb_diagnostic::{Code, Diagnostic};
use plumb_source::message::plain;
use plumb_source::{Origin, lexical, message};
use plumb_value::Document;

use crate::renders::Renders;
use crate::run::{Request, TestResult};
use crate::suite::Setup;

/// A Starlark file with tests has no test functions.
///
/// Tests are functions without parameters whose names begin with `test_`.
const NO_FUNCTIONS: Code = Code::new("test/no-functions");

/// Runs all functions of a file that the filter allows.
pub(crate) fn run(request: &Request<'_>, renders: &Arc<Renders>, path: &Path) -> Vec<TestResult> {
    let root = request.project.as_ref().and_then(|it| it.path.parent());
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let filter = request.filter.filter(|it| !stem.contains(*it));
    let shared = Arc::clone(renders);
    let render = Arc::new(move |call| render(&shared, call));
    let code = TestCode::new(path, request.session, render).root(root.unwrap_or(Path::new("")));
    let is_wanted = |name: &str| filter.is_none_or(|it| name.contains(it));
    match plumb::test_code(&renders.world(), &code, &is_wanted) {
        Ok(functions) if functions.is_empty() && request.filter.is_none() => {
            let message = message!("{} has no functions `test_…`", plain(lexical::shown(path)));
            vec![whole(vec![Diagnostic::error(NO_FUNCTIONS, message)])]
        }
        Ok(functions) => functions.into_iter().map(result).collect(),
        Err(failure) => vec![whole(failure.into_findings())],
    }
}

/// The result of a file that cannot be evaluated.
fn whole(findings: Vec<Diagnostic>) -> TestResult {
    TestResult { name: "load".to_owned(), place: None, findings, printed: Vec::new() }
}

fn result(function: TestFunction) -> TestResult {
    let TestFunction { name, place, result, printed, .. } = function;
    let findings = result.err().map(Failure::into_findings).unwrap_or_default();
    TestResult { name, place, findings, printed }
}

fn render(renders: &Renders, call: RenderCall) -> Result<Vec<Document>, Failure> {
    let RenderCall { target, set, values, .. } = call;
    let subject = match &target {
        Some(name) => renders.named(name),
        None => renders.only(),
    };
    let set = set.into_iter();
    let set = set.map(|(key, value)| SetValue { key, value, origin: Origin::Unknown }).collect();
    let rendering = renders.get(subject?, &Setup { values, set })?;
    match &rendering.outcome.result {
        Ok(rendered) => {
            let is_printed = |it: &&Document| !it.is_injected && !it.node.is_empty_document();
            Ok(rendered.documents().filter(is_printed).cloned().collect())
        }
        Err(failure) => Err(failure.clone()),
    }
}
