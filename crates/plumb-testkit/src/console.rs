//! Consoles: blocks in pages that show a terminal session. Tests replay them.
//!
//! A console block has lines that begin with `$ `, each followed by its result: standard output and
//! standard error as a terminal shows them, then the exit code if it is not 0. Besides the programs
//! themselves, a console supports `cat`, `ls`, `mkdir`, `ln -s` and `chmod`, and a file as standard
//! input: `plumb … < FILE`. In the README, `cargo run -- …` is replayed as `plumb …` in
//! the repository.
//!
//! The program is the test program itself, started under the name that a console shows. The tests
//! of a crate therefore need no other program.

#![expect(
    clippy::disallowed_methods,
    reason = "consoles make files and start programs as users do"
)]

use std::fmt::Write as _;
use std::fs::File;
use std::io::{ErrorKind, Read as _};
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::suite::PROGRAMS;
use crate::{Case, Expectation};

/// The language of blocks that are replayed.
pub const KINDS: &[&str] = &["console"];

/// Replays a console in a new directory with the files of its case, and returns the resulting text.
pub fn replay(case: &Case, expectation: &Expectation) -> String {
    static COUNT: AtomicUsize = AtomicUsize::new(0);
    let number = COUNT.fetch_add(1, Ordering::Relaxed);
    let name = format!("plumb-console-{}-{number}", std::process::id());
    let directory = std::env::temp_dir().join(name);
    for input in &case.inputs {
        let path = directory.join(&input.name);
        std::fs::create_dir_all(path.parent().expect("it is below the directory"))
            .expect("a directory can be made");
        std::fs::write(path, &input.text).expect("an input can be written");
    }
    std::fs::create_dir_all(&directory).expect("a directory can be made");
    let transcript = replay_in(&directory, expectation);
    std::fs::remove_dir_all(&directory).expect("the directory is ours");
    transcript
}

/// Replays a console in a directory, and returns the resulting text.
pub fn replay_in(directory: &Path, expectation: &Expectation) -> String {
    let commands = expectation.text.lines().filter_map(|line| line.strip_prefix("$ "));
    commands.map(|line| transcript(line, directory)).collect()
}

fn transcript(line: &str, directory: &Path) -> String {
    let mut out = format!("$ {line}\n");
    let words = words(line);
    let n_variables = words.iter().take_while(|word| word.contains('=')).count();
    let (variables, words) = words.split_at(n_variables);
    let (program, arguments) = words.split_first().expect("a command has a name");
    let run = |program: &str, arguments: &[String], directory: &Path, out: &mut String| {
        run(program, variables, arguments, directory, out);
    };
    match program.as_str() {
        name if PROGRAMS.contains(&name) => run(name, arguments, directory, &mut out),
        "cargo" => match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
            ["run", "--", ..] => {
                run("plumb", &arguments[2..], &repository(), &mut out);
            }
            _ => panic!("consoles of cases do not support {line}"),
        },
        "cat" => arguments.iter().for_each(|it| {
            out.push_str(&std::fs::read_to_string(directory.join(it)).unwrap_or_default());
        }),
        "ls" => list(&directory.join(arguments.first().map_or("", |it| it)), &mut out),
        "mkdir" => arguments.iter().for_each(|it| {
            std::fs::create_dir_all(directory.join(it)).expect("a directory can be made");
        }),
        "ln" => link(arguments, directory),
        "chmod" => change_mode(arguments, directory),
        other => panic!("consoles of cases do not support {other}"),
    }
    out
}

/// The only variables that a program inherits. Others, such as `CI` and `NO_COLOR`, change the
/// behaviour of Plumb: a console that needs them sets them itself.
const INHERITED: [&str; 3] = ["PATH", "HOME", "TMPDIR"];

/// Runs a program in an environment that also has these variables (`NAME=VALUE`).
fn run(name: &str, variables: &[String], arguments: &[String], directory: &Path, out: &mut String) {
    let program = std::env::current_exe().expect("a test knows its own path");
    let (mut command, lent) = match owner(directory) {
        NOBODY => {
            let lent = lend(&program, directory);
            let mut command = Command::new(&lent);
            command.uid(NOBODY).gid(NOBODY);
            (command, Some(lent))
        }
        _ => (Command::new(program), None),
    };
    command.arg0(name);
    let (arguments, input) = match arguments {
        [arguments @ .., sign, input] if sign == "<" => {
            let input = File::open(directory.join(input)).expect("the input is there");
            (arguments, Stdio::from(input))
        }
        _ => (arguments, Stdio::null()),
    };
    command.args(arguments).current_dir(directory).stdin(input);
    command.env_clear();
    command.envs(INHERITED.iter().filter_map(|name| Some((name, std::env::var_os(name)?))));
    command.envs(variables.iter().filter_map(|it| it.split_once('=')));
    let (said, status) = both_streams(command);
    if let Some(lent) = lent {
        std::fs::remove_file(lent).expect("the link is ours");
    }
    let shown = directory.canonicalize().expect("the directory is there");
    out.push_str(&said.replace(&*shown.to_string_lossy(), "/project"));
    if !said.is_empty() && !said.ends_with('\n') {
        out.push('\n');
    }
    if !status.success() {
        let _ = writeln!(out, "[exit {}]", status.code().unwrap_or(-1));
    }
}

/// The standard output and standard error of a program, in the order in which it writes.
fn both_streams(mut command: Command) -> (String, ExitStatus) {
    let (mut reader, writer) = std::io::pipe().expect("there is room for a pipe");
    let second = writer.try_clone().expect("there is room for its second end");
    command.stdout(writer).stderr(second);
    let mut child = loop {
        match command.spawn() {
            // A child process of another thread may still have the copy of the program open for
            // writing.
            Err(error) if error.kind() == ErrorKind::ExecutableFileBusy => std::thread::yield_now(),
            started => break started.expect("the program starts"),
        }
    };
    // It owns the write ends of the pipe, which stays open as long as they exist.
    drop(command);
    let mut said = Vec::new();
    reader.read_to_end(&mut said).expect("a pipe can be read");
    let status = child.wait().expect("it was started");
    (String::from_utf8_lossy(&said).into_owned(), status)
}

fn list(directory: &Path, out: &mut String) {
    let entries = std::fs::read_dir(directory).into_iter().flatten();
    let mut names: Vec<String> =
        entries.flatten().map(|it| it.file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    out.extend(names.iter().flat_map(|name| [name.as_str(), "\n"]));
}

fn link(arguments: &[String], directory: &Path) {
    let [_, target, name] = arguments else { panic!("expected ln -s TARGET NAME") };
    let path: PathBuf = directory.join(name);
    std::fs::create_dir_all(path.parent().expect("it is below the directory"))
        .expect("a directory can be made");
    std::os::unix::fs::symlink(target, path).expect("a link can be made");
}

fn change_mode(arguments: &[String], directory: &Path) {
    let [mode, path] = arguments else { panic!("expected chmod MODE PATH") };
    let mode = u32::from_str_radix(mode, 8).expect("a mode is an octal number");
    let permissions = std::fs::Permissions::from_mode(mode);
    std::fs::set_permissions(directory.join(path), permissions).expect("the path is there");
    if owner(directory) == 0 {
        give_away(directory);
    }
}

/// Permissions do not apply to root. If root runs the tests, the commands after a `chmod` run as
/// nobody, who becomes the owner of the case's directory.
const NOBODY: u32 = 65534;

fn owner(path: &Path) -> u32 {
    std::fs::metadata(path).expect("the path is there").uid()
}

fn give_away(path: &Path) {
    if path.is_dir() {
        let entries = std::fs::read_dir(path).expect("root may list everything");
        entries.flatten().for_each(|entry| give_away(&entry.path()));
    }
    std::os::unix::fs::chown(path, Some(NOBODY), Some(NOBODY)).expect("root may give it away");
}

/// A copy of the program at a path where everyone may run it. At its own path, the umask of the
/// user who built it may forbid this.
fn lend(program: &Path, directory: &Path) -> PathBuf {
    const ANYONE_MAY_RUN: u32 = 0o005;
    let lent = directory.with_extension("program");
    let mode = std::fs::metadata(program).expect("the program is built").permissions().mode();
    if mode & ANYONE_MAY_RUN == ANYONE_MAY_RUN && std::fs::hard_link(program, &lent).is_ok() {
        return lent;
    }
    std::fs::copy(program, &lent).expect("there is room for it");
    let permissions = std::fs::Permissions::from_mode(0o755);
    std::fs::set_permissions(&lent, permissions).expect("the copy is ours");
    lent
}

/// The root of the repository.
fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Splits a command line into words. Single and double quotes keep words together.
pub fn words(line: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut quote = None;
    for letter in line.chars() {
        let word = words.last_mut().expect("there is always one");
        match (quote, letter) {
            (None, '\'' | '"') => quote = Some(letter),
            (Some(open), _) if letter == open => quote = None,
            (None, ' ') => words.push(String::new()),
            _ => word.push(letter),
        }
    }
    words
}
