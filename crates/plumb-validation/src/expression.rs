//! A rule in CEL, and the places in the value that the schema declares as floats.

use std::collections::HashMap;
use std::sync::Arc;

use plumb_cel::{EvaluationError, Program};
use plumb_value::Node;

use crate::constraint::Inapplicable;
use crate::{Shortfall, Verdict};

/// An expression that is true for valid values.
#[derive(Clone, Debug)]
pub struct Expression {
    program: Arc<Program>,
    fractions: Option<Arc<Fractions>>,
}

/// The places in a value that are declared as floats. An integer at such a place is converted to a
/// float, as in Kubernetes: half of 5 is 2.5.
#[derive(Clone, Debug)]
pub enum Fractions {
    Here,
    Keys { named: HashMap<String, Fractions>, others: Option<Box<Fractions>> },
    Items(Box<Fractions>),
}

impl Expression {
    pub(crate) fn new(program: Program) -> Self {
        Self { program: Arc::new(program), fractions: None }
    }

    /// The expression as it was written.
    pub fn source(&self) -> &str {
        self.program.source()
    }

    /// Returns whether it is true for a value, and the number of steps.
    pub(crate) fn holds_counted(&self, value: &Node) -> (Result<bool, EvaluationError>, u64) {
        let declared = self.fractions.as_ref().and_then(|it| it.applied(value));
        self.program.holds_counted(declared.as_ref().unwrap_or(value))
    }

    pub(crate) fn verdict(&self, holds: Result<bool, EvaluationError>) -> Verdict {
        match holds {
            Ok(true) => Verdict::Holds,
            Ok(false) => Verdict::Broken(Shortfall::Other("found false".into())),
            Err(error) => Verdict::Inapplicable(Inapplicable::of(&error, self.source())),
        }
    }

    /// Returns its approximate size in bytes, in addition to its text.
    pub(crate) fn size(&self) -> usize {
        // The syntax tree has about one node for every few characters.
        self.source().len() * size_of::<usize>() * 4 + self.program.pattern_bytes()
    }

    /// Sets the places in the value that the schema declares as floats.
    pub fn declare(&mut self, fractions: &Arc<Fractions>) {
        self.fractions = Some(Arc::clone(fractions));
    }
}

impl Fractions {
    /// Returns the value with floats at the declared places, or `None` if nothing changes.
    fn applied(&self, value: &Node) -> Option<Node> {
        match (self, value) {
            #[expect(clippy::cast_precision_loss, reason = "the nearest float is intended")]
            (Self::Here, Node::Int(whole)) => Some(Node::Float(*whole as f64)),
            #[expect(clippy::cast_precision_loss, reason = "the nearest float is intended")]
            (Self::Here, Node::UInt(whole)) => Some(Node::Float(*whole as f64)),
            (Self::Keys { named, others }, Node::Map(map)) => {
                let below = |key: &Node| {
                    let named = key.as_str().and_then(|it| named.get(it));
                    named.or(others.as_deref())
                };
                let items = map.items().iter().enumerate();
                let changed =
                    items.filter_map(|(at, it)| Some((at, below(&it.key)?.applied(&it.node)?)));
                value.with_children(changed)
            }
            (Self::Items(item), Node::Array(array)) => {
                let items = array.items.iter().enumerate();
                value
                    .with_children(items.filter_map(|(at, it)| Some((at, item.applied(&it.node)?))))
            }
            _ => None,
        }
    }
}
