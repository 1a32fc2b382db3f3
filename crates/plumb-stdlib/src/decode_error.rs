//! What is wrong with a text that a module reads, as facts.

use plumb_source::Message;
use plumb_source::message::{Part, term};
use plumb_starlark::Error;
use plumb_yaml::json::Context;

/// Why a text is not JSON, base64, a regular expression or a URL.
#[derive(Clone, Debug)]
pub enum DecodeError {
    /// A character of JSON is not allowed. This is its first byte.
    Json {
        byte: u8,
        context: Context,
    },
    /// JSON ends before its value does.
    JsonEnded(Option<Context>),
    /// JSON is nested too deeply.
    JsonTooDeep,
    /// The character at this position is not base64.
    Base64 {
        at: usize,
    },
    /// The words before what is wrong with a regular expression.
    Regexp,
    /// The word before a URL that is not valid.
    Url,
    /// What is wrong with a part of a URL.
    UrlUser,
    UrlControl,
    UrlScheme,
    UrlColon,
    UrlBracket,
    /// As above, with the part in quotes.
    UrlPort(Message),
    UrlHost(Message),
    UrlEscape(Message),
}

impl DecodeError {
    /// Returns the error with our words for it.
    pub(crate) fn in_words<P: Part>(self, words: P) -> Error {
        Error::new(term(words, self))
    }
}
