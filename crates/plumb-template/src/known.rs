//! The known annotations, and the arguments that each of them reads.
//!
//! An unknown name, or an argument that is not read, is usually a spelling mistake: ytt ignores
//! them without a warning.

use plumb_diagnostic::{Code, Diagnostic, nearest};
use plumb_source::message::plain;
use plumb_source::{Span, message};

/// An annotation does not exist.
///
/// It would have no effect. Correct its name, or use a namespace of your own.
pub const UNKNOWN_ANNOTATION: Code = Code::new("template/unknown-annotation");

/// There is no space after `#@`.
///
/// `#@ x` is code; `#@x` is an annotation named `x`, which has no effect.
pub const MISSING_SPACE: Code = Code::new("template/missing-space");

/// An annotation does not have this argument.
///
/// It would have no effect. Correct its name, or remove it.
pub const UNREAD_ARGUMENT: Code = Code::new("template/unread-argument");

/// A node has the same annotation twice.
///
/// Only the last one has an effect. Give all arguments to one of them.
pub const REPEATED_ANNOTATION: Code = Code::new("template/repeated-annotation");

/// An annotation is after the last node of a file.
///
/// It would have no effect. Write it on the line above its node, or at the end of the node's line.
pub const STRAY_ANNOTATION: Code = Code::new("template/stray-annotation");

/// An annotation and the arguments that it reads.
struct Known {
    name: &'static str,
    positional: Positional,
    keywords: Keywords,
}

#[derive(Clone, Copy)]
enum Positional {
    None,
    /// Any number, or a number that is checked by the code that reads them.
    Any,
}

#[derive(Clone, Copy)]
enum Keywords {
    None,
    Only(&'static [&'static str]),
    /// Checked by the code that reads them.
    Any,
}

const fn known(name: &'static str, positional: Positional, keywords: Keywords) -> Known {
    Known { name, positional, keywords }
}

const NAMESPACES: [&str; 7] =
    ["assert", "data", "library", "overlay", "schema", "template", "yaml"];

/// Sorted by name.
const ANNOTATIONS: [Known; 42] = {
    use Keywords as K;
    use Positional as P;
    [
        known("assert/validate", P::Any, K::Any),
        known("comment", P::Any, K::Any),
        known("data/values", P::None, K::Any),
        known("data/values-schema", P::None, K::None),
        known("library/ref", P::Any, K::None),
        known("overlay/append", P::None, K::None),
        known("overlay/assert", P::None, K::Any),
        known("overlay/insert", P::None, K::Any),
        known("overlay/match", P::None, K::Any),
        known("overlay/match-child-defaults", P::None, K::Any),
        known("overlay/merge", P::None, K::None),
        known("overlay/merge-anns", P::None, K::None),
        known("overlay/noop", P::None, K::None),
        known("overlay/remove", P::None, K::None),
        known("overlay/remove-anns", P::Any, K::Any),
        known("overlay/replace", P::None, K::Any),
        known("overlay/replace-ann", P::None, K::None),
        known("schema", P::None, K::Any),
        known("schema/all-of", P::Any, K::Any),
        known("schema/allow-empty", P::None, K::None),
        known("schema/any-key", P::None, K::None),
        known("schema/any-of", P::Any, K::Any),
        known("schema/default", P::Any, K::Any),
        known("schema/definition", P::None, K::Only(&["data_values"])),
        known("schema/deprecated", P::Any, K::Any),
        known("schema/desc", P::Any, K::Any),
        known("schema/doc", P::Any, K::Any),
        known("schema/example", P::Any, K::Any),
        known("schema/examples", P::Any, K::Any),
        known("schema/key-may-be-present", P::None, K::None),
        known("schema/nullable", P::None, K::Any),
        known("schema/one-of", P::Any, K::Any),
        known("schema/required", P::None, K::None),
        known("schema/title", P::Any, K::Any),
        known("schema/type", P::Any, K::Any),
        known("schema/validate", P::Any, K::Any),
        known("schema/validation", P::Any, K::Any),
        known("schema/validation-defaults-for-strings", P::Any, K::Any),
        known("template/code", P::Any, K::Any),
        known("template/value", P::Any, K::Any),
        known("yaml/map-key-override", P::None, K::None),
        known("yaml/text-templated-strings", P::None, K::None),
    ]
};

/// The names of all annotations.
pub fn known_annotations() -> impl Iterator<Item = &'static str> {
    ANNOTATIONS.iter().map(|it| it.name)
}

fn find(name: &str) -> Option<&'static Known> {
    let at = ANNOTATIONS.binary_search_by(|it| it.name.cmp(name)).ok()?;
    Some(&ANNOTATIONS[at])
}

/// Returns whether there is an annotation with this name.
pub(crate) fn is_known(name: &str) -> bool {
    find(name).is_some()
}

/// Returns what is wrong with the name of an annotation, which is at the beginning of `comment`.
/// Returns `None` if the name is valid.
pub(crate) fn name_finding(name: &str, comment: Span) -> Option<Diagnostic> {
    if find(name).is_some() {
        return None;
    }
    let length = u32::try_from("#@".len() + name.len()).expect("a comment fits its source");
    let span = Span { end: comment.start + length, ..comment };
    match name.split_once('/') {
        Some((namespace, _)) if NAMESPACES.contains(&namespace) => {
            Some(unknown(name, namespace, span))
        }
        Some(_) if name.chars().all(is_of_a_name) => None,
        Some(_) | None => Some(missing_space(name, span)),
    }
}

/// Returns what is wrong with the name of an annotation that another one, at `comment`, refers to.
pub(crate) fn mention_finding(name: &str, comment: Span) -> Option<Diagnostic> {
    let name = name.strip_prefix('@').unwrap_or(name);
    let (namespace, _) = name.split_once('/')?;
    if find(name).is_some() || !NAMESPACES.contains(&namespace) {
        return None;
    }
    let mut finding = unknown(name, namespace, comment);
    finding.message = message!("there is no annotation @{} to be removed", plain(name));
    Some(finding)
}

fn is_of_a_name(letter: char) -> bool {
    letter.is_alphanumeric() || "-_./".contains(letter)
}

fn unknown(name: &str, namespace: &str, span: Span) -> Diagnostic {
    let message = plain(format!("there is no annotation @{name}: it has no effect"));
    let candidates = ANNOTATIONS.iter().filter_map(|it| {
        let (of, rest) = it.name.split_once('/')?;
        (of == namespace).then_some(rest)
    });
    let candidates: Vec<&str> = candidates.collect();
    let written = &name[namespace.len() + 1..];
    let longer = candidates.iter().copied().find(|it| written.starts_with(it));
    let arguments = written.split_once('(').filter(|(it, _)| candidates.contains(it));
    let help = match longer.or_else(|| nearest(written, candidates.iter().copied())) {
        Some(meant) if arguments.is_some() => plain(format!(
            "write the arguments after a space, without parentheses: `#@{namespace}/{meant} …`"
        )),
        Some(meant) => plain(format!("did you mean `#@{namespace}/{meant}`?")),
        None => {
            let names: Vec<String> =
                candidates.iter().map(|it| format!("@{namespace}/{it}")).collect();
            plain(format!("annotations of this kind are {}", names.join(", ")))
        }
    };
    Diagnostic::warning(UNKNOWN_ANNOTATION, message).label(span, "unknown annotation").help(help)
}

fn missing_space(name: &str, span: Span) -> Diagnostic {
    let message =
        plain(format!("`#@{name}` is an annotation that does not exist: it has no effect"));
    let finding = Diagnostic::warning(MISSING_SPACE, message)
        .label(span, "no space after `#@`")
        .help(plain(format!("write `#@ {name}` for code or a value, `#! {name}` for a remark")));
    let may_be_a_name = !name.contains('.');
    match nearest(name, ANNOTATIONS.iter().map(|it| it.name)).filter(|_| may_be_a_name) {
        Some(meant) => finding.help(plain(format!("or did you mean `#@{meant}`?"))),
        None => finding,
    }
}

/// Reports an annotation that is already on the node. Annotations of data values have their own
/// message for that.
pub(crate) fn repeated_finding(name: &str, comment: Span) -> Option<Diagnostic> {
    if name.starts_with("data/") {
        return None;
    }
    find(name)?;
    let message = plain(format!("@{name} is there twice: only the last one has an effect"));
    let finding = Diagnostic::warning(REPEATED_ANNOTATION, message)
        .label(comment, "this takes the place of the one above")
        .help("give all arguments to one annotation, with commas between them");
    Some(finding)
}

/// Reports an annotation that has no node below it. Annotations of others are theirs.
pub(crate) fn stray_finding(name: &str, comment: Span) -> Option<Diagnostic> {
    find(name)?;
    let message = plain(format!("there is no node below @{name}: it has no effect"));
    let finding = Diagnostic::warning(STRAY_ANNOTATION, message)
        .label(comment, "nothing follows")
        .help("write it on the line above its node");
    Some(finding)
}

/// Returns what is wrong with the arguments of an annotation, or `None` if they are valid.
pub(crate) fn argument_finding(
    name: &str,
    n_positional: usize,
    mut keywords: impl Iterator<Item = impl AsRef<str>>,
    span: Span,
) -> Option<Diagnostic> {
    let known = find(name)?;
    if matches!(known.positional, Positional::None) && n_positional > 0 {
        let message = plain(format!("@{name} reads no positional argument: it has no effect"));
        return Some(unread(message, span, known.keywords));
    }
    let keyword = match known.keywords {
        Keywords::None => keywords.next(),
        Keywords::Only(read) => keywords.find(|it| !read.contains(&it.as_ref())),
        Keywords::Any => None,
    }?;
    let message = plain(format!(
        "@{name} does not read the argument `{}`: it has no effect",
        keyword.as_ref()
    ));
    Some(unread(message, span, known.keywords))
}

fn unread(message: plumb_source::message::Plain<String>, span: Span, read: Keywords) -> Diagnostic {
    let help = match read {
        Keywords::Only(names) => plain(format!("it reads {}", names.join(", "))),
        Keywords::None => plain("remove it".to_owned()),
        Keywords::Any => plain("write it as a keyword argument, or remove it".to_owned()),
    };
    Diagnostic::warning(UNREAD_ARGUMENT, message).label(span, "an argument too many").help(help)
}

#[cfg(test)]
mod tests {
    use plumb_source::{SourceKind, Sources};

    use super::*;

    fn span() -> Span {
        let file = Sources::new().add("a.yml", SourceKind::File, (*b"#@x").into());
        Span::new(file, 0, 3)
    }

    fn code(name: &str) -> Option<Code> {
        name_finding(name, span()).map(|it| it.code)
    }

    #[test]
    fn annotations_are_in_order() {
        assert!(ANNOTATIONS.is_sorted_by(|a, b| a.name < b.name));
    }

    #[test]
    fn names_of_others_are_theirs() {
        assert_eq!(code("acme.io/owner"), None);
        assert_eq!(code("schema/nullable"), None);
        assert_eq!(code("schema/nulable"), Some(UNKNOWN_ANNOTATION));
        assert_eq!(code("data.values.name"), Some(MISSING_SPACE));
        assert_eq!(code("size(a)/2"), Some(MISSING_SPACE));
    }

    #[test]
    fn arguments_are_counted() {
        let code = |name, n, keywords: &[&str]| {
            let found = argument_finding(name, n, keywords.iter().copied(), span());
            found.map(|it| it.message)
        };
        assert_eq!(code("overlay/match", 0, &["bye"]), None);
        assert!(code("overlay/match", 1, &[]).is_some());
        assert!(code("overlay/remove", 0, &["x"]).is_some());
        assert_eq!(code("schema/definition", 0, &["data_values"]), None);
        assert_eq!(code("acme.io/owner", 3, &["x"]), None);
    }
}
