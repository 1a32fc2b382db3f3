//! Validation with JSON Schema, drafts 4 to 2020-12.
//!
//! References of a schema lead to files inside its root, never to the network.

mod retrieve;
mod words;

use std::collections::HashMap;
use std::marker::PhantomData;
use std::path::{Component, Path, PathBuf};
use std::rc::Rc;

use jsonschema::error::ValidationErrorKind;
use jsonschema::{ReferencingError, Validator};
use plumb_validation::Violation;
use plumb_value::DataPath;
use serde_json::{Value, json};

use crate::Dialect;
use crate::complaint::violation;
use crate::format::{MAX_DEPTH, json_text};
use crate::root::Doing;
use crate::session::Session;
use retrieve::Files;
use words::Finding;

/// Deeper schemas are refused: the cost of compiling one grows with the square of its depth.
const MAX_SCHEMA_DEPTH: usize = 256;

/// Schemas that were compiled already, by the file they are in.
#[derive(Default)]
pub(crate) struct Schemas {
    by_file: HashMap<PathBuf, Rc<Validator>>,
    /// The last schema that a script gave as an object, with its text.
    last: Option<(String, Rc<Validator>)>,
}

/// What a schema given as a JSON text says about a value: a JSON array of complaints.
pub(crate) fn validate_with_text(
    session: &Session,
    value: &str,
    schema: &str,
) -> Result<String, String> {
    let known = session.schemas.borrow().last.clone();
    let validator = match known {
        Some((text, validator)) if text == schema => validator,
        Some(_) | None => {
            let parsed = parse_within(schema, MAX_SCHEMA_DEPTH)?;
            let validator = Rc::new(compile(session, &parsed, None, Path::new(""))?);
            session.schemas.borrow_mut().last = Some((schema.to_owned(), Rc::clone(&validator)));
            validator
        }
    };
    Ok(to_json(&findings(session, &validator, &parse(value)?)))
}

/// What the schema in a file says about a value: a JSON array of complaints.
pub(crate) fn validate_with_file(
    session: &Session,
    value: &str,
    path: &str,
    resource: Option<&str>,
) -> Result<String, String> {
    let validator = of_file(session, path, resource)?;
    Ok(to_json(&findings(session, &validator, &parse(value)?)))
}

/// What the schema of the command line says about a value, and the one that the value names as
/// its `$schema`.
pub(crate) fn violations(session: &Session, value: &Value) -> Result<Vec<Violation>, String> {
    let mut found = Vec::new();
    if let Some(path) = &session.request.schema {
        found.extend(findings(session, &*of_command_line(session, path)?, value));
    }
    let mut violations: Vec<Violation> = found.into_iter().map(Finding::into_violation).collect();
    if let (Dialect::Plumb, Some(schema)) = (session.request.dialect, value["$schema"].as_str()) {
        violations.extend(by_own_schema(session, schema, value));
    }
    Ok(violations)
}

fn by_own_schema(session: &Session, schema: &str, value: &Value) -> Vec<Violation> {
    let found = if schema.contains("://json-schema.org/") {
        let first = jsonschema::meta::validate(value).err();
        first.map(|error| words::findings(&error, session.request.dialect)).unwrap_or_default()
    } else if schema.contains("://") {
        let line = format!("warning: not checked against {schema}: nothing is fetched\n");
        session.log(line.as_bytes());
        Vec::new()
    } else {
        match of_root(session, schema) {
            Ok(validator) => findings(session, &validator, value),
            Err(reason) => {
                let message = format!("$schema {schema}: {reason}");
                return vec![violation(message, DataPath::root())];
            }
        }
    };
    found.into_iter().map(Finding::into_violation).collect()
}

/// The schema of `--schema`, wherever it is. Its references stay below the working directory, or
/// where it is not in there below its own.
fn of_command_line(session: &Session, path: &Path) -> Result<Rc<Validator>, String> {
    cached(session, path.to_owned(), || {
        let bytes = session.read_input(&path.to_string_lossy())?;
        let schema = parse_file(path, &bytes)?;
        let is_inside = path.components().all(|it| matches!(it, Component::Normal(_)));
        if is_inside {
            return compile(session, &schema, Some(PathBuf::new()), path);
        }
        let directory = path.parent().unwrap_or(Path::new("")).to_owned();
        let name = PathBuf::from(path.file_name().unwrap_or_default());
        compile(session, &schema, Some(directory), &name)
    })
}

/// A schema below the root of imports.
fn of_root(session: &Session, path: &str) -> Result<Rc<Validator>, String> {
    let root = session.modules.borrow().root(0);
    let located = root.locate(session.world(), Path::new(path));
    let located = located.map_err(|denied| denied.words(Doing::Reading))?;
    let full = root.full(&located.path);
    cached(session, full.clone(), || {
        let bytes = session.world().read(&full).map_err(|error| error.to_string())?;
        session.depend("read-file", &full, None);
        let directory = root.directory().to_owned();
        compile(session, &parse_file(&full, &bytes)?, Some(directory), &located.path)
    })
}

/// A schema below the input directory, or below that of a module.
fn of_file(session: &Session, path: &str, resource: Option<&str>) -> Result<Rc<Validator>, String> {
    let (directory, located) = session.with_root(resource, |root| {
        let located = root.locate(session.world(), Path::new(path));
        let located = located.map_err(|denied| denied.words(Doing::Reading))?;
        Ok((root.directory().to_owned(), located.path))
    })?;
    cached(session, directory.join(&located), || {
        let bytes = session.read(path, resource)?;
        compile(session, &parse_file(Path::new(path), &bytes)?, Some(directory.clone()), &located)
    })
}

fn cached(
    session: &Session,
    key: PathBuf,
    make: impl FnOnce() -> Result<Validator, String>,
) -> Result<Rc<Validator>, String> {
    if let Some(known) = session.schemas.borrow().by_file.get(&key) {
        return Ok(Rc::clone(known));
    }
    let compiled = Rc::new(make()?);
    session.schemas.borrow_mut().by_file.insert(key, Rc::clone(&compiled));
    Ok(compiled)
}

/// Compiles a schema. With a directory, its references may lead to files in there; `path` is
/// where the schema itself is in it. References to the schemas of all drafts are known.
///
/// A schema that does not name its draft asserts `format`, as jk's do: whoever writes one expects
/// that. One that names draft 2019-09 or later does not, as those drafts say.
fn compile(
    session: &Session,
    schema: &Value,
    directory: Option<PathBuf>,
    path: &Path,
) -> Result<Validator, String> {
    let base = retrieve::uri(path);
    let files = Files::new(&session.surroundings, directory);
    let mut options = jsonschema::options().with_retriever(files).with_base_uri(base);
    if schema.get("$schema").is_none() {
        options = options.should_validate_formats(true);
    }
    let mut built = options.build(schema);
    // The schemas of other drafts are many, and seldom referred to.
    if built.as_ref().is_err_and(refers_to_draft) {
        built = options.with_registry(&referencing::SPECIFICATIONS).build(schema);
    }
    built.map_err(|error| {
        let reason = match error.kind() {
            ValidationErrorKind::Referencing(ReferencingError::Unretrievable {
                source, ..
            }) => source.to_string(),
            ValidationErrorKind::Referencing(ReferencingError::UnknownSpecification {
                specification,
            }) => format!(
                "the `$schema` {specification} is not known: expected draft 4, 6, 7, 2019-09 or \
                 2020-12"
            ),
            _ => format!("the schema is not valid: {error}"),
        };
        let is_named = !path.as_os_str().is_empty();
        if is_named { format!("{}: {reason}", path.display()) } else { reason }
    })
}

/// Whether a schema was not compiled because it refers to the schema of a draft.
fn refers_to_draft(error: &jsonschema::ValidationError<'_>) -> bool {
    match error.kind() {
        ValidationErrorKind::Referencing(ReferencingError::Unretrievable { uri, .. }) => {
            uri.contains("://json-schema.org/")
        }
        _ => false,
    }
}

/// The tree of a JSON text.
pub(crate) fn parse(json: &str) -> Result<Value, String> {
    parse_within(json, MAX_DEPTH)
}

fn parse_within(json: &str, max_depth: usize) -> Result<Value, String> {
    if depth(json) > max_depth {
        return Err(format!("values nest deeper than {max_depth} levels"));
    }
    json_text::read(json, PhantomData::<Value>)
}

/// How deep a JSON text nests.
fn depth(json: &str) -> usize {
    let (mut deepest, mut depth) = (0, 0_usize);
    let mut is_string = false;
    let mut bytes = json.bytes();
    while let Some(byte) = bytes.next() {
        match byte {
            b'\\' if is_string => _ = bytes.next(),
            b'"' => is_string = !is_string,
            b'[' | b'{' if !is_string => {
                depth += 1;
                deepest = deepest.max(depth);
            }
            b']' | b'}' if !is_string => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    deepest
}

fn parse_file(path: &Path, bytes: &[u8]) -> Result<Value, String> {
    let name = path.to_string_lossy();
    let json = crate::format::to_json(&name, bytes, crate::format::Format::FromExtension)?;
    parse_within(&json, MAX_SCHEMA_DEPTH)
}

fn findings(session: &Session, validator: &Validator, value: &Value) -> Vec<Finding> {
    let errors = validator.iter_errors(value);
    errors.flat_map(|error| words::findings(&error, session.request.dialect)).collect()
}

/// Findings as scripts get them.
fn to_json(findings: &[Finding]) -> String {
    let list = findings.iter().map(|it| json!({ "msg": it.message, "path": it.field() }));
    Value::Array(list.collect()).to_string()
}
