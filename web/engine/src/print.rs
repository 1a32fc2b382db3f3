//! Prints the input or output of a target, as the flags for output and inspection do.

use plumb::document::{Array, ArrayItem, Node, Origin};
use plumb::print::{self, Format, Style};
use plumb::{CrdNames, Document, DroppedNulls, Outcome, SchemaLanguage};
use plumb_project::Work;
use serde_json::{Value, json};

use crate::answer::{self, Found};
use crate::project::Opened;

/// The output that is requested.
pub(crate) enum Wanted {
    Output,
    DataValues,
    /// The paths of the files that a run reads.
    Files,
    Schema(SchemaLanguage),
}

impl Wanted {
    /// Reads a word of a request. Returns `None` if it is unknown.
    pub(crate) fn of_word(word: &str) -> Option<Self> {
        match word {
            "output" => Some(Self::Output),
            "data-values" => Some(Self::DataValues),
            "files" => Some(Self::Files),
            "openapi-v3" => Some(Self::Schema(SchemaLanguage::OpenApi)),
            "json-schema" => Some(Self::Schema(SchemaLanguage::JsonSchema)),
            "crd" => {
                let names = CrdNames::new(None, None, None, None);
                let names = names.expect("names that are not given are valid");
                Some(Self::Schema(SchemaLanguage::Crd(names, DroppedNulls::Warn)))
            }
            _ => None,
        }
    }
}

/// Reads the format of a request. Returns `None` if it is unknown.
pub(crate) fn format(word: &str) -> Option<Format> {
    match word {
        "yaml" => Some(Format::Yaml),
        "json" => Some(Format::Json),
        "pos" => Some(Format::Positions),
        _ => None,
    }
}

/// The text, and the report. Virtual machines have neither output nor data values.
pub(crate) fn answer(opened: &Opened, wanted: &Wanted, format: Format) -> Value {
    let Work::Render(render) = opened.work() else {
        return json!({ "text": null, "report": Found::default().report() });
    };
    let (world, options) = (&opened.world, &render.options);
    match wanted {
        Wanted::Output => {
            let outcome = plumb::render(world, options);
            printed(outcome, format, |it| it.documents().collect())
        }
        Wanted::DataValues => {
            printed(plumb::shown_data_values(world, options), format, |it| vec![it])
        }
        Wanted::Schema(language) => {
            printed(plumb::schema(world, options, language), format, |it| vec![it])
        }
        Wanted::Files => {
            let outcome = plumb::input_files(world, options).map(list);
            printed(outcome, format, |it| vec![it])
        }
    }
}

fn list(paths: Vec<String>) -> Document {
    let item = |it: String| ArrayItem::new(it.as_str().into(), Origin::Unknown);
    let items = paths.into_iter().map(item).collect();
    Document::new(Node::array(Array::new(items, Origin::Unknown)), Origin::Unknown)
}

/// Prints the documents of a result in one stream.
fn printed<T>(
    outcome: Outcome<T>,
    format: Format,
    documents: impl FnOnce(&T) -> Vec<&Document>,
) -> Value {
    let style = Style::new().format(format);
    let (mut found, result) = Found::of(outcome);
    let stream = result.and_then(|it| {
        let stream = print::stream(documents(&it), style, &found.sources);
        found.keep(stream)
    });
    let text = stream.map(|mut it| {
        found.findings.append(&mut it.warnings);
        answer::text(&it.bytes)
    });
    json!({ "text": text, "report": found.report() })
}
