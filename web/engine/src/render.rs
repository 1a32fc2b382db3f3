//! Runs a target that renders templates.

use std::sync::Arc;

use plumb::print::{self, Format, Style};
use plumb::types::masked;
use plumb::{Cancel, Inspection, Rendered};
use plumb_ide::{Overlay, PreviewItem};
use plumb_project::{Ending, Kept, Request, Shown, Writing};
use plumb_source::lexical;
use serde_json::{Value, json};

use crate::answer::{self, Found};
use crate::form;
use crate::project::Opened;

/// The output and the findings of a run.
struct Run {
    found: Found,
    rendered: Option<Rendered>,
    inspection: Inspection,
    printed: Vec<String>,
}

/// The complete answer for a run.
pub(crate) fn answer(opened: &Opened) -> Value {
    let Run { found, rendered, inspection, printed } = run(opened);
    let output = rendered.map(|it| output(it, opened, &found));
    json!({
        "targets": opened.targets(),
        "target": opened.targets()[opened.at],
        "output": output,
        "values": values(&inspection),
        "form": inspection.schema.as_ref().map(|it| form::form(it, inspection.values.as_ref())),
        "printed": printed,
        "report": found.report(),
    })
}

/// Only the findings of a run.
pub(crate) fn report(opened: &Opened) -> Value {
    run(opened).found.report()
}

fn run(opened: &Opened) -> Run {
    let Opened { world, session, project, at } = opened;
    let request = Request {
        project,
        session,
        targets: vec![*at],
        writing: Writing::InMemory,
        denies_warnings: false,
        kept: Kept::Everything,
        cancel: Cancel::default(),
        timer: &|_| Cancel::default(),
        progress: &|_| {},
    };
    let mut finished = plumb_project::run(world, &request);
    let findings = plumb_project::findings(project, &finished, &session.sources());
    let mut run = Run {
        found: Found { sources: session.sources(), findings },
        rendered: None,
        inspection: Inspection::default(),
        printed: Vec::new(),
    };
    if let Some(own) = finished.iter().position(|it| it.target == *at) {
        let own = finished.swap_remove(own);
        run.printed = own.printed.iter().map(|it| answer::text(it.as_bytes())).collect();
        run.inspection = own.inspection;
        if let Ending::Done(product) = own.ending
            && let Some(Shown::Documents(rendered)) = product.shown
        {
            run.rendered = Some(rendered);
        }
    }
    run
}

fn output(rendered: Rendered, opened: &Opened, found: &Found) -> Value {
    let printed: Vec<(String, String)> = rendered
        .files
        .iter()
        .map(|it| (it.path.clone(), answer::text(&print::file_bytes(it))))
        .collect();
    let style = Style::new().format(Format::Json);
    let json_stream = print::stream(rendered.documents(), style, &found.sources);
    let json_text = json_stream.ok().map(|it| answer::text(&it.bytes));
    let overlay = Overlay::new(Arc::clone(&opened.world));
    let sources = Arc::clone(&found.sources);
    let stream = plumb_ide::stream(rendered, sources, &overlay);
    let map = lines(&stream.text, &stream.items, opened);
    let file = |(path, text): (String, String)| match stream.texts.get(&path) {
        Some(items) => json!({ "path": path, "text": text, "map": lines(&text, items, opened) }),
        None => json!({ "path": path, "text": text }),
    };
    let files: Vec<Value> = printed.into_iter().map(file).collect();
    json!({ "yaml": stream.text, "json": json_text, "files": files, "map": map })
}

/// For each item of the output, its lines and those of the file that it comes from, counted from 1.
fn lines(output: &str, items: &[PreviewItem], opened: &Opened) -> Vec<Value> {
    let here = opened.world.directory().unwrap_or_default();
    let of_output = LineStarts::new(output.as_bytes());
    let mut last: Option<(&PreviewItem, String, LineStarts)> = None;
    let mut map = Vec::new();
    for item in items {
        // Neighbours usually come from the same file.
        if last.as_ref().is_none_or(|it| it.0.path != item.path) {
            let Ok(bytes) = opened.world.read(&item.path) else { continue };
            let path = lexical::clean(&item.path);
            let shown = path.strip_prefix(&here).unwrap_or(&path);
            last = Some((item, shown.to_string_lossy().into_owned(), LineStarts::new(&bytes)));
        }
        let Some((_, path, source)) = &last else { continue };
        map.push(json!([
            of_output.line(item.output.start),
            of_output.line(item.output.end.saturating_sub(1).max(item.output.start)),
            path,
            source.line(item.source.start),
        ]));
    }
    map
}

/// Where the lines of a text begin.
struct LineStarts(Vec<u32>);

impl LineStarts {
    fn new(text: &[u8]) -> Self {
        let breaks = text.iter().zip(1_u32..).filter(|(byte, _)| **byte == b'\n');
        Self(std::iter::once(0).chain(breaks.map(|it| it.1)).collect())
    }

    /// The line of an offset, counted from 1.
    fn line(&self, offset: u32) -> usize {
        self.0.partition_point(|start| *start <= offset)
    }
}

/// The data values that templates see, with a mask in place of secrets.
fn values(inspection: &Inspection) -> Option<String> {
    let mut values = inspection.values.clone()?;
    if let Some(schema) = &inspection.schema {
        values.node = masked(schema.root(), &values.node).into_owned();
    }
    Some(answer::text(&print::yaml([&values])))
}
