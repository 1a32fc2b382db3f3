//! The scalars of a collection in flow style, which has keys beside its values.

use std::ops::Range;

/// Where the scalars that are no keys stand in a text that begins with a collection and ends with
/// it, or with a comment behind it. `None` in case of doubt.
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
            // It begins with something else.
            _ => return None,
        }
        at += 1;
        if depth == 0 {
            let rest = text[at..].trim_start();
            return (rest.is_empty() || rest.starts_with('#')).then_some(found);
        }
    }
}

/// Where a scalar ends, blanks behind it left out.
fn scalar_end(text: &str, start: usize) -> Option<usize> {
    let rest = &text[start..];
    if let Some(quote @ ('"' | '\'')) = rest.chars().next() {
        // An escaped quote ends it here too early, which hides less than all: doubt.
        let close = rest[1..].find(quote)? + 1;
        let is_escaped =
            rest.as_bytes()[close - 1] == b'\\' || rest[close + 1..].starts_with(quote);
        return (!is_escaped).then_some(start + close + 1);
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

/// Where what follows a key begins.
fn after_colon(text: &str, end: usize) -> Option<usize> {
    let colon = text.len() - text[end..].trim_start_matches([' ', '\t']).len();
    let is_key = text[colon..].starts_with(':')
        && (is_colon(text, colon) || text[..end].ends_with(['"', '\'']));
    is_key.then_some(colon + 1)
}

/// Whether the colon at this place ends a key.
fn is_colon(text: &str, at: usize) -> bool {
    let after = text[at + 1..].chars().next();
    after.is_none_or(|it| matches!(it, ' ' | '\t' | ',' | '{' | '}' | '[' | ']'))
}
