//! Small inputs that need excessive resources: each run ends soon, with a message and little
//! memory.

use std::fmt::Write as _;
use std::process::Stdio;
use std::time::{Duration, Instant};

use crate::sandbox::Sandbox;

/// A time limit that even a busy machine can meet.
const PATIENCE: Duration = Duration::from_mins(1);
/// The limit of the address space in KiB. A gigabyte of it is reserved for the stack.
const SPACE: u32 = 5 << 20;

struct Bomb {
    name: &'static str,
    /// The files and their contents.
    files: Vec<(&'static str, String)>,
    arguments: &'static str,
    /// A part of the expected message.
    words: &'static str,
}

/// A template that is one bomb.
fn template(name: &'static str, code: &str, words: &'static str) -> Bomb {
    let loads = "#@ load(\"@ytt:regexp\", \"regexp\")\n#@ load(\"@ytt:yaml\", \"yaml\")\n\
                 #@ load(\"@ytt:json\", \"json\")\n";
    let files = vec![("a.yml", format!("{loads}{code}"))];
    Bomb { name, files, arguments: "-f a.yml --step-limit 300000 --memory-limit 256", words }
}

/// Plain input that is one bomb.
fn input(name: &'static str, text: String, words: &'static str) -> Bomb {
    Bomb { name, files: vec![("a.yml", text)], arguments: "-f a.yml", words }
}

fn script(name: &'static str, code: &str, words: &'static str) -> Bomb {
    let files = vec![("a.js", code.to_owned())];
    Bomb { name, files, arguments: "generate --time-limit 3 --memory-limit 64 a.js", words }
}

/// A JSON Schema, and a value to validate.
fn schema_bomb(name: &'static str, schema: String, value: String, words: &'static str) -> Bomb {
    let files = vec![("schema.json", schema), ("a.json", value)];
    Bomb { name, files, arguments: "validate --schema schema.json a.json", words }
}

/// A rule of a template of virtual machines, and a virtual machine whose name it checks.
fn rule(name: &'static str, pattern: &str, text: &str, words: &'static str) -> Bomb {
    let template = format!(
        "kind: Template\nmetadata:\n  name: t\n  annotations:\n    validations: |\n      \
         [{{\"name\": \"r\", \"rule\": \"regex\", \"regex\": \"{pattern}\", \"message\": \"m\",\n       \
         \"path\": \"jsonpath::.spec.hostname\"}}]\n"
    );
    let machine = format!(
        "kind: VirtualMachine\nmetadata:\n  name: m\n\
         spec:\n  template:\n    spec:\n      hostname: {text}\n"
    );
    let files = vec![("t.yml", template), ("m.yml", machine)];
    Bomb { name, files, arguments: "vm check --template t.yml m.yml", words }
}

fn laughs() -> String {
    let mut text = "a0: &a0 [ha, ha, ha, ha, ha, ha, ha, ha, ha, ha]\n".to_owned();
    for level in 1..30 {
        let below = format!("*a{}, ", level - 1).repeat(10);
        let _ = writeln!(text, "a{level}: &a{level} [{below}]");
    }
    text
}

fn documents() -> Vec<Bomb> {
    vec![
        input("laughs", laughs(), "alias"),
        input("deep flow", "[".repeat(1_000_000), "levels"),
        input("deep blocks", "- ".repeat(200_000), "levels"),
        input("an alias of itself", "a: &a [*a]\n".to_owned(), "error["),
    ]
}

fn programs() -> Vec<Bomb> {
    let doubled =
        |start: &str| format!("#@ x = {start}\n#@ for i in range(60):\n#@   x += x\n#@ end\n");
    vec![
        template("a long loop", "#@ for i in range(1000000000):\n#@ end\n", "too many steps"),
        template(
            "loops in loops",
            "#@ r = range(1000000000)\n#@ x = [1 for a in r for b in r]\n",
            "too many steps",
        ),
        template("recursion", "#@ def f(): return f()\n#@ x = f()\n", "too many nested calls"),
        template("a doubled string", &doubled("\"x\""), "error[template/limit]"),
        template("a doubled list", &doubled("[1]"), "too m"),
        template("a repeated string", "#@ x = \"a\" * 10000000000\n", "error["),
        template("a repeated list", "#@ x = [0] * 1000000000\n", "out of memory"),
        template("a range as a list", "#@ x = list(range(1000000000))\n", "too many steps"),
        template("a large shift", "#@ x = 1 << 100000000\n", "shift"),
        template(
            "a large square",
            "#@ x = 3\n#@ for i in range(60):\n#@   x = x * x\n#@ end\n",
            "100000 bits",
        ),
        template(
            "many keys",
            "#@ x = {}\n#@ for i in range(1000000000):\n#@   x[i] = [i]\n#@ end\n",
            "too m",
        ),
        template(
            "laughs in a text",
            "#@ t = \"a: &a [1,1,1,1,1,1,1,1,1,1]\\n\"\n#@ for i in range(20):\n#@   n = \"abcdefghijklmnopqrstuvwxyz\"\n#@   t += n[i+1] + \": &\" + n[i+1] + \" [\" + (\"*\" + n[i] + \",\") * 10 + \"]\\n\"\n#@ end\n#@ x = yaml.decode(t)\n",
            "out of memory",
        ),
        template("a deep text", "#@ x = json.decode(\"[\" * 1000000)\n", "error["),
        template(
            "a pattern of repeats",
            "#@ x = regexp.match(\"((a{1000}){1000}){1000}\", \"a\")\n",
            "error[",
        ),
        template(
            "a large pattern",
            "#@ x = regexp.match(\"(a?){1000}\" * 200, \"a\")\n",
            "regular expression of more than 10 MiB",
        ),
        limited(
            "a pattern under a limit",
            "#@ x = regexp.match(\"(a?){1000}\" * 20, \"a\")\n",
            "-f a.yml --regexp-limit 1",
            "regular expression of more than 1 MiB",
        ),
        template(
            "a pattern again and again",
            "#@ for i in range(1000000):\n#@   x = regexp.match(\"(a?){1000}\" * 10, \"a\" * 1000)\n#@ end\n",
            "too many steps",
        ),
        template(
            "a nested list",
            "#@ x = []\n#@ for i in range(100000):\n#@   x = [x]\n#@ end\nx: #@ x\n",
            "levels",
        ),
    ]
}

/// A template with its own limits.
fn limited(name: &'static str, code: &str, arguments: &'static str, words: &'static str) -> Bomb {
    Bomb { arguments, ..template(name, code, words) }
}

fn scripts() -> Vec<Bomb> {
    vec![
        script("an endless script", "for (;;);", "s (--time-limit)"),
        script(
            "a hungry script",
            "const a = []; for (;;) a.push('x'.repeat(1e6) + a.length);",
            "limit-reached",
        ),
        script("a deep script", "const f = () => f() + 1; f();", "error["),
        script(
            "a backtracking script",
            "/^(a+)+$/.test('a'.repeat(64) + '!');",
            "s (--time-limit)",
        ),
        script(
            "many files",
            "export default Array.from({ length: 1e9 }, (_, i) => ({ path: `${i}`, value: i }));",
            "error[",
        ),
        script(
            "a large file",
            "export default [{ path: 'a', value: 'x'.repeat(1 << 29) }];",
            "error[",
        ),
        schema_bomb(
            "a deep schema",
            format!("{}true{}", "{\"not\":".repeat(5_000), "}".repeat(5_000)),
            "1".to_owned(),
            "levels",
        ),
        schema_bomb(
            "a deep value",
            "true".to_owned(),
            format!("{}{}", "[".repeat(200_000), "]".repeat(200_000)),
            "error[",
        ),
        rule("a backtracking rule", "^(a+)+\\\\1b$", &"a".repeat(64), "error["),
        rule("a large rule", "((a{1000}){1000}){1000}", "a", "error["),
    ]
}

#[test]
fn bombs_end_in_findings() {
    let mut wrong = Vec::new();
    for bomb in documents().into_iter().chain(programs()).chain(scripts()) {
        let (code, told) = run(&bomb);
        if code != Some(1) || !told.contains(bomb.words) {
            wrong.push(format!("{}: {code:?}, {told}", bomb.name));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// A pattern that would backtrack forever must still give an answer: matching does not backtrack,
/// or is limited.
#[test]
fn patterns_that_backtrack_are_answered() {
    let text = format!("{}!", "a".repeat(64));
    let pattern = "^(a+)+$";
    let files = vec![(
        "a.yml",
        format!(
            "#@ load(\"@ytt:regexp\", \"regexp\")\nx: #@ regexp.match(\"{pattern}\", \"{text}\")\n"
        ),
    )];
    assert_eq!(run(&Bomb { name: "linear", files, arguments: "-f a.yml", words: "" }).0, Some(0));
    for pattern in [pattern, "^(?:a|a)+$", "^(a*)*b$"] {
        let schema = format!("{{\"pattern\": \"{pattern}\"}}");
        let bomb = schema_bomb("a pattern", schema, format!("\"{text}\""), "");
        assert_eq!(run(&bomb).0, Some(1), "{pattern}");
    }
}

#[test]
fn files_of_any_size_are_refused_before_they_are_read() {
    let sandbox = Sandbox::new("bombs-size").with("a.yml", "a: 1\n".repeat(500_000));
    let large = std::fs::File::create(sandbox.path("large.yml")).expect("writable");
    // A sparse file takes no space on the disk.
    large.set_len(5 << 30).expect("the file system knows holes");
    let told = sandbox.plumb(&["-f", "large.yml"]).failure(1);
    assert!(told.contains("larger than 4 GiB"), "{told}");
    let limited = ["-f", "a.yml", "--file-size-limit", "1"];
    let told = sandbox.plumb(&limited).failure(1);
    assert!(told.contains("a.yml: larger than the 1 MiB that a file may have"), "{told}");
    let input = "a: 1\n".repeat(500_000);
    let stdin = sandbox.run("plumb", &["-f", "-", "--file-size-limit", "1"], &input).failure(1);
    assert!(stdin.contains("larger than the 1 MiB"), "{stdin}");
    let zeros = sandbox.plumb(&["-f", "a.yml=/dev/zero", "--file-size-limit", "1"]).failure(1);
    assert!(zeros.contains("/dev/zero"), "{zeros}");
}

/// Runs with limited memory, and returns the exit code and the message.
fn run(bomb: &Bomb) -> (Option<i32>, String) {
    let sandbox = Sandbox::new(&format!("bombs {}", bomb.name));
    let sandbox = bomb.files.iter().fold(sandbox, |it, (path, text)| it.with(path, text));
    let plumb = env!("CARGO_BIN_EXE_plumb");
    let script = format!("ulimit -v {SPACE} && exec '{plumb}' {}", bomb.arguments);
    let mut command = std::process::Command::new("sh");
    command.args(["-c", &script]).current_dir(sandbox.path("")).stdin(Stdio::null());
    let start = Instant::now();
    let output = command.output().expect("there is a shell");
    assert!(start.elapsed() < PATIENCE, "{} took {:?}", bomb.name, start.elapsed());
    let told = String::from_utf8_lossy(&output.stderr).chars().take(2_000).collect();
    (output.status.code(), told)
}
