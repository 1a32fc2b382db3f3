//! Finds the name that a user probably meant. This is the only edit distance of the workspace.

/// How many mistakes a swap of two neighbouring letters counts as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Swap {
    /// The usual way of counting.
    One,
    /// As in ytt, whose suggestions are part of its messages.
    Two,
}

/// Returns the candidate with the fewest typing mistakes; of several, the one with the same first letter,
/// which is rarely wrong. Returns `None` if even this candidate has too many mistakes for its length, or
/// has no letter in common. Also returns `None` if another name is equally near, because a suggestion
/// that is often wrong does not help.
pub fn nearest<'a>(
    written: &str,
    mut candidates: impl Iterator<Item = &'a str>,
) -> Option<&'a str> {
    nearest_of(written, &mut candidates)
}

/// Not generic, so that it is compiled once.
fn nearest_of<'a>(written: &str, candidates: &mut dyn Iterator<Item = &'a str>) -> Option<&'a str> {
    let written: Vec<char> = written.chars().collect();
    let limit = 1 + written.len() / 5;
    let mut best: Option<(usize, bool)> = None;
    let mut meant = None;
    for name in candidates {
        let letters: Vec<char> = name.chars().collect();
        let Some(mistakes) = distance(&written, &letters, Swap::One, limit) else { continue };
        if mistakes >= written.len().max(letters.len()) {
            continue;
        }
        let rating = (mistakes, letters.first() != written.first());
        match best {
            Some(best) if best < rating => {}
            // A name may be a candidate several times.
            Some(best) if best == rating => meant = meant.filter(|it| *it == name),
            Some(_) | None => (best, meant) = (Some(rating), Some(name)),
        }
    }
    meant
}

/// Returns the candidate that ytt suggests: the first of the nearest ones, or `None` if at least
/// half of the bytes of the written name (rounded up) would have to change. Names are compared
/// literally: the caller folds their case.
pub fn nearest_of_ytt<'a, T>(
    written: &[u8],
    candidates: impl Iterator<Item = (&'a [u8], T)>,
) -> Option<T> {
    let mut too_many = written.len().div_ceil(2);
    let mut best = None;
    for (name, candidate) in candidates {
        let Some(limit) = too_many.checked_sub(1) else { break };
        if let Some(distance) = distance(written, name, Swap::Two, limit) {
            too_many = distance;
            best = Some(candidate);
        }
    }
    best
}

/// Counts how many letters must be inserted, removed, replaced or swapped with their neighbour to
/// get from one word to the other. Returns `None` if there are more than `limit`.
pub fn distance<T: PartialEq>(from: &[T], to: &[T], swap: Swap, limit: usize) -> Option<usize> {
    if from.len().abs_diff(to.len()) > limit {
        return None;
    }
    let (from, to) = without_common_ends(from, to);
    let mut two_above: Vec<usize> = vec![0; to.len() + 1];
    let mut above: Vec<usize> = (0..=to.len()).collect();
    let mut row: Vec<usize> = vec![0; to.len() + 1];
    for i in 0..from.len() {
        row[0] = i + 1;
        for j in 0..to.len() {
            let replaced = above[j] + usize::from(from[i] != to[j]);
            let mut least = replaced.min(above[j + 1] + 1).min(row[j] + 1);
            let is_swapped =
                swap == Swap::One && i > 0 && j > 0 && from[i] == to[j - 1] && from[i - 1] == to[j];
            if is_swapped {
                least = least.min(two_above[j - 1] + 1);
            }
            row[j + 1] = least;
        }
        // A swap may still use the previous row.
        if row.iter().chain(&above).all(|&mistakes| mistakes > limit) {
            return None;
        }
        std::mem::swap(&mut two_above, &mut above);
        std::mem::swap(&mut above, &mut row);
    }
    Some(above[to.len()]).filter(|&mistakes| mistakes <= limit)
}

/// Removes the common prefix and suffix of two words.
fn without_common_ends<'a, T: PartialEq>(left: &'a [T], right: &'a [T]) -> (&'a [T], &'a [T]) {
    let same = left.iter().zip(right).take_while(|(left, right)| left == right).count();
    let (left, right) = (&left[same..], &right[same..]);
    let pairs = left.iter().rev().zip(right.iter().rev());
    let same = pairs.take_while(|(left, right)| left == right).count();
    (&left[..left.len() - same], &right[..right.len() - same])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_mistakes_are_forgiven() {
        let names = ["file", "file-mark", "files-inspect", "data-values-file"];
        let check = |written: &str, expected: Option<&str>| {
            assert_eq!(nearest(written, names.into_iter()), expected, "{written}");
        };
        check("flie", Some("file"));
        check("files", Some("file"));
        check("file-inspect", Some("files-inspect"));
        check("data-value-file", Some("data-values-file"));
        check("bogus", None);
        assert_eq!(nearest("x", ["a", "xy"].into_iter()), Some("xy"));
        assert_eq!(nearest("x", ["a"].into_iter()), None);
    }

    #[test]
    fn of_two_equally_near_names_none_is_suggested() {
        assert_eq!(nearest("pat", ["path", "part"].into_iter()), None);
        assert_eq!(nearest("pat", ["path", "path"].into_iter()), Some("path"));
        assert_eq!(nearest("pat", ["path", "part", "pat"].into_iter()), Some("pat"));
        assert_eq!(nearest("pat", ["pat", "path", "part"].into_iter()), Some("pat"));
        assert_eq!(nearest("asert", ["set", "asserts"].into_iter()), Some("asserts"));
    }

    #[test]
    fn ytt_forgives_less_than_half_of_the_letters() {
        let names = ["hostname", "port", "k"];
        let nearest = |written: &str| {
            nearest_of_ytt(written.as_bytes(), names.iter().map(|it| (it.as_bytes(), *it)))
        };
        assert_eq!(nearest("hostnam"), Some("hostname"));
        assert_eq!(nearest("prot"), None);
        assert_eq!(nearest("por"), Some("port"));
        assert_eq!(nearest("kk"), None);
        assert_eq!(nearest(""), None);
    }

    #[test]
    fn distances_are_counted_up_to_a_limit() {
        let count = |from: &str, to: &str, swap, limit| {
            distance(from.as_bytes(), to.as_bytes(), swap, limit)
        };
        assert_eq!(count("kitten", "sitting", Swap::One, 9), Some(3));
        assert_eq!(count("form", "from", Swap::One, 9), Some(1));
        assert_eq!(count("form", "from", Swap::Two, 9), Some(2));
        assert_eq!(count("abcd", "badc", Swap::One, 9), Some(2));
        assert_eq!(count("abcd", "badc", Swap::One, 1), None);
        assert_eq!(count("", "abc", Swap::One, 3), Some(3));
        assert_eq!(count("", "abc", Swap::One, 2), None);
        assert_eq!(count("same", "same", Swap::Two, 0), Some(0));
    }
}
