//! `--watch`: a process that runs again whenever something changes.

use std::fs;
use std::io::{BufRead as _, BufReader};
use std::os::unix::process::ExitStatusExt as _;
use std::path::Path;
use std::process::{Child, Command};
use std::sync::mpsc::{self, Receiver};
use std::time::Duration;

use crate::sandbox::Sandbox;

const PROJECT: &str = "\
defaults: {file: config}
targets:
  staging: {data-values-file: values/staging.yml, output-files: out/staging}
  prod: {data-values-file: values/prod.yml, output-files: out/prod}
";

fn sandbox(name: &str) -> Sandbox {
    Sandbox::new(name)
        .with("plumb.yml", PROJECT)
        .with("config/schema.yml", "#@data/values-schema\n---\nname: ''\n")
        .with("config/a.yml", "#@ load('@ytt:data', 'data')\nname: #@ data.values.name\n")
        .with("values/staging.yml", "name: staging\n")
        .with("values/prod.yml", "name: prod\n")
}

/// A program that watches its input.
struct Watching {
    child: Child,
    lines: Receiver<String>,
}

impl Watching {
    /// Starts the program, and waits until it watches.
    fn start(sandbox: &Sandbox, arguments: &[&str]) -> Self {
        // Both streams use one pipe, so that their lines stay in order.
        let (reader, writer) = std::io::pipe().expect("there is room for a pipe");
        let mut command = sandbox.command("plumb", arguments);
        command.stderr(writer.try_clone().expect("there is room for its second end"));
        let child = command.stdout(writer).spawn().expect("it starts");
        drop(command);
        let (sender, lines) = mpsc::channel();
        std::thread::spawn(move || {
            for line in BufReader::new(reader).lines().map_while(Result::ok) {
                let _ = sender.send(line);
            }
        });
        let watching = Self { child, lines };
        watching.until("watching for changes");
        watching
    }

    /// Waits for a line that contains a text, and returns it.
    fn until(&self, text: &str) -> String {
        let mut seen = Vec::new();
        loop {
            match self.lines.recv_timeout(Duration::from_mins(1)) {
                Ok(line) if line.contains(text) => return line,
                Ok(line) => seen.push(line),
                Err(error) => panic!("{error}: `{text}` was not printed, but {seen:#?}"),
            }
        }
    }

    /// Fails if anything is printed for some time.
    fn is_silent(&self) {
        if let Ok(line) = self.lines.recv_timeout(Duration::from_millis(400)) {
            panic!("{line}");
        }
    }

    /// Ends it like Ctrl-C.
    fn interrupt(mut self) {
        // A shell without job control starts background commands with SIGINT ignored, and every
        // program that they start inherits that.
        let (name, number) = if is_interrupt_ignored() { ("-TERM", 15) } else { ("-INT", 2) };
        let id = self.child.id().to_string();
        Command::new("kill").args([name, &id]).output().expect("kill is there");
        let status = self.child.wait().expect("it ends");
        assert_eq!(status.signal(), Some(number), "{status}");
    }
}

fn is_interrupt_ignored() -> bool {
    const INTERRUPT: u64 = 1 << 1;
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|it| it.strip_prefix("SigIgn:"));
    let ignored = ignored.and_then(|it| u64::from_str_radix(it.trim(), 16).ok());
    ignored.is_some_and(|it| it & INTERRUPT != 0)
}

impl Drop for Watching {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn put(path: &Path, text: &str) {
    fs::write(path, text).expect("it can be written");
}

#[test]
fn only_targets_that_use_a_changed_file_are_built_again() {
    let sandbox = sandbox("watch-values");
    let watching = Watching::start(&sandbox, &["build", "--watch"]);
    assert_eq!(sandbox.read("out/prod/a.yml").as_deref(), Some("name: prod\n"));
    put(&sandbox.path("values/prod.yml"), "name: new\n");
    let line = watching.until("values/prod.yml: ");
    assert_eq!(line, "values/prod.yml: 1 of 2 targets built (1 file)");
    assert_eq!(sandbox.read("out/prod/a.yml").as_deref(), Some("name: new\n"));
    // Some editors write another file, and rename it.
    put(&sandbox.path("values/.prod.yml.swp"), "name: renamed\n");
    fs::rename(sandbox.path("values/.prod.yml.swp"), sandbox.path("values/prod.yml"))
        .expect("it is there");
    watching.until("values/prod.yml: 1 of 2 targets built");
    assert_eq!(sandbox.read("out/prod/a.yml").as_deref(), Some("name: renamed\n"));
    // Other editors make a backup, and write a new file.
    fs::rename(sandbox.path("values/prod.yml"), sandbox.path("values/prod.yml~"))
        .expect("it is there");
    put(&sandbox.path("values/prod.yml"), "name: again\n");
    watching.until("values/prod.yml: 1 of 2 targets built");
    // Nothing changes.
    put(&sandbox.path("values/prod.yml"), "name: again\n");
    put(&sandbox.path("values/unused.yml"), "name: unused\n");
    watching.is_silent();
    watching.interrupt();
    assert!(sandbox.list(".").iter().all(|it| !it.contains(".plumb-")));
}

#[test]
fn a_directory_is_removed_and_created_again() {
    let sandbox = sandbox("watch-directory");
    let watching = Watching::start(&sandbox, &["build", "--watch"]);
    fs::rename(sandbox.path("config"), sandbox.path("moved")).expect("it is there");
    watching.until("2 failed");
    fs::rename(sandbox.path("moved"), sandbox.path("config")).expect("it is there");
    watching.until("2 of 2 targets built (2 files)");
    fs::remove_dir_all(sandbox.path("config")).expect("it is there");
    watching.until("2 failed");
    fs::create_dir(sandbox.path("config")).expect("it is gone");
    put(&sandbox.path("config/b.yml"), "b: 1\n");
    put(&sandbox.path("config/schema.yml"), "#@data/values-schema\n---\nname: ''\n");
    watching.until("2 of 2 targets built");
    put(&sandbox.path("config/b.yml"), "b: 2\n");
    watching.until("config/b.yml: 2 of 2 targets built");
    assert_eq!(sandbox.read("out/prod/b.yml").as_deref(), Some("b: 2\n"));
    watching.interrupt();
}

#[test]
fn mistakes_are_reported_and_the_project_file_may_be_broken() {
    let sandbox = sandbox("watch-mistakes");
    let watching = Watching::start(&sandbox, &["check", "--watch"]);
    put(&sandbox.path("values/prod.yml"), "name: [\n");
    watching.until("error[");
    watching.until("values/prod.yml: 1 of 2 targets checked: 1 error, 0 warnings");
    put(&sandbox.path("values/staging.yml"), "name: x\n");
    watching.until("values/staging.yml: 1 of 2 targets checked: 0 errors, 0 warnings; 1 failed");
    put(&sandbox.path("plumb.yml"), "targets: {\n");
    watching.until("error[");
    watching.until("plumb.yml: nothing was built");
    put(&sandbox.path("plumb.yml"), PROJECT);
    watching.until("plumb.yml: 0 of 2 targets checked: 0 errors, 0 warnings; 1 failed earlier");
    put(&sandbox.path("values/prod.yml"), "name: right\n");
    watching.until("values/prod.yml: 1 of 2 targets checked: 0 errors, 0 warnings");
    assert!(sandbox.read("out/prod/a.yml").is_none(), "check writes nothing");
    watching.interrupt();
}

#[test]
fn output_inside_a_watched_directory_does_not_start_another_run() {
    let sandbox = Sandbox::new("watch-inside")
        .with("plumb.yml", "targets: {all: {file: ., output-files: out}}\n")
        .with("a.yml", "a: 1\n");
    let watching = Watching::start(&sandbox, &["build", "--watch"]);
    watching.is_silent();
    put(&sandbox.path("a.yml"), "a: 2\n");
    watching.until("a.yml: 1 of 1 target built");
    watching.is_silent();
    watching.interrupt();
}

#[test]
fn a_file_behind_a_link_is_watched() {
    let sandbox = Sandbox::new("watch-link")
        .with("shared/a.yml", "a: 1\n")
        .with("shared/d/b.yml", "b: 1\n")
        .with("config/c.yml", "c: 1\n");
    std::os::unix::fs::symlink("../shared/a.yml", sandbox.path("config/a.yml")).expect("a link");
    std::os::unix::fs::symlink("shared/d", sandbox.path("linked")).expect("a link");
    let flag = "--dangerous-allow-all-symlink-destinations";
    let arguments = ["-f", "config", "-f", "linked/", flag, "--watch", "--output-files", "out"];
    let watching = Watching::start(&sandbox, &arguments);
    put(&sandbox.path("shared/a.yml"), "a: 2\n");
    watching.until("rendered");
    assert_eq!(sandbox.read("out/a.yml").as_deref(), Some("a: 2\n"));
    put(&sandbox.path("shared/d/b.yml"), "b: 2\n");
    watching.until("rendered");
    put(&sandbox.path("shared/d/new.yml"), "new: 1\n");
    watching.until("rendered");
    assert_eq!(sandbox.read("out/new.yml").as_deref(), Some("new: 1\n"));
    watching.interrupt();
}

#[test]
fn templates_without_a_project_are_rendered_again() {
    let sandbox = sandbox("watch-templates");
    let arguments = ["-f", "config", "--data-values-file", "values/prod.yml", "--watch"];
    let watching = Watching::start(&sandbox, &arguments);
    put(&sandbox.path("values/prod.yml"), "name: new\n");
    watching.until("name: new");
    watching.until("values/prod.yml: rendered");
    put(&sandbox.path("config/a.yml"), "a: #@ 1 // 0\n");
    watching.until("config/a.yml: not rendered: 1 error, 0 warnings");
    put(&sandbox.path("config/a.yml"), "a: 1\n");
    watching.until("config/a.yml: rendered");
    watching.interrupt();
}

const SUITE: &str = "\
suite: names
target: prod
tests:
  - it: has a name
    asserts:
      - equal: {path: name, value: prod}
      - matchSnapshot: {}
";

#[test]
fn tests_are_run_again() {
    let sandbox = sandbox("watch-tests").with("tests/name_test.yml", SUITE);
    let watching = Watching::start(&sandbox, &["test", "--watch"]);
    assert!(sandbox.read("tests/__snapshot__/name_test.yml.snap").is_some());
    // Neither the snapshot that was written nor a file that no test uses starts another run.
    put(&sandbox.path("notes.txt"), "");
    put(&sandbox.path("tests/notes.txt"), "");
    put(&sandbox.path("values/staging.yml"), "name: other\n");
    watching.is_silent();
    put(&sandbox.path("values/prod.yml"), "name: new\n");
    watching.until("error[test/failed]");
    watching.until("FAILED  names (tests/name_test.yml): 1 of 1 test");
    watching.until("values/prod.yml: 1 test in 1 suite: 0 passed, 1 failed");
    put(&sandbox.path("values/prod.yml"), "name: prod\n");
    let line = watching.until("values/prod.yml: ");
    assert_eq!(line, "values/prod.yml: 1 test in 1 suite: 1 passed");
    // A new file with tests is found; without its suites, the others are still run.
    put(&sandbox.path("tests/new_test.yml"), "suit: x\n");
    watching.until("1 test in 1 suite: 1 passed");
    put(&sandbox.path("tests/new_test.yml"), &SUITE.replace("names", "more names"));
    watching.until("tests/new_test.yml: 2 tests in 2 suites: 2 passed, 1 snapshot written");
    put(&sandbox.path("plumb.yml"), "targets: {\n");
    watching.until("error[");
    watching.until("plumb.yml: no tests were run");
    fs::remove_file(sandbox.path("tests/new_test.yml")).expect("it is there");
    put(&sandbox.path("plumb.yml"), PROJECT);
    watching.until("1 test in 1 suite: 1 passed");
    watching.interrupt();
}

#[test]
fn what_cannot_be_watched_is_refused() {
    let sandbox = sandbox("watch-refused");
    let refused = |arguments: &[&str]| sandbox.plumb(arguments).failure(2);
    let message = refused(&["-f", "-", "--watch"]);
    assert!(message.contains("--watch requires files"), "{message}");
    let message = refused(&["fmt", "-f", "config", "--watch"]);
    assert!(message.contains("plumb fmt has no flag --watch"), "{message}");
    let message = refused(&["test", "--watch", "--update"]);
    assert!(message.contains("each change would be accepted immediately"), "{message}");
    let message = refused(&["build", "--watch", "--report", "json"]);
    assert!(message.contains("a report for programs covers one run"), "{message}");
    let message = refused(&["build", "--watch", "--stdout", "prod"]);
    assert!(message.contains("--watch writes targets to their directories only"), "{message}");
}
