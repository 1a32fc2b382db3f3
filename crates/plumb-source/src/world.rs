//! The only access to files, standard input, URLs, the environment, and output.
//!
//! Everything below the front ends uses a [`World`] and does no other IO. The command line, an
//! editor and a browser each have their own implementation; tests use one in memory.

use std::fmt;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::{Cores, Text, lexical};

/// The IO that a front end provides to the stages of a run.
pub trait World: Send + Sync {
    /// Returns the kind of the entry at a path. A symbolic link is not followed.
    fn entry(&self, path: &Path) -> Result<EntryKind, WorldError>;

    /// Returns the entries of a directory, in the byte order of their names.
    fn list(&self, directory: &Path) -> Result<Vec<Entry>, WorldError>;

    /// Returns the target of a symbolic link, as written in the link.
    fn link_target(&self, link: &Path) -> Result<PathBuf, WorldError>;

    /// Returns the bytes of a file. Symbolic links are followed: the caller must check first
    /// whether that is allowed.
    fn read(&self, path: &Path) -> Result<Arc<[u8]>, WorldError>;

    /// Returns all of standard input. It can be read once: a second call fails with
    /// [`WorldErrorKind::AlreadyRead`].
    fn stdin(&self) -> Result<Arc<[u8]>, WorldError>;

    /// Returns the body of the response to a GET request for an `http://` or `https://` URL.
    fn fetch(&self, url: &str) -> Result<Arc<[u8]>, WorldError>;

    /// Returns the names and values of environment variables, in the order in which the system
    /// lists them.
    fn environment(&self) -> Vec<(Text, Text)>;

    /// Returns the directory that relative paths start from, as an absolute path.
    fn directory(&self) -> Result<PathBuf, WorldError>;

    /// Prints a line for a template that calls `print`.
    fn print(&self, line: &Text);

    /// Writes all files of a tree, or none of them.
    fn write(&self, tree: &OutputTree<'_>) -> Result<(), WorldError>;

    /// Returns how many threads may run at a time. Stages call it only if they have much to do.
    fn cores(&self) -> Cores {
        Cores::ONE
    }
}

/// Implements methods of a world that delegate to another world, in the field `below`.
///
/// ```
/// use std::sync::Arc;
///
/// use plumb_source::{OutputTree, World, WorldError, pass_on};
///
/// /// A world that ignores writes.
/// struct ReadOnly {
///     below: Arc<dyn World>,
/// }
///
/// impl World for ReadOnly {
///     pass_on!(below: entry, list, link_target, read, stdin, fetch, environment, directory);
///     pass_on!(below: print, cores);
///
///     fn write(&self, _tree: &OutputTree<'_>) -> Result<(), WorldError> {
///         Ok(())
///     }
/// }
/// ```
#[macro_export]
macro_rules! pass_on {
    ($below:ident: $($method:ident),+ $(,)?) => {
        $( $crate::pass_on!(@$method $below); )+
    };
    (@entry $below:ident) => {
        fn entry(&self, path: &std::path::Path) -> Result<$crate::EntryKind, $crate::WorldError> {
            self.$below.entry(path)
        }
    };
    (@list $below:ident) => {
        fn list(&self, path: &std::path::Path) -> Result<Vec<$crate::Entry>, $crate::WorldError> {
            self.$below.list(path)
        }
    };
    (@link_target $below:ident) => {
        fn link_target(
            &self,
            link: &std::path::Path,
        ) -> Result<std::path::PathBuf, $crate::WorldError> {
            self.$below.link_target(link)
        }
    };
    (@read $below:ident) => {
        fn read(
            &self,
            path: &std::path::Path,
        ) -> Result<std::sync::Arc<[u8]>, $crate::WorldError> {
            self.$below.read(path)
        }
    };
    (@stdin $below:ident) => {
        fn stdin(&self) -> Result<std::sync::Arc<[u8]>, $crate::WorldError> {
            self.$below.stdin()
        }
    };
    (@fetch $below:ident) => {
        fn fetch(&self, url: &str) -> Result<std::sync::Arc<[u8]>, $crate::WorldError> {
            self.$below.fetch(url)
        }
    };
    (@environment $below:ident) => {
        fn environment(&self) -> Vec<($crate::Text, $crate::Text)> {
            self.$below.environment()
        }
    };
    (@directory $below:ident) => {
        fn directory(&self) -> Result<std::path::PathBuf, $crate::WorldError> {
            self.$below.directory()
        }
    };
    (@print $below:ident) => {
        fn print(&self, line: &$crate::Text) {
            self.$below.print(line);
        }
    };
    (@cores $below:ident) => {
        fn cores(&self) -> $crate::Cores {
            self.$below.cores()
        }
    };
}

/// An entry of a directory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The name, without the path of its directory.
    pub name: PathBuf,
    /// What it is.
    pub kind: EntryKind,
}

/// What a path refers to, without following symbolic links.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EntryKind {
    /// A regular file.
    File,
    /// A directory.
    Directory,
    /// A symbolic link, which may lead to anything.
    Symlink,
    /// A named pipe.
    Pipe,
    /// A socket or a device.
    Other,
}

/// Files to write below one directory.
#[derive(Clone, Copy, Debug)]
pub struct OutputTree<'a> {
    /// The directory that the files are below.
    pub directory: &'a Path,
    /// What happens to the files that are there.
    pub occupant: Occupant,
    /// Who may read the files.
    pub access: Access,
    /// Paths below the directory, which consist of plain names only, and their contents. If two
    /// files have the same path, the later one is written.
    pub files: &'a [(PathBuf, Vec<u8>)],
}

/// What happens to files that are already in an output directory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Occupant {
    /// They are kept, unless a new file has the same path.
    Kept,
    /// They are removed: the directory will contain only the new files.
    Removed,
}

/// Who may access written files. A file that is replaced keeps its permissions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// Only the user who runs the program.
    Owner,
    /// The user's default for new files.
    Usual,
}

/// An IO operation that failed. It is displayed as `lstat a.yml: no such file or directory`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WorldError {
    /// The call that failed, such as `lstat`.
    pub action: &'static str,
    /// The path or URL of the operation. Empty if there is only one, as for standard input.
    pub subject: String,
    /// What is wrong.
    pub kind: WorldErrorKind,
}

/// Why an IO operation failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WorldErrorKind {
    /// There is nothing at the path.
    NotFound,
    /// The user must not read or write it.
    PermissionDenied,
    /// A file is expected, and a directory is there.
    IsADirectory,
    /// A directory is expected, and something else is there.
    NotADirectory,
    /// Standard input was read a second time.
    AlreadyRead,
    /// Longer than the 4 GiB that a source may have.
    TooLarge,
    /// A path contains more symbolic links than allowed; usually they form a cycle.
    TooManyLinks,
    /// The subject is a URL that could not be requested, or an answer that could not be read.
    Network {
        /// Whether the server has answered.
        is_answered: bool,
        /// Why, in the words of the system or of the server.
        why: String,
    },
    /// Anything else, in the system's words.
    Other(String),
}

/// The help for a path of a user that does not exist.
pub const PATH_HELP: &str = "paths start from the working directory, and `-` is standard input";

impl WorldError {
    /// An error of `action` on `subject`, which is a path or URL.
    pub fn new(action: &'static str, subject: impl Into<String>, kind: WorldErrorKind) -> Self {
        Self { action, subject: subject.into(), kind }
    }

    /// Converts an error of the operating system, in the words that users of ytt know.
    pub fn from_io(action: &'static str, path: &Path, error: &io::Error) -> Self {
        let kind = match error.kind() {
            ErrorKind::NotFound => WorldErrorKind::NotFound,
            ErrorKind::PermissionDenied => WorldErrorKind::PermissionDenied,
            ErrorKind::IsADirectory => WorldErrorKind::IsADirectory,
            ErrorKind::NotADirectory => WorldErrorKind::NotADirectory,
            _ => WorldErrorKind::Other(system_words(error)),
        };
        Self::new(action, path.to_string_lossy(), kind)
    }

    /// Returns the error without the name of the system call, for users of the command line.
    pub fn words(&self) -> String {
        if self.kind == WorldErrorKind::AlreadyRead {
            "standard input can be read only once: use `-` once".to_owned()
        } else if self.subject.is_empty() {
            self.kind.to_string()
        } else {
            format!("{}: {}", lexical::one_line(&self.subject), self.kind)
        }
    }
}

impl fmt::Display for WorldError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let WorldErrorKind::Network { is_answered, .. } = self.kind {
            let doing = if is_answered { "Reading" } else { "Requesting" };
            write!(f, "{doing} URL '{}': ", self.subject)?;
        } else if !self.action.is_empty() {
            write!(f, "{} {}: ", self.action, lexical::one_line(&self.subject))?;
        }
        self.kind.fmt(f)
    }
}

impl std::error::Error for WorldError {}

impl fmt::Display for WorldErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NotFound => "no such file or directory",
            Self::PermissionDenied => "permission denied",
            Self::IsADirectory => "is a directory",
            Self::NotADirectory => "not a directory",
            Self::AlreadyRead => {
                "Standard input has already been read, has the '-' argument been used in more than one flag?"
            }
            Self::TooLarge => "larger than 4 GiB",
            Self::TooManyLinks => "too many levels of symbolic links",
            Self::Network { why: words, .. } | Self::Other(words) => words,
        })
    }
}

/// Returns the system's own words, without the number that Rust adds and with a lower-case first
/// letter.
fn system_words(error: &io::Error) -> String {
    let text = error.to_string();
    let text = text.split(" (os error ").next().unwrap_or_default();
    let mut letters = text.chars();
    letters.next().map(|it| it.to_lowercase().chain(letters).collect()).unwrap_or_default()
}
