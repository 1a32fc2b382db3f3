//! Where scripts print to.

use std::io::{self, Write as _};
use std::sync::{Mutex, PoisonError};

use plumb_generate::Console;

/// The standard output and error of this process. A reader that has seen enough is no error.
pub(super) struct Terminal {
    /// Whether what scripts print is thrown away.
    is_quiet: bool,
    /// Why not all was printed.
    refused: Mutex<Option<io::Error>>,
}

impl Terminal {
    pub(super) fn new(is_quiet: bool) -> Self {
        Self { is_quiet, refused: Mutex::default() }
    }

    /// What standard output first refused, if anything.
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
