//! The findings of all targets: each finding once, with the targets that it concerns.

use std::collections::HashMap;
use std::path::Path;

use plumb::{Diagnostic, Sources};
use plumb_diagnostic::{Code, Severity};
use plumb_source::message::plain;
use plumb_source::{FileId, PATH_HELP, Span, WorldError, lexical, message};

use crate::{Ending, Finished, Project, Target};

/// A target was not built, because it reads the output of a target that failed.
///
/// Correct the target that failed first. The output of this target is unchanged.
pub(crate) const NOT_BUILT: Code = Code::new("project/not-built");

/// The warnings and errors of all targets, in the order of targets. A finding that several targets
/// have is reported once, with the names of all of them.
pub fn findings<'f>(
    project: &Project,
    finished: impl IntoIterator<Item = &'f Finished>,
    sources: &Sources,
) -> Vec<Diagnostic> {
    let mut merged = Merged::default();
    for run in finished {
        let target = &project.targets[run.target];
        for warning in &run.warnings {
            merged.add(warning, target, sources);
        }
        match &run.ending {
            Ending::Done(_) | Ending::Refused => {}
            Ending::Failed(failure) => {
                for finding in failure.findings() {
                    merged.add(finding, target, sources);
                }
            }
            Ending::NotRun(failed) => {
                merged.add(&not_built(project, run.target, failed), target, sources);
            }
        }
    }
    merged.findings
}

fn not_built(project: &Project, target: usize, failed: &[usize]) -> Diagnostic {
    let target = &project.targets[target];
    let failed: Vec<&str> = failed.iter().map(|&at| project.targets[at].name.as_str()).collect();
    let message = message!(
        "the target `{}` was not built: it reads the output of {}, which failed",
        plain(&target.name),
        plain(failed.join(" and "))
    );
    Diagnostic::error(NOT_BUILT, message).at(target.place, "")
}

#[derive(Default)]
struct Merged {
    findings: Vec<Diagnostic>,
    known: HashMap<Identity, usize>,
}

/// The identity of a finding: everything that a reader sees.
type Identity = (Code, bool, String, Vec<SourceRange>, Option<String>);

/// A file, or the description of another text, and a range in it.
type SourceRange = (Option<FileId>, String, u32, u32);

impl Merged {
    fn add(&mut self, finding: &Diagnostic, target: &Target, sources: &Sources) {
        let at = *self.known.entry(identity(finding, sources)).or_insert_with(|| {
            self.findings.push(in_project(finding.clone(), target));
            self.findings.len() - 1
        });
        let targets = &mut self.findings[at].targets;
        if targets.last().is_none_or(|it| *it != target.name) {
            targets.push(target.name.clone());
        }
    }
}

/// Adapts a finding for readers of the project file: a path that does not exist is shown where the
/// project file names it, and a finding without a place is shown at the target.
fn in_project(mut finding: Diagnostic, target: &Target) -> Diagnostic {
    let error = finding.facts.as_ref().and_then(|it| it.get::<WorldError>());
    let missing = error.map(|it| lexical::clean(Path::new(&it.subject)));
    let read = target.reads.iter().find(|it| Some(lexical::clean(&it.path)) == missing);
    let Some(read) = read else {
        let has_place = !finding.labels.is_empty() || finding.trace.is_some();
        return if has_place { finding } else { finding.at(target.place, "") };
    };
    finding.labels.clear();
    for help in &mut finding.help {
        if help.shown() == PATH_HELP {
            *help = "paths start from the directory of the project file".into();
        }
    }
    finding.at(read.place, "")
}

fn identity(finding: &Diagnostic, sources: &Sources) -> Identity {
    // The argument of a flag is a separate source in each target.
    let place = |span: Span| {
        let source = sources.get(span.file);
        match source.path() {
            Some(_) => (Some(span.file), String::new(), span.start, span.end),
            None => (None, source.location().into_owned(), span.start, span.end),
        }
    };
    let labels = finding.labels.iter().map(|it| place(it.span)).collect();
    let subject = finding.subject.as_ref().map(|it| it.path.clone());
    let is_error = finding.severity == Severity::Error;
    (finding.code, is_error, finding.message.shown().to_owned(), labels, subject)
}
