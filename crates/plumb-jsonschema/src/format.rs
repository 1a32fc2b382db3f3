//! The formats of JSON Schema.

use plumb_format::Format;

use crate::pattern::Pattern;

/// A format of strings that JSON Schema names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextFormat {
    Known(Format),
    Date,
    Time,
    /// An e-mail address with characters beyond ASCII.
    IdnEmail,
    IdnHostname,
    Iri,
    IriReference,
    UriTemplate,
    JsonPointer,
    RelativeJsonPointer,
    Regex,
}

impl TextFormat {
    /// The formats that the rules of [`Format`] do not include.
    const OWN: [Self; 10] = [
        Self::Date,
        Self::Time,
        Self::IdnEmail,
        Self::IdnHostname,
        Self::Iri,
        Self::IriReference,
        Self::UriTemplate,
        Self::JsonPointer,
        Self::RelativeJsonPointer,
        Self::Regex,
    ];

    /// Returns the format with this name, or `None` if JSON Schema has no such format. Formats that
    /// only Kubernetes and `OpenAPI` have are not included.
    pub fn of_name(name: &str) -> Option<Self> {
        let own = Self::OWN.into_iter().find(|it| it.name() == name);
        own.or_else(|| match Format::from_name(name)? {
            Format::Cidr | Format::ImageReference | Format::Quantity | Format::UriRef => None,
            format => Some(Self::Known(format)),
        })
    }

    /// The name of the format in schemas.
    pub fn name(self) -> &'static str {
        match self {
            Self::Known(format) => format.name(),
            Self::Date => "date",
            Self::Time => "time",
            Self::IdnEmail => "idn-email",
            Self::IdnHostname => "idn-hostname",
            Self::Iri => "iri",
            Self::IriReference => "iri-reference",
            Self::UriTemplate => "uri-template",
            Self::JsonPointer => "json-pointer",
            Self::RelativeJsonPointer => "relative-json-pointer",
            Self::Regex => "regex",
        }
    }

    /// Returns whether a text has this format.
    pub fn is_met_by(self, text: &str) -> bool {
        let ascii = || text.chars().map(|it| if it.is_ascii() { it } else { 'x' }).collect();
        let meets = |format: Format, text: String| format.check_text(&text).is_ok();
        match self {
            Self::Known(format) => format.check_text(text).is_ok(),
            Self::Date => text.len() == 10 && meets(Format::DateTime, format!("{text}T00:00:00Z")),
            Self::Time => meets(Format::DateTime, format!("2000-01-01T{text}")),
            Self::IdnEmail => meets(Format::Email, ascii()),
            Self::IdnHostname => meets(Format::Hostname, ascii()),
            Self::Iri => meets(Format::Uri, ascii()),
            Self::IriReference => meets(Format::UriReference, ascii()),
            Self::UriTemplate => is_uri_template(text),
            Self::JsonPointer => is_json_pointer(text),
            Self::RelativeJsonPointer => {
                let n_digits = text.bytes().take_while(u8::is_ascii_digit).count();
                let (digits, rest) = text.split_at(n_digits);
                let is_number = n_digits == 1 || n_digits > 1 && !digits.starts_with('0');
                is_number && (rest == "#" || is_json_pointer(rest))
            }
            Self::Regex => Pattern::ecma(text).is_some(),
        }
    }
}

fn is_json_pointer(text: &str) -> bool {
    let is_escaped = |part: &str| part.is_empty() || part.starts_with(['0', '1']);
    (text.is_empty() || text.starts_with('/'))
        && text.split('~').skip(1).all(is_escaped)
        && !text.ends_with('~')
        && !text.contains("~~")
}

/// Returns whether the braces of a URI template are balanced and each pair contains an expression.
fn is_uri_template(text: &str) -> bool {
    let mut rest = text;
    while let Some(at) = rest.find(['{', '}']) {
        let Some(after) = rest[at..].strip_prefix('{') else {
            return false;
        };
        let Some((expression, after)) = after.split_once('}') else {
            return false;
        };
        let variables = expression.trim_start_matches(['+', '#', '.', '/', ';', '?', '&']);
        let is_part = |it: char| it.is_ascii_alphanumeric() || "_%.,:*".contains(it);
        if variables.is_empty() || !variables.chars().all(is_part) {
            return false;
        }
        rest = after;
    }
    !text.chars().any(|it| it.is_control() || " \"<>\\^`|".contains(it))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_are_distinguished() {
        let cases = [
            ("date", "2024-02-29", true),
            ("date", "2023-02-29", false),
            ("time", "23:59:60Z", true),
            ("time", "12:00:00", false),
            ("json-pointer", "/a~1b/~0", true),
            ("json-pointer", "a", false),
            ("json-pointer", "/~2", false),
            ("json-pointer", "/~", false),
            ("relative-json-pointer", "0#", true),
            ("relative-json-pointer", "01/a", false),
            ("relative-json-pointer", "1/a", true),
            ("regex", "^(?!a)", true),
            ("regex", "(", false),
            ("uri-template", "/a/{b}{?c,d*}", true),
            ("uri-template", "/a/{b", false),
            ("idn-email", "ü@example.com", true),
            ("email", "@", false),
        ];
        for (name, text, expected) in cases {
            let format = TextFormat::of_name(name).expect("the format is known");
            assert_eq!(format.is_met_by(text), expected, "{name}: {text}");
        }
        assert_eq!(TextFormat::of_name("quantity"), None);
    }
}
