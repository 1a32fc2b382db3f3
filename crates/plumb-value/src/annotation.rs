//! Annotations of evaluated nodes: a name and computed arguments.

use std::sync::Arc;

use plumb_source::Span;

use crate::{Datum, Uses};

/// One annotation with its evaluated arguments, such as `@overlay/match by="name"`.
#[derive(Clone, Debug)]
pub struct Annotation {
    /// The name without its `@`, such as `overlay/match`.
    pub name: Arc<str>,
    /// The positional arguments.
    pub args: Vec<Datum>,
    /// The keyword arguments, in their order.
    pub kwargs: Vec<(Arc<str>, Datum)>,
    /// The comment that contains the annotation.
    pub span: Option<Span>,
    /// Arguments that other annotations added, in the order of addition.
    pub added: Vec<Added>,
    /// Counts its uses, if that was requested.
    pub uses: Option<Arc<Uses>>,
}

/// Arguments that one annotation added to another.
#[derive(Clone, Debug)]
pub struct Added {
    /// The index of the first positional argument; those of later annotations follow.
    first_arg: usize,
    kwargs: Vec<Arc<str>>,
    span: Option<Span>,
}

impl Annotation {
    /// An annotation with evaluated arguments. `span` is the comment that contains it.
    pub fn new(
        name: Arc<str>,
        args: Vec<Datum>,
        kwargs: Vec<(Arc<str>, Datum)>,
        span: Option<Span>,
    ) -> Self {
        Self { name, args, kwargs, span, added: Vec::new(), uses: None }
    }

    /// Adds the arguments of another annotation: positional ones are appended, keyword arguments
    /// are added or replaced. Each keeps the place where it was written.
    pub fn merge(&mut self, other: &Self) {
        let kwargs = other.kwargs.iter().map(|(name, _)| Arc::clone(name)).collect();
        self.added.push(Added { first_arg: self.args.len(), kwargs, span: other.span });
        self.args.extend(other.args.iter().cloned());
        for (name, value) in &other.kwargs {
            match self.kwargs.iter_mut().find(|(it, _)| it == name) {
                Some((_, old)) => *old = value.clone(),
                None => self.kwargs.push((Arc::clone(name), value.clone())),
            }
        }
    }

    /// Returns the place of the annotation in which a positional argument was written.
    pub fn arg_span(&self, at: usize) -> Option<Span> {
        self.added_with(at).map_or(self.span, |it| it.span)
    }

    /// Returns the position of a positional argument in the annotation in which it was written.
    pub fn arg_position(&self, at: usize) -> usize {
        at - self.added_with(at).map_or(0, |it| it.first_arg)
    }

    fn added_with(&self, at: usize) -> Option<&Added> {
        self.added.iter().rfind(|it| it.first_arg <= at)
    }

    /// Returns the place of the annotation in which a keyword argument was written.
    pub fn kwarg_span(&self, name: &str) -> Option<Span> {
        let added = self.added.iter().rfind(|it| it.kwargs.iter().any(|it| &**it == name));
        added.map_or(self.span, |it| it.span)
    }

    /// Returns whether the annotation has no arguments.
    pub fn is_bare(&self) -> bool {
        self.args.is_empty() && self.kwargs.is_empty()
    }
}

/// Most nodes have no more annotations than this. Memory is reserved for each of them.
const FEW: usize = 4;

/// The annotations of a node in the order in which they were written. A name occurs once.
#[derive(Clone, Debug, Default)]
pub struct Annotations(Vec<Annotation>);

impl Annotations {
    /// An empty list of annotations.
    pub const fn new() -> Self {
        Self(Vec::new())
    }

    /// Returns the annotation with this name. Returns `None` if it is missing.
    pub fn get(&self, name: &str) -> Option<&Annotation> {
        self.0.iter().find(|annotation| &*annotation.name == name)
    }

    /// Returns whether there is an annotation with this name.
    pub fn has(&self, name: &str) -> bool {
        self.get(name).is_some()
    }

    /// Adds an annotation, or replaces an earlier one with the same name.
    pub fn set(&mut self, annotation: Annotation) {
        match self.0.iter_mut().find(|it| it.name == annotation.name) {
            Some(earlier) => *earlier = annotation,
            None => {
                if self.0.len() < FEW {
                    self.0.reserve_exact(1);
                }
                self.0.push(annotation);
            }
        }
    }

    /// Removes the annotations for which `keep` returns false.
    pub fn retain(&mut self, keep: impl FnMut(&Annotation) -> bool) {
        self.0.retain(keep);
    }

    /// Returns the annotations in the order in which they were written.
    pub fn iter(&self) -> std::slice::Iter<'_, Annotation> {
        self.0.iter()
    }

    /// Returns whether there are no annotations.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl<'a> IntoIterator for &'a Annotations {
    type Item = &'a Annotation;
    type IntoIter = std::slice::Iter<'a, Annotation>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl Annotation {
    /// Returns the value of a keyword argument. Returns `None` if it is missing.
    pub fn kwarg(&self, name: &str) -> Option<&Datum> {
        self.kwargs.iter().find(|(it, _)| &**it == name).map(|(_, datum)| datum)
    }
}
