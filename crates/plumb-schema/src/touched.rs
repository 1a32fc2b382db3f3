//! Describes what a step may have changed, so that only those parts are checked again.

use plumb_source::Text;
use plumb_value::{Map, Node};

use crate::field::MapType;

/// What may have changed in a document that conformed before.
#[derive(Clone, Copy, Debug)]
pub enum Touched<'a> {
    Everything,
    /// Only the value at this path of keys.
    Path(&'a [Text]),
    /// The keys in this node, level by level: the node was merged into the document.
    ///
    /// If an item of it is annotated, the items next to it count as changed too: annotations can
    /// affect more than their own key.
    Keys(&'a Node),
}

/// Returns the items of a map that a step may have changed, in the order of the map, or `None` for
/// all items.
pub(crate) fn part_touched<'a>(
    ty: &MapType,
    map: &Map,
    touched: Touched<'a>,
) -> Option<Vec<(usize, Touched<'a>)>> {
    // If a key is missing, this map was not filled in before.
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
