//! Lists the keys of a schema, in sections.
//!
//! Each map with keys has a section, after that of the map around it. `@schema/section` splits the
//! keys of a map: a section lasts until the next one.

use std::collections::HashSet;

use plumb_schema::{Field, MapType, Presence, Schema, Type, masked};
use plumb_validation::Work;
use plumb_value::{Map, Node, Step};

use crate::reference::Link;
use crate::words;
use crate::{Default, Heading, Key, Reference, Sample, Section};

/// The heading of the keys of the document that are not in their own section.
const TOP: &str = "Top-level keys";

/// The same, if other keys are in sections.
const GENERAL: &str = "General";

/// The memory of a key and of its text in the reference, without its path.
const KEY: usize = 2048;

/// How often a path occurs in a reference, in its links, and in the text.
const COPIES: usize = 16;

impl Reference {
    /// Lists the keys of a schema. `title` is used instead of the title of the schema.
    pub fn of(schema: &Schema, title: Option<&str>) -> Self {
        Work::uncounted(|work| Self::within(schema, title, work))
    }

    /// Lists the keys of a schema like [`of`](Self::of), and counts them. If there are too many,
    /// the work ends, and the reference is not complete.
    pub fn within(schema: &Schema, title: Option<&str>, work: &Work<'_>) -> Self {
        let root = schema.root();
        let own = Some(root.docs.title.as_str()).filter(|it| !it.is_empty());
        let mut builder = Builder { sections: Vec::new(), anchors: HashSet::new(), work };
        let context = Context {
            path: String::new(),
            level: 0,
            remark: String::new(),
            is_secret: root.docs.is_secret,
        };
        let base = schema.defaults().map(|it| it.node);
        builder.value(root, base.as_ref(), &context, &mut Vec::new());
        Self {
            title: title.or(own).unwrap_or("Data values").to_owned(),
            description: root.docs.description.clone(),
            rules: words::rules(root),
            sections: builder.sections,
        }
    }
}

struct Builder<'w> {
    sections: Vec<Section>,
    anchors: HashSet<String>,
    work: &'w Work<'w>,
}

/// What is known about a value from the enclosing sections.
struct Context {
    path: String,
    /// The level of the enclosing section; 0 for the document.
    level: usize,
    /// Under which condition the section applies.
    remark: String,
    /// Whether the value, or a value that contains it, is secret.
    is_secret: bool,
}

/// A key of a map whose section is being written.
struct Entry<'a> {
    name: String,
    field: &'a Field,
    presence: Presence,
    /// The default value, if it differs from that of the field.
    base: Option<&'a Node>,
}

impl Builder<'_> {
    /// Adds the sections about a value, and links to the topmost of them.
    fn value(
        &mut self,
        field: &Field,
        base: Option<&Node>,
        context: &Context,
        links: &mut Vec<Link>,
    ) {
        match &field.ty {
            Type::Map(ty) if !ty.fields().is_empty() => {
                links.extend(self.map(field, ty, base.and_then(Node::as_map), context));
            }
            Type::Map(ty) => {
                if let Some(item) = ty.any_key() {
                    self.part(item, join(&context.path, "*"), context, links);
                }
            }
            Type::Array(ty) => self.part(&ty.item, format!("{}[]", context.path), context, links),
            Type::Choice(choice) => {
                for (at, alternative) in choice.alternatives.iter().enumerate() {
                    let title = &alternative.docs.title;
                    let title = if title.is_empty() { String::new() } else { format!(": {title}") };
                    let remark = format!("Alternative {}{title}.", at + 1);
                    let is_secret = context.is_secret || alternative.docs.is_secret;
                    let path = context.path.clone();
                    let context = Context { path, level: context.level, remark, is_secret };
                    self.value(alternative, base, &context, links);
                }
            }
            Type::Scalar(_) | Type::Kinds(_) | Type::Any => {}
        }
    }

    /// Adds the sections about the items of a list, or the values of other keys.
    fn part(&mut self, item: &Field, path: String, context: &Context, links: &mut Vec<Link>) {
        let is_secret = context.is_secret || item.docs.is_secret;
        let remark = context.remark.clone();
        let context = Context { path, level: context.level, remark, is_secret };
        self.value(item, None, &context, links);
    }

    /// Adds the sections about the keys of a map. Returns a link to the topmost, unless the map is
    /// the whole document.
    fn map(
        &mut self,
        field: &Field,
        ty: &MapType,
        base: Option<&Map>,
        context: &Context,
    ) -> Option<Link> {
        let level = context.level + 1;
        let is_root = context.path.is_empty();
        let entries = entries(ty, base);
        let mut groups = split(&entries);
        let is_grouped = groups.iter().any(|it| it.0.is_some());
        let mut link = None;
        if !is_root {
            let anchor = self.anchor("section", &context.path);
            link = Some(Link { text: context.path.clone(), anchor: anchor.clone() });
            let without_title = groups.first().is_some_and(|it| it.0.is_none());
            let keys = if without_title { groups.remove(0).1 } else { &[] };
            let heading = Heading::Path(context.path.clone());
            let description = field.docs.description.clone();
            let remark = remark(field, base, &context.remark);
            self.section(
                Section { heading, anchor, level, description, remark, keys: Vec::new() },
                keys,
                context,
            );
        }
        let level = if is_root { level } else { level + 1 };
        for (title, keys) in groups {
            let title = title.unwrap_or(if is_grouped { GENERAL } else { TOP });
            let anchor = self.anchor("group", title);
            let heading = Heading::Words(title.to_owned());
            let (description, remark) = (String::new(), String::new());
            self.section(
                Section { heading, anchor, level, description, remark, keys: Vec::new() },
                keys,
                context,
            );
        }
        link
    }

    /// Adds a section with these keys, and then the sections about their values.
    fn section(&mut self, section: Section, entries: &[Entry<'_>], context: &Context) {
        let at = self.sections.len();
        // The list of all top-level keys is on the same level as the sections about their values.
        let is_list = matches!(&section.heading, Heading::Words(it) if it == TOP);
        let level = if is_list { section.level - 1 } else { section.level };
        self.sections.push(section);
        for entry in entries {
            let path = join(&context.path, &quoted(&entry.name));
            let size = KEY.saturating_add(path.len().saturating_mul(COPIES));
            if !self.work.count(1) || !self.work.build(size) {
                return;
            }
            let anchor = self.anchor("key", &path);
            let is_secret = context.is_secret || entry.field.docs.is_secret;
            let remark = String::new();
            let below = Context { path: path.clone(), level, remark, is_secret };
            let mut links = Vec::new();
            self.value(entry.field, entry.base, &below, &mut links);
            self.sections[at].keys.push(key(entry, &below, anchor, links, self.work));
        }
    }

    /// Returns an anchor that is not used yet.
    fn anchor(&mut self, kind: &str, path: &str) -> String {
        let letters = path.chars().map(|it| if it.is_alphanumeric() { it } else { '-' });
        let words: String = letters.collect();
        let words: Vec<&str> = words.split('-').filter(|it| !it.is_empty()).collect();
        let plain = if words.is_empty() { "any".to_owned() } else { words.join("-") };
        let plain = format!("{kind}-{plain}");
        let mut anchor = plain.clone();
        let mut n = 1;
        while !self.anchors.insert(anchor.clone()) {
            n += 1;
            anchor = format!("{plain}-{n}");
        }
        anchor
    }
}

fn entries<'a>(ty: &'a MapType, base: Option<&'a Map>) -> Vec<Entry<'a>> {
    let declared = ty.entries().zip(ty.presence()).map(|((key, field), presence)| Entry {
        name: name(key),
        field,
        presence: *presence,
        base: base.and_then(|it| it.get(key)).map(|it| &it.node),
    });
    // Keys that accept any value do not need a line.
    let any =
        ty.any_key().filter(|it| !matches!(it.ty, Type::Any) || !it.docs.description.is_empty());
    let any = any.map(|field| Entry {
        name: "*".to_owned(),
        field,
        presence: Presence::WhenGiven,
        base: None,
    });
    declared.chain(any).collect()
}

/// Splits the keys of a map at the keys that begin a section.
fn split<'e, 'a>(entries: &'e [Entry<'a>]) -> Vec<(Option<&'a str>, &'e [Entry<'a>])> {
    let title = |it: &Entry<'a>| it.field.docs.section.as_deref();
    let groups = entries.chunk_by(|_, next| title(next).is_none());
    groups.map(|it| (it.first().and_then(title), it)).collect()
}

/// The condition under which the keys of a map apply.
fn remark(field: &Field, base: Option<&Map>, above: &str) -> String {
    let own = match base {
        None if field.is_nullable => "Null by default. If it is given, these keys apply.",
        _ => "",
    };
    [above, own].into_iter().filter(|it| !it.is_empty()).collect::<Vec<_>>().join(" ")
}

fn key(
    entry: &Entry<'_>,
    context: &Context,
    anchor: String,
    below: Vec<Link>,
    work: &Work<'_>,
) -> Key {
    let field = entry.field;
    let docs = &field.docs;
    let samples = docs
        .examples
        .iter()
        .filter(|_| !context.is_secret)
        .map(|it| Sample { description: it.description.clone(), value: words::value(&it.value) });
    Key {
        title: Some(&docs.title)
            .filter(|it| !repeats(it, &entry.name))
            .cloned()
            .unwrap_or_default(),
        description: docs.description.clone(),
        deprecation: docs.deprecation.clone(),
        type_name: words::type_name(field),
        default: default(entry, context.is_secret, !below.is_empty(), work),
        rules: words::rules(field),
        examples: samples.collect(),
        name: entry.name.clone(),
        path: context.path.clone(),
        anchor,
        below,
    }
}

fn default(entry: &Entry<'_>, is_secret: bool, has_sections: bool, work: &Work<'_>) -> Default {
    let field = entry.field;
    let value = entry.base.unwrap_or(&field.default);
    let is_map_of_keys = matches!(&field.ty, Type::Map(ty) if !ty.fields().is_empty());
    match entry.presence {
        Presence::Required => Default::Required,
        Presence::WhenGiven => Default::Absent,
        Presence::Always if is_map_of_keys && has_sections && !value.is_null() => Default::Below,
        Presence::Always if !field.is_satisfied_by(value, work) => Default::Required,
        Presence::Always if is_secret => Default::Hidden,
        Presence::Always => Default::Value(words::value(&masked(field, value))),
    }
}

/// Returns whether a title only repeats the key: missing titles are derived from keys.
fn repeats(title: &str, key: &str) -> bool {
    let letters = |text: &str| -> String {
        text.chars().filter(|it| it.is_alphanumeric()).flat_map(char::to_lowercase).collect()
    };
    letters(title) == letters(key)
}

fn name(key: &Node) -> String {
    Step::of_key(key).to_string()
}

/// A key in a path: in quotes if it would be read as several keys.
fn quoted(name: &str) -> String {
    let is_path = name.contains(['.', '[', ']', ' ']) || name.is_empty();
    if is_path { format!("{name:?}") } else { name.to_owned() }
}

fn join(path: &str, name: &str) -> String {
    if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") }
}
