//! Validations through the public interface: what authors of rules write, and what readers get.

mod named;
#[path = "../notation/mod.rs"]
mod notation;
mod order;
mod rules;
mod words;

use notation::{Names, function, predicate, read};
use plumb_peer as peer;
use plumb_source::Sources;
use plumb_validation::report::{self, Validated};
use plumb_validation::{Parents, Undeclared, Violation, Work, check};
use plumb_value::{CallError, Datum, Node};

/// The functions that the documents of these tests can name.
fn names() -> Names {
    Names::from([
        ("is_even", predicate("is_even", |it| matches!(it, Node::Int(n) if n % 2 == 0))),
        ("lambda_false", predicate("lambda", |_| false)),
        ("passes", predicate("passes", |_| true)),
        ("returns_none", function("returns_none", 1, |_| Ok(Datum::Node(Node::Null)))),
        ("fails", function("fails", 1, |_| Err(CallError::deliberate("fail: too\n  small")))),
        (
            "assert_fails",
            function("f", 1, |_| Err(CallError::deliberate("assert.fail: fail: bad"))),
        ),
        ("errs", function("errs", 1, |_| Err(CallError::new("unknown binary op: int + string")))),
        ("why", function("why", 1, |_| Ok(tuple(&["no", "too big"])))),
        ("blames", function("blames", 1, |_| Ok(tuple(&["no", "one only", "registry,replicas"])))),
        ("odd_tuple", function("odd_tuple", 1, |_| Ok(tuple(&["no", "x", "y", "z"])))),
        ("returns_text", function("returns_text", 1, |_| Ok(Datum::Node("yes".into())))),
        ("if_parent_enabled", function("lambda", 2, |args| parent(args, "enabled"))),
        ("never", predicate("never", |_| false)),
        ("three_args", function("lambda", 3, |_| Ok(Datum::Node(Node::Bool(true))))),
    ])
}

/// `(False, "why", ["a", "b"])` and the like: `no` is False, the third is split at commas.
fn tuple(items: &[&str]) -> Datum {
    let items = items.iter().enumerate().map(|(at, &item)| match (at, item) {
        (0, _) => Datum::Node(Node::Bool(false)),
        (2, path) => Datum::Tuple(path.split(',').map(|key| Datum::Node(key.into())).collect()),
        (_, text) => Datum::Node(text.into()),
    });
    Datum::Tuple(items.collect())
}

/// The value of a key next to the checked one, from the context.
fn parent(args: &[Datum], key: &str) -> Result<Datum, CallError> {
    let [_, Datum::Node(Node::Map(context))] = args else {
        return Err(CallError::new("expected a value and a context"));
    };
    let parent = context.get_str("parent").and_then(Node::as_map);
    let value = parent.and_then(|it| it.get_str(key));
    value.cloned().map(Datum::Node).ok_or_else(|| CallError::new("key not in yamlfragment"))
}

struct Checked {
    sources: Sources,
    violations: Vec<Violation>,
}

fn checked(text: &str) -> Result<Checked, String> {
    checked_with(text, Parents::Run)
}

fn checked_with(text: &str, parents: Parents) -> Result<Checked, String> {
    let sources = Sources::new();
    let document = read(&sources, "values.yml", text, &names());
    match Work::uncounted(|work| check::<Undeclared>(&document, 0, None, parents, work)) {
        Ok(violations) => Ok(Checked { sources, violations }),
        Err(problems) => {
            let failure =
                report::malformed(Validated::Value, "assert/validate", &problems, &sources);
            Err(peer::text(&failure, &sources).shown().to_owned())
        }
    }
}

fn violations(text: &str) -> Checked {
    checked(text).unwrap_or_else(|report| panic!("{report}"))
}

/// The messages of all violations, in order.
fn messages(text: &str) -> Vec<String> {
    violations(text).violations.into_iter().map(|it| it.message.shown().to_owned()).collect()
}

impl Checked {
    /// In ytt's layout, without its heading.
    fn peer_text(&self) -> String {
        let failure = report::failure(Validated::DataValues, self.violations.clone());
        let text = peer::text(&failure, &self.sources).shown().to_owned();
        text.strip_prefix("Validating final data values:\n").expect("the heading").to_owned()
    }
}
