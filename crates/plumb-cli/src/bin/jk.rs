//! The same program, for those who had jk before.

use std::process::ExitCode;

fn main() -> ExitCode {
    plumb_cli::main(plumb_cli::Name::Jk)
}
