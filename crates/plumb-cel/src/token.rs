//! Splits the text of an expression into tokens.

use std::ops::Range;

use crate::CompileError;

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Token {
    Name(String),
    /// The name of a field between backticks.
    Quoted(String),
    /// Without a sign, which is an operator.
    Int(u64),
    UInt(u64),
    Double(f64),
    String(String),
    Bytes(Vec<u8>),
    Symbol(&'static str),
    End,
}

/// Longer symbols first.
const SYMBOLS: [&str; 27] = [
    "&&", "||", "==", "!=", "<=", ">=", ".?", "[?", "(", ")", "[", "]", "{", "}", ".", ",", ":",
    "?", "<", ">", "+", "-", "*", "/", "%", "!", "=",
];

impl Token {
    /// A description of the token for messages.
    pub(crate) fn described(&self) -> String {
        match self {
            Self::Name(name) => format!("`{name}`"),
            Self::Quoted(_) => "a name between backticks".to_owned(),
            Self::Int(_) | Self::UInt(_) | Self::Double(_) => "a number".to_owned(),
            Self::String(_) => "a string".to_owned(),
            Self::Bytes(_) => "a bytes literal".to_owned(),
            Self::Symbol(symbol) => format!("`{symbol}`"),
            Self::End => "the end".to_owned(),
        }
    }
}

/// All tokens with their byte ranges in the source; the last is [`Token::End`].
pub(crate) fn tokens(source: &str) -> Result<Vec<(Token, Range<usize>)>, CompileError> {
    let mut lexer = Lexer { source, at: 0 };
    let mut tokens = Vec::new();
    loop {
        lexer.skip_space();
        let start = lexer.at;
        let token = lexer.next()?;
        let is_end = token == Token::End;
        tokens.push((token, start..lexer.at));
        if is_end {
            return Ok(tokens);
        }
    }
}

struct Lexer<'a> {
    source: &'a str,
    at: usize,
}

impl<'a> Lexer<'a> {
    fn rest(&self) -> &'a str {
        &self.source[self.at..]
    }

    fn skip_space(&mut self) {
        loop {
            let rest = self.rest();
            let text = rest.trim_start_matches([' ', '\t', '\n', '\r', '\u{c}']);
            self.at += rest.len() - text.len();
            if !text.starts_with("//") {
                return;
            }
            self.at += text.find('\n').unwrap_or(text.len());
        }
    }

    fn next(&mut self) -> Result<Token, CompileError> {
        let rest = self.rest();
        let Some(first) = rest.chars().next() else {
            return Ok(Token::End);
        };
        if let Some(literal) = self.text_literal() {
            return literal;
        }
        if first.is_ascii_alphabetic() || first == '_' {
            let name = self.take_while(|it| it.is_ascii_alphanumeric() || it == '_');
            return Ok(Token::Name(name.to_owned()));
        }
        let is_fraction = first == '.' && rest[1..].starts_with(|it: char| it.is_ascii_digit());
        if first.is_ascii_digit() || is_fraction {
            return self.number();
        }
        if first == '`' {
            return self.quoted_name();
        }
        if let Some(symbol) = SYMBOLS.into_iter().find(|it| rest.starts_with(it)) {
            self.at += symbol.len();
            return Ok(Token::Symbol(symbol));
        }
        let at = self.at..self.at + first.len_utf8();
        let error = CompileError::new(format!("`{first}` has no meaning here"), at);
        Err(match first {
            '&' => error.help("`and` is `&&`"),
            '|' => error.help("`or` is `||`"),
            '~' => error.help("a regular expression is `text.matches(\"…\")`"),
            '$' | '@' => error.help("the value is `self`"),
            ';' => error.help("a rule is one expression: write several rules as a list"),
            _ => error,
        })
    }

    fn take_while(&mut self, is_part: impl Fn(char) -> bool) -> &'a str {
        let rest = self.rest();
        let end = rest.find(|it| !is_part(it)).unwrap_or(rest.len());
        self.at += end;
        &rest[..end]
    }

    fn quoted_name(&mut self) -> Result<Token, CompileError> {
        let start = self.at;
        let inner = &self.rest()[1..];
        let end = inner.find('`').filter(|end| *end > 0).ok_or_else(|| {
            CompileError::new("a name between backticks is not closed", start..self.source.len())
        })?;
        self.at += end + 2;
        Ok(Token::Quoted(inner[..end].to_owned()))
    }

    fn number(&mut self) -> Result<Token, CompileError> {
        let start = self.at;
        if let Some(digits) = self.rest().strip_prefix("0x").or(self.rest().strip_prefix("0X")) {
            let end = digits.find(|it: char| !it.is_ascii_hexdigit()).unwrap_or(digits.len());
            self.at += 2 + end;
            return self.integer(u64::from_str_radix(&digits[..end], 16).ok(), start);
        }
        let whole = self.take_while(|it| it.is_ascii_digit());
        let mut is_double = false;
        let is_digit = |it: Option<char>| it.is_some_and(|it| it.is_ascii_digit());
        if self.rest().starts_with('.') && is_digit(self.rest().chars().nth(1)) {
            self.at += 1;
            self.take_while(|it| it.is_ascii_digit());
            is_double = true;
        }
        if let Some(exponent) = self.rest().strip_prefix(['e', 'E']) {
            let digits = exponent.strip_prefix(['+', '-']).unwrap_or(exponent);
            if is_digit(digits.chars().next()) {
                self.at += 1 + exponent.len() - digits.len();
                self.take_while(|it| it.is_ascii_digit());
                is_double = true;
            }
        }
        if !is_double {
            return self.integer(whole.parse().ok(), start);
        }
        self.end_of_number(start)?;
        let number = self.source[start..self.at].parse::<f64>();
        number.map(Token::Double).map_err(|_| self.too_large(start))
    }

    fn integer(&mut self, value: Option<u64>, start: usize) -> Result<Token, CompileError> {
        let is_unsigned = self.rest().starts_with(['u', 'U']);
        self.at += usize::from(is_unsigned);
        self.end_of_number(start)?;
        let value = value.ok_or_else(|| self.too_large(start))?;
        Ok(if is_unsigned { Token::UInt(value) } else { Token::Int(value) })
    }

    fn end_of_number(&mut self, start: usize) -> Result<(), CompileError> {
        if !self.rest().starts_with(|it: char| it.is_ascii_alphanumeric() || it == '_') {
            return Ok(());
        }
        self.take_while(|it| it.is_ascii_alphanumeric() || it == '_');
        Err(CompileError::new("a number is followed by a letter", start..self.at)
            .help("a quantity such as `1Gi` is `quantity(\"1Gi\")`"))
    }

    fn too_large(&self, start: usize) -> CompileError {
        CompileError::new("the number is too large", start..self.at)
    }

    /// Reads a string or bytes literal. Returns `None` if there is no literal here.
    fn text_literal(&mut self) -> Option<Result<Token, CompileError>> {
        let rest = self.rest();
        let body = rest.trim_start_matches(['r', 'R', 'b', 'B']);
        let prefix = rest[..rest.len() - body.len()].to_ascii_lowercase();
        let is_prefix = matches!(prefix.as_str(), "" | "r" | "b" | "br" | "rb");
        if !is_prefix || !body.starts_with(['"', '\'']) {
            return None;
        }
        let start = self.at;
        self.at += prefix.len();
        Some(self.text(body, &prefix, start))
    }

    fn text(&mut self, body: &str, prefix: &str, start: usize) -> Result<Token, CompileError> {
        let delimiters = ["\"\"\"", "'''", "\"", "'"];
        let delimiter = delimiters.into_iter().find(|it| body.starts_with(it)).unwrap_or("\"");
        let is_raw = prefix.contains('r');
        let is_bytes = prefix.contains('b');
        self.at += delimiter.len();
        let mut out = Vec::new();
        loop {
            let rest = self.rest();
            if rest.starts_with(delimiter) {
                self.at += delimiter.len();
                break;
            }
            let next = rest.chars().next().filter(|it| *it != '\n' || delimiter.len() == 3);
            let Some(next) = next else {
                let message = format!("a string is not closed: expected another {delimiter}");
                return Err(CompileError::new(message, start..self.at));
            };
            if next == '\\' && !is_raw {
                self.escape(is_bytes, &mut out)?;
            } else {
                self.at += next.len_utf8();
                out.extend_from_slice(next.encode_utf8(&mut [0; 4]).as_bytes());
            }
        }
        if is_bytes {
            return Ok(Token::Bytes(out));
        }
        let text = String::from_utf8(out).expect("a string is made of characters");
        Ok(Token::String(text))
    }

    fn escape(&mut self, is_bytes: bool, out: &mut Vec<u8>) -> Result<(), CompileError> {
        let start = self.at;
        let mut characters = self.rest()[1..].chars();
        let letter = characters.next().unwrap_or('\n');
        self.at = self.source.len().min(start + 1 + letter.len_utf8());
        if let Some(byte) = simple_escape(letter) {
            out.push(byte);
            return Ok(());
        }
        let (n_digits, radix) = match letter {
            'x' | 'X' => (2, 16),
            'u' if !is_bytes => (4, 16),
            'U' if !is_bytes => (8, 16),
            '0'..='3' => {
                self.at -= 1;
                (3, 8)
            }
            _ => (0, 16),
        };
        let digits = self.rest().get(..n_digits).unwrap_or_default();
        let is_number = n_digits > 0 && digits.chars().all(|it| it.is_digit(radix));
        let value = u32::from_str_radix(digits, radix).ok().filter(|_| is_number);
        self.at += digits.len();
        let unknown = || {
            CompileError::new("unknown escape sequence", start..self.at).help(
                "in a regular expression, write each backslash twice, or use a raw string r\"…\"",
            )
        };
        let value = value.ok_or_else(unknown)?;
        if is_bytes {
            out.push(u8::try_from(value).map_err(|_| unknown())?);
            return Ok(());
        }
        let character = char::from_u32(value).ok_or_else(unknown)?;
        out.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
        Ok(())
    }
}

/// The character for a backslash and this letter. Returns `None` if it is not a simple escape.
fn simple_escape(letter: char) -> Option<u8> {
    Some(match letter {
        'a' => 7,
        'b' => 8,
        'f' => 12,
        'n' => b'\n',
        'r' => b'\r',
        't' => b'\t',
        'v' => 11,
        '\\' => b'\\',
        '?' => b'?',
        '"' => b'"',
        '\'' => b'\'',
        '`' => b'`',
        _ => return None,
    })
}
