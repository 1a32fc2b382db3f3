//! The content of a reference, before it is laid out.

/// The reference of a schema.
#[derive(Clone, Debug)]
pub struct Reference {
    pub title: String,
    pub description: String,
    /// What the rules of the whole document require.
    pub rules: Vec<String>,
    /// In the order of the schema; a section comes before those below it.
    pub sections: Vec<Section>,
}

impl Reference {
    /// Returns the keys that must always be given.
    pub(crate) fn required(&self) -> impl Iterator<Item = &Key> {
        let always = self.sections.iter().filter(|it| it.remark.is_empty());
        always.flat_map(|it| &it.keys).filter(|it| matches!(it.default, Default::Required))
    }
}

/// The keys of one map, or some of them.
#[derive(Clone, Debug)]
pub struct Section {
    pub heading: Heading,
    /// The anchor, which is unique in the reference.
    pub anchor: String,
    /// The level: 1 for a section that is not below another one.
    pub level: usize,
    pub description: String,
    /// The condition under which the keys of the section apply. Empty if they always apply.
    pub remark: String,
    pub keys: Vec<Key>,
}

/// The heading of a section.
#[derive(Clone, Debug)]
pub enum Heading {
    /// A title, in the words of the author.
    Words(String),
    /// The path of a map.
    Path(String),
}

/// A key, and what is known about its value.
#[derive(Clone, Debug)]
pub struct Key {
    /// The name in its map; `*` stands for any other key.
    pub name: String,
    /// The path in the document.
    pub path: String,
    /// The anchor, which is unique in the reference.
    pub anchor: String,
    /// The type in words.
    pub type_name: String,
    pub default: Default,
    /// The title, unless it repeats the name.
    pub title: String,
    pub description: String,
    /// Why the key is deprecated.
    pub deprecation: Option<String>,
    /// What the rules require, in words.
    pub rules: Vec<String>,
    pub examples: Vec<Sample>,
    /// The sections about the parts of the value, by their anchors.
    pub below: Vec<Link>,
}

/// A link to a section.
#[derive(Clone, Debug)]
pub struct Link {
    pub text: String,
    pub anchor: String,
}

/// The value of a key if none is given.
#[derive(Clone, Debug)]
pub enum Default {
    /// The key must be given.
    Required,
    /// The key does not exist.
    Absent,
    /// There is a value, which is secret.
    Hidden,
    /// The value consists of the defaults of the keys below.
    Below,
    Value(String),
}

/// An example of a value.
#[derive(Clone, Debug)]
pub struct Sample {
    /// What the example shows; may be empty.
    pub description: String,
    pub value: String,
}
