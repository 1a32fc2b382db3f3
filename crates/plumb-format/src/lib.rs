//! Formats of strings: the values of `format="…"`, each with its own parser.
//!
//! A parser reports what is wrong, and never quotes the value, which may be secret.

mod cidr;
mod date_time;
mod duration;
mod email;
mod hostname;
mod image_reference;
mod ip;
pub mod quantity;
mod quantity_text;
mod uri;
mod uuid;

use plumb_value::Node;

/// A format of a string. The set is closed: each format has its parser here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    Cidr,
    DateTime,
    Duration,
    Email,
    Hostname,
    ImageReference,
    Ipv4,
    Ipv6,
    Quantity,
    Uri,
    UriReference,
    /// The name of [`Self::UriReference`] in earlier drafts of JSON Schema.
    UriRef,
    Uuid,
}

/// What is wrong with a text. The phrase makes sense on its own.
pub type FormatError = &'static str;

impl Format {
    /// All formats, in the order of their names.
    pub const ALL: [Self; 13] = [
        Self::Cidr,
        Self::DateTime,
        Self::Duration,
        Self::Email,
        Self::Hostname,
        Self::ImageReference,
        Self::Ipv4,
        Self::Ipv6,
        Self::Quantity,
        Self::Uri,
        Self::UriReference,
        Self::UriRef,
        Self::Uuid,
    ];

    /// The format with this name. Returns `None` if there is no such format.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|format| format.name() == name)
    }

    /// The name in schemas, such as `date-time`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Cidr => "cidr",
            Self::DateTime => "date-time",
            Self::Duration => "duration",
            Self::Email => "email",
            Self::Hostname => "hostname",
            Self::ImageReference => "image-reference",
            Self::Ipv4 => "ipv4",
            Self::Ipv6 => "ipv6",
            Self::Quantity => "quantity",
            Self::Uri => "uri",
            Self::UriReference => "uri-reference",
            Self::UriRef => "uriref",
            Self::Uuid => "uuid",
        }
    }

    /// Checks a value. A quantity may be a number; every other format requires a string.
    ///
    /// # Errors
    ///
    /// What is wrong with the value, without quoting it.
    pub fn check(self, value: &Node) -> Result<(), FormatError> {
        match value {
            Node::String(text) => {
                self.check_text(text.as_str().ok_or("it contains bytes that are not UTF-8")?)
            }
            Node::Int(_) | Node::UInt(_) if self == Self::Quantity => Ok(()),
            Node::Float(number) if self == Self::Quantity && number.is_finite() => Ok(()),
            _ => Err("it is not a string"),
        }
    }

    /// Checks a text.
    ///
    /// # Errors
    ///
    /// What is wrong with the text, without quoting it.
    pub fn check_text(self, text: &str) -> Result<(), FormatError> {
        match self {
            Self::Cidr => cidr::check(text),
            Self::DateTime => date_time::check(text),
            Self::Duration => duration::check(text),
            Self::Email => email::check(text),
            Self::Hostname => hostname::check(text),
            Self::ImageReference => image_reference::check(text),
            Self::Ipv4 => ip::check_v4(text),
            Self::Ipv6 => ip::check_v6(text),
            Self::Quantity => quantity_text::check(text),
            Self::Uri => uri::check(text),
            Self::UriReference | Self::UriRef => uri::check_reference(text),
            Self::Uuid => uuid::check(text),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_format_is_found_by_its_name() {
        for format in Format::ALL {
            assert_eq!(Format::from_name(format.name()), Some(format));
        }
        assert_eq!(Format::from_name("URI"), None);
    }

    #[test]
    fn numbers_are_quantities_and_nothing_else() {
        assert_eq!(Format::Quantity.check(&Node::Int(2)), Ok(()));
        assert_eq!(Format::Quantity.check(&Node::Float(0.5)), Ok(()));
        assert!(Format::Quantity.check(&Node::Float(f64::NAN)).is_err());
        assert!(Format::Uuid.check(&Node::Int(2)).is_err());
        assert!(Format::Quantity.check(&Node::Bool(true)).is_err());
    }

    #[test]
    fn no_text_makes_a_parser_panic() {
        let pieces =
            ["", "0", "9", "a", "Z", "é", ":", "/", "@", ".", "-", "[", "]", "%", "T", "P"];
        for first in pieces {
            for second in pieces {
                for third in pieces {
                    let text = format!("{first}{second}{third}{second}{first}");
                    for format in Format::ALL {
                        let _ = format.check_text(&text);
                    }
                }
            }
        }
    }
}
