//! The keys of suite files, for the reader, for its messages and for the JSON Schema.

use plumb_project::{Key, Kind, keys};

pub(crate) const SUITE: &str = "suite";
pub(crate) const TARGET: &str = "target";
pub(crate) const SET: &str = "set";
pub(crate) const VALUES: &str = "values";
pub(crate) const TEMPLATE: &str = "template";
pub(crate) const TEMPLATES: &str = "templates";
pub(crate) const DOCUMENT_INDEX: &str = "documentIndex";
pub(crate) const DOCUMENT_SELECTOR: &str = "documentSelector";
pub(crate) const TESTS: &str = "tests";
pub(crate) const IT: &str = "it";
pub(crate) const ASSERTS: &str = "asserts";
pub(crate) const NOT: &str = "not";

/// Keys of suites, tests and assertions, with their descriptions.
const SETUP: [(&str, &str); 2] = [
    (SET, "Data values by path, such as `image.tag: latest`. They replace those of the target"),
    (
        VALUES,
        "Files of data values, as for data-values-file. Paths start at the directory of the suite file",
    ),
];
const SCOPE: [(&str, &str); 4] = [
    (TEMPLATE, "The output file whose documents are asserted. Default: all"),
    (TEMPLATES, "The output files whose documents are asserted. Default: all"),
    (DOCUMENT_INDEX, "The number of the document, counted from 0. Default: all"),
    (DOCUMENT_SELECTOR, "The documents with these values"),
];
const OWN_OF_SUITE: [(&str, &str); 3] = [
    (SUITE, "The name of the suite, for reports"),
    (TARGET, "The target of plumb.yml that is rendered. Default: the only target"),
    (TESTS, "The tests"),
];
const OWN_OF_TEST: [(&str, &str); 2] = [
    (IT, "The name of the test, which describes what it checks"),
    (ASSERTS, "What must be true of the documents"),
];
pub(crate) const NOT_HELP: &str = "Whether the assertion must not hold";

/// What a parameter of an assertion is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Takes {
    Path,
    /// A path that may be left out: the whole document.
    OptionalPath,
    Text,
    OptionalText,
    Count,
    OptionalCount,
    Switch,
    Anything,
}

/// An assertion: its name, its parameters, and its description.
pub(crate) struct Named {
    pub(crate) name: &'static str,
    /// The name of the assertion that it negates.
    pub(crate) negates: Option<&'static str>,
    pub(crate) parameters: &'static [(&'static str, Takes)],
    /// The parameter whose value can be given directly, without a map of parameters.
    pub(crate) alone: Option<&'static str>,
    pub(crate) help: &'static str,
}

const PATH: &[(&str, Takes)] = &[("path", Takes::Path)];
const VALUE: &[(&str, Takes)] = &[("path", Takes::Path), ("value", Takes::Anything)];
const CONTENT: &[(&str, Takes)] = &[("path", Takes::Path), ("content", Takes::Anything)];
const CONTAINED: &[(&str, Takes)] = &[
    ("path", Takes::Path),
    ("content", Takes::Anything),
    ("count", Takes::OptionalCount),
    ("any", Takes::Switch),
];
const PATTERN: &[(&str, Takes)] = &[("path", Takes::Path), ("pattern", Takes::Text)];
const OF: &[(&str, Takes)] = &[("of", Takes::Text)];

const fn named(
    name: &'static str,
    negates: Option<&'static str>,
    parameters: &'static [(&'static str, Takes)],
    help: &'static str,
) -> Named {
    Named { name, negates, parameters, alone: None, help }
}

/// All assertions.
pub(crate) const ASSERTIONS: [Named; 23] = [
    named("equal", None, VALUE, "The value at the path is this value"),
    named("notEqual", Some("equal"), VALUE, "The value at the path is not this value"),
    named("matchRegex", None, PATTERN, "The text at the path matches the regular expression"),
    named("notMatchRegex", Some("matchRegex"), PATTERN, "The text at the path does not match"),
    named("contains", None, CONTAINED, "The list at the path contains the content"),
    named("notContains", Some("contains"), CONTAINED, "The list does not contain the content"),
    named("isSubset", None, CONTENT, "The map at the path contains the content"),
    named("isNotSubset", Some("isSubset"), CONTENT, "The map does not contain the content"),
    named("exists", None, PATH, "There is a value at the path"),
    named("notExists", Some("exists"), PATH, "There is no value at the path"),
    named("isNull", None, PATH, "The value at the path is null, or missing"),
    named("isNotNull", Some("isNull"), PATH, "There is a value at the path that is not null"),
    named(
        "isNullOrEmpty",
        None,
        PATH,
        "The value is null, missing, or empty (`\"\"`, `0`, `[]`, `{}`)",
    ),
    named("isNotNullOrEmpty", Some("isNullOrEmpty"), PATH, "The value is neither null nor empty"),
    named("isEmpty", None, PATH, "The same as isNullOrEmpty"),
    named("isNotEmpty", Some("isEmpty"), PATH, "The same as isNotNullOrEmpty"),
    named(
        "lengthEqual",
        None,
        &[("path", Takes::Path), ("count", Takes::Count)],
        "The list or map at the path has this number of items",
    ),
    named("isKind", None, OF, "The `kind` of the document"),
    named("isAPIVersion", None, OF, "The `apiVersion` of the document"),
    named("hasDocuments", None, &[("count", Takes::Count)], "The number of documents"),
    Named {
        name: "cel",
        negates: None,
        parameters: &[("rule", Takes::Text), ("path", Takes::OptionalPath)],
        alone: Some("rule"),
        help: "An expression in CEL is true; `self` is the document, or the value at the path",
    },
    named(
        "fails",
        None,
        &[
            ("code", Takes::OptionalText),
            ("at", Takes::OptionalText),
            ("message", Takes::OptionalText),
        ],
        "Rendering fails with a finding that has this code, place (`FILE:LINE`) and text",
    ),
    named(
        "matchSnapshot",
        None,
        &[("path", Takes::OptionalPath)],
        "The document, or the value at the path, is as it was when the snapshot was written",
    ),
];

/// The parameters of a document selector.
pub(crate) const SELECTOR: [(&str, &str); 6] = [
    ("path", "The path of a value, with `value`"),
    ("value", "The value at the path"),
    ("kind", "The `kind` of the document"),
    ("name", "The `metadata.name` of the document"),
    ("namespace", "The `metadata.namespace` of the document"),
    ("apiVersion", "The `apiVersion` of the document"),
];

/// Keys of other programs, and the corresponding keys here.
pub(crate) fn of_other_programs(name: &str) -> Option<&'static str> {
    Some(match name {
        "failedTemplate" => "fails",
        "equalRaw" => "equal",
        "containsDocument" => DOCUMENT_SELECTOR,
        "name" | "describe" | "test" => IT,
        "assert" | "asserts:" | "expect" => ASSERTS,
        "errorMessage" | "errorPattern" => "message",
        _ => return None,
    })
}

/// The keys of a suite that are not flags.
pub(crate) fn of_suite() -> impl Iterator<Item = (&'static str, &'static str)> {
    OWN_OF_SUITE.into_iter().chain(SETUP).chain(SCOPE)
}

/// The keys of a test.
pub(crate) fn of_test() -> impl Iterator<Item = (&'static str, &'static str)> {
    OWN_OF_TEST.into_iter().chain(SETUP).chain(SCOPE)
}

/// The keys of an assertion besides its name and parameters.
pub(crate) fn of_scope() -> impl Iterator<Item = (&'static str, &'static str)> {
    SCOPE.into_iter()
}

/// The flags that a suite may have instead of a target: those of templates that do not concern
/// output.
pub(crate) fn flags() -> impl Iterator<Item = Key> {
    let is_output = |it: &Key| {
        ["output", "output-files", "dangerous-emptied-output-directory"].contains(&it.flag.long)
    };
    keys(Kind::Render).into_iter().filter(move |it| !is_output(it))
}
