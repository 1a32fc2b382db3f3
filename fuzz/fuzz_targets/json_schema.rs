//! A JSON Schema and a value, parts between a line `===`, as `plumb validate --schema` has them.

#![no_main]

use std::path::PathBuf;

use libfuzzer_sys::fuzz_target;
use plumb_fuzz::generator::{request, run};
use plumb_fuzz::parts;
use plumb_generate::{Action, Request};
use plumb_source::MemoryWorld;

fuzz_target!(|input: &[u8]| {
    let [schema, value] = parts(input);
    let world = MemoryWorld::new().file("schema.json", schema).file("value.json", value);
    let action = Action::Validate { script: None, files: vec!["value.json".to_owned()] };
    let schema = Some(PathBuf::from("schema.json"));
    run(Request { schema, ..request(action) }, world);
});
