//! The same program for users of jk.

use std::process::ExitCode;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    plumb_cli::main(plumb_cli::Name::Jk)
}
