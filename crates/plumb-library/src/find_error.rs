//! Why a module, a file or a directory that code names is not found or cannot be loaded, as facts.
//! Here are our words for them.

use plumb_source::message::{plain, secret, term};
use plumb_source::{Message, message};

/// An error about what code names.
#[derive(Clone, Debug)]
pub enum FindError {
    /// There is no built-in module of this name.
    NoModule(String),
    /// A name of a module that begins with `@`, and has no `:`.
    NoColon,
    /// The directory has no file of this path.
    NoFile(String),
    /// A directory of the path of a file is not found.
    NoDirectoryOfFile { path: String, error: DirectoryError },
    /// A directory of this path is not found.
    NoDirectory { path: String, error: DirectoryError },
    /// The path of a library leads below this directory, into the libraries of another one.
    PrivateLibrary { path: String, below: String },
    /// A file that cannot be loaded, because of its name.
    NotLoadable(String),
    /// A file that is marked as data.
    Data(String),
}

/// Why a directory is not found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DirectoryError {
    /// The next directory of the path is missing below this one.
    Missing { below: String },
    /// The path leads into `_ytt_lib`.
    Private,
}

impl FindError {
    /// The message in our words.
    pub(crate) fn message(self) -> Message {
        let words = match &self {
            Self::NoModule(name) => message!("there is no module `@ytt:{}`", plain(name)),
            Self::NoColon => "expected a path such as `@ytt:base64` or `@NAME:PATH`, found no `:` \
                              after `@`"
                .into(),
            Self::NoFile(path)
            | Self::NoDirectoryOfFile { path, error: DirectoryError::Missing { .. } } => {
                message!(
                    "there is no input file `{}`: only files given with `-f` can be read",
                    secret(path)
                )
            }
            Self::NoDirectory { path, error: DirectoryError::Missing { .. } } => {
                message!("there is no directory `{}` in the input", secret(path))
            }
            Self::NoDirectoryOfFile { path, error: DirectoryError::Private }
            | Self::NoDirectory { path, error: DirectoryError::Private }
            | Self::PrivateLibrary { path, .. } => {
                message!("expected a path without `_ytt_lib`, found `{}`", secret(path))
            }
            Self::NotLoadable(path) => {
                message!(
                    "expected a file that ends in `.star` or `.lib.yml`, found `{}`",
                    plain(path)
                )
            }
            Self::Data(path) => {
                message!(
                    "expected a file with code, found `{}`, which is marked as data",
                    plain(path)
                )
            }
        };
        term(words, self).into()
    }
}
