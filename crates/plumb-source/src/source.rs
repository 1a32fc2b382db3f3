//! Source texts, and the lines and columns of their byte offsets.

use std::borrow::Cow;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, RwLock};

use memchr::{memchr_iter, memchr2, memchr2_iter, memmem};

use crate::{FileId, Span, lexical};

/// One text that values may come from: a file, or the raw argument of a flag.
#[derive(Debug)]
pub struct Source {
    name: String,
    location: Location,
    kind: SourceKind,
    bytes: Arc<[u8]>,
    /// The number of the first line. It is above 1 for a text that is part of another one.
    first_line: u32,
    /// Byte offsets at which lines start; computed when the first line number is needed.
    line_starts: OnceLock<Vec<u32>>,
    /// The state at the start of each line; computed when the first line is shown.
    line_states: OnceLock<Vec<LineState>>,
}

/// The state at the start of a line. It determines which parts of the line are values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineState {
    /// Nothing: the line begins with a key, an item, a value or a comment.
    Open,
    /// The code of a text template.
    Code,
    /// A block scalar, whose lines are indented by more than `parent` columns.
    BlockScalar {
        /// The indentation of the node that contains the scalar.
        parent: i32,
    },
    /// A scalar without quotes. Lines that are indented by more than `parent` continue it.
    PlainScalar {
        /// The indentation of the node that contains the scalar.
        parent: i32,
    },
    /// A quoted scalar, inside this number of flow collections.
    Quoted {
        /// The quote that ends the string.
        quote: char,
        /// The number of open brackets around the string.
        depth: u32,
    },
    /// This number of flow collections.
    Flow {
        /// The number of open brackets.
        depth: u32,
    },
}

/// Where a text was read from, in the form that users know.
#[derive(Clone, Debug)]
enum Location {
    /// It is the name of the source.
    Named,
    /// A file, which the run may know by another name.
    Path(PathBuf),
    /// Not a file: the address of a URL, or a description such as `(standard input)`.
    Elsewhere(String),
}

/// The kind of a source, which determines what its name refers to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SourceKind {
    /// A file, standard input or a URL; the name is its path below the root.
    File,
    /// A file of plain code.
    Module,
    /// A text template: a file, or a string inside one.
    Text,
    /// A command-line flag. The name is the name of the flag, and the text is its argument.
    Flag,
    /// An environment variable.
    Environment,
    /// A string that a program decoded.
    Memory,
}

/// All sources of a run. A source can be added without exclusive access, so files can be read on
/// all cores.
#[derive(Debug, Default)]
pub struct Sources {
    sources: RwLock<Vec<Arc<Source>>>,
    /// The files, if each file is added only once: see [`Sources::shared`].
    files: Option<Mutex<HashMap<FileKey, FileId>>>,
}

/// The identity of a file: name, path and kind.
type FileKey = (String, PathBuf, SourceKind);

impl Sources {
    /// An empty collection of sources.
    pub fn new() -> Self {
        Self::default()
    }

    /// An empty collection of sources for several runs. A file that is added again, with the same
    /// name, path and content, keeps its id.
    pub fn shared() -> Self {
        Self { files: Some(Mutex::default()), ..Self::default() }
    }

    /// Adds a source and returns the id that its spans contain.
    ///
    /// # Panics
    ///
    /// Panics if the text is longer than 4 GiB; readers reject such input first.
    pub fn add(&self, name: impl Into<String>, kind: SourceKind, bytes: Arc<[u8]>) -> FileId {
        self.push(Source::new(name.into(), kind, bytes))
    }

    /// Adds a file whose name in the run differs from its path.
    pub fn add_file(&self, name: &str, path: &Path, kind: SourceKind, bytes: Arc<[u8]>) -> FileId {
        let location = Location::Path(path.to_owned());
        self.add_once(&(name.to_owned(), path.to_owned(), kind), location, bytes)
    }

    /// Adds a file that is known only by its name.
    pub fn add_named(&self, name: &str, kind: SourceKind, bytes: Arc<[u8]>) -> FileId {
        self.add_once(&(name.to_owned(), PathBuf::new(), kind), Location::Named, bytes)
    }

    fn add_once(&self, key: &FileKey, location: Location, bytes: Arc<[u8]>) -> FileId {
        let add = |bytes| {
            let source = Source::new(key.0.clone(), key.2, bytes);
            self.push(Source { location, ..source })
        };
        let Some(files) = &self.files else { return add(bytes) };
        let mut files = files.lock().expect("no holder of this lock panics");
        let known = files.get(key).copied().filter(|it| *self.get(*it).bytes() == bytes);
        known.unwrap_or_else(|| {
            let id = add(bytes);
            files.insert(key.clone(), id);
            id
        })
    }

    /// Returns a key for sorting sources, in an order that does not depend on other runs: the path
    /// for a file that runs share, and otherwise the order in which sources were added.
    pub fn sort_key(&self, file: FileId) -> (PathBuf, FileId) {
        let path = match &self.get(file).location {
            Location::Path(path) if self.files.is_some() => path.clone(),
            Location::Path(_) | Location::Named | Location::Elsewhere(_) => PathBuf::new(),
        };
        (path, file)
    }

    /// Adds a text that was not read from a file. The description names its origin for users.
    pub fn add_elsewhere(
        &self,
        name: &str,
        location: &str,
        kind: SourceKind,
        bytes: Arc<[u8]>,
    ) -> FileId {
        let source = Source::new(name.to_owned(), kind, bytes);
        self.push(Source { location: Location::Elsewhere(location.to_owned()), ..source })
    }

    /// Adds a text that is part of another source, at the place `outer`.
    pub fn add_inside(&self, outer: Span, kind: SourceKind, bytes: Arc<[u8]>) -> FileId {
        let outer_source = self.get(outer.file);
        let source = Source::new(outer_source.name.clone(), kind, bytes);
        let location = outer_source.location.clone();
        let first_line = outer_source.line(outer.start);
        self.push(Source { location, first_line, ..source })
    }

    fn push(&self, source: Source) -> FileId {
        let mut sources = self.sources.write().expect("no holder of this lock panics");
        let id = FileId::of_position(sources.len());
        sources.push(Arc::new(source));
        id
    }

    /// Returns the source with this id. Panics if the id comes from another `Sources`.
    pub fn get(&self, file: FileId) -> Arc<Source> {
        let sources = self.sources.read().expect("no holder of this lock panics");
        Arc::clone(&sources[file.position()])
    }

    /// Returns the size of all texts, in bytes.
    pub fn size(&self) -> usize {
        let sources = self.sources.read().expect("no holder of this lock panics");
        sources.iter().map(|it| it.bytes.len()).sum()
    }

    /// Returns the place of a span as `name:line`, with the name of the source in the run. A source
    /// without a name has only lines.
    pub fn place(&self, span: Span) -> String {
        let source = self.get(span.file);
        let line = source.line(span.start);
        match source.name() {
            "" => line.to_string(),
            name => format!("{}:{line}", lexical::one_line(name)),
        }
    }
}

impl Source {
    fn new(name: String, kind: SourceKind, bytes: Arc<[u8]>) -> Self {
        assert!(u32::try_from(bytes.len()).is_ok(), "a source is at most 4 GiB");
        Self {
            name,
            location: Location::Named,
            kind,
            bytes,
            first_line: 1,
            line_starts: OnceLock::new(),
            line_states: OnceLock::new(),
        }
    }

    /// Returns the name of the source in the run. It is empty for a value inside the argument of a
    /// flag.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the path of the file, as it is found from the working directory. Returns `None` if
    /// the text was not read from a file.
    pub fn path(&self) -> Option<&Path> {
        let is_file = matches!(self.kind, SourceKind::File | SourceKind::Module | SourceKind::Text);
        match &self.location {
            Location::Path(path) => Some(path),
            Location::Named if is_file && !self.name.is_empty() => Some(Path::new(&self.name)),
            Location::Named | Location::Elsewhere(_) => None,
        }
    }

    /// Returns where users find the text: the path of a file as they gave it, or a description of
    /// another origin. Never empty.
    pub fn location(&self) -> Cow<'_, str> {
        match &self.location {
            Location::Path(path) => {
                let path = path.to_string_lossy();
                match std::path::MAIN_SEPARATOR {
                    '/' => path,
                    separator => path.replace(separator, "/").into(),
                }
            }
            Location::Elsewhere(description) => description.into(),
            // A value inside the argument of a flag is a separate source without a name.
            Location::Named if self.name.is_empty() => match self.kind {
                SourceKind::Flag => "(argument of a flag)".into(),
                SourceKind::Environment => "(environment variable)".into(),
                SourceKind::File | SourceKind::Module | SourceKind::Text | SourceKind::Memory => {
                    "(text in memory)".into()
                }
            },
            Location::Named => (&*self.name).into(),
        }
    }

    /// Returns what the name of the source refers to.
    pub fn kind(&self) -> SourceKind {
        self.kind
    }

    /// Returns the text of the source.
    pub fn bytes(&self) -> &Arc<[u8]> {
        &self.bytes
    }

    /// Returns whether a text occurs in the source.
    pub fn contains(&self, text: &[u8]) -> bool {
        memmem::find(&self.bytes, text).is_some()
    }

    /// Returns the line of a byte offset, counted from the number of the first line.
    pub fn line(&self, offset: u32) -> u32 {
        let line = self.line_starts().partition_point(|&start| start <= offset) - 1;
        self.first_line + u32::try_from(line).expect("a source has fewer lines than bytes")
    }

    /// Returns the column of a byte offset in characters, counted from 1.
    pub fn column(&self, offset: u32) -> u32 {
        let line = self.line(offset) - self.first_line;
        let start = self.line_starts()[line as usize] as usize;
        let before = String::from_utf8_lossy(&self.bytes[start..offset as usize]);
        u32::try_from(before.chars().count()).expect("a line has fewer characters than bytes") + 1
    }

    /// Returns the text of a line without its line break. Returns an empty text if there is no such
    /// line.
    pub fn line_text(&self, line: u32) -> String {
        let starts = self.line_starts();
        let at = line.checked_sub(self.first_line).map_or(usize::MAX, |at| at as usize);
        let Some(&start) = starts.get(at) else {
            return String::new();
        };
        let end = starts.get(at + 1).map_or(self.bytes.len(), |&next| next as usize);
        let mut text = &self.bytes[start as usize..end];
        if at + 1 < starts.len() {
            let breaks: [&[u8]; 5] = [b"\n", b"\r", NEXT_LINE, LINE_SEPARATOR, PARAGRAPH_SEPARATOR];
            text = breaks.iter().find_map(|it| text.strip_suffix(*it)).unwrap_or(text);
        }
        String::from_utf8_lossy(text).into_owned()
    }

    /// Returns the state at the start of a line. On the first call, `next` is called for all lines
    /// in order: it returns the state after a line.
    pub fn line_state(&self, line: u32, next: impl Fn(&str, LineState) -> LineState) -> LineState {
        let states = self.line_states.get_or_init(|| {
            let mut state = LineState::Open;
            let n_lines = u32::try_from(self.line_starts().len()).expect("checked in `add`");
            let lines = self.first_line..self.first_line + n_lines;
            let states = lines.map(|line| {
                let start = state;
                state = next(&self.line_text(line), state);
                start
            });
            states.collect()
        });
        let at = line.checked_sub(self.first_line).map_or(usize::MAX, |at| at as usize);
        states.get(at).copied().unwrap_or(LineState::Open)
    }

    /// Returns the number of the first line, which is above 1 for a text that is part of another.
    pub fn first_line(&self) -> u32 {
        self.first_line
    }

    fn line_starts(&self) -> &[u32] {
        self.line_starts.get_or_init(|| {
            let is_code = matches!(self.kind, SourceKind::Module | SourceKind::Text);
            let after = |end: usize| u32::try_from(end).expect("checked in `add`");
            let mut starts = vec![0];
            if is_code {
                starts.extend(memchr_iter(b'\n', &self.bytes).map(|at| after(at + 1)));
            } else if memchr2(NEXT_LINE[0], LINE_SEPARATOR[0], &self.bytes).is_none() {
                let ends = memchr2_iter(b'\n', b'\r', &self.bytes);
                let ends = ends.filter(|&at| yaml_break_len(&self.bytes[at..]) > 0);
                starts.extend(ends.map(|at| after(at + 1)));
            } else {
                let ends = (0..self.bytes.len()).map(|at| (at, yaml_break_len(&self.bytes[at..])));
                starts.extend(ends.filter(|(_, len)| *len > 0).map(|(at, len)| after(at + len)));
            }
            starts
        })
    }
}

const NEXT_LINE: &[u8] = "\u{85}".as_bytes();
const LINE_SEPARATOR: &[u8] = "\u{2028}".as_bytes();
const PARAGRAPH_SEPARATOR: &[u8] = "\u{2029}".as_bytes();

/// Returns the length of the line break at the start of a text, in YAML 1.1. In `\r\n`, only the
/// `\n` counts as the break.
fn yaml_break_len(text: &[u8]) -> usize {
    match text {
        [b'\r', next, ..] => usize::from(*next != b'\n'),
        [b'\n', ..] | [b'\r'] => 1,
        [0xC2, ..] if text.starts_with(NEXT_LINE) => NEXT_LINE.len(),
        [0xE2, ..] if text.starts_with(LINE_SEPARATOR) => LINE_SEPARATOR.len(),
        [0xE2, ..] if text.starts_with(PARAGRAPH_SEPARATOR) => PARAGRAPH_SEPARATOR.len(),
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn source(text: &str) -> Arc<Source> {
        let sources = Sources::new();
        let id = sources.add("a.yml", SourceKind::File, text.as_bytes().into());
        sources.get(id)
    }

    #[test]
    fn lines_and_columns_count_from_one() {
        let source = source("ab\né: 1\n");
        assert_eq!((source.line(0), source.column(0)), (1, 1));
        assert_eq!((source.line(2), source.column(2)), (1, 3));
        assert_eq!((source.line(5), source.column(5)), (2, 2));
        assert_eq!(source.line(9), 3);
    }

    #[test]
    fn a_line_is_shown_without_its_break() {
        let source = source("ab\nc");
        assert_eq!(source.line_text(1), "ab");
        assert_eq!(source.line_text(2), "c");
        assert_eq!(source.line_text(3), "");
    }

    #[test]
    fn yaml_has_more_line_breaks_than_code() {
        let text = "a\u{85}b\r\nc\rd\u{2029}e";
        let yaml = source(text);
        assert_eq!(yaml.line(u32::try_from(text.len()).expect("short")), 5);
        let lines: Vec<String> = (1..=5).map(|line| yaml.line_text(line)).collect();
        assert_eq!(lines, ["a", "b\r", "c", "d", "e"]);
        let sources = Sources::new();
        let module = sources.get(sources.add("a.star", SourceKind::Module, text.as_bytes().into()));
        assert_eq!(module.line(u32::try_from(text.len()).expect("short")), 2);
    }

    #[test]
    fn a_shared_file_keeps_its_id_until_it_changes() {
        let sources = Sources::shared();
        let add = |text: &str| {
            let path = Path::new("config/a.yml");
            sources.add_file("a.yml", path, SourceKind::File, text.as_bytes().into())
        };
        let first = add("a: 1");
        assert_eq!(add("a: 1"), first);
        let changed = add("a: 2");
        assert_ne!(changed, first);
        assert_eq!(add("a: 2"), changed);
    }

    #[test]
    fn a_text_inside_another_counts_on_from_its_line() {
        let sources = Sources::new();
        let path = Path::new("config/a.yml");
        let outer = sources.add_file("a.yml", path, SourceKind::File, b"\n\n\n\na: x"[..].into());
        let id = sources.add_inside(Span::new(outer, 7, 8), SourceKind::Text, b"ab\nc"[..].into());
        let source = sources.get(id);
        assert_eq!((source.line(0), source.line(3), source.column(3)), (5, 6, 1));
        assert_eq!(source.line_text(6), "c");
        assert_eq!(source.line_text(4), "");
        assert_eq!(source.path(), Some(path));
    }
}
