//! The summary of an import.

use std::collections::{BTreeMap, BTreeSet};

use super::scan::Feature;

/// The maximum number of names that a line lists. If there are more, only their number is printed.
const LISTED: usize = 8;

#[derive(Debug, Default)]
pub(crate) struct Counts {
    pub(crate) n_documents: usize,
    /// Values of the output that became expressions.
    pub(crate) n_placed: usize,
    /// Values of the output that could come from several values.
    pub(crate) n_unsure: usize,
    pub(crate) n_hooks: usize,
    /// Documents of other charts.
    pub(crate) n_foreign: usize,
    pub(crate) n_conditions: usize,
    /// The number of templates with each feature.
    pub(crate) features: BTreeMap<Feature, usize>,
    /// Values that no template refers to.
    pub(crate) unused: Vec<String>,
    /// Templates of the chart that printed nothing.
    pub(crate) silent: BTreeSet<String>,
    /// Values without a valid default.
    pub(crate) missing: Vec<String>,
    /// Values that `values.schema.json` does not accept.
    pub(crate) contradictions: Vec<String>,
}

impl Counts {
    pub(crate) fn lines(&self, has_output: bool) -> Vec<String> {
        let mut lines = Vec::new();
        if has_output {
            let documents = counted(self.n_documents, "document");
            let references = counted(self.n_placed, "reference");
            lines.push(format!("imported {documents}, with {references} to data values"));
        } else {
            lines.push("imported the schema only: there is no output of Helm".to_owned());
        }
        let mut to_do = |n: usize, what: String| {
            if n > 0 {
                lines.push(format!("to do: {what}"));
            }
        };
        to_do(
            self.missing.len(),
            format!(
                "{} must be given in values.yml: {}",
                counted(self.missing.len(), "value"),
                listed(&self.missing)
            ),
        );
        to_do(
            self.n_unsure,
            format!(
                "{} could come from several data values (`perhaps`)",
                counted(self.n_unsure, "value")
            ),
        );
        to_do(
            self.n_hooks,
            format!("{} of Helm: Plumb does not run hooks", counted(self.n_hooks, "hook")),
        );
        to_do(
            self.n_conditions,
            format!(
                "{} of Helm's templates, fixed as in the output",
                counted(self.n_conditions, "condition")
            ),
        );
        for feature in Feature::ALL {
            let n = self.features.get(&feature).copied().unwrap_or_default();
            let verb = feature.words();
            to_do(n, format!("{} that {verb}", counted(n, "template")));
        }
        to_do(
            self.n_foreign,
            format!(
                "{} of other charts, whose values are not imported",
                counted(self.n_foreign, "document")
            ),
        );
        to_do(
            self.silent.len(),
            format!(
                "{} printed nothing: {}",
                counted(self.silent.len(), "template"),
                listed(&self.silent)
            ),
        );
        to_do(
            self.unused.len(),
            format!(
                "{} that no template uses yet: {}",
                counted(self.unused.len(), "value"),
                listed(&self.unused)
            ),
        );
        to_do(
            self.contradictions.len(),
            format!(
                "{} that values.schema.json does not accept: {}",
                counted(self.contradictions.len(), "default"),
                listed(&self.contradictions)
            ),
        );
        if !has_output {
            lines.push(
                "next: helm template NAME CHART > rendered.yaml, then add --rendered rendered.yaml"
                    .to_owned(),
            );
        }
        lines
    }
}

fn counted(n: usize, word: &str) -> String {
    format!("{n} {word}{}", if n == 1 { "" } else { "s" })
}

fn listed<'a>(names: impl IntoIterator<Item = &'a String>) -> String {
    let names: Vec<&str> = names.into_iter().map(String::as_str).collect();
    let more = if names.len() > LISTED { ", …" } else { "" };
    format!("{}{more}", names[..names.len().min(LISTED)].join(", "))
}
