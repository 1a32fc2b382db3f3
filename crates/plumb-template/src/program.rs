//! A compiled template: the program that builds its nodes, and the nodes to build.

use std::sync::Arc;

use plumb_source::{Origin, Span, Text};
use plumb_value::{ArrayItem, Document, MapItem, Meta, Node};

/// Identifies a node of a template.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Tag(u32);

/// The nodes of one template, and the operations of its instructions.
#[derive(Debug, Default)]
pub(crate) struct Plan {
    nodes: Vec<PlanNode>,
    operations: Vec<Operation>,
}

/// A node that instructions build, any number of times.
#[derive(Debug)]
pub(crate) struct PlanNode {
    /// The node that contains it; a document set is its own parent.
    pub(crate) parent: Tag,
    /// The number of nodes above it.
    pub(crate) depth: u32,
    /// The number of nodes and constants directly below it, which is the capacity to reserve.
    pub(crate) n_children: u32,
    pub(crate) shell: Shell,
    /// The comments that it has in the output, if they are kept.
    pub(crate) comments: Meta,
}

/// A node without its content.
#[derive(Clone, Debug)]
pub(crate) enum Shell {
    Documents,
    Document { origin: Origin, is_injected: bool },
    Map { origin: Origin },
    MapItem { key: Node, origin: Origin },
    Array { origin: Origin },
    ArrayItem { origin: Origin },
}

/// The operation of an instruction; the program refers to it by its number.
#[derive(Clone, Debug)]
pub(crate) enum Operation {
    /// Begins a node: it becomes the current one, and is added to its parent.
    Start(Tag),
    /// Adds an item or document that is constant.
    Add { parent: Tag, constant: Constant },
    /// Sets the current node to the scalar that was written for it.
    SetScalar(Node),
    /// Sets the current node to the value of the expression at this place.
    SetValue(Span),
    /// Stores an annotation for the next node.
    Annotate(Tag, Arc<str>, Span),
    /// Like `Annotate`, for a name that contains quotes or escapes. ytt puts names in quotes and
    /// evaluates the result as code. The first operand is the resulting name.
    AnnotateQuoted(Tag, Arc<str>, Span),
    /// Sets the key of the next map item to the text that was just built.
    SetKey(Tag),
    /// Sets the current node to the text that was just built.
    SetText,
    /// Begins a separate text.
    StartText,
    /// Adds the text at a place.
    AddText(Text, Span),
    /// Adds the value of the expression at a place to the text.
    AddTextValue(Span),
    /// Ends the template. It does nothing, but unclosed code blocks are detected here.
    End,
}

/// A part that is not computed.
#[derive(Clone, Debug)]
pub(crate) enum Constant {
    Document(Document),
    MapItem(MapItem),
    ArrayItem(ArrayItem),
}

impl Tag {
    /// The document set that contains all other nodes.
    pub(crate) const ROOT: Self = Self(0);
}

impl Plan {
    /// Adds a node below `parent`; the first one is its own parent.
    pub(crate) fn add_node(&mut self, parent: Tag, shell: Shell) -> Tag {
        self.add_commented_node(parent, shell, Meta::default())
    }

    /// Adds a node with comments that it has in the output.
    pub(crate) fn add_commented_node(&mut self, parent: Tag, shell: Shell, comments: Meta) -> Tag {
        let tag = Tag(u32::try_from(self.nodes.len()).expect("fewer nodes than bytes"));
        let depth = if tag == Tag::ROOT { 0 } else { self.node(parent).depth + 1 };
        if let Some(parent) = self.nodes.get_mut(parent.0 as usize) {
            parent.n_children += 1;
        }
        self.nodes.push(PlanNode { parent, depth, n_children: 0, shell, comments });
        tag
    }

    /// Adds an operation and returns the number for its instruction.
    pub(crate) fn add_operation(&mut self, operation: Operation) -> u32 {
        if let Operation::Add { parent, .. } = &operation {
            self.nodes[parent.0 as usize].n_children += 1;
        }
        let number = u32::try_from(self.operations.len()).expect("fewer operations than bytes");
        self.operations.push(operation);
        number
    }

    pub(crate) fn node(&self, tag: Tag) -> &PlanNode {
        &self.nodes[tag.0 as usize]
    }

    pub(crate) fn n_operations(&self) -> u32 {
        u32::try_from(self.operations.len()).expect("fewer operations than bytes")
    }

    /// The operations in the order of their numbers.
    pub(crate) fn operations(&self) -> &[Operation] {
        &self.operations
    }

    /// All nodes. Each comes after the node that contains it.
    pub(crate) fn tags(&self) -> impl Iterator<Item = Tag> {
        (0..u32::try_from(self.nodes.len()).expect("fewer nodes than bytes")).map(Tag)
    }

    pub(crate) fn operation(&self, number: u32) -> &Operation {
        &self.operations[number as usize]
    }

    /// Returns the number of the node that an operation begins, or of the last one before it.
    pub(crate) fn node_number(&self, operation: u32) -> usize {
        self.operations[..=operation as usize].iter().map(Operation::n_nodes).sum()
    }
}

impl Operation {
    /// The number of nodes that it adds, counted as in the names of instructions: collections,
    /// their items, pieces of text.
    fn n_nodes(&self) -> usize {
        match self {
            Self::Start(_) | Self::StartText | Self::AddText(..) | Self::AddTextValue(_) => 1,
            Self::Add { constant, .. } => 1 + n_nodes_in(constant.node()),
            Self::SetScalar(_)
            | Self::SetValue(_)
            | Self::Annotate(..)
            | Self::AnnotateQuoted(..)
            | Self::SetKey(_)
            | Self::SetText
            | Self::End => 0,
        }
    }

    /// Returns whether a function that begins with it builds a text.
    pub(crate) fn builds_text(&self) -> bool {
        match self {
            Self::AddText(..) | Self::AddTextValue(_) => true,
            Self::StartText
            | Self::Start(_)
            | Self::Add { .. }
            | Self::SetScalar(_)
            | Self::SetValue(_)
            | Self::Annotate(..)
            | Self::AnnotateQuoted(..)
            | Self::SetKey(_)
            | Self::SetText
            | Self::End => false,
        }
    }
}

impl Constant {
    fn node(&self) -> &Node {
        match self {
            Self::Document(document) => &document.node,
            Self::MapItem(item) => &item.node,
            Self::ArrayItem(item) => &item.node,
        }
    }
}

/// Collections are separate nodes, in addition to the items that contain them.
fn n_nodes_in(node: &Node) -> usize {
    let n_collections = |it: &Node| usize::from(it.address().is_some());
    let below = node.descendants().map(|(_, it)| 1 + n_collections(it));
    n_collections(node) + below.sum::<usize>()
}

impl Shell {
    /// ytt's name for this kind of node.
    pub(crate) fn type_name(&self) -> &'static str {
        match self {
            Self::Documents => "document set",
            Self::Document { .. } => "document",
            Self::Map { .. } => "map",
            Self::MapItem { .. } => "map item",
            Self::Array { .. } => "array",
            Self::ArrayItem { .. } => "array item",
        }
    }
}
