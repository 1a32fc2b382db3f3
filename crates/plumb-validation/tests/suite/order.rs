//! The order in which values and rules are checked.

use plumb_source::Origin;
use plumb_validation::{Parents, Undeclared, Work, check};
use plumb_value::{Annotation, Array, ArrayItem, Datum, Document, Node};

use super::{checked_with, messages, violations};

fn paths(text: &str, parents: Parents) -> Vec<String> {
    let checked = checked_with(text, parents).unwrap_or_else(|report| panic!("{report}"));
    checked.violations.iter().map(|it| it.path.to_string()).collect()
}

#[test]
fn leaves_come_before_what_holds_them() {
    let values = "#@assert/validate why\n---\n#@assert/validate why\na:\n  #@assert/validate why\n  b: 1\n  c:\n  #@assert/validate why\n  - 1\n#@assert/validate why\nd: 1\n";
    assert_eq!(paths(values, Parents::Run), ["a.b", "a.c[0]", "a", "d", ""]);
}

#[test]
fn a_rule_waits_until_everything_below_its_value_is_valid() {
    let values = "#@assert/validate why\n---\n#@assert/validate why\na:\n  #@assert/validate why\n  b: 1\n  c:\n  - 1\n#@assert/validate why\nd:\n  #@assert/validate passes\n  e: 1\n";
    assert_eq!(paths(values, Parents::Wait), ["a.b", "d"]);
    let values = "#@assert/validate why, is_even\na:\n  #@assert/validate passes\n  b: 1\n";
    assert_eq!(paths(values, Parents::Wait), ["a", "a"]);
}

#[test]
fn rules_run_from_left_to_right_but_not_null_first() {
    let values =
        "#@assert/validate (\"first\", why), max=2, min=9, not_null=(\"there\", True)\nk: 5\n";
    let found = violations(values);
    let required: Vec<&str> = found.violations.iter().map(|it| it.required.shown()).collect();
    assert_eq!(required, ["first", "at most 2", "at least 9"]);
    let values = "#@assert/validate (\"first\", why), min=9, not_null=(\"there\", True)\nk: null\n";
    assert_eq!(messages(values), ["\"k\" requires a valid value: there; found null."]);
}

#[test]
fn null_is_valid_unless_a_rule_forbids_it() {
    assert!(messages("#@assert/validate (\"d\", why), min=1\nk: null\n").is_empty());
    assert!(messages("#@assert/validate min=1, not_null=False\nk: null\n").is_empty());
    assert_eq!(messages("#@assert/validate min=1, not_null=True\nk: null\n").len(), 1);
}

#[test]
fn deep_documents_are_walked_to_the_bottom() {
    const DEPTH: usize = 10_000;
    let work = || {
        let mut deep = Node::Int(1);
        for at in 0..DEPTH {
            let mut item = ArrayItem::new(deep, Origin::Unknown);
            if at == 0 {
                let kwargs = vec![("min".into(), Datum::Node(Node::Int(2)))];
                let name = "assert/validate".into();
                let annotation = Annotation::new(name, Vec::new(), kwargs, None);
                item.meta.annotations_mut().set(annotation);
            }
            deep = Node::array(Array::new(vec![item], Origin::Unknown));
        }
        let document = Document::new(deep, Origin::Unknown);
        let found =
            Work::uncounted(|work| check::<Undeclared>(&document, 0, None, Parents::Wait, work))
                .expect("rules that make sense");
        assert_eq!(found[0].path.steps().len(), DEPTH);
    };
    let thread = std::thread::Builder::new().stack_size(256 << 20).spawn(work);
    thread.expect("a thread").join().expect("no overflow");
}
