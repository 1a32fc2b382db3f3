//! The work of checking values against declarations: its steps are counted, and its answers are
//! remembered.
//!
//! Alternatives may nest, and each level asks again whether a value fits the levels below. Without
//! the answers, a schema of a few lines takes time that grows with the third power of its depth.
//!
//! This crate does not know who counts: [`Work::within`] gets a function. If it refuses more steps,
//! the work ends early, and its result is replaced by a [`LimitError`].

use std::cell::{Cell, OnceCell, RefCell};
use std::collections::HashMap;
use std::hash::{Hash, Hasher};

use plumb_source::Message;
use plumb_value::{DataPath, Node};

/// Steps that are collected before they are counted.
const BATCH: u64 = 256;
/// The maximum number of answers that are remembered at one time.
const MAX_ANSWERS: usize = 50_000;
/// Bytes of text that take about as long to read as one step.
const BYTES_PER_STEP: usize = 64;

/// Values that are being checked, and what is known about them.
pub struct Work<'m> {
    meter: &'m dyn Fn(u64) -> Result<(), Message>,
    /// Not counted yet.
    steps: Cell<u64>,
    refused: OnceCell<Message>,
    fitting: Answers<Question, Option<Fit>>,
    satisfied: Answers<(Question, DataPath), bool>,
}

/// A value fits a declaration.
#[derive(Clone, Debug)]
pub struct Fit {
    /// What the value becomes, or `None` if it need not be changed.
    pub changed: Option<Node>,
}

/// A limit was reached before the values were checked.
#[derive(Clone, Debug)]
pub struct LimitError {
    /// The limit.
    pub message: Message,
}

type Answers<K, V> = RefCell<HashMap<K, V>>;

/// A declaration, by its address, and a value.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Question {
    declared: usize,
    value: Identity,
}

/// A value that is the same as another one if it is shared or, for scalars, equal. It keeps the
/// value, so that no other gets its address.
#[derive(Clone)]
struct Identity(Node);

impl<'m> Work<'m> {
    /// Checks values. Each of their parts is counted with `meter`, which returns an error if there
    /// were too many.
    pub fn within<T>(
        meter: &'m dyn Fn(u64) -> Result<(), Message>,
        check: impl FnOnce(&Self) -> T,
    ) -> Result<T, LimitError> {
        let (steps, refused, fitting, satisfied) = Default::default();
        let work = Self { meter, steps, refused, fitting, satisfied };
        let result = check(&work);
        match work.refused.get() {
            None => {
                // The result is complete, whether or not the last steps are too many.
                work.settle();
                Ok(result)
            }
            Some(message) => Err(LimitError { message: message.clone() }),
        }
    }

    /// Does a part of the work without the answers so far, because declarations were moved or
    /// changed since.
    pub fn afresh<T>(&self, check: impl FnOnce(&Work<'_>) -> T) -> T {
        let meter = |steps| {
            self.count(steps);
            self.refused.get().map_or(Ok(()), |it| Err(it.clone()))
        };
        let (steps, refused, fitting, satisfied) = Default::default();
        let part = Work { meter: &meter, steps, refused, fitting, satisfied };
        let result = check(&part);
        part.settle();
        result
    }

    /// Counts steps. Returns whether the work may go on.
    #[inline]
    pub fn count(&self, steps: u64) -> bool {
        let steps = self.steps.get() + steps;
        self.steps.set(steps);
        if steps >= BATCH {
            self.settle();
        }
        !self.is_stopped()
    }

    /// Returns whether a limit was reached, after which all answers are meaningless.
    pub fn is_stopped(&self) -> bool {
        self.refused.get().is_some()
    }

    fn settle(&self) {
        let steps = self.steps.take();
        if steps > 0
            && !self.is_stopped()
            && let Err(refused) = (self.meter)(steps)
        {
            self.refused.get_or_init(|| refused);
        }
    }

    /// Returns how a value fits a declaration, or `None` if it does not. `fit` is only called if
    /// that is not known.
    pub fn fitting<D>(
        &self,
        declared: &D,
        value: &Node,
        fit: impl FnOnce() -> Option<Fit>,
    ) -> Option<Fit> {
        let question = self.question(declared, value);
        if let Some(answer) = self.fitting.borrow().get(&question) {
            return answer.clone();
        }
        let answer = fit();
        remember(&self.fitting, question, answer.clone());
        answer
    }

    /// Returns whether a value at a path satisfies the rules of a declaration, if that is known.
    pub(crate) fn is_satisfied<D>(
        &self,
        declared: &D,
        value: &Node,
        path: &DataPath,
    ) -> Option<bool> {
        let question = (self.question(declared, value), path.clone());
        self.satisfied.borrow().get(&question).copied()
    }

    pub(crate) fn set_satisfied<D>(
        &self,
        declared: &D,
        value: &Node,
        path: &DataPath,
        is_satisfied: bool,
    ) {
        let question = (self.question(declared, value), path.clone());
        remember(&self.satisfied, question, is_satisfied);
    }

    fn question<D>(&self, declared: &D, value: &Node) -> Question {
        let n_bytes = if let Node::String(text) = value { text.len() } else { 0 };
        self.count(1 + (n_bytes / BYTES_PER_STEP) as u64);
        Question { declared: std::ptr::from_ref(declared).addr(), value: Identity(value.clone()) }
    }
}

impl Work<'static> {
    /// Checks values that someone else has counted.
    pub fn uncounted<T>(check: impl FnOnce(&Self) -> T) -> T {
        Self::within(&|_| Ok(()), check).expect("nothing is refused")
    }
}

fn remember<K: Hash + Eq, V>(answers: &Answers<K, V>, question: K, answer: V) {
    let mut answers = answers.borrow_mut();
    if answers.len() >= MAX_ANSWERS {
        answers.clear();
    }
    answers.insert(question, answer);
}

impl PartialEq for Identity {
    fn eq(&self, other: &Self) -> bool {
        match (&self.0, &other.0) {
            (Node::Null, Node::Null) => true,
            (Node::Bool(left), Node::Bool(right)) => left == right,
            (Node::Int(left), Node::Int(right)) => left == right,
            (Node::UInt(left), Node::UInt(right)) => left == right,
            (Node::Float(left), Node::Float(right)) => left.to_bits() == right.to_bits(),
            (Node::String(left), Node::String(right)) => left == right,
            (left, right) => left.is_same_object(right),
        }
    }
}

impl Eq for Identity {}

impl Hash for Identity {
    fn hash<H: Hasher>(&self, state: &mut H) {
        match &self.0 {
            Node::Null => {}
            Node::Bool(it) => it.hash(state),
            Node::Int(it) => it.hash(state),
            Node::UInt(it) => it.hash(state),
            Node::Float(it) => it.to_bits().hash(state),
            Node::String(it) => it.as_bytes().hash(state),
            shared @ (Node::Map(_) | Node::Array(_)) => shared.address().hash(state),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_remembered_by_declaration_and_value() {
        let (first, second) = (1_u8, 1_u8);
        let shared = Node::map(plumb_value::Map::default());
        let asked = Cell::new(0);
        Work::uncounted(|work| {
            let ask = |declared: &u8, value: &Node| {
                work.fitting(declared, value, || {
                    asked.update(|it| it + 1);
                    Some(Fit { changed: None })
                })
            };
            for value in [&Node::Int(1), &Node::from("a"), &shared, &Node::Null] {
                ask(&first, value);
                ask(&first, &value.clone());
                ask(&second, value);
            }
            ask(&first, &Node::map(plumb_value::Map::default()));
        });
        assert_eq!(asked.get(), 9);
    }

    #[test]
    fn work_that_is_refused_has_no_result() {
        let left = Cell::new(1_000_u64);
        let meter = |steps| match left.get().checked_sub(steps) {
            Some(rest) => {
                left.set(rest);
                Ok(())
            }
            None => Err("too many".into()),
        };
        let steps = Work::within(&meter, |work| (0..500).take_while(|_| work.count(1)).count());
        assert_eq!(steps.expect("there are enough"), 500);
        assert_eq!(left.get(), 500);
        let steps = Work::within(&meter, |work| (0..5_000).take_while(|_| work.count(1)).count());
        assert_eq!(steps.expect_err("there are too few").message.shown(), "too many");
    }
}
