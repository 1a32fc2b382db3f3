//! Paths as text: nothing here looks at a file system.

use std::borrow::Cow;
use std::path::{Component, Path, PathBuf};

use crate::message::MASK;

/// The shortest equivalent path: without `.`, empty steps, and steps that `..` cancels. An empty
/// path becomes `.`.
pub fn clean(path: &Path) -> PathBuf {
    if is_clean(path) {
        return path.to_owned();
    }
    let mut steps: Vec<Component<'_>> = Vec::new();
    for component in path.components() {
        match (component, steps.last()) {
            (Component::CurDir, _) | (Component::ParentDir, Some(Component::RootDir)) => {}
            (Component::ParentDir, Some(Component::Normal(_))) => {
                steps.pop();
            }
            _ => steps.push(component),
        }
    }
    if steps.is_empty() { PathBuf::from(".") } else { steps.into_iter().collect() }
}

/// Returns whether a path is certainly clean. Most paths are, and this check is much faster than
/// cleaning.
fn is_clean(path: &Path) -> bool {
    let text = path.as_os_str().as_encoded_bytes();
    let mut steps = text.strip_prefix(b"/").unwrap_or(text).split(|&byte| byte == b'/');
    cfg!(unix) && steps.all(|step| !matches!(step, b"" | b"." | b".."))
}

/// A path that starts at the root, cleaned; a relative one starts at `directory`.
pub fn absolute(path: &Path, directory: &Path) -> PathBuf {
    clean(&directory.join(path))
}

/// The last step of a path that is written with `/`. Slashes at the end do not count.
pub fn base_name(path: &str) -> &str {
    let trimmed = path.trim_end_matches('/');
    match trimmed.rsplit_once('/') {
        Some((_, name)) => name,
        None if !trimmed.is_empty() => trimmed,
        None if path.is_empty() => ".",
        None => "/",
    }
}

/// Returns a path as messages show it: on one line, with escapes for control characters. A file
/// name may contain a line break, which could start a line that a CI system interprets as a
/// command, or an escape sequence for a terminal.
pub fn shown(path: &Path) -> String {
    one_line(&path.to_string_lossy()).into_owned()
}

/// Returns a text on one line, with escapes for control characters: the name of a file, for
/// messages. See [`shown`].
pub fn one_line(text: &str) -> Cow<'_, str> {
    escaped(text, char::is_control)
}

/// Returns a text of several lines as a terminal may print it: with escapes for control characters
/// other than line breaks and tabs.
pub fn printable(text: &str) -> Cow<'_, str> {
    escaped(text, |it| it.is_control() && !matches!(it, '\n' | '\t'))
}

fn escaped(text: &str, is_escaped: fn(char) -> bool) -> Cow<'_, str> {
    if !text.contains(is_escaped) {
        return text.into();
    }
    let mut out = String::with_capacity(text.len() + 8);
    for it in text.chars() {
        if is_escaped(it) {
            out.extend(it.escape_default());
        } else {
            out.push(it);
        }
    }
    out.into()
}

/// A URL as messages show it: a mask replaces the user, the password and the query, which may be
/// secret. Other paths are not changed.
pub fn public_url(url: &str) -> String {
    let Some((scheme, rest)) = url.split_once("://") else { return url.to_owned() };
    let (rest, query) = match rest.split_once('?') {
        Some((rest, _)) => (rest, format!("?{MASK}")),
        None => (rest, String::new()),
    };
    let (host, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
    let host = match host.rsplit_once('@') {
        Some((_, host)) => format!("{MASK}@{host}"),
        None => host.to_owned(),
    };
    format!("{scheme}://{host}{path}{query}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clean_path_has_no_step_too_many() {
        let check = |path: &str, expected: &str| {
            assert_eq!(clean(Path::new(path)), Path::new(expected), "{path}");
        };
        check("", ".");
        check("./a//b/.", "a/b");
        check("a/../../b", "../b");
        check("/../a", "/a");
        check("a/..", ".");
    }

    #[test]
    fn control_characters_are_escaped() {
        let name = "a\n\u{1b}[31m\u{9b}2J\tü.yml";
        assert_eq!(shown(Path::new(name)), "a\\n\\u{1b}[31m\\u{9b}2J\\tü.yml");
        assert_eq!(printable(name), "a\n\\u{1b}[31m\\u{9b}2J\tü.yml");
        assert!(matches!(one_line("ü.yml"), Cow::Borrowed("ü.yml")));
    }

    #[test]
    fn credentials_and_the_query_of_a_url_are_masked() {
        let check = |url: &str, expected: &str| assert_eq!(public_url(url), expected);
        check("https://example.com/a/b.yml", "https://example.com/a/b.yml");
        check("https://user:pass@example.com/a@b", "https://***@example.com/a@b");
        check("a?b@c", "a?b@c");
        check("http://a@b@example.com", "http://***@example.com");
        check("http://example.com/a?token=x/y@z", "http://example.com/a?***");
    }

    #[test]
    fn the_base_name_is_the_last_step() {
        assert_eq!(base_name("a/b.yml"), "b.yml");
        assert_eq!(base_name("a/b/"), "b");
        assert_eq!(base_name(""), ".");
        assert_eq!(base_name("//"), "/");
    }
}
