//! What the program says: results on standard output, everything else on standard error.

use std::fmt::Write as _;
use std::io::{self, ErrorKind, IsTerminal as _, Write as _};

use plumb::pretty::{Colour, Look, Values};
use plumb::{Code, Diagnostic, Failure, Sources, peer, pretty};

use crate::Name;
use crate::args::Misuse;
use crate::exit::Exit;

/// The command line was used wrongly.
///
/// A flag or command does not exist, lacks its value, or does not go with another. The message offers
/// the nearest name; `plumb help COMMAND` lists what there is. The exit code is 2, and nothing was done.
pub(crate) const MISUSE: Code = Code::new("cli/misuse");

/// The machine would not take the output.
///
/// The disk is full, the directory is not writable, or something else stands where a file is to be. What
/// was there before is there still: files are replaced all together, or not at all.
pub(crate) const NOT_WRITTEN: Code = Code::new("output/not-written");

/// How to speak to whoever called the program by this name.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Report {
    name: Name,
    look: Look,
}

impl Report {
    pub(crate) fn new(name: Name) -> Self {
        let objects = std::env::var_os("NO_COLOR").is_some_and(|it| !it.is_empty());
        let is_wanted = io::stderr().is_terminal() && !objects;
        let colour = if is_wanted { Colour::Always } else { Colour::Never };
        Self { name, look: colour.into() }
    }

    /// The same, with the values that findings are about in the lines shown.
    pub(crate) fn showing_values(mut self, is_wanted: bool) -> Self {
        self.look.values = if is_wanted { Values::Shown } else { Values::Masked };
        self
    }

    pub(crate) fn name(self) -> Name {
        self.name
    }

    pub(crate) fn colour(self) -> Colour {
        self.look.colour
    }

    /// Tells why a run failed.
    pub(crate) fn failure(self, failure: &Failure, sources: &Sources) -> Exit {
        say(&match self.name {
            Name::Ytt => format!("ytt: Error: {}\n", peer::render(failure, sources)),
            Name::Jk => plumb_generate::peer::render(failure, sources),
            Name::Plumb => pretty::render_failure(failure, sources, self.look),
        });
        Exit::Findings
    }

    pub(crate) fn warning(self, warning: &Diagnostic, sources: &Sources) {
        say(&match self.name {
            Name::Ytt => format!("ytt: Warning: {}\n", one_line(warning, sources)),
            Name::Plumb | Name::Jk => pretty::render(warning, sources, self.look),
        });
    }

    /// Tells what is wrong with the command line.
    pub(crate) fn misuse(self, misuse: Misuse) -> Exit {
        if self.name == Name::Jk {
            // jk says it in one line.
            say(&format!("{}\n", misuse.message));
            return Exit::Misuse;
        }
        let mut finding = Diagnostic::error(MISUSE, misuse.message);
        finding.help.extend(misuse.help);
        let finding = finding.help(format!("{} --help lists what there is", self.name.as_str()));
        self.failure(&finding.into(), &Sources::new());
        Exit::Misuse
    }

    /// Prints a result. A reader that has seen enough is no error.
    pub(crate) fn print(self, bytes: &[u8]) -> Exit {
        let mut stdout = io::stdout().lock();
        match stdout.write_all(bytes).and_then(|()| stdout.flush()) {
            Ok(()) => Exit::Fine,
            Err(error) if error.kind() == ErrorKind::BrokenPipe => Exit::Fine,
            Err(error) => {
                let message = format!("Writing to standard output: {error}");
                let finding = Diagnostic::error(NOT_WRITTEN, message);
                self.failure(&finding.into(), &Sources::new())
            }
        }
    }
}

/// Says something on standard error. There is no one to tell if that fails.
pub(crate) fn say(text: &str) {
    let _ = io::stderr().lock().write_all(text.as_bytes());
}

/// A warning for those who read logs of ytt: what, where, and what to do.
fn one_line(warning: &Diagnostic, sources: &Sources) -> String {
    let mut line = warning.message.clone();
    if let Some(label) = warning.labels.first() {
        let _ = write!(line, " ({})", sources.place(label.span));
    }
    for help in &warning.help {
        let _ = write!(line, "; {help}");
    }
    line
}
