//! Character classes: escapes such as `\d`, and the contents of brackets.

use std::fmt::Write as _;

use super::PatternError;
use super::translate::Translator;

/// The class that an escape denotes, in the syntax of the inside of brackets.
pub(super) struct Class {
    inside: &'static str,
    is_negated: bool,
}

const BLANK: &str = r"\t\n\x0B\x0C\r\x20";
const VERTICAL: &str = r"\n\x0B\x0C\r\x{85}\x{2028}\x{2029}";

impl Class {
    /// The class that the text after a backslash names.
    pub(super) fn escaped(text: &str) -> Option<Self> {
        let inside = match text.bytes().next()?.to_ascii_lowercase() {
            b'd' => "0-9",
            b'w' => "A-Za-z0-9_",
            b's' => BLANK,
            b'v' => VERTICAL,
            b'n' if text.starts_with('N') => r"\n",
            _ => return None,
        };
        Some(Self { inside, is_negated: text.starts_with(|it: char| it.is_ascii_uppercase()) })
    }

    /// The class outside brackets. It contains only ASCII letters, even if case is ignored.
    pub(super) fn outside(&self) -> String {
        let negation = if self.is_negated { "^" } else { "" };
        format!("(?-i:[{negation}{}])", self.inside)
    }

    fn within_brackets(&self) -> String {
        if self.is_negated { format!("[^{}]", self.inside) } else { self.inside.to_owned() }
    }
}

/// Translates the contents of brackets. The opening bracket is already consumed.
pub(super) fn translate(translator: &mut Translator<'_>) -> Result<(), PatternError> {
    let mut class = "[".to_owned();
    if let Some(rest) = translator.rest.strip_prefix('^') {
        translator.rest = rest;
        class.push('^');
    }
    let mut is_first = true;
    loop {
        if translator.rest.starts_with(']') && !is_first {
            translator.next();
            class.push(']');
            translator.out.push_str(&class);
            return Ok(());
        }
        is_first = false;
        match item(translator)? {
            Item::Set(set) => class.push_str(&set),
            Item::Character(first) => {
                push(&mut class, first);
                let after = translator.rest.strip_prefix('-').filter(|it| !it.starts_with(']'));
                let Some(after) = after else { continue };
                translator.rest = after;
                match item(translator)? {
                    Item::Character(last) => {
                        class.push('-');
                        push(&mut class, last);
                    }
                    // A set cannot be the end of a range: the hyphen is a literal.
                    Item::Set(set) => {
                        push(&mut class, '-');
                        class.push_str(&set);
                    }
                }
            }
        }
    }
}

/// The property after `\p` or `\P`, in the engine's syntax.
pub(super) fn property(
    translator: &mut Translator<'_>,
    letter: char,
) -> Result<String, PatternError> {
    let first = translator.next().ok_or("a property is missing")?;
    if first != '{' {
        return Ok(format!(r"\{letter}{first}"));
    }
    let (name, rest) = translator.rest.split_once('}').ok_or("unterminated property")?;
    translator.rest = rest;
    let (name, is_negated) = match name.strip_prefix('^') {
        Some(name) => (name, letter == 'p'),
        None => (name, letter == 'P'),
    };
    let letter = if is_negated { 'P' } else { 'p' };
    Ok(if name == "L&" { format!(r"\{letter}{{LC}}") } else { format!(r"\{letter}{{{name}}}") })
}

/// The character that an escape denotes. Its letter is already consumed.
pub(super) fn character(
    translator: &mut Translator<'_>,
    letter: char,
) -> Result<char, PatternError> {
    let code = match letter {
        't' => 0x09,
        'n' => 0x0A,
        'f' => 0x0C,
        'r' => 0x0D,
        'e' => 0x1B,
        'a' => 0x07,
        'c' => {
            let control = translator.next().filter(char::is_ascii).ok_or("`\\c` needs a letter")?;
            u32::from(control.to_ascii_uppercase()) ^ 0x40
        }
        'x' => number(translator, 16, 2)?,
        'o' => number(translator, 8, 0)?,
        '0' => return octal(translator, letter),
        'h' | 'H' => {
            let message = "`\\h` is not supported, since it is a blank to some and a hexadecimal digit \
                           to others: write `[ \\t]` or `[0-9a-fA-F]`";
            return Err(message.into());
        }
        'X' | 'C' => return Err(PatternError::Unsupported(format!("`\\{letter}`"))),
        _ if letter.is_ascii_alphanumeric() => {
            return Err(PatternError::malformed(format!("unknown escape `\\{letter}`")));
        }
        _ => u32::from(letter),
    };
    char::from_u32(code).ok_or_else(|| "an escape is not the code of a character".into())
}

/// A construct that PCRE allows in classes and that is not supported here.
struct UnsupportedConstruct {
    start: &'static str,
    end: &'static str,
}

/// Collating elements and word boundaries.
const UNSUPPORTED: [UnsupportedConstruct; 4] = [
    UnsupportedConstruct { start: "[.", end: ".]" },
    UnsupportedConstruct { start: "[=", end: "=]" },
    UnsupportedConstruct { start: "[:<", end: ":]" },
    UnsupportedConstruct { start: "[:>", end: ":]" },
];

enum Item {
    Character(char),
    Set(String),
}

fn item(translator: &mut Translator<'_>) -> Result<Item, PatternError> {
    if let Some(what) = UNSUPPORTED.iter().find(|it| translator.rest.starts_with(it.start))
        && let Some((name, _)) = translator.rest[what.start.len()..].split_once(what.end)
        && !name.contains(']')
    {
        return Err(PatternError::Unsupported(format!("`{}{name}{}`", what.start, what.end)));
    }
    if translator.rest.starts_with("[:") {
        let (name, rest) = translator.rest[2..].split_once(":]").unwrap_or(("", ""));
        if !name.is_empty() && name.bytes().all(|it| it.is_ascii_lowercase() || it == b'^') {
            translator.rest = rest;
            return Ok(Item::Set(format!("[:{name}:]")));
        }
    }
    let char = translator.next().ok_or("missing closing `]`")?;
    if char != '\\' {
        return Ok(Item::Character(char));
    }
    if let Some(class) = Class::escaped(translator.rest) {
        translator.rest = &translator.rest[1..];
        return Ok(Item::Set(class.within_brackets()));
    }
    match translator.next().ok_or("missing closing `]`")? {
        'b' => Ok(Item::Character('\u{8}')),
        'E' => Ok(Item::Set(String::new())),
        'Q' => {
            let mut set = String::new();
            translator.until_end_of_quote().chars().for_each(|it| push(&mut set, it));
            Ok(Item::Set(set))
        }
        letter @ ('p' | 'P') => property(translator, letter).map(Item::Set),
        digit @ '1'..='7' => Ok(Item::Character(octal(translator, digit)?)),
        letter => character(translator, letter).map(Item::Character),
    }
}

/// A character written as up to three octal digits. The first digit is already consumed.
pub(super) fn octal(translator: &mut Translator<'_>, first: char) -> Result<char, PatternError> {
    let mut code = first.to_digit(8).ok_or("an octal digit is expected")?;
    for _ in 0..2 {
        let Some(digit) = translator.rest.chars().next().and_then(|it| it.to_digit(8)) else {
            break;
        };
        translator.next();
        code = code * 8 + digit;
    }
    char::from_u32(code).ok_or_else(|| "an escape is not the code of a character".into())
}

/// A number in braces, or of at most this many digits.
fn number(
    translator: &mut Translator<'_>,
    radix: u32,
    max_digits: usize,
) -> Result<u32, PatternError> {
    let braced = translator.rest.strip_prefix('{').and_then(|it| it.split_once('}'));
    let (digits, rest) = braced.unwrap_or_else(|| {
        let digits = translator.rest.chars().take(max_digits).take_while(|it| it.is_digit(radix));
        translator.rest.split_at(digits.count())
    });
    translator.rest = rest;
    if digits.is_empty() {
        return Ok(0);
    }
    u32::from_str_radix(digits, radix)
        .map_err(|_| PatternError::malformed(format!("`{digits}` is not a number")))
}

/// Appends a literal character, escaped if necessary.
fn push(class: &mut String, char: char) {
    if char.is_ascii() && !char.is_ascii_alphanumeric() {
        let _ = write!(class, r"\x{:02X}", u32::from(char));
    } else {
        class.push(char);
    }
}
