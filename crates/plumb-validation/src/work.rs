//! The work of checking values against declarations. Its steps are counted, and its answers are
//! cached.
//!
//! Alternatives may be nested, and each level asks again whether a value fits the levels below.
//! Without the cache, the time for a schema of a few lines would grow with the third power of its
//! depth.
//!
//! Values may also grow: a few maps can be filled in with the same thousand defaults. So values are
//! counted too, before they are built.
//!
//! The caller does the counting: it passes a function to [`Work::within`]. If the function returns
//! an error, the work ends early, and its result is replaced by a [`LimitError`].

use std::cell::{Cell, OnceCell, RefCell};
use std::collections::HashMap;
use std::hash::{Hash, Hasher};

use plumb_source::LimitError;
use plumb_value::{ArrayItem, DataPath, MapItem, Node};

/// Steps and bytes that are collected before they are counted.
const BATCH: Cost = Cost { steps: 256, bytes: 16 << 10 };
/// The maximum number of answers in the cache.
const MAX_ANSWERS: usize = 50_000;
/// Bytes of text that take about as long to read as one step.
const BYTES_PER_STEP: usize = 64;

/// The cost of a part of the work.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cost {
    /// The number of visited parts of values.
    pub steps: u64,
    /// The memory of values that are built.
    pub bytes: u64,
}

/// The state of the work: the cost so far, and the cached answers.
pub struct Work<'m> {
    meter: &'m dyn Fn(Cost) -> Result<(), LimitError>,
    /// The cost that was not reported to the meter yet.
    cost: Cell<Cost>,
    refused: OnceCell<LimitError>,
    fitting: Answers<Question, Option<Fit>>,
    satisfied: Answers<(Question, DataPath), bool>,
}

/// A value fits a declaration.
#[derive(Clone, Debug)]
pub struct Fit {
    /// The new value, or `None` if the value does not change.
    pub changed: Option<Node>,
}

type Answers<K, V> = RefCell<HashMap<K, V>>;

/// A declaration, by its address, and a value.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Question {
    declared: usize,
    value: Identity,
}

/// A value, compared by address or, for scalars, by content. It keeps the value alive, so that its
/// address is not used again.
#[derive(Clone)]
struct Identity(Node);

impl<'m> Work<'m> {
    /// Checks values. Each of their parts is counted with `meter`, which returns an error if there
    /// were too many.
    pub fn within<T>(
        meter: &'m dyn Fn(Cost) -> Result<(), LimitError>,
        check: impl FnOnce(&Self) -> T,
    ) -> Result<T, LimitError> {
        let (cost, refused, fitting, satisfied) = Default::default();
        let work = Self { meter, cost, refused, fitting, satisfied };
        let result = check(&work);
        match work.refused.get() {
            None => {
                // The result is complete, whether or not the last steps are too many.
                work.settle();
                Ok(result)
            }
            Some(refused) => Err(refused.clone()),
        }
    }

    /// Does a part of the work without the cached answers, because declarations were moved or
    /// changed since.
    pub fn afresh<T>(&self, check: impl FnOnce(&Work<'_>) -> T) -> T {
        let meter = |cost| {
            self.add(cost);
            self.refused.get().map_or(Ok(()), |it| Err(it.clone()))
        };
        let (cost, refused, fitting, satisfied) = Default::default();
        let part = Work { meter: &meter, cost, refused, fitting, satisfied };
        let result = check(&part);
        part.settle();
        result
    }

    /// Counts steps. Returns whether the work may continue.
    #[inline]
    pub fn count(&self, steps: u64) -> bool {
        self.add(Cost { steps, bytes: 0 })
    }

    /// Counts the memory of a value before it is built. Returns whether it may be built.
    pub fn build(&self, bytes: usize) -> bool {
        self.add(Cost { steps: 0, bytes: bytes as u64 })
    }

    /// Counts a map or an array that gets this many items. Returns whether it may be built.
    pub fn build_items(&self, n_items: usize) -> bool {
        const ITEM: usize = size_of::<MapItem>();
        const { assert!(ITEM >= size_of::<ArrayItem>(), "an item is no larger") };
        self.build(n_items.saturating_add(1).saturating_mul(ITEM))
    }

    /// Counts a copy of a value with all its parts. Shared parts are counted each time they occur.
    /// Returns whether the copy may be made.
    pub fn build_copy(&self, node: &Node) -> bool {
        let nodes = std::iter::once(node).chain(node.descendants().map(|(_, node)| node));
        { nodes }.all(|node| {
            let n_bytes = if let Node::String(text) = node { text.len() } else { 0 };
            self.count(1) && self.build(size_of::<MapItem>() + n_bytes)
        })
    }

    #[inline]
    fn add(&self, cost: Cost) -> bool {
        let before = self.cost.get();
        let steps = before.steps.saturating_add(cost.steps);
        let bytes = before.bytes.saturating_add(cost.bytes);
        self.cost.set(Cost { steps, bytes });
        if steps >= BATCH.steps || bytes >= BATCH.bytes {
            self.settle();
        }
        !self.is_stopped()
    }

    /// Returns whether a limit was reached, after which all answers are meaningless.
    pub fn is_stopped(&self) -> bool {
        self.refused.get().is_some()
    }

    fn settle(&self) {
        let cost = self.cost.take();
        if cost != Cost::default()
            && !self.is_stopped()
            && let Err(refused) = (self.meter)(cost)
        {
            self.refused.get_or_init(|| refused);
        }
    }

    /// Returns how a value fits a declaration, or `None` if it does not. `fit` is only called if
    /// the answer is not in the cache.
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

    /// Returns whether a value at a path satisfies the rules of a declaration, if the answer is in
    /// the cache.
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
    /// Checks values without counting, because the caller has counted them.
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
        self.0.is_same_scalar(&other.0) || self.0.is_same_object(&other.0)
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
    use plumb_source::Limit;

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
        let meter = |cost: Cost| match left.get().checked_sub(cost.steps + cost.bytes) {
            Some(rest) => {
                left.set(rest);
                Ok(())
            }
            None => Err(LimitError { limit: Limit::Steps, message: "too many".into() }),
        };
        let steps = Work::within(&meter, |work| (0..500).take_while(|_| work.count(1)).count());
        assert_eq!(steps.expect("there are enough"), 500);
        assert_eq!(left.get(), 500);
        let steps = Work::within(&meter, |work| (0..5_000).take_while(|_| work.count(1)).count());
        assert_eq!(steps.expect_err("there are too few").message.shown(), "too many");
    }

    #[test]
    fn what_is_too_large_is_refused_before_it_is_built() {
        let meter = |cost: Cost| match cost.bytes {
            0..100_000 => Ok(()),
            _ => Err(LimitError { limit: Limit::Memory, message: "too large".into() }),
        };
        assert!(Work::within(&meter, |work| assert!(work.build_items(1_000))).is_ok());
        let large = Work::within(&meter, |work| assert!(!work.build_items(2_000)));
        assert_eq!(large.expect_err("it is too large").message.shown(), "too large");
    }
}
