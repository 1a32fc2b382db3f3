//! Inlay hints: the rendered values of computed items.

use std::path::Path;

use plumb_value::{Meta, Node};

use crate::TextRange;
use crate::file::File;
use crate::knowledge::{Knowledge, shown};

/// The maximum number of characters of a hint.
const MAX_LENGTH: usize = 40;

/// The maximum number of values that a hint shows.
const MAX_VALUES: usize = 3;

/// A text that an editor shows inside a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hint {
    /// Where it is shown.
    pub offset: u32,
    pub label: String,
}

/// The values of a computed item, each with the targets that have it.
pub(crate) struct Computed<'a> {
    pub(crate) values: Vec<(String, Vec<&'a str>)>,
}

/// The hints of the items that begin in a range.
pub(crate) fn hints(
    file: &File,
    path: &Path,
    range: &TextRange,
    knowledge: &Knowledge,
) -> Vec<Hint> {
    let computed: Vec<TextRange> =
        computed_items(file).into_iter().filter(|it| range.contains(&it.start)).collect();
    if computed.is_empty() {
        return Vec::new();
    }
    let rendered = Rendered::of(file, path, knowledge);
    let hint = |item: &TextRange| {
        let values = rendered.values(item.start);
        let label = label(&values)?;
        let end = file.line_end(item.start);
        Some(Hint { offset: end, label })
    };
    computed.iter().filter_map(hint).collect()
}

/// The rendered value of the computed item on a line, in each target. Returns `None` if nothing on
/// the line is computed.
pub(crate) fn computed_at<'k>(
    file: &File,
    path: &Path,
    offset: u32,
    knowledge: &'k Knowledge,
) -> Option<(TextRange, Computed<'k>)> {
    let line = file.line_start(offset)..file.line_end(offset) + 1;
    let item = computed_items(file).into_iter().find(|it| line.contains(&it.start))?;
    let computed = Rendered::of(file, path, knowledge).values(item.start);
    (!computed.values.is_empty()).then_some((item, computed))
}

fn label(computed: &Computed<'_>) -> Option<String> {
    let mut values: Vec<String> = Vec::new();
    for (value, _) in &computed.values {
        if values.len() == MAX_VALUES {
            values.push("…".to_owned());
            break;
        }
        values.push(short(value));
    }
    (!values.is_empty()).then(|| format!("= {}", values.join(" | ")))
}

/// A value on one line, and not too long.
fn short(value: &str) -> String {
    let mut lines = value.lines();
    let first = lines.next().unwrap_or_default();
    let mut text: String = first.chars().take(MAX_LENGTH).collect();
    if lines.next().is_some() || text.len() < first.len() {
        text.push('…');
    }
    text
}

/// The items of a file whose values are computed.
fn computed_items(file: &File) -> Vec<TextRange> {
    let mut found = Vec::new();
    for document in file.documents.iter().filter(|it| !it.is_injected) {
        add_computed(file, &document.node, &mut found);
    }
    found
}

fn add_computed(file: &File, node: &Node, found: &mut Vec<TextRange>) {
    let mut add = |origin: plumb_source::Origin, meta: &Meta, node: &Node| {
        let Some(span) = origin.span().filter(|it| it.file == file.id) else { return };
        let is_value = meta.comments().iter().any(|it| it.is_inline && is_value(file, it.span));
        let is_templated = node.as_str().is_some_and(|it| it.contains("(@"));
        if is_value || is_templated {
            found.push(span.start..span.end);
        }
        add_computed(file, node, found);
    };
    match node {
        Node::Map(map) => map.items().iter().for_each(|it| add(it.origin, &it.meta, &it.node)),
        Node::Array(array) => array.items.iter().for_each(|it| add(it.origin, &it.meta, &it.node)),
        _ => {}
    }
}

fn is_value(file: &File, span: plumb_source::Span) -> bool {
    file.slice(span).starts_with("#@ ")
}

/// The values of the items of a file in each target.
struct Rendered<'k> {
    /// Texts that are not shown.
    secrets: Vec<String>,
    targets: Vec<(&'k str, Vec<crate::rendered::Item<'k>>)>,
}

impl<'k> Rendered<'k> {
    fn of(file: &File, path: &Path, knowledge: &'k Knowledge) -> Self {
        let targets = knowledge.targets.iter().filter_map(|target| {
            let output = target.output.as_ref()?;
            let mut items = output.items(path, &file.text);
            items.sort_by_key(|it| it.range.start);
            Some((target.name.as_str(), items))
        });
        Self { secrets: knowledge.secrets(), targets: targets.collect() }
    }

    fn masked(&self, value: String) -> String {
        let is_secret = self.secrets.iter().any(|it| value.contains(it.as_str()));
        if is_secret { "***".to_owned() } else { value }
    }

    /// The different values of the item at an offset.
    fn values(&self, start: u32) -> Computed<'k> {
        let mut values: Vec<(String, Vec<&'k str>)> = Vec::new();
        for (name, items) in &self.targets {
            let first = items.partition_point(|it| it.range.start < start);
            let same = items[first..].iter().take_while(|it| it.range.start == start);
            for item in same.take(MAX_VALUES + 1) {
                let value = self.masked(shown(item.node));
                match values.iter_mut().find(|it| it.0 == value) {
                    Some(known) if known.1.contains(name) => {}
                    Some(known) => known.1.push(name),
                    None => values.push((value, vec![name])),
                }
            }
        }
        Computed { values }
    }
}
