//! Builds documents and fragments from the instructions of a template.
//!
//! Instructions come in the order in which code runs: a loop begins the same node many times, a
//! condition leaves nodes out. Each node is added to the nearest open node above it (in the text);
//! nodes that are not above it are closed.

mod content;
mod replacement;

use plumb_source::message::term;
use plumb_source::{Message, Origin, message};
use plumb_value::{Annotation, Annotations, Array, Document, Map, MapItem, Node, same_key};

use crate::program::{Constant, Plan, Shell, Tag};
use crate::vocabulary::MAP_KEY_OVERRIDE;
use content::{Content, Pending};
pub(crate) use replacement::Replacement;

/// Builds the result of a template or a function.
#[derive(Debug)]
pub(crate) struct Builder {
    open: Vec<Open>,
    /// Whether the last addition was a constant, added to the last open node.
    ends_in_constant: bool,
    pending: Vec<Pending>,
    overrides_map_keys: bool,
    /// The nesting depth of the values in the result so far.
    levels: u32,
}

/// A node that is being built.
#[derive(Debug)]
struct Open {
    tag: Tag,
    depth: u32,
    content: Content,
    /// Whether it was already replaced.
    is_replaced: bool,
}

/// The result of a builder.
#[derive(Clone, Debug)]
pub(crate) enum Built {
    /// Nothing was built.
    Nothing,
    Documents(Vec<Document>),
    Node(Node),
}

/// Why a node is not allowed at its place, in ytt's words.
#[derive(Debug)]
pub(crate) struct BuildError(pub(crate) Message);

impl Builder {
    pub(crate) fn new(overrides_map_keys: bool) -> Self {
        let (open, pending) = (Vec::new(), Vec::new());
        Self { open, ends_in_constant: false, pending, overrides_map_keys, levels: 1 }
    }

    /// Records that a value with this nesting depth is set. Returns the nesting depth of the
    /// result.
    pub(crate) fn nest(&mut self, levels: u32) -> u32 {
        // Collections and the items that contain them alternate in the list of open nodes.
        let above = u32::try_from(self.open.len().div_ceil(2)).unwrap_or(u32::MAX);
        self.levels = self.levels.max(above.saturating_add(levels));
        self.levels
    }

    /// Returns the nesting depth of the result, without constants.
    pub(crate) fn levels(&self) -> u32 {
        self.levels
    }

    /// Stores an annotation for the next time that the node begins.
    pub(crate) fn annotate(&mut self, tag: Tag, annotation: Annotation) {
        self.pending_mut(tag).annotations.set(annotation);
    }

    /// Stores a key for the next time that the map item begins.
    pub(crate) fn set_key(&mut self, tag: Tag, key: Node) {
        self.pending_mut(tag).key = Some(key);
    }

    /// Begins a node.
    pub(crate) fn start(&mut self, plan: &Plan, tag: Tag) -> Result<(), BuildError> {
        let planned = plan.node(tag);
        let mut content = Content::new(planned);
        if let Some(at) = self.pending.iter().position(|pending| pending.tag == tag) {
            content.take_pending(self.pending.swap_remove(at));
        }
        if self.open.is_empty() {
            if planned.shell.is_held_by_another() {
                self.start(plan, planned.parent)?;
            }
        } else {
            self.close_down_to(plan, planned.parent)?;
        }
        if let Some(holder) = self.open.last_mut() {
            holder.content.expect_child(&planned.shell)?;
            if let (Content::Map(map), Content::MapItem(item)) = (&mut holder.content, &content) {
                make_room(map, item, self.overrides_map_keys, true)?;
            }
        }
        self.open.push(Open { tag, depth: planned.depth, content, is_replaced: false });
        self.ends_in_constant = false;
        Ok(())
    }

    /// Adds a constant.
    pub(crate) fn add(
        &mut self,
        plan: &Plan,
        parent: Tag,
        constant: &Constant,
    ) -> Result<(), BuildError> {
        if self.open.is_empty() {
            self.start(plan, parent)?;
        } else {
            self.close_down_to(plan, parent)?;
        }
        self.ends_in_constant = true;
        let overrides = self.overrides_map_keys;
        let holder = &mut self.top().content;
        match (holder, constant) {
            (Content::Documents(documents), Constant::Document(document)) => {
                documents.push(document.clone());
                Ok(())
            }
            (Content::Map(map), Constant::MapItem(item)) => {
                make_room(map, item, overrides, true)?;
                map.push(item.clone());
                Ok(())
            }
            (Content::Array(array), Constant::ArrayItem(item)) => {
                array.items.push(item.clone());
                Ok(())
            }
            (holder, Constant::Document(_)) => Err(holder.refusal("document")),
            (holder, Constant::MapItem(_)) => Err(holder.refusal("map item")),
            (holder, Constant::ArrayItem(_)) => Err(holder.refusal("array item")),
        }
    }

    /// Sets the value of the node that began last.
    pub(crate) fn set_value(&mut self, node: Node) -> Result<(), BuildError> {
        match &mut self.top().content {
            Content::Document(document) => document.node = node,
            Content::MapItem(item) => item.node = node,
            Content::ArrayItem(item) => item.node = node,
            Content::Documents(_) => {
                return Err(BuildError("cannot set value on a document set".into()));
            }
            Content::Map(_) => return Err(BuildError("cannot set value on a map".into())),
            Content::Array(_) => return Err(BuildError("cannot set value on an array".into())),
        }
        Ok(())
    }

    /// Rejects a document set as the value of the node that began last.
    pub(crate) fn refuse_documents(&mut self) -> BuildError {
        self.top().content.refusal("document set")
    }

    /// Returns the origin of the items that replace the node that began last.
    pub(crate) fn placeholder_origin(&mut self) -> Origin {
        if std::mem::take(&mut self.ends_in_constant) {
            self.open_constant();
        }
        match self.open.last().map(|it| &it.content) {
            Some(Content::MapItem(item)) => item.origin,
            Some(Content::ArrayItem(item)) => item.origin,
            _ => Origin::Unknown,
        }
    }

    /// Replaces the node that began last.
    pub(crate) fn replace(&mut self, replacement: Replacement) -> Result<(), BuildError> {
        let n_open = self.open.len();
        let [.., holder, current] = &mut self.open[..] else {
            return Err(not_replaceable(self.open.last().map(|it| &it.content), n_open));
        };
        if current.is_replaced {
            let (child, parent) = (current.content.type_name(), holder.content.type_name());
            return Err(no_placeholder(child, parent));
        }
        match (&mut holder.content, &mut current.content) {
            (Content::Documents(documents), Content::Document(placeholder)) => {
                documents.extend(replacement.into_documents(placeholder.origin)?);
            }
            (Content::Map(map), Content::MapItem(placeholder)) => {
                let (items, is_written) = replacement.into_map_items()?;
                let overrides = self.overrides_map_keys;
                for item in items {
                    make_room(map, &item, overrides, is_written)?;
                    if same_key(&item.key, &placeholder.key) {
                        // The item would replace the one at which it should be inserted.
                        expect_override(&item, overrides, is_written)?;
                        return Err(no_placeholder("map item", "map"));
                    }
                    map.push(item);
                }
            }
            (Content::Array(array), Content::ArrayItem(_)) => {
                array.items.extend(replacement.into_array_items()?);
            }
            (_, other) => return Err(not_replaceable(Some(other), n_open)),
        }
        current.is_replaced = true;
        Ok(())
    }

    /// Splits a constant into open nodes, down to its last node: code after it can replace that
    /// node, as if each node had begun separately.
    fn open_constant(&mut self) {
        while let Some(content) = self.top().content.take_last() {
            let Open { tag, depth, .. } = *self.top();
            self.open.push(Open { tag, depth: depth + 1, content, is_replaced: false });
        }
    }

    /// Closes all nodes and returns the result.
    pub(crate) fn finish(mut self) -> Built {
        while self.open.len() > 1 {
            self.close_top();
        }
        match self.open.pop().map(|open| open.content) {
            None => Built::Nothing,
            Some(Content::Documents(documents)) => Built::Documents(documents),
            Some(Content::Document(document)) => Built::Documents(vec![document]),
            Some(Content::Map(map)) => Built::Node(Node::map(map)),
            Some(Content::MapItem(item)) => {
                let origin = item.origin;
                Built::Node(Node::map(Map::new(vec![item], origin)))
            }
            Some(Content::Array(array)) => Built::Node(Node::array(array)),
            Some(Content::ArrayItem(item)) => {
                let origin = item.origin;
                Built::Node(Node::array(Array::new(vec![item], origin)))
            }
        }
    }

    /// Closes nodes until the last open one is the nearest node above, from `parent` upward.
    fn close_down_to(&mut self, plan: &Plan, parent: Tag) -> Result<(), BuildError> {
        let mut ancestor = parent;
        loop {
            let planned = plan.node(ancestor);
            while self.open.len() > 1 && self.top().depth > planned.depth {
                self.close_top();
            }
            if self.top().tag == ancestor {
                return Ok(());
            }
            if ancestor == Tag::ROOT {
                let message = "expected node to be inside of what the function returns";
                return Err(BuildError(message.into()));
            }
            ancestor = planned.parent;
        }
    }

    fn close_top(&mut self) {
        let closed = self.open.pop().expect("called only where two nodes are open");
        if closed.is_replaced {
            return;
        }
        match (&mut self.top().content, closed.content) {
            (Content::Documents(documents), Content::Document(document)) => {
                documents.push(document);
            }
            (Content::Map(map), Content::MapItem(item)) => map.push(item),
            (Content::Array(array), Content::ArrayItem(item)) => array.items.push(item),
            (holder, Content::Map(map)) => holder.hold(Node::map(map)),
            (holder, Content::Array(array)) => holder.hold(Node::array(array)),
            (_, Content::Documents(_) | Content::Document(_)) => {
                unreachable!("`expect_child` lets documents only into document sets")
            }
            (_, Content::MapItem(_) | Content::ArrayItem(_)) => {
                unreachable!("`expect_child` lets items only into maps and arrays")
            }
        }
    }

    fn top(&mut self) -> &mut Open {
        self.open.last_mut().expect("instructions set values only after a node began")
    }

    fn pending_mut(&mut self, tag: Tag) -> &mut Pending {
        let at = self.pending.iter().position(|it| it.tag == tag).unwrap_or_else(|| {
            self.pending.push(Pending { tag, annotations: Annotations::new(), key: None });
            self.pending.len() - 1
        });
        &mut self.pending[at]
    }
}

impl Shell {
    /// Returns whether a function that begins with this node builds the node that contains it.
    fn is_held_by_another(&self) -> bool {
        match self {
            Self::Document { .. } | Self::MapItem { .. } | Self::ArrayItem { .. } => true,
            Self::Documents | Self::Map { .. } | Self::Array { .. } => false,
        }
    }
}

/// Removes an earlier item with the same key if that is allowed.
fn make_room(
    map: &mut Map,
    item: &MapItem,
    overrides: bool,
    is_strict: bool,
) -> Result<(), BuildError> {
    let Some(earlier) = map.position(&item.key) else {
        return Ok(());
    };
    expect_override(item, overrides, is_strict)?;
    map.items_mut().remove(earlier);
    Ok(())
}

/// A map has this key again. The key is in our words with facts.
#[derive(Clone, Debug)]
pub struct KeyAgain {
    pub key: Message,
}

/// Checks that an item may replace one with the same key.
fn expect_override(item: &MapItem, overrides: bool, is_strict: bool) -> Result<(), BuildError> {
    let is_annotated = item.meta.annotations().has(MAP_KEY_OVERRIDE);
    if is_strict && !overrides && !is_annotated {
        let key = Message::of(&[&item.key.key_words()]);
        let words = message!(
            "expected the key `{key}` once, found it twice: to replace the first, write \
             `#@yaml/map-key-override` above the second"
        );
        return Err(BuildError(term(words, KeyAgain { key }).into()));
    }
    Ok(())
}

fn no_placeholder(child: &'static str, parent: &'static str) -> BuildError {
    BuildError(message!("expected to find placeholder {child} in {parent}"))
}

fn not_replaceable(current: Option<&Content>, n_open: usize) -> BuildError {
    BuildError(match current {
        Some(Content::Document(_)) if n_open < 2 => {
            "expected to find document set, but was not enough parents".into()
        }
        Some(content) => message!(
            "expected to replace document value, map item or array item, but found {}",
            content.type_name()
        ),
        None => "expected to be called for the value of a node".into(),
    })
}
