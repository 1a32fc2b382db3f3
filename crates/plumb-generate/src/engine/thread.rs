//! Runs a script on a thread with a large stack, and waits for it.

use std::sync::Arc;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::Duration;

use plumb_diagnostic::{Diagnostic, Failure};
use plumb_source::message;
use plumb_source::message::plain;

use super::{LIMIT_REACHED, run_here, thrown};
use crate::{Outcome, Request, Surroundings};

/// The stack for native code between two calls of a script, in addition to the stack of the script.
const NATIVE_STACK: usize = 56 << 20;

/// How long to wait for a script before checking whether its time is over, and how many such checks
/// are allowed before the run is abandoned.
const PATIENCE: Duration = Duration::from_millis(50);
const MAX_OVERTIME: u32 = 10;

/// Executes a request. A run that does not end in time is abandoned.
pub(super) fn run(request: Request, surroundings: &Surroundings) -> Result<Outcome, Failure> {
    let stop = Arc::clone(&surroundings.stop);
    let surroundings = surroundings.clone();
    let stack_size = request.limits.stack + NATIVE_STACK;
    let (sender, receiver) = mpsc::channel();
    let thread = std::thread::Builder::new().name("script".to_owned()).stack_size(stack_size);
    let running = thread.spawn(move || {
        // If the run was abandoned, the result is not received.
        let _ = sender.send(run_here(request, surroundings));
    });
    let running = running.map_err(|error| {
        Diagnostic::error(
            LIMIT_REACHED,
            message!("no thread to run the script on: {}", plain(error)),
        )
    })?;
    let mut overtime = 0;
    loop {
        match receiver.recv_timeout(PATIENCE) {
            Ok(outcome) => return outcome,
            Err(RecvTimeoutError::Disconnected) => match running.join() {
                Ok(()) => unreachable!("a thread sends its outcome, or panics"),
                Err(panic) => std::panic::resume_unwind(panic),
            },
            // The engine only checks the time between its own steps; a single step can take long.
            Err(RecvTimeoutError::Timeout) => {
                if let Some(reason) = stop() {
                    overtime += 1;
                    if overtime > MAX_OVERTIME {
                        return Err(thrown::stopped(&reason).into());
                    }
                }
            }
        }
    }
}
