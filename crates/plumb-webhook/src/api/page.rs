//! Lists and changes of objects, as the API server sends them.

use std::sync::Arc;

use plumb_yaml::json::{Reader, Shape, SyntaxError};

use super::TemplateKind;
use crate::error::ApiError;

/// The maximum depth of objects. Real objects are less deep.
const MAX_DEPTH: usize = 256;

/// An object, as JSON.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Item {
    /// The name, as `namespace/name`.
    pub(crate) name: String,
    /// The object with its kind, which the items of a list do not always have.
    pub(crate) text: Arc<[u8]>,
}

/// A part of a list.
#[derive(Debug, Default)]
pub(crate) struct Page {
    pub(crate) items: Vec<Item>,
    /// The version of the list, from which its changes can be watched.
    pub(crate) version: String,
    /// The token for the request of the next part; empty if this is the last part.
    pub(crate) next: String,
}

/// A change.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Event {
    /// An object was added or changed.
    Set {
        item: Item,
        version: String,
    },
    Removed {
        name: String,
        version: String,
    },
    /// Nothing has changed up to this version.
    Bookmark {
        version: String,
    },
    /// An unknown kind of change.
    Other,
}

/// The relevant parts of `metadata`.
#[derive(Default)]
struct Metadata {
    name: String,
    namespace: String,
    version: String,
    next: String,
}

impl Page {
    pub(crate) fn read(text: &[u8], kind: TemplateKind) -> Result<Self, ApiError> {
        let mut page = Self::default();
        let mut objects = Vec::new();
        let mut reader = Reader::new(text, MAX_DEPTH);
        let read = members(&mut reader, |reader, key| match key {
            "metadata" => {
                let metadata = Metadata::read(reader)?;
                (page.version, page.next) = (metadata.version, metadata.next);
                Ok(())
            }
            "items" if reader.shape()? == Shape::Array => reader.array(|reader| {
                let start = reader.position();
                reader.skip()?;
                objects.push(&text[start..reader.position()]);
                Ok(())
            }),
            _ => reader.skip(),
        });
        read.map_err(ApiError::Syntax)?;
        for object in objects {
            page.items.push(Item::read(object, kind).map_err(ApiError::Syntax)?.0);
        }
        Ok(page)
    }
}

impl Event {
    pub(crate) fn read(line: &[u8], kind: TemplateKind) -> Result<Self, ApiError> {
        let (mut change, mut object, mut code) = (String::new(), &b"{}"[..], None);
        let mut reader = Reader::new(line, MAX_DEPTH);
        let read = members(&mut reader, |reader, key| match key {
            "type" => text_of(reader, &mut change),
            "object" => {
                let start = reader.position();
                reader.skip()?;
                object = &line[start..reader.position()];
                Ok(())
            }
            _ => reader.skip(),
        });
        read.map_err(ApiError::Syntax)?;
        if change == "ERROR" {
            let mut reader = Reader::new(object, MAX_DEPTH);
            let read = members(&mut reader, |reader, key| match key {
                "code" if reader.shape()? == Shape::Number => {
                    code = reader.number()?.parse().ok();
                    Ok(())
                }
                _ => reader.skip(),
            });
            read.map_err(ApiError::Syntax)?;
            return Err(match code {
                Some(410) | None => ApiError::Expired,
                Some(code) => ApiError::Status(code),
            });
        }
        let (item, version) = Item::read(object, kind).map_err(ApiError::Syntax)?;
        Ok(match &*change {
            "ADDED" | "MODIFIED" => Self::Set { item, version },
            "DELETED" => Self::Removed { name: item.name, version },
            "BOOKMARK" => Self::Bookmark { version },
            _ => Self::Other,
        })
    }
}

impl Item {
    /// Reads an object, and its version.
    fn read(object: &[u8], kind: TemplateKind) -> Result<(Self, String), SyntaxError> {
        let (mut metadata, mut has_kind) = (Metadata::default(), false);
        let mut reader = Reader::new(object, MAX_DEPTH);
        members(&mut reader, |reader, key| match key {
            "metadata" => {
                metadata = Metadata::read(reader)?;
                Ok(())
            }
            "kind" => {
                has_kind = true;
                reader.skip()
            }
            _ => reader.skip(),
        })?;
        let text: Arc<[u8]> = match object {
            [b'{', rest @ ..] if !has_kind => {
                [format!(r#"{{"kind":"{}","#, kind.name()).as_bytes(), rest].concat().into()
            }
            _ => object.into(),
        };
        let name = format!("{}/{}", metadata.namespace, metadata.name);
        Ok((Self { name, text }, metadata.version))
    }
}

impl Metadata {
    fn read(reader: &mut Reader<'_>) -> Result<Self, SyntaxError> {
        let mut metadata = Self::default();
        members(reader, |reader, key| match key {
            "name" => text_of(reader, &mut metadata.name),
            "namespace" => text_of(reader, &mut metadata.namespace),
            "resourceVersion" => text_of(reader, &mut metadata.version),
            "continue" => text_of(reader, &mut metadata.next),
            _ => reader.skip(),
        })?;
        Ok(metadata)
    }
}

/// Reads an object. A value of another type counts as an object without members.
fn members(
    reader: &mut Reader<'_>,
    mut member: impl FnMut(&mut Reader<'_>, &str) -> Result<(), SyntaxError>,
) -> Result<(), SyntaxError> {
    match reader.shape()? {
        Shape::Object => reader.object(|reader, key| member(reader, &key.text)),
        _ => reader.skip(),
    }
}

/// Reads a string; a value of another type is skipped.
fn text_of(reader: &mut Reader<'_>, text: &mut String) -> Result<(), SyntaxError> {
    if reader.shape()? == Shape::String {
        *text = reader.string()?.into_owned();
        return Ok(());
    }
    reader.skip()
}

#[cfg(test)]
mod tests {
    use super::*;

    const KIND: TemplateKind = TemplateKind::OpenShift;

    fn item(name: &str, text: &str) -> Item {
        Item { name: name.to_owned(), text: text.as_bytes().into() }
    }

    #[test]
    fn items_of_a_list_get_the_kind_that_they_lack() {
        let list = br#"{"kind": "TemplateList", "metadata": {"resourceVersion": "7", "continue": "c"},
            "items": [{"metadata": {"name": "a", "namespace": "n"}}, {"kind": "Template", "metadata": {"name": "b"}}]}"#;
        let page = Page::read(list, KIND).expect("a list");
        assert_eq!((&*page.version, &*page.next), ("7", "c"));
        assert_eq!(
            page.items,
            [
                item("n/a", r#"{"kind":"Template","metadata": {"name": "a", "namespace": "n"}}"#),
                item("/b", r#"{"kind": "Template", "metadata": {"name": "b"}}"#),
            ]
        );
    }

    #[test]
    fn changes_are_distinguished() {
        let event = |change: &str, object: &str| {
            let line = format!(r#"{{"type": "{change}", "object": {object}}}"#);
            Event::read(line.as_bytes(), KIND)
        };
        let object =
            r#"{"kind":"Template","metadata":{"name":"a","namespace":"n","resourceVersion":"8"}}"#;
        let version = || "8".to_owned();
        let set = Event::Set { item: item("n/a", object), version: version() };
        assert_eq!(event("ADDED", object).expect("a change"), set);
        assert_eq!(event("MODIFIED", object).expect("a change"), set);
        let removed = Event::Removed { name: "n/a".to_owned(), version: version() };
        assert_eq!(event("DELETED", object).expect("a change"), removed);
        let bookmark = r#"{"metadata":{"resourceVersion":"8"}}"#;
        let expected = Event::Bookmark { version: version() };
        assert_eq!(event("BOOKMARK", bookmark).expect("a change"), expected);
        assert!(matches!(event("ERROR", r#"{"code":410}"#), Err(ApiError::Expired)));
        assert!(matches!(event("ERROR", r#"{"code":500}"#), Err(ApiError::Status(500))));
        assert!(matches!(Event::read(b"{", KIND), Err(ApiError::Syntax(_))));
    }
}
