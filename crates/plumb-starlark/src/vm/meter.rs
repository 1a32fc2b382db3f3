//! What a thread has used of its limits.
//!
//! Steps are counted as they are taken. Memory is measured now and then: after so many bytes were
//! asked for, all that can be reached is added up. A program that makes and drops many values is
//! thus never stopped for what it no longer holds.

use crate::error::{Error, Result};
use crate::limits::Limits;

/// Bytes that can be asked for between two measurements, at least.
const INTERVAL: u64 = 64 << 20;
/// Bytes whose handling takes longer than one step.
const LARGE: usize = 1024;
/// Bytes of text that are handled in the time of one step, about.
const BYTES_PER_STEP: u64 = 64;

pub(super) struct Meter {
    steps: u64,
    memory: u64,
    /// Asked for since the last measurement.
    asked: u64,
    /// When to measure again.
    interval: u64,
    /// Found by the last measurement.
    live: u64,
}

impl Meter {
    pub(super) fn new(limits: Limits) -> Self {
        let Limits { steps, memory, .. } = limits;
        let interval = INTERVAL.min(memory);
        Self { steps, memory, asked: 0, interval, live: 0 }
    }

    #[inline]
    pub(super) fn count(&mut self, steps: u64) -> Result<()> {
        if self.steps < steps {
            self.steps = 0;
            return Err(Error::limit("too many steps"));
        }
        self.steps -= steps;
        Ok(())
    }

    /// Counts the steps that it takes to go through so many bytes.
    #[inline]
    pub(super) fn count_bytes(&mut self, bytes: usize) -> Result<()> {
        self.count(bytes as u64 / BYTES_PER_STEP)
    }

    /// Notes that so many bytes were asked for. Handling them took time, too.
    #[inline]
    pub(super) fn ask(&mut self, bytes: usize) {
        self.asked += bytes as u64;
        if bytes > LARGE {
            self.steps = self.steps.saturating_sub(bytes as u64 / BYTES_PER_STEP);
        }
    }

    /// Refuses so many bytes if they cannot be had.
    pub(super) fn check(&self, bytes: usize) -> Result<()> {
        if self.live + bytes as u64 > self.memory { Err(too_much()) } else { Ok(()) }
    }

    #[inline]
    pub(super) fn is_due(&self) -> bool {
        self.asked > self.interval
    }

    /// Takes a measurement.
    pub(super) fn measured(&mut self, live: u64) -> Result<()> {
        self.asked = 0;
        self.live = live;
        self.interval = live.max(INTERVAL).min(self.memory);
        self.check(0)
    }
}

fn too_much() -> Error {
    Error::limit("out of memory")
}
