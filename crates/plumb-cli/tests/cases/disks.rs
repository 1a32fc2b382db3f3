//! Output files that cannot be written, because of the disk or the directory. Some of these tests
//! need privileges that not every user has, and are skipped without them.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;

use plumb_testkit::{Skip, Suite};

use crate::sandbox::{Ran, Sandbox};

const SCRIPT: &str = "export default [
  { path: 'a.txt', value: 'a'.repeat(100000) }, { path: 'b.txt', value: 'b' }];";

/// Two large files, and one that already exists.
fn with_large_input(test: &str) -> Sandbox {
    let large = "- an item that is one of many\n".repeat(10_000);
    let sandbox = Sandbox::new(test).with("in/a.yml", &large).with("in/b.yml", &large);
    sandbox.with("out/a.yml", "old\n").with("config.js", SCRIPT)
}

const BESIDE: &str = "-f in --output-files out";
const EMPTIED: &str = "-f in --dangerous-emptied-output-directory out";
const GENERATED: &str = "generate -o out config.js";

/// Adds the tests of this file.
pub(crate) fn added_to(suite: Suite) -> Suite {
    let suite = suite
        .test("disks::a_file_that_must_not_grow_is_not_written_at_all", || {
            a_file_that_must_not_grow_is_not_written_at_all();
            Ok(())
        })
        .test(
            "disks::a_directory_without_permission_is_reported",
            a_directory_without_permission_is_reported,
        );
    if !cfg!(target_os = "linux") {
        return suite;
    }
    suite
        .test("disks::a_full_disk_leaves_what_was_there", a_full_disk_leaves_what_was_there)
        .test("disks::a_read_only_disk_is_reported", a_read_only_disk_is_reported)
        .test(
            "disks::a_journal_that_cannot_be_written_is_reported",
            a_journal_that_cannot_be_written_is_reported,
        )
}

/// Checks that the old file is unchanged, and that there are no other files.
fn nothing_changed(sandbox: &Sandbox, context: &str) {
    assert_eq!(sandbox.list("out"), ["out/a.yml"], "{context}");
    assert_eq!(sandbox.read("out/a.yml").as_deref(), Some("old\n"), "{context}");
    let strange = sandbox.list(".").into_iter().find(|it| it.contains(".plumb-"));
    assert_eq!(strange, None, "{context}");
}

fn a_file_that_must_not_grow_is_not_written_at_all() {
    let sandbox = with_large_input("faults-limit");
    for blocks in [0, 1, 7, 100] {
        for arguments in [BESIDE, EMPTIED, GENERATED] {
            let ran = sandbox.shell(&format!("ulimit -f {blocks} && plumb {arguments}"));
            assert_eq!(ran.code, Some(1), "{arguments}: {}", ran.stderr);
            assert!(ran.stderr.contains("file too large"), "{arguments}: {}", ran.stderr);
            nothing_changed(&sandbox, arguments);
        }
    }
}

/// Runs shell commands with a mount that only they can see.
fn with_mount(sandbox: &Sandbox, mount: &str, script: &str) -> Result<Ran, Skip> {
    let may = sandbox.shell(&format!("unshare -m sh -c '{mount}'"));
    if may.code != Some(0) {
        return Err(Skip("this user must not mount file systems".to_owned()));
    }
    let plumb = env!("CARGO_BIN_EXE_plumb");
    let inside = format!("plumb() {{ {plumb} \"$@\"; }}; {mount} && {script}");
    Ok(sandbox.shell(&format!("unshare -m sh -c '{inside}'")))
}

fn a_full_disk_leaves_what_was_there() -> Result<(), Skip> {
    let sandbox = with_large_input("faults-disk");
    // The second file does not fit.
    let mount =
        "mount -t tmpfs -o size=400k none disk && mkdir disk/out && echo old > disk/out/a.yml";
    fs::create_dir_all(sandbox.path("disk")).expect("writable");
    for flag in ["--output-files", "--dangerous-emptied-output-directory"] {
        let script =
            format!("plumb -f in {flag} disk/out; echo $?; find disk -type f; cat disk/out/a.yml");
        let ran = with_mount(&sandbox, mount, &script)?;
        assert_eq!(ran.stdout, "1\ndisk/out/a.yml\nold\n", "{}", ran.stderr);
        assert!(ran.stderr.contains("no space left on device"), "{}", ran.stderr);
    }
    Ok(())
}

fn a_read_only_disk_is_reported() -> Result<(), Skip> {
    let sandbox = with_large_input("faults-read-only");
    let mount = "mount --bind out out && mount -o remount,ro,bind out";
    for arguments in [BESIDE, GENERATED] {
        let script = format!("plumb {arguments}");
        let ran = with_mount(&sandbox, mount, &script)?;
        assert_eq!((ran.code, ran.stdout.as_str()), (Some(1), ""), "{}", ran.stderr);
        assert!(ran.stderr.contains("read-only file system"), "{}", ran.stderr);
        // Users do not know where files are written first.
        assert!(!ran.stderr.contains(".plumb-write"), "{}", ran.stderr);
        nothing_changed(&sandbox, arguments);
    }
    Ok(())
}

fn a_journal_that_cannot_be_written_is_reported() -> Result<(), Skip> {
    let sandbox = with_large_input("faults-journal");
    fs::create_dir(sandbox.path("out/.plumb-write")).expect("writable");
    let mount = "mount --bind out/.plumb-write out/.plumb-write && mount -o remount,ro,bind out/.plumb-write";
    for arguments in [BESIDE, GENERATED] {
        let ran = with_mount(&sandbox, mount, &format!("plumb {arguments}"))?;
        assert_eq!((ran.code, ran.stdout.as_str()), (Some(1), ""), "{}", ran.stderr);
        assert!(ran.stderr.contains("read-only file system"), "{}", ran.stderr);
        assert_eq!(sandbox.list("out"), ["out/.plumb-write", "out/a.yml"], "{arguments}");
        assert_eq!(sandbox.read("out/a.yml").as_deref(), Some("old\n"), "{arguments}");
    }
    // Once it can be written, the next run removes it.
    sandbox.plumb(&["-f", "in", "--output-files", "out"]).output();
    assert_eq!(sandbox.list("out"), ["out/a.yml", "out/b.yml"]);
    Ok(())
}

fn a_directory_without_permission_is_reported() -> Result<(), Skip> {
    let sandbox = with_large_input("faults-permission");
    let allow = |mode| {
        let permissions = fs::Permissions::from_mode(mode);
        fs::set_permissions(sandbox.path("out"), permissions).expect("it is ours");
    };
    allow(0o500);
    let is_refused = fs::write(sandbox.path("out/probe"), "").is_err();
    let result = if is_refused {
        for arguments in [BESIDE, GENERATED] {
            let ran = sandbox.shell(&format!("plumb {arguments}"));
            assert_eq!(ran.code, Some(1), "{}", ran.stderr);
            assert!(ran.stderr.contains("permission denied"), "{}", ran.stderr);
            nothing_changed(&sandbox, arguments);
        }
        Ok(())
    } else {
        Err(Skip("this user may write to every directory".to_owned()))
    };
    allow(0o700);
    result
}
