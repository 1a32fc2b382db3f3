//! Invariants of every schema that Plumb exports.

use plumb_import::{Choice, import};
use plumb_schema::{Schema, Touched, prepare};
use plumb_source::Sources;
use plumb_validation::Parents;
use plumb_value::{Datum, Document, Map, Node};

use crate::generated::generated;
use crate::notation::{Names, read};
use crate::uncounted;

const SCHEMAS: u64 = 400;
const VALUES: usize = 10;

pub(crate) fn printed(document: &Document) -> String {
    let mut out = Vec::new();
    plumb_yaml::print::documents([document], &mut out);
    String::from_utf8(out).expect("YAML is UTF-8")
}

/// The schema that an imported text declares. Functions are read first, and referred to by name.
pub(crate) fn declared(text: &str) -> Result<Schema, String> {
    let sources = Sources::new();
    let mut names = Names::new();
    let mut rest = text.to_owned();
    while let Some(at) = rest.find("#@ def ") {
        let end = at + rest[at..].find("#@ end\n").expect("the end of a function");
        let block = rest[at..end].to_owned();
        let (head, body) = block.split_once("():\n").expect("a function without parameters");
        let name: &'static str = head["#@ def ".len()..].to_owned().leak();
        let fragment = read(&sources, "f.yml", body, &names);
        rest = format!("{}{}", &rest[..at], &rest[end + "#@ end\n".len()..]);
        rest = rest.replace(&format!("{name}()"), name);
        names.insert(name, Datum::Documents(vec![fragment]));
    }
    let mut document = read(&sources, "schema.yml", &rest, &names);
    prepare(&mut document).expect("nothing attached");
    uncounted::compile(&document, &sources)
        .map_err(|failure| plumb_peer::text(&failure, &sources).shown().to_owned())
}

/// Maps are merged, everything else is replaced.
fn laid_over(below: &Node, given: &Node) -> Node {
    let (Node::Map(below), Node::Map(given)) = (below, given) else {
        return given.clone();
    };
    let mut map = Map::clone(below);
    for item in given.items() {
        match map.position(&item.key) {
            Some(at) => map.item_mut(at).node = laid_over(&below.items()[at].node, &item.node),
            None => map.push(item.clone()),
        }
    }
    Node::map(map)
}

/// Whether a value is valid after it is merged into the defaults.
pub(crate) fn accepts(schema: &Schema, value: &Document) -> bool {
    let mut whole = schema.defaults().expect("a schema that someone declared");
    whole.node = laid_over(&whole.node, &value.node);
    let mut value = whole;
    uncounted::conform(schema, &mut value, Touched::Everything).is_empty()
        && uncounted::validate(schema, &mut value, 0, Parents::Wait)
            .expect("no annotations in values")
            .is_empty()
}

fn holds(language: &str, export: impl Fn(&Schema) -> Document, is_law: impl Fn(&str) -> bool) {
    let mut n_same = 0;
    for seed in 0..SCHEMAS {
        let mut generated = generated(seed);
        if !is_law(&generated.text) {
            continue;
        }
        let exported = export(&generated.declared.schema);
        let imported = import(std::slice::from_ref(&exported), &Choice::default());
        let text = imported.expect("our own export").text;
        if ["cannot be expressed here", "has another type"].iter().any(|it| text.contains(it)) {
            // The export itself reports the loss.
            continue;
        }
        let context = || format!("{language}, seed {seed}\n{}\n{text}", generated.text);
        let again = declared(&text).unwrap_or_else(|error| panic!("{error}\n{}", context()));
        let (left, right) = (printed(&export(&again)), printed(&exported));
        let differ = left.lines().zip(right.lines()).find(|(left, right)| left != right);
        let is_same = left == right;
        assert!(is_same || !is_literal(&generated.text), "{}\n{right}\n{differ:?}", context());
        let n_values = if language == "json-schema" { VALUES } else { 0 };
        for _ in 0..n_values {
            let value = generated.value();
            let is_accepted = accepts(&generated.declared.schema, &value);
            assert_eq!(accepts(&again, &value), is_accepted, "{}\n{text}", generated.text);
        }
        n_same += usize::from(is_same);
    }
    assert!(n_same > 90, "{n_same}");
}

/// The strict dialect has a rule without a name. An export contains the default of an optional key,
/// but not that the key is optional. That matters if the default differs from the sample, or if a
/// rule counts keys.
fn is_said(text: &str) -> bool {
    let is_hidden = ["schema/default", "one_not_null"].iter().any(|it| text.contains(it));
    let is_lost = text.contains("key-may-be-present") && is_hidden;
    let is_required = text.contains("#@schema/required");
    !text.starts_with("#@schema\n") && !is_lost && !is_required
}

/// Whether a schema is imported word for word. Others are equivalent: the default of several maps
/// is written at one of them, or at all.
fn is_literal(text: &str) -> bool {
    let maps = ["oidc", "ldap", "named", "typed", "part", "closed", "open", "maybe"];
    let mut choices = text.lines().filter(|line| line.contains("-of "));
    !has_narrowed_types(text)
        && !has_absent_items(text)
        && !choices.any(|line| maps.iter().any(|it| line.contains(it)))
}

/// Whether items of an array are null by default although they must not be: that default is not
/// exported.
fn has_absent_items(text: &str) -> bool {
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    let mut annotations = lines.chunk_by(|before, _| before.starts_with("#@"));
    annotations.any(|it| {
        let has = |part: &str| it.iter().any(|line| line.contains(part));
        let is_item = it.last().is_some_and(|line| line.starts_with('-') && *line != "---");
        is_item && has("schema/nullable") && has("not_null=True")
    })
}

/// Whether rules exclude some of several types: rules for the excluded types are not imported
/// again.
fn has_narrowed_types(text: &str) -> bool {
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    let mut annotations = lines.split(|it| !it.starts_with("#@"));
    annotations.any(|it| {
        let is_rule =
            |it: &&str| it.contains("/validation ") && !it.ends_with("validation not_null=True");
        let has_several = |it: &&str| it.contains("-of ") || it.contains("type \"int\"");
        let has = |part: &str| it.iter().any(|line| line.contains(part));
        let is_narrowed = has("any=True") && (has("unique=") || has("even="));
        is_narrowed || it.iter().any(has_several) && it.iter().any(is_rule)
    })
}

/// Kubernetes cannot express alternatives with types, nor some mixtures of types.
fn is_said_in_kubernetes(text: &str) -> bool {
    !text.starts_with("#@schema\n")
        && !text.contains("#@schema/required")
        && !text.contains("-of ")
        && !text.contains("type \"map\", \"int\"")
}

#[test]
fn what_was_exported_as_openapi_comes_back() {
    holds("openapi", uncounted::openapi, is_said);
}

#[test]
fn what_was_exported_as_json_schema_comes_back() {
    holds("json-schema", uncounted::json_schema, is_said);
}

#[test]
fn what_was_exported_as_a_custom_resource_comes_back() {
    holds("crd", |schema| uncounted::crd(schema).0, is_said_in_kubernetes);
}
