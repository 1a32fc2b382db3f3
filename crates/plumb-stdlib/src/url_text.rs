//! URLs: parsing and printing, with the rules of Go's `net/url`.
//!
//! A URL may be relative. Its path and its fragment are stored in their printed form: as written if
//! that is valid, and escaped again otherwise.

use plumb_source::message::{secret, term};
use plumb_source::{Message, message};
use plumb_starlark::{Error, Result};

use crate::decode_error::DecodeError;

use crate::url_escape::{Part, escape, quoted, unescape};

#[derive(Clone, Debug, Default)]
pub(crate) struct Url {
    /// In lower case; empty for a relative URL.
    scheme: Vec<u8>,
    rest: Rest,
    /// The text after the first `?`, as written.
    query: Option<Vec<u8>>,
    fragment: Vec<u8>,
}

/// The part between the scheme and the query.
#[derive(Clone, Debug)]
enum Rest {
    /// The text after a scheme, if it does not begin with a slash, such as `a@b.c` in
    /// `mailto:a@b.c`.
    Opaque(Vec<u8>),
    Path {
        authority: Option<Authority>,
        path: Vec<u8>,
    },
}

#[derive(Clone, Debug, Default)]
struct Authority {
    user: Option<User>,
    /// With the port, and without escapes.
    host: Vec<u8>,
}

#[derive(Clone, Debug)]
pub(crate) struct User {
    pub(crate) name: Vec<u8>,
    pub(crate) password: Option<Vec<u8>>,
}

impl Default for Rest {
    fn default() -> Self {
        Self::Path { authority: None, path: Vec::new() }
    }
}

impl Url {
    pub(crate) fn parse(text: &[u8]) -> Result<Self> {
        let (before, fragment) = cut(text, b'#').unwrap_or((text, b""));
        let mut url = parse_unmarked(before).map_err(|error| in_text(before, &error))?;
        url.fragment = normal(fragment, Part::Fragment).map_err(|error| in_text(text, &error))?;
        Ok(url)
    }

    pub(crate) fn user(&self) -> Option<&User> {
        self.authority()?.user.as_ref()
    }

    /// The host without its port and without the brackets of IPv6.
    pub(crate) fn hostname(&self) -> &[u8] {
        let host = self.authority().map_or(&b""[..], |authority| &authority.host);
        let end = host.iter().rposition(|&byte| byte == b':');
        let host = match end {
            Some(end) if is_port(&host[end..]) => &host[..end],
            _ => host,
        };
        host.strip_prefix(b"[").and_then(|it| it.strip_suffix(b"]")).unwrap_or(host)
    }

    pub(crate) fn without_user(&self) -> Self {
        let mut url = self.clone();
        if let Rest::Path { authority: Some(authority), .. } = &mut url.rest {
            authority.user = None;
        }
        url
    }

    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        let mut out = self.scheme.clone();
        if !out.is_empty() {
            out.push(b':');
        }
        match &self.rest {
            Rest::Opaque(rest) => out.extend_from_slice(rest),
            Rest::Path { authority, path } => {
                if let Some(authority) = authority {
                    authority.print(!self.scheme.is_empty() && !path.is_empty(), &mut out);
                }
                if out.is_empty() && has_colon_in_first_segment(path) {
                    out.extend_from_slice(b"./");
                }
                out.extend_from_slice(path);
            }
        }
        if let Some(query) = &self.query {
            out.push(b'?');
            out.extend_from_slice(query);
        }
        if !self.fragment.is_empty() {
            out.push(b'#');
            out.extend_from_slice(&self.fragment);
        }
        out
    }

    fn authority(&self) -> Option<&Authority> {
        match &self.rest {
            Rest::Path { authority, .. } => authority.as_ref(),
            Rest::Opaque(_) => None,
        }
    }
}

impl Authority {
    fn parse(text: &[u8]) -> Result<Self> {
        let Some(at) = text.iter().rposition(|&byte| byte == b'@') else {
            return Ok(Self { user: None, host: host(text)? });
        };
        let host = host(&text[at + 1..])?;
        Ok(Self { user: Some(User::parse(&text[..at])?), host })
    }

    /// An empty authority is printed only if the path requires it.
    fn print(&self, is_needed: bool, out: &mut Vec<u8>) {
        if !is_needed && self.host.is_empty() && self.user.is_none() {
            return;
        }
        out.extend_from_slice(b"//");
        if let Some(user) = &self.user {
            out.extend(user.to_bytes());
            out.push(b'@');
        }
        out.extend(escape(&self.host, Part::Host));
    }
}

impl User {
    fn parse(text: &[u8]) -> Result<Self> {
        let is_allowed =
            |&byte: &u8| byte.is_ascii_alphanumeric() || b"-._:~!$&'()*+,;=%@".contains(&byte);
        if !text.iter().all(is_allowed) {
            let words = "expected other characters in the name and password before `@`";
            return Err(DecodeError::UrlUser.in_words(words));
        }
        let (name, password) = match cut(text, b':') {
            Some((name, password)) => (name, Some(password)),
            None => (text, None),
        };
        let name = unescape(name, Part::User)?;
        let password = password.map(|it| unescape(it, Part::User)).transpose()?;
        Ok(Self { name, password })
    }

    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        let mut out = escape(&self.name, Part::User);
        if let Some(password) = &self.password {
            out.push(b':');
            out.extend(escape(password, Part::User));
        }
        out
    }
}

/// Parses a URL without its fragment.
fn parse_unmarked(text: &[u8]) -> Result<Url> {
    if text.iter().any(u8::is_ascii_control) {
        return Err(DecodeError::UrlControl.in_words("expected no control characters, found one"));
    }
    let (scheme, rest) = split_scheme(text)?;
    let (rest, query) = match cut(rest, b'?') {
        Some((rest, query)) => (rest, Some(query.to_vec())),
        None => (rest, None),
    };
    let rest = parse_rest(rest, !scheme.is_empty())?;
    Ok(Url { scheme: scheme.to_ascii_lowercase(), rest, query, fragment: Vec::new() })
}

/// Splits off the scheme, which may be missing. Returns the scheme and the text after its colon.
fn split_scheme(text: &[u8]) -> Result<(&[u8], &[u8])> {
    let is_allowed = |byte: &u8| byte.is_ascii_alphanumeric() || b"+-.".contains(byte);
    let length = text.iter().take_while(|byte| is_allowed(byte)).count();
    match (text.first(), text.get(length)) {
        (Some(b':'), _) => {
            Err(DecodeError::UrlScheme.in_words("expected a scheme such as `https` before `:`"))
        }
        (Some(first), Some(b':')) if first.is_ascii_alphabetic() => {
            Ok((&text[..length], &text[length + 1..]))
        }
        _ => Ok((b"", text)),
    }
}

fn parse_rest(text: &[u8], has_scheme: bool) -> Result<Rest> {
    if !text.starts_with(b"/") {
        if has_scheme {
            return Ok(Rest::Opaque(text.to_vec()));
        }
        if has_colon_in_first_segment(text) {
            let words = "expected no colon before the first `/` of a path, found one";
            return Err(DecodeError::UrlColon.in_words(words));
        }
    }
    let (authority, path) = match text.strip_prefix(b"//") {
        Some(rest) if has_scheme || !rest.starts_with(b"/") => {
            let end = rest.iter().position(|&byte| byte == b'/').unwrap_or(rest.len());
            (Some(Authority::parse(&rest[..end])?), &rest[end..])
        }
        _ => (None, text),
    };
    Ok(Rest::Path { authority, path: normal(path, Part::Path)? })
}

/// Parses a host with its port, and decodes its escapes.
fn host(text: &[u8]) -> Result<Vec<u8>> {
    let last = |wanted: u8| text.iter().rposition(|&byte| byte == wanted);
    if !text.starts_with(b"[") {
        check_port(last(b':').map_or(b"", |at| &text[at..]))?;
        return unescape(text, Part::Host);
    }
    let end = last(b']').ok_or_else(|| {
        DecodeError::UrlBracket.in_words("expected `]` at the end of the address of a host")
    })?;
    check_port(&text[end + 1..])?;
    let Some(zone) = text[..end].windows(3).position(|it| it == b"%25") else {
        return unescape(text, Part::Host);
    };
    let mut host = unescape(&text[..zone], Part::Host)?;
    host.extend(unescape(&text[zone..end], Part::Zone)?);
    host.extend_from_slice(&unescape(&text[end..], Part::Host)?);
    Ok(host)
}

fn check_port(text: &[u8]) -> Result<()> {
    if is_port(text) {
        return Ok(());
    }
    let shown = Message::from(secret(quoted(text)?));
    let words = message!("expected a colon and a port after the host, found {shown}");
    Err(DecodeError::UrlPort(shown).in_words(words))
}

/// Returns whether a text is empty, or a colon and any number of digits.
fn is_port(text: &[u8]) -> bool {
    match text.split_first() {
        None => true,
        Some((first, digits)) => *first == b':' && digits.iter().all(u8::is_ascii_digit),
    }
}

/// Returns the printed form of a path or a fragment: as written if no byte of it needs an escape.
fn normal(text: &[u8], part: Part) -> Result<Vec<u8>> {
    let plain = unescape(text, part)?;
    let is_valid = |&byte: &u8| part.is_plain(byte) || b"!$&'()*+,;=:@[]%".contains(&byte);
    Ok(if text.iter().all(is_valid) { text.to_vec() } else { escape(&plain, part) })
}

fn has_colon_in_first_segment(path: &[u8]) -> bool {
    path.iter().take_while(|&&byte| byte != b'/').any(|&byte| byte == b':')
}

/// Returns the text before and after the first such byte, or `None` if it does not occur.
fn cut(text: &[u8], separator: u8) -> Option<(&[u8], &[u8])> {
    let at = text.iter().position(|&byte| byte == separator)?;
    Some((&text[..at], &text[at + 1..]))
}

fn in_text(text: &[u8], error: &Error) -> Error {
    match quoted(text) {
        Ok(shown) => {
            let expected = term("expected a URL, found", DecodeError::Url);
            Error::new(message!("{expected} {shown}: {}", error.message()))
        }
        Err(error) => error,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn printed(bytes: &[u8]) -> String {
        String::from_utf8_lossy(bytes).into_owned()
    }

    #[test]
    fn a_valid_url_is_printed_as_written() {
        let check = |text: &str| {
            let url = Url::parse(text.as_bytes()).expect("a URL");
            assert_eq!(printed(&url.to_bytes()), text);
        };
        check("http://admin:password@url.domain:8080/a%20b?q=1#frag");
        check("http:opaque?x=1#y");
        check("mailto:a@b c");
        check("jdbc:postgresql://h:1/x");
        check("//host/path");
        check("///path");
        check("http:///path");
        check("http:/path");
        check("http://u:p@");
        check("http://@h/");
        check("http://u:@h/");
        check("http://[::1]:");
        check("http://h:80:90/");
        check("http://[fe80::1%25en%200]:80/");
        check("http://h!$&'()*+,;=-._~:80/");
        check("/a!b*c'd(e)f;g=h:i@j&k$l,m[n]o");
        check("http://h/%2f%2F");
        check("?q=é b\"<>");
        check("http://h?");
        check("http://h?a%zz");
        check("a/b:c");
        check("a:?");
        check("");
    }

    #[test]
    fn what_needs_an_escape_gets_it() {
        let check = |text: &[u8], expected: &str| {
            let url = Url::parse(text).expect("a URL");
            assert_eq!(printed(&url.to_bytes()), expected);
        };
        check(b"HTTP://Host/PATH", "http://Host/PATH");
        check(b"http://h/a b?c d#e f", "http://h/a%20b?c d#e%20f");
        check(b"http://h/a%2fb c", "http://h/a/b%20c");
        check(b"/\xff%C3%A9", "/%FF%C3%A9");
        check(b"http://h\xff/", "http://h%FF/");
        check(b"http://u:p:q@h/", "http://u:p%3Aq@h/");
        check(b"http://u@v@h/", "http://u%40v@h/");
        check(b"http://u!'()*:p!@h/", "http://u%21%27%28%29%2A:p%21@h/");
        check(b"x://y?z?w#a#b", "x://y?z?w#a%23b");
        check(b"a%3Ab c", "./a:b%20c");
        check(b"http://h#", "http://h");
        check(b"http://", "http:");
        check(b"a:///", "a:///");
    }

    #[test]
    fn hosts_and_users_are_parts() {
        let check = |text: &str, host: &str, user: Option<&str>, without_user: &str| {
            let url = Url::parse(text.as_bytes()).expect("a URL");
            assert_eq!(printed(url.hostname()), host);
            assert_eq!(url.user().map(|it| printed(&it.to_bytes())).as_deref(), user);
            assert_eq!(printed(&url.without_user().to_bytes()), without_user);
        };
        check("http://a:b@h.d:80/x", "h.d", Some("a:b"), "http://h.d:80/x");
        check("http://u@[::1]:8/", "::1", Some("u"), "http://[::1]:8/");
        check("http://[fe80::1%25en0]/", "fe80::1%en0", None, "http://[fe80::1%25en0]/");
        check("http://us%20er:p%40ss@h/", "h", Some("us%20er:p%40ss"), "http://h/");
        check("http://u:p@", "", Some("u:p"), "http:");
        check("http://u:p@/x", "", Some("u:p"), "http:///x");
        check("http://u/:p@h/", "u", None, "http://u/:p@h/");
        check("http://h:80:90/", "h:80", None, "http://h:80:90/");
        check("mailto:a@b.c", "", None, "mailto:a@b.c");
    }

    #[test]
    fn a_mistake_is_named() {
        let check = |text: &[u8], expected: &str| {
            let error = Url::parse(text).expect_err("a broken URL");
            assert_eq!(error.message().shown(), expected);
        };
        check(
            b"http://[::1",
            r#"expected a URL, found "http://[::1": expected `]` at the end of the address of a host"#,
        );
        check(
            b"http://[::1]x#f",
            r#"expected a URL, found "http://[::1]x": expected a colon and a port after the host, found "x""#,
        );
        check(
            b"http://h:abc",
            r#"expected a URL, found "http://h:abc": expected a colon and a port after the host, found ":abc""#,
        );
        check(
            b":foo",
            r#"expected a URL, found ":foo": expected a scheme such as `https` before `:`"#,
        );
        check(
            b"1a:b",
            r#"expected a URL, found "1a:b": expected no colon before the first `/` of a path, found one"#,
        );
        check(
            b"a\nb",
            r#"expected a URL, found "a\nb": expected no control characters, found one"#,
        );
        check(
            b"http://us er@h/",
            r#"expected a URL, found "http://us er@h/": expected other characters in the name and password before `@`"#,
        );
        check(
            b"http://u%zz@h/",
            r#"expected a URL, found "http://u%zz@h/": expected an escape such as `%2F`, found "%zz""#,
        );
        check(
            b"http://h ost/",
            r#"expected a URL, found "http://h ost/": expected the name of a host, found the character " ""#,
        );
        check(
            b"http://h%41/",
            r#"expected a URL, found "http://h%41/": expected an escape such as `%2F`, found "%41""#,
        );
        check(
            b"http://[::%2]/",
            r#"expected a URL, found "http://[::%2]/": expected an escape such as `%2F`, found "%2]""#,
        );
        check(
            b"#%\xff",
            r##"expected a URL, found "#%\xff": expected an escape such as `%2F`, found "%\xff""##,
        );
    }
}
