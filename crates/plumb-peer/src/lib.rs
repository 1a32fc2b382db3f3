//! Failures in ytt's words and layout, for users who call Plumb by that name, and for templates
//! that catch an error as a text.
//!
//! The stages do not know this crate: they report findings in our words, and attach typed
//! [`Facts`](plumb_diagnostic::Facts). This crate expresses the same facts in ytt's words. A
//! finding without facts, or with facts of a type that is unknown here, has the same words in both
//! reports.
//!
//! [`text`] is the whole error, and [`render`] breaks up its first line.

mod activity;
mod code;
mod decode;
mod input;
mod layout;
mod malformed;
mod overlay;
mod piece;
mod program;
mod rule_order;
mod rules;
mod schema;
mod term;
mod toml;
mod value;
mod words;
mod yaml;

use plumb_diagnostic::Wording;

pub use layout::{render, render_with, text, text_with};
pub use term::message;

/// ytt's words for templates that catch an error as a text.
pub const WORDING: Wording = Wording { failure: text, message };
