//! A whole render of files that begin with lines `=== NAME`: it ends, and its findings are at
//! places that exist.

#![no_main]

use libfuzzer_sys::fuzz_target;
use plumb_fuzz::{files, options, render};

fuzz_target!(|input: &[u8]| {
    render(&options(files(input, "config.yml")));
});
