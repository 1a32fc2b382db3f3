//! Stable names of findings.

use std::fmt;

/// A stable, readable name of a finding that begins with its area, such as `yaml/syntax`. It is
/// declared as a constant next to the code that raises it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Code(&'static str);

impl Code {
    /// A code with this name, in the form `area/name`.
    pub const fn new(name: &'static str) -> Self {
        Self(name)
    }

    /// Returns the name, such as `yaml/syntax`.
    pub fn as_str(self) -> &'static str {
        self.0
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}
