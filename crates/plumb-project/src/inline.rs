//! Targets that another file, such as a test suite, describes with the same keys.

use std::path::Path;

use plumb_diagnostic::Diagnostic;
use plumb_source::Origin;
use plumb_value::{Map, MapItem};

use crate::Target;
use crate::fields::Written;
use crate::inherit::From;
use crate::paths::Base;
use crate::read;
use crate::settings::Builder;

/// Creates a target from flags in the file at `path`. Relative paths start at its directory.
/// Mistakes are added to `findings`, and the target may then be missing.
pub fn inline_target(
    name: &Written,
    flags: &[MapItem],
    path: &Path,
    findings: &mut Vec<Diagnostic>,
) -> Option<Target> {
    let map = Map::new(flags.to_vec(), Origin::Unknown);
    let entries = read::flags(&map, findings);
    let settings: Vec<_> = entries.into_iter().map(|it| (From::Target, it)).collect();
    let is_whole = findings.is_empty();
    Builder { base: &Base::of_file(path), is_whole, findings }.target(name, &settings)
}
