//! Laws for all documents and overlays.

use std::any::Any;
use std::sync::Arc;

use plumb_overlay::{Matcher, apply_to_documents};
use plumb_peer as peer;
use plumb_source::{Origin, Sources};
use plumb_value::{
    Annotation, Array, ArrayItem, CallError, Callable, Datum, Document, Map, MapItem, Meta, Node,
};
use proptest::prelude::*;

use crate::notation::show;
use crate::outcome::show_documents;

const KEYS: [&str; 4] = ["name", "kind", "a", "b"];

/// A matcher that can only be called like a user's function, for one item at a time.
#[derive(Debug)]
struct Asked(Matcher);

impl Callable for Asked {
    fn name(&self) -> &'static str {
        "asked"
    }

    fn arity(&self) -> Option<usize> {
        Some(3)
    }

    fn call(&self, args: Vec<Datum>) -> Result<Datum, CallError> {
        self.0.call(args)
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

fn scalar() -> impl Strategy<Value = Node> {
    prop_oneof![
        (0..4_i64).prop_map(Node::Int),
        "[xyz]".prop_map(|text| Node::from(text.as_str())),
        Just(Node::Null),
        Just(Node::Float(1.0)),
    ]
}

fn map_of(values: Vec<(usize, Node)>) -> Node {
    let mut items: Vec<MapItem> = Vec::new();
    for (key, node) in values {
        let key = Node::from(KEYS[key]);
        if !items.iter().any(|item| item.key.as_str() == key.as_str()) {
            items.push(MapItem::new(key, node, Origin::Unknown));
        }
    }
    Node::map(Map::new(items, Origin::Unknown))
}

fn array_of(nodes: Vec<Node>) -> Node {
    let items = nodes.into_iter().map(|node| ArrayItem::new(node, Origin::Unknown)).collect();
    Node::array(Array::new(items, Origin::Unknown))
}

fn map(values: impl Strategy<Value = Node>) -> impl Strategy<Value = Node> {
    prop::collection::vec((0..KEYS.len(), values), 0..5).prop_map(map_of)
}

fn node() -> impl Strategy<Value = Node> {
    scalar().prop_recursive(3, 40, 14, |inner| {
        let maps = prop::collection::vec((0..KEYS.len(), inner.clone()), 0..5).prop_map(map_of);
        prop_oneof![maps, prop::collection::vec(inner, 0..14).prop_map(array_of)]
    })
}

/// Enough documents to make an index worthwhile.
fn documents() -> impl Strategy<Value = Vec<Document>> {
    let document = map(node()).prop_map(|node| Document::new(node, Origin::Unknown));
    prop::collection::vec(document, 0..14)
}

fn matcher() -> impl Strategy<Value = Matcher> {
    let leaf = prop_oneof![
        Just(Matcher::all()),
        (-1..14_i64).prop_map(Matcher::index),
        (0..2_usize).prop_map(|key| Matcher::map_key(KEYS[key].into())),
        map(scalar()).prop_map(|it| Matcher::subset(&Datum::Node(it)).expect("plain data")),
    ];
    leaf.prop_recursive(2, 8, 3, |inner| {
        let parts = prop::collection::vec(inner.prop_map(Matcher::into_datum), 1..4);
        prop_oneof![
            parts.clone().prop_map(|it| Matcher::and(it).expect("not deep")),
            parts.clone().prop_map(|it| Matcher::or(it).expect("not deep")),
            parts.prop_map(|mut it| Matcher::not(it.remove(0)).expect("not deep")),
        ]
    })
}

fn annotation(name: &str, kwargs: Vec<(&str, Datum)>) -> Annotation {
    let kwargs = kwargs.into_iter().map(|(name, value)| (name.into(), value)).collect();
    Annotation::new(name.into(), Vec::new(), kwargs, None)
}

fn meta_of(annotations: Vec<Annotation>) -> Meta {
    let mut meta = Meta::default();
    for annotation in annotations {
        meta.annotations_mut().set(annotation);
    }
    meta
}

fn operation() -> impl Strategy<Value = Vec<Annotation>> {
    let yes = || Datum::Node(Node::Bool(true));
    prop_oneof![
        4 => Just(Vec::new()),
        1 => Just(vec![annotation("overlay/remove", Vec::new())]),
        1 => Just(vec![annotation("overlay/replace", vec![("or_add", yes())])]),
        1 => Just(vec![annotation("overlay/insert", vec![("before", yes())])]),
        1 => Just(vec![annotation("overlay/insert", vec![("after", yes())])]),
        1 => Just(vec![annotation("overlay/append", Vec::new())]),
    ]
}

/// How an item matches, and what it does.
type Deed = (Matcher, Vec<Annotation>);

/// An overlay on documents whose values contain an array `a`, which is matched item by item.
type Overlay = (Deed, Vec<(Deed, Node)>, Node);

fn overlay() -> impl Strategy<Value = Overlay> {
    let items = prop::collection::vec(((matcher(), operation()), map(scalar())), 0..6);
    ((matcher(), operation()), items, scalar())
}

/// The overlay with its matchers, or with functions that have no shortcut.
fn built((deed, items, b): &Overlay, as_functions: bool) -> Document {
    let meta = |(by, operation): &Deed| {
        let by = if as_functions {
            Datum::Function(Arc::new(Asked(by.clone())))
        } else {
            by.clone().into_datum()
        };
        let any = ("expects", Datum::Node("0+".into()));
        let matching = annotation("overlay/match", vec![("by", by), any]);
        let any = ("expects", Datum::Node("0+".into()));
        let defaults = annotation("overlay/match-child-defaults", vec![any]);
        meta_of([vec![matching, defaults], operation.clone()].concat())
    };
    let array_item = |(deed, node): &(Deed, Node)| ArrayItem {
        meta: meta(deed),
        ..ArrayItem::new(node.clone(), Origin::Unknown)
    };
    let array = Array::new(items.iter().map(array_item).collect(), Origin::Unknown);
    let node = map_of(vec![(2, Node::array(array)), (3, b.clone())]);
    Document { meta: meta(deed), ..Document::new(node, Origin::Unknown) }
}

fn applied(left: Vec<Document>, right: &[Document]) -> Result<Vec<Document>, String> {
    let sources = Sources::new();
    apply_to_documents(vec![left], right, &sources, &mut Vec::new())
        .map(|sets| sets.into_iter().flatten().collect())
        .map_err(|failure| peer::text(&failure, &sources).shown().to_owned())
}

fn shown(result: &Result<Vec<Document>, String>) -> String {
    match result {
        Ok(documents) => show_documents(documents),
        Err(message) => message.clone(),
    }
}

fn is_shared(left: &Document, right: &Document) -> bool {
    match (&left.node, &right.node) {
        (Node::Map(left), Node::Map(right)) => Arc::ptr_eq(left, right),
        _ => false,
    }
}

proptest! {
    #[test]
    fn an_empty_overlay_changes_nothing(left in map(node())) {
        let before = show(&left, true);
        let left = Document::new(left, Origin::Unknown);
        let right = Document::new(map_of(Vec::new()), Origin::Unknown);
        let same = crate::outcome::merged(left.clone(), &right, &Sources::new(), &mut Vec::new());
        let same = same.expect("nothing to go wrong");
        prop_assert_eq!(show(&same.node, true), before);
        prop_assert!(is_shared(&same, &left));
    }

    #[test]
    fn one_by_one_is_the_same_as_together(
        left in documents(),
        overlays in prop::collection::vec(overlay(), 0..6),
    ) {
        let right: Vec<Document> = overlays.iter().map(|it| built(it, false)).collect();
        let together = applied(left.clone(), &right);
        let one_by_one = right.chunks(1).try_fold(left, applied);
        prop_assert_eq!(shown(&together), shown(&one_by_one));
    }

    #[test]
    fn what_is_looked_up_is_what_would_be_found(
        left in documents(),
        overlays in prop::collection::vec(overlay(), 2..8),
    ) {
        let natively: Vec<Document> = overlays.iter().map(|it| built(it, false)).collect();
        let asked: Vec<Document> = overlays.iter().map(|it| built(it, true)).collect();
        let looked_up = applied(left.clone(), &natively);
        let compared = applied(left, &asked);
        prop_assert_eq!(shown(&looked_up), shown(&compared));
    }

    #[test]
    fn documents_that_are_not_matched_are_shared(
        left in documents(),
        by in map(scalar()),
        b in scalar(),
    ) {
        let matcher = Matcher::subset(&Datum::Node(by)).expect("plain data");
        let right = built(&((matcher.clone(), Vec::new()), Vec::new(), b), false);
        let result = applied(left.clone(), &[right]);
        prop_assume!(result.is_ok(), "the overlay fails");
        let result = result.expect("it does not fail");
        for (before, after) in left.iter().zip(&result) {
            let null = || Datum::Node(Node::Null);
            let args = vec![null(), Datum::Node(before.node.clone()), null()];
            let is_match = matcher.call(args).expect("an answer");
            if matches!(is_match, Datum::Node(Node::Bool(false))) {
                prop_assert!(is_shared(before, after));
            }
        }
    }
}
