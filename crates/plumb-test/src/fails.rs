//! Assertions about a rendering that must fail.

use plumb::{Failure, Sources};
use plumb_diagnostic::Diagnostic;
use plumb_source::message::plain;
use plumb_source::{Message, Span, Values, message};

use crate::check::FAILED;
use crate::suite::Fails;

/// The maximum number of findings that a message lists.
const MAX_LISTED: usize = 5;

/// Checks that a rendering failed as expected. Returns `None` if it did.
pub(crate) fn violation(
    fails: &Fails,
    failure: Option<&Failure>,
    sources: &Sources,
) -> Option<Diagnostic> {
    let Some(failure) = failure else {
        let message = message!("expected rendering to fail{}, but it succeeded", wanted(fails));
        return Some(Diagnostic::error(FAILED, message));
    };
    if failure.findings().iter().any(|it| is_it(fails, it, sources)) {
        return None;
    }
    let message = message!("rendering did not fail{}", wanted(fails));
    let mut finding = Diagnostic::error(FAILED, message);
    for found in failure.findings().iter().take(MAX_LISTED) {
        let (first, _) = found.message.split_line(Values::Masked);
        let code = plain(found.code.as_str());
        let place = places(found, sources).next();
        let at = place.map(|(place, _)| message!(" at {}", plain(place)));
        finding = finding.help(message!("it failed with {code}{at}: {first}"));
    }
    Some(finding)
}

/// Describes the finding that is expected, after `fail`.
fn wanted(fails: &Fails) -> Message {
    let Fails { code, at, message } = fails;
    let code = code.as_ref().map(|it| message!(" with `{}`", plain(&it.text)));
    let at = at.as_ref().map(|it| message!(" at `{}`", plain(&it.text)));
    let text = message.as_ref().map(|it| message!(" and the text `{}`", plain(&it.text)));
    message!("{code}{at}{text}")
}

/// Whether a finding is the expected one.
fn is_it(fails: &Fails, finding: &Diagnostic, sources: &Sources) -> bool {
    let Fails { code, at, message } = fails;
    let is_code = code.as_ref().is_none_or(|it| it.text == finding.code.as_str());
    let is_at = at.as_ref().is_none_or(|at| {
        places(finding, sources)
            .any(|(place, file)| is_end(&place, &at.text) || is_end(&file, &at.text))
    });
    let is_message = message.as_ref().is_none_or(|it| {
        let labels = finding.labels.iter().map(|it| &it.message);
        let mut texts = labels.chain([&finding.message]).chain(&finding.help);
        texts.any(|text| text.shown().contains(&it.text))
    });
    is_code && is_at && is_message
}

/// The places of a finding, as `FILE:LINE` and as `FILE`.
fn places<'a>(
    finding: &'a Diagnostic,
    sources: &'a Sources,
) -> impl Iterator<Item = (String, String)> + 'a {
    let place = |span: Span| {
        let source = sources.get(span.file);
        let file = source.location().into_owned();
        (format!("{file}:{}", source.line(span.start)), file)
    };
    let calls = finding.trace.iter().flatten().filter_map(|frame| match frame.place {
        plumb_diagnostic::FramePlace::Source(span) => Some(span),
        _ => None,
    });
    finding.labels.iter().map(|it| it.span).chain(calls).map(place)
}

/// Whether a path ends with another one.
fn is_end(path: &str, end: &str) -> bool {
    let end = end.trim_start_matches("./");
    path.strip_suffix(end).is_some_and(|rest| rest.is_empty() || rest.ends_with('/'))
}
