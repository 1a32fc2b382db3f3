//! `plumb help`, `plumb --help`, `plumb fmt --help`: commands and flags, grouped by topic.

use std::fmt::Write as _;

use plumb_source::message;
use plumb_source::message::plain;

use super::{Command, man};
use crate::Name;
use crate::args::{self, Flag, Spec, Takes, Topic, UsageError};
use crate::common;
use crate::exit::Exit;
use crate::report::Report;

/// The column in which the explanation of a flag starts, and the column at which its lines end.
const MARGIN: usize = 30;
const WIDTH: usize = 100;

const EXAMPLES: &[(&str, &str)] = &[
    ("-f config/", "render all files in a directory"),
    ("-f config/ -f overlays/ -v env=prod", "with overlays and a data value"),
    ("-f config/ --output-files out/", "write files instead of printing"),
    ("-f - < config.yml", "read standard input"),
];

/// Examples for users of jk.
const EXAMPLES_OF_JK: &[(&str, &str)] = &[
    ("generate config.js", "write the files that a script describes"),
    ("generate --stdout config.js -p env=prod", "print them, with a parameter set"),
    ("transform -c 'v => ({ ...v, env: 1 })' a.yaml", "change every value in a file"),
    ("validate rules.js a.yaml", "validate every value in a file"),
];

#[derive(Debug, Default)]
pub(super) struct Flags {
    is_man: bool,
}

pub(super) const SPECS: &[Spec<Flags>] = &[Spec {
    long: "man",
    short: None,
    takes: Takes::Nothing(|flags| &mut flags.is_man),
    topic: Topic::Output,
    help: "Print the man page of the command: plumb help --man fmt | man -l -",
}];

pub(super) fn run(report: &Report, arguments: Vec<String>) -> Result<Exit, UsageError> {
    let parsed = args::parse(arguments, SPECS)?;
    let command = parsed.extra.first().map_or(Some(Command::Root), |it| Command::of_word(it));
    match command {
        Some(command) => {
            let words = parsed.extra.join(" ");
            let below = command.below().iter().find(|it| it.word() == words);
            let command = *below.unwrap_or(&command);
            if parsed.flags.is_man {
                Ok(report.print(man_page(command).as_bytes()))
            } else {
                Ok(show(report, command))
            }
        }
        None if report.name() == Name::Ytt => Ok(show(report, Command::Root)),
        None => {
            let word = parsed.extra.first().map_or("", String::as_str);
            let names = Command::named_of(report.name()).map(Command::word);
            let help = args::nearest(word, names);
            Err(UsageError {
                message: message!("no such command: {}", plain(word)),
                help: help.map(|it| message!("did you mean {}?", plain(it))),
            })
        }
    }
}

pub(super) fn show(report: &Report, command: Command) -> Exit {
    report.print(text(report.name(), command).as_bytes())
}

fn man_page(command: Command) -> String {
    let common = common::flags(Name::Plumb, command.abilities());
    let flags: Vec<Flag> = command.flags_of(Name::Plumb).into_iter().chain(common).collect();
    man::page(command, &flags, EXAMPLES)
}

fn text(name: Name, command: Command) -> String {
    if (name, command) == (Name::Jk, Command::Root) {
        return text_of_jk();
    }
    let mut out = format!("{}.\n\nUsage:\n", command.summary());
    let path = command.path(name);
    let _ = writeln!(out, "  {}", format!("{path} {}", command.usage()).trim_end());
    if command == Command::Root {
        let _ = writeln!(out, "  {path} command [flags]\n\nExamples:");
        for (arguments, meaning) in EXAMPLES {
            row(&mut out, &format!("  {path} {arguments}"), meaning, 50);
        }
        commands(&mut out, Command::named_of(name));
    } else if !command.below().is_empty() {
        commands(&mut out, command.below().iter().copied());
    }
    let common = common::flags(name, command.abilities());
    flags(&mut out, &command.flags_of(name), &common);
    for (heading, flags) in command.other_flags() {
        let _ = writeln!(out, "\n{heading}:");
        for flag in &flags {
            flag_row(&mut out, flag);
        }
    }
    if command == Command::Root {
        let _ = writeln!(out, "\n{path} help COMMAND explains a command.");
    }
    out
}

fn text_of_jk() -> String {
    let path = Command::Root.path(Name::Jk);
    let mut out =
        "Generate configuration with scripts, and validate it before anyone uses it.\n".to_owned();
    let _ = writeln!(out, "\nUsage:\n  {path} command [flags]\n\nExamples:");
    for (arguments, meaning) in EXAMPLES_OF_JK {
        row(&mut out, &format!("  {path} {arguments}"), meaning, 56);
    }
    commands(&mut out, Command::named_of(Name::Jk));
    flags(&mut out, &[], &common::flags(Name::Jk, Command::Root.abilities()));
    let _ = writeln!(out, "\n{path} help COMMAND explains a command.");
    out
}

fn commands(out: &mut String, commands: impl Iterator<Item = Command>) {
    out.push_str("\nCommands:\n");
    for command in commands {
        row(out, &format!("  {}", command.word()), command.summary(), MARGIN);
    }
}

fn flags(out: &mut String, flags: &[Flag], common: &[Flag]) {
    for topic in Topic::ALL {
        let mut of_topic = flags.iter().chain(common).filter(|it| it.topic == topic).peekable();
        if of_topic.peek().is_some() {
            let _ = writeln!(out, "\n{}:", topic.heading());
        }
        of_topic.for_each(|it| flag_row(out, it));
    }
}

fn flag_row(out: &mut String, flag: &Flag) {
    let short = flag.short.map_or("    ".to_owned(), |it| format!("-{it}, "));
    let value = flag.value.map_or(String::new(), |it| format!(" {it}"));
    row(out, &format!("  {short}--{}{value}", flag.long), flag.help, MARGIN);
}

/// A name and its explanation in two columns; a long name gets its own line.
fn row(out: &mut String, name: &str, explanation: &str, margin: usize) {
    out.push_str(name);
    let mut column = name.chars().count();
    if margin <= column + 1 {
        out.push('\n');
        column = 0;
    }
    let _ = write!(out, "{:1$}", "", margin - column);
    column = margin;
    for word in explanation.split(' ') {
        let length = word.chars().count();
        if WIDTH < column + 1 + length {
            let _ = write!(out, "\n{:margin$}", "");
            column = margin;
        } else if margin < column {
            out.push(' ');
            column += 1;
        }
        out.push_str(word);
        column += length;
    }
    out.push('\n');
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_help_lists_the_commands_of_each_program() {
        let of = |name| text(name, Command::Root);
        let (jk, ytt, plumb) = (of(Name::Jk), of(Name::Ytt), of(Name::Plumb));
        assert!(jk.contains("\n  generate ") && !jk.contains("--file"), "{jk}");
        assert!(!jk.contains("\n  fmt ") && !jk.contains("\n  vm "), "{jk}");
        assert!(ytt.contains("\n  fmt ") && !ytt.contains("\n  vm "), "{ytt}");
        assert!(!ytt.contains("\n  generate "), "{ytt}");
        assert!(plumb.contains("\n  vm "), "{plumb}");
    }

    #[test]
    fn every_flag_is_explained_within_the_width() {
        let text = text(Name::Plumb, Command::Root);
        for flag in Command::Root.flags() {
            assert!(text.contains(&format!("--{}", flag.long)), "{}", flag.long);
            assert!(!flag.help.is_empty() && !flag.help.ends_with('.'), "{}", flag.long);
        }
        assert!(text.lines().all(|line| line.chars().count() <= WIDTH), "{text}");
    }
}
