//! `plumb vm …`: virtual machines and the rules of their templates.

pub(super) mod check;
pub(super) mod export;
mod json;
pub(super) mod webhook;

use plumb_source::message;
use plumb_source::message::plain;

use super::{Command, help};
use crate::args::{self, UsageError};
use crate::exit::Exit;
use crate::report::Report;

/// Shows the help, or rejects an unknown subcommand.
pub(super) fn run(report: &Report, arguments: &[String]) -> Result<Exit, UsageError> {
    match arguments.first().map_or("", String::as_str) {
        "" | "-h" | "--help" => Ok(help::show(report, Command::Vm)),
        word => {
            let meant = args::nearest(word, Command::Vm.words_below()).unwrap_or("check");
            Err(UsageError {
                message: message!("no such command: vm {}", plain(word)),
                help: Some(message!("did you mean vm {}?", plain(meant))),
            })
        }
    }
}
