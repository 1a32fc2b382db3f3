//! YAML files in one layout, their comments kept.

use plumb_diagnostic::Failure;
use plumb_library::{FileType, SilentDrops, SymlinkPolicy};
use plumb_source::{Sources, World};
use plumb_yaml::print::{self, Flavour};

use crate::Dialect;

/// Formats all YAML files that the arguments of `-f` name, one behind the other.
pub fn format(
    world: &dyn World,
    paths: &[String],
    dialect: Dialect,
    silent_drops: SilentDrops,
    flavour: Flavour,
    sources: &Sources,
) -> Result<Vec<u8>, Failure> {
    let collected = plumb_library::collect(world, paths, &SymlinkPolicy::default(), silent_drops)?;
    let options = dialect.read_options();
    let mut out = Vec::new();
    for input in collected.files.iter().filter(|it| it.file_type() == FileType::Yaml) {
        let file = input.source(world, sources)?;
        let documents = plumb_yaml::parse(file, sources.get(file).bytes(), &options)?;
        print::format(&documents, flavour, &mut out);
    }
    Ok(out)
}
