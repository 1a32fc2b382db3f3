//! Validation with JSON Schema, drafts 4 to 2020-12, and with the other judges of a request.
//!
//! References of a schema lead to files inside its root, never to the network.

mod retrieve;
mod rules;
mod words;

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use jsonschema::Validator;
use serde_json::{Value, json};

use crate::format::{KeyOrder, node_from_json};
use crate::root::Doing;
use crate::session::Session;
use crate::{Complaint, Dialect};
use retrieve::Files;

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
            let parsed = parse(schema)?;
            let validator = Rc::new(compile(session, &parsed, None, Path::new(""))?);
            session.schemas.borrow_mut().last = Some((schema.to_owned(), Rc::clone(&validator)));
            validator
        }
    };
    Ok(to_json(&complaints(session, &validator, &parse(value)?)))
}

/// What the schema in a file says about a value: a JSON array of complaints.
pub(crate) fn validate_with_file(
    session: &Session,
    value: &str,
    path: &str,
    resource: Option<&str>,
) -> Result<String, String> {
    let validator = of_file(session, path, resource)?;
    Ok(to_json(&complaints(session, &validator, &parse(value)?)))
}

/// Whether [`check`] has something to say about values that name no schema.
pub(crate) fn checks_all(session: &Session) -> bool {
    session.request.schema.is_some() || !session.request.rules.is_empty()
}

/// What all judges but scripts say about a value: the schema of the command line, the one that
/// the value names as its `$schema`, and those in other languages.
pub(crate) fn check(session: &Session, value: &str) -> Result<String, String> {
    let names_schema = session.request.dialect == Dialect::Plumb && value.contains("\"$schema\"");
    let mut found = Vec::new();
    if session.request.schema.is_some() || names_schema {
        let value = parse(value)?;
        if let Some(path) = &session.request.schema {
            let validator = of_command_line(session, path)?;
            found.extend(complaints(session, &validator, &value));
        }
        if let (true, Some(schema)) = (names_schema, value["$schema"].as_str()) {
            found.extend(by_own_schema(session, schema, &value));
        }
    }
    if !session.request.rules.is_empty() {
        let node = node_from_json(value, KeyOrder::Kept)?;
        found.extend(rules::complaints(&session.request.rules, &node));
    }
    Ok(to_json(&found))
}

fn by_own_schema(session: &Session, schema: &str, value: &Value) -> Vec<Complaint> {
    if schema.contains("://") {
        if schema.contains("://json-schema.org/") {
            let first = jsonschema::meta::validate(value).err();
            let found = first.map(|error| words::complaints(&error, session.request.dialect));
            return found.unwrap_or_default();
        }
        let line = format!("warning: not checked against {schema}: nothing is fetched\n");
        session.log(line.as_bytes());
        return Vec::new();
    }
    match of_root(session, schema) {
        Ok(validator) => complaints(session, &validator, value),
        Err(reason) => vec![Complaint::new(format!("$schema {schema}: {reason}"))],
    }
}

/// The schema of `--schema`, wherever it is.
fn of_command_line(session: &Session, path: &Path) -> Result<Rc<Validator>, String> {
    cached(session, path.to_owned(), || {
        let bytes = session.read_input(&path.to_string_lossy())?;
        let directory = path.parent().unwrap_or(Path::new("")).to_owned();
        let name = PathBuf::from(path.file_name().unwrap_or_default());
        compile(session, &parse_file(path, &bytes)?, Some(directory), &name)
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
/// where the schema itself is in it.
fn compile(
    session: &Session,
    schema: &Value,
    directory: Option<PathBuf>,
    path: &Path,
) -> Result<Validator, String> {
    let base = retrieve::uri(path);
    let files = Files::new(&session.surroundings, directory);
    let options = jsonschema::options().with_retriever(files).with_base_uri(base);
    options.build(schema).map_err(|error| format!("the schema is not valid: {error}"))
}

fn parse(json: &str) -> Result<Value, String> {
    let mended = serde_json::from_str(json);
    mended.map_err(|error| error.to_string())
}

fn parse_file(path: &Path, bytes: &[u8]) -> Result<Value, String> {
    let name = path.to_string_lossy();
    let json = crate::format::to_json(&name, bytes, crate::format::Format::FromExtension)?;
    parse(&json)
}

fn complaints(session: &Session, validator: &Validator, value: &Value) -> Vec<Complaint> {
    let errors = validator.iter_errors(value);
    errors.flat_map(|error| words::complaints(&error, session.request.dialect)).collect()
}

fn to_json(complaints: &[Complaint]) -> String {
    let list = complaints.iter().map(|it| match &it.field {
        Some(field) => json!({ "msg": it.message, "path": field }),
        None => json!({ "msg": it.message }),
    });
    Value::Array(list.collect()).to_string()
}
