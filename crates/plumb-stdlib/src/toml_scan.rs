//! The tokens of TOML: strings, numbers, and the text between them.

use plumb_starlark::{Error, Value};

use crate::toml_error::{TomlErrorKind, TomlPart};
use crate::toml_number;

/// A text that is being read.
pub(crate) struct Scanner<'a> {
    text: &'a str,
    at: usize,
    /// The first byte that is not valid UTF-8; the text before it can be read.
    broken: Option<u8>,
}

/// What is wrong, and where.
pub(crate) struct ScanError {
    pub(crate) line: usize,
    /// The line that ytt reports.
    pub(crate) counted_line: usize,
    pub(crate) kind: ScanErrorKind,
}

pub(crate) enum ScanErrorKind {
    Syntax(TomlErrorKind),
    /// The text is valid TOML, but templates cannot represent it.
    NotData(Error),
}

pub(crate) type TomlResult<T> = std::result::Result<T, ScanError>;

impl<'a> Scanner<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        let text = bytes.utf8_chunks().next().map_or("", |chunk| chunk.valid());
        Self { text, at: 0, broken: bytes.get(text.len()).copied() }
    }

    pub(crate) fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    /// Returns the next character. A `\r` is only allowed before a `\n`.
    pub(crate) fn peek(&self) -> TomlResult<Option<char>> {
        let rest = self.rest();
        match (rest.chars().next(), self.broken) {
            (None, None) => Ok(None),
            (None, Some(byte)) => Err(self.here(TomlErrorKind::NotUtf8(byte))),
            (Some('\r'), _) if rest.starts_with("\r\n") => Ok(Some('\r')),
            (Some(it), _) if it.is_ascii_control() && !matches!(it, '\t' | '\n') => {
                Err(self.here(TomlErrorKind::Control(it)))
            }
            (Some(it), _) => Ok(Some(it)),
        }
    }

    /// Skips the next character; `\r\n` counts as one.
    pub(crate) fn bump(&mut self) {
        let rest = self.rest();
        let size = rest.chars().next().map_or(0, char::len_utf8);
        self.at += if rest.starts_with("\r\n") { 2 } else { size };
    }

    /// Skips all characters that pass a test, and returns them.
    pub(crate) fn take_while(&mut self, test: impl Fn(char) -> bool) -> TomlResult<&'a str> {
        let start = self.at;
        while self.peek()?.is_some_and(&test) {
            self.bump();
        }
        Ok(&self.text[start..self.at])
    }

    pub(crate) fn skip_blanks(&mut self) -> TomlResult<()> {
        self.take_while(is_blank).map(drop)
    }

    pub(crate) fn skip_comment(&mut self) -> TomlResult<()> {
        if self.peek()? == Some('#') {
            self.take_while(|it| !is_line_end(it))?;
        }
        Ok(())
    }

    pub(crate) fn skip_blanks_and_lines(&mut self) -> TomlResult<()> {
        loop {
            self.take_while(|it| is_blank(it) || is_line_end(it))?;
            if self.peek()? != Some('#') {
                return Ok(());
            }
            self.skip_comment()?;
        }
    }

    /// The error for a next character that is not the expected one.
    pub(crate) fn unexpected(&self, wanted: TomlPart) -> ScanError {
        match self.peek() {
            Ok(found) => self.at_next(TomlErrorKind::Unexpected { wanted, found }),
            Err(error) => error,
        }
    }

    pub(crate) fn bare_key(&mut self) -> TomlResult<String> {
        self.take_while(is_of_bare_key).map(str::to_owned)
    }

    /// Parses a value that is neither an array nor a table.
    pub(crate) fn scalar(&mut self) -> TomlResult<Value> {
        let rest = self.rest();
        match self.peek()? {
            None => Err(self.ended(TomlPart::Value)),
            Some('"') if rest.starts_with("\"\"\"") => self.long_basic_string().map(Value::from),
            Some('"') => self.basic_string().map(Value::from),
            Some('\'') if rest.starts_with("'''") => self.long_literal_string().map(Value::from),
            Some('\'') => self.literal_string().map(Value::from),
            Some('.') => Err(self.at_next(TomlErrorKind::LeadingPoint)),
            Some('+' | '-' | '0'..='9') => toml_number::read(self),
            Some('i' | 'n') if rest.starts_with("inf") || rest.starts_with("nan") => {
                toml_number::read(self)
            }
            Some(it) if it.is_alphabetic() => match self.take_while(char::is_alphabetic)? {
                "true" => Ok(Value::Bool(true)),
                "false" => Ok(Value::Bool(false)),
                word => {
                    let word = quoted(word);
                    Err(self.here(TomlErrorKind::Word(word)))
                }
            },
            Some(_) => Err(self.unexpected(TomlPart::Value)),
        }
    }

    pub(crate) fn basic_string(&mut self) -> TomlResult<String> {
        self.bump();
        let start = self.at;
        let mut out = String::new();
        loop {
            match self.peek()? {
                None => return Err(self.ended(TomlPart::Quotes("\""))),
                Some('\n' | '\r') => {
                    return Err(self.before_line_end(TomlErrorKind::LineBreakInString));
                }
                Some('"') => break,
                Some('\\') => {
                    self.bump();
                    out.push(self.escape(start)?);
                }
                Some(other) => {
                    out.push(other);
                    self.bump();
                }
            }
        }
        self.bump();
        Ok(out)
    }

    pub(crate) fn literal_string(&mut self) -> TomlResult<String> {
        self.bump();
        let text = self.take_while(|it| it != '\'' && !is_line_end(it))?;
        match self.peek()? {
            None => return Err(self.ended(TomlPart::Quotes("'"))),
            Some('\n' | '\r') => {
                return Err(self.before_line_end(TomlErrorKind::LineBreakInString));
            }
            Some(_) => self.bump(),
        }
        Ok(text.to_owned())
    }

    fn long_basic_string(&mut self) -> TomlResult<String> {
        self.skip_opening();
        let start = self.at;
        let mut out = String::new();
        loop {
            match self.peek()? {
                None => return Err(self.ended(TomlPart::Quotes("\"\"\""))),
                Some('"') => {
                    if self.closes('"', &mut out)? {
                        return Ok(out);
                    }
                }
                Some('\n' | '\r') => {
                    out.push('\n');
                    self.bump();
                }
                Some('\\') => {
                    self.bump();
                    let after_blanks = self.rest().trim_start_matches(is_blank);
                    if after_blanks.starts_with(is_line_end) {
                        self.take_while(|it| is_blank(it) || is_line_end(it))?;
                    } else {
                        out.push(self.escape(start)?);
                    }
                }
                Some(other) => {
                    out.push(other);
                    self.bump();
                }
            }
        }
    }

    fn long_literal_string(&mut self) -> TomlResult<String> {
        self.skip_opening();
        let mut out = String::new();
        loop {
            out.push_str(self.take_while(|it| it != '\'')?);
            if self.peek()?.is_none() {
                return Err(self.ended(TomlPart::Quotes("'''")));
            }
            if self.closes('\'', &mut out)? {
                return Ok(out);
            }
        }
    }

    /// Skips three quotes, and the line break after them.
    fn skip_opening(&mut self) {
        self.at += 3;
        if self.rest().starts_with(is_line_end) {
            self.bump();
        }
    }

    /// Skips quotes inside a multi-line string, and returns whether they end it: three of them do.
    /// Up to two more before the last three belong to the string.
    fn closes(&mut self, quote: char, out: &mut String) -> TomlResult<bool> {
        let quotes = self.take_while(|it| it == quote)?;
        match quotes.len() {
            0..3 => {
                out.push_str(quotes);
                Ok(false)
            }
            3..6 => {
                out.push_str(&quotes[3..]);
                Ok(true)
            }
            _ => {
                let found = &quotes[..6];
                let found = if quote == '"' { format!("'{found}'") } else { quoted(found) };
                Err(self.here(TomlErrorKind::Quotes(found)))
            }
        }
    }

    /// Returns the character of an escape; `start` is the position at which its string begins.
    fn escape(&mut self, start: usize) -> TomlResult<char> {
        let escaped = match self.peek()? {
            Some('b') => '\u{8}',
            Some('t') => '\t',
            Some('n') => '\n',
            Some('f') => '\u{c}',
            Some('r') => '\r',
            Some('"') => '"',
            Some('\\') => '\\',
            Some(blank) if is_blank(blank) => {
                return Err(self.here(TomlErrorKind::BlankEscape(blank)));
            }
            Some('u') => return self.code_point(start, 4),
            Some('U') => return self.code_point(start, 8),
            other => {
                return Err(self.at_next(TomlErrorKind::Escape(other.unwrap_or('\0'))));
            }
        };
        self.bump();
        Ok(escaped)
    }

    fn code_point(&mut self, start: usize, n_digits: usize) -> TomlResult<char> {
        self.bump();
        let mut code = 0;
        for _ in 0..n_digits {
            let digit = self.peek()?.and_then(|it| it.to_digit(16));
            self.bump();
            let Some(digit) = digit else {
                let found = quoted(&self.text[start..self.at]);
                return Err(self.here(TomlErrorKind::HexDigits { count: n_digits, found }));
            };
            code = code << 4 | digit;
        }
        char::from_u32(code)
            .ok_or_else(|| self.here(TomlErrorKind::NotACharacter { code, n_digits }))
    }

    /// An error on the current line.
    pub(crate) fn here(&self, kind: TomlErrorKind) -> ScanError {
        self.error_here(ScanErrorKind::Syntax(kind))
    }

    pub(crate) fn error_here(&self, kind: ScanErrorKind) -> ScanError {
        let line = 1 + n_line_ends(&self.text[..self.at]);
        ScanError { line, counted_line: line, kind }
    }

    /// The error for the end of the text.
    pub(crate) fn ended(&self, wanted: TomlPart) -> ScanError {
        self.at_next(TomlErrorKind::Ended { wanted })
    }

    /// An error about the next character. ytt reports the line after it: at the end of a line, this
    /// is the next line; at the end of the text, the number is too small by one.
    pub(crate) fn at_next(&self, kind: TomlErrorKind) -> ScanError {
        let size = self.rest().chars().next().map_or(0, char::len_utf8);
        let counted_line = n_line_ends(&self.text[..self.at + size]) + usize::from(size > 0);
        ScanError { counted_line, ..self.here(kind) }
    }

    /// An error about the end of a line. ytt treats the next character as the line break, even if
    /// it is the `\r` before it, so its number is too small by one.
    pub(crate) fn before_line_end(&self, kind: TomlErrorKind) -> ScanError {
        let error = self.at_next(kind);
        ScanError { counted_line: error.counted_line - 1, ..error }
    }
}

fn n_line_ends(text: &str) -> usize {
    text.bytes().filter(|&byte| byte == b'\n').count()
}

pub(crate) fn is_of_bare_key(character: char) -> bool {
    character.is_ascii_alphanumeric() || matches!(character, '_' | '-')
}

fn is_blank(character: char) -> bool {
    matches!(character, ' ' | '\t')
}

fn is_line_end(character: char) -> bool {
    matches!(character, '\n' | '\r')
}

/// Formats a text in quotes, with escapes.
pub(crate) fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for character in text.chars() {
        match character {
            '"' | '\\' => out.extend(['\\', character]),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            _ => out.push(character),
        }
    }
    out.push('"');
    out
}
