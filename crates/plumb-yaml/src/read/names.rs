//! Anchors, aliases, tags and directives.

use super::error::Result;
use super::error_kind::SyntaxErrorKind;
use super::scanner::{Scanner, offset};
use super::token::{Content, Kind, TagDirective, TagName, Token, TokenPlace};

impl<'a> Scanner<'a> {
    /// An anchor or an alias.
    pub(super) fn anchor(&mut self, kind: Kind) -> Result<()> {
        self.allow_key_here()?;
        self.is_key_allowed = false;
        let start = self.cursor.pos;
        self.cursor.pos += 1;
        let name = self.word();
        let ends_well =
            matches!(self.cursor.byte(), b'?' | b':' | b',' | b']' | b'}' | b'%' | b'@' | b'`')
                || self.cursor.is_blank_or_end(self.cursor.pos);
        if name.is_empty() || !ends_well {
            return Err(self.cursor.error(SyntaxErrorKind::AnchorName));
        }
        self.push_since(kind, start, self.cursor.line, Content::Borrowed(name));
        Ok(())
    }

    pub(super) fn tag(&mut self) -> Result<()> {
        self.allow_key_here()?;
        self.is_key_allowed = false;
        let start = self.cursor.pos;
        let name = if self.cursor.byte_at(start + 1) == b'<' {
            self.cursor.pos += 2;
            let suffix = self.uri("")?;
            if self.cursor.byte() != b'>' {
                return Err(self.cursor.error(SyntaxErrorKind::VerbatimTagEnd));
            }
            self.cursor.pos += 1;
            TagName { handle: String::new(), suffix }
        } else {
            self.short_tag()?
        };
        if !self.cursor.is_blank_or_end(self.cursor.pos) {
            return Err(self.cursor.error(SyntaxErrorKind::TagEnd));
        }
        self.push_since(Kind::Tag, start, self.cursor.line, Content::Tag(Box::new(name)));
        Ok(())
    }

    /// `!handle!suffix`, `!suffix` or `!`.
    fn short_tag(&mut self) -> Result<TagName> {
        let handle = self.handle()?;
        if handle.len() > 1 && handle.ends_with('!') {
            let suffix = self.uri("")?;
            return Ok(TagName { handle: handle.to_owned(), suffix });
        }
        // This was not a handle, but the beginning of a suffix.
        let suffix = self.uri(handle)?;
        if suffix.is_empty() {
            return Ok(TagName { handle: suffix, suffix: "!".to_owned() });
        }
        Ok(TagName { handle: "!".to_owned(), suffix })
    }

    /// Reads a `!`, a word, and the `!` after it, if there is one.
    fn handle(&mut self) -> Result<&'a str> {
        let start = self.cursor.pos;
        if self.cursor.byte() != b'!' {
            return Err(self.cursor.error(SyntaxErrorKind::TagBang));
        }
        self.cursor.pos += 1;
        self.word();
        if self.cursor.byte() == b'!' {
            self.cursor.pos += 1;
        }
        Ok(self.cursor.slice(start, self.cursor.pos))
    }

    /// Reads and decodes the characters of a URI, after the part that was read as a handle.
    fn uri(&mut self, handle: &str) -> Result<String> {
        let mut uri = handle.strip_prefix('!').unwrap_or_default().to_owned();
        let start = self.cursor.pos;
        loop {
            match self.cursor.byte() {
                b'%' => self.uri_escape(&mut uri)?,
                byte if is_uri_byte(byte) => {
                    uri.push(char::from(byte));
                    self.cursor.pos += 1;
                }
                _ => break,
            }
        }
        if handle.is_empty() && self.cursor.pos == start {
            return Err(self.cursor.error(SyntaxErrorKind::TagUri));
        }
        Ok(uri)
    }

    /// Reads one character, each of its bytes written as `%XX`.
    fn uri_escape(&mut self, uri: &mut String) -> Result<()> {
        let first = self.uri_octet()?;
        let width = match first {
            0x00..=0x7F => 1,
            0xC0..=0xDF => 2,
            0xE0..=0xEF => 3,
            0xF0..=0xF7 => 4,
            _ => return Err(self.cursor.error(SyntaxErrorKind::UriLeadingOctet)),
        };
        self.cursor.pos += 3;
        let mut character = vec![first];
        while character.len() < width {
            let octet = self.uri_octet()?;
            if octet & 0xC0 != 0x80 {
                return Err(self.cursor.error(SyntaxErrorKind::UriTrailingOctet));
            }
            character.push(octet);
            self.cursor.pos += 3;
        }
        uri.push_str(&String::from_utf8_lossy(&character));
        Ok(())
    }

    fn uri_octet(&self) -> Result<u8> {
        let digit = |at: usize| char::from(self.cursor.byte_at(self.cursor.pos + at)).to_digit(16);
        match (self.cursor.byte(), digit(1), digit(2)) {
            (b'%', Some(high), Some(low)) => {
                Ok(u8::try_from(high * 16 + low).expect("two digits make a byte"))
            }
            _ => Err(self.cursor.error(SyntaxErrorKind::UriEscape)),
        }
    }

    /// A line that begins with `%`.
    pub(super) fn directive(&mut self) -> Result<()> {
        self.end_of_document_content()?;
        let start = self.cursor.pos;
        let line = self.cursor.line;
        self.cursor.pos += 1;
        let name = self.word();
        if name.is_empty() {
            return Err(self.cursor.error(SyntaxErrorKind::DirectiveName));
        }
        if !self.cursor.is_blank_or_end(self.cursor.pos) {
            return Err(self.cursor.error(SyntaxErrorKind::DirectiveNameEnd));
        }
        let (kind, content) = match name {
            "YAML" => (Kind::VersionDirective, self.version()?),
            "TAG" => (Kind::TagDirective, self.tag_directive()?),
            _ => return Err(self.cursor.error(SyntaxErrorKind::UnknownDirective)),
        };
        self.push_since(kind, start, line, content);
        self.cursor.skip_blanks();
        if self.cursor.byte() == b'#' {
            self.cursor.skip_to_line_end();
        }
        if !self.cursor.is_break_or_end(self.cursor.pos) {
            return Err(self.cursor.error(SyntaxErrorKind::DirectiveEnd));
        }
        self.cursor.take_break();
        Ok(())
    }

    fn version(&mut self) -> Result<Content<'a>> {
        self.cursor.skip_blanks();
        let major = self.version_number()?;
        if self.cursor.byte() != b'.' {
            return Err(self.cursor.error(SyntaxErrorKind::VersionDot));
        }
        self.cursor.pos += 1;
        let minor = self.version_number()?;
        Ok(Content::Version { major, minor })
    }

    fn version_number(&mut self) -> Result<u8> {
        const MAX_DIGITS: usize = 2;
        let (mut value, mut n_digits) = (0, 0);
        while self.cursor.byte().is_ascii_digit() {
            if n_digits == MAX_DIGITS {
                return Err(self.cursor.error(SyntaxErrorKind::VersionLength));
            }
            value = value * 10 + (self.cursor.byte() - b'0');
            n_digits += 1;
            self.cursor.pos += 1;
        }
        if n_digits == 0 {
            return Err(self.cursor.error(SyntaxErrorKind::VersionNumber));
        }
        Ok(value)
    }

    fn tag_directive(&mut self) -> Result<Content<'a>> {
        self.cursor.skip_blanks();
        let handle = self.handle()?;
        if handle != "!" && !(handle.len() > 1 && handle.ends_with('!')) {
            return Err(self.cursor.error(SyntaxErrorKind::TagBang));
        }
        if !self.cursor.is_blank(self.cursor.pos) {
            return Err(self.cursor.error(SyntaxErrorKind::TagDirectiveSpace));
        }
        self.cursor.skip_blanks();
        let prefix = self.uri("")?;
        if !self.cursor.is_blank_or_end(self.cursor.pos) {
            return Err(self.cursor.error(SyntaxErrorKind::TagDirectiveEnd));
        }
        Ok(Content::TagDirective(Box::new(TagDirective { handle: handle.to_owned(), prefix })))
    }

    fn word(&mut self) -> &'a str {
        let start = self.cursor.pos;
        while matches!(self.cursor.byte(), b'0'..=b'9' | b'A'..=b'Z' | b'a'..=b'z' | b'_' | b'-') {
            self.cursor.pos += 1;
        }
        self.cursor.slice(start, self.cursor.pos)
    }

    fn push_since(&mut self, kind: Kind, start: usize, line: u32, content: Content<'a>) {
        let end = offset(self.cursor.pos);
        let place = TokenPlace { kind, is_one_line: true, line, start: offset(start), end };
        self.push(Token { place, content });
    }
}

fn is_uri_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"_-;/?:@&=+$,.!~*'()[]".contains(&byte)
}
