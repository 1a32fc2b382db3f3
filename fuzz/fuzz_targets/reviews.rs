//! Admission reviews, as the webhook answers them. The parts between lines `===` are the rules of a
//! template, the rules in the virtual machine's own annotation, the spec of the virtual machine,
//! and the text after the request in the body. The body is a review of that virtual machine or, if
//! there is no spec, only the last part.
//!
//! Every review is answered, with memory in proportion to its body and within its effort.

#![no_main]

use std::time::Duration;

use libfuzzer_sys::fuzz_target;
use plumb_fuzz::bounds::{self, Allocator, Bounds};
use plumb_fuzz::parts;
use plumb_kubevirt::admission::{Cluster, Reply, ReviewSubject, Terms, Values, review_within};
use plumb_kubevirt::jsonpath::Stop;
use plumb_kubevirt::object::Object;
use plumb_kubevirt::template::VmTemplate;
use plumb_source::Origin;
use plumb_value::{Map, MapItem, Node};

#[global_allocator]
static ALLOCATOR: Allocator = bounds::allocator();

/// The effort of the webhook's first attempt.
const LITTLE_EFFORT: usize = 100_000;
const LITTLE_TIME: Duration = Duration::from_millis(100);
const FULL_TIME: Duration = Duration::from_secs(4);

/// The allowed memory: a number of bytes for each byte of the body, and a number in any case.
const FACTOR: usize = 32;
const BASE: usize = 4 << 20;

fuzz_target!(|input: &[u8]| {
    let [template, own, spec, rest] = parts(input);
    let mut cluster = Cluster::default();
    let template = template_of(&String::from_utf8_lossy(template));
    cluster.templates.add(VmTemplate::new(Object { node: &template, origin: Origin::Unknown }));
    let body = if spec.trim_ascii().is_empty() { rest.to_vec() } else { body(own, spec, rest) };
    answered(ReviewSubject::Machine, &body, &cluster);
    answered(ReviewSubject::Template, &body, &cluster);
});

/// Answers a review as the webhook does: with little effort, and with more if that is not enough.
fn answered(subject: ReviewSubject, body: &[u8], cluster: &Cluster) {
    let memory = BASE + FACTOR * body.len();
    let reply = within(Bounds { memory, time: LITTLE_TIME }, LITTLE_EFFORT, subject, body, cluster);
    let reply = reply.or_else(|| {
        within(Bounds { memory, time: FULL_TIME }, Terms::FULL_EFFORT, subject, body, cluster)
    });
    match reply.expect("with full effort there is an answer") {
        Reply::Answer { body, .. } => assert!(body.starts_with(b"{"), "an answer is JSON"),
        Reply::NotAReview(why) => assert!(!why.is_empty(), "an error has a message"),
    }
}

fn within(
    bounds: Bounds,
    effort: usize,
    subject: ReviewSubject,
    body: &[u8],
    cluster: &Cluster,
) -> Option<Reply> {
    let terms = Terms { effort, stop: Stop::default(), values: Values::Masked };
    bounds.hold(&ALLOCATOR, || review_within(subject, body, cluster, &terms))
}

/// A review about a virtual machine with these rules in its annotation, created from the template.
fn body(rules: &[u8], spec: &[u8], rest: &[u8]) -> Vec<u8> {
    let annotations = if rules.trim_ascii().is_empty() {
        String::new()
    } else {
        format!(r#""vm.kubevirt.io/validations":{}"#, quoted(&String::from_utf8_lossy(rules)))
    };
    let start = r#"{"request":{"uid":"u","operation":"DELETE","resource":{"group":"kubevirt.io","version":"v1","resource":"virtualmachines"},"object":{"kind":"VirtualMachine","metadata":{"name":"vm","namespace":"n","labels":{"vm.kubevirt.io/template":"t","vm.kubevirt.io/template.namespace":"n"},"annotations":{"#;
    [start.as_bytes(), annotations.as_bytes(), b"}},", spec, b"}}", rest, b"}"].concat()
}

fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for character in text.chars() {
        match character {
            '"' | '\\' => quoted.extend(['\\', character]),
            ' '.. => quoted.push(character),
            _ => quoted.push_str("\\n"),
        }
    }
    quoted.push('"');
    quoted
}

fn template_of(rules: &str) -> Node {
    let text = |text: &str| Node::String(text.into());
    let map = |items: Vec<(&str, Node)>| {
        let items =
            items.into_iter().map(|(key, node)| MapItem::new(text(key), node, Origin::Unknown));
        Node::map(Map::new(items.collect(), Origin::Unknown))
    };
    let metadata = vec![
        ("name", text("t")),
        ("namespace", text("n")),
        ("annotations", map(vec![("validations", text(rules))])),
    ];
    map(vec![("kind", text("Template")), ("metadata", map(metadata))])
}
