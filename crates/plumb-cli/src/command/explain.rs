//! `plumb explain CODE`: the page of a finding.

use std::fmt::Write as _;

use super::{Command, help};
use crate::args::{self, Misuse, Parsed};
use crate::exit::Exit;
use crate::report::Report;

pub(super) fn run(report: &Report, arguments: Vec<String>) -> Result<Exit, Misuse> {
    let Parsed { wants_help, extra, .. } = args::parse::<()>(arguments, &[])?;
    if wants_help {
        return Ok(help::show(report, Command::Explain));
    }
    match extra.as_slice() {
        [] => Ok(report.print(list("").as_bytes())),
        [code] => match (plumb_report::page(bare(code)), list(code)) {
            (Some(page), _) => Ok(report.print(page.as_bytes())),
            (None, list) if list.is_empty() => Err(unknown(code)),
            (None, list) => Ok(report.print(list.as_bytes())),
        },
        [_, second, ..] => Err(Misuse {
            message: format!("explain takes one code, found {second:?} behind it"),
            help: None,
        }),
    }
}

/// The code as reports show it may be given: `error[yaml/syntax]`.
fn bare(code: &str) -> &str {
    let inner = code.split_once('[').and_then(|(_, rest)| rest.split_once(']'));
    inner.map_or(code, |(code, _)| code)
}

/// All codes of an area, or of all, each with the first paragraph of its page.
fn list(area: &str) -> String {
    let is_listed = |code: &str| {
        area.is_empty() || code.strip_prefix(area).is_some_and(|rest| rest.starts_with('/'))
    };
    let mut out = String::new();
    for (code, summary) in plumb_report::summaries().filter(|(code, _)| is_listed(code)) {
        let _ = writeln!(out, "{code:<34} {summary}");
    }
    out
}

fn unknown(code: &str) -> Misuse {
    let meant = args::nearest(bare(code), plumb_report::summaries().map(|(code, _)| code));
    Misuse {
        message: format!("no finding has the code {code:?}"),
        help: Some(match meant {
            Some(meant) => format!("did you mean {meant}?"),
            None => "plumb explain lists all codes".to_owned(),
        }),
    }
}
