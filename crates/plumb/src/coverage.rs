//! Coverage: the lines, branches, functions, overlay operations and rules of templates that were
//! used.

use std::collections::BTreeMap;
use std::path::PathBuf;

use plumb_source::{FileId, Sources, Span};
use plumb_starlark::PointKind;
use plumb_template::Coverage;

/// The counts of one file.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct FileCoverage {
    /// The path of the file on disk.
    pub path: PathBuf,
    /// How often each line was evaluated, by its number. Lines without code or nodes are missing.
    pub lines: BTreeMap<u32, u32>,
    /// How often each branch was taken, by the line of its condition and its number.
    pub branches: BTreeMap<(u32, u32), u32>,
    /// How often each function was called, by its line and name.
    pub functions: BTreeMap<(u32, String), u32>,
    /// How often each overlay annotation was applied, by its line and name.
    pub operations: BTreeMap<(u32, String), u32>,
    /// How often the rules of each annotation were satisfied, and broken, by its line.
    pub rules: BTreeMap<u32, (u32, u32)>,
}

/// The coverage of all files that were compiled, in the order of their paths.
pub(crate) fn files(coverage: &Coverage, sources: &Sources) -> Vec<FileCoverage> {
    let mut files = Files { sources, by_path: BTreeMap::new() };
    for part in coverage.parts() {
        let count = part.point.count();
        // The contents of an overlay operation are used if the operation was applied.
        let has_effect = part.operation.as_ref().is_none_or(|it| it.n_held() > 0);
        for place in &part.places {
            let Some((file, line)) = files.at(*place) else { continue };
            let known = file.lines.entry(line).or_default();
            *known = (*known).max(if has_effect { count } else { 0 });
        }
        let Some((file, line)) = part.point.span.and_then(|it| files.at(it)) else { continue };
        match &part.point.kind {
            PointKind::Statement | PointKind::Instruction(_) => {}
            PointKind::Branch(number) => {
                *file.branches.entry((line, *number)).or_default() += count;
            }
            PointKind::Function(name) => {
                let name = name.to_str_lossy().into_owned();
                *file.functions.entry((line, name)).or_default() += count;
            }
        }
    }
    for annotation in coverage.annotations() {
        let Some((file, line)) = files.at(annotation.place) else { continue };
        let (n_held, n_broken) = (annotation.uses.n_held(), annotation.uses.n_broken());
        // The line is used if it had an effect, not only if it was evaluated.
        file.lines.insert(line, n_held + n_broken);
        if annotation.name.starts_with("overlay/") {
            *file.operations.entry((line, annotation.name.to_string())).or_default() += n_held;
        } else {
            let counts = file.rules.entry(line).or_default();
            *counts = (counts.0 + n_held, counts.1 + n_broken);
        }
    }
    files.by_path.into_values().collect()
}

struct Files<'a> {
    sources: &'a Sources,
    by_path: BTreeMap<PathBuf, FileCoverage>,
}

impl Files<'_> {
    /// The file and the line of a place. Returns `None` for a text that is not a file.
    fn at(&mut self, place: Span) -> Option<(&mut FileCoverage, u32)> {
        let file: FileId = place.file;
        let source = self.sources.get(file);
        let path = source.path()?.to_owned();
        let line = source.line(place.start);
        let new = || FileCoverage { path: path.clone(), ..FileCoverage::default() };
        Some((self.by_path.entry(path.clone()).or_insert_with(new), line))
    }
}
