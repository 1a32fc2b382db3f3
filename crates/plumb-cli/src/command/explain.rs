//! `plumb explain CODE`: the page of a finding.

use std::fmt::Write as _;
use std::io::{self, IsTerminal as _};

use plumb_source::message;
use plumb_source::message::plain;

use super::markdown::{self, Ink};
use super::{Command, help};
use crate::args::{self, Parsed, UsageError};
use crate::exit::Exit;
use crate::report::Report;

pub(super) fn run(report: &Report, arguments: Vec<String>) -> Result<Exit, UsageError> {
    let Parsed { wants_help, extra, .. } = args::parse::<()>(arguments, &[])?;
    if wants_help {
        return Ok(help::show(report, Command::Explain));
    }
    match extra.as_slice() {
        [] => Ok(report.print(list("").as_bytes())),
        [code] => {
            let pages = pages(bare(code));
            match list(code) {
                list if pages.is_empty() && list.is_empty() => Err(unknown(code)),
                list if pages.is_empty() => Ok(report.print(list.as_bytes())),
                _ => Ok(report.print(markdown::rendered(&pages.join("\n"), ink()).as_bytes())),
            }
        }
        [_, second, ..] => Err(UsageError {
            message: message!(
                "explain takes one code, found another argument {}",
                plain(format_args!("{second:?}"))
            ),
            help: None,
        }),
    }
}

/// The pages of a code. A code without its area can match several.
fn pages(code: &str) -> Vec<&'static str> {
    if let Some(page) = plumb_report::page(code) {
        return vec![page];
    }
    let codes = plumb_report::summaries().map(|(code, _)| code);
    let is_meant = |it: &&str| it.split_once('/').is_some_and(|(_, last)| last == code);
    codes.filter(is_meant).filter_map(plumb_report::page).collect()
}

/// A terminal gets colours, unless its user disabled them.
fn ink() -> Ink {
    let objects = std::env::var_os("NO_COLOR").is_some_and(|it| !it.is_empty());
    if io::stdout().is_terminal() && !objects { Ink::Terminal } else { Ink::Plain }
}

/// The code alone, also if it is given in the form of reports: `error[yaml/syntax]`.
fn bare(code: &str) -> &str {
    let inner = code.split_once('[').and_then(|(_, rest)| rest.split_once(']'));
    inner.map_or(code, |(code, _)| code)
}

/// All codes of an area, or of all areas, each with the first paragraph of its page.
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

fn unknown(code: &str) -> UsageError {
    let codes = || plumb_report::summaries().map(|(code, _)| code);
    let lasts = || codes().filter_map(|it| it.split_once('/').map(|(_, last)| last));
    let meant = args::nearest(bare(code), codes()).or_else(|| args::nearest(bare(code), lasts()));
    UsageError {
        message: message!("no finding has the code {}", plain(format_args!("{code:?}"))),
        help: Some(match meant {
            Some(meant) => message!("did you mean {}?", plain(meant)),
            None => "plumb explain lists all codes".into(),
        }),
    }
}
