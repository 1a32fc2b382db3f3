//! What is wrong with texts that modules read: JSON, base64, regular expressions and URLs.

use plumb_source::message::{plain, secret};
use plumb_source::{Message, message};
use plumb_stdlib::DecodeError;

pub(crate) fn error(error: &DecodeError) -> Message {
    match error {
        DecodeError::Json { byte, context } => {
            message!("invalid character {} {}", secret(quoted(*byte)), plain(context))
        }
        DecodeError::JsonEnded(None) => "unexpected end of JSON input".into(),
        // Go reads a space after the end.
        DecodeError::JsonEnded(Some(context)) => {
            message!("invalid character ' ' {}", plain(context))
        }
        DecodeError::JsonTooDeep => "exceeded max depth".into(),
        DecodeError::Base64 { at } => {
            message!("illegal base64 data at input byte {}", secret(at))
        }
        DecodeError::Regexp => "error parsing regexp".into(),
        DecodeError::Url => "parse".into(),
        DecodeError::UrlUser => "net/url: invalid userinfo".into(),
        DecodeError::UrlControl => "net/url: invalid control character in URL".into(),
        DecodeError::UrlScheme => "missing protocol scheme".into(),
        DecodeError::UrlColon => "first path segment in URL cannot contain colon".into(),
        DecodeError::UrlBracket => "missing ']' in host".into(),
        DecodeError::UrlPort(shown) => message!("invalid port {shown} after host"),
        DecodeError::UrlHost(shown) => message!("invalid character {shown} in host name"),
        DecodeError::UrlEscape(shown) => message!("invalid URL escape {shown}"),
    }
}

/// Go shows the first byte of a wrong character.
fn quoted(byte: u8) -> String {
    match byte {
        b'\'' => r"'\''".to_owned(),
        b'"' => "'\"'".to_owned(),
        b'\n' => r"'\n'".to_owned(),
        b'\r' => r"'\r'".to_owned(),
        b'\t' => r"'\t'".to_owned(),
        b'\\' => r"'\\'".to_owned(),
        0x20..=0x7E => format!("'{}'", char::from(byte)),
        0xA1..=0xFF if byte != 0xAD => format!("'{}'", char::from(byte)),
        other => format!("'\\x{other:02x}'"),
    }
}

#[cfg(test)]
mod tests {
    use plumb_yaml::json::Context;

    use super::*;

    #[test]
    fn json_is_worded_as_go_does() {
        let check = |byte, context, expected: &str| {
            assert_eq!(error(&DecodeError::Json { byte, context }).shown(), expected);
        };
        check(
            b'a',
            Context::Key,
            "invalid character 'a' looking for beginning of object key string",
        );
        check(b']', Context::Value, "invalid character ']' looking for beginning of value");
        check(0xc3, Context::Value, "invalid character 'Ã' looking for beginning of value");
        check(b'2', Context::AfterElement, "invalid character '2' after array element");
        let literal = Context::Literal { word: "true", expected: 'e' };
        check(b'x', literal, "invalid character 'x' in literal true (expecting 'e')");
    }
}
