//! Provides the modules that the engine requests.

use std::path::Path;
use std::rc::Rc;

use plumb_source::SourceKind;
use rquickjs::loader::bundle::Bundle;
use rquickjs::loader::{ImportAttributes, Loader, Resolver};
use rquickjs::module::Declared;
use rquickjs::{Ctx, Exception, Module, Result};

use crate::DependencyKind;
use crate::module::{self, BYTECODE, Content, ModuleError};
use crate::run::Run;
use crate::typescript::{self, Syntax};

pub(super) struct ModuleResolver(pub(super) Rc<Run>);

pub(super) struct ModuleLoader(pub(super) Rc<Run>);

impl Resolver for ModuleResolver {
    fn resolve<'js>(
        &mut self,
        ctx: &Ctx<'js>,
        base: &str,
        name: &str,
        _attributes: Option<ImportAttributes<'js>>,
    ) -> Result<String> {
        match module::resolve(&self.0, base, name) {
            Ok(resolved) => {
                // Modules of the command line were recorded when they were resolved.
                if !module::is_builtin(base)
                    && let Some(path) = module::full_path(&self.0, &resolved)
                {
                    let specifier = name.to_owned();
                    self.0.depend(DependencyKind::Import { specifier }, &path);
                }
                Ok(resolved)
            }
            Err(unresolved) => {
                let message = unresolved.message();
                self.0.modules.borrow_mut().unresolved = Some(unresolved);
                Err(Exception::throw_message(ctx, &message))
            }
        }
    }
}

impl Loader for ModuleLoader {
    fn load<'js>(
        &mut self,
        ctx: &Ctx<'js>,
        name: &str,
        _attributes: Option<ImportAttributes<'js>>,
    ) -> Result<Module<'js, Declared>> {
        if BYTECODE.iter().any(|(known, _)| *known == name) {
            return declare_builtin(ctx, name);
        }
        let first = self.0.modules.borrow_mut().first.take_if(|(it, _)| it == name);
        let source = first.map_or_else(|| load(&self.0, name), |(_, source)| Ok(source));
        let source = source.map_err(|problem| match problem {
            LoadError::Unreadable(message) => Exception::throw_message(ctx, &message),
            LoadError::Syntax(error) => {
                let message = error.message.clone();
                self.0.modules.borrow_mut().module_error = Some(error);
                Exception::throw_syntax(ctx, &message)
            }
        })?;
        Module::declare(ctx.clone(), name, source)
    }
}

/// Declares a built-in module.
pub(super) fn declare_builtin<'js>(ctx: &Ctx<'js>, name: &str) -> Result<Module<'js, Declared>> {
    Bundle(BYTECODE).load(ctx, name, None)
}

/// Translates the first module to JavaScript, so that its errors are reported before an engine
/// starts.
pub(super) fn load_first(run: &Run, name: &str) -> std::result::Result<(), ModuleError> {
    match load(run, name) {
        Ok(source) => {
            run.modules.borrow_mut().first = Some((name.to_owned(), source));
            Ok(())
        }
        Err(LoadError::Syntax(error)) => Err(error),
        // The engine tries again, and reports the error.
        Err(LoadError::Unreadable(_)) => Ok(()),
    }
}

enum LoadError {
    Unreadable(String),
    Syntax(ModuleError),
}

/// The code of a module of the user, or of the module for the resources of a directory.
fn load(run: &Run, name: &str) -> std::result::Result<String, LoadError> {
    let content = run.modules.borrow().get(name).map(|entry| entry.content.clone());
    match content {
        Some(Content::Resource(resource)) => Ok(format!(
            "import {{ bind }} from 'plumb:resource';\n\
             export const {{ read, dir, info, withModuleRef }} = bind({resource:?});\n"
        )),
        Some(Content::Text(text)) => {
            register(run, name, None, text.as_bytes().into());
            without_nul(name, &text)?;
            Ok(text)
        }
        Some(Content::Expression(code)) => {
            register(run, name, None, code.as_bytes().into());
            Ok(format!("{}{code}\n);", module::BEFORE_EXPRESSION))
        }
        Some(Content::File { root, path }) => {
            let root = run.modules.borrow().root(root);
            let full = root.full(&path);
            let bytes = run.world().read(&full);
            let bytes = bytes.map_err(|error| LoadError::Unreadable(error.to_string()))?;
            register(run, name, Some(&full), bytes.clone());
            let text = std::str::from_utf8(&bytes)
                .map_err(|_| LoadError::Unreadable(format!("{name} is not UTF-8")))?;
            without_nul(name, text)?;
            translate(name, text)
        }
        None => Err(LoadError::Unreadable(format!("no module is called {name}"))),
    }
}

/// Rejects a text with a NUL character, which the engine would treat as the end of the text.
fn without_nul(name: &str, text: &str) -> std::result::Result<(), LoadError> {
    if text.contains('\0') {
        return Err(LoadError::Unreadable(format!("{name} has a NUL character in it")));
    }
    Ok(())
}

/// Translates a module to JavaScript. Every character keeps its position.
fn translate(name: &str, text: &str) -> std::result::Result<String, LoadError> {
    match name.rsplit('.').next() {
        Some("ts" | "mts") => typescript(name, text, Syntax::TypeScript),
        Some("tsx" | "jsx") => typescript(name, text, Syntax::TypeScriptWithJsx),
        Some("json") => match serde_json::from_str::<serde::de::IgnoredAny>(text) {
            Ok(_) => Ok(format!("export default {text}")),
            Err(error) => Err(LoadError::Syntax(ModuleError {
                module: name.to_owned(),
                message: error.to_string(),
                line: error.line(),
                column: error.column(),
            })),
        },
        _ => Ok(text.to_owned()),
    }
}

fn typescript(name: &str, text: &str, syntax: Syntax) -> std::result::Result<String, LoadError> {
    typescript::strip(text, syntax).map_err(|refusal| {
        let (line, column) = refusal.position(text);
        let (module, message) = (name.to_owned(), refusal.message);
        LoadError::Syntax(ModuleError { module, message, line, column })
    })
}

fn register(run: &Run, name: &str, path: Option<&Path>, bytes: std::sync::Arc<[u8]>) {
    let (sources, kind) = (&run.surroundings.sources, SourceKind::Module);
    let file = match path {
        Some(path) => sources.add_file(name, path, kind, bytes),
        None => sources.add(name, kind, bytes),
    };
    run.modules.borrow_mut().set_file(name, file);
}
