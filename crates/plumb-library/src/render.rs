//! The last stage of a library: its output. All files are evaluated, and overlays are applied to
//! the documents.

use std::sync::Arc;

use plumb_diagnostic::{Code, Diagnostic, Failure, Failures};
use plumb_overlay::FileDocuments;
use plumb_source::message::plain;
use plumb_source::{lexical, message};
use plumb_starlark::Globals;
use plumb_template::TextOutput;
use plumb_validation::ASSERT_VALIDATE;

use crate::environment::{Documents, Environment, Visible, YamlOutput};
use crate::file::{FileType, InputFile};
use crate::input_error::{InputError, UnusedDocument};
use crate::library::{Library, has_met_limit};
use crate::printed::PrintedFile;
use crate::tree::DirectoryId;
use crate::{declared, output_rules};

/// Data values (or a schema) refer to a library that is not evaluated.
///
/// Compare the reference with the name and the alias of the library.
pub(crate) const UNUSED: Code = Code::new("data-values/unused");

/// A file is marked for output, but is neither YAML nor text.
///
/// Set its type with a file mark, such as `type=yaml-plain`.
pub(crate) const NO_OUTPUT_TYPE: Code = Code::new("input/no-output-type");

/// The output of a library.
pub struct Rendered {
    /// The texts of text files with their paths, in the order of the visit.
    pub texts: Vec<(String, TextOutput)>,
    /// The documents of YAML files, in the order of input.
    pub files: Vec<FileDocuments>,
    /// The YAML files of a run without code, in the order of input. If there are any, then `texts` and
    /// `files` are empty: see [`Run::print_ahead`](crate::Run::print_ahead).
    pub printed: Vec<PrintedFile>,
    /// The names that other libraries can load from the files, by path.
    pub(crate) exports: Vec<(String, Globals)>,
}

/// Evaluates all files that the library visits, and applies its overlays to the result.
///
/// The data values are `None` if there is a mistake in them: files that need them are then skipped,
/// and so are overlays, which depend on all files. Returns `None` if there is a mistake. A run that is
/// not strict ends at the first mistake.
pub(crate) fn render(
    library: &Library,
    visible: Visible,
    failures: &mut Failures,
) -> Option<Rendered> {
    let is_whole = visible.values.is_some();
    if !is_whole && !library.is_strict() {
        return None;
    }
    let environment = library.environment(visible, Documents::ComeOut);
    let mut found = Failures::default();
    let (mut rendered, files) = evaluate(library, &environment, &mut found);
    let is_whole = is_whole && found.is_empty();
    if let Err(failure) = found.into_result() {
        failures.add(failure);
    }
    if !is_whole {
        return None;
    }
    failures.keep(check_all_used(library, &environment))?;
    let run = library.run();
    let mut warnings = Vec::new();
    if library.is_strict() {
        // The output of another library may be used as an overlay.
        if library.root() == DirectoryId::ROOT {
            warnings.extend(plumb_overlay::outside_overlays(&files, &run.sources));
        }
        let documents = files.iter().flat_map(|it| &it.documents);
        for document in documents {
            if run.mentions_schemas() {
                warnings.extend(plumb_schema::outside_schema(document));
            }
            if run.mentions_rules() {
                warnings.extend(plumb_validation::conditions_alone(document, &[ASSERT_VALIDATE]));
            }
        }
    }
    let overlaid = plumb_overlay::apply_to_files(files, &run.sources, &mut warnings);
    run.runtime.warn(warnings);
    rendered.files = failures.keep(overlaid)?;
    if !library.options().skips_output_validation {
        failures.keep(output_rules::check(&rendered.files, &environment.output_rules(), run));
    }
    Some(rendered)
}

/// Evaluates all files that the library visits. Those with documents are returned in the order
/// of input, before overlays are applied.
fn evaluate(
    library: &Library,
    environment: &Arc<Environment>,
    failures: &mut Failures,
) -> (Rendered, Vec<FileDocuments>) {
    let (texts, files, exports) = Default::default();
    let mut rendered = Rendered { texts, files, printed: Vec::new(), exports };
    let (mut documents, mut printed) = (Vec::new(), Vec::new());
    let visited = library.run().tree.visited(library.root());
    environment.compile_ahead(&visited);
    for at in visited {
        if declared::is_broken(library, at) {
            failures.add(Failure::consequence());
            continue;
        }
        let input = library.run().file(at);
        let is_output = input.is_for_output() && !declared::is_declaring(library, at);
        let path = library.run().tree.path_below(library.root(), at);
        let step = match input.file_type() {
            FileType::Yaml if is_output => environment.output(at).map(|output| match output {
                YamlOutput::Documents(it) => documents.push((at, it)),
                YamlOutput::Printed(it) => printed.push((at, it)),
            }),
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
        // ytt stops at the first error: what later files print must not appear.
        if has_met_limit || !library.is_strict() {
            break;
        }
    }
    documents.sort_by_key(|(at, _)| *at);
    printed.sort_by_key(|(at, _)| *at);
    rendered.printed = printed
        .into_iter()
        .map(|(at, text)| PrintedFile { path: library.run().file(at).path().to_owned(), text })
        .collect();
    let files = documents.into_iter().map(|(at, documents)| {
        // In every library, messages show paths from the root of the run.
        FileDocuments { name: library.run().file(at).path().to_owned(), documents }
    });
    (rendered, files.collect())
}

/// Checks that every layer for an inner library was used.
fn check_all_used(library: &Library, environment: &Environment) -> Result<(), Failure> {
    let visible = &environment.visible;
    let values = visible.library_values.iter().map(|it| (it, false));
    let schemas = visible.library_schemas.iter().map(|it| (it, true));
    let unused: Vec<UnusedDocument> = values
        .chain(schemas)
        .filter(|(layer, _)| !layer.is_used())
        .map(|(layer, is_schema)| UnusedDocument {
            is_schema,
            library: layer.library(),
            place: layer.place(&library.run().sources),
        })
        .collect();
    if unused.is_empty() {
        return Ok(());
    }
    Err(Diagnostic::error(UNUSED, InputError::Unused(unused).message()).into())
}

fn no_output_type(input: &InputFile) -> Failure {
    let help = message!(
        "set its type with --file-mark '{}:type=yaml-plain' or type=text-plain",
        plain(lexical::one_line(input.original_path()))
    );
    let error = InputError::UnknownType(lexical::one_line(input.original_path()).into());
    Diagnostic::error(NO_OUTPUT_TYPE, error.message()).help(help).into()
}
