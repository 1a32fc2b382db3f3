//! The words that templates can use: annotations and built-in modules. Other crates define most of
//! them.

use std::sync::LazyLock;

use plumb_value::{AnnotationDefinition, Reads};

pub(crate) const COMMENT: &str = "comment";
pub(crate) const CODE: &str = "template/code";
pub(crate) const VALUE: &str = "template/value";
pub(crate) const MAP_KEY_OVERRIDE: &str = "yaml/map-key-override";
pub(crate) const TEXT_TEMPLATED_STRINGS: &str = "yaml/text-templated-strings";

/// The annotations that this crate reads.
pub const ANNOTATIONS: &[AnnotationDefinition] = &[
    AnnotationDefinition::new(COMMENT, Reads::All, "text", "A comment."),
    AnnotationDefinition::new(CODE, Reads::All, "code", "Code."),
    AnnotationDefinition::new(VALUE, Reads::All, "expression", "The value of the node."),
    AnnotationDefinition::bare(
        MAP_KEY_OVERRIDE,
        "Allows a key that is given twice: the last one is used.",
    ),
    AnnotationDefinition::bare(
        TEXT_TEMPLATED_STRINGS,
        "Strings and keys below are text templates: `(@= x @)`.",
    ),
];

/// The known annotations and modules. An unknown name is usually a spelling mistake; ytt ignores it
/// without a warning.
#[derive(Debug)]
pub struct Vocabulary {
    /// The annotations, sorted by name.
    annotations: Vec<&'static AnnotationDefinition>,
    /// The modules, sorted by name: `json` for `@ytt:json`.
    modules: Vec<&'static str>,
}

impl Vocabulary {
    /// Combines tables of annotations, and names of modules.
    ///
    /// # Panics
    ///
    /// If two annotations have the same name.
    pub fn new(
        tables: &[&'static [AnnotationDefinition]],
        modules: impl IntoIterator<Item = &'static str>,
    ) -> Self {
        let mut annotations: Vec<&AnnotationDefinition> =
            tables.iter().copied().flatten().collect();
        annotations.sort_by_key(|it| it.name);
        let are_distinct = annotations.is_sorted_by(|a, b| a.name < b.name);
        assert!(are_distinct, "each annotation is defined in one place");
        let mut modules: Vec<&str> = modules.into_iter().collect();
        modules.sort_unstable();
        Self { annotations, modules }
    }

    /// Returns the annotations, by name.
    pub fn annotations(&self) -> &[&'static AnnotationDefinition] {
        &self.annotations
    }

    /// Returns the names of the modules that can be loaded, in order.
    pub(crate) fn modules(&self) -> &[&'static str] {
        &self.modules
    }

    /// Returns the annotation with this name. Returns `None` if it is not known.
    pub(crate) fn annotation(&self, name: &str) -> Option<&'static AnnotationDefinition> {
        let at = self.annotations.binary_search_by(|it| it.name.cmp(name)).ok()?;
        Some(self.annotations[at])
    }

    pub(crate) fn has_namespace(&self, namespace: &str) -> bool {
        self.annotations.iter().any(|it| it.namespace() == Some(namespace))
    }
}

/// The annotations of this crate alone.
impl Default for &'static Vocabulary {
    fn default() -> Self {
        static OWN: LazyLock<Vocabulary> = LazyLock::new(|| Vocabulary::new(&[ANNOTATIONS], []));
        &OWN
    }
}
