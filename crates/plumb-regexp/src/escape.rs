//! Escapes: a backslash and the text after it denote one character, or a class of characters.

use regex_syntax::hir::{Class, ClassUnicode, ClassUnicodeRange, HirKind};

use crate::error::{SyntaxError, SyntaxErrorKind};

/// Reads an escape of one character; `rest` begins with its backslash.
pub(crate) fn character(rest: &mut &str) -> Result<char, SyntaxError> {
    let whole = *rest;
    let mut characters = whole[1..].chars();
    let Some(letter) = characters.next() else {
        return Err(SyntaxError::new(SyntaxErrorKind::TrailingBackslash, ""));
    };
    let found = match letter {
        '0' => octal(letter, &mut characters),
        // A single digit would refer to a group, which is not supported.
        '1'..='7' if characters.as_str().starts_with(|it| matches!(it, '0'..='7')) => {
            octal(letter, &mut characters)
        }
        'x' => hexadecimal(&mut characters),
        'a' => Some('\u{7}'),
        'f' => Some('\u{c}'),
        'n' => Some('\n'),
        'r' => Some('\r'),
        't' => Some('\t'),
        'v' => Some('\u{b}'),
        punctuation if punctuation.is_ascii() && !punctuation.is_ascii_alphanumeric() => {
            Some(punctuation)
        }
        _ => None,
    };
    *rest = characters.as_str();
    found.ok_or_else(|| {
        SyntaxError::new(SyntaxErrorKind::Escape, &whole[..whole.len() - rest.len()])
    })
}

/// Reads up to three octal digits. The first one was already read.
fn octal(first: char, characters: &mut std::str::Chars<'_>) -> Option<char> {
    let mut value = first.to_digit(8)?;
    for _ in 0..2 {
        let Some(digit) = characters.clone().next().and_then(|it| it.to_digit(8)) else {
            break;
        };
        value = value * 8 + digit;
        characters.next();
    }
    char::from_u32(value)
}

/// Reads `7F` or `{10FFFF}` after `\x`.
fn hexadecimal(characters: &mut std::str::Chars<'_>) -> Option<char> {
    let first = characters.next()?;
    if first != '{' {
        let second = characters.next()?;
        return char::from_u32(first.to_digit(16)? * 16 + second.to_digit(16)?);
    }
    let mut value = 0_u32;
    let mut length = 0;
    loop {
        match characters.next()? {
            '}' if length > 0 => return char::from_u32(value),
            digit => value = value.checked_mul(16)?.checked_add(digit.to_digit(16)?)?,
        }
        length += 1;
    }
}

/// Reads `\d`, `\w`, `\s` or their negations. Returns `None` if there is no such class at this
/// position.
pub(crate) fn perl_class(rest: &mut &str, folds_case: bool) -> Option<ClassUnicode> {
    let mut class = match rest.as_bytes() {
        [b'\\', b'd' | b'D', ..] => ranges(&[('0', '9')]),
        [b'\\', b'w' | b'W', ..] => ranges(&[('0', '9'), ('A', 'Z'), ('_', '_'), ('a', 'z')]),
        [b'\\', b's' | b'S', ..] => ranges(&[('\t', '\n'), ('\u{c}', '\r'), (' ', ' ')]),
        _ => return None,
    };
    fold_and_negate(&mut class, folds_case, rest.as_bytes()[1].is_ascii_uppercase());
    *rest = &rest[2..];
    Some(class)
}

/// Reads a class such as `\pL`, `\p{Greek}` or `\P{^Lu}`, if there is one at this position.
pub(crate) fn unicode_class(
    rest: &mut &str,
    folds_case: bool,
) -> Result<Option<ClassUnicode>, SyntaxError> {
    let whole = *rest;
    let is_opposite = match whole.as_bytes() {
        [b'\\', b'p', _, ..] => false,
        [b'\\', b'P', _, ..] => true,
        _ => return Ok(None),
    };
    let refuse = |part: &str| SyntaxError::new(SyntaxErrorKind::CharacterRange, part);
    let name = match whole[2..].strip_prefix('{') {
        Some(after) => &after[..after.find('}').ok_or_else(|| refuse(whole))?],
        None => &whole[2..2 + whole[2..].chars().next().map_or(0, char::len_utf8)],
    };
    let braces = if whole[2..].starts_with('{') { 2 } else { 0 };
    let (part, after) = whole.split_at(2 + name.len() + braces);
    let (name, is_negated) = match name.strip_prefix('^') {
        Some(name) => (name, !is_opposite),
        None => (name, is_opposite),
    };
    let mut class = named(name).ok_or_else(|| refuse(part))?;
    fold_and_negate(&mut class, folds_case, is_negated);
    *rest = after;
    Ok(Some(class))
}

/// Returns the category or script that Go calls by this name.
fn named(name: &str) -> Option<ClassUnicode> {
    match name {
        "Any" => return Some(ranges(&[('\0', char::MAX)])),
        // Code points that are not assigned are not included.
        "C" => {
            let mut class = table("Cc")?;
            class.union(&table("Cf")?);
            class.union(&table("Co")?);
            return Some(class);
        }
        _ => {}
    }
    let is_category = name.len() <= 2;
    let is_capitalised = |word: &str| {
        let mut letters = word.chars();
        letters.next().is_some_and(|it| it.is_ascii_uppercase())
            && letters.all(|it| it.is_ascii_lowercase())
    };
    if !name.split('_').all(|word| is_capitalised(word) || word == "Nko") {
        return None;
    }
    if is_category { table(name) } else { table(&format!("Script={name}")) }
}

fn table(name: &str) -> Option<ClassUnicode> {
    let hir = regex_syntax::parse(&format!(r"\p{{{name}}}")).ok()?;
    match hir.into_kind() {
        HirKind::Class(Class::Unicode(class)) => Some(class),
        _ => None,
    }
}

/// Applies `(?i)` before negation: characters that case folding adds are excluded by a negated
/// class.
pub(crate) fn fold_and_negate(class: &mut ClassUnicode, folds_case: bool, is_negated: bool) {
    if folds_case {
        class.case_fold_simple();
    }
    if is_negated {
        class.negate();
    }
}

pub(crate) fn ranges(ranges: &[(char, char)]) -> ClassUnicode {
    ClassUnicode::new(ranges.iter().map(|&(first, last)| ClassUnicodeRange::new(first, last)))
}
