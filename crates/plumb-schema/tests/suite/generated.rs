//! Generated schemas of both dialects, and values for them. They are the same in every run.

use std::fmt::Write as _;
use std::sync::Arc;

use plumb_schema::prepare;
use plumb_source::Sources;
use plumb_value::{Datum, Document, Node};

use super::{Declared, read};
use crate::notation::Names;
use crate::uncounted;

/// Pseudo-random numbers, which are the same in every run (`SplitMix64`).
struct Dice(u64);

impl Dice {
    fn below(&mut self, n: u64) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        usize::try_from((z ^ (z >> 31)) % n).expect("a small number")
    }

    fn one<'a>(&mut self, choices: &[&'a str]) -> &'a str {
        choices[self.below(choices.len() as u64)]
    }

    fn is_once_in(&mut self, n: u64) -> bool {
        self.below(n) == 0
    }
}

const STRINGS: &[&str] = &[
    "\"\"",
    "\"a\"",
    "\"bb\"",
    "\"abé\"",
    "\"é\"",
    "\"c.b\"",
    "\"a\\nb\"",
    "\"10.0.0.1\"",
    "\"a@b.example\"",
];
const INTS: &[&str] = &["-1", "0", "1", "2", "3", "4", "6", "7"];
const FLOATS: &[&str] = &["-0.5", "0.25", "1.5", "2.75", "1e30"];

const STRING_RULES: &[&str] = &[
    "min_len=1",
    "max_len=2",
    "len=1",
    "one_of=[\"a\", \"bb\"]",
    "starts_with=\"a\"",
    "ends_with=\".b\"",
    "contains=\"é\"",
    "matches=\"^[a-c]+$\"",
    "matches=\"(?i)^A|\\\\bb\"",
    "not_null=True",
    "format=\"ipv4\"",
    "format=\"email\"",
    "cel=\"self.size() < 2 || self.contains('b')\"",
    "cel=[\"self != 'a'\", (\"no {{c}}\", \"!self.startsWith('c')\")]",
    "max=\"b\"",
];
const INT_RULES: &[&str] = &[
    "min=2",
    "max=5",
    "even=True",
    "odd=True",
    "multiple_of=3",
    "greater_than=2",
    "less_than=5",
    "one_of=[1, 2.0, 3]",
    "not_null=True",
    "cel=\"self % 3 != 0 && self < 7\"",
];
const FLOAT_RULES: &[&str] = &[
    "min=0.5",
    "max=2",
    "greater_than=0.5",
    "less_than=2",
    "multiple_of=0.25",
    "odd=True",
    "one_of=[1.5, 7]",
    "not_null=True",
];
const ARRAY_RULES: &[&str] = &[
    "min_len=1",
    "max_len=2",
    "len=1",
    "contains=1",
    "unique=True",
    "not_null=True",
    "cel=\"self.all(x, self.exists_one(y, x == y))\"",
];
const MAP_RULES: &[&str] = &[
    "one_not_null=True",
    "one_not_null=[\"k0\", \"k1\"]",
    "cel=\"!has(self.k1) || self.k0 == self.k1\"",
    "cel=\"has(self.k0) && self.k0 != 1\"",
];
const ANY_RULES: &[&str] = &[
    "min_len=1",
    "min=2",
    "greater_than=2",
    "unique=True",
    "one_of=[\"a\", 1, [1]]",
    "not_null=True",
    "even=True",
    "len=2",
];

/// Alternatives that the schemas can name; each accepts 1 or null.
const FRAGMENTS: &[&str] =
    &["an_int", "small", "maybe", "text_or_null", "open", "closed", "listed"];

fn fragments(sources: &Sources) -> Names {
    let fragment = |text: &str| Datum::Documents(vec![read(sources, "f.yml", text, &Names::new())]);
    Names::from([
        ("an_int", fragment("#@schema/nullable\n---\n1\n")),
        ("small", fragment("#@schema/nullable\n#@schema/validation max=2\n---\n1\n")),
        ("maybe", fragment("#@schema/type any=True\n---\n1\n")),
        ("text_or_null", fragment("#@schema/type \"string\", \"int\", \"null\"\n---\n1\n")),
        (
            "open",
            fragment(
                "#@schema/type \"map\", \"int\", \"null\"\n#@schema/validation not_null=True\n---\n1\n",
            ),
        ),
        (
            "closed",
            fragment("#@schema/nullable\n---\n#@schema/validation min_len=1\na: \"\"\nb: 1\n"),
        ),
        ("listed", fragment("#@schema/nullable\n---\n- 1\n")),
    ])
}

/// Alternatives that are maps. Some have the keys of others, and are distinguished by rules.
const MAPS: &[&str] = &["oidc", "ldap", "named", "typed", "part"];

/// Values for a node with such alternatives.
const MAP_VALUES: &[&str] = &[
    "{\"kind\": \"oidc\"}",
    "{\"kind\": \"ldap\"}",
    "{\"kind\": \"ldap\", \"host\": \"h\"}",
    "{\"host\": \"h\"}",
    "{\"host\": \"\"}",
    "{\"issuer\": \"i\"}",
    "{\"name\": \"n\"}",
    "{\"name\": \"n\", \"ports\": [{}]}",
    "{\"x\": 1}",
    "{\"x\": 1, \"host\": 2}",
    "{}",
];

fn map_fragments(sources: &Sources) -> Names {
    let fragment = |text: &str| Datum::Documents(vec![read(sources, "f.yml", text, &Names::new())]);
    Names::from([
        (
            "oidc",
            fragment(
                "---\n#@schema/validation one_of=[\"oidc\"]\nkind: oidc\n#@schema/validation min_len=1\nissuer: \"\"\n",
            ),
        ),
        (
            "ldap",
            fragment(
                "---\n#@schema/validation one_of=[\"ldap\"]\nkind: ldap\n#@schema/validation min_len=1\nhost: \"\"\nissuer: \"\"\n",
            ),
        ),
        ("named", fragment("---\nname: a\nports:\n- port: 80\n")),
        ("typed", fragment("---\n#@schema/any-key\n#@schema/validation min=1\n_: 0\n")),
        ("part", fragment("---\n#@schema/key-may-be-present\nhost: \"\"\nx: 1\n")),
    ])
}

/// A schema as text: the value of an item at this indentation, with the annotations before it.
fn sample(dice: &mut Dice, indent: usize, depth: usize) -> (String, String) {
    let mut annotations = String::new();
    let mut annotate = |text: &str| {
        let _ = writeln!(annotations, "{:indent$}#@schema/{text}", "");
    };
    let kinds = if depth == 0 { 9 } else { 13 };
    let (value, rules) = match dice.below(kinds) {
        0 => (format!(" {}", dice.one(&["true", "false"])), &["one_of=[True]"] as &[&str]),
        1 => (format!(" {}", dice.one(INTS)), INT_RULES),
        2 => (format!(" {}", dice.one(FLOATS)), FLOAT_RULES),
        3 => (format!(" {}", dice.one(STRINGS)), STRING_RULES),
        4 => {
            annotate("type any=True");
            let value = dice.one(&["1", "\"a\"", "[1, \"x\"]", "{}", "null"]);
            (format!(" {value}"), ANY_RULES)
        }
        5 => {
            annotate("type \"int\", \"string\"");
            (format!(" {}", dice.one(&["1", "\"a\""])), ANY_RULES)
        }
        6 => {
            let mode = dice.one(&["any-of", "one-of", "all-of"]);
            annotate(&format!("{mode} {}, {}", dice.one(FRAGMENTS), dice.one(FRAGMENTS)));
            // The value of the node is the default, and must conform.
            let value = if mode == "all-of" { "null" } else { "1" };
            (format!(" {value}"), ANY_RULES)
        }
        7 => {
            let mode = dice.one(&["any-of", "one-of", "any-of"]);
            annotate(&format!("{mode} {}, {}, {}", dice.one(MAPS), dice.one(MAPS), dice.one(MAPS)));
            (format!(" {}", dice.one(MAP_VALUES)), &["not_null=True"] as &[&str])
        }
        8 => {
            annotate(dice.one(&[
                "type \"map\"",
                "type \"map\", \"null\"",
                "type \"map\", \"int\"",
            ]));
            (format!(" {}", dice.one(&["{}", "{\"x\": 1}"])), &["not_null=True"] as &[&str])
        }
        9 => {
            let inner = indent + 2;
            let (before, item) = sample(dice, inner, depth - 1);
            let value = format!("\n{before}{:inner$}-{item}", "");
            (value, ARRAY_RULES)
        }
        10 => {
            if dice.is_once_in(2) {
                annotate("default {\"a\": 1, \"k\": {\"b\": \"x\"}}");
            }
            let value = "\n  #@schema/validation min=1\n  a: 0\n  k:\n    #@schema/validation min_len=1\n    b: \"\"\n    #@schema/any-key\n    #@schema/validation min_len=1\n    _: \"\"";
            (value.replace('\n', &format!("\n{:indent$}", "")), &[] as &[&str])
        }
        _ => (format!("\n{}", map(dice, indent + 2, depth - 1).trim_end()), MAP_RULES),
    };
    if dice.is_once_in(4) {
        annotate("nullable");
    }
    if !rules.is_empty() && dice.is_once_in(2) {
        let first = dice.one(rules);
        let second = dice.one(rules);
        let is_pair = dice.is_once_in(3) && first.split('=').next() != second.split('=').next();
        annotate(&format!(
            "validation {first}{}",
            if is_pair { format!(", {second}") } else { String::new() }
        ));
    }
    (annotations, value)
}

fn map(dice: &mut Dice, indent: usize, depth: usize) -> String {
    let mut out = String::new();
    for n in 0..=dice.below(4) {
        let (annotations, value) = sample(dice, indent, depth);
        if dice.is_once_in(8) {
            let _ = writeln!(out, "{:indent$}#@schema/key-may-be-present", "");
        } else if dice.is_once_in(40) && !annotations.contains("schema/default") {
            let _ = writeln!(out, "{:indent$}#@schema/required", "");
        }
        if dice.is_once_in(4) {
            let _ = writeln!(out, "{:indent$}#@schema/allow-empty", "");
        }
        let _ = writeln!(out, "{annotations}{:indent$}k{n}:{value}", "");
    }
    if dice.is_once_in(8) {
        let (annotations, value) = sample(dice, indent, depth);
        let _ =
            writeln!(out, "{annotations}{:indent$}#@schema/any-key\n{:indent$}k9:{value}", "", "");
    }
    out
}

/// A value that mostly has the shape of another.
fn value_like(dice: &mut Dice, node: &Node, depth: usize) -> String {
    if depth == 0 || dice.is_once_in(12) {
        return dice
            .one(&["null", "true", "3", "1.5", "\"a\"", "[]", "[1]", "{}", "{\"k0\": 1}"])
            .to_owned();
    }
    match node {
        Node::Null => {
            dice.one(&["null", "1", "\"a\"", "[1, 2]", "{\"a\": 1}", "2", "\"abc\""]).to_owned()
        }
        Node::Bool(_) => dice.one(&["true", "false"]).to_owned(),
        Node::Int(_) | Node::UInt(_) => dice.one(INTS).to_owned(),
        Node::Float(_) => {
            let choices = if dice.is_once_in(4) { INTS } else { FLOATS };
            dice.one(choices).to_owned()
        }
        Node::String(_) => dice.one(STRINGS).to_owned(),
        Node::Map(_) if dice.is_once_in(6) => dice.one(MAP_VALUES).to_owned(),
        Node::Map(map) => {
            let mut items = Vec::new();
            for item in map.items() {
                if !dice.is_once_in(4) {
                    let value = value_like(dice, &item.node, depth - 1);
                    items.push(format!("\"{}\": {value}", item.key.as_str().unwrap_or("k")));
                }
            }
            if dice.is_once_in(15) {
                items.push("\"other\": 1".to_owned());
            }
            format!("{{{}}}", items.join(", "))
        }
        Node::Array(array) => {
            let sample = array.items.first().map_or(Node::Null, |item| item.node.clone());
            let items = (0..dice.below(4)).map(|_| value_like(dice, &sample, depth - 1));
            format!("[{}]", items.collect::<Vec<_>>().join(", "))
        }
    }
}

pub(crate) struct Generated {
    pub(crate) text: String,
    pub(crate) declared: Declared,
    /// The schema document, as the shape of values.
    shape: Node,
    dice: Dice,
}

pub(crate) fn generated(seed: u64) -> Generated {
    let mut dice = Dice(seed);
    let dialect = dice.one(&[
        "",
        "",
        "#@schema\n",
        "#@schema\n",
        "#@schema/validation-defaults-for-strings min_len=1\n",
    ]);
    loop {
        let text = format!("{dialect}---\n{}", map(&mut dice, 0, 3));
        let sources = Sources::new();
        let mut names = fragments(&sources);
        names.extend(map_fragments(&sources));
        let mut document = read(&sources, "schema.yml", &text, &names);
        prepare(&mut document).expect("nothing attached");
        // Alternatives are paired at random, and not all accept the default.
        let Ok(schema) = uncounted::compile(&document, &sources) else {
            continue;
        };
        let declared = Declared { sources: Arc::new(sources), schema };
        let shape = document.node;
        return Generated { text, declared, shape, dice };
    }
}

impl Generated {
    pub(crate) fn value(&mut self) -> Document {
        let text = value_like(&mut self.dice, &self.shape, 5);
        read(&self.declared.sources, "values.yml", &text, &Names::new())
    }
}
