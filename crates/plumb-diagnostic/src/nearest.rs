//! The name that someone probably meant.

/// Returns the candidate with the fewest typing mistakes. Returns `None` if even that has too many
/// for its length. Of two equally near candidates, the first is returned.
pub fn nearest<'a>(written: &str, candidates: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let written: Vec<char> = written.chars().collect();
    let limit = 1 + written.len() / 5;
    let rated = candidates.filter_map(|it| Some((distance(&written, it, limit)?, it)));
    rated.min_by_key(|&(mistakes, _)| mistakes).map(|(_, name)| name)
}

/// Counts how many letters must be inserted, removed, replaced or swapped with their neighbour to
/// get from one word to the other. Returns `None` if there are more than `limit`.
fn distance(from: &[char], to: &str, limit: usize) -> Option<usize> {
    let to: Vec<char> = to.chars().collect();
    if from.len().abs_diff(to.len()) > limit {
        return None;
    }
    let mut two_above: Vec<usize> = vec![0; to.len() + 1];
    let mut above: Vec<usize> = (0..=to.len()).collect();
    for i in 0..from.len() {
        let mut row = vec![i + 1];
        for j in 0..to.len() {
            let replaced = above[j] + usize::from(from[i] != to[j]);
            let mut least = replaced.min(above[j + 1] + 1).min(row[j] + 1);
            if i > 0 && j > 0 && from[i] == to[j - 1] && from[i - 1] == to[j] {
                least = least.min(two_above[j - 1] + 1);
            }
            row.push(least);
        }
        // A swap can still use the row before this one.
        if row.iter().chain(&above).all(|&mistakes| mistakes > limit) {
            return None;
        }
        two_above = std::mem::replace(&mut above, row);
    }
    Some(above[to.len()]).filter(|&mistakes| mistakes <= limit)
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
    }
}
