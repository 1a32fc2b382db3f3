//! Bounds on what one input may use: memory that is allocated at one time, and processor time.

use std::alloc::System;
use std::time::Duration;

use cap::Cap;
use cpu_time::ProcessTime;

/// The allocator of a target with a bound on memory. An allocation beyond the bound fails, which
/// ends the process at the place that asked for it.
pub type Allocator = Cap<System>;

/// How often an input may try to meet its bound on time: other work on the machine disturbs some
/// of the attempts.
const ATTEMPTS: usize = 5;

/// An allocator without a bound.
pub const fn allocator() -> Allocator {
    Cap::new(System, usize::MAX)
}

/// What one input may use.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    /// Bytes in addition to those that are in use before.
    pub memory: usize,
    /// Time of all processors.
    pub time: Duration,
}

impl Bounds {
    /// Does some work. Ends the process if it exceeds a bound.
    pub fn hold<T>(self, allocator: &Allocator, mut work: impl FnMut() -> T) -> T {
        let mut least = Duration::MAX;
        for _ in 0..ATTEMPTS {
            let limit = allocator.allocated().saturating_add(self.memory);
            allocator.set_limit(limit).expect("less than the limit is in use");
            let start = ProcessTime::now();
            let result = work();
            least = least.min(start.elapsed());
            allocator.set_limit(usize::MAX).expect("there is no limit");
            if least <= self.time {
                return result;
            }
        }
        panic!("{least:?} is more than {:?}", self.time)
    }
}
