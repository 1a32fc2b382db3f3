//! Admission reviews: what a Kubernetes API server asks, and the answer.
//!
//! No network here: bytes in, bytes out. The words and codes are those of KubeVirt's validator,
//! so that whoever reads an answer sees no difference; rules that only warn are warnings of the answer.

mod wire;

use plumb_source::Origin;
use plumb_value::Node;

use crate::json;
use crate::machine::{self, Source};
use crate::object::Object;
use crate::template::Templates;
use crate::verdict::{self, Verdict};
use wire::{Answer, Status};

/// What is known of the cluster: the templates that machines may name, and machines that may
/// depend on a template.
#[derive(Debug, Default)]
pub struct Cluster {
    pub templates: Templates,
    pub machines: Vec<Node>,
}

/// What is asked about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Subject {
    /// A machine that is to be made or changed.
    Machine,
    /// A template that is to be deleted.
    Template,
}

/// The answer to a review.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reply {
    Answer {
        decision: Decision,
        body: Vec<u8>,
    },
    /// The bytes are no review.
    NotAReview,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decision {
    Admitted,
    /// By rules, or by a template that is needed.
    Denied,
    /// The review is about something else, or what it holds cannot be judged.
    Unjudgeable,
}

/// The label of templates that are shipped with KubeVirt, and the annotation with their rules.
const TEMPLATE_TYPE: &str = "template.kubevirt.io/type";
const TEMPLATE_RULES: &str = "validations";

/// Answers a review.
pub fn review(subject: Subject, body: &[u8], cluster: &Cluster) -> Reply {
    let text = String::from_utf8_lossy(body);
    let Ok(review) = json::read_document(&text) else { return Reply::NotAReview };
    let Some(request) = Request::of(&review) else { return Reply::NotAReview };
    let answer = match subject {
        Subject::Machine => machine_answer(&request, cluster),
        Subject::Template => template_answer(&request, cluster),
    };
    let decision = match &answer.status {
        None => Decision::Admitted,
        Some(status) if status.code == 400 => Decision::Unjudgeable,
        Some(_) => Decision::Denied,
    };
    Reply::Answer { decision, body: answer.to_bytes(request.uid) }
}

struct Request<'t> {
    uid: &'t str,
    operation: &'t str,
    /// Group, version and resource.
    resource: [&'t str; 3],
    object: Option<&'t Node>,
    old_object: Option<&'t Node>,
}

impl<'t> Request<'t> {
    fn of(review: &'t Node) -> Option<Self> {
        let request = review.as_map()?.get_str("request")?.as_map()?;
        let object = |key: &str| request.get_str(key).filter(|node| !node.is_null());
        let resource = object("resource").and_then(Node::as_map);
        let text = |node: Option<&'t Node>| match node {
            None | Some(Node::Null) => Some(""),
            Some(node) => node.as_str(),
        };
        let of_resource = |key: &str| text(resource.and_then(|map| map.get_str(key)));
        Some(Self {
            uid: text(request.get_str("uid"))?,
            operation: text(request.get_str("operation"))?,
            resource: [of_resource("group")?, of_resource("version")?, of_resource("resource")?],
            object: object("object"),
            old_object: object("oldObject"),
        })
    }
}

fn machine_answer(request: &Request<'_>, cluster: &Cluster) -> Answer {
    if request.resource[2] != "virtualmachines" {
        let resource = request.resource.join(" ");
        return Answer::unjudgeable(format!(
            "expect resource {{{resource}}} to be 'virtualmachines'"
        ));
    }
    let Some(node) = request.object else {
        return Answer::unjudgeable("unexpected end of JSON input".to_owned());
    };
    let machine = Object { node, origin: Origin::Unknown };
    match machine::source(machine, &cluster.templates, None) {
        Source::Own(rules) => answer(&verdict::judge(machine, Some(&rules))),
        Source::Template(_, rules) => answer(&verdict::judge(machine, Some(rules))),
        Source::None(_) => answer(&verdict::judge(machine, None)),
    }
}

fn answer(verdict: &Verdict<'_>) -> Answer {
    let unusable = verdict.rules.and_then(|rules| rules.unusable.first());
    let mismatch = verdict.mismatches.first().map(ToString::to_string);
    if let Some(message) = mismatch.or_else(|| unusable.map(|fault| fault.message.clone())) {
        return Answer::unjudgeable(message);
    }
    let causes = verdict.causes();
    let broken = verdict.broken().filter(|it| it.is_warning).map(|it| it.message);
    let entries = verdict.rules.map_or(&[][..], |rules| &rules.entries);
    let notes = entries.iter().flat_map(|entry| {
        entry.notes.iter().map(|note| format!("{}: {}", entry.name, note.message))
    });
    let warnings = broken.chain(notes).collect();
    Answer { status: (!causes.is_empty()).then(|| Status::of_causes(&causes)), warnings }
}

/// Only the deletion of a template can be denied: of one that is shipped with KubeVirt, while
/// machines depend on its rules.
fn template_answer(request: &Request<'_>, cluster: &Cluster) -> Answer {
    if request.operation != "DELETE" {
        return Answer::admitted();
    }
    if request.resource[2] != "templates" {
        let resource = request.resource.join(" ");
        return Answer::unjudgeable(format!("expected resource {{{resource}}} to be 'templates'"));
    }
    let Some(node) = request.old_object else {
        return Answer::unjudgeable("unexpected end of JSON input".to_owned());
    };
    let template = Object { node, origin: Origin::Unknown };
    let has_rules =
        template.label(TEMPLATE_TYPE).is_some() && template.annotation(TEMPLATE_RULES).is_some();
    let machines = cluster.machines.iter().filter(|_| has_rules);
    let machines = machines.map(|node| Object { node, origin: Origin::Unknown });
    let dependents: Vec<String> = machines
        .filter(|it| machine::depends_on(*it, template.namespace(), template.name()))
        .map(Object::full_name)
        .collect();
    if dependents.is_empty() {
        return Answer::admitted();
    }
    Answer { status: Some(Status::needed(&dependents)), warnings: Vec::new() }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::template::Template;

    fn ask(subject: Subject, body: &Value, cluster: &Cluster) -> (Decision, Value) {
        match review(subject, body.to_string().as_bytes(), cluster) {
            Reply::Answer { decision, body } => {
                (decision, serde_json::from_slice(&body).expect("an answer is JSON"))
            }
            Reply::NotAReview => panic!("the body is a review"),
        }
    }

    fn about(machine: &Value) -> Value {
        json!({"request": {
            "uid": "u-1",
            "operation": "CREATE",
            "resource": {"group": "kubevirt.io", "version": "v1", "resource": "virtualmachines"},
            "object": machine,
        }})
    }

    fn machine(rules: &str) -> Value {
        json!({
            "metadata": {"name": "vm", "annotations": {"vm.kubevirt.io/validations": rules}},
            "spec": {"template": {"spec": {"domain": {"cpu": {"cores": 4}}}}},
        })
    }

    const RULES: &str = r#"[
        {"name": "a", "rule": "integer", "path": "jsonpath::.spec.domain.cpu.cores", "message": "few", "min": 9, "justWarning": true},
        {"name": "b", "rule": "integer", "path": "jsonpath::.spec.domain.cpu.cores", "message": "many", "max": 2}
    ]"#;

    #[test]
    fn a_broken_rule_denies_and_a_rule_that_only_warns_is_no_cause() {
        let (decision, answer) =
            ask(Subject::Machine, &about(&machine(RULES)), &Cluster::default());
        assert_eq!(decision, Decision::Denied);
        assert_eq!(
            answer,
            json!({
                "apiVersion": "admission.k8s.io/v1",
                "kind": "AdmissionReview",
                "response": {
                    "uid": "u-1",
                    "allowed": false,
                    "status": {
                        "metadata": {},
                        "code": 422,
                        "reason": "Invalid",
                        "message": "many: value 4 is higher than maximum [2]",
                        "details": {"causes": [
                            {"reason": "FieldValueInvalid", "field": ".spec.domain.cpu.cores", "message": "many: value 4 is higher than maximum [2]"},
                        ]},
                    },
                    "warnings": ["few: value 4 is lower than minimum [9]"],
                },
            })
        );
    }

    #[test]
    fn a_rule_that_only_warns_admits_with_a_warning() {
        let rules = RULES.replace(r#""max": 2"#, r#""max": 8"#);
        let (decision, answer) =
            ask(Subject::Machine, &about(&machine(&rules)), &Cluster::default());
        assert_eq!(decision, Decision::Admitted);
        assert_eq!(
            answer["response"],
            json!({"uid": "u-1", "allowed": true, "warnings": ["few: value 4 is lower than minimum [9]"]})
        );
    }

    #[test]
    fn rules_come_from_the_template_that_the_machine_names() {
        let template = json::read_document(
            r#"{"kind": "Template", "metadata": {"name": "t", "namespace": "n", "annotations": {
            "validations": "[{\"name\": \"b\", \"rule\": \"integer\", \"path\": \"jsonpath::.spec.domain.cpu.cores\", \"message\": \"many\", \"max\": 2}]"}}}"#,
        );
        let template = template.expect("the template is JSON");
        let mut cluster = Cluster::default();
        cluster.templates.add(Template::new(Object { node: &template, origin: Origin::Unknown }));
        let mut machine = machine("");
        machine["metadata"]["labels"] =
            json!({"vm.kubevirt.io/template": "t", "vm.kubevirt.io/template.namespace": "n"});
        assert_eq!(ask(Subject::Machine, &about(&machine), &cluster).0, Decision::Denied);
        machine["metadata"]["labels"]["vm.kubevirt.io/template"] = json!("other");
        assert_eq!(ask(Subject::Machine, &about(&machine), &cluster).0, Decision::Admitted);
    }

    #[test]
    fn what_is_no_review_is_told_apart() {
        for body in ["", "{", "[]", "{}", r#"{"request": null}"#, r#"{"request": {"uid": 7}}"#] {
            let reply = review(Subject::Machine, body.as_bytes(), &Cluster::default());
            assert_eq!(reply, Reply::NotAReview, "{body}");
        }
        let deep = format!(r#"{{"request": {{"object": {}"#, "[".repeat(100_000));
        let reply = review(Subject::Machine, deep.as_bytes(), &Cluster::default());
        assert_eq!(reply, Reply::NotAReview);
    }
}
