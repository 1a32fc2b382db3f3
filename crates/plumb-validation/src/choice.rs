//! Alternatives: what it means to satisfy any, all or exactly one of them.

use plumb_diagnostic::{Code, Severity};

use crate::check::violations_of;
use crate::{Choice, Declared, Mode, RULE_STOPPED, Subject, Violation};

/// A value does not satisfy the alternatives that the schema gives for it.
///
/// `@schema/any-of` asks for one of them or more, `@schema/all-of` for all, `@schema/one-of` for
/// exactly one. The notes say what each of them objects to.
pub const ALTERNATIVES: Code = Code::new("schema/alternatives");

impl Choice<()> {
    /// How many of so many alternatives must be satisfied, in words.
    pub fn requirement(mode: Mode, n_alternatives: usize) -> String {
        match mode {
            Mode::AnyOf => format!("one of {n_alternatives} alternatives or more"),
            Mode::AllOf => format!("all of {n_alternatives} alternatives"),
            Mode::OneOf => format!("exactly one of {n_alternatives} alternatives"),
        }
    }
}

impl<D: Declared> Choice<D> {
    /// Checks a value against all alternatives. That it fits none is found before, where types are
    /// checked; here it is about their rules.
    pub(crate) fn check(&self, subject: Subject<'_>) -> Option<Violation> {
        let objections: Result<Vec<Objections>, Box<Violation>> =
            self.alternatives.iter().map(|it| Objections::of(it, subject)).collect();
        let objections = match objections {
            Ok(objections) => objections,
            Err(stopped) => return Some(*stopped),
        };
        let n_satisfied = objections.iter().filter(|it| it.messages.is_empty()).count();
        if self.mode.is_met(n_satisfied, objections.len()) {
            return None;
        }
        let failure = match (self.mode, n_satisfied) {
            (Mode::OneOf, 2..) => format!("it satisfies {n_satisfied}"),
            // One of another type is not near, however little there is to say about it.
            _ => nearest(
                objections.iter().map(
                    |it| {
                        if it.is_of_type { it.messages.as_slice() } else { &[] }
                    },
                ),
            ),
        };
        let notes = objections.iter().enumerate().flat_map(|(at, it)| notes(at, &it.messages));
        let required = Choice::requirement(self.mode, objections.len());
        Some(Violation {
            code: ALTERNATIVES,
            severity: Severity::Error,
            path: subject.path.clone(),
            origin: subject.origin,
            rule: plumb_source::Origin::Unknown,
            message: format!("\"{}\" requires a valid value: {required}; {failure}.", subject.key),
            required: required.into(),
            found: failure.into(),
            is_worded_by_author: false,
            help: notes.collect(),
            trace: Vec::new(),
        })
    }
}

/// What one alternative has against a value; nothing if it is satisfied.
struct Objections {
    is_of_type: bool,
    messages: Vec<String>,
}

impl Objections {
    /// A rule that met a limit has the last word, whatever other alternatives would say.
    fn of<D: Declared>(alternative: &D, subject: Subject<'_>) -> Result<Self, Box<Violation>> {
        let Some(value) = alternative.fit(subject.value) else {
            let messages = vec!["it is of another type".to_owned()];
            return Ok(Self { is_of_type: false, messages });
        };
        let subject = Subject { value: &value, ..subject };
        let mut violations = violations_of(alternative, &value, subject);
        if let Some(stopped) = violations.pop_if(|it| it.code == RULE_STOPPED) {
            return Err(Box::new(stopped));
        }
        let messages = violations.into_iter().map(|violation| violation.message).collect();
        Ok(Self { is_of_type: true, messages })
    }
}

/// Which alternative has the least against a value.
pub fn nearest<'a>(objections: impl Iterator<Item = &'a [String]>) -> String {
    let failing = objections.enumerate().filter(|(_, it)| !it.is_empty());
    let nearest = failing.min_by_key(|(_, it)| it.len());
    let number = nearest.map_or(1, |(at, _)| at + 1);
    format!("alternative {number} comes nearest")
}

/// What one alternative has against a value, a line each.
pub fn notes(at: usize, objections: &[String]) -> Vec<String> {
    objections.iter().map(|it| format!("alternative {}: {it}", at + 1)).collect()
}
