//! Paths of values in their documents.

use std::fmt;

use plumb_source::Text;

use crate::Node;

/// The path from the root of a document to a value, printed as `a.b[0].c`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct DataPath(Vec<Step>);

/// One step of a path.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Step {
    /// Into the value of a key that is a string.
    Key(Text),
    /// Into the value of a key of another type, written as in YAML.
    OtherKey(KeyType, Text),
    /// Into the item at an index, counted from 0.
    Index(usize),
}

/// The type of a key that is not a string.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum KeyType {
    /// Null.
    Null,
    /// A boolean.
    Bool,
    /// An integer.
    Int,
    /// An integer above the range of `i64`.
    UInt,
    /// A floating-point number.
    Float,
    /// A map or an array.
    Collection,
}

impl DataPath {
    /// The path of the document itself, which has no steps.
    pub fn root() -> Self {
        Self::default()
    }

    /// Returns the steps, outermost first.
    pub fn steps(&self) -> &[Step] {
        &self.0
    }

    /// Returns whether this is the path of the document itself.
    pub fn is_root(&self) -> bool {
        self.0.is_empty()
    }

    /// Appends a step at the inner end.
    pub fn push(&mut self, step: Step) {
        self.0.push(step);
    }

    /// Removes the last step. Does nothing at the root.
    pub fn pop(&mut self) {
        self.0.pop();
    }
}

impl Step {
    /// The step to the value of a key.
    pub fn of_key(key: &Node) -> Self {
        let (of_type, text) = match key {
            Node::String(text) => return Self::Key(text.clone()),
            Node::Null => (KeyType::Null, "null".to_owned()),
            Node::Bool(value) => (KeyType::Bool, value.to_string()),
            Node::Int(_) => (KeyType::Int, key.repr()),
            Node::UInt(_) => (KeyType::UInt, key.repr()),
            Node::Float(_) => (KeyType::Float, key.repr()),
            Node::Map(_) | Node::Array(_) => (KeyType::Collection, key.repr()),
        };
        Self::OtherKey(of_type, Text::from(text))
    }
}

impl fmt::Display for DataPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, step) in self.0.iter().enumerate() {
            match step {
                Step::Key(key) | Step::OtherKey(_, key) if at == 0 => write!(f, "{key}")?,
                Step::Key(key) | Step::OtherKey(_, key) => write!(f, ".{key}")?,
                Step::Index(index) => write!(f, "[{index}]")?,
            }
        }
        Ok(())
    }
}

/// Prints only the step: a key without quotes, or an index as a number.
impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Key(key) | Self::OtherKey(_, key) => write!(f, "{key}"),
            Self::Index(index) => write!(f, "{index}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_that_are_no_strings_are_steps_too() {
        let keys = ["a".into(), Node::Null, Node::Bool(true), Node::Int(5), Node::Float(1.5)];
        let steps = keys.map(|key| Step::of_key(&key).to_string());
        assert_eq!(steps, ["a", "null", "true", "5", "1.5"]);
    }

    #[test]
    fn keys_are_dotted_and_indexes_bracketed() {
        let mut path = DataPath::root();
        assert_eq!(path.to_string(), "");
        path.push(Step::Key("db".into()));
        path.push(Step::Index(0));
        path.push(Step::Key("host".into()));
        assert_eq!(path.to_string(), "db[0].host");
    }
}
