//! Measures how much of its limits a thread has used.
//!
//! Steps are counted as they are taken. Memory is measured from time to time: after a number of
//! bytes were allocated, all reachable values are added up. So a program that creates and drops
//! many values is never stopped because of values that it no longer uses.
//!
//! A function that native code calls cannot reach the local values of the functions that wait for
//! it. The memory of these values is derived from the memory in use when the function was called:
//! see [`Meter::enter`].

use std::sync::Arc;

use crate::budget::{Budget, steps_of_bytes, too_many_steps, too_much};
use crate::error::Result;
use crate::value::repr::MAX_BYTES;

/// The number of steps that a thread reserves at a time. Cancellation is checked equally often.
const RESERVE: u64 = 1 << 16;
/// A thread reserves at most 1/`PART` of a small limit, because others need steps too,
/// including native code that it calls.
const PART: u64 = 64;
/// The number of bytes that can be requested between two measurements, unless little is left.
const INTERVAL: u64 = 64 << 20;
/// Processing more bytes than this takes longer than one step.
pub(super) const LARGE: usize = 1024;
/// The number of bytes of documents that are charged at a time.
const BATCH: u64 = 64 << 10;

pub(super) struct Meter {
    budget: Arc<Budget>,
    /// Reserved steps that are not used yet.
    steps: u64,
    /// Bytes requested since the last measurement.
    asked: u64,
    /// The number of requested bytes at which to measure again.
    interval: u64,
    /// The bytes in use according to the last measurement.
    live: u64,
    /// Bytes requested before the last measurement.
    asked_before: u64,
    /// Bytes of functions that wait for native code, which are not reachable from the running
    /// functions.
    hidden: u64,
    /// `None` before the first measurement since native code called.
    entry: Option<Entry>,
    /// Bytes of documents that were built but not charged yet.
    built: u64,
}

/// The state when native code calls a function.
#[derive(Clone, Copy)]
struct Entry {
    /// The maximum number of bytes in use.
    held: u64,
    /// The number of bytes requested since the thread began.
    asked: u64,
}

/// The state of the functions that wait for native code.
#[derive(Clone, Copy)]
pub(super) struct Outer {
    hidden: u64,
    entry: Option<Entry>,
}

impl Meter {
    pub(super) fn new(budget: Arc<Budget>) -> Self {
        let mut meter = Self {
            budget,
            steps: 0,
            asked: 0,
            interval: 0,
            live: 0,
            asked_before: 0,
            hidden: 0,
            entry: None,
            built: 0,
        };
        meter.interval = meter.next_interval();
        meter
    }

    pub(super) fn budget(&self) -> &Arc<Budget> {
        &self.budget
    }

    #[inline]
    pub(super) fn count(&mut self, steps: u64) -> Result<()> {
        if self.steps < steps {
            return self.count_from_budget(steps);
        }
        self.steps -= steps;
        Ok(())
    }

    /// Counts one step if a step is reserved and no measurement is due. Returns whether it was
    /// counted.
    #[inline]
    pub(super) fn step(&mut self) -> bool {
        if self.steps == 0 || self.is_due() {
            return false;
        }
        self.steps -= 1;
        true
    }

    /// Counts one step if a step is reserved. Returns whether it was counted.
    #[inline]
    pub(super) fn step_reserved(&mut self) -> bool {
        match self.steps.checked_sub(1) {
            Some(left) => {
                self.steps = left;
                true
            }
            None => false,
        }
    }

    /// Returns the number of steps that are left.
    #[inline]
    pub(super) fn steps_left(&self) -> u64 {
        self.steps.saturating_add(self.budget.steps_left())
    }

    #[cold]
    fn count_from_budget(&mut self, steps: u64) -> Result<()> {
        self.budget.check_cancelled()?;
        let reserve = RESERVE.min(self.budget.limits().steps / PART);
        self.steps += self.budget.reserve((steps - self.steps).saturating_add(reserve));
        if self.steps < steps {
            self.steps = 0;
            return Err(too_many_steps());
        }
        self.steps -= steps;
        Ok(())
    }

    /// Counts the steps that it takes to process a number of bytes.
    #[inline]
    pub(super) fn count_bytes(&mut self, bytes: usize) -> Result<()> {
        self.count(steps_of_bytes(bytes))
    }

    /// Records that bytes were requested. Processing them also took time.
    #[inline]
    pub(super) fn ask(&mut self, bytes: usize) -> Result<()> {
        self.asked += bytes as u64;
        if bytes > LARGE { self.count_bytes(bytes) } else { Ok(()) }
    }

    /// Like [`ask`](Self::ask), for bytes that take no time, or less than a step.
    #[inline]
    pub(super) fn ask_unprocessed(&mut self, bytes: usize) {
        self.asked += bytes as u64;
    }

    /// Takes back a request for bytes that are no longer in use.
    pub(super) fn give_back(&mut self, bytes: usize) {
        // A measurement in the meantime may already have counted the actual use.
        self.asked = self.asked.saturating_sub(bytes as u64);
    }

    /// Counts bytes of documents, which stay in memory until the run ends.
    #[inline]
    pub(super) fn build(&mut self, bytes: usize) -> Result<()> {
        self.built += bytes as u64;
        if self.built > BATCH { self.budget.hold(std::mem::take(&mut self.built)) } else { Ok(()) }
    }

    /// Returns how many more bytes can be used.
    #[inline]
    pub(super) fn memory_left(&self) -> usize {
        let left = self.budget.memory_left().saturating_sub(self.asked);
        usize::try_from(left).unwrap_or(usize::MAX)
    }

    /// Returns the maximum length of a text. A text is copied while it is created.
    #[inline]
    pub(super) fn max_text(&self) -> usize {
        (self.memory_left() / 3).min(MAX_BYTES)
    }

    /// Fails if allocating this many bytes would exceed the limit.
    pub(super) fn check(&self, bytes: usize) -> Result<()> {
        let wanted = self.asked.saturating_add(bytes as u64);
        if wanted > self.budget.memory_left() { Err(too_much()) } else { Ok(()) }
    }

    #[inline]
    pub(super) fn is_due(&self) -> bool {
        self.asked > self.interval
    }

    /// Called before native code calls a function. [`leave`](Self::leave) is called after it.
    pub(super) fn enter(&mut self) -> Outer {
        let entry = Entry { held: self.live + self.asked, asked: self.asked_before + self.asked };
        Outer { hidden: self.hidden, entry: self.entry.replace(entry) }
    }

    pub(super) fn leave(&mut self, outer: Outer) {
        (self.hidden, self.entry) = (outer.hidden, outer.entry);
    }

    /// Processes a measurement of what the running functions can reach.
    pub(super) fn measured(&mut self, reachable: u64) -> Result<()> {
        if let Some(entry) = self.entry.take() {
            // Values that were not requested since then existed before, and are not hidden.
            let asked_since = self.asked_before + self.asked - entry.asked;
            self.hidden = entry.held.saturating_sub(reachable.saturating_sub(asked_since));
        }
        let live = reachable + self.hidden;
        self.budget.remeasure(self.live, live);
        self.asked_before += self.asked;
        (self.asked, self.live) = (0, live);
        self.interval = self.next_interval();
        if self.budget.memory_left() == 0 { Err(too_much()) } else { Ok(()) }
    }

    /// Called when the thread no longer uses any memory.
    pub(super) fn ended(&mut self) {
        self.budget.remeasure(self.live, 0);
        self.asked_before += self.asked;
        (self.asked, self.live) = (0, 0);
        self.interval = self.next_interval();
    }

    /// Returns at most half of the remaining bytes, so that the limit is not exceeded before the
    /// next measurement, but enough that the program does not measure all the time.
    fn next_interval(&self) -> u64 {
        let limit = self.budget.limits().memory;
        self.live.max(INTERVAL).min(self.budget.memory_left() / 2).max(limit / 64)
    }
}

impl Drop for Meter {
    fn drop(&mut self) {
        self.budget.give_back(self.steps);
        // If this exceeds the limit, the next charge fails.
        let _ = self.budget.hold(self.built);
        self.budget.remeasure(self.live, 0);
    }
}
