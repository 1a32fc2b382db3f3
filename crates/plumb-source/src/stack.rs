//! A stack with room for deep input.

use std::cell::Cell;
use std::sync::{Mutex, PoisonError};
use std::{panic, thread};

/// How deeply documents may be nested: the stack of [`on_deep_stack`] has room for them.
/// WebAssembly has no such stack, only that of the browser, which is about 1 MiB.
pub const MAX_DEPTH: usize = if cfg!(target_family = "wasm") { 500 } else { 10_000 };

/// Stack sizes to try, largest first. Only the pages that are used cost memory, but some systems
/// cannot reserve that much.
const SIZES: [usize; 4] = [1 << 30, 1 << 28, 1 << 26, 1 << 24];

thread_local! {
    /// Whether this thread was started by [`on_deep_stack`].
    static IS_DEEP: Cell<bool> = const { Cell::new(false) };
}

/// Runs `work` on a stack with room for documents of any allowed depth. It starts a thread, unless
/// the calling thread already has such a stack. A panic is resumed in the calling thread.
///
/// On a system without threads, `work` runs on the stack of the caller.
pub fn on_deep_stack<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    if IS_DEEP.get() {
        return work();
    }
    let slot = Mutex::new(Some(work));
    let take = || slot.lock().unwrap_or_else(PoisonError::into_inner).take();
    thread::scope(|scope| {
        let run = || {
            IS_DEEP.set(true);
            let work = take().expect("only one thread is started");
            work()
        };
        let start = |size| thread::Builder::new().stack_size(size).spawn_scoped(scope, run);
        match SIZES.into_iter().find_map(|size| start(size).ok()) {
            Some(thread) => thread.join().unwrap_or_else(|it| panic::resume_unwind(it)),
            None => take().expect("no thread was started")(),
        }
    })
}

/// Declares that the stack of the calling thread is as large as the one that [`on_deep_stack`]
/// would start, so that it does not start a thread. This is for programs that choose the stack size
/// themselves: starting a thread takes longer than a small piece of work.
pub fn assume_deep_stack() {
    IS_DEEP.set(true);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn depth(n: u32) -> u32 {
        let frame = std::hint::black_box([n; 64]);
        if n == 0 { 0 } else { depth(frame[63] - 1) + 1 }
    }

    #[test]
    fn deep_recursion_fits_and_nested_calls_share_the_stack() {
        let outer = on_deep_stack(|| {
            let inner = on_deep_stack(|| thread::current().id());
            (depth(50_000), inner == thread::current().id())
        });
        assert_eq!(outer, (50_000, true));
    }

    #[test]
    fn a_thread_that_has_a_deep_stack_starts_none() {
        let is_same = thread::spawn(|| {
            assume_deep_stack();
            on_deep_stack(|| thread::current().id()) == thread::current().id()
        });
        assert!(is_same.join().expect("it does not panic"));
    }

    #[test]
    fn a_panic_continues_in_the_calling_thread() {
        let panicked = panic::catch_unwind(|| on_deep_stack(|| panic!("a test of panics")));
        assert!(panicked.is_err());
    }
}
