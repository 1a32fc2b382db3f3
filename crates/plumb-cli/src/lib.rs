//! The command line: one program with several names.
//!
//! Only this crate accesses the system: it implements the [`World`](plumb::World), prints, and
//! exits with a code. The crates below decide what a run does.

#![expect(clippy::disallowed_methods, reason = "this crate creates the World of this machine")]

mod args;
mod bulk;
mod command;
mod common;
mod exit;
mod git;
mod name;
mod report;
mod stack;
mod watcher;

use std::panic::{self, AssertUnwindSafe};
use std::process::ExitCode;

use plumb_source::message::secret;
use plumb_source::{Message, message};

use common::Common;
use exit::Exit;
pub use name::Name;
use report::Report;

/// Runs the program. `built_as` is the name to use if the program was called by an unknown one.
pub fn main(built_as: Name) -> ExitCode {
    let mut arguments = std::env::args_os();
    let called_as = arguments.next().and_then(|path| Name::of_program(&path));
    let name = called_as.unwrap_or(built_as);
    let (name, exit) = match arguments.map(utf8).collect::<Result<Vec<String>, Message>>() {
        Ok(arguments) => stack::run_deep(name, arguments),
        Err(message) => (name, Report::new(name, Common::default()).usage_error(message.into())),
    };
    exit::code(exit, name)
}

/// What is wrong with a command line. Returns `None` if it is valid. The command is not run.
pub fn usage_error(name: Name, mut arguments: Vec<String>) -> Option<String> {
    let found = common::take(name, &mut arguments)
        .and_then(|common| command::usage_error::find(common.name.unwrap_or(name), &arguments));
    found.err().map(|it| it.message.shown().to_owned())
}

fn utf8(argument: std::ffi::OsString) -> Result<String, Message> {
    argument.into_string().map_err(|it| {
        message!(
            "argument '{}' is not UTF-8; name the directory that the file is in instead",
            secret(it.display())
        )
    })
}

/// Runs one command.
fn run(name: Name, mut arguments: Vec<String>) -> (Name, Exit) {
    match common::take(name, &mut arguments) {
        Ok(common) => {
            let name = common.name.unwrap_or(name);
            let report = Report::new(name, common);
            (name, guarded(&report, || command::run(&report, &arguments)))
        }
        Err(usage_error) => (name, Report::new(name, Common::default()).usage_error(usage_error)),
    }
}

/// Runs a function whose panic is a bug in Plumb. The panic hook has already reported it; it is
/// added to the reports too.
fn guarded(report: &Report, run: impl FnOnce() -> Exit) -> Exit {
    panic::catch_unwind(AssertUnwindSafe(run)).unwrap_or_else(|_| report.bug())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_ends_in_an_exit_code_of_its_own() {
        let report = Report::new(Name::Plumb, Common::default());
        let exit = guarded(&report, || panic!("a test of the panic handler"));
        assert_eq!(exit, Exit::Bug);
        assert_eq!(exit::code(exit, Name::Plumb), ExitCode::from(3));
        assert_eq!(exit::code(exit, Name::Ytt), ExitCode::from(1));
    }
}
