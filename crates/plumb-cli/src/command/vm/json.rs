//! The output of `plumb vm check -o json`: one object.

use plumb::machines::{
    BrokenRule, DOUBTFUL, IGNORED, Inspection, NO_RULES, UNFILLED, UncheckedRule,
};
use plumb::{Code, Diagnostic, Sources};
use plumb_source::Values;
use serde_json::{Value, json};

pub(super) fn text(inspection: &Inspection, sources: &Sources, shows_values: bool) -> String {
    let values = if shows_values { Values::Shown } else { Values::Masked };
    let violations = inspection.broken.iter().map(|it| broken(it, sources, values));
    let errors: Vec<Value> = inspection.unchecked.iter().map(|it| unchecked(it, values)).collect();
    // Findings of rules are listed as violations and errors.
    let others = inspection.diagnostics.iter().filter(|it| OTHERS.contains(&it.code));
    let all = json!({
        "ok": inspection.is_ok(),
        "violations": violations.collect::<Vec<_>>(),
        "errors": errors,
        "warnings": others.map(|it| warning(it, sources, values)).collect::<Vec<_>>(),
    });
    format!("{all:#}\n")
}

/// Codes of warnings, with which the virtual machine is still accepted.
const OTHERS: [Code; 4] = [IGNORED, DOUBTFUL, NO_RULES, UNFILLED];

fn warning(finding: &Diagnostic, sources: &Sources, values: Values) -> Value {
    let mut row = json!({"code": finding.code.as_str(), "message": finding.message.text(values)});
    if let Some(label) = finding.labels.first() {
        let source = sources.get(label.span.file);
        row["file"] = source.name().into();
        row["line"] = source.line(label.span.start).into();
    }
    row
}

fn broken(rule: &BrokenRule, sources: &Sources, values: Values) -> Value {
    let message = match values {
        Values::Shown => &rule.message_with_values,
        Values::Masked => &rule.message,
    };
    let places = rule.violations.iter().map(|it| {
        let path = it.path.to_string();
        match it.origin.span() {
            None => json!({"path": path}),
            Some(span) => {
                let source = sources.get(span.file);
                json!({"path": path, "file": source.name(), "line": source.line(span.start)})
            }
        }
    });
    json!({
        "machine": rule.machine,
        "rule": rule.rule,
        "message": message.text(values),
        "warning": rule.is_warning,
        "values": places.collect::<Vec<_>>(),
    })
}

fn unchecked(rule: &UncheckedRule, values: Values) -> Value {
    json!({
        "machine": rule.machine,
        "rule": rule.rule,
        "kind": rule.kind,
        "message": rule.message.text(values),
    })
}
