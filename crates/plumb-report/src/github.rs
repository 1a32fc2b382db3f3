//! Workflow commands, which GitHub shows next to the changed lines.

use std::fmt::Write as _;

use plumb_diagnostic::Severity;
use plumb_source::lexical;

use crate::{Finding, Run};

/// Renders a run as workflow commands, one line for each finding.
pub fn render(run: &Run) -> String {
    run.findings.iter().map(command).collect()
}

fn command(finding: &Finding) -> String {
    let mut line = String::from(match finding.severity {
        Severity::Error => "::error ",
        Severity::Warning => "::warning ",
    });
    if let Some((path, place)) = finding.in_file() {
        let (start, end) = (place.start, place.end);
        let _ = write!(line, "file={},line={},", property(path), start.line);
        let _ = write!(line, "endLine={},", end.line);
        // GitHub ignores columns if a place has several lines.
        if start.line == end.line {
            let _ = write!(line, "col={},endColumn={},", start.column, end.column);
        }
    }
    let _ = writeln!(line, "title={}::{}", property(finding.code.as_str()), data(&finding.text()));
    line
}

fn data(text: &str) -> String {
    lexical::printable(text).replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signs_of_the_format_are_written_as_codes() {
        assert_eq!(data("100 %\nof a:b"), "100 %25%0Aof a:b");
        assert_eq!(property("a:b,c"), "a%3Ab%2Cc");
    }
}
