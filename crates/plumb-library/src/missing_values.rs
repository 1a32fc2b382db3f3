//! Finds all data values that a file refers to but that do not exist.
//!
//! Evaluation stops at the first missing value, because its result may determine what runs next, as
//! in the condition of an `if`. The other missing values are found by searching the code.

use std::collections::{HashMap, HashSet};

use plumb_diagnostic::{Diagnostic, Failure, FramePlace};
use plumb_source::{FileId, Sources, Span};
use plumb_starlark::outline::{Name, Outline, VariableKind, Word, WordKind};
use plumb_template::{Raised, missing_value};
use plumb_value::Node;

/// Adds the other missing data values of a file to its failure, if one of them caused it. A name
/// that also occurs as a string in the file is left out: `hasattr` may check for it.
pub(crate) fn completed(
    failure: Failure,
    file: FileId,
    outline: impl FnOnce() -> Outline,
    values: &Node,
    sources: &Sources,
) -> Failure {
    let known: HashSet<u32> = failure.findings().iter().filter_map(|it| place(it, file)).collect();
    if known.is_empty() {
        return failure;
    }
    let outline = outline();
    let source = sources.get(file);
    let words: Vec<Word> =
        outline.words.iter().filter(|it| it.span.file == file).copied().collect();
    let search = Search { outline: &outline, words: &words, text: source.bytes(), values };
    let mut found = search.missing();
    found.retain(|it| place_of_label(it).is_none_or(|start| !known.contains(&start)));
    failure.rearranged(|findings| findings.into_iter().chain(found).collect())
}

/// The position of a finding about a missing data value in a file.
fn place(finding: &Diagnostic, file: FileId) -> Option<u32> {
    let raised = finding.facts.as_ref()?.get::<Raised>()?;
    let frame = finding.trace.iter().flatten().find_map(|it| match it.place {
        FramePlace::Source(span) => Some(span),
        _ => None,
    });
    frame.filter(|it| raised.is_about_data_value && it.file == file).map(|it| it.start)
}

fn place_of_label(finding: &Diagnostic) -> Option<u32> {
    finding.labels.first().map(|it| it.span.start)
}

struct Search<'a> {
    outline: &'a Outline,
    /// The words of the file, in their order.
    words: &'a [Word],
    text: &'a [u8],
    values: &'a Node,
}

impl Search<'_> {
    fn missing(&self) -> Vec<Diagnostic> {
        let strings: HashSet<&[u8]> = self
            .words
            .iter()
            .filter(|it| it.kind == WordKind::String)
            .map(|it| self.slice(it.span).trim_ascii())
            .map(|it| it.get(1..it.len().saturating_sub(1)).unwrap_or_default())
            .collect();
        let positions: HashMap<u32, usize> =
            self.words.iter().enumerate().map(|(at, it)| (it.span.start, at)).collect();
        let names = self.outline.names.iter().filter(|it| self.is_data(it));
        let starts = names.filter_map(|it| positions.get(&it.span.start));
        starts.filter_map(|at| self.missing_after(*at, &strings)).collect()
    }

    /// Whether a name is the module `data`.
    fn is_data(&self, name: &Name) -> bool {
        let VariableKind::Loaded(load, at) = self.outline.variables[name.variable].kind else {
            return false;
        };
        let load = &self.outline.loads[load];
        !name.is_definition && load.module == "@ytt:data" && load.names[at].name == "data"
    }

    /// The missing data value after the name at an index.
    fn missing_after(&self, at: usize, strings: &HashSet<&[u8]>) -> Option<Diagnostic> {
        let mut parts = self.words[at + 1..].chunks_exact(2).take_while(|it| {
            it[0].kind == WordKind::Dot
                && it[1].kind == WordKind::Name
                && it[0].span.end == it[1].span.start
        });
        parts.next().filter(|it| self.slice(it[1].span) == b"values")?;
        let mut here = self.values;
        let mut is_nested = false;
        for part in parts {
            let name = std::str::from_utf8(self.slice(part[1].span)).ok()?;
            let Node::Map(map) = here else { return None };
            match map.get_str(name) {
                Some(value) => here = value,
                None if strings.contains(name.as_bytes()) => return None,
                None => {
                    let dot = part[0].span;
                    let place = Span { end: dot.start, ..dot };
                    return Some(missing_value(name, map, is_nested, place));
                }
            }
            is_nested = true;
        }
        None
    }

    fn slice(&self, span: Span) -> &[u8] {
        self.text.get(span.start as usize..span.end as usize).unwrap_or_default()
    }
}
