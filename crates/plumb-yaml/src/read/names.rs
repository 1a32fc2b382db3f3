//! Anchors, aliases, tags and directives.

use super::cursor::Cursor;
use super::error::Result;
use super::error_kind::SyntaxErrorKind;
use super::scanner::offset;
use super::token::{Content, Kind, TagDirective, TagName, Token, TokenPlace};

/// An anchor or an alias.
pub(super) fn anchor<'a>(cursor: &mut Cursor<'a>, kind: Kind) -> Result<Token<'a>> {
    let start = cursor.pos;
    cursor.pos += 1;
    let name = word(cursor);
    let ends_well = matches!(cursor.byte(), b'?' | b':' | b',' | b']' | b'}' | b'%' | b'@' | b'`')
        || cursor.is_blank_or_end(cursor.pos);
    if name.is_empty() || !ends_well {
        return Err(cursor.error(SyntaxErrorKind::AnchorName));
    }
    Ok(since(cursor, kind, start, Content::Borrowed(name)))
}

pub(super) fn tag<'a>(cursor: &mut Cursor<'a>) -> Result<Token<'a>> {
    let start = cursor.pos;
    let name = if cursor.byte_at(start + 1) == b'<' {
        cursor.pos += 2;
        let suffix = uri(cursor, "")?;
        if cursor.byte() != b'>' {
            return Err(cursor.error(SyntaxErrorKind::VerbatimTagEnd));
        }
        cursor.pos += 1;
        TagName { handle: String::new(), suffix }
    } else {
        short_tag(cursor)?
    };
    if !cursor.is_blank_or_end(cursor.pos) {
        return Err(cursor.error(SyntaxErrorKind::TagEnd));
    }
    Ok(since(cursor, Kind::Tag, start, Content::Tag(Box::new(name))))
}

/// `!handle!suffix`, `!suffix` or `!`.
fn short_tag(cursor: &mut Cursor<'_>) -> Result<TagName> {
    let handle = handle(cursor)?;
    if handle.len() > 1 && handle.ends_with('!') {
        let suffix = uri(cursor, "")?;
        return Ok(TagName { handle: handle.to_owned(), suffix });
    }
    // This was not a handle, but the beginning of a suffix.
    let suffix = uri(cursor, handle)?;
    if suffix.is_empty() {
        return Ok(TagName { handle: suffix, suffix: "!".to_owned() });
    }
    Ok(TagName { handle: "!".to_owned(), suffix })
}

/// Reads a `!`, a word, and the `!` after it, if there is one.
fn handle<'a>(cursor: &mut Cursor<'a>) -> Result<&'a str> {
    let start = cursor.pos;
    if cursor.byte() != b'!' {
        return Err(cursor.error(SyntaxErrorKind::TagBang));
    }
    cursor.pos += 1;
    word(cursor);
    if cursor.byte() == b'!' {
        cursor.pos += 1;
    }
    Ok(cursor.slice(start, cursor.pos))
}

/// Reads and decodes the characters of a URI, after the part that was read as a handle.
fn uri(cursor: &mut Cursor<'_>, handle: &str) -> Result<String> {
    let mut uri = handle.strip_prefix('!').unwrap_or_default().to_owned();
    let start = cursor.pos;
    loop {
        match cursor.byte() {
            b'%' => uri_escape(cursor, &mut uri)?,
            byte if is_uri_byte(byte) => {
                uri.push(char::from(byte));
                cursor.pos += 1;
            }
            _ => break,
        }
    }
    if handle.is_empty() && cursor.pos == start {
        return Err(cursor.error(SyntaxErrorKind::TagUri));
    }
    Ok(uri)
}

/// Reads one character, each of its bytes written as `%XX`.
fn uri_escape(cursor: &mut Cursor<'_>, uri: &mut String) -> Result<()> {
    let first = uri_octet(cursor)?;
    let width = match first {
        0x00..=0x7F => 1,
        0xC0..=0xDF => 2,
        0xE0..=0xEF => 3,
        0xF0..=0xF7 => 4,
        _ => return Err(cursor.error(SyntaxErrorKind::UriLeadingOctet)),
    };
    cursor.pos += 3;
    let mut character = vec![first];
    while character.len() < width {
        let octet = uri_octet(cursor)?;
        if octet & 0xC0 != 0x80 {
            return Err(cursor.error(SyntaxErrorKind::UriTrailingOctet));
        }
        character.push(octet);
        cursor.pos += 3;
    }
    uri.push_str(&String::from_utf8_lossy(&character));
    Ok(())
}

fn uri_octet(cursor: &Cursor<'_>) -> Result<u8> {
    let digit = |at: usize| char::from(cursor.byte_at(cursor.pos + at)).to_digit(16);
    match (cursor.byte(), digit(1), digit(2)) {
        (b'%', Some(high), Some(low)) => {
            Ok(u8::try_from(high * 16 + low).expect("two digits make a byte"))
        }
        _ => Err(cursor.error(SyntaxErrorKind::UriEscape)),
    }
}

/// A line that begins with `%`.
pub(super) fn directive<'a>(cursor: &mut Cursor<'a>) -> Result<Token<'a>> {
    let start = cursor.pos;
    cursor.pos += 1;
    let name = word(cursor);
    if name.is_empty() {
        return Err(cursor.error(SyntaxErrorKind::DirectiveName));
    }
    if !cursor.is_blank_or_end(cursor.pos) {
        return Err(cursor.error(SyntaxErrorKind::DirectiveNameEnd));
    }
    let (kind, content) = match name {
        "YAML" => (Kind::VersionDirective, version(cursor)?),
        "TAG" => (Kind::TagDirective, tag_directive(cursor)?),
        _ => return Err(cursor.error(SyntaxErrorKind::UnknownDirective)),
    };
    let token = since(cursor, kind, start, content);
    cursor.end_line(SyntaxErrorKind::DirectiveEnd)?;
    Ok(token)
}

fn version(cursor: &mut Cursor<'_>) -> Result<Content<'static>> {
    cursor.skip_blanks();
    let major = version_number(cursor)?;
    if cursor.byte() != b'.' {
        return Err(cursor.error(SyntaxErrorKind::VersionDot));
    }
    cursor.pos += 1;
    let minor = version_number(cursor)?;
    Ok(Content::Version { major, minor })
}

fn version_number(cursor: &mut Cursor<'_>) -> Result<u8> {
    const MAX_DIGITS: usize = 2;
    let (mut value, mut n_digits) = (0, 0);
    while cursor.byte().is_ascii_digit() {
        if n_digits == MAX_DIGITS {
            return Err(cursor.error(SyntaxErrorKind::VersionLength));
        }
        value = value * 10 + (cursor.byte() - b'0');
        n_digits += 1;
        cursor.pos += 1;
    }
    if n_digits == 0 {
        return Err(cursor.error(SyntaxErrorKind::VersionNumber));
    }
    Ok(value)
}

fn tag_directive(cursor: &mut Cursor<'_>) -> Result<Content<'static>> {
    cursor.skip_blanks();
    let handle = handle(cursor)?;
    if handle != "!" && !(handle.len() > 1 && handle.ends_with('!')) {
        return Err(cursor.error(SyntaxErrorKind::TagBang));
    }
    if !cursor.is_blank(cursor.pos) {
        return Err(cursor.error(SyntaxErrorKind::TagDirectiveSpace));
    }
    cursor.skip_blanks();
    let prefix = uri(cursor, "")?;
    if !cursor.is_blank_or_end(cursor.pos) {
        return Err(cursor.error(SyntaxErrorKind::TagDirectiveEnd));
    }
    Ok(Content::TagDirective(Box::new(TagDirective { handle: handle.to_owned(), prefix })))
}

fn word<'a>(cursor: &mut Cursor<'a>) -> &'a str {
    let start = cursor.pos;
    while matches!(cursor.byte(), b'0'..=b'9' | b'A'..=b'Z' | b'a'..=b'z' | b'_' | b'-') {
        cursor.pos += 1;
    }
    cursor.slice(start, cursor.pos)
}

/// Returns the token that ends at the cursor, on the line where it began.
fn since<'a>(cursor: &Cursor<'_>, kind: Kind, start: usize, content: Content<'a>) -> Token<'a> {
    let (start, end) = (offset(start), offset(cursor.pos));
    let place = TokenPlace { kind, is_one_line: true, line: cursor.line, start, end };
    Token { place, content }
}

fn is_uri_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"_-;/?:@&=+$,.!~*'()[]".contains(&byte)
}
