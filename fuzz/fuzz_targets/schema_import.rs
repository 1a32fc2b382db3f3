//! A foreign schema is imported: the result is a schema of data values.

#![no_main]

use std::sync::Arc;

use libfuzzer_sys::fuzz_target;
use plumb::{Limits, Options, SchemaChoice, World};
use plumb_fuzz::{data_values, hold};
use plumb_source::MemoryWorld;

fuzz_target!(|input: &[u8]| {
    let world: Arc<dyn World> = Arc::new(MemoryWorld::new());
    let options = Options::new().file("schema.yml", input);
    let outcome = plumb::import_schema(&world, &options, &SchemaChoice::default());
    match outcome.result {
        Ok(text) => {
            // Required values are missing; all others have the right types.
            let mut made = Options::new().file("schema.yml", &text).limits(Limits::default());
            made.skips_validation = true;
            if let Err(failure) = data_values(&made).result {
                panic!("the imported schema is rejected: {failure:?}\n{text}");
            }
        }
        Err(failure) => {
            for finding in failure.findings() {
                hold(finding, &outcome.sources);
            }
        }
    }
});
