//! Modules as values: the result of `module.make`, and the host's own modules.

use plumb_source::Text;

use super::Value;

/// A name and members, which are attributes.
pub struct Module {
    name: Text,
    /// By name, ascending.
    members: Vec<(Text, Value)>,
}

impl Module {
    /// A module with these members.
    pub fn new(name: impl Into<Text>, members: impl IntoIterator<Item = (Text, Value)>) -> Self {
        let mut members: Vec<_> = members.into_iter().collect();
        members.sort_by(|(a, _), (b, _)| a.cmp(b));
        Self { name: name.into(), members }
    }

    /// Returns the name of the module.
    pub fn name(&self) -> &Text {
        &self.name
    }

    /// Returns a member by name. Returns `None` if it is missing.
    pub fn get(&self, name: &Text) -> Option<&Value> {
        let at = self.members.binary_search_by(|(it, _)| it.cmp(name)).ok()?;
        Some(&self.members[at].1)
    }

    /// Returns all members with their names.
    pub fn members(&self) -> &[(Text, Value)] {
        &self.members
    }

    pub(crate) fn take_values(&mut self, out: &mut Vec<Value>) {
        out.extend(self.members.iter_mut().map(|(_, value)| std::mem::take(value)));
    }
}
