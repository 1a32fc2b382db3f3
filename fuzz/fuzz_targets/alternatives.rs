//! Schemas of nested alternatives and rules, and a value: the verdict is the same each time, and
//! takes memory and time in proportion to the limits, however the alternatives are nested.
//!
//! Four bytes are one fragment of the schema: its kind, two of the fragments before it, and its
//! rule. The first bytes choose the value.

#![no_main]

use std::fmt::Write as _;
use std::time::Duration;

use libfuzzer_sys::fuzz_target;
use plumb::pretty::Colour;
use plumb::{Document, GivenFile, Limits, Outcome, print};
use plumb_fuzz::bounds::{self, Allocator, Bounds};
use plumb_fuzz::{data_values, options};

#[global_allocator]
static ALLOCATOR: Allocator = bounds::allocator();

const LIMITS: Limits =
    Limits { steps: 20_000, depth: 200, native_depth: 20, memory: 2 << 20, regexp: 64 << 10 };

/// What a schema with as many alternatives as are allowed needs: 50,000 nodes of 2 KiB each.
const SCHEMA: usize = 50_000 * 2048;

/// A tenth more than the limit, and what the schema needs.
const BOUNDS: Bounds = Bounds {
    memory: LIMITS.memory as usize / 10 * 11 + SCHEMA,
    time: Duration::from_secs(2),
};

const MAX_FRAGMENTS: usize = 24;

/// What the annotated value is, with `A` and `B` for fragments before it.
const KINDS: &[&str] = &[
    "---\n1\n",
    "---\n\"a\"\n",
    "---\na: 1\n",
    "---\na: \"\"\nb: 2\n",
    "---\n- 1\n",
    "#@schema/any-of A, B\n---\n1\n",
    "#@schema/any-of A, B\n---\na: 1\n",
    "#@schema/one-of A, B\n---\n1\n",
    "#@schema/one-of A, B\n---\na: 1\n",
    "#@schema/all-of A, B\n---\na: 1\n",
    "#@schema/all-of A, B\n---\n1\n",
    "#@schema/nullable\n#@schema/any-of A, B\n---\n\n",
    "#@schema/nullable\n#@schema/one-of A, B\n---\n\n",
    "#@schema/nullable\n#@schema/all-of A, B\n---\n\n",
    "---\n#@schema/any-of A, B\n#@schema/nullable\na: 1\n#@schema/one-of B, A\n#@schema/nullable\nb: 1\n",
    "---\n#@schema/all-of A, B\n#@schema/nullable\na: 1\nN: 1\n",
    "---\n#@schema/any-of A, B, [A], 1, \"\", [B]\n#@schema/nullable\na: 1\n",
    "---\n- a: 1\n  #@schema/any-of A, B\n  #@schema/nullable\n  b: 1\n",
    "#@schema/type any=True\n---\n- 1\n",
    "#@schema/all-of A\n---\nN: 1\n",
    "#@schema/nullable\n#@schema/any-of A, B, A, B\n---\n\n",
];

const RULES: &[&str] = &[
    "",
    "",
    "min=1",
    "max_len=2",
    "one_of=[1, \"a\", {\"a\": 1}]",
    "(\"odd\", lambda v: v % 2 == 1)",
    "(\"long\", lambda v: len(str(v)) > 3), when=lambda v: v != None",
    "min_len=1, when=lambda v, ctx: ctx.root != 1",
    "not_null=True",
    "one_not_null=True",
];

const VALUES: &[&str] = &[
    "1",
    "a",
    "{a: V}",
    "{a: V, b: V}",
    "[V]",
    "[V, V, V]",
    "{b: V, c: 1}",
    "null",
    "{a: {b: V}}",
    "2",
];

fuzz_target!(|input: &[u8]| {
    let (value, fragments) = input.split_at(input.len().min(4));
    let (schema, value) = (schema(fragments), self::value(value));
    let told = || {
        let file =
            |path: &str, text: &str| GivenFile { path: path.into(), bytes: text.as_bytes().into() };
        let files = vec![file("schema.yml", &schema), file("values.yml", &value)];
        told(&data_values(&options(files).limits(LIMITS)))
    };
    let first = BOUNDS.hold(&ALLOCATOR, told);
    assert_eq!(first, told(), "the verdict is the same each time");
});

fn told(outcome: &Outcome<Document>) -> Vec<u8> {
    match &outcome.result {
        Ok(document) => print::yaml([document]),
        Err(failure) => {
            plumb::pretty::render_failure(failure, &outcome.sources, Colour::Never).into_bytes()
        }
    }
}

fn schema(input: &[u8]) -> String {
    let mut text = String::from("#@ f0 = 1\n");
    let mut last = 0;
    for (at, fragment) in input.chunks_exact(4).take(MAX_FRAGMENTS).enumerate() {
        let earlier = |byte: u8| at - usize::from(byte) % (at + 1).min(4);
        let (a, b) = (earlier(fragment[1]), earlier(fragment[2]));
        last = at + 1;
        let _ = writeln!(text, "#@ def g{last}():");
        let rule = RULES[usize::from(fragment[3]) % RULES.len()];
        if !rule.is_empty() {
            let _ = writeln!(text, "#@schema/validation {rule}");
        }
        let kind = KINDS[usize::from(fragment[0]) % KINDS.len()];
        for character in kind.chars() {
            let _ = match character {
                'A' => write!(text, "f{a}"),
                'B' => write!(text, "f{b}"),
                'N' => write!(text, "n{last}"),
                it => write!(text, "{it}"),
            };
        }
        let _ = writeln!(text, "#@ end\n#@ f{last} = g{last}()");
    }
    let _ = writeln!(
        text,
        "#@data/values-schema\n---\n#@schema/any-of f{last}\n#@schema/nullable\nv: 1"
    );
    text
}

fn value(input: &[u8]) -> String {
    let text = input.iter().fold(String::from("V"), |text, &byte| {
        text.replace('V', VALUES[usize::from(byte) % VALUES.len()])
    });
    format!("#@data/values\n---\nv: {}\n", text.replace('V', "1"))
}
