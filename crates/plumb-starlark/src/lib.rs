//! The language of templates: our own implementation of Starlark.
//!
//! The dialect dates from 2020. Blocks end with `end`, it has `while`, recursion and strings of
//! bytes, and prints numbers in its own way; `cases/` is its manual. This crate only implements the
//! language, without YAML or files: a [`Host`] handles everything that a program builds, loads and
//! prints.
//!
//! A [`Program`] is compiled from [`Piece`]s, which are the code fragments of a template and the
//! host's instructions between them. A [`Thread`] runs it within [`Limits`]:
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
//! /// Keeps the values that instructions pass to the host.
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
//! For editors, [`outline`] describes the names of a program, which may have errors.
//!
//! The stages, each in its own module: `piece` joins the text, `syntax` parses it, `resolve` finds
//! the meaning of names, `compile` generates code, and `vm` runs the code on `value`s with `ops`,
//! `builtins` and `methods`.

mod args;
mod budget;
mod builtins;
mod code_error;
mod compile;
mod conversion_error;
mod coverage;
mod doc;
mod error;
mod format_error;
mod heap;
mod language;
mod limits;
mod methods;
mod ops;
pub mod outline;
mod piece;
mod program_error;
mod resolve;
mod spell;
mod syntax;
mod text;
mod value;
mod value_error;
mod vm;

pub use args::{Args, Argument, Parameter};
pub use budget::{Budget, Tally};
pub use builtins::{Environment, FloatError};
pub use code_error::{CodeErrorKind, Wanted};
pub use compile::Program;
pub use conversion_error::ConversionError;
pub use coverage::{Point, PointKind};
pub use doc::Doc;
pub use error::{Error, ErrorKind, Frame, Gap, InstructionInLoad, Result, UnknownKeyword};
pub use format_error::{FieldPath, FormatError};
pub use language::Language;
pub use limits::Limits;
pub use ops::{BinaryOp, CompareOp, IndexRange};
pub use piece::{Effect, Fragment, Instruction, Joined, Operands, Piece};
pub use program_error::{ArgumentOrder, ParameterKind, ProgramError, Target};
pub use syntax::Tok;
pub use value::{
    Builtin, Bytes, Dict, Function, HostValue, List, Method, Module, Range, Set, StringIterable,
    Struct, Tuple, Value, Values,
};
pub use value_error::{NotAPair, ValueError};
pub use vm::{Globals, Host, Thread};
