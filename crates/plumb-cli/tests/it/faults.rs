//! Failures outside the control of the program: of pipes, disks and directories.

use std::fs;
use std::io::Read as _;
use std::process::Stdio;

use crate::sandbox::Sandbox;

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
    let ran = sandbox.shell(&format!("plumb {script}"));
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
    // A directory exists in the place of the second file.
    fs::create_dir_all(sandbox.path("out/b.yml")).expect("writable");
    let told = sandbox.plumb(&["-f", "d", "--output-files", "out"]).failure(1);
    assert!(told.contains("out/b.yml: is a directory"), "{told}");
    assert_eq!(sandbox.list("out"), ["out/b.yml"]);
}
