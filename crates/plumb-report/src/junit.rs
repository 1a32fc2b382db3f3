//! A test suite in the XML of `JUnit`, which most CI systems show. A finding is a test case, and an
//! error is a failed test case. A run without errors is one test that passed.

use std::fmt::Write as _;

use plumb_diagnostic::Severity;

use crate::{File, Finding, Run, TestSuite};

/// Renders a run as an XML document.
pub fn render(run: &Run) -> String {
    let mut out = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    // Findings in a test are failures of that test.
    let findings: Vec<&Finding> = run.findings.iter().filter(|it| it.test.is_none()).collect();
    let n_errors = findings.iter().filter(|it| it.severity == Severity::Error).count();
    let passed = usize::from(n_errors == 0 && run.suites.is_empty());
    let own = (findings.len() + passed, n_errors);
    let of_suites = run.suites.iter().map(counts_of);
    let (n_tests, n_failures) = of_suites.fold(own, |all, it| (all.0 + it.0, all.1 + it.1));
    let _ = writeln!(out, "<testsuites {}>", counts(n_tests, n_failures));
    run.suites.iter().for_each(|suite| test_suite(suite, &mut out));
    if own.0 > 0 {
        let name = ["plumb", run.command].join(" ");
        let name = escaped(name.trim_end());
        let _ = writeln!(out, "  <testsuite name=\"{name}\" {}>", counts(own.0, own.1));
        if passed == 1 {
            out.push_str("    <testcase classname=\"plumb\" name=\"no errors\"/>\n");
        }
        for finding in findings {
            test_case(finding, &mut out);
        }
        out.push_str("  </testsuite>\n");
    }
    out.push_str("</testsuites>\n");
    out
}

fn counts(n_tests: usize, n_failures: usize) -> String {
    format!("tests=\"{n_tests}\" failures=\"{n_failures}\" errors=\"0\"")
}

/// How many tests there are, and how many of them failed.
fn counts_of(suite: &TestSuite) -> (usize, usize) {
    let n_failed = suite.tests.iter().filter(|it| !it.failures.is_empty()).count();
    (suite.tests.len(), n_failed)
}

fn test_suite(suite: &TestSuite, out: &mut String) {
    let (n_tests, n_failed) = counts_of(suite);
    let name = escaped(&suite.name);
    let file = escaped(&suite.file.to_string_lossy());
    let counts = counts(n_tests, n_failed);
    let _ = writeln!(out, "  <testsuite name=\"{name}\" file=\"{file}\" {counts}>");
    for test in &suite.tests {
        let _ = write!(out, "    <testcase classname=\"{name}\" name=\"{}\"", escaped(&test.name));
        let _ = write!(out, " file=\"{file}\"");
        if let Some(line) = test.line {
            let _ = write!(out, " line=\"{line}\"");
        }
        if test.failures.is_empty() {
            out.push_str("/>\n");
            continue;
        }
        out.push_str(">\n");
        test.failures.iter().for_each(|finding| failure(finding, out));
        out.push_str("    </testcase>\n");
    }
    out.push_str("  </testsuite>\n");
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
    failure(finding, out);
    out.push_str("    </testcase>\n");
}

fn failure(finding: &Finding, out: &mut String) {
    let text = escaped(&full_text(finding));
    let _ = match finding.severity {
        Severity::Error => writeln!(
            out,
            "      <failure type=\"{}\" message=\"{}\">{text}</failure>",
            escaped(finding.code.as_str()),
            escaped(&finding.message)
        ),
        Severity::Warning => writeln!(out, "      <system-out>warning: {text}</system-out>"),
    };
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
