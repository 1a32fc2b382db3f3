//! Validation with JSON Schema, drafts 4 to 2020-12.
//!
//! References of a schema can only point to files inside its root, never to the network.

mod retrieve;
mod words;

use std::collections::{HashMap, HashSet};
use std::path::{Component, Path, PathBuf};
use std::rc::Rc;

use plumb_jsonschema::{Keyword, Options, Schema, array, map};
use plumb_source::message::plain;
use plumb_source::root::RootError;
use plumb_source::{Origin, message};
use plumb_validation::Violation;
use plumb_value::{DataPath, Node};
use serde_json::Value;

use crate::error::{Doing, Error, SchemaError};
use crate::finding::violation;
use crate::format::{self, Format, MAX_DEPTH};
use crate::run::Run;
use crate::{DependencyKind, Dialect};
use retrieve::Files;
pub(crate) use words::InvalidValue;

/// Deeper schemas are rejected: the cost of compiling a schema grows with the square of its depth.
const MAX_SCHEMA_DEPTH: usize = 256;

/// Schemas that are already compiled, by file.
#[derive(Default)]
pub(crate) struct Schemas {
    by_file: HashMap<PathBuf, Rc<Schema>>,
    /// The last schema that a script passed as an object.
    last: Option<(Rc<Value>, Rc<Schema>)>,
}

/// Validates a value against a schema.
pub(crate) fn validate_with_object(
    run: &Run,
    value: &Node,
    schema: &Node,
) -> Result<Vec<InvalidValue>, Error> {
    let schema = format::value_of(schema, MAX_SCHEMA_DEPTH)?;
    let known = run.schemas.borrow().last.clone();
    let validator = match known {
        Some((known, validator)) if *known == schema => validator,
        Some(_) | None => {
            let validator = Rc::new(compile(run, &schema, None, Path::new(""))?);
            let last = Some((Rc::new(schema), Rc::clone(&validator)));
            run.schemas.borrow_mut().last = last;
            validator
        }
    };
    Ok(findings(run, &validator, &format::value_of(value, MAX_DEPTH)?))
}

/// Validates a value against the schema in a file.
pub(crate) fn validate_with_file(
    run: &Run,
    value: &Node,
    path: &str,
    resource: Option<&str>,
) -> Result<Vec<InvalidValue>, Error> {
    let validator = of_file(run, path, resource)?;
    Ok(findings(run, &validator, &format::value_of(value, MAX_DEPTH)?))
}

/// The violations of the schema of the command line, and of the schema that the value names as its
/// `$schema`.
pub(crate) fn violations(run: &Run, value: &Value) -> Result<Vec<Violation>, Error> {
    let mut found = Vec::new();
    if let Some(path) = &run.request.schema {
        found.extend(findings(run, &*of_command_line(run, path)?, value));
    }
    let mut violations: Vec<Violation> =
        found.into_iter().map(InvalidValue::into_violation).collect();
    if let (Dialect::Plumb, Some(schema)) =
        (run.request.dialect, value[Keyword::SchemaUri.name()].as_str())
    {
        violations.extend(by_own_schema(run, schema, value));
    }
    Ok(violations)
}

fn by_own_schema(run: &Run, schema: &str, value: &Value) -> Vec<Violation> {
    let node = node_of(value);
    let found = if let Some(schema) = Schema::named_by(&node) {
        let first = schema.check(&node, Origin::Unknown).into_iter().next();
        first.map(|it| words::finding(it, run.request.dialect)).into_iter().collect()
    } else if schema.contains("://") {
        let line = format!("warning: not checked against {schema}: nothing is fetched\n");
        run.log(line.as_bytes());
        Vec::new()
    } else {
        match of_root(run, schema) {
            Ok(validator) => findings(run, &validator, value),
            Err(reason) => {
                let message = message!("$schema {}: {}", plain(schema), reason.message());
                return vec![violation(message, DataPath::root())];
            }
        }
    };
    found.into_iter().map(InvalidValue::into_violation).collect()
}

/// The schema of `--schema`, at any path. Its references must stay below the working directory, or
/// below its own directory if it is outside the working directory.
fn of_command_line(run: &Run, path: &Path) -> Result<Rc<Schema>, Error> {
    cached(run, path.to_owned(), || {
        let bytes = run.read_input(&path.to_string_lossy())?;
        let schema = parse_file(path, &bytes)?;
        let is_inside = path.components().all(|it| matches!(it, Component::Normal(_)));
        if is_inside {
            return compile(run, &schema, Some(PathBuf::new()), path);
        }
        let directory = path.parent().unwrap_or(Path::new("")).to_owned();
        let name = PathBuf::from(path.file_name().unwrap_or_default());
        compile(run, &schema, Some(directory), &name)
    })
}

/// A schema below the root of imports.
fn of_root(run: &Run, path: &str) -> Result<Rc<Schema>, Error> {
    let root = run.modules.borrow().root(0);
    let located = root.locate(run.world(), Path::new(path));
    let located = located.map_err(root_error)?;
    let full = root.full(&located.path);
    cached(run, full.clone(), || {
        let bytes = run.world().read(&full)?;
        run.depend(DependencyKind::Read, &full);
        let directory = root.directory().to_owned();
        compile(run, &parse_file(&full, &bytes)?, Some(directory), &located.path)
    })
}

/// A schema below the input directory, or below the directory of a module.
fn of_file(run: &Run, path: &str, resource: Option<&str>) -> Result<Rc<Schema>, Error> {
    let (directory, located) = run.with_root(resource, |root| {
        let located = root.locate(run.world(), Path::new(path));
        let located = located.map_err(root_error)?;
        Ok((root.directory().to_owned(), located.path))
    })?;
    cached(run, directory.join(&located), || {
        let bytes = run.read(path, resource)?;
        compile(run, &parse_file(Path::new(path), &bytes)?, Some(directory.clone()), &located)
    })
}

fn cached(
    run: &Run,
    key: PathBuf,
    make: impl FnOnce() -> Result<Schema, Error>,
) -> Result<Rc<Schema>, Error> {
    if let Some(known) = run.schemas.borrow().by_file.get(&key) {
        return Ok(Rc::clone(known));
    }
    let compiled = Rc::new(make()?);
    run.schemas.borrow_mut().by_file.insert(key, Rc::clone(&compiled));
    Ok(compiled)
}

/// Compiles a schema. If there is a directory, its references may point to files in it; `path` is
/// the path of the schema itself in that directory. The meta-schemas of all drafts are known.
///
/// A schema that does not name its draft asserts `format`, as in jk, because its author expects
/// that. A schema that names draft 2019-09 or later does not, according to those drafts.
fn compile(
    run: &Run,
    schema: &Value,
    directory: Option<PathBuf>,
    path: &Path,
) -> Result<Schema, Error> {
    let files = Files::new(&run.surroundings, directory);
    let options = Options {
        uri: retrieve::uri(path),
        retrieve: &files,
        asserts_formats: schema.get(Keyword::SchemaUri.name()).is_none(),
    };
    Schema::compile(&node_of(schema), &options).map_err(|error| {
        let is_named = !path.as_os_str().is_empty();
        let error = Error::from(SchemaError::Unusable { error, is_in_file: is_named });
        if is_named { error.in_file(path.display().to_string()) } else { error }
    })
}

fn root_error(root_error: RootError) -> Error {
    Error::OutsideRoot { root_error, doing: Doing::Reading }
}

fn parse_file(path: &Path, bytes: &[u8]) -> Result<Value, Error> {
    let parsed = format::parsed(&path.to_string_lossy(), bytes, Format::FromExtension)?;
    format::value_within(&parsed, MAX_SCHEMA_DEPTH)
}

fn findings(run: &Run, validator: &Schema, value: &Value) -> Vec<InvalidValue> {
    let found = validator.check(&node_of(value), Origin::Unknown).into_iter();
    let found = found.map(|it| words::finding(it, run.request.dialect));
    match run.request.dialect {
        Dialect::Jk => found.collect(),
        // Several parts of a schema may have the same requirement.
        Dialect::Plumb => {
            let mut known = HashSet::new();
            found.filter(|it| known.insert((it.field(), it.message.shown().to_owned()))).collect()
        }
    }
}

/// A JSON tree as a document.
fn node_of(value: &Value) -> Node {
    match value {
        Value::Null => Node::Null,
        Value::Bool(value) => Node::Bool(*value),
        Value::Number(number) => match (number.as_i64(), number.as_u64()) {
            (Some(value), _) => Node::Int(value),
            (None, Some(value)) => Node::UInt(value),
            (None, None) => Node::Float(number.as_f64().unwrap_or(f64::INFINITY)),
        },
        Value::String(text) => text.as_str().into(),
        Value::Array(items) => array(items.iter().map(node_of)),
        Value::Object(entries) => {
            map(entries.iter().map(|(key, value)| (key.as_str(), node_of(value))))
        }
    }
}
