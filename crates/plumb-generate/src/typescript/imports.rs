//! Removes imports that are only needed for types.

use std::collections::HashSet;

use oxc_ast::ast::{ImportDeclaration, ImportDeclarationSpecifier};
use oxc_span::GetSpan;

use super::{Edits, Fill};

/// An import. It is processed when all uses of names are known.
pub(super) struct Import {
    range: std::ops::Range<usize>,
    is_type: bool,
    /// `None` for an import without names, which only has side effects.
    names: Option<Vec<Name>>,
}

struct Name {
    range: std::ops::Range<usize>,
    local: String,
    is_type: bool,
}

impl Import {
    pub(super) fn new(declaration: &ImportDeclaration<'_>) -> Self {
        let specifiers = declaration.specifiers.as_ref();
        Self {
            range: range(declaration.span),
            is_type: declaration.import_kind.is_type(),
            names: specifiers.map(|it| it.iter().map(Name::new).collect()),
        }
    }

    /// Names that are types wherever they are used.
    pub(super) fn type_names(&self) -> impl Iterator<Item = &str> {
        let names = self.names.iter().flatten().filter(|it| self.is_type || it.is_type);
        names.map(|it| it.local.as_str())
    }

    /// Blanks names that no value needs: types, and names that are not used.
    pub(super) fn blank(self, text: &str, used: &HashSet<String>, edits: &mut Edits) {
        let is_needed = |name: &Name| !name.is_type && used.contains(&name.local);
        let Some(names) = self.names.filter(|_| !self.is_type) else {
            if self.is_type {
                edits.0.push((self.range, Fill::Semicolon));
            }
            return;
        };
        if !names.is_empty() && !names.iter().any(is_needed) {
            edits.0.push((self.range, Fill::Semicolon));
            return;
        }
        for name in names.iter().filter(|it| !is_needed(it)) {
            edits.blank(name.range.start..with_comma(text, name.range.end));
        }
    }
}

impl Name {
    fn new(specifier: &ImportDeclarationSpecifier<'_>) -> Self {
        let is_type = match specifier {
            ImportDeclarationSpecifier::ImportSpecifier(it) => it.import_kind.is_type(),
            ImportDeclarationSpecifier::ImportDefaultSpecifier(_)
            | ImportDeclarationSpecifier::ImportNamespaceSpecifier(_) => false,
        };
        let local = specifier.local().name.to_string();
        Self { range: range(specifier.span()), local, is_type }
    }
}

/// The end of an item of a list, including the comma after it.
pub(super) fn with_comma(text: &str, end: usize) -> usize {
    let rest = &text[end..];
    let comma = rest.len() - rest.trim_start().len();
    if rest[comma..].starts_with(',') { end + comma + 1 } else { end }
}

pub(super) fn range(span: oxc_span::Span) -> std::ops::Range<usize> {
    span.start as usize..span.end as usize
}
