//! Alternatives: checks whether a value satisfies any, all or exactly one of them.

use std::cmp::Reverse;

use plumb_diagnostic::{Code, Severity};
use plumb_source::message::plain;
use plumb_source::{Message, message};
use plumb_value::{DataPath, Node};

use crate::check::violations_of;
use crate::{
    Cause, CheckedValue, Choice, Declared, Mode, RULE_BROKEN, RULE_STOPPED, Violation, Work,
};

/// A value does not satisfy the alternatives that the schema declares for it.
///
/// `@schema/any-of` requires at least one of them, `@schema/all-of` all, and `@schema/one-of`
/// exactly one. The help explains why each alternative was not satisfied.
pub const ALTERNATIVES: Code = Code::new("schema/alternatives");

impl Choice<()> {
    /// Describes how many of the alternatives must be satisfied.
    pub fn requirement(mode: Mode, n_alternatives: usize) -> Message {
        match (mode, n_alternatives) {
            (Mode::AnyOf | Mode::OneOf, 1) => "the only alternative".into(),
            (Mode::AllOf, 1) => "the only part".into(),
            (Mode::AnyOf, n) => message!("at least one of {n} alternatives"),
            (Mode::AllOf, n) => message!("all of {n} parts"),
            (Mode::OneOf, n) => message!("exactly one of {n} alternatives"),
        }
    }
}

impl<D: Declared> Choice<D> {
    /// Checks a value against the rules of all alternatives. Values whose type fits too few
    /// alternatives were already rejected by the type check.
    pub(crate) fn check(&self, subject: CheckedValue<'_>, work: &Work<'_>) -> Option<Violation> {
        let alternatives = self.alternatives.iter();
        let by_alternative: Result<Vec<AlternativeViolations>, Box<Violation>> =
            alternatives.map(|it| AlternativeViolations::of(it, subject, work)).collect();
        let by_alternative = match by_alternative {
            Ok(by_alternative) => by_alternative,
            Err(stopped) => return Some(*stopped),
        };
        let satisfied: Vec<usize> = (0..by_alternative.len())
            .filter(|&at| by_alternative[at].messages.is_empty())
            .collect();
        if self.mode.is_met(satisfied.len(), by_alternative.len()) {
            return None;
        }
        let failure = match (self.mode, satisfied.as_slice()) {
            (Mode::OneOf, [_, _, ..]) => {
                message!("it satisfies {}", plain(named(self.mode, &satisfied)))
            }
            _ => shortfall(self.mode, &by_alternative, subject.value),
        };
        let required = Choice::requirement(self.mode, by_alternative.len());
        Some(Violation {
            code: ALTERNATIVES,
            severity: Severity::Error,
            path: subject.path.clone(),
            document: 0,
            origin: subject.origin,
            rule: self.declared_at,
            message: message!(
                "\"{}\" requires a valid value: {required}; {failure}.",
                plain(subject.key)
            ),
            required,
            found: failure,
            cause: Cause::Words,
            is_worded_by_author: false,
            help: notes(self.mode, &by_alternative),
            trace: Vec::new(),
        })
    }
}

/// The violations of one alternative by a value; empty if it is satisfied.
#[derive(Clone, Debug)]
pub struct AlternativeViolations {
    messages: Vec<Message>,
    /// The distance of the nearest violation from the value, in levels; `None` for a value of
    /// another kind.
    depth: Option<usize>,
}

impl AlternativeViolations {
    /// Collects the violations of a value at this path.
    pub fn new<'a>(path: &DataPath, violations: impl Iterator<Item = &'a Violation>) -> Self {
        let n_steps = path.steps().len();
        let mut messages = Vec::new();
        let mut depth = Some(usize::MAX);
        for violation in violations {
            let below = violation.path.steps().len().saturating_sub(n_steps);
            // Only a value of the right kind can break a rule.
            let is_of_kind = below > 0 || violation.code == RULE_BROKEN;
            depth = depth.filter(|_| is_of_kind).map(|it| it.min(below));
            messages.push(violation.message.clone());
        }
        Self { messages, depth }
    }

    /// A rule that exceeds a limit ends the check, regardless of the other alternatives.
    fn of<D: Declared>(
        alternative: &D,
        subject: CheckedValue<'_>,
        work: &Work<'_>,
    ) -> Result<Self, Box<Violation>> {
        let Some(value) = alternative.fit(subject.value, work) else {
            let messages = vec!["it has another type".into()];
            return Ok(Self { messages, depth: None });
        };
        let given = subject.value;
        let subject = CheckedValue { value: &value, ..subject };
        let mut violations = violations_of(alternative, &value, subject, work);
        if let Some(stopped) = violations.pop_if(|it| it.code == RULE_STOPPED) {
            return Err(Box::new(stopped));
        }
        work.set_satisfied(alternative, given, subject.path, violations.is_empty());
        Ok(Self::new(subject.path, violations.iter()))
    }

    /// The distance of a value from satisfying the alternative: fewer violations are nearer. If the
    /// numbers are equal, deeper violations are nearer. Returns `None` for a value of another kind.
    fn distance(&self) -> Option<(usize, Reverse<usize>)> {
        Some((self.messages.len(), Reverse(self.depth?)))
    }
}

/// Describes why a value does not satisfy a choice.
pub fn shortfall(mode: Mode, by_alternative: &[AlternativeViolations], value: &Node) -> Message {
    let failing = (0..by_alternative.len()).filter(|&at| !by_alternative[at].messages.is_empty());
    if mode == Mode::AllOf {
        return message!(
            "it does not satisfy {}",
            plain(named(mode, &failing.collect::<Vec<_>>()))
        );
    }
    let near = failing.filter_map(|at| Some((by_alternative[at].distance()?, at))).min();
    match near {
        Some((_, at)) => message!("{} is the closest", plain(named(mode, &[at]))),
        None => message!("none of them accepts {}", value.kind().with_article()),
    }
}

/// Describes the violations of each alternative, one line each.
pub fn notes(mode: Mode, by_alternative: &[AlternativeViolations]) -> Vec<Message> {
    let lines = by_alternative.iter().enumerate().flat_map(|(at, it)| {
        it.messages.iter().map(move |message| message!("{}: {message}", plain(named(mode, &[at]))))
    });
    lines.collect()
}

/// Alternatives by their numbers, such as `alternatives 1 and 3`.
fn named(mode: Mode, positions: &[usize]) -> String {
    let noun = match mode {
        Mode::AnyOf | Mode::OneOf => "alternative",
        Mode::AllOf => "part",
    };
    let numbers: Vec<String> = positions.iter().map(|at| (at + 1).to_string()).collect();
    match numbers.as_slice() {
        [only] => format!("{noun} {only}"),
        [rest @ .., last] => format!("{noun}s {} and {last}", rest.join(", ")),
        [] => format!("no {noun}"),
    }
}
