//! `plumb completion SHELL`: scripts that complete commands, flags and their values.
//!
//! The scripts contain everything, so that a shell does not have to start the program to complete a
//! word.

use std::fmt::Write as _;

use plumb_source::message;
use plumb_source::message::plain;

use super::{Command, help};
use crate::Name;
use crate::args::{self, Flag, UsageError};
use crate::common;
use crate::exit::Exit;
use crate::report::Report;

const SHELLS: [&str; 4] = ["bash", "zsh", "fish", "powershell"];

pub(super) fn run(report: &Report, arguments: Vec<String>) -> Result<Exit, UsageError> {
    let parsed = args::parse::<()>(arguments, &[])?;
    let name = report.name();
    let mut words = parsed.extra.iter();
    let script = match words.next().map(String::as_str) {
        _ if parsed.wants_help => return Ok(help::show(report, Command::Completion)),
        Some("bash") => bash(name),
        // jk's default is bash.
        None if name == Name::Jk => bash(name),
        Some("zsh") => zsh(name),
        Some("fish") => fish(name),
        Some("powershell") => powershell(name),
        _ if name == Name::Ytt => return Ok(help::show(report, Command::Completion)),
        shell => return Err(no_such_shell(shell)),
    };
    match words.next() {
        None => Ok(report.print(script.as_bytes())),
        Some(extra) => {
            let path = Command::Completion.path(name);
            let shell = &parsed.extra[0];
            Err(message!(
                "unknown command {} for \"{} {}\"",
                plain(format_args!("{extra:?}")),
                plain(path),
                plain(shell)
            )
            .into())
        }
    }
}

fn no_such_shell(shell: Option<&str>) -> UsageError {
    let message = match shell {
        Some(shell) => {
            message!(
                "there is no completion script for the shell {}",
                plain(format_args!("{shell:?}"))
            )
        }
        None => "completion requires the name of a shell".into(),
    };
    UsageError { message, help: Some(message!("shells are {}", plain(SHELLS.join(", ")))) }
}

/// Commands, and all flags of each; the name of the main command is empty.
fn commands(name: Name) -> Vec<(Command, Vec<Flag>)> {
    let all = std::iter::once(Command::Root).chain(Command::named_of(name));
    let with_flags = all.map(|command| {
        let below = command.below().iter().flat_map(|it| it.flags_of(name));
        let other = command.other_flags().into_iter().flat_map(|(_, flags)| flags);
        let common = common::flags(name, command.abilities());
        let all = command.flags_of(name).into_iter().chain(below).chain(other).chain(common);
        let mut flags: Vec<Flag> = Vec::new();
        for flag in all {
            if flags.iter().all(|it| it.long != flag.long) {
                flags.push(flag);
            }
        }
        (command, flags)
    });
    with_flags.collect()
}

fn command_words(name: Name) -> String {
    Command::named_of(name).map(Command::word).collect::<Vec<_>>().join(" ")
}

fn arguments(name: Name, command: Command) -> String {
    match command {
        Command::Completion => SHELLS.join(" "),
        Command::Help => command_words(name),
        Command::Explain => {
            plumb_report::summaries().map(|(code, _)| code).collect::<Vec<_>>().join(" ")
        }
        Command::Vm | Command::Schema | Command::Import | Command::Project | Command::Report => {
            command.words_below().collect::<Vec<_>>().join(" ")
        }
        Command::Root
        | Command::Template
        | Command::Build
        | Command::Check
        | Command::Test
        | Command::Diff
        | Command::Init
        | Command::ReportMerge
        | Command::Fmt
        | Command::Generate
        | Command::Transform
        | Command::Validate
        | Command::Run
        | Command::VmCheck
        | Command::VmExport
        | Command::VmWebhook
        | Command::SchemaDocs
        | Command::SchemaImport
        | Command::ImportHelm
        | Command::ProjectSchema
        | Command::Krm
        | Command::Lsp
        | Command::Website
        | Command::Version => String::new(),
    }
}

/// Whether the value of a flag is a path, which shells complete themselves.
fn takes_path(flag: &Flag) -> bool {
    matches!(flag.value, Some("PATH" | "DIR" | "FILE"))
}

fn long_flags(flags: &[Flag]) -> String {
    let longs = flags.iter().map(|flag| format!("--{}", flag.long));
    longs.collect::<Vec<_>>().join(" ")
}

fn bash(name: Name) -> String {
    let mut cases = String::new();
    for (command, flags) in commands(name) {
        let words = arguments(name, command);
        let _ = writeln!(
            cases,
            "        {}) flags=\"{}\"; words=\"{words}\" ;;",
            if command == Command::Root { "*" } else { command.word() },
            long_flags(&flags)
        );
    }
    // The pattern of the main command matches everything, so it must come last.
    let (root, named) = cases.split_once('\n').unwrap_or_default();
    let values = bash_values(name);
    format!(
        "# bash completion for {name}: source it, or put it where bash-completion looks for it\n\
         _{name}() {{\n    \
             local current=\"${{COMP_WORDS[COMP_CWORD]}}\" command=\"${{COMP_WORDS[1]:-}}\" flags words values\n    \
             local previous=\"${{COMP_WORDS[COMP_CWORD-1]}}\"\n    \
             [[ \"$current\" == = ]] && current=\"\"\n    \
             [[ \"$previous\" == = ]] && previous=\"${{COMP_WORDS[COMP_CWORD-2]}}\"\n    \
             case \"$command\" in\n{named}{root}\n    esac\n    \
             case \"$command $previous\" in\n{values}    esac\n    \
             if [[ -n \"$values\" ]]; then\n        \
                 COMPREPLY=($(compgen -W \"$values\" -- \"$current\"))\n        \
                 return\n    \
             fi\n    \
             if [[ \"$current\" == -* ]]; then\n        \
                 COMPREPLY=($(compgen -W \"$flags\" -- \"$current\"))\n    \
             elif [[ $COMP_CWORD -eq 1 ]]; then\n        \
                 COMPREPLY=($(compgen -W \"{words}\" -- \"$current\"))\n    \
             elif [[ -n \"$words\" && $COMP_CWORD -eq 2 ]]; then\n        \
                 COMPREPLY=($(compgen -W \"$words\" -- \"$current\"))\n    \
             else\n        \
                 COMPREPLY=($(compgen -f -- \"$current\"))\n    \
             fi\n\
         }}\n\
         complete -o filenames -o bashdefault -F _{name} {name}\n",
        words = command_words(name)
    )
}

/// The values of flags, by the command and the flag before the word.
fn bash_values(name: Name) -> String {
    let mut out = String::new();
    // Commands before the main one, whose pattern matches everything.
    for (command, flags) in commands(name).into_iter().rev() {
        let word = if command == Command::Root { "*" } else { command.word() };
        for flag in flags.iter().filter(|it| it.value.is_some()) {
            let short = flag.short.map_or(String::new(), |it| format!("|{word}\\ -{it}"));
            let values = flag.values.join(" ");
            let _ =
                writeln!(out, "        {word}\\ --{}{short}) values=\"{values}\" ;;", flag.long);
        }
    }
    out
}

fn zsh(name: Name) -> String {
    let mut out =
        format!("#compdef {name}\n\n_{name}() {{\n    local -a commands\n    commands=(\n");
    for command in Command::named_of(name) {
        let _ = writeln!(out, "        '{}:{}'", command.word(), zsh_text(command.summary()));
    }
    out.push_str("    )\n    case \"${words[2]}\" in\n");
    for (command, flags) in commands(name).into_iter().rev() {
        let pattern = if command == Command::Root { "*" } else { command.word() };
        let _ = write!(out, "    {pattern})\n        _arguments");
        for flag in &flags {
            let _ = write!(out, " \\\n            {}", zsh_flag(flag));
        }
        let words = arguments(name, command);
        let argument = match command {
            Command::Root => "'1:command:{_describe command commands}' '*:file:_files'".to_owned(),
            _ if words.is_empty() => "'*:file:_files'".to_owned(),
            _ => format!("'2:what:({words})' '*:file:_files'"),
        };
        let _ = writeln!(out, " \\\n            {argument}\n        ;;");
    }
    let _ = writeln!(out, "    esac\n}}\n\ncompdef _{name} {name}");
    out
}

fn zsh_flag(flag: &Flag) -> String {
    let value = match flag.value {
        None => String::new(),
        Some(value) if !flag.values.is_empty() => {
            format!(":{}:({})", zsh_text(value), flag.values.join(" "))
        }
        Some(value) if takes_path(flag) => format!(":{value}:_files"),
        Some(value) => format!(":{}:", zsh_text(value)),
    };
    let long = format!("--{}{}", flag.long, if flag.value.is_some() { "=" } else { "" });
    let help = zsh_text(flag.help);
    match flag.short {
        None => format!("'*{long}[{help}]{value}'"),
        Some(short) => format!("'*'{{-{short},{long}}}'[{help}]{value}'"),
    }
}

/// Text for a quoted description, without the characters that zsh would interpret.
fn zsh_text(text: &str) -> String {
    text.replace('\'', "’").replace('[', "(").replace(']', ")").replace(':', " –")
}

fn fish(name: Name) -> String {
    let mut out = format!("# fish completion for {name}\n");
    let words = command_words(name);
    for command in Command::named_of(name) {
        let _ = writeln!(
            out,
            "complete -c {name} -n 'not __fish_seen_subcommand_from {words}' -f -a {} -d {}",
            command.word(),
            fish_text(command.summary())
        );
    }
    for (command, flags) in commands(name) {
        let condition = match command {
            Command::Root => format!("not __fish_seen_subcommand_from {words}"),
            _ => format!("__fish_seen_subcommand_from {}", command.word()),
        };
        for flag in flags {
            let short = flag.short.map_or(String::new(), |it| format!(" -s {it}"));
            let value = match flag.value {
                None => String::new(),
                Some(_) if !flag.values.is_empty() => format!(" -x -a '{}'", flag.values.join(" ")),
                Some(_) if takes_path(&flag) => " -r -F".to_owned(),
                Some(_) => " -x".to_owned(),
            };
            let _ = writeln!(
                out,
                "complete -c {name} -n '{condition}' -l {}{short}{value} -d {}",
                flag.long,
                fish_text(flag.help)
            );
        }
        let words = arguments(name, command);
        if !words.is_empty() {
            let _ = writeln!(out, "complete -c {name} -n '{condition}' -f -a '{words}'");
        }
    }
    out
}

fn fish_text(text: &str) -> String {
    format!("'{}'", text.replace('\\', "\\\\").replace('\'', "\\'"))
}

fn powershell(name: Name) -> String {
    let mut out = format!(
        "# PowerShell completion for {name}\n\
         Register-ArgumentCompleter -Native -CommandName '{name}' -ScriptBlock {{\n    \
             param($word, $ast, $position)\n    \
             $elements = @($ast.CommandElements | ForEach-Object {{ $_.ToString() }})\n    \
             $command = if ($elements.Count -gt 1) {{ $elements[1] }} else {{ '' }}\n    \
             $last = $elements[-1]\n    \
             $previous = if ($word -and $elements.Count -gt 1) {{ $elements[-2] }} else {{ $last }}\n    \
             $all = switch (\"$command $previous\") {{\n"
    );
    let (root, named): (Vec<_>, Vec<_>) =
        commands(name).into_iter().partition(|(it, _)| *it == Command::Root);
    for (command, flags) in &named {
        powershell_values(&mut out, &format!("{} ", command.word()), flags);
    }
    out.push_str("    }\n    if (-not $all) { $all = switch ($previous) {\n");
    for (_, flags) in &root {
        powershell_values(&mut out, "", flags);
    }
    out.push_str("    } }\n    if (-not $all) { $all = switch ($command) {\n");
    for (command, flags) in commands(name).into_iter().rev() {
        let pattern = match command {
            Command::Root => "default".to_owned(),
            _ => format!("'{}'", command.word()),
        };
        let plain = match command {
            Command::Root => command_words(name),
            _ => arguments(name, command),
        };
        let words = [plain, long_flags(&flags)].join(" ");
        let quoted: Vec<String> = words.split_whitespace().map(|it| format!("'{it}'")).collect();
        let _ = writeln!(out, "        {pattern} {{ {} }}", quoted.join(", "));
    }
    out.push_str(
        "    } }\n    \
             $all | Where-Object { $_ -like \"$word*\" } | ForEach-Object {\n        \
                 [System.Management.Automation.CompletionResult]::new($_, $_, 'ParameterValue', $_)\n    \
             }\n}\n",
    );
    out
}

/// The values of flags, each for the words before it.
fn powershell_values(out: &mut String, before: &str, flags: &[Flag]) {
    for flag in flags.iter().filter(|it| !it.values.is_empty()) {
        let values: Vec<String> = flag.values.iter().map(|it| format!("'{it}'")).collect();
        let values = values.join(", ");
        let _ = writeln!(out, "        '{before}--{}' {{ {values} }}", flag.long);
    }
}
