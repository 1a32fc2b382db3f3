//! Plumb as a KRM function: it reads a `ResourceList` and writes a `ResourceList`, as kustomize and
//! kpt expect.
//!
//! The resources of the list are input files of a run, as plain YAML. The other input files are
//! named in its `functionConfig`: overlays change resources, templates add more, and rules validate
//! all of them. If anything is wrong, nothing is changed, and the findings are the `results`.

mod comments;
mod config;
mod list;
mod results;

use std::sync::Arc;

use plumb_diagnostic::{Diagnostic, Failure};
use plumb_source::{SourceKind, Sources, World};
use plumb_value::Document;
use plumb_yaml::print::{self, Flavour};

use crate::{Content, Input, Options, Stage, render};
use config::Config;
use list::List;

pub use config::WRONG_CONFIG;
pub use list::NO_LIST;

/// The outcome of [`krm`]. Unlike an [`Outcome`](crate::Outcome), it has a list to print even if
/// the function fails: the findings are in it.
#[derive(Debug)]
#[non_exhaustive]
pub struct KrmOutcome {
    /// The list for the caller. `None` if the input was not a list.
    pub printed: Option<Vec<u8>>,
    /// All texts that were read. The spans of findings point into them.
    pub sources: Arc<Sources>,
    /// The findings that do not make the function fail.
    pub warnings: Vec<Diagnostic>,
    /// All findings that make the function fail. `None` if it succeeds.
    pub failure: Option<Failure>,
}

/// Applies the function that a `ResourceList` configures to its resources. `name` is the name of
/// the text in findings.
pub fn krm(world: &Arc<dyn World>, name: &str, bytes: &Arc<[u8]>) -> KrmOutcome {
    let sources = Arc::new(Sources::new());
    let file = sources.add(name, SourceKind::File, Arc::clone(bytes));
    let refused = |failure: Failure| KrmOutcome {
        printed: None,
        sources: Arc::clone(&sources),
        warnings: Vec::new(),
        failure: Some(failure),
    };
    let mut list = match List::read(file, bytes) {
        Ok(list) => list,
        Err(failure) => return refused(failure),
    };
    let options = Config::of(list.function_config(), list.origin()).and_then(|config| {
        let files = config.files(&**world, &sources)?;
        Ok(options(&list, config, files))
    });
    let options = match options {
        Ok(options) => options,
        Err(failure) => {
            let found = results::of_failure(&failure, &list, &sources);
            let printed = Some(printed(&list.with_results(found)));
            return KrmOutcome { printed, ..refused(failure) };
        }
    };
    let outcome = render(world, &options);
    let mut found = results::of_warnings(&outcome.warnings, &list, &outcome.sources);
    let failure = match outcome.result {
        Ok(rendered) => {
            let files = rendered.files.into_iter().filter_map(|file| match file.content {
                Content::Yaml(documents) => Some((file.path, documents)),
                Content::Text(_) => None,
            });
            list.replace_items(files);
            None
        }
        Err(failure) => {
            found.extend(results::of_failure(&failure, &list, &outcome.sources));
            Some(failure)
        }
    };
    debug_assert!(failure.is_some() || outcome.reached == Stage::Render, "nothing ends it early");
    KrmOutcome {
        printed: Some(printed(&list.with_results(found))),
        sources: outcome.sources,
        warnings: outcome.warnings,
        failure,
    }
}

fn options(list: &List, config: Config, mut files: Vec<crate::GivenFile>) -> Options {
    let mut marks = config.marks();
    let items = list.files();
    if !items.is_empty() {
        marks.push(format!("{}/**/*:type=yaml-plain", list::DIRECTORY));
    }
    files.splice(0..0, items);
    Options {
        inputs: files.into_iter().map(Input::File).collect(),
        marks,
        kube_schemas: config.kube_schemas,
        ..Options::default()
    }
}

fn printed(document: &Document) -> Vec<u8> {
    let mut out = Vec::new();
    print::format(std::slice::from_ref(document), Flavour::Plumb, &mut out);
    out
}
