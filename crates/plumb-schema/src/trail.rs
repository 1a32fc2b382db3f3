//! The path to a value during a walk over a document.

use plumb_value::{DataPath, Node, Step};

/// The path to a value, as a linked list on the stack. It is converted to a data path only for
/// values that do not conform.
pub(crate) enum Trail<'a> {
    Root,
    Key(&'a Trail<'a>, &'a Node),
    Index(&'a Trail<'a>, usize),
}

impl Trail<'_> {
    pub(crate) fn path(&self) -> DataPath {
        let mut steps = Vec::new();
        let mut trail = self;
        loop {
            trail = match trail {
                Self::Root => break,
                Self::Key(before, key) => {
                    steps.push(Step::of_key(key));
                    before
                }
                Self::Index(before, index) => {
                    steps.push(Step::Index(*index));
                    before
                }
            };
        }
        let mut path = DataPath::root();
        steps.into_iter().rev().for_each(|step| path.push(step));
        path
    }
}
