//! A host may call Plumb on a thread with a small stack. Input that is nested deeply, or that
//! recurses, must end with a result or a failure. It must never crash the host's process.

use std::sync::Arc;
use std::thread;

use plumb::pretty::Values;
use plumb::print::{self, Flavour, Format, Style};
use plumb::{
    Limits, Options, Outcome, SchemaChoice, SchemaLanguage, World, data_values, format,
    import_schema, render, schema,
};
use plumb_testkit::MemoryWorld;

/// Less than most threads have.
const STACK: usize = 256 << 10;

/// The levels that a document may have.
const LEVELS: usize = 10_000;

/// More levels than any limit allows.
const MANY: usize = 100_000;

fn on_small_stack<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    thread::scope(|scope| {
        let builder = thread::Builder::new().stack_size(STACK);
        builder.spawn_scoped(scope, work).expect("threads can be started").join()
    })
    .expect("it does not panic")
}

fn world() -> Arc<dyn World> {
    Arc::new(MemoryWorld::new())
}

/// Lists of lists.
fn nested(levels: usize) -> String {
    format!("{}{}", "[".repeat(levels), "]".repeat(levels))
}

/// Renders a file, prints and drops the result, and returns the codes of the findings.
fn rendered(text: &str) -> Vec<&'static str> {
    let limits = Limits::default().steps(10_000_000);
    on_small_stack(|| outcome(render(&world(), &Options::new().file("a.yml", text).limits(limits))))
}

fn outcome(outcome: Outcome<plumb::Rendered>) -> Vec<&'static str> {
    match outcome.result {
        Ok(rendered) => {
            for format in [Format::Yaml, Format::Json, Format::Positions] {
                let style = Style::new().format(format);
                let printed = print::stream(rendered.documents(), style, &outcome.sources);
                assert!(!printed.expect("it can be printed").bytes.is_empty());
            }
            print::yaml(rendered.documents());
            print::files(&rendered.files);
            print::bulk(Ok(&rendered.files), &outcome.sources, Values::Masked);
            Vec::new()
        }
        Err(failure) => failure.findings().iter().map(|it| it.code.as_str()).collect(),
    }
}

#[test]
fn documents_of_all_levels_are_printed_and_dropped() {
    assert_eq!(rendered(&format!("a: {}\n", nested(LEVELS - 2))), [""; 0]);
    assert_eq!(rendered(&format!("a: {}\n", nested(LEVELS + 2))), ["yaml/limit"]);
    let blocks: Vec<String> = (0..2_000).map(|level| " ".repeat(level) + "a:\n").collect();
    let blocks = blocks.concat();
    assert_eq!(rendered(&blocks), [""; 0]);
}

#[test]
fn deep_documents_are_formatted_merged_and_validated() {
    let deep = nested(LEVELS - 10);
    on_small_stack(|| {
        let options = Options::new().file("a.yml", format!("a: {deep}\n"));
        let files = format(&world(), &options, Flavour::Plumb).result.expect("it is YAML");
        assert!(files[0].text.is_ok());
    });
    let values = format!("#@data/values-schema\n---\na: {deep}\n");
    on_small_stack(|| {
        let options = Options::new().file("a.yml", &values);
        for language in [SchemaLanguage::OpenApi, SchemaLanguage::JsonSchema] {
            drop(schema(&world(), &options, &language).result);
        }
        drop(data_values(&world(), &options).result);
        let given = options.data_value_yaml("a", &deep);
        drop(data_values(&world(), &given).result);
    });
    let overlay = "#@ load(\"@ytt:overlay\", \"overlay\")\n#@overlay/match by=overlay.all\n---\n";
    let merged = format!("---\na: {deep}\n{overlay}a: {deep}\n");
    rendered(&merged);
}

#[test]
fn a_long_path_of_a_data_value_is_refused() {
    let options = Options::new()
        .file("a.yml", "#@data/values-schema\n---\n#@schema/type any=True\na: {}\n")
        .data_value(vec!["a"; MANY].join("."), "1");
    on_small_stack(|| {
        data_values(&world(), &options).result.map(drop).expect_err("it is too deep");
    });
}

#[test]
fn deep_code_is_refused() {
    let cases = [
        format!("#@ x = {}1{}\n", "(".repeat(MANY), ")".repeat(MANY)),
        format!("#@ x = {}\n", nested(MANY)),
        format!("#@ x = {}1\n", "-".repeat(MANY)),
        format!("#@ x = {}True\n", "not ".repeat(MANY)),
        format!("#@ x = {}1\n", "lambda: ".repeat(MANY)),
        format!("#@ x = {}1{}\n", "len(".repeat(MANY), ")".repeat(MANY)),
        format!("#@ x = 1{}\n", " if 1 else 1".repeat(MANY)),
        format!("#@ x = {}\n", "{1:".repeat(MANY)),
        "#@ if 1:\n".repeat(5_000),
    ];
    for (at, code) in cases.iter().enumerate() {
        assert_ne!(rendered(code), [""; 0], "case {at}");
    }
}

#[test]
fn long_code_runs() {
    for code in [
        format!("#@ x = 1{}\n", " + 1".repeat(MANY)),
        format!("#@ x = []{}\n", " or []".repeat(MANY)),
        format!("#@ x = \"\"{}\n", ".upper()".repeat(MANY)),
        format!("#@ if 0:\n{}#@ end\n", "#@ elif 0:\n".repeat(1_000)),
    ] {
        rendered(&format!("{code}a: 1\n"));
    }
}

#[test]
fn recursion_and_growth_in_depth_end_in_a_failure() {
    let ends = ["template/limit", "template/evaluation", "overlay/function-failed"];
    for (name, code) in [
        ("a function", "#@ def f(): return f()\n#@ f()\n"),
        ("a key", "#@ def f(x): return sorted([1], key=f)\n#@ f(1)\n"),
        (
            "attempts",
            "#@ load(\"@ytt:assert\", \"assert\")\n#@ def f(): return assert.try_to(f)\n#@ f()\n",
        ),
        (
            "overlay.apply",
            "#@ load(\"@ytt:overlay\", \"overlay\")\n#@ def f(l, r): return overlay.apply({\"a\": 1}, g())\n#@ def g():\n#@overlay/replace via=f\na: 1\n#@ end\n#@ f(1, 1)\n",
        ),
        (
            "a pattern",
            "#@ load(\"@ytt:regexp\", \"regexp\")\n#@ def f(x): return regexp.replace(\"a\", \"a\", f)\n#@ f(1)\n",
        ),
        (
            "a rule",
            "#@ load(\"@ytt:assert\", \"assert\")\n#@ def f(x): return assert.one_of([1]).check(x) or assert.min(f).check(x)\n#@ def g(x):\n#@   return assert.not_null(g(x))\n#@ end\n#@ g(1)\n",
        ),
        (
            "fragments in fragments",
            "#@ def f(x):\na: #@ x\n#@ end\n#@ r = f(1)\n#@ for i in range(2000000):\n#@   r = f(r)\n#@ end\nr: #@ r\n",
        ),
        ("a document", "#@ def f():\na: #@ f()\n#@ end\n--- #@ f()\n"),
    ] {
        let found = rendered(code);
        assert!(matches!(found.as_slice(), [it] if ends.contains(it)), "{name}: {found:?}");
    }
}

#[test]
fn deep_values_are_used_or_refused() {
    let deep = "#@ load(\"@ytt:json\", \"json\")\n#@ load(\"@ytt:yaml\", \"yaml\")\n#@ load(\"@ytt:toml\", \"toml\")\n#@ load(\"@ytt:struct\", \"struct\")\n#@ load(\"@ytt:overlay\", \"overlay\")\n#@ load(\"@ytt:template\", \"template\")\n#@ load(\"@ytt:assert\", \"assert\")\n#@ x = ()\n#@ y = ()\n#@ for i in range(100000):\n#@   x = (x,)\n#@   y = (y,)\n#@ end\n#@ d = {}\n#@ for i in range(100000):\n#@   d = {\"a\": d}\n#@ end\n";
    for code in [
        "x",
        "d",
        "str(x)",
        "\"%s\" % d",
        "x == y",
        "x < y",
        "[x, y].index(y)",
        "{x: 1}",
        "set([x])",
        "sorted([x, y])",
        "max(x, y)",
        "json.encode(x)",
        "yaml.encode(d)",
        "toml.encode(d)",
        "struct.encode(d)",
        "struct.decode(d)",
        "overlay.apply(d, d)",
        "template.replace(x)",
        "assert.equals(d, d)",
        "json.decode(\"[\" * 100000)",
        "yaml.decode(\"[\" * 100000)",
        "yaml.decode(\"- \" * 100000)",
        "toml.decode(\"a=\" + \"[\" * 100000)",
    ] {
        rendered(&format!("{deep}a: #@ {code}\n"));
    }
}

#[test]
fn deep_patterns_and_expressions_are_used_or_refused() {
    for code in [
        "regexp.match(\"(\" * 100000 + \")\" * 100000, \"a\")",
        "regexp.match(\"(?:a|\" * 100000 + \")\" * 100000, \"a\")",
        "assert.cel(\"(\" * 100000 + \"1\" + \")\" * 100000).check(1)",
        "assert.cel(\"[\" * 100000 + \"]\" * 100000).check(1)",
        "assert.cel(\"-\" * 100000 + \"1 > 0\").check(1)",
        "assert.cel(\"1\" + \" + 1\" * 100000 + \" > 0\").check(1)",
        "assert.cel(\"self\" + \".a\" * 100000).check(1)",
        "assert.cel(\"true\" + \" && true\" * 100000 + \" && false\").check(1)",
        "assert.cel(\"true ? \" * 100000).check(1)",
    ] {
        let loads = "#@ load(\"@ytt:regexp\", \"regexp\")\n#@ load(\"@ytt:assert\", \"assert\")\n";
        rendered(&format!("{loads}a: #@ {code}\n"));
    }
}

#[test]
fn schemas_that_refer_to_themselves_end_in_a_failure() {
    let recursive = r##"{"$ref": "#", "properties": {"a": {"$ref": "#"}}}"##;
    let turns = r##"{"$ref": "#/$defs/a", "$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"$ref": "#/$defs/a"}}}"##;
    let deep = format!("{}{}", "{\"items\":".repeat(LEVELS - 10), "{}") + &"}".repeat(LEVELS - 10);
    for text in [recursive, turns, &deep] {
        on_small_stack(|| {
            let options = Options::new().file("a.json", text);
            drop(import_schema(&world(), &options, &SchemaChoice::default()).result);
        });
        let crd = format!(
            "{{\"apiVersion\": \"apiextensions.k8s.io/v1\", \"kind\": \"CustomResourceDefinition\", \"spec\": {{\"group\": \"g\", \"names\": {{\"kind\": \"K\"}}, \"versions\": [{{\"name\": \"v1\", \"schema\": {{\"openAPIV3Schema\": {text}}}}}]}}}}"
        );
        on_small_stack(|| {
            let memory = MemoryWorld::new().file("crd.yml", &*crd);
            let world: Arc<dyn World> = Arc::new(memory);
            let document = format!("apiVersion: g/v1\nkind: K\na: {}\n", nested(LEVELS - 10));
            let options = Options::new().file("a.yml", document).kube_schemas("crd.yml");
            drop(outcome(render(&world, &options)));
        });
    }
}

/// Values for `validate`, in files of a world, checked on a small stack. Returns the codes of the
/// findings, or of the failure.
fn validated(files: &[(&str, &str)], options: &plumb::GeneratorOptions) -> Vec<String> {
    let world =
        files.iter().fold(MemoryWorld::new(), |world, (path, text)| world.file(path, *text));
    let world: Arc<dyn World> = Arc::new(world);
    on_small_stack(|| {
        let outcome = plumb::validate(&world, options);
        match outcome.result {
            Ok(reports) => {
                let findings = reports.iter().flat_map(|it| it.diagnostics(&outcome.sources));
                findings.map(|it| it.code.to_string()).collect()
            }
            Err(failure) => failure.findings().iter().map(|it| it.code.to_string()).collect(),
        }
    })
}

/// Rules that recurse, and one that is fine.
const RULES: &str = "def ends(value):\n  return True\nend\ndef recurses(value):\n  return recurses(value)\nend\ndef sorts(value):\n  return sorted([value, value], key=sorts)\nend\ndef loops(value):\n  x = 0\n  for i in range(1000000000):\n    x = i\n  end\n  return True\nend\n";

#[test]
fn rules_and_schemas_of_validate_run_on_a_small_stack_within_limits() {
    let limits = Limits::default().steps(100_000);
    let deep = format!("a: {}\n", nested(2_000));
    let files = [("rules.star", RULES), ("a.yaml", "a: 1\n"), ("deep.yaml", &deep)];
    for (rule, file, expected) in [
        ("ends", "a.yaml", &[][..]),
        ("ends", "deep.yaml", &[]),
        ("recurses", "a.yaml", &["validation/rule-stopped"]),
        ("sorts", "a.yaml", &["validation/rule-stopped"]),
        ("loops", "a.yaml", &["validation/rule-stopped"]),
    ] {
        let options = plumb::GeneratorOptions::without_script()
            .validator(format!("rules.star:{rule}"))
            .file(file)
            .rule_limits(limits);
        assert_eq!(validated(&files, &options), expected, "{rule} {file}");
    }
}

#[test]
fn schemas_of_validate_run_on_a_small_stack_within_limits() {
    let deep = nested(2_000);
    let any = format!("#@data/values-schema\n---\n#@schema/type any=True\na: {deep}\n");
    let recursive = "#@ def f(v): return f(v)\n#@data/values-schema\n---\n#@schema/validation (\"ends\", f)\na: 1\n";
    let looping = "#@ def f(v):\n#@   x = 0\n#@   for i in range(1000000000):\n#@     x = i\n#@   end\n#@ end\n#@data/values-schema\n---\n#@schema/validation (\"ends\", f)\na: 1\n";
    let endless = "#@ def f(): return f()\n#@ f()\n#@data/values-schema\n---\na: 1\n";
    let many = "#@data/values-schema\n---\na:\n- 1\n";
    let given = format!("a: {deep}\n");
    let list = format!("a: [{}]\n", "1,".repeat(200_000));
    for (schema, values, expected) in [
        (any.as_str(), given.as_str(), &[][..]),
        (recursive, "a: 1\n", &["validation/rule-stopped"]),
        (looping, "a: 1\n", &["validation/rule-stopped"]),
        (endless, "a: 1\n", &["template/limit"]),
        (many, &list, &["validation/rule-stopped"]),
    ] {
        let files = [("schema.yml", schema), ("a.yaml", values)];
        let options = plumb::GeneratorOptions::without_script()
            .schema("schema.yml")
            .file("a.yaml")
            .rule_limits(Limits::default().steps(100_000));
        assert_eq!(validated(&files, &options), expected, "{schema}");
    }
}

/// A host can stop rules and schemas as it can stop scripts.
#[test]
fn rules_of_validate_can_be_cancelled() {
    let cancel = plumb::Cancel::default();
    cancel.request("stopped by the test");
    let files = [("rules.star", RULES), ("a.yaml", "a: 1\n")];
    let options = plumb::GeneratorOptions::without_script()
        .validator("rules.star:loops")
        .file("a.yaml")
        .cancel(cancel);
    assert_ne!(validated(&files, &options), [""; 0]);
}

#[test]
fn scripts_run_on_a_small_stack() {
    let world = MemoryWorld::new()
        .file("ok.js", "export default [{path: 'a.yaml', value: {a: 1}}];")
        .file("deep.js", "let a = 1; for (let i = 0; i < 5000; i++) a = [a]; export default [{path: 'a.yaml', value: a}];")
        .file("recurses.js", "const f = () => f(); f(); export default [];")
        .file("a.yaml", format!("a: {}\n", nested(2_000)));
    let world: Arc<dyn World> = Arc::new(world);
    on_small_stack(|| {
        let run = |script| plumb::generate(&world, &plumb::GeneratorOptions::script(script)).result;
        assert!(run("ok.js").is_ok());
        drop(run("deep.js"));
        assert!(run("recurses.js").is_err());
        let mut identity = plumb::GeneratorOptions::code("(it) => it").file("a.yaml");
        identity.destination = plumb::generator::Destination::Stdout;
        drop(plumb::transform(&world, &identity).result);
    });
}
