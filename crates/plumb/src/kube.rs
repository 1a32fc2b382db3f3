//! Validates output documents against Kubernetes schemas.

use plumb_diagnostic::{Code, Diagnostic, Failure};
use plumb_kube::{Catalog, Interest, Resource, SchemaFile, UncheckedRule, resources};
use plumb_library::SilentDrops;
use plumb_source::message::plain;
use plumb_source::{Sources, World, message};
use plumb_validation::report;
use plumb_value::{Document, Node};
use plumb_yaml::ReadOptions;

use crate::{Options, Rendered};

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

/// A CEL rule of a custom resource definition was not checked.
///
/// A rule about a change (`oldSelf`) is left to the API server, which has both values and does not
/// apply it to new resources. Plumb may not understand another rule that your cluster accepts: the
/// message says what was not understood.
pub(crate) const UNCHECKED_RULE: Code = Code::new("kube/unchecked-rule");

/// The heading of violations in ytt's layout.
const TITLE: &str = "Validating output documents";

/// The number of characters of a rule that are shown.
const SHOWN: usize = 80;

/// Only files with these extensions are read.
const EXTENSIONS: [&str; 3] = [".json", ".yaml", ".yml"];

/// Checks every document that has a schema. Returns warnings for the user.
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
    let mut warnings = Vec::new();
    let mut n_checked = 0;
    for resource in &resources {
        match catalog.check(resource) {
            Some(found) => {
                n_checked += 1;
                violations.extend(found);
            }
            None => warnings.extend(other_version(&catalog, resource)),
        }
    }
    if !violations.is_empty() {
        return Err(report::failure(TITLE, &violations, sources));
    }
    warnings.extend(catalog.take_unchecked().iter().map(unchecked_rule));
    if n_checked == 0 && !resources.is_empty() && warnings.is_empty() {
        let message = message!(
            "no document was checked: there is no schema for any of them in {}",
            plain(options.kube_schemas.join(", "))
        );
        warnings.push(Diagnostic::warning(NO_SCHEMA, message));
    }
    Ok(warnings)
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

fn other_version(catalog: &Catalog, resource: &Resource<'_>) -> Option<Diagnostic> {
    let versions = catalog.other_versions(resource);
    if versions.is_empty() {
        return None;
    }
    let message =
        message!("a document was not checked: there is no schema for {}", plain(resource.kind()));
    let help = message!("there are schemas for the version {}", plain(versions.join(", ")));
    let warning = Diagnostic::warning(OTHER_VERSION, message).help(help);
    Some(warning.at(resource.origin(), ""))
}

fn unchecked_rule(unchecked: &UncheckedRule) -> Diagnostic {
    let UncheckedRule { rule, error, origin } = unchecked;
    let shown = rule.split_whitespace().collect::<Vec<_>>().join(" ");
    let shown = match shown.char_indices().nth(SHOWN) {
        Some((at, _)) => format!("{}…", &shown[..at]),
        None => shown,
    };
    let why = if error.is_about_change { "it is about a change" } else { &error.message };
    let message = message!("the rule `{}` is left to the API server: {}", plain(shown), plain(why));
    let help = error.help.iter().filter(|_| !error.is_about_change).cloned();
    let warning = Diagnostic::warning(UNCHECKED_RULE, message).at(*origin, "");
    help.fold(warning, |warning, help| warning.help(plain(help)))
}
