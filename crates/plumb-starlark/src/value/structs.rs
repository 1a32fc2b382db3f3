//! Structs: named fields, such as `data.values` and the result of `struct.make`.
//!
//! The names are in a [`Shape`], which structs that are created by the same call share. Code that
//! reads an attribute caches the last shape, and the position of the field in it: see
//! [`AttributeName`].

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

use hashbrown::HashMap;
use plumb_source::Text;

use super::Value;

/// Up to this many names are found by linear search, which is faster than hashing.
const SMALL: usize = 8;

/// Named fields in the order in which they were given. Freezing a module does not freeze the values
/// of the fields.
#[derive(Default)]
pub struct Struct {
    shape: Arc<Shape>,
    /// The values, as many as the shape has names.
    values: Vec<Value>,
}

/// The names of the fields of structs.
#[derive(Default)]
pub(crate) struct Shape {
    /// The unique number of the shape in the process; the empty shape is 0.
    id: u64,
    names: Vec<Text>,
    /// Positions by name, if there are more than a few.
    positions: HashMap<Text, usize>,
}

/// The shape of the structs that one call creates from its named arguments.
pub(crate) type ShapeOfCall = OnceLock<Arc<Shape>>;

/// A name in code that reads attributes.
pub(crate) struct AttributeName {
    pub(crate) name: Text,
    /// The shape in which the name was found last, and its position there.
    found: AtomicU64,
}

/// The lower bits of [`AttributeName::found`] are a position.
const POSITION_BITS: u32 = 16;

impl Struct {
    /// A struct of a call's named arguments, whose names are different.
    pub(crate) fn of_call(
        shape: &ShapeOfCall,
        names: &[Text],
        values: impl Iterator<Item = Value>,
    ) -> Self {
        let shape = shape.get_or_init(|| Arc::new(Shape::new(names.to_vec())));
        Self { shape: Arc::clone(shape), values: values.collect() }
    }

    /// Returns the number of fields.
    pub fn len(&self) -> usize {
        self.values.len()
    }

    /// Returns whether there are no fields.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// Returns a field by name. Returns `None` if it is missing.
    pub fn get(&self, name: &Text) -> Option<&Value> {
        self.shape.position(name).map(|at| &self.values[at])
    }

    /// Like [`get`](Self::get), for code that may read the same attribute of structs of the same
    /// shape again.
    #[inline]
    pub(crate) fn attribute(&self, name: &AttributeName) -> Option<&Value> {
        let found = name.found.load(Ordering::Relaxed);
        if found >> POSITION_BITS == self.shape.id {
            let at = found & ((1 << POSITION_BITS) - 1);
            return usize::try_from(at).ok().and_then(|at| self.values.get(at));
        }
        let at = self.shape.position(&name.name)?;
        if at >> POSITION_BITS == 0 {
            name.found.store(self.shape.id << POSITION_BITS | at as u64, Ordering::Relaxed);
        }
        Some(&self.values[at])
    }

    /// Returns the name of a field, counted from 0.
    pub(crate) fn name(&self, at: usize) -> Option<&Text> {
        self.shape.names.get(at)
    }

    /// Returns all fields with their names.
    pub fn fields(&self) -> impl ExactSizeIterator<Item = (&Text, &Value)> {
        self.shape.names.iter().zip(&self.values)
    }

    pub(crate) fn take_values(&mut self, out: &mut Vec<Value>) {
        out.append(&mut self.values);
    }
}

impl Shape {
    fn new(names: Vec<Text>) -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(1);
        let id = if names.is_empty() { 0 } else { NEXT.fetch_add(1, Ordering::Relaxed) };
        let is_indexed = names.len() > SMALL;
        let named = names.iter().cloned().enumerate().filter(|_| is_indexed);
        Self { id, positions: named.map(|(at, name)| (name, at)).collect(), names }
    }

    fn position(&self, name: &Text) -> Option<usize> {
        if self.names.len() <= SMALL {
            return self.names.iter().position(|it| it == name);
        }
        self.positions.get(name).copied()
    }
}

impl AttributeName {
    pub(crate) fn new(name: Text) -> Self {
        Self { name, found: AtomicU64::new(0) }
    }
}

/// If a name occurs twice, the field has the later value at the earlier place.
impl FromIterator<(Text, Value)> for Struct {
    fn from_iter<I: IntoIterator<Item = (Text, Value)>>(fields: I) -> Self {
        let (mut names, mut values) = (Vec::new(), Vec::new());
        // Positions by name, once there are more than a few.
        let mut positions: HashMap<Text, usize> = HashMap::new();
        for (name, value) in fields {
            let known = if names.len() <= SMALL {
                names.iter().position(|it| *it == name)
            } else {
                positions.get(&name).copied()
            };
            if let Some(at) = known {
                values[at] = value;
                continue;
            }
            if names.len() == SMALL {
                positions.extend(names.iter().cloned().zip(0..));
            }
            if names.len() >= SMALL {
                positions.insert(name.clone(), names.len());
            }
            names.push(name);
            values.push(value);
        }
        Self { shape: Arc::new(Shape::new(names)), values }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn made(names: impl IntoIterator<Item = String>) -> Struct {
        let fields = names.into_iter().zip(0i64..);
        fields.map(|(name, value)| (Text::from(name), Value::Int(value))).collect()
    }

    #[test]
    fn the_last_value_of_a_name_is_at_its_first_place_in_small_and_large_structs() {
        for count in [3, SMALL, SMALL + 1, 40] {
            let names = (0..count).chain([1, count - 1]).map(|it| format!("name-{it}"));
            let fields = made(names);
            assert_eq!(fields.len(), count);
            let last = i64::try_from(count).expect("small");
            assert!(matches!(fields.get(&"name-1".into()), Some(Value::Int(it)) if *it == last));
            assert_eq!(fields.name(1), Some(&Text::from("name-1")));
            assert!(fields.get(&"name".into()).is_none());
        }
    }

    #[test]
    fn an_attribute_is_found_in_structs_of_changing_shapes() {
        let name = AttributeName::new("b".into());
        let shapes = [made(["a".into(), "b".into()]), made(["b".into()]), made([])];
        for _ in 0..2 {
            for (fields, expected) in shapes.iter().zip([Some(1), Some(0), None]) {
                let found = match fields.attribute(&name) {
                    Some(Value::Int(it)) => Some(*it),
                    _ => None,
                };
                assert_eq!(found, expected);
            }
        }
    }
}
