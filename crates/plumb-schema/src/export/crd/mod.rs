//! Exports the schema as a `CustomResourceDefinition` of Kubernetes.
//!
//! Data values are the `spec` of the resource. The schema is structural, as an API server requires:
//! each node has a type, nothing is next to `properties` except
//! `x-kubernetes-preserve-unknown-fields`, `anyOf` and similar keywords contain no types, and every
//! default is valid. It accepts the values that Plumb accepts. If it must accept more, there is a
//! warning.

mod choice;
mod names;
mod nulls;
mod structural;

use plumb_diagnostic::{Code, Diagnostic};
use plumb_jsonschema::{
    Keyword, RejectedRule, array, map, schema as keywords, take_rejected_rules,
};
use plumb_source::message::plain;
use plumb_source::{Origin, message};
use plumb_validation::Work;
use plumb_value::Document;

use crate::field::Schema;
use structural::Exporter;

pub use names::{CrdNames, NameError};
pub use nulls::DroppedNulls;

/// A `CustomResourceDefinition` cannot express a rule of the schema, so an API server does not
/// check it.
///
/// Functions as rules, and rules with `when=`, are only part of the description of the value. Plumb
/// itself still checks them. Write the rule as `cel="…"` or with named rules, so that the API
/// server checks it, too. If a value may have several types, Kubernetes does not check its content.
///
/// An API server treats some things differently. It has other rules for formats. If a map accepts
/// any key, keys that are given replace its default; Plumb merges them into it. An API
/// server also drops null for keys that are not nullable, as if the key was not given.
pub const NOT_IN_CRD: Code = Code::new("schema/not-in-crd");

/// Returns the definition of a custom resource whose `spec` is the data values, and a warning for
/// each rule that it cannot express.
pub fn crd(
    schema: &Schema,
    names: &CrdNames,
    nulls: DroppedNulls,
    work: &Work<'_>,
) -> (Document, Vec<Diagnostic>) {
    let mut exporter = Exporter::new(work);
    let base = schema.defaults().map(|it| it.node);
    let spec = exporter.field(schema.root(), base.as_ref());
    if nulls == DroppedNulls::Warn {
        exporter.warnings.extend(nulls::warning(schema.root(), &spec.node, work));
    }
    let spec_alone = map([("spec", spec.node)]);
    let mut root = vec![(Keyword::Type, "object".into()), (Keyword::Properties, spec_alone)];
    if !spec.is_base_valid {
        root.push((Keyword::Required, array(["spec".into()])));
    }
    let mut root = keywords(root);
    let rejected = take_rejected_rules(&mut root);
    exporter.warnings.extend(rejected.iter().map(rejected_warning));
    let version = map([
        ("name", names.version.as_str().into()),
        ("served", true.into()),
        ("storage", true.into()),
        ("schema", map([("openAPIV3Schema", root)])),
    ]);
    let node = map([
        ("apiVersion", "apiextensions.k8s.io/v1".into()),
        ("kind", "CustomResourceDefinition".into()),
        ("metadata", map([("name", format!("{}.{}", names.plural, names.group).as_str().into())])),
        (
            "spec",
            map([
                ("group", names.group.as_str().into()),
                (
                    "names",
                    map([
                        ("kind", names.kind.as_str().into()),
                        ("listKind", format!("{}List", names.kind).as_str().into()),
                        ("plural", names.plural.as_str().into()),
                        ("singular", names.kind.to_lowercase().as_str().into()),
                    ]),
                ),
                ("scope", "Namespaced".into()),
                ("versions", array([version])),
            ]),
        ),
    ]);
    (Document::new(node, Origin::Unknown), exporter.warnings)
}

/// The warning about a rule that an API server would reject. It is left out of the definition, so
/// that the definition is accepted.
fn rejected_warning(rejected: &RejectedRule) -> Diagnostic {
    let (why, help) = rejected.reason();
    let path = rejected.path.strip_prefix("spec").unwrap_or(&rejected.path);
    let path = path.strip_prefix('.').unwrap_or(path);
    let (rule, why) = (plain(rejected.rule.as_str()), plain(why));
    let message = match path {
        "" => message!("the rule `{rule}` is not checked by an API server: {why}"),
        path => {
            let path = plain(path);
            message!("the rule `{rule}` of `{path}` is not checked by an API server: {why}")
        }
    };
    let mut warning = Diagnostic::warning(NOT_IN_CRD, message);
    if let Some(span) = rejected.origin.span() {
        warning = warning.label(span, "declared here");
    }
    help.into_iter().fold(warning, |warning, help| warning.help(plain(help)))
}
