//! The case files of whole runs: pages of the manual whose consoles are replayed.
//!
//! A console block is lines that begin with `$ ` and what came of them: standard output and standard
//! error as a terminal shows them, then the exit code if it is not 0. Besides the programs themselves it knows
//! `cat`, `ls`, `mkdir`, `ln -s` and `chmod`, and a file for standard input: `plumb … < FILE`. The README is
//! for those who have a checkout: `cargo run --release -- …` there is `plumb …` in the repository.

use std::fmt::Write as _;
use std::fs::File;
use std::io::Read as _;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};

use plumb_testkit::{Case, Expectation};

#[test]
fn case_files_of_whole_runs() {
    let cases = Path::new(env!("CARGO_MANIFEST_DIR")).join("cases");
    plumb_testkit::check_dir(&cases, &["console"], replay);
}

#[test]
fn case_files_of_the_manual() {
    plumb_testkit::check_manual(&repository().join("docs/src"), &["console"], replay);
}

#[test]
fn case_files_of_the_readme() {
    plumb_testkit::check_page(&repository().join("README.md"), &["console"], replay);
}

/// The pages of examples are about the files beside them.
#[test]
fn case_files_of_examples() {
    let entries =
        std::fs::read_dir(repository().join("examples")).expect("the folder of examples exists");
    let directories = entries.map(|entry| entry.expect("a readable entry").path());
    for directory in directories.filter(|it| it.join("README.md").exists()) {
        plumb_testkit::check_dir(&directory, &["console"], |_, expectation| {
            let commands = expectation.text.lines().filter_map(|line| line.strip_prefix("$ "));
            commands.map(|line| transcript(line, &directory)).collect()
        });
    }
}

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn replay(case: &Case, expectation: &Expectation) -> String {
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
    let commands = expectation.text.lines().filter_map(|line| line.strip_prefix("$ "));
    let transcript = commands.map(|line| transcript(line, &directory)).collect();
    std::fs::remove_dir_all(&directory).expect("the directory is ours");
    transcript
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
        "plumb" => run(env!("CARGO_BIN_EXE_plumb"), arguments, directory, &mut out),
        "ytt" => run(env!("CARGO_BIN_EXE_ytt"), arguments, directory, &mut out),
        "jk" => run(env!("CARGO_BIN_EXE_jk"), arguments, directory, &mut out),
        "cargo" => match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
            ["run", "--release", "--", ..] => {
                run(env!("CARGO_BIN_EXE_plumb"), &arguments[3..], &repository(), &mut out);
            }
            _ => panic!("consoles of cases have no {line}"),
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
        other => panic!("consoles of cases have no {other}"),
    }
    out
}

/// Runs a program in an environment that has these variables (`NAME=VALUE`) too.
fn run(
    program: &str,
    variables: &[String],
    arguments: &[String],
    directory: &Path,
    out: &mut String,
) {
    let (mut command, lent) = match owner(directory) {
        NOBODY => {
            let lent = lend(program, directory);
            let mut command = Command::new(&lent);
            command.uid(NOBODY).gid(NOBODY);
            (command, Some(lent))
        }
        _ => (Command::new(program), None),
    };
    let (arguments, input) = match arguments {
        [arguments @ .., sign, input] if sign == "<" => {
            let input = File::open(directory.join(input)).expect("the input is there");
            (arguments, Stdio::from(input))
        }
        _ => (arguments, Stdio::null()),
    };
    command.args(arguments).current_dir(directory).stdin(input);
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

/// What a program writes to standard output and to standard error, in the order of its writes.
fn both_streams(mut command: Command) -> (String, ExitStatus) {
    let (mut reader, writer) = std::io::pipe().expect("there is room for a pipe");
    let second = writer.try_clone().expect("there is room for its second end");
    let mut child = command.stdout(writer).stderr(second).spawn().expect("the program starts");
    // It holds the ends that the program writes to: as long as it does, nothing ends.
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

/// Permissions mean nothing to root: who runs the tests as root runs what follows a `chmod` as
/// nobody, who gets the directory of the case.
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

/// The program at a path that everyone may reach, where everyone may run it: it was built with
/// the umask of whoever built it.
fn lend(program: &str, directory: &Path) -> PathBuf {
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

/// Words of a command line; single and double quotes hold words together.
pub(crate) fn words(line: &str) -> Vec<String> {
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
