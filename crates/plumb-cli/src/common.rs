//! Flags that hold for all commands, and for how mistakes in the other arguments are told.

use crate::Name;
use crate::args::{self, Flag, Misuse, Topic};
use crate::report::{Layout, Outlet};

/// What the common flags say.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Common {
    pub(crate) name: Option<Name>,
    /// The reports that were asked for; none: the one of the name.
    pub(crate) outlets: Vec<Outlet>,
    pub(crate) shows_values: bool,
}

pub(crate) const FLAGS: [Flag; 4] = [
    Flag {
        long: "report",
        short: None,
        value: Some("FORMAT[=FILE]"),
        topic: Topic::Other,
        help: "Tell what was found as pretty, ytt, json, sarif, junit or github, in a file if one is named. Can be repeated",
    },
    Flag {
        long: "show-values",
        short: None,
        value: None,
        topic: Topic::Other,
        help: "Show the values that findings are about; they may be secret",
    },
    Flag {
        long: "compat",
        short: None,
        value: Some("NAME"),
        topic: Topic::Other,
        help: "Speak and end like the program of this name: plumb, ytt or jk",
    },
    Flag { long: "help", short: Some('h'), value: None, topic: Topic::Other, help: "Show this" },
];

/// Takes the common flags out of the arguments, wherever they stand.
pub(crate) fn take(arguments: &mut Vec<String>) -> Result<Common, Misuse> {
    let mut common = Common::default();
    if let Some(word) = take_value("compat", arguments)? {
        common.name = Some(name(&word)?);
    }
    while let Some(asked) = take_value("report", arguments)? {
        common.outlets.push(outlet(&asked)?);
    }
    while let Some(at) = position("show-values", arguments) {
        let given = arguments.remove(at);
        let value = given.split_once('=').map(|(_, value)| value);
        common.shows_values = args::switch("--show-values", value)?;
    }
    let on_terminal = common.outlets.iter().filter(|it| it.is_data() && it.file.is_none());
    if on_terminal.count() > 1 {
        return Err(Misuse {
            message: "only one report for programs can go to the terminal".to_owned(),
            help: Some("name a file for the others: --report sarif=findings.sarif".to_owned()),
        });
    }
    Ok(common)
}

fn name(word: &str) -> Result<Name, Misuse> {
    Name::of_word(word).ok_or_else(|| Misuse {
        message: format!("invalid argument {word:?} for \"--compat\" flag: no such program"),
        help: Some("programs are plumb, ytt and jk".to_owned()),
    })
}

fn outlet(asked: &str) -> Result<Outlet, Misuse> {
    let (word, file) = match asked.split_once('=') {
        Some((word, file)) => (word, Some(file)),
        None => (asked, None),
    };
    let Some(layout) = Layout::of_word(word) else {
        let words = Layout::SELECTABLE.map(|(name, _)| name);
        let help = match args::nearest(word, words.into_iter()) {
            Some(meant) => format!("did you mean {meant}?"),
            None => format!("formats are {}", words.join(", ")),
        };
        let message = format!("invalid argument {asked:?} for \"--report\" flag: no such format");
        return Err(Misuse { message, help: Some(help) });
    };
    match file {
        Some("") => Err(Misuse {
            message: format!("invalid argument {asked:?} for \"--report\" flag: no file is named"),
            help: Some(format!("name one: --report {word}=FILE")),
        }),
        file => Ok(Outlet { layout, file: file.map(Into::into) }),
    }
}

/// Takes out `--NAME VALUE` or `--NAME=VALUE`.
fn take_value(name: &str, arguments: &mut Vec<String>) -> Result<Option<String>, Misuse> {
    let Some(at) = position(name, arguments) else { return Ok(None) };
    match arguments.remove(at).split_once('=') {
        Some((_, value)) => Ok(Some(value.to_owned())),
        None if at < arguments.len() => Ok(Some(arguments.remove(at))),
        None => Err(format!("flag needs an argument: --{name}").into()),
    }
}

/// Where a flag stands. What follows `--` is no flag.
fn position(name: &str, arguments: &[String]) -> Option<usize> {
    let is_flag = |it: &String| {
        let rest = it.strip_prefix("--").and_then(|it| it.strip_prefix(name));
        rest.is_some_and(|it| it.is_empty() || it.starts_with('='))
    };
    arguments.iter().take_while(|it| *it != "--").position(is_flag)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::{Data, Words};

    fn words(line: &str) -> Vec<String> {
        line.split(' ').map(str::to_owned).collect()
    }

    #[test]
    fn common_flags_are_taken_out_wherever_they_stand() {
        let check = |line: &str, name, rest: &str| {
            let mut arguments = words(line);
            let common = take(&mut arguments).expect("a right command line");
            assert_eq!((common.name, arguments), (name, words(rest)), "{line}");
        };
        check("-f a --compat=ytt -s", Some(Name::Ytt), "-f a -s");
        check("--compat plumb fmt", Some(Name::Plumb), "fmt");
        check("-- --compat=ytt", None, "-- --compat=ytt");
        check("--report json fmt --show-values=false", None, "fmt");
        assert!(take(&mut words("--compat=helm")).is_err());
    }

    #[test]
    fn reports_have_a_format_and_may_have_a_file() {
        let outlets = |line: &str| take(&mut words(line)).map(|it| it.outlets);
        let sarif = Outlet { layout: Layout::Data(Data::Sarif), file: Some("a=b.sarif".into()) };
        let pretty = Outlet { layout: Layout::Words(Words::Pretty), file: None };
        let both = outlets("--report pretty --report=sarif=a=b.sarif");
        assert_eq!(both, Ok(vec![pretty, sarif]));
        let help = |line: &str| outlets(line).expect_err("a wrong report").help;
        assert_eq!(help("--report jsn").as_deref(), Some("did you mean json?"));
        assert!(outlets("--report json=").is_err());
        assert!(outlets("--report json --report junit").is_err());
        assert!(outlets("--report").is_err());
    }
}
