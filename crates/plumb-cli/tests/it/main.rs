//! Whole runs of the program, which test that its parts work together.

#![expect(
    clippy::disallowed_methods,
    reason = "tests make files and start the program as a user does"
)]

#[cfg(unix)]
mod bombs;
mod commands;
mod crds;
mod data_values;
mod deploy;
mod faults;
#[cfg(unix)]
mod file_names;
mod generator_secrets;
mod input;
#[cfg(unix)]
mod killed;
mod machine_secrets;
mod man;
mod memory;
mod network;
mod npm;
#[cfg(unix)]
mod other_secrets;
mod output;
mod project;
#[cfg(unix)]
mod reports;
mod roots;
mod sandbox;
#[cfg(unix)]
mod secrets;
mod security_page;
mod usage_error;
#[cfg(target_os = "linux")]
mod watch;
#[cfg(unix)]
mod webhook;
