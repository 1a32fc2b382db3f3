//! A host may run Plumb many times. The memory of a run is freed when its outcome is dropped, even
//! if the values of its templates refer to each other.
//!
//! The test program counts the bytes that are in use. It has one test, so that nothing else
//! allocates.

use std::alloc::System;
use std::sync::Arc;

use plumb::world::{MemoryWorld, World};
use plumb::{
    GeneratorOptions, MachineOptions, Options, SchemaLanguage, Session, check_machines,
    data_values, format, generate, import_schema, input_files, krm, render, schema, transform,
    validate,
};
use stats_alloc::{INSTRUMENTED_SYSTEM, StatsAlloc};

#[global_allocator]
static ALLOCATOR: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

/// The number of runs before the first measurement, in which everything that is needed only once is
/// allocated.
const WARM_UP: usize = 20;
/// Runs between two measurements.
const RUNS: usize = 100;
/// How often it is measured.
const ATTEMPTS: usize = 3;
/// The number of additional bytes that may be in use after all runs: less than what a single
/// leaking run would leave.
const SLACK: isize = 2 << 10;

fn in_use() -> isize {
    let stats = ALLOCATOR.stats();
    stats.bytes_allocated.cast_signed() - stats.bytes_deallocated.cast_signed()
}

fn check(name: &str, mut run: impl FnMut()) {
    for _ in 0..WARM_UP {
        run();
    }
    // Threads of the last runs may still be ending during a measurement. A leak grows in every
    // attempt.
    let grown = (0..ATTEMPTS).map(|_| {
        let before = in_use();
        for _ in 0..RUNS {
            run();
        }
        in_use() - before
    });
    let least = grown.min().expect("there is an attempt");
    assert!(least < SLACK, "{name}: {RUNS} runs left {least} bytes");
}

/// Templates whose values refer to each other, or to the run.
const TEMPLATES: &[(&str, &str)] = &[
    ("a function", "#@ def f(): return f\na: #@ str(f())\n"),
    ("functions", "#@ def f(): return g\n#@ def g(): return f\na: #@ f()()()()\n"),
    (
        "an inner function",
        "#@ def f():\n#@   def g(n): return g(n - 1) if n > 0 else 0\n#@   return g(3)\n#@ end\na: #@ f()\n",
    ),
    (
        "an inner function that is kept",
        "#@ def f():\n#@   l = []\n#@   l.append(lambda: l)\n#@   return l\n#@ end\n#@ k = f()\na: #@ len(k)\n",
    ),
    (
        "a variable that a function adds to",
        "#@ def f():\n#@   t = ()\n#@   g = lambda: t\n#@   t += (g,)\n#@   return len(t)\n#@ end\na: #@ f()\n",
    ),
    ("a list", "#@ l = []\n#@ l.append(l)\na: #@ len(l)\n"),
    ("a list in a function", "#@ def f():\n#@   l = [1]\n#@   l[0] = l\n#@ end\n#@ f()\na: 1\n"),
    ("lists", "#@ l = [[]]\n#@ l[0].insert(0, l)\n#@ l += [l]\n#@ l.extend([l, (l,)])\na: 1\n"),
    (
        "a dictionary",
        "#@ def f():\n#@   d = {}\n#@   d[\"a\"] = d\n#@   e = {}\n#@   e.setdefault(\"a\", e)\n#@   e.update([(\"b\", e)])\n#@   h = dict(a=d)\n#@   h.update(b=h)\n#@ end\n#@ f()\na: 1\n",
    ),
    (
        "a struct",
        "#@ load(\"@ytt:struct\", \"struct\")\n#@ l = []\n#@ s = struct.make(l=l, f=struct.bind(len, l))\n#@ l.append(s)\na: #@ len(l)\n",
    ),
    (
        "a fragment with a function",
        "#@ def f():\n#@overlay/replace via=lambda l, r: g\na: 1\n#@ end\n#@ g = f()\na: #@ len(g)\n",
    ),
    (
        "rules of the output",
        "#@ load(\"@ytt:assert\", \"assert\")\n#@ load(\"@ytt:data\", \"data\")\n#@ def f(v): return data.list() and None\n#@ assert.output((\"\", f))\n#@assert/validate (\"\", f)\na: 1\n",
    ),
    (
        "a failure",
        "#@ def f(): return f\n#@ l = [f]\n#@ l.append(l)\na: #@ l[7]\nb: #@ {}[f]\nc: #@ fail(\"no\")\n",
    ),
    ("a syntax error", "#@ def f(:\na: 1\n"),
];

#[test]
fn many_runs_take_no_more_memory_than_one() {
    let world: Arc<dyn World> = Arc::new(MemoryWorld::new());
    for (name, text) in TEMPLATES {
        let options = Options::new().file("a.yml", *text);
        check(name, || drop(render(&world, &options)));
    }
    libraries();
    values();
    generators();
    machines();
}

fn libraries() {
    let world: Arc<dyn World> = Arc::new(MemoryWorld::new());
    let options = Options::new()
        .file(
            "a.yml",
            "#@ load(\"@ytt:library\", \"library\")\n#@ load(\"@ytt:template\", \"template\")\n#@ load(\"b.lib.yml\", \"kept\", \"f\")\n#@ def v():\n#@overlay/replace via=lambda l, r: lib and r\nx: 2\n#@ end\n#@ lib = library.get(\"l\").with_data_values(v())\n--- #@ template.replace(lib.eval())\n---\nn: #@ lib.export(\"g\")(f)\nk: #@ len(kept)\n",
        )
        .file(
            "b.lib.yml",
            "#@ load(\"@ytt:library\", \"library\")\n#@ load(\"@ytt:data\", \"data\")\n#@ kept = [library, data]\n#@ def f(): return kept\n",
        )
        .file("_ytt_lib/l/schema.yml", "#@data/values-schema\n---\nx: 1\n")
        .file("_ytt_lib/l/c.yml", "#@ load(\"g.star\", \"g\")\nx: #@ g(g)\n")
        .file("_ytt_lib/l/g.star", "load(\"@ytt:data\", \"data\")\ndef g(h): return data.values.x\n");
    assert_eq!(render(&world, &options).result.map(drop).map_err(|it| it.to_string()), Ok(()));
    check("libraries", || drop(render(&world, &options)));
    let session = Session::default();
    let shared = options.session(session);
    check("libraries of one session", || drop(render(&world, &shared)));
}

fn values() {
    let world: Arc<dyn World> = Arc::new(MemoryWorld::new());
    let options = Options::new()
        .file(
            "schema.yml",
            "#@ def odd(v): return v % 2 == 1 and len(kept) == 1\n#@ kept = [odd]\n#@data/values-schema\n---\n#@schema/validation (\"odd\", odd), when=lambda v: odd != None\n#@schema/any-of 1, \"\"\na: 1\nb: \"\"\n",
        )
        .data_value_yaml("a", "3");
    let once = data_values(&world, &options).result;
    assert_eq!(once.map(drop).map_err(|it| it.to_string()), Ok(()));
    check("data values", || drop(data_values(&world, &options)));
    for language in [SchemaLanguage::OpenApi, SchemaLanguage::JsonSchema] {
        check("a schema", || drop(schema(&world, &options, &language)));
    }
    check("input files", || drop(input_files(&world, &options)));
    check("wrong values", || {
        drop(data_values(&world, &options.clone().data_value_yaml("a", "2")));
    });
    let json = Options::new().file("a.json", r#"{"properties": {"a": {"type": "integer"}}}"#);
    check("an import", || drop(import_schema(&world, &json, &plumb::SchemaChoice::default())));
    let plain = Options::new().file("a.yml", "a:   1\n");
    check("a layout", || drop(format(&world, &plain, plumb::print::Flavour::Plumb)));
    let list = "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nfunctionConfig:\n  apiVersion: v1\n  kind: ConfigMap\n  data:\n    template: |\n      a: 1\nitems: []\n";
    let list: Arc<[u8]> = list.as_bytes().into();
    check("a function of kustomize", || drop(krm(&world, "plumb", &list)));
}

fn generators() {
    let memory = MemoryWorld::new()
        .file("a.js", "const a = {}; a.a = a; export default [{ path: 'a.yaml', value: { n: 1 } }];")
        .file("t.js", "export default v => ({ ...v, f: undefined });")
        .file("v.js", "export default v => { throw { v, f: () => v }; };")
        .file("n.yaml", "n: 2\n")
        .file("rules.star", "kept = []\ndef check(v):\n  return kept and check\nend\nkept.append(check)\n")
        .file(
            "schema.yml",
            "#@ def odd(v): return [odd] and None\n#@data/values-schema\n---\n#@schema/validation (\"odd\", odd)\nn: 1\n",
        );
    let world: Arc<dyn World> = Arc::new(memory);
    let script = |path: &str| GeneratorOptions::script(path);
    assert!(generate(&world, &script("a.js")).result.is_ok());
    check("a generator", || drop(generate(&world, &script("a.js"))));
    check("a transformation", || drop(transform(&world, &script("t.js").file("n.yaml"))));
    check("a validator", || drop(validate(&world, &script("v.js").file("n.yaml"))));
    let rule = GeneratorOptions::without_script().validator("rules.star:check").file("n.yaml");
    assert!(validate(&world, &rule).result.is_ok());
    check("a rule", || drop(validate(&world, &rule)));
    let typed = GeneratorOptions::without_script().schema("schema.yml").file("n.yaml");
    assert!(validate(&world, &typed).result.is_ok());
    check("a schema of data values", || drop(validate(&world, &typed)));
}

fn machines() {
    let template = "kind: Template\nmetadata:\n  name: t\n  annotations:\n    validations: |\n      [{\"name\": \"n\", \"path\": \"jsonpath::.spec.domain.cpu.cores\", \"rule\": \"integer\", \"min\": 4, \"message\": \"m\"}]\n";
    let machine = "kind: VirtualMachine\nmetadata:\n  name: vm\n  labels: {vm.kubevirt.io/template: t}\nspec:\n  template:\n    spec: {domain: {cpu: {cores: 1}}}\n";
    let memory = MemoryWorld::new().file("t.yml", template).file("vm.yml", machine);
    let world: Arc<dyn World> = Arc::new(memory);
    let options = MachineOptions::new().template("t.yml").file("vm.yml");
    check("virtual machines", || drop(check_machines(&world, &options)));
}
