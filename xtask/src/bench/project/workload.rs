//! The files of the two projects that are measured.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Result;

/// The number of targets of the large project.
pub(super) const N_TARGETS: usize = 100;
/// The number of files that all of its targets read: templates and a schema.
const N_FILES: usize = 200;

const N_SUITES: usize = 5;
const N_TESTS_PER_SUITE: usize = 10;

const SCHEMA: &str = "#@data/values-schema\n---\nname: app\nreplicas: 1\n";

/// A project whose targets read the same templates. Each has a file of data values and an output
/// directory.
pub(super) fn targets(directory: &Path) -> Result<()> {
    fs::create_dir_all(directory.join("config"))?;
    fs::create_dir_all(directory.join("values"))?;
    fs::write(directory.join("config/schema.yml"), SCHEMA)?;
    for at in 1..N_FILES {
        fs::write(directory.join(format!("config/part-{at}.yml")), template(at))?;
    }
    let mut project = String::from("defaults: {file: config}\ntargets:\n");
    for at in 0..N_TARGETS {
        let (values, output) = (values_of(at), output_of(at));
        writeln!(project, "  t{at}: {{data-values-file: {values}, output-files: {output}}}")?;
        put_values(directory, at, 1)?;
    }
    Ok(fs::write(directory.join("plumb.yml"), project)?)
}

/// The file of data values of a target.
pub(super) fn values_of(target: usize) -> String {
    format!("values/t{target}.yml")
}

/// The output directory of a target.
pub(super) fn output_of(target: usize) -> String {
    format!("out/t{target}")
}

/// Writes the data values of a target.
pub(super) fn put_values(directory: &Path, target: usize, replicas: u32) -> Result<()> {
    let text = format!("name: app-{target}\nreplicas: {replicas}\n");
    Ok(fs::write(directory.join(values_of(target)), text)?)
}

fn template(at: usize) -> String {
    format!(
        "\
#@ load(\"@ytt:data\", \"data\")
---
apiVersion: apps/v1
kind: Deployment
metadata:
  name: #@ data.values.name + \"-{at}\"
  labels:
    app: #@ data.values.name
spec:
  replicas: #@ data.values.replicas
  template:
    spec:
      containers:
      - name: part-{at}
        image: registry.example.com/part:1.{at}
        ports:
        - containerPort: 8080
"
    )
}

/// A project with one target and many tests of it.
pub(super) fn tests(directory: &Path) -> Result<()> {
    let tests: PathBuf = directory.join("tests");
    fs::create_dir_all(directory.join("config"))?;
    fs::create_dir_all(&tests)?;
    fs::write(directory.join("plumb.yml"), "targets: {app: {file: config, output-files: out}}\n")?;
    fs::write(directory.join("config/schema.yml"), SCHEMA)?;
    for at in 1..N_SUITES {
        fs::write(directory.join(format!("config/part-{at}.yml")), template(at))?;
    }
    for suite in 1..=N_SUITES {
        let mut text = format!("suite: number {suite}\ntarget: app\ntests:\n");
        for replicas in 1..=N_TESTS_PER_SUITE {
            write!(
                text,
                "\
- it: has {replicas} replicas
  set: {{replicas: {replicas}}}
  documentSelector: {{name: app-1}}
  asserts:
  - equal: {{path: spec.replicas, value: {replicas}}}
  - isKind: {{of: Deployment}}
"
            )?;
        }
        fs::write(tests.join(format!("s{suite}_test.yml")), text)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_workload_has_the_size_that_is_reported() {
        let directory = std::env::temp_dir().join(format!("plumb-workload-{}", std::process::id()));
        targets(&directory).expect("writable");
        let n_entries = |path: &str| fs::read_dir(directory.join(path)).expect("made").count();
        assert_eq!((n_entries("config"), n_entries("values")), (N_FILES, N_TARGETS));
        fs::remove_dir_all(&directory).expect("ours");
    }
}
