//! The requests of JavaScript about templates and virtual machines.

use std::sync::Arc;

use plumb::print::Flavour;
use plumb::{Options, Outcome, World};
use plumb_project::Work;
use serde_json::json;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::answer::{self, Found};
use crate::print::{self, Wanted};
use crate::request::Request;
use crate::{answer_with, machines, project, render};

/// Runs a target: the output with its source map, data values, the form for them, and the report. A
/// target that checks virtual machines has a verdict instead of output.
#[wasm_bindgen(js_name = render)]
pub fn render_target(request: &str) -> String {
    answer_with(request, |opened| match opened.work() {
        Work::Render(_) => render::answer(&opened),
        Work::Machines(options) => machines::answer(&opened, options),
    })
}

/// Only the report of a target.
#[wasm_bindgen]
pub fn check(request: &str) -> String {
    answer_with(request, |opened| match opened.work() {
        Work::Render(_) => json!({ "report": render::report(&opened) }),
        Work::Machines(options) => {
            json!({ "report": machines::answer(&opened, options)["report"] })
        }
    })
}

/// The input or output of a target as text: `output`, `data-values`, `files`, or the schema of the
/// data values as `openapi-v3`, `json-schema` or `crd`; each as `yaml`, `json` or `pos`.
#[wasm_bindgen(js_name = print)]
pub fn print_target(request: &str, wanted: &str, format: &str) -> String {
    match (Wanted::of_word(wanted), print::format(format)) {
        (Some(wanted), Some(format)) => {
            answer_with(request, |opened| print::answer(&opened, &wanted, format))
        }
        _ => json!({ "misuse": format!("cannot print `{wanted}` as `{format}`") }).to_string(),
    }
}

/// A YAML file in the usual layout, as `plumb fmt` writes it.
#[wasm_bindgen]
pub fn format(path: &str, text: &str) -> String {
    let world: Arc<dyn World> = Arc::new(plumb::world::MemoryWorld::new());
    let options = Options::new().file(path, text);
    let Outcome { sources, warnings, result, .. } = plumb::format(&world, &options, Flavour::Plumb);
    let mut found = Found { sources, findings: warnings };
    let formatted = found.keep(result).and_then(|it| it.into_iter().next());
    let formatted = formatted.and_then(|it| found.keep(it.text));
    let new = formatted.map(|it| answer::text(&it.new));
    json!({ "text": new, "report": found.report() }).to_string()
}

/// The page of the manual about the code of a finding, in Markdown.
#[wasm_bindgen]
pub fn explain(code: &str) -> Option<String> {
    plumb_report::page(code).map(str::to_owned)
}

/// The text of the project file that describes a target, for the language server.
#[wasm_bindgen(js_name = projectFile)]
pub fn project_file(request: &str) -> String {
    match Request::read(request) {
        Ok(request) => project::text(&request).into_owned(),
        Err(error) => error,
    }
}
