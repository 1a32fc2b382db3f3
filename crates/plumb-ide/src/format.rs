//! Formatting, as `plumb fmt` does it.

use plumb_yaml::ReadOptions;

use crate::TextRange;
use crate::file::{File, FileKind};

pub(crate) fn format(file: &File) -> Option<(TextRange, String)> {
    if file.kind != FileKind::Yaml || !file.findings.is_empty() {
        return None;
    }
    let text = plumb_yaml::reindent(file.id, &file.text, &ReadOptions::default()).ok()?;
    let text = String::from_utf8(text).ok()?;
    let end = u32::try_from(file.text.len()).ok()?;
    (text.as_bytes() != &*file.text).then_some((0..end, text))
}
