//! One library: its schema, its data values, and its output.
//!
//! The input of a run is the root library; others are below a `_ytt_lib`, and are evaluated when a
//! template requests them.

use std::sync::Arc;

use plumb_diagnostic::{Code, Diagnostic, Failure, Failures, SilentDrops};
use plumb_overlay::FileDocuments;
use plumb_schema::{Schema, Touched};
use plumb_source::message::plain;
use plumb_source::{Text, message};
use plumb_starlark::Globals;
use plumb_validation::report::{self, Validated};
use plumb_validation::{ASSERT_VALIDATE, AnnotationError, MistypedPaths, Violation};
use plumb_value::{Document, Node};

use crate::activity::{Activity, Order};
use crate::blame::{Laid, Mistyped};
use crate::environment::{Documents, Environment, Visible};
use crate::layer::{self, Layer, LayerKind};
use crate::purpose::Purpose;
use crate::run::Run;
use crate::tree::DirectoryId;
use crate::{FileType, InputFile, output_rules, plain};

/// Data values (or a schema) are for a library that is not evaluated.
///
/// Compare the reference with the name and the alias of the library.
pub(crate) const UNUSED: Code = Code::new("data-values/unused");

/// A file is marked for output, but is neither YAML nor text.
///
/// Set its type with a file mark, such as `type=yaml-plain`.
pub(crate) const NO_OUTPUT_TYPE: Code = Code::new("input/no-output-type");

/// A library that can be evaluated.
#[derive(Clone)]
pub(crate) struct Library {
    run: Arc<Run>,
    root: DirectoryId,
    options: LibraryOptions,
}

/// How the files of a library are read and checked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of the command line")]
pub struct LibraryOptions {
    /// Whether only the strict subset of YAML is accepted.
    pub is_strict: bool,
    /// Whether comments without `#@` and `#!` are ignored instead of being an error.
    pub ignores_unknown_comments: bool,
    /// Whether a duplicate key replaces the earlier one instead of being an error.
    pub overrides_map_keys: bool,
    /// Whether rules on data values are skipped; types are always checked.
    pub skips_validation: bool,
    /// Whether rules on output documents are skipped.
    pub skips_output_validation: bool,
}

/// The output of a library.
pub struct Rendered {
    /// The texts of text files with their paths, in the order of the visit.
    pub texts: Vec<(String, Text)>,
    /// The documents of YAML files, in the order of input.
    pub files: Vec<FileDocuments>,
    /// The names that other libraries can load from the files, by path.
    pub(crate) exports: Vec<(String, Globals)>,
}

/// The layers of one library, and those for libraries inside it.
pub(crate) struct Split<T> {
    pub(crate) own: T,
    pub(crate) inner: Vec<Layer>,
}

impl Library {
    pub(crate) fn new(run: Arc<Run>, root: DirectoryId, options: LibraryOptions) -> Self {
        Self { run, root, options }
    }

    pub(crate) fn run(&self) -> &Arc<Run> {
        &self.run
    }

    /// The directory of the library.
    pub(crate) fn root(&self) -> DirectoryId {
        self.root
    }

    pub(crate) fn options(&self) -> LibraryOptions {
        self.options
    }

    /// Parses all templates, and reports all syntax errors and all misplaced annotations of schemas,
    /// in the order of the files.
    pub(crate) fn check_files(&self, failures: &mut Failures) {
        let is_template = |at: &usize| {
            let input = self.run.file(*at);
            input.file_type() == FileType::Yaml && input.is_template()
        };
        let mut files = self.run.tree.visited(self.root);
        files.retain(is_template);
        self.run.parse_ahead(&files, self.options.is_strict);
        for &at in &files {
            if failures.keep(self.run.parsed(at, self.options.is_strict)).is_some() {
                failures.keep(self.declares(at, Purpose::Schema));
            }
        }
    }

    /// Returns the types of the data values: all schema documents of the library, then `overlays`.
    /// Returns `None` if there is a mistake in them, or if one of them could not be read.
    pub(crate) fn schema(
        &self,
        overlays: Vec<Layer>,
        failures: &mut Failures,
    ) -> Option<Split<Schema>> {
        let declaring = self.declaring(Purpose::Schema, failures);
        let order = self.order(&declaring.files, &overlays);
        let mut found = Failures::default();
        let schema = self.merged_schema(&declaring.files, overlays, &mut found);
        let is_right = found.is_empty() && declaring.is_complete;
        failures.add_within(found, || Activity::MergeSchemas(order));
        schema.filter(|_| is_right)
    }

    fn merged_schema(
        &self,
        files: &[usize],
        overlays: Vec<Layer>,
        failures: &mut Failures,
    ) -> Option<Split<Schema>> {
        let mut layers = self.layers(files, Purpose::Schema, failures);
        let is_alone = layers.len() == 1 && overlays.is_empty();
        for layer in &layers {
            let is_compiled_as_it_is = is_alone
                && !layer.is_for_another_library()
                && Schema::is_checked_by_compiling(&layer.document);
            if !is_compiled_as_it_is {
                let sources = &self.run.sources;
                let checked = self.run.check(|work| Schema::check(&layer.document, sources, work));
                failures.keep(checked.and_then(|it| it));
            }
        }
        if !failures.is_empty() {
            return None;
        }
        layers.extend(overlays);
        let (inner, own): (Vec<Layer>, Vec<Layer>) =
            layers.into_iter().partition(Layer::is_for_another_library);
        let mut merged: Option<Document> = None;
        for layer in own {
            merged = Some(match merged {
                None => layer.document,
                Some(left) => self.overlay(left, &layer.document, failures)?,
            });
        }
        if !failures.is_empty() {
            return None;
        }
        let own = match merged {
            Some(document) => {
                let sources = &self.run.sources;
                let compiled = self.run.check(|work| Schema::compile(&document, sources, work));
                let schema = failures.keep(compiled.and_then(|it| it))?;
                if self.is_strict() {
                    self.run.runtime.warn(plumb_schema::nameless_keys(&document));
                    self.run.runtime.warn(plumb_schema::within_any(&document));
                    let alone = plumb_validation::conditions_alone(&document, &plumb_schema::RULES);
                    self.run.runtime.warn(alone);
                }
                failures.keep(self.check_rules(&schema));
                schema
            }
            None => Schema::undeclared(),
        };
        Some(Split { own, inner })
    }

    /// Rejects rules that no value can satisfy, and examples that break a rule. In ytt, every value
    /// fails such rules, and examples are not validated.
    fn check_rules(&self, schema: &Schema) -> Result<(), Failure> {
        if self.run.runtime.silent_drops() == SilentDrops::Warn {
            return Ok(());
        }
        let mut mistakes = schema.contradictions();
        if mistakes.is_empty() && !self.options.skips_validation {
            mistakes = self.run.check(|work| schema.invalid_examples(work))?;
        }
        let failures = mistakes.into_iter().map(Failure::from);
        failures.reduce(Failure::and).map_or(Ok(()), Err)
    }

    /// Returns the data values: the defaults of the schema, all documents of the library, then
    /// `overlays`. Without a schema (because it has a mistake), only the documents themselves are
    /// checked. Returns `None` if there is a mistake in them, if one could not be read, or if not
    /// all overlays are given.
    pub(crate) fn values(
        &self,
        schema: Option<&Schema>,
        overlays: Vec<Layer>,
        are_all_given: bool,
        failures: &mut Failures,
    ) -> Option<Split<Document>> {
        let declaring = self.declaring(Purpose::Values, failures);
        let order = self.order(&declaring.files, &overlays);
        let mut found = Failures::default();
        // A file that could not be read may declare what others change.
        let schema = schema.filter(|_| declaring.is_complete);
        let values = self.merged_values(&declaring.files, schema, overlays, &mut found);
        let is_right = found.is_empty() && are_all_given;
        failures.add_within(found, || Activity::MergeValues(order));
        let (mut values, schema) = (values?, schema?);
        if !is_right {
            if are_all_given && values.own.mistyped.is_all {
                failures.keep(self.validate_rest(&values.own, schema));
            }
            return None;
        }
        self.run.runtime.warn(plumb_schema::deprecations(schema, &values.own.document));
        if !self.options.skips_validation {
            failures.keep(self.validate(&mut values.own, schema))?;
        }
        let Split { own: Laid { mut document, .. }, inner } = values;
        // The annotations were for data values, not for the output of templates.
        plain::strip(&mut document);
        Some(Split { own: document, inner })
    }

    fn merged_values(
        &self,
        files: &[usize],
        schema: Option<&Schema>,
        overlays: Vec<Layer>,
        failures: &mut Failures,
    ) -> Option<Split<Laid>> {
        let mut layers = self.layers(files, Purpose::Values, failures);
        let is_whole = failures.is_empty();
        let schema = schema?;
        let mut mistyped = Mistyped { values: MistypedPaths::default(), is_all: is_whole };
        layers.extend(overlays);
        let (inner, own): (Vec<Layer>, Vec<Layer>) =
            layers.into_iter().partition(Layer::is_for_another_library);
        let mut values = schema.defaults();
        let mut laid = Vec::with_capacity(own.len());
        for mut layer in own {
            if layer.kind == LayerKind::Overlay {
                // It may change a value of a document that failed.
                if !is_whole {
                    continue;
                }
                self.drop_schema_annotations(&mut layer.document);
                plumb_schema::permit_new_keys(schema, &mut layer.document);
            }
            let mut merged = match values {
                None => layer.document.clone(),
                Some(left) => self.lay_over(left, schema, &layer, &mut mistyped, failures)?,
            };
            let conformed = self
                .run
                .check(|work| plumb_schema::conform(schema, &mut merged, layer.touched(), work));
            let mismatches = failures.keep(conformed)?;
            mistyped.add(&mismatches);
            if !mismatches.is_empty() {
                failures.add(plumb_schema::failure(mismatches, &self.run.sources));
            }
            values = Some(merged);
            laid.push(layer);
        }
        let document = values.unwrap_or_else(layer::empty_values);
        Some(Split { own: Laid { document, layers: laid, mistyped }, inner })
    }

    /// Warns about annotations of schemas in data values, and removes them, so that they are not
    /// reported again when the data values are merged.
    fn drop_schema_annotations(&self, values: &mut Document) {
        let ignored = if self.is_strict() { plumb_schema::outside_schema(values) } else { return };
        if !ignored.is_empty() {
            plumb_schema::without_schema(values);
            self.run.runtime.warn(ignored);
        }
    }

    /// Returns whether we report what ytt drops silently.
    fn is_strict(&self) -> bool {
        self.run.runtime.silent_drops() == SilentDrops::Refuse
    }

    fn lay_over(
        &self,
        left: Document,
        schema: &Schema,
        layer: &Layer,
        mistyped: &mut Mistyped,
        failures: &mut Failures,
    ) -> Option<Document> {
        let (document, sources) = (&layer.document, &self.run.sources);
        let mut found = Failures::default();
        if layer.is_plain() {
            let merged = plumb_overlay::merge_plain_document(left, document, sources, &mut found);
            mistyped.is_all &= found.is_empty();
            failures.keep(found.into_result());
            return Some(merged);
        }
        let mut permitting = None;
        if layer.kind == LayerKind::Overlay {
            permitting = plumb_schema::with_undeclared_keys_permitted(schema, document);
        }
        let Some(permitting) = permitting else {
            let merged = self.overlay(left, document, &mut found);
            mistyped.is_all &= found.is_empty();
            failures.keep(found.into_result());
            return merged;
        };
        // An undeclared key is an overlay item that matches nothing. Reporting it as an undeclared
        // key is better: it is merged here, and found when types are checked.
        let mut unmatched = Failures::default();
        let merged = self.overlay(left.clone(), document, &mut unmatched);
        let Err(unmatched) = unmatched.into_result() else {
            return merged;
        };
        let mut merged = self.overlay(left, &permitting, &mut found)?;
        mistyped.is_all &= found.is_empty();
        let conformed = self
            .run
            .check(|work| plumb_schema::conform(schema, &mut merged, Touched::Everything, work));
        let mismatches = failures.keep(conformed)?;
        mistyped.add(&mismatches);
        if !mismatches.is_empty() {
            found.add(plumb_schema::failure(mismatches, sources));
        }
        failures.add(match found.into_result() {
            Err(found) => found.with_first(unmatched),
            Ok(()) => unmatched,
        });
        Some(merged)
    }

    fn overlay(
        &self,
        left: Document,
        right: &Document,
        failures: &mut Failures,
    ) -> Option<Document> {
        let mut warnings = Vec::new();
        let sources = &self.run.sources;
        let merged = plumb_overlay::merge_document(left, right, sources, &mut warnings, failures);
        self.run.runtime.warn(warnings);
        merged
    }

    fn validate(&self, values: &mut Laid, schema: &Schema) -> Result<(), Failure> {
        let drops = self.run.runtime.silent_drops();
        let found = self.run.check(|work| {
            plumb_schema::validate(schema, &mut values.document, 0, drops.into(), work)
        })?;
        self.report_violations(values, found)
    }

    /// Runs the rules about conforming data values if others do not conform. ytt does not.
    fn validate_rest(&self, values: &Laid, schema: &Schema) -> Result<(), Failure> {
        let is_left_out = self.run.runtime.silent_drops() == SilentDrops::Warn;
        if is_left_out || self.options.skips_validation {
            return Ok(());
        }
        let (document, known) = (&values.document, &values.mistyped.values);
        let found =
            self.run.check(|work| plumb_schema::validate_rest(schema, document, known, work))?;
        self.report_violations(values, found)
    }

    fn report_violations(
        &self,
        values: &Laid,
        found: Result<Vec<Violation>, Vec<AnnotationError>>,
    ) -> Result<(), Failure> {
        let validated = Validated::DataValues;
        match found {
            Ok(violations) if violations.is_empty() => Ok(()),
            Ok(mut violations) => {
                // ytt blames the first part.
                if self.run.runtime.silent_drops() == SilentDrops::Refuse {
                    values.blame_last_givers(&mut violations);
                }
                Err(report::failure(validated, violations))
            }
            Err(problems) => {
                let sources = &self.run.sources;
                Err(report::malformed(validated, "assert/validate", &problems, sources))
            }
        }
    }

    /// Evaluates all files that the library visits, and applies its overlays to the result.
    ///
    /// `values` is `None` if there is a mistake in the data values: files that need them are then
    /// skipped, and so are the overlays, which depend on all files. Returns `None` if there is a
    /// mistake.
    pub(crate) fn render(
        &self,
        values: Option<Node>,
        library_values: Vec<Layer>,
        library_schemas: Vec<Layer>,
        failures: &mut Failures,
    ) -> Option<Rendered> {
        let is_whole = values.is_some();
        let visible = Visible { values, library_values, library_schemas };
        let environment = self.environment(visible, Documents::ComeOut);
        let mut found = Failures::default();
        let (mut rendered, files) = self.evaluate(&environment, &mut found);
        let is_whole = is_whole && found.is_empty();
        if let Err(failure) = found.into_result() {
            failures.add(failure);
        }
        if !is_whole {
            return None;
        }
        failures.keep(self.check_all_used(&environment))?;
        let mut warnings = Vec::new();
        if self.is_strict() {
            let documents = files.iter().flat_map(|it| &it.documents);
            for document in documents {
                warnings.extend(plumb_schema::outside_schema(document));
                warnings.extend(plumb_validation::conditions_alone(document, &[ASSERT_VALIDATE]));
            }
        }
        let overlaid = plumb_overlay::apply_to_files(files, &self.run.sources, &mut warnings);
        self.run.runtime.warn(warnings);
        rendered.files = failures.keep(overlaid)?;
        if !self.options.skips_output_validation {
            let parents = self.run.runtime.silent_drops().into();
            let (rules, sources) = (environment.output_rules(), &self.run.sources);
            failures.keep(output_rules::check(&rendered.files, &rules, parents, sources));
        }
        Some(rendered)
    }

    /// Evaluates all files that the library visits. Those with documents are returned in the order
    /// of input, before overlays are applied.
    fn evaluate(
        &self,
        environment: &Arc<Environment>,
        failures: &mut Failures,
    ) -> (Rendered, Vec<FileDocuments>) {
        let mut rendered = Rendered { texts: Vec::new(), files: Vec::new(), exports: Vec::new() };
        let mut documents = Vec::new();
        for at in self.run.tree.visited(self.root) {
            if self.is_broken(at) {
                failures.add(Failure::consequence());
                continue;
            }
            let input = self.run.file(at);
            let is_output = input.is_for_output() && !self.is_declaring(at);
            let path = self.run.tree.path_below(self.root, at);
            let step = match input.file_type() {
                FileType::Yaml if is_output => {
                    environment.documents(at).map(|it| documents.push((at, it)))
                }
                FileType::Text if is_output => {
                    environment.text(at).map(|it| rendered.texts.push((path, it)))
                }
                FileType::Starlark | FileType::Data if is_output => Err(no_output_type(input)),
                FileType::Yaml | FileType::Text | FileType::Starlark if input.is_library() => {
                    environment.globals(at).map(|it| rendered.exports.push((path, it)))
                }
                FileType::Yaml | FileType::Text | FileType::Starlark | FileType::Data => Ok(()),
            };
            let Err(failure) = step else { continue };
            let has_met_limit = has_met_limit(&failure);
            failures.add(failure);
            if has_met_limit {
                break;
            }
        }
        documents.sort_by_key(|(at, _)| *at);
        let files = documents.into_iter().map(|(at, documents)| {
            // Messages show paths from the root of the run in every library.
            FileDocuments { name: self.run.file(at).path().to_owned(), documents }
        });
        (rendered, files.collect())
    }

    pub(crate) fn environment(&self, visible: Visible, documents: Documents) -> Arc<Environment> {
        Environment::new(Arc::clone(&self.run), self.root, self.options, visible, documents)
    }

    /// Checks that every layer for an inner library was used.
    fn check_all_used(&self, environment: &Environment) -> Result<(), Failure> {
        let unused = |layers: &[Layer], what: &str| -> Vec<String> {
            let unused = layers.iter().filter(|layer| !layer.is_used());
            unused.map(|layer| layer.describe(what, &self.run.sources)).collect()
        };
        let values = unused(&environment.visible.library_values, "Data Value");
        let schemas = unused(&environment.visible.library_schemas, "Schema");
        let kinds = match (values.is_empty(), schemas.is_empty()) {
            (true, true) => return Ok(()),
            (false, true) => "data values",
            (true, false) => "schema",
            (false, false) => "data values, and schema",
        };
        let found = [values, schemas].concat().join(", ");
        let message = message!(
            "Expected all provided library {kinds} documents to be used but found unused: {}",
            plain(found)
        );
        Err(Diagnostic::error(UNUSED, message).into())
    }

    fn order(&self, files: &[usize], overlays: &[Layer]) -> Order {
        let files = files.iter().map(|&at| self.run.file(at).path().to_owned());
        Order { files: files.collect(), has_more: !overlays.is_empty() }
    }
}

/// Returns whether a template exceeded a limit. No others are evaluated then: each may take as
/// long.
pub(crate) fn has_met_limit(failure: &Failure) -> bool {
    failure.findings().iter().any(|it| it.code == plumb_template::LIMIT)
}

fn no_output_type(input: &InputFile) -> Failure {
    let help = message!(
        "say what it is with --file-mark '{}:type=yaml-plain' or type=text-plain",
        plain(input.original_path())
    );
    Diagnostic::error(NO_OUTPUT_TYPE, "Unknown file type").help(help).into()
}
