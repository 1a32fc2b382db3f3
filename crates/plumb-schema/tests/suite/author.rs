//! What the author of a schema can declare, and the messages for mistakes in a schema.

use plumb_schema::{Field, Type, prepare};
use plumb_source::Sources;
use plumb_value::{Map, Node};

use super::{compile, declared, read, show};
use crate::notation::Names;
use crate::uncounted;

fn defaults(text: &str) -> String {
    show(&declared(text).defaults().node)
}

#[track_caller]
fn refused(text: &str, expected: &str) {
    match compile(text) {
        Ok(_) => panic!("accepted: {text}"),
        Err(report) => assert_eq!(report, expected),
    }
}

#[test]
fn a_sample_is_its_own_default_but_arrays_are_empty() {
    let text = "---\nint: 10\nfloat: 9.1\non1: true\nlist:\n- \"\"\nmap:\n  maps:\n  - a: 1\n";
    let expected = r#"{"int": 10, "float": 9.1, "on1": True, "list": [], "map": {"maps": []}}"#;
    assert_eq!(defaults(text), expected);
    assert_eq!(defaults("---\n42\n"), "42");
    assert_eq!(defaults("---\n- x\n"), "[]");
}

#[test]
fn a_nullable_node_defaults_to_null_and_one_of_any_type_to_its_sample() {
    let text = "---\n#@schema/nullable\na: 1\n#@schema/type any=True\nb:\n- 1\n- x\n#@schema/type any=False\nc: 1\n#@schema/nullable\n#@schema/type any=True\nd: 5\n";
    assert_eq!(defaults(text), r#"{"a": None, "b": [1, "x"], "c": 1, "d": None}"#);
    assert_eq!(defaults("#@schema/nullable\n---\na: 1\n"), "None");
}

#[test]
fn a_default_can_be_set_and_is_filled_in() {
    let text = "---\n#@schema/default [{'name': 'null_db'}]\ndatabases:\n- name: \"\"\n  host: h\n#@schema/default {'admin': 'admin'}\nusers:\n  user:\n  - \"\"\n  admin: \"\"\n#@schema/nullable\n#@schema/default 9\nnum: 1\n";
    let expected = r#"{"databases": [{"name": "null_db", "host": "h"}], "users": {"admin": "admin", "user": []}, "num": 9}"#;
    assert_eq!(defaults(text), expected);
    let text = "#@schema/default {'a': [1]}\n---\na:\n- 0\nb: x\n";
    assert_eq!(defaults(text), r#"{"a": [1], "b": "x"}"#);
}

#[test]
fn a_null_sample_is_refused() {
    let report = "
Invalid schema - null value not allowed here
============================================

schema.yml:
    |
  3 |   subnet_ids: null
    |

    = found: null value
    = expected: non-null value
    = hint: in YAML, omitting a value implies null.
    = hint: to set the default value to null, annotate with @schema/nullable.
    = hint: to allow any value, annotate with @schema/type any=True.

";
    refused("---\nvpc:\n  subnet_ids: null\n", report);
    let report = report.replace("  3 |   subnet_ids: null", "  3 | a: null");
    refused("---\n#@schema/nullable\na: null\n", &report);
}

#[test]
fn an_array_has_one_sample() {
    let report = "
Invalid schema - wrong number of items in array definition
==========================================================

schema.yml:
    |
  3 |   a: [1, 2]
    |

    = found: 2 array items
    = expected: exactly 1 array item, of the desired type
    = hint: in schema, the one item of the array implies the type of its elements.
    = hint: in schema, the default value for an array is always an empty list.
    = hint: default values can be overridden via a data values overlay.

";
    refused("---\nm:\n  a: [1, 2]\n", report);
    // Below a nullable node, ytt quotes the report.
    let quoted =
        format!("\nInvalid schema\n==============\n{} \n\n", report.replace("  3 |", "  4 |"));
    refused("---\n#@schema/nullable\nm:\n  a: [1, 2]\n", &quoted);
}

#[test]
fn a_default_of_another_type_is_refused() {
    let report = "
Invalid schema - @schema/default is wrong type
==============================================

schema.yml:
    |
  2 | #@schema/default [{\"item\": 1}]
  3 | map: thing
    |

    = found: array (at schema.yml:2)
    = expected: string (by schema.yml:3)

";
    refused("---\n#@schema/default [{\"item\": 1}]\nmap: thing\n", report);
    let report = "
Invalid schema - @schema/default is wrong type
==============================================

Given data value is not declared in schema
schema.yml:
    |
  2 | #@schema/default {'b': 1, 'a': ''}
    | ...
  4 | m:
    |

    = found: b (at schema.yml:2)
    = expected: a map item with the key named \"a\" (from schema.yml:4)

schema.yml:
    |
  2 | #@schema/default {'b': 1, 'a': ''}
    | ...
  4 | m:
    |

    = found: string (at schema.yml:2)
    = expected: integer (by schema.yml:5)

";
    refused("---\n#@schema/default {'b': 1, 'a': ''}\n#@schema/title \"t\"\nm:\n  a: 1\n", report);
}

#[test]
fn a_default_does_not_belong_on_an_array_item() {
    let report = "
Invalid schema
==============

Invalid schema - @schema/default not supported on array item
============================================================

schema.yml:
    |
  3 | #@schema/default \"baz\"
  4 | - bar
    |



    = hint: do you mean to set a default value for the array?
    = hint: set an array's default by annotating its parent.

 

";
    refused("---\nfoo:\n#@schema/default \"baz\"\n- bar\n", report);
}

/// The block of an annotation on line 2 with this problem.
fn block(description: &str, annotation: &str, rest: &str) -> String {
    format!(
        "\nInvalid schema\n==============\n\n{description}\nschema.yml:\n    |\n  2 | {annotation}\n  3 | key: 0\n    |\n\n{rest}\n\n"
    )
}

#[test]
fn annotations_that_take_a_string_take_one_string() {
    for name in ["schema/title", "schema/desc", "schema/deprecated"] {
        let cases = [
            ("", "missing value", ""),
            (" 1", "Non-string value", ""),
            (" \"two\", \"strings\"", "2 values", ""),
            (
                " key=True",
                "keyword argument",
                "\n    = hint: this annotation only accepts one argument: a string.",
            ),
        ];
        for (args, found, hint) in cases {
            let annotation = format!("#@{name}{args}");
            let rest = format!(
                "    = found: {found} in @{name} (by schema.yml:2)\n    = expected: string{hint}"
            );
            let description = format!("syntax error in @{name} annotation");
            let report = block(&description, &annotation, &rest);
            refused(&format!("---\n{annotation}\nkey: 0\n"), &report);
        }
    }
}

#[test]
fn examples_are_pairs_of_a_description_and_a_value() {
    let cases = [
        ("", "missing value in @schema/examples (by schema.yml:2)"),
        (" key=True", "keyword argument in @schema/examples (by schema.yml:2)"),
        (" ()", "empty tuple in @schema/examples (by schema.yml:2)"),
        (" (\"a\", 1, 2)", "3-tuple argument in @schema/examples (by schema.yml:2)"),
        (" \"x\"", "string for @schema/examples (at schema.yml:2)"),
        (" (3.14, 5)", "float value for @schema/examples (at schema.yml:2)"),
    ];
    for (args, found) in cases {
        let annotation = format!("#@schema/examples{args}");
        let rest = format!(
            "    = found: {found}\n    = expected: 2-tuple containing description (string) and example value (of expected type)"
        );
        let report = block("syntax error in @schema/examples annotation", &annotation, &rest);
        refused(&format!("---\n{annotation}\nkey: 0\n"), &report);
    }
    let report = "
Invalid schema - @schema/examples has wrong type
================================================

schema.yml:
    |
  2 | #@schema/examples (\"Zero\", 0), (\"No\", \"no\")
  3 | enabled: false
    |

    = found: integer (by schema.yml:2)
    = expected: boolean (by schema.yml:3)

schema.yml:
    |
  2 | #@schema/examples (\"Zero\", 0), (\"No\", \"no\")
  3 | enabled: false
    |

    = found: string (by schema.yml:2)
    = expected: boolean (by schema.yml:3)

";
    refused("---\n#@schema/examples (\"Zero\", 0), (\"No\", \"no\")\nenabled: false\n", report);
}

#[test]
fn a_default_is_one_argument() {
    let cases = [
        ("", "missing value", ""),
        (" 1, 2", "2 values", ""),
        (
            " any=True",
            "keyword argument",
            "\n    = hint: this annotation only accepts one argument: the default value.\n    = hint: value must be in Starlark format, e.g.: {'key': 'value'}, True.",
        ),
    ];
    for (args, found, hint) in cases {
        let annotation = format!("#@schema/default{args}");
        let rest = format!(
            "    = found: {found} in @schema/default (by schema.yml:2)\n    = expected: integer (by schema.yml:3){hint}"
        );
        let report = block("syntax error in @schema/default annotation", &annotation, &rest);
        refused(&format!("---\n{annotation}\nkey: 0\n"), &report);
    }
}

#[test]
fn the_type_annotation_takes_any() {
    let cases = [
        (
            " any",
            "expected @schema/type annotation to have keyword argument and value",
            "missing keyword argument and value",
            "valid keyword argument and value\n    = hint: Supported key-value pairs are 'any=True', 'any=False'",
        ),
        (
            " other=False",
            "unknown @schema/type annotation keyword argument",
            "other",
            "A valid kwarg\n    = hint: Supported kwargs are 'any'",
        ),
        (
            " any=1",
            "unknown @schema/type annotation keyword argument",
            "starlark.Int",
            "starlark.Bool\n    = hint: Supported kwargs are 'any'",
        ),
    ];
    for (args, description, found, expected) in cases {
        let annotation = format!("#@schema/type{args}");
        let rest = format!("    = found: {found} (by schema.yml:2)\n    = expected: {expected}");
        let report = block(description, &annotation, &rest);
        refused(&format!("---\n{annotation}\nkey: 0\n"), &report);
    }
    let annotation = "#@schema/nullable x=1";
    let rest = "    = found: keyword argument in @schema/nullable (by schema.yml:2)\n    = expected: starlark.Bool\n    = hint: Supported kwargs are 'any'";
    let description = "expected @schema/nullable annotation to not contain any keyword arguments";
    let report = block(description, annotation, rest);
    refused(&format!("---\n{annotation}\nkey: 0\n"), &report);
}

#[test]
fn within_any_type_nothing_is_declared() {
    let report = "
Invalid schema
==============

Schema was specified within an \"any type\" fragment
schema.yml:
    |
  4 |   #@schema/nullable
  5 |   #@schema/type any=False
  6 |   #@schema/default 1
  7 |   bar: 7
    |

    = found: @schema/nullable, @schema/type, @schema/default annotation(s)
    = expected: no '@schema/...' on nodes within a node annotated '@schema/type any=True'
    = hint: an \"any type\" fragment has no constraints; nested schema annotations conflict and are disallowed

";
    refused(
        "---\n#@schema/type any=True\nfoo:\n  #@schema/nullable\n  #@schema/type any=False\n  #@schema/default 1\n  bar: 7\n",
        report,
    );
}

#[test]
fn a_document_is_not_deprecated() {
    let report = "
Invalid schema
==============

@schema/deprecated not supported on a document
schema.yml:
    |
  1 | #@schema/deprecated \"\"
  2 | ---
    |



    = hint: do you mean to deprecate the entire schema document?
    = hint: use schema/deprecated on individual keys.

";
    refused("#@schema/deprecated \"\"\n---\nfoo: 1\n", report);
}

#[test]
fn rules_that_make_no_sense_are_refused() {
    let cases = [
        (
            "",
            "expected annotation to have 2-tuple as argument(s), but found no arguments (by schema.yml:2)",
        ),
        (" ()", "expected 2-tuple, but found tuple with length 0 (by schema.yml:2)"),
        (
            " [1]",
            "expected annotation to have 2-tuple as argument(s), but found: [1] (by schema.yml:2)",
        ),
        (
            " (False, any)",
            "expected first item in the 2-tuple to be a string describing a valid value, but was bool (at schema.yml:2)",
        ),
        (
            " (\"\", \"x\")",
            "expected second item in tuple to be an assertion function or assertion object, but was a string (at schema.yml:2)",
        ),
        (
            " (\"\", 1)",
            "expected second item in the 2-tuple to be an assertion function, but was int (at schema.yml:2)",
        ),
        (
            " max_len=\"4\"",
            "expected keyword argument \"max_len\" to be a number, but was string (at schema.yml:2)",
        ),
        (
            " not_null=\"x\"",
            "expected keyword argument \"not_null\" to be a boolean, but was string (at schema.yml:2)",
        ),
        (" one_not_null=False", "one_not_null= cannot be False"),
        (" one_not_null=4", "expected True or a sequence of keys, but was a 'int'"),
        (" one_of=\"a\"", "expected keyword argument one_of to be a sequence, but was string"),
        (
            " when=True",
            "expected keyword argument \"when\" to be a function, but was bool (at schema.yml:2)",
        ),
        (" wen=True", "unknown keyword argument \"wen\" (at schema.yml:2)"),
    ];
    for (args, problem) in cases {
        let text = format!("---\n#@schema/validation{args}\nkey: 0\n");
        refused(&text, &format!("Invalid @schema/validation annotation - {problem}"));
    }
    // Below a nullable node, ytt quotes the line.
    refused(
        "---\n#@schema/nullable\nm:\n  #@schema/validation one_not_null=False\n  key: 0\n",
        "\nInvalid schema\n==============\nInvalid @schema/validation annotation - one_not_null= cannot be False \n\n",
    );
}

/// The rules of each key, as their descriptions.
fn rules_of(field: &Field, key: &str, out: &mut Vec<String>) {
    for validation in &field.validations {
        let rules = validation.rules.iter().map(|rule| rule.required().shown().to_owned());
        out.push(format!("{key}: {}", rules.collect::<Vec<_>>().join(", ")));
    }
    match &field.ty {
        Type::Map(map) => {
            for (key, field) in map.entries() {
                rules_of(field, key.as_str().unwrap_or_default(), out);
            }
        }
        Type::Array(array) => rules_of(&array.item, "-", out),
        _ => {}
    }
}

#[test]
fn string_defaults_hold_for_the_strings_of_their_own_document() {
    let sources = Sources::new();
    let base = "---\n#@schema/validation min_len=5\nhostname: \"\"\nproxy: \"\"\n";
    let over = "#@schema/validation-defaults-for-strings min_len=1\n---\nkp_default_repository: \"\"\n#@schema/validation min_len=0\nkp_username: \"\"\nlimit: 30\n#@schema/nullable\nmaybe: \"\"\nlist:\n- \"\"\n#@schema/validation-defaults-for-strings max_len=9\nnested:\n  deep: \"\"\n#@schema/type any=True\nany: \"\"\n";
    let mut base = read(&sources, "base.yml", base, &Names::new());
    let mut over = read(&sources, "over.yml", over, &Names::new());
    prepare(&mut base).expect("no attach");
    prepare(&mut over).expect("no attach");
    // All keys of the overlay are new: the merged schema has the items of both.
    let (left, right) = (base.node.as_map().expect("a map"), over.node.as_map().expect("a map"));
    let items = left.items().iter().chain(right.items()).cloned().collect();
    base.node = Node::map(Map::new(items, left.origin));
    let schema = uncounted::compile(&base, &sources).expect("a valid schema");
    let mut rules = Vec::new();
    rules_of(schema.root(), "", &mut rules);
    assert_eq!(
        rules,
        [
            "hostname: a length of at least 5",
            "kp_default_repository: a length of at least 1",
            "kp_username: a length of at least 0",
            "maybe: a length of at least 1",
            "-: a length of at least 1",
            "deep: a length of at most 9",
        ]
    );
    let Type::Map(map) = &schema.root().ty else { panic!("a map") };
    let span = map.fields()[2].validations[0].span.expect("a place");
    assert_eq!(sources.place(span), "over.yml:1");
}
