//! Paths in rules.

use std::ops::Range;
use std::sync::OnceLock;

use plumb_source::message::plain;

use super::{RuleError, RuleErrorKind};
use crate::json;
use crate::jsonpath::{JsonPath, SelectError};

/// Every path starts with this prefix, which distinguishes it from a text.
pub(super) const PREFIX: &str = "jsonpath::";

/// The greatest length of a path in bytes.
const MAX_PATH: usize = 4 << 10;

/// The start of all paths.
const ROOT: &str = "{.spec.template";

/// A path of a rule. It starts at the virtual machine's `.spec.template`.
#[derive(Debug)]
pub(crate) struct RulePath {
    /// As written, without the prefix and without a leading `$`.
    pub text: String,
    /// The range of the string in the annotation that contains the path, including the quotes.
    pub at: Range<usize>,
    pub template: JsonPath,
    /// The number of bytes of the string's value before `text`.
    skipped: usize,
    /// The same path, relative to the virtual machine itself; computed when it is needed.
    at_machine: OnceLock<Option<JsonPath>>,
}

impl RulePath {
    /// Parses the path in a string of the annotation. The string must have the prefix.
    pub(super) fn parse(text: &str, at: Range<usize>, annotation: &str) -> Result<Self, RuleError> {
        let Some(path) = text.strip_prefix(PREFIX) else {
            let rule_error = RuleError::new(RuleErrorKind::Parse, at, "invalid JSONPath")
                .own(plain(format!("a path must start with `{PREFIX}`")));
            return Err(match meant(text) {
                Some(path) => rule_error.hint(plain(format!("write `{PREFIX}{path}`"))),
                None => rule_error,
            });
        };
        if path.len() > MAX_PATH {
            let message = format!("a path must not be longer than {MAX_PATH} bytes");
            return Err(RuleError::new(RuleErrorKind::Parse, at, plain(message)));
        }
        let path = path.strip_prefix('$').unwrap_or(path);
        let skipped = text.len() - path.len();
        let template = JsonPath::parse(&format!("{ROOT}{path}}}")).map_err(|error| {
            let place = place(&error.at, &at, skipped, annotation);
            let own = own_words(&error.message);
            let rule_error = RuleError::new(RuleErrorKind::Parse, place, plain(error.message));
            let rule_error = match own {
                Some(own) => rule_error.own(own),
                None => rule_error,
            };
            match mended(path) {
                Some(path) => rule_error.hint(plain(format!("write `{PREFIX}{path}`"))),
                None => rule_error,
            }
        })?;
        Ok(Self { text: path.to_owned(), at, template, skipped, at_machine: OnceLock::new() })
    }

    /// The path relative to the virtual machine. The description of the format defines paths this
    /// way, although its examples differ.
    pub(crate) fn at_machine(&self) -> Option<&JsonPath> {
        let template = self.at_machine.get_or_init(|| {
            let is_path = self.text.starts_with(['.', '[']) && !self.text.contains(['{', '}']);
            is_path.then(|| JsonPath::parse(&format!("{{{}}}", self.text)).ok()).flatten()
        });
        template.as_ref()
    }

    /// The bytes of the annotation where the path cannot be followed.
    pub(crate) fn place(&self, error: &SelectError, annotation: &str) -> Range<usize> {
        place(&error.at, &self.at, self.skipped, annotation)
    }
}

/// The path that a text without the prefix probably means: `.spec.a` for `spec.a`, `$.spec.a`,
/// `{.spec.a}`, `/spec/a` and `jsonpath:.spec.a`. Returns `None` if it does not look like a path.
pub(super) fn meant(text: &str) -> Option<String> {
    let text = text.trim();
    // A misspelt prefix is at most two bytes longer than the correct one.
    let colon = text.rfind(':').filter(|at| *at <= PREFIX.len() + 1);
    let text = colon.map_or(text, |at| text[at + 1..].trim_start());
    let braced = text.strip_prefix('{').and_then(|it| it.strip_suffix('}'));
    let path = braced.unwrap_or(text);
    let path = path.strip_prefix('$').unwrap_or(path);
    let path = match path.chars().next()? {
        '.' | '[' => path.to_owned(),
        '/' => path.replace('/', "."),
        it if it.is_alphabetic() => format!(".{path}"),
        _ => return None,
    };
    let is_path = !path.contains([' ', '{', '}']) || path.contains('[');
    (is_path && JsonPath::parse(&format!("{ROOT}{path}}}")).is_ok()).then_some(path)
}

/// A probable correction of a path with the prefix: without braces around it, and with single
/// quotes around keys.
fn mended(path: &str) -> Option<String> {
    let mended = meant(path).unwrap_or_else(|| path.to_owned()).replace('"', "'");
    let is_path = mended != path && JsonPath::parse(&format!("{ROOT}{mended}}}")).is_ok();
    is_path.then_some(mended)
}

/// Plumb's words for a syntax error of the path, if the validator's words refer to its source code.
fn own_words(message: &str) -> Option<&'static str> {
    [
        ("unrecognized character in action", "this character has no meaning in a path"),
        (
            "invalid array index",
            "brackets must contain an index, a key in single quotes, or a filter",
        ),
        ("unterminated array", "`]` is missing"),
    ]
    .into_iter()
    .find(|(start, _)| message.starts_with(start))
    .map(|(_, own)| own)
}

/// Converts a range of a template into a range of the annotation, given the string with the path.
fn place(
    range: &Range<usize>,
    string: &Range<usize>,
    skipped: usize,
    annotation: &str,
) -> Range<usize> {
    let quoted = &annotation[string.clone()];
    let of = |offset: usize| {
        string.start + json::offset_within(quoted, skipped + offset.saturating_sub(ROOT.len()))
    };
    of(range.start)..of(range.end)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_without_its_prefix_is_completed() {
        let check = |text: &str, expected: Option<&str>| {
            assert_eq!(meant(text).as_deref(), expected, "{text}");
        };
        let cores = Some(".spec.domain.cpu.cores");
        check("spec.domain.cpu.cores", cores);
        check(".spec.domain.cpu.cores", cores);
        check("$.spec.domain.cpu.cores", cores);
        check("{.spec.domain.cpu.cores}", cores);
        check("/spec/domain/cpu/cores", cores);
        check("jsonpath:.spec.domain.cpu.cores", cores);
        check("JSONPath:: .spec.domain.cpu.cores", cores);
        check(" jsonpath::.spec.domain.cpu.cores", cores);
        check("jsonpath:spec.domain.cpu.cores", cores);
        check("spec.disks[?(@.name == 'a')].bus", Some(".spec.disks[?(@.name == 'a')].bus"));
        check("the cores of the machine", None);
        check("spec.disks[", None);
        check("", None);
        check("7", None);
    }
}
