//! Deep documents: the walks of this crate keep their own stacks. Dropping a document does not, so
//! these run on a thread with a large stack.

use plumb_diagnostic::Failure;
use plumb_overlay::{Matcher, apply};
use plumb_source::{Origin, Sources};
use plumb_value::{Annotation, Array, ArrayItem, Callable, Datum, Document, Map, MapItem, Node};

const DEPTH: usize = 10_000;

fn on_large_stack(test: impl FnOnce() + Send + 'static) {
    let thread = std::thread::Builder::new().stack_size(64 << 20).spawn(test);
    thread.expect("a thread").join().expect("no panic");
}

/// `{a: [{a: [… leaf]}]}`
fn nested(leaf: Node) -> Node {
    let mut node = leaf;
    for level in 0..DEPTH {
        node = if level % 2 == 0 {
            let mut item = ArrayItem::new(node, Origin::Unknown);
            let by = ("by".into(), Matcher::index(0).into_datum());
            let annotation = Annotation::new("overlay/match".into(), Vec::new(), vec![by], None);
            item.meta.annotations_mut().set(annotation);
            Node::array(Array::new(vec![item], Origin::Unknown))
        } else {
            let item = MapItem::new("a".into(), node, Origin::Unknown);
            Node::map(Map::new(vec![item], Origin::Unknown))
        };
    }
    node
}

fn innermost(node: &Node) -> &Node {
    let mut node = node;
    loop {
        node = match node {
            Node::Map(map) => &map.items()[0].node,
            Node::Array(array) => &array.items[0].node,
            _ => return node,
        };
    }
}

fn merged(left: &Node, right: &Node) -> Result<Document, Failure> {
    let document = |node: &Node| Document::new(node.clone(), Origin::Unknown);
    crate::outcome::merged(document(left), &document(right), &Sources::new(), &mut Vec::new())
}

#[test]
fn deep_documents_are_merged_and_cleaned() {
    on_large_stack(|| {
        let (left, right) = (nested(Node::Int(1)), nested(Node::Int(2)));
        let result = merged(&left, &right).expect("a merge");
        assert!(matches!(innermost(&result.node), Node::Int(2)));
        let added = merged(&Node::Null, &right).expect("a merge");
        assert!(matches!(innermost(&added.node), Node::Int(2)));
        let applied =
            apply(Datum::Node(left), vec![Datum::Node(right)], &Sources::new(), &mut Vec::new());
        assert!(
            matches!(applied, Ok(Datum::Node(node)) if matches!(innermost(&node), Node::Int(2)))
        );
    });
}

#[test]
fn deep_documents_are_compared() {
    on_large_stack(|| {
        let node = nested(Node::Int(1));
        let matcher = Matcher::subset(&Datum::Node(node.clone())).expect("plain data");
        let args = vec![Datum::Node(Node::Null), Datum::Node(node), Datum::Node(Node::Null)];
        let answer = matcher.call(args).expect("an answer");
        assert!(matches!(answer, Datum::Node(Node::Bool(true))));
    });
}

#[test]
fn deep_mistakes_are_reported_with_their_paths() {
    on_large_stack(|| {
        let empty = Node::map(Map::new(Vec::new(), Origin::Unknown));
        let (left, right) = (nested(Node::Int(1)), nested(empty));
        let failure = merged(&left, &right).expect_err("a map over a number");
        let [finding] = failure.findings() else { panic!("one finding") };
        assert_eq!(finding.message.shown(), "expected a map, found an integer");
        assert_eq!(finding.activities.len(), DEPTH + 1);
    });
}
