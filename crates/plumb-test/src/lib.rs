//! Unit tests for configuration.
//!
//! [`find()`] finds files with tests, [`TestFile::read`] reads them, and [`run()`] runs them on all
//! cores over shared sources. Results arrive in the order of the files, independently of the
//! threads. This crate does not access files itself: a front end provides the
//! [`World`](plumb::World).

mod assertion;
mod check;
mod code;
pub mod coverage;
mod differ;
mod fails;
mod find;
mod key;
mod path;
mod read;
mod renders;
mod run;
mod schema;
mod snapshot;
mod suite;

pub use find::{Below, TESTS, find};
pub use read::NOT_READ;
pub use run::{Request, SuiteResult, TestResult, run};
pub use schema::json_schema;
pub use snapshot::{Changed, Snapshots};
pub use suite::TestFile;
