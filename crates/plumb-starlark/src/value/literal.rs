//! The entries of a dictionary that the program writes as `{"name": value}`, with keys that are known
//! when it is compiled. All dictionaries that one such expression creates share their keys.

use std::sync::Arc;

use ecow::EcoVec;

use super::Value;
use super::compare;
use super::table::Table;
use crate::error::Result;

/// Keys, and one value for each of them. Values are [small](Self::is_small): a dictionary keeps them
/// after it was changed.
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

    /// Returns a table with these keys. There must be one value for each key.
    pub(crate) fn table(&self, values: impl ExactSizeIterator<Item = Value>) -> Table {
        Table::of_known(self.0.iter().cloned().zip(values))
    }
}

impl Literal {
    /// Returns whether a value contains no others, and takes little memory.
    pub(crate) fn is_small(value: &Value) -> bool {
        match value {
            Value::None | Value::Bool(_) | Value::Int(_) | Value::Float(_) => true,
            Value::String(_) => Table::is_short(value),
            _ => false,
        }
    }

    /// Creates the entries. There must be one [small](Self::is_small) value for each key.
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
        let values = self.values.iter().cloned();
        self.keys.as_ref().map_or_else(Table::default, |keys| keys.table(values))
    }
}
