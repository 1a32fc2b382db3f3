//! `plumb test [PATH…]`: runs unit tests of configuration.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use plumb::native::NativeWorld;
use plumb::{Code, Diagnostic, Failure, Session, Severity, Sources, World};
use plumb_project::{NO_PROJECT, Project, Shard};
use plumb_report::{Test, TestSuite};
use plumb_source::message::plain;
use plumb_source::{lexical, message};
use plumb_test::coverage;
use plumb_test::{Below, Changed, NOT_READ, Request, Snapshots, SuiteResult, TestFile};

use super::{Command, help, project, template, test_watch};
use crate::args::{self, Parsed, Spec, Takes, Topic, UsageError};
use crate::exit::Exit;
use crate::report::{self, NOT_WRITTEN, Report, write_file};

/// There are no tests.
///
/// Without a path, `plumb test` looks for files called `*_test.yml`, `*_test.yaml` and
/// `*_test.star` in directories called `tests` below the project. `--filter` leaves out tests whose
/// names do not contain its text.
const NO_TESTS: Code = Code::new("test/none");

/// The flags of the command.
#[derive(Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of the command line")]
pub(super) struct Flags {
    directory: Option<PathBuf>,
    shard: Option<String>,
    filter: Option<String>,
    pub(super) updates: bool,
    prints_schema: bool,
    measures: bool,
    lcov: Option<PathBuf>,
    marks: bool,
}

pub(super) const SPECS: &[Spec<Flags>] = &[
    Spec {
        long: "project",
        short: None,
        takes: Takes::One("DIR", |flags, value| flags.directory = Some(value.into())),
        topic: Topic::Input,
        help: project::PROJECT.help,
    },
    Spec {
        long: "filter",
        short: None,
        takes: Takes::One("TEXT", |flags, value| flags.filter = Some(value)),
        topic: Topic::Input,
        help: "Run only tests whose name, or suite name, contains this text",
    },
    Spec {
        long: "shard",
        short: None,
        takes: Takes::One("K/N", |flags, value| flags.shard = Some(value)),
        topic: Topic::Input,
        help: "Only one of N parts of the files with tests, so that N machines can share the work: 1/4 is the first of four",
    },
    Spec {
        long: "update",
        short: None,
        takes: Takes::Nothing(|flags| &mut flags.updates),
        topic: Topic::Output,
        help: "Rewrite all snapshots, and remove those that do not belong to a test",
    },
    Spec {
        long: "coverage",
        short: None,
        takes: Takes::Nothing(|flags| &mut flags.measures),
        topic: Topic::Output,
        help: "Print the coverage: which lines, branches, functions, overlay operations and rules of templates the tests use",
    },
    Spec {
        long: "coverage-file",
        short: None,
        takes: Takes::One("FILE", |flags, value| flags.lcov = Some(value.into())),
        topic: Topic::Output,
        help: "Write the coverage to this file in the format of lcov, which editors and services show",
    },
    Spec {
        long: "coverage-source",
        short: None,
        takes: Takes::Nothing(|flags| &mut flags.marks),
        topic: Topic::Output,
        help: "Print the sources, with the number of times that each line was used",
    },
    Spec {
        long: "schema",
        short: None,
        takes: Takes::Nothing(|flags| &mut flags.prints_schema),
        topic: Topic::Inspection,
        help: "Print the JSON Schema of suite files, for editors",
    },
];

pub(super) fn run(report: &Report, arguments: Vec<String>) -> Result<Exit, UsageError> {
    let Parsed { flags, wants_help, extra } = args::parse(arguments, SPECS)?;
    if wants_help {
        return Ok(help::show(report, Command::Test));
    }
    if flags.prints_schema {
        return Ok(project::print_json_schema(report, &plumb_test::json_schema()));
    }
    let request = Wanted {
        shard: project::shard(flags.shard.as_deref())?,
        in_ci: std::env::var_os("CI").is_some_and(|it| !it.is_empty() && it != "false"),
        arguments: extra,
        flags,
    };
    let world: Arc<dyn World> = Arc::new(NativeWorld::default());
    if report.watches() {
        return test_watch::run(report, &world, &request);
    }
    let found = request.find(&*world);
    Ok(request.run(report, &world, &found, None))
}

/// Which tests to run, and how.
pub(super) struct Wanted {
    pub(super) flags: Flags,
    /// Paths of files and directories.
    arguments: Vec<String>,
    shard: Option<Shard>,
    /// Whether a missing snapshot is a failure.
    in_ci: bool,
}

impl Wanted {
    /// Finds the files with tests.
    pub(super) fn find(&self, world: &dyn World) -> Result<Vec<PathBuf>, Failure> {
        // A mistake in the project file is reported when the tests are run.
        let project = self.open(world, &Sources::new()).unwrap_or_default();
        let paths = paths(world, project.as_ref(), &self.arguments)?;
        Ok(match self.shard {
            Some(shard) => {
                shard.of(&paths.iter().collect::<Vec<_>>()).into_iter().cloned().collect()
            }
            None => paths,
        })
    }

    /// Runs the tests of these files. `cause` is what has changed since the last time.
    pub(super) fn run(
        &self,
        report: &Report,
        world: &Arc<dyn World>,
        found: &Result<Vec<PathBuf>, Failure>,
        cause: Option<&str>,
    ) -> Exit {
        let session = if self.measures() { Session::counting() } else { Session::default() };
        let sources = session.sources();
        let project = match self.open(&**world, &sources) {
            Ok(project) => project.map(Arc::new),
            Err(failure) => return not_run(report, &failure, &sources, cause),
        };
        let paths = match found {
            Ok(paths) => paths,
            Err(failure) => return not_run(report, failure, &sources, cause),
        };
        let files = read(report, &**world, paths, &sources);
        let request = Request {
            project,
            session: &session,
            files: &files,
            filter: self.flags.filter.as_deref(),
            snapshots: match (self.flags.updates, self.in_ci) {
                (true, _) => Snapshots::Update,
                (false, true) => Snapshots::Check,
                (false, false) => Snapshots::WriteNew,
            },
            timer: template::after,
        };
        let mut total = Total { lists_passed: cause.is_none(), ..Total::default() };
        plumb_test::run(world, &request, &mut |suite| {
            total.add(report, &**world, &suite, &sources);
        });
        // A shard other than the first may have no tests.
        let is_left_out = paths.is_empty() && self.shard.is_some_and(|it| !it.is_first());
        if total.n_tests == 0 && !report.is_failed() && !is_left_out {
            return not_run(report, &self.no_tests().into(), &sources, cause);
        }
        let reported = report.summary(&match cause {
            Some(cause) => format!("{cause}: {}", total.summary()),
            None => total.summary(),
        });
        let reported = if self.measures() {
            show_coverage(report, &**world, &session, &self.flags, reported)
        } else {
            reported
        };
        if total.n_failed > 0 || total.is_refused || report.is_failed() {
            Exit::Findings
        } else {
            reported
        }
    }

    fn measures(&self) -> bool {
        self.flags.measures || self.flags.marks || self.flags.lcov.is_some()
    }

    /// Reads the project file. Suites with their own flags do not need it.
    fn open(&self, world: &dyn World, sources: &Sources) -> Result<Option<Project>, Failure> {
        let directory = self.flags.directory.as_deref();
        let path = project::path(world, directory);
        match path.and_then(|path| Project::read(world, &path, sources)) {
            Ok(project) => Ok(Some(project)),
            Err(failure) => {
                let is_missing = failure.findings().iter().any(|it| it.code == NO_PROJECT);
                if is_missing && directory.is_none() { Ok(None) } else { Err(failure) }
            }
        }
    }

    fn no_tests(&self) -> Diagnostic {
        match (&self.flags.filter, self.arguments.as_slice()) {
            (Some(filter), _) => {
                let message = message!("no test has a name that contains `{}`", plain(filter));
                Diagnostic::error(NO_TESTS, message)
            }
            (None, []) => Diagnostic::error(NO_TESTS, "there are no tests")
                .help("write one, for example in tests/web_test.yml; the guide \"Test configuration\" shows how"),
            (None, paths) => {
                let message = message!("there are no tests in {}", plain(paths.join(", ")));
                Diagnostic::error(NO_TESTS, message)
                    .help("the names of test files end in `_test.yml` or `_test.star`")
            }
        }
    }
}

/// Reports why no tests were run.
fn not_run(report: &Report, failure: &Failure, sources: &Sources, cause: Option<&str>) -> Exit {
    let exit = report.failure(failure, sources);
    if let Some(cause) = cause {
        report.summary(&format!("{cause}: no tests were run"));
    }
    exit
}

/// Prints and writes the coverage of the tests. Files with tests are left out.
fn show_coverage(
    report: &Report,
    world: &dyn World,
    session: &Session,
    flags: &Flags,
    reported: Exit,
) -> Exit {
    let mut files = session.coverage();
    files.retain(|it| !it.path.to_string_lossy().ends_with("_test.star"));
    if flags.marks {
        for file in &files {
            let text = world.read(&file.path).map(|it| String::from_utf8_lossy(&it).into_owned());
            report.summary(&coverage::marked(file, &text.unwrap_or_default()));
        }
    }
    if flags.measures {
        report.summary(coverage::table(&files).trim_end());
    }
    let Some(path) = &flags.lcov else { return reported };
    match write_file(path, coverage::lcov(&files).as_bytes()) {
        Ok(()) => reported,
        Err(error) => {
            let finding = Diagnostic::error(NOT_WRITTEN, plain(error.words()));
            report.failure(&finding.into(), &session.sources())
        }
    }
}

/// The files with tests: those that the arguments name, or those below the project.
fn paths(
    world: &dyn World,
    project: Option<&Project>,
    arguments: &[String],
) -> Result<Vec<PathBuf>, Failure> {
    let root = project.and_then(|it| it.path.parent()).unwrap_or(Path::new(""));
    let found = if arguments.is_empty() {
        plumb_test::find(world, root, Below::Tests)
    } else {
        let found =
            arguments.iter().map(|it| plumb_test::find(world, Path::new(it), Below::Everywhere));
        found.collect::<Result<Vec<_>, _>>().map(|it| it.concat())
    };
    let mut paths = found.map_err(|error| {
        let finding = Diagnostic::error(NOT_READ, plain(error.words()));
        if arguments.is_empty() {
            return Failure::from(finding);
        }
        let help = "name files or directories with tests; --filter TEXT chooses tests by name";
        finding.help(help).into()
    })?;
    paths.sort();
    paths.dedup();
    Ok(paths)
}

/// Reads files with tests. Mistakes in them are reported; the others are still run.
fn read(report: &Report, world: &dyn World, paths: &[PathBuf], sources: &Sources) -> Vec<TestFile> {
    let mut findings = Vec::new();
    let mut files = Vec::new();
    for path in paths {
        match TestFile::read(world, path, sources, &mut findings) {
            Ok(file) => files.push(file),
            Err(failure) => findings.extend(failure.into_findings()),
        }
    }
    report.findings(&findings, sources);
    files
}

/// The results of all suites.
#[derive(Default)]
struct Total {
    /// Whether suites without a failure get a line.
    lists_passed: bool,
    n_suites: usize,
    n_tests: usize,
    n_failed: usize,
    /// Whether a suite could not be run.
    is_refused: bool,
    snapshots: Changed,
}

impl Total {
    /// Reports a suite: its failures, then a line about it.
    fn add(&mut self, report: &Report, world: &dyn World, suite: &SuiteResult, sources: &Sources) {
        let n_tests = suite.tests.len();
        let n_failed = suite.tests.iter().filter(|it| !it.findings.is_empty()).count();
        for test in &suite.tests {
            for line in &test.printed {
                world.print(line);
            }
            report.findings(&test.findings, sources);
        }
        report.findings(&suite.findings, sources);
        let path = lexical::shown(&suite.path);
        let (name, count) = (lexical::one_line(&suite.name), counted(n_tests, "test"));
        let is_refused = suite.findings.iter().any(|it| it.severity == Severity::Error);
        self.is_refused |= is_refused;
        match n_failed {
            0 if is_refused => report.summary(&format!("FAILED  {name} ({path})")),
            0 if !self.lists_passed => Exit::Fine,
            0 => report.summary(&format!("ok      {name} ({path}): {count}")),
            _ => report.summary(&format!("FAILED  {name} ({path}): {n_failed} of {count}")),
        };
        report.suite(|| described(suite, sources));
        self.n_suites += 1;
        self.n_tests += n_tests;
        self.n_failed += n_failed;
        self.snapshots.n_written += suite.snapshots.n_written;
        self.snapshots.n_removed += suite.snapshots.n_removed;
    }

    fn summary(&self) -> String {
        let Self { n_suites, n_tests, n_failed, snapshots, .. } = self;
        let mut line =
            format!("{} in {}: ", counted(*n_tests, "test"), counted(*n_suites, "suite"));
        let _ = write!(line, "{} passed", n_tests - n_failed);
        if *n_failed > 0 {
            let _ = write!(line, ", {n_failed} failed");
        }
        if snapshots.n_written > 0 {
            let _ = write!(line, ", {} written", counted(snapshots.n_written, "snapshot"));
        }
        if snapshots.n_removed > 0 {
            let _ = write!(line, ", {} removed", counted(snapshots.n_removed, "snapshot"));
        }
        line
    }
}

/// The results of a suite for reports.
fn described(suite: &SuiteResult, sources: &Sources) -> TestSuite {
    let tests = suite.tests.iter().map(|test| Test {
        name: test.name.clone(),
        line: test.place.map(|it| sources.get(it.file).line(it.start)),
        failures: report::described(test.findings.iter(), sources),
    });
    TestSuite { name: suite.name.clone(), file: suite.path.clone(), tests: tests.collect() }
}

fn counted(n: usize, word: &str) -> String {
    format!("{n} {word}{}", if n == 1 { "" } else { "s" })
}
