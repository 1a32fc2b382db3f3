//! Selection ranges: a word, a chain of names, brackets, a line, a key with its value, its parents.

use plumb_starlark::outline::{Word, WordKind};

use crate::TextRange;
use crate::file::File;
use crate::symbols::{self, Symbol};
use crate::words::Chain;

/// The ranges around an offset, each inside the next one. The last is the whole text.
pub(crate) fn selections(file: &File, offset: u32) -> Vec<TextRange> {
    let end = u32::try_from(file.text.len()).unwrap_or(u32::MAX);
    let offset = offset.min(end);
    let mut found: Vec<TextRange> = Vec::new();
    add_symbols(&symbols::symbols(file), offset, &mut found);
    found.push(0..end);
    let text = &file.text[file.line_start(offset) as usize..file.line_end(offset) as usize];
    let indent = text.iter().take_while(|it| **it == b' ').count();
    let indent = u32::try_from(indent).unwrap_or_default();
    found.push((file.line_start(offset) + indent).min(offset)..file.line_end(offset));
    let words: Vec<Word> =
        file.outline.code.words.iter().filter(|it| it.span.file == file.id).copied().collect();
    found.extend(brackets(&words, offset));
    if let Some(chain) = Chain::at(file, offset) {
        let first = chain.parts[0].span.start;
        found.extend(chain.parts[chain.at..].iter().map(|it| first..it.span.end));
    }
    let touches = |it: &&Word| it.span.start <= offset && offset <= it.span.end;
    found.extend(words.iter().find(touches).map(|it| it.span.start..it.span.end));
    found.extend(plain_word(&file.text, offset));
    found.sort_by_key(|it| (it.end - it.start, it.start));
    found.dedup();
    nested(found)
}

/// Filters ranges so that each contains the one before it.
fn nested(ranges: Vec<TextRange>) -> Vec<TextRange> {
    let mut nested: Vec<TextRange> = Vec::new();
    for range in ranges {
        let contains = |it: &TextRange| range.start <= it.start && it.end <= range.end;
        if nested.last().is_none_or(contains) {
            nested.push(range);
        }
    }
    nested
}

fn add_symbols(symbols: &[Symbol], offset: u32, found: &mut Vec<TextRange>) {
    let around = symbols.iter().filter(|it| it.range.start <= offset && offset <= it.range.end);
    for symbol in around {
        found.push(symbol.range.clone());
        add_symbols(&symbol.children, offset, found);
    }
}

/// The text between brackets around an offset, and the same text with the brackets.
fn brackets(words: &[Word], offset: u32) -> Vec<TextRange> {
    let mut open: Vec<u32> = Vec::new();
    let mut found = Vec::new();
    for word in words {
        match word.kind {
            WordKind::Open => open.push(word.span.start),
            WordKind::Close => {
                let Some(start) = open.pop() else { continue };
                if start < offset && offset < word.span.end {
                    found.push(start + 1..word.span.start);
                    found.push(start..word.span.end);
                }
            }
            _ => {}
        }
    }
    found
}

fn plain_word(text: &[u8], offset: u32) -> Option<TextRange> {
    let is_word = |it: &u8| it.is_ascii_alphanumeric() || *it == b'_' || *it >= 0x80;
    let at = offset as usize;
    let before = text[..at].iter().rev().take_while(|it| is_word(it)).count();
    let after = text[at..].iter().take_while(|it| is_word(it)).count();
    let start = u32::try_from(at - before).ok()?;
    (before + after > 0).then_some(start..u32::try_from(at + after).ok()?)
}
