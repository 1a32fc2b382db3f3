//! `plumb fmt`: YAML files in one layout.

use std::time::Instant;

use plumb::{Dialect, Sources};

use super::{Command, flags_alone};
use crate::args::{Misuse, Spec, Takes, Topic};
use crate::exit::Exit;
use crate::report::{self, Report};
use crate::world::Machine;

#[derive(Debug, Default)]
pub(super) struct Flags {
    files: Vec<String>,
    is_strict: bool,
    debug: bool,
}

pub(super) const SPECS: &[Spec<Flags>] = &[
    Spec {
        long: "file",
        short: Some('f'),
        takes: Takes::One("PATH", |flags, value| flags.files.push(value)),
        topic: Topic::Input,
        help: "Format a file, all YAML files of a directory, a URL, or standard input (-). Can be repeated",
    },
    Spec {
        long: "strict",
        short: Some('s'),
        takes: Takes::Nothing(|flags| &mut flags.is_strict),
        topic: Topic::Language,
        help: "Refuse YAML that readers may understand differently, such as a bare yes",
    },
    Spec {
        long: "debug",
        short: None,
        takes: Takes::Nothing(|flags| &mut flags.debug),
        topic: Topic::Other,
        help: "Say on standard error how long it took",
    },
];

pub(super) fn run(report: &Report, arguments: Vec<String>) -> Result<Exit, Misuse> {
    let started = Instant::now();
    let flags = match flags_alone(report, Command::Fmt, arguments, SPECS)? {
        Ok(flags) => flags,
        Err(exit) => return Ok(exit),
    };
    let dialect = if flags.is_strict { Dialect::Strict } else { Dialect::Full };
    let sources = Sources::new();
    let drops = report.name().silent_drops();
    let formatted = plumb::format(
        &Machine::default(),
        &flags.files,
        dialect,
        drops,
        report.name().flavour(),
        &sources,
    );
    let exit = match formatted {
        Ok(bytes) => report.print(&bytes),
        Err(failure) => report.failure(&failure, &sources),
    };
    if flags.debug {
        report::say(&format!("total: {:?}\n", started.elapsed()));
    }
    Ok(exit)
}
