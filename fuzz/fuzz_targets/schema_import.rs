//! A schema of others, imported: what is made of it is a schema of data values.

#![no_main]

use libfuzzer_sys::fuzz_target;
use plumb::{GivenFile, Limits, Options, SchemaChoice, Sources, Wanted};
use plumb_fuzz::{hold, options, render};
use plumb_testkit::MemoryWorld;

fuzz_target!(|input: &[u8]| {
    let world = MemoryWorld::new().file("schema.yml", input);
    let sources = Sources::new();
    match plumb::import_schema(&world, "schema.yml", &SchemaChoice::default(), &sources) {
        Ok(text) => {
            let file = GivenFile { path: "schema.yml".to_owned(), bytes: text.as_bytes().into() };
            // Values that must be given are missing; what is there has the right types.
            let made = Options {
                wanted: Wanted::DataValues,
                skips_validation: true,
                limits: Limits::default(),
                ..options(vec![file])
            };
            if let Err(failure) = render(&made).result {
                panic!("what was made of it is refused: {failure:?}\n{text}");
            }
        }
        Err(failure) => {
            for finding in failure.findings() {
                hold(finding, &sources);
            }
        }
    }
});
