//! Custom resources: the export for an API server.

use plumb_schema::Touched;
use plumb_validation::Parents;

use crate::cel_rules;
use crate::declared::{declared, merged};
use crate::generated::generated;
use crate::law::json;
use crate::structural::{accepts, filled_in, problems, schema_of};
use crate::uncounted;

const SCHEMAS: u64 = 250;
const VALUES: usize = 12;

#[test]
fn every_exported_schema_is_structural() {
    for seed in 0..SCHEMAS {
        let generated = generated(seed);
        let (document, _) = uncounted::crd(&generated.declared.schema);
        let exported = json(&document.node);
        let problems = problems(schema_of(&exported));
        let text = &generated.text;
        assert!(problems.is_empty(), "seed {seed}\n{text}\n{exported:#}\n{problems:#?}");
    }
}

#[test]
fn an_api_server_takes_what_the_engine_accepts_and_no_more_unless_warned_of() {
    let (mut n_accepted, mut n_refused) = (0, 0);
    for seed in 0..SCHEMAS {
        let mut generated = generated(seed);
        let (document, warnings) = uncounted::crd(&generated.declared.schema);
        let exported = json(&document.node);
        let spec = &schema_of(&exported)["properties"]["spec"];
        for _ in 0..VALUES {
            let given = generated.value();
            let instance = filled_in(spec, &json(&given.node));
            let schema = &generated.declared.schema;
            let mut value = generated.declared.defaults();
            value.node = merged(&value.node, &given.node);
            let is_accepted = uncounted::conform(schema, &mut value, Touched::Everything)
                .is_empty()
                && uncounted::validate(schema, &mut value, 0, Parents::Wait)
                    .expect("no annotations in values")
                    .is_empty();
            let is_taken = accepts(spec, &instance) && cel_rules::are_satisfied(spec, &instance);
            let text = &generated.text;
            let context =
                || format!("seed {seed}\n{text}\n{spec:#}\n{instance}\n{}", warnings.len());
            if is_accepted {
                n_accepted += 1;
                assert!(is_taken, "refused by the API server\n{}", context());
            } else if warnings.is_empty() {
                n_refused += 1;
                assert!(!is_taken, "taken by the API server\n{}", context());
            }
        }
    }
    assert!(n_accepted > 500 && n_refused > 100, "{n_accepted} accepted, {n_refused} refused");
}

#[test]
fn a_warning_names_what_is_not_said() {
    let schema = r#"---
#@schema/validation ("a good name", any)
name: ""
#@schema/type "int", "string"
port: 80
#@schema/type "bool", "string"
mode: true
labels:
  app: ""
  #@schema/any-key
  _: ""
"#;
    let (_, warnings) = uncounted::crd(&declared(schema).schema);
    let messages: Vec<&str> = warnings.iter().map(|it| it.message.shown()).collect();
    assert_eq!(
        messages,
        [
            "the rule `a good name` of `name` is not checked by an API server",
            "the type of `mode` is not checked by an API server",
            "the value of additional keys of `labels` is not checked by an API server",
        ]
    );
}
