//! Generators in JavaScript and TypeScript. A script describes files, each with its value and its
//! validator. Either all values are valid and all files are written, or none is.
//!
//! [`run`] executes one [`Request`], and returns the files to write. Scripts run in a separate
//! engine (only this crate depends on it) without network, processes, environment or clock. They
//! can only read from the input directory and write to the output directory, and there are files to
//! write only if everything is valid.
//!
//! The protocol between script and command, the standard modules and the formats are those of jk;
//! the modules in `js/` are Plumb's own.

mod answer;
mod engine;
mod error;
mod finding;
mod format;
mod module;
mod parameters;
pub mod peer;
mod request;
mod run;
mod schema;
mod typescript;
mod validator;

pub use engine::{FILE, LIMIT_REACHED, PROTOCOL, THROWN, UNRESOLVED, run};
pub use finding::{Finding, INVALID, Position, Report};
pub use parameters::{Parameters, ParametersError};
pub use request::{
    Action, Clock, Console, Dependency, DependencyKind, Destination, Dialect, EngineMemory, Limits,
    Outcome, Reporting, Request, Script, Surroundings, Tree,
};
pub use validator::{RuleFunction, Validator};
