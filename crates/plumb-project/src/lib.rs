//! Project files: `plumb.yml` names targets, and each target is a set of flags.
//!
//! [`Project`] is a project file that was read and checked. [`run`] runs its targets: on all cores,
//! over shared sources, each after the targets whose output it reads. [`Incremental`] runs them
//! again if their dependencies have changed. This crate does not access files itself: a front end
//! provides the [`World`](plumb::World). Without the feature `generators`, targets that run
//! generators are left out.

mod cache;
mod depfile;
pub mod diff;
mod fields;
mod findings;
mod incremental;
mod inherit;
pub mod init;
mod inline;
mod key;
mod order;
mod paths;
mod project;
mod read;
mod recorder;
mod renderer;
mod run;
mod schema;
mod settings;
mod shard;
mod target_world;
mod unwritten;

pub use cache::{Change, Writing};
pub use depfile::{DepfileError, depfile};
pub use fields::{Codes, Fields, Written};
pub use findings::findings;
pub use incremental::{Incremental, Update};
pub use inline::inline_target;
pub use key::{Arity, Key, Kind, keys};
#[cfg(feature = "generators")]
pub use project::Generate;
pub use project::{FILE_NAME, NO_PROJECT, Output, Project, Render, Target, Work};
pub use recorder::Recorder;
pub use renderer::{Renderer, Rendering, Timer};
pub use run::{Ending, Finished, Kept, Product, Progress, Request, Shown, run, style};
pub use schema::{flag_schema, json_schema};
pub use shard::Shard;
pub use target_world::{Dependency, Use};
