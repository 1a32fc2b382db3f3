//! `email`: a mailbox in the syntax of RFC 5321: a local part, an at sign, and a domain or an
//! address in brackets.

use super::{FormatError, hostname, ip};

const LONGEST_LOCAL_PART: usize = 64;

pub(crate) fn check(text: &str) -> Result<(), FormatError> {
    let (local, domain) = text.rsplit_once('@').ok_or("it has no @")?;
    if local.is_empty() {
        return Err("there is nothing before its @");
    }
    if local.len() > LONGEST_LOCAL_PART {
        return Err("the part before its @ is longer than 64 characters");
    }
    match local.strip_prefix('"') {
        Some(quoted) => check_quoted(quoted)?,
        None => check_dot_string(local)?,
    }
    match domain.strip_prefix('[').and_then(|it| it.strip_suffix(']')) {
        Some(literal) => match literal.strip_prefix("IPv6:") {
            Some(address) => ip::check_v6(address),
            None => ip::check_v4(literal),
        }
        .map_err(|_| "the text in brackets after its @ is not an IP address"),
        None => hostname::check(domain).map_err(|_| "the part after its @ is not a domain name"),
    }
}

fn check_dot_string(local: &str) -> Result<(), FormatError> {
    for atom in local.split('.') {
        if atom.is_empty() {
            return Err(
                "the part before its @ has a dot at its start, at its end or next to another dot",
            );
        }
        let is_atext = |it: u8| it.is_ascii_alphanumeric() || b"!#$%&'*+-/=?^_`{|}~".contains(&it);
        if !atom.bytes().all(is_atext) {
            return Err("it contains a character that must be quoted");
        }
    }
    Ok(())
}

/// Checks the text after an opening quote: characters, pairs such as `\"`, and the closing quote.
fn check_quoted(quoted: &str) -> Result<(), FormatError> {
    let mut bytes = quoted.bytes();
    while let Some(byte) = bytes.next() {
        let is_fine = match byte {
            b'"' if bytes.len() == 0 => return Ok(()),
            b'"' => false,
            b'\\' => bytes.next().is_some_and(|it| (b' '..=b'~').contains(&it)),
            _ => (b' '..=b'~').contains(&byte),
        };
        if !is_fine {
            return Err("its quoted part is not well formed");
        }
    }
    Err("its quoted part has no end")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mailboxes() {
        let right = [
            "joe@example.com",
            "joe.bloggs+tag@example.com",
            "\"joe bloggs\"@example.com",
            "\"joe@\\\"bloggs\"@example.com",
            "joe@[127.0.0.1]",
            "joe@[IPv6:::1]",
            "a@localhost",
        ];
        for text in right {
            assert_eq!(check(text), Ok(()), "{text}");
        }
        let wrong = [
            "",
            "joe",
            "@example.com",
            "joe@",
            ".joe@example.com",
            "joe.@example.com",
            "j..e@x.com",
            "joe bloggs@example.com",
            "joe@exa mple.com",
            "joe@-example.com",
            "joe@[1.2.3]",
            "jö@example.com",
            "\"joe@example.com",
            "\"j\"oe\"@example.com",
            "joe@[127.0.0.1",
            "a@b@c",
        ];
        for text in wrong {
            assert!(check(text).is_err(), "{text}");
        }
        assert!(check(&format!("{}@example.com", "a".repeat(65))).is_err());
    }
}
