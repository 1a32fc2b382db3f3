//! Finds the key that ytt suggests. It does not recognize swapped letters, and accepts words that
//! are further away than those of `plumb_diagnostic::nearest`.

/// A key, and the form in which it is compared: without underscores, in lower case.
#[derive(Debug)]
pub(crate) struct Candidate {
    /// The key as YAML writes it, without quotes.
    pub(crate) own: String,
    /// The key as ytt writes it.
    pub(crate) name: String,
    folded: String,
}

impl Candidate {
    pub(crate) fn new(own: String, name: String) -> Self {
        let folded = fold(&name);
        Self { own, name, folded }
    }
}

/// Returns the first of the candidates nearest to `word`, or `None` if at least half of its letters
/// (rounded up) would have to change.
pub(crate) fn nearest<'a>(word: &str, candidates: &'a [Candidate]) -> Option<&'a Candidate> {
    let word = fold(word);
    let mut limit = word.len().div_ceil(2);
    let mut best = None;
    let mut row = Vec::new();
    for candidate in candidates {
        let other = candidate.folded.as_bytes();
        let distance = distance_below(word.as_bytes(), other, limit, &mut row);
        if let Some(distance) = distance {
            limit = distance;
            best = Some(candidate);
        }
    }
    best
}

fn fold(word: &str) -> String {
    word.chars().filter(|&it| it != '_').flat_map(char::to_lowercase).collect()
}

/// Returns the edit distance of two byte strings if it is below `limit`; `row` is a reusable
/// buffer.
fn distance_below(left: &[u8], right: &[u8], limit: usize, row: &mut Vec<usize>) -> Option<usize> {
    if left.len().abs_diff(right.len()) >= limit {
        return None;
    }
    let (left, right) = without_common_ends(left, right);
    row.clear();
    row.extend(0..=right.len());
    for (at, &letter) in left.iter().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], at + 1);
        let mut least = at + 1;
        for (column, &other) in right.iter().enumerate() {
            let substituted = diagonal + usize::from(letter != other);
            diagonal = row[column + 1];
            row[column + 1] = substituted.min(1 + row[column]).min(1 + diagonal);
            least = least.min(row[column + 1]);
        }
        if least >= limit {
            return None;
        }
    }
    row.last().copied().filter(|&distance| distance < limit)
}

/// Removes the common prefix and suffix of two strings.
fn without_common_ends<'a>(left: &'a [u8], right: &'a [u8]) -> (&'a [u8], &'a [u8]) {
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
    fn the_nearest_spelling_wins_and_far_ones_do_not_count() {
        let names = ["hostname", "port", "max_connections", "k"];
        let candidates: Vec<Candidate> =
            names.iter().map(|&it| Candidate::new(it.to_owned(), it.to_owned())).collect();
        let nearest = |word| nearest(word, &candidates).map(|it| it.name.as_str());
        assert_eq!(nearest("hostnam"), Some("hostname"));
        assert_eq!(nearest("MaxConnections"), Some("max_connections"));
        assert_eq!(nearest("prot"), None);
        assert_eq!(nearest("por"), Some("port"));
        assert_eq!(nearest("kk"), None);
        assert_eq!(nearest(""), None);
    }
}
