//! A temporary directory for a test, and runs of the program in it.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The layouts of `--report`, for people and for programs. Tests try all of them for values that must
/// be masked, including that of ytt: called as `plumb`, it masks values too.
pub(crate) const LAYOUTS: [&str; 6] = ["pretty", "ytt", "json", "sarif", "junit", "github"];

pub(crate) struct Sandbox {
    directory: PathBuf,
}

/// The result of a run.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Ran {
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Sandbox {
    /// A new directory. Every test must use a different name.
    pub(crate) fn new(test: &str) -> Self {
        let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join(test);
        let _ = fs::remove_dir_all(&directory);
        fs::create_dir_all(&directory).expect("a writable target directory");
        Self { directory }
    }

    /// A directory that is inside another sandbox.
    pub(crate) fn at(directory: PathBuf) -> Self {
        Self { directory }
    }

    pub(crate) fn path(&self, path: &str) -> PathBuf {
        self.directory.join(path)
    }

    #[must_use]
    pub(crate) fn with(self, path: &str, content: impl AsRef<[u8]>) -> Self {
        let file = self.path(path);
        fs::create_dir_all(file.parent().expect("below the sandbox")).expect("writable");
        fs::write(file, content).expect("writable");
        self
    }

    pub(crate) fn read(&self, path: &str) -> Option<String> {
        fs::read_to_string(self.path(path)).ok()
    }

    /// All paths below a directory of the sandbox, sorted.
    pub(crate) fn list(&self, directory: &str) -> Vec<String> {
        let mut paths = Vec::new();
        let mut ahead = vec![self.path(directory)];
        while let Some(here) = ahead.pop() {
            for entry in fs::read_dir(here).into_iter().flatten() {
                let path = entry.expect("readable").path();
                let below = path.strip_prefix(&self.directory).expect("below the sandbox");
                paths.push(below.to_string_lossy().into_owned());
                if path.is_dir() {
                    ahead.push(path);
                }
            }
        }
        paths.sort();
        paths
    }

    pub(crate) fn command(&self, program: &str, arguments: &[&str]) -> Command {
        let path = match program {
            "ytt" => env!("CARGO_BIN_EXE_ytt"),
            _ => env!("CARGO_BIN_EXE_plumb"),
        };
        let mut command = Command::new(path);
        command.args(arguments).current_dir(&self.directory).env("NO_PROXY", "*").env_remove("CI");
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    pub(crate) fn plumb(&self, arguments: &[&str]) -> Ran {
        self.run("plumb", arguments, "")
    }

    pub(crate) fn ytt(&self, arguments: &[&str]) -> Ran {
        self.run("ytt", arguments, "")
    }

    /// Runs shell commands in which `plumb` is the program.
    #[cfg(unix)]
    pub(crate) fn shell(&self, script: &str) -> Ran {
        let plumb = env!("CARGO_BIN_EXE_plumb");
        let script = format!("plumb() {{ '{plumb}' \"$@\"; }}\n{script}");
        let mut command = Command::new("sh");
        command.args(["-c", &script]).current_dir(&self.directory).env_remove("CI");
        let output = command.stdin(Stdio::null()).output().expect("there is a shell");
        let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
        Ran { code: output.status.code(), stdout: text(output.stdout), stderr: text(output.stderr) }
    }

    pub(crate) fn run(&self, program: &str, arguments: &[&str], stdin: &str) -> Ran {
        let mut child = self.command(program, arguments).spawn().expect("the program is built");
        // A program that does not read its input may have ended already.
        let _ = child.stdin.take().expect("piped").write_all(stdin.as_bytes());
        let output = child.wait_with_output().expect("it ends");
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("UTF-8");
        Ran { code: output.status.code(), stdout: text(output.stdout), stderr: text(output.stderr) }
    }
}

impl Ran {
    /// The output of a run that succeeded without a message.
    pub(crate) fn output(self) -> String {
        assert_eq!((self.code, self.stderr.as_str()), (Some(0), ""), "{}", self.stdout);
        self.stdout
    }

    /// The message of a run that failed and printed nothing.
    pub(crate) fn failure(self, code: i32) -> String {
        assert_eq!((self.code, self.stdout.as_str()), (Some(code), ""), "{}", self.stderr);
        self.stderr
    }
}
