//! Proposes a project file for a directory that has templates.
//!
//! Directories with templates or schemas are the base of all targets. A directory below `overlays`,
//! `envs` or `environments`, and a file of data values in `values` or with `values` in its name,
//! belong to one environment, which becomes a target.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Component, Path};

use plumb::world::{EntryKind, World};

/// Directories that do not contain sources.
const IGNORED: [&str; 6] = ["node_modules", "out", "target", "tests", "vendor", "dist"];

/// Directories whose entries are environments.
const PER_ENVIRONMENT: [&str; 6] =
    ["overlays", "overlay", "envs", "env", "environments", "environment"];

/// At most this many files are looked at.
const MAX_FILES: usize = 10_000;

/// The text of a project file for the templates in a directory. Returns `None` if there are none.
pub fn propose(world: &dyn World, directory: &Path) -> Option<String> {
    let mut files = Vec::new();
    find(world, directory, Path::new(""), &mut files);
    let mut found = Found::default();
    for (path, kind) in &files {
        found.add(path, *kind);
    }
    (!found.base.is_empty()).then(|| found.text())
}

/// The content of a YAML file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum FileKind {
    /// It has code or annotations.
    Template,
    /// It has only data values with annotations.
    DataValues,
    Plain,
}

/// Adds the YAML files of a directory, with their paths below it.
fn find(world: &dyn World, root: &Path, below: &Path, files: &mut Vec<(String, FileKind)>) {
    for entry in world.list(&root.join(below)).unwrap_or_default() {
        let name = entry.name.to_string_lossy().into_owned();
        if name.starts_with('.') || files.len() >= MAX_FILES {
            continue;
        }
        let path = below.join(&entry.name);
        let extension = path.extension().and_then(|it| it.to_str()).unwrap_or_default();
        match entry.kind {
            EntryKind::Directory if !IGNORED.contains(&name.as_str()) => {
                find(world, root, &path, files);
            }
            EntryKind::File if ["yml", "yaml"].contains(&extension) => {
                let bytes = world.read(&root.join(&path)).unwrap_or_default();
                let kind = kind_of(&String::from_utf8_lossy(&bytes));
                files.push((path.to_string_lossy().replace('\\', "/"), kind));
            }
            _ => {}
        }
    }
}

fn kind_of(text: &str) -> FileKind {
    let has_code = text.lines().any(|it| {
        let code = it.split_once("#@").map(|(_, rest)| rest);
        code.is_some_and(|it| !it.trim_end().ends_with("data/values"))
    });
    match () {
        () if has_code => FileKind::Template,
        () if text.contains("#@data/values") => FileKind::DataValues,
        () => FileKind::Plain,
    }
}

#[derive(Default)]
struct Found {
    /// The files and directories of all targets.
    base: Vec<String>,
    environments: BTreeMap<String, Environment>,
}

/// The parts of one environment.
#[derive(Default)]
struct Environment {
    files: Vec<String>,
    values: Vec<String>,
}

impl Found {
    fn add(&mut self, path: &str, kind: FileKind) {
        let steps: Vec<&str> = Path::new(path)
            .components()
            .filter_map(|it| match it {
                Component::Normal(name) => name.to_str(),
                _ => None,
            })
            .collect();
        let push = |list: &mut Vec<String>, path: String| {
            if list.last() != Some(&path) {
                list.push(path);
            }
        };
        if let Some(at) = steps.iter().position(|it| PER_ENVIRONMENT.contains(it)) {
            // The entry is a directory for an environment, or a file named after it.
            let Some(name) = steps.get(at + 1).map(|it| stem(it)) else { return };
            let environment = self.environments.entry(name.to_owned()).or_default();
            let place = steps[..at + 2].join("/");
            let is_values = kind == FileKind::Plain && is_values(&steps);
            let list = if is_values { &mut environment.values } else { &mut environment.files };
            push(list, if is_values { path.to_owned() } else { place });
        } else if is_values(&steps) && kind != FileKind::Template {
            let Some(name) = steps.last().and_then(|it| environment(it)) else { return };
            let environment = self.environments.entry(name.to_owned()).or_default();
            let list = match kind {
                FileKind::Plain => &mut environment.values,
                FileKind::DataValues | FileKind::Template => &mut environment.files,
            };
            push(list, path.to_owned());
        } else if kind != FileKind::Plain {
            let place = if steps.len() > 1 { steps[0] } else { path };
            push(&mut self.base, place.to_owned());
        }
    }

    fn text(&self) -> String {
        let mut out = String::from(
            "# Proposed by `plumb init` from the files in this directory. Check it before you use it:\n\
             # `plumb check` validates all targets, and `plumb build` writes them.\n",
        );
        let _ = writeln!(out, "defaults:\n  file: {}\ntargets:", list(&self.base));
        for (name, environment) in &self.environments {
            let _ = writeln!(out, "  {name}:");
            if !environment.files.is_empty() {
                let files: Vec<String> =
                    self.base.iter().chain(&environment.files).cloned().collect();
                let _ = writeln!(out, "    file: {}", list(&files));
            }
            if !environment.values.is_empty() {
                let _ = writeln!(out, "    data-values-file: {}", list(&environment.values));
            }
            let _ = writeln!(out, "    output-files: out/{name}");
        }
        if self.environments.is_empty() {
            let _ = writeln!(out, "  all:\n    output-files: out");
        }
        out
    }
}

/// Whether the names in a path suggest that the file contains data values.
fn is_values(steps: &[&str]) -> bool {
    let (Some(name), above) = (steps.last(), steps.iter().rev().nth(1)) else { return false };
    stem(name).contains("values") || above.is_some_and(|it| *it == "values")
}

/// The environment of a file of data values: `prod` for `values-prod.yml`, `prod-values.yml` and
/// `prod.yml`. Returns `None` if the name has no such part.
fn environment(name: &str) -> Option<&str> {
    let stem = stem(name);
    let rest = match stem.split_once("values") {
        Some(("", rest) | (rest, "")) => rest,
        Some(_) => return None,
        None => stem,
    };
    Some(rest.trim_matches(['-', '.', '_'])).filter(|it| !it.is_empty())
}

fn stem(name: &str) -> &str {
    name.strip_suffix(".yml").or_else(|| name.strip_suffix(".yaml")).unwrap_or(name)
}

/// A list in YAML, or its only value.
fn list(values: &[String]) -> String {
    let quoted = |it: &String| {
        let is_plain = |it: char| it.is_alphanumeric() || "-_./".contains(it);
        let is_plain = it.chars().all(is_plain) && it.starts_with(char::is_alphabetic);
        if is_plain { it.clone() } else { format!("'{}'", it.replace('\'', "''")) }
    };
    match values {
        [one] => quoted(one),
        _ => format!("[{}]", values.iter().map(quoted).collect::<Vec<_>>().join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use plumb::world::MemoryWorld;

    use super::*;

    #[test]
    fn environments_are_found_in_the_names_of_files_and_directories() {
        let template = "a: #@ 1\n";
        let world = MemoryWorld::new()
            .file("config/a.yml", template)
            .file("config/schema.yml", "#@data/values-schema\n---\na: 1\n")
            .file("overlays/prod/o.yml", "#@overlay/match-child-defaults missing_ok=True\n---\n")
            .file("values/prod.yml", "a: 1\n")
            .file("values/staging.yml", "#@data/values\n---\na: 1\n")
            .file("out/prod/a.yml", template)
            .file(".github/workflow.yml", template)
            .file("README.yml", "a: 1\n");
        let text = propose(&world, Path::new("")).expect("there are templates");
        let expected = "\
defaults:
  file: config
targets:
  prod:
    file: [config, overlays/prod]
    data-values-file: values/prod.yml
    output-files: out/prod
  staging:
    file: [config, values/staging.yml]
    output-files: out/staging
";
        assert_eq!(
            text.split_once("use it:").and_then(|it| it.1.split_once("them.\n")).map(|it| it.1),
            Some(expected)
        );
    }

    #[test]
    fn without_environments_there_is_one_target() {
        let world = MemoryWorld::new().file("a.yml", "a: #@ 1\n").file("b.yml", "b: 1\n");
        let text = propose(&world, Path::new("")).expect("there is a template");
        assert!(
            text.ends_with("defaults:\n  file: a.yml\ntargets:\n  all:\n    output-files: out\n"),
            "{text}"
        );
        assert_eq!(propose(&MemoryWorld::new().file("b.yml", "b: 1\n"), Path::new("")), None);
    }

    #[test]
    fn the_name_of_a_file_of_values_names_the_environment() {
        assert_eq!(environment("values-prod.yml"), Some("prod"));
        assert_eq!(environment("prod.values.yaml"), Some("prod"));
        assert_eq!(environment("prod.yml"), Some("prod"));
        assert_eq!(environment("values.yml"), None);
    }
}
