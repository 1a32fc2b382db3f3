//! Documents as YAML, in the one layout of Plumb's output.
//!
//! Maps are indented by two spaces, sequences are not indented below their key, and lines are never
//! folded. The tree is walked once with an explicit stack, so that deep nesting cannot overflow the
//! call stack.

use std::ops::ControlFlow;

use plumb_source::{Origin, Sources};
use plumb_value::{ArrayItem, Document, Node, ShownComments};

use super::comments::Comments;
use super::entries::{Entries, Entry};
use super::fold::fold;
use super::leaf::Leaf;
use super::lines::LineFinder;
use super::number;
use super::style::{Shape, Style};
use super::{STEP, indentation, text};

/// Appends documents with `---` between them; empty ones are left out.
pub fn documents<'a>(documents: impl IntoIterator<Item = &'a Document>, out: &mut Vec<u8>) {
    Printer::<false>::new(out).documents(documents);
}

/// Appends documents as [`documents`] does, but prints sequences inside keys as ytt does: every
/// element with its line number.
pub fn documents_like_ytt<'a>(
    documents: impl IntoIterator<Item = &'a Document>,
    sources: &'a Sources,
    out: &mut Vec<u8>,
) {
    let mut lines = LineFinder::new(sources);
    Printer { lines: Some(&mut lines), ..Printer::<false>::new(out) }.documents(documents);
}

/// Prints documents as [`documents`] does, or as [`documents_like_ytt`] if there are `sources`. The
/// text is passed to `write` in pieces, so it is never in memory as a whole. Ends if `write`
/// breaks.
pub fn documents_in_pieces<'a>(
    documents: impl IntoIterator<Item = &'a Document>,
    sources: Option<&'a Sources>,
    write: &mut dyn FnMut(&[u8]) -> ControlFlow<()>,
) -> ControlFlow<()> {
    let mut out = Vec::new();
    let mut lines = sources.map(LineFinder::new);
    let pieces = Some(Pieces { write, end: ControlFlow::Continue(()) });
    let lines = lines.as_mut();
    let mut printer = Printer { lines, pieces, enough: PIECE, ..Printer::<false>::new(&mut out) };
    printer.documents(documents);
    printer.pass_on();
    printer.pieces.map_or(ControlFlow::Continue(()), |it| it.end)
}

/// Appends one node as a separate document.
pub fn node(node: &Node, out: &mut Vec<u8>) {
    Printer::<false>::new(out).document(node);
}

/// Appends one node as a separate document, with scalars folded beyond a width.
pub fn folded(node: &Node, width: usize, out: &mut Vec<u8>) {
    Printer { width: Some(width), ..Printer::<false>::new(out) }.document(node);
}

/// Appends a node after a `?` at `indent`, up to the end of its last line.
pub(super) fn node_after_mark(node: &Node, indent: usize, out: &mut Vec<u8>) {
    let mut printer = Printer::<false>::new(out);
    printer.value(node, indent, LinePosition::Mark);
    printer.run();
}

/// Prints nodes; with their comments if `COMMENTS` is set.
struct Printer<'a, 'o, const COMMENTS: bool> {
    out: &'o mut Vec<u8>,
    /// The collections being printed, innermost last.
    open: Vec<Frame<'a>>,
    /// Whether the next entry or item continues a line, after a `-` or `?`.
    is_line_begun: bool,
    /// The number of open frames that are values whose keys are being printed.
    keys: usize,
    /// Finds the lines of elements of sequences inside keys, if they are shown.
    lines: Option<&'o mut LineFinder<'a>>,
    /// The width at which scalars are folded; `None` if they are not folded.
    width: Option<usize>,
    /// Receives the text in pieces. If it is `None`, the text stays in `out`.
    pieces: Option<Pieces<'o>>,
    /// The length at which the text is passed on.
    enough: usize,
    shown_comments: ShownComments,
    /// The comment at the end of the line that is being printed.
    beside: Option<String>,
}

/// The usual length of a piece.
const PIECE: usize = 128 << 10;

struct Pieces<'o> {
    write: &'o mut dyn FnMut(&[u8]) -> ControlFlow<()>,
    /// Whether the receiver still wants the text.
    end: ControlFlow<()>,
}

impl Pieces<'_> {
    /// Passes on the text so far.
    fn take(&mut self, out: &mut Vec<u8>) {
        self.pass(out);
        out.clear();
    }

    /// Passes on a text that comes after everything that was passed on before.
    fn pass(&mut self, text: &[u8]) {
        if self.end.is_continue() && !text.is_empty() {
            self.end = (self.write)(text);
        }
    }
}

enum Frame<'a> {
    Map {
        entries: Entries<'a>,
        indent: usize,
    },
    Array {
        items: std::slice::Iter<'a, ArrayItem>,
        indent: usize,
        /// Whether each item is printed with its line.
        is_numbered: bool,
    },
    /// The value of a key with a `?`; the key itself is being printed above this frame.
    Value {
        node: &'a Node,
        indent: usize,
    },
    /// The line of an item whose node is being printed above this frame.
    Line {
        line: u32,
        indent: usize,
    },
}

/// The text before a node on its line.
#[derive(Clone, Copy, PartialEq, Eq)]
enum LinePosition {
    /// A simple key and its colon: a collection begins on the next line.
    Key,
    /// A `-`, `?` or `:`: a collection begins on the same line.
    Mark,
}

impl<'a, 'o, const COMMENTS: bool> Printer<'a, 'o, COMMENTS> {
    fn new(out: &'o mut Vec<u8>) -> Self {
        Self {
            out,
            open: Vec::new(),
            is_line_begun: false,
            keys: 0,
            lines: None,
            width: None,
            pieces: None,
            enough: usize::MAX,
            shown_comments: ShownComments::None,
            beside: None,
        }
    }

    fn documents(&mut self, documents: impl IntoIterator<Item = &'a Document>) {
        let mut is_first = true;
        for document in documents {
            if document.is_injected || document.node.is_empty_document() {
                continue;
            }
            if !is_first {
                self.out.extend_from_slice(b"---\n");
            }
            is_first = false;
            if document.shown_comments == ShownComments::None {
                self.document(&document.node);
            } else {
                self.commented_document(document);
            }
        }
    }

    /// Passes on the text so far, if somebody takes it in pieces.
    fn pass_on(&mut self) {
        if let Some(pieces) = &mut self.pieces {
            pieces.take(self.out);
        }
    }

    /// Appends a document with its comments. They come after the `---`, because they belong to the
    /// document.
    fn commented_document(&mut self, document: &'a Document) {
        let shown = document.shown_comments;
        let pieces = self.pieces.as_mut();
        let mut printer = Printer::<'a, '_, true> {
            lines: self.lines.as_deref_mut(),
            pieces: pieces.map(|it| Pieces { write: &mut *it.write, end: it.end }),
            enough: self.enough,
            shown_comments: shown,
            ..Printer::new(self.out)
        };
        let mut comments = Comments::of(&document.meta, shown);
        comments.lift();
        comments.write_above(0, printer.out);
        printer.document(&document.node);
        Comments::of(&document.foot, shown).write_above(0, printer.out);
        let end = printer.pieces.map(|it| it.end);
        if let (Some(pieces), Some(end)) = (&mut self.pieces, end) {
            pieces.end = end;
        }
    }

    /// Appends the comments above an item or entry, and stores the comment next to it for the end
    /// of its line. If the value begins on the same line, as after `- `, the comments above its
    /// first item are appended here too.
    fn comments(&mut self, holder: Holder<'_>, indent: usize) {
        if self.keys > 0 {
            return;
        }
        let comments = holder.comments(self.shown_comments);
        // After a mark, the comments were printed before the line began.
        if !self.is_line_begun {
            comments.write_above(indent, self.out);
            self.comments_of_first(holder, indent);
        }
        self.beside = comments.beside;
    }

    /// Appends the comments above the items that begin on the same line as `holder`.
    fn comments_of_first(&mut self, mut holder: Holder<'_>, indent: usize) {
        while let Some(first) = holder.first_on_same_line() {
            first.comments(self.shown_comments).write_above(indent, self.out);
            holder = first;
        }
    }

    fn end_line(&mut self) {
        if COMMENTS && let Some(comment) = self.beside.take() {
            self.out.push(b' ');
            self.out.extend_from_slice(comment.as_bytes());
        }
        self.out.push(b'\n');
    }

    fn document(&mut self, node: &'a Node) {
        if let Some(leaf) = Leaf::of(node) {
            self.leaf(&leaf, 0);
        } else {
            self.open(node, 0);
            self.run();
        }
    }

    fn run(&mut self) {
        loop {
            if self.out.len() >= self.enough {
                self.pass_on();
                if self.pieces.as_ref().is_some_and(|it| it.end.is_break()) {
                    self.open.clear();
                }
            }
            let Some(frame) = self.open.last_mut() else { return };
            match frame {
                Frame::Map { entries, indent } => {
                    let indent = *indent;
                    match entries.next() {
                        Some(entry) => self.entry(&entry, indent),
                        None => self.close(),
                    }
                }
                Frame::Array { items, indent, is_numbered } => {
                    let (indent, is_numbered) = (*indent, *is_numbered);
                    match items.next() {
                        Some(item) => self.item(item, indent, is_numbered),
                        None => self.close(),
                    }
                }
                Frame::Value { node, indent } => {
                    let (node, indent) = (*node, *indent);
                    self.close();
                    self.keys -= 1;
                    self.begin_line(indent);
                    self.out.push(b':');
                    self.value(node, indent, LinePosition::Mark);
                }
                Frame::Line { line, indent } => {
                    let (line, indent) = (*line, *indent);
                    self.close();
                    self.begin_line(indent);
                    self.out.extend_from_slice(b"line: ");
                    number::unsigned(line.into(), self.out);
                    self.out.push(b'\n');
                }
            }
        }
    }

    fn item(&mut self, item: &'a ArrayItem, indent: usize, is_numbered: bool) {
        if COMMENTS {
            self.comments(Holder::Item(item), indent);
        }
        self.begin_line(indent);
        self.out.push(b'-');
        if is_numbered {
            let line = self.lines.as_mut().map_or(0, |lines| lines.line_in_key(item.origin));
            self.out.extend_from_slice(b" value:");
            self.open.push(Frame::Line { line, indent: indent + STEP });
            self.value(&item.node, indent + STEP, LinePosition::Key);
        } else {
            self.value(&item.node, indent, LinePosition::Mark);
        }
    }

    fn close(&mut self) {
        self.open.pop();
    }

    fn entry(&mut self, entry: &Entry<'a>, indent: usize) {
        if COMMENTS {
            self.comments(Holder::Entry(*entry), indent);
        }
        self.begin_line(indent);
        let node = &entry.item.node;
        match Leaf::of(entry.key) {
            Some(key) if key.is_simple_key() => {
                key.write(indent, self.out);
                self.out.push(b':');
                self.value(node, indent, LinePosition::Key);
            }
            _ => {
                self.out.push(b'?');
                self.open.push(Frame::Value { node, indent });
                self.keys += 1;
                self.value(entry.key, indent, LinePosition::Mark);
            }
        }
    }

    /// Appends a node after what is already on the line.
    fn value(&mut self, node: &'a Node, indent: usize, place: LinePosition) {
        if let Some(leaf) = Leaf::of(node) {
            self.out.push(b' ');
            return self.leaf(&leaf, indent);
        }
        self.is_line_begun = place == LinePosition::Mark;
        if self.is_line_begun {
            self.out.push(b' ');
        } else {
            self.end_line();
        }
        match (node, place) {
            (Node::Array(_), LinePosition::Key) => self.open(node, indent),
            _ => self.open(node, indent + STEP),
        }
    }

    fn open(&mut self, node: &'a Node, indent: usize) {
        match node {
            Node::Map(map) => self.open.push(Frame::Map { entries: Entries::of(map), indent }),
            Node::Array(array) => {
                let is_read = matches!(array.origin, Origin::Written(_));
                let is_numbered = 0 < self.keys && self.lines.is_some() && is_read;
                self.open.push(Frame::Array { items: array.items.iter(), indent, is_numbered });
            }
            _ => {}
        }
    }

    /// Appends a leaf, up to the end of its line.
    fn leaf(&mut self, leaf: &Leaf<'_>, indent: usize) {
        let start = self.out.len();
        let is_line_ended = match (leaf, &mut self.pieces) {
            (Leaf::Text(text, shape), Some(pieces)) if text.len() >= self.enough => {
                long_text(text, *shape, indent, self.out, pieces, self.enough)
            }
            _ => leaf.write(indent, self.out),
        };
        if let (Some(width), Leaf::Text(_, shape)) = (self.width, leaf)
            && shape.style != Style::Literal
        {
            fold(start, shape.style, indent, width, self.out);
        }
        if !is_line_ended {
            self.end_line();
        }
        self.is_line_begun = false;
    }

    fn begin_line(&mut self, indent: usize) {
        if self.is_line_begun {
            self.is_line_begun = false;
        } else {
            indentation(indent, self.out);
        }
    }
}

/// Writes a text that is longer than a piece, without a copy of the whole text. Returns whether it
/// ended its last line.
#[expect(clippy::too_many_arguments, reason = "two of them are what it writes to")]
fn long_text(
    text: &str,
    shape: Shape,
    indent: usize,
    out: &mut Vec<u8>,
    pieces: &mut Pieces<'_>,
    enough: usize,
) -> bool {
    match shape.style {
        Style::Plain => {
            pieces.take(out);
            pieces.pass(text.as_bytes());
            false
        }
        Style::Literal => text::literal(text, shape.has_separator, indent, out, |out| {
            if out.len() >= enough {
                pieces.take(out);
            }
        }),
        Style::Single | Style::Double => Leaf::Text(text, shape).write(indent, out),
    }
}

/// Something that can have comments.
#[derive(Clone, Copy)]
enum Holder<'a> {
    Entry(Entry<'a>),
    Item(&'a ArrayItem),
}

impl Holder<'_> {
    fn comments(self, shown: ShownComments) -> Comments {
        let (meta, can_be_beside) = match self {
            Self::Entry(entry) => {
                let is_one_line = Leaf::of(&entry.item.node).is_none_or(|it| it.is_one_line());
                (&entry.item.meta, has_simple_key(entry) && is_one_line)
            }
            Self::Item(item) => {
                (&item.meta, Leaf::of(&item.node).is_some_and(|it| it.is_one_line()))
            }
        };
        let mut comments = Comments::of(meta, shown);
        if !can_be_beside {
            comments.lift();
        }
        comments
    }

    /// Returns the first item of the value, if it begins on the same line: after `- ` or `? `.
    fn first_on_same_line(self) -> Option<Self> {
        let node = match self {
            Self::Entry(entry) if has_simple_key(entry) => return None,
            Self::Entry(entry) => &entry.item.node,
            Self::Item(item) => &item.node,
        };
        match node {
            Node::Map(map) => Entries::of(map).next().map(Self::Entry),
            Node::Array(array) => array.items.first().map(Self::Item),
            _ => None,
        }
    }
}

fn has_simple_key(entry: Entry<'_>) -> bool {
    Leaf::of(entry.key).is_some_and(|it| it.is_simple_key())
}
