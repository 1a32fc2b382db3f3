//! One finding, with resolved places.

use std::path::Path;

use plumb_diagnostic::{Code, Diagnostic, DiffLine, Frame, FramePlace, Severity, Subject};
use plumb_source::{Source, Sources, Span, lexical};

/// A diagnostic that no longer needs its sources.
#[derive(Clone, Debug)]
pub struct Finding {
    pub code: Code,
    pub severity: Severity,
    /// One line that makes sense on its own.
    pub message: String,
    /// Further lines of the message, and a comparison of values.
    pub notes: Vec<String>,
    pub subject: Option<Subject>,
    /// The first one is the most important.
    pub places: Vec<Place>,
    /// The calls that were being evaluated, innermost first.
    pub calls: Vec<Call>,
    /// What to do.
    pub help: Vec<String>,
    /// The targets of a project that it was found in.
    pub targets: Vec<String>,
    /// The test that it was found in.
    pub test: Option<String>,
}

/// A range of a source, and a message about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    pub file: File,
    pub start: Point,
    /// After the last character.
    pub end: Point,
    pub message: String,
}

/// The source that a place is in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum File {
    /// The path of a file, with slashes. It is relative to the working directory if the file is
    /// inside it, so that a CI service can link to the file.
    Path(String),
    /// The name of a text that is not a file, such as the argument of a flag.
    Text(String),
}

/// A line and a column in characters, both counted from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Point {
    pub line: u32,
    pub column: u32,
}

/// A call that was being evaluated, and its function if it has a name.
#[derive(Clone, Debug)]
pub struct Call {
    pub function: Option<String>,
    pub place: Place,
}

impl Finding {
    /// Resolves the places of a diagnostic. `here` is the working directory.
    pub fn new(diagnostic: &Diagnostic, sources: &Sources, here: &Path) -> Self {
        let words = diagnostic.message.masked();
        let mut lines = words.splitn(2, '\n');
        let message = lines.next().unwrap_or_default().to_owned();
        let details = lines.next().map(|it| it.trim_end().to_owned());
        let frames = diagnostic.trace.iter().flatten();
        let calls: Vec<Call> = frames.filter_map(|it| call(it, sources, here)).collect();
        let labels = diagnostic.labels.iter();
        let mut places: Vec<Place> = labels
            .map(|it| Place::new(it.span, it.message.masked().into_owned(), sources, here))
            .collect();
        if places.is_empty() {
            places.extend(calls.first().map(|call| call.place.clone()));
        }
        // If no call has a function, the only entry is the place itself.
        let is_called = calls.iter().any(|it| it.function.is_some());
        let calls = if is_called { calls } else { Vec::new() };
        let diff = (!diagnostic.diff.is_empty()).then(|| {
            let line = |it: &DiffLine| [it.side.sign(), " ", &it.text.masked()].concat();
            diagnostic.diff.iter().map(line).collect::<Vec<_>>().join("\n")
        });
        let help = diagnostic.help.iter().map(|it| it.masked().into_owned());
        Self {
            code: diagnostic.code,
            severity: diagnostic.severity,
            message,
            notes: details.into_iter().chain(diff).collect(),
            subject: diagnostic.subject.clone(),
            places,
            calls,
            help: help.collect(),
            targets: diagnostic.targets.clone(),
            test: diagnostic.test.clone(),
        }
    }

    /// The text for people without places: the message, notes, help and test.
    pub fn words(&self) -> String {
        let lines = [&self.message].into_iter().chain(&self.notes).chain(&self.help);
        let mut text = lines.map(String::as_str).collect::<Vec<_>>().join("\n");
        if let Some(test) = &self.test {
            text.extend(["\nin the test ", test]);
        }
        text
    }

    /// Like [`words`](Self::words), but with the places that are not in files. It is for formats
    /// whose places must be files.
    pub fn text(&self) -> String {
        let mut text = self.words();
        for place in &self.places {
            if let File::Text(name) = &place.file {
                text.extend(["\nin ", name, ": ", &place.message]);
            }
        }
        if !self.targets.is_empty() {
            text.extend(["\ntargets: ", &self.targets.join(", ")]);
        }
        text
    }

    /// The first place that is in a file. Returns `None` if there is none.
    pub(crate) fn in_file(&self) -> Option<(&str, &Place)> {
        self.places.iter().find_map(|place| match &place.file {
            File::Path(path) => Some((path.as_str(), place)),
            File::Text(_) => None,
        })
    }
}

impl Place {
    fn new(span: Span, message: String, sources: &Sources, here: &Path) -> Self {
        let source = sources.get(span.file);
        let point = |at| Point { line: source.line(at), column: source.column(at) };
        let file = File::of(&source, here);
        Self { file, start: point(span.start), end: point(span.end), message }
    }
}

impl File {
    fn of(source: &Source, here: &Path) -> Self {
        match source.path() {
            Some(path) => {
                let path = lexical::clean(path);
                let parts = path.strip_prefix(here).unwrap_or(&path).components();
                let parts: Vec<_> = parts.map(|it| it.as_os_str().to_string_lossy()).collect();
                let path = parts.join("/");
                Self::Path(path.strip_prefix("//").map_or(path.clone(), |it| format!("/{it}")))
            }
            None => Self::Text(source.location().into_owned()),
        }
    }
}

fn call(frame: &Frame, sources: &Sources, here: &Path) -> Option<Call> {
    let span = match &frame.place {
        FramePlace::Source(span) => Some(*span),
        FramePlace::Generated { before, after, .. } => before.or(*after),
        FramePlace::Unavailable(_) | FramePlace::Unknown => None,
    };
    let place = Place::new(span?, String::new(), sources, here);
    Some(Call { function: frame.function.clone(), place })
}

#[cfg(test)]
mod tests {
    use plumb_source::SourceKind;

    use super::*;

    #[test]
    fn a_file_is_named_by_its_path_from_the_working_directory() {
        let sources = Sources::new();
        let add = |path: &str| {
            let kind = SourceKind::File;
            let id = sources.add_file("a.yml", Path::new(path), kind, b"a: 1"[..].into());
            File::of(&sources.get(id), Path::new("/work/shop"))
        };
        assert_eq!(add("./config//a.yml"), File::Path("config/a.yml".to_owned()));
        assert_eq!(add("config/../a.yml"), File::Path("a.yml".to_owned()));
        assert_eq!(add("../../a.yml"), File::Path("../../a.yml".to_owned()));
        assert_eq!(add("/work/shop/config/a.yml"), File::Path("config/a.yml".to_owned()));
        assert_eq!(add("/etc/a.yml"), File::Path("/etc/a.yml".to_owned()));
        let flag = sources.add("(data-value arg)", SourceKind::Flag, b"a=1"[..].into());
        let file = File::of(&sources.get(flag), Path::new("/work/shop"));
        assert_eq!(file, File::Text("(data-value arg)".to_owned()));
    }
}
