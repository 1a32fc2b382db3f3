//! Runs the case files of the command line, the manual, the README and the examples. Their consoles
//! run this program as the command that they show.

#![expect(
    clippy::disallowed_methods,
    reason = "tests make files and start the program as a user does"
)]

#[cfg(unix)]
mod bazel;
#[cfg(unix)]
mod disks;
#[cfg(unix)]
mod recipes;
#[cfg(unix)]
#[path = "../it/sandbox.rs"]
#[expect(dead_code, reason = "other tests use the rest")]
mod sandbox;
#[cfg(unix)]
mod tools;

use std::process::ExitCode;

use plumb_testkit::Suite;

fn main() -> ExitCode {
    if plumb_testkit::is_program() {
        return plumb_cli::main(plumb_cli::Name::Plumb);
    }
    let suite = Suite::new().consoles("", concat!(env!("CARGO_MANIFEST_DIR"), "/cases"));
    #[cfg(unix)]
    let suite = bazel::added_to(tools::added_to(disks::added_to(with_manual(suite))));
    #[cfg(unix)]
    let suite = recipes::added_to(suite);
    suite.run()
}

/// Adds the manual, the README, and the examples, whose pages are about the files beside them.
#[cfg(unix)]
fn with_manual(suite: Suite) -> Suite {
    use plumb_testkit::console::{KINDS, replay, replay_in};

    let repository = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let suite = suite
        .manual("manual", repository.join("docs/src"), KINDS, replay)
        .manual("manual::findings", repository.join("docs/src/findings"), KINDS, replay)
        .page("readme", repository.join("README.md"), KINDS, replay);
    let entries = std::fs::read_dir(repository.join("examples")).expect("there are examples");
    let mut directories: Vec<_> =
        entries.map(|entry| entry.expect("a readable entry").path()).collect();
    directories.sort();
    // An example that is a Rust program has no console to replay.
    let is_replayed =
        |it: &std::path::PathBuf| it.join("README.md").exists() && !it.join("Cargo.toml").exists();
    directories.into_iter().filter(is_replayed).fold(suite, |suite, it| {
        let name = it.file_name().expect("an example has a name").to_string_lossy();
        let prefix = format!("examples::{name}");
        let directory = it.clone();
        suite.cases(&prefix, it, KINDS, move |_, console| replay_in(&directory, console))
    })
}
