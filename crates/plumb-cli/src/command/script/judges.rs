//! Validators besides scripts: functions in files of rules, and schemas of data values.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use plumb::world::{EntryKind, Text};
use plumb::{DataSchema, Diagnostic, Document, Failure, Sources, Violation, World};
use plumb_generate::{Judge, RuleFunction};

use crate::report::{self, MISUSE};
use plumb::native::NativeWorld;

/// Whether a validator is a function in a file of rules: `rules.star:check`.
pub(super) fn is_rule(name: &str) -> bool {
    let path = Path::new(name.split(':').next().unwrap_or_default());
    path.extension().is_some_and(|it| it == "star")
}

/// The functions that `--validate` names in files of rules.
pub(super) fn rules(
    names: &[String],
    world: &Arc<NativeWorld>,
    sources: &Arc<Sources>,
) -> Result<Vec<Arc<dyn Judge>>, Failure> {
    let world: Arc<dyn World + Send + Sync> = Arc::clone(world) as _;
    let rules = names.iter().map(|name| {
        let Some((path, function)) = name.split_once(':') else {
            let finding = Diagnostic::error(MISUSE, format!("which function of {name} judges?"));
            return Err(finding.help(format!("name it: --validate {name}:FUNCTION")).into());
        };
        let function = plumb::rule(&world, Path::new(path), function, sources, print)?;
        Ok(Arc::new(RuleFunction(function)) as Arc<dyn Judge>)
    });
    rules.collect()
}

/// Adds a validator for the argument of `--schema` if it is a schema of data values. Returns the
/// argument if it is a JSON Schema.
pub(super) fn schema(
    path: PathBuf,
    world: &Arc<NativeWorld>,
    sources: &Arc<Sources>,
    judges: &mut Vec<Arc<dyn Judge>>,
) -> Result<Option<PathBuf>, Failure> {
    let place = plumb::resolve(&**world, &path).unwrap_or_else(|_| path.clone());
    let is_directory = world.entry(&place).is_ok_and(|it| it == EntryKind::Directory);
    let is_yaml = path.extension().is_some_and(|it| it == "yaml" || it == "yml");
    if !is_directory && !is_yaml {
        return Ok(Some(path));
    }
    let world: Arc<dyn World> = Arc::clone(world) as _;
    match plumb::data_schema(&world, &place, sources, print)? {
        Some(schema) => {
            judges.push(Arc::new(SchemaJudge(schema)));
            Ok(None)
        }
        None if is_directory => {
            let message = format!("no document below {} is a schema", path.display());
            Err(Diagnostic::error(MISUSE, message)
                .help("a schema of data values begins with `#@data/values-schema`")
                .into())
        }
        None => Ok(Some(path)),
    }
}

#[derive(Debug)]
struct SchemaJudge(DataSchema);

impl Judge for SchemaJudge {
    fn judge(&self, document: &Document, index: usize) -> Vec<Violation> {
        self.0.violations(document, index)
    }
}

/// The output of rules and schemas is discarded.
fn print(text: &Text) {
    report::say(&format!("{text}\n"));
}
