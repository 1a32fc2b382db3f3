//! Work shared by several threads, with results in the order of the work.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::{panic, thread};

/// The stack size of threads, with room for documents of any allowed depth. Only the pages that are
/// used cost memory.
const STACK: usize = 1 << 28;

/// The number of threads that a stage may use. The result of the stage does not depend on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cores(usize);

impl Cores {
    /// A single thread: the calling one.
    pub const ONE: Self = Self(1);

    /// Allows `n_cores` threads. Zero counts as one.
    pub fn new(n_cores: usize) -> Self {
        Self(n_cores.max(1))
    }

    /// Returns the number of threads, which is at least 1.
    pub fn count(self) -> usize {
        self.0
    }

    /// Applies `act` to all items and returns the results in the order of the items. A panic in
    /// `act` is resumed in the calling thread.
    pub fn map<T: Sync, R: Send>(self, items: &[T], act: impl Fn(&T) -> R + Sync) -> Vec<R> {
        let n_helpers = self.0.min(items.len()).saturating_sub(1);
        if n_helpers == 0 {
            return items.iter().map(act).collect();
        }
        let next = AtomicUsize::new(0);
        let work = || {
            let mut done = Vec::new();
            loop {
                let at = next.fetch_add(1, Ordering::Relaxed);
                let Some(item) = items.get(at) else { return done };
                done.push((at, act(item)));
            }
        };
        let mut done = thread::scope(|scope| {
            // If the system cannot start more threads, the existing ones do the work.
            let helper = || thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work);
            let helpers: Vec<_> = (0..n_helpers).filter_map(|_| helper().ok()).collect();
            let mut done = work();
            for helper in helpers {
                done.extend(helper.join().unwrap_or_else(|it| panic::resume_unwind(it)));
            }
            done
        });
        done.sort_unstable_by_key(|(at, _)| *at);
        done.into_iter().map(|(_, result)| result).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_in_the_order_of_the_items() {
        let items: Vec<usize> = (0..1000).collect();
        let squares: Vec<usize> = items.iter().map(|it| it * it).collect();
        for n_cores in [0, 1, 2, 7] {
            assert_eq!(Cores::new(n_cores).map(&items, |it| it * it), squares);
        }
    }
}
