//! The attacks. Each opens a bounded number of connections from its own addresses.

use std::collections::VecDeque;
use std::fmt::Write as _;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::Duration;

use crate::client::Client;
use crate::process::Server;

#[derive(Clone, Copy, Debug)]
pub(crate) enum Attack {
    /// No attack, for comparison.
    Peace,
    /// Connections that send nothing.
    Silence,
    /// Connections that finish the handshake and stop.
    Handshakes,
    /// Half of an HTTP/2 preface.
    Prefaces,
    /// Heads that never end, a byte at a time.
    Heads,
    /// Large bodies that stop before their end.
    Bodies,
    /// Small bodies that stop before their end, many on each HTTP/2 connection.
    Streams,
    /// Answers that are never read, many on each HTTP/2 connection.
    Answers,
    /// Bodies with the maximum number of values.
    Values,
    /// Annotations with the maximum number of patterns in a body.
    Patterns,
    /// The same attack in small bodies.
    FewPatterns,
}

/// Attackers that are running.
pub(crate) struct Attackers {
    threads: Vec<JoinHandle<()>>,
    is_done: Arc<AtomicBool>,
}

/// The number of connections that all threads of an attack keep open together.
const N_HELD: usize = 1024;
const N_THREADS: usize = 4;

/// The number of concurrent requests of an attack that sends whole requests, and the pause of a
/// thread between two. Creating and encrypting large requests takes more time than rejecting them,
/// and the attackers run on the same machine as the server. Without a pause, they would slow down
/// the honest clients.
const N_AT_ONCE: usize = 32;
const PAUSE: Duration = Duration::from_millis(500);

const MACHINES: &str = "/virtualmachine-validate";

/// The maximum size of a body that the server accepts.
const BODY: usize = 4 << 20;

impl Attack {
    pub(crate) const ALL: [Self; 11] = [
        Self::Peace,
        Self::Silence,
        Self::Handshakes,
        Self::Prefaces,
        Self::Heads,
        Self::Bodies,
        Self::Streams,
        Self::Answers,
        Self::Values,
        Self::Patterns,
        Self::FewPatterns,
    ];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Peace => "none",
            Self::Silence => "silence",
            Self::Handshakes => "handshakes",
            Self::Prefaces => "prefaces",
            Self::Heads => "heads",
            Self::Bodies => "bodies",
            Self::Streams => "streams",
            Self::Answers => "answers",
            Self::Values => "values",
            Self::Patterns => "patterns",
            Self::FewPatterns => "few-patterns",
        }
    }

    pub(crate) fn start(self, server: &Arc<Server>) -> Attackers {
        let is_done = Arc::new(AtomicBool::new(false));
        let body: Arc<str> = self.body().into();
        let n_threads = match self {
            Self::Peace => 0,
            Self::Silence
            | Self::Handshakes
            | Self::Prefaces
            | Self::Heads
            | Self::Bodies
            | Self::Streams
            | Self::Answers => N_THREADS,
            Self::Values | Self::Patterns | Self::FewPatterns => N_AT_ONCE,
        };
        let threads = (0..n_threads)
            .map(|number| {
                let (server, is_done) = (Arc::clone(server), Arc::clone(&is_done));
                let body = Arc::clone(&body);
                let address = 10 + u8::try_from(number).expect("there are few threads");
                std::thread::spawn(move || match self {
                    Self::Peace => {}
                    Self::Silence => hold(&is_done, N_HELD, || server.connect(address).ok()),
                    Self::Handshakes => {
                        hold(&is_done, N_HELD, || sent(&server, address, b"GET").ok());
                    }
                    Self::Prefaces => {
                        hold(&is_done, N_HELD, || sent(&server, address, b"PRI * HT").ok());
                    }
                    Self::Heads => drip(&server, address, &is_done),
                    Self::Bodies => {
                        hold(&is_done, N_HELD / 4, || stalled(&server, address, &body).ok());
                    }
                    Self::Streams => {
                        hold(&is_done, N_HELD / 8, || streams(&server, address).ok());
                    }
                    Self::Answers => {
                        hold(&is_done, N_HELD, || answers(&server, address).ok());
                    }
                    Self::Values | Self::Patterns | Self::FewPatterns => {
                        post(&server, address, &is_done, &body);
                    }
                })
            })
            .collect();
        Attackers { threads, is_done }
    }

    fn body(self) -> String {
        match self {
            Self::Bodies => "[".to_owned() + &" ".repeat(BODY - (64 << 10)),
            Self::Values => {
                let (before, after) = (r#"{"request":{"object":[1"#, "]}}");
                let n_values = (BODY - before.len() - after.len()) / 2;
                [before, &",1".repeat(n_values), after].concat()
            }
            Self::Patterns => patterns(1900),
            Self::FewPatterns => patterns(420),
            Self::Peace
            | Self::Silence
            | Self::Handshakes
            | Self::Prefaces
            | Self::Heads
            | Self::Streams
            | Self::Answers => String::new(),
        }
    }
}

impl Attackers {
    pub(crate) fn stop(self) {
        self.is_done.store(true, Ordering::Relaxed);
        for thread in self.threads {
            let _ = thread.join();
        }
    }
}

/// A review of a virtual machine that has this many rules itself, each with a different pattern.
fn patterns(n_patterns: usize) -> String {
    let mut rules = String::new();
    for number in 0..n_patterns {
        let comma = if number > 0 { "," } else { "" };
        let _ = write!(
            rules,
            r#"{comma}{{"name":"{number}","rule":"regex","regex":"^[a-z]{{1,99}}(a|b)*{number}$","path":"jsonpath::.spec.hostname","message":"m"}}"#
        );
    }
    serde_json::json!({"request": {
        "uid": "u", "operation": "CREATE", "resource": {"resource": "virtualmachines"},
        "object": {
            "metadata": {"annotations": {"vm.kubevirt.io/validations": format!("[{rules}]")}},
            "spec": {"template": {"spec": {"hostname": "abc", "domain": {}}}},
        },
    }})
    .to_string()
}

/// Opens connections, and keeps `n_held` of them open in all threads together. The oldest is
/// replaced, because the server may have closed it.
fn hold<C>(is_done: &AtomicBool, n_held: usize, open: impl Fn() -> Option<C>) {
    let mut held = VecDeque::new();
    while !is_done.load(Ordering::Relaxed) {
        held.extend(open());
        if held.len() > n_held / N_THREADS {
            held.pop_front();
            std::thread::sleep(Duration::from_millis(20));
        }
    }
}

/// A connection on which these bytes were sent.
fn sent(server: &Server, address: u8, bytes: &[u8]) -> std::io::Result<Client> {
    let mut client = server.client(address)?;
    client.raw(bytes)?;
    Ok(client)
}

/// A connection with an incomplete body.
fn stalled(server: &Server, address: u8, body: &str) -> std::io::Result<Client> {
    let mut client = server.client(address)?;
    client.send_json(MACHINES, BODY, body)?;
    Ok(client)
}

/// The number of requests on an HTTP/2 connection. The server rejects some of them.
const N_STREAMS: u32 = 100;

/// Types and flags of HTTP/2 frames (RFC 9113, section 6).
const DATA: u8 = 0;
const HEADERS: u8 = 1;
const SETTINGS: u8 = 4;
const END_STREAM: u8 = 1;
const END_HEADERS: u8 = 4;

/// An HTTP/2 connection with many requests, each with an incomplete body of just under 64 KiB.
fn streams(server: &Server, address: u8) -> std::io::Result<Client> {
    let mut client = http2(server, address, &[])?;
    // `POST`
    let head = head(0x83, MACHINES);
    let part = [b' '; 15 << 10];
    for stream in (0..N_STREAMS).map(|number| 2 * number + 1) {
        client.raw(&frame(HEADERS, END_HEADERS, stream, &head))?;
        for _ in 0..4 {
            client.raw(&frame(DATA, 0, stream, &part))?;
        }
        // By then, the server has read the body and accepts more on this connection.
        std::thread::sleep(Duration::from_millis(1));
    }
    Ok(client)
}

/// An HTTP/2 connection with many requests. The client does not accept their answers.
fn answers(server: &Server, address: u8) -> std::io::Result<Client> {
    // SETTINGS_INITIAL_WINDOW_SIZE is 0.
    let mut client = http2(server, address, &[0, 4, 0, 0, 0, 0])?;
    // `GET`
    let head = head(0x82, "/metrics");
    for stream in (0..N_STREAMS).map(|number| 2 * number + 1) {
        client.raw(&frame(HEADERS, END_HEADERS | END_STREAM, stream, &head))?;
    }
    Ok(client)
}

fn http2(server: &Server, address: u8, settings: &[u8]) -> std::io::Result<Client> {
    let mut client = server.client(address)?;
    client.raw(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n")?;
    client.raw(&frame(SETTINGS, 0, 0, settings))?;
    Ok(client)
}

/// The head of a request: the indexed method and scheme, then literals with indexed names (RFC
/// 7541, appendix A).
fn head(method: u8, path: &str) -> Vec<u8> {
    let mut head = vec![method, 0x87];
    for (name, value) in
        [(&[0x04][..], path), (&[0x01], "localhost"), (&[0x0f, 0x10], "application/json")]
    {
        head.extend(name);
        head.push(u8::try_from(value.len()).expect("the value is short"));
        head.extend(value.as_bytes());
    }
    head
}

/// A frame of HTTP/2 (RFC 9113, section 4.1).
fn frame(kind: u8, flags: u8, stream: u32, payload: &[u8]) -> Vec<u8> {
    let length = u32::try_from(payload.len()).expect("the payload is short").to_be_bytes();
    let mut frame = length[1..].to_vec();
    frame.extend([kind, flags]);
    frame.extend(stream.to_be_bytes());
    frame.extend(payload);
    frame
}

/// Sends heads a byte at a time.
fn drip(server: &Server, address: u8, is_done: &AtomicBool) {
    let mut held: VecDeque<Client> = VecDeque::new();
    while !is_done.load(Ordering::Relaxed) {
        held.extend(sent(server, address, b"GET /healthz HTTP/1.1\r\nX: "));
        held.retain_mut(|client| client.raw(b"x").is_ok());
        if held.len() > N_HELD / N_THREADS {
            held.pop_front();
            std::thread::sleep(Duration::from_millis(100));
        }
    }
}

/// Sends whole requests, one after the other.
fn post(server: &Server, address: u8, is_done: &AtomicBool, body: &str) {
    let mut kept: Option<Client> = None;
    while !is_done.load(Ordering::Relaxed) {
        let client = kept.or_else(|| server.client(address).ok());
        kept = client.and_then(|mut client| client.post(MACHINES, body).ok().map(|_| client));
        std::thread::sleep(PAUSE);
    }
}
