//! How nodes of every kind are laid out within one another.

use std::ops::ControlFlow;

use plumb_source::{Origin, SourceKind, Sources, Span, Text};
use plumb_value::Node::Int;
use plumb_value::{Array, ArrayItem, Document, Node};

use super::{array_of, keyed, map_of, print};
use crate::print::{documents, documents_in_pieces, documents_like_ytt, folded};

#[test]
fn scalars_are_documents() {
    assert_eq!(print(&Node::Null), "null\n");
    assert_eq!(print(&Node::Bool(true)), "true\n");
    assert_eq!(print(&Node::UInt(u64::MAX)), "18446744073709551615\n");
    assert_eq!(print(&Node::Float(1e21)), "1e+21\n");
    assert_eq!(print(&"a: b".into()), "'a: b'\n");
    assert_eq!(print(&" a\nb".into()), "|2-\n   a\n  b\n");
}

#[test]
fn maps_are_indented_and_sequences_are_not() {
    let node = map_of([
        ("a", map_of([("b", array_of([Int(1), Int(2)])), ("c", "x\n".into())])),
        ("d", array_of([map_of([("e", Int(1)), ("f", array_of([Int(3)]))]), Int(4)])),
        ("g", array_of([array_of([array_of(["h\n".into()]), Int(5)])])),
    ]);
    let expected = "\
a:
  b:
  - 1
  - 2
  c: |
    x
d:
- e: 1
  f:
  - 3
- 4
g:
- - - |
      h
  - 5
";
    assert_eq!(print(&node), expected);
}

#[test]
fn empty_collections_stand_on_the_line() {
    let node = map_of([
        ("a", map_of([])),
        ("b", array_of([map_of([]), array_of([]), array_of([array_of([])])])),
    ]);
    assert_eq!(print(&node), "a: {}\nb:\n- {}\n- []\n- - []\n");
    assert_eq!(print(&map_of([])), "{}\n");
}

#[test]
fn keys_may_be_scalars_of_any_type() {
    let node = keyed([
        (Node::Null, Int(1)),
        (Node::Bool(false), Int(2)),
        (Node::Int(-1), Int(3)),
        (Node::Float(1.5), Int(4)),
        (array_of([]), Int(5)),
        (map_of([]), Int(6)),
    ]);
    assert_eq!(print(&node), "null: 1\nfalse: 2\n-1: 3\n1.5: 4\n[]: 5\n{}: 6\n");
}

#[test]
fn a_key_that_is_a_collection_follows_a_mark() {
    let pair = || array_of([Int(1), array_of([Int(2), Int(3)])]);
    let node = map_of([(
        "k",
        keyed([
            (pair(), pair()),
            (map_of([("a", Int(1)), ("b", Int(2))]), map_of([("c", Int(3))])),
            ("x\ny".into(), array_of([Int(4)])),
            ("z\n".into(), map_of([])),
        ]),
    )]);
    let expected = "\
k:
  ? - 1
    - - 2
      - 3
  : - 1
    - - 2
      - 3
  ? a: 1
    b: 2
  : c: 3
  ? |-
    x
    y
  : - 4
  ? |
    z
  : {}
";
    assert_eq!(print(&node), expected);
}

#[test]
fn the_last_value_of_a_key_is_printed_at_the_first_place() {
    let node = map_of([("a", Int(1)), ("b", Int(2)), ("a", Int(3))]);
    assert_eq!(print(&node), "a: 3\nb: 2\n");
    let names: Vec<String> = (0..40).map(|n| format!("k{}", n % 30)).collect();
    let node = map_of(names.iter().zip(0..).map(|(key, n)| (key.as_str(), Node::Int(n))));
    let printed = print(&node);
    assert!(printed.starts_with("k0: 30\nk1: 31\n"), "{printed}");
    assert!(printed.ends_with("k28: 28\nk29: 29\n"), "{printed}");
    assert_eq!(printed.lines().count(), 30);
}

#[test]
fn bytes_that_are_no_text_are_tagged() {
    let bytes = |bytes: &[u8]| Node::String(Text::from_bytes(bytes));
    let node = keyed([("a".into(), bytes(b"\x80\x81\x82")), (bytes(b"\xff"), Node::Null)]);
    assert_eq!(print(&node), "a: !!binary gIGC\n!!binary /w==: null\n");
    assert_eq!(
        print(&array_of([bytes(&[0x80; 51])])),
        format!("- !!binary {}\n", "gICA".repeat(17))
    );
    let long = format!("!!binary |\n  {}gI\n  CA\n", "gICA".repeat(17));
    assert_eq!(print(&map_of([("a", bytes(&[0x80; 54]))])), format!("a: {long}"));
    assert_eq!(print(&keyed([(bytes(&[0x80; 54]), Int(1))])), format!("? {long}: 1\n"));
}

#[test]
fn documents_are_separated_and_empty_ones_left_out() {
    let nodes =
        [Node::Null, "a".into(), map_of([]), array_of([Int(1)]), array_of([]), "b\n".into()];
    let mut all: Vec<_> =
        nodes.into_iter().map(|node| Document::new(node, Origin::Unknown)).collect();
    all.push(Document { is_injected: true, ..Document::new("c".into(), Origin::Unknown) });
    let mut out = Vec::new();
    documents(&all, &mut out);
    assert_eq!(String::from_utf8_lossy(&out), "a\n---\n- 1\n---\n|\n  b\n");
}

/// Runs on the small stack of a test thread.
#[test]
fn no_nesting_is_too_deep() {
    let deep = (0..10_000).fold(Node::Int(1), |node, level| match level % 3 {
        0 => array_of([node]),
        1 => map_of([("k", node)]),
        _ => keyed([(node, Node::Null)]),
    });
    let mut out = Vec::new();
    crate::print::node(&deep, &mut out);
    assert_eq!(String::from_utf8_lossy(&out).matches('?').count(), 3_333);
    // Freeing a deep tree is not part of this test.
    std::mem::forget(deep);
}

#[test]
fn long_scalars_are_folded_where_asked() {
    let quoted = format!("it's: {}x", "quoted words ".repeat(8));
    let escaped = format!("\t tab {}x", "many words  two ".repeat(8));
    let wide = format!("{} y {} w", "x".repeat(100), "é".repeat(90));
    let texts = ["word ".repeat(20) + "end", quoted, escaped, wide, format!("a{:90}b", "")];
    let node = map_of([
        ("key", texts[0].as_str().into()),
        ("list", array_of([map_of([("k", array_of(texts.map(|text| text.as_str().into())))])])),
        ("block", format!("{}\nend", "word".repeat(40)).as_str().into()),
    ]);
    let mut out = Vec::new();
    folded(&node, 80, &mut out);
    assert_eq!(String::from_utf8_lossy(&out), FOLDED);
}

/// The output of libyaml for the same values at a width of 80.
const FOLDED: &str = "\
key: word word word word word word word word word word word word word word word word
  word word word word end
list:
- k:
  - word word word word word word word word word word word word word word word word
    word word word word end
  - 'it''s: quoted words quoted words quoted words quoted words quoted words quoted
    words quoted words quoted words x'
  - \"\\t tab many words  two many words  two many words  two many words  two many words
    \\ two many words  two many words  two many words  two x\"
  - xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx
    y éééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééé
    w
  - a                                                                                          b
block: |-
  wordwordwordwordwordwordwordwordwordwordwordwordwordwordwordwordwordwordwordwordwordwordwordwordwordwordwordwordwordwordwordwordwordwordwordwordwordwordwordword
  end
";

#[test]
fn sequences_within_keys_show_their_lines_where_ytt_is_asked_for() {
    let sources = Sources::new();
    let file = sources.add("a.yml", SourceKind::File, b"\n\n\n".as_slice().into());
    let line = |line: u32| Origin::Written(Span::new(file, line - 1, line - 1));
    let array = |items| Node::array(Array::new(items, line(1)));
    let inner = array(vec![ArrayItem::new("b".into(), line(3))]);
    let items = vec![ArrayItem::new("a".into(), line(2)), ArrayItem::new(inner, line(3))];
    let tuple = array_of([Int(1)]);
    let value = array(vec![ArrayItem::new("c".into(), line(2))]);
    let document = Document::new(keyed([(array(items), value), (tuple, Int(2))]), line(1));
    let mut out = Vec::new();
    documents_like_ytt([&document], &sources, &mut out);
    let expected = "\
? - value: a
    line: 2
  - value:
    - value: b
      line: 3
    line: 3
: - c
? - 1
: 2
";
    assert_eq!(String::from_utf8_lossy(&out), expected);
}

#[test]
fn a_long_text_comes_in_pieces_until_nobody_takes_them() {
    let texts = [
        "plain".repeat(40_000),
        "a line\n".repeat(40_000),
        "separated\u{2028}".repeat(20_000),
        "#quoted ".repeat(30_000),
        "\u{1}escaped".repeat(30_000),
    ];
    let texts = array_of(texts.iter().map(|it| it.as_str().into()));
    let long =
        map_of([("a", array_of((0..40_000).map(Int))), ("texts", texts), ("b", "x\ny\n".into())]);
    let all = [Document::new(long, Origin::Unknown), Document::new(Int(1), Origin::Unknown)];
    let mut whole = Vec::new();
    documents(&all, &mut whole);

    let mut pieces: Vec<Vec<u8>> = Vec::new();
    let ended = documents_in_pieces(&all, None, &mut |piece| {
        pieces.push(piece.to_vec());
        ControlFlow::Continue(())
    });
    assert!(ended.is_continue() && pieces.len() > 1);
    assert_eq!(pieces.concat(), whole);

    let mut n_pieces = 0;
    let ended = documents_in_pieces(&all, None, &mut |_| {
        n_pieces += 1;
        ControlFlow::Break(())
    });
    assert!(ended.is_break());
    assert_eq!(n_pieces, 1);
}
