//! The command line: which command, which flags, in what order.
//!
//! Flags have the syntax of ytt: `--flag value`, `--flag=value`, `-f value`, `-fvalue`, `-f=value`,
//! `-sf value`; switches are `--flag` or `--flag=false`; after `--` come plain arguments. The flags
//! of a command may be before or after its name.

mod list;
mod parse;

pub(crate) use plumb::spelling::nearest;

pub(crate) use parse::{
    ON, Parsed, UsageError, UsageErrorKind, as_ytt, parse, split_command, switch,
};
pub(crate) use plumb_flags::{Flag, Spec, Takes, Topic};
