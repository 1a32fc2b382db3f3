//! The destination and the layout of a report.

use std::path::{Path, PathBuf};

use plumb::native::write_tree;
use plumb::world::{Access, Occupant, OutputTree, WorldError};
use plumb_report::{Run, github, json, junit, sarif};

use crate::Name;

/// One report: its layout, and the file that it is written to. Without a file it is printed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Outlet {
    pub(crate) layout: Layout,
    pub(crate) file: Option<PathBuf>,
}

/// The layout of findings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Layout {
    /// For people: each finding is printed immediately.
    Words(Words),
    /// For programs: one text at the end.
    Data(Data),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Words {
    Pretty,
    Ytt,
    Jk,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Data {
    Json,
    Sarif,
    Junit,
    Github,
}

impl Layout {
    /// The layouts that can be selected by name. The layout of jk is used only if the program is
    /// called `jk`.
    pub(crate) const SELECTABLE: [(&str, Self); 6] = [
        ("pretty", Self::Words(Words::Pretty)),
        ("ytt", Self::Words(Words::Ytt)),
        ("json", Self::Data(Data::Json)),
        ("sarif", Self::Data(Data::Sarif)),
        ("junit", Self::Data(Data::Junit)),
        ("github", Self::Data(Data::Github)),
    ];

    pub(crate) fn of_word(word: &str) -> Option<Self> {
        Self::SELECTABLE.into_iter().find(|(name, _)| *name == word).map(|(_, layout)| layout)
    }
}

impl Words {
    pub(crate) fn of_name(name: Name) -> Self {
        match name {
            Name::Plumb => Self::Pretty,
            Name::Ytt => Self::Ytt,
            Name::Jk => Self::Jk,
        }
    }
}

impl Data {
    pub(crate) fn render(self, run: &Run) -> String {
        match self {
            Self::Json => json::render(run),
            Self::Sarif => sarif::render(run),
            Self::Junit => junit::render(run),
            Self::Github => github::render(run),
        }
    }
}

impl Outlet {
    pub(crate) fn is_data(&self) -> bool {
        matches!(self.layout, Layout::Data(_))
    }
}

/// Writes a report, completely or not at all. A path that is not a regular file, such as a pipe or
/// `/dev/stdout`, is written to directly.
pub(crate) fn write(path: &Path, bytes: &[u8]) -> Result<(), WorldError> {
    let is_new_or_file = std::fs::symlink_metadata(path).map_or(true, |it| it.is_file());
    let name = path.file_name().filter(|_| is_new_or_file);
    let Some(name) = name else {
        return std::fs::write(path, bytes)
            .map_err(|error| WorldError::from_io("open", path, &error));
    };
    let files = [(PathBuf::from(name), bytes.to_vec())];
    let directory = path.parent().unwrap_or(Path::new(""));
    let (occupant, access) = (Occupant::Kept, Access::Usual);
    write_tree(&OutputTree { directory, occupant, access, files: &files })
}
