//! An imported schema is a schema that Plumb accepts, and whose defaults conform.

use std::sync::Arc;

use plumb::{Options, Outcome, SchemaChoice, World, data_values, import_schema, peer};
use plumb_testkit::MemoryWorld;

fn attempt(schema: &str) -> Outcome<String> {
    let world: Arc<dyn World> = Arc::new(MemoryWorld::new());
    let options = Options::new().file("given.yml", schema);
    import_schema(&world, &options, &SchemaChoice::default())
}

fn imported(schema: &str) -> String {
    let outcome = attempt(schema);
    let refused = |failure| panic!("{}\n{schema}", peer::render(&failure, &outcome.sources));
    outcome.result.unwrap_or_else(refused)
}

/// The message if Plumb rejects the imported schema. Required values are missing, so rules are not
/// considered.
fn refused(text: &str) -> Option<String> {
    let world: Arc<dyn World> = Arc::new(MemoryWorld::new());
    let mut options = Options::new().file("schema.yml", text);
    options.skips_validation = true;
    let outcome = data_values(&world, &options);
    outcome.result.err().map(|failure| peer::render(&failure, &outcome.sources))
}

fn holds(schema: &str) -> String {
    let text = imported(schema);
    if let Some(why) = refused(&text) {
        panic!("{why}\n--- given\n{schema}\n--- made\n{text}");
    }
    text
}

#[test]
fn what_is_made_of_odd_schemas_is_taken() {
    let deep = format!("{{type: object, default: {}1{}}}", "{a: ".repeat(300), "}".repeat(300));
    let (before, after) = ("{properties: {a: ".repeat(200), "}}".repeat(200));
    let absent = format!("{{type: object, not: {before}{{required: [b]}}{after}}}");
    let long = format!(r#"{{"properties": {{"{}": {{"properties": {{}}}}}}}}"#, "k".repeat(1000));
    let schemas = [
        // Keys that need quotes, several lines or special syntax.
        r#"{"properties": {"a\nb": {"properties": {"c": {"type": "string"}}}}}"#,
        r#"{"properties": {"\n": {"items": {"type": "string"}}}}"#,
        r##"{"properties": {"": {}, "<<": {}, "#@ x": {}, "- a": {}, "null": {}, "_": {}}}"##,
        r#"{"properties": {"a\u0001\u2028b": {"properties": {}}}, "$comment": "\u0007"}"#,
        &long,
        "{properties: {1: {type: string}, null: {}, [a]: {}}}",
        // Texts that comments cannot contain.
        r##"{"$ref": "#/a\u0001\n\ufeff"}"##,
        r#"{"type": "string", "x\n---\n#@ 1/0": "\u0000"}"#,
        // Keywords that no value satisfies.
        "{type: string, enum: [1]}",
        "{type: integer, minimum: 5, maximum: 3}",
        "{type: string, minLength: 5, maxLength: 3}",
        "{type: [string, integer], enum: [a]}",
        // Defaults and examples that do not conform, or have no literal.
        "{type: number, default: .inf, minimum: .nan, examples: [.nan]}",
        "{type: object, default: {1: 2}, examples: [{[a]: b}]}",
        "{type: string, default: !!binary //8=}",
        "{enum: [{1: 2}], default: {1: 2}}",
        "{anyOf: [{type: string}, {type: integer}], default: [1], examples: [true]}",
        "{allOf: [{type: string}, {type: integer}], default: 1}",
        "{oneOf: [{type: object, properties: {a: {type: string}}, additionalProperties: false}, \
         {type: string}], default: {b: 1}}",
        "{type: integer, default: 99999999999999999999}",
        "{type: integer, default: 18446744073709551615, maximum: 18446744073709551615}",
        &deep,
        // Numbers.
        "{type: number, multipleOf: 0}",
        "{type: number, multipleOf: 1e-400, default: 1e308}",
        "{type: string, minLength: -1, maxLength: 1e300}",
        "{type: string, minLength: 1.5}",
        // Rules.
        "{type: string, pattern: '(?=a)b', format: nothing}",
        "{type: string, pattern: '((a{1000}){1000}){1000}'}",
        "{type: string, enum: []}",
        "{enum: [1, a, null, [b], {c: d}], const: 2}",
        "{type: object, oneOf: [], anyOf: [], allOf: []}",
        "{type: object, oneOf: [{required: [1]}, {required: [[a]]}]}",
        "{type: object, oneOf: [{required: [a]}], description: \"Valid values:\\n- exactly one of \
         its keys to be not null\"}",
        "{type: string, description: \"Valid values:\\n- a length of at least 007\"}",
        "{type: string, description: \"Valid values:\\n- a length of at most \
         99999999999999999999999999\"}",
        "{$schema: x, description: \"Valid values:\\n- one of [{\\\"a\\\": 1, \\\"a\\\": 2}]\"}",
        "{type: object, x-kubernetes-validations: [{rule: 'self.a >', message: '{'}, 1, {}]}",
        "{type: object, x-kubernetes-validations: [{rule: 'true', message: '{a} %s'}, \
         {rule: 'true'}]}",
        &absent,
        "{type: object, not: {required: [a, '<<', \"x\\ny\"]}, anyOf: [{required: [in]}, {}]}",
        // Annotations at the root.
        "{type: string, deprecated: true}",
        "{type: [string, 'null'], default: null}",
        "{type: array, items: {default: 1, deprecated: true, type: [integer, 'null']}}",
        // References.
        "{$ref: '#'}",
        "{$ref: '#/a', a: {$ref: '#/b'}, b: {$ref: '#/a'}}",
        "{properties: {a: {$ref: '#'}}, default: {a: {a: 1}}}",
        "{allOf: [{$ref: '#'}], properties: {a: {}}}",
    ];
    for schema in schemas {
        holds(schema);
    }
}

#[test]
fn defaults_that_do_not_fit_are_reported() {
    let text = holds("{properties: {a: {anyOf: [{type: string}, {type: integer}], default: [1]}}}");
    assert!(text.contains("#! the default has another type: [1]"), "{text}");
}

#[test]
fn texts_that_references_add_up_to_are_bounded() {
    let keys = (0..20).map(|at| format!(r##""k{at}": {{"$ref": "#/$defs/long"}}"##));
    let keys = keys.collect::<Vec<_>>().join(", ");
    let schema = format!(
        r#"{{"$defs": {{"long": {{"type": "string", "description": "{}"}}}}, "properties": {{{keys}}}}}"#,
        "x".repeat(1 << 20)
    );
    let outcome = attempt(&schema);
    let reported = peer::render(&outcome.result.expect_err("too much"), &outcome.sources);
    assert!(reported.contains("more than 16 MiB of texts"), "{reported}");
}
