//! A law for every document: reading the printed text returns the same document.

use plumb_source::{Origin, SourceKind, Sources, Span, Text};
use plumb_value::{
    Annotation, Array, ArrayItem, Comment, Datum, Document, Map, MapItem, Meta, Node, ShownComments,
};
use proptest::prelude::*;

use crate::print::leaf::Leaf;
use crate::print::{Flavour, comments_fit, documents, format};
use crate::{ReadOptions, parse};

/// Characters that are special for some rule of the printer.
const CHARS: &str = "ax1é日😀   \n\n\n\t\r\0\u{7f}\u{85}\u{a0}\u{2028}\u{2029}\u{feff}\u{ffff}:#-?[]{},&*!|>'\"\\%@`=~._+";

/// Words that are special for some rule of the printer, one per line.
const WORDS: &str =
    "null\ntrue\ny\nno\n07\n0x1\n1e3\n1.5\n.inf\n2001-01-01\n12:30\n---\n...\n<<\n: \n #";

fn text() -> impl Strategy<Value = Node> {
    let char = prop::sample::select(CHARS.chars().collect::<Vec<_>>());
    let word = prop::sample::select(WORDS.lines().collect::<Vec<_>>());
    let piece = prop_oneof![3 => char.prop_map(String::from), 1 => word.prop_map(String::from)];
    let pieces = prop::collection::vec(piece, 0..6);
    prop_oneof![
        8 => pieces.prop_map(|pieces| Node::String(Text::from(pieces.concat()))),
        1 => any::<String>().prop_map(|text| Node::String(Text::from(text))),
        1 => prop::collection::vec(any::<u8>(), 0..80)
            .prop_map(|bytes| Node::String(Text::from_bytes(&bytes))),
    ]
}

fn scalar() -> impl Strategy<Value = Node> {
    prop_oneof![
        6 => text(),
        1 => Just(Node::Null),
        1 => any::<bool>().prop_map(Node::Bool),
        1 => any::<i64>().prop_map(Node::Int),
        1 => any::<u64>().prop_map(Node::uint),
        // Negative zero is avoided, because an integer would lose its sign.
        1 => any::<f64>().prop_map(|value| Node::Float(value + 0.0)),
    ]
}

/// Comments above a node and after it.
fn meta() -> impl Strategy<Value = Meta> {
    let file = Sources::new().add("a.yml", SourceKind::File, [].into());
    let comment = |is_inline| {
        let texts = prop::sample::select(vec!["", " a", "@ if x:", "! b", " # c"]);
        texts.prop_map(move |text| Comment {
            text: text.into(),
            span: Span::new(file, 0, 0),
            is_inline,
        })
    };
    let above = prop::collection::vec(comment(false), 0..2);
    (above, prop::option::weighted(0.2, comment(true))).prop_map(|(above, inline)| {
        let mut meta = Meta::default();
        meta.comments_mut().extend(above.into_iter().chain(inline));
        meta
    })
}

fn node() -> impl Strategy<Value = Node> {
    scalar().prop_recursive(4, 40, 4, |inner| {
        let array = prop::collection::vec((inner.clone(), meta()), 0..4).prop_map(|items| {
            let item = |(node, meta)| ArrayItem { meta, ..ArrayItem::new(node, Origin::Unknown) };
            Node::array(Array::new(items.into_iter().map(item).collect(), Origin::Unknown))
        });
        let key = prop_oneof![8 => scalar(), 1 => inner.clone()];
        let map = prop::collection::vec((key, inner, meta()), 0..4).prop_map(|entries| {
            let mut items: Vec<MapItem> = Vec::new();
            for (key, node, meta) in entries {
                let is_new = !items.iter().any(|item| is_equal_yaml(&item.key, &key));
                // The merge key is printed unquoted, and would merge.
                if is_new && key.as_str() != Some("<<") {
                    // No comment is read after the indicator of a block.
                    let is_simple = Leaf::of(&key).is_some_and(|leaf| leaf.is_simple_key());
                    let meta = if is_simple { meta } else { Meta::default() };
                    items.push(MapItem { meta, ..MapItem::new(key, node, Origin::Unknown) });
                }
            }
            Node::map(Map::new(items, Origin::Unknown))
        });
        prop_oneof![array, map]
    })
}

/// Whether two nodes are equal. A whole float is printed as an integer.
#[expect(clippy::float_cmp, clippy::cast_precision_loss, reason = "printing loses nothing")]
fn is_equal_yaml(left: &Node, right: &Node) -> bool {
    match (left, right) {
        (Node::Null, Node::Null) => true,
        (Node::Bool(left), Node::Bool(right)) => left == right,
        (Node::Int(left), Node::Int(right)) => left == right,
        (Node::UInt(left), Node::UInt(right)) => left == right,
        (Node::Float(left), Node::Float(right)) => left == right || left.is_nan() && right.is_nan(),
        (Node::Float(float), Node::Int(int)) | (Node::Int(int), Node::Float(float)) => {
            *float == *int as f64
        }
        (Node::String(left), Node::String(right)) => left == right,
        (Node::Array(left), Node::Array(right)) => {
            let pairs = left.items.iter().zip(&right.items);
            left.items.len() == right.items.len()
                && pairs.into_iter().all(|(left, right)| is_equal_yaml(&left.node, &right.node))
        }
        (Node::Map(left), Node::Map(right)) => {
            let mut pairs = left.items().iter().zip(right.items());
            left.len() == right.len()
                && pairs.all(|(left, right)| {
                    is_equal_yaml(&left.key, &right.key) && is_equal_yaml(&left.node, &right.node)
                })
        }
        _ => false,
    }
}

fn read(bytes: &[u8]) -> Vec<Document> {
    let sources = Sources::new();
    let file = sources.add("a.yml", SourceKind::File, bytes.into());
    let read = parse(file, bytes, &ReadOptions::default());
    read.unwrap_or_else(|error| panic!("{error:?} in {:?}", String::from_utf8_lossy(bytes)))
}

fn formatted(documents: &[Document], flavour: Flavour) -> Vec<u8> {
    let mut out = Vec::new();
    format(documents, flavour, &mut out);
    out
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn printed_documents_read_back(nodes in prop::collection::vec(node(), 1..3)) {
        let all: Vec<_> =
            nodes.into_iter().map(|node| Document::new(node, Origin::Unknown)).collect();
        let mut out = Vec::new();
        documents(&all, &mut out);
        let mut again = Vec::new();
        documents(&read(&out), &mut again);
        prop_assert_eq!(String::from_utf8_lossy(&again), String::from_utf8_lossy(&out));
        let kept = all.iter().filter(|document| !document.node.is_empty_document());
        let was_read = read(&out);
        let pairs = kept.zip(was_read.iter().filter(|it| !it.node.is_empty_document()));
        for (printed, read) in pairs {
            prop_assert!(is_equal_yaml(&printed.node, &read.node), "{}", String::from_utf8_lossy(&out));
        }
    }

    #[test]
    fn comments_change_no_document(
        commented in prop::collection::vec((node(), meta(), meta(), text()), 1..3)
    ) {
        let document = |(node, meta, foot, text): (Node, Meta, Meta, Node)| {
            let name = plumb_value::OUTPUT_COMMENT.into();
            let mut document = Document::new(node, Origin::Unknown);
            document.shown_comments = ShownComments::All;
            (document.meta, document.foot) = (meta, foot);
            let args = vec![Datum::Node(text)];
            document.meta.annotations_mut().set(Annotation::new(name, args, Vec::new(), None));
            if let Some((meta, _)) = document.node.child_mut(0) {
                *meta = document.meta.clone();
            }
            document
        };
        let all: Vec<_> = commented.into_iter().map(document).collect();
        let mut with_comments = Vec::new();
        documents(&all, &mut with_comments);
        let mut without = Vec::new();
        let plain = |it: &Document| Document::new(it.node.clone(), Origin::Unknown);
        documents(&all.iter().map(plain).collect::<Vec<_>>(), &mut without);
        let mut again = Vec::new();
        documents(&read(&with_comments), &mut again);
        prop_assert_eq!(
            String::from_utf8_lossy(&again),
            String::from_utf8_lossy(&without),
            "{}",
            String::from_utf8_lossy(&with_comments)
        );
        prop_assert!(comments_fit(&all, u64::MAX));
        let n_added = with_comments.len().saturating_sub(without.len()) as u64;
        prop_assert!(n_added == 0 || !comments_fit(&all, n_added - 1));
    }

    #[test]
    fn formatted_documents_read_back_and_are_formatted_already(node in node()) {
        let documents = [Document::new(node, Origin::Unknown)];
        let out = formatted(&documents, Flavour::Plumb);
        let was_read = read(&out);
        let text = String::from_utf8_lossy(&out);
        prop_assert!(is_equal_yaml(&documents[0].node, &was_read[0].node), "{}", text);
        let again = formatted(&was_read, Flavour::Plumb);
        prop_assert_eq!(String::from_utf8_lossy(&again), text);
        // In ytt's flavour, the text may not be valid YAML, but it is produced.
        formatted(&documents, Flavour::Ytt);
    }
}
