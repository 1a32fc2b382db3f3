//! Names of files that would control a terminal, or that a CI system would interpret as a command,
//! if they were printed unescaped.

use crate::sandbox::Sandbox;

/// A name with a line break and a sequence for terminals.
const NAME: &str = "a\n::error::evil\u{1b}[31m";

/// Command lines, each with its files. `NAME` is replaced by the name.
type Run = (&'static str, &'static [(&'static str, &'static str)]);

const RUNS: [Run; 30] = [
    ("-f NAME.yml", &[]),
    ("-f NAME.yml", &[("NAME.yml", "a: [\n")]),
    ("-f NAME.yml", &[("NAME.yml", "a: #@ fail(\"x\")\n")]),
    ("-f config", &[("config/NAME.yml", "#@ load(\"nosuch.star\", \"x\")\n---\na: 1\n")]),
    (
        "-f config",
        &[
            ("config/NAME.star", "def f():\n  return 1 // 0\nend\n"),
            (
                "config/b.yml",
                "#@ load(\"a\\n::error::evil\\x1b[31m.star\", \"f\")\n---\na: #@ f()\n",
            ),
        ],
    ),
    (
        "-f config",
        &[
            ("config/NAME.star", "x = 1\n"),
            ("config/b.yml", "#@ load(\"a\\n::error::evil\\x1b[31m.star\", \"y\")\n---\na: #@ y\n"),
        ],
    ),
    ("-f config --output-files out", &[("config/NAME.yml", "a: 1\n")]),
    ("-f config --output-files NAME", &[("config/b.yml", "a: 1\n")]),
    ("-f config --output-files NAME", &[("config/b.yml", "a: 1\n"), ("NAME", "")]),
    ("-f config --file-mark NAME:type=x", &[("config/NAME.yml", "a: 1\n")]),
    ("-f config --file-mark NAME.yml:type=x", &[("config/NAME.yml", "a: 1\n")]),
    ("-f config --debug", &[("config/NAME.yml", "a: 1\n")]),
    ("-f config --files-inspect", &[("config/NAME.yml", "a: 1\n")]),
    (
        "-f config -f other --output-files out",
        &[("config/NAME.yml", "a: 1\n"), ("other/NAME.yml", "b: 1\n")],
    ),
    (
        "-f config --data-values-file NAME.yml",
        &[("config/b.yml", "a: 1\n"), ("NAME.yml", "x: 1\n")],
    ),
    ("-f config --data-value-file x=NAME", &[("config/b.yml", "a: 1\n")]),
    ("-f config --report ytt", &[("config/NAME.yml", "a: [\n")]),
    ("-f config --report github", &[("config/NAME.yml", "a: [\n")]),
    ("-f config --report junit", &[("config/NAME.yml", "a: [\n")]),
    ("fmt --check config", &[("config/NAME.yml", "a:    1\n")]),
    ("fmt -w config", &[("config/NAME.yml", "a:    1\n")]),
    (
        "test",
        &[
            ("config/b.yml", "a: 1\n"),
            (
                "tests/NAME_test.yml",
                "file: ../config\ntests:\n- it: a\n  asserts: [{equal: {path: a, value: 2}}]\n",
            ),
        ],
    ),
    (
        "test --coverage",
        &[
            ("config/NAME.yml", "a: 1\n"),
            (
                "tests/a_test.yml",
                "file: ../config\ntests:\n- it: a\n  asserts: [{equal: {path: a, value: 1}}]\n",
            ),
        ],
    ),
    ("test tests/NAME", &[("config/b.yml", "a: 1\n")]),
    (
        "build",
        &[
            (
                "plumb.yml",
                "targets: {a: {file: config, output-files: \"a\\n::error::evil\\e[31m\"}}\n",
            ),
            ("config/b.yml", "a: 1\n"),
        ],
    ),
    (
        "diff",
        &[
            ("plumb.yml", "targets: {a: {file: config, output-files: out}}\n"),
            ("config/NAME.yml", "a: 1\n"),
        ],
    ),
    ("vm check NAME", &[]),
    (
        "vm check config --templates config",
        &[(
            "config/NAME.yml",
            "kind: VirtualMachine\napiVersion: kubevirt.io/v1\nmetadata: {name: a}\nspec: 1\n",
        )],
    ),
    ("generate NAME.js", &[("NAME.js", "throw 1\n")]),
    (
        "generate --verbose --output-directory out a.js",
        &[(
            "a.js",
            "import * as std from '@jkcfg/std';\nexport default [{file: \"a\\n::error::evil\\x1b[31m.yaml\", value: {a: 1}}];\n",
        )],
    ),
];

#[test]
fn no_file_name_controls_a_terminal_or_starts_a_line() {
    let mut faults = Vec::new();
    for (arguments, files) in RUNS {
        let named = |text: &str| text.replace("NAME", NAME);
        let sandbox = files
            .iter()
            .fold(Sandbox::new("file-names"), |it, (path, text)| it.with(&named(path), text));
        let words: Vec<String> = arguments.split(' ').map(named).collect();
        let ran = sandbox.plumb(&words.iter().map(String::as_str).collect::<Vec<_>>());
        let text = ran.stdout + &ran.stderr;
        let starts = |it: &str| it.trim_start().starts_with("::error::evil");
        if text.contains('\u{1b}') || text.lines().any(starts) || text.is_empty() {
            faults.push(format!("{arguments}:\n{text}"));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}
