//! Suggestions for misspelt names.

use plumb_source::Text;

use crate::text;

/// There are no suggestions for names longer than this.
const MAX_LENGTH: usize = 256;

/// Returns the nearest name, the first of several. Returns `None` unless less than half of the
/// letters differ. Case and underscores do not count.
pub(crate) fn nearest<'a>(name: &Text, candidates: &'a [Text]) -> Option<&'a Text> {
    let folded = fold(name);
    if folded.len() > MAX_LENGTH {
        return None;
    }
    let mut best = None;
    let mut least = folded.len().div_ceil(2);
    for candidate in candidates {
        if candidate.len() > MAX_LENGTH {
            continue;
        }
        let distance = distance(&folded, &fold(candidate));
        if distance < least {
            least = distance;
            best = Some(candidate);
        }
    }
    best
}

fn fold(name: &Text) -> Vec<u8> {
    let mut folded = Vec::with_capacity(name.len());
    for (_, c) in text::chars(name.as_bytes()).filter(|&(_, c)| c != '_') {
        text::push_char(&mut folded, text::to_lower(c));
    }
    folded
}

/// How many bytes must be changed, added or removed to come from one name to the other.
fn distance(from: &[u8], to: &[u8]) -> usize {
    let mut row: Vec<usize> = (0..=to.len()).collect();
    for (i, a) in from.iter().enumerate() {
        let mut diagonal = i;
        row[0] = i + 1;
        for (j, b) in to.iter().enumerate() {
            let changed = diagonal + usize::from(a != b);
            diagonal = row[j + 1];
            row[j + 1] = changed.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[to.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_names_are_found_and_far_ones_are_not() {
        let names = ["append", "clear", "extend"].map(Text::from);
        let check = |name: &str, expected: Option<&str>| {
            let found = nearest(&Text::from(name), &names);
            assert_eq!(found.map(ToString::to_string).as_deref(), expected, "{name}");
        };
        check("apend", Some("append"));
        check("APP_END", Some("append"));
        check("x", None);
        check("foobar", None);
    }
}
