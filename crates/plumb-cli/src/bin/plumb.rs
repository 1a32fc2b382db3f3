//! The program under its own name.

use std::process::ExitCode;

fn main() -> ExitCode {
    plumb_cli::main(plumb_cli::Name::Plumb)
}
