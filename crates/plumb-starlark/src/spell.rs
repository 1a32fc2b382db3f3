//! Suggestions for misspelt names.

use plumb_source::{Text, spelling};

use crate::text;

/// The maximum length of names that get suggestions.
const MAX_LENGTH: usize = 256;

/// Returns the nearest name; if there are several, the first one. Returns `None` if at least half
/// of the letters differ. Case and underscores are ignored.
pub(crate) fn nearest<'a>(name: &Text, candidates: &'a [Text]) -> Option<&'a Text> {
    let folded = fold(name);
    if folded.len() > MAX_LENGTH {
        return None;
    }
    let candidates: Vec<(Vec<u8>, &Text)> =
        candidates.iter().filter(|it| it.len() <= MAX_LENGTH).map(|it| (fold(it), it)).collect();
    spelling::nearest_of_ytt(&folded, candidates.iter().map(|(folded, it)| (&**folded, *it)))
}

fn fold(name: &Text) -> Vec<u8> {
    let mut folded = Vec::with_capacity(name.len());
    for (_, c) in text::chars(name.as_bytes()).filter(|&(_, c)| c != '_') {
        text::push_char(&mut folded, text::to_lower(c));
    }
    folded
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
