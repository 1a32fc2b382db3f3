//! Errors in the input and the output of a run.

use plumb_library::{InputError, OutputError, UnusedDocument};
use plumb_source::message::{plain, secret};
use plumb_source::{Message, WorldError, WorldErrorKind, message};

use crate::term;

pub(crate) fn error(error: &InputError) -> Message {
    match error {
        InputError::MarkFormat(mark) => {
            message!("Expected file mark '{}' to be in format path:key=value", plain(mark))
        }
        InputError::MarkPair(mark) => message!(
            "Expected file mark '{}' key-value portion to be in format key=value",
            plain(mark)
        ),
        InputError::MarkKey(mark) => message!("Unknown key in file mark '{}'", plain(mark)),
        InputError::MarkValue(mark) => message!("Unknown value in file mark '{}'", plain(mark)),
        InputError::MarkUnmatched(mark) => message!(
            "Expected file mark '{}' to match at least one file by path, but did not",
            plain(mark)
        ),
        InputError::SeveralNames(argument) => message!(
            "Expected file '{}' to only have single '=' sign to for relative path assignment",
            plain(argument)
        ),
        InputError::NotRegular(path) => {
            message!("Expected file '{}' to be a regular file, but was not", plain(path))
        }
        InputError::BrokenSymlink { error, .. } => {
            message!("Eval symlink: {}", plain(broken_link(error)))
        }
        InputError::SymlinkNotAllowed { link, destination } => message!(
            "Expected symlink file '{}' -> '{}' to be allowed, but was not (hint: symlinks are \
             disallowed as a security feature, use '--allow-symlink-destination' flags to override)",
            plain(link),
            plain(destination)
        ),
        InputError::WithoutValue => "Expected format key=value".into(),
        InputError::WithoutFile => "Expected format key=/file/path".into(),
        InputError::IsDirectory(path) => {
            message!("Expected '{}' to be a file, but is a directory", plain(path))
        }
        InputError::NotPlain => {
            "Expected to be plain YAML, having no annotations (hint: remove comments starting with \
             `#@`)"
                .into()
        }
        InputError::UnknownType(_) => "Unknown file type".into(),
        InputError::Mixed { purpose, path } => {
            let purpose = plain(purpose);
            message!("Expected {purpose} file '{}' to only have {purpose} documents", plain(path))
        }
        InputError::DuplicateKey(key) => {
            message!("Expected key '{}' to be in a map once, but was twice", term::message(key))
        }
        InputError::Misplaced { annotation, what, place } => {
            let annotation = plain(annotation);
            message!(
                "Found @{annotation} on {} ({}); only documents (---) can be annotated with \
                 @{annotation}",
                plain(what),
                plain(place)
            )
        }
        InputError::Unused(documents) => unused(documents),
        InputError::NoLibraryName => "Expected library ref to not be empty".into(),
        InputError::NoAtSign => "Expected library ref to start with '@'".into(),
        InputError::NoAlias => "Expected library alias to not be empty".into(),
        InputError::LibraryForm(text) => message!(
            "Expected library ref to have form: '@path', '@~alias', or '@path~alias', got: '{text}'"
        ),
        InputError::SeveralSeparators(key) => {
            message!("Expected at most one library-key separator ':' in '{}'", plain(key))
        }
        InputError::RefArguments(n) => {
            message!("Expected library/ref annotation to have one arg, got {n}")
        }
        InputError::Ref(problem) => {
            message!("Annotation library/ref: {}", term::message(problem))
        }
        InputError::ValuesArgument(name) => {
            message!("Unknown kwarg {} for annotation data/values", secret(name))
        }
        InputError::WithoutRef => {
            "Annotation data/values: Expected kwarg 'after_library_module' to be used with \
             library/ref annotation"
                .into()
        }
    }
}

pub(crate) fn output_error(error: &OutputError) -> Message {
    match error {
        OutputError::SamePath(path) => {
            message!("Multiple files have same output destination paths: {}", plain(path))
        }
        OutputError::NotEmptied => {
            "Expected output directory path to not be one of '/', '.', './', ''".into()
        }
    }
}

/// Some errors of ytt do not name a path.
fn broken_link(error: &WorldError) -> String {
    match error.kind {
        WorldErrorKind::TooManyLinks => "EvalSymlinks: too many links".to_owned(),
        WorldErrorKind::NotADirectory => error.kind.to_string(),
        _ => error.to_string(),
    }
}

fn unused(documents: &[UnusedDocument]) -> Message {
    let has = |is_schema| documents.iter().any(|it| it.is_schema == is_schema);
    let kinds = match (has(false), has(true)) {
        (true, true) => "data values, and schema",
        (false, true) => "schema",
        (_, false) => "data values",
    };
    let shown = documents.iter().map(|UnusedDocument { is_schema, library, place }| {
        let what = if *is_schema { "Schema" } else { "Data Value" };
        format!("{what} belonging to library '{library}' on line {place}")
    });
    let shown: Vec<String> = shown.collect();
    message!(
        "Expected all provided library {kinds} documents to be used but found unused: {}",
        plain(shown.join(", "))
    )
}
