//! Walks a document and runs its validations.

use std::ops::Range;

use plumb_diagnostic::SilentDrops;
use plumb_source::{Origin, Text, room};
use plumb_value::{DataPath, Document, Meta, Node, Step};

use crate::{
    ASSERT_VALIDATE, AnnotationError, CheckedValue, Constraint, MistypedPaths, RULE_STOPPED,
    Validation, Violation, Work,
};

/// What a schema declares for a node and the nodes below it.
pub trait Declared: Sized {
    /// The validations of the node; all of them apply.
    fn validations(&self) -> &[Validation];

    /// The declaration for the item of this key.
    fn entry(&self, key: &Node) -> Option<&Self>;

    /// The declaration for the items of an array.
    fn item(&self) -> Option<&Self>;

    /// The alternatives that the value must satisfy, if there are any.
    fn choice(&self, value: &Node) -> Option<&Choice<Self>>;

    /// The required keys that a map lacks, each with the place that declares it.
    fn missing(&self, value: &Node) -> Vec<(Node, Origin)>;

    /// Whether values, or parts of them, must never be shown.
    fn is_secret(&self) -> bool;

    /// Returns the value with its defaults filled in, or `None` if it does not have the declared
    /// type.
    fn fit(&self, value: &Node, work: &Work<'_>) -> Option<Node>;
}

/// Alternative declarations. The mode states how many of them a value must satisfy.
#[derive(Debug)]
pub struct Choice<D> {
    pub mode: Mode,
    /// The alternatives, in the order of the schema.
    pub alternatives: Vec<D>,
    /// The annotation that declares them.
    pub declared_at: Origin,
}

/// How many of the alternatives a value must satisfy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    AnyOf,
    AllOf,
    OneOf,
}

impl Mode {
    /// Returns whether the number of satisfied alternatives is enough.
    pub fn is_met(self, n_satisfied: usize, n_alternatives: usize) -> bool {
        match self {
            Self::AnyOf => n_satisfied > 0,
            Self::AllOf => n_satisfied == n_alternatives,
            Self::OneOf => n_satisfied == 1,
        }
    }
}

/// For documents without a schema. The type has no values.
pub enum Undeclared {}

impl Declared for Undeclared {
    fn validations(&self) -> &[Validation] {
        match *self {}
    }

    fn entry(&self, _: &Node) -> Option<&Self> {
        match *self {}
    }

    fn item(&self) -> Option<&Self> {
        match *self {}
    }

    fn choice(&self, _: &Node) -> Option<&Choice<Self>> {
        match *self {}
    }

    fn missing(&self, _: &Node) -> Vec<(Node, Origin)> {
        match *self {}
    }

    fn is_secret(&self) -> bool {
        match *self {}
    }

    fn fit(&self, _: &Node, _: &Work<'_>) -> Option<Node> {
        match *self {}
    }
}

/// Whether the rules of a map, an array or a document run even if a value in it is invalid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Parents {
    /// They do not run: a rule may rely on the values inside.
    Wait,
    /// They run, as in ytt.
    Run,
}

impl From<SilentDrops> for Parents {
    fn from(drops: SilentDrops) -> Self {
        match drops {
            SilentDrops::Refuse => Self::Wait,
            SilentDrops::Warn => Self::Run,
        }
    }
}

/// Runs the rules that the schema and the `@assert/validate` annotations of a document declare:
/// from the leaves upward, the schema's rules first. Returns all violations; empty if the document
/// is valid.
///
/// `index` is the position of the document in its file. No rule runs if one of the annotations is
/// malformed.
pub fn check<D: Declared>(
    document: &Document,
    index: usize,
    declared: Option<&D>,
    parents: Parents,
    work: &Work<'_>,
) -> Result<Vec<Violation>, Vec<AnnotationError>> {
    let walk = Walk::new(DataPath::root(), Annotations::Followed, parents, work);
    walk.document(document, index, declared, &MistypedPaths::default())
}

/// Like [`check`], for a document with some values that are known to be wrong. Rules that depend on
/// them are skipped.
pub fn check_rest<D: Declared>(
    document: &Document,
    index: usize,
    declared: &D,
    known: &MistypedPaths,
    work: &Work<'_>,
) -> Result<Vec<Violation>, Vec<AnnotationError>> {
    let walk = Walk::new(DataPath::root(), Annotations::Followed, Parents::Wait, work);
    walk.document(document, index, Some(declared), known)
}

/// Like [`check`], for documents without a schema, each with its position in its file. All
/// annotations are read. If a rule exceeds a limit, no further rule runs.
pub fn check_documents<'a>(
    documents: impl Iterator<Item = (usize, &'a Document)>,
    parents: Parents,
    work: &Work<'_>,
) -> Result<Vec<Violation>, Vec<AnnotationError>> {
    let mut violations = Vec::new();
    let mut malformed = Vec::new();
    for (position, (index, document)) in documents.enumerate() {
        if is_stopped(&violations) || work.is_stopped() {
            break;
        }
        match check::<Undeclared>(document, index, None, parents, work) {
            Ok(found) => violations
                .extend(found.into_iter().map(|it| Violation { document: position, ..it })),
            Err(problems) => malformed.extend(problems),
        }
    }
    if malformed.is_empty() { Ok(violations) } else { Err(malformed) }
}

/// Returns the value with its defaults filled in, or `None` if it does not have the declared type
/// or breaks one of its rules.
pub fn satisfying<D: Declared>(
    declared: &D,
    subject: CheckedValue<'_>,
    work: &Work<'_>,
) -> Option<Node> {
    let value = declared.fit(subject.value, work)?;
    let is_valid = work.is_satisfied(declared, subject.value, subject.path).unwrap_or_else(|| {
        let subject = CheckedValue { value: &value, ..subject };
        violations_of(declared, &value, subject, work).is_empty()
    });
    is_valid.then_some(value)
}

/// Returns the violations of a declaration's rules by a value that has the declared type.
pub(crate) fn violations_of<D: Declared>(
    declared: &D,
    value: &Node,
    place: CheckedValue<'_>,
    work: &Work<'_>,
) -> Vec<Violation> {
    let mut walk = Walk::new(place.path.clone(), Annotations::Ignored, Parents::Wait, work);
    let meta = Meta::default();
    let is_secret = declared.is_secret();
    let holder = Holder { origin: place.origin, meta: &meta, parent: place.parent, is_secret };
    walk.node(value, &holder, Some(declared), None);
    walk.run(place.root, 0).unwrap_or_default()
}

/// Like [`check`], for a value outside a document: an example in a schema.
pub fn check_declared<D: Declared>(
    declared: &D,
    key: &str,
    path: &DataPath,
    value: &Node,
    work: &Work<'_>,
) -> Vec<Violation> {
    violations_of(declared, value, CheckedValue::alone(key, path, value), work)
}

/// Like [`check`], for a single value and explicit rules.
pub fn check_value(
    key: &str,
    value: &Node,
    validation: &Validation,
    work: &Work<'_>,
) -> Vec<Violation> {
    let mut violations = Vec::new();
    let mut path = DataPath::root();
    path.push(Step::Key(Text::from(key)));
    validation.check(CheckedValue::alone(key, &path, value), &mut violations, work);
    violations
}

struct Walk<'a, D> {
    path: DataPath,
    annotations: Annotations,
    parents: Parents,
    /// Whether some values of the document are wrong, so that conditions must not read it.
    is_partial: bool,
    /// The nodes with rules, in the order in which they run.
    bound: Vec<Bound<'a, D>>,
    malformed: Vec<AnnotationError>,
    work: &'a Work<'a>,
}

/// Whether the rules annotated in the document itself are run.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Annotations {
    Followed,
    Ignored,
}

/// A node and the rules that apply to it.
struct Bound<'a, D> {
    path: DataPath,
    node: &'a Node,
    origin: Origin,
    parent: Option<&'a Node>,
    is_secret: bool,
    rules: Rules<'a, D>,
    /// The rules of the nodes inside, as a range of positions in the walk.
    below: Range<usize>,
}

enum Rules<'a, D> {
    Schema(&'a Validation),
    Annotation(Validation),
    Choice(&'a Choice<D>),
    /// The value is required but not given.
    Missing,
}

impl<D> Rules<'_, D> {
    /// Returns whether the rules only require that a value is given.
    fn ask_for_value(&self) -> bool {
        let Self::Schema(validation) = self else {
            return false;
        };
        validation
            .rules
            .iter()
            .all(|rule| matches!(rule.assertion.constraint(), Some(Constraint::NotEmpty { .. })))
    }

    /// Returns whether the condition of the rules reads more than the value.
    fn look_around(&self) -> bool {
        match self {
            Self::Schema(validation) => validation.looks_around(),
            Self::Annotation(validation) => validation.looks_around(),
            Self::Choice(_) | Self::Missing => false,
        }
    }
}

/// The document or item that contains a node as its value.
struct Holder<'a> {
    origin: Origin,
    meta: &'a Meta,
    parent: Option<&'a Node>,
    is_secret: bool,
}

impl<'a, D: Declared> Walk<'a, D> {
    fn new(path: DataPath, annotations: Annotations, parents: Parents, work: &'a Work<'a>) -> Self {
        let (is_partial, bound, malformed) = (false, Vec::new(), Vec::new());
        Self { path, annotations, parents, is_partial, bound, malformed, work }
    }

    /// Runs the rules of a whole document.
    fn document(
        mut self,
        document: &'a Document,
        index: usize,
        declared: Option<&'a D>,
        known: &MistypedPaths,
    ) -> Result<Vec<Violation>, Vec<AnnotationError>> {
        self.is_partial = !known.is_empty();
        let is_secret = declared.is_some_and(D::is_secret);
        let (origin, meta) = (document.origin, &document.meta);
        let holder = Holder { origin, meta, parent: None, is_secret };
        let known = self.is_partial.then_some(known);
        self.node(&document.node, &holder, declared, known);
        self.run(&document.node, index)
    }

    fn node(
        &mut self,
        node: &'a Node,
        holder: &Holder<'a>,
        declared: Option<&'a D>,
        known: Option<&MistypedPaths>,
    ) {
        if !self.work.count(1) || known.is_some_and(MistypedPaths::is_mistyped) {
            return;
        }
        let known_below = |step: &Step| known.and_then(|it| it.child(step));
        let first_below = self.bound.len();
        match node {
            Node::Map(map) => {
                for item in map.items() {
                    let declared = declared.and_then(|it| it.entry(&item.key));
                    let is_secret = declared.is_some_and(D::is_secret);
                    let (origin, meta) = (item.origin, &item.meta);
                    let holder = Holder { origin, meta, parent: Some(node), is_secret };
                    let step = Step::of_key(&item.key);
                    let known = known_below(&step);
                    self.path.push(step);
                    self.node(&item.node, &holder, declared, known);
                    self.path.pop();
                }
                for (key, origin) in declared.map(|it| it.missing(node)).unwrap_or_default() {
                    let step = Step::of_key(&key);
                    if known_below(&step).is_none() {
                        self.bind_missing(node, holder.meta, step, origin);
                    }
                }
            }
            Node::Array(array) => {
                let declared = declared.and_then(D::item);
                let is_secret = declared.is_some_and(D::is_secret);
                for (at, item) in array.items.iter().enumerate() {
                    let (origin, meta) = (item.origin, &item.meta);
                    let holder = Holder { origin, meta, parent: Some(node), is_secret };
                    let step = Step::Index(at);
                    let known = known_below(&step);
                    self.path.push(step);
                    self.node(&item.node, &holder, declared, known);
                    self.path.pop();
                }
            }
            Node::Null
            | Node::Bool(_)
            | Node::Int(_)
            | Node::UInt(_)
            | Node::Float(_)
            | Node::String(_) => {}
        }
        if known.is_none() {
            self.bind_own(node, holder, declared, first_below..self.bound.len());
        }
    }

    /// Binds the rule that requires a key, for a map that lacks it.
    fn bind_missing(&mut self, map: &'a Node, meta: &'a Meta, key: Step, origin: Origin) {
        let holder = Holder { origin, meta, parent: Some(map), is_secret: false };
        let n_bound = self.bound.len();
        self.path.push(key);
        self.bind(map, &holder, Rules::Missing, n_bound..n_bound);
        self.path.pop();
    }

    /// Binds the rules of a node: those that its schema declares, and those of its annotation.
    fn bind_own(
        &mut self,
        node: &'a Node,
        holder: &Holder<'a>,
        declared: Option<&'a D>,
        below: Range<usize>,
    ) {
        if let Some(declared) = declared {
            if let Some(choice) = declared.choice(node) {
                self.bind(node, holder, Rules::Choice(choice), below.clone());
            }
            for validation in declared.validations() {
                self.bind(node, holder, Rules::Schema(validation), below.clone());
            }
        }
        if self.annotations == Annotations::Ignored {
            return;
        }
        if let Some(annotation) = holder.meta.annotation(ASSERT_VALIDATE) {
            match Validation::from_annotation(annotation) {
                Ok(validation) => {
                    if validation.count(self.work) {
                        self.bind(node, holder, Rules::Annotation(validation), below);
                    }
                }
                Err(problem) => self.malformed.push(problem),
            }
        }
    }

    fn bind(
        &mut self,
        node: &'a Node,
        holder: &Holder<'a>,
        rules: Rules<'a, D>,
        below: Range<usize>,
    ) {
        let path = self.path.clone();
        let Holder { origin, parent, is_secret, .. } = *holder;
        let bound = Bound { path, node, origin, parent, is_secret, rules, below };
        room::push(&mut self.bound, bound);
    }

    fn run(self, root: &Node, index: usize) -> Result<Vec<Violation>, Vec<AnnotationError>> {
        if !self.malformed.is_empty() {
            return Err(self.malformed);
        }
        let mut violations = Vec::new();
        // If a value is missing, further rules about it would only repeat that.
        let mut missing: Option<&Node> = None;
        // The number of violations before each of the rules.
        let mut counts = Vec::with_capacity(self.bound.len() + 1);
        for bound in &self.bound {
            let n_before = violations.len();
            counts.push(n_before);
            if missing.is_some_and(|it| std::ptr::eq(it, bound.node)) {
                continue;
            }
            let Range { start, end } = bound.below;
            if self.parents == Parents::Wait && counts[end] > counts[start] {
                continue;
            }
            if self.is_partial && bound.rules.look_around() {
                continue;
            }
            let key = match bound.path.steps().last() {
                Some(Step::Key(key) | Step::OtherKey(_, key)) => key.to_str_lossy(),
                Some(Step::Index(at)) => at.to_string().into(),
                None => index.to_string().into(),
            };
            let subject = CheckedValue {
                key: &key,
                path: &bound.path,
                origin: bound.origin,
                value: bound.node,
                parent: bound.parent,
                root,
                is_secret: bound.is_secret,
            };
            match &bound.rules {
                Rules::Schema(validation) => validation.check(subject, &mut violations, self.work),
                Rules::Annotation(validation) => {
                    validation.check(subject, &mut violations, self.work);
                }
                Rules::Choice(choice) => violations.extend(choice.check(subject, self.work)),
                Rules::Missing => violations.push(Violation::missing(subject)),
            }
            if bound.is_secret {
                let found = violations.split_off(n_before);
                violations.extend(found.into_iter().map(Violation::concealed));
            }
            if is_stopped(&violations) || self.work.is_stopped() {
                break;
            }
            if violations.len() > n_before && bound.rules.ask_for_value() {
                missing = Some(bound.node);
            }
        }
        Ok(violations)
    }
}

/// Returns whether the last rule exceeded a limit. The next rule may be the same one, for another
/// value.
pub fn is_stopped(violations: &[Violation]) -> bool {
    violations.last().is_some_and(|it| it.code == RULE_STOPPED)
}
