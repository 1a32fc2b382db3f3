//! Laws for every schema and every value, tested with generated ones.

use plumb_schema::Touched;
use plumb_validation::Parents;
use plumb_value::Node;
use plumb_yaml::print::json::JsonStyle;

use crate::cel_rules;
use crate::declared::merged;
use crate::generated::{Generated, generated};
use crate::notation::show;
use crate::uncounted;
use crate::validator::Validator;

const SCHEMAS: u64 = 300;
const VALUES: usize = 20;

#[test]
fn defaults_conform_to_their_own_schema() {
    for seed in 0..SCHEMAS {
        let Generated { declared, text, .. } = generated(seed);
        let mut defaults = declared.defaults();
        assert!(
            uncounted::conform(&declared.schema, &mut defaults, Touched::Everything).is_empty(),
            "{text}"
        );
        assert_eq!(show(&defaults.node), show(&declared.defaults().node), "{text}");
    }
}

#[test]
fn what_conforms_stays_as_it_is() {
    let mut n_conforming = 0;
    for seed in 0..SCHEMAS {
        let mut generated = generated(seed);
        for _ in 0..VALUES {
            let mut value = generated.value();
            let schema = &generated.declared.schema;
            if !uncounted::conform(schema, &mut value, Touched::Everything).is_empty() {
                continue;
            }
            n_conforming += 1;
            let once = show(&value.node);
            assert!(
                uncounted::conform(schema, &mut value, Touched::Everything).is_empty(),
                "{}",
                generated.text
            );
            assert_eq!(show(&value.node), once, "{}", generated.text);
        }
    }
    assert!(n_conforming > 1_000, "{n_conforming}");
}

#[test]
fn the_merged_keys_tell_as_much_as_the_whole_document() {
    for seed in 0..SCHEMAS {
        let mut generated = generated(seed);
        for _ in 0..VALUES {
            let given = generated.value();
            let declared = &generated.declared;
            let mut whole = declared.defaults();
            whole.node = merged(&whole.node, &given.node);
            let mut part = whole.clone();
            let of_whole = declared.checked(&mut whole, Touched::Everything);
            let of_part = declared.checked(&mut part, Touched::Keys(&given.node));
            assert_eq!(of_part, of_whole, "{}", generated.text);
            if of_whole.is_ok() {
                assert_eq!(show(&part.node), show(&whole.node), "{}", generated.text);
            }
        }
    }
}

pub(crate) fn json(node: &Node) -> serde_json::Value {
    let mut out = Vec::new();
    let style = JsonStyle { indent: 0, escapes_html: false };
    plumb_yaml::print::json::node(node, style, &mut out).expect("string keys");
    serde_json::from_slice(&out).expect("JSON")
}

#[test]
fn the_exported_json_schema_and_its_cel_rules_accept_what_the_engine_accepts() {
    let (mut n_accepted, mut n_refused) = (0, 0);
    for seed in 0..SCHEMAS {
        let mut generated = generated(seed);
        let exported = json(&uncounted::json_schema(&generated.declared.schema).node);
        let validator = Validator::new(&exported);
        for _ in 0..VALUES {
            let given = generated.value();
            let instance = json(&given.node);
            let schema = &generated.declared.schema;
            let mut value = generated.declared.defaults();
            value.node = merged(&value.node, &given.node);
            let is_accepted = uncounted::conform(schema, &mut value, Touched::Everything)
                .is_empty()
                && uncounted::validate(schema, &mut value, 0, Parents::Wait)
                    .expect("no annotations in values")
                    .is_empty();
            *(if is_accepted { &mut n_accepted } else { &mut n_refused }) += 1;
            let is_valid = validator.accepts(&instance)
                && cel_rules::are_satisfied(&exported, &json(&value.node));
            assert_eq!(
                is_valid, is_accepted,
                "seed {seed}\n{}\n{exported:#}\n{instance}",
                generated.text
            );
        }
    }
    assert!(n_accepted > 500 && n_refused > 500, "{n_accepted} accepted, {n_refused} refused");
}
