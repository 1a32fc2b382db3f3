//! Finds the value of the chart that a value of the output comes from.
//!
//! A value is replaced only if its origin is certain: it must occur once among the values that the
//! template reads, and it must be unusual or have a similar key. If several values are possible, a
//! comment names them.

use std::collections::{HashMap, HashSet};

use plumb_value::Node;

use super::name::{expression, is_alike, n_same_at_end, quoted};
use super::release::Release;
use super::same::{Hashed, is_identical};
use super::scan::Scanned;

/// Shorter texts are too common to be recognized without other evidence.
const UNUSUAL_LENGTH: usize = 4;

/// Smaller integers are too common.
const UNUSUAL_NUMBER: i64 = 1000;

/// Texts that are common in resources and independent of the values.
const USUAL: [&str; 19] = [
    "true",
    "false",
    "http",
    "https",
    "grpc",
    "name",
    "default",
    "Always",
    "IfNotPresent",
    "Never",
    "ClusterIP",
    "NodePort",
    "LoadBalancer",
    "None",
    "RollingUpdate",
    "Recreate",
    "Prefix",
    "Exact",
    "RuntimeDefault",
];

/// What is written for a value.
#[derive(Debug)]
pub(crate) enum Rewriting {
    /// The value itself.
    Literal,
    /// An expression of data values.
    Expression(String),
    /// The value itself, because several expressions are possible.
    Unsure(Vec<String>),
}

/// The values that the output may come from.
pub(crate) struct Places<'a> {
    candidates: HashMap<u64, Vec<Candidate<'a>>>,
    /// References to images, which charts compose from several values.
    images: HashMap<String, Vec<Image<'a>>>,
    release: Option<(&'a Release, &'static str)>,
    used: HashSet<Vec<&'a str>>,
}

#[derive(Clone, Debug)]
struct Candidate<'a> {
    path: Vec<&'a str>,
    node: &'a Node,
}

#[derive(Debug)]
struct Image<'a> {
    expression: String,
    paths: Vec<Vec<&'a str>>,
}

impl<'a> Places<'a> {
    pub(crate) fn of(
        values: &'a Node,
        release: Option<&'a Release>,
        version: Option<&str>,
    ) -> Self {
        let mut places = Self {
            candidates: HashMap::new(),
            images: HashMap::new(),
            release: release.and_then(|it| Some((it, it.found_in(values)?))),
            used: HashSet::new(),
        };
        places.add(values, &Hashed::of(values), &mut Vec::new(), version);
        places
    }

    /// The paths of the values that expressions refer to.
    pub(crate) fn used(&self) -> &HashSet<Vec<&'a str>> {
        &self.used
    }

    fn add(
        &mut self,
        node: &'a Node,
        hashed: &Hashed,
        path: &mut Vec<&'a str>,
        version: Option<&str>,
    ) {
        if !path.is_empty() && !is_trivial(node) {
            let candidate = Candidate { path: path.clone(), node };
            self.candidates.entry(hashed.hash).or_default().push(candidate);
        }
        let Node::Map(map) = node else {
            return;
        };
        self.add_image(node, path, version);
        let is_release = |key: &str| self.release.is_some_and(|(_, it)| it == key);
        let is_root = path.is_empty();
        let below: Vec<_> = map
            .items()
            .iter()
            .zip(&hashed.children)
            .filter_map(|(item, hashed)| Some((item.key.as_str()?, &item.node, hashed)))
            .filter(|(key, ..)| !(is_root && is_release(key)))
            .collect();
        for (key, child, hashed) in below {
            path.push(key);
            self.add(child, hashed, path, version);
            path.pop();
        }
    }

    /// Adds the image that the keys `registry`, `repository` and `tag` of a map describe. Without a
    /// tag, charts use the version of the application.
    fn add_image(&mut self, node: &'a Node, path: &[&'a str], version: Option<&str>) {
        let text = |key: &str| super::text_at(node, &[key]);
        let Some(repository) = text("repository").filter(|it| !it.is_empty()) else {
            return;
        };
        let of = |key: &'static str| -> (String, Vec<&'a str>) {
            let path: Vec<&str> = path.iter().copied().chain([key]).collect();
            (expression(&path), path)
        };
        let (mut whole, (mut code, used)) = (repository.to_owned(), of("repository"));
        let mut paths = vec![used];
        if let Some(registry) = text("registry").filter(|it| !it.is_empty()) {
            let (expression, used) = of("registry");
            whole = format!("{registry}/{whole}");
            code = format!("{expression} + \"/\" + {code}");
            paths.push(used);
        }
        let tag = match (text("tag"), version) {
            (Some(""), Some(version)) => {
                Some((version, format!("({} or {})", of("tag").0, quoted(version))))
            }
            (Some(tag), _) if !tag.is_empty() => Some((tag, of("tag").0)),
            _ => None,
        };
        let Some((tag, tag_code)) = tag else {
            return;
        };
        paths.push(of("tag").1);
        let image = Image { expression: format!("{code} + \":\" + {tag_code}"), paths };
        self.images.entry(format!("{whole}:{tag}")).or_default().push(image);
    }

    /// Finds the origin of a node of the output. `keys` are its keys in the output. `readers` are
    /// the Helm template that printed it and its helpers, if they are known.
    pub(crate) fn place(
        &mut self,
        node: &Node,
        hash: u64,
        keys: &[&str],
        readers: &[&Scanned<'_>],
    ) -> Rewriting {
        if is_trivial(node) {
            return Rewriting::Literal;
        }
        let key = keys.last().copied().unwrap_or_default();
        let may_read =
            |path: &[&str]| readers.is_empty() || readers.iter().any(|it| it.may_read(path));
        let found = self.candidates.get(&hash).map_or(&[][..], Vec::as_slice);
        let found: Vec<&Candidate<'_>> =
            found.iter().filter(|it| may_read(&it.path) && is_identical(it.node, node)).collect();
        if let Some((expression, path)) = self.of_release(node, key) {
            if found.iter().any(|it| is_alike(it.path.last().unwrap_or(&""), key)) {
                let others = found.iter().map(|it| self::expression(&it.path));
                return Rewriting::Unsure([expression].into_iter().chain(others).collect());
            }
            self.used.insert(path);
            return Rewriting::Expression(expression);
        }
        let images = node.as_str().and_then(|it| self.images.get(it));
        let images: Vec<&Image<'_>> = images
            .into_iter()
            .flatten()
            .filter(|it| it.paths.iter().any(|it| may_read(it)))
            .collect();
        match images.as_slice() {
            [] => {}
            [image] => {
                self.used.extend(image.paths.iter().cloned());
                return Rewriting::Expression(image.expression.clone());
            }
            several => {
                return Rewriting::Unsure(several.iter().map(|it| it.expression.clone()).collect());
            }
        }
        let chosen = match found.as_slice() {
            [] => return Rewriting::Literal,
            [only] => (is_unusual(node) || is_alike(only.path.last().unwrap_or(&""), key))
                .then(|| only.path.clone()),
            several => most_alike(several, keys, key),
        };
        match chosen {
            Some(path) => {
                let expression = expression(&path);
                self.used.insert(path);
                Rewriting::Expression(expression)
            }
            None if found.len() > 1 && is_unusual(node) => {
                Rewriting::Unsure(found.iter().map(|it| expression(&it.path)).collect())
            }
            None => Rewriting::Literal,
        }
    }

    /// Finds the origin of a node if only the release is known.
    pub(crate) fn place_of_release(&mut self, node: &Node, keys: &[&str]) -> Rewriting {
        let key = keys.last().copied().unwrap_or_default();
        match self.of_release(node, key) {
            Some((expression, path)) => {
                self.used.insert(path);
                Rewriting::Expression(expression)
            }
            None => Rewriting::Literal,
        }
    }

    fn of_release(&self, node: &Node, key: &str) -> Option<(String, Vec<&'a str>)> {
        let (release, top) = self.release?;
        let (part, rest) = release.part(node.as_str()?, key)?;
        let path = vec![top, part];
        let value = expression(&path);
        let whole = if rest.is_empty() { value } else { format!("{value} + {}", quoted(rest)) };
        Some((whole, path))
    }
}

/// The candidate whose path is most similar to the path in the output, if there is exactly one.
fn most_alike<'a>(several: &[&Candidate<'a>], keys: &[&str], key: &str) -> Option<Vec<&'a str>> {
    let n_same = |it: &&&Candidate<'_>| n_same_at_end(&it.path, keys);
    let most = several.iter().map(|it| n_same(&it)).max().unwrap_or_default();
    let is_alike = |it: &&&Candidate<'_>| match most {
        0 => is_alike(it.path.last().unwrap_or(&""), key),
        _ => n_same(it) == most,
    };
    let mut alike = several.iter().filter(is_alike);
    let first = alike.next()?;
    alike.next().is_none().then(|| first.path.clone())
}

/// Whether a value is too common to find out where it comes from.
fn is_trivial(node: &Node) -> bool {
    match node {
        Node::Null | Node::Bool(_) => true,
        Node::String(text) => text.is_empty(),
        Node::Map(map) => map.is_empty(),
        Node::Array(array) => array.items.is_empty(),
        Node::Int(_) | Node::UInt(_) | Node::Float(_) => false,
    }
}

/// Whether a value is unlikely to occur twice by chance.
fn is_unusual(node: &Node) -> bool {
    match node {
        Node::Null | Node::Bool(_) => false,
        Node::Int(number) => number.abs() >= UNUSUAL_NUMBER,
        Node::UInt(_) => true,
        Node::Float(number) => number.fract() != 0.0,
        Node::String(text) => {
            text.len() >= UNUSUAL_LENGTH && text.as_str().is_some_and(|it| !USUAL.contains(&it))
        }
        Node::Map(_) | Node::Array(_) => {
            node.descendants().any(|(_, it)| !it.is_collection() && is_unusual(it))
        }
    }
}
