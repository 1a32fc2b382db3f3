//! A test suite in the XML of `JUnit`, which most CI systems show: a finding is a test case, and an
//! error is a failed one. A run without errors is a test that passed.

use std::fmt::Write as _;

use plumb_diagnostic::Severity;

use crate::{File, Finding, Run};

/// Renders a run as an XML document.
pub fn render(run: &Run) -> String {
    let n_errors = run.count(Severity::Error);
    let passed = usize::from(n_errors == 0);
    let n_tests = run.findings.len() + passed;
    let name = ["plumb", run.command].join(" ");
    let counts = format!("tests=\"{n_tests}\" failures=\"{n_errors}\" errors=\"0\"");
    let mut out = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    let _ = writeln!(out, "<testsuites {counts}>");
    let _ = writeln!(out, "  <testsuite name=\"{}\" {counts}>", escaped(name.trim_end()));
    if passed == 1 {
        out.push_str("    <testcase classname=\"plumb\" name=\"no errors\"/>\n");
    }
    run.findings.iter().for_each(|finding| test_case(finding, &mut out));
    out.push_str("  </testsuite>\n</testsuites>\n");
    out
}

fn test_case(finding: &Finding, out: &mut String) {
    let code = finding.code.as_str();
    let about = finding.places.first().map(|place| {
        let (File::Path(name) | File::Text(name)) = &place.file;
        format!("{name}:{}", place.start.line)
    });
    let name =
        about.map_or_else(|| finding.message.clone(), |it| format!("{it}: {}", finding.message));
    let _ =
        write!(out, "    <testcase classname=\"{}\" name=\"{}\"", escaped(code), escaped(&name));
    if let Some((path, place)) = finding.in_file() {
        let _ = write!(out, " file=\"{}\" line=\"{}\"", escaped(path), place.start.line);
    }
    out.push_str(">\n");
    let text = escaped(&full_text(finding));
    let _ = match finding.severity {
        Severity::Error => writeln!(
            out,
            "      <failure type=\"{}\" message=\"{}\">{text}</failure>",
            escaped(code),
            escaped(&finding.message)
        ),
        Severity::Warning => writeln!(out, "      <system-out>warning: {text}</system-out>"),
    };
    out.push_str("    </testcase>\n");
}

fn full_text(finding: &Finding) -> String {
    let mut text = finding.words();
    if !finding.targets.is_empty() {
        let _ = write!(text, "\ntargets: {}", finding.targets.join(", "));
    }
    for place in &finding.places {
        let (File::Path(name) | File::Text(name)) = &place.file;
        let (line, column) = (place.start.line, place.start.column);
        let _ = write!(text, "\n{name}:{line}:{column}");
        if !place.message.is_empty() {
            let _ = write!(text, ": {}", place.message);
        }
    }
    text
}

/// Text for an element or an attribute. Characters that XML does not allow become `?`.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\n' => out.push_str("&#10;"),
            '\t' => out.push_str("&#9;"),
            '\r' => out.push_str("&#13;"),
            '\0'..='\u{1f}' | '\u{fffe}' | '\u{ffff}' => out.push('?'),
            other => out.push(other),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_safe_in_xml() {
        assert_eq!(escaped("a < \"b\" & \u{1}\n"), "a &lt; &quot;b&quot; &amp; ?&#10;");
    }
}
