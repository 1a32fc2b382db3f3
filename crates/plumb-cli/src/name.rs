//! The names that the program answers to.

use std::ffi::OsStr;
use std::fmt;
use std::path::Path;

use plumb::SilentDrops;
use plumb::print::Flavour;

use crate::args::Misuse;

/// What the program was called as. Only layout, exit codes and a few strictnesses depend on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Name {
    Plumb,
    /// For those who had ytt before.
    Ytt,
    /// For those who had jk before.
    Jk,
}

impl Name {
    /// The name in a path to the program, which may carry a platform or an extension:
    /// `ytt-linux-amd64`, `plumb.exe`.
    pub(crate) fn of_program(path: &OsStr) -> Option<Self> {
        let stem = Path::new(path).file_stem()?.to_str()?;
        Self::of_word(stem.split('-').next()?)
    }

    fn of_word(word: &str) -> Option<Self> {
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

    /// Whose quirks the output has.
    pub(crate) fn flavour(self) -> Flavour {
        match self {
            Self::Plumb | Self::Jk => Flavour::Plumb,
            Self::Ytt => Flavour::Ytt,
        }
    }

    /// Who had ytt before gets a warning where ytt says nothing, and the result that ytt gives.
    pub(crate) fn silent_drops(self) -> SilentDrops {
        match self {
            Self::Plumb | Self::Jk => SilentDrops::Refuse,
            Self::Ytt => SilentDrops::Warn,
        }
    }
}

/// Takes `--compat NAME` out of the arguments: it holds for all commands, and for how mistakes in
/// the other arguments are told.
pub(crate) fn take_compat(
    mut arguments: Vec<String>,
) -> Result<(Option<Name>, Vec<String>), Misuse> {
    let is_compat = |it: &String| it == "--compat" || it.starts_with("--compat=");
    let before_dashes = arguments.iter().take_while(|it| *it != "--");
    let Some(at) = before_dashes.into_iter().position(is_compat) else {
        return Ok((None, arguments));
    };
    let word = match arguments.remove(at).split_once('=') {
        Some((_, word)) => word.to_owned(),
        None if at < arguments.len() => arguments.remove(at),
        None => return Err("flag needs an argument: --compat".to_owned().into()),
    };
    match Name::of_word(&word) {
        Some(name) => Ok((Some(name), arguments)),
        None => Err(Misuse {
            message: format!("invalid argument {word:?} for \"--compat\" flag: no such program"),
            help: Some("programs are plumb, ytt and jk".to_owned()),
        }),
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

    #[test]
    fn compat_is_taken_out_wherever_it_stands() {
        let words = |line: &str| line.split(' ').map(str::to_owned).collect::<Vec<_>>();
        let check = |line: &str, name, rest: &str| {
            assert_eq!(take_compat(words(line)), Ok((name, words(rest))), "{line}");
        };
        check("-f a --compat=ytt -s", Some(Name::Ytt), "-f a -s");
        check("--compat plumb fmt", Some(Name::Plumb), "fmt");
        check("-- --compat=ytt", None, "-- --compat=ytt");
        assert!(take_compat(words("--compat=helm")).is_err());
    }
}
