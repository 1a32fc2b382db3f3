//! Suggests alternatives to users who know JavaScript from other environments.

use crate::Dialect;
use crate::module::{self, ResolveError};
use crate::run::Run;

/// Modules that node provides.
const NODE_MODULES: [&str; 14] = [
    "assert",
    "buffer",
    "child_process",
    "crypto",
    "events",
    "fs",
    "http",
    "https",
    "os",
    "path",
    "process",
    "stream",
    "url",
    "util",
];

/// The suggestion for an error with this message.
pub(super) fn for_message(run: &Run, message: &str) -> Option<String> {
    if run.request.dialect == Dialect::Jk {
        return None;
    }
    if message.ends_with(IS_AMBIGUOUS) {
        return Some("import it from one of the modules that it comes from".to_owned());
    }
    if let Some((_, module)) = missing_export(message) {
        let exports = module::exports_of(module)?;
        return Some(format!("{module} exports {}", exports.join(", ")));
    }
    for_name(message.strip_suffix(" is not defined")?).map(str::to_owned)
}

/// The end of the engine's message about a name that two modules export through `export *`.
const IS_AMBIGUOUS: &str = " is ambiguous";

/// The name and the module of an import, if the name is not exported, or exported by two modules.
pub(super) fn missing_export(message: &str) -> Option<(&str, &str)> {
    let missing = message.strip_prefix("Could not find export '");
    let ambiguous = || message.strip_prefix("export '")?.strip_suffix(IS_AMBIGUOUS);
    let (name, module) = missing.or_else(ambiguous)?.split_once("' in module '")?;
    Some((name, module.strip_suffix('\'')?))
}

/// The replacement for a feature of other environments.
fn for_name(name: &str) -> Option<&'static str> {
    Some(match name {
        "require" | "module" | "exports" => {
            "scripts are ES modules: `import … from …` and `export default …`"
        }
        "process" | "Deno" | "Bun" => {
            "scripts have no environment and no arguments: give a parameter with -p NAME=VALUE, \
             and read it with `param.String('NAME')` of '@jkcfg/std/param'"
        }
        "fetch" | "XMLHttpRequest" | "WebSocket" => {
            "scripts have no network: `read` of '@jkcfg/std' reads files"
        }
        "setTimeout" | "setInterval" | "setImmediate" => {
            "scripts have no timers: call the function directly"
        }
        "__dirname" | "__filename" => {
            "`read` of '@jkcfg/std/resource' reads files next to the module"
        }
        "Buffer" => "`read` of '@jkcfg/std' with `encoding: Encoding.Bytes` returns bytes",
        _ => return None,
    })
}

/// The suggestion for an import that cannot be resolved.
pub(super) fn for_import(run: &Run, unresolved: &ResolveError) -> Option<String> {
    let specifier = unresolved.specifier.as_str();
    if run.request.dialect == Dialect::Jk || unresolved.is_of_command_line() {
        return None;
    }
    if let Some(directory) = &unresolved.commonjs {
        return Some(format!(
            "{directory} exists, but its package.json does not name an ES module: import one of its \
             files"
        ));
    }
    let bare = specifier.strip_prefix("node:").unwrap_or(specifier);
    let is_of_node = bare.len() < specifier.len() || NODE_MODULES.contains(&bare);
    if is_of_node {
        return Some(
            "scripts cannot use the modules of Node.js: '@jkcfg/std' and '@jkcfg/std/fs' read and \
             write files"
                .to_owned(),
        );
    }
    if specifier.contains("://") {
        return Some("modules are not downloaded: install the module, or copy it".to_owned());
    }
    if specifier.starts_with("@jkcfg/std/") {
        let below = module::public_below().join(", ");
        return Some(format!("the standard modules are '@jkcfg/std' and, below it, {below}"));
    }
    let is_bare = !specifier.starts_with('.') && !specifier.starts_with('/');
    is_bare.then(|| {
        format!("install it with `npm install {specifier}`, or write './{specifier}' for a file next to the module")
    })
}
