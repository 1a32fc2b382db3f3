//! Schemas of nested alternatives and rules, and a value. The verdict is the same each time, and
//! memory and time are bounded by the limits, independently of the nesting.
//!
//! Four bytes are one fragment of the schema: its kind, two of the fragments before it, and its
//! rule. The first bytes choose the value.

#![no_main]

use std::fmt::Write as _;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use libfuzzer_sys::fuzz_target;
use plumb::pretty::Colour;
use plumb::{Document, Limits, Outcome, print};
use plumb_fuzz::bounds::{self, Allocator, Bounds};
use plumb_fuzz::data_values_yaml;
use plumb_fuzz::prepared::{self, Prepared};
use plumb_source::assume_deep_stack;

#[global_allocator]
static ALLOCATOR: Allocator = bounds::allocator();

/// As small as possible without ending most checks in their first steps. Work that is not counted
/// has no bound, so it exceeds small limits just as well as large ones.
const LIMITS: Limits =
    Limits::DEFAULT.steps(5_000).depth(200).native_depth(20).memory(512 << 10).regexp(64 << 10);

/// Four times the limit, because rules and documentation of schemas are counted by the number of
/// their nodes; plus the memory for the program and its text.
const BOUNDS: Bounds =
    Bounds { memory: LIMITS.memory as usize * 4 + (2 << 20), time: Duration::from_millis(100) };

const MAX_FRAGMENTS: usize = 24;

/// The forms of an annotated value. `A` and `B` stand for earlier fragments, and `N` for a unique
/// name.
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
    "#@yaml/text-templated-strings\n---\n#@schema/all-of A, B\n#@schema/nullable\na: 1\n(@= N @): 1\n",
    "---\n#@schema/any-of A, B, [A], 1, \"\", [B]\n#@schema/nullable\na: 1\n",
    "---\n- a: 1\n  #@schema/any-of A, B\n  #@schema/nullable\n  b: 1\n",
    "#@schema/type any=True\n---\n- 1\n",
    "#@schema/all-of A\n#@yaml/text-templated-strings\n---\n(@= N @): 1\n",
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

/// The file of the functions that create fragments.
const LIBRARY: &str = "fragments.lib.yml";

/// Compiled once for many inputs.
static PREPARED: Mutex<Option<Prepared>> = Mutex::new(None);

fuzz_target!(|input: &[u8]| {
    // `ulimit -s` makes the stack deep; starting a thread would take longer than most inputs.
    assume_deep_stack();
    let (value, fragments) = input.split_at(input.len().min(4));
    let mut prepared = PREPARED.lock().unwrap_or_else(PoisonError::into_inner);
    let text = format!("{}{}", schema(fragments), self::value(value));
    let options = prepared::with(&mut prepared, || (LIBRARY, library()), text).limits(LIMITS);
    let first = BOUNDS.hold(&ALLOCATOR, || result(&data_values_yaml(&options)));
    // One input in eight, chosen by its bytes.
    if input.iter().fold(0, |sum: u8, it| sum.wrapping_mul(31).wrapping_add(*it)).is_multiple_of(8)
    {
        assert_eq!(first, result(&data_values_yaml(&options)), "the verdict is the same each time");
    }
});

fn result(outcome: &Outcome<Document>) -> Vec<u8> {
    match &outcome.result {
        Ok(document) => print::yaml([document]),
        Err(failure) => {
            plumb::pretty::render_failure(failure, &outcome.sources, Colour::Never).into_bytes()
        }
    }
}

/// A function for each kind and rule, which creates a fragment from two others.
fn library() -> String {
    let mut text = String::new();
    let mut names = Vec::new();
    for (rule_number, rule) in RULES.iter().enumerate() {
        for (kind_number, kind) in KINDS.iter().enumerate() {
            let name = format!("make_{rule_number}_{kind_number}");
            let _ = writeln!(text, "#@ def {name}(A, B, N):");
            if !rule.is_empty() {
                let _ = writeln!(text, "#@schema/validation {rule}");
            }
            let _ = writeln!(text, "{kind}#@ end");
            names.push(name);
        }
    }
    let _ = write!(text, "#@ makers = [{}]\n{START}", names.join(", "));
    text
}

/// Creates fragments from earlier ones. The last one is the schema of a data value.
const START: &str = "#@ def run(fragments):
#@   made = [1]
#@   for maker, a, b in fragments:
#@     made.append(makers[maker](made[a], made[b], \"n%d\" % len(made)))
#@   end
#@   return made[-1]
#@ end
";

fn schema(input: &[u8]) -> String {
    let fragment = |(at, fragment): (usize, &[u8])| {
        let earlier = |byte: u8| at - usize::from(byte) % (at + 1).min(4);
        let kind = usize::from(fragment[0]) % KINDS.len();
        let rule = usize::from(fragment[3]) % RULES.len();
        let maker = rule * KINDS.len() + kind;
        format!("({maker}, {}, {})", earlier(fragment[1]), earlier(fragment[2]))
    };
    let fragments = input.chunks_exact(4).take(MAX_FRAGMENTS).enumerate().map(fragment);
    let fragments: Vec<String> = fragments.collect();
    format!(
        "#@ load(\"{LIBRARY}\", \"run\")\n#@data/values-schema\n---\n#@schema/any-of run([{}])\n#@schema/nullable\nv: 1\n",
        fragments.join(", ")
    )
}

fn value(input: &[u8]) -> String {
    let text = input.iter().fold(String::from("V"), |text, &byte| {
        text.replace('V', VALUES[usize::from(byte) % VALUES.len()])
    });
    format!("#@data/values\n---\nv: {}\n", text.replace('V', "1"))
}
