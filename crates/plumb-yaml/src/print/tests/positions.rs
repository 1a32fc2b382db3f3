//! The outline of places.

use plumb_source::{FileId, Origin, SourceKind, Sources, Span};
use plumb_value::{Array, ArrayItem, Document, Map, MapItem, Node};

use super::{array_of, map_of};
use crate::print::{PositionStyle, positions};

/// Two files of twenty lines, one byte each.
fn sources() -> (Sources, FileId, FileId) {
    let sources = Sources::new();
    let bytes = || "\n".repeat(20).into_bytes().into();
    let short = sources.add("a.yml", SourceKind::File, bytes());
    let long = sources.add("dir/née.yml", SourceKind::File, bytes());
    (sources, short, long)
}

fn line(file: FileId, line: u32) -> Origin {
    Origin::Written(Span::new(file, line - 1, line - 1))
}

fn print(document: Document, sources: &Sources, style: PositionStyle) -> String {
    let mut out = Vec::new();
    positions(&[document], sources, style, &mut out);
    String::from_utf8(out).expect("the outline is UTF-8")
}

#[test]
fn every_node_has_its_place() {
    let (sources, short, long) = sources();
    let item = |key: &str, node, origin| MapItem::new(key.into(), node, origin);
    let list = vec![
        ArrayItem::new("100%d".into(), line(short, 5)),
        ArrayItem::new(map_of([("k", Node::Null)]), line(long, 12)),
    ];
    let map = vec![
        item("text", "a\n\nb\n".into(), line(short, 3)),
        item("list", Node::array(Array::new(list, line(short, 4))), line(short, 4)),
        item("last", Node::Bool(true), line(short, 17)),
    ];
    let document = Document::new(Node::map(Map::new(map, line(short, 2))), line(short, 2));
    let expected = "          a.yml:2 | [doc]
          a.yml:3 |   text:
                  |     |
  a

  b
          a.yml:4 |   list:
          a.yml:5 |     [0] 100%d
   dir/née.yml:12 |     [1]
      k: null
         a.yml:17 |   last: true
";
    let printed = print(document.clone(), &sources, PositionStyle::Plumb);
    assert_eq!(printed, expected);
    assert_eq!(print(document, &sources, PositionStyle::Ytt), expected);
}

#[test]
fn a_scalar_document_has_a_line_without_a_place() {
    let (sources, short, _) = sources();
    let document = Document::new("x".into(), line(short, 1));
    let printed = print(document, &sources, PositionStyle::Plumb);
    assert_eq!(printed, "          a.yml:1 | [doc]\n                  |   x\n");
}

#[test]
fn keys_that_are_not_strings_are_printed_in_two_flavours() {
    let sources = Sources::new();
    let pair = array_of([Node::Null, "x".into(), map_of([("a: b", "c\nd".into())])]);
    let keys = [Node::Int(1), Node::Null, Node::Float(0.5), Node::Bool(true), pair];
    let items = keys.map(|key| MapItem::new(key, Node::Int(1), Origin::Unknown));
    let node = Node::map(Map::new(items.into(), Origin::Unknown));
    let document = Document::new(node, Origin::Unknown);
    let own = "[doc]\n  1: 1\n  null: 1\n  0.5: 1\n  true: 1\n  \
               [null, x, {'a: b': \"c\\nd\"}]: 1\n";
    assert_eq!(print(document.clone(), &sources, PositionStyle::Plumb), own);
    let peer = "[doc]\n  %!s(int=1): 1\n  %!s(<nil>): 1\n  %!s(float64=0.5): 1\n  \
                %!s(bool=true): 1\n  [<nil> x [{a: b c\nd %!s(int=0)}]]: 1\n";
    assert_eq!(print(document, &sources, PositionStyle::Ytt), peer);
}

#[test]
fn a_computed_sequence_is_text_until_overlaid() {
    let (sources, short, _) = sources();
    let computed = Origin::Computed(Span::new(short, 0, 0));
    let items = vec![ArrayItem::new("x".into(), computed)];
    let array = Node::array(Array::new(items, computed));
    let mut document = Document::new(map_of([("a", array)]), Origin::Unknown);
    assert_eq!(print(document.clone(), &sources, PositionStyle::Ytt), "[doc]\n  a: - x\n");
    document.is_overlaid = true;
    assert_eq!(print(document, &sources, PositionStyle::Ytt), "[doc]\n  a:\n    [0] x\n");
}

#[test]
fn empty_collections_are_shown() {
    let sources = Sources::new();
    let node = map_of([("a", map_of([])), ("b", array_of([]))]);
    let document = Document::new(node, Origin::Unknown);
    let printed = print(document.clone(), &sources, PositionStyle::Plumb);
    assert_eq!(printed, "[doc]\n  a: {}\n  b: []\n");
    assert_eq!(print(document, &sources, PositionStyle::Ytt), "[doc]\n  a:\n  b:\n");
}
