//! Finds the constant parts of a template, in which nothing is computed.
//!
//! Constants are shared with the output and not copied, so a large file with one expression costs
//! little more than a plain one. They are found in one pass, before the template is compiled; the
//! compiler visits the nodes in the same order.

use plumb_source::room;
use plumb_value::{Comment, Document, Map, Meta, Node};

use crate::directive::{self, Directive};

/// What is known about each item and document, in the order of a walk from the top.
#[derive(Debug, Default)]
pub(crate) struct Survey(Vec<Entry>);

#[derive(Clone, Copy, Debug)]
pub(crate) struct Entry {
    pub(crate) is_constant: bool,
    /// The number of entries of this node and everything below it.
    pub(crate) size: usize,
}

impl Survey {
    pub(crate) fn of(documents: &[Document], ignores_unknown_comments: bool) -> Self {
        let mut surveyor = Surveyor { entries: Vec::new(), ignores_unknown_comments };
        for document in documents {
            surveyor.visit(&document.meta, &document.node);
        }
        Self(surveyor.entries)
    }

    pub(crate) fn entry(&self, at: usize) -> Entry {
        self.0[at]
    }
}

struct Surveyor {
    entries: Vec<Entry>,
    ignores_unknown_comments: bool,
}

impl Surveyor {
    /// Visits an item or a document. Returns whether it is constant.
    fn visit(&mut self, meta: &Meta, node: &Node) -> bool {
        let at = self.entries.len();
        room::push(&mut self.entries, Entry { is_constant: false, size: 0 });
        let mut is_constant = meta.comments().iter().all(|comment| self.is_idle(comment));
        for (meta, child) in node.children() {
            is_constant &= self.visit(meta, child);
        }
        // Only looked for if it matters, because it creates an index of the map.
        is_constant = is_constant && !node.as_map().is_some_and(repeats_a_key);
        self.entries[at] = Entry { is_constant, size: self.entries.len() - at };
        is_constant
    }

    fn is_idle(&self, comment: &Comment) -> bool {
        match directive::read(comment, comment.is_inline) {
            Directive::Remark => true,
            Directive::Unknown => self.ignores_unknown_comments,
            Directive::Code(_) | Directive::Value(_) | Directive::Annotation { .. } => false,
        }
    }
}

fn repeats_a_key(map: &Map) -> bool {
    map.items().iter().enumerate().any(|(at, item)| map.position(&item.key) != Some(at))
}
