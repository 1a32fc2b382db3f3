//! Bounds on the resources of one input: memory that is allocated at one time, and processor time.

use std::alloc::System;
use std::time::Duration;

use cap::Cap;
use cpu_time::ProcessTime;

/// The allocator of a target with a bound on memory. An allocation beyond the bound fails, which
/// ends the process at the place of the allocation.
pub type Allocator = Cap<System>;

/// The number of attempts of an input to stay within its time: other work on the machine may
/// disturb some of them.
const ATTEMPTS: usize = 5;

/// How much longer an input may take in a build with little optimisation (the profile `ci`).
const SLOWER: u32 = if cfg!(debug_assertions) { 4 } else { 1 };

/// An allocator without a bound.
pub const fn allocator() -> Allocator {
    Cap::new(System, usize::MAX)
}

/// The resources that one input may use.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    /// Bytes in addition to those already in use.
    pub memory: usize,
    /// Time of all processors.
    pub time: Duration,
}

impl Bounds {
    /// Does some work. Ends the process if the work exceeds a bound.
    pub fn hold<T>(self, allocator: &Allocator, mut work: impl FnMut() -> T) -> T {
        let most = self.time * SLOWER;
        let mut least = Duration::MAX;
        for _ in 0..ATTEMPTS {
            let limit = allocator.allocated().saturating_add(self.memory);
            allocator.set_limit(limit).expect("less than the limit is in use");
            let start = ProcessTime::now();
            let result = work();
            least = least.min(start.elapsed());
            allocator.set_limit(usize::MAX).expect("there is no limit");
            if least <= most {
                return result;
            }
        }
        panic!("took {least:?}, expected at most {most:?}")
    }
}
