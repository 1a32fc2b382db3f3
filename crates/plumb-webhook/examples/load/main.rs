//! A load test: attacks on a webhook on this machine, and their effect on honest clients.
//!
//! The program starts itself again as the server (`load serve DIRECTORY`), so that its peak memory
//! can be measured, and attacks it over loopback. It exits with 1 if a result is outside the
//! limits. It runs on Linux only: clients have their own addresses in 127.0.0.0/8, and memory is
//! read from `/proc`.
//!
//! ```console
//! $ cargo xtask load
//! ```

#![expect(
    clippy::disallowed_methods,
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a tool for developers: it starts processes, measures time and talks to the terminal"
)]

mod attack;
#[expect(dead_code, reason = "tests use more of it")]
#[path = "../../tests/it/client.rs"]
mod client;
#[expect(dead_code, reason = "tests use more of it")]
#[path = "../../tests/it/fixture.rs"]
mod fixture;
mod honest;
mod process;

use std::error::Error;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use attack::Attack;
use honest::Outcome;
use process::Server;

/// How long each attack lasts.
const TIME: Duration = Duration::from_secs(4);

/// The share of honest requests that must be answered correctly, and of those that must be answered
/// within [`honest::SOON`].
const MIN_RIGHT: f64 = 0.99;
const MIN_SOON: f64 = 0.95;

/// The memory limit of the manifest under `deploy/`, in KiB.
const MAX_MEMORY: u64 = 256 << 10;

fn main() -> Result<ExitCode, Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if let [verb, directory] = &*arguments
        && verb == "serve"
    {
        process::serve(directory.as_ref())?;
        return Ok(ExitCode::SUCCESS);
    }
    let only = arguments.first();
    println!(
        "{:<12} {:>8} {:>8} {:>8} {:>9} {:>9} {:>10}",
        "attack", "honest", "right", "soon", "median", "worst", "memory"
    );
    let mut is_fine = true;
    for attack in Attack::ALL {
        if only.is_none_or(|it| it == attack.name()) {
            is_fine &= run(attack)?;
        }
    }
    if only.is_none_or(|it| it == "stop") {
        is_fine &= stop()?;
    }
    println!(
        "limits: {MIN_RIGHT} right, {MIN_SOON} within {:?}, at most {} MiB, no request lost",
        honest::SOON,
        MAX_MEMORY >> 10
    );
    Ok(if is_fine { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Runs an attack on a new server, and returns whether the results are within the limits.
fn run(attack: Attack) -> Result<bool, Box<dyn Error>> {
    let server = Arc::new(Server::start()?);
    let attackers = attack.start(&server);
    // By then, the attack is fully running.
    std::thread::sleep(Duration::from_secs(1));
    let outcome = honest::measure(&server, TIME);
    attackers.stop();
    let memory = server.peak_memory()?;
    let Outcome { n_requests, right, soon, median, worst } = outcome;
    let is_fine = right >= MIN_RIGHT && soon >= MIN_SOON && memory <= MAX_MEMORY;
    println!(
        "{:<12} {n_requests:>8} {:>7.2}% {:>7.2}% {:>6} ms {:>6} ms {:>6} MiB{}",
        attack.name(),
        right * 100.0,
        soon * 100.0,
        median.as_millis(),
        worst.as_millis(),
        memory >> 10,
        if is_fine { "" } else { "  MISSED" }
    );
    Ok(is_fine)
}

/// Stops a server while clients send requests, and returns whether all of them were answered.
fn stop() -> Result<bool, Box<dyn Error>> {
    let server = Arc::new(Server::start()?);
    let (n_clients, n_lost) = honest::ask_until_stopped(&server)?;
    let is_fine = n_lost == 0;
    let missed = if is_fine { "" } else { "  MISSED" };
    println!("{:<12} {n_clients:>8} clients, {n_lost} requests lost{missed}", "stop");
    Ok(is_fine)
}
