//! A limit ends a run: `assert.try_to` does not catch it, whichever built-in function calls the
//! function that reaches it.

use std::sync::Arc;

use plumb::{Limits, Options, World, render};
use plumb_testkit::MemoryWorld;

const LOADS: &str = "#@ load(\"@ytt:assert\", \"assert\")\n#@ load(\"@ytt:overlay\", \"overlay\")\n#@ load(\"@ytt:template\", \"template\")\n#@ load(\"@ytt:regexp\", \"regexp\")\n#@ load(\"@ytt:struct\", \"struct\")\n#@ load(\"@ytt:library\", \"library\")\n";

/// Functions that take any arguments and do not end. The limit of nested calls is not reached for
/// good: an attempt that caught it could go on.
const ENDLESS: [&str; 2] = [
    "#@ def endless(*args, **kwargs): return endless()\n",
    "#@ def endless(*args, **kwargs):\n#@   x = 0\n#@   for i in range(1000000000):\n#@     x = i\n#@   end\n#@   return x\n#@ end\n",
];

/// Fragments whose annotations call it.
const FRAGMENTS: &str = "#@ def left():\na: 1\nb:\n- c: 1\n#@ end\n#@ def replaced():\n#@overlay/replace via=endless\na: 1\n#@ end\n#@ def matched():\n#@overlay/match by=endless\na: 1\n#@ end\n#@ def item():\nb:\n#@overlay/match by=endless\n- c: 1\n#@ end\n#@ def counted():\n#@overlay/match expects=endless\na: 1\n#@ end\n#@ def or_added():\n#@overlay/match missing_ok=True\n#@overlay/replace or_add=True, via=endless\nz: 1\n#@ end\n#@ def asserted():\n#@overlay/assert via=endless\na: 1\n#@ end\n#@ def built():\na: #@ endless()\n#@ end\n";

const CALLS: &[&str] = &[
    "endless()",
    "sorted([1, 2], key=endless)",
    "max([1, 2], key=endless)",
    "min([1, 2], key=endless)",
    "assert.try_to(endless)",
    "regexp.replace(\"a\", \"aa\", endless)",
    "struct.bind(endless, 1)()",
    "template.replace(built())",
    "overlay.apply(left(), replaced())",
    "overlay.apply(left(), matched())",
    "overlay.apply(left(), item())",
    "overlay.apply(left(), counted())",
    "overlay.apply(left(), or_added())",
    "overlay.apply(left(), asserted())",
    "overlay.subset({})(0, endless(), 1)",
    "assert.validate(\"k\", {\"a\": 1}, (\"rule\", endless))",
    "assert.validate(\"k\", 1, (\"rule\", endless))",
    "assert.validate(\"k\", 1, (\"rule\", lambda v: True), when=endless)",
    "assert.one_of([1]).check(endless())",
    "library.get(\"l\").eval()",
    "library.get(\"l\").with_data_values({\"x\": 2}).data_values()",
    "library.get(\"l\").export(\"g\")",
];

#[test]
fn no_attempt_catches_a_limit() {
    let world: Arc<dyn World> = Arc::new(MemoryWorld::new());
    let mut caught = Vec::new();
    for (endless, call) in ENDLESS.iter().flat_map(|it| CALLS.iter().map(move |call| (it, call))) {
        let text = format!(
            "{LOADS}{endless}{FRAGMENTS}#@ result = assert.try_to(lambda: {call})\na: #@ str(result[0])\ne: #@ str(result[1])\n"
        );
        let schema = format!(
            "{endless}#@data/values-schema\n---\n#@schema/validation (\"rule\", endless)\nx: 1\n"
        );
        let options = Options::new()
            .file("a.yml", text)
            .file("_ytt_lib/l/schema.yml", schema)
            .limits(Limits { steps: 10_000, depth: 100, ..Limits::default() });
        let codes = match render(&world, &options).result {
            Ok(rendered) => {
                let text = plumb::print::yaml(rendered.documents());
                vec![String::from_utf8_lossy(&text).into_owned()]
            }
            Err(failure) => failure.findings().iter().map(|it| it.code.to_string()).collect(),
        };
        if codes != ["template/limit"] {
            caught.push((call, codes));
        }
    }
    assert!(caught.is_empty(), "{caught:#?}");
}

/// Reading and writing decimal digits is quadratic, which the length of a text does not show.
const INTEGERS: &[&str] = &[
    "str([big] * 30)",
    "repr([{1: (big, big)}] * 15)",
    "'%d' * 30 % tuple([big] * 30)",
    "'%s' % ([[big] * 10] * 3)",
    "'{} {}'.format([big] * 15, [big] * 15)",
    "print([big] * 30)",
    "[int(digits) for i in range(30)]",
    "[big * big for i in range(30)]",
    "[big % other for i in range(30)]",
    "[big // other for i in range(30)]",
    "[{big: 1}[big] for i in range(1000)]",
    "[big == same for i in range(1000)]",
];

#[test]
fn work_with_long_integers_is_paid_for() {
    let world: Arc<dyn World> = Arc::new(MemoryWorld::new());
    for expression in INTEGERS {
        let text = format!(
            "#@ digits = '9' * 4000\n#@ big = int(digits)\n#@ same = int(digits)\n#@ other = int('9' * 4000)\n#@ x = {expression}\n"
        );
        let limits = Limits { steps: 12_000, ..Limits::default() };
        let options = Options::new().file("a.yml", text).limits(limits);
        let failure = render(&world, &options).result.expect_err(expression);
        let codes: Vec<_> = failure.findings().iter().map(|it| it.code.as_str()).collect();
        assert_eq!(codes, ["template/limit"], "{expression}");
    }
}

/// Results of subtractions and of unary operators are measured like others.
#[test]
fn long_integers_count_as_memory() {
    let world: Arc<dyn World> = Arc::new(MemoryWorld::new());
    for expression in ["big - i", "-big", "~big", "big + i", "big >> 1"] {
        let text = format!(
            "#@ big = (1 << 511) - 1\n#@ for i in range(7):\n#@   big = big * big\n#@ end\n#@ x = [{expression} for i in range(2000)]\n"
        );
        let limits = Limits { memory: 4 << 20, ..Limits::default() };
        let options = Options::new().file("a.yml", text).limits(limits);
        assert!(render(&world, &options).result.is_err(), "{expression}");
    }
}
