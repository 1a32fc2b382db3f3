//! The limits of a program.
//!
//! The defaults are far higher than configuration needs, and far lower than what would harm the
//! computer.

/// Bounds on a run: what its [`Thread`](crate::Thread)s may use together, out of one
/// [`Budget`](crate::Budget). Reaching one is an [`Error`](crate::Error) of kind
/// [`Limit`](crate::ErrorKind::Limit) at the line that reached it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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
}

impl Default for Limits {
    fn default() -> Self {
        Self::DEFAULT
    }
}
