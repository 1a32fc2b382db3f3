//! The language of templates: a Starlark of our own.
//!
//! A dialect of 2020 with blocks that `end` closes, `while`, recursion, strings of bytes and its
//! own way of printing numbers; `cases/` is its manual. This crate knows the language alone,
//! neither YAML nor files: what a program builds, loads and prints goes through a [`Host`].
//!
//! A [`Program`] is compiled from [`Piece`]s, the fragments of code of a template and the
//! instructions of the host between them, and run by a [`Thread`] within [`Limits`]:
//!
//! ```
//! use std::any::Any;
//! use std::cell::RefCell;
//!
//! use plumb_starlark::{
//!     Args, Effect, Environment, Fragment, Host, Instruction, Limits, Operands, Piece, Program,
//!     Result, Thread, Value,
//! };
//!
//! /// Keeps the values that instructions hand over.
//! #[derive(Default)]
//! struct Notes(RefCell<Vec<String>>);
//!
//! impl Host for Notes {
//!     fn instruction(&self, _: &mut Thread<'_>, op: u32, args: &Args<'_>) -> Result<Value> {
//!         let value = args.get(0).cloned().unwrap_or_default();
//!         self.0.borrow_mut().push(format!("{op}: {}", value.repr()?));
//!         Ok(Value::None)
//!     }
//!
//!     fn as_any(&self) -> &dyn Any {
//!         self
//!     }
//! }
//!
//! let code = |text: &'static str| Piece::Code(Fragment { text: text.as_bytes(), span: None });
//! let note = |op, text: &'static str| {
//!     Piece::Host(Instruction {
//!         op,
//!         span: None,
//!         operands: Operands::Value(Fragment { text: text.as_bytes(), span: None }),
//!         effect: Effect::None,
//!     })
//! };
//! let pieces = [code("for n in range(2):"), note(7, "n * 10"), code("end")];
//! let program = Program::compile(&pieces, Environment::standard()).expect("it is well formed");
//!
//! let notes = Notes::default();
//! Thread::new(&notes, Limits::default()).run(&program).expect("it does not fail");
//! assert_eq!(notes.0.into_inner(), ["7: 0", "7: 10"]);
//! ```
//!
//! Stages, each in its own module: `piece` joins the text, `syntax` reads it, `resolve` finds what
//! names stand for, `compile` makes code of it, `vm` runs the code on `value`s with `ops`,
//! `builtins` and `methods`.

mod args;
mod budget;
mod builtins;
mod compile;
mod error;
mod limits;
mod methods;
mod ops;
mod piece;
mod resolve;
mod spell;
mod syntax;
mod text;
mod value;
mod vm;

pub use args::{Args, Argument, Parameter};
pub use budget::{Budget, Tally};
pub use builtins::Environment;
pub use compile::Program;
pub use error::{Error, ErrorKind, Frame, Gap, Result};
pub use limits::Limits;
pub use ops::{BinaryOp, CompareOp};
pub use piece::{Effect, Fragment, Instruction, Operands, Piece};
pub use value::{
    Builtin, Dict, Function, HostValue, List, Method, Module, Range, Set, StringIterable, Struct,
    Tuple, Value, Values,
};
pub use vm::{Globals, Host, Thread};
