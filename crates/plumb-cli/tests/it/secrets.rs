//! No report shows a data value: the pages of findings contain a marked value in place of each
//! wrong value, and their commands are run again with every kind of report.

use std::path::{Path, PathBuf};

use plumb_testkit::console::words;
use plumb_testkit::{Case, CaseFile};

use crate::sandbox::{LAYOUTS, Sandbox};

/// The secrets in the pages, as a text and as a number.
const MARKS: [&str; 2] = ["hunter2", "4711"];

#[test]
fn no_report_shows_a_marked_value() {
    let findings = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/src/findings");
    let (mut n_runs, mut leaks) = (0, Vec::new());
    for page in pages(&findings) {
        let text = std::fs::read_to_string(&page).expect("a page can be read");
        for case in &CaseFile::parse(&page, &text, &["console"]).cases {
            let is_marked = |text: &str| MARKS.iter().any(|mark| text.contains(mark));
            if case.inputs.iter().any(|it| is_marked(&it.text)) {
                n_runs += check(case, &page, &mut leaks);
            }
        }
    }
    assert!(leaks.is_empty(), "{}", leaks.join("\n"));
    assert!(n_runs > 20, "only {n_runs} runs have a marked value");
}

/// Codes whose findings show neither a value nor a line that may contain one: they are about files,
/// flags, and the program itself. For a new code, add a marked value on its page, a project in
/// [`NEAR_A_VALUE`], or a line here.
const WITHOUT_A_VALUE: [&str; 40] = [
    "cli/command-failed",
    "cli/no-revision",
    "cli/not-merged",
    "cli/not-watched",
    "cli/nothing-to-compare",
    "data-values/is-directory",
    "generate/file",
    "import/exists",
    "import/too-large",
    "input/ambiguous-mark",
    "input/empty-directory",
    "input/linked-directory",
    "input/not-a-file",
    "input/not-found",
    "input/not-listed",
    "input/renamed-directory",
    "input/symlink-broken",
    "input/two-names",
    "input/unreadable",
    "input/wrong-mark",
    "internal/bug",
    "krm/not-read",
    "kube/too-complex",
    "kubevirt/export-differs",
    "kubevirt/unreadable",
    "output/not-emptied",
    "output/not-written",
    "output/read-back",
    "project/exists",
    "project/not-built",
    "project/not-found",
    "test/no-functions",
    "test/no-target",
    "test/none",
    "test/not-loaded",
    "test/not-read",
    "test/snapshot-missing",
    "test/snapshot-not-written",
    "webhook/not-served",
    "website/not-served",
];

#[test]
fn every_code_is_tried_with_a_value_or_is_listed() {
    let findings = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/src/findings");
    let is_marked = |page: &PathBuf| {
        let text = std::fs::read_to_string(page).expect("a page can be read");
        MARKS.iter().any(|mark| text.contains(mark))
    };
    let without = pages(&findings).into_iter().filter(|it| !is_marked(it));
    let mut without: Vec<String> = without
        .map(|it| {
            let code = it.strip_prefix(&findings).expect("it is below").with_extension("");
            code.to_string_lossy().replace('\\', "/")
        })
        .collect();
    without.retain(|code| !NEAR_A_VALUE.iter().any(|(near, _, _)| near == code));
    without.sort();
    assert_eq!(without, WITHOUT_A_VALUE);
}

/// Runs the commands of a case, and returns the number of runs.
fn check(case: &Case, page: &Path, leaks: &mut Vec<String>) -> usize {
    let commands = case.expectations.iter().flat_map(|it| it.text.lines());
    let commands = commands.filter_map(|it| it.strip_prefix("$ plumb "));
    let commands: Vec<&str> =
        commands.filter(|it| !it.contains(" < ") && !it.contains("--show-values")).collect();
    for line in &commands {
        let sandbox = case
            .inputs
            .iter()
            .fold(Sandbox::new("secrets"), |sandbox, input| sandbox.with(&input.name, &input.text));
        let mut arguments = words(line);
        for layout in LAYOUTS {
            arguments.extend(["--report".to_owned(), format!("{layout}=report.{layout}")]);
        }
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        let ran = sandbox.plumb(&arguments);
        let reports =
            LAYOUTS.map(|it| (it, sandbox.read(&format!("report.{it}")).unwrap_or_default()));
        for (layout, report) in reports.into_iter().chain([("standard error", ran.stderr)]) {
            if MARKS.iter().any(|mark| report.contains(mark)) {
                let page = page.display();
                leaks.push(format!("{page}: `plumb {line}` shows a value in {layout}:\n{report}"));
            }
        }
    }
    commands.len()
}

fn pages(directory: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(directory).expect("the pages are there");
    let mut pages = Vec::new();
    for path in entries.map(|it| it.expect("a readable entry").path()) {
        if path.is_dir() {
            pages.extend(self::pages(&path));
        } else {
            pages.push(path);
        }
    }
    pages.sort();
    pages
}

/// Two secrets of the same type, which no rule accepts.
const SECRETS: [&str; 2] = ["hunter2-aaa", "swordfish"];

/// Two secrets of the same length: places after them are the same.
pub(crate) const SAME_LENGTH: [&str; 2] = ["hunter2-aaa", "swordfish-b"];

/// Two secrets that begin with different characters, neither of which YAML allows there.
const INDICATORS: [&str; 2] = ["@hunter2", "`swordfish"];

/// Templates that fail because of the data value `x`, each in a different way.
const FAILING: [(&str, &str); 37] = [
    ("int", "a: #@ int(data.values.x)\n"),
    ("float", "a: #@ float(data.values.x)\n"),
    ("key", "a: #@ {\"k\": 1}[data.values.x]\n"),
    ("getattr", "a: #@ getattr(data.values, data.values.x)\n"),
    ("keyword", "#@ def f(a=1):\n#@   return a\n#@ end\na: #@ f(**{data.values.x: 1})\n"),
    ("native keyword", "a: #@ json.encode({}, **{data.values.x: 1})\n"),
    ("duplicate key", "a: #@ {data.values.x: 1, data.values.x: 2}\n"),
    ("ord", "a: #@ ord(data.values.x)\n"),
    ("index", "a: #@ data.values.x[99]\n"),
    ("format", "a: #@ (\"{\" + data.values.x + \"}\").format()\n"),
    ("percent", "a: #@ (\"%(\" + data.values.x + \")s\") % {}\n"),
    ("equals", "a: #@ assert.equals(\"k\", data.values.x)\n"),
    ("equals in a map", "a: #@ assert.equals({\"k\": data.values.x}, {})\n"),
    ("regexp", "a: #@ regexp.match(\"(\" + data.values.x, \"\")\n"),
    ("ip", "a: #@ ip.parse_addr(data.values.x)\n"),
    ("cidr", "a: #@ ip.parse_cidr(data.values.x)\n"),
    ("url", "a: #@ url.parse(\"http://h:\" + data.values.x)\n"),
    ("version", "a: #@ version.require_at_least(data.values.x)\n"),
    ("base64", "a: #@ base64.decode(data.values.x)\n"),
    ("yaml", "a: #@ yaml.decode(\"*\" + data.values.x)\n"),
    ("yaml tag", "a: #@ yaml.decode(\"!!float \" + data.values.x)\n"),
    ("yaml key", "a: #@ yaml.decode(\"{0}: 1\\n{0}: 2\".format(data.values.x))\n"),
    ("json", "a: #@ json.decode(\"[\" + data.values.x)\n"),
    ("toml", "a: #@ toml.decode(\"a = \" + data.values.x)\n"),
    ("toml key", "a: #@ toml.decode(\"{0} = 1\\n{0} = 2\".format(data.values.x))\n"),
    (
        "rule",
        "#@ def f(v):\n#@   return int(v)\n#@ end\n#@assert/validate (\"k\", f)\na: #@ data.values.x\n",
    ),
    (
        "when",
        "#@ def w(v):\n#@   return int(v)\n#@ end\n#@assert/validate (\"k\", lambda v: True), when=w\na: #@ data.values.x\n",
    ),
    (
        "overlay function",
        "#@ def f(l, r):\n#@   return int(data.values.x)\n#@ end\na: 1\n#@overlay/match by=overlay.all\n---\n#@overlay/replace via=f\na: 2\n",
    ),
    ("length", "#@assert/validate max_len=1\na: #@ data.values.x\n"),
    ("exact length", "#@assert/validate len=1\na: #@ data.values.x\n"),
    ("length in code", "a: #@ assert.max_len(1).check(data.values.x)\n"),
    ("length by assert.validate", "a: #@ assert.validate(\"k\", data.values.x, min_len=99)\n"),
    ("expression", "#@assert/validate cel=\"int(self) > 0\"\na: #@ data.values.x\n"),
    ("key of an expression", "#@assert/validate cel=\"{'k': 1}[self] > 0\"\na: #@ data.values.x\n"),
    (
        "quantity of an expression",
        "#@assert/validate cel=\"quantity(self).isInteger()\"\na: #@ data.values.x\n",
    ),
    ("expression in code", "a: #@ assert.cel(\"int(self) > 0\").check(data.values.x)\n"),
    ("assert.validate", "a: #@ assert.validate(\"k\", data.values.x, (\"k\", lambda v: int(v)))\n"),
];

/// Values that do not match their schema, and texts that are not YAML.
const WRONG: [(&str, &str, &str); 9] = [
    ("type", "#@data/values-schema\n---\nx: 0\n", "x: SECRET\n"),
    (
        "rule of a schema",
        "#@data/values-schema\n---\n#@schema/validation max_len=1\nx: \"\"\n",
        "x: SECRET\n",
    ),
    (
        "function of a schema",
        "#@data/values-schema\n---\n#@schema/validation (\"k\", lambda v: int(v))\nx: \"\"\n",
        "x: SECRET\n",
    ),
    (
        "expression of a schema",
        "#@data/values-schema\n---\n#@schema/validation cel=\"timestamp(self).getFullYear() > 0\"\nx: \"\"\n",
        "x: SECRET\n",
    ),
    ("first character", "#@data/values-schema\n---\nx: \"\"\n", "x: INDICATOR\n"),
    ("alias", "#@data/values-schema\n---\nx: \"\"\n", "x: *SECRET\n"),
    ("tag", "#@data/values-schema\n---\nx: 0.0\n", "x: !!float \"SECRET\"\n"),
    ("syntax", "#@data/values-schema\n---\nx: \"\"\n", "x: \"SECRET\n"),
    ("default", "#@data/values-schema\n---\n#@schema/validation max_len=1\nx: SECRET\n", "{}\n"),
];

#[test]
fn two_secrets_give_the_same_reports() {
    let load = "#@ load(\"@ytt:data\", \"data\")\n#@ load(\"@ytt:json\", \"json\")\n#@ load(\"@ytt:yaml\", \"yaml\")\n\
                #@ load(\"@ytt:toml\", \"toml\")\n#@ load(\"@ytt:regexp\", \"regexp\")\n#@ load(\"@ytt:ip\", \"ip\")\n\
                #@ load(\"@ytt:url\", \"url\")\n#@ load(\"@ytt:version\", \"version\")\n\
                #@ load(\"@ytt:assert\", \"assert\")\n#@ load(\"@ytt:overlay\", \"overlay\")\n\
                #@ load(\"@ytt:base64\", \"base64\")\n---\n";
    let schema = "#@data/values-schema\n---\nx: \"\"\n";
    let mut differences = Vec::new();
    let mut check = |name: &str, files: &[(&str, String)]| {
        let named = files.iter().flat_map(|(name, _)| ["-f".to_owned(), (*name).to_owned()]);
        let arguments: Vec<String> = named.collect();
        let [first, second] = [0, 1].map(|at| {
            let text = |text: &str| text.replace("INDICATOR", INDICATORS[at]);
            let files: Vec<_> = files.iter().map(|(name, it)| (*name, text(it))).collect();
            reports(&arguments, &files, SECRETS[at])
        });
        for ((layout, first), (_, second)) in first.iter().zip(&second) {
            if first != second {
                differences.push(format!("{name}, {layout}:\n{first}\n{second}"));
            }
            if layout == "pretty" {
                let fails = first.contains("error[") && !first.contains("cli/misuse");
                assert!(fails, "{name} does not fail: {first}");
            }
        }
    };
    for (name, template) in FAILING {
        let files = [
            ("schema.yml", schema.to_owned()),
            ("values.yml", "#@data/values\n---\nx: SECRET\n".to_owned()),
            ("config.yml", format!("{load}{template}")),
        ];
        check(name, &files);
    }
    for (name, schema, values) in WRONG {
        let files = [
            ("schema.yml", schema.to_owned()),
            ("values.yml", format!("#@data/values\n---\n{values}")),
        ];
        check(name, &files);
    }
    assert!(differences.is_empty(), "{}", differences.join("\n"));
}

/// The name and the text of a file.
type File = (&'static str, &'static str);

/// Findings that are not about a value, in projects with a value in each place that the finding
/// could show: the code, the arguments, and the files.
const NEAR_A_VALUE: [(&str, &str, &[File]); 68] = [
    ("cli/misuse", "-f config.yml --data-value password SECRET", &[("config.yml", "a: 1\n")]),
    ("cli/misuse", "-f config.yml password=SECRET", &[("config.yml", "a: 1\n")]),
    ("cli/misuse", "-f config.yml -zSECRET", &[("config.yml", "a: 1\n")]),
    (
        "data-values/not-plain",
        "-f schema.yml --data-values-file values.yml",
        &[
            ("schema.yml", "#@data/values-schema\n---\nx: \"\"\n"),
            ("values.yml", "x: SECRET #@ 1\n"),
        ],
    ),
    (
        "data-values/not-plain",
        "-f schema.yml --data-values-file values.yml",
        &[
            ("schema.yml", "#@data/values-schema\n---\nx: {k: \"\", z: 1}\n"),
            ("values.yml", "x:\n  k: |\n    # SECRET\n    SECRET: 1\n  z: 1 #@ 1\n"),
        ],
    ),
    (
        "import/ambiguous",
        "schema import api.yml",
        &[(
            "api.yml",
            "{openapi: 3.0.0, info: {title: SECRET}, components: {schemas: {\n\
             A: {default: SECRET, type: string}, B: {type: string, default: SECRET}}}}\n",
        )],
    ),
    (
        "import/duplicate-key",
        "schema import schema.yml",
        &[(
            "schema.yml",
            "type: object\nproperties:\n  a: {default: SECRET}\n  a: {default: SECRET}\n",
        )],
    ),
    (
        "import/no-chart",
        "import helm chart --output-files app",
        &[("chart/Chart.yaml", "version: SECRET\n")],
    ),
    (
        "import/no-chart",
        "import helm chart --output-files app",
        &[("chart/Chart.yaml", "name: web\n"), ("chart/values.yaml", "SECRET\n")],
    ),
    (
        "import/not-rendered",
        "import helm chart --rendered values.yaml --output-files app",
        &[("chart/Chart.yaml", "name: web\n"), ("values.yaml", "password: SECRET\n")],
    ),
    (
        "import/no-such-name",
        "schema import api.yml --name C",
        &[(
            "api.yml",
            "openapi: SECRET\ncomponents: {schemas: {A: {type: string, default: SECRET}, B: {type: string}}}\n",
        )],
    ),
    ("krm/no-list", "krm pod.yml", &[("pod.yml", "apiVersion: SECRET\nkind: Pod\n")]),
    (
        "krm/no-list",
        "krm list.yml",
        &[("list.yml", "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems: SECRET\n")],
    ),
    (
        "krm/wrong-config",
        "krm list.yml",
        &[(
            "list.yml",
            "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nfunctionConfig:\n  kind: Plumb\n  \
             spec:\n    dataValues: SECRET\nitems: []\n",
        )],
    ),
    (
        "krm/wrong-config",
        "krm list.yml",
        &[(
            "list.yml",
            "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nfunctionConfig:\n  kind: Plumb\n  \
             spec:\n    file: {a.yml: SECRET}\nitems: []\n",
        )],
    ),
    (
        "kube/rule-broken",
        "-f config.yml --kube-schemas crds",
        &[
            ("crds/a.yml", CRD),
            (
                "config.yml",
                "apiVersion: acme.example/v1\nkind: A\nmetadata: {name: a}\nspec:\n  x: SECRET\n",
            ),
        ],
    ),
    (
        "kube/other-version",
        "-f config.yml --kube-schemas crds",
        &[
            ("crds/a.yml", CRD),
            (
                "config.yml",
                "{apiVersion: acme.example/v2, kind: A, metadata: {name: a}, spec: {x: SECRET}}\n",
            ),
        ],
    ),
    (
        "kube/unchecked-rule",
        "-f config.yml --kube-schemas crds",
        &[
            ("crds/a.yml", CRD),
            (
                "config.yml",
                "{apiVersion: acme.example/v1, kind: A, metadata: {name: a}, spec: {z: SECRET}}\n",
            ),
        ],
    ),
    (
        "kube/incomplete",
        "-f config.yml --kube-schemas crds",
        &[
            ("crds/a.yml", CRD),
            ("config.yml", "{apiVersion: acme.example/v1, kind: A, spec: {x: SECRET}}\n"),
        ],
    ),
    (
        "kube/unknown-kind",
        "-f config.yml --kube-schemas crds",
        &[
            ("crds/a.yml", CRD),
            ("config.yml", "{apiVersion: acme.example/v1, kind: B, metadata: {name: SECRET}}\n"),
        ],
    ),
    (
        "kube/rejected-rule",
        "-f config.yml --kube-schemas config.yml",
        &[("config.yml", REJECTED_RULE)],
    ),
    (
        "kubevirt/unfilled-parameter",
        "vm check template.yaml",
        &[(
            "template.yaml",
            "{kind: Template, metadata: {name: small, annotations: {validations: '[]', x: SECRET}},\nobjects: [\
             {kind: VirtualMachine, metadata: {name: web}, spec: {x: SECRET, k: '${{CORES}}'}}],\n\
             parameters: [{name: CORES, required: true, description: SECRET}]}\n",
        )],
    ),
    (
        "output/comment",
        "-f config.yml -f values.yml",
        &[
            ("values.yml", "#@data/values\n---\npassword: SECRET\n"),
            (
                "config.yml",
                "#@ load(\"@ytt:data\", \"data\")\n---\n#@output/comment [data.values.password]\na: 1\n",
            ),
        ],
    ),
    (
        "output/same-path",
        "-f a.yml=b.yml -f a.yml=c.yml --output-files out",
        &[("b.yml", "a: SECRET\n"), ("c.yml", "a: SECRET\n")],
    ),
    (
        "overlay/second-item",
        "-f config.yml -f overlay.yml",
        &[
            ("config.yml", "a:\n- {name: SECRET, x: SECRET}\n"),
            (
                "overlay.yml",
                "#@ load(\"@ytt:overlay\", \"overlay\")\n#@overlay/match by=overlay.all\n---\na:\n- name: SECRET\n",
            ),
        ],
    ),
    (
        "overlay/set-to-null",
        "-f config.yml -f overlay.yml",
        &[
            ("config.yml", "a: {x: SECRET}\n"),
            (
                "overlay.yml",
                "#@ load(\"@ytt:overlay\", \"overlay\")\n#@overlay/match by=overlay.all\n---\na:\n",
            ),
        ],
    ),
    (
        "overlay/without-effect",
        "-f schema.yml -f more.yml",
        &[
            ("schema.yml", "#@data/values-schema\n---\n#@schema/validation min_len=1\nx: SECRET\n"),
            ("more.yml", "#@data/values-schema\n---\n#@schema/validation min_len=3\nx: SECRET\n"),
        ],
    ),
    (
        "schema/array-shape",
        "-f schema.yml",
        &[("schema.yml", "#@data/values-schema\n---\nx: [SECRET, SECRET]\n")],
    ),
    (
        "schema/attach",
        "-f schema.yml",
        &[("schema.yml", "#@schema attach=\"other\"\n---\nx: SECRET\n")],
    ),
    (
        "schema/bad-definition",
        "-f schema.yml",
        &[("schema.yml", "#@schema/definition\n--- {x: SECRET}\n")],
    ),
    (
        "schema/default-contradiction",
        "-f schema.yml",
        &[("schema.yml", "#@data/values-schema\n---\n#@schema/type \"int\"\nx: SECRET\n")],
    ),
    (
        "schema/default-mismatch",
        "-f schema.yml",
        &[(
            "schema.yml",
            "#@ def d():\nk: SECRET\n#@ end\n#@data/values-schema\n---\n#@schema/default d()\nx:\n  k: 0\n",
        )],
    ),
    (
        "schema/example-mismatch",
        "-f schema.yml",
        &[(
            "schema.yml",
            "#@ def d():\nk: SECRET\n#@ end\n#@data/values-schema\n---\n#@schema/example d()\nx:\n  k: 0\n",
        )],
    ),
    (
        "schema/example-mismatch",
        "-f schema.yml",
        &[(
            "schema.yml",
            "#@ def d():\nk: SECRET\n#@ end\n#@data/values-schema\n---\n#@schema/example d()[\"k\"]\n\
             #@schema/validation max_len=1\nx: \"\"\n",
        )],
    ),
    (
        "schema/malformed-annotation",
        "-f schema.yml",
        &[(
            "schema.yml",
            "#@ def d():\nk: SECRET\n#@ end\n#@data/values-schema\n---\n#@schema/type d()[\"k\"]\nx: SECRET\n",
        )],
    ),
    (
        "schema/missing-value",
        "-f schema.yml",
        &[("schema.yml", "#@data/values-schema\n---\nx: SECRET\n#@schema/required\nk: SECRET\n")],
    ),
    (
        "schema/not-in-crd",
        "-f schema.yml --data-values-schema-inspect -o crd --crd-group a.example.com --crd-kind A",
        &[(
            "schema.yml",
            "#@data/values-schema\n---\n#@schema/validation (\"k\", lambda v: v)\nx: SECRET\n",
        )],
    ),
    (
        "schema/null-sample",
        "-f schema.yml",
        &[("schema.yml", "#@data/values-schema\n---\nx: SECRET\nk:\nz: SECRET\n")],
    ),
    (
        "schema/type-mismatch",
        "-f schema.yml --data-value-yaml x=1",
        &[("schema.yml", "#@data/values-schema\n---\nx: SECRET\n")],
    ),
    ("template/braces", "-f config.yml", &[("config.yml", "#@ a = 1\n---\nx: {{ SECRET }}\n")]),
    (
        "template/code-after-node-keyword",
        "-f config.yml",
        &[("config.yml", "a: SECRET\n#@ if/end True:\n#@ port = 8080\nport: SECRET\n")],
    ),
    (
        "template/limit",
        "-f config.yml --step-limit 1000",
        &[("config.yml", "a: SECRET\nb: #@ [x for x in range(100000)]\nc: SECRET\n")],
    ),
    ("template/syntax", "-f config.yml", &[("config.yml", "a: SECRET\nb: #@ if\nc: SECRET\n")]),
    (
        "template/syntax",
        "-f config.yml",
        &[("config.yml", "a: |\n  # SECRET\n  SECRET: x\n#@ if True\nb: SECRET\n#@ end\n")],
    ),
    (
        "template/text-syntax",
        "-f config.txt",
        &[("config.txt", "SECRET: (@ x = 1\n (@ y @) SECRET\n")],
    ),
    (
        "template/undefined",
        "-f config.yml",
        &[("config.yml", "a: \"SECRET\n  SECRET: x\n  # SECRET\"\nb: #@ missing\nc: SECRET\n")],
    ),
    (
        "template/unknown-comment",
        "-f config.yml",
        &[("config.yml", "#@ a = 1\n---\na: SECRET # why\nb: #@ a\n")],
    ),
    ("yaml/syntax", "-f config.yml", &[("config.yml", "a: SECRET\n  b: SECRET\nc: 1\n")]),
    ("test/failed", "test", TESTED),
    ("test/snapshot-differs", "test", TESTED),
    (
        "test/snapshot-unreadable",
        "test",
        &[
            ("config.yml", "p: 1\n"),
            (
                "tests/a_test.yml",
                "{suite: s, file: ../config.yml, tests: [{it: b, asserts: [{matchSnapshot: {}}]}]}\n",
            ),
            ("tests/__snapshot__/a_test.yml.snap", "a: [SECRET\n"),
        ],
    ),
    ("yaml/syntax", "-f config.yml", &[("config.yml", "a: [SECRET,\n  SECRET: x\nb: 1\n")]),
    (
        "project/cycle",
        "build",
        &[(
            "plumb.yml",
            "targets:\n  a: {file: config, data-value: p=SECRET, extends: b}\n  b: {extends: a, data-value: p=SECRET}\n",
        )],
    ),
    (
        "project/shared-output",
        "build",
        &[
            ("config/c.yml", "a: SECRET\n"),
            (
                "plumb.yml",
                "targets:\n  a: {file: config, data-value: p=SECRET, output-files: out}\n  b: {file: config, data-value: p=SECRET, output-files: out}\n",
            ),
        ],
    ),
    (
        "project/unknown-key",
        "build",
        &[("plumb.yml", "targets:\n  a: {file: config, data-value: p=SECRET, nosuch: SECRET}\n")],
    ),
    (
        "project/wrong-value",
        "build",
        &[("plumb.yml", "targets:\n  a: {file: config, data-value: [p=SECRET], strict: SECRET}\n")],
    ),
    (
        "project/unknown-target",
        "build b",
        &[("plumb.yml", "targets:\n  a: {file: config, data-value: p=SECRET}\n")],
    ),
    (
        "test/unknown-key",
        "test",
        &[
            ("c.yml", "a: SECRET\n"),
            (
                "tests/a_test.yml",
                "{suite: s, file: ../c.yml, tests: [{it: a, set: {p: SECRET}, nosuch: 1}]}\n",
            ),
        ],
    ),
    (
        "test/wrong-value",
        "test",
        &[
            ("c.yml", "a: SECRET\n"),
            (
                "tests/a_test.yml",
                "{suite: s, file: ../c.yml, tests: [{it: a, set: {p: SECRET}, asserts: 1}]}\n",
            ),
        ],
    ),
    (
        "template/missing-space",
        "-f config.yml",
        &[("config.yml", "a: SECRET\nb: SECRET #@load(1)\nc: SECRET\n")],
    ),
    (
        "template/load-cycle",
        "-f .",
        &[
            ("a.lib.yml", "#@ load('b.lib.yml', 'y')\n#@ x = 1\na: SECRET\n"),
            ("b.lib.yml", "#@ load('a.lib.yml', 'x')\n#@ y = 1\n---\nb: SECRET\n"),
            ("c.yml", "#@ load('a.lib.yml', 'x')\n---\nc: SECRET\n"),
        ],
    ),
    (
        "test/snapshot-obsolete",
        "test",
        &[
            ("c.yml", "a: 1\n"),
            (
                "tests/a_test.yml",
                "{suite: s, file: ../c.yml, tests: [{it: a, set: {}, asserts: [{equal: {path: a, value: 1}}, {matchSnapshot: {}}]}]}\n",
            ),
            (
                "tests/__snapshot__/a_test.yml.snap",
                "s / a:\n  1:\n    a: 1\ns / b:\n  1:\n    p: SECRET\n",
            ),
        ],
    ),
    (
        "generate/limit-reached",
        "generate a.js -p x=SECRET --time-limit 0.2",
        &[(
            "a.js",
            "import * as param from '@jkcfg/std/param'; const x = param.String('x'); for (;;) x.length;",
        )],
    ),
    (
        "generate/unresolved-import",
        "generate a.js -p x=SECRET",
        &[(
            "a.js",
            "import * as param from '@jkcfg/std/param'; import './missing.js'; export default [{path: 'a.yaml', value: param.String('x')}];",
        )],
    ),
    (
        "kube/no-schema",
        "-f config.yml --kube-schemas crds",
        &[
            ("crds/a.yml", "a: SECRET\n"),
            (
                "config.yml",
                "{apiVersion: acme.example/v1, kind: A, metadata: {name: a}, spec: {x: SECRET}}\n",
            ),
        ],
    ),
    (
        "project/unknown-target",
        "test",
        &[
            ("plumb.yml", "targets: {a: {file: c.yml, data-value: p=SECRET}}\n"),
            ("c.yml", "a: SECRET\n"),
            (
                "tests/a_test.yml",
                "{suite: s, target: b, tests: [{it: a, set: {p: SECRET}, asserts: [{equal: {path: a, value: 1}}]}]}\n",
            ),
        ],
    ),
    ("output/text-not-shown", "-f a.txt -f b.yml", &[("a.txt", "SECRET\n"), ("b.yml", "a: 1\n")]),
    ("input/unmatched-mark", "-f c.yml --file-mark x.yml:type=data", &[("c.yml", "a: SECRET\n")]),
];

/// A resource with a rule that fails, and one that is not checked.
const CRD: &str = "\
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: as.acme.example}
spec:
  group: acme.example
  names: {kind: A, plural: as}
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            properties:
              x: {type: string, x-kubernetes-validations: [{rule: int(self) > 0}]}
              z: {type: string, default: SECRET, x-kubernetes-validations: [{rule: self == oldSelf}]}
";

/// A project with tests that fail because of a data value.
const TESTED: &[File] = &[
    ("plumb.yml", "targets: {a: {file: [config], data-values-file: [values.yml]}}\n"),
    ("config/schema.yml", "#@data/values-schema\n---\np: ''\n"),
    ("config/c.yml", "#@ load('@ytt:data', 'data')\n---\np: #@ data.values.p\n"),
    ("values.yml", "p: SECRET\n"),
    (
        "tests/a_test.yml",
        "suite: s\ntests:\n- it: a\n  asserts: [{equal: {path: p, value: x}}]\n\
         - it: b\n  asserts: [{matchSnapshot: {}}]\n",
    ),
    ("tests/__snapshot__/a_test.yml.snap", "s / b:\n  1:\n    p: y\n"),
];

/// A definition whose rule does not fit its schema.
const REJECTED_RULE: &str = "\
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: as.acme.example}
spec:
  group: acme.example
  names: {kind: A, plural: as}
  scope: Namespaced
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          x: {type: string, default: SECRET, x-kubernetes-validations: [{rule: self.y == 1}]}
";

#[test]
fn findings_near_a_value_do_not_show_it() {
    let mut differences = Vec::new();
    for (code, arguments, files) in NEAR_A_VALUE {
        let files: Vec<_> = files.iter().map(|(name, text)| (*name, (*text).to_owned())).collect();
        let [first, second] = SAME_LENGTH
            .map(|secret| reports(&words(&arguments.replace("SECRET", secret)), &files, secret));
        for ((layout, first), (_, second)) in first.iter().zip(&second) {
            if first != second {
                differences.push(format!("{code}, {layout}:\n{first}\n{second}"));
            }
            if layout == "pretty" && !first.contains(&format!("[{code}]")) {
                differences.push(format!("{code} is not found by {arguments}:\n{first}"));
            }
        }
    }
    assert!(differences.is_empty(), "{}", differences.join("\n"));
}

/// The reports about these files with a secret in them, by layout.
pub(crate) fn reports(
    arguments: &[String],
    files: &[(&str, String)],
    secret: &str,
) -> Vec<(String, String)> {
    let sandbox = files.iter().fold(
        Sandbox::new(&format!("law {:?}", std::thread::current().id())),
        |it, (name, text)| it.with(name, text.replace("SECRET", secret)),
    );
    let mut arguments = arguments.to_vec();
    for layout in LAYOUTS {
        arguments.extend(["--report".to_owned(), format!("{layout}=report.{layout}")]);
    }
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let ran = sandbox.plumb(&arguments);
    let read =
        |layout: &str| without_ends(&sandbox.read(&format!("report.{layout}")).unwrap_or_default());
    let mut reports: Vec<_> = LAYOUTS.map(|it| (it.to_owned(), read(it))).into();
    reports.push(("standard error".to_owned(), without_ends(&ran.stderr)));
    reports.push(("bulk".to_owned(), bulk_errors(&sandbox, &arguments)));
    reports
}

/// The errors in the output of a render with `--bulk-out`. Empty for other commands, and if the
/// render succeeds.
fn bulk_errors(sandbox: &Sandbox, arguments: &[&str]) -> String {
    let prints = |it: &&str| *it == "-o" || it.contains("inspect") || it.contains("output");
    if arguments.first() != Some(&"-f") || arguments.iter().any(prints) {
        return String::new();
    }
    let arguments: Vec<&str> = arguments.iter().copied().chain(["--bulk-out"]).collect();
    let printed = sandbox.plumb(&arguments).stdout;
    if printed.starts_with("{\"errors\"") { printed } else { String::new() }
}

/// The report without the columns where places end: they depend on the length of a value at the end
/// of its line.
fn without_ends(report: &str) -> String {
    let mut parts = report.split("endColumn");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |text, part| {
        let is_of_number = |it: char| it.is_ascii_digit() || matches!(it, '"' | ':' | '=' | ' ');
        text + "endColumn" + part.trim_start_matches(is_of_number)
    })
}
