//! Evaluations of libraries. Each is cached for requests with the same input.
//!
//! The result of a library depends on its files, its options, and the layers that are merged into
//! its schema and its values. Two layers are the same if they are the same object, or if they have
//! no annotations and are equal, including all origins: no difference would be visible. An
//! evaluation that printed something is not cached, because it would have to print again.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::{Arc, Mutex, OnceLock};

use plumb_diagnostic::{Failure, Failures};
use plumb_source::Origin;
use plumb_template::Traces;
use plumb_value::{Document, Meta, Node};

use crate::environment::{ModuleSource, Visible};
use crate::layer::Layer;
use crate::library::{Library, Split};
use crate::render::{Rendered, render};
use crate::run::{LibraryOptions, Run};
use crate::tree::DirectoryId;
use crate::{declared, schema, values};

/// The input of an evaluation.
pub(crate) struct Input {
    pub(crate) root: DirectoryId,
    pub(crate) options: LibraryOptions,
    /// The schemas for the library itself, and for inner libraries.
    pub(crate) schemas: [Vec<Layer>; 2],
    pub(crate) values: [Vec<Layer>; 2],
}

/// A library whose data values are known. It is rendered on first use.
pub(crate) struct Evaluation {
    library: Library,
    pub(crate) values: Document,
    inner_values: Vec<Layer>,
    inner_schemas: Vec<Layer>,
    rendered: OnceLock<(Arc<Rendered>, Traces)>,
}

/// The evaluations of a run, by a hash of their input.
#[derive(Default)]
pub(crate) struct Evaluations(Mutex<HashMap<u64, Vec<Kept>>>);

struct Kept {
    input: Input,
    evaluation: Arc<Evaluation>,
    traces: Traces,
}

impl Evaluation {
    fn new(run: &Arc<Run>, modules: &Arc<ModuleSource>, input: &Input) -> Result<Self, Failure> {
        let (run, modules) = (Arc::clone(run), Arc::clone(modules));
        let library = Library::new(run, modules, input.root, input.options);
        let mut failures = Failures::default();
        declared::check_files(&library, &mut failures);
        let [own_schemas, inner_schemas] = input.schemas.clone();
        let schema = schema::schema(&library, own_schemas, &mut failures);
        let [own_values, inner_values] = input.values.clone();
        let (late, early): (Vec<_>, Vec<_>) =
            own_values.into_iter().partition(|layer| layer.is_after_library_module);
        let own_schema = schema.as_ref().map(|it| &it.own);
        let overlays = [early, late].concat();
        let values = values::values(&library, own_schema, overlays, true, &mut failures);
        failures.into_result()?;
        let (Some(schema), Some(values)) = (schema, values) else {
            return Err(Failure::consequence());
        };
        let inner_schemas = [schema.inner, inner_schemas].concat();
        let Split { own: values, inner } = values;
        let inner_values = [inner, inner_values].concat();
        Ok(Self { library, values, inner_values, inner_schemas, rendered: OnceLock::new() })
    }

    /// Returns the output of the library. The rules of its documents were checked, or skipped on
    /// request. They are not checked again as part of the caller's output.
    pub(crate) fn rendered(&self) -> Result<Arc<Rendered>, Failure> {
        let runtime = &self.library.run().runtime;
        if let Some((rendered, traces)) = self.rendered.get() {
            runtime.leave(*traces);
            return Ok(Arc::clone(rendered));
        }
        let before = runtime.traces();
        let visible = Visible {
            values: Some(self.values.node.clone()),
            library_values: self.inner_values.clone(),
            library_schemas: self.inner_schemas.clone(),
        };
        let mut failures = Failures::default();
        let rendered = render(&self.library, visible, &mut failures);
        failures.into_result()?;
        let mut rendered = rendered.ok_or_else(Failure::consequence)?;
        let documents = rendered.files.iter_mut().flat_map(|file| &mut file.documents);
        documents.for_each(plumb_validation::drop_rules);
        let rendered = Arc::new(rendered);
        if let Some(traces) = runtime.unseen_since(before) {
            // Another thread may have been faster. Its result is the same.
            self.rendered.get_or_init(|| (Arc::clone(&rendered), traces));
        }
        Ok(rendered)
    }
}

impl Evaluations {
    /// Returns the evaluation for an input: a cached one, or a new one.
    pub(crate) fn evaluation(
        &self,
        run: &Arc<Run>,
        modules: &Arc<ModuleSource>,
        input: Input,
    ) -> Result<Arc<Evaluation>, Failure> {
        let number = input.number();
        if let Some(kept) = self.find(number, &input) {
            run.runtime.leave(kept.1);
            return Ok(kept.0);
        }
        let before = run.runtime.traces();
        let evaluation = Arc::new(Evaluation::new(run, modules, &input)?);
        if let Some(traces) = run.runtime.unseen_since(before) {
            let kept = Kept { input, evaluation: Arc::clone(&evaluation), traces };
            self.lock().entry(number).or_default().push(kept);
        }
        Ok(evaluation)
    }

    fn find(&self, number: u64, input: &Input) -> Option<(Arc<Evaluation>, Traces)> {
        let all = self.lock();
        let kept = all.get(&number)?.iter().find(|it| it.input.is_equivalent(input))?;
        Some((Arc::clone(&kept.evaluation), kept.traces))
    }

    /// Removes all evaluations at the end of the run.
    pub(crate) fn clear(&self) {
        let evaluations = std::mem::take(&mut *self.lock());
        drop(evaluations);
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, HashMap<u64, Vec<Kept>>> {
        self.0.lock().expect("no holder of this lock panics")
    }
}

impl Input {
    fn layers(&self) -> impl Iterator<Item = &[Layer]> {
        self.schemas.iter().chain(&self.values).map(Vec::as_slice)
    }

    fn number(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        (self.root, self.options).hash(&mut hasher);
        for layers in self.layers() {
            hasher.write_usize(layers.len());
            for layer in layers {
                hash_node(&layer.document.node, &mut hasher);
            }
        }
        hasher.finish()
    }

    fn is_equivalent(&self, other: &Self) -> bool {
        let pairs = self.layers().zip(other.layers());
        self.root == other.root
            && self.options == other.options
            && pairs.into_iter().all(|(one, other)| {
                one.len() == other.len()
                    && one.iter().zip(other).all(|(one, other)| is_same_layer(one, other))
            })
    }
}

fn is_same_layer(one: &Layer, other: &Layer) -> bool {
    let (left, right) = (&one.document, &other.document);
    one.is_laid_like(other)
        && left.origin == right.origin
        && (left.node.is_same_object(&right.node)
            || is_bare(&left.meta)
                && is_bare(&right.meta)
                && has_same_parts(&left.node, &right.node))
}

fn is_bare(meta: &Meta) -> bool {
    meta.annotations().is_empty()
}

/// Returns whether two nodes are equal, come from the same places, and have no annotations.
fn has_same_parts(left: &Node, right: &Node) -> bool {
    let item = |one: (&Meta, Origin, &Node), other: (&Meta, Origin, &Node)| {
        is_bare(one.0) && is_bare(other.0) && one.1 == other.1 && has_same_parts(one.2, other.2)
    };
    match (left, right) {
        (Node::Map(left), Node::Map(right)) => {
            left.origin == right.origin
                && left.len() == right.len()
                && left.items().iter().zip(right.items()).all(|(left, right)| {
                    has_same_parts(&left.key, &right.key)
                        && item(
                            (&left.meta, left.origin, &left.node),
                            (&right.meta, right.origin, &right.node),
                        )
                })
        }
        (Node::Array(left), Node::Array(right)) => {
            left.origin == right.origin
                && left.items.len() == right.items.len()
                && left.items.iter().zip(&right.items).all(|(left, right)| {
                    item(
                        (&left.meta, left.origin, &left.node),
                        (&right.meta, right.origin, &right.node),
                    )
                })
        }
        _ => left.is_same_scalar(right),
    }
}

/// Equal nodes have the same hash, independently of their annotations and origins.
fn hash_node(node: &Node, hasher: &mut DefaultHasher) {
    std::mem::discriminant(node).hash(hasher);
    match node {
        Node::Null => {}
        Node::Bool(value) => value.hash(hasher),
        Node::Int(value) => value.hash(hasher),
        Node::UInt(value) => value.hash(hasher),
        Node::Float(value) => value.to_bits().hash(hasher),
        Node::String(text) => text.as_bytes().hash(hasher),
        Node::Map(map) => {
            hasher.write_usize(map.len());
            for item in map.items() {
                hash_node(&item.key, hasher);
                hash_node(&item.node, hasher);
            }
        }
        Node::Array(array) => {
            hasher.write_usize(array.items.len());
            for item in &array.items {
                hash_node(&item.node, hasher);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use plumb_source::{Sources, World};
    use plumb_template::{RuntimeOwner, Settings};
    use plumb_testkit::MemoryWorld;
    use plumb_value::{Map, MapItem};

    use super::*;
    use crate::layer::LayerKind;
    use crate::{SilentDrops, SymlinkPolicy, Tree};

    struct Scene {
        run: Arc<Run>,
        evaluations: Evaluations,
        _runtime: RuntimeOwner,
    }

    fn scene(template: &str) -> Scene {
        let world: Arc<dyn World> = Arc::new(MemoryWorld::new().file("a.yml", template));
        let collected = crate::collect(
            &*world,
            &["a.yml".to_owned()],
            &SymlinkPolicy::default(),
            SilentDrops::Refuse,
        );
        let tree = Arc::new(Tree::new(collected.expect("one file").files));
        let sources = Arc::new(Sources::new());
        let settings = Settings { silent_drops: SilentDrops::Refuse, ..Settings::default() };
        let runtime = RuntimeOwner::new(sources, settings, |_| {});
        let limits = plumb_yaml::Limits::default();
        let run = Run::new(world, Arc::clone(&runtime), tree, limits, None);
        Scene { run, evaluations: Evaluations::default(), _runtime: runtime }
    }

    fn evaluated(scene: &Scene, value: bool, kind: LayerKind) -> Arc<Evaluation> {
        let item = MapItem::new("a".into(), Node::Bool(value), Origin::Unknown);
        let map = Node::map(Map::new(vec![item], Origin::Unknown));
        let layer = Layer::new(Document::new(map, Origin::Unknown), kind, Vec::new());
        let input = Input {
            root: DirectoryId::ROOT,
            options: LibraryOptions::default(),
            schemas: Default::default(),
            values: [vec![layer], Vec::new()],
        };
        let modules: Arc<ModuleSource> = Arc::new(|_, _| None);
        scene.evaluations.evaluation(&scene.run, &modules, input).expect("right values")
    }

    #[test]
    fn equal_values_are_evaluated_once() {
        let scene = scene("a: #@ 1\n");
        let first = evaluated(&scene, true, LayerKind::Plain);
        let again = evaluated(&scene, true, LayerKind::Plain);
        assert!(Arc::ptr_eq(&first, &again));
        let once = first.rendered().expect("a right template");
        assert!(Arc::ptr_eq(&once, &again.rendered().expect("a right template")));
        assert!(!Arc::ptr_eq(&first, &evaluated(&scene, false, LayerKind::Plain)));
        assert!(!Arc::ptr_eq(&first, &evaluated(&scene, true, LayerKind::Overlay)));
    }

    #[test]
    fn what_prints_is_evaluated_each_time() {
        let scene = scene("#@ print(1)\na: 1\n");
        let evaluation = evaluated(&scene, true, LayerKind::Plain);
        let once = evaluation.rendered().expect("a right template");
        assert!(!Arc::ptr_eq(&once, &evaluation.rendered().expect("a right template")));
    }
}
