//! Runs the case files of this crate: each is one template without a library, or consoles that run
//! this program as the command that they show.

use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;

use plumb_diagnostic::Failure;
use plumb_peer as peer;
use plumb_source::{SourceKind, Sources, Span, Text};
use plumb_starlark::{Error, Globals, Result as StarlarkResult, Thread};
use plumb_template::{Loader, Options, Output, RuntimeOwner, Settings, Template};
use plumb_testkit::{Case, Suite};
use plumb_yaml::ReadOptions;

fn main() -> ExitCode {
    if plumb_testkit::is_program() {
        return plumb_cli::main(plumb_cli::Name::Plumb);
    }
    let cases = Path::new(env!("CARGO_MANIFEST_DIR")).join("cases");
    Suite::new()
        .cases("nodes", cases.join("nodes"), &["output", "error"], |case, _| render(case))
        .consoles("templates", cases.join("templates"))
        .run()
}

fn render(case: &Case) -> String {
    let sources = Arc::new(Sources::new());
    let runtime = RuntimeOwner::new(Arc::clone(&sources), Settings::default(), |_| {});
    match evaluate(case, &sources, &runtime) {
        Ok(text) => text,
        Err(failure) => peer::render(&failure, &sources),
    }
}

fn evaluate(case: &Case, sources: &Sources, runtime: &RuntimeOwner) -> Result<String, Failure> {
    let input = &case.inputs[0];
    let is_text = Path::new(&input.name).extension().is_some_and(|it| it == "txt");
    let kind = if is_text { SourceKind::Text } else { SourceKind::File };
    let file = sources.add(&input.name, kind, input.text.as_bytes().into());
    let template = if is_text {
        Template::text(runtime, file)?
    } else {
        let documents = plumb_yaml::parse(file, input.text.as_bytes(), &ReadOptions::default())
            .map_err(|error| error.diagnostic())?;
        Template::yaml(runtime, &documents, Options::default())?
    };
    match template.evaluate(Arc::new(Nothing))?.output {
        Output::Documents(documents) => {
            let mut out = Vec::new();
            plumb_yaml::print::documents(&documents, &mut out);
            Ok(String::from_utf8(out).expect("YAML is printed as UTF-8"))
        }
        Output::Text(written) => Ok(written.text.to_string()),
        Output::Nothing => Ok(String::new()),
    }
}

/// A loader without modules.
struct Nothing;

impl Loader for Nothing {
    fn load(&self, _: &mut Thread<'_>, _: &Text, _: Option<Span>) -> StarlarkResult<Globals> {
        Err(Error::new("nothing can be loaded here"))
    }
}
