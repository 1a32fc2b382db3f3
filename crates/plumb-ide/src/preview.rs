//! The output of a file, with the origin of each item in the templates.

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use plumb::{Content, OutputFile, Rendered, TextOutput, World as _};
use plumb_source::{Origin, SourceKind, Sources, Span};
use plumb_value::{Document, Node};
use plumb_yaml::ReadOptions;

use crate::TextRange;
use crate::knowledge::{Knowledge, TargetKnowledge};
use crate::overlay::Overlay;
use crate::rendered::{Output, Places};

/// The output of a target for one file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Preview {
    pub target: String,
    /// All targets of the project that have output.
    pub targets: Vec<String>,
    /// Whether only the output of this file is shown. Some files, such as data values, have no
    /// output: then all output of the target is shown.
    pub is_of_file: bool,
    pub text: String,
    /// Items of the output, in its order.
    pub items: Vec<PreviewItem>,
}

/// An item of the output, and the item of a template that it comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PreviewItem {
    /// The range in the output, including everything in the item.
    pub output: TextRange,
    pub path: PathBuf,
    /// The place in the file at `path`.
    pub source: TextRange,
}

/// The output of a target for a file. By default, the first target that read the file is used.
pub(crate) fn preview(
    path: &Path,
    target: Option<&str>,
    overlay: &Overlay,
    knowledge: &Knowledge,
) -> Option<Preview> {
    let with_output: Vec<(&TargetKnowledge, &Arc<Output>)> =
        knowledge.targets.iter().filter_map(|it| Some((it, it.output.as_ref()?))).collect();
    let (chosen, output) = match target {
        Some(name) => with_output.iter().find(|it| it.0.name == name),
        None => {
            let reads = |it: &&(&TargetKnowledge, _)| it.0.reads.iter().any(|read| read == path);
            with_output.iter().find(reads).or(with_output.first())
        }
    }?;
    let own: Vec<&OutputFile> =
        output.files.iter().filter(|it| is_from(it, path, output)).collect();
    let is_of_file = !own.is_empty();
    let files = if is_of_file { own } else { output.files.iter().collect() };
    let documents: Vec<&Document> = files.iter().flat_map(|it| Output::documents(it)).collect();
    let mut text = plumb::print::yaml(documents.iter().copied());
    let mut items = source_map(&documents, &text, output, overlay);
    for file in files {
        if let Content::Text(written) = &file.content {
            items.extend(text_map(written, text.len(), output, overlay));
            text.extend_from_slice(written.text.as_bytes());
        }
    }
    Some(Preview {
        target: chosen.name.clone(),
        targets: with_output.iter().map(|it| it.0.name.clone()).collect(),
        is_of_file,
        text: String::from_utf8_lossy(&text).into_owned(),
        items,
    })
}

/// The output of a run as it is printed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stream {
    /// All documents.
    pub text: String,
    /// The items of the documents, in their order.
    pub items: Vec<PreviewItem>,
    /// The items of each output file that is a text, by the path of the file.
    pub texts: BTreeMap<String, Vec<PreviewItem>>,
}

/// All documents of a run as one text, with the origins of its items.
pub fn stream(rendered: Rendered, sources: Arc<Sources>, overlay: &Overlay) -> Stream {
    let here = overlay.directory().unwrap_or_default();
    let output = Output::new(rendered, sources, &here);
    let documents: Vec<&Document> = output.files.iter().flat_map(Output::documents).collect();
    let text = plumb::print::yaml(documents.iter().copied());
    let items = source_map(&documents, &text, &output, overlay);
    let texts = output.files.iter().filter_map(|file| match &file.content {
        Content::Text(written) => Some((file.path.clone(), text_map(written, 0, &output, overlay))),
        Content::Yaml(_) => None,
    });
    Stream { text: String::from_utf8_lossy(&text).into_owned(), items, texts: texts.collect() }
}

/// Whether an output file comes from an input.
pub(crate) fn is_from(file: &OutputFile, path: &Path, output: &Output) -> bool {
    match &file.content {
        Content::Text(written) => {
            written.origins.iter().any(|it| output.path(it.span.file).as_deref() == Some(path))
        }
        Content::Yaml(documents) => documents.iter().any(|document| {
            let span = document.origin.span();
            span.is_some_and(|it| output.path(it.file).as_deref() == Some(path))
        }),
    }
}

/// The origins of the lines and of the computed parts of a text, which begins at an offset of the
/// output.
fn text_map(
    written: &TextOutput,
    offset: usize,
    output: &Output,
    overlay: &Overlay,
) -> Vec<PreviewItem> {
    let mut map = Map { places: Places::new(output), overlay, items: Vec::new() };
    let ends = written.origins.iter().skip(1).map(|it| it.start).chain([written.text.len()]);
    for (origin, end) in written.origins.iter().zip(ends) {
        let part = &written.text.as_bytes()[origin.start..end];
        let is_copy = output.is_copy(part, origin.span);
        let mut done = 0;
        for line in part.split_inclusive(|it| *it == b'\n') {
            let (Ok(at), Ok(length)) = (u32::try_from(done), u32::try_from(line.len())) else {
                break;
            };
            let start = origin.span.start + at;
            let line_span = Span { start, end: start + length, ..origin.span };
            let source = if is_copy { line_span } else { origin.span };
            let start = offset + origin.start + done;
            map.add_text(start..start + line.len(), source);
            done += line.len();
        }
    }
    map.items
}

/// Reads the printed text again, and walks through it and the documents in parallel.
fn source_map(
    documents: &[&Document],
    text: &[u8],
    output: &Output,
    overlay: &Overlay,
) -> Vec<PreviewItem> {
    let sources = Sources::new();
    let id = sources.add("output", SourceKind::Memory, text.into());
    let Ok(printed) = plumb_yaml::parse(id, text, &ReadOptions::default()) else {
        return Vec::new();
    };
    let mut map = Map { places: Places::new(output), overlay, items: Vec::new() };
    let is_printed = |it: &&&Document| !it.is_injected;
    for (made, read) in documents.iter().filter(is_printed).zip(&printed) {
        map.add_below(&made.node, &read.node);
    }
    map.items
}

struct Map<'a> {
    places: Places<'a>,
    overlay: &'a Overlay,
    items: Vec<PreviewItem>,
}

impl Map<'_> {
    /// Adds the items of a node. Returns the end of the last one in the output.
    fn add_below(&mut self, made: &Node, read: &Node) -> Option<u32> {
        match (made, read) {
            (Node::Map(made), Node::Map(read)) => {
                let mut end = None;
                for (made, read) in made.items().iter().zip(read.items()) {
                    let added = self.add(made.origin, read.origin, &made.node, &read.node);
                    end = end.max(added);
                }
                end
            }
            (Node::Array(made), Node::Array(read)) => {
                let mut end = None;
                for (made, read) in made.items.iter().zip(&read.items) {
                    let added = self.add(made.origin, read.origin, &made.node, &read.node);
                    end = end.max(added);
                }
                end
            }
            _ => None,
        }
    }

    fn add_text(&mut self, output: Range<usize>, source: Span) {
        let origin = Origin::Written(source);
        let (Ok(start), Ok(end)) = (u32::try_from(output.start), u32::try_from(output.end)) else {
            return;
        };
        let Some(path) = self.places.path(origin).map(Path::to_owned) else { return };
        let Some(text) = self.overlay.text(&path) else { return };
        if let Some(source) = self.places.range(origin, &path, &text) {
            self.items.push(PreviewItem { output: start..end, path, source });
        }
    }

    fn add(&mut self, made: Origin, read: Origin, node: &Node, printed: &Node) -> Option<u32> {
        let place = read.span()?;
        let at = self.items.len();
        let path = self.places.path(made).map(Path::to_owned);
        let source = path.and_then(|path| {
            let text = self.overlay.text(&path)?;
            let source = self.places.range(made, &path, &text)?;
            Some(PreviewItem { output: place.start..place.end, path, source })
        });
        let has_source = source.is_some();
        self.items.extend(source);
        let end = self.add_below(node, printed).unwrap_or(place.end).max(place.end);
        if has_source {
            self.items[at].output.end = end;
        }
        Some(end)
    }
}
