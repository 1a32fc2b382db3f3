//! The activity during which something failed, as the beginning of an error.

use plumb_diagnostic::Facts;
use plumb_library::activity::{Activity as LibraryActivity, GivenBy, Order, TemplateKind};
use plumb_overlay::{Activity as OverlayActivity, OverlayItem, OverlayItemKind};
use plumb_source::message::plain;
use plumb_source::{Message, Sources, lexical, message};
use plumb_template::ReadComment;
use plumb_validation::report::Validated;

use crate::words::place;

/// Returns the words for an activity, up to the beginning of the next activity or of the message.
/// Empty if ytt does not mention the activity.
pub(crate) fn words(activity: &Facts, sources: &Sources) -> Message {
    let words = if let Some(activity) = activity.get::<LibraryActivity>() {
        of_library(activity)
    } else if let Some(activity) = activity.get::<OverlayActivity>() {
        of_overlay(activity, sources)
    } else if let Some(ReadComment(comment)) = activity.get() {
        let line = sources.get(comment.span.file).line(comment.span.start);
        message!("Failed to parse line {line}: '#{}'", plain(&comment.text))
    } else if let Some(validated) = activity.get() {
        // The blocks of violations begin on the next line.
        return message!("{}:\n", of_validation(*validated));
    } else {
        return Message::new();
    };
    message!("{words}: ")
}

/// Returns the words for an activity of the library stage.
pub(crate) fn of_call(activity: &LibraryActivity) -> Message {
    message!("{}: ", of_library(activity))
}

fn of_library(activity: &LibraryActivity) -> Message {
    match activity {
        LibraryActivity::CheckFile(path) => {
            message!("Checking file '{}'", plain(lexical::one_line(path)))
        }
        LibraryActivity::CheckSymlink(path) => {
            message!("Checking symlink file '{}'", plain(lexical::one_line(path)))
        }
        LibraryActivity::ListFiles(path) => {
            message!("Listing files '{}'", plain(lexical::one_line(path)))
        }
        LibraryActivity::ReadValues(GivenBy::File) => "Extracting data value from file".into(),
        LibraryActivity::ReadValues(GivenBy::Pair) => "Extracting data value from KV".into(),
        LibraryActivity::ReadValues(GivenBy::Variables(prefix)) => {
            message!("Extracting data values from env under prefix '{}'", plain(prefix))
        }
        LibraryActivity::FindValuesFiles(path) => {
            message!("Find files '{}'", plain(lexical::one_line(path)))
        }
        LibraryActivity::FindValueFile(path) => {
            message!("Finding file '{}'", plain(lexical::one_line(path)))
        }
        LibraryActivity::ReadFile(path) => {
            message!("Reading file '{}'", plain(lexical::one_line(path)))
        }
        LibraryActivity::ParseValuesFile(path) => {
            message!("Unmarshaling YAML data values file '{}'", plain(lexical::one_line(path)))
        }
        LibraryActivity::CheckValuesFile(path) => {
            message!("Checking data values file '{}'", plain(lexical::one_line(path)))
        }
        LibraryActivity::ReadVariable(name) => {
            message!("Extracting data value from env variable '{}'", plain(name))
        }
        LibraryActivity::ReadValueOf(key) => {
            message!("Deserializing value for key '{}'", plain(key))
        }
        LibraryActivity::ParseValue => "Deserializing YAML value".into(),
        LibraryActivity::ParseTemplate(path) => {
            message!("Unmarshaling YAML template '{}'", plain(lexical::one_line(path)))
        }
        LibraryActivity::Compile(kind, path) => {
            let compiling = match kind {
                TemplateKind::Yaml => "Compiling YAML template",
                TemplateKind::Text => "Parsing text template",
                TemplateKind::Code => "Parsing",
            };
            message!("{compiling} '{}'", plain(lexical::one_line(path)))
        }
        LibraryActivity::Evaluate(kind) => match kind {
            TemplateKind::Yaml => "Evaluating YAML template",
            TemplateKind::Text => "Evaluating text template",
            TemplateKind::Code => "Evaluating starlark template",
        }
        .into(),
        LibraryActivity::EvaluateDeclaring(path) => {
            message!("Templating file '{}'", plain(lexical::one_line(path)))
        }
        LibraryActivity::MergeSchemas(order) => message!(
            "Overlaying data values schema (in following order: {})",
            plain(listed(order, "additional data value schema"))
        ),
        LibraryActivity::MergeValues(order) => message!(
            "Overlaying data values (in following order: {})",
            plain(listed(order, "additional data values"))
        ),
        LibraryActivity::EvaluateLibrary(name) => message!("Evaluating library '{}'", plain(name)),
        LibraryActivity::ExportFromLibrary(name) => {
            message!("Exporting from library '{}'", plain(name))
        }
        LibraryActivity::Print => "Marshaling combined template result".into(),
    }
}

fn listed(order: &Order, more: &str) -> String {
    let files = order.files.iter().map(String::as_str);
    files.chain(order.has_more.then_some(more)).collect::<Vec<_>>().join(", ")
}

fn of_validation(validated: Validated) -> &'static str {
    match validated {
        Validated::DataValues => "Validating final data values",
        Validated::Output => "Validating output documents",
        Validated::Value => "Validating",
    }
}

fn of_overlay(activity: &OverlayActivity, sources: &Sources) -> Message {
    match activity {
        OverlayActivity::Apply { files } => {
            message!("Overlaying (in following order: {})", plain(files.join(", ")))
        }
        OverlayActivity::Merge(OverlayItem { kind, origin }) => {
            let line = plain(place(origin.span(), sources));
            match kind {
                OverlayItemKind::Document => message!("Document on line {line}"),
                OverlayItemKind::MapItem(name) => {
                    message!("Map item (key '{}') on line {line}", name.key_words())
                }
                OverlayItemKind::ArrayItem => message!("Array item on line {line}"),
            }
        }
    }
}
