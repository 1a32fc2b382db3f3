//! Documents, and overlays on them: parts between lines `===`.

#![no_main]

use libfuzzer_sys::fuzz_target;
use plumb::GivenFile;
use plumb_fuzz::{options, parts, render};

/// The start of an overlay, so that most inputs are overlays.
const START: &[u8] = b"#@ load(\"@ytt:overlay\", \"overlay\")\n\
#@overlay/match by=overlay.all, expects=\"0+\"\n---\n";

fuzz_target!(|input: &[u8]| {
    let [left, first, second] = parts(input);
    let overlay = |name: &str, part: &[u8]| GivenFile {
        path: name.to_owned(),
        bytes: [START, part].concat().into(),
    };
    let mut files = vec![GivenFile { path: "config.yml".to_owned(), bytes: left.into() }];
    files.push(overlay("first.yml", first));
    if !second.is_empty() {
        files.push(overlay("second.yml", second));
    }
    render(&options(files));
});
