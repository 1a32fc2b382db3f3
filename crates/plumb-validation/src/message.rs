//! Messages that authors of rules write: text with fields such as `{key}`.

/// A message template in the syntax of the language's `format`: `{key}`, and `{{` for a brace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message(Vec<Piece>);

#[derive(Clone, Debug, PartialEq, Eq)]
enum Piece {
    Text(String),
    Field(Field),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Field {
    Key,
    Value,
    Description,
    Failure,
}

/// What the fields of a message stand for. The value is shown only by a message that asks for it,
/// so it is worked out only then.
pub(crate) struct Fields<'a> {
    pub(crate) key: &'a str,
    pub(crate) value: &'a dyn Fn() -> String,
    pub(crate) description: &'a str,
    pub(crate) failure: &'a str,
}

impl Message {
    /// Reads a template, or says what is wrong with it.
    pub fn parse(template: &str) -> Result<Self, String> {
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
            let end = end.ok_or_else(|| format!("single '{brace}' in message"))?;
            pieces.push(Piece::Text(std::mem::take(&mut text)));
            pieces.push(Piece::Field(field(&after[..end])?));
            rest = &after[end + 1..];
        }
        text.push_str(rest);
        pieces.push(Piece::Text(text));
        Ok(Self(pieces))
    }

    /// The message, if it is the same for all values.
    pub(crate) fn as_text(&self) -> Option<String> {
        let pieces = self.0.iter().map(|piece| match piece {
            Piece::Text(text) => Some(text.as_str()),
            Piece::Field(_) => None,
        });
        pieces.collect()
    }

    /// The message with its fields filled in, on one line.
    pub(crate) fn fill(&self, fields: &Fields<'_>) -> String {
        let mut out = String::new();
        for piece in &self.0 {
            match piece {
                Piece::Text(text) => out.push_str(text),
                Piece::Field(Field::Key) => out.push_str(fields.key),
                Piece::Field(Field::Value) => out.push_str(&(fields.value)()),
                Piece::Field(Field::Description) => out.push_str(fields.description),
                Piece::Field(Field::Failure) => out.push_str(fields.failure),
            }
        }
        on_one_line(&out)
    }
}

fn field(name: &str) -> Result<Field, String> {
    match name {
        "key" => Ok(Field::Key),
        "value" => Ok(Field::Value),
        "desc" => Ok(Field::Description),
        "failure" => Ok(Field::Failure),
        _ => Err(format!(
            "unknown field {{{name}}} in message (there are {{key}}, {{value}}, {{desc}} and {{failure}})"
        )),
    }
}

/// Line breaks and what surrounds them become one space each.
pub(crate) fn on_one_line(text: &str) -> String {
    if !text.contains('\n') {
        return text.to_owned();
    }
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    lines.collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn filled(template: &str) -> String {
        let value = || "\"s3cret\"".to_owned();
        let fields = Fields { key: "port", value: &value, description: "d", failure: "a\n b" };
        Message::parse(template).map_or_else(|it| it, |message| message.fill(&fields))
    }

    #[test]
    fn fields_are_filled_in_and_braces_escaped() {
        assert_eq!(filled("{key}={value}: {desc}; {failure}."), "port=\"s3cret\": d; a b.");
        assert_eq!(filled("{{key}} {key}"), "{key} port");
        assert_eq!(filled(""), "");
    }

    #[test]
    fn what_is_no_field_is_refused() {
        assert!(filled("{keys}").starts_with("unknown field {keys} in message"));
        assert!(filled("{}").starts_with("unknown field {} in message"));
        assert_eq!(filled("{key"), "single '{' in message");
        assert_eq!(filled("key}"), "single '}' in message");
    }
}
