//! Texts of authors: plain text, with code in backticks and links to web pages.

/// A part of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Part<'a> {
    Words(&'a str),
    /// The text between backticks.
    Code(&'a str),
    /// An address that readers can follow.
    Link(&'a str),
}

/// Splits a text into its parts.
pub(crate) fn parts(text: &str) -> Vec<Part<'_>> {
    let mut out = Vec::new();
    let mut rest = text;
    while let Some(start) = rest.find('`') {
        let Some(length) = rest[start + 1..].find('`').filter(|it| *it > 0) else {
            break;
        };
        links(&rest[..start], &mut out);
        out.push(Part::Code(&rest[start + 1..start + 1 + length]));
        rest = &rest[start + length + 2..];
    }
    links(rest, &mut out);
    out
}

fn links<'a>(text: &'a str, out: &mut Vec<Part<'a>>) {
    let mut rest = text;
    while let Some(start) = ["https://", "http://"].iter().filter_map(|it| rest.find(it)).min() {
        let from = &rest[start..];
        let end = from
            .find(|it: char| it.is_whitespace() || "<>\"'|`".contains(it))
            .unwrap_or(from.len());
        let link = from[..end].trim_end_matches(['.', ',', ';', ':', '!', '?', ')', ']']);
        push_words(&rest[..start], out);
        out.push(Part::Link(link));
        rest = &from[link.len()..];
    }
    push_words(rest, out);
}

fn push_words<'a>(text: &'a str, out: &mut Vec<Part<'a>>) {
    if !text.is_empty() {
        out.push(Part::Words(text));
    }
}

#[cfg(test)]
mod tests {
    use super::Part::{Code, Link, Words};
    use super::*;

    #[test]
    fn code_and_addresses_are_found() {
        assert_eq!(parts("a `b` c"), [Words("a "), Code("b"), Words(" c")]);
        assert_eq!(parts("one ` only"), [Words("one ` only")]);
        assert_eq!(
            parts("see https://example.com/a?b. Or"),
            [Words("see "), Link("https://example.com/a?b"), Words(". Or")]
        );
        assert_eq!(parts(""), []);
    }
}
