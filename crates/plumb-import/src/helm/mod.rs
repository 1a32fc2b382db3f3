//! Imports a Helm chart: a schema, an empty set of data values, and templates.
//!
//! The schema is created from `values.yaml` and `values.schema.json`. The templates are created
//! from the output of `helm template`: a value in the output becomes an expression only if it
//! certainly comes from one value of the chart. The imported templates render to the documents of
//! that output.

mod describe;
mod infer;
mod name;
mod output;
mod place;
mod release;
mod same;
mod scan;
mod summary;
mod template;
mod unused;
mod values;

use plumb_diagnostic::{Code, Diagnostic, Failure};
use plumb_source::{Message, Origin};
use plumb_value::{Document, Node};

use crate::origin::check_unique;
use output::Output;
use place::Places;
use release::Release;
use scan::Scanned;
use summary::Counts;

/// A directory is not a Helm chart that can be imported.
///
/// A chart is a directory with a file `Chart.yaml`, and usually with `values.yaml` and `templates`.
/// An archive must be unpacked first: `tar -xzf CHART.tgz`.
pub const NO_CHART: Code = Code::new("import/no-chart");

/// A file is not the output of `helm template`.
///
/// Plumb does not run Helm's templates. Render the chart once with Helm, and give the output to
/// Plumb: `helm template NAME CHART > rendered.yaml`.
pub const NOT_RENDERED: Code = Code::new("import/not-rendered");

/// The files of a chart that an import reads.
#[derive(Debug)]
pub struct Chart {
    /// The document of `Chart.yaml`.
    pub about: Document,
    /// The document of `values.yaml`, and its text.
    pub values: Option<(Document, String)>,
    /// The document of `values.schema.json`.
    pub schema: Option<Document>,
    /// The paths and texts of Helm's own templates and helpers.
    pub templates: Vec<(String, String)>,
}

/// The output of Helm for a chart.
#[derive(Debug)]
pub struct HelmOutput {
    pub documents: Vec<Document>,
    /// The name of the release, if the labels of the documents do not show it.
    pub release: Option<String>,
}

/// A chart that was imported.
#[derive(Clone, Debug)]
pub struct HelmImport {
    /// The paths and texts of the files to write: the schema, the values, then the templates.
    pub files: Vec<(String, String)>,
    /// What was imported, and what remains to be done; one line each.
    pub summary: Vec<String>,
}

/// Imports a chart and, if given, the output of Helm for it.
///
/// # Errors
///
/// If the files are not a chart, or if the output is not from Helm.
pub fn helm(chart: &Chart, output: Option<&HelmOutput>) -> Result<HelmImport, Failure> {
    let given = [Some(&chart.about), chart.values.as_ref().map(|it| &it.0), chart.schema.as_ref()];
    for document in given.into_iter().flatten() {
        check_unique(std::slice::from_ref(document))?;
    }
    let Some(name) = text_at(&chart.about.node, &["name"]) else {
        let why = "`Chart.yaml` has no name";
        return Err(no_chart(why.into(), chart.about.origin).into());
    };
    let documents = output.map_or(&[][..], |it| it.documents.as_slice());
    check_unique(documents)?;
    let output_of_helm = Output::of(documents, name);
    if output.is_some() {
        output_of_helm.check()?;
    }
    let release = Release::of(&output_of_helm, output.and_then(|it| it.release.as_deref()));
    let mut schema = values::schema(chart, release.as_ref())?;
    let scanned: Vec<Scanned<'_>> =
        chart.templates.iter().map(|(path, text)| scan::scan(path, text)).collect();
    let defaults = schema.imported.root.default_value();
    let version = text_at(&chart.about.node, &["appVersion"]);
    let mut places = Places::of(&defaults, release.as_ref(), version);
    let mut counts = Counts::default();
    let templates = template::write(&output_of_helm, &scanned, &mut places, &mut counts);
    if output.is_some() {
        counts.unused = unused::mark(&mut schema.imported.root, places.used());
        counts.silent = output_of_helm.silent(&scanned);
    }
    counts.contradictions = schema.contradictions;
    counts.missing = schema.missing;
    let title = format!("the Helm chart {name}");
    let mut files = vec![
        ("schema.yml".to_owned(), crate::write::text(&title, &schema.imported)),
        ("values.yml".to_owned(), VALUES.to_owned()),
    ];
    files.extend(templates);
    Ok(HelmImport { files, summary: counts.lines(output.is_some()) })
}

/// The data values of a chart before any are set.
const VALUES: &str = "\
#! Set here what differs from the defaults in schema.yml, in place of the braces
#@data/values
---
{}
";

fn no_chart(why: Message, origin: Origin) -> Diagnostic {
    let finding = Diagnostic::error(NO_CHART, why).at(origin, "");
    finding.help("name the directory of a chart, which contains Chart.yaml")
}

/// A text at nested keys.
fn text_at<'a>(node: &'a Node, keys: &[&str]) -> Option<&'a str> {
    crate::origin::at(node, keys)?.as_str()
}
