//! Reads large texts of many documents in several pieces, in parallel.
//!
//! A text is cut only at lines with `---`, so that every piece contains whole documents, and
//! positions are those of the whole text. Comments may belong to a document in the next piece, and
//! directives to the marker after them, so texts with comments or directives are not cut. If a
//! piece has an error, the whole text is read again to report it.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};

use memchr::memmem;
use plumb_source::{Cores, FileId};
use plumb_value::Document;

use super::error::{Beginning, Result};
use super::parser::Parser;
use super::{ReadOptions, beginning, input};

/// The minimum size of a piece for which a thread is worthwhile, in bytes.
const MIN_PIECE: usize = 128 << 10;
/// The number of pieces for each thread, so that no thread waits long for the last piece.
const PIECES_PER_CORE: usize = 4;
/// The usual size of a piece whose documents are dropped after use, in bytes.
const DROPPED: usize = 256 << 10;
/// The maximum size of such a piece: not much is gained by dropping a large part of a text.
const LARGEST: usize = 4 * DROPPED;

/// Returns the documents of a text. Returns `None` if it cannot be read in pieces.
pub(super) fn read(
    file: FileId,
    bytes: &[u8],
    options: &ReadOptions,
    cores: Cores,
) -> Option<Vec<Document>> {
    if cores == Cores::ONE || options.comments || bytes.len() < 2 * MIN_PIECE {
        return None;
    }
    let text = input::check(bytes).ok()?;
    let n_pieces = (cores.count() * PIECES_PER_CORE).min(text.len() / MIN_PIECE);
    read_cut(file, text, options, cores, n_pieces)
}

fn read_cut(
    file: FileId,
    text: &str,
    options: &ReadOptions,
    cores: Cores,
    n_pieces: usize,
) -> Option<Vec<Document>> {
    if !can_be_cut(text, options) {
        return None;
    }
    let pieces = cut(text.as_bytes(), n_pieces);
    if pieces.len() < 2 {
        return None;
    }
    let read = cores.map(&pieces, |piece| read_piece(file, text, options, piece));
    let read = read.into_iter().collect::<Result<Vec<Vec<Document>>>>().ok()?;
    Some(read.into_iter().flatten().collect())
}

/// Returns whether each piece of a text can be read without the others.
fn can_be_cut(text: &str, options: &ReadOptions) -> bool {
    let has_directives =
        || text.starts_with('%') || memmem::find(text.as_bytes(), b"\n%").is_some();
    !options.comments && !has_directives()
}

fn read_piece(
    file: FileId,
    text: &str,
    options: &ReadOptions,
    piece: &Range<usize>,
) -> Result<Vec<Document>> {
    let begins = if piece.start == 0 { beginning(text.as_bytes()) } else { Beginning::Marked };
    Parser::of_piece(&text[..piece.end], piece.start, file, options).documents(begins)
}

/// Reads a text in pieces and passes the documents of each to `take`, with the size of their text.
/// Returns `None` if there is a mistake in the text, if a piece is too large, or if `take` returns
/// `None`.
pub(super) fn take<T: Send>(
    file: FileId,
    bytes: &[u8],
    options: &ReadOptions,
    cores: Cores,
    take: impl Fn(Vec<Document>, usize) -> Option<T> + Sync,
) -> Option<Vec<T>> {
    let text = input::check(bytes).ok()?;
    let n_pieces = if can_be_cut(text, options) { text.len().div_ceil(DROPPED) } else { 1 };
    taken(file, text, options, cores, n_pieces, take)
}

#[expect(clippy::too_many_arguments, reason = "tests choose the number of pieces")]
fn taken<T: Send>(
    file: FileId,
    text: &str,
    options: &ReadOptions,
    cores: Cores,
    n_pieces: usize,
    take: impl Fn(Vec<Document>, usize) -> Option<T> + Sync,
) -> Option<Vec<T>> {
    let has_failed = AtomicBool::new(false);
    let pieces = cut(text.as_bytes(), n_pieces);
    if pieces.iter().any(|it| it.len() > LARGEST) {
        return None;
    }
    let taken = cores.map(&pieces, |piece| {
        if has_failed.load(Ordering::Relaxed) {
            return None;
        }
        let read = read_piece(file, text, options, piece).ok();
        let taken = read.and_then(|it| take(it, piece.len()));
        has_failed.fetch_or(taken.is_none(), Ordering::Relaxed);
        taken
    });
    taken.into_iter().collect()
}

/// Cuts a text into about `n_pieces` pieces of about the same length.
fn cut(text: &[u8], n_pieces: usize) -> Vec<Range<usize>> {
    let mut pieces = Vec::new();
    let mut start = 0;
    for number in 1..n_pieces {
        let wanted = text.len() / n_pieces * number;
        let end = if wanted < start { None } else { marker_from(text, wanted) };
        if let Some(end) = end.filter(|&end| end > start) {
            pieces.push(start..end);
            start = end;
        }
    }
    pieces.push(start..text.len());
    pieces
}

/// Returns where the next line with a document marker begins.
fn marker_from(text: &[u8], mut at: usize) -> Option<usize> {
    const MARKER: &[u8] = b"\n---";
    loop {
        let found = at + memmem::find(&text[at..], MARKER)?;
        at = found + MARKER.len();
        if matches!(text.get(at), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            return Some(found + 1);
        }
    }
}

#[cfg(test)]
mod tests {
    use plumb_source::{SourceKind, Sources};

    use super::*;
    use crate::read::parse;

    const TEXTS: [&str; 4] = [
        "a: 1\n---\n- b\n- c: |\n    ---\n    x\n--- text\n---\n{d: [e]}\n",
        "---\na: &x 1\nb: *x\n...\n---\n---\nc: 'long\n  text'\n\n\n---\n|\n literal\n",
        "---\r\na: 1\r\n---\r\nb: 2\r\n---- : not a marker\r\n",
        "a:\n- 1\n- 2\n---\nb:\n  c:\n    d: e\n---\nf: >\n  folded\n\n---\ng\n",
    ];

    fn options() -> ReadOptions {
        ReadOptions { comments: false, ..ReadOptions::default() }
    }

    fn file(text: &str) -> FileId {
        Sources::new().add("a.yml", SourceKind::File, text.as_bytes().into())
    }

    #[test]
    fn pieces_give_the_documents_of_the_whole() {
        for text in TEXTS {
            let whole = parse(file(text), text.as_bytes(), &options()).expect("right texts");
            for n_pieces in 2..12 {
                let pieces = read_cut(file(text), text, &options(), Cores::new(3), n_pieces);
                if let Some(pieces) = pieces {
                    assert_eq!(format!("{pieces:?}"), format!("{whole:?}"), "{text:?}");
                } else {
                    assert!(cut(text.as_bytes(), n_pieces).len() < 2, "{text:?} is not cut");
                }
            }
        }
    }

    #[test]
    fn pieces_that_are_taken_give_the_documents_of_the_whole() {
        for text in TEXTS.into_iter().chain(["%YAML 1.1\n---\na: 1\n---\nb: 2\n"]) {
            let whole = parse(file(text), text.as_bytes(), &options()).expect("right texts");
            for cores in [Cores::ONE, Cores::new(3)] {
                for n_pieces in 1..12 {
                    let n_pieces = if can_be_cut(text, &options()) { n_pieces } else { 1 };
                    let keep = |documents, _| Some(documents);
                    let pieces = taken(file(text), text, &options(), cores, n_pieces, keep);
                    let pieces: Vec<Document> = pieces.into_iter().flatten().flatten().collect();
                    assert_eq!(format!("{pieces:?}"), format!("{whole:?}"), "{text:?}");
                }
            }
        }
    }

    #[test]
    fn a_mistake_in_a_piece_leaves_nothing() {
        let text = "a: 1\n---\nb: [\n---\nc: 3\n";
        for n_pieces in 1..4 {
            let keep = |documents, _| Some(documents);
            let pieces = taken(file(text), text, &options(), Cores::new(2), n_pieces, keep);
            assert!(pieces.is_none());
        }
        let take = |text: &str, result: Option<()>| {
            take(file(text), text.as_bytes(), &options(), Cores::ONE, |_, _| result)
        };
        assert!(take("a: 1\n---\nb: 2\n", Some(())).is_some());
        assert!(take("a: 1\n---\nb: 2\n", None).is_none());
        assert!(take(&"- a\n".repeat(LARGEST), Some(())).is_none());
    }

    #[test]
    fn what_only_the_whole_can_tell_is_left_to_it() {
        for text in ["a: 1\n%YAML 1.1\n---\nb\n", "a: 'open\n---\nb: c'\n", "a: &x 1\n---\nb: *x\n"]
        {
            assert!(read_cut(file(text), text, &options(), Cores::new(2), 8).is_none(), "{text:?}");
        }
    }
}
