//! Layers of data values and of schemas: documents, each with its library.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use plumb_diagnostic::{Code, Diagnostic, Failure};
use plumb_schema::Touched;
use plumb_source::{Message, Origin, Sources, Text, message};
use plumb_value::{Annotation, Datum, Document, Expected, Node};

use crate::input_error::InputError;
use crate::purpose::{DATA_VALUES, LIBRARY_REF};
use crate::reference::{self, LibraryRef};
use crate::{GivenValues, Merge};

/// An annotation of a data values or schema document has invalid arguments.
///
/// `@data/values` takes `after_library_module=True`, but only together with `@library/ref`, which
/// takes the reference of a library, such as `"@app"`.
pub(crate) const BAD_ANNOTATION: Code = Code::new("data-values/bad-annotation");

/// A document that changes the data values (or the schema) of a library.
#[derive(Clone, Debug)]
pub(crate) struct Layer {
    pub(crate) document: Document,
    pub(crate) kind: LayerKind,
    /// The remaining path to the library that it is for; empty for the current one.
    target: Vec<LibraryRef>,
    /// The complete path as it was written, for messages.
    written_target: Arc<[LibraryRef]>,
    /// Whether it is merged after the values of `with_data_values`.
    pub(crate) is_after_library_module: bool,
    is_used: Arc<AtomicBool>,
}

/// How a layer is merged into the previous ones.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum LayerKind {
    /// According to its overlay annotations.
    Overlay,
    /// Maps are merged, everything else is replaced.
    Plain,
    /// According to its overlay annotations, which replace the value at these keys.
    Leaf(Vec<Text>),
}

impl Layer {
    pub(crate) fn new(document: Document, kind: LayerKind, target: Vec<LibraryRef>) -> Self {
        Self {
            document,
            kind,
            written_target: target.as_slice().into(),
            target,
            is_after_library_module: false,
            is_used: Arc::default(),
        }
    }

    /// Creates a layer from an annotated document.
    pub(crate) fn from_document(document: Document, sources: &Sources) -> Result<Self, Failure> {
        let placed = |mut refusal: Box<Diagnostic>| {
            refusal.reveal_literals(sources);
            Failure::from(*refusal)
        };
        let target = target_of(&document).map_err(placed)?;
        let is_after = is_after_library_module(&document, &target).map_err(placed)?;
        let mut layer = Self::new(document, LayerKind::Overlay, target);
        layer.is_after_library_module = is_after;
        Ok(layer)
    }

    /// Creates a layer from a flag or a plain file of data values.
    pub(crate) fn from_given(given: GivenValues) -> Result<Self, Failure> {
        let target = match &given.library {
            None => Vec::new(),
            Some(library) => reference::parse(library).map_err(|mut problem| {
                // The name of a library on the command line is not secret.
                problem.reveal(|_| true);
                Failure::from(Diagnostic::error(BAD_ANNOTATION, problem))
            })?,
        };
        Ok(Self::new(given.document, given.merge.into(), target))
    }

    pub(crate) fn is_plain(&self) -> bool {
        self.kind == LayerKind::Plain
    }

    /// Returns the parts of the data values that merging this layer may have changed.
    pub(crate) fn touched(&self) -> Touched<'_> {
        match &self.kind {
            LayerKind::Overlay => Touched::Everything,
            LayerKind::Plain => Touched::Keys(&self.document.node),
            LayerKind::Leaf(keys) => Touched::Path(keys),
        }
    }

    pub(crate) fn is_for_another_library(&self) -> bool {
        !self.target.is_empty()
    }

    pub(crate) fn is_used(&self) -> bool {
        self.is_used.load(Ordering::Relaxed)
    }

    /// Returns whether it is merged at the same place, at the same time and in the same way.
    pub(crate) fn is_laid_like(&self, other: &Self) -> bool {
        self.kind == other.kind
            && self.target == other.target
            && self.is_after_library_module == other.is_after_library_module
    }

    /// Returns the layer for the library of this reference, or `None` if it is neither for that
    /// library nor for one inside it.
    pub(crate) fn for_library(&self, instance: &LibraryRef) -> Option<Self> {
        let target = match self.target.split_first() {
            None => Vec::new(),
            Some((first, rest)) if first.matches(instance) => rest.to_vec(),
            Some(_) => return None,
        };
        self.is_used.store(true, Ordering::Relaxed);
        Some(Self { target, is_used: Arc::default(), ..self.clone() })
    }

    /// Returns the name of the layer in messages, in ytt's words.
    /// The library that it is for, as it is written.
    pub(crate) fn library(&self) -> String {
        reference::shown(&self.written_target)
    }

    /// The file and the line of the document.
    pub(crate) fn place(&self, sources: &Sources) -> String {
        self.document.origin.span().map_or_else(|| "?".to_owned(), |span| sources.place(span))
    }
}

impl From<Merge> for LayerKind {
    fn from(merge: Merge) -> Self {
        match merge {
            Merge::Plain => Self::Plain,
            Merge::Leaf(keys) => Self::Leaf(keys),
        }
    }
}

fn target_of(document: &Document) -> Result<Vec<LibraryRef>, Box<Diagnostic>> {
    let Some(annotation) = document.meta.annotation(LIBRARY_REF) else {
        return Ok(Vec::new());
    };
    let [argument] = &annotation.args[..] else {
        let n_args = annotation.args.len();
        return Err(refused(InputError::RefArguments(n_args).message(), annotation));
    };
    let Some(text) = argument.as_str() else {
        let message = message!("expected a string, {}", message::found(argument.type_name()));
        return Err(refused(message, annotation));
    };
    reference::parse(text)
        .map_err(|problem| refused(InputError::Ref(problem).message(), annotation))
}

fn is_after_library_module(
    document: &Document,
    target: &[LibraryRef],
) -> Result<bool, Box<Diagnostic>> {
    let Some(annotation) = document.meta.annotation(DATA_VALUES) else {
        return Ok(false);
    };
    let mut is_after = false;
    for (name, datum) in &annotation.kwargs {
        if &**name != "after_library_module" {
            let error = InputError::ValuesArgument(name.to_string());
            return Err(refused(error.message(), annotation));
        }
        let Datum::Node(Node::Bool(value)) = datum else {
            let expected = Expected::Boolean.words();
            let message = message!("expected {expected}, {}", message::found(datum.type_words()));
            return Err(refused(message, annotation));
        };
        if target.is_empty() {
            return Err(refused(InputError::WithoutRef.message(), annotation));
        }
        is_after = *value;
    }
    Ok(is_after)
}

fn refused(message: Message, annotation: &Annotation) -> Box<Diagnostic> {
    let diagnostic = Diagnostic::error(BAD_ANNOTATION, message);
    Box::new(diagnostic.at(annotation.span, ""))
}

/// An empty document for libraries without data values.
pub(crate) fn empty_values() -> Document {
    let map = plumb_value::Map::new(Vec::new(), Origin::Unknown);
    Document::new(Node::map(map), Origin::Unknown)
}
