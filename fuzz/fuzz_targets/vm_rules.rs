//! Rules and a virtual machine, separated by a line `===`: the rules are in the annotation of the
//! virtual machine, and of a template that creates it.

#![no_main]

use libfuzzer_sys::fuzz_target;
use plumb_fuzz::{hold, parts};
use plumb_kubevirt::inspect::{Input, inspect};
use plumb_source::{FileId, SourceKind, Sources};

fuzz_target!(|input: &[u8]| {
    let [rules, machine] = parts(input);
    let Ok(rules) = std::str::from_utf8(rules) else { return };
    let sources = Sources::new();
    let add = |name: &str, text: Vec<u8>| sources.add(name, SourceKind::File, text.into());
    let template = add("template.yml", template(rules));
    let machine = add("machine.yml", named(machine));
    hold_all(&sources, Input { templates: &[template], files: None, unreadable: &[] });
    let files: &[FileId] = &[machine];
    hold_all(&sources, Input { templates: &[template], files: Some(files), unreadable: &[] });
});

fn hold_all(sources: &Sources, input: Input<'_>) {
    let inspection = inspect(sources, input);
    for diagnostic in &inspection.diagnostics {
        hold(diagnostic, sources);
    }
    for broken in &inspection.broken {
        assert!(!broken.violations.is_empty(), "{broken:?}");
    }
}

/// A template with these rules, in a block scalar, so that positions in them correspond to
/// positions in the file.
fn template(rules: &str) -> Vec<u8> {
    let mut text = String::from(
        "kind: Template\nmetadata:\n  name: small\n  annotations:\n    validations: |\n",
    );
    for line in rules.lines() {
        text.extend(["      ", line, "\n"]);
    }
    text.push_str("objects:\n- kind: VirtualMachine\n  metadata:\n    name: made\n");
    text.push_str("  spec:\n    template:\n      spec:\n        domain:\n          cpu:\n");
    text.push_str("            cores: 4\n");
    text.into_bytes()
}

/// A virtual machine that does not name a template, so the only template applies.
fn named(spec: &[u8]) -> Vec<u8> {
    [b"kind: VirtualMachine\nmetadata:\n  name: vm\n", spec].concat()
}
