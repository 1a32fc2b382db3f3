//! Scripts that use excessive time, memory or stack: each is ended, with the reason.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use plumb_diagnostic::Failure;
use plumb_generate::{LIMIT_REACHED, Limits, Outcome, Request, Surroundings, THROWN, run};

use crate::world::Memory;
use crate::{request, surroundings};

/// The failure of a script with this much memory, whose time is over after `patience` checks.
fn failure_within(patience: usize, memory: usize, script: &str) -> Failure {
    let script = format!("import * as std from '@jkcfg/std';\n{script}");
    let world = Arc::new(Memory::new(&[("config.js", &script)]));
    let asked = AtomicUsize::new(0);
    let is_over = move || asked.fetch_add(1, Ordering::Relaxed) > patience;
    let stop = move || is_over().then(|| "it takes too long".to_owned());
    let surroundings = Surroundings { stop: Arc::new(stop), ..surroundings(&world) };
    let limits = Limits { memory, ..Limits::default() };
    run(Request { limits, ..request("config.js") }, &surroundings).expect_err(&script)
}

fn failure(script: &str) -> Failure {
    failure_within(1_000, 64 << 20, script)
}

fn outcome(script: &str) -> Result<Outcome, Failure> {
    let world = Arc::new(Memory::new(&[("config.js", script)]));
    run(request("config.js"), &surroundings(&world))
}

#[test]
fn endless_scripts_are_ended() {
    for script in [
        "for (;;);",
        "while (true) try { for (;;); } catch { }",
        "const f = () => { try { f(); } finally { f(); } }; f();",
        "for (;;) await 1;",
        "const again = () => Promise.resolve().then(again); export default again();",
        "export default { then(resolve) { resolve(this); } };",
        "/^(a+)+$/.test('a'.repeat(60) + '!');",
        "[3, 2, 1].sort(() => { for (;;); });",
        "class A { static { for (;;); } }",
        "function* all() { for (;;) yield 1; } for (const one of all());",
        "const error = new Error(); Object.defineProperty(error, 'message', { get() { for (;;); } }); throw error;",
        "throw { toJSON() { for (;;); } };",
        "export default [{ path: 'a.json', value: { toJSON() { for (;;); } } }];",
        "export default [{ path: 'a.json', value: 1, validate() { for (;;); } }];",
        "export default [{ path: 'a.json', value: 1, validate: () => new Promise(() => { for (;;); }) }];",
        "export default [{ get path() { for (;;); }, value: 1 }];",
        "for (let n = 0; ; n += 1) try { await import(`./no${n}`); } catch { }",
    ] {
        let failure = failure_within(100, 512 << 20, script);
        let finding = &failure.findings()[0];
        assert_eq!(finding.code, LIMIT_REACHED, "{script}: {}", finding.message.shown());
    }
}

#[test]
fn scripts_that_use_all_memory_are_reported() {
    for script in [
        "const all = []; for (;;) all.push(new ArrayBuffer(1 << 24));",
        "const all = []; for (;;) all.push({ all });",
        "let all = null; for (;;) all = { all };",
        "const all = []; for (;;) all.push('x'.repeat(1 << 20));",
        "'x'.repeat(1 << 29);",
        "encodeURIComponent('€'.repeat(1 << 26));",
        "const all = new Map(); for (let n = 0; ; n += 1) all.set(n, n);",
        "function* all() { for (;;) yield 1; } Array.from(all());",
        "for (;;) Promise.reject(1);",
        "for (let n = 0; ; n += 1) std.write('x'.repeat(1 << 16), `${n}.txt`);",
    ] {
        let failure = failure_within(100_000, 24 << 20, script);
        let finding = &failure.findings()[0];
        assert_eq!(finding.code, LIMIT_REACHED, "{script}: {}", finding.message.shown());
        assert!(
            finding.message.shown().contains("memory"),
            "{script}: {}",
            finding.message.shown()
        );
    }
}

#[test]
fn what_nests_too_deep_is_an_error_of_the_script() {
    for (script, expected) in [
        ("const f = () => 1 + f(); f();", "call stack"),
        ("JSON.parse('['.repeat(1e5));", "call stack"),
        ("const p = new Proxy({}, { get: (_, key, self) => self[key] }); p.x;", "call stack"),
        ("let v = 1; for (let n = 0; n < 1e5; n += 1) v = [v]; JSON.stringify(v);", "call stack"),
        ("const v = {}; v.v = v; std.print(v);", "circular"),
        ("std.parse('['.repeat(1e5), std.Format.YAML);", "deeper than"),
        ("new Function('x = ' + '('.repeat(1e5) + '1');", "call stack"),
        ("new RegExp('(?:'.repeat(1e5));", ""),
        ("2n ** (2n ** 40n);", "too large"),
    ] {
        let failure = failure(script);
        let finding = &failure.findings()[0];
        assert_eq!(finding.code, THROWN, "{script}: {}", finding.message.shown());
        assert!(
            finding.message.shown().contains(expected),
            "{script}: {}",
            finding.message.shown()
        );
    }
}

#[test]
fn aliases_that_stand_for_more_and_more_are_an_error() {
    let script = "let text = 'a0: &a0 [x, x, x, x, x, x, x, x, x, x]\\n';
        for (let n = 1; n < 12; n += 1) {
          text += `a${n}: &a${n} [${Array(10).fill(`*a${n - 1}`).join()}]\\n`;
        }
        std.parse(text, std.Format.YAML);";
    let failure = failure(script);
    assert!(failure.findings()[0].message.shown().contains("aliases"), "{:?}", failure.findings());
}

#[test]
fn schemas_that_refer_to_themselves_or_nest_end() {
    for (script, is_fine) in [
        ("validateWithObject(1, { $ref: '#' })", true),
        ("validateWithObject('a'.repeat(40) + '!', { pattern: '^(a+)+$' })", true),
        (
            "validateWithObject(1, JSON.parse('{\"not\":'.repeat(1e4) + '{}' + '}'.repeat(1e4)))",
            false,
        ),
    ] {
        let script = format!(
            "import {{ validateWithObject }} from '@jkcfg/std/schema';
             {script}; export default [];"
        );
        let result = outcome(&script);
        assert_eq!(result.is_ok(), is_fine, "{script}: {:?}", result.err());
    }
}

#[test]
fn deep_values_are_written_or_refused() {
    for (depth, is_fine) in [(3_000, true), (11_000, false)] {
        let script = format!(
            "let value = 1; for (let n = 0; n < {depth}; n += 1) value = [value];
             export default [{{ path: 'a.json', value }}];"
        );
        let result = outcome(&script);
        assert_eq!(result.is_ok(), is_fine, "{depth}: {:?}", result.err());
    }
}
