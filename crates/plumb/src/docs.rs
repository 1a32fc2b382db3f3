//! References of schemas, for the people who fill in values.
//!
//! [`schema_reference`] returns the content of a schema; [`markdown`] and [`html`] lay it out.

use std::sync::Arc;

use plumb_diagnostic::{Diagnostic, Failure};
use plumb_library::{GivenFile, InputFile};
use plumb_source::{Sources, World};

pub use plumb_docs::{
    BEGIN, Default, END, Heading, Key, Reference, Sample, Section, html, inject, markdown,
};

use crate::import::import;
use crate::render::{find_inputs, with_schema};
use crate::{Input, Options, Outcome, SchemaChoice};

/// The schema of a reference, and its title.
#[derive(Clone, Debug, std::default::Default)]
#[non_exhaustive]
pub struct ReferenceOptions {
    /// The title. Default: the title of the schema.
    pub title: Option<String>,
    /// The schema to use, if the input is not a schema of data values.
    pub choice: SchemaChoice,
}

impl ReferenceOptions {
    /// The only schema of the input, with its own title.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the title.
    #[must_use]
    pub fn title(mut self, title: impl Into<String>) -> Self {
        self.title = Some(title.into());
        self
    }

    /// Sets the schema to use, if the input is not a schema of data values.
    #[must_use]
    pub fn choice(mut self, choice: SchemaChoice) -> Self {
        self.choice = choice;
        self
    }
}

/// Lists the keys of a schema: of data values, or, if no input file has annotations, of a
/// `CustomResourceDefinition`, an `OpenAPI` document or a JSON Schema.
///
/// ```
/// use std::sync::Arc;
///
/// use plumb::world::MemoryWorld;
/// use plumb::{Options, ReferenceOptions, World, docs, schema_reference};
///
/// let world: Arc<dyn World> = Arc::new(MemoryWorld::new());
/// let options = Options::new().file("schema.yml", "#@data/values-schema\n---\nport: 80\n");
/// let reference = schema_reference(&world, &options, &ReferenceOptions::new());
/// let text = docs::markdown(&reference.result.expect("the schema is valid"), 0);
/// assert!(text.contains("`port` | integer | `80`"), "{text}");
/// ```
pub fn schema_reference(
    world: &Arc<dyn World>,
    options: &Options,
    which: &ReferenceOptions,
) -> Outcome<Reference> {
    let title = which.title.as_deref();
    let mut search = Outcome::new(options.session.as_ref());
    let found = find_inputs(world, options, &mut search)
        .and_then(|tree| read_all(&**world, tree.files(), &search.sources));
    let given = match found {
        Ok(given) => given,
        Err(failure) => {
            search.result = Err(failure);
            return search;
        }
    };
    let is_annotated = given.iter().any(has_annotations);
    let mut options = options.clone();
    // Standard input can be read only once.
    if options.input_paths().any(|it| it == "-") {
        options.inputs = given.into_iter().map(Input::File).collect();
    }
    if is_annotated {
        return with_schema(world, &options, |schema, work| Reference::within(schema, title, work))
            .and_then(|reference, _| declared(reference));
    }
    let imported = import(world, &options, &which.choice);
    match imported.result {
        Ok(import) => {
            let origin =
                capitalized(import.origin.trim_start_matches("the ").trim_start_matches("a "));
            let Options { limits, cancel, .. } = options;
            let options = Options::new().file("schema.yml", import.text);
            let options = Options { limits, cancel, ..options };
            with_schema(world, &options, |schema, work| {
                let own = Some(schema.root().docs.title.as_str()).filter(|it| !it.is_empty());
                Reference::within(schema, title.or(own).or(Some(&origin)), work)
            })
        }
        Err(failure) => {
            let Outcome { sources, warnings, .. } = imported;
            let failure = failure.rearranged(|findings| {
                let help = "a schema of data values has a line `#@data/values-schema`";
                findings.into_iter().map(|it| it.help(help)).collect()
            });
            Outcome { result: Err(failure), sources, warnings, ..search }
        }
    }
}

/// Fails if there are no keys to list.
fn declared(reference: Reference) -> Result<Reference, Failure> {
    if !reference.sections.is_empty() {
        return Ok(reference);
    }
    let message = "there is no schema of data values with keys among the input files";
    let help = "give the file with the line `#@data/values-schema`, and at least one key below it";
    Err(Diagnostic::error(plumb_import::NO_SCHEMA, message).help(help).into())
}

fn capitalized(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |it| it.to_uppercase().chain(letters).collect())
}

fn read_all(
    world: &dyn World,
    files: &[InputFile],
    sources: &Sources,
) -> Result<Vec<GivenFile>, Failure> {
    let read = |file: &InputFile| {
        let source = sources.get(file.source(world, sources)?);
        Ok(GivenFile { path: file.path().to_owned(), bytes: Arc::clone(source.bytes()) })
    };
    files.iter().map(read).collect()
}

/// Returns whether a line of a file begins with `#@`.
fn has_annotations(file: &GivenFile) -> bool {
    let mut lines = file.bytes.split(|it| *it == b'\n');
    lines.any(|line| line.trim_ascii_start().starts_with(b"#@"))
}
