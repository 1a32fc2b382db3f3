//! Validators that are not scripts: JSON Schemas, and validators in other languages that a request
//! contains.
//!
//! Their findings are stored in the run. Scripts only get their numbers, and never see the
//! findings.

use std::fmt::Debug;
use std::rc::Rc;
use std::sync::Arc;

use plumb_jsonschema::Keyword;
use plumb_source::Origin;
use plumb_validation::{Assertion, CheckedValue, Rule, Validation, Violation, Work};
use plumb_value::{Callable, DataPath, Document, Node};

use crate::error::Error;
use crate::format::{self, MAX_DEPTH};
use crate::run::Run;
use crate::schema;
use crate::{Dialect, Finding, Report};

/// Validates values with rules or a schema that is not written in JavaScript.
pub trait Validator: Debug + Send + Sync {
    /// The violations of a document, which is the `index`th of its file. Empty if it is valid.
    fn validate(&self, document: &Document, index: usize) -> Vec<Violation>;
}

/// A function that returns a result as the rules of templates do.
#[derive(Debug)]
pub struct RuleFunction(pub Arc<dyn Callable>);

impl Validator for RuleFunction {
    fn validate(&self, document: &Document, index: usize) -> Vec<Violation> {
        let assertion = Assertion::Function(Arc::clone(&self.0));
        let rule = Rule {
            assertion,
            description: None,
            message: None,
            ordinal: 1,
            is_named: false,
            span: None,
        };
        let validation = Validation { rules: vec![rule], when: None, span: None, uses: None };
        let root = DataPath::root();
        let subject = CheckedValue {
            key: &index.to_string(),
            path: &root,
            origin: document.origin,
            value: &document.node,
            parent: None,
            root: &document.node,
            is_secret: false,
        };
        let mut violations = Vec::new();
        // Scripts have their own time limit.
        Work::uncounted(|work| validation.check(subject, &mut violations, work));
        violations.iter_mut().for_each(word);
        violations
    }
}

/// Uses the message of the rule alone: the whole value has no name to put before it.
fn word(violation: &mut Violation) {
    violation.message = match &violation.found {
        found if found.is_empty() => "value not valid".into(),
        found => found.clone(),
    };
    violation.is_worded_by_author = true;
}

/// Whether [`check`] also applies to values that name no schema.
pub(crate) fn checks_all(run: &Run) -> bool {
    run.request.schema.is_some() || !run.request.native_validators.is_empty()
}

/// Validates a value, and returns the numbers of its violations in the run.
pub(crate) fn check(run: &Run, node: Node) -> Result<Vec<usize>, Error> {
    let document = Document::new(node, Origin::Unknown);
    let mut found = Vec::new();
    if run.request.schema.is_some() || names_schema(run, &document) {
        let value = format::value_of(&document.node, MAX_DEPTH)?;
        found.extend(schema::violations(run, &value)?);
    }
    found.extend(by_others(run, &document, 0));
    Ok(run.hold(found.into_iter().map(Finding::of).collect()))
}

/// Whether a document names its schema. jk does not support that.
fn names_schema(run: &Run, document: &Document) -> bool {
    run.request.dialect == Dialect::Plumb
        && document.node.as_map().is_some_and(|map| Keyword::SchemaUri.is_in(map))
}

/// Validates files without a script: no engine is needed.
pub(crate) fn check_files(run: &Run, paths: &[&str]) -> Result<Vec<Report>, Error> {
    let reports = paths.iter().map(|path| {
        let format = run.input_format(path);
        run.say_read(path, format);
        run.input(path, format)?;
        let mut findings = Vec::new();
        let documents = run.input_documents(path)?;
        for (index, document) in documents.iter().enumerate() {
            let found = violations(run, path, document, index)?;
            let number = (documents.len() > 1).then_some(index + 1);
            let finding_of = |violation| Finding { document: number, ..Finding::of(violation) };
            findings.extend(found.into_iter().map(finding_of));
        }
        Ok(Report { path: Some(run.shown_input(path).to_owned()), findings })
    });
    reports.collect()
}

/// Validates a document of a file of the command line, like [`check`], with places in that file.
pub(crate) fn check_input(run: &Run, path: &str, index: usize) -> Result<Vec<usize>, Error> {
    let documents = run.input_documents(path)?;
    let found = documents.get(index).map(|it| violations(run, path, it, index)).transpose()?;
    let found = found.into_iter().flatten().map(Finding::of);
    Ok(run.hold(found.collect()))
}

fn violations(
    run: &Run,
    path: &str,
    document: &Document,
    index: usize,
) -> Result<Vec<Violation>, Error> {
    let mut found = Vec::new();
    if run.request.schema.is_some() || names_schema(run, document) {
        let value = format::value_of(&document.node, MAX_DEPTH)?;
        found.extend(schema::violations(run, &value)?);
        let places = if found.is_empty() { Rc::default() } else { run.input_places(path) };
        for violation in &mut found {
            let place = places.get(index).map(|it| origin_of(it, &violation.path));
            violation.origin = place.unwrap_or(Origin::Unknown);
        }
    }
    found.extend(by_others(run, document, index));
    Ok(found)
}

fn by_others(run: &Run, document: &Document, index: usize) -> Vec<Violation> {
    run.request.native_validators.iter().flat_map(|it| it.validate(document, index)).collect()
}

/// The origin of the value at a path, or of the nearest item above it.
pub(crate) fn origin_of(document: &Document, path: &DataPath) -> Origin {
    let (mut node, mut origin) = (&document.node, document.origin);
    for step in path.steps() {
        match node.below(step) {
            Some(below) => (origin, node) = below,
            None => break,
        }
    }
    origin
}
