//! The name that someone probably meant.

/// The candidate with the fewest mistakes in it, if they are few for its length. Of two equally
/// near ones, the first.
pub fn nearest<'a>(written: &str, candidates: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let rated = candidates.map(|it| (distance(written, it), it));
    let (mistakes, name) = rated.min_by_key(|&(mistakes, _)| mistakes)?;
    (mistakes <= 1 + written.chars().count() / 5).then_some(name)
}

/// How many letters must be put in, taken out, replaced or swapped with their neighbour to get
/// from one word to the other.
fn distance(from: &str, to: &str) -> usize {
    let from: Vec<char> = from.chars().collect();
    let to: Vec<char> = to.chars().collect();
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
        two_above = std::mem::replace(&mut above, row);
    }
    above[to.len()]
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
