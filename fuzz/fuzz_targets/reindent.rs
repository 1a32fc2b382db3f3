//! YAML texts in the layout of `plumb fmt`: only white space changes, the values stay the same, and
//! formatting again changes nothing.

#![no_main]

use libfuzzer_sys::fuzz_target;
use plumb_source::{FileId, SourceKind, Sources};
use plumb_yaml::{ReadOptions, parse, print, reindent};

fuzz_target!(|bytes: &[u8]| {
    let file = Sources::new().add("fuzz.yml", SourceKind::File, bytes.into());
    let options = ReadOptions::default();
    let Ok(once) = reindent(file, bytes, &options) else { return };
    assert!(ink(bytes).eq(ink(&once)), "only white space changes");
    assert_eq!(values(file, bytes, &options), values(file, &once, &options), "the values");
    let twice = reindent(file, &once, &options).expect("what was formatted can be read");
    assert_eq!(String::from_utf8_lossy(&once), String::from_utf8_lossy(&twice), "a second time");
});

/// All bytes that are not white space.
fn ink(bytes: &[u8]) -> impl Iterator<Item = &u8> {
    bytes.iter().filter(|it| !it.is_ascii_whitespace())
}

fn values(file: FileId, bytes: &[u8], options: &ReadOptions) -> Option<Vec<u8>> {
    let documents = parse(file, bytes, options).ok()?;
    let mut out = Vec::new();
    print::documents(&documents, &mut out);
    Some(out)
}
