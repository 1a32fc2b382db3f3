//! Small templates that need much memory. The process must stay below the limit for each.
//!
//! Values of the language share their parts. In a document or a text, a shared part is repeated. So
//! every conversion must count its result before it creates it.

use std::process::{Command, Stdio};
use std::time::Duration;

use crate::sandbox::Sandbox;

/// The memory limit of most runs, in MiB.
const LIMIT: u64 = 64;
/// What the program needs in addition, in MiB: itself, its stack, the source, memory that the
/// allocator keeps.
const BASE: u64 = 64;

/// Forty levels of a list that contains the list below it twice.
const DOUBLED: &str = "#@ a = [1]\n#@ for i in range(40):\n#@   a = [a, a]\n#@ end\n";
const LOADS: &str = "#@ load(\"@ytt:json\", \"json\")\n#@ load(\"@ytt:yaml\", \"yaml\")\n\
                     #@ load(\"@ytt:toml\", \"toml\")\n#@ load(\"@ytt:struct\", \"struct\")\n\
                     #@ load(\"@ytt:assert\", \"assert\")\n#@ load(\"@ytt:overlay\", \"overlay\")\n\
                     #@ load(\"@ytt:template\", \"template\")\n\
                     #@ load(\"@ytt:regexp\", \"regexp\")\n\
                     #@ load(\"@ytt:base64\", \"base64\")\n";

/// Each is a name and the template.
type Attack = (&'static str, String);

fn plain(code: &str) -> String {
    format!("{LOADS}{code}\n")
}

/// Calls and operators that get large values, or return them.
fn attacks_by_calls() -> Vec<Attack> {
    let doubled = |code: &str| format!("{LOADS}{DOUBLED}{code}\n");
    vec![
        ("a value in a document", doubled("r: #@ a")),
        ("json.encode", doubled("r: #@ json.encode(a)")),
        ("an f-string", doubled("r: #@ f\"{a}\"")),
        ("f-strings in f-strings", doubled("r: #@ f\"{f'{a}'}{a}\"")),
        ("bytes of zeros", plain("r: #@ len(bytes([0] * 900000000))")),
        ("bytes of a text", plain("r: #@ len(bytes(\"x\" * 900000000))")),
        (
            "bytes that double",
            plain(
                "#@ x = b\"x\"\n#@ y = []\n#@ for i in range(27):\n#@   x = x + x\n#@   y.append(x)\n#@ end",
            ),
        ),
        ("elements of bytes", plain("r: #@ len(list((b\"x\" * 100000000).elems()))")),
        (
            "the text of bytes",
            plain("#@ b = b\"\\xff\" * 100000000\nr: #@ len([repr(b) for i in range(4)])"),
        ),
        (
            "bytes that are kept",
            plain(
                "#@ x = []\n#@ for i in range(900000000):\n#@   x.append(b\"abc\" * 1000)\n#@ end",
            ),
        ),
        (
            "f-strings that are kept",
            plain(
                "#@ x = []\n#@ s = \"a\" * 1000\n#@ for i in range(900000000):\n#@   x.append(f\"{s}{i}\")\n#@ end",
            ),
        ),
        (
            "an f-string that doubles",
            plain("#@ s = \"a\"\n#@ for i in range(60):\n#@   s = f\"{s}{s}\"\n#@ end"),
        ),
        ("yaml.encode", doubled("r: #@ yaml.encode(a)")),
        ("toml.encode", doubled("r: #@ toml.encode({\"a\": a})")),
        ("struct.encode", doubled("r: #@ struct.encode({\"a\": a})")),
        ("struct.decode", doubled("r: #@ struct.decode({\"a\": a})")),
        ("assert.equals", doubled("r: #@ assert.equals(a, a)")),
        ("overlay.apply", doubled("r: #@ overlay.apply({\"a\": a}, {})")),
        (
            "tuples for overlay.apply",
            plain(
                "#@ a = (1,)\n#@ for i in range(40):\n#@   a = (a, a)\n#@ end\nr: #@ overlay.apply(a, a)",
            ),
        ),
        (
            "regexp.replace",
            plain(
                "#@ s = \"abcdef\"\n#@ for i in range(9):\n#@   s = regexp.replace(\"\", s, s)\n#@ end\nr: #@ s",
            ),
        ),
        (
            "groups of regexp.replace",
            plain("r: #@ regexp.replace(\".*\", \"a\" * 100000, \"$0\" * 100000)"),
        ),
        ("template.replace", doubled("r:\n- #@ template.replace(a)")),
        ("str", doubled("#@ a = [[\"x\" * 100000] * 1000, a]\nr: #@ str(a)")),
        ("an interpolation", doubled("#@ a = [[\"x\" * 100000] * 1000, a]\nr: #@ \"%s\" % (a,)")),
        ("a comparison", doubled("#@ b = [a, 1]\nr: #@ a == b[0]")),
        ("a key of a fragment", doubled("#@ def f():\na: 1\n#@ end\nr: #@ f()[a]")),
        ("a spread argument", plain("#@ def f(*args): return None\n#@ f(*range(300000000))")),
        (
            "lists that contain themselves",
            plain("#@ for i in range(1000000):\n#@   x = [0] * 10000\n#@   x.append(x)\n#@ end"),
        ),
        (
            "functions that see themselves",
            plain(
                "#@ def f():\n#@   x = [0] * 10000\n#@   g = lambda: (g, x)\n#@   return 1\n#@ end\n#@ for i in range(1000000):\n#@   f()\n#@ end",
            ),
        ),
        (
            "sorting",
            plain("#@ x = [1] * 1500000\n#@ for i in range(9):\n#@   x = sorted(x)\n#@ end"),
        ),
        ("lines", plain("r: #@ len((\"\\n\" * 20000000).splitlines())")),
        ("parts between commas", plain("r: #@ len((\"x,\" * 10000000).split(\",\"))")),
        ("words", plain("r: #@ len((\"x \" * 10000000).rsplit())")),
        ("a text with escapes", plain("r: #@ len(repr([\"\\x00\" * 18000000] * 3))")),
        (
            "a text that is encoded again and again",
            plain("#@ s = \"x\"\n#@ for i in range(100):\n#@   s = base64.encode(s)\n#@ end"),
        ),
        ("values of a rule", plain("r: #@ assert.one_of(range(300000000)) and 1")),
        ("a list that grows by a range", plain("#@ x = []\n#@ x += range(300000000)")),
    ]
}

/// Results of native functions that are called in different ways.
fn attacks_by_results() -> Vec<Attack> {
    let kept = |result: &str| {
        plain(&format!(
            "#@ s = \"x\" * 1000000\n#@ t = [s] * 100000\n#@ x = []\n#@ for i in range(500):\n#@   x.append({result})\n#@ end"
        ))
    };
    vec![
        ("results of modules", kept("json.encode(s)")),
        ("results of functions", kept("sorted(t)")),
        ("results of functions with spread arguments", kept("sorted(*[t])")),
        ("results of methods", kept("s.upper()")),
        (
            "results of functions as keys",
            plain("#@ x = [\"x\" * 1000000] * 500\nr: #@ len(sorted(x, key=json.encode))"),
        ),
    ]
}

/// Patterns and rules, which are compiled.
fn attacks_by_patterns() -> Vec<Attack> {
    vec![
        ("groups of a pattern", plain("r: #@ regexp.replace(\"(a*)\" * 3000, \"a\" * 3000, \"\")")),
        ("a pattern without a DFA", plain("r: #@ regexp.match(\"(a)?\" * 30000, \"a\" * 3000)")),
        ("a long pattern", plain("r: #@ regexp.match(\"ab|\" * 3000000, \"a\")")),
        (
            "patterns that wait for a function",
            plain(
                "#@ def f(n):\n#@   return regexp.replace(\"(a|b)?\" * 5000, \"ab\", lambda x: f(n - 1)) if n else \"\"\n#@ end\nr: #@ f(90)",
            ),
        ),
        (
            "rules with patterns",
            plain(
                "#@ x = []\n#@ for i in range(9000):\n#@   x.append(assert.matches(\"(a|b)?\" * 500))\n#@ end",
            ),
        ),
        (
            "rules in CEL with patterns",
            plain(
                "#@ x = []\n#@ for i in range(9000):\n#@   x.append(assert.cel(\"self.matches('%s')\" % (\"(a|b)?\" * 500)))\n#@ end",
            ),
        ),
        (
            "rules with choices",
            plain(
                "#@ x = []\n#@ for i in range(9000):\n#@   x.append(assert.one_of(list(range(1000))))\n#@ end",
            ),
        ),
        (
            "rules of the output",
            plain(
                "a:\n#@ for i in range(9000):\n#@assert/validate matches=\"(a|b)?\" * 500\n- a\n#@ end",
            ),
        ),
    ]
}

/// Creates as many dictionaries as fit, and changes each.
fn changed(change: &str) -> String {
    let items: Vec<String> =
        ["a", "b", "c", "d", "e", "f", "g", "h"].map(|it| format!("\"{it}\": i")).into();
    plain(&format!(
        "#@ def f():\n#@   l = []\n#@   for i in range(150000):\n#@     l.append({{{}}})\n#@   end\n#@   for d in l:\n#@     {change}\n#@   end\n#@   return 1\n#@ end\nr: #@ f()",
        items.join(", ")
    ))
}

/// Values and documents that grow step by step.
fn attacks_by_growth() -> Vec<Attack> {
    vec![
        ("dictionaries that are changed by index", changed("d[\"a\"] = 1")),
        ("dictionaries that lose a key", changed("d.pop(\"a\")")),
        ("dictionaries that get a key", changed("d.setdefault(\"i\")")),
        ("dictionaries that are updated", changed("d.update(a=2)")),
        ("dictionaries that are united", changed("d |= {\"a\": 2}")),
        (
            "a list that grows",
            plain("#@ x = []\n#@ for i in range(900000000):\n#@   x.append([i])\n#@ end"),
        ),
        (
            "a dictionary that grows",
            plain("#@ x = {}\n#@ for i in range(900000000):\n#@   x[i] = (i, i)\n#@ end"),
        ),
        (
            "strings that are kept",
            plain(
                "#@ x = []\n#@ for i in range(900000000):\n#@   x.append(\"%d\" % i * 50)\n#@ end",
            ),
        ),
        (
            "lists that are joined",
            plain("#@ x = [1]\n#@ for i in range(60):\n#@   x = x + x\n#@ end"),
        ),
        (
            "a document of a loop",
            plain("a:\n#@ for i in range(900000000):\n- x: 1\n  y: #@ i\n#@ end"),
        ),
        (
            "a document of a loop without values",
            plain("a:\n#@ for i in range(900000000):\n- x\n#@ end"),
        ),
        (
            "text of a loop",
            plain(
                "#@ def f(): return \"x\" * 10000\na:\n#@ for i in range(900000000):\n- #@ f()\n#@ end",
            ),
        ),
        (
            "fragments in fragments",
            plain(
                "#@ def f(x):\na: #@ x\nb: #@ x\n#@ end\n#@ r = f(1)\n#@ for i in range(40):\n#@   r = f(r)\n#@ end\nr: #@ r",
            ),
        ),
        (
            "an overlay that doubles",
            plain(&format!(
                "---\na: {{x: 1}}\n#@ def twice(l, r): return {{\"x\": l, \"y\": l}}\n{}",
                "#@overlay/match by=overlay.all\n---\n#@overlay/replace via=twice\na: 1\n"
                    .repeat(40)
            )),
        ),
        (
            "values of functions that wait for native code",
            plain(
                "#@ def f(n):\n#@   x = [\"%d\" % n] * 200000\n#@   return max([n], key=lambda i: f(n - 1)) if n else len(x)\n#@ end\nr: #@ f(90)",
            ),
        ),
        (
            "results of overlay.apply that are kept",
            plain(
                "#@ x = []\n#@ for i in range(900000000):\n#@   x.append(overlay.apply({\"a\": [\"%d\" % i] * 1000}, {}))\n#@ end",
            ),
        ),
        (
            "copies that overlay.apply makes",
            plain(
                "#@ def large():\n#@ for i in range(10000):\n#@yaml/text-templated-strings\nk(@= str(i) @): 1\n#@ end\n#@ end\n#@ def small(i):\n#@overlay/match missing_ok=True\na: #@ i\n#@ end\n#@ y = large()\n#@ x = []\n#@ for i in range(9000):\n#@   x.append(overlay.apply(y, small(i)))\n#@ end",
            ),
        ),
        (
            "a value over many documents",
            plain(&format!(
                "#@ def big(): return [\"x\" * 1000] * 10000\n{}#@overlay/match by=overlay.all, expects=\"0+\"\n---\n#@overlay/match missing_ok=True\nbig: #@ big()\n",
                "---\na: 1\n".repeat(500)
            )),
        ),
    ]
}

/// Joins a text for each number.
fn lines(numbers: std::ops::Range<u32>, line: impl FnMut(u32) -> String) -> String {
    numbers.map(line).collect()
}

/// Schemas, and data values that are checked against them. Parts that are shared are filled in,
/// compiled and printed for each use. Each is a name, the schema, and the data values.
fn attacks_by_schemas() -> Vec<(&'static str, String, String)> {
    let schema = |code: &str, node: &str| format!("{code}#@data/values-schema\n---\n{node}\n");
    let keys = lines(0..1_000, |i| format!("  k{i}: 1\n"));
    let open = "#@ def f(i):\n#@yaml/text-templated-strings\n---\n#@schema/any-key\nx: 1\nd(@= str(i) @): 1\n#@ end\n";
    let choices = "#@ def f():\n#@schema/validation one_of=list(range(20000))\n---\n1\n#@ end\n";
    let patterns = "#@ def f():\n#@schema/validation matches=\"(a|b)?\" * 1000\n---\na\n#@ end\n";
    let doubled = "#@ def f(x):\na: #@ x\nb: #@ x\n#@ end\n#@ r = f(1)\n#@ for i in range(40):\n#@   r = f(r)\n#@ end\n";
    let (text, aliases) = ("x".repeat(100_000), "*x,".repeat(2_000));
    vec![
        (
            "defaults of many items",
            schema("", &format!("a:\n- {}", keys.trim_start())),
            format!("a: [{}]\n", "{},".repeat(10_000)),
        ),
        (
            "defaults in alternatives",
            schema(open, "#@schema/any-of *[f(i) for i in range(500)]\nv:\n  d1: 1"),
            format!("v: {{{}}}\n", lines(0..3_000, |i| format!("k{i}: 1,"))),
        ),
        (
            "rules of alternatives",
            schema(choices, "#@schema/any-of *([f()] * 1000)\nv: 1"),
            String::new(),
        ),
        (
            "patterns of alternatives",
            schema(patterns, "#@schema/any-of *([f()] * 1000)\nv: a"),
            String::new(),
        ),
        ("fragments in a schema", schema(doubled, "r: #@ r"), String::new()),
        (
            "a text that is printed in many places",
            schema("", &format!("#@schema/type any=True\nb:\n  x: &x {text}\n  z: [{aliases}]")),
            String::new(),
        ),
    ]
}

/// Each is a name, the language, and the template.
fn attacks_by_exports() -> Vec<(&'static str, &'static str, String)> {
    let keys = "#@data/values-schema\n---\n#@schema/any-of *[{\"k%d\" % i: 1} for i in range(3000)]\nv:\n  k0: 1\n";
    let shared = format!(
        "#@ def f(x):\n#@schema/default x\n---\n- \"\"\n#@ end\n#@ x = [\"{}\"]\n#@data/values-schema\n---\n#@schema/any-of *[f(x) for i in range(2000)]\nv: [\"\"]\n",
        "x".repeat(50_000)
    );
    vec![
        ("alternatives of many keys", "crd", keys.to_owned()),
        ("shared defaults", "json-schema", shared.clone()),
        ("shared defaults, as ytt", "openapi-v3", shared),
    ]
}

#[test]
fn no_schema_exceeds_the_memory_limit() {
    let mut wrong = Vec::new();
    for (name, schema, values) in attacks_by_schemas() {
        let sandbox = Sandbox::new(&format!("memory {name}"));
        let sandbox = sandbox.with("a.yml", schema).with("values.yml", values);
        let flags = ["--data-values-inspect", "--data-values-file", "values.yml"];
        wrong.extend(pass(name, &sandbox, &flags));
    }
    for (name, language, template) in attacks_by_exports() {
        let sandbox = Sandbox::new(&format!("memory {name}")).with("a.yml", template);
        wrong.extend(pass(name, &sandbox, &["--data-values-schema-inspect", "-o", language]));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn no_template_exceeds_the_memory_limit() {
    let mut wrong = Vec::new();
    let attacks =
        [attacks_by_calls(), attacks_by_growth(), attacks_by_results(), attacks_by_patterns()];
    for (name, template) in attacks.into_iter().flatten() {
        let sandbox = Sandbox::new(&format!("memory {name}")).with("a.yml", template);
        wrong.extend(pass(name, &sandbox, &[]));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Where reserved memory counts as used, the stack and large vectors must leave enough for the rest.
#[cfg(target_os = "linux")]
#[test]
fn a_large_template_is_rendered_in_little_address_space() {
    let keys = lines(0..60_000, |number| format!("k{number}: #@ {number} + 1\n"));
    let sandbox = Sandbox::new("memory address space").with("a.yml", keys);
    let mut command = Command::new("sh");
    command.args(["-c", "ulimit -v 2000000 && exec \"$0\" -f a.yml", env!("CARGO_BIN_EXE_plumb")]);
    let output = command.current_dir(sandbox.path("")).output().expect("there is a shell");
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(String::from_utf8_lossy(&output.stdout).lines().count(), 60_000);
}

/// Each dictionary of these programs had the one before it as a value.
#[test]
fn values_that_a_dictionary_no_longer_has_are_freed() {
    let changes = ["s[\"last\"] = None", "s.pop(\"last\")", "s.popitem()", "s.clear()"];
    for change in changes {
        let template = format!(
            "#@ def f():\n#@   s = None\n#@   for i in range(300000):\n#@     s = {{\"last\": s, \"n\": i}}\n#@     {change}\n#@   end\n#@   return 1\n#@ end\nr: #@ f()\n"
        );
        let sandbox = Sandbox::new("memory of old values").with("a.yml", template);
        let arguments = ["-f", "a.yml", "--memory-limit", &LIMIT.to_string()];
        let (code, told, peak) = run(&sandbox, &arguments);
        assert_eq!(code, Some(0), "{change}: {told}");
        assert!(peak < BASE, "{change}: {peak} MiB");
    }
}

/// Renders `a.yml`, which needs too much memory. Returns what is wrong with the result.
fn pass(name: &str, sandbox: &Sandbox, flags: &[&str]) -> Vec<String> {
    let limit = LIMIT.to_string();
    let arguments = ["-f", "a.yml", "--memory-limit", &limit];
    let (code, told, peak) = run(sandbox, &[&arguments, flags].concat());
    let mut wrong = Vec::new();
    let limits = [
        "out of memory",
        "too many",
        "levels of values to compare",
        "regular expression of more than",
    ];
    if code != Some(1) || !limits.iter().any(|it| told.contains(it)) {
        wrong.push(format!("{name}: ended with {code:?}, {told}"));
    }
    if peak > LIMIT * 11 / 10 + BASE {
        wrong.push(format!("{name}: {peak} MiB"));
    }
    wrong
}

/// An alias is a single value in a document, but the language copies it for each use.
#[test]
fn no_alias_exceeds_the_memory_limit() {
    let mut wrong = Vec::new();
    let schema = "#@data/values-schema\n---\n#@schema/type any=True\nx: []\n";
    let read = "#@ load(\"@ytt:data\", \"data\")\na: #@ len(data.values.x)\n";
    for item in ["[1],", "{b: 1},", "1,"] {
        let list = format!("&a [{}1]", item.repeat(999));
        let values = format!("x:\n- {list}\n{}", "- *a\n".repeat(4_500));
        let sandbox = Sandbox::new("memory aliases of data values").with("a.yml", read);
        let sandbox = sandbox.with("schema.yml", schema).with("values.yml", values);
        let name = format!("aliases of {item} in data values");
        let flags = ["-f", "schema.yml", "--data-values-file", "values.yml"];
        wrong.extend(pass(&name, &sandbox, &flags));
        let decode =
            format!("#@ s = \"- {list}\\n\" + \"- *a\\n\" * 4500\nr: #@ len(yaml.decode(s))");
        let sandbox = Sandbox::new("memory decoded aliases").with("a.yml", plain(&decode));
        wrong.extend(pass(&format!("aliases of {item} that are decoded"), &sandbox, &[]));
    }
    let merged = "#@ s = \"a: &a {\" + \",\".join([\"k%d: 1\" % i for i in range(1000)]) + \"}\\nb:\\n\" + \"- <<: *a\\n\" * 1900\nr: #@ len(yaml.decode(s))";
    let sandbox = Sandbox::new("memory merged aliases").with("a.yml", plain(merged));
    wrong.extend(pass("maps that are merged", &sandbox, &[]));
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// A short text can decode to a large value: either the value fits, or the text is rejected before
/// it is decoded.
#[test]
fn no_text_of_many_values_exceeds_the_memory_limit() {
    const LIMIT: u64 = 256;
    let mut wrong = Vec::new();
    for (module, [start, item, end], most) in [
        ("yaml", ["[", "1,", "1]"], 3_400_000),
        ("yaml", ["[", "[],", "1]"], 1_800_000),
        ("yaml", ["[", "{},", "1]"], 1_100_000),
        ("yaml", ["", "- a:\\n", ""], 500_000),
        ("json", ["[", "[],", "1]"], 1_800_000),
        ("toml", ["", "[[a]]\\n", ""], 1_100_000),
    ] {
        for n_items in [most, most / 2, most / 4] {
            let code = format!(
                "#@ s = \"{start}\" + \"{item}\" * {n_items} + \"{end}\"\nr: #@ len({module}.decode(s))"
            );
            let sandbox = Sandbox::new("memory decoded").with("a.yml", plain(&code));
            let arguments = ["-f", "a.yml", "--memory-limit", &LIMIT.to_string()];
            let (code, told, peak) = run(&sandbox, &arguments);
            if peak > LIMIT * 11 / 10 + BASE {
                wrong
                    .push(format!("{n_items} of {item} in {module}: {peak} MiB, {code:?}, {told}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn no_text_template_exceeds_the_memory_limit() {
    let template = "(@ for i in range(100000000): @)(@= \"x\" * 1000 @)\n(@ end @)\n";
    let sandbox = Sandbox::new("memory text template").with("a.txt", template);
    let (code, told, peak) = run(&sandbox, &["-f", "a.txt", "--memory-limit", &LIMIT.to_string()]);
    assert_eq!(code, Some(1), "{told}");
    assert!(peak <= LIMIT * 11 / 10 + BASE, "{peak} MiB");
}

#[test]
fn classes_in_a_class_are_joined() {
    let template = plain("r: #@ regexp.match(\"[\" + \"\\\\pL\" * 200000 + \"]\", \"a\")");
    let sandbox = Sandbox::new("memory classes").with("a.yml", template);
    let (code, told, peak) = run(&sandbox, &["-f", "a.yml", "--memory-limit", &LIMIT.to_string()]);
    assert_eq!(code, Some(0), "{told}");
    assert!(peak <= LIMIT * 11 / 10 + BASE, "{peak} MiB");
}

#[test]
fn values_that_are_dropped_do_not_count() {
    let template = "#@ n = 0\n#@ for i in range(400):\n#@   x = [\"%d\" % i] * 100000\n#@   n += len(x)\n#@ end\nn: #@ n\n";
    let sandbox = Sandbox::new("memory dropped").with("a.yml", template);
    let (code, told, _) = run(&sandbox, &["-f", "a.yml", "--memory-limit", "32"]);
    assert_eq!(code, Some(0), "{told}");
}

/// Runs the program and returns its exit code, its message, and its peak memory in MiB.
fn run(sandbox: &Sandbox, arguments: &[&str]) -> (Option<i32>, String, u64) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_plumb"));
    command.args(arguments).current_dir(sandbox.path("")).stdin(Stdio::null());
    let errors = std::fs::File::create(sandbox.path("errors")).expect("writable");
    let mut child = command.stdout(Stdio::null()).stderr(errors).spawn().expect("it is built");
    let mut peak = 0;
    let status = loop {
        peak = peak_so_far(child.id()).unwrap_or(0).max(peak);
        if let Some(status) = child.try_wait().expect("it is our child") {
            break status;
        }
        std::thread::sleep(Duration::from_millis(1));
    };
    let told = std::fs::read_to_string(sandbox.path("errors")).expect("readable");
    (status.code(), told.chars().take(1_000).collect(), peak / 1024)
}

/// The peak so far in KiB, if the system reports it. It grows little between two calls.
fn peak_so_far(pid: u32) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
    let line = status.lines().find(|it| it.starts_with("VmHWM:"))?;
    line.split_whitespace().nth(1)?.parse().ok()
}
