//! Detects JSX, which is not supported, to report it clearly.

use oxc_allocator::Allocator;
use oxc_ast::ast::{JSXElement, JSXFragment};
use oxc_ast_visit::Visit;
use oxc_parser::Parser;
use oxc_span::SourceType;

use super::TranslationError;

pub(super) const REFUSED: &str = "JSX is not supported: write objects, or call functions";

/// The error for a text that is TypeScript except for its JSX elements.
pub(super) fn error(text: &str) -> Option<TranslationError> {
    let allocator = Allocator::default();
    let parsed = Parser::new(&allocator, text, SourceType::tsx()).parse();
    if parsed.diagnostics.iter().next().is_some() {
        return None;
    }
    let mut elements = Elements(None);
    elements.visit_program(&parsed.program);
    elements.0
}

/// The first element.
struct Elements(Option<TranslationError>);

impl<'a> Visit<'a> for Elements {
    fn visit_jsx_element(&mut self, it: &JSXElement<'a>) {
        self.0.get_or_insert_with(|| TranslationError::new(it, REFUSED));
    }

    fn visit_jsx_fragment(&mut self, it: &JSXFragment<'a>) {
        self.0.get_or_insert_with(|| TranslationError::new(it, REFUSED));
    }
}
