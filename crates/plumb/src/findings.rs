//! The findings of a run as they are reported: each once, in the order of files and places.

use std::collections::{HashMap, HashSet};
use std::path::PathBuf;
use std::sync::Arc;

use plumb_diagnostic::{Code, Diagnostic, Failure, Frame, FramePlace};
use plumb_library::Tree;
use plumb_source::{FileId, Sources, Span};

/// Sorts the findings of a failure into the order in which they are reported: those without a place
/// come first, then those in flags and similar sources, then those in files, in the order of input.
/// The failure that occurred first does not change.
pub(crate) fn in_order(failure: Failure, tree: &Arc<Tree>, sources: &Arc<Sources>) -> Failure {
    let (tree, sources) = (Arc::clone(tree), Arc::clone(sources));
    failure.rearranged_later(move |mut findings| {
        if findings.len() < 2 {
            return findings;
        }
        let files = tree.files().iter().enumerate();
        let rank: HashMap<&str, usize> = files.map(|(at, file)| (file.path(), at)).collect();
        let mut seen = HashSet::new();
        // Each wrong value is a separate finding, even if one line contains several of them.
        let is_new = findings.iter().map(|it| it.subject.is_some() || seen.insert(identity(it)));
        let is_new: Vec<bool> = is_new.collect();
        let mut is_new = is_new.into_iter();
        findings.retain(|_| is_new.next().unwrap_or(true));
        findings.sort_by_cached_key(|it| place(it).map(|span| position(span, &rank, &sources)));
        findings
    })
}

/// Drops warnings that an error at the same place repeats: the warning about a key that templates
/// cannot refer to, in a run in which a template refers to it.
pub(crate) fn drop_repeated(warnings: &mut Vec<Diagnostic>, failure: &Failure) {
    if !warnings.iter().any(|it| it.code == plumb_schema::KEY_TYPE) {
        return;
    }
    let errors = failure.findings().iter().filter(|it| it.code == plumb_library::KEY_TYPE);
    let places: HashSet<Span> = errors.filter_map(place).collect();
    warnings.retain(|it| {
        it.code != plumb_schema::KEY_TYPE || place(it).is_none_or(|it| !places.contains(&it))
    });
}

/// The position of a place: the rank of its file, the file itself if it has no rank, line and
/// offset.
type Position = (Option<usize>, Option<(PathBuf, FileId)>, u32, u32);

fn position(span: Span, rank: &HashMap<&str, usize>, sources: &Sources) -> Position {
    let source = sources.get(span.file);
    let rank = rank.get(source.name()).copied();
    let file = if rank.is_none() { Some(sources.sort_key(span.file)) } else { None };
    (rank, file, source.line(span.start), span.start)
}

/// Returns the place that the reader should look at first.
fn place(finding: &Diagnostic) -> Option<Span> {
    let label = finding.labels.first().map(|it| it.span);
    label.or_else(|| finding.trace.iter().flatten().find_map(frame_place))
}

fn frame_place(frame: &Frame) -> Option<Span> {
    match frame.place {
        FramePlace::Source(span) => Some(span),
        FramePlace::Generated { before, after, .. } => before.or(after),
        FramePlace::Unavailable(_) | FramePlace::Unknown => None,
    }
}

/// Identifies a finding: two findings with the same identity are one. A file with a mistake may be
/// loaded by many others. Calls are included up to the top level of a file, because one function
/// may be called wrongly in several places.
fn identity(finding: &Diagnostic) -> (Code, &str, Vec<Span>) {
    let labels = finding.labels.iter().map(|it| it.span);
    let trace = finding.trace.as_deref().unwrap_or_default();
    let is_outermost = |it: &Frame| it.function.as_deref().is_none_or(|it| it == "<toplevel>");
    let n_calls = trace.iter().position(is_outermost).map_or(trace.len(), |at| at + 1);
    let calls = trace[..n_calls].iter().filter_map(frame_place);
    (finding.code, finding.message.shown(), labels.chain(calls).collect())
}
