//! What is built in: functions, modules, annotations and keywords, with their documentation.
//!
//! The crates that implement functions and modules also document them.

use std::sync::LazyLock;

use plumb_library::ModuleDoc;
use plumb_starlark::{Doc, Environment};

use crate::TextRange;
use crate::completion::{Completion, CompletionKind};

/// A function, a value or an annotation.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Entry {
    pub(crate) name: &'static str,
    /// How it is called.
    pub(crate) signature: &'static str,
    /// What it does, in a sentence.
    pub(crate) summary: &'static str,
}

const fn entry(name: &'static str, signature: &'static str, summary: &'static str) -> Entry {
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

/// Annotations.
pub(crate) const ANNOTATIONS: [Entry; 42] = [
    entry("assert/validate", "@assert/validate (*rules)", "Rules for this value of the output."),
    entry("comment", "@comment text", "A remark."),
    entry(
        "data/values",
        "@data/values",
        "The document below contains data values. `libref=` names a library.",
    ),
    entry(
        "data/values-schema",
        "@data/values-schema",
        "The document below is the schema of the data values.",
    ),
    entry("library/ref", "@library/ref name", "The document below is for a library."),
    entry("overlay/append", "@overlay/append", "Adds the item after all others."),
    entry(
        "overlay/assert",
        "@overlay/assert via=function",
        "Fails unless the function accepts the value.",
    ),
    entry(
        "overlay/insert",
        "@overlay/insert before=True or after=True",
        "Adds the item before or after what it matches.",
    ),
    entry(
        "overlay/match",
        "@overlay/match by=…, expects=…, missing_ok=True, when=…",
        "Which items the overlay changes.",
    ),
    entry(
        "overlay/match-child-defaults",
        "@overlay/match-child-defaults expects=…, missing_ok=True",
        "Defaults of `@overlay/match` for everything below.",
    ),
    entry(
        "overlay/merge",
        "@overlay/merge",
        "Merges the item into what it matches. This is the default.",
    ),
    entry(
        "overlay/merge-anns",
        "@overlay/merge-anns",
        "Adds these annotations to those of the match.",
    ),
    entry("overlay/noop", "@overlay/noop", "Changes nothing."),
    entry("overlay/remove", "@overlay/remove", "Removes what the item matches."),
    entry(
        "overlay/remove-anns",
        "@overlay/remove-anns *names",
        "Removes annotations from the match.",
    ),
    entry(
        "overlay/replace",
        "@overlay/replace via=function, or_add=True",
        "Replaces what the item matches.",
    ),
    entry("overlay/replace-ann", "@overlay/replace-ann", "Replaces an annotation of the match."),
    entry("schema", "@schema", "The document below is a schema."),
    entry("schema/all-of", "@schema/all-of *types", "Values must be of all of these types."),
    entry("schema/allow-empty", "@schema/allow-empty", "Null and empty values are valid too."),
    entry(
        "schema/any-key",
        "@schema/any-key",
        "The value below is the type of all keys that are not declared.",
    ),
    entry(
        "schema/any-of",
        "@schema/any-of *types",
        "Values must be of at least one of these types.",
    ),
    entry("schema/default", "@schema/default value", "The default, if it is not the value below."),
    entry(
        "schema/definition",
        "@schema/definition data_values=True",
        "The document below is a schema.",
    ),
    entry("schema/deprecated", "@schema/deprecated reason", "Warns if the value is given."),
    entry("schema/desc", "@schema/desc text", "The description."),
    entry("schema/doc", "@schema/doc text", "The description."),
    entry("schema/example", "@schema/example description, value", "An example."),
    entry("schema/examples", "@schema/examples *(description, value)", "Examples."),
    entry(
        "schema/key-may-be-present",
        "@schema/key-may-be-present",
        "The key is valid, but has no default.",
    ),
    entry("schema/nullable", "@schema/nullable", "Null is valid too, and is the default."),
    entry(
        "schema/one-of",
        "@schema/one-of *types",
        "Values must be of exactly one of these types.",
    ),
    entry("schema/required", "@schema/required", "The key must be given."),
    entry("schema/title", "@schema/title text", "The title."),
    entry(
        "schema/type",
        "@schema/type any=True",
        "The type, if it is not that of the value below.",
    ),
    entry("schema/validate", "@schema/validate *rules", "Rules for the value."),
    entry(
        "schema/validation",
        "@schema/validation *rules, min=, max=, min_len=, max_len=, not_null=, one_not_null=, one_of=, when=",
        "Rules for the value.",
    ),
    entry(
        "schema/validation-defaults-for-strings",
        "@schema/validation-defaults-for-strings *rules",
        "Rules for all strings below.",
    ),
    entry("template/code", "@template/code code", "Code."),
    entry("template/value", "@template/value expression", "The value of the node."),
    entry(
        "yaml/map-key-override",
        "@yaml/map-key-override",
        "Allows a key that is given twice: the last one counts.",
    ),
    entry(
        "yaml/text-templated-strings",
        "@yaml/text-templated-strings",
        "Strings and keys below are text templates: `(@= x @)`.",
    ),
];

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
        entry(doc.name(), doc.signature, doc.summary)
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

/// The annotation of a name.
pub(crate) fn annotation(name: &str) -> Option<&'static Entry> {
    ANNOTATIONS.iter().find(|it| it.name == name)
}

impl Entry {
    pub(crate) fn markdown(&self) -> String {
        format!("```python\n{}\n```\n\n{}", self.signature, self.summary)
    }

    pub(crate) fn completion(&self, kind: CompletionKind, range: &TextRange) -> Completion {
        Completion {
            label: self.name.to_owned(),
            kind,
            detail: self.signature.to_owned(),
            documentation: self.summary.to_owned(),
            range: range.clone(),
            text: self.name.to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_annotation_is_described() {
        let known: BTreeSet<&str> = plumb_template::known_annotations().collect();
        let described: BTreeSet<&str> = ANNOTATIONS.iter().map(|it| it.name).collect();
        assert_eq!(described, known);
    }
}
