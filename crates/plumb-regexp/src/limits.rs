//! The memory limits of an expression.
//!
//! Parsing, compiling and matching each have a share of the memory, so that memory does not have to
//! be measured while they run. The shares are generous estimates; a test measures the actual use.

use regex_automata::meta;

/// The memory limits of an expression, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Its compiled form.
    pub size: usize,
    /// All memory in use at one time, while it is parsed, compiled and matched.
    pub memory: usize,
}

/// The ratio of the memory limit to the size limit: with so much memory, a form of the maximum size
/// can be parsed, compiled and matched.
const SHARES: usize = 16;

/// The approximate number of bytes that the parser needs for a part of an expression.
const PART: usize = 512;
/// The approximate number of bytes that the parser needs for a range of a class.
const RANGE: usize = 16;

/// A state of the compiled form takes at least this many bytes.
const STATE: usize = 24;
/// While an expression is matched, each state has two places for the two ends of each group.
const GROUP: usize = 2 * 2 * size_of::<usize>();

/// The maximum size of caches, even if more memory is available.
const MAX_HYBRID: usize = 512 << 10;
const MAX_ONE_PASS: usize = 1 << 20;
const MAX_DFA: usize = 40 << 10;

/// The memory for backtracking, which is used only if much more is available.
const BACKTRACKING: usize = 256 << 10;
const ENOUGH_TO_BACKTRACK: usize = 4 << 20;

impl Limits {
    /// Limits for a compiled form of up to this many bytes.
    pub const fn of_size(size: usize) -> Self {
        Self { size, memory: size.saturating_mul(SHARES) }
    }

    /// Returns the same limits with no more than this total memory.
    #[must_use]
    pub fn within(self, memory: usize) -> Self {
        Self { memory: self.memory.min(memory), ..self }
    }

    /// Returns the memory for parsing.
    pub(crate) fn room(self) -> Room {
        Room { left: self.memory / 2 }
    }

    /// Configures the matcher of an expression with this many groups, including the whole.
    pub(crate) fn config(self, n_groups: usize) -> meta::Config {
        let share = self.memory / SHARES;
        let n_states = self.memory / 4 / GROUP / n_groups;
        meta::Config::new()
            .nfa_size_limit(Some(self.size.min(share).min(n_states.saturating_mul(STATE))))
            .onepass_size_limit(Some(share.min(MAX_ONE_PASS)))
            .dfa_size_limit(Some(share.min(MAX_DFA)))
            .hybrid_cache_capacity(self.cache())
            .backtrack(self.memory >= ENOUGH_TO_BACKTRACK)
    }

    fn cache(self) -> usize {
        (self.memory / SHARES).min(MAX_HYBRID)
    }

    /// Returns how many bytes matching may take in addition to a compiled form of this size.
    pub(crate) fn matching(self, size: usize, n_groups: usize) -> usize {
        let backtracking = if self.memory >= ENOUGH_TO_BACKTRACK { BACKTRACKING } else { 0 };
        let places = (size / STATE).saturating_mul(GROUP).saturating_mul(n_groups);
        places.saturating_add(2 * self.cache() + backtracking)
    }
}

impl Default for Limits {
    fn default() -> Self {
        Self::of_size(5 << 20)
    }
}

/// The memory that the parser may still use.
pub(crate) struct Room {
    left: usize,
}

impl Room {
    /// Takes the memory for a part of the expression with this many ranges. Returns whether there
    /// was enough.
    pub(crate) fn take(&mut self, n_ranges: usize) -> bool {
        let wanted = PART.saturating_add(n_ranges.saturating_mul(RANGE));
        let left = self.left.checked_sub(wanted);
        self.left = left.unwrap_or_default();
        left.is_some()
    }
}
