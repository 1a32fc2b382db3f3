//! The built-in modules.

/// Modules that scripts may import, and the names that they export. The build script writes these
/// tables. One more module has no fixed code: see [`is_resource`].
const PUBLIC: &[(&str, &[&str])] = include!(concat!(env!("OUT_DIR"), "/public.rs"));

/// All built-in modules as bytecode.
pub(crate) const BYTECODE: &[(&str, &[u8])] = include!(concat!(env!("OUT_DIR"), "/bytecode.rs"));

/// Whether only built-in modules may import a module of this name.
pub(super) fn is_internal(specifier: &str) -> bool {
    specifier.starts_with("plumb:")
}

/// Whether a module is built in.
pub(crate) fn is_builtin(name: &str) -> bool {
    name.starts_with("plumb:") || name.starts_with("@jkcfg/std")
}

/// The name of the public module of a specifier, with or without `.js`. Returns `None` if it is not
/// public.
pub(super) fn public_name(specifier: &str) -> Option<&'static str> {
    let name = specifier.strip_suffix(".js").unwrap_or(specifier);
    let name = if name == "@jkcfg/std/index" { "@jkcfg/std" } else { name };
    PUBLIC.iter().map(|(known, _)| *known).find(|known| *known == name)
}

/// The names that may follow `@jkcfg/std/`.
pub(crate) fn public_below() -> Vec<&'static str> {
    let names = PUBLIC.iter().filter_map(|(name, _)| name.strip_prefix("@jkcfg/std/"));
    names.chain(["resource"]).collect()
}

/// Whether a specifier names the module for the resources in the directory of its importer.
pub(super) fn is_resource(specifier: &str) -> bool {
    matches!(specifier, "@jkcfg/std/resource" | "@jkcfg/std/resource.js")
}

/// The names that a public module exports.
pub(crate) fn exports_of(name: &str) -> Option<&'static [&'static str]> {
    PUBLIC.iter().find(|(known, _)| *known == name).map(|(_, names)| *names)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_public_modules_export_are_known() {
        let check = |name: &str, names: &[&str]| {
            assert_eq!(exports_of(name), Some(names), "{name}");
        };
        check("@jkcfg/std/param", &["all", "Boolean", "Number", "String", "Object", "param"]);
        check("@jkcfg/std/fs", &["FileInfo", "Directory", "info", "dir", "join", "walk"]);
        check("@jkcfg/std/debug", &["echo", "echoSync"]);
    }
}
