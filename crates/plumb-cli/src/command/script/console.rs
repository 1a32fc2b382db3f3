//! Where scripts print to.

use std::io::{self, Write as _};

use plumb_generate::Console;

/// The standard output and error of this process. A reader that has seen enough is no error.
pub(super) struct Terminal {
    /// Whether what scripts print is thrown away.
    pub(super) is_quiet: bool,
}

impl Console for Terminal {
    fn print(&self, bytes: &[u8]) {
        if self.is_quiet {
            return;
        }
        let mut stdout = io::stdout().lock();
        let _ = stdout.write_all(bytes).and_then(|()| stdout.flush());
    }

    fn log(&self, bytes: &[u8]) {
        let _ = io::stderr().lock().write_all(bytes);
    }
}
