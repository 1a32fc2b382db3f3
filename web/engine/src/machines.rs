//! Runs a target that validates virtual machines against the rules of their templates.

use plumb::{MachineOptions, check_machines};
use serde_json::{Value, json};

use crate::answer::Found;
use crate::project::Opened;

/// The verdict: the rules that the virtual machines break, and the report.
pub(crate) fn answer(opened: &Opened, options: &MachineOptions) -> Value {
    let mut options = options.clone();
    options.session = Some(opened.session.clone());
    let (mut found, inspection) = Found::of(check_machines(&opened.world, &options));
    let verdict = inspection.map(|mut inspection| {
        found.findings.append(&mut inspection.diagnostics);
        let broken = inspection.broken.iter().map(|it| {
            json!({
                "machine": it.machine,
                "rule": it.rule,
                "message": it.message.masked(),
                "isWarning": it.is_warning,
            })
        });
        let broken: Vec<Value> = broken.collect();
        json!({
            "isAccepted": inspection.broken.iter().all(|it| it.is_warning)
                && inspection.unchecked.is_empty(),
            "summary": inspection.summary.to_string(),
            "broken": broken,
        })
    });
    json!({
        "targets": opened.targets(),
        "target": opened.targets()[opened.at],
        "verdict": verdict,
        "report": found.report(),
    })
}
