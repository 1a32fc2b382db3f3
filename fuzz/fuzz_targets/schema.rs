//! A schema and data values, separated by a line `===`: values that conform still conform when they
//! are checked again, and do not change.

#![no_main]

use libfuzzer_sys::fuzz_target;
use plumb::print;
use plumb::{GivenFile, SchemaLanguage};
use plumb_fuzz::{data_values, options, parts};

fuzz_target!(|input: &[u8]| {
    let [schema, values] = parts(input);
    for language in [SchemaLanguage::OpenApi, SchemaLanguage::JsonSchema] {
        plumb_fuzz::schema(&options(vec![schema_file(schema)]), &language);
    }
    // An empty map is printed as nothing, which is read as null.
    let once = conformed(schema, b"---\n", values).filter(|it| !it.is_empty());
    let Some(once) = once else { return };
    // Keys may have been added below `any`, with annotations that are not printed.
    let adding = b"#@overlay/match-child-defaults missing_ok=True\n---\n";
    let twice = conformed(schema, adding, &once).expect("values that conform still conform");
    assert_eq!(once, twice, "{}", String::from_utf8_lossy(&once));
});

fn schema_file(schema: &[u8]) -> GivenFile {
    let start = b"#@data/values-schema\n---\n";
    GivenFile { path: "schema.yml".to_owned(), bytes: [start, schema].concat().into() }
}

/// The data values that templates would see, printed. `start` is the start of the document.
fn conformed(schema: &[u8], start: &[u8], values: &[u8]) -> Option<Vec<u8>> {
    let bytes = [b"#@data/values\n", start, values].concat().into();
    let files = vec![schema_file(schema), GivenFile { path: "values.yml".to_owned(), bytes }];
    let document = data_values(&options(files)).result.ok()?;
    Some(print::yaml([&document]))
}
