//! Finds the schema in the input, and the language that it is written in.

use plumb_diagnostic::{Code, Diagnostic, Failure, nearest};
use plumb_jsonschema::{Dialect, Keyword, Vocabulary};
use plumb_source::message::plain;
use plumb_source::{Message, Origin, message};
use plumb_value::{Document, Map, Node};

use crate::Choice;

/// A file contains no schema that can be imported.
///
/// Plumb imports a `CustomResourceDefinition`, an `OpenAPI` document with schemas in its components
/// (or `definitions`, as in version 2), and a JSON Schema.
pub const NO_SCHEMA: Code = Code::new("import/no-schema");

/// A file contains several schemas, and no choice was made.
///
/// Choose one: `--name` takes the kind of a custom resource or the name of a component, `--version`
/// takes a version of a custom resource.
pub const AMBIGUOUS: Code = Code::new("import/ambiguous");

/// A file has no schema with this name or version.
///
/// The help offers the nearest name; without `--name` and `--version`, all of them are listed.
pub const NO_SUCH_NAME: Code = Code::new("import/no-such-name");

/// A schema is too large after its references are expanded.
///
/// Each reference is replaced by what it refers to, so a few nested references can expand to a very
/// large schema. Import a part of the schema with `--name`.
pub const TOO_LARGE: Code = Code::new("import/too-large");

/// A schema has the same key twice in one map.
///
/// JSON parsers do not agree on which of the two to use: remove one.
pub const DUPLICATE_KEY: Code = Code::new("import/duplicate-key");

/// A schema that was found.
#[derive(Debug)]
pub(crate) struct Found<'a> {
    pub(crate) schema: &'a Node,
    /// The document that references are looked up in.
    pub(crate) document: &'a Node,
    pub(crate) language: Language,
    pub(crate) draft: Draft,
    /// Its name in the document.
    pub(crate) title: String,
}

/// The drafts of JSON Schema that differ here.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Draft {
    /// `1.0` is not an integer.
    Four,
    /// Keywords beside `$ref` are ignored.
    SixOrSeven,
    /// 2019-09 and later, and schemas that name no draft.
    Later,
}

impl Draft {
    pub(crate) fn of(schema: &Node) -> Self {
        match Keyword::SchemaUri.within(schema).and_then(Node::as_str) {
            Some(uri) if uri.contains("draft-03") || uri.contains("draft-04") => Self::Four,
            Some(uri) if uri.contains("draft-06") || uri.contains("draft-07") => Self::SixOrSeven,
            _ => Self::Later,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Language {
    Crd,
    OpenApi,
    JsonSchema,
}

impl Language {
    pub(crate) fn dialect(self) -> Dialect {
        match self {
            Self::Crd => Dialect::Kubernetes,
            Self::OpenApi => Dialect::OpenApi,
            Self::JsonSchema => Dialect::JsonSchema,
        }
    }

    /// Whether a map accepts undeclared keys by default.
    pub(crate) fn is_open(self) -> bool {
        self == Self::JsonSchema
    }
}

pub(crate) fn find<'a>(documents: &'a [Document], choice: &Choice) -> Result<Found<'a>, Failure> {
    let definitions: Vec<&Document> = documents.iter().filter(|it| is_crd(&it.node)).collect();
    if !definitions.is_empty() {
        return of_definitions(&definitions, choice);
    }
    let is_schema = |node: &Node| match node {
        Node::Map(map) => !map.is_empty(),
        Node::Bool(_) => true,
        _ => false,
    };
    let schemas: Vec<&Document> = documents.iter().filter(|it| is_schema(&it.node)).collect();
    let [document] = schemas.as_slice() else {
        let first = documents.iter().find(|it| !it.node.is_null() && it.node.as_map().is_none());
        let why: Message = match first {
            _ if !schemas.is_empty() => "found several documents".into(),
            Some(other) => message!("found {}", other.node.kind().with_article()),
            None => "found nothing".into(),
        };
        return Err(no_schema(documents.first(), why));
    };
    let node = &document.node;
    let components = at(node, &[Keyword::Components.name(), "schemas"])
        .or_else(|| Keyword::Definitions.within(node));
    let is_api = at(node, &["openapi"]).or_else(|| at(node, &["swagger"])).is_some();
    match components.and_then(Node::as_map) {
        Some(components) if is_api => of_components(document, components, choice),
        None if is_api => Err(no_schema(Some(document), "the API has no components")),
        _ if looks_like_schema(node) => Ok(Found {
            schema: node,
            document: node,
            language: Language::JsonSchema,
            draft: Draft::of(node),
            title: "a JSON Schema".to_owned(),
        }),
        _ => Err(match text(node, &["kind"]).filter(|_| is_resource(node)) {
            Some(kind) => no_schema(
                Some(document),
                message!("expected a schema, found a resource of kind {}", plain(kind)),
            ),
            None => no_schema(Some(document), "found no keyword that describes values"),
        }),
    }
}

/// Rejects documents in which a map has the same key twice.
pub(crate) fn check_unique(documents: &[Document]) -> Result<(), Failure> {
    let mut maps = documents.iter().flat_map(|it| it.node.maps());
    let Some((first, second)) = maps.find_map(Map::twins) else {
        return Ok(());
    };
    let message = message!("the key {} occurs twice", plain(second.key.repr()));
    let finding = located(DUPLICATE_KEY, message, second.origin);
    Err(finding.at(first.origin, "and here").into())
}

/// The value at nested keys. Returns `None` if one of them is missing.
pub(crate) fn at<'a>(node: &'a Node, keys: &[&str]) -> Option<&'a Node> {
    keys.iter().try_fold(node, |node, key| node.as_map()?.get_str(key))
}

fn text<'a>(node: &'a Node, keys: &[&str]) -> Option<&'a str> {
    at(node, keys)?.as_str()
}

fn is_crd(node: &Node) -> bool {
    text(node, &["kind"]) == Some("CustomResourceDefinition")
}

fn is_resource(node: &Node) -> bool {
    at(node, &["apiVersion"]).is_some() && at(node, &["kind"]).is_some()
}

fn looks_like_schema(node: &Node) -> bool {
    let restricts = |it: &Keyword| {
        use Vocabulary::{Applicator, Unevaluated, Validation};
        matches!(it.vocabulary(), Applicator | Unevaluated | Validation)
            || [Keyword::SchemaUri, Keyword::Ref, Keyword::Default].contains(it)
    };
    let mut keywords = Keyword::ALL.iter().filter(|it| restricts(it));
    matches!(node, Node::Bool(_))
        || !is_resource(node) && keywords.any(|it| it.within(node).is_some())
}

fn no_schema(document: Option<&Document>, why: impl Into<Message>) -> Failure {
    let message = message!("no schema to import: {}", why.into());
    let help = "give a CustomResourceDefinition, an OpenAPI document or a JSON Schema";
    located(NO_SCHEMA, message, document.map_or(Origin::Unknown, |it| it.origin)).help(help).into()
}

fn located(code: Code, message: Message, origin: Origin) -> Diagnostic {
    let finding = Diagnostic::error(code, message);
    finding.at(origin, "")
}

/// The item with the given name, or the only item.
fn select<'a, T>(
    what: &'static str,
    flag: &'static str,
    named: Vec<(&'a str, T)>,
    wanted: Option<&str>,
    origin: Origin,
) -> Result<(&'a str, T), Failure> {
    let names: Vec<&str> = named.iter().map(|(name, _)| *name).collect();
    let Some(wanted) = wanted else {
        let is_one = named.len() == 1;
        return match named.into_iter().next() {
            Some(only) if is_one => Ok(only),
            _ => {
                let message = message!("the file has several {what}: choose one");
                let help = message!("choose with {flag}: {}", plain(listed(&names)));
                Err(located(AMBIGUOUS, message, origin).help(help).into())
            }
        };
    };
    let help = match nearest(wanted, names.iter().copied()) {
        Some(meant) => message!("did you mean {}?", plain(meant)),
        None => message!("there are {}", plain(listed(&names))),
    };
    let chosen = named.into_iter().find(|(name, _)| *name == wanted);
    chosen.ok_or_else(|| {
        let message = message!("`{}` is not one of the {what}", plain(wanted));
        located(NO_SUCH_NAME, message, origin).help(help).into()
    })
}

/// The first few of many names.
fn listed(names: &[&str]) -> String {
    const SHOWN: usize = 12;
    let shown = names.iter().take(SHOWN).copied().collect::<Vec<_>>().join(", ");
    if names.len() > SHOWN { format!("{shown}, …") } else { shown }
}

fn of_definitions<'a>(definitions: &[&'a Document], choice: &Choice) -> Result<Found<'a>, Failure> {
    let named = definitions
        .iter()
        .map(|it| (text(&it.node, &["spec", "names", "kind"]).unwrap_or("?"), *it));
    let origin = definitions.first().map_or(Origin::Unknown, |it| it.origin);
    let wanted = choice.name.as_deref();
    let (kind, document) = select("custom resources", "--name", named.collect(), wanted, origin)?;
    let node = &document.node;
    let versions = at(node, &["spec", "versions"]).and_then(Node::as_array);
    let versions = versions.map(|it| it.items.iter().map(|item| &item.node).collect::<Vec<_>>());
    let versions = versions.unwrap_or_default();
    let is_stored = |it: &&&Node| matches!(at(it, &["storage"]), Some(Node::Bool(true)));
    let stored = versions.iter().find(is_stored).and_then(|it| text(it, &["name"]));
    let wanted = choice.version.as_deref().or(stored);
    let named = versions.iter().map(|it| (text(it, &["name"]).unwrap_or("?"), *it)).collect();
    let (version, found) = select("versions", "--version", named, wanted, document.origin)?;
    let schema = at(found, &["schema", "openAPIV3Schema"])
        .or_else(|| at(node, &["spec", "validation", "openAPIV3Schema"]))
        .ok_or_else(|| {
            no_schema(Some(document), message!("{} {} has none", plain(kind), plain(version)))
        })?;
    let group = text(node, &["spec", "group"]).unwrap_or("?");
    Ok(Found {
        schema: at(schema, &[Keyword::Properties.name(), "spec"]).unwrap_or(schema),
        document: schema,
        language: Language::Crd,
        draft: Draft::Later,
        title: format!("the custom resource {kind}, {group}/{version}"),
    })
}

fn of_components<'a>(
    document: &'a Document,
    components: &'a Map,
    choice: &Choice,
) -> Result<Found<'a>, Failure> {
    let named = components.items().iter();
    let named = named.filter_map(|it| Some((it.key.as_str()?, &it.node))).collect();
    let wanted = choice.name.as_deref();
    let (name, schema) = select("schemas", "--name", named, wanted, document.origin)?;
    let document = &document.node;
    let title = format!("{name} of an OpenAPI document");
    Ok(Found { schema, document, language: Language::OpenApi, draft: Draft::Later, title })
}
