//! The published types of the modules for scripts name everything that the modules export.

use std::collections::BTreeSet;
use std::path::Path;

/// The modules, with the files that they are written in.
const MODULES: [(&str, &str); 7] = [
    ("@jkcfg/std", "index.js"),
    ("@jkcfg/std/param", "param.js"),
    ("@jkcfg/std/fs", "fs.js"),
    ("@jkcfg/std/merge", "merge.js"),
    ("@jkcfg/std/schema", "schema.js"),
    ("@jkcfg/std/validation", "validation.js"),
    ("@jkcfg/std/debug", "debug.js"),
];

fn read(path: &str) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    std::fs::read_to_string(root.join(path)).expect("it is a file of the repository")
}

/// The names that lines beginning with `export` declare. Types are left out.
fn exported(text: &str) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for line in text.lines() {
        let Some(rest) = line.trim().strip_prefix("export ") else { continue };
        if let Some(list) = rest.strip_prefix("{ ") {
            let list = list.split('}').next().unwrap_or_default();
            names.extend(list.split(',').filter_map(|it| it.split(" as ").last()).map(name_of));
            continue;
        }
        let kinds = ["async function ", "function* ", "function ", "const ", "class ", "enum "];
        let declared = kinds.iter().find_map(|it| rest.strip_prefix(it));
        names.extend(declared.map(name_of));
    }
    names
}

fn name_of(text: &str) -> String {
    text.trim().chars().take_while(|it| it.is_alphanumeric() || *it == '_').collect()
}

#[test]
fn every_export_of_a_module_has_a_type() {
    let types = read("editors/types/index.d.ts");
    for (module, file) in MODULES {
        let head = format!("declare module '{module}' {{");
        let (_, block) = types.split_once(&head).unwrap_or_else(|| panic!("{module} is missing"));
        let block = block.split("\n}\n").next().unwrap_or_default();
        let real = exported(&read(&format!("crates/plumb-generate/src/js/{file}")));
        assert_eq!(exported(block), real, "{module}");
    }
}
