//! Resources against all kinds of schemas.

use plumb_kube::{Catalog, Interest, SchemaFile, resources};
use plumb_source::{SourceKind, Sources};
use plumb_value::Document;
use plumb_yaml::ReadOptions;

fn parse(text: &str) -> Vec<Document> {
    let file = Sources::new().add("f.yml", SourceKind::File, text.as_bytes().into());
    plumb_yaml::parse(file, text.as_bytes(), &ReadOptions::default()).expect("YAML")
}

fn file(path: &str, text: &str) -> SchemaFile {
    SchemaFile { path: path.to_owned(), documents: parse(text) }
}

/// The messages about all resources of a text. Returns `None` if there is no schema for one of
/// them.
fn messages(files: Vec<SchemaFile>, text: &str) -> Option<Vec<String>> {
    let mut catalog = Catalog::new(files);
    let documents = parse(text);
    let mut messages = Vec::new();
    for resource in documents.iter().flat_map(resources) {
        messages
            .extend(catalog.check(&resource)?.into_iter().map(|it| it.message.shown().to_owned()));
    }
    Some(messages)
}

const TREE: &str = r##"
definitions:
  tree:
    x-kubernetes-group-version-kind: [{group: acme.example, version: v1, kind: Tree}]
    type: object
    properties:
      apiVersion: {type: string}
      kind: {type: string}
      root: {$ref: "#/definitions/node"}
  node:
    type: object
    properties:
      name: {type: string}
      children: {type: array, items: {$ref: "#/definitions/node"}}
"##;

#[test]
fn a_schema_may_refer_to_itself() {
    let document = "
apiVersion: acme.example/v1
kind: Tree
root:
  name: a
  children:
  - name: b
    children: [{name: 1}, {nam: c}]
";
    assert_eq!(
        messages(vec![file("tree.yml", TREE)], document).expect("a schema"),
        [
            "`root.children[0].children[0].name` of Tree: expected a string; found an integer",
            "`root.children[0].children[1].nam` of Tree: Tree (acme.example/v1) has no such field",
        ]
    );
}

#[test]
fn files_are_found_by_their_names_and_refer_to_each_other() {
    let schema = r#"
type: object
properties:
  apiVersion: {type: string}
  kind: {type: string}
  spec: {$ref: "_definitions.json#/definitions/spec"}
"#;
    let shared = r##"
definitions:
  spec: {type: object, properties: {size: {$ref: "#/definitions/size"}}}
  size: {type: integer, maximum: 3}
"##;
    for name in ["dir/thing-acme-v1.json", "acme.example/thing_v1.json"] {
        let files = vec![file(name, schema), file("dir/_definitions.json", shared)];
        let document = "apiVersion: acme.example/v1\nkind: Thing\nspec: {size: 4}\n";
        let expected = ["`spec.size` of Thing: expected at most 3; found a larger value"];
        assert_eq!(messages(files, document).expect(name), expected);
    }
    let unnamed = vec![file("thing.json", schema)];
    assert_eq!(messages(unnamed, "apiVersion: acme.example/v1\nkind: Thing\n"), None);
}

#[test]
fn the_items_of_a_list_are_checked() {
    let document = "
apiVersion: v1
kind: List
items:
- {apiVersion: acme.example/v1, kind: Tree, root: []}
";
    assert_eq!(
        messages(vec![file("tree.yml", TREE)], document).expect("a schema"),
        ["`items[0].root` of Tree: expected a map; found an array"]
    );
}

#[test]
fn schemas_together_know_the_fields_of_each() {
    let schema = r##"
type: object
allOf:
- {$ref: "#/definitions/base"}
- type: object
  properties:
    more: {type: integer}
properties:
  apiVersion: {type: string}
  kind: {type: string}
definitions:
  base: {type: object, required: [name], properties: {name: {type: string}}}
"##;
    let document = "apiVersion: v1\nkind: Thing\nname: a\nmore: b\nless: 1\n";
    assert_eq!(
        messages(vec![file("thing-v1.json", schema)], document).expect("a schema"),
        [
            "`less` of Thing: Thing (v1) has no such field",
            "`more` of Thing: expected an integer; found a string",
        ]
    );
}

#[test]
fn alternatives_that_double_at_each_level_come_to_an_end() {
    let schema = r##"
type: object
properties:
  apiVersion: {type: string}
  kind: {type: string}
  a: {$ref: "#/definitions/twice"}
definitions:
  twice:
    type: object
    properties:
      a:
        anyOf:
        - {$ref: "#/definitions/twice"}
        - {$ref: "#/definitions/twice"}
"##;
    let nested = format!("{}0{}", "{a: ".repeat(60), "}".repeat(60));
    let document = format!("apiVersion: v1\nkind: Thing\na: {nested}\n");
    let found = messages(vec![file("thing-v1.json", schema)], &document).expect("a schema");
    let last = found.last().expect("it is told");
    assert!(last.contains("takes too long to check"), "{last}");
}

#[test]
fn a_large_document_is_no_complex_one() {
    let schema =
        "properties: {apiVersion: {}, kind: {}, list: {type: array, items: {type: integer}}}";
    let items = "- 1\n".repeat(400_000);
    let document = format!("apiVersion: v1\nkind: Thing\nlist:\n{items}- a\n");
    let found = messages(vec![file("thing-v1.json", schema)], &document).expect("a schema");
    assert_eq!(found, ["`list[400000]` of Thing: expected an integer; found a string"]);
}

const RULED: &str = r#"
kind: CustomResourceDefinition
spec:
  group: acme.example
  names: {kind: Share}
  versions:
  - name: v1
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            properties:
              half: {type: number}
              whole: {type: integer}
              parts: {type: array, items: {type: number}}
              name:
                type: string
                x-kubernetes-validations:
                - {rule: "oldSelf.hasValue() || self.startsWith('new-')", optionalOldSelf: true}
                - {rule: self == oldSelf}
                - {rule: self.isNothing()}
            x-kubernetes-validations:
            - {rule: "!has(self.half) || self.half / 2 == 2.5", message: half}
            - {rule: "!has(self.whole) || self.whole / 2 == 2", message: whole}
            - {rule: "!has(self.parts) || self.parts.all(it, it / 2 == 2.5)", message: parts}
"#;

fn share(spec: &str) -> String {
    format!("apiVersion: acme.example/v1\nkind: Share\nspec: {spec}\n")
}

#[test]
fn rules_calculate_with_the_types_that_are_declared() {
    let found = |spec: &str| messages(vec![file("share.yml", RULED)], &share(spec)).expect(spec);
    assert_eq!(found("{half: 5, whole: 5, parts: [5, 5.0]}"), Vec::<String>::new());
    assert_eq!(found("{half: 4, whole: 6, parts: [5, 4]}").len(), 3);
}

#[test]
fn rules_that_cannot_be_checked_are_told_once() {
    let mut catalog = Catalog::new(vec![file("share.yml", RULED)]);
    let documents = parse(&[share("{name: new-a}"), share("{name: b}")].join("---\n"));
    let resources: Vec<_> = documents.iter().flat_map(resources).collect();
    let found: Vec<_> = resources.iter().map(|it| catalog.check(it).expect("a schema")).collect();
    assert_eq!(found.iter().map(Vec::len).collect::<Vec<_>>(), [0, 1]);
    let unchecked = catalog.take_unchecked();
    let rules: Vec<_> = unchecked.iter().map(|it| it.rule.as_str()).collect();
    assert_eq!(rules, ["self == oldSelf", "self.isNothing()"]);
    assert!(catalog.take_unchecked().is_empty());
}

#[test]
fn references_in_a_circle_let_everything_be() {
    let schema = r##"
$ref: "#/definitions/a"
definitions:
  a: {$ref: "#/definitions/b"}
  b: {$ref: "#/definitions/a"}
"##;
    let found =
        messages(vec![file("thing-v1.json", schema)], "apiVersion: v1\nkind: Thing\nx: 1\n");
    assert_eq!(found.expect("a schema"), Vec::<String>::new());
}

#[test]
fn files_without_the_kinds_looked_for_need_not_be_parsed() {
    let documents = parse("apiVersion: apps/v1\nkind: Deployment\n");
    let resources: Vec<_> = documents.iter().flat_map(resources).collect();
    let interest = Interest::of(&resources);
    assert!(interest.is_in("deployment-apps-v1.json", b"{}"));
    assert!(interest.is_in("apps/deployment_v1.json", b"{}"));
    assert!(interest.is_in("all.json", b"{\"kind\": \"Deployment\"}"));
    assert!(!interest.is_in("service-v1.json", b"{\"kind\": \"Service\"}"));
}
