//! Compiles the built-in modules to bytecode of the engine: parsing them would take most of the time
//! of a short run.

#![expect(clippy::disallowed_methods, reason = "a build script writes files")]

use std::error::Error;
use std::fmt::Write as _;
use std::path::PathBuf;
use std::{env, fs};

use rquickjs::loader::{BuiltinLoader, BuiltinResolver};
use rquickjs::{Context, Ctx, Module, Runtime, WriteOptions};

/// Modules that scripts may import, and their code.
const PUBLIC: [(&str, &str); 7] = [
    ("@jkcfg/std", include_str!("src/js/index.js")),
    ("@jkcfg/std/param", include_str!("src/js/param.js")),
    ("@jkcfg/std/fs", include_str!("src/js/fs.js")),
    ("@jkcfg/std/merge", include_str!("src/js/merge.js")),
    ("@jkcfg/std/schema", include_str!("src/js/schema.js")),
    ("@jkcfg/std/validation", include_str!("src/js/validation.js")),
    ("@jkcfg/std/debug", include_str!("src/js/debug.js")),
];

/// Modules that only built-in ones may import.
const INTERNAL: [(&str, &str); 9] = [
    ("plumb:command", include_str!("src/js/command.js")),
    ("plumb:console", include_str!("src/js/console.js")),
    ("plumb:generate", include_str!("src/js/generate.js")),
    ("plumb:globals", include_str!("src/js/globals.js")),
    ("plumb:host", include_str!("src/js/host.js")),
    ("plumb:prelude", include_str!("src/js/prelude.js")),
    ("plumb:resource", include_str!("src/js/resource.js")),
    ("plumb:validate", include_str!("src/js/validate.js")),
    ("plumb:values", include_str!("src/js/values.js")),
];

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=build.rs");
    let out = PathBuf::from(env::var_os("OUT_DIR").ok_or("cargo sets it")?);
    let runtime = Runtime::new()?;
    // The engine looks for imported modules when it compiles one.
    let (mut resolver, mut loader) = (BuiltinResolver::default(), BuiltinLoader::default());
    for (name, source) in PUBLIC.into_iter().chain(INTERNAL) {
        resolver.add_module(name);
        loader.add_module(name, source);
    }
    runtime.set_loader(resolver, loader);
    let context = Context::full(&runtime)?;
    let mut table = String::from("&[\n");
    for (at, (name, source)) in PUBLIC.into_iter().chain(INTERNAL).enumerate() {
        let path = out.join(format!("module{at}"));
        fs::write(&path, context.with(|ctx| bytecode(ctx, name, source))?)?;
        writeln!(table, "    ({name:?}, include_bytes!({:?})),", path.display().to_string())?;
    }
    fs::write(out.join("bytecode.rs"), table + "]")?;
    let mut table = String::from("&[\n");
    for (name, source) in PUBLIC {
        writeln!(table, "    ({name:?}, &{:?}),", exports(source)?)?;
    }
    fs::write(out.join("public.rs"), table + "]")?;
    Ok(())
}

/// A module with the names and lines that stack traces show.
fn bytecode(ctx: Ctx<'_>, name: &str, source: &str) -> rquickjs::Result<Vec<u8>> {
    let options = WriteOptions { strip_source: true, ..WriteOptions::default() };
    Module::declare(ctx, name, source)?.write(options)
}

/// The names that a module exports.
fn exports(source: &str) -> Result<Vec<&str>, Box<dyn Error>> {
    let mut names = Vec::new();
    for exported in source.lines().filter_map(|line| line.strip_prefix("export ")) {
        let found = names_in(exported);
        if found.is_empty() {
            return Err(format!("no name is exported by: {exported}").into());
        }
        names.extend(found);
    }
    Ok(names)
}

/// The names in the text after `export`: a declaration, or a list in braces.
fn names_in(exported: &str) -> Vec<&str> {
    if let Some(list) = exported.strip_prefix('{') {
        let (list, _) = list.split_once('}').unwrap_or((list, ""));
        return list.split(',').filter_map(|it| it.split_whitespace().last()).collect();
    }
    let keywords = ["async function ", "function* ", "function ", "const ", "class "];
    let declared = keywords.into_iter().find_map(|keyword| exported.strip_prefix(keyword));
    declared.and_then(|it| it.split(|it: char| !it.is_alphanumeric()).next()).into_iter().collect()
}
