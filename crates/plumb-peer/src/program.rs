//! Mistakes in a program that are found before it runs.

use plumb_source::message::plain;
use plumb_source::{Message, message};
use plumb_starlark::{ArgumentOrder, ParameterKind, ProgramError, Target};

pub(crate) fn error(error: &ProgramError) -> Message {
    match error {
        ProgramError::Break => "break not in a loop".into(),
        ProgramError::Continue => "continue not in a loop".into(),
        ProgramError::Return => "return statement not within a function".into(),
        ProgramError::LoadInFunction => "load statement within a function".into(),
        ProgramError::EmptyLoadedName => "load: empty identifier".into(),
        ProgramError::LoadedNameNotText => "not a string".into(),
        ProgramError::PrivateName { name } => {
            message!("load: names with leading underscores are not exported: {}", plain(name))
        }
        ProgramError::ArgumentOrder(order) => match order {
            ArgumentOrder::StarAfterKeywords => "*args may not follow **kwargs",
            ArgumentOrder::AfterKeywords => "argument may not follow **kwargs",
            ArgumentOrder::AfterStar => "argument may not follow *args",
            ArgumentOrder::PositionalAfterNamed => "positional argument may not follow named",
        }
        .into(),
        ProgramError::SeveralStars { stars: "*", are_arguments: true } => {
            "multiple *args not allowed".into()
        }
        ProgramError::SeveralStars { are_arguments: true, .. } => {
            "multiple **kwargs not allowed".into()
        }
        ProgramError::SeveralStars { stars, are_arguments: false } => {
            message!("multiple {} parameters not allowed", plain(stars))
        }
        ProgramError::ArgumentTwice { name } => {
            message!("keyword argument {} repeated", plain(name))
        }
        ProgramError::ArgumentName => "keyword argument must have form name=expr".into(),
        ProgramError::RequiredAfterOptional => "required parameter may not follow optional".into(),
        ProgramError::AfterKeywords { kind, name } => {
            let kind = match kind {
                ParameterKind::Required => "required",
                ParameterKind::Optional => "optional",
                ParameterKind::Star => "*",
            };
            message!("{kind} parameter may not follow **{}", plain(name))
        }
        ProgramError::BareStar => "bare * must be followed by keyword-only parameters".into(),
        ProgramError::ParameterTwice { name } => {
            message!("duplicate parameter: {}", plain(name))
        }
        ProgramError::NoElse => "conditional expression without else clause".into(),
        ProgramError::BareTuple => "unparenthesized tuple with trailing comma".into(),
        ProgramError::OpenString { is_f_string, is_line } => message!(
            "unexpected {} in {}",
            if *is_line { "newline" } else { "EOF" },
            if *is_f_string { "f-string" } else { "string" }
        ),
        ProgramError::Backslash => "stray backslash in program".into(),
        ProgramError::Character { shown } => {
            message!("unexpected input character {}", plain(shown))
        }
        ProgramError::Target(found) => message!("can't assign to {}", target(*found)),
        ProgramError::AugmentedTargets { is_list } => message!(
            "can't use {} expression in augmented assignment",
            if *is_list { "list" } else { "tuple" }
        ),
    }
}

/// Returns the name that Go's parser has for a kind of expression.
fn target(found: Target) -> &'static str {
    match found {
        Target::EmptyTuple => "()",
        Target::EmptyList => "[]",
        Target::Literal => "literal",
        Target::Dict => "dictexpr",
        Target::Comprehension => "comprehension",
        Target::Conditional => "condexpr",
        Target::Unary => "unaryexpr",
        Target::Binary => "binaryexpr",
        Target::Slice => "sliceexpr",
        Target::Call => "callexpr",
        Target::Lambda => "lambdaexpr",
    }
}
