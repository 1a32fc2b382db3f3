//! Generators in JavaScript and TypeScript: a script says which files to make, each with its
//! value and its validator, and they are made when all values are valid, or none of them.
//!
//! [`run`] carries out one [`Request`]. Scripts run in an engine of their own (this is the only
//! crate that names it) that has no network, process, environment or clock; what they read stays
//! in the input directory and what they write in the output directory, and nothing is written
//! before everything was found valid.
//!
//! The protocol between script and command, the standard modules and the formats are those of
//! jk; the modules in `js/` are our own.

mod answer;
mod complaint;
mod engine;
mod error;
mod format;
mod judge;
mod module;
mod parameters;
pub mod peer;
mod request;
mod schema;
mod session;
mod typescript;

pub use complaint::{Complaint, INVALID, Position, Report};
pub use engine::{LIMIT_REACHED, PROTOCOL, THROWN, UNRESOLVED, run};
pub use judge::{Judge, RuleFunction};
pub use parameters::{Parameters, ParametersError};
pub use request::{
    Action, Clock, Console, Destination, Dialect, Limits, Outcome, Reporting, Request, Script,
    Surroundings,
};
