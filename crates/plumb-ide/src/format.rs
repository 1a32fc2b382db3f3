//! Formatting, as `plumb fmt` does it.

use plumb_yaml::print::{self, Flavour};

use crate::TextRange;
use crate::file::{File, FileKind};

pub(crate) fn format(file: &File) -> Option<(TextRange, String)> {
    if file.kind != FileKind::Yaml || !file.findings.is_empty() {
        return None;
    }
    let mut out = Vec::new();
    print::format(&file.documents, Flavour::Plumb, &mut out);
    let text = String::from_utf8(out).ok()?;
    let end = u32::try_from(file.text.len()).ok()?;
    (text.as_bytes() != &*file.text).then_some((0..end, text))
}
