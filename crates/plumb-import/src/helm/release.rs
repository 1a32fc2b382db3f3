//! The name and the namespace of the release in the output of Helm.

use std::collections::{BTreeMap, HashSet};

use plumb_source::Origin;
use plumb_value::{Map, MapItem, Node};

use super::output::Output;
use super::text_at;

/// Labels whose value is the name of the release.
const LABELS: [&str; 2] = ["app.kubernetes.io/instance", "release"];

/// What the documents reveal about the release.
#[derive(Debug)]
pub(crate) struct Release {
    name: Option<String>,
    namespace: Option<String>,
    /// The names of objects that begin with the name of the release.
    objects: HashSet<String>,
}

impl Release {
    /// Returns `None` if neither the name nor the namespace is known.
    pub(crate) fn of(output: &Output<'_>, given: Option<&str>) -> Option<Self> {
        let mut labels: BTreeMap<&str, usize> = BTreeMap::new();
        let mut namespaces = HashSet::new();
        for document in output.documents() {
            let label =
                LABELS.iter().find_map(|it| text_at(&document.node, &["metadata", "labels", it]));
            if let Some(label) = label {
                *labels.entry(label).or_default() += 1;
            }
            namespaces.extend(text_at(&document.node, &["metadata", "namespace"]));
        }
        let found = labels.iter().max_by_key(|it| *it.1).map(|it| *it.0);
        let name = given.or(found).filter(|it| !it.is_empty()).map(str::to_owned);
        let mut namespaces = namespaces.into_iter();
        let namespace = namespaces.next().filter(|_| namespaces.next().is_none());
        let names = output.documents().filter_map(|it| text_at(&it.node, &["metadata", "name"]));
        let is_prefixed = |it: &&str| name.as_deref().is_some_and(|name| after(it, name).is_some());
        let objects = names.filter(is_prefixed).map(str::to_owned).collect();
        let namespace = namespace.map(str::to_owned);
        (name.is_some() || namespace.is_some()).then_some(Self { name, namespace, objects })
    }

    /// The values that are added to those of the chart: an unused key, and its values.
    pub(crate) fn values(&self, taken: &Map) -> (&'static str, Node) {
        let entry = |key: &str, text: &Option<String>| {
            let text = text.as_deref()?;
            Some(MapItem::new(key.into(), text.into(), Origin::Unknown))
        };
        let items = [entry("name", &self.name), entry("namespace", &self.namespace)];
        let map = Map::new(items.into_iter().flatten().collect(), Origin::Unknown);
        (self.key(taken), Node::map(map))
    }

    /// The key of the values of the release.
    fn key(&self, taken: &Map) -> &'static str {
        let is_ours = |node: &Node| {
            let is = |key: &str, text: &Option<String>| text_at(node, &[key]) == text.as_deref();
            is("name", &self.name) && is("namespace", &self.namespace)
        };
        let is_free = |it: &&&str| taken.get_str(it).is_none_or(is_ours);
        ["release", "helmRelease"].iter().find(is_free).copied().unwrap_or("helmReleaseOfChart")
    }

    /// The value of the release at the start of a text, and the rest of the text. `key` is the key
    /// of the text.
    pub(crate) fn part<'a>(&self, text: &'a str, key: &str) -> Option<(&'static str, &'a str)> {
        if key == "namespace" && self.namespace.as_deref() == Some(text) {
            return Some(("namespace", ""));
        }
        let name = self.name.as_deref()?;
        let is_label = LABELS.contains(&key) && text == name;
        let rest = after(text, name).filter(|_| is_label || self.objects.contains(text))?;
        Some(("name", rest))
    }

    /// The key of the values of the release, among all values.
    pub(crate) fn found_in(&self, values: &Node) -> Option<&'static str> {
        Some(self.key(values.as_map()?))
    }
}

/// The text after the name of the release in the name of an object.
fn after<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    let rest = text.strip_prefix(name)?;
    (rest.is_empty() || rest.starts_with('-')).then_some(rest)
}
