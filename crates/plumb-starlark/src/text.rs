//! Characters in strings of bytes. The dialect uses the simple properties and case mappings of
//! Unicode, which map one character to one character.

use unicode_properties::{GeneralCategory, GeneralCategoryGroup, UnicodeGeneralCategory};

/// Replaces bytes that are not a character.
pub(crate) const REPLACEMENT: char = '\u{FFFD}';

/// Returns the first character of the bytes and its length, or no character and 1 if they are not
/// UTF-8. The bytes must not be empty.
pub(crate) fn decode(bytes: &[u8]) -> (Option<char>, usize) {
    if bytes[0] < 0x80 {
        return (Some(char::from(bytes[0])), 1);
    }
    let head = &bytes[..bytes.len().min(4)];
    let valid = match std::str::from_utf8(head) {
        Ok(text) => text,
        Err(error) => std::str::from_utf8(&head[..error.valid_up_to()]).unwrap_or_default(),
    };
    match valid.chars().next() {
        Some(c) => (Some(c), c.len_utf8()),
        None => (None, 1),
    }
}

/// Returns the last character of the bytes and its length, like [`decode`].
pub(crate) fn decode_last(bytes: &[u8]) -> (Option<char>, usize) {
    for size in 1..=bytes.len().min(4) {
        let tail = &bytes[bytes.len() - size..];
        if let (Some(c), length) = decode(tail)
            && length == size
        {
            return (Some(c), size);
        }
    }
    (None, 1)
}

/// Returns the characters of the bytes with their offsets, and [`REPLACEMENT`] for every stray
/// byte.
pub(crate) fn chars(bytes: &[u8]) -> impl Iterator<Item = (usize, char)> + '_ {
    let mut at = 0;
    std::iter::from_fn(move || {
        if at == bytes.len() {
            return None;
        }
        let (c, size) = decode(&bytes[at..]);
        at += size;
        Some((at - size, c.unwrap_or(REPLACEMENT)))
    })
}

pub(crate) fn push_char(out: &mut Vec<u8>, c: char) {
    out.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
}

pub(crate) fn is_space(c: char) -> bool {
    matches!(c, '\t'..='\r' | ' ' | '\u{85}' | '\u{A0}' | '\u{1680}' | '\u{2000}'..='\u{200A}'
        | '\u{2028}' | '\u{2029}' | '\u{202F}' | '\u{205F}' | '\u{3000}')
}

pub(crate) fn is_letter(c: char) -> bool {
    c.is_ascii_alphabetic()
        || !c.is_ascii() && c.general_category_group() == GeneralCategoryGroup::Letter
}

pub(crate) fn is_digit(c: char) -> bool {
    c.is_ascii_digit() || !c.is_ascii() && c.general_category() == GeneralCategory::DecimalNumber
}

pub(crate) fn is_upper(c: char) -> bool {
    c.is_ascii_uppercase()
        || !c.is_ascii() && c.general_category() == GeneralCategory::UppercaseLetter
}

pub(crate) fn is_lower(c: char) -> bool {
    c.is_ascii_lowercase()
        || !c.is_ascii() && c.general_category() == GeneralCategory::LowercaseLetter
}

pub(crate) fn is_title(c: char) -> bool {
    !c.is_ascii() && c.general_category() == GeneralCategory::TitlecaseLetter
}

/// Returns whether a quoted string contains the character without an escape.
pub(crate) fn is_printable(c: char) -> bool {
    use GeneralCategoryGroup::{Letter, Mark, Number, Punctuation, Symbol};
    if c.is_ascii() {
        return (' '..='~').contains(&c);
    }
    matches!(c.general_category_group(), Letter | Mark | Number | Punctuation | Symbol)
}

/// Returns whether the character has a case: its upper or lower case form differs from it.
pub(crate) fn is_cased(c: char) -> bool {
    match c {
        'a'..='z' | 'A'..='Z' | '\u{DF}' => true,
        '\u{130}' | '\u{131}' => false,
        _ => !c.is_ascii() && (to_lower(c) != c || to_upper(c) != c),
    }
}

pub(crate) fn to_lower(c: char) -> char {
    if c.is_ascii() {
        return c.to_ascii_lowercase();
    }
    if c == '\u{130}' { 'i' } else { only(c.to_lowercase()).unwrap_or(c) }
}

pub(crate) fn to_upper(c: char) -> char {
    if c.is_ascii() {
        return c.to_ascii_uppercase();
    }
    match c {
        // Greek with iota below: the full mapping needs two characters, the simple one does not.
        '\u{1F80}'..='\u{1FAF}' => char::from_u32(u32::from(c) | 8).unwrap_or(c),
        '\u{1FB3}' | '\u{1FC3}' | '\u{1FF3}' => char::from_u32(u32::from(c) + 9).unwrap_or(c),
        _ => only(c.to_uppercase()).unwrap_or(c),
    }
}

pub(crate) fn to_title(c: char) -> char {
    match c {
        '\u{1C4}'..='\u{1C6}' => '\u{1C5}',
        '\u{1C7}'..='\u{1C9}' => '\u{1C8}',
        '\u{1CA}'..='\u{1CC}' => '\u{1CB}',
        '\u{1F1}'..='\u{1F3}' => '\u{1F2}',
        '\u{10D0}'..='\u{10FA}' | '\u{10FD}'..='\u{10FF}' => c,
        _ => to_upper(c),
    }
}

fn only(mut mapped: impl Iterator<Item = char>) -> Option<char> {
    let first = mapped.next();
    if mapped.next().is_none() { first } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn case_maps_one_character_to_one() {
        assert_eq!(to_upper('ß'), 'ß');
        assert_eq!(to_upper('\u{1F80}'), '\u{1F88}');
        assert_eq!(to_lower('\u{130}'), 'i');
        assert_eq!(to_title('ǆ'), 'ǅ');
    }

    #[test]
    fn stray_bytes_are_replaced_one_by_one() {
        let found: Vec<_> = chars(b"a\xC3\xA9\xFF\xC3").collect();
        assert_eq!(found, [(0, 'a'), (1, 'é'), (3, REPLACEMENT), (4, REPLACEMENT)]);
        assert_eq!(decode_last("aé".as_bytes()), (Some('é'), 2));
        assert_eq!(decode_last(b"\xA9"), (None, 1));
    }
}
