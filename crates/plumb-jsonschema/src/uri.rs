//! URIs, to the extent that references need them: RFC 3986, section 5.

/// The parts of a URI or a reference.
#[derive(Clone, Copy, Default)]
struct Parts<'a> {
    scheme: Option<&'a str>,
    authority: Option<&'a str>,
    path: &'a str,
    query: Option<&'a str>,
}

/// Splits a URI into the part before its fragment, and the fragment.
pub(crate) fn split(uri: &str) -> (&str, Option<&str>) {
    match uri.split_once('#') {
        Some((uri, fragment)) => (uri, Some(fragment)),
        None => (uri, None),
    }
}

/// Resolves a reference against a base. The result has no fragment.
pub(crate) fn resolve(base: &str, reference: &str) -> String {
    let (base, reference) = (split(base).0, split(reference).0);
    if reference.is_empty() {
        return base.to_owned();
    }
    let to = parts(reference);
    if to.scheme.is_some() {
        return joined(to, &without_dots(to.path));
    }
    let from = parts(base);
    let to = Parts { scheme: from.scheme, ..to };
    if to.authority.is_some() {
        return joined(to, &without_dots(to.path));
    }
    let to = Parts { authority: from.authority, ..to };
    if to.path.is_empty() {
        let query = to.query.or(from.query);
        return joined(Parts { query, ..to }, from.path);
    }
    if to.path.starts_with('/') {
        return joined(to, &without_dots(to.path));
    }
    let directory = match from.path.rfind('/') {
        Some(at) => &from.path[..=at],
        None if from.authority.is_some() => "/",
        None => "",
    };
    joined(to, &without_dots(&format!("{directory}{}", to.path)))
}

/// Decodes the percent-escapes of a part of a URI. A `%` without two digits is kept.
pub fn percent_decoded(part: &str) -> String {
    let mut bytes = Vec::with_capacity(part.len());
    let mut rest = part.as_bytes();
    while let [first, after @ ..] = rest {
        let code = (*first == b'%').then(|| after.get(..2)).flatten();
        let code = code.and_then(|it| std::str::from_utf8(it).ok());
        match code.and_then(|it| u8::from_str_radix(it, 16).ok()) {
            Some(byte) => {
                bytes.push(byte);
                rest = &after[2..];
            }
            None => {
                bytes.push(*first);
                rest = after;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

fn parts(uri: &str) -> Parts<'_> {
    let is_scheme = |it: &str| {
        it.starts_with(|it: char| it.is_ascii_alphabetic())
            && it.chars().all(|it| it.is_ascii_alphanumeric() || "+-.".contains(it))
    };
    let (scheme, rest) = match uri.split_once(':') {
        Some((scheme, rest)) if is_scheme(scheme) => (Some(scheme), rest),
        _ => (None, uri),
    };
    let (rest, query) = match rest.split_once('?') {
        Some((rest, query)) => (rest, Some(query)),
        None => (rest, None),
    };
    let (authority, path) = match rest.strip_prefix("//") {
        Some(rest) => {
            let end = rest.find('/').unwrap_or(rest.len());
            (Some(&rest[..end]), &rest[end..])
        }
        None => (None, rest),
    };
    Parts { scheme, authority, path, query }
}

fn joined(parts: Parts<'_>, path: &str) -> String {
    let mut uri = String::new();
    if let Some(scheme) = parts.scheme {
        uri.push_str(scheme);
        uri.push(':');
    }
    if let Some(authority) = parts.authority {
        uri.push_str("//");
        uri.push_str(authority);
    }
    uri.push_str(path);
    if let Some(query) = parts.query {
        uri.push('?');
        uri.push_str(query);
    }
    uri
}

/// Removes the segments `.` and `..` from a path.
fn without_dots(path: &str) -> String {
    if !path.split('/').any(|it| it == "." || it == "..") {
        return path.to_owned();
    }
    let is_rooted = path.starts_with('/');
    let mut steps: Vec<&str> = Vec::new();
    let mut ends_in_directory = false;
    for step in path.split('/').skip(usize::from(is_rooted)) {
        ends_in_directory = matches!(step, "." | "..");
        match step {
            "." => {}
            ".." => _ = steps.pop(),
            step => steps.push(step),
        }
    }
    let root = if is_rooted { "/" } else { "" };
    let end = if ends_in_directory && !steps.is_empty() { "/" } else { "" };
    format!("{root}{}{end}", steps.join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references_are_resolved_as_the_rfc_says() {
        let base = "http://a/b/c/d;p?q";
        let cases = [
            ("g:h", "g:h"),
            ("g", "http://a/b/c/g"),
            ("./g", "http://a/b/c/g"),
            ("g/", "http://a/b/c/g/"),
            ("/g", "http://a/g"),
            ("//g", "http://g"),
            ("?y", "http://a/b/c/d;p?y"),
            ("g?y", "http://a/b/c/g?y"),
            ("#s", "http://a/b/c/d;p?q"),
            ("", "http://a/b/c/d;p?q"),
            (".", "http://a/b/c/"),
            ("..", "http://a/b/"),
            ("../g", "http://a/b/g"),
            ("../../../g", "http://a/g"),
        ];
        for (reference, expected) in cases {
            assert_eq!(resolve(base, reference), expected, "{reference}");
        }
        assert_eq!(resolve("urn:uuid:1", "#a"), "urn:uuid:1");
        assert_eq!(resolve("file:///a/b.json", "c.json#/d"), "file:///a/c.json");
        assert_eq!(resolve("", "c.json"), "c.json");
        assert_eq!(percent_decoded("a%20b%"), "a b%");
    }
}
