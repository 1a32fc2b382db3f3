//! Messages that authors of rules write: text with fields such as `{key}`.

use std::borrow::Cow;

use plumb_source::message;
use plumb_source::message::plain;
use plumb_value::Node;

/// A message template in the syntax of the language's `format`: `{key}`, and `{{` for a brace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message(Vec<Piece>);

#[derive(Clone, Debug, PartialEq, Eq)]
enum Piece {
    Text(String),
    Field(Field, Conversion),
}

/// How a field is shown: `{key!s}`, which is the same as `{key}`, or `{key!r}`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Conversion {
    Plain,
    Repr,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Field {
    Key,
    Value,
    Description,
    Failure,
}

/// The values of the fields of a message. The checked value is formatted only if the message
/// contains it.
pub(crate) struct Fields<'a> {
    pub(crate) key: &'a str,
    pub(crate) value: &'a dyn Fn() -> String,
    pub(crate) description: &'a plumb_source::Message,
    pub(crate) failure: &'a plumb_source::Message,
}

impl Message {
    /// Parses a template. Fails with a description of the mistake.
    pub fn parse(template: &str) -> Result<Self, plumb_source::Message> {
        let mut pieces = Vec::new();
        let mut text = String::new();
        let mut rest = template;
        while let Some(at) = rest.find(['{', '}']) {
            text.push_str(&rest[..at]);
            let (brace, after) = rest[at..].split_at(1);
            if let Some(after) = after.strip_prefix(brace) {
                text.push_str(brace);
                rest = after;
                continue;
            }
            let end = after.find('}').filter(|_| brace == "{");
            let end = end.ok_or_else(|| message!("single '{}' in message", plain(brace)))?;
            pieces.push(Piece::Text(std::mem::take(&mut text)));
            pieces.push(field(&after[..end])?);
            rest = &after[end + 1..];
        }
        text.push_str(rest);
        pieces.push(Piece::Text(text));
        Ok(Self(pieces))
    }

    /// Returns the message if it is the same for all values, otherwise `None`.
    pub(crate) fn as_text(&self) -> Option<String> {
        let pieces = self.0.iter().map(|piece| match piece {
            Piece::Text(text) => Some(text.as_str()),
            Piece::Field(..) => None,
        });
        pieces.collect()
    }

    /// Returns the message with its fields filled in, on one line. The author chose to show these
    /// values.
    pub(crate) fn fill(&self, fields: &Fields<'_>) -> plumb_source::Message {
        let mut out = String::new();
        for piece in &self.0 {
            let (field, conversion) = match piece {
                Piece::Text(text) => {
                    out.push_str(text);
                    continue;
                }
                Piece::Field(field, conversion) => (field, conversion),
            };
            let text = match field {
                Field::Key => Cow::Borrowed(fields.key),
                Field::Value => Cow::Owned((fields.value)()),
                Field::Description => Cow::Borrowed(fields.description.shown()),
                Field::Failure => Cow::Borrowed(fields.failure.shown()),
            };
            match conversion {
                Conversion::Plain => out.push_str(&text),
                Conversion::Repr => out.push_str(&Node::from(&*text).repr()),
            }
        }
        plain(on_one_line(&out)).into()
    }
}

fn field(written: &str) -> Result<Piece, plumb_source::Message> {
    let (name, conversion) = match written.split_once('!') {
        None => (written, Conversion::Plain),
        Some((name, "s")) => (name, Conversion::Plain),
        Some((name, "r")) => (name, Conversion::Repr),
        Some((_, unknown)) => {
            return Err(message!(
                "unknown conversion \"!{}\" in message (there are !s and !r)",
                plain(unknown)
            ));
        }
    };
    let field = match name {
        "key" => Field::Key,
        "value" => Field::Value,
        "desc" => Field::Description,
        "failure" => Field::Failure,
        _ => {
            return Err(message!(
                "unknown field {{{}}} in message (there are {{key}}, {{value}}, {{desc}} and {{failure}})",
                plain(name)
            ));
        }
    };
    Ok(Piece::Field(field, conversion))
}

/// Replaces each line break, together with the white space around it, with one space.
pub(crate) fn on_one_line(text: &str) -> String {
    if !text.contains('\n') {
        return text.to_owned();
    }
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    lines.collect::<Vec<_>>().join(" ")
}

/// A message on one line: see [`on_one_line`].
pub(crate) fn message_on_one_line(message: &plumb_source::Message) -> plumb_source::Message {
    if message.shown().contains('\n') { message.map(joined_lines) } else { message.clone() }
}

/// Joins the lines of a part of a message. Other parts may follow, so spaces at its ends are kept.
fn joined_lines(text: &str) -> String {
    let words = on_one_line(text);
    let begins = if text.starts_with(char::is_whitespace) { " " } else { "" };
    let ends = if text.ends_with(char::is_whitespace) { " " } else { "" };
    format!("{begins}{}{ends}", words.trim())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn filled(template: &str) -> String {
        let value = || "\"s3cret\"".to_owned();
        let fields = Fields {
            key: "port",
            value: &value,
            description: &"d".into(),
            failure: &"a\n b".into(),
        };
        Message::parse(template)
            .map_or_else(|it| it, |message| message.fill(&fields))
            .shown()
            .to_owned()
    }

    #[test]
    fn fields_are_filled_in_and_braces_escaped() {
        assert_eq!(filled("{key}={value}: {desc}; {failure}."), "port=\"s3cret\": d; a b.");
        assert_eq!(filled("{{key}} {key}"), "{key} port");
        assert_eq!(filled(""), "");
        assert_eq!(filled("{key!s} {key!r} {value!r}"), r#"port "port" "\"s3cret\"""#);
    }

    #[test]
    fn what_is_no_field_is_refused() {
        assert!(filled("{keys}").starts_with("unknown field {keys} in message"));
        assert!(filled("{}").starts_with("unknown field {} in message"));
        assert!(filled("{key!x}").starts_with("unknown conversion \"!x\" in message"));
        assert_eq!(filled("{key"), "single '{' in message");
        assert_eq!(filled("key}"), "single '}' in message");
    }
}
