//! Classes in brackets.

use regex_syntax::hir::{ClassUnicode, ClassUnicodeRange};

use crate::error::{SyntaxError, SyntaxErrorKind};
use crate::escape::{self, fold_and_negate, ranges};

/// The maximum distance at which the end of a named class is searched. No name is longer, and the
/// time of the search must not depend on the rest of the expression.
const FARTHEST_END: usize = 1_000;

/// Ranges are merged when there are this many of them.
const MANY_RANGES: usize = 4096;

/// Reads a class; `rest` begins with its bracket.
pub(crate) fn bracketed(rest: &mut &str, folds_case: bool) -> Result<ClassUnicode, SyntaxError> {
    let whole = *rest;
    let mut text = &whole[1..];
    let is_negated = text.starts_with('^');
    text = &text[usize::from(is_negated)..];
    let mut ranges = Vec::new();
    let mut is_first = true;
    let mut many = MANY_RANGES;
    while is_first || !text.starts_with(']') {
        is_first = false;
        if ranges.len() > many {
            // Named classes may be repeated.
            ranges = ClassUnicode::new(ranges).ranges().to_vec();
            many = MANY_RANGES.max(2 * ranges.len());
        }
        if let Some(named) = posix_class(&mut text, folds_case)? {
            ranges.extend_from_slice(named.ranges());
        } else if let Some(named) = escape::unicode_class(&mut text, folds_case)? {
            ranges.extend_from_slice(named.ranges());
        } else if let Some(named) = escape::perl_class(&mut text, folds_case) {
            ranges.extend_from_slice(named.ranges());
        } else {
            let mut single = ClassUnicode::new([range(&mut text, whole)?]);
            fold_and_negate(&mut single, folds_case, false);
            ranges.extend_from_slice(single.ranges());
        }
    }
    *rest = &text[1..];
    let mut class = ClassUnicode::new(ranges);
    if is_negated {
        class.negate();
    }
    Ok(class)
}

/// One character, or two with a hyphen between them.
fn range(text: &mut &str, whole: &str) -> Result<ClassUnicodeRange, SyntaxError> {
    let start = *text;
    let first = character(text, whole)?;
    let is_range = text.starts_with('-') && text.len() >= 2 && !text[1..].starts_with(']');
    if !is_range {
        return Ok(ClassUnicodeRange::new(first, first));
    }
    *text = &text[1..];
    let last = character(text, whole)?;
    if last < first {
        let part = &start[..start.len() - text.len()];
        return Err(SyntaxError::new(SyntaxErrorKind::CharacterRange, part));
    }
    Ok(ClassUnicodeRange::new(first, last))
}

fn character(text: &mut &str, whole: &str) -> Result<char, SyntaxError> {
    let Some(first) = text.chars().next() else {
        return Err(SyntaxError::new(SyntaxErrorKind::MissingBracket, whole));
    };
    if first == '\\' {
        return escape::character(text);
    }
    *text = &text[first.len_utf8()..];
    Ok(first)
}

fn end_of_name(text: &str) -> Option<usize> {
    let near = &text.as_bytes()[..text.len().min(FARTHEST_END)];
    near.windows(2).position(|pair| pair == b":]")
}

/// Reads a class such as `[:alpha:]` or `[:^alpha:]`. Returns `None` if there is no class at this
/// position.
fn posix_class(text: &mut &str, folds_case: bool) -> Result<Option<ClassUnicode>, SyntaxError> {
    let Some(after) = text.strip_prefix("[:") else {
        return Ok(None);
    };
    let Some(end) = end_of_name(after) else {
        return Ok(None);
    };
    let name = &after[..end];
    let part = &text[..end + 4];
    let (name, is_negated) = name.strip_prefix('^').map_or((name, false), |name| (name, true));
    let mut class = match name {
        "alnum" => ranges(&[('0', '9'), ('A', 'Z'), ('a', 'z')]),
        "alpha" => ranges(&[('A', 'Z'), ('a', 'z')]),
        "ascii" => ranges(&[('\0', '\u{7f}')]),
        "blank" => ranges(&[('\t', '\t'), (' ', ' ')]),
        "cntrl" => ranges(&[('\0', '\u{1f}'), ('\u{7f}', '\u{7f}')]),
        "digit" => ranges(&[('0', '9')]),
        "graph" => ranges(&[('!', '~')]),
        "lower" => ranges(&[('a', 'z')]),
        "print" => ranges(&[(' ', '~')]),
        "punct" => ranges(&[('!', '/'), (':', '@'), ('[', '`'), ('{', '~')]),
        "space" => ranges(&[('\t', '\r'), (' ', ' ')]),
        "upper" => ranges(&[('A', 'Z')]),
        "word" => ranges(&[('0', '9'), ('A', 'Z'), ('_', '_'), ('a', 'z')]),
        "xdigit" => ranges(&[('0', '9'), ('A', 'F'), ('a', 'f')]),
        _ => return Err(SyntaxError::new(SyntaxErrorKind::CharacterRange, part)),
    };
    fold_and_negate(&mut class, folds_case, is_negated);
    *text = &text[part.len()..];
    Ok(Some(class))
}
