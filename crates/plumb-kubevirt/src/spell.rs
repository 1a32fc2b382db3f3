//! Finds the known words that misspelt words resemble.

use plumb_source::spelling::{self, Swap};

/// The maximum number of wrong letters. A word with more of them is a different word.
const MAX_WRONG: usize = 2;

/// Whether at most two letters are missing, added, exchanged or swapped.
pub(crate) fn is_misspelt(word: &str, meant: &str) -> bool {
    distance(word, meant, MAX_WRONG).is_some()
}

/// The known word that is probably meant, ignoring case: the nearest within two letters (fewer for
/// short words), or one that the word starts with.
pub(crate) fn nearest<'k>(word: &str, known: impl Iterator<Item = &'k str>) -> Option<&'k str> {
    let word = word.to_lowercase();
    let most = MAX_WRONG.min(word.chars().count() / 3);
    let close = known.filter_map(|it| {
        let lower = it.to_lowercase();
        let starts_so = word.starts_with(&lower).then_some(most);
        let distance = starts_so.or_else(|| distance(&word, &lower, most))?;
        (!it.is_empty()).then_some((distance, it))
    });
    close.min_by_key(|(distance, it)| (*distance, std::cmp::Reverse(it.len()))).map(|(_, it)| it)
}

/// The number of letters to add, remove, exchange or swap, if it is at most `limit`.
fn distance(word: &str, meant: &str, limit: usize) -> Option<usize> {
    let letters = |it: &str| it.chars().collect::<Vec<_>>();
    spelling::distance(&letters(word), &letters(meant), Swap::One, limit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_that_is_nearly_right_is_found() {
        let keys = ["min", "minLength", "max", "values", "justWarning"];
        let check = |word: &str, meant: Option<&str>| {
            assert_eq!(nearest(word, keys.into_iter()), meant, "{word}");
        };
        check("minimum", Some("min"));
        check("minLenght", Some("minLength"));
        check("minLengths", Some("minLength"));
        check("value", Some("values"));
        check("just_warning", Some("justWarning"));
        check("description", None);
        check("mix", Some("min"));
        check("", None);
    }
}
