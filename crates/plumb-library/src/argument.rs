//! Wrong arguments of the functions of `@ytt:library`, as facts with our words for them.

use plumb_source::message::{plain, secret, term};
use plumb_source::{Message, message, spelling};

/// The maximum number of libraries that a message lists.
const MAX_SHOWN: usize = 8;

/// The kinds of wrong arguments.
#[derive(Clone, Debug)]
pub enum ArgumentError {
    /// A keyword argument that the function does not have, and the nearest one that it has.
    Unknown { name: String, nearest: Option<&'static str> },
    /// A keyword argument that `export` does not have.
    UnknownOfExport(String),
    /// A keyword argument that `with_data_values` does not have.
    UnknownOfValues(String),
    /// A name of a library that begins with `@`.
    AtSign(String),
    /// No library has this path below the directory. The other libraries there are listed.
    NoLibrary { path: String, below: String, others: Vec<String> },
    /// The directory has no libraries.
    NoLibraries,
    /// The root of the input has no libraries.
    NoLibrariesAtRoot,
    /// A symbol that begins with `_`.
    Private,
    /// No file of the library defines this symbol.
    NoSymbol(String),
    /// Several files of the library define this symbol.
    Symbols { name: String, paths: Vec<String> },
}

impl ArgumentError {
    /// The error for a keyword argument that is not one of `known`.
    pub(crate) fn unknown(name: &str, known: &[&'static str]) -> Self {
        let nearest = spelling::nearest(name, known.iter().copied());
        Self::Unknown { name: name.to_owned(), nearest }
    }

    /// The message in our words.
    pub(crate) fn message(self) -> Message {
        let unknown = |name: &str, nearest: Option<&'static str>| {
            let nearest = nearest.map(|it| message!("; did you mean `{it}`?"));
            message!("unexpected keyword argument `{}`{nearest}", secret(name))
        };
        let words = match &self {
            Self::Unknown { name, nearest } => unknown(name, *nearest),
            Self::UnknownOfExport(name) => unknown(name, Some("path")),
            Self::UnknownOfValues(name) => unknown(name, Some("plain")),
            Self::AtSign(path) => {
                message!("expected the name of a library without `@`, found `{}`", secret(path))
            }
            Self::NoLibrary { path, below, others } => {
                let missing = path.rsplit('/').next().unwrap_or(path);
                let hint = match spelling::nearest(missing, others.iter().map(String::as_str)) {
                    Some(near) => {
                        Some(message!("; did you mean `{}`?", plain(joined(below, near))))
                    }
                    None if others.is_empty() => None,
                    None => {
                        let shown = others.iter().take(MAX_SHOWN).map(|it| joined(below, it));
                        let shown = shown.collect::<Vec<_>>().join(", ");
                        Some(message!("; there is {}", plain(shown)))
                    }
                };
                match path.as_str() {
                    "" => message!("expected the name of a library, found an empty text{hint}"),
                    path => {
                        message!("there is no library `{}` below `_ytt_lib`{hint}", secret(path))
                    }
                }
            }
            Self::NoLibraries => {
                "there are no libraries here: expected a directory `_ytt_lib` next to the file; \
                 a name that begins with `/` is searched in that of the root"
                    .into()
            }
            Self::NoLibrariesAtRoot => {
                "there are no libraries at the root of the input: expected `_ytt_lib` in a \
                 directory that -f names"
                    .into()
            }
            Self::Private => "a symbol that begins with `_` is private to its library".into(),
            Self::NoSymbol(name) => {
                message!("no file of the library defines the symbol `{}`", secret(name))
            }
            Self::Symbols { name, paths } => message!(
                "several files of the library define the symbol `{}`: {}; choose one with path=",
                secret(name),
                plain(paths.join(", "))
            ),
        };
        term(words, self).into()
    }
}

fn joined(directory: &str, name: &str) -> String {
    if directory.is_empty() { name.to_owned() } else { format!("{directory}/{name}") }
}
