//! No report shows a data value: the pages of findings have a marked value wherever a value is
//! wrong, and their commands are run again with every kind of report.

use std::path::{Path, PathBuf};

use plumb_testkit::console::words;
use plumb_testkit::{Case, CaseFile};

use crate::sandbox::Sandbox;

/// The secrets in the pages, as a text and as a number.
const MARKS: [&str; 2] = ["hunter2", "4711"];

/// The layouts of Plumb. That of ytt quotes lines and values as ytt does.
const LAYOUTS: [&str; 5] = ["pretty", "json", "sarif", "junit", "github"];

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

/// Codes without a marked value on their pages: most of their messages are about code, files and flags. A new code
/// gets a marked value on its page, or is added here if its messages never contain a value.
const WITHOUT_A_VALUE: [&str; 67] = [
    "cli/misuse",
    "data-values/is-directory",
    "data-values/not-plain",
    "generate/file",
    "generate/limit-reached",
    "generate/unresolved-import",
    "import/ambiguous",
    "import/duplicate-key",
    "import/no-such-name",
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
    "input/unmatched-mark",
    "input/unreadable",
    "input/wrong-mark",
    "internal/bug",
    "krm/no-list",
    "krm/not-read",
    "krm/wrong-config",
    "kube/broken-rule",
    "kube/no-schema",
    "kube/other-version",
    "kube/too-complex",
    "kube/unchecked-rule",
    "kubevirt/unfilled-parameter",
    "kubevirt/unreadable",
    "output/not-emptied",
    "output/not-written",
    "output/read-back",
    "output/same-path",
    "output/text-not-shown",
    "overlay/second-item",
    "overlay/set-to-null",
    "overlay/without-effect",
    "project/cycle",
    "project/not-built",
    "project/not-found",
    "project/shared-output",
    "project/unknown-key",
    "project/unknown-target",
    "project/wrong-value",
    "schema/array-shape",
    "schema/attach",
    "schema/bad-definition",
    "schema/default-mismatch",
    "schema/example-mismatch",
    "schema/malformed-annotation",
    "schema/missing-value",
    "schema/not-in-crd",
    "schema/null-sample",
    "template/braces",
    "template/code-after-node-keyword",
    "template/limit",
    "template/load-cycle",
    "template/missing-space",
    "template/syntax",
    "template/text-syntax",
    "template/undefined",
    "template/unknown-comment",
    "webhook/not-served",
];

#[test]
fn every_code_is_tried_with_a_marked_value_or_is_listed() {
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

/// Two secrets that begin with different characters, neither of which YAML allows there.
const INDICATORS: [&str; 2] = ["@hunter2", "`swordfish"];

/// Layouts for people and for programs, including ytt: called as `plumb`, it masks values too.
const ALL_LAYOUTS: [&str; 6] = ["pretty", "ytt", "json", "sarif", "junit", "github"];

/// Templates that fail because of the data value `x`, each in a different way.
const FAILING: [(&str, &str); 36] = [
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
                #@ load(\"@ytt:assert\", \"assert\")\n#@ load(\"@ytt:overlay\", \"overlay\")\n---\n";
    let schema = "#@data/values-schema\n---\nx: \"\"\n";
    let mut differences = Vec::new();
    let mut check = |name: &str, files: &[(&str, String)]| {
        let [first, second] = [0, 1].map(|at| reports(files, at));
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

/// The reports about these files with the first or second secret in them, by layout.
fn reports(files: &[(&str, String)], which: usize) -> Vec<(String, String)> {
    let with = |sandbox: Sandbox, (name, text): &(&str, String)| {
        let text = text.replace("SECRET", SECRETS[which]);
        sandbox.with(name, text.replace("INDICATOR", INDICATORS[which]))
    };
    let sandbox = files.iter().fold(Sandbox::new("law"), with);
    let mut arguments = Vec::new();
    arguments.extend(files.iter().flat_map(|(name, _)| ["-f".to_owned(), (*name).to_owned()]));
    for layout in ALL_LAYOUTS {
        arguments.extend(["--report".to_owned(), format!("{layout}=report.{layout}")]);
    }
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let ran = sandbox.plumb(&arguments);
    let read =
        |layout: &str| without_ends(&sandbox.read(&format!("report.{layout}")).unwrap_or_default());
    let mut reports: Vec<_> = ALL_LAYOUTS.map(|it| (it.to_owned(), read(it))).into();
    reports.push(("standard error".to_owned(), ran.stderr));
    reports
}

/// The report without the columns where places end: those are exact, also where a value is the last on its line.
fn without_ends(report: &str) -> String {
    let mut parts = report.split("endColumn");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |text, part| {
        let is_of_number = |it: char| it.is_ascii_digit() || matches!(it, '"' | ':' | '=' | ' ');
        text + "endColumn" + part.trim_start_matches(is_of_number)
    })
}
