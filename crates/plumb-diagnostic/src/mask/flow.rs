//! The scalars of a flow collection, which contains keys as well as values.

use std::ops::Range;

/// Returns the ranges of the scalars that are not keys. The text begins with a collection and ends
/// with it, or with a comment after it. Returns `None` in case of doubt.
pub(super) fn scalars(text: &str) -> Option<Vec<Range<usize>>> {
    let mut found = Vec::new();
    let mut depth = 0;
    let mut at = 0;
    loop {
        match *text.as_bytes().get(at)? {
            b'{' | b'[' => depth += 1,
            b'}' | b']' => depth -= 1,
            b' ' | b'\t' | b',' if depth > 0 => {}
            _ if depth > 0 => {
                let end = scalar_end(text, at)?;
                match after_colon(text, end) {
                    Some(after) => at = after,
                    None => {
                        found.push(at..end);
                        at = end;
                    }
                }
                continue;
            }
            // The text does not begin with a collection.
            _ => return None,
        }
        at += 1;
        if depth == 0 {
            let rest = text[at..].trim_start();
            return (rest.is_empty() || rest.starts_with('#')).then_some(found);
        }
    }
}

/// Returns where a scalar ends, without the blanks after it.
fn scalar_end(text: &str, start: usize) -> Option<usize> {
    let rest = &text[start..];
    if rest.starts_with(['"', '\'']) {
        return quoted_end(rest).map(|end| start + end);
    }
    let ends_here = |(at, letter): (usize, char)| match letter {
        ',' | '{' | '}' | '[' | ']' => true,
        ':' => is_colon(rest, at),
        '#' => rest[..at].ends_with([' ', '\t']),
        _ => false,
    };
    let end = rest.char_indices().find(|it| ends_here(*it)).map_or(rest.len(), |(at, _)| at);
    let length = rest[..end].trim_end().len();
    (length > 0).then_some(start + length)
}

/// Returns where the quoted string at the start of a text ends. Returns `None` in case of doubt:
/// escaped quotes are not supported.
pub(super) fn quoted_end(text: &str) -> Option<usize> {
    let quote = text.chars().next().filter(|it| matches!(it, '"' | '\''))?;
    let close = text[1..].find(quote)? + 1;
    let is_escaped = text[..close].ends_with('\\') || text[close + 1..].starts_with(quote);
    (!is_escaped).then_some(close + 1)
}

/// Returns where the text after a key and its colon begins.
fn after_colon(text: &str, end: usize) -> Option<usize> {
    let colon = text.len() - text[end..].trim_start_matches([' ', '\t']).len();
    let is_key = text[colon..].starts_with(':')
        && (is_colon(text, colon) || text[..end].ends_with(['"', '\'']));
    is_key.then_some(colon + 1)
}

/// Returns whether the colon at this place ends a key.
fn is_colon(text: &str, at: usize) -> bool {
    let after = text[at + 1..].chars().next();
    after.is_none_or(|it| matches!(it, ' ' | '\t' | ',' | '{' | '}' | '[' | ']'))
}
