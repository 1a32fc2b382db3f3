//! `plumb vm …`: virtual machines and the rules of their templates.

mod check;
mod json;
mod read;
mod webhook;

pub(super) use read::{EXTENSIONS, Reader};

use super::{Command, help, misuse};
use crate::args::{self, Flag, Misuse, Spec};
use crate::exit::Exit;
use crate::report::Report;

pub(super) fn run(report: &Report, mut arguments: Vec<String>) -> Result<Exit, Misuse> {
    let word = arguments.first().cloned().unwrap_or_default();
    match word.as_str() {
        "check" => check::run(report, arguments.split_off(1)),
        "webhook" => webhook::run(report, arguments.split_off(1)),
        "" | "-h" | "--help" => Ok(help::show(report, Command::Vm)),
        _ => {
            let meant = args::nearest(&word, Command::Vm.words_below());
            let help = meant.unwrap_or("check");
            Err(Misuse {
                message: format!("no such command: vm {word}"),
                help: Some(format!("did you mean vm {help}?")),
            })
        }
    }
}

/// What `plumb check` does with machines too.
pub(super) fn check(report: &Report, arguments: Vec<String>) -> Result<Exit, Misuse> {
    check::run(report, arguments)
}

/// Reads all that the flags say, and does nothing.
pub(super) fn understand(mut arguments: Vec<String>) -> Result<(), Misuse> {
    match arguments.first().map(String::as_str) {
        Some("check") => misuse::parse(arguments.split_off(1), check::SPECS),
        Some("webhook") => misuse::parse(arguments.split_off(1), webhook::SPECS),
        _ => Ok(()),
    }
}

pub(super) fn check_flags() -> Vec<Flag> {
    check::SPECS.iter().map(Spec::flag).collect()
}

pub(super) fn webhook_flags() -> Vec<Flag> {
    webhook::SPECS.iter().map(Spec::flag).collect()
}
