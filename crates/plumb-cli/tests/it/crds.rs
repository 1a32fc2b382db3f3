//! Custom resources that are in wide use: those in the tests of the crate `kopium` (certificates,
//! routes, applications, monitors). The crate is downloaded, which needs the crate registry: the
//! test is ignored unless it is requested.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

const CRATE: &str = "kopium";
const VERSION: &str = "0.24.1";

#[test]
#[ignore = "needs the registry of crates"]
fn custom_resources_that_people_install_come_back() {
    let (definitions, resources) = files_of(&downloaded());
    let scratch = std::env::temp_dir().join(format!("plumb-crds-{}", std::process::id()));
    std::fs::create_dir_all(&scratch).expect("a directory can be made");
    for definition in &definitions {
        comes_back(definition, &scratch);
    }
    assert!(definitions.len() > 10, "{definitions:?}");
    for resource in &resources {
        is_valid(resource);
    }
    assert!(resources.len() > 5, "{resources:?}");
    std::fs::remove_dir_all(&scratch).expect("the directory is ours");
}

/// The files of the crate's tests.
fn downloaded() -> PathBuf {
    let package = format!("{CRATE}@{VERSION}");
    let cargo = Command::new(env!("CARGO")).args(["info", "--quiet", &package]).output();
    let output = cargo.expect("cargo is there, for it runs the tests");
    assert!(output.status.success(), "{}", errors(&output));
    let home = std::env::var_os("CARGO_HOME").map(PathBuf::from);
    let home = home.or_else(|| Some(std::env::home_dir()?.join(".cargo"))).expect("a home");
    let registries = std::fs::read_dir(home.join("registry/src")).expect("what was downloaded");
    let places = registries.flatten().map(|it| it.path().join(format!("{CRATE}-{VERSION}/tests")));
    places.into_iter().find(|it| it.is_dir()).expect("the crate that was downloaded")
}

/// The definitions, and the resources beside them.
fn files_of(directory: &Path) -> (Vec<PathBuf>, Vec<PathBuf>) {
    let files = std::fs::read_dir(directory).expect("a directory of the crate");
    let mut files: Vec<PathBuf> = files.flatten().map(|it| it.path()).collect();
    files.retain(|it| it.extension().is_some_and(|it| it == "yaml"));
    files.sort();
    let is_definition = |it: &PathBuf| read(it).contains("kind: CustomResourceDefinition");
    files.into_iter().partition(is_definition)
}

/// Checks that a definition that is imported and exported twice stays the same.
fn comes_back(definition: &Path, scratch: &Path) {
    let exported = exported(definition, scratch);
    let first = scratch.join("first.yml");
    std::fs::write(&first, &exported).expect("a file can be written");
    let again = self::exported(&first, scratch);
    let differ = exported.lines().zip(again.lines()).find(|(left, right)| left != right);
    assert!(exported == again, "{}: {differ:?}", definition.display());
}

/// A custom resource that is imported as a schema of data values, and exported again.
fn exported(definition: &Path, scratch: &Path) -> String {
    let imported = succeeded(plumb(&["schema", "import", text(definition)]), definition);
    let schema = scratch.join("schema.yml");
    std::fs::write(&schema, imported).expect("a file can be written");
    let export = plumb(&["-f", text(&schema), "--data-values-schema-inspect", "-o", "crd"]);
    succeeded(export, definition)
}

/// Checks that a resource conforms to the definitions beside it.
fn is_valid(resource: &Path) {
    let schemas = resource.parent().expect("a file is in a directory");
    let output = plumb(&["-f", text(resource), "--kube-schemas", text(schemas)]);
    let words = errors(&output);
    let printed = succeeded(output, resource);
    assert!(!printed.is_empty() && !words.contains("was not checked"), "{words}");
}

fn succeeded(output: Output, about: &Path) -> String {
    assert!(output.status.success(), "{}: {}", about.display(), errors(&output));
    String::from_utf8(output.stdout).expect("what comes out is UTF-8")
}

fn plumb(arguments: &[&str]) -> Output {
    let output = Command::new(env!("CARGO_BIN_EXE_plumb")).args(arguments).output();
    output.expect("the program starts")
}

fn text(path: &Path) -> &str {
    path.to_str().expect("paths of tests are UTF-8")
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).expect("a file of the crate")
}

fn errors(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}
