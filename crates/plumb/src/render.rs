//! The stages of a run over YAML templates.
//!
//! Each public function runs the stages up to the one that it is named after. They run on a
//! separate stack with room for deep input.

use std::slice;
use std::sync::Arc;

use plumb_diagnostic::{Diagnostic, Failure, Failures};
use plumb_library::{
    Collected, DirectoryId, FileDocuments, GivenValues, LibraryOptions, RootLibrary, Run,
    SchemaWork, SilentDrops, Tree, ValueSources, mark,
};
use plumb_schema::Schema;
use plumb_source::{Sources, World, on_deep_stack};
use plumb_template::{Runtime, RuntimeOwner, Settings};
use plumb_validation::Work;
use plumb_value::{Document, ShownComments};
use plumb_yaml::print::Flavour;

use crate::outcome::Kept;
use crate::{
    Content, Dialect, Input, Options, Outcome, OutputFile, Printable, Rendered, SchemaLanguage,
    Session, Stage, findings, kube, warning,
};

/// Renders input files: evaluates templates with the data values, applies overlays, and validates
/// both the data values and the output.
///
/// ```
/// use std::sync::Arc;
///
/// use plumb::world::MemoryWorld;
/// use plumb::{Options, World, print, render};
///
/// let world: Arc<dyn World> =
///     Arc::new(MemoryWorld::new().file("config/a.yml", "ports: #@ [80, 443]\n"));
/// let outcome = render(&world, &Options::new().path("config"));
///
/// let rendered = outcome.result.expect("the input is valid");
/// assert_eq!(print::yaml(rendered.documents()), b"ports:\n- 80\n- 443\n");
/// ```
pub fn render(world: &Arc<dyn World>, options: &Options) -> Outcome<Rendered> {
    let (mut outcome, inspection) = inspected(world, options);
    outcome.kept.add(inspection);
    outcome
}

/// Renders like [`render`], for a program that only prints the result as one stream of YAML. If there is
/// much input and no file has code, documents are printed as soon as they are read, and only their text
/// is kept: this takes less than half of the memory. Print the result with
/// [`print::printable_in_pieces`](crate::print::printable_in_pieces).
pub fn render_printable(
    world: &Arc<dyn World>,
    options: &Options,
    flavour: Flavour,
) -> Outcome<Printable> {
    let is_whole_known = options.kube_schemas.is_empty() || options.skips_output_validation;
    let can_be_printed = is_whole_known && !options.keeps_comments && options.session.is_none();
    let mut inspection = Inspection::default();
    let ahead = can_be_printed.then_some(flavour);
    let mut outcome = run_printing(world, options, ahead, |library, given, stage| {
        stage.rendered(library, given, &mut inspection)
    });
    outcome.kept.add(inspection);
    outcome
}

/// The information that a run has before it renders. A part is missing if there is a mistake in it.
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct Inspection {
    /// The declared types of the data values.
    pub schema: Option<Schema>,
    /// The data values that templates see.
    pub values: Option<Document>,
}

/// Renders like [`render`], and also returns the information that is available if the result is a
/// failure. Editors show it while a template is incomplete.
///
/// ```
/// use std::sync::Arc;
///
/// use plumb::world::MemoryWorld;
/// use plumb::{Options, World, inspect, print};
///
/// let world: Arc<dyn World> = Arc::new(MemoryWorld::new());
/// let options = Options::new()
///     .file("config.yml", "name: #@ unknown\n")
///     .file("schema.yml", "#@data/values-schema\n---\nport: 80\n");
/// let (outcome, inspection) = inspect(&world, &options);
/// assert!(outcome.result.is_err());
/// let values = inspection.values.expect("the data values are valid");
/// assert_eq!(print::yaml([&values]), b"port: 80\n");
/// ```
pub fn inspect(world: &Arc<dyn World>, options: &Options) -> (Outcome<Rendered>, Inspection) {
    let (outcome, inspection) = inspected(world, options);
    (Outcome { kept: Kept::default(), ..outcome }, inspection)
}

fn inspected(world: &Arc<dyn World>, options: &Options) -> (Outcome<Rendered>, Inspection) {
    let mut inspection = Inspection::default();
    let outcome = run(world, options, |library, given, stage| {
        stage.rendered(library, given, &mut inspection)
    });
    let outcome = outcome.map(|it| match it {
        Printable::Documents(rendered) => rendered,
        Printable::Printed(_) => unreachable!("nobody asked for text"),
    });
    (outcome, inspection)
}

/// Computes the data values that templates see: schema defaults, `@data/values` documents, plain
/// files and flags, merged and validated.
pub fn data_values(world: &Arc<dyn World>, options: &Options) -> Outcome<Document> {
    run(world, options, |library, given, stage| {
        let values = library.values(given.values, given.are_all, stage.failures)?.document;
        stage.printable(&values)?;
        Some(values)
    })
}

/// Computes the data values like [`data_values`], with a mask in place of those that the schema
/// marks as secret.
pub fn shown_data_values(world: &Arc<dyn World>, options: &Options) -> Outcome<Document> {
    run(world, options, |library, given, stage| {
        let schema = library.schema().cloned();
        let mut values = library.values(given.values, given.are_all, stage.failures)?.document;
        if let Some(schema) = schema {
            values.node = plumb_schema::masked(schema.root(), &values.node).into_owned();
        }
        stage.printable(&values)?;
        Some(values)
    })
}

/// Exports the schema of the data values in another schema language.
pub fn schema(
    world: &Arc<dyn World>,
    options: &Options,
    language: &SchemaLanguage,
) -> Outcome<Document> {
    run(world, options, |library, _, stage| {
        let exported = stage.exported(library.schema()?, language)?;
        stage.printable(&exported)?;
        Some(exported)
    })
}

/// Compiles the schema of the data values, and returns the result of `last`. The work of `last`
/// counts as an export.
pub(crate) fn with_schema<T: Send>(
    world: &Arc<dyn World>,
    options: &Options,
    last: impl FnOnce(&Schema, &Work<'_>) -> T + Send,
) -> Outcome<T> {
    run(world, options, |library, _, stage| {
        let schema = library.schema()?;
        let last = |work: &Work<'_>| last(schema, work);
        let made = plumb_library::check_within(stage.runtime.budget(), SchemaWork::Export, last);
        stage.failures.keep(made)
    })
}

/// Lists the paths of the input files that a run visits, in the order of input.
pub fn input_files(world: &Arc<dyn World>, options: &Options) -> Outcome<Vec<String>> {
    let list = |tree: &Tree| {
        let mut visited = tree.visited(DirectoryId::ROOT);
        visited.sort_unstable();
        visited.into_iter().map(|at| tree.files()[at].path().to_owned()).collect()
    };
    on_deep_stack(|| {
        let mut outcome = Outcome::new(options.session.as_ref());
        outcome.result = find_inputs(world, options, &mut outcome).map(|tree| list(&tree));
        outcome
    })
}

/// Runs the common stages of all queries, then the last one. The outcome contains everything that
/// they report, even if they fail.
fn run<T: Send>(
    world: &Arc<dyn World>,
    options: &Options,
    last: impl FnOnce(RootLibrary, Given, &mut LastStage<'_>) -> Option<T> + Send,
) -> Outcome<T> {
    run_printing(world, options, None, last)
}

/// Like [`run`]. With a flavour, files are printed as soon as they are read, if the run has no code.
fn run_printing<T: Send>(
    world: &Arc<dyn World>,
    options: &Options,
    ahead: Option<Flavour>,
    last: impl FnOnce(RootLibrary, Given, &mut LastStage<'_>) -> Option<T> + Send,
) -> Outcome<T> {
    on_deep_stack(|| {
        let mut outcome = Outcome::new(options.session.as_ref());
        outcome.result = find_inputs(world, options, &mut outcome)
            .and_then(|tree| library_stages(world, options, ahead, &mut outcome, &tree, last));
        outcome
    })
}

/// Finds the input files, and puts them into the outcome.
pub(crate) fn find_inputs<T>(
    world: &Arc<dyn World>,
    options: &Options,
    outcome: &mut Outcome<T>,
) -> Result<Arc<Tree>, Failure> {
    let collected = collect(&**world, options)?;
    outcome.reached = Stage::Render;
    outcome.warnings.extend(collected.warnings);
    let mut warnings = Vec::new();
    let files = mark::apply(&options.marks, collected.files, &mut warnings)?;
    if options.silent_drops == SilentDrops::Refuse {
        outcome.warnings.extend(warnings);
    }
    let tree = Arc::new(Tree::new(files));
    outcome.tree = Some(Arc::clone(&tree));
    Ok(tree)
}

fn collect(world: &dyn World, options: &Options) -> Result<Collected, Failure> {
    let mut collected = Collected::default();
    for input in &options.inputs {
        match input {
            Input::Path(path) => {
                let (path, drops) = (slice::from_ref(path), options.silent_drops);
                let found = plumb_library::collect(world, path, &options.symlinks, drops)?;
                collected.files.extend(found.files);
                collected.warnings.extend(found.warnings);
            }
            Input::File(file) => {
                collected.files.extend(plumb_library::given(slice::from_ref(file)));
            }
        }
    }
    Ok(collected)
}

/// The stages of the root library: schema, data values, templates and overlays. After a failure,
/// each stage continues as far as possible, so that all mistakes are reported, but not their
/// consequences.
#[expect(clippy::too_many_arguments, reason = "they come from one caller, which has all of them")]
fn library_stages<T>(
    world: &Arc<dyn World>,
    options: &Options,
    ahead: Option<Flavour>,
    outcome: &mut Outcome<T>,
    tree: &Arc<Tree>,
    last: impl FnOnce(RootLibrary, Given, &mut LastStage<'_>) -> Option<T>,
) -> Result<T, Failure> {
    let sources = Arc::clone(&outcome.sources);
    let runtime = runtime(world, options, &sources);
    let mut failures = Failures::default();
    let mut stage = LastStage {
        world: &**world,
        options,
        sources: &sources,
        tree,
        runtime: &runtime,
        warnings: &mut outcome.warnings,
        failures: &mut failures,
    };
    let given = stage.given();
    let run = Run::new(
        Arc::clone(world),
        Arc::clone(&runtime),
        Arc::clone(tree),
        options.reading,
        options.session.as_ref().map(Session::parses),
    );
    outcome.kept.add(Arc::clone(&run));
    if let Some(flavour) = ahead {
        run.print_ahead(flavour, options.dialect == Dialect::Strict);
    }
    let library = RootLibrary::new(run, library_options(options), stage.failures);
    let result = last(library, given, &mut stage);
    outcome.warnings.extend(runtime.take_warnings());
    warning::keep_expected(&mut outcome.warnings, options.silent_drops);
    failures.into_result().map_err(|failure| {
        findings::drop_repeated(&mut outcome.warnings, &failure);
        findings::in_order(failure, tree, &sources)
    })?;
    Ok(result.expect("a stage that has no result adds a failure"))
}

fn runtime(world: &Arc<dyn World>, options: &Options, sources: &Arc<Sources>) -> RuntimeOwner {
    let printer = Arc::clone(world);
    let settings = Settings {
        limits: options.limits,
        cancel: options.cancel.clone(),
        silent_drops: options.silent_drops,
        wording: plumb_peer::WORDING,
        vocabulary: plumb_library::vocabulary(),
        registry: options.session.as_ref().map(Session::registry).unwrap_or_default(),
        keeps_comments: options.keeps_comments,
    };
    RuntimeOwner::new(Arc::clone(sources), settings, move |line| printer.print(line))
}

fn library_options(options: &Options) -> LibraryOptions {
    LibraryOptions {
        is_strict: options.dialect == Dialect::Strict,
        ignores_unknown_comments: options.ignores_unknown_comments,
        overrides_map_keys: options.overrides_map_keys,
        skips_validation: options.skips_validation,
        skips_output_validation: options.skips_output_validation,
        ..LibraryOptions::default()
    }
}

/// Data values from flags and the environment.
struct Given {
    values: Vec<GivenValues>,
    /// Whether all of them are valid. Wrong ones are left out.
    are_all: bool,
}

/// The input of the last stage of a run.
struct LastStage<'a> {
    world: &'a dyn World,
    options: &'a Options,
    sources: &'a Sources,
    tree: &'a Tree,
    runtime: &'a Runtime,
    warnings: &'a mut Vec<Diagnostic>,
    failures: &'a mut Failures,
}

impl LastStage<'_> {
    fn given(&mut self) -> Given {
        let options = self.options;
        let from = ValueSources {
            world: self.world,
            sources: self.sources,
            symlinks: &options.symlinks,
            drops: options.silent_drops,
            reading: &options.read_options(),
        };
        let values = plumb_library::given_values(
            &options.data_values,
            &options.set,
            from,
            self.warnings,
            self.failures,
        );
        Given { values, are_all: self.failures.is_empty() }
    }

    /// Renders all files, and checks the output as a whole.
    fn rendered(
        &mut self,
        library: RootLibrary,
        given: Given,
        inspection: &mut Inspection,
    ) -> Option<Printable> {
        inspection.schema = library.schema().cloned();
        let values = library.values(given.values, given.are_all, self.failures);
        inspection.values = values.as_ref().map(|it| it.document.clone());
        let rendered = library.render(values, self.failures)?;
        if !rendered.printed.is_empty() {
            let bound = rendered.printed.iter().map(|it| it.text.bound).sum::<u64>();
            let is_small = bound <= self.runtime.budget().memory_left();
            self.failures.keep(if is_small { Ok(()) } else { Err(too_large()) })?;
            return Some(Printable::Printed(rendered.printed));
        }
        let texts = rendered
            .texts
            .into_iter()
            .map(|(path, text)| OutputFile::new(path, Content::Text(text)));
        let files = match self.options.silent_drops {
            SilentDrops::Refuse => {
                plumb_library::distribute(rendered.files, self.sources, self.failures)?
            }
            SilentDrops::Warn => {
                self.warnings.extend(plumb_library::undistributed(&rendered.files));
                rendered.files
            }
        };
        let files = self.commented(files)?;
        let documents =
            files.into_iter().map(|file| OutputFile::new(file.name, Content::Yaml(file.documents)));
        let rendered = Rendered { files: texts.chain(documents).collect() };
        self.checked(rendered).map(Printable::Documents)
    }

    /// Selects the comments that are printed. Fails if one of them is wrong.
    fn commented(&mut self, mut files: Vec<FileDocuments>) -> Option<Vec<FileDocuments>> {
        let is_computed = self.runtime.computes_comments();
        let shown = match (self.options.keeps_comments, self.options.silent_drops) {
            (true, _) => ShownComments::All,
            (false, SilentDrops::Refuse) if is_computed => ShownComments::Computed,
            (false, SilentDrops::Refuse) => return Some(files),
            (false, SilentDrops::Warn) => {
                if is_computed {
                    self.warnings.extend(plumb_library::unprinted_comments(&files));
                }
                return Some(files);
            }
        };
        if is_computed {
            self.failures.keep(plumb_library::check_comments(&files))?;
        }
        for document in files.iter_mut().flat_map(|it| &mut it.documents) {
            document.shown_comments = shown;
        }
        Some(files)
    }

    /// Returns the rendered files, unless the whole output has an error.
    fn checked(&mut self, rendered: Rendered) -> Option<Rendered> {
        let files = &rendered.files;
        self.warnings.extend(warning::braces(self.tree, files, self.sources));
        if !self.options.kube_schemas.is_empty() && !self.options.skips_output_validation {
            let checked = kube::check(self.world, self.options, &rendered, self.sources);
            self.warnings.extend(self.failures.keep(checked).into_iter().flatten());
        }
        self.failures.keep(check_size(rendered.documents(), self.runtime))?;
        Some(rendered)
    }

    /// Fails if a document is too large to print.
    fn printable(&mut self, document: &Document) -> Option<()> {
        self.failures.keep(check_size([document], self.runtime))
    }

    fn exported(&mut self, schema: &Schema, language: &SchemaLanguage) -> Option<Document> {
        let export = |work: &Work<'_>| self.export(schema, language, work);
        let exported =
            plumb_library::check_within(self.runtime.budget(), SchemaWork::Export, export);
        let (document, warnings) = self.failures.keep(exported)?;
        self.warnings.extend(warnings);
        Some(document)
    }

    fn export(
        &self,
        schema: &Schema,
        language: &SchemaLanguage,
        work: &Work<'_>,
    ) -> (Document, Vec<Diagnostic>) {
        let document = match language {
            SchemaLanguage::OpenApi => {
                let dialect = match self.options.silent_drops {
                    SilentDrops::Refuse => plumb_schema::Dialect::OpenApi,
                    SilentDrops::Warn => plumb_schema::Dialect::YttOpenApi,
                };
                plumb_schema::openapi(schema, dialect, work)
            }
            SchemaLanguage::JsonSchema => plumb_schema::json_schema(schema, work),
            SchemaLanguage::Crd(names, nulls) => {
                return plumb_schema::crd(schema, names, *nulls, work);
            }
        };
        (document, Vec::new())
    }
}

/// Fails if the text of the documents does not fit into the remaining memory of the run: shared
/// parts of documents are printed several times.
fn check_size<'a>(
    documents: impl IntoIterator<Item = &'a Document>,
    runtime: &Runtime,
) -> Result<(), Failure> {
    let documents: Vec<&Document> = documents.into_iter().collect();
    let nodes = documents.iter().map(|document| &document.node);
    let limit = runtime.budget().memory_left();
    if plumb_yaml::print::fits(nodes, 2, limit)
        && plumb_yaml::print::comments_fit(documents.iter().copied(), limit)
    {
        return Ok(());
    }
    Err(too_large())
}

fn too_large() -> Failure {
    let message = "out of memory: the output is too large to print";
    Diagnostic::error(plumb_template::LIMIT, message)
        .help("raise --memory-limit, or find what repeats a large value many times")
        .into()
}
