//! Reports about an annotation with rules, which point at the rule inside the JSON inside the YAML
//! string.

use std::cell::OnceCell;
use std::ops::Range;

use plumb_diagnostic::Diagnostic;
use plumb_source::message::plain;
use plumb_source::{Message, Sources, Span, message};

use super::{DOUBTFUL, IGNORED, RULE_FAULTY, RULES_UNREADABLE};
use crate::place::Scalar;
use crate::rule::{Entry, Note, NoteKind, RuleError, Rules};
use crate::verdict::WOULD_BE_REFUSED;

pub(crate) struct Annotation<'a> {
    rules: &'a Rules,
    sources: &'a Sources,
    /// Computed when a place is first needed.
    scalar: OnceCell<Option<Scalar>>,
}

impl<'a> Annotation<'a> {
    pub(crate) fn new(rules: &'a Rules, sources: &'a Sources) -> Self {
        Self { rules, sources, scalar: OnceCell::new() }
    }

    /// The source place of bytes of the annotation.
    pub(super) fn span(&self, at: &Range<usize>) -> Option<Span> {
        let scalar = self
            .scalar
            .get_or_init(|| Scalar::new(self.sources, self.rules.origin, &self.rules.text));
        scalar.as_ref().map(|scalar| scalar.span(at))
    }

    /// Adds a label at bytes of the annotation. If the annotation is not in a file, the text is
    /// added without a place.
    pub(crate) fn label(
        &self,
        diagnostic: Diagnostic,
        at: &Range<usize>,
        message: impl Into<Message>,
    ) -> Diagnostic {
        let message = message.into();
        match self.span(at) {
            Some(span) => diagnostic.plain_label(span, message),
            None if message.is_empty() => diagnostic,
            None => diagnostic.help(message),
        }
    }

    /// Why none of the rules can be used.
    pub(super) fn unusable(&self) -> impl Iterator<Item = Diagnostic> {
        self.rules.unusable.iter().map(|rule_error| {
            let message = message!("the rules cannot be read: {}", rule_error.words());
            self.rule_error(Diagnostic::error(RULES_UNREADABLE, message), rule_error)
        })
    }

    pub(super) fn located_error(&self, entry: &Entry, rule_error: &RuleError) -> Diagnostic {
        let message = message!("{}: {}", entry.title(), rule_error.words());
        self.rule_error(Diagnostic::error(RULE_FAULTY, message), rule_error)
    }

    /// A rule that cannot be evaluated on a virtual machine: its author's message, and the reason.
    pub(super) fn inapplicable(&self, entry: &Entry, rule_error: &RuleError) -> Diagnostic {
        let message = entry.message_with(rule_error.words());
        let rule = match rule_error.hint.as_deref() {
            Some(hint) => message!("{}: {hint}", entry.title()),
            None => entry.title(),
        };
        self.label(Diagnostic::error(RULE_FAULTY, message), &rule_error.at, rule)
    }

    /// A rule that only warns and cannot be evaluated on a virtual machine.
    pub(super) fn softened(&self, entry: &Entry, rule_error: &RuleError) -> Diagnostic {
        let diagnostic = Diagnostic::warning(RULE_FAULTY, plain(&entry.message));
        let why = match rule_error.hint.as_deref() {
            Some(hint) => message!("{}: {}; {hint}", entry.title(), rule_error.words()),
            None => message!("{}: {}", entry.title(), rule_error.words()),
        };
        self.label(diagnostic, &rule_error.at, why).help(message!(
            "the rule only warns, since it has `justWarning`, but {WOULD_BE_REFUSED}"
        ))
    }

    pub(super) fn note(&self, note: &Note) -> Diagnostic {
        let code = match note.kind {
            NoteKind::Ignored => IGNORED,
            NoteKind::Doubtful => DOUBTFUL,
        };
        self.label(Diagnostic::warning(code, note.message.clone()), &note.at, "")
    }

    fn rule_error(&self, diagnostic: Diagnostic, rule_error: &RuleError) -> Diagnostic {
        self.label(
            diagnostic,
            &rule_error.at,
            rule_error.hint.as_deref().cloned().unwrap_or_default(),
        )
    }
}
