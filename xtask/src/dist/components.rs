//! The components of the program: their list (`CycloneDX`), and their licences.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};
use serde_json::{Value, json};

use super::cargo::{Build, package};

/// A crate that is linked into the program.
pub(super) struct Component {
    id: String,
    name: String,
    version: String,
    /// An SPDX expression.
    licence: String,
    authors: String,
    /// The folder of its sources.
    folder: PathBuf,
    /// Whether it comes from a registry instead of this repository.
    is_foreign: bool,
    /// The ids of the crates that it uses.
    uses: Vec<String>,
}

/// The crates that are linked into a package, sorted by name and version. Crates that are needed
/// only to build or test it are left out.
pub(super) fn of(metadata: &Value, root: &str) -> Result<Vec<Component>> {
    let root = package(metadata, root).context("the root package")?;
    let nodes = metadata["resolve"]["nodes"].as_array().context("the resolved graph")?;
    let nodes: BTreeMap<&str, &Value> =
        nodes.iter().filter_map(|it| Some((it["id"].as_str()?, it))).collect();
    let packages = metadata["packages"].as_array().context("packages")?;
    let packages: BTreeMap<&str, &Value> =
        packages.iter().filter_map(|it| Some((it["id"].as_str()?, it))).collect();
    let mut found: BTreeMap<&str, Component> = BTreeMap::new();
    let mut waiting = vec![root["id"].as_str().context("an id")?];
    while let Some(id) = waiting.pop() {
        if found.contains_key(id) {
            continue;
        }
        let node = nodes.get(id).with_context(|| format!("{id} is in the graph"))?;
        let uses: Vec<&str> = linked(node).collect();
        waiting.extend(&uses);
        let package = packages.get(id).with_context(|| format!("{id} is a package"))?;
        found.insert(id, component(id, package, &uses)?);
    }
    let mut all: Vec<Component> = found.into_values().collect();
    all.sort_by(|a, b| (&a.name, &a.version).cmp(&(&b.name, &b.version)));
    Ok(all)
}

/// The ids of the crates that a crate uses at run time.
fn linked(node: &Value) -> impl Iterator<Item = &str> {
    let all = node["deps"].as_array().into_iter().flatten();
    let is_normal = |it: &&Value| {
        it["dep_kinds"].as_array().into_iter().flatten().any(|kind| kind["kind"].is_null())
    };
    all.filter(is_normal).filter_map(|it| it["pkg"].as_str())
}

fn component(id: &str, package: &Value, uses: &[&str]) -> Result<Component> {
    let text = |key: &str| package[key].as_str().map(str::to_owned);
    let manifest = text("manifest_path").context("a manifest")?;
    Ok(Component {
        id: id.to_owned(),
        name: text("name").context("a name")?,
        version: text("version").context("a version")?,
        // This is the old notation for `OR`.
        licence: text("license").map(|it| it.replace('/', " OR ")).unwrap_or_default(),
        authors: package["authors"]
            .as_array()
            .map(|it| it.iter().filter_map(Value::as_str).collect::<Vec<_>>().join(", "))
            .unwrap_or_default(),
        folder: Path::new(&manifest).parent().context("a folder")?.to_owned(),
        is_foreign: package["source"].is_string(),
        uses: uses.iter().map(|&it| it.to_owned()).collect(),
    })
}

/// The list in the format `CycloneDX` 1.6. It has no serial number and no time: the same sources
/// give the same bytes.
pub(super) fn cyclonedx(all: &[Component], build: &Build) -> Result<String> {
    let names: BTreeMap<&str, String> = all.iter().map(|it| (it.id.as_str(), it.url())).collect();
    let entry = |it: &Component, kind: &str| {
        json!({
            "type": kind,
            "bom-ref": it.url(),
            "name": it.name,
            "version": it.version,
            "licenses": [{"expression": it.licence}],
            "purl": it.url(),
        })
    };
    let (program, others): (Vec<_>, Vec<_>) = all.iter().partition(|it| it.name == "plumb-cli");
    let program = program.first().context("the program is a component")?;
    let uses = all.iter().map(|it| {
        let uses: Vec<&String> = it.uses.iter().filter_map(|id| names.get(id.as_str())).collect();
        json!({"ref": it.url(), "dependsOn": uses})
    });
    let list = json!({
        "$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {
            "component": entry(program, "application"),
            "properties": [{"name": "cargo:target", "value": build.target}],
        },
        "components": others.iter().map(|it| entry(it, "library")).collect::<Vec<_>>(),
        "dependencies": uses.collect::<Vec<_>>(),
    });
    Ok(serde_json::to_string_pretty(&list)? + "\n")
}

/// The licences of all crates from registries. A text that several crates have is printed once.
pub(super) fn licences(all: &[Component]) -> Result<String> {
    let mut text =
        String::from("Plumb contains the following crates under their own licences.\n\n");
    let mut texts: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for component in all.iter().filter(|it| it.is_foreign) {
        let name = format!("{} {}", component.name, component.version);
        let found = licence_files(&component.folder)?;
        write!(text, "{name}: {}", component.licence)?;
        if found.is_empty() {
            write!(text, " (the crate contains no text; by {})", component.authors)?;
        }
        writeln!(text)?;
        for path in found {
            let content = String::from_utf8_lossy(&fs::read(&path)?).replace("\r\n", "\n");
            let below = path.strip_prefix(&component.folder)?.display();
            texts
                .entry(content.trim_end().to_owned())
                .or_default()
                .push(format!("{name}: {below}"));
        }
    }
    let mut texts: Vec<(String, Vec<String>)> = texts.into_iter().collect();
    texts.sort_by(|a, b| a.1.cmp(&b.1));
    for (content, of) in texts {
        write!(text, "\n{}\n{}\n\n{content}\n", "=".repeat(80), of.join("\n"))?;
    }
    Ok(text)
}

/// The files with licences in a crate: next to its manifest, and in the C libraries that it
/// contains.
fn licence_files(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    let mut waiting = vec![folder.to_owned()];
    while let Some(folder) = waiting.pop() {
        for entry in fs::read_dir(folder)? {
            let entry = entry?;
            let name = entry.file_name().to_string_lossy().to_uppercase();
            let is_licence = ["LICENSE", "LICENCE", "COPYING", "NOTICE", "UNLICENSE"]
                .iter()
                .any(|it| name.starts_with(it));
            let is_code = [".RS", ".C", ".H", ".PY", ".TOML"].iter().any(|it| name.ends_with(it));
            if entry.file_type()?.is_dir() {
                waiting.push(entry.path());
            } else if is_licence && !is_code {
                found.push(entry.path());
            }
        }
    }
    found.sort();
    Ok(found)
}

impl Component {
    /// The package URL (purl).
    fn url(&self) -> String {
        format!("pkg:cargo/{}@{}", self.name, self.version)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn components_are_what_is_linked_and_not_what_builds_or_tests_it() {
        let package = |name: &str| {
            json!({"id": name, "name": name, "version": "1.0.0", "license": "MIT/Apache-2.0",
                "manifest_path": "/x/Cargo.toml", "source": "registry"})
        };
        let edge = |name: &str, kind: Value| json!({"pkg": name, "dep_kinds": [{"kind": kind}]});
        let metadata = json!({
            "packages": [package("app"), package("cc"), package("used"), package("tested")],
            "resolve": {"nodes": [
                {"id": "app", "deps": [edge("used", Value::Null), edge("tested", json!("dev"))]},
                {"id": "used", "deps": [edge("cc", json!("build")), edge("app", Value::Null)]},
                {"id": "cc", "deps": []},
                {"id": "tested", "deps": []},
            ]},
        });
        let all = of(&metadata, "app").expect("a graph");
        let names: Vec<&str> = all.iter().map(|it| it.name.as_str()).collect();
        assert_eq!(names, ["app", "used"]);
        assert_eq!(all[1].licence, "MIT OR Apache-2.0");
    }
}
