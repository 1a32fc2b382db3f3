//! The modules of a crate and their dependencies, which must not form a cycle.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use anyhow::Result;

use crate::files;

/// Crates whose modules form cycles, because they share a type or a recursion. A change may only
/// remove a crate.
const KNOTTED: [&str; 21] = [
    "plumb-cel",
    "plumb-cli",
    "plumb-generate",
    "plumb-ide",
    "plumb-import",
    "plumb-jsonschema",
    "plumb-kube",
    "plumb-kubevirt",
    "plumb-overlay",
    "plumb-peer",
    "plumb-project",
    "plumb-schema",
    "plumb-starlark",
    "plumb-stdlib",
    "plumb-template",
    "plumb-test",
    "plumb-testkit",
    "plumb-validation",
    "plumb-value",
    "plumb-webhook",
    "plumb-yaml",
];

/// The modules that each module of a crate uses.
type Graph = BTreeMap<String, BTreeSet<String>>;

pub(crate) fn circles(root: &Path) -> Result<Vec<String>> {
    let mut problems = Vec::new();
    for entry in std::fs::read_dir(root.join("crates"))? {
        let folder = entry?.path();
        let name = folder.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let Ok(lib) = std::fs::read_to_string(folder.join("src/lib.rs")) else { continue };
        let graph = graph(&folder.join("src"), &lib)?;
        match (circle(&graph), KNOTTED.contains(&name.as_str())) {
            (Some(circle), false) => {
                problems.push(format!("{name}: modules use each other: {}", circle.join(" → ")));
            }
            (None, true) => {
                problems.push(format!("{name}: no cycle is left; remove it from KNOTTED"));
            }
            (Some(_), true) | (None, false) => {}
        }
    }
    problems.sort();
    Ok(problems)
}

fn graph(source: &Path, lib: &str) -> Result<Graph> {
    let modules: BTreeSet<&str> = lib.lines().filter_map(declared_module).collect();
    let exported = exported(lib);
    let mut graph = Graph::new();
    for path in files::with_extension(source, "rs")? {
        let below = path.strip_prefix(source)?.with_extension("");
        let module = below.iter().next().unwrap_or_default().to_string_lossy().into_owned();
        if !modules.contains(module.as_str()) {
            continue;
        }
        let text = std::fs::read_to_string(&path)?;
        let used = graph.entry(module.clone()).or_default();
        for name in names_of_crate(&text) {
            let owner =
                if modules.contains(name) { Some(name) } else { exported.get(name).copied() };
            used.extend(owner.filter(|it| *it != module).map(str::to_owned));
        }
    }
    Ok(graph)
}

/// The name in a line such as `pub mod mark;`.
fn declared_module(line: &str) -> Option<&str> {
    let rest = line.strip_prefix("pub ").or_else(|| line.strip_prefix("pub(crate) "));
    rest.unwrap_or(line).strip_prefix("mod ")?.strip_suffix(';')
}

/// The names that `lib.rs` exports, each with its module.
fn exported(lib: &str) -> BTreeMap<&str, &str> {
    let mut exported = BTreeMap::new();
    for statement in lib.split("use ").skip(1) {
        let statement = statement.split(';').next().unwrap_or_default();
        let Some((module, names)) = statement.split_once("::") else { continue };
        let names = names.split(|it: char| !it.is_alphanumeric() && it != '_');
        exported.extend(names.filter(|it| !it.is_empty()).map(|it| (it, module)));
    }
    exported
}

/// The first names of paths that begin with `crate::`, outside of comments and tests.
fn names_of_crate(text: &str) -> Vec<&str> {
    let code = text.split("#[cfg(test)]").next().unwrap_or_default();
    let mut found = Vec::new();
    for (at, _) in code.match_indices("crate::") {
        let line = code[..at].rsplit('\n').next().unwrap_or_default();
        if line.trim_start().starts_with("//") {
            continue;
        }
        let rest = &code[at + "crate::".len()..];
        match rest.strip_prefix('{') {
            Some(group) => found.extend(first_names(group)),
            None => found.push(name_at_start(rest)),
        }
    }
    found
}

/// The first names of the paths in a group such as `{a::{B, C}, d}`, after its brace.
fn first_names(group: &str) -> Vec<&str> {
    let mut depth = 0;
    let mut found = Vec::new();
    let mut start = 0;
    for (at, letter) in group.char_indices() {
        match letter {
            '{' => depth += 1,
            '}' | ',' if depth == 0 => {
                found.push(name_at_start(group[start..at].trim_start()));
                start = at + 1;
                if letter == '}' {
                    break;
                }
            }
            '}' => depth -= 1,
            _ => {}
        }
    }
    found
}

fn name_at_start(text: &str) -> &str {
    let end = text.find(|it: char| !it.is_alphanumeric() && it != '_');
    &text[..end.unwrap_or(text.len())]
}

/// Returns a cycle: each module uses the next one, and the last is the first.
fn circle(graph: &Graph) -> Option<Vec<&str>> {
    let mut done = BTreeSet::new();
    graph.keys().find_map(|module| visit(graph, module, &mut Vec::new(), &mut done))
}

fn visit<'a>(
    graph: &'a Graph,
    module: &'a str,
    path: &mut Vec<&'a str>,
    done: &mut BTreeSet<&'a str>,
) -> Option<Vec<&'a str>> {
    if let Some(at) = path.iter().position(|it| *it == module) {
        return Some([&path[at..], &[module]].concat());
    }
    if done.contains(module) {
        return None;
    }
    path.push(module);
    let used = graph.get(module).into_iter().flatten();
    let found = used.map(String::as_str).find_map(|it| visit(graph, it, path, done));
    path.pop();
    done.insert(module);
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::Scratch;

    #[test]
    fn modules_that_use_each_other_are_found() {
        let lib = "mod a;\npub mod b;\nmod c;\npub use c::{Thing, Other};\n";
        let files = [
            ("crates/x/src/lib.rs", lib),
            ("crates/x/src/a.rs", "use crate::b::It;\n#[cfg(test)]\nuse crate::a::It;\n"),
            ("crates/x/src/b/inner.rs", "// crate::a\nuse crate::{Thing as It, b::{X, Y}};\n"),
            ("crates/x/src/c.rs", "fn f() { crate::a::f() }\n"),
            ("crates/y/src/lib.rs", "mod a;\nmod b;\n"),
            ("crates/y/src/a.rs", "use crate::b;\n"),
            ("crates/y/src/b.rs", ""),
        ];
        let scratch = Scratch::new("modules", &files);
        let problems = circles(&scratch.0).expect("a repository");
        assert_eq!(problems, ["x: modules use each other: a → b → c → a"]);
    }
}
