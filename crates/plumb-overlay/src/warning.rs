//! Warns about overlays that are valid, but probably do not do what their author intended.

use std::collections::{BTreeSet, HashMap, HashSet};

use plumb_diagnostic::{Code, Diagnostic, Label, nearest};
use plumb_source::message::plain;
use plumb_source::{FileId, Message, Origin, Source, Sources, Span, Text, message};
use plumb_value::{Annotation, Datum, Map, Meta, Node};

use crate::annotation::{MATCH_DEFAULTS, NAMESPACE};
use crate::apply::{FileDocuments, is_overlay};
use crate::finding::WITHOUT_EFFECT;
use crate::item::Item;
use crate::leaf::Leaf;
use crate::left::Left;
use crate::level::{Level, Run};

/// An overlay replaces a map or an array with null, because its key has no value.
///
/// The lines that should be the value are probably not indented, so they are keys next to it.
/// Indent them. If you mean null, write `null`; to remove the key, write `@overlay/remove`.
pub const SET_TO_NULL: Code = Code::new("overlay/set-to-null");

/// An overlay appends an item to an array that already has an item with that name.
///
/// An array item without `@overlay/match` is appended. To change the item that is there, write
/// `#@overlay/match by="name"` above it. If you mean to append, write `#@overlay/append`.
pub const SECOND_ITEM: Code = Code::new("overlay/second-item");

/// The key that names an item of an array.
const NAME: &str = "name";
/// Items with the same name are different items if these differ.
const QUALIFIERS: [&str; 6] = ["kind", "namespace", "apiGroup", "apiVersion", "protocol", "alias"];

/// Warns about documents with annotations of overlays that are not overlays: they are printed
/// unchanged. Only documents whose source mentions such annotations are searched.
pub fn outside_overlays(files: &[FileDocuments], sources: &Sources) -> Vec<Diagnostic> {
    let mut mentions: HashMap<FileId, bool> = HashMap::new();
    let mut reported = HashSet::new();
    let mut warnings = Vec::new();
    let documents = files.iter().flat_map(|it| &it.documents).filter(|it| !is_overlay(it));
    for document in documents {
        let Some(file) = document.origin.span().map(|it| it.file) else { continue };
        let mentions = mentions
            .entry(file)
            .or_insert_with(|| sources.get(file).contains(NAMESPACE.as_bytes()));
        if !*mentions {
            continue;
        }
        let below = document.node.descendants().map(|(meta, _)| meta);
        let mut annotations =
            std::iter::once(&document.meta).chain(below).flat_map(Meta::annotations);
        let first = annotations.find(|it| it.name.starts_with(NAMESPACE));
        if let Some(annotation) = first.filter(|it| reported.insert(it.span)) {
            warnings.push(not_an_overlay(annotation));
        }
    }
    warnings
}

fn not_an_overlay(annotation: &Annotation) -> Diagnostic {
    let name = plain(&*annotation.name);
    let message = message!("@{name} has no effect: the document is not an overlay");
    Diagnostic::warning(WITHOUT_EFFECT, message)
        .at(annotation.span, "")
        .help("write #@overlay/match by=… above the `---` of the document to merge it into others")
}

/// Warns about `@overlay/match-defaults` if no item below it has the key.
pub(crate) fn check_list_key(right: &impl Item, run: &mut Run<'_, '_>) {
    let Some(annotation) = right.meta().annotation(MATCH_DEFAULTS) else { return };
    let Some(key) = annotation.kwarg("by").and_then(Datum::as_str) else { return };
    let mut others = BTreeSet::new();
    if has_item_with(right.node(), key, &mut others)
        || !run.warned.insert(std::ptr::from_ref(annotation).cast())
    {
        return;
    }
    let message = message!(
        "@overlay/match-defaults has no effect: no item of an array below it has the key `{}`",
        plain(key)
    );
    let help = match nearest(key, others.iter().map(String::as_str)) {
        Some(meant) => message!("did you mean `{}`?", plain(meant)),
        None if others.is_empty() => "write it above an array, or above the document".into(),
        None => message!(
            "the keys of the items are {}",
            plain(others.into_iter().collect::<Vec<_>>().join(", "))
        ),
    };
    run.warnings
        .push(Diagnostic::warning(WITHOUT_EFFECT, message).at(annotation.span, "").help(help));
}

/// Warns about a key without a value that is about to replace a collection.
pub(crate) fn check_null<I: Item>(left: &I, right: &I, run: &mut Run<'_, '_>) {
    let kind = match left.node() {
        Node::Map(map) if !map.is_empty() => "map",
        Node::Array(array) if !array.items.is_empty() => "array",
        _ => return,
    };
    let Origin::Written(span) = right.origin() else { return };
    if !right.node().is_null() || !is_without_value(&run.sources.get(span.file), span) {
        return;
    }
    if run.warned.insert(std::ptr::from_ref(right).cast()) {
        let message = message!("the overlay replaces a {kind} with null");
        let mut warning = Diagnostic::warning(SET_TO_NULL, message)
            .label(span, "this key has no value")
            .help("check the indentation: the lines of its value must be indented further")
            .help("if you mean null, write `null`; @overlay/remove removes the key");
        warning.labels.extend(label(left.origin(), message!("this {kind} is lost")));
        run.warnings.push(warning);
    }
}

/// Warns about an item that is about to be appended next to one with the same name.
pub(crate) fn check_name<L: Left>(
    level: &mut Level<'_, L>,
    right: &L::Item,
    run: &mut Run<'_, '_>,
) {
    let Some(map) = right.node().as_map().filter(|_| !level.has_warned_of_name) else { return };
    let Some(name) = value(map, NAME).and_then(Leaf::of) else { return };
    let slot = level.index.with_scalar(&Text::from(NAME), &name, &level.left);
    let Some(left) = slot.map(|slot| level.left.item(slot)) else { return };
    let is_of_overlay = level.right.iter().any(|it| it.origin() == left.origin());
    if is_of_overlay || !left.node().as_map().is_some_and(|left| is_change_of(map, left)) {
        return;
    }
    let message = "the overlay appends an item to an array that has an item of that name";
    let mut warning = Diagnostic::warning(SECOND_ITEM, message)
        .help("to change the item that is there, write #@overlay/match by=\"name\" above it")
        .help("to change all such items, write #@overlay/match-defaults by=\"name\" above the document")
        .help("to append it nevertheless, write #@overlay/append");
    warning.labels.extend(label(right.origin(), "this item is appended"));
    warning.labels.extend(label(left.origin(), "this item stays as it is"));
    run.warnings.push(warning);
    // One warning for each array is enough.
    level.has_warned_of_name = true;
}

/// Returns whether an item of an array in a node has a key. The keys that items have are added to
/// `others` until one is found. Nodes with their own `@overlay/match-defaults` are left out.
fn has_item_with(node: &Node, key: &str, others: &mut BTreeSet<String>) -> bool {
    let mut nodes = vec![node];
    while let Some(node) = nodes.pop() {
        match node {
            Node::Map(map) => {
                let inherits = |meta: &Meta| meta.annotation(MATCH_DEFAULTS).is_none();
                nodes.extend(map.items().iter().filter(|it| inherits(&it.meta)).map(|it| &it.node));
            }
            Node::Array(array) => {
                let maps = array.items.iter().filter_map(|it| it.node.as_map());
                for name in maps.flat_map(Map::items).filter_map(|it| it.key.as_str()) {
                    if name == key {
                        return true;
                    }
                    others.insert(name.to_owned());
                }
                nodes.extend(array.items.iter().map(|it| &it.node));
            }
            _ => {}
        }
    }
    false
}

/// Returns whether an item is probably intended as a change of another one: no key identifies it as
/// a different item.
fn is_change_of(right: &Map, left: &Map) -> bool {
    let is_other = |key: &str| match (value(right, key), value(left, key)) {
        (Some(right), Some(left)) => Leaf::of(right) != Leaf::of(left),
        (None, None) => false,
        (Some(_), None) | (None, Some(_)) => true,
    };
    !QUALIFIERS.iter().any(|it| is_other(it))
}

fn value<'a>(map: &'a Map, key: &str) -> Option<&'a Node> {
    map.get(&Node::String(Text::from(key))).map(|it| &it.node)
}

fn label(origin: Origin, message: impl Into<Message>) -> Option<Label> {
    origin.span().map(|span| Label { span, message: message.into() })
}

/// Whether a key has neither a value nor code that could compute one.
fn is_without_value(source: &Source, span: Span) -> bool {
    let line = source.line(span.start);
    let text = source.line_text(line);
    let column = source.column(span.start) as usize - 1;
    let rest: String = text.chars().skip(column).collect();
    let Some((_, after)) = rest.split_once(':') else { return false };
    let after = after.trim();
    let is_comment = after.starts_with('#') && !after.starts_with("#@");
    if !after.is_empty() && !is_comment {
        return false;
    }
    let last = source.line(u32::try_from(source.bytes().len()).unwrap_or(u32::MAX));
    let following = (line + 1..=last).map(|line| source.line_text(line));
    let mut following = following.filter(|it| {
        let text = it.trim();
        !text.is_empty() && !text.starts_with("#!")
    });
    let is_code = |line: String| line.trim_start().starts_with("#@") && indent(&line) > column;
    !following.next().is_some_and(is_code)
}

fn indent(line: &str) -> usize {
    line.chars().take_while(|it| *it == ' ').count()
}

#[cfg(test)]
mod tests {
    use plumb_source::SourceKind;

    use super::*;

    #[test]
    fn only_a_key_that_is_followed_by_nothing_has_no_value() {
        let check = |text: &str| {
            let sources = Sources::new();
            let file = sources.add("a.yml", SourceKind::File, text.as_bytes().into());
            is_without_value(&sources.get(file), Span::new(file, 0, 4))
        };
        assert!(check("spec:"));
        assert!(check("spec: #! later\nreplicas: 1\n"));
        assert!(check("spec:\n#@overlay/match missing_ok=True\nreplicas: 1\n"));
        assert!(!check("spec: null\n"));
        assert!(!check("spec: ~\n"));
        assert!(!check("spec: #@ None\n"));
        assert!(!check("spec:\n  #@ fragment()\n"));
    }
}
