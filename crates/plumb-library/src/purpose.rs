//! Whether a document is a declaration instead of output, according to its annotations.
//!
//! This is determined before the evaluation, because files with declarations are evaluated first.

use plumb_diagnostic::{Code, Diagnostic, Failure};
use plumb_source::message::plain;
use plumb_source::{Origin, Sources, message};
use plumb_value::{AnnotationDefinition, Document, Meta, Node, Reads};

use crate::input_error::InputError;

pub(crate) const LIBRARY_REF: &str = "library/ref";
pub(crate) const DATA_VALUES: &str = "data/values";
const VALUES_SCHEMA: &str = "data/values-schema";
const SCHEMA: &str = "schema";
pub(crate) const DEFINITION: &str = "schema/definition";

/// The annotations that this crate reads.
pub(crate) const ANNOTATIONS: &[AnnotationDefinition] = &[
    AnnotationDefinition::new(
        DATA_VALUES,
        Reads::Keywords,
        "after_library_module=True",
        "The document below contains data values.",
    ),
    AnnotationDefinition::bare(
        VALUES_SCHEMA,
        "The document below is the schema of the data values.",
    ),
    AnnotationDefinition::new(
        SCHEMA,
        Reads::Keywords,
        "attach=\"data/values\"",
        "The document below is a schema. All its keys must have a value in the end.",
    ),
    AnnotationDefinition::new(
        DEFINITION,
        Reads::Only(&["data_values"]),
        "data_values=True",
        "The document below is a schema.",
    ),
    AnnotationDefinition::new(
        LIBRARY_REF,
        Reads::Positional,
        "name",
        "The document below is for a library.",
    ),
];

/// `@data/values`, `@data/values-schema` or `@schema` is not on a document, or is given twice.
///
/// Write it above the `---` of the document.
pub(crate) const MISPLACED: Code = Code::new("data-values/misplaced-annotation");

/// What a document declares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Purpose {
    Values,
    Schema,
}

impl Purpose {
    pub(crate) const ALL: [Self; 2] = [Self::Schema, Self::Values];

    /// The annotations that mark such a document; one of them is enough.
    pub(crate) fn annotations(self) -> &'static [&'static str] {
        match self {
            Self::Values => &[DATA_VALUES],
            Self::Schema => &[VALUES_SCHEMA, SCHEMA, DEFINITION],
        }
    }

    /// The name of such documents in messages.
    pub(crate) fn words(self) -> &'static str {
        match self {
            Self::Values => "data values",
            Self::Schema => "schema",
        }
    }

    /// Returns whether any of these unevaluated documents declares it.
    pub(crate) fn is_declared_in(
        self,
        documents: &[Document],
        sources: &Sources,
    ) -> Result<bool, Failure> {
        let mut is_there = false;
        for document in documents {
            self.expect_none_inside(&document.node, sources)?;
            let mut given = Vec::new();
            for &name in self.annotations() {
                let named = plumb_template::annotation_names(&document.meta);
                match named.filter(|it| *it == name).count() {
                    0 => {}
                    1 => given.push(name),
                    _ => {
                        let message =
                            message!("{name} annotation may only be used once per document");
                        return Err(Diagnostic::error(MISPLACED, message).into());
                    }
                }
            }
            if let [first, second, ..] = given[..] {
                return Err(said_twice(first, second, document.origin));
            }
            is_there |= !given.is_empty();
        }
        Ok(is_there)
    }

    fn expect_none_inside(self, node: &Node, sources: &Sources) -> Result<(), Failure> {
        let check = |meta: &Meta, node: &Node, what: &str, origin: Origin| {
            let mut names = plumb_template::annotation_names(meta);
            match names.find(|name| self.annotations().contains(name)) {
                Some(name) => Err(misplaced(name, what, origin, sources)),
                None => self.expect_none_inside(node, sources),
            }
        };
        match node {
            Node::Map(map) => map
                .items()
                .iter()
                .try_for_each(|item| check(&item.meta, &item.node, "map item", item.origin)),
            Node::Array(array) => array
                .items
                .iter()
                .try_for_each(|item| check(&item.meta, &item.node, "array item", item.origin)),
            Node::Null
            | Node::Bool(_)
            | Node::Int(_)
            | Node::UInt(_)
            | Node::Float(_)
            | Node::String(_) => Ok(()),
        }
    }

    /// Returns whether an evaluated document declares it.
    pub(crate) fn is_of(self, document: &Document) -> bool {
        let annotations = document.meta.annotations();
        self.annotations().iter().any(|name| annotations.has(name))
    }
}

fn said_twice(first: &str, second: &str, origin: Origin) -> Failure {
    let message =
        message!("a document is either @{} or @{}, not both", plain(first), plain(second));
    Diagnostic::error(MISPLACED, message).at(origin, "").into()
}

fn misplaced(name: &str, what: &str, origin: Origin, sources: &Sources) -> Failure {
    let place = origin.span().map_or_else(String::new, |span| sources.place(span));
    let error = InputError::Misplaced { annotation: name.to_owned(), what: what.to_owned(), place };
    let diagnostic = Diagnostic::error(MISPLACED, error.message())
        .help(message!("write `---` below `#@{}`", plain(name)));
    diagnostic.at(origin, "").into()
}
