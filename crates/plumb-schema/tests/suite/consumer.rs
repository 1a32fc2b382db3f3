//! The results for users who give data values, and the messages for values that do not conform.

use plumb_schema::Touched;
use plumb_source::Origin;
use plumb_value::{Document, Map, MapItem, Node};

use super::{declared, merged, path, read, show};
use crate::notation::{Names, node};
use crate::uncounted;

#[track_caller]
fn refused(schema: &str, values: &str, expected: &str) {
    let report = declared(schema).conformed(values).expect_err("values that do not conform");
    let heading = "\nOne or more data values were invalid\n====================================\n";
    assert_eq!(report.strip_prefix(heading).expect("the heading"), expected);
}

#[track_caller]
fn accepted(schema: &str, values: &str, expected: &str) {
    let values = declared(schema).conformed(values).unwrap_or_else(|report| panic!("{report}"));
    assert_eq!(values, expected);
}

#[test]
fn missing_keys_are_added_after_the_given_ones() {
    let schema = "---\nclients:\n- name: \"\"\n  config:\n    args:\n    - arg: \"\"\n    #@schema/nullable\n    options:\n      a: true\n      b: false\nname: x\n";
    accepted(
        schema,
        "clients:\n- name: foo\n- config: {\"options\": {\"b\": true}}\n",
        r#"{"clients": [{"name": "foo", "config": {"args": [], "options": None}}, {"config": {"options": {"b": True, "a": True}, "args": []}, "name": ""}], "name": "x"}"#,
    );
    accepted("#@schema/nullable\n---\nfoo: 0\nbar: b\n", "foo: 42\n", r#"{"foo": 42, "bar": "b"}"#);
}

#[test]
fn integers_are_floats_but_floats_are_not_integers() {
    accepted("---\nf: 1.5\n", "f: 3\n", r#"{"f": 3}"#);
    refused(
        "---\ni: 1\n",
        "i: 3.0\n",
        "
values.yml:
    |
  1 | i: 3.0
    |

    = found: float
    = expected: integer (by schema.yml:2)

",
    );
}

#[test]
fn any_type_takes_anything_and_nullable_null() {
    accepted("---\n#@schema/type any=True\na: 1\n", "a: {\"x\": [1]}\n", r#"{"a": {"x": [1]}}"#);
    accepted("---\na:\n#@schema/nullable\n- 1\n", "a: [1, null]\n", r#"{"a": [1, None]}"#);
    refused(
        "---\n#@schema/nullable\na: 1\nb: 1\n",
        "a: x\nb: null\n",
        "
values.yml:
    |
  1 | a: x
    |

    = found: string
    = expected: integer (by schema.yml:3)

values.yml:
    |
  2 | b: null
    |

    = found: null
    = expected: integer (by schema.yml:4)

",
    );
}

#[test]
fn unknown_keys_are_reported_with_the_known_ones() {
    let extra = "
Given data value is not declared in schema
values.yml:
    |
  5 | extra: {}
    |

    = found: extra
    = expected: one of { db, name } (from schema.yml:1)

Given data value is not declared in schema
values.yml:
    |
  2 |   hots: a
    |

    = found: hots
    = expected: one of { host, port } (from schema.yml:2)

values.yml:
    |
  3 |   port: \"5432\"
    |

    = found: string
    = expected: integer (by schema.yml:4)

values.yml:
    |
  4 | name: 7
    |

    = found: integer
    = expected: string (by schema.yml:5)

";
    let schema = "---\ndb:\n  host: \"\"\n  port: 0\nname: x\n";
    refused(schema, "db:\n  hots: a\n  port: \"5432\"\nname: 7\nextra: {}\n", extra);
}

#[test]
fn the_key_that_may_have_been_meant_is_named() {
    let schema: Vec<String> = (0..10).map(|n| format!("hostname{n}: 1\n")).collect();
    refused(
        &format!("---\n{}", schema.concat()),
        "Host_name3x: 1\n",
        "
Given data value is not declared in schema
values.yml:
    |
  1 | Host_name3x: 1
    |

    = found: Host_name3x
    = expected: a key declared in map (from schema.yml:1)
    = hint: did you mean \"hostname3\"?

",
    );
}

#[test]
fn keys_that_are_no_strings_are_listed_as_ytt_does() {
    refused(
        "---\ntrue: 1\n2: 3\n1.5: 2\n",
        "foo: 1\n",
        "
Given data value is not declared in schema
values.yml:
    |
  1 | foo: 1
    |

    = found: foo
    = expected: one of { %!s(bool=true), %!s(float64=1.5), %!s(int=2) } (from schema.yml:1)

",
    );
}

#[test]
fn misplaced_maps_and_arrays_are_reported_first_and_alone() {
    let schema = "---\na: [true]\nb: 1\nm:\n  k: 1\n";
    refused(
        schema,
        "a: [[1], {}, 3]\nb: {}\nm: [1]\nx: 1\n",
        "
values.yml:
    |
  1 | a: [[1], {}, 3]
    |

    = found: array
    = expected: boolean (by schema.yml:2)

values.yml:
    |
  1 | a: [[1], {}, 3]
    |

    = found: map
    = expected: boolean (by schema.yml:2)

values.yml:
    |
  2 | b: {}
    |

    = found: map
    = expected: integer (by schema.yml:3)

values.yml:
    |
  3 | m: [1]
    |

    = found: array
    = expected: map (by schema.yml:4)

",
    );
    // A scalar in the place of a collection has its own message.
    refused(
        schema,
        "m: 1\nx: 1\n",
        "
Given data value is not declared in schema
values.yml:
    |
  2 | x: 1
    |

    = found: x
    = expected: one of { a, b, m } (from schema.yml:1)

values.yml:
    |
  1 | m: 1
    |

    = found: integer
    = expected: map (by schema.yml:4)

",
    );
}

#[test]
fn a_document_without_a_marker_has_no_line_to_show() {
    refused(
        "---\na: 1\n",
        "- 1\n",
        "
values.yml:
    |
  1 | 
    |

    = found: array
    = expected: map (by schema.yml:1)

",
    );
}

#[test]
fn values_without_a_place_are_shown_as_calculated() {
    let declared = declared("---\nfoo: 3\nbar: \"\"\narr:\n- 0\nm:\n  k: \"\"\n");
    let given = node("{'foo': 5.0, 'bar': None, 'arr': ['x', {'a': 1}], 'm': {'k': True}}");
    let mut document = declared.defaults();
    document.node = merged(&document.node, &given);
    let report = declared.checked(&mut document, Touched::Everything);
    assert_eq!(
        report.expect_err("a map where an integer is wanted"),
        "
One or more data values were invalid
====================================

Data value calculated:
    #
    # - {\"a\": 1}
    #

    = found: map
    = expected: integer (by schema.yml:5)

"
    );
    let given = node("{'foo': 5.0, 'bar': None, 'arr': ['x'], 'm': {'k': True}}");
    let mut document = declared.defaults();
    document.node = merged(&document.node, &given);
    let report = declared.checked(&mut document, Touched::Everything).expect_err("wrong types");
    let lines: Vec<&str> = report.lines().filter(|line| line.starts_with("    # ")).collect();
    assert_eq!(lines, ["    # foo: 5", "    # bar: <nil>", "    # - \"x\"", "    # k: true"]);
}

#[test]
fn a_path_or_the_merged_keys_are_enough_to_look_at() {
    let declared =
        declared("---\na:\n  b:\n    c: 1\n    d: 2\n#@schema/nullable\nm:\n  x: 1\n  z: 2\n");
    let values = "a:\n  b:\n    c: text\nm:\n  x: 5\n";
    let given = read(&declared.sources, "v.yml", values, &Names::new());
    let document = declared.given(values);
    let (changed, unchanged) = (path(&["a", "b", "c"]), path(&["a", "b", "d"]));
    let report = |touched| declared.checked(&mut document.clone(), touched);
    let whole = report(Touched::Everything).expect_err("a wrong type");
    assert_eq!(report(Touched::Keys(&given.node)).expect_err("a wrong type"), whole);
    assert_eq!(report(Touched::Path(&changed)).expect_err("a wrong type"), whole);
    assert_eq!(report(Touched::Path(&unchanged)), Ok(()));

    let values = "m:\n  x: 5\n";
    let given = read(&declared.sources, "v.yml", values, &Names::new());
    for touched in [Touched::Everything, Touched::Keys(&given.node), Touched::Path(&path(&["m"]))] {
        let mut document = declared.given(values);
        assert_eq!(declared.checked(&mut document, touched), Ok(()));
        let expected = r#"{"a": {"b": {"c": 1, "d": 2}}, "m": {"x": 5, "z": 2}}"#;
        assert_eq!(show(&document.node), expected);
    }
}

#[test]
fn unknown_keys_of_a_step_are_reported_in_the_order_of_the_document() {
    let declared = declared("---\na: 1\nb: 2\n");
    let values = "v: 1\nb: x\na: x\nz: 1\n";
    let given = read(&declared.sources, "v.yml", values, &Names::new());
    let document = declared.given(values);
    let report = |touched| declared.checked(&mut document.clone(), touched);
    assert_eq!(report(Touched::Keys(&given.node)), report(Touched::Everything));
}

#[test]
fn an_array_default_is_not_shared_between_items() {
    let declared = declared(
        "---\napps:\n- name: \"\"\n  #@schema/default [{\"port\": 80}]\n  ports:\n  - port: 0\n",
    );
    let mut document = declared.given("apps:\n- name: one\n- name: two\n");
    declared.checked(&mut document, Touched::Everything).expect("values that conform");
    let apps = document.node.map_mut().expect("a map").item_mut(0).node.array_mut();
    let first = apps.expect("an array").items[0].node.map_mut().expect("a map");
    let ports = first.item_mut(1).node.array_mut().expect("an array");
    ports.items.clear();
    assert_eq!(
        show(&document.node),
        r#"{"apps": [{"name": "one", "ports": []}, {"name": "two", "ports": [{"port": 80}]}]}"#
    );
    let expected = r#"{"apps": []}"#;
    assert_eq!(show(&declared.defaults().node), expected);
}

#[test]
fn deep_documents_are_walked_to_the_bottom() {
    const DEPTH: usize = 10_000;
    let work = || {
        let declared = declared("---\n#@schema/type any=True\na: 1\n");
        let mut deep = Node::Int(1);
        for _ in 0..DEPTH {
            let item = MapItem::new("k".into(), deep, Origin::Unknown);
            deep = Node::map(Map::new(vec![item], Origin::Unknown));
        }
        let document = Document::new(deep, Origin::Unknown);
        let compiled = uncounted::compile(&document, &declared.sources);
        let schema = compiled.expect("a schema however deep");
        let mut values = document.clone();
        assert!(uncounted::conform(&schema, &mut values, Touched::Everything).is_empty());
        assert_eq!(uncounted::openapi(&schema).node.as_map().map(Map::len), Some(4));
    };
    let thread = std::thread::Builder::new().stack_size(256 << 20).spawn(work);
    thread.expect("a thread").join().expect("no overflow");
}

#[test]
fn deprecated_values_in_use_are_warned_about() {
    let text = "---\n#@schema/deprecated \"use b\"\na: 1\nb: 2\n#@schema/deprecated \"\"\nm:\n  x: 1\n  z: 2\nl:\n- #@schema/deprecated\n";
    let text = text.replace(
        "l:\n- #@schema/deprecated\n",
        "l:\n- p: 1\n  #@schema/deprecated \"gone\"\n  q: 2\n",
    );
    let declared = declared(&text);
    let warnings = |values: &str| -> Vec<String> {
        let mut document = declared.given(values);
        declared.checked(&mut document, Touched::Everything).expect("values that conform");
        let warnings = plumb_schema::deprecations(&declared.schema, &document);
        warnings.into_iter().map(|it| it.message.shown().to_owned()).collect()
    };
    assert!(warnings("b: 3\nl:\n- p: 3\n").is_empty());
    assert_eq!(warnings("a: 1\n"), ["`a` is deprecated: use b"]);
    assert_eq!(warnings("m:\n  z: 3\n"), ["`m` is deprecated"]);
    assert_eq!(warnings("l:\n- p: 1\n- q: 2\n"), ["`l[1].q` is deprecated: gone"]);
}

#[test]
fn a_finding_shows_the_value_before_the_schema() {
    let declared = declared("---\nport: 80\n");
    let mut document = declared.given("port: http\nprot: 1\n");
    let mismatches = uncounted::conform(&declared.schema, &mut document, Touched::Everything);
    let failure = plumb_schema::failure(mismatches, &declared.sources);
    let colour = plumb_diagnostic::pretty::Colour::Never;
    let text = plumb_diagnostic::pretty::render_failure(&failure, &declared.sources, colour);
    assert_eq!(
        text,
        "\
error[schema/unknown-key]: `prot` is not declared in the schema
 --> values.yml:2:1
  |
2 | prot: ***
  | ^^^^^^^^^ expected the key `port`
  |
 ::: schema.yml:1:1
  |
1 | ---
  | --- declared here
  |
  = help: did you mean \"port\"?

error[schema/type-mismatch]: `port` must be an integer, not a string
 --> values.yml:1:1
  |
1 | port: ***
  | ^^^^^^^^^ expected integer
  |
 ::: schema.yml:2:1
  |
2 | port: ***
  | --------- declared here
"
    );
}
