//! The targets of references: documents, and the schemas in them that have their own identifier.

use std::fmt;

use hashbrown::HashMap;
use plumb_value::{Map, Node};

use crate::draft::Draft;
use crate::keyword::{Keyword, Operand, Vocabulary};
use crate::{meta, uri};

/// Loads the documents that schemas refer to.
pub trait Retrieve {
    /// Returns the document with a URI, or the reason why it cannot be loaded.
    fn retrieve(&self, uri: &str) -> Result<Node, RetrieveError>;
}

/// Why a document cannot be loaded, in the words of the loader.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RetrieveError(String);

impl RetrieveError {
    /// Creates an error with the message of its cause.
    pub fn new(cause: impl fmt::Display) -> Self {
        Self(cause.to_string())
    }
}

impl fmt::Display for RetrieveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for RetrieveError {}

/// Why a schema cannot be compiled.
#[derive(Clone, Debug)]
pub enum SchemaError {
    /// The schema breaks the rules of its draft.
    NotValid(Vec<crate::Finding>),
    /// A reference leads to a document that cannot be loaded.
    Unretrievable { uri: String, error: RetrieveError },
    /// The target of a reference does not exist in its document.
    NowhereTo { reference: String },
    /// The `$schema` is not one of the drafts, and cannot be loaded.
    UnknownDraft { uri: String },
    /// A regular expression is not valid.
    NotAPattern { pattern: String },
}

impl fmt::Display for SchemaError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotValid(findings) => {
                f.write_str("the schema is not valid")?;
                for finding in findings.iter().take(1) {
                    if !finding.path.is_root() {
                        write!(f, ": at {}", finding.path)?;
                    }
                    write!(f, ": {}", finding.kind.message().masked())?;
                }
                Ok(())
            }
            Self::Unretrievable { error, .. } => error.fmt(f),
            Self::NowhereTo { reference } => {
                write!(
                    f,
                    "the schema is not valid: the target of `$ref` does not exist: {reference}"
                )
            }
            Self::UnknownDraft { uri } => {
                write!(f, "expected draft 4, 6, 7, 2019-09 or 2020-12 as `$schema`, found {uri}")
            }
            Self::NotAPattern { pattern } => {
                write!(f, "the schema is not valid: not a regular expression: {pattern}")
            }
        }
    }
}

impl std::error::Error for SchemaError {}

/// The draft and vocabularies of a resource.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Language {
    pub(crate) draft: Draft,
    pub(crate) has_validation: bool,
    pub(crate) asserts_formats: bool,
}

/// A schema with an identifier.
#[derive(Debug)]
pub(crate) struct Resource {
    pub(crate) uri: String,
    pub(crate) root: Node,
    pub(crate) language: Language,
    anchors: HashMap<String, Node>,
    /// Anchors that dynamic references look for. The anchor of `$recursiveAnchor` is empty.
    pub(crate) dynamic: Vec<(String, Node)>,
}

/// A schema, and the resource that it is in.
#[derive(Clone, Debug)]
pub(crate) struct Located {
    pub(crate) node: Node,
    pub(crate) resource: usize,
}

pub(crate) struct Registry<'r> {
    pub(crate) resources: Vec<Resource>,
    by_uri: HashMap<String, usize>,
    /// Resources by the address of their root.
    by_address: HashMap<usize, usize>,
    retrieve: &'r dyn Retrieve,
}

impl Draft {
    pub(crate) fn language(self) -> Language {
        let asserts_formats = self < Self::Nineteen;
        Language { draft: self, has_validation: true, asserts_formats }
    }

    /// The keyword for the identifier of a schema.
    pub(crate) fn id_keyword(self) -> Keyword {
        if self == Self::Four { Keyword::OldId } else { Keyword::Id }
    }
}

impl<'r> Registry<'r> {
    pub(crate) fn new(retrieve: &'r dyn Retrieve) -> Self {
        let (by_uri, by_address) = (HashMap::new(), HashMap::new());
        Self { resources: Vec::new(), by_uri, by_address, retrieve }
    }

    /// Adds a document, and the resources in it.
    pub(crate) fn add_document(
        &mut self,
        uri: &str,
        root: &Node,
        language: Language,
    ) -> Result<usize, SchemaError> {
        let language = self.language_of(root, language)?;
        let own = root.as_map().filter(|it| !hides_siblings(it, language.draft));
        let id = own.and_then(|it| language.draft.id_keyword().text(it));
        let id = id.filter(|it| !uri::split(it).0.is_empty());
        let own_uri = id.map_or_else(|| uri.to_owned(), |it| uri::resolve(uri, it));
        let resource = self.add_resource(own_uri, root, language);
        self.by_uri.entry(uri.to_owned()).or_insert(resource);
        self.index(root, resource);
        Ok(resource)
    }

    fn add_resource(&mut self, uri: String, root: &Node, language: Language) -> usize {
        let resource = self.resources.len();
        self.by_uri.insert(uri.clone(), resource);
        if let Some(address) = root.address() {
            self.by_address.insert(address, resource);
        }
        let (anchors, dynamic) = (HashMap::new(), Vec::new());
        self.resources.push(Resource { uri, root: root.clone(), language, anchors, dynamic });
        resource
    }

    /// Returns the draft and vocabularies that a schema names. Without them, returns those of the
    /// schema that refers to it.
    pub(crate) fn language_of(
        &mut self,
        schema: &Node,
        outer: Language,
    ) -> Result<Language, SchemaError> {
        let Some(uri) = Keyword::SchemaUri.within(schema).and_then(Node::as_str) else {
            return Ok(outer);
        };
        if let Some(draft) = Draft::of_uri(uri) {
            return Ok(draft.language());
        }
        let unknown = || SchemaError::UnknownDraft { uri: uri.to_owned() };
        let meta = self.retrieve.retrieve(uri::split(uri).0).map_err(|_| unknown())?;
        let own = Keyword::SchemaUri.within(&meta).and_then(Node::as_str);
        let draft = own.and_then(Draft::of_uri).ok_or_else(unknown)?;
        let mut language = draft.language();
        if let Some(used) = Keyword::VocabularyUse.within(&meta).and_then(Node::as_map) {
            let validation = meta::vocabulary_uri(draft, Vocabulary::Validation);
            language.has_validation = used.get_str(&validation).is_some();
            let assertion = meta::format_assertion_uri(draft);
            language.asserts_formats = used.get_str(&assertion).is_some();
        }
        Ok(language)
    }

    /// Finds the resources and anchors in a schema.
    fn index(&mut self, node: &Node, resource: usize) {
        let mut left = vec![Located { node: node.clone(), resource }];
        while let Some(Located { node, mut resource }) = left.pop() {
            let Some(map) = node.as_map() else {
                continue;
            };
            let is_root = self.resources[resource].root.address() == node.address();
            let mut language = self.resources[resource].language;
            if !is_root && !hides_siblings(map, language.draft) {
                let own = self.language_of(&node, language).unwrap_or(language);
                let id = own.draft.id_keyword().text(map);
                let id = id.filter(|it| !uri::split(it).0.is_empty());
                if let Some(id) = id {
                    language = own;
                    let uri = uri::resolve(&self.resources[resource].uri, id);
                    resource = self.add_resource(uri, &node, language);
                }
            }
            self.add_anchors(map, &node, resource);
            for child in subschemas(map, language.draft) {
                left.push(Located { node: child.clone(), resource });
            }
        }
    }

    fn add_anchors(&mut self, map: &Map, node: &Node, resource: usize) {
        let target = &mut self.resources[resource];
        let draft = target.language.draft;
        if hides_siblings(map, draft) {
            return;
        }
        let named = |keyword: Keyword| keyword.text(map).filter(|_| keyword.drafts().has(draft));
        // Older drafts write an anchor as an identifier.
        let old = draft.id_keyword().text(map).filter(|_| draft < Draft::Nineteen);
        let old = old.and_then(|it| it.strip_prefix('#')).filter(|it| !it.is_empty());
        let anchors = [old, named(Keyword::Anchor), named(Keyword::DynamicAnchor)];
        for anchor in anchors.into_iter().flatten() {
            target.anchors.insert(anchor.to_owned(), node.clone());
        }
        if let Some(anchor) = named(Keyword::DynamicAnchor) {
            target.dynamic.push((anchor.to_owned(), node.clone()));
        }
        let is_recursive = Keyword::RecursiveAnchor.is_on(map) && draft == Draft::Nineteen;
        if is_recursive && target.root.address() == node.address() {
            target.dynamic.push((String::new(), node.clone()));
        }
    }

    /// Returns the target of a reference in a resource.
    pub(crate) fn resolve(&mut self, reference: &str, from: usize) -> Result<Located, SchemaError> {
        let nowhere = || SchemaError::NowhereTo { reference: reference.to_owned() };
        let Resource { uri: base, language, .. } = &self.resources[from];
        let target = uri::resolve(base, reference);
        let resource = match self.by_uri.get(&target) {
            Some(resource) => *resource,
            None => self.retrieved(&target, *language)?,
        };
        let fragment = uri::percent_decoded(uri::split(reference).1.unwrap_or_default());
        if fragment.is_empty() {
            let node = self.resources[resource].root.clone();
            return Ok(Located { node, resource });
        }
        if !fragment.starts_with('/') {
            let anchored = self.resources[resource].anchors.get(&fragment);
            let node = anchored.cloned().ok_or_else(nowhere)?;
            return Ok(Located { node, resource });
        }
        let node = self.resources[resource].root.clone();
        let found = fragment.split('/').skip(1).try_fold(
            Located { node, resource },
            |Located { node, resource }, step| {
                let step = step.replace("~1", "/").replace("~0", "~");
                let node = match &node {
                    Node::Map(map) => map.get_str(&step)?.clone(),
                    Node::Array(array) => {
                        array.items.get(step.parse::<usize>().ok()?)?.node.clone()
                    }
                    _ => return None,
                };
                let resource = self.resource_at(&node).unwrap_or(resource);
                Some(Located { node, resource })
            },
        );
        found.ok_or_else(nowhere)
    }

    /// Returns the resource that has this node as its root.
    pub(crate) fn resource_at(&self, node: &Node) -> Option<usize> {
        self.by_address.get(&node.address()?).copied()
    }

    fn retrieved(&mut self, uri: &str, language: Language) -> Result<usize, SchemaError> {
        let document = match meta::document(uri) {
            Some(document) => document,
            None => self
                .retrieve
                .retrieve(uri)
                .map_err(|error| SchemaError::Unretrievable { uri: uri.to_owned(), error })?,
        };
        self.add_document(uri, &document, language)
    }
}

/// Whether a reference hides the keywords next to it.
pub(crate) fn hides_siblings(schema: &Map, draft: Draft) -> bool {
    !draft.has_siblings_of_ref() && Keyword::Ref.text(schema).is_some()
}

/// Returns the direct subschemas of a schema.
fn subschemas(schema: &Map, draft: Draft) -> Vec<&Node> {
    let mut found = Vec::new();
    for item in schema.items() {
        let Some(keyword) = item.key.as_str().and_then(Keyword::of_name) else {
            continue;
        };
        if !keyword.drafts().has(draft) {
            continue;
        }
        match (keyword.operand(), &item.node) {
            (Operand::Schema | Operand::SchemaOrSchemas, Node::Map(_)) => found.push(&item.node),
            (Operand::Schemas | Operand::SchemaOrSchemas, Node::Array(array)) => {
                found.extend(array.items.iter().map(|it| &it.node));
            }
            (Operand::SchemasByKey | Operand::SchemaOrTextsByKey, Node::Map(map)) => {
                found.extend(map.items().iter().map(|it| &it.node));
            }
            _ => {}
        }
    }
    found
}
