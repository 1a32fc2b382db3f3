//! Collections that have not ended yet, and complete nodes.

use plumb_source::{FileId, Origin, Span};
use plumb_value::Node;

use super::anchors::Opened;
use super::token::TokenPlace;

/// A collection that has not ended yet.
pub(super) struct Frame<'a> {
    pub(super) state: State,
    /// The token before the next item of a flow sequence.
    pub(super) indicator: TokenPlace,
    pub(super) is_first: bool,
    /// Whether the collection is part of a key. Nodes in keys have no comments.
    pub(super) is_in_key: bool,
    /// The index of its first item on the stack.
    pub(super) base: usize,
    pub(super) anchor: Option<(&'a str, Opened)>,
    pub(super) start: TokenPlace,
    pub(super) origin: Origin,
    pub(super) item: Item,
    pub(super) key: Node,
    pub(super) is_merge: bool,
    pub(super) weight: u64,
    pub(super) height: u32,
}

/// What an open collection expects next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum State {
    BlockSequence,
    IndentlessSequence,
    BlockMapKey,
    BlockMapValue,
    FlowSequence,
    FlowMapKey,
    /// A key that cannot be followed by a `:`, and then its missing value.
    FlowMapLoneKey,
    FlowMapNoValue,
    FlowMapValue,
    /// The only pair of a map without braces in a flow sequence.
    FlowPairKey,
    FlowPairValue,
    FlowPairEnd,
}

impl State {
    /// Returns whether the collection is in brackets or braces.
    pub(super) fn is_flow(self) -> bool {
        match self {
            Self::BlockSequence
            | Self::IndentlessSequence
            | Self::BlockMapKey
            | Self::BlockMapValue => false,
            Self::FlowSequence
            | Self::FlowMapKey
            | Self::FlowMapLoneKey
            | Self::FlowMapNoValue
            | Self::FlowMapValue
            | Self::FlowPairKey
            | Self::FlowPairValue
            | Self::FlowPairEnd => true,
        }
    }

    /// Returns whether the collection is a pair in a list, which has no braces.
    pub(super) fn is_pair(self) -> bool {
        matches!(self, Self::FlowPairKey | Self::FlowPairValue | Self::FlowPairEnd)
    }
}

/// The place of an item: a dash, or a key.
#[derive(Clone, Copy)]
pub(super) struct Item {
    pub(super) start: u32,
    pub(super) end: u32,
    pub(super) line: u32,
}

/// A complete node.
pub(super) struct Done {
    pub(super) node: Node,
    pub(super) start: u32,
    pub(super) end: u32,
    pub(super) line: u32,
    pub(super) is_one_line: bool,
    /// Whether it is the key `<<`.
    pub(super) is_merge: bool,
    /// How many values it represents, including itself.
    pub(super) weight: u64,
    /// How many levels of collections it has.
    pub(super) height: u32,
}

impl Done {
    /// A null that is not written in the text.
    pub(super) fn empty(at: u32, line: u32) -> Self {
        let (start, end) = (at, at);
        Self {
            node: Node::Null,
            start,
            end,
            line,
            is_one_line: true,
            is_merge: false,
            weight: 1,
            height: 0,
        }
    }

    pub(super) fn scalar(node: Node, place: TokenPlace, is_merge: bool) -> Self {
        let TokenPlace { is_one_line, start, end, line, .. } = place;
        Self { node, start, end, line, is_one_line, is_merge, weight: 1, height: 0 }
    }
}

impl Frame<'_> {
    /// Returns whether this is the first item, and records that it has begun.
    pub(super) fn leave_first(&mut self) -> bool {
        std::mem::replace(&mut self.is_first, false)
    }

    pub(super) fn is_at_key(&self) -> bool {
        match self.state {
            State::BlockMapKey | State::FlowMapKey | State::FlowMapLoneKey | State::FlowPairKey => {
                true
            }
            State::BlockSequence
            | State::IndentlessSequence
            | State::BlockMapValue
            | State::FlowSequence
            | State::FlowMapNoValue
            | State::FlowMapValue
            | State::FlowPairValue
            | State::FlowPairEnd => false,
        }
    }

    pub(super) fn add(&mut self, weight: u64, height: u32) {
        self.weight = self.weight.saturating_add(weight);
        self.height = self.height.max(height + 1);
    }
}

impl Item {
    /// Returns the place of the item. It includes the value if that is a scalar on the same line.
    pub(super) fn origin(self, value: &Done, file: FileId) -> Origin {
        let is_beside = value.is_one_line && value.line == self.line;
        let end = if is_beside { value.end.max(self.end) } else { self.end };
        Origin::Written(Span::new(file, self.start, end))
    }
}
