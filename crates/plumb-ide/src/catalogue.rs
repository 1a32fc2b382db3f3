//! What is built in: functions, modules, annotations and keywords, with their documentation.
//!
//! The crates that implement functions, modules and annotations also document them.

use std::sync::LazyLock;

use plumb_library::ModuleDoc;
use plumb_starlark::{Doc, Environment};

use crate::TextRange;
use crate::completion::{Completion, CompletionKind};

/// A function, a value or an annotation.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    pub(crate) name: &'static str,
    /// How it is called.
    pub(crate) signature: String,
    /// What it does, in a sentence.
    pub(crate) summary: &'static str,
}

fn entry(name: &'static str, signature: String, summary: &'static str) -> Entry {
    Entry { name, signature, summary }
}

/// The words of the language that begin something.
pub(crate) const KEYWORDS: [(&str, &str); 12] = [
    ("and", "both are true"),
    ("def", "def NAME(…): … end"),
    ("elif", "elif CONDITION:"),
    ("else", "else:"),
    ("end", "closes a block"),
    ("for", "for NAME in VALUES: … end"),
    ("if", "if CONDITION: … end"),
    ("in", "is an element of"),
    ("lambda", "lambda NAME: EXPRESSION"),
    ("load", "load(\"MODULE\", \"NAME\")"),
    ("not", "is not true"),
    ("return", "return VALUE"),
];

static ANNOTATIONS: LazyLock<Vec<Entry>> = LazyLock::new(|| {
    let known = plumb_library::vocabulary().annotations();
    known.iter().map(|it| entry(it.name, it.signature(), it.summary)).collect()
});

static BUILT_INS: LazyLock<Vec<Entry>> =
    LazyLock::new(|| Environment::standard_docs().map(Entry::from).collect());

static MODULES: LazyLock<Vec<Module>> =
    LazyLock::new(|| plumb_library::module_docs().into_iter().map(Module::from).collect());

/// A module that can be loaded as `@ytt:NAME`.
#[derive(Clone, Debug)]
pub(crate) struct Module {
    pub(crate) name: &'static str,
    pub(crate) summary: &'static str,
    pub(crate) members: Vec<Entry>,
}

impl From<Doc> for Entry {
    fn from(doc: Doc) -> Self {
        entry(doc.name(), doc.signature.to_owned(), doc.summary)
    }
}

impl From<ModuleDoc> for Module {
    fn from(ModuleDoc { name, summary, members }: ModuleDoc) -> Self {
        Self { name, summary, members: members.into_iter().map(Entry::from).collect() }
    }
}

/// Names that every program has.
pub(crate) fn built_ins() -> &'static [Entry] {
    &BUILT_INS
}

/// The modules, by name.
pub(crate) fn modules() -> &'static [Module] {
    &MODULES
}

/// The module of a name.
pub(crate) fn module(name: &str) -> Option<&'static Module> {
    modules().iter().find(|it| it.name == name)
}

/// A member of a module.
pub(crate) fn member(module_name: &str, name: &str) -> Option<&'static Entry> {
    module(module_name)?.members.iter().find(|it| it.name == name)
}

/// A name that every program has.
pub(crate) fn built_in(name: &str) -> Option<&'static Entry> {
    built_ins().iter().find(|it| it.name == name)
}

/// All annotations, by name.
pub(crate) fn annotations() -> &'static [Entry] {
    &ANNOTATIONS
}

/// The annotation of a name.
pub(crate) fn annotation(name: &str) -> Option<&'static Entry> {
    annotations().iter().find(|it| it.name == name)
}

impl Entry {
    pub(crate) fn markdown(&self) -> String {
        format!("```python\n{}\n```\n\n{}", self.signature, self.summary)
    }

    pub(crate) fn completion(&self, kind: CompletionKind, range: &TextRange) -> Completion {
        Completion {
            label: self.name.to_owned(),
            kind,
            detail: self.signature.clone(),
            documentation: self.summary.to_owned(),
            range: range.clone(),
            text: self.name.to_owned(),
        }
    }
}
