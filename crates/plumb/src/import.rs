//! Schemas of others as schemas of data values.

use plumb_diagnostic::Failure;
use plumb_library::{SilentDrops, SymlinkPolicy};
use plumb_source::{Sources, World};
use plumb_yaml::ReadOptions;

pub use plumb_import::Choice as SchemaChoice;

/// Files with these ends are read from directories.
const EXTENSIONS: [&str; 3] = [".yaml", ".yml", ".json"];

/// The schema of data values that a file comes to: a `CustomResourceDefinition`, an `OpenAPI`
/// document or a JSON Schema. `path` is as for `-f`; of a directory, all YAML and JSON counts.
pub fn import_schema(
    world: &dyn World,
    path: &str,
    choice: &SchemaChoice,
    sources: &Sources,
) -> Result<String, Failure> {
    let paths = [path.to_owned()];
    let links = SymlinkPolicy::default();
    let files = plumb_library::collect(world, &paths, &links, SilentDrops::Refuse)?.files;
    let is_one = files.len() == 1;
    let is_schema = |path: &str| is_one || EXTENSIONS.iter().any(|it| path.ends_with(it));
    let mut documents = Vec::new();
    for input in files.iter().filter(|it| is_schema(it.path())) {
        let file = input.source(world, sources)?;
        let options = ReadOptions { comments: false, ..ReadOptions::default() };
        documents.extend(plumb_yaml::parse(file, sources.get(file).bytes(), &options)?);
    }
    plumb_import::import(&documents, choice)
}
