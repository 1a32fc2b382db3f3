//! Where reports are written to.

use std::os::unix::fs::symlink;

use crate::sandbox::Sandbox;

#[test]
fn a_report_is_written_through_a_link() {
    let sandbox = Sandbox::new("report-link").with("a.yml", "a: [").with("old.json", "old");
    symlink("old.json", sandbox.path("link.json")).expect("a link can be made");
    let ran = sandbox.plumb(&["check", "-f", "a.yml", "--report", "json=link.json"]);
    assert_eq!(ran.code, Some(1), "{}", ran.stderr);
    assert!(sandbox.path("link.json").is_symlink());
    assert!(sandbox.read("old.json").is_some_and(|it| it.contains("yaml/syntax")));
}

#[test]
fn a_device_is_written_into() {
    let sandbox = Sandbox::new("report-device").with("a.yml", "a: 1");
    let ran = sandbox.plumb(&["-f", "a.yml", "--report", "json=/dev/stdout"]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert!(ran.stdout.starts_with("a: 1\n{"), "{}", ran.stdout);
}

#[test]
fn a_directory_takes_no_report() {
    let sandbox = Sandbox::new("report-directory").with("d/a.yml", "a: 1");
    let ran = sandbox.plumb(&["check", "-f", "d", "--report", "json=d"]);
    assert_eq!(ran.code, Some(1));
    assert!(ran.stderr.contains("error[output/not-written]: d: is a directory"), "{}", ran.stderr);
}

#[test]
fn directories_of_a_report_are_made() {
    let sandbox = Sandbox::new("report-made").with("a.yml", "a: 1");
    let ran = sandbox.plumb(&["check", "-f", "a.yml", "--report", "sarif=out/x/a.sarif"]);
    assert_eq!((ran.code, &*ran.stderr), (Some(0), ""));
    assert!(sandbox.read("out/x/a.sarif").is_some_and(|it| it.contains("\"results\": []")));
}
