//! A compiled template: the program that builds its nodes, and the nodes to build.

use std::sync::Arc;

use plumb_source::{Origin, Span, Text, room};
use plumb_value::{AnnotationDefinition, ArrayItem, Document, MapItem, Meta, Node};

use crate::vocabulary::Vocabulary;

/// Identifies a node of a template.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Tag(u32);

/// The nodes of one template, and the operations of its instructions.
#[derive(Debug, Default)]
pub(crate) struct Plan {
    nodes: Vec<PlanNode>,
    operations: Vec<Operation>,
    names: Vec<AnnotationName>,
}

/// Identifies an [`AnnotationName`] of a plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct NameId(u32);

/// The name of an annotation, which is stored once for all its uses in a template.
#[derive(Debug)]
pub(crate) struct AnnotationName {
    pub(crate) name: Arc<str>,
    /// Its definition, if it is known.
    pub(crate) definition: Option<&'static AnnotationDefinition>,
}

/// A new name is compared with this many stored names, so that storing it takes constant time. Most templates use fewer
/// names; the others store some of them repeatedly.
const MAX_COMPARED_NAMES: usize = 32;

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
    Add { parent: Tag, constant: Box<Constant> },
    /// Sets the current node to the scalar that was written for it.
    SetScalar(Node),
    /// Sets the current node to the value of the expression at this place.
    SetValue(Span),
    /// Stores an annotation for the next node.
    Annotate(Tag, NameId, Span),
    /// Like `Annotate`, for a name that contains quotes or escapes. ytt puts names in quotes and
    /// evaluates the result as code. The first operand is the resulting name.
    AnnotateQuoted(Tag, NameId, Span),
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
        room::push(&mut self.nodes, PlanNode { parent, depth, n_children: 0, shell, comments });
        tag
    }

    /// Adds an operation and returns the number for its instruction.
    pub(crate) fn add_operation(&mut self, operation: Operation) -> u32 {
        if let Operation::Add { parent, .. } = &operation {
            self.nodes[parent.0 as usize].n_children += 1;
        }
        let number = u32::try_from(self.operations.len()).expect("fewer operations than bytes");
        room::push(&mut self.operations, operation);
        number
    }

    /// Stores the name of an annotation, unless it was found among the first names.
    pub(crate) fn add_name(&mut self, name: &str, vocabulary: &Vocabulary) -> NameId {
        let compared = self.names.iter().take(MAX_COMPARED_NAMES);
        let at = { compared }.position(|it| &*it.name == name).unwrap_or_else(|| {
            let definition = vocabulary.annotation(name);
            self.names.push(AnnotationName { name: name.into(), definition });
            self.names.len() - 1
        });
        NameId(u32::try_from(at).expect("fewer names than bytes"))
    }

    /// The name with this number.
    pub(crate) fn name(&self, id: NameId) -> &AnnotationName {
        &self.names[id.0 as usize]
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
