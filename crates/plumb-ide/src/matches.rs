//! Finds the items that an item of an overlay changes, and the overlays that change an item.
//!
//! Both use the origins in the output: a merged item has the origin of the template, and the parts
//! of it that an overlay set have the origin of the overlay.

use std::collections::HashMap;
use std::path::Path;

use plumb_source::{Origin, Span};
use plumb_value::{Document, Node};

use crate::file::File;
use crate::navigation::Location;
use crate::overlay::Overlay;
use crate::question::Question;
use crate::rendered::{Output, Places, each_child};

/// The maximum number of places that are returned.
const MAX_PLACES: usize = 100;

/// An item of a file.
struct Own<'a> {
    start: u32,
    depth: usize,
    key: Option<&'a str>,
    /// The start of the item or document around it.
    parent: Option<u32>,
    node: &'a Node,
}

/// A step on the path to an item of the output. The first step is the document.
#[derive(Clone, Copy)]
struct Trail<'a> {
    origin: Origin,
    key: Option<&'a str>,
}

/// The items of templates that the overlay item at an offset matches. Empty if it is not in an
/// overlay.
pub(crate) fn matched(question: &Question<'_>) -> Vec<Location> {
    let Question { file, path, offset, overlay, knowledge } = *question;
    let is_overlay = |name: &str| name.starts_with("overlay/");
    let Some(document) = file.document_at(offset) else { return Vec::new() };
    if !plumb_template::annotation_names(&document.meta).any(is_overlay) {
        return Vec::new();
    }
    let Some(item) = item_at(file, document, offset) else { return Vec::new() };
    let mut depths = HashMap::from([(item.start, item.depth)]);
    add_depths(item.node, item.depth + 1, &mut depths);
    let mut search = Search { path, overlay, found: Vec::new() };
    for output in knowledge.targets.iter().filter_map(|it| it.output.as_deref()) {
        let mut places = Places::new(output);
        each_item(output, &mut |_, trail| {
            let here = trail[trail.len() - 1];
            let Some(range) = places.range(here.origin, path, &file.text) else { return };
            let Some(depth) = depths.get(&range.start) else { return };
            // Go up as many levels in the output as in the overlay.
            let Some(level) = (trail.len() - 1).checked_sub(depth - item.depth) else { return };
            if places.path(trail[level].origin).is_some_and(|it| it != path) {
                search.add(&mut places, trail[level].origin);
            } else if let Some(key) = trail[level].key {
                search.add_replaced(&mut places, trail[..level].last(), key);
            }
        });
    }
    search.found
}

/// The overlay items that change the item at an offset.
pub(crate) fn changed_by(question: &Question<'_>) -> Vec<Location> {
    let Question { file, path, offset, overlay, knowledge } = *question;
    let own = file.document_at(offset).and_then(|it| item_at(file, it, offset));
    let Some(own) = own else { return Vec::new() };
    let mut search = Search { path, overlay, found: Vec::new() };
    for output in knowledge.targets.iter().filter_map(|it| it.output.as_deref()) {
        let mut places = Places::new(output);
        each_item(output, &mut |_, trail| {
            let here = trail[trail.len() - 1];
            if places.path(here.origin).is_none_or(|it| it == path) {
                return;
            }
            let mut start_of =
                |it: &Trail<'_>| places.range(it.origin, path, &file.text).map(|range| range.start);
            // The outermost items that an overlay set: the items above them come from elsewhere.
            let above = &trail[..trail.len() - 1];
            let Some(direct) = above.last().and_then(&mut start_of) else { return };
            let is_replaced = Some(direct) == own.parent && here.key == own.key;
            if is_replaced || direct == own.start {
                search.add(&mut places, here.origin);
                return;
            }
            let level = above.iter().rposition(|it| start_of(it) == Some(own.start));
            if let Some(n_levels) = level.map(|it| above.len() - it) {
                search.add_above(&mut places, here.origin, n_levels);
            }
        });
    }
    search.found
}

struct Search<'a> {
    path: &'a Path,
    overlay: &'a Overlay,
    found: Vec<Location>,
}

impl Search<'_> {
    fn add(&mut self, places: &mut Places<'_>, origin: Origin) {
        let Some(path) = places.path(origin).map(Path::to_owned) else { return };
        let Some(text) = self.overlay.text(&path) else { return };
        let Some(range) = places.range(origin, &path, &text) else { return };
        self.push(Location { path, start: range.start, end: range.end });
    }

    /// Finds the item at an origin, and adds the item that contains it `n_levels` further up.
    fn add_above(&mut self, places: &mut Places<'_>, origin: Origin, n_levels: usize) {
        let Some(path) = places.path(origin).map(Path::to_owned) else { return };
        let Some(text) = self.overlay.text(&path) else { return };
        let Some(range) = places.range(origin, &path, &text) else { return };
        let file = File::read(&path, text);
        let mut trail = Vec::new();
        let found = file.documents.iter().any(|it| leads_to(&it.node, range.start, &mut trail));
        let above = trail.len().checked_sub(n_levels + 1).filter(|_| found);
        if let Some(span) = above.map(|at| trail[at]) {
            self.push(Location { path, start: span.start, end: span.end });
        }
    }

    /// Adds the item of a template that an overlay replaced: the key below the item or document
    /// around it.
    fn add_replaced(&mut self, places: &mut Places<'_>, parent: Option<&Trail<'_>>, key: &str) {
        let Some(parent) = parent else { return };
        let Some(path) = places.path(parent.origin).map(Path::to_owned) else { return };
        let Some(text) = self.overlay.text(&path).filter(|_| path != self.path) else { return };
        let Some(range) = places.range(parent.origin, &path, &text) else { return };
        let file = File::read(&path, text);
        let parent = file.documents.iter().find_map(|it| node_at_start(it, range.start));
        let Some(map) = parent.and_then(Node::as_map) else { return };
        let child = map.items().iter().find(|it| it.key.as_str() == Some(key));
        if let Some(span) = child.and_then(|it| it.origin.span()) {
            self.push(Location { path, start: span.start, end: span.end });
        }
    }

    fn push(&mut self, place: Location) {
        if self.found.len() < MAX_PLACES && !self.found.contains(&place) {
            self.found.push(place);
        }
    }
}

/// Calls a function for each item of the output, with the path to it.
fn each_item<'a>(output: &'a Output, visit: &mut impl FnMut(&'a Node, &[Trail<'a>])) {
    for document in output.files.iter().flat_map(Output::documents) {
        let start = Trail { origin: document.origin, key: None };
        each_below(&document.node, &mut vec![start], visit);
    }
}

fn each_below<'a>(
    node: &'a Node,
    trail: &mut Vec<Trail<'a>>,
    visit: &mut impl FnMut(&'a Node, &[Trail<'a>]),
) {
    each_child(node, &mut |origin, key, node| {
        trail.push(Trail { origin, key });
        visit(node, trail);
        each_below(node, trail, visit);
        trail.pop();
    });
}

/// The innermost item of a document that begins on the line of an offset, at or before it.
fn item_at<'a>(file: &File, document: &'a Document, offset: u32) -> Option<Own<'a>> {
    let line = file.line_start(offset);
    let mut best: Option<Own<'_>> = None;
    each_own_of(document, &mut |own| {
        if line <= own.start && own.start <= offset {
            best = Some(own);
        }
    });
    best
}

/// Looks for the item of a node that begins at an offset. The trail then leads to it.
fn leads_to(node: &Node, start: u32, trail: &mut Vec<Span>) -> bool {
    let mut is_found = false;
    each_child(node, &mut |origin, _, node| {
        let Some(span) = origin.span().filter(|_| !is_found) else { return };
        trail.push(span);
        is_found = span.start == start || leads_to(node, start, trail);
        if !is_found {
            trail.pop();
        }
    });
    is_found
}

/// The value of the document or item that begins at an offset.
fn node_at_start(document: &Document, start: u32) -> Option<&Node> {
    if document.origin.span().is_some_and(|it| it.start == start) {
        return Some(&document.node);
    }
    let mut found = None;
    each_own_of(document, &mut |own| {
        if own.start == start && found.is_none() {
            found = Some(own.node);
        }
    });
    found
}

fn each_own_of<'a>(document: &'a Document, visit: &mut impl FnMut(Own<'a>)) {
    let start = document.origin.span().map(|it| it.start);
    each_own(&document.node, 0, start, visit);
}

fn each_own<'a>(
    node: &'a Node,
    depth: usize,
    parent: Option<u32>,
    visit: &mut impl FnMut(Own<'a>),
) {
    each_child(node, &mut |origin, key, node| {
        let Some(span) = origin.span() else { return };
        visit(Own { start: span.start, depth, key, parent, node });
        each_own(node, depth + 1, Some(span.start), visit);
    });
}

fn add_depths(node: &Node, depth: usize, to: &mut HashMap<u32, usize>) {
    each_own(node, depth, None, &mut |own| {
        to.insert(own.start, own.depth);
    });
}
