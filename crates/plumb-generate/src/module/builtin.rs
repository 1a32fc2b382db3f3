//! The modules that come with the program.

/// Whether only built-in modules may import a module of this name.
pub(super) fn is_internal(specifier: &str) -> bool {
    specifier.starts_with("plumb:")
}

/// Whether the code of a module is ours.
pub(crate) fn is_builtin(name: &str) -> bool {
    name.starts_with("plumb:") || name.starts_with("@jkcfg/std")
}

/// The name of the public module that a specifier means, if it means one: with or without `.js`.
pub(super) fn public_name(specifier: &str) -> Option<&'static str> {
    let path = specifier.strip_prefix("@jkcfg/std")?;
    let path = path.strip_suffix(".js").unwrap_or(path);
    Some(match path {
        "" | "/index" => "@jkcfg/std",
        "/param" => "@jkcfg/std/param",
        "/fs" => "@jkcfg/std/fs",
        "/merge" => "@jkcfg/std/merge",
        "/schema" => "@jkcfg/std/schema",
        "/debug" => "@jkcfg/std/debug",
        "/validation" => "@jkcfg/std/validation",
        _ => return None,
    })
}

/// Whether a specifier means the module that knows the directory of its importer.
pub(super) fn is_resource(specifier: &str) -> bool {
    matches!(specifier, "@jkcfg/std/resource" | "@jkcfg/std/resource.js")
}

/// The code of a built-in module.
pub(crate) fn source_of(name: &str) -> Option<&'static str> {
    Some(match name {
        "@jkcfg/std" => include_str!("../js/index.js"),
        "@jkcfg/std/param" => include_str!("../js/param.js"),
        "@jkcfg/std/fs" => include_str!("../js/fs.js"),
        "@jkcfg/std/merge" => include_str!("../js/merge.js"),
        "@jkcfg/std/schema" => include_str!("../js/schema.js"),
        "@jkcfg/std/debug" => include_str!("../js/debug.js"),
        "@jkcfg/std/validation" => include_str!("../js/validation.js"),
        "plumb:resource" => include_str!("../js/resource.js"),
        "plumb:generate" => include_str!("../js/generate.js"),
        "plumb:command" => include_str!("../js/command.js"),
        "plumb:judge" => include_str!("../js/judge.js"),
        "plumb:globals" => include_str!("../js/globals.js"),
        _ => return None,
    })
}

/// The names that a public module exports.
pub(crate) fn exports_of(name: &str) -> Option<Vec<&'static str>> {
    let source = source_of(name)?;
    let names = source.lines().filter_map(|line| {
        let declared = line.strip_prefix("export ")?;
        let (_, name) = ["async function ", "function* ", "function ", "const ", "class "]
            .into_iter()
            .find_map(|keyword| Some((keyword, declared.strip_prefix(keyword)?)))?;
        name.split(|it: char| !it.is_alphanumeric()).next()
    });
    Some(names.collect())
}
