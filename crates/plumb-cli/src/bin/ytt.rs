//! The same program for users of ytt.

use std::process::ExitCode;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    plumb_cli::main(plumb_cli::Name::Ytt)
}
