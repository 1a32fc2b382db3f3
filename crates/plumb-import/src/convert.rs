//! Converts a foreign schema into a sample with annotations.

use std::cell::Cell;
use std::collections::HashMap;
use std::rc::Rc;

use plumb_diagnostic::{Diagnostic, Failure};
use plumb_jsonschema::Keyword;
use plumb_source::{Message, Origin, message};
use plumb_value::{Array, ArrayItem, Map, MapItem, Node, NodeKind};

use crate::alternatives::{bare_types, without_null_part};
use crate::annotation::Annotation;
use crate::condition::{companion_of, condition, is_annotation};
use crate::item::{Item, Kinds, Sample};
use crate::keys::with;
use crate::keyword::PASSWORD;
use crate::literal::{literal, shortened};
use crate::origin::{Draft, Found, Language, TOO_LARGE};
use crate::reference::resolve;
use crate::rules::{RuleTarget, has_rules_alone, is_rule, rules};
use crate::types::{Types, as_sample, of_kinds, zero};

/// The greatest number of nodes that are written.
const MAX_ITEMS: usize = 200_000;

/// The greatest number of keywords and parts of keywords that are visited.
const MAX_WORK: usize = 20_000_000;

/// The greatest total size in bytes of descriptions, rules and defaults.
const MAX_BYTES: usize = 16 << 20;

/// The greatest depth of nested references.
const MAX_DEPTH: usize = 400;

/// The result of converting a schema.
#[derive(Debug)]
pub(crate) struct Imported {
    pub(crate) root: Item,
    /// Alternatives that annotations refer to, by their names.
    pub(crate) fragments: Vec<(String, Rc<Item>)>,
    /// Whether there are integers for which the original schema also accepts `1.0`, or more than 64
    /// bits.
    pub(crate) narrows_integers: bool,
}

pub(crate) fn convert(found: &Found<'_>) -> Result<Imported, Failure> {
    let mut converter = Converter {
        document: found.document,
        language: found.language,
        draft: found.draft,
        has_integers: Cell::new(false),
        n_conditions_left: Cell::new(None),
        fragments: Vec::new(),
        n_named: HashMap::new(),
        followed: Vec::new(),
        depth: 0,
        n_items: 0,
        n_bytes: 0,
        n_seen: 0,
    };
    let mut root = converter.item(found.schema, "root")?;
    // Its keys can be secret or deprecated, but not the document itself.
    root.annotations.retain(|it| !matches!(it, Annotation::Secret));
    let n_annotations = root.annotations.len();
    root.annotations.retain(|it| !matches!(it, Annotation::Deprecated(_)));
    if root.annotations.len() < n_annotations {
        root.notes.push("the whole schema is deprecated".to_owned());
    }
    // JSON has one type of number, but YAML and the template language have two.
    let narrows_integers = converter.has_integers.get() && found.language == Language::JsonSchema;
    Ok(Imported { root, fragments: converter.fragments, narrows_integers })
}

pub(crate) struct Converter<'a> {
    document: &'a Node,
    pub(crate) language: Language,
    pub(crate) draft: Draft,
    pub(crate) has_integers: Cell<bool>,
    /// The number of schemas that conditions may still visit; `None` before the first condition.
    pub(crate) n_conditions_left: Cell<Option<usize>>,
    pub(crate) fragments: Vec<(String, Rc<Item>)>,
    /// The number of fragments with each name.
    pub(crate) n_named: HashMap<String, usize>,
    /// The references that are being followed.
    pub(crate) followed: Vec<String>,
    depth: usize,
    n_items: usize,
    n_bytes: usize,
    n_seen: usize,
}

impl Converter<'_> {
    /// Converts a schema for the key `name`.
    pub(crate) fn item(&mut self, schema: &Node, name: &str) -> Result<Item, Failure> {
        self.n_items += 1;
        if self.n_items > MAX_ITEMS {
            return Err(too_large(&message!("{MAX_ITEMS} nodes")));
        }
        let map = match schema {
            Node::Map(map) => map,
            Node::Bool(false) => return Ok(never()),
            _ => return Ok(Item::any(Node::Null)),
        };
        self.n_seen += n_parts(map);
        if self.n_seen > MAX_WORK {
            return Err(too_large(&message!("{MAX_WORK} keywords")));
        }
        if self.depth >= MAX_DEPTH {
            return Ok(noted(
                Item::any(Node::Null),
                "nested too deeply: the contents are left out",
            ));
        }
        self.depth += 1;
        let item = match Keyword::Ref.text(map) {
            Some(reference) => self.reference(map, reference, name),
            None => self.schema(map, name, false),
        };
        self.depth -= 1;
        let item = item?;
        self.n_bytes += name.len() + item.n_bytes();
        if self.n_bytes > MAX_BYTES {
            return Err(too_large(&message!("{} MiB of texts", MAX_BYTES >> 20)));
        }
        Ok(item)
    }

    pub(crate) fn resolved(&self, reference: &str) -> Option<&Node> {
        resolve(self.document, reference)
    }

    /// Converts a reference and the keywords next to it.
    fn reference(&mut self, map: &Map, reference: &str, name: &str) -> Result<Item, Failure> {
        if self.followed.iter().any(|it| it == reference) {
            let note = format!("recursive reference to {reference}: any type is accepted here");
            return Ok(noted(Item::any(Node::Null), &note));
        }
        let Some(target) = resolve(self.document, reference) else {
            let note = format!("{reference} is not in this file: any type is accepted here");
            return Ok(noted(Item::any(Node::Null), &note));
        };
        let own = map.items().iter().filter(|it| it.key.as_str() != Some(Keyword::Ref.name()));
        let (plain, strict): (Vec<&MapItem>, Vec<&MapItem>) =
            own.partition(|it| it.key.as_str().is_some_and(is_annotation));
        let is_ignored = self.draft < Draft::Later;
        if !strict.is_empty() && !is_ignored {
            // The keywords next to the reference apply too.
            return self.schema(&conjunction(map), name, true);
        }
        self.followed.push(reference.to_owned());
        let item = match target {
            Node::Map(target) if !plain.is_empty() => {
                self.item(&Node::map(with(target, plain.into_iter().cloned().collect())), name)
            }
            target => self.item(target, name),
        };
        self.followed.pop();
        let mut item = item?;
        if is_ignored && !strict.is_empty() {
            let ignored: Vec<&str> = strict.iter().filter_map(|it| it.key.as_str()).collect();
            item.notes.push(format!("ignored next to $ref in this draft: {}", ignored.join(", ")));
        }
        Ok(item)
    }

    fn schema(&mut self, map: &Map, name: &str, joined: bool) -> Result<Item, Failure> {
        let whole = without_null_part(map);
        let map = whole.as_ref().unwrap_or(map);
        let merged = self.merged(map, joined);
        let n_followed = self.followed.len();
        let map = match &merged {
            Some(merged) => {
                self.followed.extend(merged.references.iter().cloned());
                &merged.map
            }
            None => map,
        };
        let item = self.described(map, name);
        self.followed.truncate(n_followed);
        item
    }

    fn described(&mut self, map: &Map, name: &str) -> Result<Item, Failure> {
        let Types { kinds, is_nullable, is_any, is_guessed } = Types::of(map);
        let is_json = self.language == Language::JsonSchema;
        let default = Keyword::Default.of(map);
        let rules_out_null = is_json && has_choices_without_null(map);
        let is_nullable = is_nullable && (!rules_out_null || default.is_some_and(Node::is_null));
        if kinds.contains(&NodeKind::Integer) {
            self.has_integers.set(true);
        }
        let subject = RuleTarget { kinds: &kinds, is_nullable, dialect: self.language.dialect() };
        let mut rules = rules(map, subject);
        let deprecation = self.deprecation(map, &mut rules.description);
        let Sampled { mut item, said, left } = match self.alternatives(map, name)? {
            Some(sampled) => sampled,
            None => self.sample(map, name, &kinds, is_any)?,
        };
        if is_guessed && self.language != Language::Crd && said.contains(&Keyword::Type) {
            let kind = if kinds == [NodeKind::Map] { "a map" } else { "an array" };
            item.notes.push(format!("no type is given: {kind} is assumed"));
        }
        item.notes.extend(rules.notes);
        item.rules.extend(rules.arguments);
        if rules_out_null && matches!(item.kinds, Kinds::Any) {
            item.forbid_null();
        }
        let known = if matches!(item.kinds, Kinds::Choice(..)) { &[] } else { kinds.as_slice() };
        let left = left.into_iter().chain(rules.left).chain(unsaid(map, subject, &said));
        let admits_null = self.express(map, left.collect(), known, &mut item);
        let is_null_first = default.is_some_and(Node::is_null);
        if !admits_null && is_null_first {
            item.forbid_null();
        }
        let forbids_null = item.has_rule("not_null");
        let is_nullable = match item.kinds {
            // Its types are those of the alternatives that the rules do not exclude.
            Kinds::Choice(..) => Keyword::Nullable.is_on(map),
            _ => is_nullable && !is_any,
        };
        if is_nullable && admits_null || forbids_null && is_null_first {
            item.accept_null();
        }
        self.add_default(default, &mut item);
        let docs = [
            Keyword::Title.text(map).map(|it| Annotation::Title(it.to_string())),
            Some(rules.description).filter(|it| !it.is_empty()).map(Annotation::Description),
            deprecation.map(Annotation::Deprecated),
            is_secret(map).then_some(Annotation::Secret),
        ];
        item.annotations.extend(docs.into_iter().flatten());
        add_examples(map, &mut item);
        Ok(item)
    }

    /// Expresses keywords as conditions, and names those that cannot be expressed in comments.
    /// Returns whether null satisfies all of them.
    fn express(
        &self,
        map: &Map,
        left: Vec<(String, Node)>,
        kinds: &[NodeKind],
        item: &mut Item,
    ) -> bool {
        let mut admits_null = true;
        let mut named: Vec<String> = Vec::new();
        for (keyword, value) in left {
            let is_named_with = |main: &str| named.iter().any(|it| it == main);
            let condition = match companion_of(&keyword) {
                Some(main) if is_named_with(main) => None,
                Some(_) => continue,
                None if keyword == Keyword::OneOf.name()
                    && kinds == [NodeKind::Map]
                    && item.add_one_not_null(&value) =>
                {
                    continue;
                }
                None => condition(self, map, (&keyword, &value), kinds),
            };
            match condition.and_then(|it| item.add_condition(&it)) {
                Some(admits) => admits_null &= admits,
                None => {
                    item.notes.push(format!(
                        "cannot be expressed here: {keyword}: {}",
                        shortened(&value)
                    ));
                    named.push(keyword);
                }
            }
        }
        admits_null
    }

    fn sample(
        &mut self,
        map: &Map,
        name: &str,
        kinds: &[NodeKind],
        is_any: bool,
    ) -> Result<Sampled, Failure> {
        let sampled = |item: Item| Sampled { item, said: vec![Keyword::Type], left: Vec::new() };
        let mut sampled = match kinds {
            _ if is_any => {
                return Ok(Sampled { item: Item::any(Node::Null), ..Sampled::default() });
            }
            [NodeKind::Map] => self.map(map)?,
            [NodeKind::Array] => match Keyword::Items.of(map) {
                Some(items @ (Node::Map(_) | Node::Bool(_)))
                    if !Keyword::PrefixItems.is_in(map) =>
                {
                    let mut item = self.item(items, name)?;
                    // A missing array item does not exist, so an item has no default.
                    item.annotations.retain(|it| !matches!(it, Annotation::Default(_)));
                    let item = Item { sample: Sample::Array(Box::new(item)), ..Item::default() };
                    Sampled { said: vec![Keyword::Type, Keyword::Items], ..sampled(item) }
                }
                _ => sampled(of_kinds(kinds)),
            },
            [NodeKind::Null] => sampled(of_kinds(kinds)),
            [only] => sampled(Item::of(zero(*only))),
            _ => sampled(of_kinds(kinds)),
        };
        if bare_types(map).is_some() {
            sampled.said.push(Keyword::AnyOf);
        }
        Ok(sampled)
    }

    /// Adds a default: as the sample if it is a scalar, and otherwise as an annotation.
    fn add_default(&self, default: Option<&Node>, item: &mut Item) {
        let Some(default) = default else {
            return;
        };
        let default = as_sample(default, &item.sample);
        if !item.fits(&default) {
            item.notes.push(format!("the default has another type: {}", literal(&default)));
            return;
        }
        let is_nullable = item.is_nullable();
        let is_crd = self.language == Language::Crd;
        let empty = is_crd.then(|| literal(&item.default_value()));
        let completed = literal(&item.completed(&default));
        let is_shown = match &mut item.sample {
            _ if is_nullable && default.is_null() => true,
            Sample::Value(sample) => {
                let (from, kinds) = (sample.kind(), item.kinds.clone());
                *sample = default.clone();
                !is_nullable || item.name_kinds(from, &kinds)
            }
            Sample::Array(_) => default.as_array().is_some_and(|it| it.items.is_empty()),
            Sample::Map(_) => {
                let is_empty = default.as_map().is_some_and(Map::is_empty);
                is_empty && !is_nullable || empty == Some(completed)
            }
        };
        if !is_shown {
            item.annotations.push(Annotation::Default(default.clone()));
            item.default = Some(default);
        }
    }

    /// The reason for a deprecation: from the keyword, or from the last paragraph of the
    /// description.
    fn deprecation(&self, map: &Map, description: &mut String) -> Option<String> {
        if Keyword::Deprecated.is_on(map) {
            return Some(String::new());
        }
        let (before, notice) = description.trim_end().rsplit_once("Deprecated: ")?;
        let is_paragraph = before.is_empty() || before.ends_with("\n\n");
        if self.language != Language::Crd || !is_paragraph || notice.contains('\n') {
            return None;
        }
        let notice = if notice == "do not use" { String::new() } else { notice.to_owned() };
        *description = before.trim_end().to_owned();
        Some(notice)
    }
}

/// The number of keywords and entries of the schema itself, without those of its parts.
fn n_parts(map: &Map) -> usize {
    let n_below = |node: &Node| match node {
        Node::Array(array) => array.items.len(),
        Node::Map(map) => map.len(),
        _ => 0,
    };
    map.items().iter().map(|it| 1 + n_below(&it.node)).sum()
}

fn too_large(what: &Message) -> Failure {
    let message = message!("the schema has more than {what} after its references are expanded");
    Diagnostic::error(TOO_LARGE, message).help("import one part of it with --name").into()
}

fn add_examples(map: &Map, item: &mut Item) {
    let mut examples: Vec<(String, &Node)> = Vec::new();
    if let Some(example) = Keyword::Example.of(map) {
        let about = Keyword::ExampleDescription.text(map).map(str::to_owned);
        examples.push((about.unwrap_or_default(), example));
    }
    for further in items(map, Keyword::FurtherExamples).filter_map(|it| it.node.as_map()) {
        let about = Keyword::Description.text(further).map(str::to_owned);
        examples.extend(further.get_str("value").map(|it| (about.unwrap_or_default(), it)));
    }
    let mut descriptions = items(map, Keyword::ExampleDescriptions).map(|it| it.node.as_str());
    examples.extend(items(map, Keyword::Examples).map(|it| {
        let about = descriptions.next().flatten().unwrap_or_default();
        (about.to_owned(), &it.node)
    }));
    let (fitting, others): (Vec<_>, Vec<_>) = examples
        .into_iter()
        .map(|(about, it)| (about, as_sample(it, &item.sample)))
        .partition(|(_, it)| item.fits(it));
    if !fitting.is_empty() {
        item.annotations.push(Annotation::Examples(fitting));
    }
    for (_, example) in others {
        item.notes.push(format!("the example has another type: {}", literal(&example)));
    }
}

/// The items of an array that is the value of a keyword.
fn items(map: &Map, keyword: Keyword) -> impl Iterator<Item = &ArrayItem> {
    keyword.of(map).and_then(Node::as_array).into_iter().flat_map(|it| &it.items)
}

/// A sample for a schema, and the part of the schema that it expresses.
#[derive(Default)]
pub(crate) struct Sampled {
    pub(crate) item: Item,
    /// The keywords that are expressed.
    pub(crate) said: Vec<Keyword>,
    /// Parts of these keywords that are not expressed.
    pub(crate) left: Vec<(String, Node)>,
}

/// A reference and the keywords next to it, as parts of an `allOf`.
fn conjunction(map: &Map) -> Map {
    let (references, mut own): (Vec<MapItem>, Vec<MapItem>) =
        map.items().iter().cloned().partition(|it| it.key.as_str() == Some(Keyword::Ref.name()));
    let mut parts =
        vec![ArrayItem::new(Node::map(Map::new(references, Origin::Unknown)), Origin::Unknown)];
    own.retain(|it| {
        let more = it.node.as_array().filter(|_| it.key.as_str() == Some(Keyword::AllOf.name()));
        parts.extend(more.into_iter().flat_map(|it| it.items.iter().cloned()));
        more.is_none()
    });
    let parts = Node::array(Array::new(parts, Origin::Unknown));
    own.push(MapItem::new(Keyword::AllOf.name().into(), parts, Origin::Unknown));
    Map::new(own, map.origin)
}

/// Whether a value may be given, but not shown.
fn is_secret(map: &Map) -> bool {
    Keyword::WriteOnly.is_on(map) || Keyword::Format.text(map) == Some(PASSWORD)
}

/// The keywords that neither a rule nor the sample expresses.
fn unsaid(map: &Map, subject: RuleTarget<'_>, said: &[Keyword]) -> Vec<(String, Node)> {
    let entries = map.items().iter().filter(|entry| {
        let keyword = entry.key.as_str().unwrap_or_default();
        let known = Keyword::of_name(keyword);
        let is_default = match (known, &entry.node) {
            (Some(Keyword::ReadOnly), Node::Bool(false))
            | (Some(Keyword::WriteOnly), Node::Bool(_))
            | (Some(Keyword::AdditionalProperties), Node::Bool(true))
            | (Some(Keyword::PreserveUnknownFields), _) => true,
            (Some(Keyword::ListType), node) => matches!(node.as_str(), Some("atomic" | "set")),
            (Some(Keyword::AllOf), Node::Array(parts)) => parts.items.iter().all(has_rules_alone),
            _ => false,
        };
        let is_said = is_default || known.is_some_and(|it| said.contains(&it)) || is_rule(keyword);
        !is_said && !is_annotation(keyword) && subject.is_about(keyword)
    });
    entries.filter_map(|it| Some((it.key.as_str()?.to_owned(), it.node.clone()))).collect()
}

/// Whether the allowed values are listed and do not include null.
fn has_choices_without_null(map: &Map) -> bool {
    let choices = Keyword::Enum.of(map).and_then(Node::as_array);
    choices.is_some_and(|it| !it.items.iter().any(|it| it.node.is_null()))
        || Keyword::Const.of(map).is_some_and(|it| !it.is_null())
}

/// A node that accepts no value.
fn never() -> Item {
    let mut item = Item::any(Node::Null);
    item.forbid_null();
    item.add_condition("false");
    item
}

pub(crate) fn noted(mut item: Item, note: &str) -> Item {
    item.notes.push(note.to_owned());
    item
}
