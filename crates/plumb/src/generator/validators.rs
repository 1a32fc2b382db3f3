//! Validators besides scripts: functions in files of rules, and schemas of data values.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use plumb_diagnostic::{Diagnostic, Failure};
use plumb_generate::Validator;
use plumb_source::message::plain;
use plumb_source::root::resolve;
use plumb_source::{EntryKind, Sources, Text, World, lexical, message};
use plumb_template::{RuntimeOwner, Settings};
use plumb_validation::Violation;
use plumb_value::Document;

use super::rule_file::rule;
use super::schema_file::{DataSchema, data_schema};
use super::{GeneratorOptions, WRONG_OPTION};

/// The settings with which rules and schemas are evaluated.
pub(super) fn settings(options: &GeneratorOptions) -> Settings {
    Settings {
        limits: options.rule_limits,
        cancel: options.cancel.clone(),
        wording: plumb_peer::WORDING,
        vocabulary: plumb_library::vocabulary(),
        ..Settings::default()
    }
}

/// Whether a validator is a function in a file of rules: `rules.star:check`.
pub(super) fn is_rule(name: &str) -> bool {
    let path = Path::new(name.split(':').next().unwrap_or_default());
    path.extension().is_some_and(|it| it == "star")
}

/// The functions that validators name in files of rules.
pub(super) fn rules(
    names: &[&String],
    world: &Arc<dyn World>,
    sources: &Arc<Sources>,
    settings: &Settings,
) -> Result<Vec<Arc<dyn Validator>>, Failure> {
    let rules = names.iter().map(|name| {
        let Some((path, function)) = name.split_once(':') else {
            let message = message!("expected the name of a validator function of {}", plain(name));
            let finding = Diagnostic::error(WRONG_OPTION, message);
            return Err(finding
                .help(message!("name it: --validate {}:FUNCTION", plain(name)))
                .into());
        };
        let runtime = RuntimeOwner::new(Arc::clone(sources), settings.clone(), printer(world));
        let rule = rule(world, Path::new(path), function, runtime)?;
        Ok(Arc::new(rule) as Arc<dyn Validator>)
    });
    rules.collect()
}

/// Adds a validator for a schema if it is a schema of data values. Returns its path if it is a JSON
/// Schema.
pub(super) fn schema(
    path: &Path,
    world: &Arc<dyn World>,
    sources: &Arc<Sources>,
    settings: Settings,
    native_validators: &mut Vec<Arc<dyn Validator>>,
) -> Result<Option<PathBuf>, Failure> {
    let place = resolve(&**world, path).unwrap_or_else(|_| path.to_owned());
    let is_directory = world.entry(&place).is_ok_and(|it| it == EntryKind::Directory);
    let is_yaml = path.extension().is_some_and(|it| it == "yaml" || it == "yml");
    if !is_directory && !is_yaml {
        return Ok(Some(path.to_owned()));
    }
    match data_schema(world, &place, sources, settings, printer(world))? {
        Some(schema) => {
            native_validators.push(Arc::new(SchemaValidator(schema)));
            Ok(None)
        }
        None if is_directory => {
            let message = message!("no document below {} is a schema", plain(lexical::shown(path)));
            Err(Diagnostic::error(WRONG_OPTION, message)
                .help("a schema of data values begins with `#@data/values-schema`")
                .into())
        }
        None => Ok(Some(path.to_owned())),
    }
}

#[derive(Debug)]
struct SchemaValidator(DataSchema);

impl Validator for SchemaValidator {
    fn validate(&self, document: &Document, index: usize) -> Vec<Violation> {
        self.0.violations(document, index)
    }
}

/// Passes the output of rules and schemas to the world, like the output of templates.
fn printer(world: &Arc<dyn World>) -> impl Fn(&Text) + Send + Sync + 'static {
    let world = Arc::clone(world);
    move |line| world.print(line)
}
