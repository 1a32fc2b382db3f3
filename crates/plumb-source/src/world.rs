//! The one door to the outside: files, standard input, URLs, environment, and written outputs.
//!
//! Everything below the front ends asks a [`World`] and touches nothing else. The command line,
//! an editor and a browser are worlds of their own; tests use one in memory.

use std::fmt;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::{Cores, Text};

/// What a front end lends to the stages of a run.
pub trait World: Send + Sync {
    /// What stands at a path. A symbolic link is not followed.
    fn entry(&self, path: &Path) -> Result<EntryKind, WorldError>;

    /// The entries of a directory, in the byte order of their names.
    fn list(&self, directory: &Path) -> Result<Vec<Entry>, WorldError>;

    /// Where a symbolic link points to, as it is written there.
    fn link_target(&self, link: &Path) -> Result<PathBuf, WorldError>;

    /// The bytes of a file. Symbolic links are followed: whether they may be is for the caller
    /// to find out first.
    fn read(&self, path: &Path) -> Result<Arc<[u8]>, WorldError>;

    /// All of standard input. It can be had once: a second call is [`Fault::AlreadyRead`].
    fn stdin(&self) -> Result<Arc<[u8]>, WorldError>;

    /// The body that a GET of an `http://` or `https://` URL answers with.
    fn fetch(&self, url: &str) -> Result<Arc<[u8]>, WorldError>;

    /// Names and values of the environment, in the order in which the system lists them.
    fn environment(&self) -> Vec<(Text, Text)>;

    /// The directory that relative paths start from, as an absolute path.
    fn directory(&self) -> Result<PathBuf, WorldError>;

    /// Shows a line that a template prints.
    fn print(&self, line: &Text);

    /// Writes all files of a tree, or none of them.
    fn write(&self, tree: &OutputTree<'_>) -> Result<(), WorldError>;

    /// How many threads may work at a time. Asked only where there is much to do.
    fn cores(&self) -> Cores {
        Cores::ONE
    }
}

/// An entry of a directory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    pub name: PathBuf,
    pub kind: EntryKind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EntryKind {
    File,
    Directory,
    Symlink,
    Pipe,
    /// A socket or a device.
    Other,
}

/// Files to be written below one directory.
#[derive(Clone, Copy, Debug)]
pub struct OutputTree<'a> {
    pub directory: &'a Path,
    pub occupant: Occupant,
    pub access: Access,
    /// Paths below the directory, of plain names only, and their contents. Of two files with one
    /// path the later one stays.
    pub files: &'a [(PathBuf, Vec<u8>)],
}

/// What becomes of files that stand in an output directory already.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Occupant {
    /// They stay, unless a new file has their path.
    Kept,
    /// They go: the directory will hold the new files alone.
    Removed,
}

/// Who may use what is written. A file that is replaced passes its own permissions on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    Owner,
    /// As the user has it for new files.
    Usual,
}

/// What the world refused to do, worded as `lstat a.yml: no such file or directory`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WorldError {
    /// The call that failed, such as `lstat`.
    pub action: &'static str,
    /// The path or URL that it was about; empty where there is only one.
    pub subject: String,
    pub fault: Fault,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    NotFound,
    PermissionDenied,
    IsADirectory,
    NotADirectory,
    /// Standard input was asked for twice.
    AlreadyRead,
    /// Longer than the 4 GiB that a source may have.
    TooLarge,
    /// A path goes through more symbolic links than a path may: usually a cycle.
    TooManyLinks,
    /// Anything else, in the words of the system.
    Other(String),
}

impl WorldError {
    pub fn new(action: &'static str, subject: impl Into<String>, fault: Fault) -> Self {
        Self { action, subject: subject.into(), fault }
    }

    /// An error of the operating system, in the words that users of ytt know.
    pub fn from_io(action: &'static str, path: &Path, error: &io::Error) -> Self {
        let fault = match error.kind() {
            ErrorKind::NotFound => Fault::NotFound,
            ErrorKind::PermissionDenied => Fault::PermissionDenied,
            ErrorKind::IsADirectory => Fault::IsADirectory,
            ErrorKind::NotADirectory => Fault::NotADirectory,
            _ => Fault::Other(system_words(error)),
        };
        Self::new(action, path.to_string_lossy(), fault)
    }

    /// The error without the name of the call, for those who do not write programs.
    pub fn words(&self) -> String {
        if self.subject.is_empty() {
            self.fault.to_string()
        } else {
            format!("{}: {}", self.subject, self.fault)
        }
    }
}

impl fmt::Display for WorldError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.action.is_empty() {
            write!(f, "{} {}: ", self.action, self.subject)?;
        }
        self.fault.fmt(f)
    }
}

impl std::error::Error for WorldError {}

impl fmt::Display for Fault {
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
            Self::Other(words) => words,
        })
    }
}

/// The system's own words, without the number that Rust adds and with a small first letter.
fn system_words(error: &io::Error) -> String {
    let text = error.to_string();
    let text = text.split(" (os error ").next().unwrap_or_default();
    let mut letters = text.chars();
    letters.next().map(|it| it.to_lowercase().chain(letters).collect()).unwrap_or_default()
}
