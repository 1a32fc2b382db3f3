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
        for (n, thing, what) in self.to_do().into_iter().filter(|it| it.0 > 0) {
            lines.push(format!("to do: {} {what}", counted(n, thing)));
        }
        if !has_output {
            lines.push(
                "next: helm template NAME CHART > rendered.yaml, then add --rendered rendered.yaml"
                    .to_owned(),
            );
        }
        lines
    }

    /// What the user must look at: how many of which things, and why.
    fn to_do(&self) -> Vec<(usize, &'static str, String)> {
        let missing = format!("must be given in values.yml: {}", listed(&self.missing));
        let silent = format!("printed nothing: {}", listed(&self.silent));
        let unused = format!("that no template uses yet: {}", listed(&self.unused));
        let contradictions =
            format!("that values.schema.json does not accept: {}", listed(&self.contradictions));
        let mut all = vec![
            (self.missing.len(), "value", missing),
            (self.n_unsure, "value", "could come from several data values (`perhaps`)".to_owned()),
            (self.n_hooks, "hook", "of Helm: Plumb does not run hooks".to_owned()),
            (
                self.n_conditions,
                "condition",
                "of Helm's templates, fixed as in the output".to_owned(),
            ),
        ];
        all.extend(Feature::ALL.map(|feature| {
            let n = self.features.get(&feature).copied().unwrap_or_default();
            (n, "template", format!("that {}", feature.words()))
        }));
        all.extend([
            (
                self.n_foreign,
                "document",
                "of other charts, whose values are not imported".to_owned(),
            ),
            (self.silent.len(), "template", silent),
            (self.unused.len(), "value", unused),
            (self.contradictions.len(), "default", contradictions),
        ]);
        all
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
