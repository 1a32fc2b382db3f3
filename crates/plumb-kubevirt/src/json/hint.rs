//! Common mistakes in JSON: what the author did and where, with a hint how to fix it.
//!
//! The reader reports where the text stops being JSON; the mistake is often a little before that.

use std::ops::Range;

use plumb_yaml::json::{Context, SyntaxErrorKind};

use super::SyntaxError;

/// A common mistake that was recognised.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct SyntaxHint {
    pub at: Range<usize>,
    pub words: String,
    /// What to do about it.
    pub hint: &'static str,
}

const CURLY: [char; 4] = ['“', '”', '‘', '’'];

/// The mistake that led to the error. Returns `None` if it is not a common one.
pub(crate) fn syntax_hint(text: &str, error: &SyntaxError) -> Option<SyntaxHint> {
    let syntax_hint =
        |at, words: &str, hint| Some(SyntaxHint { at, words: words.to_owned(), hint });
    if let Some(at) = curly_quote(text, error) {
        let words = format!("`{}` is not a quote in JSON", &text[at.clone()]);
        return Some(SyntaxHint { at, words, hint: "write the straight quote `\"`" });
    }
    let before = text[..error.at.start].trim_end();
    let Some(found) = text[error.at.clone()].chars().next() else {
        return syntax_hint(
            last_char(before),
            "the text ends too early",
            "close the string, `{` or `[` that is still open",
        );
    };
    let context = match error.kind {
        SyntaxErrorKind::Unexpected { context, .. } => Some(context),
        _ => None,
    };
    let is_too_early = matches!(context, Some(Context::AfterPair | Context::AfterElement));
    let is_key = context == Some(Context::Key);
    let is_value = matches!(context, Some(Context::Value | Context::Literal { .. }));
    match found {
        '}' | ']' if before.ends_with(',') => syntax_hint(
            last_char(before),
            "a comma must not follow the last item",
            "remove the comma",
        ),
        '\'' => syntax_hint(error.at.clone(), "`'` is not a quote in JSON", "write `\"`"),
        '#' | '/' => {
            syntax_hint(error.at.clone(), "there are no comments in JSON", "remove the comment")
        }
        '"' | '{' | '[' if is_too_early => {
            syntax_hint(error.at.clone(), "a comma is missing", "add it before this place")
        }
        '=' => syntax_hint(error.at.clone(), "JSON has no `=`", "write `:`"),
        _ if is_key && found.is_alphabetic() => {
            syntax_hint(error.at.clone(), "a key must be in quotes", "write `\"` around it")
        }
        _ if is_value && found.is_alphanumeric() => {
            let at = word_around(text, error.at.start);
            syntax_hint(
                at,
                "this word is not a JSON value",
                "write a string in quotes, and rules as a list",
            )
        }
        _ => None,
    }
}

/// The letters and digits around a place.
fn word_around(text: &str, at: usize) -> Range<usize> {
    let is_other = |it: char| !it.is_alphanumeric();
    let start = text[..at]
        .rfind(is_other)
        .map_or(0, |it| it + text[it..].chars().next().map_or(0, char::len_utf8));
    let end = text[at..].find(is_other).map_or(text.len(), |it| at + it);
    start..end.max(at)
}

/// The curly quote at the error, or the one that did not end the string before it.
fn curly_quote(text: &str, error: &SyntaxError) -> Option<Range<usize>> {
    if text[error.at.clone()].starts_with(CURLY) {
        return Some(error.at.clone());
    }
    let start = last_string(&text[..error.at.end]);
    let (string, rest) = (&text[start..error.at.end], &text[error.at.end..]);
    let closes = |at: &usize| {
        let mut behind = string[*at..].chars().skip(1).chain(rest.chars());
        let next = behind.find(|it| *it != ' ');
        next.is_none_or(|it| matches!(it, ':' | ',' | '}' | ']' | '\n' | '\r'))
    };
    let found = string.match_indices(CURLY).find(|(at, _)| closes(at));
    found.map(|(at, quote)| start + at..start + at + quote.len())
}

/// Where the last string starts, even if it has no end.
fn last_string(text: &str) -> usize {
    let (mut start, mut is_inside, mut is_escaped) = (text.len(), false, false);
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' => is_escaped = is_inside,
            b'"' if is_inside => is_inside = false,
            b'"' => (start, is_inside) = (at, true),
            _ => {}
        }
    }
    start
}

fn last_char(text: &str) -> Range<usize> {
    let start = text.char_indices().next_back().map_or(0, |(at, _)| at);
    start..text.len()
}

#[cfg(test)]
mod tests {
    use super::super::reader;
    use super::*;

    fn check(text: &str, at: &str, words: Option<&str>) {
        let mut reader = reader(text);
        let error = reader.skip().and_then(|()| reader.end()).expect_err("the text is not JSON");
        let syntax_hint = syntax_hint(text, &error);
        assert_eq!(syntax_hint.as_ref().map(|it| it.words.as_str()), words, "{text}");
        assert_eq!(syntax_hint.map_or("", |it| &text[it.at]), at, "{text}");
    }

    #[test]
    fn curly_quotes_are_found_where_they_stand() {
        check("[{“a”: 1}]", "“", Some("`“` is not a quote in JSON"));
        check("[{\"a”: \"b\"}]", "”", Some("`”` is not a quote in JSON"));
        check("[{\"a\": \"b”, \"c\": 1}]", "”", Some("`”` is not a quote in JSON"));
        check("[{\"a”: 1,\n\"b\": 2}]", "”", Some("`”` is not a quote in JSON"));
        check("[{\"a\": \"say “b” here\" \"c\": 1}]", "\"", Some("a comma is missing"));
    }

    #[test]
    fn mistakes_with_commas_are_distinguished() {
        check("[{\"a\": 1\n \"b\": 2}]", "\"", Some("a comma is missing"));
        check("[{\"a\": 1} {\"b\": 2}]", "{", Some("a comma is missing"));
        check("[{\"a\": 1, }]", ",", Some("a comma must not follow the last item"));
        check("[1,\n]", ",", Some("a comma must not follow the last item"));
        check("[1, [2,], 3]", ",", Some("a comma must not follow the last item"));
    }

    #[test]
    fn other_slips_have_their_words() {
        check("[{'a': 1}]", "'", Some("`'` is not a quote in JSON"));
        check("[ # no\n1]", "#", Some("there are no comments in JSON"));
        check("[{a: 1}]", "a", Some("a key must be in quotes"));
        check("[{\"a\" = 1}]", "=", Some("JSON has no `=`"));
        check("[{\"a\": 1\n", "1", Some("the text ends too early"));
        check("", "", Some("the text ends too early"));
        check("not json", "not", Some("this word is not a JSON value"));
        check("[{\"a\": min}]", "min", Some("this word is not a JSON value"));
        check("[{\"a\": tru}]", "", None);
        check("[1}", "", None);
    }
}
