//! The built-in modules that the files of a run can load: those of the standard library, and two
//! that depend on the file that loads them.

use std::sync::Arc;

use plumb_stdlib::ModuleDoc;

use crate::environment::{FileLoader, ModuleSource};
use crate::evaluation::Evaluations;
use crate::library_module::Context;
use crate::run::Run;
use crate::{data_module, library_module};

/// Returns the function that creates the modules of a run.
pub(crate) fn of_run(run: &Run) -> Arc<ModuleSource> {
    let evaluations: Arc<Evaluations> = Arc::default();
    // Evaluations and modules refer to each other.
    let weak = Arc::downgrade(&evaluations);
    run.runtime.at_end(move || weak.upgrade().iter().for_each(|it| it.clear()));
    Arc::new(move |name: &str, loader: &FileLoader| match name {
        "data" => Some(data_module::MODULE.module(loader)),
        "library" => {
            let context = Context { loader: loader.clone(), evaluations: Arc::clone(&evaluations) };
            Some(library_module::MODULE.module(&context))
        }
        other => plumb_stdlib::module(other),
    })
}

/// Returns the names of all built-in modules.
pub(crate) fn names() -> impl Iterator<Item = &'static str> {
    plumb_stdlib::module_names().chain([data_module::MODULE.name, library_module::MODULE.name])
}

/// Returns the documentation of all built-in modules, by name.
pub fn module_docs() -> Vec<ModuleDoc> {
    let own = [data_module::MODULE.doc(), library_module::MODULE.doc()];
    let mut docs: Vec<ModuleDoc> = plumb_stdlib::module_docs().chain(own).collect();
    docs.sort_by_key(|it| it.name);
    docs
}
