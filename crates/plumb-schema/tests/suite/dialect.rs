//! The additions of specification 001: strict documents, types by name, optional keys, and
//! alternatives.

use std::sync::Arc;

use plumb_diagnostic::Failure;
use plumb_schema::{Mismatch, Touched, permit_new_keys, prepare};
use plumb_source::Sources;
use plumb_validation::{ALTERNATIVES, Parents, Violation};
use plumb_value::{Datum, Document};

use super::{Declared, merged, read, show};
use crate::notation::{Names, node};
use crate::uncounted;

/// A schema with fragments that it can name.
fn declared(text: &str) -> Declared {
    compile(text).unwrap_or_else(|report| panic!("{report}"))
}

fn compile(text: &str) -> Result<Declared, String> {
    let sources = Sources::new();
    let fragment = |text: &str| fragment(&sources, text, &Names::new());
    let names = Names::from([
        ("by_name", fragment("---\nname: \"\"\n")),
        ("by_id", fragment("---\nid: 0\n")),
        (
            "oidc",
            fragment("---\n#@schema/validation one_of=[\"oidc\"]\nkind: oidc\nissuer: \"\"\n"),
        ),
        (
            "ldap",
            fragment(
                "---\n#@schema/validation one_of=[\"ldap\"]\nkind: ldap\nissuer: i\nhost: h\n",
            ),
        ),
        ("short", fragment("#@schema/validation max_len=3\n---\n\"\"\n")),
        ("one_two", fragment("---\none: 1\ntwo: 2\n")),
        ("two_one", fragment("---\ntwo: 3\none: 4\n")),
        ("one", fragment("---\none: 1\n")),
        ("lower", fragment("#@schema/validation matches=\"^[a-z]+$\"\n---\n\"a\"\n")),
    ]);
    compile_with(sources, text, &names)
}

fn fragment(sources: &Sources, text: &str, names: &Names) -> Datum {
    Datum::Documents(vec![read(sources, "f.yml", text, names)])
}

fn compile_with(sources: Sources, text: &str, names: &Names) -> Result<Declared, String> {
    let mut document = read(&sources, "schema.yml", text, names);
    let prepared = prepare(&mut document).map_err(|it| Failure::from(*it));
    match prepared.and_then(|()| uncounted::compile(&document, &sources)) {
        Ok(schema) => Ok(Declared { sources: Arc::new(sources), schema }),
        Err(failure) => Err(plumb_peer::text(&failure, &sources).shown().to_owned()),
    }
}

/// The final values, or all findings about them.
fn values(declared: &Declared, text: &str) -> Result<String, Vec<String>> {
    let given = read(&declared.sources, "values.yml", text, &Names::new());
    let mut document = declared.defaults();
    document.node = merged(&document.node, &given.node);
    let mismatches = uncounted::conform(&declared.schema, &mut document, Touched::Everything);
    if !mismatches.is_empty() {
        let reported = mismatches.iter().map(Mismatch::worded);
        return Err(reported
            .flat_map(|it| [it.message].into_iter().chain(it.help))
            .map(|it| it.shown().to_owned())
            .collect());
    }
    let violations = uncounted::validate(&declared.schema, &mut document, 0, Parents::Wait)
        .expect("no annotations");
    if violations.is_empty() {
        return Ok(show(&document.node));
    }
    let reported = |it: Violation| {
        // The violations of each alternative. For other codes, the help says how to replace a
        // default.
        let notes = if it.code == ALTERNATIVES { it.help } else { Vec::new() };
        [it.message].into_iter().chain(notes)
    };
    Err(violations.into_iter().flat_map(reported).map(|it| it.shown().to_owned()).collect())
}

fn empty(key: &str) -> String {
    format!("\"{key}\" requires a valid value: a value that is not empty; found an empty value.")
}

#[test]
fn in_a_strict_document_every_key_ends_up_with_a_value() {
    let strict = declared(
        "#@schema\n---\nsystem_domain: \"\"\nport: 0\nratio: 0.0\ndomains: []\nflag: false\nmap: {}\nany:\n#@schema/allow-empty\nopt: \"\"\nnested:\n  deep: \"\"\n",
    );
    let missing = ["system_domain", "port", "ratio", "domains", "any", "deep"].map(empty);
    assert_eq!(values(&strict, "{}\n"), Err(missing.to_vec()));
    let given =
        "system_domain: d\nport: 1\nratio: 0.5\ndomains: [1, x]\nany: {a: 1}\nnested:\n  deep: x\n";
    let expected = r#"{"system_domain": "d", "port": 1, "ratio": 0.5, "domains": [1, "x"], "flag": False, "map": {}, "any": {"a": 1}, "opt": "", "nested": {"deep": "x"}}"#;
    assert_eq!(values(&strict, given).as_deref(), Ok(expected));
    // The rules of other documents do not change.
    assert_eq!(values(&declared("---\na: \"\"\n"), "{}\n").as_deref(), Ok(r#"{"a": ""}"#));
}

#[test]
fn null_may_stay_only_where_the_author_says_so() {
    let schema = declared(
        "#@schema\n---\n#@schema/nullable\na: 1\n#@schema/type \"string\", \"null\"\nb: null\nc: null\n",
    );
    assert_eq!(values(&schema, "{}\n"), Err(vec![empty("c")]));
    assert_eq!(values(&schema, "c: [1]\n").as_deref(), Ok(r#"{"a": None, "b": None, "c": [1]}"#));
    assert_eq!(values(&schema, "a: 0\nc: 1\n"), Err(vec![empty("a")]));
}

#[test]
fn a_schema_is_attached_to_data_values_only() {
    assert!(compile("#@schema attach=\"data/values\"\n---\na: 1\n").is_ok());
    let refused =
        compile("#@schema attach=\"output\"\n---\na: 1\n").map(|_| ()).expect_err("output");
    assert_eq!(
        refused,
        "Invalid @schema annotation - expected no argument or attach= with one of: \"data/values\""
    );
}

#[test]
fn types_go_by_name() {
    let schema = declared(
        "---\n#@schema/type \"array\"\nlist: []\n#@schema/type \"array\"\ntyped:\n- 1\n#@schema/type \"int\", \"string\"\nport: http\n#@schema/type \"map\"\nopen:\n  a: 1\n#@schema/type \"float\"\nratio: 1\n",
    );
    assert_eq!(
        show(&schema.defaults().node),
        r#"{"list": [], "typed": [], "port": "http", "open": {"a": 1}, "ratio": 1}"#
    );
    assert!(values(&schema, "list: [1, a]\nport: 80\nopen: {b: [1]}\ntyped: [2]\n").is_ok());
    assert_eq!(
        values(&schema, "port: 1.5\n"),
        Err(vec!["`port` must be an integer or a string, not a float".to_owned()])
    );
    assert_eq!(
        values(&schema, "open: 1\n"),
        Err(vec!["`open` must be a map, not an integer".to_owned()])
    );
    assert_eq!(
        values(&schema, "typed: [a]\n"),
        Err(vec!["`typed[0]` must be an integer, not a string".to_owned()])
    );
}

#[test]
fn a_default_must_be_of_the_named_type() {
    let report =
        compile("---\n#@schema/type \"string\"\na: 5\n").map(|_| ()).expect_err("an integer");
    assert!(report.contains("default contradicts the declared type"), "{report}");
    assert!(
        report.contains("= found: integer\n    = expected: string (by schema.yml:3)"),
        "{report}"
    );
    let report =
        compile("---\n#@schema/type \"text\"\na: 5\n").map(|_| ()).expect_err("no such name");
    assert!(report.contains("= found: \"text\" (by schema.yml:2)"), "{report}");
}

#[test]
fn one_entry_describes_all_other_keys() {
    let schema = declared(
        "---\noptions:\n  fixed: 1\n  #@schema/any-key\n  #@schema/validation min_len=1\n  _:\n  - name: \"\"\n    port: 80\n",
    );
    assert_eq!(show(&schema.defaults().node), r#"{"options": {"fixed": 1}}"#);
    assert_eq!(
        values(&schema, "options:\n  http:\n  - name: a\n  dns: []\n"),
        Err(vec![
            "\"dns\" requires a valid value: a length of at least 1; found an empty value."
                .to_owned()
        ])
    );
    assert_eq!(
        values(&schema, "options:\n  http:\n  - name: a\n").as_deref(),
        Ok(r#"{"options": {"fixed": 1, "http": [{"name": "a", "port": 80}]}}"#)
    );
    assert_eq!(
        values(&schema, "options:\n  http: 1\n"),
        Err(vec!["`options.http` must be an array, not an integer".to_owned()])
    );
    let twice = "---\n#@schema/any-key\na: 1\n#@schema/any-key\nb: 1\n";
    let report = compile(twice).map(|_| ()).expect_err("a second one");
    assert!(report.contains("second @schema/any-key (by schema.yml:4)"), "{report}");
}

#[test]
fn a_key_may_be_present_and_is_filled_in_then() {
    let schema = declared(
        "---\n#@schema/key-may-be-present\nfoo:\n  max_connections: 100\n  username: \"\"\n",
    );
    assert_eq!(values(&schema, "{}\n").as_deref(), Ok("{}"));
    assert_eq!(
        values(&schema, "foo:\n  username: val\n").as_deref(),
        Ok(r#"{"foo": {"username": "val", "max_connections": 100}}"#)
    );
    assert_eq!(
        values(&schema, "foo: 1\n"),
        Err(vec!["`foo` must be a map, not an integer".to_owned()])
    );
    let in_array = declared("---\nitems:\n- name: x\n  #@schema/key-may-be-present\n  port: 80\n");
    assert_eq!(
        values(&in_array, "items:\n- {}\n- port: 1\n").as_deref(),
        Ok(r#"{"items": [{"name": "x"}, {"port": 1, "name": "x"}]}"#)
    );
}

#[test]
fn keys_that_are_let_in_need_no_permission_of_the_overlay() {
    let schema = declared(
        "---\nfixed:\n  a: 1\n  #@schema/any-key\n  _: 1\n#@schema/key-may-be-present\nfoo: 1\n",
    );
    let mut overlay =
        read(&schema.sources, "v.yml", "fixed:\n  a: 2\n  b: 3\nfoo: 2\nbar: 1\n", &Names::new());
    permit_new_keys(&schema.schema, &mut overlay);
    let is_permitted = |document: &Document, keys: &[&str]| {
        let mut map = document.node.as_map().expect("a map");
        for key in &keys[..keys.len() - 1] {
            map = map.get_str(key).and_then(|it| it.as_map()).expect("a map");
        }
        let item = map.get(&node(&format!("\"{}\"", keys[keys.len() - 1]))).expect("an item");
        item.meta.annotation("overlay/match").is_some_and(|it| it.kwarg("missing_ok").is_some())
    };
    assert!(is_permitted(&overlay, &["fixed", "b"]));
    assert!(is_permitted(&overlay, &["foo"]));
    assert!(!is_permitted(&overlay, &["fixed", "a"]));
    assert!(!is_permitted(&overlay, &["fixed"]));
    assert!(!is_permitted(&overlay, &["bar"]));
}

#[test]
fn alternatives_are_distinguished_by_type() {
    let schema = declared("---\n#@schema/any-of by_name, by_id\nref:\n  name: x\n");
    assert_eq!(show(&schema.defaults().node), r#"{"ref": {"name": "x"}}"#);
    let replaced = |text: &str| {
        let mut document = schema.defaults();
        document.node = read(&schema.sources, "v.yml", text, &Names::new()).node;
        uncounted::conform(&schema.schema, &mut document, Touched::Everything)
    };
    assert!(replaced("ref: {id: 3}\n").is_empty());
    let mismatches = replaced("ref: {id: x}\n");
    let reported = mismatches[0].worded();
    assert_eq!(
        reported.message.shown(),
        "`ref` must fit at least one of 2 alternatives: alternative 1 is the closest"
    );
    assert_eq!(
        reported.help.iter().map(plumb_source::Message::shown).collect::<Vec<_>>(),
        [
            "alternative 1: `ref.id` is not declared in the schema",
            "alternative 2: `ref.id` must be an integer, not a string",
        ]
    );
}

#[test]
fn alternatives_are_finally_distinguished_by_rules() {
    let schema = declared("---\n#@schema/one-of oidc, ldap\nauth:\n  kind: oidc\n  issuer: \"\"\n");
    assert_eq!(
        values(&schema, "auth:\n  kind: ldap\n").as_deref(),
        Ok(r#"{"auth": {"kind": "ldap", "issuer": "", "host": "h"}}"#)
    );
    assert_eq!(
        values(&schema, "auth:\n  kind: saml\n"),
        Err(vec![
            "\"auth\" requires a valid value: exactly one of 2 alternatives; alternative 1 is the closest.".to_owned(),
            "alternative 1: \"kind\" requires a valid value: one of [\"oidc\"]; found another value.".to_owned(),
            "alternative 2: \"kind\" requires a valid value: one of [\"ldap\"]; found another value.".to_owned(),
        ])
    );
}

#[test]
fn all_exactly_one_or_any_of_scalars() {
    let all = declared("---\n#@schema/all-of short, lower\na: abc\n");
    assert!(values(&all, "a: xyz\n").is_ok());
    assert!(values(&all, "a: XYZ\n").is_err());
    assert!(values(&all, "a: wxyz\n").is_err());
    let one = declared("---\n#@schema/one-of short, lower\na: abcd\n");
    assert!(values(&one, "a: ABC\n").is_ok());
    assert!(values(&one, "a: xyzz\n").is_ok());
    assert_eq!(
        values(&one, "a: xyz\n"),
        Err(vec![
            "\"a\" requires a valid value: exactly one of 2 alternatives; it satisfies alternatives 1 and 2."
                .to_owned()
        ])
    );
    let any = declared("---\n#@schema/any-of short, 1\na: abc\n");
    assert!(values(&any, "a: 5\n").is_ok());
    assert!(values(&any, "a: true\n").is_err());
    let report =
        compile("---\n#@schema/any-of short, 1\na: true\n").map(|_| ()).expect_err("a boolean");
    assert!(report.contains("default contradicts the declared type"), "{report}");
}

#[test]
fn schemas_that_all_hold_fill_in_together_what_none_objects_to() {
    let both = declared("---\nlist:\n#@schema/all-of one_two, two_one\n- {}\n");
    assert_eq!(
        values(&both, "list: [{one: 5}]\n"),
        Ok(r#"{"list": [{"one": 5, "two": 2}]}"#.to_owned())
    );
    let smaller = declared("---\nlist:\n#@schema/all-of one, one_two\n- {}\n");
    assert_eq!(values(&smaller, "list: [{one: 5}]\n"), Ok(r#"{"list": [{"one": 5}]}"#.to_owned()));
}

/// If each level were visited twice, this would not end.
#[test]
fn schemas_that_all_hold_may_be_nested() {
    const LEVELS: usize = 30;
    let sources = Sources::new();
    let mut inner = fragment(&sources, "---\nleaf: 1\nlist:\n- 0\n", &Names::new());
    let mut given = "{leaf: 3}".to_owned();
    let mut expected = r#"{"leaf": 3, "list": []}"#.to_owned();
    for _ in 0..LEVELS {
        let beside = "---\n#@schema/type any=True\nlist: []\nleaf: 2\n";
        let beside = fragment(&sources, beside, &Names::new());
        let names = Names::from([("inner", inner), ("beside", beside)]);
        let level = "---\nlist:\n#@schema/all-of inner, beside\n- {}\nleaf: 1\n";
        inner = fragment(&sources, level, &names);
        given = format!("{{list: [{given}]}}");
        expected = format!(r#"{{"list": [{expected}], "leaf": 1}}"#);
    }
    let names = Names::from([("inner", inner)]);
    let schema = "---\ntop:\n#@schema/all-of inner\n- {}\n";
    let declared = compile_with(sources, schema, &names).expect("a schema");
    assert_eq!(
        values(&declared, &format!("top: [{given}]\n")),
        Ok(format!(r#"{{"top": [{expected}]}}"#))
    );
}

#[test]
fn the_other_names_of_annotations_work_too() {
    let schema = declared(
        "#@schema\n---\n#@schema/doc \"The domain\"\n#@schema/example \"a.b\"\n#@schema/examples (\"one\", \"c.d\")\n#@schema/validate min_len=2\napp_domain: a.b\n",
    );
    let mut out = Vec::new();
    plumb_yaml::print::documents([&uncounted::json_schema(&schema.schema)], &mut out);
    let expected = "$schema: https://json-schema.org/draft/2020-12/schema
type: object
properties:
  app_domain:
    title: App domain
    description: |-
      The domain

      Valid values:
      - a value that is not empty
      - a length of at least 2
    type: string
    minLength: 2
    examples:
    - a.b
    - c.d
    x-example-descriptions:
    - \"\"
    - one
    default: a.b
additionalProperties: false
";
    assert_eq!(String::from_utf8(out).expect("UTF-8"), expected);
}

#[test]
fn exports_say_what_may_come_along() {
    let schema = declared(
        "---\nmap:\n  #@schema/any-key\n  _: 1\n#@schema/type \"int\", \"string\", \"null\"\nport: null\n#@schema/any-of by_name, 1\nref: 1\n",
    );
    let mut out = Vec::new();
    plumb_yaml::print::documents([&uncounted::openapi(&schema.schema)], &mut out);
    let text = String::from_utf8(out).expect("UTF-8");
    let expected = "      properties:
        map:
          type: object
          additionalProperties:
            type: integer
            default: 1
          properties: {}
        port:
          nullable: true
          default: null
          anyOf:
          - type: integer
          - type: string
        ref:
          default: 1
          anyOf:
          - type: object
            additionalProperties: false
            properties:
              name:
                type: string
                default: \"\"
          - type: integer
            default: 1
";
    assert!(text.ends_with(expected), "{text}");
}
