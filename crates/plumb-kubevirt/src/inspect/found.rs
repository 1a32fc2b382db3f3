//! The results of checking files, as data.

use std::fmt;

use plumb_diagnostic::{Diagnostic, Severity};
use plumb_source::Message;
use plumb_validation::Violation;

/// The results of checking files.
#[derive(Debug, Default)]
pub struct Inspection {
    /// The findings, in the order of files, virtual machines and rules.
    pub diagnostics: Vec<Diagnostic>,
    /// The rules that virtual machines break.
    pub broken: Vec<BrokenRule>,
    /// The rules that could not be checked.
    pub unchecked: Vec<UncheckedRule>,
    /// The counts of the summary.
    pub summary: Summary,
}

/// A rule that a virtual machine breaks.
#[derive(Clone, Debug)]
pub struct BrokenRule {
    /// The name of the virtual machine.
    pub machine: String,
    /// The name of the rule.
    pub rule: String,
    /// The author's message and what was expected.
    pub message: Message,
    /// The same with values of the virtual machine: the message of KubeVirt's validator.
    pub message_with_values: Message,
    /// Whether the rule only warns.
    pub is_warning: bool,
    /// The values that break it.
    pub violations: Vec<Violation>,
}

/// A rule, a virtual machine or a file that could not be checked.
#[derive(Clone, Debug)]
pub struct UncheckedRule {
    /// The name of the virtual machine; empty if there is none.
    pub machine: String,
    /// The name of the rule; empty if there is none.
    pub rule: String,
    /// The kind of the rule, such as `integer`; empty if there is none.
    pub kind: String,
    /// Why it could not be checked.
    pub message: Message,
}

impl UncheckedRule {
    /// Whether both report the same about one rule.
    pub(super) fn reports_same(&self, other: &Self) -> bool {
        self.rule == other.rule && self.kind == other.kind && self.message == other.message
    }
}

/// The number of objects and findings of each kind.
#[derive(Clone, Copy, Debug, Default)]
pub struct Summary {
    /// The number of virtual machines that were checked.
    pub machines: usize,
    /// The number of virtual machines that are rejected.
    pub refused: usize,
    /// The number of templates that were checked.
    pub templates: usize,
    /// The number of errors.
    pub errors: usize,
    /// The number of warnings.
    pub warnings: usize,
}

impl Inspection {
    /// Turns all warnings into errors.
    pub fn deny_warnings(&mut self) {
        for diagnostic in &mut self.diagnostics {
            diagnostic.severity = Severity::Error;
        }
        for rule in &mut self.broken {
            rule.is_warning = false;
        }
        self.summary.errors += std::mem::take(&mut self.summary.warnings);
    }

    /// Whether every virtual machine satisfies its rules, and everything could be checked.
    pub fn is_ok(&self) -> bool {
        self.summary.errors == 0
    }
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let count =
            |n: usize, one: &str| if n == 1 { format!("{n} {one}") } else { format!("{n} {one}s") };
        write!(f, "{} checked", count(self.machines, "virtual machine"))?;
        if self.templates > 0 {
            write!(f, ", {}", count(self.templates, "template"))?;
        }
        write!(f, ": {} rejected, ", self.refused)?;
        write!(f, "{}, {}", count(self.errors, "error"), count(self.warnings, "warning"))
    }
}
