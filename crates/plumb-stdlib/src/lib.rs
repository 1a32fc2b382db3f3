//! The built-in modules that templates can load (`load("@ytt:json", "json")`). Each has a file.
//!
//! A module is created when it is loaded, so that unused modules cost nothing. `data` and `library`
//! are in the crate `plumb-library`.

mod arguments;
mod assert;
mod assert_rules;
mod base64;
mod decode;
mod decode_error;
mod definition;
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
mod toml_error;
mod toml_number;
mod toml_read;
mod toml_scan;
mod toml_text;
mod url;
mod url_escape;
mod url_text;
mod version;
pub mod work;
mod yaml;

pub use assert::NotEqual;
pub use decode::DataError;
pub use decode_error::DecodeError;
pub use definition::{Member, ModuleDefinition, ModuleDoc};
pub use overlay::NoArguments;
pub use structs::NotOneArgument;
pub use toml_error::{NumberRule, TomlError, TomlErrorKind, TomlPart};

use plumb_starlark::Value;

pub use version::YTT_VERSION;

/// The modules of this crate, by name.
static MODULES: [&ModuleDefinition; 17] = [
    &assert::MODULE,
    &base64::MODULE,
    &ip::MODULE,
    &json::MODULE,
    &math::MODULE,
    &hash::MD5,
    &module::MODULE,
    &overlay::MODULE,
    &regexp::MODULE,
    &semver::MODULE,
    &hash::SHA256,
    &structs::MODULE,
    &template::MODULE,
    &toml::MODULE,
    &url::MODULE,
    &version::MODULE,
    &yaml::MODULE,
];

/// Returns the built-in module with this name (`json` for `@ytt:json`), or `None` if there is no
/// such module.
pub fn module(name: &str) -> Option<Value> {
    let at = MODULES.binary_search_by(|it| it.name.cmp(name)).ok()?;
    Some(MODULES[at].module(&()))
}

/// Returns the names of the modules of this crate.
pub fn module_names() -> impl Iterator<Item = &'static str> {
    MODULES.iter().map(|it| it.name)
}

/// Returns the documentation of the modules of this crate.
pub fn module_docs() -> impl Iterator<Item = ModuleDoc> {
    MODULES.iter().map(|it| it.doc())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modules_and_signatures_have_the_right_names() {
        assert!(MODULES.is_sorted_by_key(|it| it.name));
        for module in module_docs() {
            for member in module.members {
                let (start, _) = member.full_name().split_once('.').expect("MODULE.NAME");
                assert_eq!(start, module.name, "{}", member.signature);
            }
        }
    }
}
