//! The flags of all commands, which decide how mistakes in the other arguments are reported.

use plumb_source::message;
use plumb_source::message::plain;

use crate::Name;
use crate::args::{self, Flag, Topic, UsageError};
use crate::report::{Layout, Outlet};

/// The values of the common flags.
#[derive(Debug, Default, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of the command line")]
pub(crate) struct Common {
    pub(crate) name: Option<Name>,
    /// The requested reports. If there are none, the name of the program decides.
    pub(crate) outlets: Vec<Outlet>,
    pub(crate) shows_values: bool,
    pub(crate) is_quiet: bool,
    pub(crate) denies_warnings: bool,
    /// Whether the command runs again whenever its input changes.
    pub(crate) watches: bool,
}

/// The abilities of a command, which determine its common flags. All commands accept the flags about
/// how they report, so that scripts can always pass them; the help lists those that have an effect.
#[derive(Clone, Copy, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each is about another flag")]
pub(crate) struct Abilities {
    /// It can report findings that contain values.
    pub(crate) has_values: bool,
    /// Programs of other names have it too.
    pub(crate) has_peers: bool,
    /// It prints more than results and findings.
    pub(crate) has_notes: bool,
    /// It can report warnings, which can be turned into errors.
    pub(crate) can_warn: bool,
    /// It can run again whenever its input changes.
    pub(crate) can_watch: bool,
}

const REPORT: Flag = Flag {
    long: "report",
    short: None,
    value: Some("FORMAT[=FILE]"),
    values: &["pretty", "ytt", "json", "sarif", "junit", "github"],
    topic: Topic::Other,
    help: "Report findings as pretty, ytt, json, sarif, junit or github, to a file if one is named. Can be repeated",
};

const SHOW_VALUES: Flag = Flag {
    long: "show-values",
    short: None,
    value: None,
    values: &[],
    topic: Topic::Other,
    help: "Show the values in findings, which may be secret",
};

const COMPAT: Flag = Flag {
    long: "compat",
    short: None,
    value: Some("NAME"),
    values: &["plumb", "ytt", "jk"],
    topic: Topic::Other,
    help: "Behave like the program of this name: plumb, ytt or jk",
};

const QUIET: Flag = Flag {
    long: "quiet",
    short: Some('q'),
    value: None,
    values: &[],
    topic: Topic::Other,
    help: "Print results, warnings and errors only: no summary, and no list of written files",
};

const WARNINGS: Flag = Flag {
    long: "warnings",
    short: Some('W'),
    value: Some("LEVEL"),
    values: &["warn", "error"],
    topic: Topic::Other,
    help: "With error, treat warnings as errors: the exit code is 1, and nothing is printed or written",
};

const WARNINGS_AS_ERRORS: Flag = Flag {
    long: "warnings-as-errors",
    short: None,
    value: None,
    values: &[],
    topic: Topic::Other,
    help: "The same as -W error",
};

const WATCH: Flag = Flag {
    long: "watch",
    short: None,
    value: None,
    values: &[],
    topic: Topic::Other,
    help: "Run again whenever a file that the command depends on changes, until Ctrl-C",
};

const HELP: Flag = Flag {
    long: "help",
    short: Some('h'),
    value: None,
    values: &[],
    topic: Topic::Other,
    help: "Show this help",
};

/// The common flags of a command in the program of this name.
pub(crate) fn flags(name: Name, abilities: Abilities) -> Vec<Flag> {
    let is_plumb = name == Name::Plumb;
    let flags = [
        (true, REPORT),
        (!is_plumb || abilities.has_values, SHOW_VALUES),
        (!is_plumb || abilities.has_peers, COMPAT),
        (is_plumb && abilities.has_notes, QUIET),
        (is_plumb && abilities.can_warn, WARNINGS),
        (is_plumb && abilities.can_warn, WARNINGS_AS_ERRORS),
        (is_plumb && abilities.can_watch, WATCH),
        (true, HELP),
    ];
    flags.into_iter().filter(|(is_shown, _)| *is_shown).map(|(_, flag)| flag).collect()
}

/// The long names of all common flags.
pub(crate) fn names() -> impl Iterator<Item = &'static str> {
    [REPORT, SHOW_VALUES, COMPAT, QUIET, WARNINGS, WARNINGS_AS_ERRORS, WATCH, HELP]
        .into_iter()
        .map(|it| it.long)
}

/// Removes the common flags from the arguments, at any position.
pub(crate) fn take(called_as: Name, arguments: &mut Vec<String>) -> Result<Common, UsageError> {
    let mut common = Common::default();
    if let Some(word) = take_value(COMPAT, arguments)? {
        common.name = Some(name(&word)?);
    }
    while let Some(asked) = take_value(REPORT, arguments)? {
        common.outlets.push(outlet(&asked)?);
    }
    common.shows_values = take_switch(SHOW_VALUES, arguments)?;
    if common.name.unwrap_or(called_as) == Name::Plumb {
        common.is_quiet = take_switch(QUIET, arguments)?;
        common.denies_warnings = take_switch(WARNINGS_AS_ERRORS, arguments)?;
        while let Some(level) = take_value(WARNINGS, arguments)? {
            common.denies_warnings |= denies_warnings(&level)?;
        }
        common.watches = take_switch(WATCH, arguments)?;
    }
    let on_terminal = common.outlets.iter().filter(|it| it.is_data() && it.file.is_none());
    if on_terminal.count() > 1 {
        return Err(UsageError {
            message: "only one report for programs can go to the terminal".into(),
            help: Some("name a file for the others: --report sarif=findings.sarif".into()),
        });
    }
    if common.watches && common.outlets.iter().any(Outlet::is_data) {
        return Err(UsageError {
            message: "a report for programs covers one run, but --watch runs again and again"
                .into(),
            help: Some("remove --report, or --watch".into()),
        });
    }
    Ok(common)
}

fn denies_warnings(level: &str) -> Result<bool, UsageError> {
    match level {
        "error" => Ok(true),
        "warn" => Ok(false),
        other => Err(UsageError {
            message: message!(
                "invalid argument {} for \"-W, --warnings\" flag",
                plain(format_args!("{other:?}"))
            ),
            help: Some("use -W error to treat warnings as errors, or -W warn".into()),
        }),
    }
}

fn name(word: &str) -> Result<Name, UsageError> {
    Name::of_word(word).ok_or_else(|| UsageError {
        message: message!(
            "invalid argument {} for \"--compat\" flag: no such program",
            plain(format_args!("{word:?}"))
        ),
        help: Some("use plumb, ytt or jk".into()),
    })
}

fn outlet(asked: &str) -> Result<Outlet, UsageError> {
    let (word, file) = match asked.split_once('=') {
        Some((word, file)) => (word, Some(file)),
        None => (asked, None),
    };
    let Some(layout) = Layout::of_word(word) else {
        let words = Layout::SELECTABLE.map(|(name, _)| name);
        let help = match args::nearest(word, words.into_iter()) {
            Some(meant) => message!("did you mean {}?", plain(meant)),
            None => message!("formats are {}", plain(words.join(", "))),
        };
        let message = message!(
            "invalid argument {} for \"--report\" flag: no such format",
            plain(format_args!("{asked:?}"))
        );
        return Err(UsageError { message, help: Some(help) });
    };
    match file {
        Some("") => Err(UsageError {
            message: message!(
                "invalid argument {} for \"--report\" flag: no file is named",
                plain(format_args!("{asked:?}"))
            ),
            help: Some(message!("name one: --report {}=FILE", plain(word))),
        }),
        file => Ok(Outlet { layout, file: file.map(Into::into) }),
    }
}

/// Removes a flag and its value: `--NAME VALUE`, `--NAME=VALUE`, `-N VALUE`, `-NVALUE`, `-N=VALUE`.
fn take_value(flag: Flag, arguments: &mut Vec<String>) -> Result<Option<String>, UsageError> {
    let Some((at, value)) = find(flag, arguments) else { return Ok(None) };
    arguments.remove(at);
    match value {
        Some(value) => Ok(Some(value)),
        None if at < arguments.len() => Ok(Some(arguments.remove(at))),
        None => Err(UsageError {
            message: message!("flag needs an argument: --{}", flag.long),
            help: flag.value.map(|it| message!("write --{} {}", flag.long, it)),
        }),
    }
}

/// Removes every `--NAME`, `--NAME=false` and `-N`. The last one decides.
fn take_switch(flag: Flag, arguments: &mut Vec<String>) -> Result<bool, UsageError> {
    let mut is_on = false;
    while let Some((at, value)) = find(flag, arguments) {
        arguments.remove(at);
        is_on = args::switch(&format!("--{}", flag.long), value.as_deref().unwrap_or(args::ON))?;
    }
    Ok(is_on)
}

/// The index of a flag, and the value that is joined to it. Arguments after `--` are not flags.
fn find(flag: Flag, arguments: &[String]) -> Option<(usize, Option<String>)> {
    let joined = |it: &String| -> Option<Option<String>> {
        if let Some(rest) = it.strip_prefix("--") {
            let rest = rest.strip_prefix(flag.long)?;
            let value = rest.strip_prefix('=').map(str::to_owned);
            return (rest.is_empty() || value.is_some()).then_some(value);
        }
        let rest = it.strip_prefix('-')?.strip_prefix(flag.short?)?;
        match (rest, flag.value) {
            ("", _) => Some(None),
            (_, None) => None,
            (rest, Some(_)) => Some(Some(rest.strip_prefix('=').unwrap_or(rest).to_owned())),
        }
    };
    let mut flags = arguments.iter().take_while(|it| *it != "--").enumerate();
    flags.find_map(|(at, it)| joined(it).map(|value| (at, value)))
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
            let common = take(Name::Plumb, &mut arguments).expect("a right command line");
            assert_eq!((common.name, arguments), (name, words(rest)), "{line}");
        };
        check("-f a --compat=ytt -s", Some(Name::Ytt), "-f a -s");
        check("--compat plumb fmt", Some(Name::Plumb), "fmt");
        check("-- --compat=ytt", None, "-- --compat=ytt");
        check("--report json fmt --show-values=false", None, "fmt");
        assert!(take(Name::Plumb, &mut words("--compat=helm")).is_err());
    }

    #[test]
    fn warnings_can_be_errors_for_those_who_call_us_plumb() {
        let denies = |line: &str| take(Name::Plumb, &mut words(line)).map(|it| it.denies_warnings);
        for line in ["-W error", "-Werror", "-W=error", "--warnings=error", "--warnings-as-errors"]
        {
            assert_eq!(denies(line), Ok(true), "{line}");
        }
        assert_eq!(denies("-f a -W warn"), Ok(false));
        assert!(denies("-W all").is_err());
        let mut arguments = words("-W error -q");
        assert!(!take(Name::Ytt, &mut arguments).expect("a right command line").denies_warnings);
        assert_eq!(arguments, words("-W error -q"));
    }

    #[test]
    fn reports_have_a_format_and_may_have_a_file() {
        let outlets = |line: &str| take(Name::Plumb, &mut words(line)).map(|it| it.outlets);
        let sarif = Outlet { layout: Layout::Data(Data::Sarif), file: Some("a=b.sarif".into()) };
        let pretty = Outlet { layout: Layout::Words(Words::Pretty), file: None };
        let both = outlets("--report pretty --report=sarif=a=b.sarif");
        assert_eq!(both, Ok(vec![pretty, sarif]));
        let help = |line: &str| outlets(line).expect_err("a wrong report").help;
        assert_eq!(help("--report jsn"), Some("did you mean json?".into()));
        assert!(outlets("--report json=").is_err());
        assert!(outlets("--report json --report junit").is_err());
        assert!(outlets("--report").is_err());
    }
}
