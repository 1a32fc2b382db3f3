//! Runs a target that generates files.

use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use plumb::GeneratorOptions;
use plumb::generator::Console;
use plumb_project::Work;
use serde_json::{Value, json};
use wasm_bindgen::prelude::wasm_bindgen;

use crate::answer::{self, Found};
use crate::answer_with;
use crate::project::Opened;

/// Runs a target: its files, what the script printed, and the report. A target that does not
/// generate files is not run; the answer has only the names of the targets.
#[wasm_bindgen(js_name = generate)]
pub fn generate_target(request: &str) -> String {
    answer_with(request, |opened| {
        let mut answer = match opened.work() {
            Work::Generate(work) => answer(&opened, &work.options),
            Work::Render(_) | Work::Machines(_) => json!({ "report": Found::default().report() }),
        };
        answer["targets"] = json!(opened.targets());
        answer["target"] = json!(opened.targets()[opened.at]);
        answer
    })
}

fn answer(opened: &Opened, options: &GeneratorOptions) -> Value {
    let printed = Arc::new(Printed::default());
    let mut options = options.clone();
    options.console = Some(Arc::clone(&printed) as _);
    options.session = Some(opened.session.clone());
    let (found, generated) = Found::of(plumb::generate(&opened.world, &options));
    let output = generated.map(|it| {
        let files = it.trees.iter().flat_map(|it| &it.files);
        let files: Vec<(&Path, String)> =
            files.map(|(path, bytes)| (path.as_path(), answer::text(bytes))).collect();
        let is_yaml = |path: &Path| path.extension().is_some_and(|it| it == "yaml" || it == "yml");
        let documents: Vec<&str> =
            files.iter().filter(|it| is_yaml(it.0)).map(|it| it.1.as_str()).collect();
        let files: Vec<Value> =
            files.iter().map(|(path, text)| json!({ "path": path, "text": text })).collect();
        json!({ "yaml": documents.join("---\n"), "json": null, "files": files, "map": [] })
    });
    json!({ "output": output, "printed": printed.lines(), "report": found.report() })
}

/// The output of a script's prints.
#[derive(Default)]
struct Printed(Mutex<Vec<u8>>);

impl Printed {
    fn add(&self, bytes: &[u8]) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).extend_from_slice(bytes);
    }

    fn lines(&self) -> Vec<String> {
        let bytes = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        answer::text(&bytes).lines().map(str::to_owned).collect()
    }
}

impl Console for Printed {
    fn print(&self, bytes: &[u8]) {
        self.add(bytes);
    }

    fn log(&self, bytes: &[u8]) {
        self.add(bytes);
    }
}
