//! Finds the corresponding documents of two sides.

use std::collections::{HashMap, VecDeque};
use std::hash::Hash;

use super::Item;
use super::name::DocumentName;

/// The indices of a document on both sides. One of them may be missing.
pub(super) type Pair = (Option<usize>, Option<usize>);

/// Pairs the documents of two sides: in the order of the new side, followed by those that are only
/// on the old side.
///
/// First, documents with the same version, kind, namespace and name are paired; if there are
/// several, in their order. Of the remaining ones, those with the same kind, namespace and name are
/// paired, then those with the same kind and name, if there is only one on each side. Documents
/// without a name are paired if they have the same position among the unnamed documents of the same
/// file, and otherwise if they have the same position in any file.
pub(super) fn pairs(old: &[Item], new: &[Item]) -> Vec<Pair> {
    let mut pairing =
        Pairing { old, new, of_new: vec![None; new.len()], is_used: vec![false; old.len()] };
    let named = |it: &DocumentName| it.is_named().then(|| it.clone());
    let full =
        |it: &DocumentName| named(it).map(|it| (it.api_version, it.kind, it.namespace, it.name));
    pairing.step(IsUnique::No, full);
    pairing.step(IsUnique::No, |it| named(it).map(|it| (it.kind, it.namespace, it.name)));
    pairing.step(IsUnique::Yes, |it| named(it).map(|it| (it.kind, it.name)));
    let unnamed = |it: &DocumentName| (!it.is_named()).then(|| it.clone());
    pairing.step(IsUnique::No, |it| unnamed(it).map(|it| (it.file, it.n_unnamed)));
    pairing.step(IsUnique::No, |it| unnamed(it).map(|it| it.n_unnamed));
    let added = pairing.of_new.iter().enumerate().map(|(at, old)| (*old, Some(at)));
    let removed = pairing.is_used.iter().enumerate().filter(|it| !it.1);
    added.chain(removed.map(|(at, _)| (Some(at), None))).collect()
}

/// Whether a key must be unique on each side.
#[derive(Clone, Copy, PartialEq, Eq)]
enum IsUnique {
    Yes,
    No,
}

struct Pairing<'a> {
    old: &'a [Item],
    new: &'a [Item],
    /// For each document of the new side, its partner on the old side.
    of_new: Vec<Option<usize>>,
    is_used: Vec<bool>,
}

impl Pairing<'_> {
    /// Pairs documents that have the same key and no partner yet.
    fn step<K: Eq + Hash>(
        &mut self,
        is_unique: IsUnique,
        key: impl Fn(&DocumentName) -> Option<K>,
    ) {
        let mut by_key: HashMap<K, (VecDeque<usize>, Vec<usize>)> = HashMap::new();
        for (at, item) in self.old.iter().enumerate().filter(|it| !self.is_used[it.0]) {
            if let Some(key) = key(&item.name) {
                by_key.entry(key).or_default().0.push_back(at);
            }
        }
        for (at, item) in self.new.iter().enumerate().filter(|it| self.of_new[it.0].is_none()) {
            if let Some(key) = key(&item.name) {
                by_key.entry(key).or_default().1.push(at);
            }
        }
        for (mut old, new) in by_key.into_values() {
            if is_unique == IsUnique::Yes && (old.len(), new.len()) != (1, 1) {
                continue;
            }
            for at in new {
                let Some(partner) = old.pop_front() else { break };
                self.of_new[at] = Some(partner);
                self.is_used[partner] = true;
            }
        }
    }
}
