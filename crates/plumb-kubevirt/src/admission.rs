//! Admission reviews: the request of a Kubernetes API server, and the answer.
//!
//! There is no network here: the functions take and return bytes. Messages and codes match those of
//! KubeVirt's validator, so that clients see no difference. Rules that only warn become warnings of
//! the answer.

mod wire;

use std::borrow::Cow;
use std::sync::Arc;

pub use plumb_source::Values;
use plumb_source::message::plain;
use plumb_source::{Message, Origin, message};
use plumb_value::Node;

use crate::api::Mismatch;
use crate::check;
use crate::json::{self, Reader, Shape, SyntaxError};
use crate::jsonpath::{Budget, Stop};
use crate::machine::{self, NoRulesReason, Source};
use crate::object::Object;
use crate::report;
use crate::rule::{Rules, RulesCache};
use crate::template::Templates;
use crate::verdict::{self, Verdict};
use wire::{Answer, Status};

/// What is known about the cluster: the templates that virtual machines may name, and the virtual
/// machines that may depend on a template.
#[derive(Debug, Default)]
pub struct Cluster {
    pub templates: Templates,
    pub machines: Vec<Node>,
    /// The rules in the annotations of recently reviewed virtual machines.
    pub rules: RulesCache,
}

/// The subject of a review.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReviewSubject {
    /// A virtual machine that is being created or changed.
    Machine,
    /// A template that is being deleted.
    Template,
}

/// The answer to a review.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reply {
    Answer {
        decision: Decision,
        body: Vec<u8>,
        /// Why the review was not admitted, for logs. Empty if it was admitted.
        why: Message,
        /// Whether the virtual machine names an unknown template, so that no rules were applied.
        lacks_template: bool,
    },
    /// The bytes are not a review, and why.
    NotAReview(Message),
}

/// The outcome of a review.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decision {
    Admitted,
    /// Rejected because of rules, or because virtual machines still need the template.
    Denied,
    /// The review is about another resource, or its object cannot be checked.
    Invalid,
}

/// The limits and options under which a review is answered.
#[derive(Clone, Debug)]
pub struct Terms {
    /// How many units of work the review may cost.
    pub effort: usize,
    /// Aborts the review when its answer is no longer needed.
    pub stop: Stop,
    /// Whether the answer shows values of the virtual machine.
    pub values: Values,
}

impl Terms {
    /// The maximum effort for a review, which takes less than about a second.
    pub const FULL_EFFORT: usize = check::BUDGET;
}

/// The label of templates that are shipped with KubeVirt, and the annotation with their rules.
const TEMPLATE_TYPE: &str = "template.kubevirt.io/type";
const TEMPLATE_RULES: &str = "validations";

/// Answers a review with full effort, in the words of KubeVirt's validator.
pub fn review(subject: ReviewSubject, body: &[u8], cluster: &Cluster) -> Reply {
    let budget = Budget::new(Terms::FULL_EFFORT);
    answer_within(subject, body, cluster, &budget, Values::Shown)
}

/// Answers a review. Returns `None` if the effort is not sufficient. With full effort, a rule that
/// exceeds it rejects the review instead.
pub fn review_within(
    subject: ReviewSubject,
    body: &[u8],
    cluster: &Cluster,
    terms: &Terms,
) -> Option<Reply> {
    let budget = Budget::with_stop(terms.effort, terms.stop.clone());
    let reply = answer_within(subject, body, cluster, &budget, terms.values);
    let suffices = terms.effort >= Terms::FULL_EFFORT && !terms.stop.is_requested();
    (suffices || !budget.is_spent()).then_some(reply)
}

fn answer_within(
    subject: ReviewSubject,
    body: &[u8],
    cluster: &Cluster,
    budget: &Budget,
    values: Values,
) -> Reply {
    // The conversion of valid UTF-8, the usual case, is much faster.
    let text = str::from_utf8(body).map_or_else(|_| String::from_utf8_lossy(body), Cow::Borrowed);
    let request = match Request::read(&text, subject) {
        Ok(Some(request)) => request,
        Ok(None) => return Reply::NotAReview("`request` is missing".into()),
        Err(error) => {
            return Reply::NotAReview(message!("{} at byte {}", error.words(), error.at.start));
        }
    };
    let answer = match subject {
        ReviewSubject::Machine => machine_answer(&request, cluster, budget, values),
        ReviewSubject::Template => template_answer(&request, cluster, values),
    };
    let decision = match &answer.status {
        None => Decision::Admitted,
        Some(status) if status.code == 400 => Decision::Invalid,
        Some(_) => Decision::Denied,
    };
    let object = request.object.as_ref().map(|node| Object { node, origin: Origin::Unknown });
    let name = object.map_or(String::new(), Object::full_name);
    let why = match decision {
        Decision::Admitted => Message::new(),
        Decision::Denied | Decision::Invalid => {
            message!("{} of `{}`: {}", plain(&request.operation), plain(&name), &answer.why)
        }
    };
    let lacks_template = answer.lacks_template;
    Reply::Answer { decision, body: answer.to_bytes(&request.uid, values), why, lacks_template }
}

/// The parts of a request that are needed. All other parts are skipped.
#[derive(Default)]
struct Request {
    uid: String,
    operation: String,
    /// Group, version and resource.
    resource: [String; 3],
    /// The virtual machine that is being created, or the template that is being deleted.
    object: Option<Node>,
}

/// The number of values that every object may have. An object may have more values in proportion to
/// its size in bytes, up to a maximum. Objects of Kubernetes have far fewer.
const FREE_VALUES: usize = 20_000;
const BYTES_OF_VALUE: usize = 8;
const MAX_VALUES: usize = 200_000;

impl Request {
    /// Returns `None` if the text has no request.
    fn read(text: &str, subject: ReviewSubject) -> Result<Option<Self>, SyntaxError> {
        let mut reader = json::reader(text);
        let mut request = None;
        match reader.shape()? {
            Shape::Object => reader.object(|reader, key| match &*key.text {
                "request" => {
                    request = match reader.shape()? {
                        Shape::Null => reader.null().map(|()| None)?,
                        _ => Some(Self::members(reader, subject, text.len())?),
                    };
                    Ok(())
                }
                _ => reader.skip(),
            })?,
            _ => return Err(reader.mistyped("a review", "an object")),
        }
        reader.end()?;
        Ok(request)
    }

    fn members(
        reader: &mut Reader<'_>,
        subject: ReviewSubject,
        length: usize,
    ) -> Result<Self, SyntaxError> {
        let mut left = (FREE_VALUES + length / BYTES_OF_VALUE).min(MAX_VALUES);
        let wanted = match subject {
            ReviewSubject::Machine => "object",
            ReviewSubject::Template => "oldObject",
        };
        let mut request = Self::default();
        if reader.shape()? != Shape::Object {
            return Err(reader.mistyped("`request`", "an object"));
        }
        reader.object(|reader, key| match &*key.text {
            "uid" => text_of(reader, "uid").map(|it| request.uid = it),
            "operation" => text_of(reader, "operation").map(|it| request.operation = it),
            "resource" => resource(reader).map(|it| request.resource = it),
            it if it == wanted => {
                let node = json::read_node(reader, &mut left)?;
                request.object = (!node.is_null()).then_some(node);
                Ok(())
            }
            _ => reader.skip(),
        })?;
        Ok(request)
    }
}

/// Group, version and resource.
fn resource(reader: &mut Reader<'_>) -> Result<[String; 3], SyntaxError> {
    let mut found = <[String; 3]>::default();
    match reader.shape()? {
        Shape::Object => reader.object(|reader, key| {
            let at = ["group", "version", "resource"].iter().position(|it| *it == key.text);
            match at {
                Some(at) => text_of(reader, &key.text).map(|it| found[at] = it),
                None => reader.skip(),
            }
        })?,
        _ => reader.skip()?,
    }
    Ok(found)
}

/// Reads a string. Returns an empty string for null.
fn text_of(reader: &mut Reader<'_>, key: &str) -> Result<String, SyntaxError> {
    match reader.shape()? {
        Shape::Null => reader.null().map(|()| String::new()),
        Shape::String => reader.string().map(Into::into),
        _ => Err(reader.mistyped(&format!("`{key}`"), "a string")),
    }
}

fn machine_answer(request: &Request, cluster: &Cluster, budget: &Budget, values: Values) -> Answer {
    if request.resource[2] != "virtualmachines" {
        let resource = request.resource.join(" ");
        let resource = plain(resource);
        let message = message!("expect resource {{{resource}}} to be 'virtualmachines'");
        return Answer::invalid(&message, values);
    }
    let Some(node) = &request.object else {
        return Answer::invalid(&no_object(values), values);
    };
    let machine = Object { node, origin: Origin::Unknown };
    let read = |text: &str, origin: Origin| {
        // These rules are not used: the budget is spent, so there is no answer.
        let none = || Arc::new(Rules::parse("[]", origin));
        cluster.rules.get(text, budget).unwrap_or_else(none)
    };
    let source = machine::source_by(machine, &cluster.templates, None, read);
    let rules = match &source {
        Source::Own(rules) => Some(&**rules),
        Source::Template(_, rules) => Some(*rules),
        Source::None(_) => None,
    };
    let whose = match &source {
        Source::Template(template, _) => {
            let (key, name) = (template.rules_annotation(), template.full_name());
            message!("annotation `{key}` of template `{}`", plain(name))
        }
        Source::Own(_) | Source::None(_) => message!("annotation `{}`", plain(machine::RULES)),
    };
    let mut answer = answer(&verdict::validate_within(machine, rules, budget), &whose, values);
    if let Source::None(why @ (NoRulesReason::UnknownTemplate(_) | NoRulesReason::IncompleteName)) =
        &source
    {
        answer.lacks_template = true;
        let finding = report::without_rules(machine, why);
        answer.warnings.extend(finding.map(|it| it.message));
    }
    answer
}

/// The message for a request without an object.
fn no_object(values: Values) -> Message {
    match values {
        Values::Shown => "unexpected end of JSON input".into(),
        Values::Masked => "the request has no object".into(),
    }
}

/// The answer for a verdict. `whose` names the annotation with the rules.
fn answer(verdict: &Verdict<'_>, whose: &Message, values: Values) -> Answer {
    let unusable = verdict.rules.and_then(|it| it.unusable.first().map(|error| (it, error)));
    let mismatch = verdict.mismatches.first().map(Mismatch::message);
    let unusable = unusable.map(|(rules, rule_error)| match values {
        Values::Shown => rule_error.message.clone(),
        Values::Masked => {
            let (line, column) = rules.line_and_column(&rule_error.at);
            let words = rule_error.words();
            message!("the rules in {whose} cannot be read: line {line}, column {column}: {words}")
        }
    });
    if let Some(message) = mismatch.or(unusable) {
        return Answer::invalid(&message, values);
    }
    let causes = verdict.causes(values);
    let broken = verdict.broken(values).filter(|it| it.is_warning).map(|it| it.message);
    let entries = verdict.rules.map_or(&[][..], |rules| &rules.entries);
    let notes = entries.iter().flat_map(|entry| {
        entry.notes.iter().map(|note| message!("{}: {}", plain(&entry.name), &note.message))
    });
    let warnings = broken.chain(notes).take(wire::MAX_WARNINGS).collect();
    let status = (!causes.is_empty()).then(|| Status::of_causes(&causes, values));
    Answer { status, warnings, why: verdict.refusing_rules(), lacks_template: false }
}

/// The deletion of a template is rejected only if the template is shipped with KubeVirt and virtual
/// machines depend on its rules.
fn template_answer(request: &Request, cluster: &Cluster, values: Values) -> Answer {
    if request.operation != "DELETE" {
        return Answer::admitted();
    }
    if request.resource[2] != "templates" {
        let resource = request.resource.join(" ");
        let resource = plain(resource);
        let message = message!("expected resource {{{resource}}} to be 'templates'");
        return Answer::invalid(&message, values);
    }
    let Some(node) = &request.object else {
        return Answer::invalid(&no_object(values), values);
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
    let why = message!("{} virtual machines depend on its rules", dependents.len());
    let status = Some(Status::needed(&dependents));
    Answer { status, warnings: Vec::new(), why, lacks_template: false }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::template::VmTemplate;

    fn ask(subject: ReviewSubject, body: &Value, cluster: &Cluster) -> (Decision, Value) {
        match review(subject, body.to_string().as_bytes(), cluster) {
            Reply::Answer { decision, body, .. } => {
                (decision, serde_json::from_slice(&body).expect("an answer is JSON"))
            }
            Reply::NotAReview(why) => panic!("the body is a review: {why:?}"),
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
            ask(ReviewSubject::Machine, &about(&machine(RULES)), &Cluster::default());
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
            ask(ReviewSubject::Machine, &about(&machine(&rules)), &Cluster::default());
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
        cluster.templates.add(VmTemplate::new(Object { node: &template, origin: Origin::Unknown }));
        let mut machine = machine("");
        machine["metadata"]["labels"] =
            json!({"vm.kubevirt.io/template": "t", "vm.kubevirt.io/template.namespace": "n"});
        assert_eq!(ask(ReviewSubject::Machine, &about(&machine), &cluster).0, Decision::Denied);
        machine["metadata"]["labels"]["vm.kubevirt.io/template"] = json!("other");
        let (decision, answer) = ask(ReviewSubject::Machine, &about(&machine), &cluster);
        assert_eq!(decision, Decision::Admitted);
        assert_eq!(
            answer["response"]["warnings"],
            json!([
                "no rules apply to `vm`: its template `n/other` is not among the given templates"
            ])
        );
    }

    #[test]
    fn what_is_not_a_review_is_refused_with_a_reason() {
        let check = |body: &str, why: &str| {
            let reply = review(ReviewSubject::Machine, body.as_bytes(), &Cluster::default());
            let Reply::NotAReview(words) = reply else { panic!("{body} is a review") };
            assert_eq!(words.shown(), why, "{body}");
        };
        check("", "expected more JSON, found the end of the text at byte 0");
        check("{", "expected more JSON, found the end of the text at byte 1");
        check("[]", "a review must be an object at byte 0");
        check("{}", "`request` is missing");
        check(r#"{"request": null}"#, "`request` is missing");
        check(r#"{"request": {"uid": 7}}"#, "`uid` must be a string at byte 20");
        let deep = format!(r#"{{"request": {{"object": {}"#, "[".repeat(100_000));
        check(&deep, "nested deeper than 256 levels at byte 277");
        let many = format!(r#"{{"request": {{"object": [1{}]}}}}"#, ",1".repeat(2_000_000));
        check(&many, "too many values at byte 400022");
    }

    #[test]
    fn what_is_not_needed_is_read_over() {
        let mut review = about(&machine(RULES));
        review["request"]["oldObject"] = json!([vec![1; 300_000]]);
        review["extra"] = json!(vec![1; 300_000]);
        assert_eq!(ask(ReviewSubject::Machine, &review, &Cluster::default()).0, Decision::Denied);
    }

    #[test]
    fn a_denial_is_explained_without_values() {
        let body = about(&machine(RULES)).to_string();
        let Reply::Answer { why, .. } =
            super::review(ReviewSubject::Machine, body.as_bytes(), &Cluster::default())
        else {
            panic!("the body is a review")
        };
        assert_eq!(why.masked(), "CREATE of `vm`: rule `b`: many");
    }

    #[test]
    fn an_answer_shows_values_only_if_it_may() {
        let answer = |cores: u32| {
            let mut machine = machine(RULES);
            machine["spec"]["template"]["spec"]["domain"]["cpu"]["cores"] = json!(cores);
            let body = about(&machine).to_string();
            let terms =
                Terms { effort: Terms::FULL_EFFORT, stop: Stop::default(), values: Values::Masked };
            review_within(ReviewSubject::Machine, body.as_bytes(), &Cluster::default(), &terms)
        };
        assert_eq!(answer(4), answer(5));
        let Some(Reply::Answer { body, .. }) = answer(4) else { panic!("the body is a review") };
        let body: Value = serde_json::from_slice(&body).expect("an answer is JSON");
        assert_eq!(body["response"]["status"]["message"], "many: expected 2 or less");
        assert_eq!(body["response"]["warnings"], json!(["few: expected 9 or more"]));
    }

    #[test]
    fn a_denial_says_what_is_wrong_with_rules() {
        let message = |rules: &str| {
            let body = about(&machine(rules)).to_string();
            let terms =
                Terms { effort: Terms::FULL_EFFORT, stop: Stop::default(), values: Values::Masked };
            let reply =
                review_within(ReviewSubject::Machine, body.as_bytes(), &Cluster::default(), &terms);
            let Some(Reply::Answer { body, .. }) = reply else { panic!("the body is a review") };
            let body: Value = serde_json::from_slice(&body).expect("an answer is JSON");
            body["response"]["status"]["message"].clone()
        };
        assert_eq!(
            message("[\n {"),
            "the rules in annotation `vm.kubevirt.io/validations` cannot be read: \
             line 2, column 2: the text ends too early"
        );
        assert_eq!(
            message(r#"[{"name": "b"}]"#),
            "rule `b`: `rule`, `path`, `message` must be given"
        );
        assert_eq!(
            message(
                r#"[{"name": "b", "rule": "regexp", "message": "m", "path": "jsonpath::.spec"}]"#
            ),
            "m: there is no such kind of rule as `regexp`"
        );
    }

    #[test]
    fn a_review_ends_when_its_effort_is_spent_or_nobody_waits() {
        let rule = r#"{"name": "N", "rule": "regex", "regex": "^(a+)+N$", "message": "m", "path": "jsonpath::.spec.domain.cpu.cores"}"#;
        let rules: Vec<String> =
            (0..1900).map(|number| rule.replace('N', &number.to_string())).collect();
        let body = about(&machine(&format!("[{}]", rules.join(",")))).to_string();
        let within = |effort: usize, stop: &Stop| {
            let terms = Terms { effort, stop: stop.clone(), values: Values::Masked };
            review_within(ReviewSubject::Machine, body.as_bytes(), &Cluster::default(), &terms)
        };
        let stop = Stop::default();
        assert_eq!(within(100_000, &stop), None);
        let decision = |reply: Option<Reply>| match reply {
            Some(Reply::Answer { decision, .. }) => Some(decision),
            Some(Reply::NotAReview(_)) | None => None,
        };
        assert_eq!(decision(within(Terms::FULL_EFFORT, &stop)), Some(Decision::Denied));
        stop.request();
        assert_eq!(within(Terms::FULL_EFFORT, &stop), None);
    }
}
