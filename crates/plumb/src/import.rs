//! Imports schemas in other languages as schemas of data values.

use std::sync::Arc;

use plumb_diagnostic::Failure;
use plumb_library::InputFile;
use plumb_source::{Sources, World, on_deep_stack};
use plumb_value::Document;
use plumb_yaml::ReadOptions;

pub use plumb_import::Choice as SchemaChoice;
use plumb_import::Import;

use crate::render::find_inputs;
use crate::{Options, Outcome};

/// Files with these extensions are read from directories.
const EXTENSIONS: [&str; 3] = [".yaml", ".yml", ".json"];

/// Translates a `CustomResourceDefinition`, an `OpenAPI` document or a JSON Schema among the inputs
/// to a schema of data values. If there are several inputs, all YAML and JSON files are read.
pub fn import_schema(
    world: &Arc<dyn World>,
    options: &Options,
    choice: &SchemaChoice,
) -> Outcome<String> {
    import(world, options, choice).map(|it| it.text)
}

/// Like [`import_schema`], with the origin of the schema.
pub(crate) fn import(
    world: &Arc<dyn World>,
    options: &Options,
    choice: &SchemaChoice,
) -> Outcome<Import> {
    on_deep_stack(|| {
        let mut outcome = Outcome::new(options.session.as_ref());
        let tree = find_inputs(world, options, &mut outcome);
        outcome.result = tree
            .and_then(|tree| documents(&**world, tree.files(), options, &outcome.sources))
            .and_then(|documents| plumb_import::import(&documents, choice));
        outcome
    })
}

fn documents(
    world: &dyn World,
    files: &[InputFile],
    options: &Options,
    sources: &Sources,
) -> Result<Vec<Document>, Failure> {
    let is_one = files.len() == 1;
    let is_schema = |path: &str| is_one || EXTENSIONS.iter().any(|it| path.ends_with(it));
    let mut documents = Vec::new();
    for input in files.iter().filter(|it| is_schema(it.path())) {
        let file = input.source(world, sources)?;
        let reading = ReadOptions { comments: false, surrogates: true, ..options.read_options() };
        documents.extend(plumb_yaml::parse(file, sources.get(file).bytes(), &reading)?);
    }
    Ok(documents)
}
