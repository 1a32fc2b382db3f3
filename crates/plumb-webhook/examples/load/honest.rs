//! Honest clients, and the answers that they get.

use std::error::Error;
use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::client::Client;
use crate::fixture::review;
use crate::process::Server;

/// The maximum time for an answer.
pub(crate) const SOON: Duration = Duration::from_millis(100);

/// The number of clients that keep their connection open, and of those that open one for each
/// request.
const N_KEEPING: u64 = 4;
const N_OPENING: u64 = 2;

/// The pause between two requests of a client.
const PAUSE: Duration = Duration::from_millis(20);

/// The address of honest clients; attackers use others.
const ADDRESS: u8 = 2;

const MACHINES: &str = "/virtualmachine-validate";

pub(crate) struct Outcome {
    pub n_requests: usize,
    /// The share of requests with a correct answer.
    pub right: f64,
    /// The share of requests with a correct answer in time.
    pub soon: f64,
    pub median: Duration,
    pub worst: Duration,
}

/// Sends requests for some time. A request without a correct answer counts as `None`.
pub(crate) fn measure(server: &Arc<Server>, time: Duration) -> Outcome {
    let end = Instant::now() + time;
    let clients: Vec<_> = (0..N_KEEPING + N_OPENING)
        .map(|number| {
            let server = Arc::clone(server);
            std::thread::spawn(move || ask(&server, number < N_KEEPING, end))
        })
        .collect();
    let asked = clients.into_iter().flat_map(|it| it.join().expect("honest clients do not panic"));
    let asked: Vec<Option<Duration>> = asked.collect();
    let mut times: Vec<Duration> = asked.iter().flatten().copied().collect();
    times.sort_unstable();
    let n_soon = times.iter().filter(|it| **it <= SOON).count();
    Outcome {
        n_requests: asked.len(),
        right: share(times.len(), asked.len()),
        soon: share(n_soon, asked.len()),
        median: times.get(times.len() / 2).copied().unwrap_or_default(),
        worst: times.last().copied().unwrap_or_default(),
    }
}

#[expect(clippy::cast_precision_loss, reason = "the number of requests is small")]
fn share(part: usize, whole: usize) -> f64 {
    if whole == 0 { 0.0 } else { part as f64 / whole as f64 }
}

fn ask(server: &Server, keeps: bool, end: Instant) -> Vec<Option<Duration>> {
    let mut asked = Vec::new();
    let mut kept: Option<Client> = None;
    while Instant::now() < end {
        let start = Instant::now();
        let client = match kept.take() {
            Some(client) => Some(client),
            None => server.client(ADDRESS).ok(),
        };
        let answered = client.and_then(|mut client| {
            let is_right = match asked.len() % 3 {
                0 => client.get("/healthz").is_ok_and(|it| it.status == 200),
                turn => is_checked(&mut client, if turn == 1 { 8 } else { 2 }),
            };
            is_right.then_some(client)
        });
        asked.push(answered.is_some().then(|| start.elapsed()));
        kept = answered.filter(|_| keeps);
        std::thread::sleep(PAUSE);
    }
    asked
}

/// Whether the answer is correct for a virtual machine with this many cores. Four are allowed.
fn is_checked(client: &mut Client, cores: u32) -> bool {
    client.post(MACHINES, &review("u", cores)).is_ok_and(|answer| {
        answer.status == 200 && answer.json()["response"]["allowed"] == (cores <= 4)
    })
}

/// Lets clients send requests over and over, signals the server to stop, and returns the number of
/// clients and the number of those with an unanswered request.
pub(crate) fn ask_until_stopped(server: &Server) -> Result<(usize, usize), Box<dyn Error>> {
    const N_CLIENTS: usize = 64;
    let clients: Result<Vec<Client>, _> = (0..N_CLIENTS).map(|_| server.client(ADDRESS)).collect();
    let clients: Vec<_> = clients?
        .into_iter()
        .map(|mut client| {
            std::thread::spawn(move || {
                loop {
                    match client.post(MACHINES, &review("u", 1)) {
                        Ok(answer) if answer.head.contains("connection: close\r\n") => return true,
                        Ok(_) => std::thread::sleep(Duration::from_millis(5)),
                        Err(_) => return false,
                    }
                }
            })
        })
        .collect();
    std::thread::sleep(Duration::from_secs(1));
    server.terminate()?;
    let answered = clients.into_iter().map(|it| it.join().unwrap_or(false));
    Ok((N_CLIENTS, answered.filter(|it| !it).count()))
}
