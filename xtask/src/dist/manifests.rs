//! Manifests that name the archives of a release: a formula of Homebrew, and a manifest of Scoop.
//! They are templates in `packaging/manifests`, rendered by the program itself.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, Result, ensure};
use serde_json::{Value, json};

use super::cargo::Build;
use super::{archive, empty, execute};

/// The files to render, as text.
const TEMPLATES: [&str; 2] = ["plumb.rb", "plumb.json"];

/// Writes the manifests for the archives in a folder. Without the address of a release, they refer
/// to the files in that folder.
pub(super) fn write(
    build: &Build,
    out: &Path,
    url: Option<&str>,
    plumb: &Path,
) -> Result<Vec<PathBuf>> {
    let archives = archive::all(out)?;
    let archives = archives.iter().filter_map(|it| described(it, &build.version).transpose());
    let archives = archives.collect::<Result<Vec<Value>>>()?;
    ensure!(
        !archives.is_empty(),
        "there are no archives of {} in {}",
        build.version,
        out.display()
    );
    let here = format!("file://{}", out.display());
    let values =
        json!({"version": build.version, "url": url.unwrap_or(&here), "archives": archives});
    let folder = empty(out.join("manifests"))?;
    let path = folder.join("values.json");
    std::fs::write(&path, values.to_string())?;
    let mut command = Command::new(plumb);
    command.arg("-f").arg(build.root.join("packaging/manifests"));
    for template in TEMPLATES {
        command.args(["--file-mark", &format!("{template}:type=text-template")]);
    }
    command.arg("--data-values-file").arg(&path).arg("--output-files").arg(&folder);
    execute(&mut command)?;
    std::fs::remove_file(path)?;
    Ok(TEMPLATES.map(|it| folder.join(it)).to_vec())
}

/// An archive as data values. Returns `None` for an archive of another version.
fn described(path: &Path, version: &str) -> Result<Option<Value>> {
    let file = path.file_name().context("a file")?.to_string_lossy().into_owned();
    let target = file.strip_prefix(&format!("plumb-{version}-"));
    let Some(target) = target.and_then(|it| it.strip_suffix(".tar.gz")) else {
        return Ok(None);
    };
    Ok(Some(json!({"target": target, "file": file, "sha256": archive::checksum(path)?})))
}
