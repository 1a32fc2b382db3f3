//! Validates output documents against Kubernetes schemas.

use plumb_diagnostic::{Code, Diagnostic, Failure, Severity};
use plumb_kube::{
    Catalog, Interest, RejectedExpression, RejectedRule, Resource, SchemaFile, StructureError,
    UncheckedRule, resources, unidentified,
};
use plumb_library::SilentDrops;
use plumb_source::message::plain;
use plumb_source::{Origin, Sources, World, message};
use plumb_validation::report::{self, Validated};
use plumb_value::{Document, Node};
use plumb_yaml::ReadOptions;

pub use plumb_kube::Field as KubeField;

use crate::{Options, Rendered, Session};

/// There is no schema for any of the output documents, so none was checked.
///
/// Schemas are found by group, version and kind: in `OpenAPI` documents, in files that are named
/// after their kind (`deployment-apps-v1.json`), and in custom resource definitions. Check whether
/// the directory is the right one.
pub(crate) const NO_SCHEMA: Code = Code::new("kube/no-schema");

/// There are schemas for the kind of a document, but not for its version.
///
/// Often the version is misspelt, or the cluster of these schemas no longer has it.
pub(crate) const OTHER_VERSION: Code = Code::new("kube/other-version");

/// A rule of a custom resource definition was not checked.
///
/// A rule about a change (`oldSelf`) is left to the API server, which has both values and does not
/// apply it to new resources. Plumb may also not understand a rule that your cluster accepts: the
/// message says what was not understood. Patterns that are not in the syntax of RE2, and formats
/// that only API servers check, are reported too.
pub(crate) const UNCHECKED_RULE: Code = Code::new("kube/unchecked-rule");

/// A document is not a resource: `apiVersion`, `kind` or `metadata.name` is missing.
///
/// An API server rejects it. Add the missing key; `metadata.generateName` replaces a name.
pub(crate) const INCOMPLETE: Code = Code::new("kube/incomplete");

/// There is no schema for the kind of a document, although other documents or kinds of its group
/// have one.
///
/// Often the kind is misspelt. It is an error if the schemas know the group, and a warning
/// otherwise. `--kube-allow-unknown 'example.com/*'` allows kinds for which you have no schemas.
pub(crate) const UNKNOWN_KIND: Code = Code::new("kube/unknown-kind");

/// An API server rejects a custom resource definition or an admission policy because of one of its
/// CEL expressions.
///
/// The expression is malformed, or a rule does not fit the schema, or it may cost too much.
/// Kubernetes estimates the cost before there is any resource, from `maxItems`, `maxLength` and
/// `maxProperties`.
pub(crate) const REJECTED_RULE: Code = Code::new("kube/rejected-rule");

/// An API server rejects a custom resource definition because of its structure.
///
/// Every schema needs a `type`, every array `items`, and some keywords of JSON Schema are not
/// allowed. The message says what is required, and where.
pub(crate) const REJECTED_DEFINITION: Code = Code::new("kube/rejected-definition");

/// The maximum number of characters of a rule that are shown.
const SHOWN: usize = 80;

/// Only files with these extensions are read.
const EXTENSIONS: [&str; 3] = [".json", ".yaml", ".yml"];

/// Checks every document that has a schema. Returns warnings.
pub(crate) fn check(
    world: &dyn World,
    options: &Options,
    rendered: &Rendered,
    sources: &Sources,
) -> Result<Vec<Diagnostic>, Failure> {
    let documents: Vec<&Document> = rendered.documents().collect();
    let resources: Vec<Resource<'_>> = documents.iter().flat_map(|it| resources(it)).collect();
    let definitions = documents.iter().filter(|it| is_definition(&it.node));
    let definitions = definitions.map(|it| (*it).clone()).collect();
    let mut schemas = vec![SchemaFile { path: String::new(), documents: definitions }];
    schemas.extend(schema_files(world, options, &Interest::of(&resources), sources)?);
    let mut catalog = Catalog::new(schemas);
    let mut violations = Vec::new();
    let mut unknown = Vec::new();
    let mut n_checked = 0;
    for resource in &resources {
        match catalog.check(resource) {
            Some(found) => {
                n_checked += 1;
                violations.extend(found);
            }
            None if resource.is_definition() => n_checked += 1,
            None => unknown.push(resource),
        }
    }
    let allowed = &options.kube_allow_unknown;
    unknown.retain(|it| !allowed.iter().any(|pattern| it.is_named_by(pattern)));
    let is_all_known = unknown.is_empty();
    let mut errors = rejected(&documents, &resources);
    let mut warnings = Vec::new();
    if !is_all_known {
        // All files are needed now: no file contains a misspelt kind.
        let all = Catalog::new(schema_files(world, options, &Interest::All, sources)?);
        let found = unknown.into_iter().map(|it| unknown_kind(&all, it));
        let (wrong, doubtful): (Vec<_>, Vec<_>) =
            found.partition(|it| it.severity == Severity::Error);
        errors.extend(wrong);
        if n_checked > 0 {
            warnings = doubtful;
        }
    }
    let errors = (!errors.is_empty()).then(|| Failure::from(errors).within(Validated::Output));
    let violations =
        (!violations.is_empty()).then(|| report::failure(Validated::Output, violations));
    match (violations, errors) {
        (Some(violations), Some(errors)) => return Err(violations.and(errors)),
        (Some(failure), None) | (None, Some(failure)) => return Err(failure),
        (None, None) => {}
    }
    warnings.extend(catalog.take_unchecked().iter().map(unchecked_rule));
    if n_checked == 0 && !is_all_known && warnings.is_empty() {
        let message = message!(
            "no document was checked: there is no schema for any of them in {}",
            plain(options.kube_schemas.join(", "))
        );
        let help = "kubectl get --raw /openapi/v3/apis/apps/v1 prints the schemas of a cluster for \
                    one group; save them in that directory";
        warnings.push(Diagnostic::warning(NO_SCHEMA, message).help(help));
    }
    Ok(warnings)
}

/// What an API server rejects without any schema: documents that are not resources, and definitions
/// and policies that are not valid themselves.
fn rejected(documents: &[&Document], resources: &[Resource<'_>]) -> Vec<Diagnostic> {
    let mut errors: Vec<Diagnostic> =
        documents.iter().flat_map(|it| unidentified(it)).map(lacks).collect();
    errors.extend(resources.iter().filter(|it| it.is_nameless()).map(nameless));
    for definition in resources.iter().filter(|it| it.is_definition()) {
        let structure = plumb_kube::structure_errors(definition.node(), definition.origin());
        errors.extend(structure.iter().map(rejected_structure));
        errors.extend(plumb_kube::rejected_rules(definition.node()).iter().map(rejected_rule));
    }
    for policy in resources.iter().filter(|it| it.is_policy()) {
        let rejected = plumb_kube::rejected_expressions(policy.node());
        errors.extend(rejected.iter().map(rejected_expression));
    }
    errors
}

fn is_definition(node: &Node) -> bool {
    let kind = node.as_map().and_then(|it| it.get_str("kind")?.as_str());
    kind == Some("CustomResourceDefinition")
}

fn schema_files(
    world: &dyn World,
    options: &Options,
    interest: &Interest,
    sources: &Sources,
) -> Result<Vec<SchemaFile>, Failure> {
    let paths = &options.kube_schemas;
    let inputs =
        plumb_library::collect(world, paths, &options.symlinks, SilentDrops::Refuse)?.files;
    let reading = ReadOptions { comments: false, surrogates: true, ..ReadOptions::default() };
    let mut files = Vec::new();
    for input in inputs.iter().filter(|it| EXTENSIONS.iter().any(|end| it.path().ends_with(end))) {
        let file = input.source(world, sources)?;
        let source = sources.get(file);
        if interest.is_in(input.path(), source.bytes()) {
            let parse = || plumb_yaml::parse(file, source.bytes(), &reading);
            let documents = match &options.session {
                Some(session) => session.schema_file(file, parse)?,
                None => parse()?,
            };
            files.push(SchemaFile { path: input.path().to_owned(), documents });
        }
    }
    Ok(files)
}

/// The fields that a Kubernetes resource may have at a path, by the schemas of
/// [`Options::kube_schemas`]. The steps of the path are keys, or `None` for the items of an array.
/// Empty if there is no schema for the kind of the document, or it cannot be read.
pub fn kube_fields(
    world: &dyn World,
    options: &Options,
    document: &Document,
    path: &[Option<&str>],
) -> Vec<KubeField> {
    let text = |key: &str| document.node.as_map()?.get_str(key)?.as_str();
    let (Some(api_version), Some(kind)) = (text("apiVersion"), text("kind")) else {
        return Vec::new();
    };
    let resources = resources(document);
    let sources = options.session.as_ref().map(Session::sources).unwrap_or_default();
    let files = schema_files(world, options, &Interest::of(&resources), &sources);
    Catalog::new(files.unwrap_or_default()).fields(api_version, kind, path)
}

fn lacks((key, origin): (&'static str, Origin)) -> Diagnostic {
    let message = message!("expected a Kubernetes resource, found a document without `{key}`");
    let help = "documents that are not resources can be written without --kube-schemas";
    Diagnostic::error(INCOMPLETE, message).at(origin, "").help(help)
}

fn nameless(resource: &Resource<'_>) -> Diagnostic {
    let kind = plain(resource.kind());
    let message = message!("expected `metadata.name` or `metadata.generateName` in {kind}");
    Diagnostic::error(INCOMPLETE, message).at(resource.origin(), "")
}

/// A finding about a resource without a schema, from the kinds that have one.
fn unknown_kind(catalog: &Catalog, resource: &Resource<'_>) -> Diagnostic {
    let kind = plain(resource.kind());
    let message = message!("a document was not checked: there is no schema for {kind}");
    let versions = catalog.other_versions(resource);
    let finding = match () {
        () if !versions.is_empty() => {
            let help = message!("there are schemas for the version {}", plain(versions.join(", ")));
            Diagnostic::error(OTHER_VERSION, message).help(help)
        }
        () if catalog.knows_group(resource) => match catalog.nearest_kind(resource) {
            Some(meant) => Diagnostic::error(UNKNOWN_KIND, message)
                .help(message!("did you mean {}?", plain(meant))),
            None => Diagnostic::error(UNKNOWN_KIND, message).help(ALLOW),
        },
        () => Diagnostic::warning(UNKNOWN_KIND, message).help(ALLOW),
    };
    finding.at(resource.origin(), "")
}

/// The help for a kind without a schema.
const ALLOW: &str = "add its schema, or allow kinds without one: --kube-allow-unknown 'GROUP/*'";

fn rejected_rule(rejected: &RejectedRule) -> Diagnostic {
    let rule = plain(shortened(&rejected.rule));
    let path = plain(rejected.path.as_str());
    let (why, help) = rejected.reason();
    let message = match rejected.path.as_str() {
        "" => message!("an API server rejects the rule `{rule}`: {}", plain(why)),
        _ => message!("an API server rejects the rule `{rule}` of `{path}`: {}", plain(why)),
    };
    let error = Diagnostic::error(REJECTED_RULE, message).at(rejected.origin, "");
    help.into_iter().fold(error, |error, help| error.help(plain(help)))
}

fn rejected_expression(rejected: &RejectedExpression) -> Diagnostic {
    let RejectedExpression { path, expression, origin, error } = rejected;
    let (expression, path) = (plain(shortened(expression)), plain(path));
    let message = message!(
        "an API server rejects the expression `{expression}` of `{path}`: {}",
        plain(&error.message)
    );
    let diagnostic = Diagnostic::error(REJECTED_RULE, message).at(*origin, "");
    error.help.iter().fold(diagnostic, |diagnostic, help| diagnostic.help(plain(help)))
}

fn rejected_structure(error: &StructureError) -> Diagnostic {
    let (path, required) = (plain(&error.path), plain(&error.required));
    let message = message!("an API server rejects the definition: `{path}` {required}");
    Diagnostic::error(REJECTED_DEFINITION, message).at(error.origin, "")
}

/// The beginning of a rule, on one line.
fn shortened(rule: &str) -> String {
    let shown = rule.split_whitespace().collect::<Vec<_>>().join(" ");
    match shown.char_indices().nth(SHOWN) {
        Some((at, _)) => format!("{}…", &shown[..at]),
        None => shown,
    }
}

fn unchecked_rule(unchecked: &UncheckedRule) -> Diagnostic {
    let UncheckedRule { rule, why, help, origin } = unchecked;
    let shown = shortened(rule);
    let message = message!("the rule `{}` is not checked: {}", plain(shown), plain(why));
    let warning = Diagnostic::warning(UNCHECKED_RULE, message).at(*origin, "");
    help.iter().fold(warning, |warning, help| warning.help(plain(help)))
}
