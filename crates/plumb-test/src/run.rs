//! Runs tests on all cores. Results are reported in the order of the files.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError, mpsc};
use std::thread;

use plumb::world::Text;
use plumb::{Document, Rendered, Session, Sources, World};
use plumb_diagnostic::{Diagnostic, Label, nearest};
use plumb_project::{Dependency, Project, Renderer, Timer};
use plumb_source::message::plain;
use plumb_source::{FileId, Message, Origin, Span, message, on_deep_stack};

use crate::check::{self, FAILED};
use crate::path::{Found, Path as DocumentPath};
use crate::read::shown;
use crate::renders::Renders;
use crate::snapshot::{Changed, SnapshotFile, Snapshots};
use crate::suite::{Assertion, Check, Content, Suite, Test, TestFile};
use crate::{code, fails};

/// The maximum number of documents that are reported for one assertion.
const MAX_REPORTED: usize = 3;

/// The tests to run, and the options of the run.
pub struct Request<'a> {
    /// The project with the targets that suites name.
    pub project: Option<Arc<Project>>,
    /// The files that renderings share. The suite files are among its sources.
    pub session: &'a Session,
    pub files: &'a [TestFile],
    /// Run only tests whose suite or name contains this text.
    pub filter: Option<&'a str>,
    pub snapshots: Snapshots,
    pub timer: Timer,
}

/// The results of one suite.
#[derive(Debug)]
pub struct SuiteResult {
    pub name: String,
    /// The path of the file.
    pub path: PathBuf,
    pub tests: Vec<TestResult>,
    /// The findings about the suite as a whole, such as snapshots without a test.
    pub findings: Vec<Diagnostic>,
    pub snapshots: Changed,
}

/// The result of one test.
#[derive(Debug)]
pub struct TestResult {
    pub name: String,
    pub place: Option<Span>,
    /// The findings. Empty if the test passed.
    pub findings: Vec<Diagnostic>,
    /// The lines that templates printed.
    pub printed: Vec<Text>,
}

/// Runs tests. Each suite is passed to `sink` as soon as it and all suites before it are done.
/// Returns every path that was read, listed or looked for.
pub fn run(
    world: &Arc<dyn World>,
    request: &Request<'_>,
    sink: &mut dyn FnMut(SuiteResult),
) -> Vec<Dependency> {
    let sources = request.session.sources();
    let renderer = Renderer::new(world, request.session.clone(), request.timer);
    let project = request.project.clone();
    let renders = Arc::new(Renders::new(renderer, project, Arc::clone(&sources), world.cores()));
    let files = request.files.iter().enumerate();
    let mut units: Vec<Unit<'_>> =
        files.flat_map(|(at, file)| Unit::of_file(at, file, request.filter)).collect();
    for unit in &mut units {
        unit.refused = unit.subject_error(&renders, &sources);
    }
    let snapshots = request.files.iter();
    let snapshots: Vec<Option<SnapshotFile>> =
        snapshots.map(|file| snapshot_file(&**world, file, request, &sources)).collect();
    let jobs: Vec<(usize, usize)> = units
        .iter()
        .enumerate()
        .flat_map(|(unit, it)| (0..it.n_jobs()).map(move |job| (unit, job)))
        .collect();
    let (renders, snapshots, sources) = (&renders, &snapshots, &sources);
    let shared = Shared { request, renders, snapshots, sources, shown: Mutex::default() };
    let mut results: Vec<Vec<Option<Vec<TestResult>>>> =
        units.iter().map(|it| (0..it.n_jobs()).map(|_| None).collect()).collect();
    let next = AtomicUsize::new(0);
    let n_threads = world.cores().count().min(jobs.len().max(1));
    thread::scope(|scope| {
        let (send, receive) = mpsc::channel();
        for _ in 0..n_threads {
            let (send, jobs, units, next, shared) = (send.clone(), &jobs, &units, &next, &shared);
            let work = move || {
                while let Some(&(unit, job)) = jobs.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let result = shared.job(&units[unit], job);
                    if send.send((unit, job, result)).is_err() {
                        return;
                    }
                }
            };
            scope.spawn(|| on_deep_stack(work));
        }
        drop(send);
        let mut n_done = 0;
        let mut finish = |results: &mut Vec<Vec<Option<Vec<TestResult>>>>| {
            while let Some(unit) = units.get(n_done)
                && results[n_done].iter().all(Option::is_some)
            {
                let tests = results[n_done].drain(..).flatten().flatten().collect();
                let is_last = units.get(n_done + 1).is_none_or(|it| it.file != unit.file);
                let result = shared.suite(&**world, unit, tests, is_last);
                // A filter may exclude all functions of a file of code.
                if !result.tests.is_empty() || !result.findings.is_empty() || !is_code(unit) {
                    sink(result);
                }
                n_done += 1;
            }
        };
        finish(&mut results);
        for (unit, job, result) in receive {
            results[unit][job] = Some(result);
            finish(&mut results);
        }
    });
    renders.dependencies()
}

fn is_code(unit: &Unit<'_>) -> bool {
    matches!(unit.work, Work::Code)
}

/// Reads the snapshots of a suite file. Returns `None` for a file of code.
fn snapshot_file(
    world: &dyn World,
    file: &TestFile,
    request: &Request<'_>,
    sources: &Sources,
) -> Option<SnapshotFile> {
    let read = || SnapshotFile::read(world, &file.path, request.snapshots, sources);
    (!file.is_code()).then(read)
}

/// A suite, and the tests of it that are run.
struct Unit<'a> {
    /// The number of the file.
    file: usize,
    path: &'a Path,
    work: Work<'a>,
    /// Why none of the tests can be run.
    refused: Option<Diagnostic>,
}

enum Work<'a> {
    Suite(&'a Suite, Vec<&'a Test>),
    /// The functions of a Starlark file. They are known after the file was evaluated.
    Code,
}

impl<'a> Unit<'a> {
    fn of_file(at: usize, file: &'a TestFile, filter: Option<&str>) -> Vec<Self> {
        let unit = |work| Unit { file: at, path: &file.path, work, refused: None };
        let Content::Suites(suites) = &file.content else { return vec![unit(Work::Code)] };
        let is_wanted = |suite: &Suite, test: &Test| {
            filter.is_none_or(|it| suite.name.contains(it) || test.name.contains(it))
        };
        let wanted = suites.iter().map(|suite| {
            let tests: Vec<&Test> = suite.tests.iter().filter(|it| is_wanted(suite, it)).collect();
            (suite, tests)
        });
        let wanted = wanted.filter(|(_, tests)| filter.is_none() || !tests.is_empty());
        wanted.map(|(suite, tests)| unit(Work::Suite(suite, tests))).collect()
    }

    fn n_jobs(&self) -> usize {
        match &self.work {
            _ if self.refused.is_some() => 0,
            Work::Suite(_, tests) => tests.len(),
            Work::Code => 1,
        }
    }

    /// Why the suite does not determine what to render. Returns `None` if it does.
    fn subject_error(&self, renders: &Renders, sources: &Sources) -> Option<Diagnostic> {
        let Work::Suite(suite, _) = &self.work else { return None };
        let failure = renders.subject(&suite.subject).err()?;
        let mut finding = failure.into_findings().into_iter().next()?;
        let file = finding.labels.first().map(|it| it.span.file);
        finding.plain.extend(file.into_iter().flat_map(|it| shown(it, &[], sources)));
        Some(finding)
    }

    /// The name of the suite.
    fn name(&self) -> String {
        match &self.work {
            Work::Suite(suite, _) => suite.name.clone(),
            Work::Code => self.path.file_stem().unwrap_or_default().to_string_lossy().into_owned(),
        }
    }
}

struct Shared<'a> {
    request: &'a Request<'a>,
    renders: &'a Arc<Renders>,
    snapshots: &'a [Option<SnapshotFile>],
    sources: &'a Sources,
    /// The parts of test files that findings show.
    shown: Mutex<HashMap<FileId, Arc<[Span]>>>,
}

impl Shared<'_> {
    fn job(&self, unit: &Unit<'_>, job: usize) -> Vec<TestResult> {
        let mut results = match &unit.work {
            Work::Suite(suite, tests) => vec![self.test(unit.file, suite, tests[job])],
            Work::Code => code::run(self.request, self.renders, unit.path),
        };
        let suite = unit.name();
        for result in &mut results {
            for finding in &mut result.findings {
                finding.test = Some(format!("`{}` of `{suite}`", result.name));
            }
        }
        results
    }

    fn test(&self, file: usize, suite: &Suite, test: &Test) -> TestResult {
        let result = |findings, printed| TestResult {
            name: test.name.clone(),
            place: test.place,
            findings,
            printed,
        };
        let subject = match self.renders.subject(&suite.subject) {
            Ok(subject) => subject,
            Err(failure) => return result(failure.into_findings(), Vec::new()),
        };
        let rendering = match self.renders.get(subject, &test.setup) {
            Ok(rendering) => rendering,
            Err(mistakes) => return result(mistakes, Vec::new()),
        };
        let printed = rendering.printed.clone();
        let is_about_failing = |it: &&Assertion| matches!(it.check, Check::Fails(_));
        let failing = test.assertions.iter().filter(is_about_failing);
        let failure = rendering.outcome.result.as_ref().err();
        let mut findings = Vec::new();
        for assertion in failing.clone() {
            let Check::Fails(fails) = &assertion.check else { continue };
            let finding = fails::violation(fails, failure, self.sources);
            findings.extend(negated(assertion, finding).map(|it| self.placed(assertion, it)));
        }
        match &rendering.outcome.result {
            Ok(rendered) => findings.extend(self.findings(file, suite, test, rendered)),
            // Other assertions need documents.
            Err(failure) if failing.count() < test.assertions.len() => {
                let mut found = failure.findings().to_vec();
                // The parts that the author of the test wrote are shown.
                for finding in &mut found {
                    let shown = test.place.map(|it| self.shown_parts(it.file));
                    finding.plain.extend(shown.iter().flat_map(|it| it.iter().copied()));
                }
                findings.extend(found);
            }
            Err(_) => {}
        }
        result(findings, printed)
    }

    fn findings(
        &self,
        file: usize,
        suite: &Suite,
        test: &Test,
        rendered: &Rendered,
    ) -> Vec<Diagnostic> {
        let mut findings = Vec::new();
        let mut n_snapshots = 0;
        for assertion in &test.assertions {
            let documents = check::selected(rendered, &assertion.scope);
            let n_documents = documents.len();
            let mut found: Vec<Diagnostic> = match &assertion.check {
                Check::Fails(_) => continue,
                Check::HasDocuments { count } => {
                    let is_right = n_documents == *count;
                    let message = message!("expected {count} documents, found {n_documents}");
                    let finding = (!is_right).then(|| Diagnostic::error(FAILED, message));
                    negated(assertion, finding).into_iter().collect()
                }
                _ if documents.is_empty() => vec![nothing_selected(assertion, rendered)],
                Check::MatchSnapshot(path) => {
                    let name = snapshot_name(suite, test);
                    let number = &mut n_snapshots;
                    let snapshots = self.snapshots[file].as_ref();
                    let compare = |it| compared(snapshots, &name, path, it, &mut *number);
                    documents.into_iter().flat_map(compare).collect()
                }
                _ => {
                    let check = |it| check::violation(assertion, it);
                    documents.into_iter().filter_map(check).collect()
                }
            };
            if let Some(help) = help_with_selection(assertion, n_documents, &found) {
                found[0].help.push(help);
            }
            found.truncate(MAX_REPORTED);
            findings.extend(found.into_iter().map(|it| self.placed(assertion, it)));
        }
        findings
    }

    /// The parts of a test file that findings show.
    fn shown_parts(&self, file: FileId) -> Arc<[Span]> {
        let mut known = self.shown.lock().unwrap_or_else(PoisonError::into_inner);
        known.entry(file).or_insert_with(|| shown(file, &[], self.sources).into()).clone()
    }

    /// Puts the place of the assertion before the places of a finding. The parts that the author of
    /// the test wrote are shown.
    fn placed(&self, assertion: &Assertion, mut finding: Diagnostic) -> Diagnostic {
        let Origin::Written(span) = assertion.place else { return finding };
        finding.labels.insert(0, Label { span, message: "".into() });
        finding.plain.extend(self.shown_parts(span.file).iter().copied());
        finding
    }

    /// The result of a suite. After the last suite of a file, its snapshots are written.
    fn suite(
        &self,
        world: &dyn World,
        unit: &Unit<'_>,
        tests: Vec<TestResult>,
        is_last: bool,
    ) -> SuiteResult {
        let mut findings: Vec<Diagnostic> = unit.refused.iter().cloned().collect();
        let mut changed = Changed::default();
        let snapshots = self.snapshots[unit.file].as_ref().filter(|_| is_last);
        if let (Some(snapshots), Content::Suites(suites)) =
            (snapshots, &self.request.files[unit.file].content)
        {
            findings.extend(snapshots.mistakes());
            let of_suite = |suite| move |test| snapshot_name(suite, test);
            let names = suites.iter().flat_map(|it| it.tests.iter().map(of_suite(it)));
            let names: Vec<String> = names.collect();
            let are_all_run = self.request.filter.is_none() && unit.refused.is_none();
            changed = snapshots.finish(world, &names, are_all_run, &mut findings);
        }
        let (name, path) = (unit.name(), unit.path.to_owned());
        SuiteResult { name, path, tests, findings, snapshots: changed }
    }
}

/// Compares the values at a path with the next snapshots of a test.
fn compared(
    snapshots: Option<&SnapshotFile>,
    name: &str,
    path: &DocumentPath,
    document: &Document,
    number: &mut i64,
) -> Vec<Diagnostic> {
    let root = check::root(document);
    let Ok(values) = path.find(root) else {
        let message = message!("there is no value at {}", check::shown(path));
        return vec![check::failed(message, root.origin)];
    };
    let compare = |value: Found<'_>| {
        *number += 1;
        snapshots.and_then(|it| it.check(name, *number, value.node, value.origin))
    };
    values.into_iter().filter_map(compare).collect()
}

/// The name of a test in a file of snapshots.
fn snapshot_name(suite: &Suite, test: &Test) -> String {
    format!("{} / {}", suite.name, test.name)
}

/// Inverts a verdict if the assertion is negated.
fn negated(assertion: &Assertion, finding: Option<Diagnostic>) -> Option<Diagnostic> {
    match (assertion.is_negated, finding) {
        (false, finding) => finding,
        (true, Some(_)) => None,
        (true, None) => {
            Some(Diagnostic::error(FAILED, "the assertion holds, but `not: true` says otherwise"))
        }
    }
}

/// The help for an assertion that holds only for some documents, if it has no selector.
fn help_with_selection(
    assertion: &Assertion,
    n_documents: usize,
    found: &[Diagnostic],
) -> Option<Message> {
    let scope = &assertion.scope;
    let is_about_all = scope.selector.is_empty() && scope.index.is_none();
    let is_about_each = !matches!(assertion.check, Check::HasDocuments { .. });
    let is_failed = found.first().is_some_and(|it| it.code == FAILED);
    let holds_for_some = is_failed && found.len() < n_documents;
    (is_about_all && is_about_each && holds_for_some).then(|| {
        message!(
            "the assertion applies to all {n_documents} documents; `documentSelector` selects some of them"
        )
    })
}

/// The finding for an assertion about documents that do not exist.
fn nothing_selected(assertion: &Assertion, rendered: &Rendered) -> Diagnostic {
    let scope = &assertion.scope;
    let paths = rendered.files.iter().map(|it| it.path.as_str());
    let is_file =
        |name: &str| paths.clone().any(|it| it == name || it.ends_with(&format!("/{name}")));
    if let Some(missing) = scope.templates.iter().find(|it| !is_file(&it.text)) {
        let message = message!("there is no output file `{}`", plain(&missing.text));
        let finding = Diagnostic::error(FAILED, message);
        return match nearest(&missing.text, paths.clone()) {
            Some(near) => finding.help(message!("did you mean `{}`?", plain(near))),
            None => {
                let all: Vec<&str> = paths.take(10).collect();
                finding.help(message!("output files are {}", plain(all.join(", "))))
            }
        };
    }
    let whole = check::selected(rendered, &crate::suite::Scope::default());
    if whole.is_empty() {
        return Diagnostic::error(FAILED, "nothing was rendered: there are no documents");
    }
    let message = "no document has the values of `documentSelector`";
    let message = if scope.selector.is_empty() { "there is no such document" } else { message };
    let n_documents = whole.len();
    Diagnostic::error(FAILED, message).help(message!("{n_documents} documents were rendered"))
}
