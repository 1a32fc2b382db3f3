//! Documents are printed and read again; after that, nothing changes.

#![no_main]

use libfuzzer_sys::fuzz_target;
use plumb_source::{SourceKind, Sources};
use plumb_yaml::{ReadOptions, parse, print};

fuzz_target!(|bytes: &[u8]| {
    // A key `<<` that is a string is printed like a merge key.
    if bytes.windows(2).any(|pair| pair == b"<<") {
        return;
    }
    let Some(once) = printed(bytes) else { return };
    // Floats without a fraction are printed as integers, and are integers from then on.
    let twice = printed(&once).expect("what was printed can be read");
    assert_eq!(printed(&twice).as_deref(), Some(twice.as_slice()));
});

fn printed(bytes: &[u8]) -> Option<Vec<u8>> {
    let file = Sources::new().add("fuzz.yml", SourceKind::File, bytes.into());
    let documents = parse(file, bytes, &ReadOptions::default()).ok()?;
    let mut out = Vec::new();
    print::documents(&documents, &mut out);
    Some(out)
}
