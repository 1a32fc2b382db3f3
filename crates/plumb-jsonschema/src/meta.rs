//! The meta-schemas of the drafts, generated from the table of keywords.
//!
//! They accept the same schemas as the published ones. They also have the same URIs and
//! definitions, because other schemas refer to them.

use std::sync::LazyLock;

use plumb_value::Node;

use crate::compile::Schema;
use crate::draft::Draft;
use crate::keyword::{Keyword, Operand, Vocabulary};
use crate::write::{array, map, schema};

/// The parts of the meta-schema, in drafts that split it into parts.
const PARTS: [Vocabulary; 7] = [
    Vocabulary::Core,
    Vocabulary::Applicator,
    Vocabulary::Unevaluated,
    Vocabulary::Validation,
    Vocabulary::MetaData,
    Vocabulary::Format,
    Vocabulary::Content,
];

/// The compiled meta-schema of a draft.
pub(crate) fn compiled(draft: Draft) -> &'static Schema {
    static SCHEMAS: LazyLock<[LazyLock<Schema>; 5]> = LazyLock::new(|| {
        Draft::ALL.map(|draft| {
            let make: fn() -> Schema = match draft {
                Draft::Four => || Schema::of_draft(Draft::Four),
                Draft::Six => || Schema::of_draft(Draft::Six),
                Draft::Seven => || Schema::of_draft(Draft::Seven),
                Draft::Nineteen => || Schema::of_draft(Draft::Nineteen),
                Draft::Twenty => || Schema::of_draft(Draft::Twenty),
            };
            LazyLock::new(make)
        })
    });
    &SCHEMAS[draft as usize]
}

/// Returns the meta-schema with a URI, or a part of one. Returns `None` for any other URI.
pub(crate) fn document(uri: &str) -> Option<Node> {
    if let Some(draft) = Draft::of_uri(uri) {
        return Some(of_draft(draft));
    }
    [Draft::Nineteen, Draft::Twenty].into_iter().find_map(|draft| {
        let has = |it: &&Vocabulary| part_uri(draft, **it) == uri && is_part_of(draft, **it);
        PARTS.iter().find(has).map(|it| part(draft, *it))
    })
}

/// The URI by which `$vocabulary` names a vocabulary.
pub(crate) fn vocabulary_uri(draft: Draft, vocabulary: Vocabulary) -> String {
    format!("{}/vocab/{}", directory(draft), part_name(draft, vocabulary))
}

/// The URI of the vocabulary that makes `format` an assertion.
pub(crate) fn format_assertion_uri(draft: Draft) -> String {
    let name = if draft == Draft::Nineteen { "format" } else { "format-assertion" };
    format!("{}/vocab/{name}", directory(draft))
}

fn part_uri(draft: Draft, vocabulary: Vocabulary) -> String {
    format!("{}/meta/{}", directory(draft), part_name(draft, vocabulary))
}

fn directory(draft: Draft) -> &'static str {
    draft.uri().trim_end_matches("/schema")
}

fn part_name(draft: Draft, vocabulary: Vocabulary) -> &'static str {
    match vocabulary {
        Vocabulary::Core => "core",
        Vocabulary::Applicator => "applicator",
        Vocabulary::Unevaluated => "unevaluated",
        Vocabulary::Validation => "validation",
        Vocabulary::MetaData => "meta-data",
        Vocabulary::Format if draft == Draft::Nineteen => "format",
        Vocabulary::Format => "format-annotation",
        Vocabulary::Content => "content",
        Vocabulary::Foreign => "",
    }
}

/// Draft 2019-09 has the keywords about unevaluated keys and items among its applicators.
fn is_part_of(draft: Draft, vocabulary: Vocabulary) -> bool {
    draft == Draft::Twenty || vocabulary != Vocabulary::Unevaluated
}

fn vocabulary_in(draft: Draft, keyword: Keyword) -> Vocabulary {
    match keyword.vocabulary() {
        Vocabulary::Unevaluated if draft == Draft::Nineteen => Vocabulary::Applicator,
        vocabulary => vocabulary,
    }
}

fn of_draft(draft: Draft) -> Node {
    let uri = draft.uri();
    let mut entries =
        vec![(Keyword::SchemaUri, named(draft, uri)), (draft.id_keyword(), named(draft, uri))];
    if draft < Draft::Nineteen {
        let properties = keywords(draft, |_| true);
        entries.push((Keyword::Definitions, definitions(draft)));
        entries.push((Keyword::Type, schema_type(draft)));
        entries.push((Keyword::Properties, properties));
        if draft == Draft::Four {
            entries.push((
                Keyword::Dependencies,
                map([
                    (Keyword::ExclusiveMaximum.name(), array([Keyword::Maximum.name().into()])),
                    (Keyword::ExclusiveMinimum.name(), array([Keyword::Minimum.name().into()])),
                ]),
            ));
        }
        return schema(entries);
    }
    let parts = || PARTS.into_iter().filter(|it| is_part_of(draft, *it));
    let used: Vec<(String, Node)> =
        parts().map(|it| (vocabulary_uri(draft, it), (it != Vocabulary::Format).into())).collect();
    let used = used.iter().map(|(uri, is_needed)| (uri.as_str(), is_needed.clone()));
    entries.push((Keyword::VocabularyUse, map(used)));
    entries.push(anchor(draft));
    let refs = parts().map(|it| {
        let uri = format!("meta/{}", part_name(draft, it));
        schema([(Keyword::Ref, uri.as_str().into())])
    });
    entries.push((Keyword::AllOf, array(refs)));
    entries.push((Keyword::Type, schema_type(draft)));
    // Keywords of earlier drafts that schemas still use.
    let old = [Keyword::Definitions, Keyword::Dependencies];
    let old = old.map(|it| (it.name(), operand(it.operand(), draft, Vocabulary::Core)));
    entries.push((Keyword::Properties, map(old)));
    entries.push((Keyword::Defs, definitions(draft)));
    schema(entries)
}

/// The keywords of one vocabulary.
fn part(draft: Draft, vocabulary: Vocabulary) -> Node {
    let uri = part_uri(draft, vocabulary);
    let used = map([(vocabulary_uri(draft, vocabulary).as_str(), true.into())]);
    schema([
        (Keyword::SchemaUri, draft.uri().into()),
        (Keyword::Id, uri.as_str().into()),
        (Keyword::VocabularyUse, used),
        anchor(draft),
        (Keyword::Type, schema_type(draft)),
        (Keyword::Properties, keywords(draft, |it| vocabulary_in(draft, it) == vocabulary)),
        (Keyword::Defs, definitions(draft)),
    ])
}

/// Earlier drafts have an empty fragment in their URIs.
fn named(draft: Draft, uri: &str) -> Node {
    if draft < Draft::Nineteen { format!("{uri}#").as_str().into() } else { uri.into() }
}

fn anchor(draft: Draft) -> (Keyword, Node) {
    match draft {
        Draft::Nineteen => (Keyword::RecursiveAnchor, true.into()),
        _ => (Keyword::DynamicAnchor, "meta".into()),
    }
}

fn schema_type(draft: Draft) -> Node {
    match draft {
        Draft::Four => "object".into(),
        _ => array(["object".into(), "boolean".into()]),
    }
}

fn keywords(draft: Draft, is_meant: impl Fn(Keyword) -> bool) -> Node {
    let known = Keyword::ALL.iter().filter(|it| it.drafts().has(draft) && is_meant(**it));
    map(known.map(|it| (it.name(), operand(it.operand(), draft, it.vocabulary()))))
}

/// The schema of a keyword's value.
fn operand(operand: Operand, draft: Draft, vocabulary: Vocabulary) -> Node {
    let of_type = |name: &str| schema([(Keyword::Type, name.into())]);
    let by_key = |below: Node| {
        schema([(Keyword::Type, "object".into()), (Keyword::AdditionalProperties, below)])
    };
    let any_of = |parts: Vec<Node>| schema([(Keyword::AnyOf, array(parts))]);
    let defined = |name: &str| {
        let keyword = if draft < Draft::Nineteen { Keyword::Definitions } else { Keyword::Defs };
        schema([(Keyword::Ref, format!("#/{}/{name}", keyword.name()).as_str().into())])
    };
    let below = || any_schema(draft);
    match operand {
        Operand::Any => schema([]),
        Operand::Boolean => of_type("boolean"),
        Operand::Count => defined(COUNT),
        Operand::PositiveNumber => positive(draft),
        Operand::ExclusiveBound if draft == Draft::Four => of_type("boolean"),
        Operand::Number | Operand::ExclusiveBound => of_type("number"),
        Operand::Text | Operand::Pattern => of_type("string"),
        Operand::Texts => defined(TEXTS),
        Operand::TextsByKey => by_key(defined(TEXTS)),
        Operand::Types => any_of(vec![
            defined(TYPES),
            schema([
                (Keyword::Type, "array".into()),
                (Keyword::Items, defined(TYPES)),
                (Keyword::MinItems, Node::Int(1)),
                (Keyword::UniqueItems, true.into()),
            ]),
        ]),
        Operand::Choices if draft == Draft::Four => {
            schema([(Keyword::Type, "array".into()), (Keyword::MinItems, Node::Int(1))])
        }
        Operand::Array | Operand::Choices => of_type("array"),
        // Draft 4 has no boolean schemas, except for additional items and properties.
        Operand::Schema if draft == Draft::Four && vocabulary == Vocabulary::Applicator => {
            any_of(vec![of_type("boolean"), below()])
        }
        Operand::Schema => below(),
        Operand::Schemas => defined(SCHEMAS),
        Operand::SchemasByKey => by_key(below()),
        Operand::SchemaOrSchemas if draft == Draft::Twenty => below(),
        Operand::SchemaOrSchemas => any_of(vec![below(), defined(SCHEMAS)]),
        Operand::SchemaOrTextsByKey => by_key(any_of(vec![below(), defined(TEXTS)])),
        Operand::Vocabularies => by_key(of_type("boolean")),
    }
}

/// A reference to the meta-schema itself.
fn any_schema(draft: Draft) -> Node {
    let (keyword, target) = match draft {
        Draft::Four | Draft::Six | Draft::Seven => (Keyword::Ref, "#"),
        Draft::Nineteen => (Keyword::RecursiveRef, "#"),
        Draft::Twenty => (Keyword::DynamicRef, "#meta"),
    };
    schema([(keyword, target.into())])
}

fn positive(draft: Draft) -> Node {
    let mut entries = vec![(Keyword::Type, "number".into())];
    if draft == Draft::Four {
        entries.push((Keyword::Minimum, Node::Int(0)));
        entries.push((Keyword::ExclusiveMinimum, true.into()));
    } else {
        entries.push((Keyword::ExclusiveMinimum, Node::Int(0)));
    }
    schema(entries)
}

const TEXTS: &str = "stringArray";
const TYPES: &str = "simpleTypes";
const SCHEMAS: &str = "schemaArray";
const COUNT: &str = "nonNegativeInteger";
const COUNT_OR_ZERO: &str = "nonNegativeIntegerDefault0";
/// The names of these definitions in draft 4.
const OLD_COUNT: &str = "positiveInteger";
const OLD_COUNT_OR_ZERO: &str = "positiveIntegerDefault0";

fn definitions(draft: Draft) -> Node {
    let types = ["array", "boolean", "integer", "null", "number", "object", "string"];
    let count = || schema([(Keyword::Type, "integer".into()), (Keyword::Minimum, Node::Int(0))]);
    let mut texts = vec![
        (Keyword::Type, "array".into()),
        (Keyword::Items, schema([(Keyword::Type, "string".into())])),
        (Keyword::UniqueItems, true.into()),
    ];
    if draft == Draft::Four {
        texts.push((Keyword::MinItems, Node::Int(1)));
    }
    let schemas = schema([
        (Keyword::Type, "array".into()),
        (Keyword::MinItems, Node::Int(1)),
        (Keyword::Items, any_schema(draft)),
    ]);
    let mut all = vec![
        (SCHEMAS, schemas),
        (COUNT, count()),
        (COUNT_OR_ZERO, count()),
        (TYPES, schema([(Keyword::Enum, array(types.map(Node::from)))])),
        (TEXTS, schema(texts)),
    ];
    if draft == Draft::Four {
        all.push((OLD_COUNT, count()));
        all.push((OLD_COUNT_OR_ZERO, count()));
    }
    map(all)
}

#[cfg(test)]
mod tests {
    use plumb_source::Origin;

    use super::*;

    #[test]
    fn each_meta_schema_accepts_itself_and_no_mistakes() {
        for draft in Draft::ALL {
            let schema = compiled(draft);
            let own = document(draft.uri()).expect("the draft has one");
            assert!(schema.check(&own, Origin::Unknown).is_empty(), "{draft:?}");
            for part in PARTS.iter().filter_map(|it| document(&part_uri(draft, *it))) {
                assert!(schema.check(&part, Origin::Unknown).is_empty(), "{draft:?}");
            }
            let negative = map([("items", map([("minLength", Node::Int(-1))]))]);
            assert!(!schema.check(&negative, Origin::Unknown).is_empty(), "{draft:?}");
            let mistyped = map([("properties", map([("a", map([("type", "text".into())]))]))]);
            assert!(!schema.check(&mistyped, Origin::Unknown).is_empty(), "{draft:?}");
        }
        assert!(document("http://example.com/").is_none());
    }
}
