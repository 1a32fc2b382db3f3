//! The console that scripts print to.

use std::io::{self, Write as _};
use std::sync::{Mutex, PoisonError};

use plumb::generator::Console;

/// The standard output and error of this process. A reader that closes the pipe early is not an
/// error.
pub(super) struct Terminal {
    /// Whether the output of scripts is discarded.
    is_quiet: bool,
    /// The first error of standard output.
    refused: Mutex<Option<io::Error>>,
}

impl Terminal {
    pub(super) fn new(is_quiet: bool) -> Self {
        Self { is_quiet, refused: Mutex::default() }
    }

    /// Takes the first error of standard output. Returns `None` if there was none.
    pub(super) fn take_refusal(&self) -> Option<io::Error> {
        self.refused.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

impl Console for Terminal {
    fn print(&self, bytes: &[u8]) {
        if self.is_quiet {
            return;
        }
        let mut stdout = io::stdout().lock();
        match stdout.write_all(bytes).and_then(|()| stdout.flush()) {
            Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
                let mut refused = self.refused.lock().unwrap_or_else(PoisonError::into_inner);
                refused.get_or_insert(error);
            }
            Ok(()) | Err(_) => {}
        }
    }

    fn log(&self, bytes: &[u8]) {
        let _ = io::stderr().lock().write_all(bytes);
    }
}
