//! Imports through the public interface: foreign schemas, and schemas that Plumb exported.

mod crds;
#[path = "../../../plumb-schema/tests/suite/generated.rs"]
mod generated;
mod helm;
mod law;
#[path = "../../../plumb-validation/tests/notation/mod.rs"]
mod notation;
#[path = "../../../plumb-schema/tests/suite/uncounted.rs"]
mod uncounted;

use std::sync::Arc;

use notation::read;
use plumb_schema::Schema;
use plumb_source::Sources;

/// A schema with the sources it came from.
struct Declared {
    sources: Arc<Sources>,
    schema: Schema,
}
