//! A schema of others as a sample with annotations.

use std::collections::HashMap;
use std::rc::Rc;

use plumb_diagnostic::{Diagnostic, Failure};
use plumb_value::{Map, Node, NodeKind};

use crate::alternatives::{add_combinations, without_null_part};
use crate::annotation::Annotation;
use crate::item::{Item, Kinds, Sample};
use crate::keys::{add_notes, with};
use crate::literal::literal;
use crate::origin::{Found, Language, TOO_LARGE};
use crate::presence;
use crate::reference::resolve;
use crate::rules::{Subject, rules, text};
use crate::types::{Types, as_sample, of_kinds, zero};

/// The most nodes that are written.
const MOST_ITEMS: usize = 200_000;

/// The most keywords and parts of keywords that are looked at.
const MOST_WORK: usize = 20_000_000;

/// The most bytes of texts among them: descriptions, rules, defaults.
const MOST_BYTES: usize = 16 << 20;

/// References within references.
const MOST_DEPTH: usize = 400;

/// What a schema comes to.
#[derive(Debug)]
pub(crate) struct Imported {
    pub(crate) root: Item,
    /// Alternatives that annotations refer to, by their names.
    pub(crate) fragments: Vec<(String, Rc<Item>)>,
}

pub(crate) fn convert(found: &Found<'_>) -> Result<Imported, Failure> {
    let mut converter = Converter {
        document: found.document,
        language: found.language,
        fragments: Vec::new(),
        n_named: HashMap::new(),
        followed: Vec::new(),
        depth: 0,
        n_items: 0,
        n_bytes: 0,
        n_seen: 0,
    };
    let mut root = converter.item(found.schema, "root")?;
    // Its keys can be, but not the document itself.
    let n_annotations = root.annotations.len();
    root.annotations.retain(|it| !matches!(it, Annotation::Deprecated(_)));
    if root.annotations.len() < n_annotations {
        root.notes.push("deprecated as a whole".to_owned());
    }
    Ok(Imported { root, fragments: converter.fragments })
}

pub(crate) struct Converter<'a> {
    document: &'a Node,
    pub(crate) language: Language,
    pub(crate) fragments: Vec<(String, Rc<Item>)>,
    /// How many fragments are named after a word.
    pub(crate) n_named: HashMap<String, usize>,
    /// References on the way here.
    followed: Vec<String>,
    depth: usize,
    n_items: usize,
    n_bytes: usize,
    n_seen: usize,
}

impl Converter<'_> {
    /// What a schema says, for the key `name`.
    pub(crate) fn item(&mut self, schema: &Node, name: &str) -> Result<Item, Failure> {
        self.n_items += 1;
        if self.n_items > MOST_ITEMS {
            return Err(too_large(&format!("{MOST_ITEMS} nodes")));
        }
        let map = match schema {
            Node::Map(map) => map,
            Node::Bool(false) => return Ok(noted(Item::any(Node::Null), "no value is valid here")),
            _ => return Ok(Item::any(Node::Null)),
        };
        self.n_seen += n_parts(map);
        if self.n_seen > MOST_WORK {
            return Err(too_large(&format!("{MOST_WORK} keywords")));
        }
        if self.depth >= MOST_DEPTH {
            return Ok(noted(Item::any(Node::Null), "what is below is left out: it is too deep"));
        }
        self.depth += 1;
        let item = match map.get_str("$ref").and_then(Node::as_str) {
            Some(reference) => self.reference(map, reference, name),
            None => self.schema(map, name),
        };
        self.depth -= 1;
        let item = item?;
        self.n_bytes += name.len() + item.n_bytes();
        if self.n_bytes > MOST_BYTES {
            return Err(too_large(&format!("{} MiB of texts", MOST_BYTES >> 20)));
        }
        Ok(item)
    }

    pub(crate) fn resolved(&self, reference: &str) -> Option<&Node> {
        resolve(self.document, reference)
    }

    /// A reference, with what is said beside it.
    fn reference(&mut self, map: &Map, reference: &str, name: &str) -> Result<Item, Failure> {
        if self.followed.iter().any(|it| it == reference) {
            let note = format!("recursive: {reference} again, of any type here");
            return Ok(noted(Item::any(Node::Null), &note));
        }
        let Some(target) = resolve(self.document, reference) else {
            let note = format!("of any type here: {reference} is not in this file");
            return Ok(noted(Item::any(Node::Null), &note));
        };
        self.followed.push(reference.to_owned());
        let own = map.items().iter().filter(|it| it.key.as_str() != Some("$ref"));
        let item = match target.as_map() {
            Some(target) if map.len() > 1 => {
                self.item(&Node::map(with(target, own.cloned().collect())), name)
            }
            _ => self.item(target, name),
        };
        self.followed.pop();
        item
    }

    fn schema(&mut self, map: &Map, name: &str) -> Result<Item, Failure> {
        let whole = without_null_part(map);
        let map = whole.as_ref().unwrap_or(map);
        let whole = self.merged(map);
        let map = whole.as_ref().unwrap_or(map);
        let whole = presence::as_rules(map);
        let map = whole.as_ref().unwrap_or(map);
        let Types { kinds, is_nullable, is_any } = Types::of(map);
        let subject = Subject { kinds: &kinds, is_nullable, dialect: self.language.dialect() };
        let mut rules = rules(map, subject);
        let deprecation = self.deprecation(map, &mut rules.description);
        let mut item = match self.alternatives(map, name)? {
            Some(item) => item,
            None => self.sample(map, name, &kinds, is_any)?,
        };
        item.notes.extend(rules.notes);
        item.rules.extend(rules.arguments);
        if !matches!(item.kinds, Kinds::Choice(..)) {
            add_combinations(map, &mut item);
        }
        let forbids_null = item.has_rule("not_null");
        let default = map.get_str("default");
        let is_nullable = match item.kinds {
            // Its types are those that rules leave of the alternatives'.
            Kinds::Choice(..) => matches!(map.get_str("nullable"), Some(Node::Bool(true))),
            _ => is_nullable && !is_any,
        };
        let is_null_at_first = forbids_null && default.is_some_and(Node::is_null);
        if is_nullable || is_null_at_first {
            item.let_null_be();
        }
        self.add_default(default, &mut item);
        let docs = [
            text(map, "title").map(|it| Annotation::Title(it.to_string())),
            Some(rules.description).filter(|it| !it.is_empty()).map(Annotation::Description),
            deprecation.map(Annotation::Deprecated),
        ];
        item.annotations.extend(docs.into_iter().flatten());
        add_examples(map, &mut item);
        add_notes(map, &mut item);
        Ok(item)
    }

    fn sample(
        &mut self,
        map: &Map,
        name: &str,
        kinds: &[NodeKind],
        is_any: bool,
    ) -> Result<Item, Failure> {
        Ok(match kinds {
            _ if is_any => Item::any(Node::Null),
            [NodeKind::Map] => self.map(map)?,
            [NodeKind::Array] => match map.get_str("items") {
                Some(items @ (Node::Map(_) | Node::Bool(_))) => {
                    let mut item = self.item(items, name)?;
                    // What no one gives is not an item.
                    item.annotations.retain(|it| !matches!(it, Annotation::Default(_)));
                    Item { sample: Sample::Array(Box::new(item)), ..Item::default() }
                }
                Some(_) => noted(of_kinds(kinds), "the type of each item by its place"),
                None => of_kinds(kinds),
            },
            [only] => Item::of(zero(*only)),
            _ => of_kinds(kinds),
        })
    }

    /// A default: shown by the sample where that is a scalar, and by an annotation elsewhere.
    fn add_default(&self, default: Option<&Node>, item: &mut Item) {
        let Some(default) = default else {
            return;
        };
        let default = as_sample(default, &item.sample);
        if !item.fits(&default) {
            item.notes.push(format!("not of its type: default: {}", literal(&default)));
            return;
        }
        let is_nullable = item.is_nullable();
        let is_crd = self.language == Language::Crd;
        let told = is_crd.then(|| literal(&item.default_value()));
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
                is_empty && !is_nullable || told == Some(completed)
            }
        };
        if !is_shown {
            item.annotations.push(Annotation::Default(default.clone()));
            item.default = Some(default);
        }
    }

    /// Why a value should no longer be used: by keyword, or as the last paragraph.
    fn deprecation(&self, map: &Map, description: &mut String) -> Option<String> {
        if let Some(Node::Bool(true)) = map.get_str("deprecated") {
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

/// How much there is to look at in a schema itself, without what its parts hold.
fn n_parts(map: &Map) -> usize {
    let n_below = |node: &Node| match node {
        Node::Array(array) => array.items.len(),
        Node::Map(map) => map.len(),
        _ => 0,
    };
    map.items().iter().map(|it| 1 + n_below(&it.node)).sum()
}

fn too_large(what: &str) -> Failure {
    let message = format!("the schema has more than {what}, references followed");
    Diagnostic::error(TOO_LARGE, message).help("import a part of it").into()
}

fn add_examples(map: &Map, item: &mut Item) {
    let mut examples: Vec<(String, &Node)> = Vec::new();
    if let Some(example) = map.get_str("example") {
        let about = text(map, "x-example-description").map(|it| it.to_string());
        examples.push((about.unwrap_or_default(), example));
    }
    let several = map.get_str("examples").and_then(Node::as_array);
    examples
        .extend(several.into_iter().flat_map(|it| &it.items).map(|it| (String::new(), &it.node)));
    let (fitting, others): (Vec<_>, Vec<_>) = examples
        .into_iter()
        .map(|(about, it)| (about, as_sample(it, &item.sample)))
        .partition(|(_, it)| item.fits(it));
    if !fitting.is_empty() {
        item.annotations.push(Annotation::Examples(fitting));
    }
    for (_, example) in others {
        item.notes.push(format!("not of its type: example: {}", literal(&example)));
    }
}

pub(crate) fn noted(mut item: Item, note: &str) -> Item {
    item.notes.push(note.to_owned());
    item
}
