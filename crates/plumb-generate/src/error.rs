//! Errors of the requests of a script or of the command line.

use std::fmt;
use std::path::PathBuf;

use plumb_source::message::{plain, secret};
use plumb_source::root::RootError;
use plumb_source::{Message, WorldError, lexical, message};
use plumb_yaml::SyntaxError;
use plumb_yaml::print::json::JsonError;

use crate::format::Format;

/// Why a file, a value or a schema cannot be read, written or used.
#[derive(Debug)]
pub(crate) enum Error {
    World(WorldError),
    /// A path leads out of its directory.
    OutsideRoot {
        root_error: RootError,
        doing: Doing,
    },
    /// A path leads out of its directory, with the path and the flag that sets the directory.
    OutsideFlaggedRoot {
        path: String,
        root_error: RootError,
        doing: Doing,
    },
    NotRegular,
    IsDirectory(PathBuf),
    /// A file already exists, and must not be replaced.
    Exists(PathBuf),
    /// Like `Exists`, for a transformation, which has flags to replace files.
    ExistsAlready(PathBuf),
    /// A directory on the command line has no file of a format that can be read.
    NoFiles(String),
    /// A path that is not an argument of the command.
    NotNamed(String),
    /// A reference to a module that no module returned.
    NotAModule,
    UnknownFormat(u32),
    UnknownOverwrite(u32),
    /// A function does not support a format.
    Unsupported {
        function: Function,
        format: Format,
    },
    NotAnObject,
    NotAnArray,
    /// Values are nested deeper than this.
    TooDeep(usize),
    /// The output of a script is larger than the memory limit.
    TooLarge,
    /// The time limit was reached.
    OutOfTime,
    Json(serde_json::Error),
    Yaml(SyntaxError),
    /// A value that cannot be expressed in JSON.
    NotJson(JsonError),
    Schema(SchemaError),
    /// An error, and the file that it concerns.
    In {
        path: String,
        error: Box<Self>,
    },
}

/// The functions of `@jkcfg/std` that read and write formats.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Function {
    Read,
    Parse,
    Stringify,
}

/// Why a JSON Schema cannot be used.
#[derive(Debug)]
pub(crate) enum SchemaError {
    /// A reference to something other than a file.
    NotFetched(String),
    /// A reference to a file in a schema that is not in a file itself.
    NoFile(String),
    /// A schema that cannot be compiled.
    Unusable {
        error: plumb_jsonschema::SchemaError,
        /// Whether the schema is in a file; otherwise a script computed it.
        is_in_file: bool,
    },
}

impl Error {
    /// The message, with values as separate parts.
    pub(crate) fn message(&self) -> Message {
        match self {
            Self::Yaml(error) => error.message(),
            Self::NotJson(error) => error.message(),
            Self::Schema(SchemaError::Unusable { error, is_in_file: false }) => {
                schema_message(error)
            }
            Self::In { path, error } => message!("{}: {}", plain(path), error.message()),
            // Contains only names and places.
            other => Message::from(plain(other)),
        }
    }

    /// Adds the path of the file to the error.
    pub(crate) fn in_file(self, path: impl Into<String>) -> Self {
        Self::In { path: path.into(), error: Box::new(self) }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::World(error) => error.fmt(f),
            Self::OutsideRoot { root_error, doing } => f.write_str(&doing.words(root_error)),
            Self::OutsideFlaggedRoot { path, root_error, doing } => {
                write!(f, "{path}: {}", doing.words(root_error))?;
                let flag = match (root_error, doing) {
                    (RootError::World(_), _) => return Ok(()),
                    (_, Doing::Reading) => "--input-directory",
                    (_, Doing::Writing) => "--output-directory",
                };
                write!(f, "; files stay below the directory that {flag} sets")
            }
            Self::NotRegular => f.write_str("not a regular file"),
            Self::IsDirectory(path) => write!(f, "open {}: is a directory", lexical::shown(path)),
            Self::Exists(path) => write!(f, "file {} already exists", lexical::shown(path)),
            Self::ExistsAlready(path) => write!(
                f,
                "file {} already exists; --overwrite replaces files, -o DIR writes below a \
                 directory, and --stdout prints",
                lexical::shown(path)
            ),
            Self::NoFiles(path) => write!(
                f,
                "{path}: no file to validate; expected at least one of .json, .yaml or .yml"
            ),
            Self::NotNamed(path) => write!(f, "{path} was not named on the command line"),
            Self::NotAModule => f.write_str("not a reference to a module"),
            Self::UnknownFormat(number) => write!(f, "unknown format ({number})"),
            Self::UnknownOverwrite(number) => {
                write!(f, "write: unknown way to overwrite ({number})")
            }
            Self::Unsupported { function, format } => function.refuses(*format, f),
            Self::NotAnObject => f.write_str("HCL is written from an object"),
            Self::NotAnArray => f.write_str("a stream is written from an array of values"),
            Self::TooDeep(limit) => write!(f, "values nest deeper than {limit} levels"),
            Self::TooLarge => {
                f.write_str("the files to be written are larger than the memory limit")
            }
            Self::OutOfTime => f.write_str("the time is over"),
            Self::Json(error) => error.fmt(f),
            Self::Yaml(error) => f.write_str(error.message().shown()),
            Self::NotJson(error) => error.fmt(f),
            Self::Schema(error) => error.fmt(f),
            Self::In { path, error } => write!(f, "{path}: {error}"),
        }
    }
}

impl Function {
    fn refuses(self, format: Format, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Read => write!(f, "unsupported format for reading: {format}"),
            Self::Parse => write!(
                f,
                "unsupported format for parse: expected JSON, YAML, JSONStream or YAMLStream, \
                 found {format}"
            ),
            Self::Stringify => write!(
                f,
                "unsupported format for stringify: expected JSON, YAML, JSONStream, YAMLStream or \
                 HCL, found {format}"
            ),
        }
    }
}

impl fmt::Display for SchemaError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotFetched(uri) => write!(f, "{uri} is not fetched: only files are"),
            Self::NoFile(path) => write!(f, "a schema without a file cannot refer to {path}"),
            Self::Unusable { error, .. } => error.fmt(f),
        }
    }
}

/// The message about a schema that a script computed.
fn schema_message(error: &plumb_jsonschema::SchemaError) -> Message {
    use plumb_jsonschema::SchemaError as Unusable;
    let whole = error.to_string();
    let computed = match error {
        Unusable::NotValid(_) | Unusable::Unretrievable { .. } => None,
        Unusable::NowhereTo { reference } => Some(reference),
        Unusable::UnknownDraft { uri } => Some(uri),
        Unusable::NotAPattern { pattern } => Some(pattern),
    };
    match computed.and_then(|it| Some((it, whole.split_once(it.as_str())?))) {
        Some((computed, (before, after))) => {
            message!("{}{}{}", plain(before), secret(computed), plain(after))
        }
        None => Message::from(plain(whole)),
    }
}

impl std::error::Error for Error {}

impl From<WorldError> for Error {
    fn from(error: WorldError) -> Self {
        Self::World(error)
    }
}

impl From<serde_json::Error> for Error {
    fn from(error: serde_json::Error) -> Self {
        Self::Json(error)
    }
}

impl From<SyntaxError> for Error {
    fn from(error: SyntaxError) -> Self {
        Self::Yaml(error)
    }
}

impl From<JsonError> for Error {
    fn from(error: JsonError) -> Self {
        Self::NotJson(error)
    }
}

impl From<SchemaError> for Error {
    fn from(error: SchemaError) -> Self {
        Self::Schema(error)
    }
}

/// The operation of a script on a path.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Doing {
    Reading,
    Writing,
}

impl Doing {
    /// Why a path is rejected, as a message.
    pub(crate) fn words(self, root_error: &RootError) -> String {
        match (root_error, self) {
            (RootError::Absolute, Self::Reading) => {
                "reading absolute paths is forbidden".to_owned()
            }
            (RootError::Absolute, Self::Writing) => {
                "writing to an absolute path is forbidden".to_owned()
            }
            (RootError::Parent, Self::Reading) => {
                "reading from a parent path is forbidden".to_owned()
            }
            (RootError::Parent, Self::Writing) => "writing to parent path is forbidden".to_owned(),
            (RootError::Link, doing) => {
                format!("{doing} through a symbolic link that leaves the directory is forbidden")
            }
            (RootError::World(error), _) => error.to_string(),
        }
    }
}

impl fmt::Display for Doing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Reading => "reading",
            Self::Writing => "writing",
        })
    }
}
