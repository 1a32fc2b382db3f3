//! The output of the program: results go to standard output, everything else to standard error, and
//! reports to the requested places.

mod outlet;

use std::borrow::{Borrow, Cow};
use std::cell::{Cell, RefCell};
use std::fmt::Write as _;
use std::io::{self, ErrorKind, IsTerminal as _, Write as _};
use std::ops::ControlFlow;

use plumb::generator;
use plumb::pretty::{Colour, Look, Values};
use plumb::{Code, Diagnostic, Failure, Severity, Sources, peer, pretty};
use plumb_report::{Finding, Run, TestSuite};
use plumb_source::message::plain;
use plumb_source::{Message, lexical, message};

#[cfg(test)]
pub(crate) use outlet::Data;
pub(crate) use outlet::{Layout, Outlet, Words, write as write_file};
pub(crate) use plumb::NOT_WRITTEN;

use crate::Name;
use crate::args::{self, UsageError};
use crate::common::Common;
use crate::exit::Exit;

/// The command line is wrong.
///
/// A flag or command does not exist, has no value, or cannot be combined with another one. The help
/// offers the nearest name; `plumb help COMMAND` lists all flags. The exit code is 2, and nothing
/// was done.
pub(crate) const MISUSE: Code = Code::new("cli/misuse");

/// A bug in Plumb ended the run.
///
/// The exit code is 3. Please report it with the message and, if you can share it, the input. Plumb
/// does not send anything by itself.
pub(crate) const BUG: Code = Code::new("internal/bug");

/// How to report to the caller of the program, and what was reported so far.
#[derive(Debug)]
pub(crate) struct Report {
    name: Name,
    look: Look,
    is_quiet: bool,
    /// Whether warnings are errors.
    denies_warnings: bool,
    watches: bool,
    outlets: Vec<Outlet>,
    /// The command, for the reports.
    command: Cell<&'static str>,
    /// Whether the last finding that was printed took several lines.
    was_long: Cell<Option<bool>>,
    /// Whether a value was masked in the output for people.
    was_masked: Cell<bool>,
    /// Whether a command that watches its input has already explained how to see masked values.
    are_masks_explained: Cell<bool>,
    /// Whether this is not the first run of a command that watches its input.
    is_run_again: Cell<bool>,
    /// How many errors and warnings there were.
    counts: Cell<(usize, usize)>,
    /// The findings, if an outlet reports them at the end.
    found: RefCell<Vec<Finding>>,
    /// The suites of tests, if an outlet reports them at the end.
    suites: RefCell<Vec<TestSuite>>,
    /// The text of outlets for people that write to files.
    texts: RefCell<Vec<String>>,
}

impl Report {
    pub(crate) fn new(name: Name, common: Common) -> Self {
        let objects = std::env::var_os("NO_COLOR").is_some_and(|it| !it.is_empty());
        let is_wanted = io::stderr().is_terminal() && !objects;
        let colour = if is_wanted { Colour::Always } else { Colour::Never };
        // The messages of ytt and jk contain values.
        let shows_values = common.shows_values || name != Name::Plumb;
        let values = if shows_values { Values::Shown } else { Values::Masked };
        let Common { is_quiet, denies_warnings, watches, mut outlets, .. } = common;
        if outlets.is_empty() {
            outlets.push(Outlet { layout: Layout::Words(Words::of_name(name)), file: None });
        }
        let texts = RefCell::new(vec![String::new(); outlets.len()]);
        Self {
            name,
            look: Look { colour, values },
            is_quiet,
            denies_warnings,
            watches,
            outlets,
            command: Cell::new(""),
            was_long: Cell::new(None),
            was_masked: Cell::new(false),
            are_masks_explained: Cell::new(false),
            is_run_again: Cell::new(false),
            counts: Cell::default(),
            found: RefCell::default(),
            suites: RefCell::default(),
            texts,
        }
    }

    pub(crate) fn name(&self) -> Name {
        self.name
    }

    /// Records which command is run.
    pub(crate) fn begin(&self, command: &'static str) {
        self.command.set(command);
    }

    /// Returns whether findings are printed for people immediately, with or without reports for
    /// programs.
    pub(crate) fn is_for_people(&self) -> bool {
        self.outlets.iter().any(|it| !it.is_data() && it.file.is_none())
    }

    /// Reports why a run failed.
    pub(crate) fn failure(&self, failure: &Failure, sources: &Sources) -> Exit {
        self.print_message(|words, look| match words {
            Words::Ytt => {
                format!("ytt: Error: {}\n", peer::render_with(failure, sources, look.values))
            }
            Words::Jk => generator::peer::render(failure, sources),
            Words::Pretty => {
                let findings = failure.findings().iter();
                let pretty = |it| self.pretty(look, |look| pretty::render(it, sources, look));
                findings.map(pretty).collect::<Vec<String>>().join("\n")
            }
        });
        if self.name == Name::Ytt && !self.has_data() {
            // ytt's report does not count findings, so they do not have to be created.
            let (n_errors, n_warnings) = self.counts.get();
            self.counts.set((n_errors + 1, n_warnings));
            return Exit::Findings;
        }
        self.count(failure.findings());
        if self.has_data() {
            self.keep(failure.findings().iter(), sources);
        }
        Exit::Findings
    }

    /// Reports a warning. If warnings are errors, [`Self::is_failed`] says so afterwards.
    pub(crate) fn warning(&self, warning: &Diagnostic, sources: &Sources) {
        let warning = &*self.with_severity(warning);
        self.print_message(|words, look| match words {
            Words::Ytt => format!("{}\n", one_line(warning, sources, look.values)),
            Words::Pretty | Words::Jk => {
                self.pretty(look, |look| pretty::render(warning, sources, look))
            }
        });
        self.count_and_keep(std::slice::from_ref(warning), sources);
    }

    /// Reports findings that do not end a run by themselves. For people, their number is limited,
    /// and empty lines surround each finding with source lines.
    pub(crate) fn findings(&self, findings: &[Diagnostic], sources: &Sources) {
        const MAX_TOLD: usize = 100;
        let findings: Vec<Diagnostic> =
            findings.iter().map(|it| self.with_severity(it).into_owned()).collect();
        for finding in findings.iter().take(MAX_TOLD) {
            let was_long = self.was_long.get();
            self.print_message(|words, look| match words {
                Words::Ytt => format!("{}\n", one_line(finding, sources, look.values)),
                Words::Pretty | Words::Jk => {
                    let text = self.pretty(look, |look| pretty::render(finding, sources, look));
                    let is_long = text.lines().nth(1).is_some();
                    self.was_long.set(Some(is_long));
                    let is_apart = was_long.is_some_and(|was_long| was_long || is_long);
                    if is_apart { format!("\n{text}") } else { text }
                }
            });
        }
        if let Some(n_more) = findings.len().checked_sub(MAX_TOLD).filter(|it| *it > 0) {
            self.print_message(|_, _| {
                format!("\n{n_more} more are not shown; --report json lists all\n")
            });
        }
        self.count_and_keep(&findings, sources);
    }

    /// Renders a finding, and records whether values are masked in it.
    fn pretty(&self, look: Look, render: impl Fn(Look) -> String) -> String {
        let text = render(look);
        if look.values == Values::Masked && !self.was_masked.get() {
            self.was_masked.set(text != render(Look { values: Values::Shown, ..look }));
        }
        text
    }

    /// Records that a command has printed something in which values are masked.
    pub(crate) fn values_were_masked(&self) {
        self.was_masked.set(true);
    }

    /// Returns a note on how to see masked values.
    fn closing_note(&self) -> Option<&'static str> {
        self.was_masked.get().then_some("note: values are masked; --show-values shows them\n")
    }

    /// Explains on a terminal how to see masked values. Logs and files do not need the note.
    fn explain_masks(&self) {
        if let Some(note) = self.closing_note().filter(|_| io::stderr().is_terminal()) {
            self.note(note);
        }
    }

    /// Ends the report of a run that will be repeated. The note about masked values is printed
    /// once.
    pub(crate) fn pause(&self) {
        if !self.are_masks_explained.replace(self.was_masked.get()) {
            self.explain_masks();
        }
    }

    /// Returns the finding with the severity that it has for the caller.
    fn with_severity<'a>(&self, finding: &'a Diagnostic) -> Cow<'a, Diagnostic> {
        match finding.severity {
            Severity::Warning if self.denies_warnings => {
                let mut finding = finding.clone();
                finding.severity = Severity::Error;
                Cow::Owned(finding)
            }
            Severity::Warning | Severity::Error => Cow::Borrowed(finding),
        }
    }

    /// Returns whether an error was reported. Then nothing is printed or written.
    pub(crate) fn is_failed(&self) -> bool {
        self.counts.get().0 > 0
    }

    /// Returns whether the caller wants warnings to be errors.
    pub(crate) fn denies_warnings(&self) -> bool {
        self.denies_warnings
    }

    /// Returns whether the command runs again whenever its input changes.
    pub(crate) fn watches(&self) -> bool {
        self.watches
    }

    /// Begins the report of another run: nothing was found in it yet.
    pub(crate) fn begin_again(&self) {
        self.is_run_again.set(true);
        self.was_long.set(None);
        self.counts.set((0, 0));
    }

    /// Returns whether each written file is listed.
    pub(crate) fn lists_files(&self) -> bool {
        !self.is_quiet && !self.is_run_again.get()
    }

    /// Returns whether the caller wants to see values.
    pub(crate) fn shows_values(&self) -> bool {
        matches!(self.look.values, Values::Shown)
    }

    /// Whether values are shown in errors that are part of the output. Called as ytt, they are.
    pub(crate) fn values_in_bulk(&self) -> Values {
        match self.name {
            Name::Ytt => Values::Shown,
            Name::Plumb | Name::Jk => self.look.values,
        }
    }

    /// Returns whether the caller wants no messages about what was done.
    pub(crate) fn is_quiet(&self) -> bool {
        self.is_quiet
    }

    /// The message about a mistake on the command line, in the words of the program.
    pub(crate) fn usage_message(&self, usage_error: &UsageError) -> Message {
        match self.name {
            Name::Ytt => args::as_ytt(&usage_error.message),
            Name::Plumb | Name::Jk => usage_error.message.clone(),
        }
    }

    /// Reports a mistake on the command line.
    pub(crate) fn usage_error(&self, usage_error: UsageError) -> Exit {
        let mut finding = Diagnostic::error(MISUSE, self.usage_message(&usage_error));
        if self.name != Name::Jk {
            // jk reports it in one line.
            finding.help.extend(usage_error.help);
            finding =
                finding.help(message!("{} --help lists commands and flags", self.name.as_str()));
        }
        self.failure(&finding.into(), &Sources::new());
        Exit::UsageError
    }

    /// Reports that a bug in Plumb ended the run. People have already seen the message.
    pub(crate) fn bug(&self) -> Exit {
        let finding = Diagnostic::error(BUG, "a bug in plumb ended the run").help(
            "report it with the message on standard error and, if you can share it, the input",
        );
        self.count_and_keep(&[finding], &Sources::new());
        self.finish(Exit::Bug, false)
    }

    /// Prints a result.
    pub(crate) fn print(&self, bytes: &[u8]) -> Exit {
        self.print_in_pieces(|write| _ = write(bytes))
    }

    /// Prints a result in the pieces that `print` passes to its argument, which returns `Break` if
    /// the reader is gone. A reader that closes the pipe early is not an error.
    pub(crate) fn print_in_pieces(
        &self,
        print: impl FnOnce(&mut (dyn FnMut(&[u8]) -> ControlFlow<()> + Send)),
    ) -> Exit {
        let mut stdout = io::stdout();
        let mut result = Ok(());
        print(&mut |piece| {
            result = stdout.write_all(piece);
            if result.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
        match result.and_then(|()| stdout.flush()) {
            Ok(()) => Exit::Fine,
            Err(error) if error.kind() == ErrorKind::BrokenPipe => Exit::Fine,
            Err(error) => {
                let message = message!("Writing to standard output: {}", plain(error));
                let finding = Diagnostic::error(NOT_WRITTEN, message);
                self.failure(&finding.into(), &Sources::new())
            }
        }
    }

    /// Prints a note that is not a finding, for people.
    pub(crate) fn note(&self, text: &str) {
        if self.is_for_people() && !self.is_quiet {
            say(text);
        }
    }

    /// Prints one line about the whole run, for people.
    pub(crate) fn summary(&self, line: &str) -> Exit {
        if self.is_for_people() && !self.is_quiet {
            self.print(format!("{line}\n").as_bytes())
        } else {
            Exit::Fine
        }
    }

    /// Returns the number of findings, for a line about the whole run.
    pub(crate) fn counts(&self) -> String {
        let (n_errors, n_warnings) = self.counts.get();
        let counted = |n: usize, word: &str| format!("{n} {word}{}", if n == 1 { "" } else { "s" });
        format!("{}, {}", counted(n_errors, "error"), counted(n_warnings, "warning"))
    }

    /// Writes the reports that are complete only at the end. Those without a file go to standard
    /// output if the command prints nothing else there, and to standard error otherwise.
    pub(crate) fn finish(&self, exit: Exit, is_stdout_free: bool) -> Exit {
        let run = Run {
            version: env!("CARGO_PKG_VERSION"),
            command: self.command.get(),
            ending: exit,
            findings: self.found.take(),
            suites: self.suites.take(),
        };
        let texts = self.texts.take();
        self.explain_masks();
        let mut exit = exit;
        for (outlet, text) in self.outlets.iter().zip(texts) {
            let text = match outlet.layout {
                Layout::Words(_) => text,
                Layout::Data(data) => data.render(&run),
            };
            let ended = match &outlet.file {
                Some(path) => outlet::write(path, text.as_bytes()).map_or_else(
                    |error| {
                        let finding = Diagnostic::error(NOT_WRITTEN, plain(error.words()));
                        say(&pretty::render(&finding, &Sources::new(), self.look));
                        Exit::Findings
                    },
                    |()| Exit::Fine,
                ),
                None if is_stdout_free && outlet.is_data() => self.print(text.as_bytes()),
                None => {
                    say(&text);
                    Exit::Fine
                }
            };
            if exit == Exit::Fine {
                exit = ended;
            }
        }
        exit
    }

    /// Prints a text on every outlet for people.
    fn print_message(&self, text: impl Fn(Words, Look) -> String) {
        let mut texts = self.texts.borrow_mut();
        for (outlet, kept) in self.outlets.iter().zip(&mut *texts) {
            match (outlet.layout, &outlet.file) {
                (Layout::Data(_), _) => {}
                (Layout::Words(words), None) => say(&self.printable(words, text(words, self.look))),
                (Layout::Words(words), Some(_)) => {
                    let look = Look { colour: Colour::Never, ..self.look };
                    kept.push_str(&self.printable(words, text(words, look)));
                }
            }
        }
    }

    /// Escapes characters that would control a terminal, in the layouts of other programs. If Plumb
    /// is called as one of them, it prints the same bytes as that program.
    fn printable(&self, words: Words, text: String) -> String {
        match (words, self.name) {
            (Words::Ytt | Words::Jk, Name::Plumb) => lexical::printable(&text).into_owned(),
            (Words::Pretty, _) | (_, Name::Ytt | Name::Jk) => text,
        }
    }

    fn has_data(&self) -> bool {
        self.outlets.iter().any(Outlet::is_data)
    }

    fn count_and_keep(&self, findings: &[Diagnostic], sources: &Sources) {
        self.count(findings);
        if self.has_data() {
            self.keep(findings.iter(), sources);
        }
    }

    fn count(&self, findings: &[Diagnostic]) {
        let (n_errors, n_warnings) = self.counts.get();
        let n_new = findings.iter().filter(|it| it.severity == Severity::Error).count();
        self.counts.set((n_errors + n_new, n_warnings + findings.len() - n_new));
    }

    /// Keeps findings for the outlets that report them at the end.
    fn keep(&self, findings: impl Iterator<Item: Borrow<Diagnostic>>, sources: &Sources) {
        self.found.borrow_mut().extend(described(findings, sources));
    }

    /// Keeps the results of a suite of tests, and the findings of each test, for the outlets that
    /// report them at the end.
    pub(crate) fn suite(&self, suite: impl FnOnce() -> TestSuite) {
        if self.has_data() {
            self.suites.borrow_mut().push(suite());
        }
    }
}

/// Resolves the places of findings.
pub(crate) fn described(
    findings: impl Iterator<Item: Borrow<Diagnostic>>,
    sources: &Sources,
) -> Vec<Finding> {
    let here = std::env::current_dir().unwrap_or_default();
    findings.map(|it| Finding::new(it.borrow(), sources, &here)).collect()
}

/// Prints a text to standard error. An error is ignored: there is no other place to report it.
pub(crate) fn say(text: &str) {
    let _ = io::stderr().lock().write_all(text.as_bytes());
}

/// Formats a finding for readers of ytt's logs: what, where, and what to do.
fn one_line(finding: &Diagnostic, sources: &Sources, values: Values) -> String {
    let mut line = String::from(match finding.severity {
        Severity::Error => "ytt: Error: ",
        Severity::Warning => "ytt: Warning: ",
    });
    line.push_str(&peer::message(&finding.message).text(values));
    if let Some(label) = finding.labels.first() {
        let _ = write!(line, " ({})", sources.place(label.span));
    }
    for help in &finding.help {
        let _ = write!(line, "; {}", help.text(values));
    }
    line
}

#[cfg(test)]
mod tests {
    use plumb_source::message::secret;

    use super::*;

    #[test]
    fn the_flag_is_mentioned_if_something_was_masked() {
        const NOTE: Option<&str> = Some("note: values are masked; --show-values shows them\n");
        let closing_note = |name, shows_values, message: Message| {
            let report = Report::new(name, Common { shows_values, ..Common::default() });
            report.warning(&Diagnostic::warning(MISUSE, message), &Sources::new());
            report.closing_note()
        };
        let with_value = || message!("found {}", secret("x"));
        assert_eq!(closing_note(Name::Plumb, false, with_value()), NOTE);
        assert_eq!(closing_note(Name::Plumb, false, "found it".into()), None);
        assert_eq!(closing_note(Name::Plumb, true, with_value()), None);
        assert_eq!(closing_note(Name::Ytt, false, with_value()), None);
    }
}
