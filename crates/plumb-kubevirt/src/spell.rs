//! Finds words that are almost spelt like known words.

/// A word with more wrong letters than this counts as a different word.
const MAX_WRONG: usize = 2;

/// Whether at most two letters are missing, added or exchanged.
pub(crate) fn is_misspelt(word: &str, meant: &str) -> bool {
    distance(word, meant) <= MAX_WRONG
}

/// The known word that is probably meant, ignoring case: the nearest within two letters (fewer for
/// short words), or one that the word starts with.
pub(crate) fn nearest<'k>(word: &str, known: impl Iterator<Item = &'k str>) -> Option<&'k str> {
    let word = word.to_lowercase();
    let most = MAX_WRONG.min(word.chars().count() / 3);
    let close = known.filter_map(|it| {
        let lower = it.to_lowercase();
        let distance = if word.starts_with(&lower) { most } else { distance(&word, &lower) };
        (distance <= most && !it.is_empty()).then_some((distance, it))
    });
    close.min_by_key(|(distance, it)| (*distance, std::cmp::Reverse(it.len()))).map(|(_, it)| it)
}

/// The number of letters to add, remove or exchange. Counting stops at a large number.
fn distance(word: &str, meant: &str) -> usize {
    let n_letters = meant.chars().count();
    let mut row: Vec<usize> = (0..=n_letters).collect();
    for (at, letter) in word.chars().take(n_letters + MAX_WRONG + 1).enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], at + 1);
        for (column, expected) in meant.chars().enumerate() {
            let exchanged = diagonal + usize::from(letter != expected);
            diagonal = row[column + 1];
            row[column + 1] = exchanged.min(diagonal + 1).min(row[column] + 1);
        }
    }
    row[n_letters]
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
