//! Input files to output files: each visited file is read, parsed and evaluated.

use memchr::memmem;
use plumb_diagnostic::{Code, Diagnostic, Failure, peer};
use plumb_library::{FileType, InputFile, Tree};
use plumb_source::{FileId, Sources, Span, Text, World};
use plumb_value::Document;
use plumb_yaml::ReadOptions;

use crate::{Content, Dialect, Options, OutputFile};

/// A file has template code, which this version cannot run yet.
pub(crate) const NO_TEMPLATES_YET: Code = Code::new("template/not-supported-yet");

/// A file is marked for output, but is neither YAML nor text.
pub(crate) const NO_OUTPUT_TYPE: Code = Code::new("input/no-output-type");

/// Evaluates all files that a run visits. Reports what is wrong with any of them.
pub(crate) fn files(
    world: &dyn World,
    options: &Options,
    inputs: &[InputFile],
    tree: &Tree<'_>,
    sources: &Sources,
) -> Result<Vec<OutputFile>, Failure> {
    let evaluation = Evaluation { world, dialect: options.dialect, sources };
    let mut texts = Vec::new();
    let mut documents = Vec::new();
    let mut failures = Vec::new();
    for at in tree.visited() {
        let input = &inputs[at];
        let output = |content| OutputFile { path: input.path().to_owned(), content };
        match evaluation.file(input) {
            Ok(Some(Content::Text(text))) => texts.push(output(Content::Text(text))),
            Ok(Some(yaml @ Content::Yaml(_))) => documents.push((at, output(yaml))),
            Ok(None) => {}
            Err(failure) => failures.push(failure),
        }
    }
    if !failures.is_empty() {
        return Err(all(&failures, sources));
    }
    documents.sort_unstable_by_key(|&(at, _)| at);
    texts.extend(documents.into_iter().map(|(_, file)| file));
    Ok(texts)
}

/// All failures as one. ytt tells of the first only.
fn all(failures: &[Failure], sources: &Sources) -> Failure {
    let findings = failures.iter().flat_map(|failure| {
        failure.findings().iter().cloned().map(|mut finding| {
            finding.context.splice(0..0, failure.context().iter().cloned());
            finding
        })
    });
    Failure::of_many(findings.collect(), peer::text(&failures[0], sources))
}

struct Evaluation<'a> {
    world: &'a dyn World,
    dialect: Dialect,
    sources: &'a Sources,
}

impl Evaluation<'_> {
    /// What comes of a file. Library files are evaluated too, though nothing of them is output.
    fn file(&self, input: &InputFile) -> Result<Option<Content>, Failure> {
        let is_output = input.is_for_output();
        if !is_output && !input.is_library() {
            return Ok(None);
        }
        let content = match input.file_type() {
            FileType::Yaml => self.yaml(input)?.map(Content::Yaml),
            FileType::Text => Some(Content::Text(self.text(input)?)),
            FileType::Starlark if !is_output => {
                let file = input.source(self.world, self.sources)?;
                return Err(unsupported(input, Span::new(file, 0, 0)));
            }
            FileType::Data if !is_output => None,
            FileType::Starlark | FileType::Data => return Err(no_output_type(input)),
        };
        Ok(content.filter(|_| is_output))
    }

    /// The documents of a file, or nothing if all are empty.
    fn yaml(&self, input: &InputFile) -> Result<Option<Vec<Document>>, Failure> {
        let file = input.source(self.world, self.sources)?;
        let source = self.sources.get(file);
        let may_have_code = input.is_template() || input.is_library();
        let has_code = may_have_code && memmem::find(source.bytes(), b"#@").is_some();
        let options = ReadOptions { comments: has_code, ..self.dialect.read_options() };
        let mut documents = plumb_yaml::parse(file, source.bytes(), &options).map_err(|error| {
            Failure::from(error).within(format!("Unmarshaling YAML template '{}'", input.path()))
        })?;
        if let Some(comment) = documents.iter().filter(|_| has_code).find_map(plumb_library::code) {
            return Err(unsupported(input, comment.span));
        }
        documents.retain(|it| !it.is_injected && !it.node.is_empty_document());
        Ok((!documents.is_empty()).then_some(documents))
    }

    fn text(&self, input: &InputFile) -> Result<Text, Failure> {
        let file = input.source(self.world, self.sources)?;
        let source = self.sources.get(file);
        let bytes = source.bytes();
        if input.is_template() || input.is_library() {
            let code = memmem::find(bytes, b"(@").or_else(|| memmem::find(bytes, b"@)"));
            if let Some(at) = code {
                return Err(unsupported(input, span(file, at)));
            }
        }
        Ok(Text::from_bytes(bytes))
    }
}

fn span(file: FileId, at: usize) -> Span {
    let at = u32::try_from(at).expect("a source is at most 4 GiB");
    Span::new(file, at, at + 2)
}

fn unsupported(input: &InputFile, span: Span) -> Failure {
    let message =
        format!("'{}' has template code, which this version cannot run yet", input.path());
    Diagnostic::error(NO_TEMPLATES_YET, message).label(span, "").into()
}

fn no_output_type(input: &InputFile) -> Failure {
    let help = format!(
        "say what it is with --file-mark '{}:type=yaml-plain' or type=text-plain",
        input.original_path()
    );
    Diagnostic::error(NO_OUTPUT_TYPE, "Unknown file type").help(help).into()
}
