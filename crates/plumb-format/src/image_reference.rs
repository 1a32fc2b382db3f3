//! `image-reference`: the name of a container image, as in `registry:5000/team/app:1.2@sha256:…`.
//!
//! The grammar is that of the OCI distribution's references, before any default registry or tag is
//! filled in.

use std::net::Ipv6Addr;

use crate::FormatError;

const LONGEST_NAME: usize = 255;
const LONGEST_TAG: usize = 128;
const SHORTEST_DIGEST: usize = 32;

pub(crate) fn check(text: &str) -> Result<(), FormatError> {
    let (rest, digest) = match text.split_once('@') {
        Some((rest, digest)) => (rest, Some(digest)),
        None => (text, None),
    };
    // A colon after the last slash starts the tag; one before it starts a port.
    let last_segment = rest.rfind('/').map_or(0, |at| at + 1);
    let (name, tag) = match rest[last_segment..].find(':') {
        Some(at) => (&rest[..last_segment + at], Some(&rest[last_segment + at + 1..])),
        None => (rest, None),
    };
    check_name(name)?;
    tag.map_or(Ok(()), check_tag)?;
    digest.map_or(Ok(()), check_digest)
}

fn check_name(name: &str) -> Result<(), FormatError> {
    if name.is_empty() {
        return Err("it has no name");
    }
    if name.len() > LONGEST_NAME {
        return Err("its name is longer than 255 characters");
    }
    let path = match name.split_once('/') {
        Some((first, path)) if is_domain(first) => path,
        _ => name,
    };
    if path.split('/').all(is_path_component) {
        Ok(())
    } else {
        Err(
            "its name has other characters than lower-case letters, digits and single separators between them",
        )
    }
}

fn is_domain(text: &str) -> bool {
    let (host, port) = match text.strip_prefix('[').and_then(|it| it.split_once(']')) {
        Some((address, after)) => {
            let port = after.strip_prefix(':').or(after.is_empty().then_some("0"));
            return address.parse::<Ipv6Addr>().is_ok() && port.is_some_and(is_port);
        }
        None => text.split_once(':').unwrap_or((text, "0")),
    };
    let is_label = |label: &str| {
        !label.is_empty()
            && !label.starts_with('-')
            && !label.ends_with('-')
            && label.bytes().all(|it| it.is_ascii_alphanumeric() || it == b'-')
    };
    host.split('.').all(is_label) && is_port(port)
}

fn is_port(port: &str) -> bool {
    !port.is_empty() && port.bytes().all(|it| it.is_ascii_digit())
}

/// Words of lower-case letters and digits, with a dot, one or two underscores, or hyphens between.
fn is_path_component(component: &str) -> bool {
    let is_word = |it: &u8| it.is_ascii_lowercase() || it.is_ascii_digit();
    let mut rest = component.as_bytes();
    loop {
        let length = rest.iter().take_while(|it| is_word(it)).count();
        if length == 0 {
            return false;
        }
        rest = &rest[length..];
        if rest.is_empty() {
            return true;
        }
        let length = rest.iter().take_while(|it| !is_word(it)).count();
        let (separator, after) = rest.split_at(length);
        let is_separator =
            matches!(separator, b"." | b"_" | b"__") || separator.iter().all(|it| *it == b'-');
        if !is_separator {
            return false;
        }
        rest = after;
    }
}

fn check_tag(tag: &str) -> Result<(), FormatError> {
    let is_word = |it: u8| it.is_ascii_alphanumeric() || it == b'_';
    let is_tag = tag.len() <= LONGEST_TAG
        && tag.bytes().next().is_some_and(is_word)
        && tag.bytes().all(|it| is_word(it) || it == b'.' || it == b'-');
    if is_tag { Ok(()) } else { Err("its tag is not well formed") }
}

/// Checks an algorithm, a colon, and hexadecimal digits. For a known algorithm, their number is
/// checked too.
fn check_digest(digest: &str) -> Result<(), FormatError> {
    let (algorithm, hex) = digest.split_once(':').ok_or("its digest names no algorithm")?;
    let is_word = |it: &str| {
        it.starts_with(|first: char| first.is_ascii_alphabetic())
            && it.bytes().all(|it| it.is_ascii_alphanumeric())
    };
    if !algorithm.split(['+', '.', '-', '_']).all(is_word) {
        return Err("its digest names no algorithm");
    }
    let is_length = match algorithm {
        "sha256" => hex.len() == 64,
        "sha384" => hex.len() == 96,
        "sha512" => hex.len() == 128,
        _ => hex.len() >= SHORTEST_DIGEST,
    };
    if is_length && hex.bytes().all(|it| it.is_ascii_hexdigit()) {
        Ok(())
    } else {
        Err("its digest does not have the hexadecimal digits that its algorithm requires")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn images() {
        let digest = "0123456789abcdef".repeat(4);
        let resolved = format!("registry.example.com/a/b:1.2@sha256:{digest}");
        let right = [
            "nginx",
            "nginx:1.14.2",
            "library/nginx",
            "localhost:5000/app",
            "Registry.Example.com/team/app__x-y.z:TAG_1",
            "[::1]:5000/app:latest",
            "a--b/c",
            resolved.as_str(),
        ];
        for text in right {
            assert_eq!(check(text), Ok(()), "{text}");
        }
        let short = format!("nginx@sha256:{}", &digest[1..]);
        let wrong = [
            "",
            ":tag",
            "Nginx",
            "nginx:",
            "nginx:-x",
            "/nginx",
            "nginx/",
            "a//b",
            "a___b",
            "a.-b",
            "-a",
            "a-",
            "nginx@",
            "nginx@sha256",
            "nginx@1sha:00",
            "repo:tag:x",
            "host:port/app",
            "https://nginx",
            "ngé",
            &short,
        ];
        for text in wrong {
            assert!(check(text).is_err(), "{text}");
        }
    }
}
