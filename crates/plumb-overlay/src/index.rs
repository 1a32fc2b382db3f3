//! Finds the items that can match by the scalars that a matcher requires.
//!
//! An overlay that names its documents (`subset({"kind": …, "metadata": {"name": …}})`) or its
//! array items (`by="name"`) would compare every item with every other. Instead, the scalars at the
//! paths that matchers mention are hashed, once per level, and kept up to date as items change. All
//! items found here are compared completely afterwards. So the result may contain too many items,
//! but never too few, and it includes every item for which the comparison would return an error.

use std::collections::{HashMap, VecDeque};

use plumb_source::Text;
use plumb_value::{Datum, Node};

use crate::item::Item;
use crate::leaf::Leaf;
use crate::left::{Left, Slot};
use crate::matcher::{Matcher, Rule};

/// With fewer items than this, comparing all is faster than hashing.
const FEW_ITEMS: usize = 8;
/// How many paths are indexed, how long they may be, and how many one matcher may name. These
/// limits bound the memory if every matcher requires a different path.
const MAX_PATHS: usize = 16;
const MAX_PATH_LENGTH: usize = 8;
const MAX_CONSTRAINTS: usize = 8;

/// The scalars of one level's items by path.
#[derive(Default)]
pub(crate) struct Index {
    paths: Vec<PathIndex>,
}

/// Keys from the value of an item to a scalar.
type Path = Vec<Text>;

struct PathIndex {
    path: Path,
    /// The value that each slot has at the path.
    entries: Vec<Entry>,
    buckets: HashMap<Leaf, Bucket>,
    n_absent: usize,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Entry {
    Leaf(Leaf),
    /// A collection, or NaN.
    Other,
    /// The key is missing, or the parent is not a map.
    Absent,
    /// The item was removed.
    Removed,
}

/// The slots that have one scalar. Slots that no longer have it are removed when the bucket is
/// read, because removing a slot from a large bucket would need a search.
#[derive(Default)]
struct Bucket {
    /// If the bucket is stale, slots may occur twice or may have another scalar by now.
    slots: Vec<Slot>,
    is_stale: bool,
    n_valid: usize,
}

/// A scalar that must be at a path.
struct Constraint {
    path: Path,
    leaf: Leaf,
}

/// Items that may match. They are not copied until the smallest set is known.
enum Candidates {
    Bucket { path: usize, leaf: Leaf, n_slots: usize },
    Slots(Vec<Slot>),
}

/// Returns whether an index is faster than comparing all items of a level.
pub(crate) fn is_worthwhile(n_left: usize, n_right: usize) -> bool {
    n_left > FEW_ITEMS && n_right > 1
}

impl Index {
    /// Returns the items that may match, in any order, or `None` if all of them may.
    pub(crate) fn candidates<L: Left>(
        &mut self,
        by: &Matcher,
        left: &L,
        right: &Node,
    ) -> Option<Vec<Slot>> {
        let candidates = self.find(by, left, right)?;
        Some(self.copied(candidates))
    }

    /// Returns the first item that has this scalar at a key.
    pub(crate) fn with_scalar<L: Left>(
        &mut self,
        key: &Text,
        scalar: &Leaf,
        left: &L,
    ) -> Option<Slot> {
        self.all_with_scalar(key, scalar, left)?.first().copied()
    }

    /// Returns all items that have a scalar at a key. Returns `None` if there is no index.
    pub(crate) fn all_with_scalar<L: Left>(
        &mut self,
        key: &Text,
        scalar: &Leaf,
        left: &L,
    ) -> Option<&[Slot]> {
        let path = self.path(std::slice::from_ref(key), left)?;
        Some(self.paths[path].slots(scalar))
    }

    /// Records that an item is new or has changed.
    pub(crate) fn update(&mut self, slot: Slot, node: &Node) {
        for index in &mut self.paths {
            let entry = Entry::of(node, &index.path);
            index.set(slot, entry);
        }
    }

    pub(crate) fn remove(&mut self, slot: Slot) {
        for index in &mut self.paths {
            index.set(slot, Entry::Removed);
        }
    }

    fn find<L: Left>(&mut self, by: &Matcher, left: &L, right: &Node) -> Option<Candidates> {
        match &by.0 {
            Rule::All | Rule::Not(_) => None,
            // If items have no position, the matcher fails, so it must be called for all of them.
            Rule::Index(position) => {
                left.at(0)?;
                let position = usize::try_from(*position).ok();
                let slot = position.and_then(|it| left.at(it));
                Some(Candidates::Slots(slot.into_iter().collect()))
            }
            Rule::MapKey(name) => self.with_same_key(name, left, right),
            Rule::Subset(expected) => self.with_scalars_of(expected, left),
            Rule::And(parts) => self.of_all(&parts.data, left, right),
            Rule::Or(parts) => self.of_any(&parts.data, left, right),
        }
    }

    /// All items must have the key, otherwise the comparison fails. Returns `None` if one item
    /// lacks the key: then all items are compared until the failure is found.
    fn with_same_key<L: Left>(
        &mut self,
        name: &Text,
        left: &L,
        right: &Node,
    ) -> Option<Candidates> {
        let value = &right.as_map()?.get(&Node::String(name.clone()))?.node;
        let path = self.path(std::slice::from_ref(name), left)?;
        if self.paths[path].n_absent > 0 {
            return None;
        }
        Some(match Leaf::of(value) {
            Some(leaf) => self.bucket(path, leaf),
            None => Candidates::Slots(Vec::new()),
        })
    }

    fn with_scalars_of<L: Left>(&mut self, expected: &Node, left: &L) -> Option<Candidates> {
        let mut fewest = None;
        for constraint in constraints(expected) {
            if let Some(path) = self.path(&constraint.path, left) {
                fewest = fewer(fewest, Some(self.bucket(path, constraint.leaf)));
            }
        }
        fewest
    }

    /// Items that one part excludes are skipped, if no earlier part can fail on them.
    fn of_all<L: Left>(&mut self, parts: &[Datum], left: &L, right: &Node) -> Option<Candidates> {
        let mut fewest = None;
        for part in parts {
            let Some(matcher) = Matcher::of(part) else { break };
            fewest = fewer(fewest, self.find(matcher, left, right));
            if !matcher.is_total() {
                break;
            }
        }
        fewest
    }

    fn of_any<L: Left>(&mut self, parts: &[Datum], left: &L, right: &Node) -> Option<Candidates> {
        let mut all = Vec::new();
        for part in parts {
            let candidates = self.find(Matcher::of(part)?, left, right)?;
            all.extend(self.copied(candidates));
        }
        all.sort_unstable();
        all.dedup();
        Some(Candidates::Slots(all))
    }

    fn bucket(&self, path: usize, leaf: Leaf) -> Candidates {
        let n_slots = self.paths[path].buckets.get(&leaf).map_or(0, |bucket| bucket.n_valid);
        Candidates::Bucket { path, leaf, n_slots }
    }

    fn copied(&mut self, candidates: Candidates) -> Vec<Slot> {
        match candidates {
            Candidates::Bucket { path, leaf, .. } => self.paths[path].slots(&leaf).to_vec(),
            Candidates::Slots(slots) => slots,
        }
    }

    /// Returns the number of a path. Indexes the path if there is room, and returns `None`
    /// otherwise.
    fn path<L: Left>(&mut self, path: &[Text], left: &L) -> Option<usize> {
        let known = self.paths.iter().position(|it| it.path == path);
        if known.is_some() || self.paths.len() == MAX_PATHS {
            return known;
        }
        self.paths.push(PathIndex::new(path, left));
        Some(self.paths.len() - 1)
    }
}

fn fewer(one: Option<Candidates>, other: Option<Candidates>) -> Option<Candidates> {
    match (one, other) {
        (Some(one), Some(other)) => Some(if other.len() < one.len() { other } else { one }),
        (one, other) => one.or(other),
    }
}

impl Candidates {
    fn len(&self) -> usize {
        match self {
            Self::Bucket { n_slots, .. } => *n_slots,
            Self::Slots(slots) => slots.len(),
        }
    }
}

impl PathIndex {
    fn new<L: Left>(path: &[Text], left: &L) -> Self {
        let entries = vec![Entry::Removed; left.n_slots()];
        let path = path.to_vec();
        let mut index = Self { path, entries, buckets: HashMap::new(), n_absent: 0 };
        for slot in left.slots() {
            let entry = Entry::of(left.item(slot).node(), &index.path);
            index.set(slot, entry);
        }
        index
    }

    fn set(&mut self, slot: Slot, entry: Entry) {
        if slot >= self.entries.len() {
            self.entries.resize(slot + 1, Entry::Removed);
        }
        if self.entries[slot] == entry {
            return;
        }
        self.n_absent += usize::from(entry == Entry::Absent);
        if let Entry::Leaf(leaf) = &entry {
            let bucket = self.buckets.entry(leaf.clone()).or_default();
            bucket.slots.push(slot);
            bucket.n_valid += 1;
        }
        let old = std::mem::replace(&mut self.entries[slot], entry);
        self.n_absent -= usize::from(old == Entry::Absent);
        if let Entry::Leaf(leaf) = old {
            let bucket = self.buckets.get_mut(&leaf).expect("a scalar has a bucket");
            bucket.is_stale = true;
            bucket.n_valid -= 1;
        }
    }

    fn slots(&mut self, leaf: &Leaf) -> &[Slot] {
        let Some(bucket) = self.buckets.get_mut(leaf) else { return &[] };
        if std::mem::take(&mut bucket.is_stale) {
            let wanted = Entry::Leaf(leaf.clone());
            bucket.slots.retain(|slot| self.entries[*slot] == wanted);
            bucket.slots.sort_unstable();
            bucket.slots.dedup();
        }
        &bucket.slots
    }
}

impl Entry {
    fn of(node: &Node, path: &[Text]) -> Self {
        let mut node = node;
        for key in path {
            let found = node.as_map().and_then(|map| map.get(&Node::String(key.clone())));
            let Some(item) = found else { return Self::Absent };
            node = &item.node;
        }
        Leaf::of(node).map_or(Self::Other, Self::Leaf)
    }
}

/// Returns the scalars that are required, those nearest to the root first.
fn constraints(expected: &Node) -> Vec<Constraint> {
    let mut found = Vec::new();
    let mut maps = VecDeque::from([(Vec::new(), expected)]);
    while let Some((path, node)) = maps.pop_front() {
        let Some(map) = node.as_map() else { continue };
        for item in map.items() {
            let Node::String(key) = &item.key else { continue };
            let mut path: Path = path.clone();
            path.push(key.clone());
            if let Some(leaf) = Leaf::of(&item.node) {
                found.push(Constraint { path, leaf });
            } else if path.len() < MAX_PATH_LENGTH {
                maps.push_back((path, &item.node));
            }
            if found.len() == MAX_CONSTRAINTS {
                return found;
            }
        }
    }
    found
}
