//! What is wrong with a TOML text, as facts, and our words for them.

use plumb_source::message::{plain, secret, term};
use plumb_source::{Message, message};

use crate::toml_read::MAX_DEPTH;

/// A mistake in a TOML text, and its place.
#[derive(Clone, Debug)]
pub struct TomlError {
    pub line: usize,
    /// The line number that ytt reports. It is off by one if the mistake is at the end of a line or
    /// of the text.
    pub counted_line: usize,
    /// The key whose value is being read, in quotes.
    pub key: Option<String>,
    pub kind: TomlErrorKind,
}

/// What is wrong.
#[derive(Clone, Debug)]
pub enum TomlErrorKind {
    /// A byte that is zero.
    NullByte,
    /// A byte that is not part of UTF-8.
    NotUtf8(u8),
    /// A character that must not occur.
    Control(char),
    /// Another character than expected, or `None` at the end of the text.
    Unexpected { wanted: TomlPart, found: Option<char> },
    /// The text ends.
    Ended { wanted: TomlPart },
    /// A word that is not a value.
    Word(String),
    /// A key that has no text before its `=`, or that has none after a dot.
    EmptyKey { is_after_dot: bool },
    /// A key that begins with a dot, or that has two of them.
    Dot { is_first: bool },
    /// A name of a table without text, before a dot or at the end of its header.
    EmptyName { is_before_dot: bool },
    /// A key that has a value.
    KeyTwice(String),
    /// A key that is used as a table, and is something else.
    NotATable(String),
    /// A key that is used as an array of tables, and is something else.
    NotTables(String),
    /// A comma without a value before it.
    Comma,
    /// A comma after the last value of an inline table.
    LastComma,
    /// A line break in an inline table.
    LineBreakInTable,
    /// A line break in a string of one line.
    LineBreakInString,
    /// Too many quotes at the end of a string, with quotes around them.
    Quotes(String),
    /// A character after a backslash.
    Escape(char),
    /// A blank after a backslash.
    BlankEscape(char),
    /// This number of hexadecimal digits is missing in a text, which is in quotes.
    HexDigits { count: usize, found: String },
    /// The number of an escape is not that of a character.
    NotACharacter { code: u32, n_digits: usize },
    /// A float that begins with a point.
    LeadingPoint,
    /// A word that begins like `inf` or `nan`.
    NotInfinity { sign: String, letter: char },
    /// A sign before a number in another base than ten.
    Signed { sign: String, prefix: &'static str },
    /// Another character than a digit after the prefix of a base.
    NotInBase { radix: u32, prefix: &'static str, found: char },
    /// A number that breaks a rule.
    Number { is_float: bool, text: String, rule: NumberRule },
    /// A number that is out of range.
    Range { is_float: bool, text: String },
    /// A text that is not a float.
    NotAFloat(String),
    /// A text that is not a date or time.
    NotATime(String),
    /// Values are nested too deeply.
    TooDeep,
}

/// A part of a TOML text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TomlPart {
    /// The end of a line.
    LineEnd,
    /// A dot or a bracket after a name in a header.
    HeaderEnd,
    /// The second bracket at the end of a header.
    SecondBracket,
    /// A dot or an equals sign after a key.
    KeyEnd,
    /// A comma or a bracket after a value of an array.
    ArrayEnd,
    /// A comma or a brace after a value of an inline table.
    TableEnd,
    Value,
    Digit,
    /// These quotes at the end of a string.
    Quotes(&'static str),
}

/// A rule for numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NumberRule {
    Underscores,
    LeadingZeros,
    DigitsAfterPoint,
}

impl From<TomlError> for Message {
    fn from(error: TomlError) -> Self {
        let key = error.key.as_ref().map(|it| message!(", key {}", secret(it)));
        let words = message!("line {}{key}: {}", error.line, error.kind.words());
        Self::of(&[&term(words, error)])
    }
}

impl TomlErrorKind {
    fn words(&self) -> Message {
        match self {
            Self::NullByte => "expected text, found a byte that is zero".into(),
            Self::NotUtf8(_) => "expected text in UTF-8, found another byte".into(),
            Self::Control(_) => "expected no control characters, found one".into(),
            Self::Unexpected { wanted, found } => {
                message!("expected {}, found {}", wanted.words(), found_words(*found))
            }
            Self::Ended { wanted } => {
                message!("expected {}, found the end of the text", wanted.words())
            }
            Self::Word(word) => message!("expected a value, found {}", secret(word)),
            Self::EmptyKey { is_after_dot: false } => "expected a key before `=`".into(),
            Self::EmptyKey { is_after_dot: true } => {
                "expected the next part of a key after `.`".into()
            }
            Self::Dot { is_first: true } => "expected a key, found `.`".into(),
            Self::Dot { is_first: false } => {
                "expected the next part of a key after `.`, found another `.`".into()
            }
            Self::EmptyName { is_before_dot: true } => {
                "expected the name of a table, found `.`".into()
            }
            Self::EmptyName { is_before_dot: false } => {
                "expected the name of a table, found the end of its header".into()
            }
            Self::KeyTwice(key) => message!("the key `{}` is defined twice", secret(key)),
            Self::NotATable(key) => {
                message!("expected `{}` to be a table, found another value", secret(key))
            }
            Self::NotTables(key) => {
                message!("expected `{}` to be an array of tables, found another value", secret(key))
            }
            Self::Comma => "expected a value, found a comma".into(),
            Self::LastComma => "expected a key after the comma, found `}`".into(),
            Self::LineBreakInTable => {
                "expected an inline table to end on its line, found a line break".into()
            }
            Self::LineBreakInString => {
                "expected a string to end on its line, found a line break".into()
            }
            Self::Quotes(_) => "expected at most five quotes at the end of a string".into(),
            Self::Escape(found) | Self::BlankEscape(found) => {
                message!("expected an escape such as `\\n`, found `\\{}`", secret(found))
            }
            Self::HexDigits { count, .. } => message!("expected {count} hexadecimal digits"),
            Self::NotACharacter { .. } => "expected the number of a Unicode character".into(),
            Self::LeadingPoint => "expected a digit before the decimal point".into(),
            Self::NotInfinity { .. } => "expected `inf` or `nan`, found another word".into(),
            Self::Signed { prefix, .. } => {
                message!("expected no sign before a number that begins with `{prefix}`")
            }
            Self::NotInBase { radix, prefix, .. } => {
                message!("expected a digit of base {} after `{prefix}`", plain(radix))
            }
            Self::Number { text, rule, .. } => {
                message!("{}, found {}", rule.words(), secret(text))
            }
            Self::Range { is_float: false, text } => {
                message!("expected an integer that fits in 64 bits, found {}", secret(text))
            }
            Self::Range { is_float: true, text } => {
                message!("expected a number that fits in 64 bits, found {}", secret(text))
            }
            Self::NotAFloat(text) => message!("expected a number, found {}", secret(text)),
            Self::NotATime(text) => message!("expected a date or time, found {}", secret(text)),
            Self::TooDeep => message!("expected at most {MAX_DEPTH} levels of arrays and tables"),
        }
    }
}

impl TomlPart {
    fn words(self) -> Message {
        match self {
            Self::LineEnd => "the end of the line",
            Self::HeaderEnd => "`.` or `]`",
            Self::SecondBracket => "`]]`",
            Self::KeyEnd => "`.` or `=` after a key",
            Self::ArrayEnd => "`,` or `]` in an array",
            Self::TableEnd => "`,` or `}` in an inline table",
            Self::Value => "a value",
            Self::Digit => "a digit",
            Self::Quotes(quotes) => return message!("{quotes} at the end of a string"),
        }
        .into()
    }
}

impl NumberRule {
    fn words(self) -> &'static str {
        match self {
            Self::Underscores => "expected a digit before and after `_`",
            Self::LeadingZeros => "expected a number without leading zeros",
            Self::DigitsAfterPoint => "expected a digit after the decimal point",
        }
    }
}

fn found_words(found: Option<char>) -> Message {
    match found {
        None => "the end of the text".into(),
        Some('\n' | '\r') => "the end of the line".into(),
        Some(other) => message!("`{}`", secret(other)),
    }
}
