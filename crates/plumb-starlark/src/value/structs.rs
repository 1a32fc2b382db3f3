//! Structs: named fields, such as `data.values` and the result of `struct.make`.

use hashbrown::HashMap;
use plumb_source::Text;

use super::Value;

const SMALL: usize = 8;

/// Named fields in the order in which they were given. Freezing a module does not freeze the values
/// of the fields.
#[derive(Default)]
pub struct Struct {
    fields: Vec<(Text, Value)>,
    /// Positions by name, once there are more than a few.
    positions: HashMap<Text, usize>,
}

impl Struct {
    /// Returns the number of fields.
    pub fn len(&self) -> usize {
        self.fields.len()
    }

    /// Returns whether there are no fields.
    pub fn is_empty(&self) -> bool {
        self.fields.is_empty()
    }

    /// Returns a field by name. Returns `None` if it is missing.
    pub fn get(&self, name: &Text) -> Option<&Value> {
        if self.fields.len() <= SMALL {
            return self.fields.iter().find(|(it, _)| it == name).map(|(_, value)| value);
        }
        self.positions.get(name).map(|&at| &self.fields[at].1)
    }

    /// Returns all fields with their names.
    pub fn fields(&self) -> impl ExactSizeIterator<Item = (&Text, &Value)> {
        self.fields.iter().map(|(name, value)| (name, value))
    }

    pub(crate) fn take_values(&mut self, out: &mut Vec<Value>) {
        out.extend(self.fields.iter_mut().map(|(_, value)| std::mem::take(value)));
    }
}

/// If a name occurs twice, the field has the later value at the earlier place.
impl FromIterator<(Text, Value)> for Struct {
    fn from_iter<I: IntoIterator<Item = (Text, Value)>>(fields: I) -> Self {
        let mut it = Self::default();
        for (name, value) in fields {
            let next = it.fields.len();
            let at = *it.positions.entry(name.clone()).or_insert(next);
            if at == next {
                it.fields.push((name, value));
            } else {
                it.fields[at].1 = value;
            }
        }
        it
    }
}
