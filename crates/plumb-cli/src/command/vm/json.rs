//! What `plumb vm check -o json` prints: one object.

use plumb::Sources;
use plumb_kubevirt::inspect::{BrokenRule, Inspection, UncheckedRule};
use serde_json::{Value, json};

pub(super) fn text(inspection: &Inspection, sources: &Sources) -> String {
    let violations: Vec<Value> = inspection.broken.iter().map(|it| broken(it, sources)).collect();
    let errors: Vec<Value> = inspection.unchecked.iter().map(unchecked).collect();
    let all = json!({"ok": inspection.is_ok(), "violations": violations, "errors": errors});
    format!("{all:#}\n")
}

fn broken(rule: &BrokenRule, sources: &Sources) -> Value {
    let values = rule.violations.iter().map(|it| {
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
        "message": rule.message,
        "warning": rule.is_warning,
        "values": values.collect::<Vec<_>>(),
    })
}

fn unchecked(rule: &UncheckedRule) -> Value {
    json!({
        "machine": rule.machine,
        "rule": rule.rule,
        "kind": rule.kind,
        "message": rule.message,
    })
}
