//! A limit ends a run: `assert.try_to` does not catch it, independently of the built-in function
//! that calls the function.

use std::sync::Arc;

use plumb::{Limits, Options, ReferenceOptions, World, render, schema_reference};
use plumb_testkit::MemoryWorld;

const LOADS: &str = "#@ load(\"@ytt:assert\", \"assert\")\n#@ load(\"@ytt:overlay\", \"overlay\")\n#@ load(\"@ytt:template\", \"template\")\n#@ load(\"@ytt:regexp\", \"regexp\")\n#@ load(\"@ytt:struct\", \"struct\")\n#@ load(\"@ytt:library\", \"library\")\n";

/// Functions that take any arguments and do not end. The limit of nested calls alone would not end
/// them: code that catches it could continue.
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
            .limits(Limits::default().steps(10_000).depth(100));
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

/// Reading and writing decimal digits takes quadratic time, which the length of a text does not
/// show.
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
        let limits = Limits::default().steps(12_000);
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
        let limits = Limits::default().memory(4 << 20);
        let options = Options::new().file("a.yml", text).limits(limits);
        assert!(render(&world, &options).result.is_err(), "{expression}");
    }
}

/// A thread that evaluates does not reserve all steps of a small limit, because native code needs
/// some.
#[test]
fn native_work_has_a_share_of_a_small_limit() {
    let world: Arc<dyn World> = Arc::new(MemoryWorld::new());
    let text = "#@ load(\"@ytt:json\", \"json\")\n#@ for i in range(100):\n#@   x = json.encode({\"a\": [i]})\n#@ end\na: #@ x\n";
    let options = Options::new().file("a.yml", text).limits(Limits::default().steps(5_000));
    assert!(render(&world, &options).result.is_ok());
}

/// A schema of alternatives that contain one another: `levels` of them, each with two.
fn nested_alternatives(levels: usize, annotation: &str, sample: &str, value: &str) -> Options {
    let mut parts = vec![format!("#@ def s0():\n---\n{sample}\n#@ end\n")];
    parts.extend((1..=levels).map(|level| {
        let below = level - 1;
        format!(
            "#@ def s{level}():\n#@schema/{annotation} s{below}(), s0()\n---\n{sample}\n#@ end\n"
        )
    }));
    parts.push(format!("#@data/values-schema\n---\n#@schema/any-of s{levels}()\nv: {sample}\n"));
    Options::new().file("schema.yml", parts.concat()).data_value_yaml("v", value)
}

/// The steps that checking takes grow with the depth of alternatives, not with its third power.
#[test]
fn nested_alternatives_take_steps_in_proportion() {
    let world: Arc<dyn World> = Arc::new(MemoryWorld::new());
    let cases = [
        ("any-of", "1", "2"),
        ("any-of", "1", "\"a\""),
        ("any-of", "{a: 1}", "{a: 2}"),
        ("any-of", "{a: 1, b: 1}", "{a: 2}"),
        ("any-of", "{a: 1, b: 1}", "{a: x}"),
        ("all-of", "{a: 1, b: 1}", "{a: 2}"),
        ("one-of", "1", "2"),
        ("any-of", "[1]", "[2, 3]"),
    ];
    for (annotation, sample, value) in cases {
        let least = |levels: usize| {
            let is_enough = |steps: u64| {
                let options = nested_alternatives(levels, annotation, sample, value);
                let options = options.limits(Limits::default().steps(steps));
                match plumb::data_values(&world, &options).result {
                    Ok(_) => true,
                    Err(failure) => {
                        let codes = failure.findings().iter().map(|it| it.code.as_str());
                        !{ codes }
                            .any(|it| ["template/limit", "validation/rule-stopped"].contains(&it))
                    }
                }
            };
            (8..30).map(|power| 1_u64 << power).find(|&steps| is_enough(steps)).expect("it ends")
        };
        let (few, many) = (least(12), least(48));
        assert!(many <= 16 * few, "{annotation} {sample} {value}: {few} steps, then {many}");
        assert!(many > few, "{annotation} {sample} {value}: steps are counted");
    }
}

/// Native work on `s` and `t`, equal texts of twenty thousand bytes, and on `l`, a list of 2,000
/// numbers. Each call takes many more steps than the loop around it.
const NATIVE: &[&str] = &[
    "md5.sum(s)",
    "sha256.sum(s)",
    "base64.encode(s)",
    "base64.decode(s)",
    "hash(s)",
    "json.encode(l)",
    "json.encode(s)",
    "json.decode(numbers)",
    "yaml.encode(l)",
    "yaml.encode(s)",
    "yaml.decode(numbers)",
    "toml.encode({\"a\": l})",
    "toml.decode(\"a = \" + numbers)",
    "struct.encode({\"a\": l})",
    "struct.decode(structure)",
    "overlay.apply({\"a\": l}, {\"a\": 1})",
    "overlay.subset(l)",
    "template.replace(l)",
    "assert.equals(l, l)",
    "assert.unique()(l)",
    "assert.one_of(l)",
    "url.path_segment_encode(s)",
    "url.query_param_value_encode(s)",
    "url.query_params_encode({\"a\": [s]})",
    "url.query_params_decode(s)",
    "url.parse(s)",
    "regexp.match(\"^a+$\", s)",
    "regexp.replace(\"a\", s, \"b\")",
    "ip.parse_addr(s)",
    "int(\"1\" * 4000)",
    "float(s)",
    "str(l)",
    "repr(s)",
    "\"%s\" % (l,)",
    "\"{}\".format(l)",
    "s.strip(\"b\")",
    "s.lstrip(\"a\")",
    "s.rstrip(\"a\")",
    "s.partition(\"b\")",
    "s.rpartition(\"b\")",
    "s.startswith(t)",
    "s.endswith(t)",
    "s.find(\"b\")",
    "s.rfind(\"b\")",
    "s.index(\"a\")",
    "s.count(\"b\")",
    "s.split(\"b\")",
    "s.splitlines()",
    "s.replace(\"b\", \"c\")",
    "s.upper()",
    "s.title()",
    "s.isalnum()",
    "s == t",
    "s < t",
    "s in t",
    "s + \"b\"",
    "s[1:]",
    "s[::-1]",
    "[s] == [t]",
    "-1 in l",
    "l == m",
    "l.index(1999)",
    "sorted(l)",
    "max(l)",
    "sum_of(*l)",
    "dict(zip(l, l))",
    "set(l)",
    "list(l)",
    "tuple(l)",
    "reversed(l)",
    "enumerate(l)",
    "bytes(s)",
    "bytes(zeros)",
    "bytes(b.elems())",
    "b + b",
    "b * 2",
    "b[::2]",
    "b[1:]",
    "b == c",
    "b < c",
    "b in c",
    "1 in b",
    "hash(b)",
    "str(b)",
    "repr(b)",
    "list(b.elems())",
    "{b: 1}",
    "{s: 1}",
    "{s: 1}[t]",
    "[b] == [c]",
    "base64.encode(b)",
    "f\"{s}\"",
    "f\"{l}\"",
    "f\"{b}\"",
    "f\"{f'{l}'}\"",
    "any(zeros)",
    "all(l)",
    "l + l",
    "l[1:]",
    "assert.matches(\"(a|b){9}\")",
    "assert.matches(\"(a|b){50}c\").check(s)",
    "assert.one_of(l).check(-1)",
    "assert.unique().check(l)",
    "assert.cel(\"self.all(x, x >= 0)\").check(l)",
    "assert.validate(\"a\", l, cel=\"self.all(x, x >= 0)\")",
    "assert.validate(\"a\", s, matches=\"a*\")",
];

#[test]
fn native_work_is_paid_for() {
    const MODULES: &str = "md5 sha256 base64 json yaml toml struct overlay template assert url \
                           regexp ip";
    let loads: Vec<String> = MODULES
        .split_whitespace()
        .map(|it| format!("#@ load(\"@ytt:{it}\", \"{it}\")\n"))
        .collect();
    let loads = loads.concat();
    let world: Arc<dyn World> = Arc::new(MemoryWorld::new());
    let codes = |expression: &str| -> Vec<String> {
        let text = format!(
            "{loads}#@ def sum_of(*args): return 0\n#@ s = \"a\" * 20000\n#@ t = \"a\" * 19999 + \"a\"\n#@ l = list(range(2000))\n#@ m = list(range(2000))\n#@ zeros = [0] * 2000\n#@ b = bytes(s)\n#@ c = bytes(t)\n#@ numbers = \"[\" + \"1, \" * 10000 + \"1]\"\n#@ structure = struct.encode({{\"a\": l}})\n#@ for i in range(300):\n#@   assert.try_to(lambda: {expression})\n#@ end\n"
        );
        let limits = Limits::default().steps(40_000);
        let options = Options::new().file("a.yml", text).limits(limits);
        match render(&world, &options).result {
            Ok(_) => Vec::new(),
            Err(failure) => failure.findings().iter().map(|it| it.code.to_string()).collect(),
        }
    };
    assert!(codes("None").is_empty(), "the loop alone stays within the limit");
    let paid = NATIVE.iter().map(|it| (it, codes(it)));
    let unpaid: Vec<_> = paid.filter(|(_, codes)| codes != &["template/limit"]).collect();
    assert!(unpaid.is_empty(), "{unpaid:#?}");
}

/// A short schema can have long paths in its reference, because each path contains all keys above
/// it.
#[test]
fn references_of_schemas_are_paid_for() {
    let world: Arc<dyn World> = Arc::new(MemoryWorld::new());
    let key = "k".repeat(1_000);
    let codes = |depth: usize, name: &str, head: &str, [start, last, end]: [&str; 3]| {
        let levels: String = (0..depth).map(|_| start.replace("KEY", &key)).collect();
        let text = format!("{head}{levels}{last}{}\n", end.repeat(depth));
        let limits = Limits::default().memory(64 << 20);
        let options = Options::new().file(name, text).limits(limits);
        match schema_reference(&world, &options, &ReferenceOptions::default()).result {
            Ok(_) => Vec::new(),
            Err(failure) => failure.findings().iter().map(|it| it.code.to_string()).collect(),
        }
    };
    let own = ("#@data/values-schema\n---\n", ["{KEY: ", "1", "}"]);
    let json = ["{\"type\": \"object\", \"properties\": {\"KEY\": ", "{}", "}}"];
    for (name, (head, parts)) in [("schema.yml", own), ("schema.json", ("", json))] {
        assert!(codes(10, name, head, parts).is_empty(), "{name}: a small one is within limits");
        assert_eq!(codes(400, name, head, parts), ["template/limit"], "{name}");
    }
}
