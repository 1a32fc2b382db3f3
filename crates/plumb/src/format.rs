//! YAML files in one layout, their comments kept.

use plumb_diagnostic::Failure;
use plumb_library::{FileType, SilentDrops, SymlinkPolicy};
use plumb_source::{Sources, World};
use plumb_yaml::print::{self, Flavour};

use crate::Dialect;

/// Formats all YAML files that the arguments of `-f` name, one behind the other, into `out`. If one
/// is broken, those before it are there already.
pub fn format(
    world: &dyn World,
    paths: &[String],
    dialect: Dialect,
    silent_drops: SilentDrops,
    flavour: Flavour,
    sources: &Sources,
    out: &mut Vec<u8>,
) -> Result<(), Failure> {
    let collected = plumb_library::collect(world, paths, &SymlinkPolicy::default(), silent_drops)?;
    let options = dialect.read_options();
    for input in collected.files.iter().filter(|it| it.file_type() == FileType::Yaml) {
        let file = input.source(world, sources)?;
        let documents = plumb_yaml::parse(file, sources.get(file).bytes(), &options)?;
        print::format(&documents, flavour, out);
    }
    Ok(())
}
