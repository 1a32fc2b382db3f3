//! The limits of a program.
//!
//! The defaults are far higher than configuration needs, and far lower than what would harm the
//! computer.

/// Bounds on a run: what its [`Thread`](crate::Thread)s may use together, out of one
/// [`Budget`](crate::Budget). Reaching one is an [`Error`](crate::Error) of kind
/// [`Limit`](crate::ErrorKind::Limit) at the line that reached it.
///
/// Start with [`Limits::DEFAULT`], and change it with the methods.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limits {
    /// Loop iterations, calls, and the elements and bytes that native functions process.
    pub steps: u64,
    /// Active calls of program functions.
    pub depth: u32,
    /// Active calls from native code back into programs; these use the native stack, about 2 KiB
    /// each.
    pub native_depth: u32,
    /// Bytes that the values of programs, and the documents built from them, may use at one time,
    /// estimated.
    pub memory: u64,
    /// Bytes that the compiled form of one regular expression may take, for hosts that have them.
    pub regexp: usize,
}

impl Limits {
    /// The limits of a run unless its host sets others.
    pub const DEFAULT: Self = Self {
        steps: 1_000_000_000,
        depth: 100_000,
        native_depth: 100,
        memory: if cfg!(target_family = "wasm") { 1 << 29 } else { 4 << 30 },
        regexp: 10 << 20,
    };

    /// Limits the loop iterations, calls, and the elements and bytes that native functions process.
    #[must_use]
    pub const fn steps(mut self, steps: u64) -> Self {
        self.steps = steps;
        self
    }

    /// Limits the active calls of program functions.
    #[must_use]
    pub const fn depth(mut self, depth: u32) -> Self {
        self.depth = depth;
        self
    }

    /// Limits the active calls from native code back into programs.
    #[must_use]
    pub const fn native_depth(mut self, native_depth: u32) -> Self {
        self.native_depth = native_depth;
        self
    }

    /// Limits the bytes that values and documents may use at one time.
    #[must_use]
    pub const fn memory(mut self, memory: u64) -> Self {
        self.memory = memory;
        self
    }

    /// Limits the bytes that the compiled form of one regular expression may take.
    #[must_use]
    pub const fn regexp(mut self, regexp: usize) -> Self {
        self.regexp = regexp;
        self
    }
}

impl Default for Limits {
    fn default() -> Self {
        Self::DEFAULT
    }
}
