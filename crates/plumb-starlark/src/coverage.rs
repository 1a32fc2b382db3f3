//! Coverage: counts how often the parts of a program were executed.
//!
//! A program that is compiled for coverage has an additional operation before each statement, each
//! branch and each function. Other programs do not have these operations, so coverage does not slow
//! them down.

use std::sync::atomic::{AtomicU32, Ordering};

use plumb_source::{Span, Text};

/// A part of a program, and how often it was executed.
#[derive(Debug)]
pub struct Point {
    pub kind: PointKind,
    /// The place of the statement, of the condition, or of the header of the function.
    pub span: Option<Span>,
    count: AtomicU32,
}

/// What a [`Point`] counts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PointKind {
    /// A statement.
    Statement,
    /// An instruction of the host, by its number.
    Instruction(u32),
    /// One of the branches of an `if`, a loop or a conditional expression. All branches of one of
    /// them have the same place.
    Branch(u32),
    /// The body of a function.
    Function(Text),
}

impl Point {
    pub(crate) fn new(kind: PointKind, span: Option<Span>) -> Self {
        Self { kind, span, count: AtomicU32::new(0) }
    }

    /// How often it was executed.
    pub fn count(&self) -> u32 {
        self.count.load(Ordering::Relaxed)
    }

    pub(crate) fn hit(&self) {
        self.count.fetch_add(1, Ordering::Relaxed);
    }
}
