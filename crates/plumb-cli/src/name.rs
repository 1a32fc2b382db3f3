//! The names of the program.

use std::ffi::OsStr;
use std::fmt;
use std::path::Path;

use plumb::SilentDrops;
use plumb::print::Flavour;

/// The name by which the program was called. It only affects layout, exit codes and a few checks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Name {
    Plumb,
    /// For users of ytt.
    Ytt,
    /// For users of jk.
    Jk,
}

impl Name {
    /// The name in a path to the program, which may contain a platform or an extension:
    /// `ytt-linux-amd64`, `plumb.exe`. Returns `None` for an unknown name.
    pub(crate) fn of_program(path: &OsStr) -> Option<Self> {
        let stem = Path::new(path).file_stem()?.to_str()?;
        Self::of_word(stem.split('-').next()?)
    }

    pub(crate) fn of_word(word: &str) -> Option<Self> {
        match word {
            "plumb" => Some(Self::Plumb),
            "ytt" => Some(Self::Ytt),
            "jk" => Some(Self::Jk),
            _ => None,
        }
    }

    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::Plumb => "plumb",
            Self::Ytt => "ytt",
            Self::Jk => "jk",
        }
    }

    /// The program whose output is reproduced.
    pub(crate) fn flavour(self) -> Flavour {
        match self {
            Self::Plumb | Self::Jk => Flavour::Plumb,
            Self::Ytt => Flavour::Ytt,
        }
    }

    /// Called as ytt, values that ytt drops silently are dropped too, with a warning.
    pub(crate) fn silent_drops(self) -> SilentDrops {
        match self {
            Self::Plumb | Self::Jk => SilentDrops::Refuse,
            Self::Ytt => SilentDrops::Warn,
        }
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_is_known_by_the_start_of_its_name() {
        let name = |path: &str| Name::of_program(OsStr::new(path));
        assert_eq!(name("/usr/bin/ytt"), Some(Name::Ytt));
        assert_eq!(name("./ytt-linux-amd64"), Some(Name::Ytt));
        assert_eq!(name("plumb.exe"), Some(Name::Plumb));
        assert_eq!(name("a.out"), None);
    }
}
