//! Arguments, one per line, parsed by each of the three programs: they are accepted, or rejected
//! with a message.

#![no_main]

use libfuzzer_sys::fuzz_target;
use plumb_cli::{Name, usage_error};

fuzz_target!(|text: &str| {
    let arguments: Vec<String> = text.lines().map(str::to_owned).collect();
    for name in [Name::Plumb, Name::Ytt, Name::Jk] {
        if let Some(message) = usage_error(name, arguments.clone()) {
            assert!(!message.is_empty());
        }
    }
});
