//! Judges that are not scripts: JSON Schemas, and those in other languages that a request brings.
//!
//! What they find is held back in the session; scripts pass its numbers around, and never see it.

use std::fmt::Debug;
use std::rc::Rc;
use std::sync::Arc;

use plumb_source::Origin;
use plumb_validation::{Assertion, Rule, Subject, Validation, Violation};
use plumb_value::{Callable, DataPath, Document, Node, Step};

use crate::format::{self, KeyOrder, node_from_json};
use crate::schema;
use crate::session::Session;
use crate::{Complaint, Dialect, Report};

/// Judges values in another language than that of scripts.
pub trait Judge: Debug + Send + Sync {
    /// What is wrong with a document, which is the `index`th of its file.
    fn judge(&self, document: &Document, index: usize) -> Vec<Violation>;
}

/// A function that answers as rules of templates do.
#[derive(Debug)]
pub struct RuleFunction(pub Arc<dyn Callable>);

impl Judge for RuleFunction {
    fn judge(&self, document: &Document, index: usize) -> Vec<Violation> {
        let assertion = Assertion::Function(Arc::clone(&self.0));
        let rule = Rule { assertion, description: None, message: None, ordinal: 1, span: None };
        let validation = Validation { rules: vec![rule], when: None, span: None };
        let root = DataPath::root();
        let subject = Subject {
            key: &index.to_string(),
            path: &root,
            origin: document.origin,
            value: &document.node,
            parent: None,
            root: &document.node,
        };
        let mut violations = Vec::new();
        validation.check(subject, &mut violations);
        violations.iter_mut().for_each(word);
        violations
    }
}

/// Leaves the words of the rule alone: the whole value has no name to put before them.
fn word(violation: &mut Violation) {
    violation.message = match violation.found.own.as_str() {
        "" => "value not valid".to_owned(),
        found => found.to_owned(),
    };
    violation.is_worded_by_author = true;
}

/// Whether [`check`] has something to say about values that name no schema.
pub(crate) fn checks_all(session: &Session) -> bool {
    session.request.schema.is_some() || !session.request.judges.is_empty()
}

/// What the judges say about a value, given as a JSON text: a JSON array for our modules.
pub(crate) fn check(session: &Session, json: &str) -> Result<String, String> {
    let names_schema = session.request.dialect == Dialect::Plumb && json.contains("\"$schema\"");
    let mut found = Vec::new();
    if session.request.schema.is_some() || names_schema {
        found.extend(schema::violations(session, &schema::parse(json)?)?);
    }
    if !session.request.judges.is_empty() {
        let node = node_from_json(json, KeyOrder::Kept)?;
        found.extend(by_others(session, &Document::new(node, Origin::Unknown), 0));
    }
    Ok(session.hold(found))
}

/// What the judges say about files that no script judges: there is nothing to run.
pub(crate) fn check_files(session: &Session, paths: &[&str]) -> Result<Vec<Report>, String> {
    let reports = paths.iter().map(|path| {
        let format = session.input_format(path);
        session.say_read(path, format);
        session.input(path, format)?;
        let mut complaints = Vec::new();
        let documents = session.input_documents(path)?;
        for (index, document) in documents.iter().enumerate() {
            let found = violations(session, path, document, index)?;
            let number = (documents.len() > 1).then_some(index + 1);
            let complained = |violation| Complaint { document: number, ..Complaint::of(violation) };
            complaints.extend(found.into_iter().map(complained));
        }
        Ok(Report { path: Some(session.shown_input(path).to_owned()), complaints })
    });
    reports.collect()
}

/// What the judges say about a document of a file that was named on the command line: as
/// [`check`], and with the places in that file.
pub(crate) fn check_input(session: &Session, path: &str, index: usize) -> Result<String, String> {
    let documents = session.input_documents(path)?;
    let found = documents.get(index).map(|it| violations(session, path, it, index)).transpose()?;
    Ok(session.hold(found.unwrap_or_default()))
}

fn violations(
    session: &Session,
    path: &str,
    document: &Document,
    index: usize,
) -> Result<Vec<Violation>, String> {
    let names_schema = session.request.dialect == Dialect::Plumb
        && document.node.as_map().is_some_and(|map| map.get_str("$schema").is_some());
    let mut found = Vec::new();
    if session.request.schema.is_some() || names_schema {
        found.extend(schema::violations(session, &format::value_of(&document.node)?)?);
        let places = if found.is_empty() { Rc::default() } else { session.input_places(path) };
        for violation in &mut found {
            let place = places.get(index).map(|it| origin_of(it, &violation.path));
            violation.origin = place.unwrap_or(Origin::Unknown);
        }
    }
    found.extend(by_others(session, document, index));
    Ok(found)
}

fn by_others(session: &Session, document: &Document, index: usize) -> Vec<Violation> {
    session.request.judges.iter().flat_map(|it| it.judge(document, index)).collect()
}

/// Where the value at a path came from: its item, or the nearest above it.
pub(crate) fn origin_of(document: &Document, path: &DataPath) -> Origin {
    let (mut node, mut origin) = (&document.node, document.origin);
    for step in path.steps() {
        let below = match (step, node) {
            (Step::Key(key), Node::Map(map)) => {
                map.get(&Node::String(key.clone())).map(|item| (&item.node, item.origin))
            }
            (Step::Index(index), Node::Array(array)) => {
                array.items.get(*index).map(|item| (&item.node, item.origin))
            }
            _ => None,
        };
        match below {
            Some(below) => (node, origin) = below,
            None => break,
        }
    }
    origin
}
