//! What is wrong with the input of a run, as facts. Here are our words for them.

use plumb_source::message::{plain, secret, term};
use plumb_source::{Message, WorldError, message};

/// An error in flags, in files as a whole, or in annotations of documents.
#[derive(Clone, Debug)]
pub enum InputError {
    /// A file mark without `:`.
    MarkFormat(String),
    /// A file mark without `=` after the `:`.
    MarkPair(String),
    MarkKey(String),
    MarkValue(String),
    /// A file mark that matches no file.
    MarkUnmatched(String),
    /// `-f` with more than one `=`.
    SeveralNames(String),
    NotRegular(String),
    /// A link that cannot be followed, and why.
    BrokenSymlink {
        link: String,
        error: WorldError,
    },
    SymlinkNotAllowed {
        link: String,
        destination: String,
    },
    /// A data value without `=`.
    WithoutValue,
    /// A data value from a file without `=`.
    WithoutFile,
    /// A data value from a directory.
    IsDirectory(String),
    /// Values that must be plain contain template code.
    NotPlain,
    /// A file cannot be output, because its type is not known.
    UnknownType(String),
    /// A file with a document of a purpose has others too.
    Mixed {
        purpose: &'static str,
        path: String,
    },
    /// A map of data values has this key twice.
    DuplicateKey(Message),
    /// An annotation is not on a document, but on this, at this place.
    Misplaced {
        annotation: String,
        what: String,
        place: String,
    },
    /// Documents for libraries that are not evaluated.
    Unused(Vec<UnusedDocument>),
    /// An empty name of a library.
    NoLibraryName,
    NoAtSign,
    NoAlias,
    /// The name of a library with more than one `~`.
    LibraryForm(Message),
    /// A key of a data value with more than one `:`.
    SeveralSeparators(String),
    /// `@library/ref` with this number of arguments.
    RefArguments(usize),
    /// The argument of `@library/ref` is wrong.
    Ref(Message),
    /// `@data/values` has no such argument.
    ValuesArgument(String),
    /// `after_library_module` without `@library/ref`.
    WithoutRef,
}

/// A document for a library that is not evaluated.
#[derive(Clone, Debug)]
pub struct UnusedDocument {
    pub is_schema: bool,
    pub library: String,
    /// The file and the line.
    pub place: String,
}

impl InputError {
    /// The message in our words. Other renderers read the facts.
    pub(crate) fn message(self) -> Message {
        let words = match &self {
            Self::MarkFormat(mark) => {
                message!("expected PATH:KEY=VALUE, found the file mark `{}`", plain(mark))
            }
            Self::MarkPair(mark) => {
                message!("expected KEY=VALUE after `:` in the file mark `{}`", plain(mark))
            }
            Self::MarkKey(mark) => message!("unknown key in the file mark `{}`", plain(mark)),
            Self::MarkValue(mark) => message!("unknown value in the file mark `{}`", plain(mark)),
            Self::MarkUnmatched(mark) => {
                message!("the file mark `{}` matches no file", plain(mark))
            }
            Self::SeveralNames(argument) => {
                message!("expected NAME=PATH with one `=`, found several in `{}`", plain(argument))
            }
            Self::NotRegular(path) => {
                message!("expected a regular file, found something else: `{}`", plain(path))
            }
            Self::BrokenSymlink { link, error } => message!(
                "the symbolic link `{}` cannot be followed to `{}`: {}",
                plain(link),
                plain(&error.subject),
                plain(&error.kind)
            ),
            Self::SymlinkNotAllowed { link, destination } => message!(
                "the symbolic link `{}` leads to `{}`, which is not allowed",
                plain(link),
                plain(destination)
            ),
            Self::WithoutValue => "expected KEY=VALUE".into(),
            Self::WithoutFile => "expected KEY=PATH".into(),
            Self::IsDirectory(path) => {
                message!("expected a file, found the directory `{}`", plain(path))
            }
            Self::NotPlain => "expected plain YAML, found annotations or template code".into(),
            Self::UnknownType(path) => {
                message!("cannot output `{}`: it is neither YAML nor text", plain(path))
            }
            Self::Mixed { purpose, path } => {
                message!("expected only {} documents in `{}`", plain(purpose), plain(path))
            }
            Self::DuplicateKey(key) => message!("the key `{key}` is in the map twice"),
            Self::Misplaced { annotation, what, .. } => {
                let article = if what.starts_with('a') { "an" } else { "a" };
                let (annotation, what) = (plain(annotation), plain(what));
                message!("expected @{annotation} on a document, found it on {article} {what}")
            }
            Self::Unused(documents) => {
                let shown: Vec<String> = documents.iter().map(unused).collect();
                message!("documents for libraries are not used: {}", plain(shown.join(", ")))
            }
            Self::NoLibraryName => "expected the name of a library, found an empty text".into(),
            Self::NoAtSign => "expected the name of a library to begin with `@`".into(),
            Self::NoAlias => "expected the alias of a library after `~`".into(),
            Self::LibraryForm(text) => {
                message!("expected @PATH, @~ALIAS or @PATH~ALIAS, found '{text}'")
            }
            Self::SeveralSeparators(key) => {
                message!("expected at most one `:`, found several in '{}'", plain(key))
            }
            Self::RefArguments(n) => message!("expected one argument in @library/ref, found {n}"),
            Self::Ref(problem) => message!("@library/ref: {problem}"),
            Self::ValuesArgument(name) => {
                message!("@data/values has no argument `{}`", secret(name))
            }
            Self::WithoutRef => {
                "`after_library_module` has an effect only with @library/ref".into()
            }
        };
        term(words, self).into()
    }
}

fn unused(UnusedDocument { is_schema, library, place }: &UnusedDocument) -> String {
    let what = if *is_schema { "the schema" } else { "data values" };
    format!("{what} of `{library}` ({place})")
}
