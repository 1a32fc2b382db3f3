//! The annotations and built-in modules that templates can use, combined from the crates that
//! define them.

use std::sync::LazyLock;

use plumb_template::Vocabulary;

use crate::{modules, output_file, purpose};

static VOCABULARY: LazyLock<Vocabulary> = LazyLock::new(|| {
    let tables = [
        plumb_template::ANNOTATIONS,
        plumb_overlay::ANNOTATIONS,
        plumb_validation::ANNOTATIONS,
        plumb_schema::ANNOTATIONS,
        purpose::ANNOTATIONS,
        output_file::ANNOTATIONS,
        plumb_value::ANNOTATIONS,
    ];
    Vocabulary::new(&tables, modules::names())
});

/// Returns all known annotations and modules.
pub fn vocabulary() -> &'static Vocabulary {
    &VOCABULARY
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_annotation_is_documented() {
        let annotations = vocabulary().annotations();
        assert!(annotations.iter().any(|it| it.name == "overlay/match"));
        for it in annotations {
            assert!(it.summary.ends_with('.'), "{}: {}", it.name, it.summary);
        }
    }
}
