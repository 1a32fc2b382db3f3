//! Every way in which a script could leave its sandbox is closed.

use std::sync::Arc;

use plumb_generate::run;

use crate::world::Memory;
use crate::{files, request, surroundings};

/// The result of a script that returns one text.
fn answer(files: &[(&str, &str)], expression: &str) -> String {
    let script = format!(
        "import * as std from '@jkcfg/std'; import * as fs from '@jkcfg/std/fs';
         const attempt = async (use) => {{
           try {{ return `open: ${{String(await use())}}`; }} catch ({{ message }}) {{ return message; }}
         }};
         export default attempt(async () => ({expression}))
           .then((value) => [{{ path: 'answer', value, format: std.Format.Raw }}]);"
    );
    let mut all = vec![("app/config.js", script.as_str()), ("secret.json", "1"), ("x.js", "")];
    all.extend(files);
    let world = Arc::new(Memory::new(&all));
    match run(request("app/config.js"), &surroundings(&world)) {
        Ok(outcome) => {
            let files = crate::files(&outcome).join("\n");
            files.strip_prefix("out/answer = ").expect("an answer").to_owned()
        }
        Err(failure) => format!("{failure:?}"),
    }
}

#[test]
fn there_is_nothing_of_the_machine_among_the_globals() {
    let names = [
        "fetch",
        "XMLHttpRequest",
        "WebSocket",
        "process",
        "require",
        "module",
        "Deno",
        "Bun",
        "performance",
        "setTimeout",
        "setInterval",
        "navigator",
        "crypto",
        "std",
        "os",
        "print",
        "scriptArgs",
        "gc",
        "load",
        "Worker",
    ];
    let expression = format!("{names:?}.filter((name) => name in globalThis).join()");
    assert_eq!(answer(&[], &expression), "open: ");
}

#[test]
fn modules_of_the_engine_and_of_the_machine_cannot_be_imported() {
    for specifier in [
        "plumb:host",
        "plumb:command",
        "plumb:main",
        "std",
        "os",
        "qjs:std",
        "qjs:os",
        "node:fs",
        "fs",
        "http://example.com/a.js",
        "https://example.com/a.js",
        "file:///secret.json",
        "data:text/javascript,1",
        "/secret.json",
        "../../secret.json",
        "./../../secret.json",
        "@jkcfg/std/internal/host",
        "@jkcfg/std/cmd/generate",
        "",
    ] {
        let found = answer(&[], &format!("import({specifier:?})"));
        assert!(found.starts_with("could not import"), "{specifier}: {found}");
    }
}

#[test]
fn no_file_is_taken_for_a_module_of_ours() {
    for path in ["plumb:a.js", "@jkcfg/std/a.js", "@jkcfg/std", "plumb:entry/a.js", "plumb:main"] {
        let module = "import host from 'plumb:host'; export default host;";
        let found = answer(&[(path, module)], &format!("import('../{path}')"));
        assert!(found.starts_with("could not import 'plumb:host'"), "{path}: {found}");
    }
}

#[test]
fn files_outside_of_the_input_directory_are_not_seen() {
    for path in ["../secret.json", "/secret.json", "a/../../secret.json", "./../secret.json"] {
        for call in ["std.read", "fs.info", "fs.dir"] {
            let found = answer(&[], &format!("{call}({path:?})"));
            assert!(found.contains("forbidden"), "{call} {path}: {found}");
        }
        let found = answer(&[], &format!("std.read({path:?}, {{ module: 'module 0' }})"));
        assert_eq!(found, "not a reference to a module");
    }
}

#[test]
fn files_outside_of_the_output_directory_are_not_written() {
    for path in ["../a", "/a", "b/../../a", "./../a"] {
        let found = answer(&[], &format!("std.write(1, {path:?})"));
        assert!(found.contains("forbidden"), "{path}: {found}");
    }
}

#[test]
fn the_clock_is_fixed_in_every_function() {
    for expression in [
        "Date.now()",
        "new Date().getTime()",
        "+new Date()",
        "new (new Date(5).constructor)().getTime()",
        "new (class extends Date {})().getTime()",
        "Reflect.construct(Date, []).getTime()",
        "(0, eval)('Date.now()')",
        "new Function('return Date.now()')()",
        "Date.prototype.constructor.now()",
        "new Date(2020, 0).getTimezoneOffset()",
        "Date.parse(Date()) + Date.parse('1970-01-01T00:00')",
    ] {
        assert_eq!(answer(&[], expression), "open: 0", "{expression}");
    }
    let random = answer(&[], "[Math.random(), Math.random()].join()");
    assert_eq!(random, answer(&[], "[Math.random(), Math.random()].join()"));
}

#[test]
fn no_change_of_the_language_makes_a_script_valid() {
    for change in [
        "JSON.stringify = () => '{}';",
        "JSON.stringify = () => undefined;",
        "JSON.stringify = () => '['.repeat(1e6);",
        "JSON.parse = () => [];",
        "globalThis.JSON = undefined;",
        "Object.prototype.then = (resolve) => resolve(1);",
        "Promise.prototype.then = () => undefined;",
        "Object.hasOwn = () => { throw 1; };",
        "Array.isArray = () => false;",
    ] {
        let script = format!(
            "{change}
             export default [{{ path: 'a.json', value: 1, validate: () => 'never valid' }}];"
        );
        let world = Arc::new(Memory::new(&[("config.js", &script)]));
        if let Ok(outcome) = run(request("config.js"), &surroundings(&world)) {
            assert!(!outcome.is_valid(), "{change}");
            assert_eq!(files(&outcome), [] as [&str; 0], "{change}");
        }
    }
}
