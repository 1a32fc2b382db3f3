//! Strings in code that name files: modules of `load`, files of `data.read`, libraries.

use std::path::{Path, PathBuf};

use plumb::World;
use plumb::world::EntryKind;
use plumb_source::lexical;
use plumb_starlark::outline::{Word, WordKind};

use crate::TextRange;
use crate::file::File;
use crate::navigation::module_path;
use crate::overlay::Overlay;

/// A string that names a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Link {
    /// The text inside the quotes.
    pub range: TextRange,
    pub path: PathBuf,
}

pub(crate) fn links(file: &File, path: &Path, overlay: &Overlay) -> Vec<Link> {
    let words: Vec<Word> =
        file.outline.code.words.iter().filter(|it| it.span.file == file.id).copied().collect();
    let link = |at: usize| {
        let word = words[at];
        let range = word.span.start + 1..word.span.end.checked_sub(1)?;
        let name =
            file.slice(plumb_source::Span { start: range.start, end: range.end, ..word.span });
        let target = target(called(file, &words, at)?, name, path, overlay)?;
        Some(Link { range, path: target })
    };
    let strings = (0..words.len()).filter(|at| words[*at].kind == WordKind::String);
    strings.filter_map(link).collect()
}

/// A call that takes the name of a file or library.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Taker {
    Load,
    DataRead,
    Library,
}

/// The call whose first argument is the string at an index.
fn called(file: &File, words: &[Word], at: usize) -> Option<Taker> {
    let open = words.get(at.checked_sub(1)?)?;
    let name = words.get(at.checked_sub(2)?)?;
    if open.kind != WordKind::Open {
        return None;
    }
    let before = |n: usize| at.checked_sub(n).map_or("", |it| file.slice(words[it].span));
    taker(file.slice(name.span), before(4))
}

/// The kind of a call, by the name of the function and of the module before its dot.
pub(crate) fn taker(name: &str, module: &str) -> Option<Taker> {
    match (module, name) {
        (_, "load") => Some(Taker::Load),
        ("data", "read" | "list") => Some(Taker::DataRead),
        ("library", "get") => Some(Taker::Library),
        _ => None,
    }
}

fn target(taker: Taker, name: &str, path: &Path, overlay: &Overlay) -> Option<PathBuf> {
    match taker {
        Taker::Load | Taker::DataRead => {
            let found = module_path(path, name, overlay)?;
            (overlay.entry(&found).ok()? == EntryKind::File).then_some(found)
        }
        Taker::Library => {
            let libraries = libraries(path, overlay)?;
            let found = lexical::clean(&libraries.join(name));
            overlay.entry(&found).is_ok().then_some(found)
        }
    }
}

/// The directory of the libraries that a file can use.
pub(crate) fn libraries(path: &Path, overlay: &Overlay) -> Option<PathBuf> {
    let candidates = path.ancestors().skip(1).map(|it| it.join("_ytt_lib"));
    candidates.into_iter().find(|it| overlay.entry(it).ok() == Some(EntryKind::Directory))
}
