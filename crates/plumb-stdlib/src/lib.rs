//! The built-in modules that templates can load (`load("@ytt:json", "json")`). Each has a file.
//!
//! A module is created when it is loaded: a run pays only for what it uses. `data` and `library`
//! are in the crate of the libraries that they give access to.

mod arguments;
mod assert;
mod assert_rules;
mod base64;
mod decode;
mod hash;
mod ip;
mod json;
mod json_text;
mod math;
mod memory;
mod module;
mod object;
mod overlay;
mod regexp;
mod regexp_replacement;
mod semver;
mod structs;
mod template;
mod toml;
mod toml_number;
mod toml_read;
mod toml_scan;
mod toml_text;
mod url;
mod url_escape;
mod url_text;
mod version;
mod yaml;

pub use overlay::NoArguments;
pub use toml_number::TomlRange;

use std::sync::Arc;

use plumb_source::Text;
use plumb_starlark::{Module, Value};

pub use version::YTT_VERSION;

/// Returns the built-in module with this name (`json` for `@ytt:json`), or `None` if there is no
/// such module.
pub fn module(name: &str) -> Option<Value> {
    let members: fn() -> Vec<(Text, Value)> = match name {
        "assert" => assert::members,
        "base64" => base64::members,
        "ip" => ip::members,
        "json" => json::members,
        "math" => math::members,
        "md5" => hash::md5_members,
        "module" => module::members,
        "overlay" => overlay::members,
        "regexp" => regexp::members,
        "semver" => semver::members,
        "sha256" => hash::sha256_members,
        "struct" => structs::members,
        "template" => template::members,
        "toml" => toml::members,
        "url" => url::members,
        "version" => version::members,
        "yaml" => yaml::members,
        _ => return None,
    };
    Some(Value::Module(Arc::new(Module::new(name, members()))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_module_that_advice_names_is_there() {
        // The content of these two depends on the library that loads them.
        let of_the_library = ["data", "library"];
        for name in plumb_template::MODULES {
            assert!(of_the_library.contains(&name) || module(name).is_some(), "{name}");
        }
    }
}
