//! Handles signals while files are written: current work is first completed or undone.

#[cfg(unix)]
pub(super) use noted::Watch;

#[cfg(unix)]
mod noted {
    use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
    use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

    use signal_hook::consts::{SIGINT, SIGTERM, SIGXFSZ};
    use signal_hook::{flag, low_level};

    /// While this exists, a termination signal is only recorded. It takes effect when this is
    /// dropped.
    pub(in super::super) struct Watch(&'static Noted);

    struct Noted {
        /// How many threads are writing files.
        n_writers: Mutex<usize>,
        /// Whether no files are being written, so that signals have their usual effect.
        is_idle: Arc<AtomicBool>,
        /// The number of the last signal, or zero.
        signal: Arc<AtomicUsize>,
    }

    static NOTED: OnceLock<Noted> = OnceLock::new();

    fn noted() -> &'static Noted {
        NOTED.get_or_init(|| {
            let noted = Noted {
                n_writers: Mutex::default(),
                is_idle: Arc::default(),
                signal: Arc::default(),
            };
            for signal in [SIGINT, SIGTERM] {
                let number = usize::try_from(signal).unwrap_or_default();
                // If this fails, a signal has its usual effect.
                let _ = flag::register_usize(signal, Arc::clone(&noted.signal), number);
                let _ = flag::register_conditional_default(signal, Arc::clone(&noted.is_idle));
            }
            // With a handler, a file that grows too large is an error and does not end the process.
            let _ = flag::register(SIGXFSZ, Arc::default());
            noted
        })
    }

    impl Noted {
        fn n_writers(&self) -> MutexGuard<'_, usize> {
            self.n_writers.lock().unwrap_or_else(PoisonError::into_inner)
        }
    }

    impl Watch {
        pub(in super::super) fn new() -> Self {
            let noted = noted();
            let mut n_writers = noted.n_writers();
            *n_writers += 1;
            noted.is_idle.store(false, Ordering::SeqCst);
            Self(noted)
        }

        pub(in super::super) fn is_end_requested(&self) -> bool {
            self.0.signal.load(Ordering::SeqCst) != 0
        }
    }

    impl Drop for Watch {
        fn drop(&mut self) {
            let mut n_writers = self.0.n_writers();
            *n_writers -= 1;
            if *n_writers > 0 {
                // Another thread must complete or undo its work first.
                return;
            }
            self.0.is_idle.store(true, Ordering::SeqCst);
            let signal = self.0.signal.load(Ordering::SeqCst);
            if let Some(signal) = i32::try_from(signal).ok().filter(|it| *it != 0) {
                let _ = low_level::emulate_default_handler(signal);
            }
        }
    }
}

/// On systems without signals, no run is interrupted.
#[cfg(not(unix))]
pub(super) struct Watch(bool);

#[cfg(not(unix))]
impl Watch {
    pub(super) fn new() -> Self {
        Self(false)
    }

    pub(super) fn is_end_requested(&self) -> bool {
        self.0
    }
}
