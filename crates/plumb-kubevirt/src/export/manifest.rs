//! Policies, bindings and parameters as objects of Kubernetes.

use plumb_source::Origin;
use plumb_value::{Array, ArrayItem, Document, Map, MapItem, Node};

use super::policy::{Parameters, Policy};

const API: &str = "admissionregistration.k8s.io/v1";

/// The label by which a binding finds its parameters.
const NAME_LABEL: &str = "app.kubernetes.io/name";

/// Parameters come first, then policies, then bindings, so that each object follows those it refers
/// to.
pub(super) fn documents(policies: &[Policy], namespace: &str) -> Vec<Document> {
    let mut nodes: Vec<Node> = Vec::new();
    let mut done: Vec<&str> = Vec::new();
    for policy in policies {
        if done.contains(&policy.unit.as_str()) {
            continue;
        }
        done.push(&policy.unit);
        for (at, parameters) in policy.parameters.iter().enumerate() {
            nodes.push(config_map(policy, at, parameters, namespace));
        }
    }
    nodes.extend(policies.iter().map(policy_node));
    nodes.extend(policies.iter().map(|it| binding(it, namespace)));
    nodes.into_iter().map(|it| Document::new(it, Origin::Unknown)).collect()
}

fn policy_node(policy: &Policy) -> Node {
    let rule = map([
        ("apiGroups", list([text("kubevirt.io")])),
        ("apiVersions", list([text("*")])),
        ("operations", list([text("CREATE"), text("UPDATE")])),
        ("resources", list([text("virtualmachines")])),
    ]);
    let conditions = policy.conditions.iter().map(|(name, expression)| {
        map([("name", text(name)), ("expression", text(expression.0.source()))])
    });
    let validations = policy.validations.iter().map(|validation| {
        map([
            ("expression", text(validation.expression.0.source())),
            ("message", text(&validation.message)),
            ("reason", text("Invalid")),
        ])
    });
    let mut spec = vec![("failurePolicy", text("Fail"))];
    if !policy.parameters.is_empty() {
        let kind = map([("apiVersion", text("v1")), ("kind", text("ConfigMap"))]);
        spec.push(("paramKind", kind));
    }
    spec.push(("matchConstraints", map([("resourceRules", list([rule]))])));
    spec.push(("matchConditions", list(conditions)));
    spec.push(("validations", list(validations)));
    object(API, "ValidatingAdmissionPolicy", metadata(&policy.name, policy), map(spec))
}

fn binding(policy: &Policy, namespace: &str) -> Node {
    let action = if policy.is_warning { "Warn" } else { "Deny" };
    let mut spec =
        vec![("policyName", text(&policy.name)), ("validationActions", list([text(action)]))];
    if !policy.parameters.is_empty() {
        let selector = map([("matchLabels", map([(NAME_LABEL, text(&policy.unit))]))]);
        spec.push((
            "paramRef",
            map([
                ("namespace", text(namespace)),
                ("selector", selector),
                // Without its limits, a policy must not admit everything.
                ("parameterNotFoundAction", text("Deny")),
            ]),
        ));
    }
    object(API, "ValidatingAdmissionPolicyBinding", metadata(&policy.name, policy), map(spec))
}

fn config_map(policy: &Policy, at: usize, parameters: &Parameters, namespace: &str) -> Node {
    let name = format!("{}-{}", policy.unit, at + 1);
    let mut metadata = metadata(&name, policy);
    if let Some(map) = metadata.map_mut() {
        map.items_mut().insert(1, item("namespace", text(namespace)));
    }
    map([
        ("apiVersion", text("v1")),
        ("kind", text("ConfigMap")),
        ("metadata", metadata),
        ("data", data(parameters)),
    ])
}

/// The values of one object with parameters.
pub(super) fn data(parameters: &Parameters) -> Node {
    map(parameters.0.iter().map(|(key, value)| (key.as_str(), text(value))))
}

fn metadata(name: &str, policy: &Policy) -> Node {
    let labels =
        map([(NAME_LABEL, text(&policy.unit)), ("app.kubernetes.io/managed-by", text("plumb"))]);
    map([("name", text(name)), ("labels", labels)])
}

fn object(api: &str, kind: &str, metadata: Node, spec: Node) -> Node {
    map([("apiVersion", text(api)), ("kind", text(kind)), ("metadata", metadata), ("spec", spec)])
}

fn item(key: &str, node: Node) -> MapItem {
    MapItem::new(key.into(), node, Origin::Unknown)
}

pub(super) fn map<'k>(items: impl IntoIterator<Item = (&'k str, Node)>) -> Node {
    let items = items.into_iter().map(|(key, node)| item(key, node));
    Node::map(Map::new(items.collect(), Origin::Unknown))
}

fn list(items: impl IntoIterator<Item = Node>) -> Node {
    let items = items.into_iter().map(|it| ArrayItem::new(it, Origin::Unknown));
    Node::array(Array::new(items.collect(), Origin::Unknown))
}

fn text(text: &str) -> Node {
    text.into()
}
