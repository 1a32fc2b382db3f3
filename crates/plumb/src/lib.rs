//! Everything public that Plumb promises to keep: a [`World`] and [`Options`] in, an [`Outcome`]
//! out.
//!
//! [`render`] is the whole of a run, one stage after the other. Nothing here prints, and nothing
//! here touches the machine: the world does the one, front ends the other.

mod findings;
mod format;
mod import;
mod krm;
mod kube;
mod mistake;
mod options;
mod output;
pub mod print;
mod rule_file;
mod schema_file;

pub use format::format;
pub use import::{SchemaChoice, import_schema};
pub use krm::{Function, NO_LIST, WRONG_CONFIG, krm};
pub use options::{Dialect, Input, Options, SchemaLanguage, Wanted};
pub use output::{Content, Outcome, Output, OutputFile, Stage};
pub use plumb_diagnostic::{Code, Diagnostic, Failure, Severity, nearest, peer, pretty};

pub use plumb_library::{
    DataValueFlag, DataValueKind, FileType, GivenFile, InputFile, SilentDrops, SymlinkPolicy,
    lexical, resolve,
};
pub use plumb_schema::{CrdNames, NameProblem};
pub use plumb_source::{Cancel, Sources, World};
pub use plumb_starlark::Limits;
pub use plumb_validation::Violation;
pub use plumb_value::{Callable, Document};
pub use plumb_yaml::Limits as ReadLimits;
pub use rule_file::{RULE_FILE, rule};
pub use schema_file::{DataSchema, data_schema};

/// What a front end needs to make a [`World`].
pub mod world {
    pub use plumb_source::{
        Access, Cores, Entry, EntryKind, Fault, Occupant, OutputTree, Text, World, WorldError,
    };
}

/// The [`World`] of this computer.
#[cfg(feature = "native")]
pub mod native {
    pub use plumb_native::{NativeWorld, write_tree};
}

use std::sync::Arc;

use plumb_diagnostic::Failures;
use plumb_library::{
    Collected, DirectoryId, GivenValues, LibraryOptions, RootLibrary, Run, Tree, ValueSources, mark,
};
use plumb_schema::Schema;
use plumb_source::Origin;
use plumb_template::{Runtime, Settings};
use plumb_value::{Array, ArrayItem, Node};
use plumb_yaml::ReadOptions;

/// Renders input files: from the flags of a user to the files they asked for.
///
/// ```
/// use std::sync::Arc;
///
/// use plumb::print::{self, Flavour, Format, Style};
/// use plumb::{Input, Options, SilentDrops, render};
///
/// let world = plumb_testkit::MemoryWorld::new().file("config/a.yml", "ports: #@ [80, 443]\n");
/// let world: Arc<dyn plumb::World> = Arc::new(world);
/// let options = Options { input: Input::Paths(vec!["config".into()]), ..Options::default() };
/// let outcome = render(&world, &options);
///
/// let output = outcome.result.expect("the input is right");
/// let style = Style {
///     format: Format::Yaml,
///     flavour: Flavour::Plumb,
///     silent_drops: SilentDrops::Refuse,
/// };
/// let stream = print::stream(&output, style, &outcome.sources).expect("YAML can hold it");
/// assert_eq!(stream.bytes, b"ports:\n- 80\n- 443\n");
/// ```
pub fn render(world: &Arc<dyn World>, options: &Options) -> Outcome {
    let mut outcome = Outcome::new();
    outcome.result = stages(world, options, &mut outcome);
    outcome
}

/// The stages of a run. What they learn on the way is left in `outcome`, also when they fail.
fn stages(
    world: &Arc<dyn World>,
    options: &Options,
    outcome: &mut Outcome,
) -> Result<Output, Failure> {
    let collected = collect(&**world, options)?;
    outcome.reached = Stage::Render;
    outcome.warnings.extend(collected.warnings);
    let mut warnings = Vec::new();
    let files = mark::apply(&options.marks, collected.files, &mut warnings)?;
    if options.silent_drops == SilentDrops::Refuse {
        outcome.warnings.extend(warnings);
    }
    let tree = Arc::new(Tree::new(files));
    outcome.inputs = Some(Arc::clone(&tree));
    if options.wanted == Wanted::FileList {
        return Ok(Output::Report(file_list(&tree)));
    }
    let runtime = runtime(world, options, outcome);
    let output = library_stages(world, options, outcome, &tree, &runtime);
    outcome.warnings.extend(runtime.take_warnings());
    mistake::keep_expected(&mut outcome.warnings, options.silent_drops);
    output
}

/// The stages of the root library: schema, data values, templates and overlays.
fn library_stages(
    world: &Arc<dyn World>,
    options: &Options,
    outcome: &mut Outcome,
    tree: &Arc<Tree>,
    runtime: &Arc<Runtime>,
) -> Result<Output, Failure> {
    let mut failures = Failures::default();
    let output = partial_output(world, options, outcome, tree, runtime, &mut failures);
    failures
        .into_result()
        .map_err(|failure| findings::in_order(failure, tree, &outcome.sources))?;
    Ok(output.expect("a stage that has no result adds a failure"))
}

/// What the stages come to. Each goes on as far as it makes sense after a failure, so that
/// everything that is wrong is reported; what is only a consequence of it is not.
fn partial_output(
    world: &Arc<dyn World>,
    options: &Options,
    outcome: &mut Outcome,
    tree: &Arc<Tree>,
    runtime: &Arc<Runtime>,
    failures: &mut Failures,
) -> Option<Output> {
    let given = given_values(&**world, options, outcome, failures);
    let are_all_given = failures.is_empty();
    let sources = Arc::clone(&outcome.sources);
    let run = Run::new(
        Arc::clone(world),
        sources,
        Arc::clone(runtime),
        Arc::clone(tree),
        options.reading,
    );
    let library = RootLibrary::new(run, library_options(options), failures);
    if let Wanted::Schema(language) = options.wanted {
        return Some(Output::Report(exported(library.schema()?, language, options, outcome)));
    }
    let values = library.values(given, are_all_given, failures);
    if options.wanted == Wanted::DataValues {
        return Some(Output::Report(values?.document));
    }
    let rendered = library.render(values, failures)?;
    let texts = rendered
        .texts
        .into_iter()
        .map(|(path, text)| OutputFile { path, content: Content::Text(text) });
    let documents = rendered
        .files
        .into_iter()
        .map(|file| OutputFile { path: file.name, content: Content::Yaml(file.documents) });
    let files: Vec<OutputFile> = texts.chain(documents).collect();
    outcome.warnings.extend(mistake::braces(&**world, tree, &files, &outcome.sources));
    if !options.kube_schemas.is_empty() && !options.skips_output_validation {
        let checked = kube::check(&**world, options, &files, &outcome.sources);
        outcome.warnings.extend(failures.keep(checked).into_iter().flatten());
    }
    failures.keep(check_size(&files, runtime))?;
    Some(Output::Files(files))
}

fn exported(
    schema: &Schema,
    language: SchemaLanguage,
    options: &Options,
    outcome: &mut Outcome,
) -> Document {
    match language {
        SchemaLanguage::OpenApi => {
            let dialect = match options.silent_drops {
                SilentDrops::Refuse => plumb_schema::Dialect::OpenApi,
                SilentDrops::Warn => plumb_schema::Dialect::YttOpenApi,
            };
            plumb_schema::openapi(schema, dialect)
        }
        SchemaLanguage::JsonSchema => plumb_schema::json_schema(schema),
        SchemaLanguage::Crd => {
            let (definition, warnings) = plumb_schema::crd(schema, &options.crd);
            outcome.warnings.extend(warnings);
            definition
        }
    }
}

/// Fails if the text of the documents does not fit into the memory that the run has left: shared
/// parts of documents are printed in each place.
fn check_size(files: &[OutputFile], runtime: &Runtime) -> Result<(), Failure> {
    let documents = files.iter().flat_map(|file| match &file.content {
        Content::Yaml(documents) => documents.as_slice(),
        Content::Text(_) => &[],
    });
    let nodes = documents.map(|document| &document.node);
    if plumb_yaml::print::fits(nodes, 2, runtime.budget().memory_left()) {
        return Ok(());
    }
    let message = "out of memory: the output is too large to print";
    Err(Diagnostic::error(plumb_template::LIMIT, message)
        .help("raise --memory-limit, or find what repeats a large value many times")
        .into())
}

fn runtime(world: &Arc<dyn World>, options: &Options, outcome: &Outcome) -> Arc<Runtime> {
    let printer = Arc::clone(world);
    let sources = Arc::clone(&outcome.sources);
    let settings = Settings {
        limits: options.limits,
        cancel: options.cancel.clone(),
        silent_drops: options.silent_drops,
    };
    Runtime::new(sources, settings, move |line| printer.print(line))
}

fn library_options(options: &Options) -> LibraryOptions {
    LibraryOptions {
        is_strict: options.dialect == Dialect::Strict,
        ignores_unknown_comments: options.ignores_unknown_comments,
        overrides_map_keys: options.overrides_map_keys,
        skips_validation: options.skips_validation,
        skips_output_validation: options.skips_output_validation,
    }
}

/// Data values from flags and the environment.
fn given_values(
    world: &dyn World,
    options: &Options,
    outcome: &mut Outcome,
    failures: &mut Failures,
) -> Vec<GivenValues> {
    let from = ValueSources {
        world,
        sources: &outcome.sources,
        symlinks: &options.symlinks,
        drops: options.silent_drops,
        reading: &ReadOptions { limits: options.reading, ..options.dialect.read_options() },
    };
    plumb_library::given_values(&options.data_values, from, &mut outcome.warnings, failures)
}

fn collect(world: &dyn World, options: &Options) -> Result<Collected, Failure> {
    match &options.input {
        Input::Paths(paths) => {
            plumb_library::collect(world, paths, &options.symlinks, options.silent_drops)
        }
        Input::Given(files) => {
            let files = plumb_library::given(files);
            Ok(Collected { files, warnings: Vec::new() })
        }
    }
}

/// The paths of the files that a run would visit, in the order of input.
fn file_list(tree: &Tree) -> Document {
    let mut visited = tree.visited(DirectoryId::ROOT);
    visited.sort_unstable();
    let path = |at: usize| ArrayItem::new(tree.files()[at].path().into(), Origin::Unknown);
    let paths = visited.into_iter().map(path).collect();
    Document::new(Node::array(Array::new(paths, Origin::Unknown)), Origin::Unknown)
}
