//! The parts of a test suite.

use std::path::PathBuf;

use plumb::SetValue;
use plumb_cel::Program;
use plumb_project::{Target, Written};
use plumb_regexp::Regexp;
use plumb_source::{Origin, Span};
use plumb_value::Node;

use crate::path::Path;

/// A file with tests.
#[derive(Debug)]
pub struct TestFile {
    pub path: PathBuf,
    pub(crate) content: Content,
}

#[derive(Debug)]
pub(crate) enum Content {
    Suites(Vec<Suite>),
    /// A file of code, whose functions are tests.
    Code,
}

/// One document of a suite file.
#[derive(Debug)]
pub(crate) struct Suite {
    pub(crate) name: String,
    pub(crate) subject: SuiteTarget,
    pub(crate) tests: Vec<Test>,
}

/// What a suite renders.
#[derive(Debug)]
pub(crate) enum SuiteTarget {
    /// A target of the project.
    Named(Written),
    /// Flags in the suite itself.
    Inline(Box<Target>),
    /// The only target of the project, with the place of the suite.
    Only(Option<Span>),
}

/// One test.
#[derive(Debug)]
pub(crate) struct Test {
    pub(crate) name: String,
    pub(crate) place: Option<Span>,
    /// Data values: those of the suite, then its own.
    pub(crate) setup: Setup,
    pub(crate) assertions: Vec<Assertion>,
}

/// Data values that a test adds to those of its target.
#[derive(Clone, Debug, Default)]
pub(crate) struct Setup {
    /// Paths of files, as seen from the working directory.
    pub(crate) values: Vec<String>,
    pub(crate) set: Vec<SetValue>,
}

/// The documents that an assertion applies to.
#[derive(Clone, Debug, Default)]
pub(crate) struct Scope {
    /// Paths of output files; empty for all.
    pub(crate) templates: Vec<Written>,
    /// Values that a document must have to be selected.
    pub(crate) selector: Vec<(Path, Node)>,
    pub(crate) index: Option<usize>,
}

/// One assertion.
#[derive(Debug)]
pub(crate) struct Assertion {
    pub(crate) place: Origin,
    pub(crate) is_negated: bool,
    pub(crate) scope: Scope,
    pub(crate) check: Check,
}

/// What an assertion requires.
#[derive(Debug)]
pub(crate) enum Check {
    Equal { path: Path, value: Node },
    MatchRegex { path: Path, pattern: Regexp },
    Contains(Contains),
    IsSubset { path: Path, content: Node },
    Exists(Path),
    IsNull(Path),
    IsEmpty(Path),
    LengthEqual { path: Path, count: usize },
    HasDocuments { count: usize },
    Cel { path: Path, program: Program },
    MatchSnapshot(Path),
    Fails(Fails),
}

#[derive(Debug)]
pub(crate) struct Contains {
    pub(crate) path: Path,
    pub(crate) content: Node,
    /// The number of items that must be equal to the content. `None` means at least one.
    pub(crate) count: Option<usize>,
    /// Whether items may have additional keys.
    pub(crate) any: bool,
}

/// The finding with which a rendering must fail.
#[derive(Debug, Default)]
pub(crate) struct Fails {
    pub(crate) code: Option<Written>,
    /// `FILE:LINE`, or `FILE`.
    pub(crate) at: Option<Written>,
    /// A part of the message.
    pub(crate) message: Option<Written>,
}

impl Setup {
    /// This setup, then another one.
    pub(crate) fn then(&self, other: Self) -> Self {
        let mut both = self.clone();
        both.values.extend(other.values);
        both.set.extend(other.set);
        both
    }
}

impl Scope {
    /// Combines this scope with another one, which takes precedence.
    pub(crate) fn narrowed(&self, other: Self) -> Self {
        let Self { templates, selector, index } = other;
        Self {
            templates: if templates.is_empty() { self.templates.clone() } else { templates },
            selector: if selector.is_empty() { self.selector.clone() } else { selector },
            index: index.or(self.index),
        }
    }
}

impl TestFile {
    /// Whether it is a file of code.
    pub fn is_code(&self) -> bool {
        matches!(self.content, Content::Code)
    }
}
