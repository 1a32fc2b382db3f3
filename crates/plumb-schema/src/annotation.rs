//! The annotations of schemas.

use plumb_validation::RULE_ARGUMENTS;
use plumb_value::{AnnotationDefinition, Reads};

pub(crate) const ALL_OF: &str = "schema/all-of";
pub(crate) const ALLOW_EMPTY: &str = "schema/allow-empty";
pub(crate) const ANY_KEY: &str = "schema/any-key";
pub(crate) const ANY_OF: &str = "schema/any-of";
pub(crate) const DEFAULT: &str = "schema/default";
pub(crate) const DEPRECATED: &str = "schema/deprecated";
pub(crate) const DESC: &str = "schema/desc";
pub(crate) const DOC: &str = "schema/doc";
pub(crate) const EXAMPLE: &str = "schema/example";
pub(crate) const EXAMPLES: &str = "schema/examples";
pub(crate) const MAY_BE_PRESENT: &str = "schema/key-may-be-present";
pub(crate) const NULLABLE: &str = "schema/nullable";
pub(crate) const ONE_OF: &str = "schema/one-of";
pub(crate) const REQUIRED: &str = "schema/required";
pub(crate) const SECRET: &str = "schema/secret";
pub(crate) const SECTION: &str = "schema/section";
pub(crate) const STRING_DEFAULTS: &str = "schema/validation-defaults-for-strings";
pub(crate) const TITLE: &str = "schema/title";
pub(crate) const TYPE: &str = "schema/type";
pub(crate) const VALIDATE: &str = "schema/validate";
pub(crate) const VALIDATION: &str = "schema/validation";

/// The annotations that add rules in a schema. All have the meaning of `@assert/validate`.
pub const RULES: [&str; 3] = [VALIDATION, VALIDATE, plumb_validation::ASSERT_VALIDATE];

/// The annotations that this crate reads in documents that are schemas.
pub const ANNOTATIONS: &[AnnotationDefinition] = {
    use AnnotationDefinition as Definition;
    &[
        Definition::new(ALL_OF, Reads::All, "*types", "Values must be of all of these types."),
        Definition::bare(ALLOW_EMPTY, "Null and empty values are valid too."),
        Definition::bare(ANY_KEY, "The value below is the type of all keys that are not declared."),
        Definition::new(
            ANY_OF,
            Reads::All,
            "*types",
            "Values must be of at least one of these types.",
        ),
        Definition::new(DEFAULT, Reads::All, "value", "The default, if it is not the value below."),
        Definition::new(DEPRECATED, Reads::All, "reason", "Warns if the value is given."),
        Definition::new(DESC, Reads::All, "text", "The description."),
        Definition::new(DOC, Reads::All, "text", "The description."),
        Definition::new(EXAMPLE, Reads::All, "description, value", "An example."),
        Definition::new(EXAMPLES, Reads::All, "*(description, value)", "Examples."),
        Definition::bare(MAY_BE_PRESENT, "The key is valid, but has no default."),
        Definition::new(NULLABLE, Reads::Keywords, "", "Null is valid too, and is the default."),
        Definition::new(
            ONE_OF,
            Reads::All,
            "*types",
            "Values must be of exactly one of these types.",
        ),
        Definition::bare(REQUIRED, "The key must be given."),
        Definition::new(SECRET, Reads::All, "", "The value is never shown."),
        Definition::new(
            SECTION,
            Reads::All,
            "title",
            "The key and those after it are a section of the reference.",
        ),
        Definition::new(TITLE, Reads::All, "text", "The title."),
        Definition::new(
            TYPE,
            Reads::All,
            "any=True",
            "The type, if it is not the type of the value below.",
        ),
        Definition::new(VALIDATE, Reads::All, RULE_ARGUMENTS, "Rules for the value."),
        Definition::new(VALIDATION, Reads::All, RULE_ARGUMENTS, "Rules for the value."),
        Definition::new(
            STRING_DEFAULTS,
            Reads::All,
            RULE_ARGUMENTS,
            "Rules for all strings below.",
        ),
    ]
};
