//! Describes what a step can have changed, so that only those parts are checked again.

use plumb_source::Text;
use plumb_value::{Map, Node};

use crate::field::MapType;

/// What may have changed in a document that conformed before.
#[derive(Clone, Copy, Debug)]
pub enum Touched<'a> {
    Everything,
    /// The value at this path of keys, and nothing else.
    Path(&'a [Text]),
    /// The keys that this node names, level by level: it was merged into the document.
    ///
    /// If an item of it is annotated, all items next to it count as touched too: annotations can
    /// affect more than their own key.
    Keys(&'a Node),
}

/// Returns the items of a map that a step can have changed, in the order of the map, or `None` for
/// all of them.
pub(crate) fn part_touched<'a>(
    ty: &MapType,
    map: &Map,
    touched: Touched<'a>,
) -> Option<Vec<(usize, Touched<'a>)>> {
    // A key is missing: this map was not filled in before.
    if !ty.is_complete(map) {
        return None;
    }
    match touched {
        Touched::Path([key, rest @ ..]) => {
            let at = map.position(&Node::String(key.clone()))?;
            let rest = if rest.is_empty() { Touched::Everything } else { Touched::Path(rest) };
            Some(vec![(at, rest)])
        }
        Touched::Keys(Node::Map(merged)) => {
            if merged.items().iter().any(|item| !item.meta.annotations().is_empty()) {
                return None;
            }
            let part = merged.items().iter();
            let part = part.map(|item| Some((map.position(&item.key)?, Touched::Keys(&item.node))));
            let mut part: Vec<_> = part.collect::<Option<_>>()?;
            part.sort_unstable_by_key(|&(at, _)| at);
            Some(part)
        }
        Touched::Everything | Touched::Path([]) | Touched::Keys(_) => None,
    }
}
