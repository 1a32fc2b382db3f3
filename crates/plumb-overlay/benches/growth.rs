//! How the cost of overlays grows: `cargo bench -p plumb-overlay`.
//!
//! Each workload is run with sizes that double. If the cost is proportional to the size, it doubles
//! too. The last column is the exponent of the growth over the whole range, which should be near 1.
#![expect(clippy::disallowed_methods, clippy::print_stdout, reason = "a benchmark measures time")]

use std::time::{Duration, Instant};

use plumb_diagnostic::Failures;
use plumb_overlay::{Matcher, apply_to_documents, merge_document};
use plumb_source::{Origin, Sources};
use plumb_value::{Annotation, Array, ArrayItem, Datum, Document, Map, MapItem, Meta, Node};

const SIZES: [usize; 5] = [1_000, 2_000, 4_000, 8_000, 16_000];
const RUNS: usize = 7;

type Workload = (&'static str, fn(usize) -> Duration);

const WORKLOADS: [Workload; 7] = [
    ("n overlays, each on one of n documents by name", |n| overlays_on_documents(n, None)),
    ("n overlays, each removing one of n documents", |n| {
        overlays_on_documents(n, Some("overlay/remove"))
    }),
    ("one overlay on all of n documents", one_on_all),
    ("n array items on n by name", |n| items_on_items(n, None)),
    ("n array items inserted beside n by name", |n| items_on_items(n, Some("overlay/insert"))),
    ("n map items on n by key, half of them new", items_of_maps),
    ("n documents of one value on a map of n", values_on_values),
];

fn main() {
    let header = SIZES.map(|size| format!("{size:>9}")).concat();
    println!("{:<50}{header}  exponent", "milliseconds");
    for (name, workload) in WORKLOADS {
        let seconds = SIZES.map(|size| best(size, workload).as_secs_f64());
        let cells = seconds.map(|it| format!("{:>9.2}", it * 1e3)).concat();
        let exponent = (seconds[SIZES.len() - 1] / seconds[0]).log2() / 4.0;
        println!("{name:<50}{cells}  {exponent:>8.2}");
    }
}

fn best(size: usize, workload: fn(usize) -> Duration) -> Duration {
    (0..RUNS).map(|_| workload(size)).min().expect("it runs")
}

fn overlays_on_documents(n: usize, operation: Option<&str>) -> Duration {
    let left: Vec<Document> = (0..n).map(|at| document(resource(at))).collect();
    let right: Vec<Document> = (0..n)
        .map(|at| {
            let expected = map([("kind", kind(at)), ("metadata", map([("name", name(at))]))]);
            let by = Matcher::subset(&Datum::Node(expected)).expect("plain data");
            let meta = meta(by.into_datum(), operation);
            Document { meta, ..document(map([("spec", map([("replicas", Node::Int(2))]))])) }
        })
        .collect();
    timed(left, &right)
}

fn one_on_all(n: usize) -> Duration {
    let left = (0..n).map(|at| document(resource(at))).collect();
    let mut meta = meta(Matcher::all().into_datum(), None);
    let many = annotation(
        "overlay/match",
        [("by", Matcher::all().into_datum()), ("expects", Datum::Node("1+".into()))],
    );
    meta.annotations_mut().set(many);
    let node = map([("spec", map([("replicas", Node::Int(2))]))]);
    timed(left, &[Document { meta, ..document(node) }])
}

fn items_on_items(n: usize, operation: Option<&str>) -> Duration {
    let item = |at| ArrayItem::new(map([("name", name(at)), ("v", Node::Int(1))]), Origin::Unknown);
    let list = |items| map([("list", Node::array(Array::new(items, Origin::Unknown)))]);
    let left = list((0..n).map(item).collect());
    let right = (0..n).map(|at| {
        let meta = meta(Datum::Node("name".into()), operation);
        ArrayItem { meta, ..item((at * 7 + 3) % n) }
    });
    merged(left, &[document(list(right.collect()))])
}

fn items_of_maps(n: usize) -> Duration {
    let items = |range: std::ops::Range<usize>| {
        let item = |at| MapItem::new(name(at), Node::Int(1), Origin::Unknown);
        Node::map(Map::new(range.map(item).collect(), Origin::Unknown))
    };
    let mut right = document(items(n / 2..n + n / 2));
    let missing_ok = ("missing_ok", Datum::Node(Node::Bool(true)));
    let defaults = annotation("overlay/match-child-defaults", [missing_ok]);
    right.meta.annotations_mut().set(defaults);
    merged(items(0..n), &[right])
}

fn values_on_values(n: usize) -> Duration {
    let item = |at| MapItem::new(name(at), Node::Int(1), Origin::Unknown);
    let of = |items| Node::map(Map::new(items, Origin::Unknown));
    let right: Vec<Document> = (0..n).map(|at| document(of(vec![item(at)]))).collect();
    merged(of((0..n).map(item).collect()), &right)
}

fn timed(left: Vec<Document>, right: &[Document]) -> Duration {
    let sources = Sources::new();
    let start = Instant::now();
    let result = apply_to_documents(vec![left], right, &sources, &mut Vec::new());
    let time = start.elapsed();
    result.expect("the overlays match");
    time
}

fn merged(left: Node, right: &[Document]) -> Duration {
    let sources = Sources::new();
    let mut left = document(left);
    let start = Instant::now();
    let mut failures = Failures::default();
    for right in right {
        let merged = merge_document(left, right, &sources, &mut Vec::new(), &mut failures);
        left = merged.expect("the document stays");
    }
    assert!(failures.is_empty(), "the keys match");
    start.elapsed()
}

/// A part of a typical Kubernetes resource.
fn resource(at: usize) -> Node {
    map([
        ("kind", kind(at)),
        ("metadata", map([("name", name(at)), ("namespace", "default".into())])),
        ("spec", map([("replicas", Node::Int(1)), ("paused", Node::Bool(false))])),
    ])
}

fn kind(at: usize) -> Node {
    ["Deployment", "Service", "ConfigMap"][at % 3].into()
}

fn name(at: usize) -> Node {
    Node::from(format!("name-{at}").as_str())
}

fn map<const N: usize>(items: [(&str, Node); N]) -> Node {
    let items = items.map(|(key, node)| MapItem::new(key.into(), node, Origin::Unknown));
    Node::map(Map::new(items.into(), Origin::Unknown))
}

fn document(node: Node) -> Document {
    Document::new(node, Origin::Unknown)
}

fn meta(by: Datum, operation: Option<&str>) -> Meta {
    let mut meta = Meta::default();
    meta.annotations_mut().set(annotation("overlay/match", [("by", by)]));
    if let Some(name) = operation {
        let after = ("after", Datum::Node(Node::Bool(true)));
        meta.annotations_mut().set(annotation(name, [after]));
    }
    meta
}

fn annotation<const N: usize>(name: &str, kwargs: [(&str, Datum); N]) -> Annotation {
    let kwargs = kwargs.map(|(name, value)| (name.into(), value)).into();
    Annotation::new(name.into(), Vec::new(), kwargs, None)
}
