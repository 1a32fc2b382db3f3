//! `overlay.apply` on values.

use plumb_overlay::apply;
use plumb_peer as peer;
use plumb_source::Sources;
use plumb_value::{Datum, Document, Node};

use crate::expression::Names;
use crate::notation::{documents, show};
use crate::outcome::show_documents;

fn value(sources: &Sources, text: &str) -> Datum {
    let mut documents = documents(sources, "t.yml", text, &Names::new());
    if text.starts_with("---") || text.starts_with("#@overlay/match by") {
        return Datum::Documents(documents);
    }
    Datum::Node(documents.remove(0).node)
}

fn applied(left: &str, rights: &[&str]) -> String {
    let sources = Sources::new();
    let left = value(&sources, left);
    let before = shown(&left);
    let rights = rights.iter().map(|it| value(&sources, it)).collect();
    let result = apply(left.clone(), rights, &sources, &mut Vec::new());
    assert_eq!(shown(&left), before, "the left argument is not changed");
    match result {
        Ok(datum) => shown(&datum),
        Err(failure) => peer::text(&failure, &sources).shown().to_owned(),
    }
}

fn shown(datum: &Datum) -> String {
    match datum {
        Datum::Node(node) => show(node, true),
        Datum::Documents(documents) => show_documents(documents),
        Datum::Tuple(_) | Datum::Function(_) | Datum::Opaque(_) => format!("{datum:?}"),
    }
}

#[test]
fn values_are_laid_over_each_other_in_turn() {
    assert_eq!(applied("a: 1\nb: 1", &["a: 2", "b: 3"]), "{a: 2, b: 3}");
    assert_eq!(applied("- 1", &["- 2", "- 3"]), "[1, 2, 3]");
    assert_eq!(applied("a: 1", &[]), "{a: 1}");
}

#[test]
fn documents_are_laid_over_documents() {
    let right = "#@overlay/match by=overlay.index(1)\n---\na: 3";
    assert_eq!(applied("---\na: 1\n---\na: 2", &[right]), "{a: 1} --- {a: 3}");
}

#[test]
fn kinds_must_agree() {
    assert_eq!(applied("- 1", &["a: 1"]), "Expected map, but was array");
    assert_eq!(applied("a: 1", &["- 1"]), "Expected array, but was map");
    assert_eq!(applied("5", &["a: 1"]), "Expected map, but was integer");
    assert_eq!(applied("~", &["a: 1"]), "Expected map, but was null");
    assert_eq!(applied("---\na: 1", &["a: 1"]), "Expected map, but was document set");
    assert_eq!(applied("a: 1", &["---\na: 1"]), "Expected document set, but was map");
}

#[test]
fn a_scalar_changes_nothing() {
    assert_eq!(applied("a: 1", &["5"]), "{a: 1}");
    assert_eq!(applied("5", &["6"]), "5");
}

#[test]
fn results_have_no_overlay_annotations() {
    let right = "#@overlay/match missing_ok=True\n#@schema/desc \"x\"\nz:\n  \
                 #@overlay/remove\n  y:\n  - 1\n  #@overlay/append\n  - 2";
    let left = "#@overlay/match missing_ok=True\na:\n  #@overlay/remove\n  b: 1\n  c: 1";
    assert_eq!(applied(left, &[right]), "{a: {b: 1, c: 1}, @schema/desc(x) z: {y: [1, 2]}}");
    let deep = "a:\n  b:\n  - c:\n      #@overlay/remove\n      d: 1";
    assert_eq!(applied(deep, &["{}"]), "{a: {b: [{c: {d: 1}}]}}");
}

#[test]
fn a_document_must_say_what_it_matches() {
    assert_eq!(
        applied("---\na: 1", &["---\na: 1"]),
        "Document on line t.yml:1: Expected 'overlay/match' annotation to have at least one \
         keyword argument (by=..., expects=...)"
    );
}

#[test]
fn values_without_a_place_are_reported_as_such() {
    let computed = Datum::Node(Node::map(plumb_value::Map::new(
        vec![plumb_value::MapItem::new("b".into(), Node::Int(1), plumb_source::Origin::Unknown)],
        plumb_source::Origin::Unknown,
    )));
    let sources = Sources::new();
    let left = value(&sources, "a: 1");
    let failure = apply(left, vec![computed], &sources, &mut Vec::new()).expect_err("no b");
    assert_eq!(
        peer::text(&failure, &sources).shown().to_owned(),
        "Map item (key 'b') on line ?: Expected number of matched nodes to be 1, but was 0"
    );
}

#[test]
fn only_data_can_be_overlaid() {
    let code = plumb_overlay::Matcher::all().into_datum();
    let left = Datum::Documents(Vec::<Document>::new());
    let sources = Sources::new();
    for (left, right) in [(code.clone(), left.clone()), (left, code)] {
        let failure = apply(left, vec![right], &sources, &mut Vec::new()).expect_err("code");
        assert_eq!(
            peer::text(&failure, &sources).shown().to_owned(),
            "Expected plain data, but was builtin_function_or_method"
        );
    }
}
