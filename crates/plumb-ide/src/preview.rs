//! What a file renders to, with the place in the templates of each item of the output.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use plumb::{Content, OutputFile, Rendered, World as _};
use plumb_source::{Origin, SourceKind, Sources};
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
    /// Whether only the output of this file is shown: others, such as data values, have none of their
    /// own, and all output of the target is shown.
    pub is_of_file: bool,
    pub text: String,
    /// Items of the output, in its order.
    pub items: Vec<PreviewItem>,
}

/// An item of the output, and the item of a template that it comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PreviewItem {
    /// The place in the output, with everything in it.
    pub output: TextRange,
    pub path: PathBuf,
    /// The place in the file at `path`.
    pub source: TextRange,
}

/// The output of a target for a file. Without a target, it is the first that read the file.
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
    let items = source_map(&documents, &text, output, overlay);
    for file in files {
        if let Content::Text(content) = &file.content {
            text.extend_from_slice(content.as_bytes());
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

/// All documents of a run as one text, with the places that its items come from.
pub fn stream(
    rendered: Rendered,
    sources: Arc<Sources>,
    overlay: &Overlay,
) -> (String, Vec<PreviewItem>) {
    let here = overlay.directory().unwrap_or_default();
    let output = Output::new(rendered, sources, &here);
    let documents: Vec<&Document> = output.files.iter().flat_map(Output::documents).collect();
    let text = plumb::print::yaml(documents.iter().copied());
    let items = source_map(&documents, &text, &output, overlay);
    (String::from_utf8_lossy(&text).into_owned(), items)
}

/// Whether an output file comes from an input.
pub(crate) fn is_from(file: &OutputFile, path: &Path, output: &Output) -> bool {
    match &file.content {
        Content::Text(_) => path.ends_with(&file.path),
        Content::Yaml(documents) => documents.iter().any(|document| {
            let span = document.origin.span();
            span.is_some_and(|it| output.path(it.file).as_deref() == Some(path))
        }),
    }
}

/// Reads the printed text again, and goes through it and the documents together.
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
    /// Adds the items of a node. Returns where the last of them ends in the output.
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
