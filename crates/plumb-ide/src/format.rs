//! Formatting of a part of a file.

use crate::TextRange;
use crate::file::File;

/// The changes that format the blocks that a range touches, as `plumb fmt` would in the whole file.
/// A block begins at a key in the first column: its indentation does not depend on other blocks.
pub(crate) fn format_range(file: &File, range: &TextRange) -> Vec<(TextRange, String)> {
    let Some((_, formatted)) = file.formatted() else { return Vec::new() };
    let Ok(text) = std::str::from_utf8(&file.text) else { return Vec::new() };
    let (old, new) = (blocks(text), blocks(&formatted));
    // Formatting changes only white space, so the blocks correspond to each other.
    if old.len() != new.len() {
        return Vec::new();
    }
    let touches =
        |it: &TextRange| it.start < range.end.max(range.start + 1) && range.start < it.end;
    let pairs = old.iter().zip(&new).filter(|(old, _)| touches(old));
    pairs
        .filter_map(|(old, new)| {
            let new_text = &formatted[new.start as usize..new.end as usize];
            let old_text = &text[old.start as usize..old.end as usize];
            (new_text != old_text).then(|| (old.clone(), new_text.to_owned()))
        })
        .collect()
}

/// The ranges of the blocks of a text. Together they cover the whole text.
fn blocks(text: &str) -> Vec<TextRange> {
    let mut blocks: Vec<TextRange> = Vec::new();
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let end = at + u32::try_from(line.len()).unwrap_or_default();
        let begins = line.starts_with(|it: char| !it.is_whitespace() && !matches!(it, '-' | '#'));
        match blocks.last_mut() {
            Some(last) if !begins && !line.starts_with("---") => last.end = end,
            _ => blocks.push(at..end),
        }
        at = end;
    }
    blocks
}
