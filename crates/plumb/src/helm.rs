//! Imports Helm charts.

use std::path::Path;
use std::sync::Arc;

use plumb_diagnostic::{Diagnostic, Failure};
use plumb_import::{Chart, HelmOutput, NO_CHART};
use plumb_library::InputFile;
use plumb_source::message::plain;
use plumb_source::{Sources, World, message, on_deep_stack};
use plumb_value::Document;
use plumb_yaml::ReadOptions;

pub use plumb_import::HelmImport;

use crate::render::find_inputs;
use crate::{Input, Options, Outcome};

/// The file that identifies a directory as a chart.
const ABOUT: &str = "Chart.yaml";

/// The extensions of packed charts.
const ARCHIVES: [&str; 2] = [".tgz", ".tar.gz"];

/// The chart to import, and the output of Helm for it.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct HelmChoice {
    /// The file with the output of `helm template`. `-` is standard input.
    pub rendered: Option<String>,
    /// The name of the release. Default: the name in the labels of the output.
    pub release: Option<String>,
}

impl HelmChoice {
    /// Imports only the chart, without output of Helm.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the file with the output of `helm template`. `-` is standard input.
    #[must_use]
    pub fn rendered(mut self, path: impl Into<String>) -> Self {
        self.rendered = Some(path.into());
        self
    }

    /// Sets the name of the release.
    #[must_use]
    pub fn release(mut self, name: impl Into<String>) -> Self {
        self.release = Some(name.into());
        self
    }
}

/// Converts a Helm chart to a schema of data values, and the output of Helm to templates. The input
/// is the directory of the chart.
///
/// The files are returned, not written.
pub fn import_helm(
    world: &Arc<dyn World>,
    options: &Options,
    choice: &HelmChoice,
) -> Outcome<HelmImport> {
    on_deep_stack(|| {
        let mut outcome = Outcome::new(options.session.as_ref());
        outcome.result = import(world, options, choice, &mut outcome);
        outcome
    })
}

fn import(
    world: &Arc<dyn World>,
    options: &Options,
    choice: &HelmChoice,
    outcome: &mut Outcome<HelmImport>,
) -> Result<HelmImport, Failure> {
    if options.input_paths().any(|it| Path::new(it).ends_with(ABOUT)) {
        let message = message!("expected the directory of a chart, found its `{ABOUT}`");
        let finding = Diagnostic::error(NO_CHART, message);
        return Err(finding.help("name the directory that contains the file").into());
    }
    let tree = find_inputs(world, options, outcome)?;
    let reader = Reader { world: &**world, options, sources: &outcome.sources };
    let chart = reader.chart(tree.files())?;
    let output = match &choice.rendered {
        None => None,
        Some(path) => {
            let given = Options { inputs: vec![Input::Path(path.clone())], ..options.clone() };
            let mut search: Outcome<()> = Outcome::new(None);
            let rendered = find_inputs(world, &given, &mut search)?;
            let mut documents = Vec::new();
            for file in rendered.files() {
                documents.extend(reader.documents(file)?.0);
            }
            Some(HelmOutput { documents, release: choice.release.clone() })
        }
    };
    plumb_import::helm(&chart, output.as_ref())
}

struct Reader<'a> {
    world: &'a dyn World,
    options: &'a Options,
    sources: &'a Sources,
}

impl Reader<'_> {
    fn chart(&self, files: &[InputFile]) -> Result<Chart, Failure> {
        let file = |path: &str| files.iter().find(|it| it.path() == path);
        let document = |path: &str| -> Result<Option<(Document, String)>, Failure> {
            let Some(file) = file(path) else {
                return Ok(None);
            };
            let (documents, text) = self.documents(file)?;
            Ok(documents.into_iter().next().map(|it| (it, text)))
        };
        let Some((about, _)) = document(ABOUT)? else {
            return Err(not_a_chart(files));
        };
        let is_template = |it: &&InputFile| it.path().starts_with("templates/");
        let mut templates = Vec::new();
        for file in files.iter().filter(is_template) {
            let id = file.source(self.world, self.sources)?;
            let text = String::from_utf8_lossy(self.sources.get(id).bytes()).into_owned();
            templates.push((file.path().to_owned(), text));
        }
        let schema = document("values.schema.json")?.map(|it| it.0);
        Ok(Chart { about, values: document("values.yaml")?, schema, templates })
    }

    /// The documents of a file, and its text.
    fn documents(&self, file: &InputFile) -> Result<(Vec<Document>, String), Failure> {
        let id = file.source(self.world, self.sources)?;
        let source = self.sources.get(id);
        let reading = ReadOptions { surrogates: true, ..self.options.read_options() };
        let documents = plumb_yaml::parse(id, source.bytes(), &reading)?;
        Ok((documents, String::from_utf8_lossy(source.bytes()).into_owned()))
    }
}

fn not_a_chart(files: &[InputFile]) -> Failure {
    let finding = match files {
        [only] if ARCHIVES.iter().any(|it| only.path().ends_with(it)) => {
            let path = plain(only.path());
            Diagnostic::error(
                NO_CHART,
                message!("expected a directory, found the archive `{path}`"),
            )
            .help(message!("unpack it first: tar -xzf {path}"))
        }
        _ => {
            let mut charts = files.iter().filter_map(|it| it.path().strip_suffix("/Chart.yaml"));
            let finding = Diagnostic::error(NO_CHART, "there is no `Chart.yaml` here");
            match charts.next() {
                Some(chart) => finding.help(message!(
                    "name the directory that contains Chart.yaml, such as `{}`",
                    plain(chart)
                )),
                None => finding.help("name the directory of a chart, which contains Chart.yaml"),
            }
        }
    };
    finding.into()
}
