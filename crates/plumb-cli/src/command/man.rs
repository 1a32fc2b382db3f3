//! `plumb help --man COMMAND`: the man page of a command, generated from the same tables as its
//! help.

use std::fmt::Write as _;

use super::Command;
use crate::Name;
use crate::args::{Flag, Topic};

/// The page in the format of `man`.
pub(super) fn page(command: Command, flags: &[Flag], examples: &[(&str, &str)]) -> String {
    let title = title(command);
    let mut out = format!(
        ".\\\" Written by plumb help --man\n.TH {} 1 \"\" \"plumb {}\" \"Plumb\"\n",
        escaped(&title.to_uppercase()),
        env!("CARGO_PKG_VERSION")
    );
    let _ = writeln!(out, ".SH NAME\n{} \\- {}", escaped(&title), escaped(command.summary()));
    let _ = writeln!(
        out,
        ".SH SYNOPSIS\n\\fB{}\\fR {}",
        escaped(&command.path(Name::Plumb)),
        escaped(command.usage())
    );
    let mut below: Vec<Command> = command.below().to_vec();
    if command == Command::Root {
        let _ = writeln!(out, ".PP\n\\fBplumb\\fR command [flags]");
        below.extend(Command::named_of(Name::Plumb));
    }
    if !below.is_empty() {
        out.push_str(".SH COMMANDS\n");
    }
    for command in &below {
        let _ = writeln!(
            out,
            ".TP\n\\fB{}\\fR\n{}. See \\fB{}\\fR(1).",
            escaped(command.word()),
            escaped(command.summary()),
            escaped(&self::title(*command))
        );
    }
    options(&mut out, flags);
    for (heading, flags) in command.other_flags() {
        let _ = writeln!(out, ".SS {heading}");
        for flag in &flags {
            option(&mut out, flag);
        }
    }
    if command == Command::Root {
        out.push_str(".SH EXAMPLES\n");
        for (arguments, meaning) in examples {
            let arguments = escaped(arguments);
            let _ = writeln!(out, ".TP\n\\fBplumb {arguments}\\fR\n{}.", escaped(meaning));
        }
    }
    exit_codes(&mut out, command);
    if command != Command::Root {
        out.push_str(".SH SEE ALSO\n\\fBplumb\\fR(1)\n");
    }
    out
}

/// The name of the page: `plumb-vm-check`.
fn title(command: Command) -> String {
    command.path(Name::Plumb).replace(' ', "-")
}

fn options(out: &mut String, flags: &[Flag]) {
    out.push_str(".SH OPTIONS\n");
    for topic in Topic::ALL {
        let mut of_topic = flags.iter().filter(|it| it.topic == topic).peekable();
        if of_topic.peek().is_some() {
            let _ = writeln!(out, ".SS {}", topic.heading());
        }
        of_topic.for_each(|it| option(out, it));
    }
}

fn option(out: &mut String, flag: &Flag) {
    let short = flag.short.map_or(String::new(), |it| format!("\\fB\\-{it}\\fR, "));
    let value = flag.value.map_or(String::new(), |it| format!(" \\fI{}\\fR", escaped(it)));
    let long = escaped(flag.long);
    let _ = writeln!(out, ".TP\n{short}\\fB\\-\\-{long}\\fR{value}\n{}.", escaped(flag.help));
}

fn exit_codes(out: &mut String, command: Command) {
    let success = match command {
        Command::Diff => "There are no differences",
        _ => "Success; there may have been warnings",
    };
    let errors = match command {
        Command::Build => "A target has errors; only targets without errors were written",
        Command::Diff => "There are differences",
        Command::Fmt => "There were errors, or a file would change with --check",
        Command::Test => "A test failed, or there were errors",
        Command::VmCheck => "A virtual machine breaks a rule, or there were errors",
        _ => "There were errors; nothing was printed or written",
    };
    let misuse = match command {
        Command::Diff => "The command line is wrong, or a side cannot be rendered",
        _ => "The command line is wrong",
    };
    let bug = "A bug in plumb; the message says how to report it";
    out.push_str(".SH EXIT STATUS\n");
    for (code, meaning) in (0..).zip([success, errors, misuse, bug]) {
        let _ = writeln!(out, ".TP\n\\fB{code}\\fR\n{}.", escaped(meaning));
    }
}

/// Escapes text, so that none of it is interpreted as a roff request, and dashes can be copied.
fn escaped(text: &str) -> String {
    let text = text.replace('\\', "\\e").replace('-', "\\-");
    if text.starts_with(['.', '\'']) { format!("\\&{text}") } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_of_a_text_is_taken_for_a_request() {
        assert_eq!(escaped(".SH a-b\\"), "\\&.SH a\\-b\\e");
    }
}
