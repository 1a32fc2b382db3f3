//! The commands, one file each.

mod build;
mod check;
mod completion;
mod debug;
mod diff;
mod explain;
mod fmt;
mod generate;
mod help;
mod import;
mod init;
mod krm;
mod lsp;
mod man;
mod markdown;
mod merge;
mod project;
mod run;
mod schema;
mod schema_docs;
mod script;
mod sink;
mod template;
mod test;
mod test_watch;
mod transform;
pub(crate) mod usage_error;
mod validate;
mod version;
mod vm;
mod watch;
mod website;
mod without_effect;

use plumb_flags::template as template_flags;
use plumb_source::message::{plain, secret};
use plumb_source::{Message, Part, message};

use crate::Name;
use crate::args::{self, Flag, Parsed, Spec, UsageError};
use crate::common::Abilities;
use crate::exit::Exit;
use crate::report::Report;

/// The commands of the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Command {
    /// The main command, which has no word.
    Root,
    /// The main command under its old name.
    Template,
    Build,
    Check,
    Test,
    Diff,
    Explain,
    Fmt,
    Generate,
    Init,
    Transform,
    Validate,
    Run,
    /// The prefix of the next two commands.
    Vm,
    VmCheck,
    VmExport,
    VmWebhook,
    /// The prefix of the next command.
    Project,
    ProjectSchema,
    /// The prefix of the next command.
    Report,
    ReportMerge,
    /// The prefix of the next two commands.
    Schema,
    SchemaDocs,
    SchemaImport,
    /// The prefix of the next command.
    Import,
    ImportHelm,
    Krm,
    Lsp,
    Website,
    Version,
    Completion,
    Help,
}

impl Command {
    /// The commands with a word, in the order of the help.
    const NAMED: [Self; 23] = [
        Self::Build,
        Self::Check,
        Self::Test,
        Self::Diff,
        Self::Explain,
        Self::Fmt,
        Self::Generate,
        Self::Init,
        Self::Transform,
        Self::Validate,
        Self::Run,
        Self::Vm,
        Self::Schema,
        Self::Import,
        Self::Project,
        Self::Report,
        Self::Krm,
        Self::Lsp,
        Self::Website,
        Self::Completion,
        Self::Version,
        Self::Help,
        Self::Template,
    ];

    /// The subcommands of this command.
    fn below(self) -> &'static [Self] {
        match self {
            Self::Vm => &[Self::VmCheck, Self::VmExport, Self::VmWebhook],
            Self::Schema => &[Self::SchemaDocs, Self::SchemaImport],
            Self::Import => &[Self::ImportHelm],
            Self::Project => &[Self::ProjectSchema],
            Self::Report => &[Self::ReportMerge],
            _ => &[],
        }
    }

    /// The words of the subcommands of this command.
    fn words_below(self) -> impl Iterator<Item = &'static str> {
        self.below().iter().map(|it| it.last_word())
    }

    fn last_word(self) -> &'static str {
        self.word().rsplit(' ').next().unwrap_or_default()
    }

    fn first_word(self) -> &'static str {
        self.word().split(' ').next().unwrap_or_default()
    }

    fn of_word(word: &str) -> Option<Self> {
        match word {
            "tpl" | "t" => Some(Self::Template),
            _ => Self::NAMED.into_iter().find(|it| it.word() == word),
        }
    }

    /// Its word; empty for the main command.
    fn word(self) -> &'static str {
        match self {
            Self::Root => "",
            Self::Template => "template",
            Self::Build => "build",
            Self::Check => "check",
            Self::Test => "test",
            Self::Diff => "diff",
            Self::Explain => "explain",
            Self::Fmt => "fmt",
            Self::Generate => "generate",
            Self::Init => "init",
            Self::Transform => "transform",
            Self::Validate => "validate",
            Self::Run => "run",
            Self::Vm => "vm",
            Self::VmCheck => "vm check",
            Self::VmExport => "vm export",
            Self::VmWebhook => "vm webhook",
            Self::Schema => "schema",
            Self::SchemaDocs => "schema docs",
            Self::SchemaImport => "schema import",
            Self::Import => "import",
            Self::ImportHelm => "import helm",
            Self::Project => "project",
            Self::ProjectSchema => "project schema",
            Self::Report => "report",
            Self::ReportMerge => "report merge",
            Self::Krm => "krm",
            Self::Lsp => "lsp",
            Self::Website => "website",
            Self::Version => "version",
            Self::Completion => "completion",
            Self::Help => "help",
        }
    }

    /// One line that describes the command.
    fn summary(self) -> &'static str {
        match self {
            Self::Root => "Render YAML templates, and validate the result before anyone uses it",
            Self::Template => "The main command under its old name (also: t, tpl)",
            Self::Build => "Write the targets of a project (plumb.yml), on all cores",
            Self::Check => {
                "Validate a project, templates, a script or virtual machines; write nothing"
            }
            Self::Test => "Run unit tests of configuration, on all cores",
            Self::Diff => {
                "Show what building a project would change, or what changed since a revision"
            }
            Self::Explain => "Explain the code of a finding and how to fix it",
            Self::Fmt => "Format YAML files: only white space changes",
            Self::Generate => "Write the files that a script describes, if all of them are valid",
            Self::Init => "Write a small project, or a project file for existing templates",
            Self::Transform => "Apply a script's function to every value in files",
            Self::Validate => "Validate the values in files",
            Self::Run => "Run a script for its side effects",
            Self::Vm => "Validate VirtualMachines against their template's rules",
            Self::VmCheck => "Validate VirtualMachine and Template files",
            Self::VmExport => "Print the rules of templates as admission policies of Kubernetes",
            Self::VmWebhook => "Serve an admission webhook that validates VirtualMachines",
            Self::Schema => "Work with schemas of data values",
            Self::SchemaDocs => "Write reference documentation for a schema",
            Self::SchemaImport => "Convert a CRD, OpenAPI document or JSON Schema to a schema",
            Self::Import => "Import configuration of other programs",
            Self::ImportHelm => "Create a draft schema and templates from a Helm chart",
            Self::Project => "Work with project files",
            Self::ProjectSchema => "Print the JSON Schema of project files, for editors",
            Self::Report => "Work with reports",
            Self::ReportMerge => "Merge the reports of several runs into one",
            Self::Krm => "Run as a KRM function of kustomize or kpt",
            Self::Lsp => "Run the language server for editors (LSP)",
            Self::Website => "Serve the playground, a page that runs Plumb in a browser",
            Self::Version => "Print the version",
            Self::Completion => "Print a completion script for your shell",
            Self::Help => "Explain a command",
        }
    }

    /// The arguments after the word, for the usage line.
    fn usage(self) -> &'static str {
        match self {
            Self::Root | Self::Template | Self::Fmt => "-f PATH… [flags]",
            Self::Build | Self::Diff => "[TARGET…] [flags]",
            Self::Check => "[TARGET…]|-f PATH…|SCRIPT|VM… [flags]",
            Self::Test => "[PATH…] [flags]",
            Self::Explain => "[CODE]",
            Self::Generate | Self::Run => "SCRIPT [flags]",
            Self::Init => "[DIR]",
            Self::Transform => "SCRIPT FILE… [flags]",
            Self::Validate => "[SCRIPT] FILE… [flags]",
            Self::Vm => "check|export|webhook [flags]",
            Self::VmCheck => "[--template PATH]… [PATH…] [-o text|json]",
            Self::VmExport => "TEMPLATE… [flags]",
            Self::VmWebhook => "--listen ADDRESS (--templates DIR | --watch-templates) [flags]",
            Self::Schema => "docs|import [flags]",
            Self::SchemaDocs => "PATH… [flags]",
            Self::SchemaImport => "PATH [--name NAME] [--version VERSION]",
            Self::Import => "helm [flags]",
            Self::ImportHelm => "CHART --output-files DIR [--rendered FILE] [flags]",
            Self::Krm => "[PATH]",
            Self::Lsp => "[--stdio]",
            Self::Website => "[--listen-addr ADDRESS] [flags]",
            Self::Project => "schema",
            Self::Report => "merge [flags]",
            Self::ReportMerge => "FILE… [flags]",
            Self::ProjectSchema | Self::Version => "",
            Self::Completion => "bash|zsh|fish|powershell",
            Self::Help => "[command]",
        }
    }

    fn flags(self) -> Vec<Flag> {
        match self {
            Self::Root => template_flags::SPECS.iter().map(Spec::flag).collect(),
            Self::Template => template_flags::without_version().iter().map(Spec::flag).collect(),
            Self::Build => build::SPECS.iter().map(Spec::flag).collect(),
            Self::Check => check::template_flags(),
            Self::Test => test::SPECS.iter().map(Spec::flag).collect(),
            Self::Diff => diff::SPECS.iter().map(Spec::flag).collect(),
            Self::Fmt => fmt::SPECS.iter().map(Spec::flag).collect(),
            Self::Generate => generate::specs().iter().map(Spec::flag).collect(),
            Self::Transform => transform::specs().iter().map(Spec::flag).collect(),
            Self::Validate => validate::specs().iter().map(Spec::flag).collect(),
            Self::Run => run::specs().iter().map(Spec::flag).collect(),
            Self::VmCheck => vm::check::SPECS.iter().map(Spec::flag).collect(),
            Self::VmExport => vm::export::SPECS.iter().map(Spec::flag).collect(),
            Self::VmWebhook => vm::webhook::SPECS.iter().map(Spec::flag).collect(),
            Self::ReportMerge => merge::SPECS.iter().map(Spec::flag).collect(),
            Self::SchemaDocs => schema_docs::SPECS.iter().map(Spec::flag).collect(),
            Self::SchemaImport => schema::SPECS.iter().map(Spec::flag).collect(),
            Self::ImportHelm => import::SPECS.iter().map(Spec::flag).collect(),
            Self::Lsp => lsp::SPECS.iter().map(Spec::flag).collect(),
            Self::Website => website::SPECS.iter().map(Spec::flag).collect(),
            Self::Vm
            | Self::Schema
            | Self::Import
            | Self::Project
            | Self::ProjectSchema
            | Self::Report
            | Self::Init
            | Self::Krm
            | Self::Explain
            | Self::Version
            | Self::Completion => Vec::new(),
            Self::Help => help::SPECS.iter().map(Spec::flag).collect(),
        }
    }

    /// The flags of the command in the program of this name.
    fn flags_of(self, name: Name) -> Vec<Flag> {
        let mut flags = self.flags();
        flags.retain(|it| name != Name::Plumb || !self.is_without_effect(it.long));
        flags
    }

    /// Whether a flag is accepted for compatibility with jk only.
    fn is_without_effect(self, long: &str) -> bool {
        long == "cache" || (self, long) == (Self::Validate, "output-directory")
    }

    /// Flags for some inputs only; each list has a heading.
    fn other_flags(self) -> Vec<(&'static str, Vec<Flag>)> {
        match self {
            Self::Check => check::other_flags().into(),
            _ => Vec::new(),
        }
    }

    fn abilities(self) -> Abilities {
        let can_warn = matches!(
            self,
            Self::Root
                | Self::Template
                | Self::Build
                | Self::Check
                | Self::Test
                | Self::Vm
                | Self::VmCheck
                | Self::VmExport
                | Self::Krm
        );
        let can_watch =
            matches!(self, Self::Root | Self::Template | Self::Build | Self::Check | Self::Test);
        let has_values = !matches!(
            self,
            Self::Explain
                | Self::Init
                | Self::Vm
                | Self::Schema
                | Self::Import
                | Self::Project
                | Self::ProjectSchema
                | Self::Report
                | Self::ReportMerge
                | Self::Lsp
                | Self::Website
                | Self::Version
                | Self::Completion
                | Self::Help
        );
        let has_peers = self.is_known_to(Name::Ytt) || self.is_known_to(Name::Jk);
        let has_notes = matches!(
            self,
            Self::Root
                | Self::Template
                | Self::Build
                | Self::Check
                | Self::Test
                | Self::Diff
                | Self::Fmt
                | Self::Init
                | Self::Validate
                | Self::VmCheck
                | Self::VmExport
                | Self::SchemaDocs
                | Self::ImportHelm
                | Self::Website
        );
        Abilities { has_values, has_peers, has_notes, can_warn, can_watch }
    }

    /// Whether the program of this name has the command: ytt runs no scripts, jk only runs scripts.
    fn is_known_to(self, name: Name) -> bool {
        match self {
            Self::Generate | Self::Transform | Self::Validate | Self::Run => name != Name::Ytt,
            Self::Build
            | Self::Check
            | Self::Test
            | Self::Diff
            | Self::Explain
            | Self::Vm
            | Self::VmCheck
            | Self::VmExport
            | Self::VmWebhook
            | Self::Schema
            | Self::SchemaDocs
            | Self::SchemaImport
            | Self::Import
            | Self::ImportHelm
            | Self::Project
            | Self::ProjectSchema
            | Self::Report
            | Self::ReportMerge
            | Self::Init
            | Self::Krm
            | Self::Lsp => name == Name::Plumb,
            Self::Template | Self::Fmt | Self::Website => name != Name::Jk,
            Self::Root | Self::Version | Self::Completion | Self::Help => true,
        }
    }

    /// The commands with a word in the program of this name.
    fn named_of(name: Name) -> impl DoubleEndedIterator<Item = Self> {
        Self::NAMED.into_iter().filter(move |it| it.is_known_to(name))
    }

    /// The program and the words of the command, as a user types them.
    fn path(self, name: Name) -> String {
        [name.as_str(), self.word()].join(" ").trim_end().to_owned()
    }
}

/// Runs the command that the arguments name.
pub(crate) fn run(report: &Report, arguments: &[String]) -> Exit {
    let name = report.name();
    let (command, rest) = chosen(name, arguments);
    report.begin(command.first_word());
    let ended = match command {
        _ if report.watches() && !command.abilities().can_watch => Err(UsageError {
            message: message!("{} has no flag --watch", plain(command.path(name))),
            help: Some("remove --watch".into()),
        }),
        _ if report.denies_warnings() && !command.abilities().can_warn => Err(UsageError {
            message: message!("{} does not report warnings", plain(command.path(name))),
            help: Some("remove -W error or --warnings-as-errors".into()),
        }),
        Command::Root if arguments.is_empty() && name != Name::Ytt => {
            Ok(help::show(report, Command::Root))
        }
        Command::Root => template::root(report, rest),
        Command::Template => template::old_name(report, rest),
        Command::Build => build::run(report, rest),
        Command::Check => check::run(report, rest),
        Command::Test => test::run(report, rest),
        Command::Diff => diff::run(report, rest),
        Command::Explain => explain::run(report, rest),
        Command::Fmt => fmt::run(report, rest),
        Command::Generate => generate::run(report, rest),
        Command::Transform => transform::run(report, rest),
        Command::Validate => validate::run(report, rest),
        Command::Run => run::run(report, rest),
        Command::Vm => vm::run(report, &rest),
        Command::VmCheck => vm::check::run(report, rest),
        Command::VmExport => vm::export::run(report, rest),
        Command::VmWebhook => vm::webhook::run(report, rest),
        Command::Schema => schema::run(report, &rest),
        Command::SchemaDocs => schema_docs::run(report, rest),
        Command::SchemaImport => schema::import(report, rest),
        Command::Import => import::run(report, &rest),
        Command::ImportHelm => import::helm(report, rest),
        Command::Project => project::run(report, &rest),
        Command::ProjectSchema => project::print_schema(report, rest),
        Command::Report => merge::above(report, &rest),
        Command::ReportMerge => merge::run(report, rest),
        Command::Init => init::run(report, rest),
        Command::Krm => krm::run(report, rest),
        Command::Lsp => lsp::run(report, rest),
        Command::Website => website::run(report, rest),
        Command::Version => version::run(report, rest),
        Command::Completion => completion::run(report, rest),
        Command::Help => help::run(report, rest),
    };
    let exit = match ended.unwrap_or_else(|usage_error| report.usage_error(usage_error)) {
        // Warnings that count as errors.
        Exit::Fine if report.denies_warnings() && report.is_failed() => Exit::Findings,
        exit => exit,
    };
    // These commands print nothing but findings.
    let is_stdout_free = matches!(
        command,
        Command::Check | Command::Test | Command::Vm | Command::VmCheck | Command::VmWebhook
    );
    report.finish(exit, is_stdout_free)
}

/// Whether the command that the arguments name may read documents, which may be nested deeply. Without
/// them, it needs neither a large stack nor a thread that has one.
pub(crate) fn reads_documents(arguments: &[String]) -> bool {
    let command = arguments.first().and_then(|it| Command::of_word(it));
    !matches!(command, Some(Command::Version | Command::Completion | Command::Help))
}

/// The command that the arguments name, and the arguments without its words.
fn chosen(name: Name, arguments: &[String]) -> (Command, Vec<String>) {
    let is_command = |word: &str| Command::of_word(word).is_some_and(|it| it.is_known_to(name));
    let (word, mut rest) = args::split_command(arguments, template_flags::SPECS, is_command);
    let command = word.and_then(|it| Command::of_word(&it)).unwrap_or(Command::Root);
    let second = rest.first().map(String::as_str);
    match command.below().iter().find(|it| Some(it.last_word()) == second) {
        Some(below) => (*below, rest.split_off(1)),
        None => (command, rest),
    }
}

/// Reads the flags of a command that takes no plain arguments. `Err` contains the exit of the run
/// if help was requested.
fn flags_alone<T: Default>(
    report: &Report,
    command: Command,
    arguments: Vec<String>,
    specs: &[Spec<T>],
) -> Result<Result<T, Exit>, UsageError> {
    let given = arguments.clone();
    let Parsed { flags, wants_help, extra } = args::parse(arguments, specs)?;
    if wants_help {
        return Ok(Err(help::show(report, command)));
    }
    match extra.first() {
        None => Ok(Ok(flags)),
        Some(extra) => {
            let extra = Extra::new(extra, &given);
            let message = match report.name() {
                Name::Ytt => {
                    let path = plain(command.path(report.name()));
                    message!("command '{path}' does not accept extra arguments '{extra}'")
                }
                Name::Plumb | Name::Jk => message!("unexpected argument {}", extra.quoted()),
            };
            Err(UsageError { message, help: Some(extra.meaning(report.name(), command)) })
        }
    }
}

/// Commands of other programs, and the commands of Plumb that do the same.
const OTHER_WORDS: [(&str, &str); 3] =
    [("render", "plumb -f PATH"), ("lint", "plumb check -f PATH"), ("format", "plumb fmt -f PATH")];

/// An unexpected plain argument.
#[derive(Clone, Copy)]
struct Extra<'a> {
    text: &'a str,
    /// The flag for data values and the key that precede it: it is probably the value.
    value_of: Option<(&'a str, &'a str)>,
}

impl<'a> Extra<'a> {
    fn new(text: &'a str, given: &'a [String]) -> Self {
        let at = given.iter().position(|it| it == text).unwrap_or(0);
        let before = |n: usize| at.checked_sub(n).and_then(|at| given.get(at)).map(String::as_str);
        let is_value_flag = |it: &&str| *it == "-v" || it.starts_with("--data-value");
        let flag = before(2).filter(is_value_flag);
        let value_of = flag.zip(before(1).filter(|key| !key.contains('=')));
        Self { text, value_of }
    }

    /// The argument as a message shows it. It is a value after a flag for data values, and after
    /// `KEY=`.
    fn shown(self) -> Message {
        let text = self.text;
        match (self.value_of, text.split_once('=')) {
            (Some(_), _) => secret(text).into(),
            (None, Some((key, value))) => message!("{}={}", plain(key), secret(value)),
            (None, None) => plain(text).into(),
        }
    }

    fn quoted(self) -> Message {
        match self.shown() {
            shown if shown.has_values() => message!("\"{shown}\""),
            _ => plain(format_args!("{:?}", self.text)).into(),
        }
    }

    /// The command or flag that a user probably meant by it.
    fn meaning(self, name: Name, command: Command) -> Message {
        let path = plain(command.path(name));
        let words = Command::named_of(name).map(Command::word);
        let is_file = std::path::Path::new(self.text).exists();
        let other = OTHER_WORDS.iter().find(|it| it.0 == self.text);
        match (self.value_of, args::nearest(self.text, words), other) {
            (Some((flag, key)), _, _) => {
                let (flag, key) = (plain(flag), plain(key));
                message!("set a data value with KEY=VALUE: {flag} {key}={self}")
            }
            (None, Some(word), _) if !is_file && command == Command::Root => {
                message!("did you mean {path} {word}?")
            }
            (None, None, Some((_, meant))) if !is_file && command == Command::Root => {
                message!("did you mean {}?", *meant)
            }
            _ if command.flags().iter().any(|it| it.long == "file") => {
                message!("name files with -f: {path} -f {self}")
            }
            _ => message!("{path} takes only flags"),
        }
    }
}

impl Part for Extra<'_> {
    fn add_to(&self, message: &mut Message) {
        message.push(&self.shown());
    }
}
