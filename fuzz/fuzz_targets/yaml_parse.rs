//! Parsing ends with documents or with an error, whatever the bytes; strict mode only rejects more.

#![no_main]

use libfuzzer_sys::fuzz_target;
use plumb_source::{SourceKind, Sources};
use plumb_yaml::{ReadOptions, parse};

fuzz_target!(|bytes: &[u8]| {
    let file = Sources::new().add("fuzz.yml", SourceKind::File, bytes.into());
    let loose = parse(file, bytes, &ReadOptions::default());
    let strict = parse(file, bytes, &ReadOptions { strict: true, ..ReadOptions::default() });
    assert!(loose.is_ok() || strict.is_err(), "strict mode must not accept more");
    if let Err(error) = loose {
        let span = error.span();
        assert!(span.start <= span.end && span.end as usize <= bytes.len(), "{error:?}");
    }
});
