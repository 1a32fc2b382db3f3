//! Builds the document model.
//!
//! The items of open collections are on two stacks, which all collections share. When a collection
//! ends, it takes its items from the stack, in one allocation of the exact size.

use std::sync::Arc;

use plumb_source::{FileId, Origin, Span};
use plumb_value::{Array, ArrayItem, Document, Map, MapItem, Node};

use super::anchors::{Anchor, Anchors};
use super::attach;
use super::comments::{Comments, Target};
use super::error::{ReadError, Result};
use super::error_kind::SyntaxErrorKind;
use super::frame::{Done, Frame, Item, State};
use super::parser::error;
use super::texts::RecentTexts;
use super::token::{FoundComment, TokenPlace};
use super::{Limits, ReadOptions};

/// Aliased values are shared, but the items of a merged map are copied. Each of them counts as this
/// many additional values.
const COPY_WEIGHT: u64 = 4;

pub(super) struct Builder<'a> {
    pub(super) frames: Vec<Frame<'a>>,
    pub(super) anchors: Anchors<'a>,
    pub(super) comments: Comments<'a>,
    pub(super) is_strict: bool,
    pub(super) texts: RecentTexts,
    limits: Limits,
    file: FileId,
    map_items: Vec<MapItem>,
    array_items: Vec<ArrayItem>,
    document_origin: Origin,
    /// The number of values that the aliases of the document represent.
    n_aliased: u64,
    has_shared_nodes: bool,
    /// The first problem with a value. It is reported if the document is otherwise valid.
    error: Option<ReadError>,
}

impl<'a> Builder<'a> {
    pub(super) fn new(text: &'a str, file: FileId, options: &ReadOptions) -> Self {
        Self {
            frames: Vec::new(),
            anchors: Anchors::default(),
            comments: Comments::new(text, file),
            is_strict: options.strict,
            texts: RecentTexts::default(),
            limits: options.limits,
            file,
            map_items: Vec::new(),
            array_items: Vec::new(),
            document_origin: Origin::Unknown,
            n_aliased: 0,
            has_shared_nodes: false,
            error: None,
        }
    }

    pub(super) fn origin(&self, start: u32, end: u32) -> Origin {
        Origin::Written(Span::new(self.file, start, end))
    }

    pub(super) fn top(&self) -> &Frame<'a> {
        self.frames.last().expect("a collection is open")
    }

    pub(super) fn top_mut(&mut self) -> &mut Frame<'a> {
        self.frames.last_mut().expect("a collection is open")
    }

    /// Returns whether the next value must be merged.
    pub(super) fn awaits_merge(&self) -> bool {
        self.frames.last().is_some_and(|frame| frame.is_merge && !frame.is_at_key())
    }

    /// Stores a problem with a value. It is reported if the document is otherwise valid.
    pub(super) fn keep_error(&mut self, problem: SyntaxErrorKind, place: TokenPlace) {
        self.error.get_or_insert_with(|| error(problem, place));
    }

    pub(super) fn open_document(&mut self, origin: Origin) {
        self.document_origin = origin;
        self.n_aliased = 0;
        self.has_shared_nodes = false;
    }

    /// Ends a document: reports problems with its values, and attaches its comments.
    pub(super) fn finish_document(
        &mut self,
        document: &mut Document,
        found: &mut Vec<FoundComment>,
    ) -> Result<()> {
        if let Some(error) = self.error.take() {
            return Err(error);
        }
        // Nodes must not be shared with anchors when comments are added to them.
        self.anchors.clear();
        let assigned = self.comments.finish(document, found);
        if self.has_shared_nodes {
            attach::to_shared(document, assigned);
        } else {
            attach::to_unshared(document, assigned);
        }
        Ok(())
    }

    /// Begins a collection, which is the value of the current item, or its key.
    pub(super) fn open(
        &mut self,
        state: State,
        anchor: Option<&'a str>,
        start: TokenPlace,
    ) -> Result<()> {
        if self.frames.len() >= self.limits.depth {
            return Err(error(SyntaxErrorKind::TooDeep(self.limits.depth), start));
        }
        let (origin, is_in_key) = match self.frames.last() {
            None => (self.document_origin, false),
            Some(frame) if frame.is_at_key() => (self.origin(start.start, start.end), true),
            Some(frame) => (self.origin(frame.item.start, frame.item.end), frame.is_in_key),
        };
        let base = match state {
            State::BlockSequence | State::IndentlessSequence | State::FlowSequence => {
                self.array_items.len()
            }
            _ => self.map_items.len(),
        };
        let anchor = anchor.map(|name| (name, self.anchors.open(name)));
        self.frames.push(Frame {
            state,
            indicator: start,
            is_first: true,
            is_in_key,
            base,
            anchor,
            start,
            origin,
            item: Item { start: start.start, end: start.end, line: start.line },
            key: Node::Null,
            is_merge: false,
            weight: 1,
            height: 1,
        });
        Ok(())
    }

    /// Ends the innermost open collection.
    pub(super) fn close(&mut self, end: u32) -> Done {
        let frame = self.frames.pop().expect("a collection is open");
        let node = match frame.state {
            State::BlockSequence | State::IndentlessSequence | State::FlowSequence => {
                let items = self.array_items.drain(frame.base..).collect();
                Node::array(Array::new(items, frame.origin))
            }
            _ => {
                let items = self.map_items.drain(frame.base..).collect();
                Node::map(Map::new(items, frame.origin))
            }
        };
        let TokenPlace { start, line, .. } = frame.start;
        let Frame { weight, height, .. } = frame;
        let done = Done {
            node,
            start,
            end: end.max(start),
            line,
            is_one_line: false,
            is_merge: false,
            weight,
            height,
        };
        if let Some((name, opened)) = frame.anchor {
            self.anchors.close(name, opened, &done);
        }
        done
    }

    /// Begins an item at a dash.
    pub(super) fn begin_entry(&mut self, dash: TokenPlace, found: &[FoundComment]) {
        let TokenPlace { start, end, line, .. } = dash;
        let frame = self.top_mut();
        frame.item = Item { start, end, line };
        if !frame.is_in_key {
            self.comments.register(found, line, Target::ArrayItem(start));
        }
    }

    /// Begins an item of a flow sequence. It is on the line of the token before it.
    pub(super) fn begin_flow_entry(&mut self, value: TokenPlace, found: &[FoundComment]) {
        let indicator = self.top().indicator;
        let place = if value.line == indicator.line { value } else { indicator };
        self.begin_entry(place, found);
    }

    /// Passes a node to the innermost open collection, which waits for one.
    pub(super) fn deliver(&mut self, done: Done, found: &[FoundComment]) {
        let file = self.file;
        let frame = self.frames.last_mut().expect("a collection is open");
        frame.state = match frame.state {
            State::BlockSequence | State::IndentlessSequence | State::FlowSequence => {
                frame.add(done.weight, done.height);
                let origin = frame.item.origin(&done, file);
                self.array_items.push(ArrayItem::new(done.node, origin));
                return;
            }
            State::BlockMapKey => State::BlockMapValue,
            State::FlowMapKey => State::FlowMapValue,
            State::FlowMapLoneKey => State::FlowMapNoValue,
            State::FlowPairKey => State::FlowPairValue,
            State::BlockMapValue => {
                frame.state = State::BlockMapKey;
                self.pair(done);
                return;
            }
            State::FlowMapValue | State::FlowMapNoValue => {
                frame.state = State::FlowMapKey;
                self.pair(done);
                return;
            }
            State::FlowPairValue | State::FlowPairEnd => {
                frame.state = State::FlowPairEnd;
                self.pair(done);
                return;
            }
        };
        let Done { start, end, line, is_merge, .. } = done;
        frame.item = Item { start, end, line };
        frame.is_merge = is_merge;
        if done.height > 0 {
            frame.add(done.weight, done.height);
        }
        frame.key = done.node;
        // A merge key is not a separate item.
        if !frame.is_in_key && !is_merge {
            self.comments.register(found, line, Target::MapItem(start));
        }
    }

    /// Adds an item from the key that was delivered before, and its value.
    fn pair(&mut self, value: Done) {
        let file = self.file;
        let frame = self.frames.last_mut().expect("a collection is open");
        if frame.is_merge {
            self.merge(value);
            return;
        }
        frame.add(value.weight, value.height);
        let origin = frame.item.origin(&value, file);
        let key = std::mem::take(&mut frame.key);
        self.map_items.push(MapItem::new(key, value.node, origin));
    }

    /// Adds the items of a map at the position of its merge key. Keys may then occur twice. Later
    /// stages handle them in the same way as keys that are written twice.
    fn merge(&mut self, value: Done) {
        self.top_mut().add(value.weight, value.height.saturating_sub(1));
        match value.node {
            Node::Map(map) => match Arc::try_unwrap(map) {
                Ok(map) => self.map_items.extend(map.into_items()),
                Err(map) => self.map_items.extend(map.items().iter().cloned()),
            },
            Node::Array(array) if array.items.is_empty() => {}
            _ => {
                let Item { start, end, line } = self.top().item;
                let place = TokenPlace { line, start, end, ..self.top().start };
                self.keep_error(SyntaxErrorKind::NotMergeable, place);
            }
        }
    }

    /// Returns the node that an alias refers to, shared with its anchor.
    pub(super) fn alias(&mut self, name: &str, place: TokenPlace) -> Result<Done> {
        let (node, weight, height) = match self.anchors.get(name) {
            None => return Err(error(SyntaxErrorKind::UnknownAnchor(name.to_owned()), place)),
            Some(Anchor::Open(_)) => {
                self.keep_error(SyntaxErrorKind::SelfReference(name.to_owned()), place);
                return Ok(Done::scalar(Node::Null, place, false));
            }
            Some(Anchor::Value { node, weight, height }) => (node.clone(), *weight, *height),
        };
        if self.frames.len() + height as usize > self.limits.depth {
            return Err(error(SyntaxErrorKind::TooDeep(self.limits.depth), place));
        }
        let n_copied = match &node {
            Node::Map(map) if self.awaits_merge() => map.len() as u64,
            _ => 0,
        };
        self.n_aliased = self.n_aliased.saturating_add(weight + n_copied * COPY_WEIGHT);
        if self.n_aliased > self.limits.aliased_values {
            return Err(error(SyntaxErrorKind::TooManyAliased(self.limits.aliased_values), place));
        }
        self.has_shared_nodes |= height > 0;
        Ok(Done { weight, height, ..Done::scalar(node, place, false) })
    }
}
