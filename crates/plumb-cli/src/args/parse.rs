//! Parses arguments into flags and their values.

use std::collections::VecDeque;

use plumb_flags::{Flag, NumberError, Spec, Takes};

use super::list;
use crate::common;
use plumb::spelling::nearest;
use plumb_source::message::{plain, secret, term};
use plumb_source::{Message, message};

/// Flags of other programs, and the flags of Plumb that do the same.
const OTHER_NAMES: [(&str, &str); 6] = [
    ("values", "data-values-file"),
    ("set", "data-value"),
    ("set-string", "data-value"),
    ("set-file", "data-value-file"),
    ("output-dir", "output-files"),
    ("out", "output-files"),
];

/// The value of a switch that is given without one.
pub(crate) const ON: &str = "true";

/// The parsed arguments of one command.
#[derive(Debug)]
pub(crate) struct Parsed<T> {
    pub(crate) flags: T,
    pub(crate) wants_help: bool,
    /// Arguments that are neither a flag nor its value.
    pub(crate) extra: Vec<String>,
}

/// A wrong use of the command line.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct UsageError {
    pub(crate) message: Message,
    pub(crate) help: Option<Message>,
}

impl From<Message> for UsageError {
    fn from(message: Message) -> Self {
        Self { message, help: None }
    }
}

impl From<&'static str> for UsageError {
    fn from(message: &'static str) -> Self {
        Message::from(message).into()
    }
}

/// Removes the name of a command from the arguments, at any position. Returns `None` if there is no
/// plain argument, or if the first one is not the name of a command.
pub(crate) fn split_command<T>(
    args: &[String],
    specs: &[Spec<T>],
    is_command: impl Fn(&str) -> bool,
) -> (Option<String>, Vec<String>) {
    let flags: Vec<Flag> = specs.iter().map(Spec::flag).collect();
    let mut rest = args.to_vec();
    let mut at = 0;
    while let Some(arg) = args.get(at) {
        match arg.strip_prefix('-') {
            Some("-") => break,
            Some(flag) if !flag.is_empty() => at += 1 + usize::from(awaits_value(flag, &flags)),
            _ if is_command(arg) => {
                let name = rest.remove(at);
                return (Some(name), rest);
            }
            _ => break,
        }
    }
    (None, rest)
}

/// Whether the next argument is the value of a flag (given without its first dash).
fn awaits_value(flag: &str, flags: &[Flag]) -> bool {
    let takes_one = |at: usize| flags[at].value.is_some();
    if let Some(long) = flag.strip_prefix('-') {
        return find_long(long, flags).is_some_and(takes_one);
    }
    let mut letters = flag.chars();
    let valued = letters.find(|&letter| find_short(letter, flags).is_some_and(takes_one));
    valued.is_some() && letters.as_str().is_empty()
}

/// Reads the flags of a command.
pub(crate) fn parse<T: Default>(
    args: Vec<String>,
    specs: &[Spec<T>],
) -> Result<Parsed<T>, UsageError> {
    let mut flags = T::default();
    let mut set = |at: usize, value: String| {
        let spec = &specs[at];
        match spec.takes {
            Takes::Nothing(place) => *place(&mut flags) = switch(&spec.flag().names(), &value)?,
            Takes::One(_, set) | Takes::Each(_, set) | Takes::OneOf(_, _, set) => {
                set(&mut flags, value);
            }
            Takes::Many(_, set) | Takes::ManyOf(_, _, set) => {
                set(&mut flags, split(&spec.flag().names(), &value)?);
            }
        }
        Ok(())
    };
    let known: Vec<Flag> = specs.iter().map(Spec::flag).collect();
    let parser = Parser {
        flags: &known,
        set: &mut set,
        ahead: args.into(),
        wants_help: false,
        extra: Vec::new(),
    };
    let (wants_help, extra) = parser.parse()?;
    Ok(Parsed { flags, wants_help, extra })
}

/// Finds flags and their values in arguments. It does not know the type that collects the values,
/// so it is compiled once for all commands.
struct Parser<'a> {
    flags: &'a [Flag],
    /// Sets the flag with a number to a value.
    set: &'a mut dyn FnMut(usize, String) -> Result<(), UsageError>,
    ahead: VecDeque<String>,
    wants_help: bool,
    extra: Vec<String>,
}

impl Parser<'_> {
    fn parse(mut self) -> Result<(bool, Vec<String>), UsageError> {
        while let Some(arg) = self.ahead.pop_front() {
            match arg.strip_prefix('-') {
                None | Some("") => self.extra.push(arg),
                Some("-") => self.extra.extend(self.ahead.drain(..)),
                Some(flag) => match flag.strip_prefix('-') {
                    Some(long) => self.long(long)?,
                    None => self.short(flag)?,
                },
            }
        }
        Ok((self.wants_help, self.extra))
    }

    fn long(&mut self, flag: &str) -> Result<(), UsageError> {
        if flag.starts_with(['-', '=']) {
            return Err(message!("bad flag syntax: --{}", secret(flag)).into());
        }
        let (name, value) = match flag.split_once('=') {
            Some((name, value)) => (name, Some(value)),
            None => (flag, None),
        };
        if name == "help" {
            self.wants_help = switch("-h, --help", value.unwrap_or(ON))?;
            return Ok(());
        }
        let Some(at) = find_long(name, self.flags) else {
            return Err(self.unknown(name));
        };
        self.set(at, value, || message!("flag needs an argument: --{}", plain(flag)))
    }

    /// Reads one or more letters. The last one may take the rest of the argument as its value.
    fn short(&mut self, flags: &str) -> Result<(), UsageError> {
        let mut letters = flags.chars();
        loop {
            let here = letters.as_str();
            let Some(letter) = letters.next() else {
                return Ok(());
            };
            let rest = letters.as_str();
            let attached = rest.strip_prefix('=').filter(|it| !it.is_empty());
            if letter == 'h' {
                self.wants_help = switch("-h, --help", attached.unwrap_or(ON))?;
            } else {
                let Some(at) = find_short(letter, self.flags) else {
                    return Err(unknown_letter(letter, here));
                };
                let takes_value = self.flags[at].value.is_some();
                let value = match attached {
                    Some(value) => Some(value),
                    None => Some(rest).filter(|it| takes_value && !it.is_empty()),
                };
                self.set(at, value, || {
                    message!("flag needs an argument: '{}' in -{}", plain(letter), plain(here))
                })?;
                if takes_value {
                    return Ok(());
                }
            }
            if attached.is_some() {
                return Ok(());
            }
        }
    }

    /// Sets a flag to its value, which may be the next argument.
    fn set(
        &mut self,
        at: usize,
        value: Option<&str>,
        lacks_value: impl Fn() -> Message,
    ) -> Result<(), UsageError> {
        let flag = &self.flags[at];
        let value = match (value, flag.value) {
            (Some(value), _) => value.to_owned(),
            (None, None) => ON.to_owned(),
            (None, Some(expected)) => self.ahead.pop_front().ok_or_else(|| UsageError {
                message: lacks_value(),
                help: Some(message!("write --{} {}", flag.long, expected)),
            })?,
        };
        (self.set)(at, value)
    }

    fn unknown(&self, name: &str) -> UsageError {
        let known = self.flags.iter().map(|it| it.long).chain(common::names());
        let other = OTHER_NAMES.iter().find(|(other, _)| *other == name).map(|(_, ours)| *ours);
        let other = other.filter(|ours| find_long(ours, self.flags).is_some());
        let help =
            other.or_else(|| nearest(name, known)).map(|it| message!("did you mean --{it}?"));
        UsageError { message: message!("unknown flag: --{}", plain(name)), help }
    }
}

fn find_long(name: &str, flags: &[Flag]) -> Option<usize> {
    flags.iter().position(|it| it.long == name)
}

fn find_short(letter: char, flags: &[Flag]) -> Option<usize> {
    flags.iter().position(|it| it.short == Some(letter))
}

fn unknown_letter(letter: char, here: &str) -> UsageError {
    // Text after a misspelt letter may be a value.
    let rest = &here[letter.len_utf8()..];
    message!(
        "unknown shorthand flag: {} in -{}{}",
        plain(format_args!("{letter:?}")),
        plain(letter),
        secret(rest)
    )
    .into()
}

impl From<NumberError> for UsageError {
    fn from(NumberError { flag, value, expected }: NumberError) -> Self {
        Self {
            message: message!(
                "invalid argument {} for \"--{}\" flag",
                plain(format_args!("{value:?}")),
                plain(flag)
            ),
            help: Some(message!("give {}", plain(expected))),
        }
    }
}

/// Mistakes on the command line that ytt words in another way.
pub(crate) enum UsageErrorKind {
    /// The value of a switch is neither on nor off.
    NotASwitch(String),
    /// There is no `-o` of this name.
    UnknownOutput(String),
    /// A schema is printed, and `-o` does not name its language.
    NoSchemaLanguage,
    /// `-o` names the language of a schema, and no schema is printed.
    NoSchema,
}

/// Returns the message about a wrong command line in ytt's words.
pub(crate) fn as_ytt(message: &Message) -> Message {
    message.worded(|facts| {
        Some(match facts.get()? {
            UsageErrorKind::NotASwitch(value) => {
                let value = plain(format!("{value:?}"));
                message!("strconv.ParseBool: parsing {value}: invalid syntax")
            }
            UsageErrorKind::UnknownOutput(name) => {
                message!("Unknown output type '{}'", plain(name))
            }
            UsageErrorKind::NoSchemaLanguage => "Data values schema export only supported in \
                OpenAPI v3 format; specify format with --output=openapi-v3 flag"
                .into(),
            UsageErrorKind::NoSchema => "Output type currently only supported for data values \
                schema (i.e. include --data-values-schema-inspect)"
                .into(),
        })
    })
}

/// Parses the value of a switch.
pub(crate) fn switch(names: &str, value: &str) -> Result<bool, UsageError> {
    match value {
        "1" | "t" | "T" | "TRUE" | ON | "True" => Ok(true),
        "0" | "f" | "F" | "FALSE" | "false" | "False" => Ok(false),
        other => {
            let kind = UsageErrorKind::NotASwitch(other.to_owned());
            let problem = term("expected true or false", kind);
            let mut usage_error = invalid(other, names, &problem.into());
            usage_error.help =
                Some("the flag alone turns the switch on, and =false turns it off".into());
            Err(usage_error)
        }
    }
}

/// Splits the value of a flag that takes several.
fn split(names: &str, value: &str) -> Result<Vec<String>, UsageError> {
    list::split(value).map_err(|error| invalid(value, names, &plain(error).into()))
}

fn invalid(value: &str, names: &str, problem: &Message) -> UsageError {
    message!(
        "invalid argument {} for {} flag: {}",
        plain(format_args!("{value:?}")),
        plain(format_args!("{names:?}")),
        problem
    )
    .into()
}

#[cfg(test)]
mod tests {
    use plumb_flags::Topic;

    use super::*;

    #[derive(Debug, Default, PartialEq, Eq)]
    struct Flags {
        files: Vec<String>,
        strict: bool,
        outputs: Vec<String>,
    }

    const SPECS: &[Spec<Flags>] = &[
        spec("file", Some('f'), Takes::Each("PATH", |flags, value| flags.files.push(value))),
        spec("strict", Some('s'), Takes::Nothing(|flags| &mut flags.strict)),
        spec(
            "output",
            Some('o'),
            Takes::Many("TYPE", |flags, values| flags.outputs.extend(values)),
        ),
    ];

    const fn spec(long: &'static str, short: Option<char>, takes: Takes<Flags>) -> Spec<Flags> {
        Spec { long, short, takes, topic: Topic::Other, help: "" }
    }

    fn words(line: &str) -> Vec<String> {
        line.split_whitespace().map(str::to_owned).collect()
    }

    fn files(line: &str) -> (Vec<String>, bool) {
        let parsed = parse(words(line), SPECS).expect("a right command line");
        (parsed.flags.files, parsed.flags.strict)
    }

    #[test]
    fn a_value_may_be_joined_or_apart() {
        for line in ["-f x", "-fx", "-f=x", "--file x", "--file=x"] {
            assert_eq!(files(line), (vec!["x".to_owned()], false), "{line}");
        }
        assert_eq!(files("-sf x"), (vec!["x".to_owned()], true));
        assert_eq!(files("-f -s"), (vec!["-s".to_owned()], false));
        assert_eq!(files("-f="), (vec!["=".to_owned()], false));
    }

    #[test]
    fn a_switch_can_be_turned_off() {
        assert!(files("-s").1);
        assert!(files("--strict=T").1);
        assert!(!files("-s --strict=false").1);
        assert!(!files("-s -s=0").1);
    }

    #[test]
    fn lists_are_split_at_commas() {
        let parsed = parse(words("-o a,b --output=c"), SPECS).expect("a right command line");
        assert_eq!(parsed.flags.outputs, ["a", "b", "c"]);
    }

    #[test]
    fn what_follows_two_dashes_is_no_flag() {
        let parsed = parse(words("a -s -- -f b"), SPECS).expect("a right command line");
        assert_eq!(parsed.extra, ["a", "-f", "b"]);
    }

    #[test]
    fn mistakes_are_worded_as_ytt_does() {
        let check = |line: &str, expected: &str| {
            let usage_error = parse(words(line), SPECS).expect_err(line);
            assert_eq!(as_ytt(&usage_error.message).shown(), expected);
        };
        check("--bogus", "unknown flag: --bogus");
        check("--bogus=1", "unknown flag: --bogus");
        check("-z", "unknown shorthand flag: 'z' in -z");
        check("-sz", "unknown shorthand flag: 'z' in -z");
        check("-sf", "flag needs an argument: 'f' in -f");
        check("--file", "flag needs an argument: --file");
        check("--=x", "bad flag syntax: --=x");
        check("---x", "bad flag syntax: ---x");
        check(
            "--strict=maybe",
            "invalid argument \"maybe\" for \"-s, --strict\" flag: strconv.ParseBool: parsing \"maybe\": invalid syntax",
        );
    }

    #[test]
    fn the_nearest_flag_is_offered() {
        let usage_error = parse(words("--flie x"), SPECS).expect_err("no such flag");
        assert_eq!(usage_error.help, Some("did you mean --file?".into()));
    }

    #[test]
    fn the_value_that_a_flag_needs_is_named() {
        for line in ["--file", "-sf"] {
            let usage_error = parse(words(line), SPECS).expect_err(line);
            assert_eq!(usage_error.help, Some("write --file PATH".into()), "{line}");
        }
    }

    #[test]
    fn a_command_may_follow_flags() {
        let is_command = |name: &str| name == "fmt";
        let check = |line: &str, expected: (Option<&str>, &str)| {
            let (name, rest) = split_command(&words(line), SPECS, is_command);
            assert_eq!((name.as_deref(), rest), (expected.0, words(expected.1)), "{line}");
        };
        check("fmt -f a", (Some("fmt"), "-f a"));
        check("-f a fmt", (Some("fmt"), "-f a"));
        check("-s fmt -f a", (Some("fmt"), "-s -f a"));
        check("-f fmt", (None, "-f fmt"));
        check("-sf fmt", (None, "-sf fmt"));
        check("a fmt", (None, "a fmt"));
        check("-- fmt", (None, "-- fmt"));
    }
}
