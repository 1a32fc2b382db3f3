//! Findings about one file, in an editor's terms.

use std::path::{Path, PathBuf};

use plumb_diagnostic::{Diagnostic, FramePlace, Severity};
use plumb_source::spelling::{Swap, distance};
use plumb_source::{Message, Sources, Span, lexical};

use crate::overlay::Overlay;
use crate::{Edit, TextRange};

/// A finding about a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileFinding {
    pub range: TextRange,
    pub is_error: bool,
    /// The code, such as `yaml/syntax`.
    pub code: &'static str,
    /// What is wrong, and what to do. Values are masked.
    pub message: String,
    /// Related places.
    pub related: Vec<Related>,
    /// The targets that have it.
    pub targets: Vec<String>,
    /// Replacements that the help names exactly.
    pub fixes: Vec<Fix>,
    /// How an editor shows the place besides underlining it.
    pub tag: Option<Tag>,
}

/// Why an editor shows a place in another style.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tag {
    /// It is struck through.
    Deprecated,
    /// It has no effect, and is faded out.
    Unused,
}

impl Tag {
    fn of(code: &str) -> Option<Self> {
        match code {
            "schema/deprecated-value" => Some(Self::Deprecated),
            "data-values/unused"
            | "overlay/without-effect"
            | "schema/without-effect"
            | "template/unread-argument"
            | "kubevirt/ignored" => Some(Self::Unused),
            _ => None,
        }
    }
}

/// Another place of a finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Related {
    pub path: PathBuf,
    pub range: TextRange,
    pub message: String,
}

/// A change that corrects a finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fix {
    pub title: String,
    pub edits: Vec<Edit>,
}

/// Converts diagnostics to findings about files.
pub(crate) struct Converter<'a> {
    pub(crate) overlay: &'a Overlay,
    pub(crate) sources: &'a Sources,
    /// The directory that relative paths start from.
    pub(crate) here: &'a Path,
}

impl Converter<'_> {
    /// The file and the finding. Returns `None` if the finding has no place in a file.
    pub(crate) fn finding(&self, diagnostic: &Diagnostic) -> Option<(PathBuf, FileFinding)> {
        let labels = diagnostic.labels.iter().map(|it| (it.span, &it.message));
        let empty = Message::new();
        let frames = diagnostic.trace.iter().flatten().filter_map(|it| match it.place {
            FramePlace::Source(span) => Some((span, &empty)),
            _ => None,
        });
        let mut places = labels.chain(frames).filter_map(|(span, message)| {
            let (path, range) = self.place(span)?;
            Some((path, range, message.masked().into_owned()))
        });
        let (path, range, label) = places.next()?;
        let mut related: Vec<Related> = Vec::new();
        for (path, range, message) in places {
            let message = if message.is_empty() { "called from here".to_owned() } else { message };
            related.push(Related { path, range, message });
        }
        let mut message = diagnostic.message.masked().into_owned();
        if !label.is_empty() {
            message = format!("{message}\n{label}");
        }
        for help in &diagnostic.help {
            message = format!("{message}\nhelp: {}", help.masked());
        }
        let fixes = self.fixes(diagnostic, &path, &range);
        let finding = FileFinding {
            range,
            is_error: diagnostic.severity == Severity::Error,
            code: diagnostic.code.as_str(),
            message,
            related,
            targets: diagnostic.targets.clone(),
            fixes,
            tag: Tag::of(diagnostic.code.as_str()),
        };
        Some((path, finding))
    }

    /// The file and the range of a span. A text inside a file, such as a templated string, has the
    /// range of its lines.
    fn place(&self, span: Span) -> Option<(PathBuf, TextRange)> {
        let source = self.sources.get(span.file);
        let path = source.path()?;
        let path = lexical::clean(&self.here.join(path));
        let text = self.overlay.text(&path)?;
        if **source.bytes() == *text {
            return Some((path, visible(&text, span.start..span.end)));
        }
        let line = source.line(span.start);
        let start = nth_line(&text, line.saturating_sub(1));
        let end =
            text[start..].iter().position(|it| *it == b'\n').map_or(text.len(), |n| start + n);
        Some((path, offset(start)..offset(end)))
    }

    /// A replacement for each spelling that a message, a help or a label offers.
    fn fixes(&self, diagnostic: &Diagnostic, path: &Path, range: &TextRange) -> Vec<Fix> {
        let labels = diagnostic.labels.iter().map(|it| &it.message);
        let texts = diagnostic.help.iter().chain([&diagnostic.message]).chain(labels);
        let offered: Vec<String> =
            texts.filter_map(|it| offered_spelling(&it.masked()).map(str::to_owned)).collect();
        let Some(text) = self.overlay.text(path) else { return Vec::new() };
        let fix = |spelling: String| {
            let range = match spelling.strip_prefix("#@") {
                Some(_) => range.clone(),
                None => misspelt(&text, range, &spelling)?,
            };
            let path = path.to_owned();
            let title = format!("Replace by `{spelling}`");
            Some(Fix { title, edits: vec![Edit { path, range, text: spelling }] })
        };
        offered.into_iter().filter_map(fix).collect()
    }
}

/// The spelling in `did you mean X?`, with or without backticks. Returns `None` if it is not a
/// name.
fn offered_spelling(text: &str) -> Option<&str> {
    let (_, rest) = text.split_once("did you mean ")?;
    let (spelling, _) = rest.split_once('?')?;
    let spelling = spelling.trim_matches(['`', '"']).trim_start_matches('.');
    let is_name =
        |it: char| it.is_alphanumeric() || matches!(it, '_' | '-' | '.' | '/' | '#' | '@' | ':');
    (!spelling.is_empty() && spelling.chars().all(is_name)).then_some(spelling)
}

/// The word that should have this spelling: the most similar word on the lines of a range. If
/// several are equally similar, the one nearest to the start of the range. A finding about a call
/// or a `load` begins at another word.
fn misspelt(text: &[u8], range: &TextRange, spelling: &str) -> Option<TextRange> {
    let is_letter = |it: u8| {
        let is_sign = matches!(it, b'.' | b'/' | b':' | b'@') && spelling.as_bytes().contains(&it);
        is_sign || it.is_ascii_alphanumeric() || matches!(it, b'_' | b'-') || it >= 0x80
    };
    let (start, end) = (range.start as usize, (range.end as usize).min(text.len()));
    let first = text.get(..start)?.iter().rposition(|it| *it == b'\n').map_or(0, |it| it + 1);
    let length = text[end..].iter().position(|it| *it == b'\n');
    let last = length.map_or(text.len(), |it| end + it);
    let mut best: Option<(usize, usize, TextRange)> = None;
    let mut at = first;
    for word in text[first..last].split(|it| !is_letter(*it)) {
        let mistakes = distance(word, spelling.as_bytes(), Swap::One, spelling.len() / 2);
        if let Some(mistakes) = mistakes.filter(|it| *it > 0) {
            let rating = (mistakes, at.abs_diff(start));
            if best.as_ref().is_none_or(|it| rating < (it.0, it.1)) {
                best = Some((rating.0, rating.1, offset(at)..offset(at + word.len())));
            }
        }
        at += word.len() + 1;
    }
    best.map(|it| it.2)
}

/// The name at the start of a range, or after the dot that the range starts with.
fn word(text: &[u8], range: &TextRange) -> TextRange {
    let is_word = |it: &u8| it.is_ascii_alphanumeric() || matches!(it, b'_' | b'-') || *it >= 0x80;
    let start = range.start + u32::from(text.get(range.start as usize) == Some(&b'.'));
    let name = text.get(start as usize..).unwrap_or_default();
    let length = name.iter().take_while(|it| is_word(it)).count();
    start..start + offset(length.max(1))
}

/// Extends an empty range so that it is visible: to the name there, or to one character.
fn visible(text: &[u8], range: TextRange) -> TextRange {
    if range.start < range.end {
        return range;
    }
    let word = word(text, &range);
    let end = (word.end as usize).min(text.len());
    let is_break = text.get(range.start as usize).is_none_or(|it| *it == b'\n');
    if is_break { range } else { word.start..offset(end) }
}

fn nth_line(text: &[u8], line: u32) -> usize {
    let mut starts = std::iter::once(0).chain(line_starts(text));
    starts.nth(line as usize).unwrap_or(text.len())
}

fn line_starts(text: &[u8]) -> impl Iterator<Item = usize> + '_ {
    text.iter().enumerate().filter(|(_, it)| **it == b'\n').map(|(at, _)| at + 1)
}

fn offset(at: usize) -> u32 {
    u32::try_from(at).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_spelling_is_a_name() {
        assert_eq!(offered_spelling("`nam` is not defined: did you mean `name`?"), Some("name"));
        assert_eq!(
            offered_spelling("did you mean `#@schema/nullable`?"),
            Some("#@schema/nullable")
        );
        assert_eq!(offered_spelling("did you mean to add a key?"), None);
        assert_eq!(offered_spelling("nothing"), None);
    }

    #[test]
    fn the_misspelt_word_is_replaced_wherever_the_finding_begins() {
        let replaced = |text: &str, start: u32, spelling: &str| {
            let range = misspelt(text.as_bytes(), &(start..start), spelling).expect("a word");
            format!("{}{spelling}{}", &text[..range.start as usize], &text[range.end as usize..])
        };
        assert_eq!(replaced("x: #@ json.encod(1)", 16, "encode"), "x: #@ json.encode(1)");
        let load = "#@ load(\"@ytt:dat\", \"data\")";
        assert_eq!(replaced(load, 3, "@ytt:data"), "#@ load(\"@ytt:data\", \"data\")");
        assert_eq!(replaced("a.nam + b.nam", 9, "name"), "a.nam + b.name");
        assert_eq!(misspelt(b"other", &(0..5), "name"), None);
    }
}
