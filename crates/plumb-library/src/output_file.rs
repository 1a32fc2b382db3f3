//! `@output/file`: documents of one template that are written to separate files.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::path::{Component, Path};

use plumb_diagnostic::{Code, Diagnostic, Failure, Failures};
use plumb_overlay::FileDocuments;
use plumb_source::message::plain;
use plumb_source::{FileId, Message, Sources, Span, lexical, message};
use plumb_template::UNKNOWN_ANNOTATION;
use plumb_value::{Annotation, AnnotationDefinition, Datum, Document, Node, Reads};

const OUTPUT_FILE: &str = "output/file";

pub(crate) const ANNOTATIONS: &[AnnotationDefinition] = &[AnnotationDefinition::new(
    OUTPUT_FILE,
    Reads::All,
    "path",
    "The document below is written to this file.",
)];

/// `@output/file` is not on a document, or does not have one path as its argument.
///
/// Write it above the `---` of the document, with a path below the output directory:
/// `#@output/file "services/web.yml"`. The path must not begin with `/` or contain `..`.
pub const FILE_PATH: Code = Code::new("output/file-path");

/// Documents of different templates, or a document and a template, have the same output file.
///
/// Only documents of one template can share a file, and a file cannot be a directory of another
/// one. Change the path of `@output/file`, or write the documents in one template.
pub const FILE_TAKEN: Code = Code::new("output/file-taken");

/// Moves documents with `@output/file` to separate files, after the file of their template.
/// Documents of a template that name the same file share it. A file without other documents is left
/// out.
pub fn distribute(
    files: Vec<FileDocuments>,
    sources: &Sources,
    failures: &mut Failures,
) -> Option<Vec<FileDocuments>> {
    let mut names: HashMap<String, Option<Span>> =
        files.iter().map(|it| (it.name.clone(), None)).collect();
    let mut mentions = Mentions::default();
    let mut out = Vec::with_capacity(files.len());
    for file in files {
        let is_named = |it: &Document| it.meta.annotation(OUTPUT_FILE).is_some();
        for document in file.documents.iter().filter(|it| mentions.is_in(it, sources)) {
            failures.keep(check_below(document));
        }
        if !file.documents.iter().any(is_named) {
            out.push(file);
            continue;
        }
        let at = out.len();
        out.push(FileDocuments { name: file.name, documents: Vec::new() });
        let mut own: HashMap<String, usize> = HashMap::new();
        for document in file.documents {
            let Some(annotation) = document.meta.annotation(OUTPUT_FILE) else {
                out[at].documents.push(document);
                continue;
            };
            let Some(path) = failures.keep(path_of(annotation)) else {
                continue;
            };
            let index = match own.get(&path) {
                Some(index) => *index,
                None => {
                    if let Some(other) = names.insert(path.clone(), annotation.span) {
                        failures.add(taken(&path, annotation.span, other));
                        continue;
                    }
                    own.insert(path.clone(), out.len());
                    out.push(FileDocuments { name: path, documents: Vec::new() });
                    out.len() - 1
                }
            };
            out[index].documents.push(document);
        }
        let is_empty = |it: &Document| it.is_injected || it.node.is_empty_document();
        if out[at].documents.iter().all(is_empty) {
            out.remove(at);
        }
    }
    check_directories(&out, &names, failures);
    failures.is_empty().then_some(out)
}

/// A file of a document must not be a directory of another file.
fn check_directories(
    files: &[FileDocuments],
    spans: &HashMap<String, Option<Span>>,
    failures: &mut Failures,
) {
    if spans.values().all(Option::is_none) {
        return;
    }
    let names: HashSet<&str> = files.iter().map(|it| it.name.as_str()).collect();
    for below in files.iter().map(|it| it.name.as_str()) {
        let directories = below.match_indices('/').map(|(end, _)| &below[..end]);
        for file in directories.filter(|it| names.contains(it)) {
            let place = |name: &str| spans.get(name).copied().flatten();
            failures.add(directory_taken(file, place(file), place(below)));
        }
    }
}

/// Warns about each `@output/file` of documents that are not distributed, as in ytt.
pub fn undistributed(files: &[FileDocuments]) -> Vec<Diagnostic> {
    let documents = files.iter().flat_map(|it| &it.documents);
    let mut reported = BTreeSet::new();
    let spans = documents.filter_map(|it| it.meta.annotation(OUTPUT_FILE)?.span);
    let warning = |span| {
        let message = "@output/file has no effect when Plumb is called as ytt";
        Diagnostic::warning(UNKNOWN_ANNOTATION, message)
            .label(span, "")
            .help("call it as plumb to write documents to files of their own")
    };
    spans.filter(|span| reported.insert(*span)).map(warning).collect()
}

/// The sources that contain the name of the annotation. Only their documents are searched for
/// misplaced annotations.
#[derive(Default)]
struct Mentions(HashMap<FileId, bool>);

impl Mentions {
    fn is_in(&mut self, document: &Document, sources: &Sources) -> bool {
        let Some(span) = document.origin.span() else {
            return false;
        };
        *self
            .0
            .entry(span.file)
            .or_insert_with(|| sources.get(span.file).contains(OUTPUT_FILE.as_bytes()))
    }
}

/// The annotation only has an effect on documents.
fn check_below(document: &Document) -> Result<(), Failure> {
    let mut below = document.node.descendants();
    match below.find_map(|(meta, _)| meta.annotation(OUTPUT_FILE)) {
        None => Ok(()),
        Some(annotation) => {
            let message = "@output/file is not on a document";
            Err(wrong(annotation, message.into(), "write it above the `---` of the document"))
        }
    }
}

fn path_of(annotation: &Annotation) -> Result<String, Failure> {
    const HELP: &str =
        "write one path below the output directory: #@output/file \"services/web.yml\"";
    let path = match (annotation.args.as_slice(), annotation.kwargs.as_slice()) {
        ([Datum::Node(Node::String(path))], []) => path.to_str_lossy().into_owned(),
        ([other], []) => {
            let message = message!("expected the path of a file, found {}", other.type_words());
            return Err(wrong(annotation, message, HELP));
        }
        (_, [(keyword, _), ..]) => {
            let message = message!("there is no argument `{}`", plain(keyword));
            return Err(wrong(annotation, message, HELP));
        }
        (several, []) => {
            let message = match several.len() {
                0 => "expected the path of a file, found no argument".into(),
                _ => Message::from("expected the path of a file, found several arguments"),
            };
            return Err(wrong(annotation, message, HELP));
        }
    };
    below_the_output(&path).map_err(|found| {
        let message =
            message!("expected the path of a file below the output directory, found {found}");
        wrong(annotation, message, HELP)
    })
}

/// Returns the shortest form of the path. If it is not the path of a file below the output
/// directory on every platform, returns a description of the path.
fn below_the_output(path: &str) -> Result<String, &'static str> {
    if path.contains('\\') {
        return Err("a backslash");
    }
    if path.contains('\0') {
        return Err("a null byte");
    }
    let mut names = Vec::new();
    for part in Path::new(path).components() {
        match part {
            Component::Normal(name) => names.extend(name.to_str()),
            Component::CurDir => {}
            Component::ParentDir => return Err("`..`"),
            Component::RootDir | Component::Prefix(_) => return Err("an absolute path"),
        }
    }
    match names.as_slice() {
        [] if path.is_empty() => Err("an empty text"),
        [] => Err("a directory"),
        _ if path.ends_with('/') => Err("a directory"),
        _ => Ok(names.join("/")),
    }
}

fn wrong(annotation: &Annotation, message: Message, help: &'static str) -> Failure {
    Diagnostic::error(FILE_PATH, message).at(annotation.span, "").help(help).into()
}

fn directory_taken(file: &str, span: Option<Span>, below: Option<Span>) -> Failure {
    let message =
        message!("a document has a directory of another file as its file: {}", plain(file));
    Diagnostic::error(FILE_TAKEN, message)
        .at(span, "this document")
        .at(below, "the file in the directory")
        .help("give one of them another path")
        .into()
}

fn taken(path: &str, span: Option<Span>, other: Option<Span>) -> Failure {
    let path = plain(lexical::one_line(path));
    let message = match other {
        Some(_) => message!("documents of different templates have the same file: {path}"),
        None => message!("a document has the file of a template: {path}"),
    };
    Diagnostic::error(FILE_TAKEN, message)
        .at(span, "this document")
        .at(other, "the other document")
        .help("give one of them another path, or write the documents in one template")
        .into()
}
