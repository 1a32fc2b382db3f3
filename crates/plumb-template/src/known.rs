//! Reports annotations and arguments without effect: usually they are spelling mistakes, which ytt
//! ignores without a warning.

use plumb_diagnostic::{Code, Diagnostic, nearest};
use plumb_source::message::plain;
use plumb_source::{Span, message};
use plumb_value::{AnnotationDefinition, Reads};

use crate::vocabulary::Vocabulary;

/// An annotation does not exist.
///
/// It would have no effect. Correct its name, or use your own namespace.
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

impl Vocabulary {
    /// Returns a finding about the name of an annotation, which is at the beginning of `comment`.
    /// Returns `None` if the name is valid.
    pub(crate) fn name_finding(&self, name: &str, comment: Span) -> Option<Diagnostic> {
        if self.annotation(name).is_some() {
            return None;
        }
        let length = u32::try_from("#@".len() + name.len()).expect("a comment fits its source");
        let span = Span { end: comment.start + length, ..comment };
        match name.split_once('/') {
            Some((namespace, _)) if self.has_namespace(namespace) => {
                Some(self.unknown(name, namespace, span))
            }
            Some(_) if name.chars().all(is_of_a_name) => None,
            Some(_) | None => Some(self.missing_space(name, span)),
        }
    }

    /// Returns a finding about the name of an annotation that another annotation, at `comment`,
    /// refers to.
    pub(crate) fn mention_finding(&self, name: &str, comment: Span) -> Option<Diagnostic> {
        let name = name.strip_prefix('@').unwrap_or(name);
        let (namespace, _) = name.split_once('/')?;
        if self.annotation(name).is_some() || !self.has_namespace(namespace) {
            return None;
        }
        let mut finding = self.unknown(name, namespace, comment);
        finding.message = message!("there is no annotation @{} to be removed", plain(name));
        Some(finding)
    }

    fn unknown(&self, name: &str, namespace: &str, span: Span) -> Diagnostic {
        let message = plain(format!("there is no annotation @{name}: it has no effect"));
        let candidates = self.annotations().iter().filter_map(|it| {
            let (of, rest) = it.name.split_once('/')?;
            (of == namespace).then_some(rest)
        });
        let candidates: Vec<&str> = candidates.collect();
        let written = &name[namespace.len() + 1..];
        let called = written.split_once('(').filter(|(it, _)| candidates.contains(it));
        let near = nearest(written, candidates.iter().copied());
        let longer = candidates.iter().copied().filter(|it| written.starts_with(it));
        let help = match (called, near.or_else(|| longer.max_by_key(|it| it.len()))) {
            (Some((called, _)), _) => plain(format!(
                "write the arguments after a space, without parentheses: `#@{namespace}/{called} …`"
            )),
            (None, Some(meant)) => plain(format!("did you mean `#@{namespace}/{meant}`?")),
            (None, None) => {
                let names: Vec<String> =
                    candidates.iter().map(|it| format!("@{namespace}/{it}")).collect();
                plain(format!("annotations of this kind are {}", names.join(", ")))
            }
        };
        Diagnostic::warning(UNKNOWN_ANNOTATION, message)
            .label(span, "unknown annotation")
            .help(help)
    }

    fn missing_space(&self, name: &str, span: Span) -> Diagnostic {
        let message =
            plain(format!("`#@{name}` is an annotation that does not exist: it has no effect"));
        // The name ends at the first space, which may be within parentheses.
        let rest = if name.matches('(').count() > name.matches(')').count() { "…" } else { "" };
        let finding = Diagnostic::warning(MISSING_SPACE, message)
            .label(span, "no space after `#@`")
            .help(plain(format!(
                "write `#@ {name}{rest}` for code or a value, and `#!` for a comment"
            )));
        let may_be_a_name = !name.contains('.');
        let names = self.annotations().iter().map(|it| it.name);
        match nearest(name, names).filter(|_| may_be_a_name) {
            Some(meant) => finding.help(plain(format!("or did you mean `#@{meant}`?"))),
            None => finding,
        }
    }

    /// Reports an annotation that is already on the node. Annotations of data values are reported
    /// elsewhere.
    pub(crate) fn repeated_finding(&self, name: &str, comment: Span) -> Option<Diagnostic> {
        if name.starts_with("data/") {
            return None;
        }
        self.annotation(name)?;
        let message = plain(format!("@{name} is given twice: only the last one has an effect"));
        let finding = Diagnostic::warning(REPEATED_ANNOTATION, message)
            .label(comment, "this replaces the one above")
            .help("give all arguments to one annotation, with commas between them");
        Some(finding)
    }

    /// Reports an annotation that has no node below it. Unknown annotations are not reported: other
    /// programs may read them.
    pub(crate) fn stray_finding(&self, name: &str, comment: Span) -> Option<Diagnostic> {
        self.annotation(name)?;
        let message = plain(format!("there is no node below @{name}: it has no effect"));
        let finding = Diagnostic::warning(STRAY_ANNOTATION, message)
            .label(comment, "nothing follows")
            .help("write it on the line above its node");
        Some(finding)
    }
}

/// Returns a finding about the arguments of an annotation, or `None` if they are valid.
pub(crate) fn argument_finding(
    definition: &AnnotationDefinition,
    n_positional: usize,
    mut keywords: impl Iterator<Item = impl AsRef<str>>,
    span: Span,
) -> Option<Diagnostic> {
    let AnnotationDefinition { name, reads, .. } = *definition;
    let has_positional = matches!(reads, Reads::Positional | Reads::All | Reads::AnnotationNames);
    if !has_positional && n_positional > 0 {
        let message = plain(format!("@{name} reads no positional argument: it has no effect"));
        return Some(unread(message, span, reads));
    }
    let keyword = match reads {
        Reads::Nothing | Reads::Positional => keywords.next(),
        Reads::Only(read) => keywords.find(|it| !read.contains(&it.as_ref())),
        Reads::Keywords | Reads::All | Reads::AnnotationNames => None,
    }?;
    let message = plain(format!(
        "@{name} does not read the argument `{}`: it has no effect",
        keyword.as_ref()
    ));
    Some(unread(message, span, reads))
}

fn is_of_a_name(letter: char) -> bool {
    letter.is_alphanumeric() || "-_./".contains(letter)
}

fn unread(message: plumb_source::message::Plain<String>, span: Span, reads: Reads) -> Diagnostic {
    let help = match reads {
        Reads::Only(names) => plain(format!("it reads {}", names.join(", "))),
        Reads::Nothing | Reads::Positional => plain("remove it".to_owned()),
        Reads::Keywords | Reads::All | Reads::AnnotationNames => {
            plain("write it as a keyword argument, or remove it".to_owned())
        }
    };
    Diagnostic::warning(UNREAD_ARGUMENT, message).label(span, "unexpected argument").help(help)
}

#[cfg(test)]
mod tests {
    use plumb_source::{SourceKind, Sources};
    use plumb_value::AnnotationDefinition as Definition;

    use super::*;

    const ANNOTATIONS: &[Definition] = &[
        Definition::bare("overlay/remove", ""),
        Definition::new("overlay/match", Reads::Keywords, "", ""),
        Definition::new("schema/definition", Reads::Only(&["data_values"]), "", ""),
        Definition::new("schema/nullable", Reads::Keywords, "", ""),
    ];

    fn vocabulary() -> Vocabulary {
        Vocabulary::new(&[ANNOTATIONS], [])
    }

    fn span() -> Span {
        let file = Sources::new().add("a.yml", SourceKind::File, (*b"#@x").into());
        Span::new(file, 0, 3)
    }

    fn code(name: &str) -> Option<Code> {
        vocabulary().name_finding(name, span()).map(|it| it.code)
    }

    #[test]
    fn names_of_other_programs_are_allowed() {
        assert_eq!(code("acme.io/owner"), None);
        assert_eq!(code("schema/nullable"), None);
        assert_eq!(code("schema/nulable"), Some(UNKNOWN_ANNOTATION));
        assert_eq!(code("data.values.name"), Some(MISSING_SPACE));
        assert_eq!(code("size(a)/2"), Some(MISSING_SPACE));
    }

    #[test]
    fn arguments_are_counted() {
        let code = |name, n, keywords: &[&str]| {
            let definition = vocabulary().annotation(name)?;
            let found = argument_finding(definition, n, keywords.iter().copied(), span());
            found.map(|it| it.message)
        };
        assert_eq!(code("overlay/match", 0, &["bye"]), None);
        assert!(code("overlay/match", 1, &[]).is_some());
        assert!(code("overlay/remove", 0, &["x"]).is_some());
        assert_eq!(code("schema/definition", 0, &["data_values"]), None);
        assert_eq!(code("acme.io/owner", 3, &["x"]), None);
    }
}
