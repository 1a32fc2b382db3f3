//! The command line: which command, which flags, in what order.
//!
//! Flags are written as users of ytt write them: `--flag value`, `--flag=value`, `-f value`,
//! `-fvalue`, `-f=value`, `-sf value`; switches as `--flag` or `--flag=false`; after `--` come
//! plain arguments. A command takes the flags before its name and behind it alike.

mod list;
mod parse;
mod spec;

pub(crate) use plumb::nearest;

pub(crate) use parse::{Misuse, Parsed, number, parse, seconds, split_command, switch};
pub(crate) use spec::{Flag, Spec, Takes, Topic};
