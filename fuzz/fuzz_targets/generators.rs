//! Modules of a generator: files that begin with lines `=== NAME`. The first is `main.ts`.

#![no_main]

use std::path::PathBuf;

use libfuzzer_sys::fuzz_target;
use plumb_fuzz::files;
use plumb_fuzz::generator::{request, run};
use plumb_generate::{Action, Destination, Script};
use plumb_source::MemoryWorld;

fuzz_target!(|input: &[u8]| {
    let files = files(input, "main.ts").into_iter();
    let world = files.fold(MemoryWorld::new(), |world, it| world.file(&it.path, it.bytes));
    let script = Script::File(PathBuf::from("main.ts"));
    run(request(Action::Generate { script, to: Destination::Files }), world);
});
