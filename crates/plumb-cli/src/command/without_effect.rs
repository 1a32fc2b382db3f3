//! Flags of the main command that have no effect in combination with others, and a run without
//! input. Both are rejected if the program is called `plumb`.
//!
//! Flags about input and data values are accepted with every other flag, so that a flag that asks a
//! question (`--files-inspect`) can be added to any command line.

use plumb_source::message::plain;
use plumb_source::{Message, message};

use super::template_flags::{Flags, OUTPUT_TYPES, SchemaType};
use crate::args::UsageError;

/// Rejects flags that have no effect for a run that prints or writes its result.
pub(super) fn refuse(flags: &Flags) -> Result<(), UsageError> {
    let questions = questions(flags);
    let reads_files = matches!(questions.as_slice(), [] | ["files-inspect", ..]);
    if reads_files && flags.files.is_empty() && flags.bulk_in.is_empty() {
        return Err(UsageError {
            message: "no input: there is nothing to render".into(),
            help: Some("name files or directories with -f: plumb -f config/".into()),
        });
    }
    if let [asked, unanswered, ..] = questions.as_slice() {
        let message = message!("--{} has no effect with --{}", plain(unanswered), plain(asked));
        return Err(misuse(message, unanswered, asked));
    }
    let destinations = destinations(flags);
    let without_render = || destinations.iter().copied().chain(checks(flags)).next();
    if let ([asked], Some(flag)) = (questions.as_slice(), without_render()) {
        let message = message!(
            "--{} has no effect with --{}: nothing is rendered",
            plain(flag),
            plain(asked)
        );
        return Err(misuse(message, flag, asked));
    }
    match destinations.as_slice() {
        [destination] if has_other_type(flags) => return Err(yaml_only("o", destination)),
        [] | [_] => {}
        [used, "bulk-out", ..] => return Err(yaml_only("bulk-out", used)),
        [used, other, ..] => {
            let message = message!("--{} has no effect with --{}", plain(other), plain(used));
            return Err(misuse(message, other, used));
        }
    }
    if flags.keeps_comments && has_other_type(flags) {
        return Err(UsageError {
            message: "--keep-comments has no effect with -o: only YAML has comments".into(),
            help: Some("remove --keep-comments or -o".into()),
        });
    }
    refuse_in_checks(flags)
}

/// Rejects flags that have no effect even if the result is only checked.
pub(super) fn refuse_in_checks(flags: &Flags) -> Result<(), UsageError> {
    if flags.kube_schemas.is_empty() && !flags.kube_allow_unknown.is_empty() {
        return Err(UsageError {
            message: "--kube-allow-unknown has no effect without --kube-schemas".into(),
            help: Some("name the schemas with --kube-schemas, or remove the flag".into()),
        });
    }
    let given = flags.outputs.as_deref().unwrap_or_default();
    let is_schema = |it: &&String| SchemaType::of_name(it).is_some();
    let (schemas, formats): (Vec<&String>, Vec<&String>) =
        given.iter().filter(|it| OUTPUT_TYPES.contains(&it.as_str())).partition(is_schema);
    for types in [schemas, formats] {
        if let [first, .., last] = types.as_slice()
            && first != last
        {
            return Err(UsageError {
                message: message!("-o {} has no effect after -o {}", plain(last), plain(first)),
                help: Some("remove one of them".into()),
            });
        }
    }
    Ok(())
}

/// The flags that print something instead of the rendered files. The first of them is answered.
fn questions(flags: &Flags) -> Vec<&'static str> {
    given([
        ("files-inspect", flags.inspects_files),
        ("data-values-schema-inspect", flags.inspects_schema),
        ("data-values-inspect", flags.inspects_values),
    ])
}

/// The flags that say where rendered files go. The first of them is used.
fn destinations(flags: &Flags) -> Vec<&'static str> {
    given([
        ("dangerous-emptied-output-directory", !flags.emptied_directory.is_empty()),
        ("output-files", !flags.output_files.is_empty()),
        ("bulk-out", flags.bulk_out),
    ])
}

/// The flags about rendered files.
fn checks(flags: &Flags) -> Vec<&'static str> {
    given([
        ("kube-schemas", !flags.kube_schemas.is_empty()),
        ("kube-allow-unknown", !flags.kube_allow_unknown.is_empty()),
        ("output-disable-validation", flags.skips_output_validation),
        ("keep-comments", flags.keeps_comments),
    ])
}

fn given<const N: usize>(flags: [(&'static str, bool); N]) -> Vec<&'static str> {
    flags.into_iter().filter(|(_, is_given)| *is_given).map(|(flag, _)| flag).collect()
}

fn has_other_type(flags: &Flags) -> bool {
    flags.outputs.iter().flatten().any(|it| it != "yaml")
}

fn yaml_only(flag: &'static str, destination: &'static str) -> UsageError {
    let dashes = if flag == "o" { "-" } else { "--" };
    UsageError {
        message: message!(
            "{dashes}{flag} has no effect with --{destination}: files are written as YAML"
        ),
        help: Some(message!("remove {dashes}{flag}, or --{destination} to print instead")),
    }
}

fn misuse(message: Message, one: &'static str, other: &'static str) -> UsageError {
    UsageError { message, help: Some(message!("remove --{one} or --{other}")) }
}
