//! What is beyond the program's control, or nearly so: pipes, disks and directories that refuse.

use std::fs;
use std::io::Read as _;
use std::process::Stdio;

use crate::sandbox::{Ran, Sandbox};

const SCRIPT: &str = "export default [
  { path: 'a.txt', value: 'a'.repeat(100000) }, { path: 'b.txt', value: 'b' }];";

/// Two large files, and one that is there already.
fn with_large_input(test: &str) -> Sandbox {
    let large = "- an item that is one of many\n".repeat(10_000);
    let sandbox = Sandbox::new(test).with("in/a.yml", &large).with("in/b.yml", &large);
    sandbox.with("out/a.yml", "old\n").with("config.js", SCRIPT)
}

const BESIDE: &str = "-f in --output-files out";
const EMPTIED: &str = "-f in --dangerous-emptied-output-directory out";
const GENERATED: &str = "generate -o out config.js";

#[test]
fn a_reader_that_goes_away_is_no_error() {
    let many = "- an item that is one of many\n".repeat(100_000);
    let script = "export default [{ path: 'a', value: { x: 'x'.repeat(3000000) } }];";
    let sandbox = Sandbox::new("faults-pipe").with("a.yml", many).with("a.js", script);
    let generate = &["generate", "--stdout", "a.js"];
    for arguments in [&["-f", "a.yml"][..], &["fmt", "-f", "a.yml"], generate] {
        let mut child = sandbox.command("plumb", arguments).spawn().expect("it starts");
        let mut start = [0; 8];
        let mut stdout = child.stdout.take().expect("piped");
        stdout.read_exact(&mut start).expect("there is that much");
        drop(stdout);
        let output = child.wait_with_output().expect("it ends");
        assert_eq!((output.status.code(), output.stderr.as_slice()), (Some(0), &b""[..]));
    }
}

#[test]
fn no_one_who_listens_to_errors_is_no_bug() {
    let sandbox = Sandbox::new("faults-stderr").with("a.yml", "a: [\n").with("b.yml", "a: 1\n");
    let script = "-f a.yml 2>&-; echo $?; plumb -f a.yml 2>/dev/full; echo $?; plumb -f b.yml 2>&-";
    let ran = shell(&sandbox, &format!("plumb {script}"));
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(0), "1\n1\na: 1\n"));
    let mut child = sandbox.command("plumb", &["-f", "a.yml"]).spawn().expect("it starts");
    drop(child.stderr.take());
    assert_eq!(child.wait().expect("it ends").code(), Some(1));
}

#[test]
#[cfg(target_os = "linux")]
fn a_full_device_is_told_of() {
    let sandbox = Sandbox::new("faults-full").with("a.yml", "a: 1\n");
    let sandbox = sandbox.with("config.js", "export default [{ path: 'a.yaml', value: 1 }];");
    for arguments in [
        &["-f", "a.yml"][..],
        &["-f", "a.yml", "--output-files", "out"],
        &["fmt", "-f", "a.yml"],
        &["generate", "--stdout", "config.js"],
        &["--help"],
    ] {
        let full = fs::OpenOptions::new().write(true).open("/dev/full").expect("Linux has it");
        let mut command = sandbox.command("plumb", arguments);
        let output = command.stdout(Stdio::from(full)).output().expect("it ends");
        let told = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{arguments:?}: {told}");
        assert!(told.contains("Writing to standard output"), "{arguments:?}: {told}");
    }
}

#[test]
fn deep_documents_need_no_more_stack_than_there_is() {
    let depth = 9_000;
    let flow = format!("a: {}1{}\n", "[".repeat(depth), "]".repeat(depth));
    let sandbox = Sandbox::new("faults-deep").with("a.yml", flow);
    for format in ["yaml", "json", "pos"] {
        let ran = sandbox.plumb(&["-f", "a.yml", "-o", format]);
        assert_eq!(ran.code, Some(0), "{format}: {}", ran.stderr);
    }
}

#[test]
fn no_temporary_file_is_left_behind() {
    let sandbox = Sandbox::new("faults-left").with("d/a.yml", "a: 1\n").with("d/b.yml", "b: 1\n");
    // A directory stands where the second file is to be.
    fs::create_dir_all(sandbox.path("out/b.yml")).expect("writable");
    let told = sandbox.plumb(&["-f", "d", "--output-files", "out"]).failure(1);
    assert!(told.contains("out/b.yml: is a directory"), "{told}");
    assert_eq!(sandbox.list("out"), ["out/b.yml"]);
}

/// Runs lines of the shell in which `plumb` is the program.
#[cfg(unix)]
fn shell(sandbox: &Sandbox, script: &str) -> Ran {
    let plumb = env!("CARGO_BIN_EXE_plumb");
    let script = format!("plumb() {{ '{plumb}' \"$@\"; }}\n{script}");
    let mut command = std::process::Command::new("sh");
    command.args(["-c", &script]).current_dir(sandbox.path(""));
    let output = command.stdin(Stdio::null()).output().expect("there is a shell");
    let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
    Ran { code: output.status.code(), stdout: text(output.stdout), stderr: text(output.stderr) }
}

/// The old file is as it was, and nothing else is there.
fn nothing_changed(sandbox: &Sandbox, context: &str) {
    assert_eq!(sandbox.list("out"), ["out/a.yml"], "{context}");
    assert_eq!(sandbox.read("out/a.yml").as_deref(), Some("old\n"), "{context}");
    let strange = sandbox.list(".").into_iter().find(|it| it.contains(".plumb-"));
    assert_eq!(strange, None, "{context}");
}

#[test]
#[cfg(unix)]
fn a_file_that_may_not_grow_is_not_written_at_all() {
    let sandbox = with_large_input("faults-limit");
    for blocks in [0, 1, 7, 100] {
        for arguments in [BESIDE, EMPTIED, GENERATED] {
            let ran = shell(&sandbox, &format!("ulimit -f {blocks} && plumb {arguments}"));
            assert_eq!(ran.code, Some(1), "{arguments}: {}", ran.stderr);
            assert!(ran.stderr.contains("file too large"), "{arguments}: {}", ran.stderr);
            nothing_changed(&sandbox, arguments);
        }
    }
}

/// Runs lines of the shell where mounts are seen by them alone. None where that is not allowed.
#[cfg(target_os = "linux")]
fn with_mount(sandbox: &Sandbox, mount: &str, script: &str) -> Option<Ran> {
    let may = shell(sandbox, &format!("unshare -m sh -c '{mount}'"));
    if may.code != Some(0) {
        return None;
    }
    let plumb = env!("CARGO_BIN_EXE_plumb");
    let inside = format!("plumb() {{ {plumb} \"$@\"; }}; {mount} && {script}");
    Some(shell(sandbox, &format!("unshare -m sh -c '{inside}'")))
}

#[test]
#[cfg(target_os = "linux")]
fn a_full_disk_leaves_what_was_there() {
    let sandbox = with_large_input("faults-disk");
    // The second file is the one that does not fit.
    let mount =
        "mount -t tmpfs -o size=400k none disk && mkdir disk/out && echo old > disk/out/a.yml";
    fs::create_dir_all(sandbox.path("disk")).expect("writable");
    for flag in ["--output-files", "--dangerous-emptied-output-directory"] {
        let script =
            format!("plumb -f in {flag} disk/out; echo $?; find disk -type f; cat disk/out/a.yml");
        let Some(ran) = with_mount(&sandbox, mount, &script) else { return };
        assert_eq!(ran.stdout, "1\ndisk/out/a.yml\nold\n", "{}", ran.stderr);
        assert!(ran.stderr.contains("no space left on device"), "{}", ran.stderr);
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_disk_that_is_only_read_is_told_of() {
    let sandbox = with_large_input("faults-read-only");
    let mount = "mount --bind out out && mount -o remount,ro,bind out";
    for arguments in [BESIDE, GENERATED] {
        let script = format!("plumb {arguments}");
        let Some(ran) = with_mount(&sandbox, mount, &script) else { return };
        assert_eq!((ran.code, ran.stdout.as_str()), (Some(1), ""), "{}", ran.stderr);
        assert!(ran.stderr.contains("read-only file system"), "{}", ran.stderr);
        nothing_changed(&sandbox, arguments);
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_journal_that_cannot_be_written_is_told_of() {
    let sandbox = with_large_input("faults-journal");
    fs::create_dir(sandbox.path("out/.plumb-write")).expect("writable");
    let mount = "mount --bind out/.plumb-write out/.plumb-write && mount -o remount,ro,bind out/.plumb-write";
    for arguments in [BESIDE, GENERATED] {
        let Some(ran) = with_mount(&sandbox, mount, &format!("plumb {arguments}")) else { return };
        assert_eq!((ran.code, ran.stdout.as_str()), (Some(1), ""), "{}", ran.stderr);
        assert!(ran.stderr.contains("read-only file system"), "{}", ran.stderr);
        assert_eq!(sandbox.list("out"), ["out/.plumb-write", "out/a.yml"], "{arguments}");
        assert_eq!(sandbox.read("out/a.yml").as_deref(), Some("old\n"), "{arguments}");
    }
    // Once it can be written, the next run removes it.
    sandbox.plumb(&["-f", "in", "--output-files", "out"]).output();
    assert_eq!(sandbox.list("out"), ["out/a.yml", "out/b.yml"]);
}

#[test]
#[cfg(unix)]
fn a_directory_without_permission_is_told_of() {
    use std::os::unix::fs::PermissionsExt as _;
    let sandbox = with_large_input("faults-permission");
    let allow = |mode| {
        let permissions = fs::Permissions::from_mode(mode);
        fs::set_permissions(sandbox.path("out"), permissions).expect("it is ours");
    };
    allow(0o500);
    // Some users may write everywhere.
    let is_refused = fs::write(sandbox.path("out/probe"), "").is_err();
    if is_refused {
        for arguments in [BESIDE, GENERATED] {
            let ran = shell(&sandbox, &format!("plumb {arguments}"));
            assert_eq!(ran.code, Some(1), "{}", ran.stderr);
            assert!(ran.stderr.contains("permission denied"), "{}", ran.stderr);
            nothing_changed(&sandbox, arguments);
        }
    }
    allow(0o700);
}
