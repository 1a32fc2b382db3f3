//! Mistakes in TOML.

use plumb_source::message::{plain, secret};
use plumb_source::{Message, message};
use plumb_stdlib::{NumberRule, TomlError, TomlErrorKind, TomlPart};

pub(crate) fn error(error: &TomlError) -> Message {
    let key = error.key.as_ref().map(|key| message!(" (last key {})", secret(key)));
    message!("toml: line {}{key}: {}", error.counted_line, kind(&error.kind))
}

#[expect(clippy::too_many_lines, reason = "it is a table")]
fn kind(kind: &TomlErrorKind) -> Message {
    match kind {
        TomlErrorKind::NullByte => "files cannot contain NULL bytes; probably using UTF-16; TOML \
                                    files must be UTF-8"
            .into(),
        TomlErrorKind::NotUtf8(byte) => {
            message!("invalid UTF-8 byte: 0x{}", secret(format_args!("{byte:02x}")))
        }
        TomlErrorKind::Control(found) => message!(
            "TOML files cannot contain control characters: '0x{}'",
            secret(format_args!("{:02x}", u32::from(*found)))
        ),
        TomlErrorKind::Unexpected { wanted, found } => unexpected(*wanted, *found),
        TomlErrorKind::Ended { wanted } => match wanted {
            TomlPart::KeyEnd => "unexpected EOF; expected key separator '='".into(),
            TomlPart::Quotes("'") => "unexpected EOF; expected \"'\"".into(),
            TomlPart::Quotes("'''") => "unexpected EOF; expected \"'''\"".into(),
            TomlPart::Quotes(quotes) => message!("unexpected EOF; expected '{}'", plain(quotes)),
            TomlPart::LineEnd
            | TomlPart::HeaderEnd
            | TomlPart::SecondBracket
            | TomlPart::ArrayEnd
            | TomlPart::TableEnd
            | TomlPart::Value
            | TomlPart::Digit => "unexpected EOF; expected value".into(),
        },
        TomlErrorKind::Word(word) => {
            message!("expected value but found {} instead", secret(word))
        }
        TomlErrorKind::EmptyKey { is_after_dot: false } => {
            "unexpected '=': key name appears blank".into()
        }
        TomlErrorKind::EmptyKey { is_after_dot: true } => "unexpected '='".into(),
        TomlErrorKind::Dot { is_first: true } => {
            "unexpected '.': keys cannot start with a '.'".into()
        }
        TomlErrorKind::Dot { is_first: false } => "unexpected '.'".into(),
        TomlErrorKind::EmptyName { is_before_dot: true } => {
            "unexpected table separator (table names cannot be empty)".into()
        }
        TomlErrorKind::EmptyName { is_before_dot: false } => {
            "unexpected end of table name (table names cannot be empty)".into()
        }
        TomlErrorKind::KeyTwice(key) => {
            message!("Key '{}' has already been defined.", secret(key))
        }
        TomlErrorKind::NotATable(key) => {
            message!("Key '{}' was already created as a hash.", secret(key))
        }
        TomlErrorKind::NotTables(key) => {
            message!("Key '{}' was already created and cannot be used as an array.", secret(key))
        }
        TomlErrorKind::Comma => "unexpected comma".into(),
        TomlErrorKind::LastComma => "trailing comma not allowed in inline tables".into(),
        TomlErrorKind::LineBreakInTable => "newlines not allowed within inline tables".into(),
        TomlErrorKind::LineBreakInString => "strings cannot contain newlines".into(),
        TomlErrorKind::Quotes(found) => message!("unexpected {}", secret(found)),
        TomlErrorKind::Escape(found) => {
            message!("invalid escape in string '\\{}'", secret(found))
        }
        TomlErrorKind::BlankEscape(found) => message!("invalid escape: '\\{}'", secret(found)),
        TomlErrorKind::HexDigits { count: 4, found } => message!(
            "expected four hexadecimal digits after '\\u', but got {} instead",
            secret(found)
        ),
        TomlErrorKind::HexDigits { found, .. } => message!(
            "expected eight hexadecimal digits after '\\U', but got {} instead",
            secret(found)
        ),
        TomlErrorKind::NotACharacter { code, n_digits } => {
            let n_digits = *n_digits;
            message!(
                "Escaped character '\\u{}' is not valid UTF-8.",
                secret(format_args!("{code:0n_digits$x}"))
            )
        }
        TomlErrorKind::LeadingPoint => "floats must start with a digit, not '.'".into(),
        TomlErrorKind::NotInfinity { sign, letter } => {
            message!("invalid float: '{}{}'", secret(sign), secret(letter))
        }
        TomlErrorKind::Signed { sign, prefix } => message!(
            "cannot use sign with non-decimal numbers: '{}{}'",
            secret(sign),
            secret(prefix)
        ),
        TomlErrorKind::NotInBase { radix, prefix, found } => {
            // The spelling is ytt's.
            let name = match radix {
                16 => "a hexidecimal",
                8 => "an octal",
                _ => "a binary",
            };
            message!("not {name} number: '{}{}'", plain(prefix), secret(found))
        }
        TomlErrorKind::Number { is_float, text, rule } => message!(
            "Invalid {} {}: {}",
            if *is_float { "float" } else { "integer" },
            secret(text),
            self::rule(*rule)
        ),
        TomlErrorKind::Range { is_float, text } => message!(
            "{} is out of range for {}",
            secret(text),
            if *is_float { "float64" } else { "int64" }
        ),
        TomlErrorKind::NotAFloat(text) => message!("Invalid float value: {}", secret(text)),
        TomlErrorKind::NotATime(text) => message!("Invalid TOML Datetime: {}.", secret(text)),
        TomlErrorKind::TooDeep => "expected at most 500 levels of arrays and tables".into(),
    }
}

fn unexpected(wanted: TomlPart, found: Option<char>) -> Message {
    let character = secret(quoted(found));
    match wanted {
        TomlPart::LineEnd => message!(
            "expected a top-level item to end with a newline, comment, or EOF, but got {character} \
             instead"
        ),
        TomlPart::HeaderEnd => {
            message!("expected '.' or ']' to end table name, but got {character} instead")
        }
        TomlPart::SecondBracket => {
            message!("expected end of table array name delimiter ']', but got {character} instead")
        }
        TomlPart::KeyEnd => message!("expected '.' or '=', but got {character} instead"),
        TomlPart::ArrayEnd => message!(
            "expected a comma (',') or array terminator (']'), but got {}",
            secret(or_end(found))
        ),
        TomlPart::TableEnd => message!(
            "expected a comma or an inline table terminator '}}', but got {} instead",
            secret(or_end(found))
        ),
        TomlPart::Value | TomlPart::Quotes(_) => {
            message!("expected value but found {character} instead")
        }
        TomlPart::Digit => message!("expected a digit but got {character}"),
    }
}

fn rule(rule: NumberRule) -> &'static str {
    match rule {
        NumberRule::Underscores => "underscores must be surrounded by digits",
        NumberRule::LeadingZeros => "cannot have leading zeroes",
        NumberRule::DigitsAfterPoint => "'.' must be followed by one or more digits",
    }
}

fn or_end(found: Option<char>) -> String {
    found.map_or_else(|| "end of file".to_owned(), |it| format!("'{it}'"))
}

fn quoted(found: Option<char>) -> String {
    match found {
        None => r"'\x00'".to_owned(),
        Some('\n') => r"'\n'".to_owned(),
        Some('\r') => r"'\r'".to_owned(),
        Some('\t') => r"'\t'".to_owned(),
        Some('\'') => r"'\''".to_owned(),
        Some('\\') => r"'\\'".to_owned(),
        Some('\u{feff}') => r"'\ufeff'".to_owned(),
        Some(other) => format!("'{other}'"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(kind: TomlErrorKind, expected: &str) {
        let error = TomlError { line: 3, counted_line: 2, key: Some("\"a\"".to_owned()), kind };
        let shown = super::error(&error);
        assert_eq!(shown.shown(), format!("toml: line 2 (last key \"a\"): {expected}"));
    }

    #[test]
    fn mistakes_are_worded_as_the_parser_of_ytt_does() {
        let ended = |wanted| TomlErrorKind::Ended { wanted };
        check(TomlErrorKind::KeyTwice("a".to_owned()), "Key 'a' has already been defined.");
        check(ended(TomlPart::Value), "unexpected EOF; expected value");
        check(ended(TomlPart::Quotes("'")), "unexpected EOF; expected \"'\"");
        check(ended(TomlPart::Quotes("\"")), "unexpected EOF; expected '\"'");
        check(ended(TomlPart::Quotes("\"\"\"")), "unexpected EOF; expected '\"\"\"'");
        let unexpected = |wanted, found| TomlErrorKind::Unexpected { wanted, found };
        check(unexpected(TomlPart::Value, Some('\n')), "expected value but found '\\n' instead");
        check(
            unexpected(TomlPart::ArrayEnd, None),
            "expected a comma (',') or array terminator (']'), but got end of file",
        );
        check(
            unexpected(TomlPart::HeaderEnd, None),
            "expected '.' or ']' to end table name, but got '\\x00' instead",
        );
        let (text, rule) = ("\"01\"".to_owned(), NumberRule::LeadingZeros);
        check(
            TomlErrorKind::Number { is_float: false, text, rule },
            "Invalid integer \"01\": cannot have leading zeroes",
        );
        check(TomlErrorKind::NotUtf8(0xff), "invalid UTF-8 byte: 0xff");
        check(
            TomlErrorKind::NotACharacter { code: 0xd800, n_digits: 4 },
            "Escaped character '\\ud800' is not valid UTF-8.",
        );
    }
}
