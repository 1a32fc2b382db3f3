//! Runs Plumb as a user does.

use std::path::Path;
use std::process::{Command, Output};
use std::sync::Arc;

use ::plumb::native::NativeWorld;
use ::plumb::{Options, World, data_values};
use serde_json::Value;

use crate::Outcome;
use crate::client::GROUP;
use crate::schemas::Schema;
use crate::values;

/// A definition, as JSON.
pub(crate) struct Exported {
    pub(crate) definition: String,
    /// The export's warnings about rules that the server does not check as Plumb does.
    warnings: Vec<String>,
}

/// Exports a schema. Returns `None` if the file alone is not a schema.
pub(crate) fn export(schema: &Schema, kind: &str) -> Outcome<Option<Exported>> {
    let names = ["--crd-group", GROUP, "--crd-kind", kind];
    let inspect = ["--data-values-schema-inspect", "-o", "crd,json"];
    let output = run(schema, inspect.iter().chain(&names))?;
    if !output.status.success() {
        return Ok(None);
    }
    let definition = String::from_utf8(output.stdout)?;
    let said = String::from_utf8_lossy(&output.stderr);
    let warnings = said.lines().filter(|it| it.starts_with("warning[schema/not-in-crd]"));
    Ok(Some(Exported { definition, warnings: warnings.map(str::to_owned).collect() }))
}

impl Exported {
    /// Whether a value is null and its key is not nullable, so that a warning says that the null is
    /// dropped.
    pub(crate) fn warns_about_null(&self, given: &Value) -> bool {
        let (keys, Value::Null) = values::only_part(given) else {
            return false;
        };
        let definition: Value = serde_json::from_str(&self.definition).unwrap_or_default();
        let schema = schema_of(&definition, &keys);
        let is_nullable = schema.is_none_or(|it| it.get("nullable").is_some());
        let is_said = |it: &String| it.contains(" is dropped by an API server");
        !is_nullable && self.warnings.iter().any(is_said)
    }

    /// Whether a warning is about the same part of the schema as the value, about a part of it, or
    /// about the whole schema; or about a part that the server names.
    pub(crate) fn warns_about(&self, given: &Value, refusal: Option<&str>) -> bool {
        let path = values::only_part(given).0.join(".");
        let others = self.warnings.iter().filter(|it| !it.contains(" is dropped by an API server"));
        { others }.any(|it| match it.rsplit_once("of `") {
            None => true,
            Some((_, rest)) => {
                let named = rest.split('`').next().unwrap_or_default();
                let named = named.split(['[', '*']).next().unwrap_or_default();
                let named = named.trim_end_matches('.');
                let is_below = |above: &str, below: &str| {
                    above.is_empty()
                        || below
                            .strip_prefix(above)
                            .is_some_and(|it| it.is_empty() || it.starts_with('.'))
                };
                let is_refused = refusal.is_some_and(|it| it.contains(&format!("spec.{named}: ")));
                is_refused || is_below(named, &path) || is_below(&path, named)
            }
        })
    }
}

/// The schema of a key of `spec`, in a definition.
fn schema_of<'d>(definition: &'d Value, keys: &[&str]) -> Option<&'d Value> {
    let root = &definition["spec"]["versions"][0]["schema"]["openAPIV3Schema"];
    keys.iter().try_fold(root.get("properties")?.get("spec")?, |schema, key| {
        let declared = schema.get("properties").and_then(|it| it.get(key));
        declared.or_else(|| schema.get("additionalProperties"))
    })
}

/// The defaults of a schema. Returns `None` if they are not valid by themselves.
pub(crate) fn defaults(schema: &Schema) -> Outcome<Option<Value>> {
    let output = run(schema, ["--data-values-inspect", "-o", "json"].iter())?;
    Ok(if output.status.success() { Some(serde_json::from_slice(&output.stdout)?) } else { None })
}

/// Whether data values are valid. No process is started for this, because there are thousands of
/// values.
pub(crate) fn accepts(schema: &Schema, values: &Value) -> Outcome<bool> {
    let file = schema.directory.join("values.json");
    std::fs::write(&file, values.to_string())?;
    let text = |path: &Path| path.to_string_lossy().into_owned();
    let options = Options::new()
        .path(text(&schema.directory.join(&schema.file)))
        .data_values_file(text(&file));
    let world: Arc<dyn World> = Arc::new(NativeWorld::default());
    Ok(data_values(&world, &options).result.is_ok())
}

fn run<'f>(schema: &Schema, flags: impl Iterator<Item = &'f &'f str>) -> Outcome<Output> {
    let mut command = command()?;
    command.current_dir(&schema.directory).args(["-f", &schema.file]).args(flags);
    Ok(command.output()?)
}

/// Plumb itself, built next to this program.
pub(crate) fn command() -> Outcome<Command> {
    let own = std::env::current_exe()?;
    let program = own.parent().and_then(|it| it.parent()).ok_or("target/PROFILE/examples")?;
    Ok(Command::new(program.join("plumb")))
}
