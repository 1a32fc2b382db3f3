//! Finds the declared key that is similar to an undeclared one, ignoring case and underscores.

use plumb_source::spelling;
use plumb_value::{Node, Step};

/// A key, and the form in which it is compared: without underscores, in lower case.
#[derive(Debug)]
pub(crate) struct Candidate {
    pub(crate) key: Node,
    /// The key as YAML writes it, without quotes.
    pub(crate) name: String,
    folded: String,
}

impl Candidate {
    pub(crate) fn new(key: Node) -> Self {
        let name = Step::of_key(&key).to_string();
        let folded = fold(&name);
        Self { key, name, folded }
    }
}

/// Returns the most similar of the keys that are strings, unless it differs too much.
pub(crate) fn nearest<'a>(word: &str, candidates: &'a [Candidate]) -> Option<&'a Candidate> {
    let candidates = candidates.iter().filter(|it| matches!(it.key, Node::String(_)));
    let candidates = candidates.map(|it| (it.folded.as_bytes(), it));
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
            names.iter().map(|&it| Candidate::new(it.into())).collect();
        let nearest = |word| nearest(word, &candidates).map(|it| it.name.as_str());
        assert_eq!(nearest("hostnam"), Some("hostname"));
        assert_eq!(nearest("MaxConnections"), Some("max_connections"));
        assert_eq!(nearest("prot"), None);
    }
}
