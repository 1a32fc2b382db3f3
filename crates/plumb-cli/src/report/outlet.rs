//! Where a report goes, and how it is laid out.

use std::path::{Path, PathBuf};

use plumb::world::{Access, Occupant, OutputTree, WorldError};
use plumb_report::{Run, github, json, junit, sarif};

use crate::world::refused;
use crate::{Name, write};

/// One report: its layout, and the file that it is written to. Without one it is shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Outlet {
    pub(crate) layout: Layout,
    pub(crate) file: Option<PathBuf>,
}

/// How findings are laid out: the first three for people, who are told at once, the others for
/// programs, which get one text at the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Layout {
    Pretty,
    Ytt,
    Jk,
    Json,
    Sarif,
    Junit,
    Github,
}

impl Layout {
    /// Those that can be asked for; jk's comes with its name alone.
    pub(crate) const SELECTABLE: [Self; 6] =
        [Self::Pretty, Self::Ytt, Self::Json, Self::Sarif, Self::Junit, Self::Github];

    pub(crate) fn of_name(name: Name) -> Self {
        match name {
            Name::Plumb => Self::Pretty,
            Name::Ytt => Self::Ytt,
            Name::Jk => Self::Jk,
        }
    }

    pub(crate) fn of_word(word: &str) -> Option<Self> {
        Self::SELECTABLE.into_iter().find(|it| it.word() == word)
    }

    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Pretty => "pretty",
            Self::Ytt => "ytt",
            Self::Jk => "jk",
            Self::Json => "json",
            Self::Sarif => "sarif",
            Self::Junit => "junit",
            Self::Github => "github",
        }
    }

    /// The text for programs.
    pub(crate) fn render(self, run: &Run) -> Option<String> {
        match self {
            Self::Pretty | Self::Ytt | Self::Jk => None,
            Self::Json => Some(json::render(run)),
            Self::Sarif => Some(sarif::render(run)),
            Self::Junit => Some(junit::render(run)),
            Self::Github => Some(github::render(run)),
        }
    }
}

impl Outlet {
    pub(crate) fn is_data(&self) -> bool {
        match self.layout {
            Layout::Pretty | Layout::Ytt | Layout::Jk => false,
            Layout::Json | Layout::Sarif | Layout::Junit | Layout::Github => true,
        }
    }
}

/// Writes a report, whole or not at all. What is no plain file, such as a pipe or `/dev/stdout`,
/// is written into.
pub(crate) fn write(path: &Path, bytes: &[u8]) -> Result<(), WorldError> {
    let is_new_or_file = std::fs::symlink_metadata(path).map_or(true, |it| it.is_file());
    let name = path.file_name().filter(|_| is_new_or_file);
    let Some(name) = name else {
        return std::fs::write(path, bytes).map_err(|error| refused("open", path, &error));
    };
    let files = [(PathBuf::from(name), bytes.to_vec())];
    let directory = path.parent().unwrap_or(Path::new(""));
    let (occupant, access) = (Occupant::Kept, Access::Usual);
    write::tree(&OutputTree { directory, occupant, access, files: &files })
}
