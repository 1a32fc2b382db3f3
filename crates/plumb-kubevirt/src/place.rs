//! Places in YAML: the value after a key, and text inside a scalar.
//!
//! A rule is JSON inside a YAML string. Both the value of the string and its source text are known.
//! Both are read in parallel to find the source bytes of each byte of the value. If they do not
//! match, a report points at the whole item instead.

use std::ops::Range;

use plumb_source::{Origin, Sources, Span};
use plumb_value::Node;

/// A string of a document, and the source place of each character of its value.
pub(crate) struct Scalar {
    /// The item that contains the string.
    item: Span,
    /// The offset of each character of the value and its range in the source. Empty if the source
    /// does not match the value.
    places: Vec<(usize, Range<usize>)>,
}

impl Scalar {
    /// Reads the value and the source in parallel. Returns `None` if the string is not written in a
    /// file.
    pub(crate) fn new(sources: &Sources, origin: Origin, text: &str) -> Option<Self> {
        let item = origin.span()?;
        let source = sources.get(item.file);
        let source = std::str::from_utf8(source.bytes()).ok().filter(|_| !text.is_empty());
        let places = source.and_then(|source| {
            let start = scalar_start(source, item.start as usize)?;
            align(source, start, text)
        });
        Some(Self { item, places: places.unwrap_or_default() })
    }

    /// The place of a range of the value, or of the whole item if that is not known.
    pub(crate) fn span(&self, range: &Range<usize>) -> Span {
        let last = range.end.saturating_sub(1).max(range.start);
        let places = self.place(range.start).zip(self.place(last));
        let found = places.and_then(|(first, last)| {
            let end = if range.is_empty() { first.start } else { last.end };
            let offset = |at: usize| u32::try_from(at).ok();
            Some(Span::new(self.item.file, offset(first.start)?, offset(end.max(first.start))?))
        });
        found.unwrap_or(self.item)
    }

    /// The place of the character that contains this byte of the value, or of the end of the value.
    fn place(&self, at: usize) -> Option<Range<usize>> {
        let after = self.places.partition_point(|(start, _)| *start <= at);
        let (_, place) = self.places.get(after.checked_sub(1)?)?;
        Some(place.clone())
    }
}

/// The place of the value of an item, without its key or dash if it is a scalar on the same line.
pub(crate) fn of_value(sources: &Sources, origin: Origin, node: &Node) -> Option<Span> {
    let span = origin.span()?;
    if matches!(node, Node::Map(_) | Node::Array(_)) {
        return Some(span);
    }
    let source = sources.get(span.file);
    let start = std::str::from_utf8(source.bytes())
        .ok()
        .and_then(|source| scalar_start(source, span.start as usize))
        .and_then(|start| u32::try_from(start).ok())
        .filter(|start| *start < span.end);
    Some(start.map_or(span, |start| Span::new(span.file, start, span.end)))
}

/// Where the scalar of an item starts, if the item starts at a key or a dash.
fn scalar_start(source: &str, item: usize) -> Option<usize> {
    let rest = source.get(item..)?;
    let after_dash = rest.strip_prefix('-').filter(|it| it.starts_with([' ', '\n', '\r']));
    let mut value = match after_dash {
        Some(value) => value,
        None => after_key(rest)?,
    };
    loop {
        value = value.trim_start();
        if !value.starts_with(['!', '&']) {
            return Some(source.len() - value.len());
        }
        value = &value[value.find(char::is_whitespace)?..];
    }
}

/// The text after the colon of a key.
fn after_key(text: &str) -> Option<&str> {
    let mut chars = text.char_indices();
    let end = match text.chars().next()? {
        '"' => {
            chars.next();
            loop {
                match chars.next()? {
                    (_, '\\') => chars.next().map(|_| ())?,
                    (at, '"') => break at + 1,
                    _ => {}
                }
            }
        }
        '\'' => 1 + text[1..].find('\'')? + 1,
        _ => {
            text.match_indices(':')
                .find(|(at, _)| {
                    text[at + 1..].is_empty() || text[at + 1..].starts_with([' ', '\n', '\r', '\t'])
                })?
                .0
        }
    };
    text[end..].trim_start().strip_prefix(':')
}

/// How a scalar is written.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Style {
    /// Plain, or a block: every character except white space is written as itself.
    Literal,
    Single,
    Double,
}

/// Where the characters of a scalar's value come from, and its end. Returns `None` if the source
/// does not match the value.
fn align(source: &str, start: usize, text: &str) -> Option<Vec<(usize, Range<usize>)>> {
    let mut at = start;
    let style = match source[start..].chars().next()? {
        '|' | '>' => {
            at += source[start..].find('\n')?;
            Style::Literal
        }
        '"' => Style::Double,
        '\'' => Style::Single,
        _ => Style::Literal,
    };
    if style != Style::Literal {
        at += 1;
    }
    let mut places = Vec::with_capacity(text.len() + 1);
    for (offset, char) in text.char_indices() {
        let place = next(source, at, char, style)?;
        at = place.end;
        places.push((offset, place));
    }
    places.push((text.len(), at..at));
    Some(places)
}

/// The place of the next character of the value.
fn next(source: &str, at: usize, char: char, style: Style) -> Option<Range<usize>> {
    if char.is_whitespace() {
        return Some(blank(source, at, style));
    }
    let mut rest = source[at..].trim_start();
    while style == Style::Double && (rest.starts_with("\\\n") || rest.starts_with("\\\r\n")) {
        rest = rest[1..].trim_start();
    }
    let start = source.len() - rest.len();
    let found = rest.chars().next()?;
    let length = match (style, found) {
        (Style::Double, '\\') => escape_length(rest),
        (Style::Single, '\'') if rest.starts_with("''") => 2,
        _ if found == char => found.len_utf8(),
        _ => return None,
    };
    Some(start..start + length)
}

/// The place of a blank or line break of the value: an escape, or blanks and line breaks of the
/// source. The place may be empty if a line was folded.
fn blank(source: &str, at: usize, style: Style) -> Range<usize> {
    let rest = &source[at..];
    let length = match rest.chars().next() {
        Some('\\') if style == Style::Double => escape_length(rest),
        Some(found) if found.is_whitespace() => found.len_utf8(),
        _ => 0,
    };
    at..at + length
}

fn escape_length(text: &str) -> usize {
    let digits = match text.as_bytes().get(1) {
        Some(b'x') => 2,
        Some(b'u') => 4,
        Some(b'U') => 8,
        _ => 0,
    };
    let second = text.chars().nth(1).map_or(0, char::len_utf8);
    (1 + second + digits).min(text.len())
}

#[cfg(test)]
mod tests {
    use plumb_source::SourceKind;
    use plumb_yaml::ReadOptions;

    use super::*;

    /// The source text that is shown for a part of the value of the only key.
    fn shown(yaml: &str, part: &str) -> String {
        let sources = Sources::new();
        let file = sources.add("a.yml", SourceKind::File, yaml.as_bytes().into());
        let documents = plumb_yaml::parse(file, yaml.as_bytes(), &ReadOptions::default());
        let documents = documents.expect("the text is YAML");
        let item = &documents[0].node.as_map().expect("a map").items()[0];
        let text = item.node.as_str().expect("a string");
        let start = text.find(part).expect("the part is there");
        let scalar = Scalar::new(&sources, item.origin, text).expect("the item is written");
        let span = scalar.span(&(start..start + part.len()));
        yaml[span.start as usize..span.end as usize].to_owned()
    }

    #[test]
    fn text_is_found_in_every_kind_of_scalar() {
        assert_eq!(shown("k: |\n  [\n    {\"a\": 1}\n  ]\n", "{\"a\": 1}"), "{\"a\": 1}");
        assert_eq!(shown("k: |-\n\n    x\n\n      yé z\n", "yé"), "yé");
        assert_eq!(shown("k: >\n  a\n  b\n\n  c d\n", "d"), "d");
        assert_eq!(shown("k: '[{\"a\": ''b''}]'\n", "'b'"), "''b''");
        assert_eq!(shown("k: \"[{\\\"a\\\": 1,\\n\\\n  \\u00e9}]\"\n", "\"a\""), "\\\"a\\\"");
        assert_eq!(shown("k: \"[{\\\"a\\\": 1,\\n\\\n  \\u00e9}]\"\n", "é"), "\\u00e9");
        assert_eq!(shown("k: &x !!str [1, \n  2]x\n".replace('[', "a").as_str(), "2"), "2");
        assert_eq!(shown("\"k:\": 'a'\n", "a"), "a");
        assert_eq!(shown("k:\n  plain text\n", "text"), "text");
    }
}
