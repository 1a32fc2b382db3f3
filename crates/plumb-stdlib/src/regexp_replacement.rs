//! Replacement texts of regular expressions: `$1`, `${1}`, `$name`, `${name}` and `$$`.

use plumb_regexp::{Captures, Regexp};
use plumb_starlark::{Result, Thread};

/// A replacement text. It is parsed again for each match: the parsed form could need many times its
/// size.
#[derive(Clone, Copy)]
pub(crate) struct Replacement<'a>(pub(crate) &'a [u8]);

enum Piece<'a> {
    Text(&'a [u8]),
    Number(usize),
    Name(&'a str),
}

impl<'a> Replacement<'a> {
    /// Appends the text for one match. A group that does not exist is empty; if several groups have
    /// the same name, the first that matched is used.
    pub(crate) fn expand(
        mut self,
        regexp: &Regexp,
        captures: &Captures,
        source: &[u8],
        out: &mut Replaced<'_, '_>,
    ) -> Result<()> {
        out.thread.count_bytes(self.0.len())?;
        while let Some(piece) = self.next() {
            let group = match piece {
                Piece::Text(text) => {
                    out.push(text)?;
                    continue;
                }
                Piece::Number(number) => captures.get_group(number),
                Piece::Name(name) => {
                    regexp.groups_named(name).find_map(|number| captures.get_group(number))
                }
            };
            if let Some(span) = group {
                out.push(&source[span.range()])?;
            }
        }
        Ok(())
    }

    /// Splits off the first piece.
    fn next(&mut self) -> Option<Piece<'a>> {
        let Self(text) = *self;
        let (piece, rest) = match text {
            [] => return None,
            [b'$', b'$', rest @ ..] => (Piece::Text(b"$"), rest),
            [b'$', rest @ ..] => match group_name(rest) {
                Some((name, after)) => {
                    (name.parse().map_or(Piece::Name(name), Piece::Number), after)
                }
                None => (Piece::Text(b"$"), rest),
            },
            _ => {
                let end = text.iter().position(|&byte| byte == b'$').unwrap_or(text.len());
                let (plain, rest) = text.split_at(end);
                (Piece::Text(plain), rest)
            }
        };
        self.0 = rest;
        Some(piece)
    }
}

/// The result of the replacement so far.
pub(crate) struct Replaced<'t, 'h> {
    pub(crate) thread: &'t mut Thread<'h>,
    pub(crate) text: Vec<u8>,
}

impl Replaced<'_, '_> {
    /// Appends a text, if there is memory for it.
    pub(crate) fn push(&mut self, text: &[u8]) -> Result<()> {
        self.thread.count_bytes(text.len())?;
        self.thread.check_text(self.text.len() + text.len())?;
        self.text.extend_from_slice(text);
        Ok(())
    }
}

/// Returns the name of a group after a `$`, and the rest of the text. The name is as long as
/// possible.
fn group_name(text: &[u8]) -> Option<(&str, &[u8])> {
    let (is_braced, text) = match text.strip_prefix(b"{") {
        Some(text) => (true, text),
        None => (false, text),
    };
    let is_ascii_part = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    let end = text.iter().position(|&it| it.is_ascii() && !is_ascii_part(it));
    let valid = longest_valid(&text[..end.unwrap_or(text.len())]);
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
