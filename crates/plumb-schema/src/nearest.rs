//! Finds the key that ytt suggests.

use plumb_source::spelling;

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

/// Returns the candidate that ytt suggests for a key that is not declared.
pub(crate) fn nearest<'a>(word: &str, candidates: &'a [Candidate]) -> Option<&'a Candidate> {
    let candidates = candidates.iter().map(|it| (it.folded.as_bytes(), it));
    spelling::nearest_of_ytt(fold(word).as_bytes(), candidates)
}

fn fold(word: &str) -> String {
    word.chars().filter(|&it| it != '_').flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn case_and_underscores_do_not_count() {
        let names = ["hostname", "port", "max_connections", "k"];
        let candidates: Vec<Candidate> =
            names.iter().map(|&it| Candidate::new(it.to_owned(), it.to_owned())).collect();
        let nearest = |word| nearest(word, &candidates).map(|it| it.name.as_str());
        assert_eq!(nearest("hostnam"), Some("hostname"));
        assert_eq!(nearest("MaxConnections"), Some("max_connections"));
        assert_eq!(nearest("prot"), None);
    }
}
