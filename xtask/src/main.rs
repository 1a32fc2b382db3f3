//! Tasks for developers: `cargo xtask <verb>`.
//!
//! Contains everything that keeps the repository in order and is not a test of the program itself.

#![expect(
    clippy::disallowed_methods,
    clippy::print_stdout,
    reason = "a tool for developers: it reads the repository and talks to the terminal"
)]

mod allocations;
mod annotations;
mod bench;
mod cases;
mod cluster;
mod codes;
mod conform;
mod dist;
mod doctests;
mod files;
mod instructions;
mod load;
mod manual;
mod modules;
mod names;
mod order;
mod picture;
mod shapes;
mod summary;
mod tables;
mod tidy;
mod words;

use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};

const HELP: &str = "\
cargo xtask VERB

  tidy                           check the repository against its own rules (also a test)
  cases [--update] [FILTER]      run the case files, or rewrite what they expect
  codes [--update]               check the pages of codes and the manual's summary, or write what
                                 follows from the sources
  conform [--update]             replay the conformance corpora; fail below the ratchet
  allocations [--update]         count what small workloads allocate (also a test), or record it
  instructions [--update]        count the instructions of small runs with valgrind, or record them
  order                          record with valgrind which functions small runs execute, for the linker
  bench --all | SECTION... [--write]
                                 measure some or all sections of docs/performance.md in one run, and
                                 write their tables; --all skips those whose program is not named
        --start                  the smallest runs, and the size of the program
        --peer YTT [--runs N] [WORKLOAD[:N,N]]...
                                 CPU and memory next to ytt; the stages
        --starlark PATH          CPU next to the starlark crate, by the program of bench/starlark
        --cores                  one render on one core and on two
        --jsonnet PATH           CPU next to jrsonnet, on the same documents
        --generators NODE_MODULES [--node PATH] [--deno PATH] [--bun PATH]
                                 CPU of generators next to node, Deno and Bun
        --webhook PATH [--wrk PATH]
                                 requests per second next to the program of bench/webhook
        --project [--directory DIR]
                                 a project of 100 targets, and one of 50 tests
        --editor                 `plumb lsp` on a small project and on one of 500 files; fails if a
                                 limit is exceeded
        --build                  clean builds of the program and of the tests
  cluster --apiserver PATH --etcd PATH [--kubectl PATH]
                                 export all schemas of the case files to a real API server, and
                                 compare verdicts; skipped without the programs
  load [ATTACK]                  attack a webhook on this machine, and measure what honest clients
                                 notice; fail if a bar is missed
  picture [PLUMB]                draw the README's example on a terminal, by this program
";

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (verb, rest) = arguments.split_first().map_or(("help", &[][..]), |(v, r)| (v.as_str(), r));
    match verb {
        "tidy" => tidy::run(&root()),
        "cases" => cases::run(&root(), rest),
        "codes" => codes::run(&root(), rest),
        "conform" => conform::run(&root(), rest),
        "allocations" => allocations::run(&root(), rest),
        "instructions" => instructions::run(&root(), rest),
        "order" => order::run(&root()),
        "bench" => bench::run(&root(), rest),
        "cluster" => cluster::run(&root(), rest),
        "dist" => dist::run(&root(), rest),
        "picture" => picture::run(&root(), rest),
        "load" => load::run(&root(), rest),
        "help" | "--help" | "-h" => {
            print!("{HELP}{}", dist::HELP);
            Ok(())
        }
        other => bail!("no such verb: {other}\n\n{HELP}{}", dist::HELP),
    }
}

/// The root of the repository.
fn root() -> PathBuf {
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR"));
    manifest.parent().expect("xtask is in the repository").to_owned()
}

/// The directory that cargo builds into, which also contains this program.
fn target_directory() -> Result<PathBuf> {
    let program = std::env::current_exe()?;
    let directory = program.parent().and_then(Path::parent).context("target/PROFILE/xtask")?;
    Ok(directory.to_owned())
}
