//! The path of a value in a document, as people write it.

use std::fmt::Write as _;

use plumb_value::{Node, Step};

/// A path that grows and shrinks while a document is walked.
#[derive(Debug, Default)]
pub(super) struct Path {
    text: String,
    /// The length of the text before each step.
    lengths: Vec<usize>,
}

impl Path {
    pub(super) fn text(&self) -> String {
        self.text.clone()
    }

    pub(super) fn push_key(&mut self, key: &Node) {
        self.lengths.push(self.text.len());
        let key = Step::of_key(key).to_string();
        let is_plain = |it: char| it.is_alphanumeric() || "-_/$".contains(it);
        if key.is_empty() || !key.chars().all(is_plain) {
            let _ = write!(self.text, "[{key:?}]");
        } else {
            let dot = if self.text.is_empty() { "" } else { "." };
            let _ = write!(self.text, "{dot}{key}");
        }
    }

    pub(super) fn push_index(&mut self, index: usize) {
        self.lengths.push(self.text.len());
        let _ = write!(self.text, "[{index}]");
    }

    pub(super) fn push_name(&mut self, name: &str) {
        self.lengths.push(self.text.len());
        let _ = write!(self.text, "[name={name}]");
    }

    pub(super) fn pop(&mut self) {
        self.text.truncate(self.lengths.pop().unwrap_or(0));
    }
}
