//! Finds what is wrong with a command line, without running the command.

use super::{
    Command, build, chosen, diff, fmt, generate, import, lsp, merge, run, schema, schema_docs,
    script, template, template_flags, test, transform, validate, vm, website,
};
use crate::Name;
use crate::args::{self, Spec, UsageError};

pub(crate) fn find(name: Name, arguments: &[String]) -> Result<(), UsageError> {
    let (command, rest) = chosen(name, arguments);
    match command {
        // What is checked depends on the contents of files; templates are the usual case.
        Command::Root | Command::Check => template::understand(name, rest, template_flags::SPECS),
        Command::Template => template::understand(name, rest, template_flags::without_version()),
        Command::Build => parse(rest, build::SPECS),
        Command::Test => parse(rest, test::SPECS),
        Command::ReportMerge => parse(rest, merge::SPECS),
        Command::Diff => parse(rest, diff::SPECS),
        Command::Fmt => parse(rest, fmt::SPECS),
        Command::Generate => script::understand(rest, &generate::specs()),
        Command::Transform => script::understand(rest, &transform::specs()),
        Command::Validate => script::understand(rest, &validate::specs()),
        Command::Run => script::understand(rest, &run::specs()),
        Command::VmCheck => parse(rest, vm::check::SPECS),
        Command::VmExport => parse(rest, vm::export::SPECS),
        Command::VmWebhook => parse(rest, vm::webhook::SPECS),
        Command::SchemaDocs => parse(rest, schema_docs::SPECS),
        Command::SchemaImport => parse(rest, schema::SPECS),
        Command::ImportHelm => parse(rest, import::SPECS),
        // An unknown subcommand is reported when the command runs.
        Command::Vm | Command::Schema | Command::Import | Command::Project | Command::Report => {
            Ok(())
        }
        Command::Lsp => parse(rest, lsp::SPECS),
        Command::Website => parse(rest, website::SPECS),
        Command::Krm
        | Command::Init
        | Command::ProjectSchema
        | Command::Explain
        | Command::Version
        | Command::Completion
        | Command::Help => parse::<()>(rest, &[]),
    }
}

pub(super) fn parse<T: Default>(
    arguments: Vec<String>,
    specs: &[Spec<T>],
) -> Result<(), UsageError> {
    args::parse(arguments, specs).map(drop)
}
