//! A JSON Schema and a value, separated by a line `===`, as for `plumb validate --schema`.

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
