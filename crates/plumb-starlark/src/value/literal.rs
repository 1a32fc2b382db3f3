//! The entries of a dictionary that the program writes as `{"name": value}`, with keys that are known
//! when it is compiled. All dictionaries that one such expression creates share their keys.

use std::sync::Arc;

use ecow::EcoVec;

use super::Value;
use super::compare;
use super::table::Table;
use crate::error::Result;

/// Keys, and one value for each of them.
#[derive(Clone, Default)]
pub(crate) struct Literal {
    /// `None` if there are no keys.
    keys: Option<Arc<KnownKeys>>,
    values: EcoVec<Value>,
}

/// Up to [`Table::SMALL`] keys, which are different [short](Table::is_short) texts.
pub(crate) struct KnownKeys(Box<[Value]>);

impl KnownKeys {
    /// Returns `None` if the values are not such keys.
    pub(crate) fn new(keys: Box<[Value]>) -> Option<Self> {
        let is_new = |(at, key): (usize, &Value)| {
            let text = key.as_text();
            text.is_some() && !keys[..at].iter().any(|it| it.as_text() == text)
        };
        let is_small = (1..=Table::SMALL).contains(&keys.len());
        (is_small && keys.iter().all(Table::is_short) && keys.iter().enumerate().all(is_new))
            .then_some(Self(keys))
    }

    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }
}

impl Literal {
    /// Creates the entries. There must be one value for each key.
    pub(crate) fn new(keys: &Arc<KnownKeys>, values: impl ExactSizeIterator<Item = Value>) -> Self {
        let mut all = EcoVec::with_capacity(keys.len());
        all.extend(values);
        Self { keys: Some(Arc::clone(keys)), values: all }
    }

    pub(crate) fn len(&self) -> usize {
        self.values.len()
    }

    pub(crate) fn values(&self) -> &EcoVec<Value> {
        &self.values
    }

    fn keys(&self) -> &[Value] {
        self.keys.as_ref().map_or(&[], |it| &it.0)
    }

    /// Returns an entry by its position.
    pub(crate) fn pair(&self, at: usize) -> Option<(&Value, &Value)> {
        self.keys().get(at).zip(self.values.get(at))
    }

    /// Returns the value of a key. Fails if the key cannot be hashed.
    pub(crate) fn get(&self, key: &Value) -> Result<Option<&Value>> {
        let at = match key {
            Value::String(_) => {
                let text = key.as_text();
                self.keys().iter().position(|it| it.as_text() == text)
            }
            _ => self.find_other(key)?,
        };
        Ok(at.and_then(|at| self.values.get(at)))
    }

    /// Finds a key that is not a text, like [`Table::get`].
    #[cold]
    fn find_other(&self, key: &Value) -> Result<Option<usize>> {
        key.hash()?;
        for (at, found) in self.keys().iter().enumerate() {
            if compare::equals(key, found)? {
                return Ok(Some(at));
            }
        }
        Ok(None)
    }

    /// Returns a table with the same entries.
    pub(crate) fn table(&self) -> Table {
        Table::of_known(self.keys().iter().cloned().zip(self.values.iter().cloned()))
    }

    /// Moves out the values that contain others, if nothing else refers to the values.
    pub(crate) fn take_nested(&mut self, out: &mut Vec<Value>) {
        if self.values.iter().any(Value::nests) && self.values.is_unique() {
            self.values.make_mut().iter_mut().for_each(|it| it.take_nested(out));
        }
    }
}
