//! Replacement texts of regular expressions: `$1`, `${1}`, `$name`, `${name}` and `$$`.

use plumb_regexp::{Captures, Regexp};

/// A parsed replacement text.
pub(crate) struct Template<'a>(Vec<Piece<'a>>);

enum Piece<'a> {
    Text(&'a [u8]),
    Number(usize),
    Name(&'a str),
}

impl<'a> Template<'a> {
    pub(crate) fn parse(mut text: &'a [u8]) -> Self {
        let mut pieces = Vec::new();
        while let Some(at) = text.iter().position(|&byte| byte == b'$') {
            pieces.push(Piece::Text(&text[..at]));
            let rest = &text[at + 1..];
            if rest.first() == Some(&b'$') {
                pieces.push(Piece::Text(b"$"));
                text = &rest[1..];
            } else if let Some((name, after)) = group_name(rest) {
                pieces.push(name.parse().map_or(Piece::Name(name), Piece::Number));
                text = after;
            } else {
                pieces.push(Piece::Text(b"$"));
                text = rest;
            }
        }
        pieces.push(Piece::Text(text));
        Self(pieces)
    }

    /// Appends the text for one match. A group that does not exist is empty; if several groups have
    /// the same name, the first that matched is used.
    pub(crate) fn expand(
        &self,
        regexp: &Regexp,
        captures: &Captures,
        source: &[u8],
        out: &mut Vec<u8>,
    ) {
        for piece in &self.0 {
            let group = match piece {
                Piece::Text(text) => {
                    out.extend_from_slice(text);
                    continue;
                }
                Piece::Number(number) => captures.get_group(*number),
                Piece::Name(name) => {
                    regexp.groups_named(name).find_map(|number| captures.get_group(number))
                }
            };
            out.extend(group.into_iter().flat_map(|span| &source[span.range()]));
        }
    }
}

/// Returns the name of a group after a `$`, and the rest of the text. A name is as long as
/// possible.
fn group_name(text: &[u8]) -> Option<(&str, &[u8])> {
    let (is_braced, text) = match text.strip_prefix(b"{") {
        Some(text) => (true, text),
        None => (false, text),
    };
    let valid = longest_valid(text);
    let is_part = |character: char| character.is_alphanumeric() || character == '_';
    let end = valid.find(|character| !is_part(character)).unwrap_or(valid.len());
    let (name, after) = (&valid[..end], &text[end..]);
    match (name.is_empty(), is_braced) {
        (true, _) => None,
        (false, false) => Some((name, after)),
        (false, true) => after.strip_prefix(b"}").map(|after| (name, after)),
    }
}

fn longest_valid(text: &[u8]) -> &str {
    text.utf8_chunks().next().map_or("", |chunk| chunk.valid())
}
