//! The meaning of a comment in a template: code, a value, an annotation, or none of these.

use plumb_source::Span;
use plumb_value::Comment;

use crate::vocabulary::{CODE, COMMENT, VALUE};

/// The meaning of one comment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Directive<'a> {
    /// `#@ if x:` on its own line.
    Code(Snippet<'a>),
    /// `#@ x` after a node.
    Value(Snippet<'a>),
    /// `#@name arguments`.
    Annotation { name: &'a str, arguments: Snippet<'a> },
    /// `#! text`, or any comment if unknown ones are ignored.
    Remark,
    /// Any other comment.
    Unknown,
}

/// Code inside a comment, and its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Snippet<'a> {
    pub(crate) text: &'a [u8],
    pub(crate) span: Span,
}

/// Reads a comment of a node; `is_inline` is set if both are on the same line.
pub(crate) fn read(comment: &Comment, is_inline: bool) -> Directive<'_> {
    // The YAML reader only accepts UTF-8.
    let text = comment.text.as_str().unwrap_or_default();
    match text.as_bytes().first() {
        Some(b'!') => Directive::Remark,
        Some(b'@') => annotation(comment, &text[1..], is_inline),
        Some(_) | None => Directive::Unknown,
    }
}

/// Returns whether a comment makes its file a template.
pub(crate) fn is_template(comment: &Comment) -> bool {
    comment.text.as_bytes().first() == Some(&b'@')
        && !matches!(read(comment, false), Directive::Remark)
}

/// Returns the name of the annotation in a comment, or `None` if it is not an annotation.
pub(crate) fn annotation_name(comment: &Comment) -> Option<&str> {
    match read(comment, false) {
        Directive::Annotation { name, .. } => Some(name),
        Directive::Code(_) | Directive::Value(_) | Directive::Remark | Directive::Unknown => None,
    }
}

/// The name ends at the first space. Without a name, the comment is code or a value.
fn annotation<'a>(comment: &'a Comment, text: &'a str, is_inline: bool) -> Directive<'a> {
    let (name, rest) = text.split_once(' ').unwrap_or((text, ""));
    let start = comment.span.end - u32::try_from(rest.len()).expect("a comment fits its source");
    let snippet = Snippet { text: rest.as_bytes(), span: Span { start, ..comment.span } };
    match name {
        "" if is_inline => Directive::Value(snippet),
        "" | CODE => Directive::Code(snippet),
        VALUE => Directive::Value(snippet),
        COMMENT => Directive::Remark,
        name => Directive::Annotation { name, arguments: snippet },
    }
}

/// Keywords that apply only to the next node and close themselves after it.
const NODE_KEYWORDS: [(&str, &str); 5] = [
    ("if/end", "if"),
    ("elif/end", "elif"),
    ("else/end", "else"),
    ("for/end", "for"),
    ("def/end", "def"),
];

/// Converts code that begins with `if/end` and the like to the plain statement, with blanks in place
/// of `/end`, so that places stay the same. Returns `None` for other code. What follows directly
/// is a part of the word: `if/endx` is `ifx`.
pub(crate) fn node_scoped(code: &[u8]) -> Option<Vec<u8>> {
    let start = code.len() - code.trim_ascii_start().len();
    NODE_KEYWORDS.iter().find_map(|(keyword, plain)| {
        let rest = code[start..].strip_prefix(keyword.as_bytes())?;
        let goes_on = |next: &u8| next.is_ascii_alphanumeric() || *next == b'_' || *next >= 0x80;
        let mut statement = code.to_vec();
        let replaced = &mut statement[start..start + keyword.len()];
        replaced.fill(b' ');
        let at = if rest.first().is_some_and(goes_on) { keyword.len() - plain.len() } else { 0 };
        replaced[at..at + plain.len()].copy_from_slice(plain.as_bytes());
        Some(statement)
    })
}

#[cfg(test)]
mod tests {
    use plumb_source::{SourceKind, Sources};

    use super::*;

    fn check(text: &str, is_inline: bool, expected: &str) {
        let sources = Sources::new();
        let file = sources.add("a.yml", SourceKind::File, text.as_bytes().into());
        let length = u32::try_from(text.len()).expect("short");
        let span = Span::new(file, 0, length);
        let comment = Comment { text: text[1..].into(), span, is_inline };
        let code = |kind: &str, snippet: Snippet<'_>| {
            assert_eq!(snippet.span.start as usize, text.len() - snippet.text.len());
            format!("{kind} {}", String::from_utf8_lossy(snippet.text))
        };
        let found = match read(&comment, is_inline) {
            Directive::Code(snippet) => code("code", snippet),
            Directive::Value(snippet) => code("value", snippet),
            Directive::Annotation { name, arguments } => code(&format!("@{name}"), arguments),
            Directive::Remark => "remark".to_owned(),
            Directive::Unknown => "unknown".to_owned(),
        };
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn a_comment_is_read_by_its_first_characters() {
        check("#@ if x:", false, "code if x:");
        check("#@ x", true, "value x");
        check("#@template/code x = 1", true, "code x = 1");
        check("#@template/value x", false, "value x");
        check("#@overlay/match by=\"name\"", false, "@overlay/match by=\"name\"");
        check("#@schema/nullable", false, "@schema/nullable ");
        check("#@", false, "code ");
        check("#! text", false, "remark");
        check("# text", false, "unknown");
        check("#", false, "unknown");
    }

    #[test]
    fn keywords_of_one_node_become_plain_statements() {
        assert_eq!(node_scoped(b"  if/end x:").as_deref(), Some(&b"  if     x:"[..]));
        assert_eq!(node_scoped(b"if/end(x):").as_deref(), Some(&b"if    (x):"[..]));
        assert_eq!(node_scoped(b"def/endf():").as_deref(), Some(&b"    deff():"[..]));
        assert_eq!(node_scoped(b"if x:"), None);
    }
}
