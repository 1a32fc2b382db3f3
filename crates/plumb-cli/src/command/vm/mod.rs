//! `plumb vm …`: virtual machines and the rules of their templates.

pub(super) mod check;
mod json;
pub(super) mod webhook;

use super::{Command, help};
use crate::args::{self, Misuse};
use crate::exit::Exit;
use crate::report::Report;

/// Shows the help, or refuses an unknown subcommand.
pub(super) fn run(report: &Report, arguments: &[String]) -> Result<Exit, Misuse> {
    match arguments.first().map_or("", String::as_str) {
        "" | "-h" | "--help" => Ok(help::show(report, Command::Vm)),
        word => {
            let meant = args::nearest(word, Command::Vm.words_below()).unwrap_or("check");
            Err(Misuse {
                message: format!("no such command: vm {word}"),
                help: Some(format!("did you mean vm {meant}?")),
            })
        }
    }
}
