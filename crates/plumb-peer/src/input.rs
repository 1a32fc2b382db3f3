//! Errors in the input and the output of a run.

use plumb_library::{DirectoryError, FindError, InputError, OutputError, UnusedDocument};
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

pub(crate) fn find_error(error: &FindError) -> Message {
    match error {
        FindError::NoModule(name) => message!(
            "builtin ytt library does not have module '{}' (hint: is it available in newer \
             version of ytt?)",
            plain(name)
        ),
        FindError::NoColon => "Expected library path to be in format '@name:path' e.g. \
                               '@github.com/vmware-tanzu/test:test.star' or '@ytt:base64'"
            .into(),
        FindError::NoFile(path) => message!(
            "Expected to find file '{}' (hint: only files included via -f flag are available)",
            secret(path)
        ),
        FindError::NoDirectoryOfFile { path, error } => message!(
            "Expected to find file '{}', but did not: {}",
            secret(path),
            directory_error(error)
        ),
        FindError::NoDirectory { error, .. } => directory_error(error),
        FindError::PrivateLibrary { below, .. } => {
            message!("Could not load private library '{}'", plain(below))
        }
        FindError::NotLoadable(path) => message!(
            "Expected file '{}' to be a library file, but was not (hint: library filename must \
             end with '.lib.yml' or '.star'; use data.read(...) for loading non-templated file \
             contents)",
            plain(path)
        ),
        FindError::Data(path) => message!("File '{}' type is not a known", plain(path)),
    }
}

fn directory_error(error: &DirectoryError) -> Message {
    match error {
        DirectoryError::Missing { below } => message!("Did not find '{}'", plain(below)),
        DirectoryError::Private => "Encountered private library '_ytt_lib'".into(),
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
