//! Masking for generators: a failing run reports the same for every secret, in every kind of
//! report.

use crate::sandbox::{LAYOUTS, Sandbox};

/// Two secrets of the same type that have nothing in common.
const SECRETS: [&str; 2] = ["hunter2", "correct-horse 'battery' \"staple\" 4711"];

/// Scripts that fail in as many ways as possible. `secret` is a parameter, `data` is read from a
/// file.
const SCRIPTS: [&str; 34] = [
    // Parameters of the wrong type.
    "param.Number('secret');",
    "param.Boolean('secret');",
    "param.Object('secret');",
    "param.String('file');",
    "param.Number('file.key');",
    // Thrown and rejected values.
    "throw secret;",
    "throw { secret };",
    "throw [secret];",
    "throw Symbol(secret);",
    "throw () => secret;",
    "await Promise.reject(secret);",
    "Promise.reject({ secret });",
    "export default Promise.reject(secret);",
    // Messages of the engine.
    "JSON.parse(secret);",
    "JSON.parse(`{\"a\": ${JSON.stringify(secret)},}`);",
    "null[secret];",
    "undefined[secret] = 1;",
    "({ a: 1 })[secret].b[secret];",
    "Object.freeze({ [secret]: 1 })[secret] = 2;",
    "new Function(`${secret} (`)();",
    "(0, eval)(`${secret} )`);",
    "new RegExp(`[${secret}`);",
    "BigInt(secret);",
    "'a'.normalize(secret);",
    "new Array(-secret.length);",
    "new Proxy({}, { get() { throw secret; } }).a;",
    "const it = { [secret]() { null.a; } }; it[secret]();",
    "await import(`./${secret}`);",
    // Functions of the standard modules.
    "std.parse(secret, std.Format.JSON);",
    "std.parse(`a: !!float ${JSON.stringify(secret)}`, std.Format.YAML);",
    "schema.validateWithObject(1, { type: secret });",
    "std.write({ a: new Map([[secret, secret]]) }, 'a.yaml');",
    "await std.read('secret.txt', { format: std.Format.JSON });",
    "null[data.key];",
];

/// Definitions of files that are invalid, or whose validators fail.
const DEFINITIONS: [&str; 9] = [
    "{ path: 'a.yaml', value: { secret }, validate: (v) => { throw v.secret; } }",
    "{ path: 'a.yaml', value: { secret }, validate: (v) => { throw v; } }",
    "{ path: 'a.yaml', value: { secret }, validate: (v) => JSON.parse(v.secret) }",
    "{ path: 'a.yaml', value: { secret }, validate: (v) => null[v.secret] }",
    "{ path: 'a.yaml', value: { secret }, validate: async (v) => { throw v.secret; } }",
    "{ path: 'a.yaml', value: { secret }, validate: (v) => Symbol(v.secret) }",
    "{ path: 'a.yaml', value: { secret }, validate: (v) => [{ wrong: v.secret }] }",
    "{ path: 'a.yaml', value: { secret }, validate: (v) => schema.validateWithObject(v, { properties: { secret: { type: 'number' } } }) }",
    "{ path: 'a.yaml', value: Promise.reject(secret) }",
];

const BEFORE: &str = "\
import * as std from '@jkcfg/std';
import * as param from '@jkcfg/std/param';
import * as schema from '@jkcfg/std/schema';
const secret = param.String('secret');
const data = await std.read('data.yaml');
";

fn sandbox(test: &str, script: &str, secret: &str) -> Sandbox {
    let quoted = format!("{secret:?}");
    Sandbox::new(test)
        .with("config.js", format!("{BEFORE}{script}\n"))
        .with("data.yaml", format!("key: {quoted}\n"))
        .with("parameters.json", format!("{{\"file\": {{\"key\": {quoted}}}}}"))
        .with("secret.txt", secret)
}

/// The text of every kind of report about a run.
fn reports(sandbox: &Sandbox, arguments: &[&str]) -> Vec<(&'static str, String)> {
    let layouts = LAYOUTS.map(|it| format!("{it}=report.{it}"));
    let mut arguments = arguments.to_vec();
    arguments.extend(layouts.iter().flat_map(|it| ["--report", it]));
    let ran = sandbox.plumb(&arguments);
    assert_ne!(ran.code, Some(0), "{arguments:?} does not fail");
    let mut reports = vec![("standard error", ran.stderr)];
    reports.extend(LAYOUTS.map(|it| {
        let report = sandbox.read(&format!("report.{it}"));
        (it, report.expect("every report is written"))
    }));
    reports
}

/// Runs a script with both secrets, and returns the differences between the reports.
fn differences(test: &str, script: &str, arguments: impl Fn(&str) -> Vec<String>) -> Vec<String> {
    let [first, second] = SECRETS.map(|secret| {
        let sandbox = sandbox(test, script, secret);
        let arguments = arguments(secret);
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        reports(&sandbox, &arguments)
    });
    let pairs = first.iter().zip(&second).filter(|(first, second)| first != second);
    pairs
        .map(|((layout, first), (_, second))| format!("{script}\nas {layout}:\n{first}{second}"))
        .collect()
}

#[test]
fn every_report_of_a_generator_is_the_same_with_every_secret() {
    let generated = DEFINITIONS.map(|it| format!("export default [{it}];"));
    let scripts = SCRIPTS.iter().map(|it| (*it).to_owned()).chain(generated);
    let mut found = Vec::new();
    for script in scripts {
        found.extend(differences("generator-laws", &script, |secret| {
            let setting = format!("secret={secret}");
            ["generate", "config.js", "-f", "parameters.json", "-p", &setting]
                .map(str::to_owned)
                .to_vec()
        }));
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn validators_and_transformations_that_fail_show_no_value() {
    let mut found = Vec::new();
    for code in [
        "v => { throw v.key; }",
        "v => JSON.parse(v.key)",
        "v => null[v.key]",
        "v => v.key.length",
        "async v => { throw v; }",
    ] {
        for command in ["validate", "transform"] {
            if (command, code) == ("transform", "v => v.key.length") {
                continue;
            }
            found.extend(differences("validator-laws", "", |_| {
                [command, "-c", code, "data.yaml"].map(str::to_owned).to_vec()
            }));
        }
    }
    found.extend(differences("validator-laws", "", |secret| {
        ["run", "config.js", "-p", secret].map(str::to_owned).to_vec()
    }));
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn values_are_shown_on_request_and_what_the_author_wrote_always() {
    let run = |script: &str, flag: &str| {
        let arguments = ["generate", "config.js", "-p", "secret=hunter2", flag];
        sandbox("shown-values", script, "hunter2").plumb(&arguments).stderr
    };
    assert!(run("throw secret;", "--show-values").contains("uncaught string: hunter2"));
    assert!(run("throw secret;", "--show-values=false").contains("uncaught string: ***"));
    let number = run("param.Number('secret');", "--show-values");
    assert!(number.contains("`secret` to be a number, found \"hunter2\""), "{number}");
    let own = run("throw new TypeError(`not ${secret}`);", "--show-values=false");
    assert!(own.contains("TypeError: not hunter2"), "{own}");
    let literal = run("undefined.metadata;", "--show-values=false");
    assert!(literal.contains("cannot read property 'metadata' of undefined"), "{literal}");
}
