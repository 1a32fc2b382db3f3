//! The layout of `fmt`, comments included.

use plumb_source::{Origin, SourceKind, Sources, Span};
use plumb_value::{ArrayItem, Comment, Document, Map, MapItem, Meta, Node};

use super::{array_of, keyed, map_of};
use crate::print::{Flavour, format};

fn print(documents: &[Document], flavour: Flavour) -> String {
    let mut out = Vec::new();
    format(documents, flavour, &mut out);
    String::from_utf8(out).expect("YAML is UTF-8")
}

fn both(node: Node) -> (String, String) {
    let documents = [document(node, &[])];
    (print(&documents, Flavour::Plumb), print(&documents, Flavour::Ytt))
}

fn document(node: Node, comments: &[&str]) -> Document {
    Document { meta: meta(comments, None), ..Document::new(node, Origin::Unknown) }
}

/// Comments above a node, and one after it.
fn meta(above: &[&str], behind: Option<&str>) -> Meta {
    let file = Sources::new().add("a.yml", SourceKind::File, [].into());
    let comment = |text: &str, is_inline| Comment {
        text: text.into(),
        span: Span::new(file, 0, 0),
        is_inline,
    };
    let mut meta = Meta::default();
    let comments = above.iter().map(|text| comment(text, false));
    meta.comments_mut().extend(comments.chain(behind.map(|text| comment(text, true))));
    meta
}

fn commented(key: &str, node: Node, above: &[&str], behind: Option<&str>) -> MapItem {
    let item = MapItem::new(key.into(), node, Origin::Unknown);
    MapItem { meta: meta(above, behind), ..item }
}

fn map(items: Vec<MapItem>) -> Node {
    Node::map(Map::new(items, Origin::Unknown))
}

#[test]
fn commented_nodes_stand_between_blank_lines() {
    let nested = vec![
        commented("c", Node::Int(1), &[" in"], None),
        commented("d", Node::Int(2), &[" between", " two"], None),
    ];
    let node = map(vec![
        commented("a", "x".into(), &[" first"], Some(" inline")),
        commented("b", map(nested), &[], Some(" map")),
        commented("e", Node::Null, &[], Some(" null")),
        commented("f", "g\nh\n".into(), &[" block"], None),
        commented("i", Node::Null, &[], None),
    ]);
    let expected = "\
# first
a: x # inline

b: # map
  # in
  c: 1

  # between
  # two
  d: 2

e: # null

# block
f: |
  g
  h

i: null
";
    assert_eq!(both(node), (expected.to_owned(), expected.to_owned()));
}

#[test]
fn sequences_are_indented_and_begin_after_their_dash() {
    let item = |node, above: &[&str], behind| ArrayItem {
        meta: meta(above, behind),
        ..ArrayItem::new(node, Origin::Unknown)
    };
    let items = vec![
        item(array_of([Node::Int(1), array_of(["x\n\ny\n\n".into()])]), &[], None),
        item(map(vec![commented("a", Node::Int(2), &[" above"], None)]), &[], None),
        item(map_of([("b", Node::Int(3)), ("c", Node::Int(4))]), &[], Some(" behind")),
        item(Node::Null, &[], Some(" null")),
    ];
    let list = Node::array(plumb_value::Array::new(items, Origin::Unknown));
    let (own, peer) = both(map_of([("k", list)]));
    let expected = "\
k:
  - - 1
    - - |+
        x

        y

  -
    # above
    a: 2

  - # behind
    b: 3
    c: 4
  - # null
";
    assert_eq!(own, expected);
    // ytt indents the blank lines of a block too.
    assert_eq!(peer.replace("      \n", "\n"), expected);
}

#[test]
fn documents_are_marked_but_for_the_first() {
    let documents = [
        document(Node::Null, &[]),
        document("a\nb".into(), &[" one"]),
        Document { meta: meta(&[], Some(" two")), ..document(Node::Null, &[]) },
        Document { is_injected: true, ..document(Node::Null, &[" after"]) },
    ];
    let own = "# one\n---\n|-\n  a\n  b\n\n--- # two\n\n# after\n";
    assert_eq!(print(&documents, Flavour::Plumb), own);
    let peer = format!("\n{own}");
    assert_eq!(print(&documents, Flavour::Ytt), peer);
}

#[test]
fn keys_and_empty_collections_read_back_unless_ytt_is_asked_for() {
    let node = keyed([
        ("a: b".into(), map_of([])),
        (Node::Bool(true), array_of([map_of([]), "x".into()])),
        ("c\nd".into(), Node::Int(1)),
        (array_of([Node::Int(2), Node::Int(3)]), map_of([("e", "f\n".into())])),
    ]);
    let own = "\
'a: b': {}
true:
  - {}
  - x
? |-
  c
  d
: 1
? - 2
  - 3
:
  e: |
    f
";
    let peer = "\
a: b:
%!s(bool=true):
  - - x
c
d: 1
[%!s(int=2) %!s(int=3)]:
  e: |
    f
";
    assert_eq!(both(node), (own.to_owned(), peer.to_owned()));
}

#[test]
fn no_nesting_is_too_deep() {
    let deep = (0..5_000).fold(Node::Int(1), |node, _| array_of([map_of([("k", node)])]));
    let (own, peer) = both(deep.clone());
    assert_eq!(own.lines().count(), 5_000);
    assert_eq!(own, peer);
    // Freeing a deep tree is not part of this test.
    std::mem::forget(deep);
}
