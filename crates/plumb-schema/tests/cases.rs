//! Runs the case files of this crate. Their consoles run this program as the command that they
//! show.

use std::process::ExitCode;

use plumb_testkit::Suite;

fn main() -> ExitCode {
    if plumb_testkit::is_program() {
        return plumb_cli::main(plumb_cli::Name::Plumb);
    }
    Suite::new().consoles("", concat!(env!("CARGO_MANIFEST_DIR"), "/cases")).run()
}
