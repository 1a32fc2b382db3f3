//! Lines of text templates: code between `(@` and `@)`, and text around it.

use std::ops::Range;

use plumb_source::LineState;

/// Returns the ranges of a line that are not code. `is_within` is true if the line begins inside
/// code.
pub(super) fn outside_code(line: &str, is_within: bool) -> Vec<Range<usize>> {
    let mut outside = Vec::new();
    let mut at = 0;
    let mut is_code = is_within;
    while at < line.len() {
        let sign = if is_code { "@)" } else { "(@" };
        let found = line[at..].find(sign).map(|it| at + it);
        if is_code {
            at = found.map_or(line.len(), |it| it + sign.len());
        } else {
            outside.push(at..found.unwrap_or(line.len()));
            at = found.unwrap_or(line.len());
        }
        is_code = !is_code;
    }
    outside
}

/// Returns whether a line that begins in this state ends inside code.
pub(super) fn state_after(line: &str, state: LineState) -> LineState {
    let is_within = match (line.rfind("(@"), line.rfind("@)")) {
        (Some(open), Some(close)) => close < open,
        (Some(_), None) => true,
        (None, Some(_)) => false,
        (None, None) => state == LineState::Code,
    };
    if is_within { LineState::Code } else { LineState::Open }
}
