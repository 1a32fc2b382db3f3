//! Plumb for JavaScript. Each function takes and returns JSON text; `index.ts` gives them types.
//!
//! A run is described by files and a target, which has the keys of a target in `plumb.yml`. What is
//! wrong with them is in the answer, as the report that `plumb --report=json` writes. Only a bug of
//! ours throws an exception; the instance must not be used after that.

mod answer;
mod form;
mod machines;
mod project;
mod render;
mod request;
mod server;

use std::sync::Arc;

use plumb::print::Flavour;
use plumb::{CrdNames, DroppedNulls, Options, Outcome, SchemaLanguage, World};
use plumb_project::Work;
use serde_json::{Value, json};
use wasm_bindgen::prelude::wasm_bindgen;

pub use server::LanguageServer;

use crate::answer::Found;
use crate::project::Opened;
use crate::request::Request;

/// Prepares the instance: a panic becomes an exception with its message.
#[wasm_bindgen(start)]
pub fn start() {
    std::panic::set_hook(Box::new(|panic| wasm_bindgen::throw_str(&panic.to_string())));
}

/// Runs a target: the output with its source map, data values, the form for them, and the report. A
/// target that checks virtual machines has a verdict instead of output.
#[wasm_bindgen]
pub fn render(request: &str) -> String {
    answer_with(request, |opened| match opened.work() {
        Work::Render(_) => render::answer(&opened),
        Work::Machines(options) => machines::answer(&opened, options),
    })
}

/// The report of a target, and nothing else.
#[wasm_bindgen]
pub fn check(request: &str) -> String {
    answer_with(request, |opened| match opened.work() {
        Work::Render(_) => json!({ "report": render::report(&opened) }),
        Work::Machines(options) => {
            json!({ "report": machines::answer(&opened, options)["report"] })
        }
    })
}

/// The schema of the data values in another language: `openapi-v3`, `json-schema` or `crd`.
#[wasm_bindgen(js_name = exportSchema)]
pub fn export_schema(request: &str, language: &str) -> String {
    answer_with(request, |opened| {
        let language = match language {
            "json-schema" => SchemaLanguage::JsonSchema,
            "crd" => match CrdNames::new(None, None, None, None) {
                Ok(names) => SchemaLanguage::Crd(names, DroppedNulls::Warn),
                Err(_) => return json!({ "text": null, "report": Found::default().report() }),
            },
            _ => SchemaLanguage::OpenApi,
        };
        let Work::Render(render) = opened.work() else {
            return json!({ "text": null, "report": Found::default().report() });
        };
        let outcome = plumb::schema(&opened.world, &render.options, &language);
        let (found, result) = Found::of(outcome);
        let text = result.map(|it| answer::text(&plumb::print::yaml([&it])));
        json!({ "text": text, "report": found.report() })
    })
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

/// The version of Plumb.
#[wasm_bindgen]
pub fn version() -> String {
    env!("CARGO_PKG_VERSION").to_owned()
}

/// Opens the project, or returns what is wrong with it.
fn answer_with(request: &str, answer: impl FnOnce(Opened) -> Value) -> String {
    let answer = match Request::read(request).map(|it| Opened::new(&it)) {
        Ok(Ok(opened)) => answer(opened),
        Ok(Err(found)) => json!({ "report": found.report() }),
        Err(error) => json!({ "misuse": error }),
    };
    answer.to_string()
}
