//! Plumb for JavaScript. Each function takes and returns JSON text; `api.ts` gives them types.
//!
//! A run is described by files and a target, which has the keys of a target in `plumb.yml`. The
//! answer contains the findings, as the report that `plumb --report=json` writes. Only a bug in
//! Plumb throws an exception; the instance must not be used after that.

mod answer;
#[cfg(feature = "templates")]
mod form;
#[cfg(feature = "generators")]
mod generate;
#[cfg(feature = "templates")]
mod machines;
#[cfg(feature = "templates")]
mod print;
mod project;
#[cfg(feature = "templates")]
mod render;
mod request;
#[cfg(feature = "templates")]
mod server;
#[cfg(feature = "templates")]
mod templates;

use serde_json::{Value, json};
use wasm_bindgen::prelude::wasm_bindgen;

#[cfg(feature = "templates")]
pub use server::LanguageServer;

use crate::project::Opened;
use crate::request::Request;

/// Prepares the instance: a panic becomes an exception with its message.
#[wasm_bindgen(start)]
pub fn start() {
    std::panic::set_hook(Box::new(|panic| wasm_bindgen::throw_str(&panic.to_string())));
}

/// The version of Plumb.
#[wasm_bindgen]
pub fn version() -> String {
    env!("CARGO_PKG_VERSION").to_owned()
}

/// Opens the project and answers the request, or returns the mistakes in the project.
fn answer_with(request: &str, answer: impl FnOnce(Opened) -> Value) -> String {
    let answer = match Request::read(request).map(|it| Opened::new(&it)) {
        Ok(Ok(opened)) => answer(opened),
        Ok(Err(found)) => json!({ "report": found.report() }),
        Err(error) => json!({ "misuse": error }),
    };
    answer.to_string()
}
