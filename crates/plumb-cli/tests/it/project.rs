//! Tests of projects that cannot be written as console cases.

use std::fs;
use std::time::{Duration, SystemTime};

use crate::sandbox::Sandbox;

const PROJECT: &str = "\
defaults: {file: config}
targets:
  staging: {data-value: name=a, output-files: out/staging}
  prod: {data-value: name=b, output-files: out/prod}
";

fn sandbox(name: &str) -> Sandbox {
    Sandbox::new(name)
        .with("plumb.yml", PROJECT)
        .with("config/schema.yml", "#@data/values-schema\n---\nname: ''\n")
        .with("config/a.yml", "#@ load('@ytt:data', 'data')\nname: #@ data.values.name\n")
        .with("config/deep/b.yml", "b: 1\n")
}

#[test]
fn a_file_that_does_not_change_keeps_its_time() {
    let sandbox = sandbox("project-unchanged");
    sandbox.plumb(&["build"]).output();
    let path = sandbox.path("out/prod/a.yml");
    let long_ago = SystemTime::UNIX_EPOCH + Duration::from_secs(1_000_000_000);
    let file = fs::File::options().write(true).open(&path).expect("it was written");
    file.set_modified(long_ago).expect("the time can be set");
    drop(file);
    let changed = "#@data/values-schema\n---\nname: ''\nport: 80\n";
    fs::write(sandbox.path("config/schema.yml"), changed).expect("it can be written");
    sandbox.plumb(&["build"]).output();
    let modified = fs::metadata(&path).and_then(|it| it.modified()).expect("it is there");
    assert_eq!(modified, long_ago);
}

#[test]
fn a_project_is_found_from_a_directory_inside_it() {
    let sandbox = sandbox("project-above");
    let inside = Sandbox::at(sandbox.path("config/deep"));
    let told = inside.plumb(&["build", "prod"]).output();
    assert_eq!(told, "prod: 2 files in ../../out/prod\n1 target built (2 files)\n");
    assert_eq!(sandbox.read("out/prod/a.yml").as_deref(), Some("name: b\n"));
    fs::write(sandbox.path("config/a.yml"), "a: #@ b\n").expect("it can be written");
    let ran = inside.plumb(&["build", "prod"]);
    assert_eq!((ran.code, &*ran.stdout), (Some(1), "0 targets built, 1 failed\n"));
    assert!(ran.stderr.contains("--> ../../config/a.yml:1:7"), "{}", ran.stderr);
}

#[test]
fn the_result_is_that_of_a_run_of_its_own() {
    let sandbox = sandbox("project-same");
    let alone = sandbox.plumb(&["-f", "config", "--data-value", "name=b"]).output();
    assert_eq!(sandbox.plumb(&["build", "--stdout", "prod"]).output(), alone);
}

/// File names may be chosen by someone else. Make would run the text after a `;` or a line break.
#[test]
fn no_file_name_becomes_a_rule_of_make() {
    for name in ["a;touch evil", "a\nall: ;touch evil\n", "SHELL=evil"] {
        let sandbox = Sandbox::new("project-depfile")
            .with("plumb.yml", "targets: {a: {file: config, output-files: out}}\n")
            .with(&format!("config/{name}.yml"), "a: 1\n");
        let ran = sandbox.plumb(&["build", "--depfile", "a.d"]);
        assert_eq!(ran.code, Some(1), "{ran:?}");
        assert!(ran.stderr.contains("Make cannot express the path"), "{}", ran.stderr);
        assert_eq!(sandbox.read("a.d"), None);
    }
}

#[test]
fn snapshots_are_not_written_through_a_link_that_leads_out() {
    let suite = "target: a\ntests:\n- {it: works, asserts: [{matchSnapshot: {}}]}\n";
    let sandbox = Sandbox::new("project-snapshot-link")
        .with("plumb.yml", "targets: {a: {file: config}}\n")
        .with("config/a.yml", "a: 1\n")
        .with("tests/a_test.yml", suite)
        .with("outside/b.yml", "b: 1\n");
    let link = sandbox.path("tests/__snapshot__");
    std::os::unix::fs::symlink("../outside", link).expect("writable");
    let ran = sandbox.plumb(&["test"]);
    assert!(ran.stderr.contains("a link leads out"), "{ran:?}");
    assert_eq!(sandbox.list("outside"), ["outside/b.yml"]);
}

/// The settings of a target are those of the target that it extends, plus its own. They are not
/// collected again from all ancestors for each target.
#[test]
fn targets_may_extend_each_other_in_a_long_line() {
    let target = |at: u32| format!("  t{at}: {{extends: t{}, output-files: out/{at}}}\n", at - 1);
    let targets: String = (1..3_000).map(target).collect();
    let sandbox = Sandbox::new("project-long-line")
        .with(
            "plumb.yml",
            format!("targets:\n  t0: {{file: config, output-files: out/0}}\n{targets}"),
        )
        .with("config/a.yml", "a: 1\n");
    let told = sandbox.plumb(&["build", "t2999"]).output();
    assert_eq!(told, "t2999: 1 file in out/2999\n1 target built (1 file)\n");
}

#[test]
fn the_schema_names_every_key() {
    let schema = Sandbox::new("project-schema").plumb(&["project", "schema"]).output();
    for key in ["\"extends\"", "\"env\"", "\"data-values-file\"", "\"output-files\""] {
        assert!(schema.contains(key), "{key} is missing");
    }
    assert!(!schema.contains("\"bulk-in\""));
}
