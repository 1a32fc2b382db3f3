//! The limits that all threads of a run share.
//!
//! A run evaluates many programs, and native code builds documents from their values. All of them
//! use one [`Budget`], so that a hundred templates cannot use a hundred times the limit.

use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

use plumb_source::message::plain;
use plumb_source::{Cancel, Limit, LimitError};

use crate::error::{Error, Result};
use crate::heap::Heap;
use crate::language::Language;
use crate::limits::Limits;

/// The number of bytes of text that take about as long to process as one step.
const BYTES_PER_STEP: u64 = 64;

/// The steps and the memory that a run has left. Its threads share it.
#[derive(Debug)]
pub struct Budget {
    limits: Limits,
    /// Steps that no thread has reserved yet.
    steps: AtomicU64,
    /// Bytes in use: the live values of each thread, as last measured, and the documents that were
    /// built.
    memory: AtomicU64,
    /// Active calls from native code into programs, of all threads: each uses the native stack.
    native_calls: AtomicU32,
    cancel: Cancel,
    /// The first limit that was reached.
    reached: OnceLock<LimitError>,
    heap: Heap,
    language: Language,
}

/// Charges a budget for a structure while it is built or walked, before each part of it.
///
/// Small charges are collected first, so that most structures need only one access to the shared
/// counters.
#[derive(Debug)]
pub struct Tally<'b> {
    budget: &'b Budget,
    /// Bytes that are not charged yet.
    bytes: u64,
    steps: u64,
    /// Bytes charged so far that are returned at the end.
    borrowed: Option<u64>,
}

impl Budget {
    /// A budget with the full limits. Work that uses it stops when `cancel` is requested.
    pub fn new(limits: Limits, cancel: Cancel) -> Arc<Self> {
        Self::of(limits, cancel, Language::default())
    }

    /// Like [`Budget::new`], for programs in this language.
    pub fn of(limits: Limits, cancel: Cancel, language: Language) -> Arc<Self> {
        let (steps, memory) = (AtomicU64::new(limits.steps), AtomicU64::new(0));
        let (native_calls, reached, heap) = Default::default();
        Arc::new(Self { limits, steps, memory, native_calls, cancel, reached, heap, language })
    }

    /// Returns the language of the programs.
    pub fn language(&self) -> Language {
        self.language
    }

    /// Ends the run: functions of its programs can no longer be called, and values that refer to
    /// each other in a cycle are freed. Values that are still in use stay valid, but collections
    /// may become empty.
    pub fn end(&self) {
        self.heap.end();
    }

    /// Fails if the run has ended.
    pub fn check_running(&self) -> Result<()> {
        self.heap.check()
    }

    pub(crate) fn heap(&self) -> &Heap {
        &self.heap
    }

    /// Returns the limits that the budget started with.
    pub fn limits(&self) -> Limits {
        self.limits
    }

    /// Fails if the run was asked to stop.
    pub fn check_cancelled(&self) -> Result<()> {
        match (self.cancel.limit(), self.cancel.reason()) {
            (Some(limit), Some(reason)) => Err(Error::limit(limit, plain(reason))),
            (None, _) | (_, None) => Ok(()),
        }
    }

    /// Spends steps for native work. Fails if not enough are left, or if the run was cancelled.
    pub fn spend(&self, steps: u64) -> Result<()> {
        self.check_cancelled()?;
        if self.reserve(steps) < steps { Err(self.reach(too_many_steps())) } else { Ok(()) }
    }

    /// Spends steps and memory for native work that does not know this language.
    pub fn pay(&self, steps: u64, bytes: u64) -> std::result::Result<(), LimitError> {
        self.spend(steps).and_then(|()| self.hold(bytes)).map_err(|error| LimitError {
            limit: error.reached().expect("a budget fails only with a limit"),
            message: error.message().clone(),
        })
    }

    /// Fails if a limit was reached. This ends the whole run, even if the error was caught or
    /// became part of another one.
    pub fn check_reached(&self) -> Result<()> {
        self.reached.get().map_or(Ok(()), |it| Err(it.clone().into()))
    }

    /// Records that a limit was reached.
    pub(crate) fn reach(&self, error: Error) -> Error {
        if let Some(limit) = error.reached() {
            self.reached.get_or_init(|| LimitError { limit, message: error.message().clone() });
        }
        error
    }

    /// Counts bytes that stay in use until the run ends. Fails if there are not enough.
    pub fn hold(&self, bytes: u64) -> Result<()> {
        let before = self.memory.fetch_add(bytes, Ordering::Relaxed);
        let is_within = before.saturating_add(bytes) <= self.limits.memory;
        if is_within { Ok(()) } else { Err(self.reach(too_much())) }
    }

    /// Returns the number of bytes that can still be used.
    pub fn memory_left(&self) -> u64 {
        self.limits.memory.saturating_sub(self.memory.load(Ordering::Relaxed))
    }

    /// Returns the number of steps that no thread has reserved.
    pub(crate) fn steps_left(&self) -> u64 {
        self.steps.load(Ordering::Relaxed)
    }

    /// Reserves up to `steps` steps for a thread, and returns how many were available.
    pub(crate) fn reserve(&self, steps: u64) -> u64 {
        let taken = |left: u64| Some(left.saturating_sub(steps));
        let left = self.steps.fetch_update(Ordering::Relaxed, Ordering::Relaxed, taken);
        left.unwrap_or_default().min(steps)
    }

    /// Returns steps that a thread did not use.
    pub(crate) fn give_back(&self, steps: u64) {
        self.steps.fetch_add(steps, Ordering::Relaxed);
    }

    /// Begins a call from native code into a program. Fails if too many are active.
    pub(crate) fn enter_native(&self) -> Result<()> {
        let n_active = self.native_calls.fetch_add(1, Ordering::Relaxed);
        if n_active < self.limits.native_depth {
            return Ok(());
        }
        self.leave_native();
        Err(Error::limit(Limit::Fixed, "too many calls inside native functions"))
    }

    /// Ends a call from native code.
    pub(crate) fn leave_native(&self) {
        self.native_calls.fetch_sub(1, Ordering::Relaxed);
    }

    /// Replaces one measurement of a thread by another.
    pub(crate) fn remeasure(&self, before: u64, now: u64) {
        self.memory.fetch_add(now, Ordering::Relaxed);
        self.release(before);
    }

    /// Returns memory that was counted and is no longer used.
    pub fn release(&self, bytes: u64) {
        self.memory.fetch_sub(bytes, Ordering::Relaxed);
    }
}

impl<'b> Tally<'b> {
    /// Charges up to this amount are collected before the counters are updated.
    const BATCH: u64 = 16 << 10;

    /// For a structure that stays until the run ends.
    pub fn kept(budget: &'b Budget) -> Self {
        Self { budget, bytes: 0, steps: 0, borrowed: None }
    }

    /// For a structure that lives no longer than this tally.
    pub fn borrowed(budget: &'b Budget) -> Self {
        Self { borrowed: Some(0), ..Self::kept(budget) }
    }

    /// Charges for one element and the bytes that it takes.
    #[inline]
    pub fn element(&mut self, bytes: usize) -> Result<()> {
        let bytes = bytes as u64;
        self.steps += 1 + bytes / BYTES_PER_STEP;
        self.bytes += bytes;
        if self.bytes > Self::BATCH { self.settle() } else { Ok(()) }
    }

    /// Applies the charges collected so far.
    pub fn settle(&mut self) -> Result<()> {
        let (bytes, steps) = (std::mem::take(&mut self.bytes), std::mem::take(&mut self.steps));
        if let Some(borrowed) = &mut self.borrowed {
            *borrowed += bytes;
        }
        self.budget.hold(bytes)?;
        self.budget.spend(steps)
    }
}

impl Drop for Tally<'_> {
    fn drop(&mut self) {
        if let Some(borrowed) = self.borrowed {
            self.budget.release(borrowed);
        }
    }
}

/// Returns the steps that it takes to process a number of bytes.
pub(crate) fn steps_of_bytes(bytes: usize) -> u64 {
    bytes as u64 / BYTES_PER_STEP
}

pub(crate) fn too_many_steps() -> Error {
    Error::limit(Limit::Steps, "too many steps")
}

pub(crate) fn too_much() -> Error {
    Error::limit(Limit::Memory, "out of memory")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn budget(steps: u64, memory: u64) -> Arc<Budget> {
        Budget::new(Limits::default().steps(steps).memory(memory), Cancel::default())
    }

    #[test]
    fn borrowed_memory_comes_back_and_kept_memory_does_not() {
        let budget = budget(1_000_000, 1_000_000);
        let mut tally = Tally::borrowed(&budget);
        tally.element(400_000).expect("it fits");
        tally.settle().expect("it fits");
        assert_eq!(budget.memory_left(), 600_000);
        drop(tally);
        assert_eq!(budget.memory_left(), 1_000_000);
        let mut tally = Tally::kept(&budget);
        tally.element(400_000).expect("it fits");
        tally.settle().expect("it fits");
        drop(tally);
        assert_eq!(budget.memory_left(), 600_000);
    }

    #[test]
    fn a_tally_fails_before_it_exceeds_the_limit_by_more_than_a_batch() {
        let budget = budget(u64::MAX, 100_000);
        let mut tally = Tally::kept(&budget);
        let counted = (0..10_000).take_while(|_| tally.element(100).is_ok()).count() * 100;
        assert!((80_000..=120_000).contains(&counted), "{counted}");
    }

    #[test]
    fn steps_are_exact_however_they_are_reserved() {
        let budget = budget(1_000, 0);
        assert_eq!(budget.reserve(600), 600);
        budget.give_back(100);
        assert_eq!(budget.reserve(600), 500);
        assert!(budget.spend(1).is_err());
    }

    #[test]
    fn a_cancelled_run_pays_for_nothing_more() {
        let cancel = Cancel::default();
        let budget = Budget::new(Limits::default(), cancel.clone());
        assert!(budget.spend(1).is_ok());
        cancel.request("stopped by the test");
        assert_eq!(
            budget.spend(1).expect_err("cancelled").message().shown(),
            "stopped by the test"
        );
    }
}
