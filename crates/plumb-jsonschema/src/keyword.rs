//! All keywords of JSON Schema, `OpenAPI` and Kubernetes: the only place that spells them.
//!
//! Each row names a keyword, the type of its value, its vocabulary, and the drafts of JSON Schema
//! that have it. Keywords of `OpenAPI` and Kubernetes are not in any draft. The meta-schemas of the
//! drafts are generated from these rows.

use crate::draft::Drafts;

/// The type of a keyword's value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operand {
    Any,
    Boolean,
    /// An integer that is not negative.
    Count,
    Number,
    PositiveNumber,
    /// An exclusive bound: a number, or in draft 4 a boolean that makes the bound next to it
    /// exclusive.
    ExclusiveBound,
    Text,
    /// A regular expression.
    Pattern,
    /// Strings that are all different.
    Texts,
    TextsByKey,
    /// One or several names of types.
    Types,
    Array,
    /// Values to choose from.
    Choices,
    Schema,
    Schemas,
    SchemasByKey,
    /// A schema or, in drafts before 2020-12, a list of schemas by position.
    SchemaOrSchemas,
    /// For each key, a schema or a list of keys.
    SchemaOrTextsByKey,
    /// For each vocabulary, whether it must be known.
    Vocabularies,
}

/// The part of JSON Schema that a keyword belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Vocabulary {
    Core,
    Applicator,
    Unevaluated,
    Validation,
    MetaData,
    Format,
    Content,
    /// A keyword of `OpenAPI` or Kubernetes.
    Foreign,
}

macro_rules! keywords {
    ($($(#[$doc:meta])* $variant:ident = $name:literal: $operand:ident, $vocabulary:ident, $drafts:expr;)*) => {
        /// A keyword of a schema.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Keyword {
            $($(#[$doc])* $variant,)*
        }

        impl Keyword {
            /// All keywords, in the order of the table.
            pub const ALL: &[Self] = &[$(Self::$variant,)*];

            /// The keyword as documents spell it.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $name,)*
                }
            }

            /// Returns the keyword with this name, or `None` if the name is not known.
            pub fn of_name(name: &str) -> Option<Self> {
                match name {
                    $($name => Some(Self::$variant),)*
                    _ => None,
                }
            }

            /// The type of the keyword's value.
            pub const fn operand(self) -> Operand {
                match self {
                    $(Self::$variant => Operand::$operand,)*
                }
            }

            /// The vocabulary of JSON Schema that the keyword belongs to.
            pub const fn vocabulary(self) -> Vocabulary {
                match self {
                    $(Self::$variant => Vocabulary::$vocabulary,)*
                }
            }

            /// The drafts of JSON Schema that have the keyword.
            pub const fn drafts(self) -> Drafts {
                match self {
                    $(Self::$variant => $drafts,)*
                }
            }
        }
    };
}

const ALL: Drafts = Drafts::ALL;
const NONE: Drafts = Drafts::NONE;
const FOUR: Drafts = Drafts::FOUR;
const SIX: Drafts = Drafts::SINCE_SIX;
const SEVEN: Drafts = Drafts::SINCE_SEVEN;
const LATER: Drafts = Drafts::SINCE_2019;
const LAST: Drafts = Drafts::SINCE_2020;
const UNTIL_SEVEN: Drafts = Drafts::UNTIL_SEVEN;
const UNTIL_2019: Drafts = Drafts::UNTIL_2019;
const ONLY_2019: Drafts = Drafts::ONLY_2019;

keywords! {
    SchemaUri = "$schema": Text, Core, ALL;
    /// The name of `$id` in draft 4.
    OldId = "id": Text, Core, FOUR;
    Id = "$id": Text, Core, SIX;
    Ref = "$ref": Text, Core, ALL;
    Anchor = "$anchor": Text, Core, LATER;
    DynamicRef = "$dynamicRef": Text, Core, LAST;
    DynamicAnchor = "$dynamicAnchor": Text, Core, LAST;
    RecursiveRef = "$recursiveRef": Text, Core, ONLY_2019;
    RecursiveAnchor = "$recursiveAnchor": Boolean, Core, ONLY_2019;
    VocabularyUse = "$vocabulary": Vocabularies, Core, LATER;
    Comment = "$comment": Text, Core, SEVEN;
    Defs = "$defs": SchemasByKey, Core, LATER;
    Definitions = "definitions": SchemasByKey, Core, ALL;

    PrefixItems = "prefixItems": Schemas, Applicator, LAST;
    Items = "items": SchemaOrSchemas, Applicator, ALL;
    AdditionalItems = "additionalItems": Schema, Applicator, UNTIL_2019;
    Contains = "contains": Schema, Applicator, SIX;
    AdditionalProperties = "additionalProperties": Schema, Applicator, ALL;
    Properties = "properties": SchemasByKey, Applicator, ALL;
    PatternProperties = "patternProperties": SchemasByKey, Applicator, ALL;
    PropertyNames = "propertyNames": Schema, Applicator, SIX;
    Dependencies = "dependencies": SchemaOrTextsByKey, Applicator, UNTIL_SEVEN;
    DependentSchemas = "dependentSchemas": SchemasByKey, Applicator, LATER;
    If = "if": Schema, Applicator, SEVEN;
    Then = "then": Schema, Applicator, SEVEN;
    Else = "else": Schema, Applicator, SEVEN;
    AllOf = "allOf": Schemas, Applicator, ALL;
    AnyOf = "anyOf": Schemas, Applicator, ALL;
    OneOf = "oneOf": Schemas, Applicator, ALL;
    Not = "not": Schema, Applicator, ALL;

    UnevaluatedItems = "unevaluatedItems": Schema, Unevaluated, LATER;
    UnevaluatedProperties = "unevaluatedProperties": Schema, Unevaluated, LATER;

    Type = "type": Types, Validation, ALL;
    Const = "const": Any, Validation, SIX;
    Enum = "enum": Choices, Validation, ALL;
    MultipleOf = "multipleOf": PositiveNumber, Validation, ALL;
    Maximum = "maximum": Number, Validation, ALL;
    ExclusiveMaximum = "exclusiveMaximum": ExclusiveBound, Validation, ALL;
    Minimum = "minimum": Number, Validation, ALL;
    ExclusiveMinimum = "exclusiveMinimum": ExclusiveBound, Validation, ALL;
    MaxLength = "maxLength": Count, Validation, ALL;
    MinLength = "minLength": Count, Validation, ALL;
    Pattern = "pattern": Pattern, Validation, ALL;
    MaxItems = "maxItems": Count, Validation, ALL;
    MinItems = "minItems": Count, Validation, ALL;
    UniqueItems = "uniqueItems": Boolean, Validation, ALL;
    MaxContains = "maxContains": Count, Validation, LATER;
    MinContains = "minContains": Count, Validation, LATER;
    MaxProperties = "maxProperties": Count, Validation, ALL;
    MinProperties = "minProperties": Count, Validation, ALL;
    Required = "required": Texts, Validation, ALL;
    DependentRequired = "dependentRequired": TextsByKey, Validation, LATER;

    Title = "title": Text, MetaData, ALL;
    Description = "description": Text, MetaData, ALL;
    Default = "default": Any, MetaData, ALL;
    Deprecated = "deprecated": Boolean, MetaData, LATER;
    ReadOnly = "readOnly": Boolean, MetaData, SEVEN;
    WriteOnly = "writeOnly": Boolean, MetaData, SEVEN;
    Examples = "examples": Array, MetaData, SIX;

    Format = "format": Text, Format, ALL;

    ContentEncoding = "contentEncoding": Text, Content, SEVEN;
    ContentMediaType = "contentMediaType": Text, Content, SEVEN;
    ContentSchema = "contentSchema": Schema, Content, LATER;

    Components = "components": Any, Foreign, NONE;
    Example = "example": Any, Foreign, NONE;
    Nullable = "nullable": Boolean, Foreign, NONE;
    /// Describes the first example, in exports.
    ExampleDescription = "x-example-description": Text, Foreign, NONE;
    /// Describes each of the examples, in exports.
    ExampleDescriptions = "x-example-descriptions": Texts, Foreign, NONE;
    /// The examples after the first one, each with its description, in exports.
    FurtherExamples = "x-examples": Array, Foreign, NONE;
    /// Rules that no other keyword expresses, each with a description.
    Validations = "x-validations": Array, Foreign, NONE;
    EmbeddedResource = "x-kubernetes-embedded-resource": Boolean, Foreign, NONE;
    GroupVersionKind = "x-kubernetes-group-version-kind": Array, Foreign, NONE;
    IntOrString = "x-kubernetes-int-or-string": Boolean, Foreign, NONE;
    ListMapKeys = "x-kubernetes-list-map-keys": Texts, Foreign, NONE;
    ListType = "x-kubernetes-list-type": Text, Foreign, NONE;
    MapType = "x-kubernetes-map-type": Text, Foreign, NONE;
    PatchMergeKey = "x-kubernetes-patch-merge-key": Text, Foreign, NONE;
    PatchStrategy = "x-kubernetes-patch-strategy": Text, Foreign, NONE;
    PreserveUnknownFields = "x-kubernetes-preserve-unknown-fields": Boolean, Foreign, NONE;
    /// Rules in CEL.
    CelRules = "x-kubernetes-validations": Array, Foreign, NONE;
}

impl Keyword {
    /// Returns whether a keyword has no effect on which values are valid.
    pub const fn is_annotation(self) -> bool {
        match self.vocabulary() {
            Vocabulary::MetaData => !matches!(self, Self::ReadOnly | Self::WriteOnly),
            Vocabulary::Core => !matches!(
                self,
                Self::Ref
                    | Self::DynamicRef
                    | Self::RecursiveRef
                    | Self::RecursiveAnchor
                    | Self::DynamicAnchor
                    | Self::VocabularyUse
            ),
            Vocabulary::Foreign => matches!(
                self,
                Self::Components
                    | Self::Example
                    | Self::Nullable
                    | Self::ExampleDescription
                    | Self::ExampleDescriptions
                    | Self::FurtherExamples
                    | Self::Validations
                    | Self::GroupVersionKind
                    | Self::IntOrString
                    | Self::MapType
                    | Self::PatchMergeKey
                    | Self::PatchStrategy
                    | Self::CelRules
            ),
            Vocabulary::Applicator
            | Vocabulary::Unevaluated
            | Vocabulary::Validation
            | Vocabulary::Format
            | Vocabulary::Content => false,
        }
    }

    /// The keyword that this one modifies. This keyword has no effect without it.
    pub const fn companion(self) -> Option<Self> {
        match self {
            Self::Then | Self::Else => Some(Self::If),
            Self::MinContains | Self::MaxContains => Some(Self::Contains),
            Self::AdditionalItems => Some(Self::Items),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_keyword_is_found_by_its_name() {
        for keyword in Keyword::ALL {
            assert_eq!(Keyword::of_name(keyword.name()), Some(*keyword));
        }
        assert_eq!(Keyword::of_name("minlength"), None);
    }
}
