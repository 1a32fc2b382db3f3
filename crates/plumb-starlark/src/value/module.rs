//! Modules as values: what `module.make` gives, and what the host's own modules are.

use plumb_source::Text;

use super::Value;

/// A name and members, which are attributes.
pub struct Module {
    name: Text,
    /// By name, ascending.
    members: Vec<(Text, Value)>,
}

impl Module {
    pub fn new(name: impl Into<Text>, members: impl IntoIterator<Item = (Text, Value)>) -> Self {
        let mut members: Vec<_> = members.into_iter().collect();
        members.sort_by(|(a, _), (b, _)| a.cmp(b));
        Self { name: name.into(), members }
    }

    pub fn name(&self) -> &Text {
        &self.name
    }

    pub fn get(&self, name: &Text) -> Option<&Value> {
        let at = self.members.binary_search_by(|(it, _)| it.cmp(name)).ok()?;
        Some(&self.members[at].1)
    }

    pub fn members(&self) -> &[(Text, Value)] {
        &self.members
    }

    pub(crate) fn take_values(&mut self, out: &mut Vec<Value>) {
        out.extend(self.members.iter_mut().map(|(_, value)| std::mem::take(value)));
    }
}
