//! A path, and below a line `===` the document that it selects from.

#![no_main]

use libfuzzer_sys::fuzz_target;
use plumb_fuzz::parts;
use plumb_kubevirt::jsonpath::{Budget, JsonPath};
use plumb_source::{SourceKind, Sources};
use plumb_yaml::ReadOptions;

fuzz_target!(|input: &[u8]| {
    let [path, document] = parts(input);
    let Ok(path) = std::str::from_utf8(path.strip_suffix(b"\n").unwrap_or(path)) else { return };
    let template = match JsonPath::parse(path) {
        Ok(template) => template,
        Err(error) => {
            assert!(!error.message.is_empty() && path.get(error.at.clone()).is_some(), "{error:?}");
            return;
        }
    };
    let file = Sources::new().add("fuzz.yml", SourceKind::File, document.into());
    let documents = plumb_yaml::parse(file, document, &ReadOptions::default());
    for document in documents.into_iter().flatten() {
        if let Err(error) = template.select(&document.node, &Budget::new(10_000)) {
            assert!(path.get(error.at.clone()).is_some(), "{error:?}");
            assert!(!error.kind.to_string().is_empty());
        }
    }
});
