//! The candidates for an item of an overlay that matches nothing: the items with the fewest
//! differences, and their differences.

use plumb_diagnostic::{Diagnostic, Label, nearest};
use plumb_source::message::{plain, secret};
use plumb_source::{Message, message};
use plumb_value::{Datum, Map, Node, Step};

use crate::finding::OverlayItemKind;
use crate::item::Item;
use crate::leaf::same_leaf;
use crate::left::{Left, Slot};
use crate::matcher::{Matcher, Rule};

/// The maximum number of items that are compared. An overlay may have many items that match
/// nothing.
const MAX_COMPARED: usize = 200;

/// The maximum number of items that are shown.
const MAX_SHOWN: usize = 3;

/// The maximum number of differences of an item that are counted.
const MAX_DIFFERENCES: usize = 8;

/// The maximum number of keys of a map that are listed.
const MAX_NAMED: usize = 9;

/// A part of an item that differs from what a matcher requires.
struct Difference {
    path: String,
    kind: DifferenceKind,
}

enum DifferenceKind {
    /// There is no such key or item.
    Missing,
    /// It has another value.
    Value { found: Node, expected: Node },
}

/// Adds information about items that are similar to the ones searched for.
pub(crate) fn add_candidates<L: Left>(
    left: &L,
    right: &L::Item,
    by: Option<&Datum>,
    finding: &mut Diagnostic,
) {
    let slots = left.slots();
    if slots.is_empty() {
        finding.help.insert(0, "there is nothing to compare it with".into());
        return;
    }
    match (by, right.described()) {
        (None, OverlayItemKind::MapItem(key)) => add_keys(left, &key, &slots, finding),
        (None, OverlayItemKind::Document | OverlayItemKind::ArrayItem) => {}
        (Some(by), _) => add_nearest(left, right, by, &slots, finding),
    }
}

/// Adds the other keys of the map.
fn add_keys<L: Left>(left: &L, key: &Node, slots: &[Slot], finding: &mut Diagnostic) {
    let compared = slots.iter().take(MAX_COMPARED);
    let keys: Vec<(Slot, String)> = compared
        .filter_map(|slot| match left.item(*slot).described() {
            OverlayItemKind::MapItem(key) => Some((*slot, Step::of_key(&key).to_string())),
            OverlayItemKind::Document | OverlayItemKind::ArrayItem => None,
        })
        .collect();
    let names = || keys.iter().map(|(_, name)| name.as_str());
    let written = Step::of_key(key).to_string();
    if let Some(meant) = nearest(&written, names()) {
        finding.help.insert(0, message!("did you mean `{}`?", plain(meant)));
        let meant = keys.iter().find(|(_, name)| name == meant);
        let span = meant.and_then(|(slot, _)| left.item(*slot).origin().span());
        let label = span.map(|span| Label { span, message: "this key is similar".into() });
        finding.labels.extend(label);
    } else if slots.len() <= MAX_NAMED {
        let names: Vec<String> = names().map(|it| format!("`{it}`")).collect();
        let help = match names.as_slice() {
            [only] => message!("the only key here is {}", plain(only)),
            several => message!("the keys here are {}", plain(several.join(", "))),
        };
        finding.help.insert(0, help);
    }
}

/// Adds the items that are similar to what the matcher requires.
fn add_nearest<L: Left>(
    left: &L,
    right: &L::Item,
    by: &Datum,
    slots: &[Slot],
    finding: &mut Diagnostic,
) {
    let matcher = match by {
        Datum::Node(Node::String(name)) => Matcher::map_key(name.clone()),
        _ => match Matcher::of(by) {
            Some(matcher) => matcher.clone(),
            None => return,
        },
    };
    if let Rule::Index(_) = matcher.0 {
        finding.help.insert(
            0,
            match slots.len() {
                1 => "there is 1 item, which has the index 0".into(),
                n_items => message!("there are {n_items} items, counted from 0"),
            },
        );
        return;
    }
    let mut candidates: Vec<(Slot, Vec<Difference>)> = Vec::new();
    for slot in slots.iter().take(MAX_COMPARED) {
        match differences(&matcher, left.item(*slot).node(), right.node()) {
            Some(found) if !found.is_empty() => candidates.push((*slot, found)),
            Some(_) | None => {}
        }
    }
    // The sort is stable: of equal candidates, the first ones are shown.
    candidates.sort_by_key(|(_, found)| rank(found));
    for (slot, found) in candidates.iter().take(MAX_SHOWN) {
        let span = left.item(*slot).origin().span();
        let message = Message::join(found.iter().take(2).map(Difference::message), "; ");
        finding.labels.extend(span.map(|span| Label { span, message }));
    }
    let n_others = slots.len().saturating_sub(MAX_SHOWN);
    if !candidates.is_empty() && n_others > 0 {
        finding.help.insert(
            0,
            message!("the {MAX_SHOWN} most similar of {} candidates are shown", slots.len()),
        );
    }
}

impl Difference {
    fn message(&self) -> Message {
        let path = plain(&self.path);
        match &self.kind {
            DifferenceKind::Missing => message!("has no `{path}`"),
            DifferenceKind::Value { found, expected } => message!(
                "`{path}` is {}, expected {}",
                secret(found.repr()),
                secret(expected.repr())
            ),
        }
    }
}

/// The distance of an item from what was required. Similar texts are nearer than others.
fn rank(found: &[Difference]) -> (usize, usize) {
    let is_similar = |it: &&Difference| match &it.kind {
        DifferenceKind::Value { found: Node::String(found), expected: Node::String(expected) } => {
            let (found, expected) = (found.to_str_lossy(), expected.to_str_lossy());
            nearest(&expected, [&*found].into_iter()).is_some()
        }
        _ => false,
    };
    (found.len(), found.len() - found.iter().filter(is_similar).count())
}

/// Returns the differences between an item and what a matcher requires, or `None` if they are not
/// known, because the matcher is a user's function.
fn differences(matcher: &Matcher, left: &Node, right: &Node) -> Option<Vec<Difference>> {
    match &matcher.0 {
        Rule::All => Some(Vec::new()),
        Rule::Index(_) | Rule::Not(_) => None,
        Rule::MapKey(name) => {
            let key = Node::String(name.clone());
            let [found, expected] =
                [left, right].map(|it| it.as_map().and_then(|map| map.get(&key)));
            let (found, expected) = (found?, expected?);
            let expected = expected.node.clone();
            let kind = DifferenceKind::Value { found: found.node.clone(), expected };
            Some(vec![Difference { path: name.to_string(), kind }])
        }
        Rule::Subset(expected) => Some(subset(left, expected)),
        Rule::And(parts) => {
            let mut all = Vec::new();
            for part in &parts.data {
                all.extend(differences(Matcher::of(part)?, left, right)?);
            }
            Some(all)
        }
        Rule::Or(parts) => {
            let each = parts.data.iter();
            let each = each.filter_map(|it| differences(Matcher::of(it)?, left, right));
            each.min_by_key(Vec::len)
        }
    }
}

/// The parts of `expected` that are not in a node. Documents may be nested deeper than the call
/// stack allows.
fn subset(found: &Node, expected: &Node) -> Vec<Difference> {
    let mut out = Vec::new();
    let mut open = vec![(String::new(), Some(found), expected)];
    while let Some((path, found, expected)) = open.pop() {
        if out.len() == MAX_DIFFERENCES {
            break;
        }
        match (found, expected) {
            (None, _) => out.push(Difference { path, kind: DifferenceKind::Missing }),
            (Some(Node::Map(found)), Node::Map(expected)) => {
                open.extend(below(&path, found, expected));
            }
            (Some(Node::Array(found)), Node::Array(expected)) => {
                let items = expected.items.iter().enumerate().rev();
                open.extend(items.map(|(at, item)| {
                    let found = found.items.get(at).map(|it| &it.node);
                    (format!("{path}[{at}]"), found, &item.node)
                }));
            }
            (Some(found), expected) if same_leaf(found, expected) => {}
            (Some(found), expected) => {
                let (found, expected) = (found.clone(), expected.clone());
                out.push(Difference { path, kind: DifferenceKind::Value { found, expected } });
            }
        }
    }
    out
}

/// The pairs of values that two maps have at the same key, last key first.
fn below<'a, 'p>(
    path: &'p str,
    found: &'a Map,
    expected: &'a Map,
) -> impl Iterator<Item = (String, Option<&'a Node>, &'a Node)> + use<'a, 'p> {
    expected.items().iter().rev().map(move |item| {
        let key = Step::of_key(&item.key);
        let path = if path.is_empty() { key.to_string() } else { format!("{path}.{key}") };
        (path, found.get(&item.key).map(|it| &it.node), &item.node)
    })
}
