//! One level of a running overlay: items of the right side, applied to a collection one by one.
//!
//! Operations without nested items are done immediately. If the items of an item must be merged,
//! the level takes the left node out, returns it as a new level, and continues when the node is put
//! back.

use std::collections::HashSet;
use std::vec;

use plumb_diagnostic::{Code, Diagnostic};
use plumb_source::message::plain;
use plumb_source::{Origin, SourceKind, Sources, message};
use plumb_value::{Datum, Meta, Node};

use crate::assertion;
use crate::clean::Cleaner;
use crate::engine::address;
use crate::error::OverlayError;
use crate::expectation::Expectation;
use crate::finding::{Activity, WRONG_TYPE, finding, label_left};
use crate::index::Index;
use crate::item::Item;
use crate::left::{ArrayLeft, Left, MapLeft, Slot};
use crate::warning::check_null;

/// The state that all levels of a run share.
pub(crate) struct Run<'r, 'a> {
    pub(crate) sources: &'a Sources,
    pub(crate) warnings: &'a mut Vec<Diagnostic>,
    pub(crate) cleaner: Cleaner<'r>,
    /// Annotations of the right side that were already warned about, by address: an item may be
    /// applied to many nodes.
    pub(crate) warned: HashSet<*const ()>,
    /// The findings already reported about items of the right side, by address.
    pub(crate) reported: HashSet<(*const (), Code)>,
    /// Whether an item was given the key of another item.
    pub(crate) has_rivals: bool,
    pub(crate) manner: Manner,
}

/// The kind of the right side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Manner {
    /// An overlay, whose annotations declare the operations.
    Annotated,
    /// Plain data: maps are merged, any other value replaces the existing one.
    Plain,
}

pub(crate) struct Level<'r, L: Left> {
    pub(crate) left: L,
    pub(crate) right: &'r [L::Item],
    /// The number of items of the right side that were started; the last of them is in progress.
    n_begun: usize,
    /// The expectations that the children inherit from their parents.
    pub(crate) inherited: Expectation<'r>,
    pub(crate) visit: Option<Visit<'r>>,
    pub(crate) index: Index,
    /// Whether a warning about an item with the name of another one was already reported.
    pub(crate) has_warned_of_name: bool,
}

/// Matched items of the left side that are visited one after another.
pub(crate) struct Visit<'r> {
    pub(crate) slots: vec::IntoIter<Slot>,
    /// The slot whose node was taken out.
    pub(crate) current: Slot,
    pub(crate) purpose: Purpose<'r>,
    pub(crate) inherited: Expectation<'r>,
}

#[derive(Clone, Copy)]
pub(crate) enum Purpose<'r> {
    Merge,
    /// Checks the node first, with a function if there is one.
    Assert(Option<&'r Datum>),
}

/// A level below another.
pub(crate) enum Nested<'r> {
    Map(Level<'r, MapLeft>),
    Array(Level<'r, ArrayLeft>),
}

impl<'r, L: Left> Level<'r, L> {
    pub(crate) fn new(left: L, right: &'r [L::Item], inherited: Expectation<'r>) -> Self {
        Self {
            left,
            right,
            n_begun: 0,
            inherited,
            visit: None,
            index: Index::default(),
            has_warned_of_name: false,
        }
    }

    /// Continues until a nested level must be processed first, or until everything is done.
    pub(crate) fn advance(
        &mut self,
        run: &mut Run<'r, '_>,
    ) -> Result<Option<Nested<'r>>, Box<Diagnostic>> {
        loop {
            if let Some(visit) = &mut self.visit {
                match visit.slots.next() {
                    None => self.visit = None,
                    Some(slot) => {
                        if let Some(nested) = self.visit_next(slot, run)? {
                            return Ok(Some(nested));
                        }
                    }
                }
            } else if let Some(right) = self.right.get(self.n_begun) {
                self.n_begun += 1;
                self.begin(right, run)?;
            } else {
                return Ok(None);
            }
        }
    }

    /// Puts back a node that was taken out for a nested level.
    pub(crate) fn put_back(&mut self, node: Node) {
        if let Some(visit) = &self.visit {
            *self.left.item_mut(visit.current).node_mut() = node;
            self.index.update(visit.current, self.left.item(visit.current).node());
        }
    }

    /// Returns the item of the right side that is in progress.
    pub(crate) fn under_way(&self) -> Option<&'r L::Item> {
        self.right.get(self.n_begun.checked_sub(1)?)
    }

    fn visit_next(
        &mut self,
        slot: Slot,
        run: &mut Run<'r, '_>,
    ) -> Result<Option<Nested<'r>>, Box<Diagnostic>> {
        let (Some(right), Some(visit)) = (self.under_way(), &mut self.visit) else {
            return Ok(None);
        };
        visit.current = slot;
        let (purpose, inherited) = (visit.purpose, visit.inherited);
        if let Purpose::Assert(via) = purpose {
            assertion::check(self.left.item(slot), right, via)?;
        }
        self.edit_annotations(slot, right, run)?;
        let is_merge = matches!(purpose, Purpose::Merge);
        match (self.left.item(slot).node(), right.node()) {
            (Node::Null, _) if is_merge => self.set_value(slot, right, run),
            (Node::Map(_), Node::Map(right)) if right.is_empty() => {}
            (Node::Array(_), Node::Array(right)) if right.items.is_empty() => {}
            (Node::Map(_), Node::Map(_)) | (Node::Array(_), Node::Array(_)) => {
                let node = std::mem::take(self.left.item_mut(slot).node_mut());
                return Ok(Nested::open(node, right.node(), inherited));
            }
            (left, Node::Map(_) | Node::Array(_)) => {
                let source = right.origin().span().map(|it| run.sources.get(it.file).kind());
                let wrong = wrong_type(right.node(), left, run.manner, source);
                let origin = self.left.item(slot).origin();
                return Err(label_left(wrong, "merged into this", [origin].into_iter()));
            }
            _ if is_merge => {
                check_null(self.left.item(slot), right, run);
                self.set_value(slot, right, run);
            }
            _ => {}
        }
        Ok(None)
    }

    fn set_value(&mut self, slot: Slot, right: &'r L::Item, run: &mut Run<'r, '_>) {
        let node = run.cleaner.clean(right.node());
        self.left.item_mut(slot).take_value(node, right);
        self.index.update(slot, self.left.item(slot).node());
    }
}

impl<'r> Nested<'r> {
    /// Opens a level if both sides are maps, or both are arrays.
    pub(crate) fn open(left: Node, right: &'r Node, inherited: Expectation<'r>) -> Option<Self> {
        match (left, right) {
            (Node::Map(left), Node::Map(right)) => {
                let left = MapLeft::open(left);
                Some(Self::Map(Level::new(left, right.items(), inherited)))
            }
            (Node::Array(left), Node::Array(right)) => {
                let left = ArrayLeft::open(left);
                Some(Self::Array(Level::new(left, &right.items, inherited)))
            }
            _ => None,
        }
    }

    pub(crate) fn advance(
        &mut self,
        run: &mut Run<'r, '_>,
    ) -> Result<Option<Self>, Box<Diagnostic>> {
        match self {
            Self::Map(level) => level.advance(run),
            Self::Array(level) => level.advance(run),
        }
    }

    pub(crate) fn put_back(&mut self, node: Node) {
        match self {
            Self::Map(level) => level.put_back(node),
            Self::Array(level) => level.put_back(node),
        }
    }

    pub(crate) fn close(self) -> Node {
        match self {
            Self::Map(level) => level.left.close(),
            Self::Array(level) => level.left.close(),
        }
    }

    /// The origin of the item of the right side that is in progress.
    pub(crate) fn origin(&self) -> Origin {
        let origin = match self {
            Self::Map(level) => level.under_way().map(Item::origin),
            Self::Array(level) => level.under_way().map(Item::origin),
        };
        origin.unwrap_or_default()
    }

    pub(crate) fn meta(&self) -> Option<&'r Meta> {
        match self {
            Self::Map(level) => level.under_way().map(Item::meta),
            Self::Array(level) => level.under_way().map(Item::meta),
        }
    }

    /// An address that identifies the item of the right side that is in progress.
    pub(crate) fn address(&self) -> *const () {
        match self {
            Self::Map(level) => address(level.under_way()),
            Self::Array(level) => address(level.under_way()),
        }
    }

    pub(crate) fn merging(&self) -> Option<Activity> {
        match self {
            Self::Map(level) => Some(level.under_way()?.merging()),
            Self::Array(level) => Some(level.under_way()?.merging()),
        }
    }
}

/// The error if the right side is a map or an array and the left side is not.
fn wrong_type(
    right: &Node,
    left: &Node,
    manner: Manner,
    source: Option<SourceKind>,
) -> Box<Diagnostic> {
    let [expected, found] = [right, left].map(|it| it.kind().to_string());
    let mut finding = finding(WRONG_TYPE, OverlayError::WrongType { expected, found }.message());
    finding.help.push(match (source, manner) {
        (Some(SourceKind::Flag | SourceKind::Environment), _) => message!(
            "check the name of the data value: nothing can be set below {}",
            plain(left.kind().with_article())
        ),
        (_, Manner::Annotated) => "to replace what is there, write @overlay/replace".into(),
        (_, Manner::Plain) => "to replace what is there, give it by --data-value-yaml".into(),
    });
    finding
}
