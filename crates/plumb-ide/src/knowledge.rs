//! The results of the last run of each target of a project.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use plumb::Options;
use plumb::types::{Field, Schema, Type, masked};
use plumb_value::{Document, Node};

use crate::data_path::Step;
use crate::rendered::Output;

/// What is known about the targets of a project. After a run with errors, parts of an earlier run
/// are kept.
#[derive(Clone, Debug, Default)]
pub struct Knowledge {
    /// The targets, in the order of the project file.
    pub targets: Vec<TargetKnowledge>,
}

/// What is known about one target.
#[derive(Clone, Debug, Default)]
pub struct TargetKnowledge {
    /// The name of the target. The only one of a directory without a project file is `default`.
    pub name: String,
    /// The files that it read.
    pub reads: Vec<PathBuf>,
    /// The plain files of data values among them.
    pub(crate) values_files: Vec<PathBuf>,
    pub(crate) schema: Option<Schema>,
    pub(crate) values: Option<Document>,
    /// The options of the target, if they name schemas of Kubernetes.
    pub(crate) kube_options: Option<Arc<Options>>,
    /// The last output.
    pub(crate) output: Option<Arc<Output>>,
}

impl Knowledge {
    /// The declared field of a data value, in the first target that has one.
    pub(crate) fn field(&self, path: &[Step]) -> Option<&Field> {
        self.targets.iter().find_map(|it| field(it.schema.as_ref()?.root(), path))
    }

    /// The value of a data value in each target that has one.
    pub(crate) fn values(&self, path: &[Step]) -> Vec<(&str, &Node)> {
        let targets = self.targets.iter();
        targets
            .filter_map(|it| Some((it.name.as_str(), value_at(&it.values.as_ref()?.node, path)?)))
            .collect()
    }

    /// The data values of all targets that their schemas mark as secret, as text.
    pub(crate) fn secrets(&self) -> Vec<String> {
        let mut secrets = Vec::new();
        for target in &self.targets {
            let (Some(schema), Some(values)) = (&target.schema, &target.values) else { continue };
            add_hidden(&values.node, &masked(schema.root(), &values.node), &mut secrets);
        }
        secrets
    }

    /// Whether a file is a plain file of data values in any target.
    pub(crate) fn is_values_file(&self, path: &Path) -> bool {
        self.targets.iter().flat_map(|it| &it.values_files).any(|it| it == path)
    }

    /// All files that the targets read, each once.
    pub(crate) fn files(&self) -> Vec<&PathBuf> {
        let mut files: Vec<&PathBuf> = self.targets.iter().flat_map(|it| &it.reads).collect();
        files.sort();
        files.dedup();
        files
    }
}

/// Converts keys to steps.
pub(crate) fn steps(keys: &[String]) -> Vec<Step> {
    keys.iter().map(|it| Step::Key(it.clone())).collect()
}

/// Adds the scalars of a node that differ from its masked copy.
fn add_hidden(node: &Node, masked: &Node, to: &mut Vec<String>) {
    match (node, masked) {
        (Node::Map(map), Node::Map(other)) => {
            let pairs = map.items().iter().zip(other.items());
            pairs.for_each(|(it, other)| add_hidden(&it.node, &other.node, to));
        }
        (Node::Array(array), Node::Array(other)) => {
            let pairs = array.items.iter().zip(&other.items);
            pairs.for_each(|(it, other)| add_hidden(&it.node, &other.node, to));
        }
        _ => {
            let (text, shown_text) = (shown(node), shown(masked));
            if text != shown_text && !text.is_empty() {
                to.push(text);
            }
        }
    }
}

fn field<'a>(root: &'a Field, path: &[Step]) -> Option<&'a Field> {
    let mut here = root;
    for step in path {
        here = match (step, &here.ty) {
            (Step::Key(key), Type::Map(map)) => {
                map.entries().find(|it| it.0.as_str() == Some(key))?.1
            }
            (Step::Item, Type::Array(array)) => &array.item,
            _ => return None,
        };
    }
    Some(here)
}

fn value_at<'a>(root: &'a Node, path: &[Step]) -> Option<&'a Node> {
    let mut here = root;
    for step in path {
        here = match step {
            Step::Key(key) => here.as_map()?.get_str(key)?,
            Step::Item => &here.as_array()?.items.first()?.node,
        };
    }
    Some(here)
}

/// The name of a type, as the author of a schema knows it.
pub(crate) fn type_name(field: &Field) -> String {
    use plumb::types::Scalar;
    let name = match &field.ty {
        Type::Scalar(Scalar::Boolean) => "boolean".to_owned(),
        Type::Scalar(Scalar::Integer) => "integer".to_owned(),
        Type::Scalar(Scalar::Float) => "float".to_owned(),
        Type::Scalar(Scalar::String) => "string".to_owned(),
        Type::Map(_) => "map".to_owned(),
        Type::Array(array) => format!("array of {}", type_name(&array.item)),
        Type::Kinds(kinds) => {
            let kinds: Vec<String> = kinds.iter().map(ToString::to_string).collect();
            kinds.join(" or ")
        }
        Type::Choice(choice) => {
            let names: Vec<String> = choice.alternatives.iter().map(type_name).collect();
            names.join(" or ")
        }
        Type::Any => "any".to_owned(),
    };
    if field.is_nullable { format!("{name} or null") } else { name }
}

/// A value as YAML, on one line if it is short.
pub(crate) fn shown(node: &Node) -> String {
    let document = Document::new(node.clone(), plumb_source::Origin::Unknown);
    let text = plumb::print::yaml([&document]);
    let text = String::from_utf8_lossy(&text).trim_end().to_owned();
    if text.is_empty() { "null".to_owned() } else { text }
}
