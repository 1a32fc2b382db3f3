//! Custom resources similar to common ones: certificates and routes.

use std::fmt::Write as _;

use plumb_import::{Choice, import};
use plumb_schema::Schema;
use plumb_source::{SourceKind, Sources};
use plumb_value::Document;
use plumb_yaml::ReadOptions;

use crate::law::{accepts, declared, printed};
use crate::uncounted;

const CERTIFICATE: &str = "
description: What is asked of the issuer.
required: [issuerRef, secretName]
properties:
  commonName: {description: At most 64 characters., type: string, maxLength: 64}
  dnsNames: {type: array, items: {type: string}}
  duration: {description: Such as 2160h., type: string}
  isCA: {type: boolean}
  issuerRef:
    type: object
    required: [name]
    properties:
      group: {type: string}
      kind: {type: string}
      name: {type: string}
  keystores:
    type: object
    properties:
      jks:
        type: object
        required: [create, passwordSecretRef]
        properties:
          create: {type: boolean}
          passwordSecretRef:
            type: object
            required: [name]
            properties:
              key: {type: string}
              name: {type: string}
  privateKey:
    type: object
    properties:
      algorithm: {type: string, enum: [RSA, ECDSA, Ed25519]}
      rotationPolicy: {type: string, enum: [Never, Always], default: Always}
      size: {type: integer, minimum: 256}
  revisionHistoryLimit: {type: integer, format: int32, minimum: 1}
  secretName: {type: string, minLength: 1}
  secretTemplate:
    type: object
    properties:
      annotations: {type: object, additionalProperties: {type: string}}
  usages:
    type: array
    items: {type: string, enum: [signing, server auth, client auth]}
";

const ROUTE: &str = r#"
properties:
  hostnames:
    type: array
    maxItems: 16
    items: {type: string, minLength: 1, maxLength: 253, pattern: '^(\*\.)?[a-z0-9]([-a-z0-9.]*[a-z0-9])?$'}
  rules:
    type: array
    minItems: 1
    maxItems: 16
    default:
    - matches: [{path: {type: PathPrefix, value: /}}]
    items:
      type: object
      properties:
        matches:
          type: array
          default: [{path: {type: PathPrefix, value: /}}]
          items:
            type: object
            properties:
              path:
                type: object
                default: {type: PathPrefix, value: /}
                x-kubernetes-validations:
                - message: a path starts with a slash
                  rule: "self.type == 'RegularExpression' || self.value.startsWith('/')"
                properties:
                  type: {type: string, default: PathPrefix, enum: [Exact, PathPrefix, RegularExpression]}
                  value: {type: string, default: /, maxLength: 1024}
        backendRefs:
          type: array
          items:
            type: object
            required: [name]
            properties:
              name: {type: string, minLength: 1, maxLength: 253}
              port: {type: integer, format: int32, minimum: 1, maximum: 65535}
              weight: {type: integer, format: int32, default: 1, minimum: 0, maximum: 1000000}
        timeouts:
          type: object
          properties:
            request: {type: string, pattern: '^([0-9]{1,5}(h|m|s|ms)){1,4}$'}
"#;

const CLUSTER: &str = r#"
required: [selector, storage]
properties:
  selector:
    description: Which machines there are to choose from.
    type: object
    properties:
      labels: {type: object, additionalProperties: {type: string}}
  storage:
    type: object
    default: {class: fast}
    properties:
      class: {type: string, default: slow}
      size: {type: integer, default: 8, maximum: 64.0}
  memory:
    anyOf: [{type: integer}, {type: string}]
    x-kubernetes-int-or-string: true
    pattern: ^(\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))))?$
  interval: {type: string, format: duration, default: 30s}
  access:
    description: "\u202fwho may"
    type: object
    x-kubernetes-validations: [{rule: '!has(self.user) || self.user != ""'}]
    not: {required: [user, group]}
    anyOf:
    - required: [user]
    - {properties: {group: {}}, required: [group]}
    - properties: {hosts: {oneOf: [{required: [all]}, {not: {required: [none]}}]}}
      required: [hosts]
    properties:
      user: {type: string}
      group: {type: string}
      hosts: {type: object, properties: {all: {type: boolean}, none: {type: boolean}}}
  phase:
    description: |
      Which one it is in.

      Deprecated: see the conditions.
    type: string
    allOf: [{enum: [one, two]}, {enum: [one, two]}]
"#;

/// A custom resource with this `spec`.
fn definition(spec: &str) -> String {
    let mut text = "
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: things.acme.example}
spec:
  group: acme.example
  names: {kind: Thing, plural: things}
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          apiVersion: {type: string}
          kind: {type: string}
          metadata: {type: object}
          status: {type: object, x-kubernetes-preserve-unknown-fields: true}
          spec:
            type: object
"
    .to_owned();
    for line in spec.lines() {
        let _ = writeln!(text, "            {line}");
    }
    text
}

fn parse(text: &str) -> Vec<Document> {
    let file = Sources::new().add("f.yml", SourceKind::File, text.as_bytes().into());
    plumb_yaml::parse(file, text.as_bytes(), &ReadOptions::default()).expect("YAML")
}

fn imported(documents: &[Document]) -> Schema {
    let text = import(documents, &Choice::default()).expect("a schema").text;
    declared(&text).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

/// Exports and imports a schema again, and checks that it does not change again.
fn comes_back(spec: &str) -> Schema {
    let schema = imported(&parse(&definition(spec)));
    let (exported, _) = uncounted::crd(&schema);
    let again = imported(std::slice::from_ref(&exported));
    assert_eq!(printed(&uncounted::crd(&again).0), printed(&exported));
    schema
}

fn takes(schema: &Schema, value: &str) -> bool {
    accepts(schema, &parse(value)[0])
}

#[test]
fn certificates_come_back() {
    let schema = comes_back(CERTIFICATE);
    assert!(takes(&schema, "{secretName: tls, issuerRef: {name: ca}, isCA: true}"));
    assert!(takes(&schema, "{secretName: tls, issuerRef: {name: ca}, privateKey: {size: 2048}}"));
    assert!(!takes(&schema, "{issuerRef: {name: ca}}"), "no secret");
    assert!(!takes(&schema, "{secretName: tls}"), "no issuer");
    assert!(!takes(&schema, "{secretName: tls, issuerRef: {name: ca}, privateKey: {size: 8}}"));
    assert!(!takes(&schema, "{secretName: tls, issuerRef: {nam: ca}}"), "misspelt");
    let keystore = "keystores: {jks: {create: true}}";
    assert!(!takes(&schema, &format!("{{secretName: tls, issuerRef: {{name: ca}}, {keystore}}}")));
}

#[test]
fn routes_come_back() {
    let schema = comes_back(ROUTE);
    assert!(takes(&schema, "{}"));
    assert!(takes(&schema, "{hostnames: ['*.example.com'], rules: [{backendRefs: [{name: a}]}]}"));
    assert!(!takes(&schema, "{hostnames: [Example.com]}"));
    assert!(!takes(&schema, "{rules: []}"));
    assert!(!takes(&schema, "{rules: [{backendRefs: [{port: 80}]}]}"), "no name");
    assert!(!takes(&schema, "{rules: [{matches: [{path: {value: x}}]}]}"), "no slash");
    assert!(takes(&schema, "{rules: [{matches: [{path: {type: RegularExpression, value: x}}]}]}"));
}

#[test]
fn clusters_come_back() {
    let schema = comes_back(CLUSTER);
    let takes = |more: &str| takes(&schema, &format!("{{selector: {{}}, {more}}}"));
    assert!(!self::takes(&schema, "{}"), "no selector");
    assert!(takes("storage: {size: 64}"));
    assert!(!takes("storage: {size: 65}"));
    assert!(takes("interval: 1h30m"), "a duration of theirs");
    assert!(takes("memory: 3"));
    assert!(takes("memory: 3Gi"));
    assert!(!takes("memory: 3GB"));
    assert!(!takes("phase: three"));
    assert!(takes("access: {user: a}"));
    assert!(takes("access: {hosts: {all: true, none: true}}"));
    assert!(!takes("access: {hosts: {all: true}}"), "both of two");
    assert!(!takes("access: {}"));
    assert!(!takes("access: {user: a, group: b}"));
    assert!(!takes("access: {user: ''}"));
    let text = import(&parse(&definition(CLUSTER)), &Choice::default()).expect("a schema").text;
    assert!(text.contains("#@schema/deprecated \"see the conditions.\""), "{text}");
    assert!(text.contains("#! cannot be expressed here: format: \"duration\""), "{text}");
    assert!(text.contains("max=64\n"), "{text}");
    assert!(!text.contains("#! also"), "{text}");
    assert!(text.contains(r#"#@schema/desc "\xe2\x80\xafwho may""#), "{text}");
}
