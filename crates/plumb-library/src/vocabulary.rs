//! The words that templates can use, joined from the crates that define them: built-in modules.

use plumb_stdlib::ModuleDoc;

use crate::{data_module, library_module};

/// Returns the documentation of all built-in modules, by name.
pub fn module_docs() -> Vec<ModuleDoc> {
    let own = [data_module::MODULE.doc(), library_module::MODULE.doc()];
    let mut docs: Vec<ModuleDoc> = plumb_stdlib::module_docs().chain(own).collect();
    docs.sort_by_key(|it| it.name);
    docs
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn advice_names_all_modules() {
        let names: Vec<&str> = module_docs().iter().map(|it| it.name).collect();
        assert_eq!(names, plumb_template::MODULES);
    }
}
