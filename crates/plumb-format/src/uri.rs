//! `uri` and `uri-reference`: RFC 3986, by its grammar.

use std::net::Ipv6Addr;

use crate::FormatError;

pub(crate) fn check(text: &str) -> Result<(), FormatError> {
    let (scheme, rest) = text.split_once(':').ok_or("it has no scheme")?;
    if !is_scheme(scheme) {
        return Err("it does not begin with a scheme");
    }
    check_after_scheme(rest)
}

pub(crate) fn check_reference(text: &str) -> Result<(), FormatError> {
    let first_segment = text.split(['/', '?', '#']).next().unwrap_or_default();
    if first_segment.contains(':') {
        return check(text);
    }
    check_after_scheme(text)
}

fn is_scheme(scheme: &str) -> bool {
    scheme.starts_with(|it: char| it.is_ascii_alphabetic())
        && scheme.bytes().all(|it| it.is_ascii_alphanumeric() || b"+-.".contains(&it))
}

/// Checks an authority and a path, or a path alone, then query and fragment.
fn check_after_scheme(text: &str) -> Result<(), FormatError> {
    let (text, fragment) = text.split_once('#').unwrap_or((text, ""));
    let (text, query) = text.split_once('?').unwrap_or((text, ""));
    check_characters(fragment, b":@/?", "its fragment contains a character that must be escaped")?;
    check_characters(query, b":@/?", "its query contains a character that must be escaped")?;
    let path = match text.strip_prefix("//") {
        Some(rest) => {
            let (authority, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
            check_authority(authority)?;
            path
        }
        None => text,
    };
    check_characters(path, b":@/", "its path contains a character that must be escaped")
}

fn check_authority(authority: &str) -> Result<(), FormatError> {
    let (user, host) = authority.rsplit_once('@').unwrap_or(("", authority));
    check_characters(
        user,
        b":",
        "the part before its @ contains a character that must be escaped",
    )?;
    let (host, port) = match host.strip_prefix('[') {
        Some(rest) => {
            let (literal, after) = rest.split_once(']').ok_or("a bracket in it is not closed")?;
            check_literal(literal)?;
            let port = after.strip_prefix(':').or(after.is_empty().then_some(""));
            ("", port.ok_or("something other than a port follows its host")?)
        }
        None => host.split_once(':').unwrap_or((host, "")),
    };
    if !port.bytes().all(|it| it.is_ascii_digit()) {
        return Err("its port is not a number");
    }
    check_characters(host, b"", "its host contains a character that must be escaped")
}

/// Checks an IPv6 address, or an address of a future version: `v1.…`.
fn check_literal(literal: &str) -> Result<(), FormatError> {
    let error = "the text in its brackets is not an IP address";
    match literal.strip_prefix(['v', 'V']) {
        None => literal.parse::<Ipv6Addr>().map(drop).map_err(|_| error),
        Some(future) => {
            let (version, address) = future.split_once('.').ok_or(error)?;
            let is_version =
                !version.is_empty() && version.bytes().all(|it| it.is_ascii_hexdigit());
            let is_plain = |it: u8| is_unreserved(it) || is_sub_delimiter(it) || it == b':';
            let is_address = !address.is_empty() && address.bytes().all(is_plain);
            if is_version && is_address { Ok(()) } else { Err(error) }
        }
    }
}

/// Checks that a part contains only plain characters, those in `also`, and percent-encoded ones.
fn check_characters(part: &str, also: &[u8], error: FormatError) -> Result<(), FormatError> {
    let mut bytes = part.bytes();
    while let Some(byte) = bytes.next() {
        if byte == b'%' {
            let mut is_digit = || bytes.next().is_some_and(|it| it.is_ascii_hexdigit());
            if !(is_digit() && is_digit()) {
                return Err("a % in it is not followed by two hexadecimal digits");
            }
        } else if !is_unreserved(byte) && !is_sub_delimiter(byte) && !also.contains(&byte) {
            return Err(error);
        }
    }
    Ok(())
}

fn is_unreserved(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"-._~".contains(&byte)
}

fn is_sub_delimiter(byte: u8) -> bool {
    b"!$&'()*+,;=".contains(&byte)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn identifiers() {
        let right = [
            "https://user:pw@example.com:8080/a/b;c?q=1&r=/?#frag/?",
            "http://[2001:db8::7]/c=GB?objectClass?one",
            "http://[v1.fe:x]/",
            "mailto:joe@example.com",
            "urn:oasis:names:specification:docbook:dtd:xml:4.1.2",
            "file:///etc/hosts",
            "http://example.com:/",
            "x:",
            "http://a/%C3%A9",
        ];
        for text in right {
            assert_eq!(check(text), Ok(()), "{text}");
            assert_eq!(check_reference(text), Ok(()), "{text}");
        }
        let wrong = [
            "",
            "example.com",
            "//example.com/a",
            "/a",
            "1http://x",
            "http://a b",
            "http://é/",
            "http://a/%zz",
            "http://a/%4",
            "http://a:b/",
            "http://[::1",
            "http://[::1]x/",
            "http://[1.2.3.4]/",
            "http://a/#b#c",
            "http://a/<b>",
            "http:\\\\a",
            "ht tp://a",
        ];
        for text in wrong {
            assert!(check(text).is_err(), "{text}");
        }
    }

    #[test]
    fn references() {
        for text in ["", "a", "/a/b", "//host/a", "?q", "#f", "../a:b", "./a:b", "a/b:c"] {
            assert_eq!(check_reference(text), Ok(()), "{text}");
        }
        for text in ["1a:b", ":a", "a b", "\\a", "%", "é"] {
            assert!(check_reference(text).is_err(), "{text}");
        }
    }
}
