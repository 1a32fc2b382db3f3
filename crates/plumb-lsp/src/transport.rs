//! The transport of native programs: messages on a connection, checks on a thread.

use std::io;
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread;
use std::time::Duration;

use lsp_server::{Connection, Message};
use plumb::{Cancel, World};
use plumb_ide::{Checked, Checker, Overlay};
use plumb_source::on_deep_stack;

use crate::server::{Check, Server};

/// How long the editor must be silent before a check begins.
const QUIET: Duration = Duration::from_millis(30);

/// Serves an editor on standard input and output, until it ends the session.
pub fn serve_stdio(world: Arc<dyn World>) -> io::Result<()> {
    let (connection, threads) = Connection::stdio();
    serve(connection, world);
    threads.join()
}

/// Serves an editor, until it ends the session or closes the connection.
pub fn serve(connection: Connection, world: Arc<dyn World>) {
    let Connection { sender, receiver } = connection;
    let (events, inbox) = mpsc::channel();
    let from_editor = events.clone();
    // It ends when the editor closes the connection.
    thread::spawn(move || {
        for message in &receiver {
            if from_editor.send(Event::Message(Box::new(message))).is_err() {
                return;
            }
        }
        let _ = from_editor.send(Event::Closed);
    });
    let mut server = Server::new(world);
    let checks = Checks::start(server.overlay(), events);
    let send =
        |messages: Vec<Message>| messages.into_iter().all(|message| sender.send(message).is_ok());
    on_deep_stack(move || converse(&mut server, &inbox, checks, &send));
}

/// An event that the loop waits for.
enum Event {
    Message(Box<Message>),
    /// The results of a check, or `None` if it was cancelled.
    Checked(Option<Vec<Checked>>),
    Closed,
}

fn converse(
    server: &mut Server,
    inbox: &Receiver<Event>,
    mut checks: Checks,
    send: &(dyn Fn(Vec<Message>) -> bool + Sync),
) {
    loop {
        let is_waiting = server.has_check() && checks.running.is_none();
        let event = if is_waiting {
            match inbox.recv_timeout(QUIET) {
                Ok(event) => event,
                Err(RecvTimeoutError::Timeout) => {
                    if let Some(check) = server.take_check() {
                        checks.begin(check);
                    }
                    continue;
                }
                Err(RecvTimeoutError::Disconnected) => return,
            }
        } else {
            match inbox.recv() {
                Ok(event) => event,
                Err(_) => return,
            }
        };
        let is_sent = match event {
            Event::Message(message) => {
                let is_sent = send(server.handle(*message));
                if server.has_check() {
                    checks.cancel();
                }
                is_sent
            }
            Event::Checked(result) => {
                let check = checks.running.take();
                match result {
                    Some(results) if !server.has_check() => {
                        results.into_iter().all(|checked| send(server.finish(checked)))
                    }
                    // A text has changed since the check began, so the positions of its findings
                    // are outdated.
                    Some(_) | None => {
                        if let Some(check) = check {
                            server.put_back(check);
                        }
                        true
                    }
                }
            }
            Event::Closed => return,
        };
        if server.is_over() || !is_sent {
            return;
        }
    }
}

/// The thread that runs checks, one at a time.
struct Checks {
    requests: Sender<(Check, Cancel)>,
    cancel: Cancel,
    running: Option<Check>,
}

impl Checks {
    fn start(overlay: Arc<Overlay>, events: Sender<Event>) -> Self {
        let (requests, inbox) = mpsc::channel::<(Check, Cancel)>();
        thread::spawn(move || {
            let mut checker = Checker::new(overlay);
            for (check, cancel) in inbox {
                let result = on_deep_stack(|| check.run(&mut checker, &cancel));
                if events.send(Event::Checked(result.ok())).is_err() {
                    return;
                }
            }
        });
        Self { requests, cancel: Cancel::default(), running: None }
    }

    fn begin(&mut self, check: Check) {
        self.cancel = Cancel::default();
        if self.requests.send((check.clone(), self.cancel.clone())).is_ok() {
            self.running = Some(check);
        }
    }

    fn cancel(&self) {
        self.cancel.request("the text has changed");
    }
}
