//! A test program made of case files: each case is a test with a name that can be filtered.
//!
//! It accepts the arguments of libtest, so `cargo test -p CRATE NAME` and `cargo nextest run` work.

#![expect(
    clippy::disallowed_methods,
    clippy::print_stdout,
    reason = "case files are read from and written to the repository itself; skips are printed"
)]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::{Arc, Mutex, PoisonError};

use libtest_mimic::{Arguments, Completion, Failed, Trial};

use crate::{Case, CaseFile, Expectation, difference};

/// Set to rewrite expectations instead of comparing them.
const UPDATE: &str = "PLUMB_UPDATE_CASES";

/// The programs that consoles run. A test program starts itself under their names.
pub(crate) const PROGRAMS: [&str; 3] = ["plumb", "ytt", "jk"];

/// Whether a console started this process as one of its programs. The test program must then behave
/// as that program.
pub fn is_program() -> bool {
    let name = std::env::args_os().next();
    name.is_some_and(|name| PROGRAMS.iter().any(|it| name == **it))
}

/// The tests of a test program with `harness = false`.
#[derive(Default)]
pub struct Suite {
    trials: Vec<Trial>,
    /// The number of skipped tests for each reason.
    skipped: Arc<Mutex<BTreeMap<String, usize>>>,
}

/// Why a test cannot run here.
#[derive(Debug)]
pub struct Skip(pub String);

/// Returns the actual result for an expectation of a case.
type Run = dyn Fn(&Case, &Expectation) -> String + Send + Sync;

/// Whether a section may have no expectation.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Prose {
    Allowed,
    Refused,
}

/// How the cases of pages are read and run.
struct Reading {
    /// The kinds of blocks that are expectations.
    kinds: &'static [&'static str],
    prose: Prose,
    run: Arc<Run>,
}

impl Suite {
    /// A suite without tests.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds every case of every `.md` file below a directory. `run` returns the actual result for
    /// one expectation. A case without an expectation and a directory without a case fail, because
    /// they would check nothing. Links to other directories are not followed: the pages there are
    /// checked with their own crate. The names of the tests start with `prefix`.
    #[must_use]
    pub fn cases(
        self,
        prefix: &str,
        directory: impl AsRef<Path>,
        kinds: &'static [&'static str],
        run: impl Fn(&Case, &Expectation) -> String + Send + Sync + 'static,
    ) -> Self {
        let reading = Reading { kinds, prose: Prose::Refused, run: Arc::new(run) };
        self.directory(prefix, directory.as_ref(), &reading)
    }

    /// Adds the cases of a directory whose expectations are consoles.
    #[must_use]
    pub fn consoles(self, prefix: &str, directory: impl AsRef<Path>) -> Self {
        #[cfg(unix)]
        return self.cases(prefix, directory, crate::console::KINDS, crate::console::replay);
        #[cfg(not(unix))]
        return self.test(&format!("{prefix}::consoles"), || {
            Err(Skip("consoles are replayed on Unix only".to_owned()))
        });
    }

    /// Adds the cases of a manual, whose pages may also have sections without an expectation.
    #[must_use]
    pub fn manual(
        self,
        prefix: &str,
        directory: impl AsRef<Path>,
        kinds: &'static [&'static str],
        run: impl Fn(&Case, &Expectation) -> String + Send + Sync + 'static,
    ) -> Self {
        let reading = Reading { kinds, prose: Prose::Allowed, run: Arc::new(run) };
        self.directory(prefix, directory.as_ref(), &reading)
    }

    /// Adds the cases of one page of a manual.
    #[must_use]
    pub fn page(
        mut self,
        prefix: &str,
        page: impl AsRef<Path>,
        kinds: &'static [&'static str],
        run: impl Fn(&Case, &Expectation) -> String + Send + Sync + 'static,
    ) -> Self {
        let reading = Reading { kinds, prose: Prose::Allowed, run: Arc::new(run) };
        assert!(self.add_page(prefix, page.as_ref(), &reading) > 0);
        self
    }

    /// Adds a test that is not a case. If it returns a [`Skip`], it counts as ignored, with the
    /// reason.
    #[must_use]
    pub fn test(
        mut self,
        name: &str,
        run: impl FnOnce() -> Result<(), Skip> + Send + 'static,
    ) -> Self {
        let skipped = Arc::clone(&self.skipped);
        self.trials.push(Trial::ignorable_test(name, move || match run() {
            Ok(()) => Ok(Completion::Completed),
            Err(Skip(reason)) => {
                let mut skipped = skipped.lock().unwrap_or_else(PoisonError::into_inner);
                *skipped.entry(reason.clone()).or_default() += 1;
                Ok(Completion::ignored_with(reason))
            }
        }));
        self
    }

    /// Runs the tests that the arguments of this process select, and prints the reasons for skipped
    /// tests.
    pub fn run(self) -> ExitCode {
        let conclusion = libtest_mimic::run(&Arguments::from_args(), self.trials);
        for (reason, count) in self.skipped.lock().unwrap_or_else(PoisonError::into_inner).iter() {
            println!("{count} skipped: {reason}");
        }
        conclusion.exit_code()
    }

    fn directory(mut self, prefix: &str, directory: &Path, reading: &Reading) -> Self {
        let mut n_cases = 0;
        for page in markdown_files(directory) {
            let below = page.strip_prefix(directory).expect("pages are below their directory");
            let below = below.with_extension("");
            let names = below.iter().map(|it| name(&it.to_string_lossy()));
            let names: Vec<String> = Some(prefix.to_owned())
                .filter(|it| !it.is_empty())
                .into_iter()
                .chain(names)
                .collect();
            n_cases += self.add_page(&names.join("::"), &page, reading);
        }
        assert!(n_cases > 0, "no case in {}", directory.display());
        self
    }

    /// Adds the cases of a page, and returns their number.
    fn add_page(&mut self, prefix: &str, page: &Path, reading: &Reading) -> usize {
        let kinds = reading.kinds;
        let file = read(page, kinds);
        let before = self.trials.len();
        for (number, case) in file.cases.iter().enumerate() {
            if case.expectations.is_empty() && reading.prose == Prose::Allowed {
                continue;
            }
            let (page, run) = (page.to_owned(), Arc::clone(&reading.run));
            let name = format!("{prefix}::{}", name(&case.title));
            let check = move || check(&page, number, kinds, &*run);
            self.trials.push(Trial::test(name, check));
        }
        self.trials.len() - before
    }
}

/// Runs a case of a page, and compares or rewrites its expectations.
fn check(page: &Path, number: usize, kinds: &[&str], run: &Run) -> Result<(), Failed> {
    // Other cases may rewrite the same page at the same time.
    static PAGES: Mutex<()> = Mutex::new(());
    let locked = || PAGES.lock().unwrap_or_else(PoisonError::into_inner);
    let guard = locked();
    let file = read(page, kinds);
    drop(guard);
    let case = &file.cases[number];
    let place = format!("{}:{}: {}", page.display(), case.line, case.title);
    if case.expectations.is_empty() {
        return Err(format!("{place}\nThe case has no expectation").into());
    }
    let found: Vec<String> =
        case.expectations.iter().map(|expectation| terminated(run(case, expectation))).collect();
    if std::env::var_os(UPDATE).is_some() {
        let _guard = locked();
        let file = read(page, kinds);
        let text = file.with_expectations(&file.cases[number], &found);
        std::fs::write(page, text).expect("a writable tree");
        return Ok(());
    }
    let pairs = case.expectations.iter().zip(&found);
    let differences: Vec<String> = pairs
        .filter(|(expectation, found)| expectation.text != **found)
        .map(|(expectation, found)| difference::shown(&expectation.text, found))
        .collect();
    if differences.is_empty() {
        return Ok(());
    }
    Err(format!("{place}\n{}", differences.join("\n")).into())
}

fn read(page: &Path, kinds: &[&str]) -> CaseFile {
    let text = std::fs::read_to_string(page).expect("case files are readable");
    CaseFile::parse(page, &text, kinds)
}

/// A title as the name of a test: `A value is refused` is `a_value_is_refused`.
fn name(title: &str) -> String {
    let words = title.split(|it: char| !it.is_alphanumeric()).filter(|it| !it.is_empty());
    words.map(str::to_lowercase).collect::<Vec<_>>().join("_")
}

/// Adds a line break to the end of a text if it is missing, because a block consists of lines.
fn terminated(mut text: String) -> String {
    if !text.is_empty() && !text.ends_with('\n') {
        text.push('\n');
    }
    text
}

fn markdown_files(directory: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(directory).expect("the directory of cases exists");
    let mut paths: Vec<PathBuf> =
        entries.map(|entry| entry.expect("a readable entry").path()).collect();
    paths.retain(|path| !path.is_symlink());
    paths.sort();
    let below = paths.into_iter().flat_map(|path| {
        if path.is_dir() {
            markdown_files(&path)
        } else if path.extension().is_some_and(|it| it == "md") {
            vec![path]
        } else {
            Vec::new()
        }
    });
    below.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn titles_are_names_without_punctuation() {
        assert_eq!(name("`-v` sets a *data value*, if it can"), "v_sets_a_data_value_if_it_can");
        assert_eq!(name("plain-yaml"), "plain_yaml");
    }
}
