//! The built-in modules.

/// Modules that scripts may import, and their code. One more has no fixed code: see
/// [`is_resource`].
const PUBLIC: [(&str, &str); 7] = [
    ("@jkcfg/std", include_str!("../js/index.js")),
    ("@jkcfg/std/param", include_str!("../js/param.js")),
    ("@jkcfg/std/fs", include_str!("../js/fs.js")),
    ("@jkcfg/std/merge", include_str!("../js/merge.js")),
    ("@jkcfg/std/schema", include_str!("../js/schema.js")),
    ("@jkcfg/std/validation", include_str!("../js/validation.js")),
    ("@jkcfg/std/debug", include_str!("../js/debug.js")),
];

/// Modules that only built-in ones may import.
const INTERNAL: [(&str, &str); 7] = [
    ("plumb:console", include_str!("../js/console.js")),
    ("plumb:values", include_str!("../js/values.js")),
    ("plumb:resource", include_str!("../js/resource.js")),
    ("plumb:generate", include_str!("../js/generate.js")),
    ("plumb:command", include_str!("../js/command.js")),
    ("plumb:validate", include_str!("../js/validate.js")),
    ("plumb:globals", include_str!("../js/globals.js")),
];

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

/// The code of a built-in module.
pub(crate) fn source_of(name: &str) -> Option<&'static str> {
    let mut all = PUBLIC.iter().chain(&INTERNAL);
    all.find(|(known, _)| *known == name).map(|(_, source)| *source)
}

/// The names that a public module exports.
pub(crate) fn exports_of(name: &str) -> Option<Vec<&'static str>> {
    let exported = source_of(name)?.lines().filter_map(|line| line.strip_prefix("export "));
    Some(exported.flat_map(names_in).collect())
}

/// The names in the text after `export`: a declaration, or a list in braces.
fn names_in(exported: &'static str) -> Vec<&'static str> {
    if let Some(list) = exported.strip_prefix('{') {
        let (list, _) = list.split_once('}').unwrap_or((list, ""));
        return list.split(',').filter_map(|it| it.split_whitespace().last()).collect();
    }
    let keywords = ["async function ", "function* ", "function ", "const ", "class "];
    let declared = keywords.into_iter().find_map(|keyword| exported.strip_prefix(keyword));
    declared.and_then(|it| it.split(|it: char| !it.is_alphanumeric()).next()).into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_public_modules_export_are_known() {
        let check = |name: &str, names: &[&str]| {
            assert_eq!(exports_of(name).as_deref(), Some(names), "{name}");
        };
        check("@jkcfg/std/param", &["all", "Boolean", "Number", "String", "Object", "param"]);
        check("@jkcfg/std/fs", &["FileInfo", "Directory", "info", "dir", "join", "walk"]);
        check("@jkcfg/std/debug", &["echo", "echoSync"]);
        for (name, source) in PUBLIC {
            let n_lines = source.lines().filter(|it| it.starts_with("export ")).count();
            let names = exports_of(name).unwrap_or_default();
            assert!(n_lines <= names.len(), "a line of {name} names nothing: {names:?}");
        }
    }
}
