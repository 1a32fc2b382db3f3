//! Parses arguments into flags and their values.

use std::collections::VecDeque;

use plumb_flags::{NumberError, Spec, Takes};

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
    let mut rest = args.to_vec();
    let mut at = 0;
    while let Some(arg) = args.get(at) {
        match arg.strip_prefix('-') {
            Some("-") => break,
            Some(flag) if !flag.is_empty() => at += 1 + usize::from(awaits_value(flag, specs)),
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
fn awaits_value<T>(flag: &str, specs: &[Spec<T>]) -> bool {
    let takes_one = |spec: &Spec<T>| spec.value().is_some();
    if let Some(long) = flag.strip_prefix('-') {
        return specs.iter().any(|it| it.long == long && takes_one(it));
    }
    let mut letters = flag.chars();
    let valued = letters.find(|&letter| find_short(letter, specs).is_some_and(takes_one));
    valued.is_some() && letters.as_str().is_empty()
}

/// Reads the flags of a command.
pub(crate) fn parse<T: Default>(
    args: Vec<String>,
    specs: &[Spec<T>],
) -> Result<Parsed<T>, UsageError> {
    let parsed = Parsed { flags: T::default(), wants_help: false, extra: Vec::new() };
    let mut parser = Parser { specs, ahead: args.into(), parsed };
    while let Some(arg) = parser.ahead.pop_front() {
        match arg.strip_prefix('-') {
            None | Some("") => parser.parsed.extra.push(arg),
            Some("-") => parser.parsed.extra.extend(parser.ahead.drain(..)),
            Some(flag) => match flag.strip_prefix('-') {
                Some(long) => parser.long(long)?,
                None => parser.short(flag)?,
            },
        }
    }
    Ok(parser.parsed)
}

struct Parser<'a, T> {
    specs: &'a [Spec<T>],
    ahead: VecDeque<String>,
    parsed: Parsed<T>,
}

impl<T> Parser<'_, T> {
    fn long(&mut self, flag: &str) -> Result<(), UsageError> {
        if flag.starts_with(['-', '=']) {
            return Err(message!("bad flag syntax: --{}", secret(flag)).into());
        }
        let (name, value) = match flag.split_once('=') {
            Some((name, value)) => (name, Some(value.to_owned())),
            None => (flag, None),
        };
        if name == "help" {
            self.parsed.wants_help = switch("-h, --help", value.as_deref())?;
            return Ok(());
        }
        let Some(spec) = self.specs.iter().find(|it| it.long == name) else {
            return Err(self.unknown(name));
        };
        self.set(spec, value, || message!("flag needs an argument: --{}", plain(flag)))
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
                self.parsed.wants_help = switch("-h, --help", attached)?;
            } else {
                let Some(spec) = find_short(letter, self.specs) else {
                    return Err(unknown_letter(letter, here));
                };
                let value = match (attached, spec.value()) {
                    (Some(value), _) => Some(value),
                    (None, Some(_)) => Some(rest).filter(|it| !it.is_empty()),
                    (None, None) => None,
                };
                self.set(spec, value.map(str::to_owned), || {
                    message!("flag needs an argument: '{}' in -{}", plain(letter), plain(here))
                })?;
                if spec.value().is_some() {
                    return Ok(());
                }
            }
            if attached.is_some() {
                return Ok(());
            }
        }
    }

    fn set(
        &mut self,
        spec: &Spec<T>,
        value: Option<String>,
        lacks_value: impl Fn() -> Message,
    ) -> Result<(), UsageError> {
        let flags = &mut self.parsed.flags;
        if let Takes::Nothing(place) = spec.takes {
            *place(flags) = switch(&spec.names(), value.as_deref())?;
            return Ok(());
        }
        let value = value.or_else(|| self.ahead.pop_front()).ok_or_else(|| UsageError {
            message: lacks_value(),
            help: spec.value().map(|it| message!("write --{} {}", spec.long, it)),
        })?;
        match spec.takes {
            Takes::Nothing(_) => {}
            Takes::One(_, set) | Takes::Each(_, set) | Takes::OneOf(_, _, set) => set(flags, value),
            Takes::Many(_, set) | Takes::ManyOf(_, _, set) => {
                let values = list::split(&value)
                    .map_err(|error| invalid(&value, &spec.names(), &plain(error).into()))?;
                set(flags, values);
            }
        }
        Ok(())
    }

    fn unknown(&self, name: &str) -> UsageError {
        let known = self.specs.iter().map(|it| it.long).chain(common::names());
        let other = OTHER_NAMES.iter().find(|(other, _)| *other == name).map(|(_, ours)| *ours);
        let other = other.filter(|ours| self.specs.iter().any(|it| it.long == *ours));
        let help =
            other.or_else(|| nearest(name, known)).map(|it| message!("did you mean --{it}?"));
        UsageError { message: message!("unknown flag: --{}", plain(name)), help }
    }
}

fn find_short<T>(letter: char, specs: &[Spec<T>]) -> Option<&Spec<T>> {
    specs.iter().find(|it| it.short == Some(letter))
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
pub(crate) fn switch(names: &str, value: Option<&str>) -> Result<bool, UsageError> {
    match value {
        None | Some("1" | "t" | "T" | "TRUE" | "true" | "True") => Ok(true),
        Some("0" | "f" | "F" | "FALSE" | "false" | "False") => Ok(false),
        Some(other) => {
            let kind = UsageErrorKind::NotASwitch(other.to_owned());
            let problem = term("expected true or false", kind);
            let mut usage_error = invalid(other, names, &problem.into());
            usage_error.help =
                Some("the flag alone turns the switch on, and =false turns it off".into());
            Err(usage_error)
        }
    }
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
