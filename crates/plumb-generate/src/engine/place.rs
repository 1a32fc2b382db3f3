//! Finds the place of an error: from the lines of its stack, and of imports for which the engine
//! reports no place.

use plumb_source::{FileId, Span};

use super::hint;
use super::wording::has_word;
use crate::module::{self, Content, ResolveError};
use crate::run::Run;

/// A line of a stack trace.
pub(super) struct Call {
    pub(super) function: Option<String>,
    pub(super) module: String,
    pub(super) line: u32,
    pub(super) column: u32,
}

impl Call {
    /// Reads a line such as `    at f (a.js:1:2)`. Native functions have no place.
    pub(super) fn parse(line: &str) -> Option<Self> {
        let call = line.trim().strip_prefix("at ")?;
        let (function, place) = match call.strip_suffix(')').and_then(|it| it.split_once(" (")) {
            Some((function, place)) => (Some(function), place),
            None => (None, call),
        };
        let (rest, column) = place.rsplit_once(':')?;
        let (module, line) = rest.rsplit_once(':')?;
        Some(Self {
            function: function.filter(|it| *it != "<anonymous>").map(str::to_owned),
            module: module.to_owned(),
            line: line.parse().ok()?,
            column: column.parse().ok()?,
        })
    }

    /// The call as the user wrote it, without the code that wraps an expression from the command
    /// line.
    pub(super) fn shown(mut self, run: &Run) -> Self {
        let modules = run.modules.borrow();
        let Some(Content::Expression(code)) = modules.get(&self.module).map(|it| &it.content)
        else {
            return self;
        };
        let number = |it: usize| u32::try_from(it).unwrap_or(u32::MAX);
        if self.line == 1 {
            let n_ours = number(module::BEFORE_EXPRESSION.len());
            self.column = self.column.saturating_sub(n_ours).max(1);
        }
        let n_lines = number(code.split('\n').count());
        if self.line > n_lines {
            let last = code.rsplit('\n').next().unwrap_or_default();
            (self.line, self.column) = (n_lines, number(last.chars().count()) + 1);
        }
        self
    }

    /// The word at the place of the call, in a module of the user.
    pub(super) fn span(&self, run: &Run) -> Option<Span> {
        let file = run.modules.borrow().get(&self.module)?.file?;
        let source = run.surroundings.sources.get(file);
        let at = offset(source.bytes(), self.line, self.column)?;
        let blanks = source.bytes()[at..].iter().take_while(|it| **it == b' ').count();
        let at = if at + blanks < source.bytes().len() { at + blanks } else { at };
        let word = source.bytes()[at..].iter().take_while(|it| is_word(**it)).count();
        span(file, at, word.max(1).min(source.bytes().len() - at))
    }

    /// The name of the function, if it is written in its module. A name can also be computed.
    pub(super) fn name(&self, run: &Run) -> Option<String> {
        let name = self.function.as_deref()?;
        let file = run.modules.borrow().get(&self.module)?.file?;
        let source = run.surroundings.sources.get(file);
        let text = String::from_utf8_lossy(source.bytes());
        let mut words = name.split(['.', ' ']).filter(|it| !matches!(*it, "get" | "set"));
        words.all(|it| has_word(&text, it)).then(|| name.to_owned())
    }

    /// The expression before the parenthesis of a failed call.
    pub(super) fn callee(&self, run: &Run) -> Option<String> {
        let file = run.modules.borrow().get(&self.module)?.file?;
        let source = run.surroundings.sources.get(file);
        let bytes = source.bytes();
        let at = offset(bytes, self.line, self.column)?;
        let end = at + bytes[at..].iter().take_while(|it| is_word(**it) || **it == b'.').count();
        let start = bytes[..at].iter().rposition(|it| !is_word(*it) && *it != b'.');
        let text = std::str::from_utf8(&bytes[start.map_or(0, |it| it + 1)..end]).ok()?;
        let text = text.trim_matches('.');
        let is_name = text.starts_with(|first: char| !first.is_ascii_digit());
        (is_name && !text.is_empty()).then(|| text.to_owned())
    }
}

/// Whether a name is written near the innermost call in a module of the user, or in any module if
/// there is no such call.
pub(super) fn is_written(run: &Run, calls: &[Call], name: &str) -> bool {
    const N_LINES_AROUND: u32 = 2;
    let sources = &run.surroundings.sources;
    let modules = run.modules.borrow();
    let placed = calls.iter().find_map(|it| Some((it, modules.get(&it.module)?.file?)));
    match placed {
        Some((call, file)) => {
            let source = sources.get(file);
            let n_lines = source.line(u32::try_from(source.bytes().len()).unwrap_or(u32::MAX));
            let first = call.line.saturating_sub(N_LINES_AROUND).max(1);
            let last = call.line.saturating_add(N_LINES_AROUND).min(n_lines);
            (first..=last).any(|line| has_word(&source.line_text(line), name))
        }
        None => modules
            .files()
            .any(|file| has_word(&String::from_utf8_lossy(sources.get(file).bytes()), name)),
    }
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'$' || !byte.is_ascii()
}

/// The byte offset of a line and a column, both counted from 1.
fn offset(bytes: &[u8], line: u32, column: u32) -> Option<usize> {
    let mut start = 0;
    for _ in 1..line {
        start += bytes[start..].iter().position(|byte| *byte == b'\n')? + 1;
    }
    let end = bytes[start..].iter().position(|byte| *byte == b'\n');
    let line = &bytes[start..end.map_or(bytes.len(), |it| start + it)];
    let text = String::from_utf8_lossy(line);
    let before = text.char_indices().nth(column.saturating_sub(1) as usize);
    Some(start + before.map_or(line.len(), |(at, _)| at.min(line.len())))
}

/// The place of the specifier in the importing module, including its quotes.
pub(super) fn import_span(run: &Run, unresolved: &ResolveError) -> Option<Span> {
    let file = run.modules.borrow().get(&unresolved.referrer)?.file?;
    let source = run.surroundings.sources.get(file);
    let text = String::from_utf8_lossy(source.bytes()).into_owned();
    let quoted = ['\'', '"', '`'].map(|quote| format!("{quote}{}{quote}", unresolved.specifier));
    let at = quoted.iter().filter_map(|it| text.find(it.as_str())).min()?;
    span(file, at, quoted[0].len())
}

/// The place of an import of a name that its module does not export. The engine does not report it.
pub(super) fn missing_export(run: &Run, message: &str) -> Option<Span> {
    let (name, module) = hint::missing_export(message)?;
    let modules = run.modules.borrow();
    modules.files().find_map(|file| {
        let source = run.surroundings.sources.get(file);
        let text = String::from_utf8_lossy(source.bytes()).into_owned();
        // The module may be named differently, so only the last part of its name is compared.
        let last = module.rsplit('/').next().unwrap_or(module);
        let last = last.rsplit_once('.').map_or(last, |(stem, _)| stem);
        let import = text.split_inclusive(';').scan(0, |start, statement| {
            let at = *start;
            *start += statement.len();
            Some((at, statement))
        });
        let mut import = import.filter_map(|(at, statement)| {
            let clause = statement.rfind("from").filter(|_| statement.contains("import"))?;
            let is_meant = statement[clause..].contains(last);
            let word = word_at(&statement[..clause], name).filter(|_| is_meant)?;
            Some(at + word)
        });
        span(file, import.next()?, name.len())
    })
}

/// The place of a word in a text. Matches within a longer word do not count.
fn word_at(text: &str, word: &str) -> Option<usize> {
    text.match_indices(word).map(|(at, _)| at).find(|&at| {
        let before = text[..at].bytes().next_back();
        let after = text[at + word.len()..].bytes().next();
        !before.is_some_and(is_word) && !after.is_some_and(is_word)
    })
}

fn span(file: FileId, at: usize, len: usize) -> Option<Span> {
    Some(Span::new(file, u32::try_from(at).ok()?, u32::try_from(at + len).ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_are_read_from_the_lines_of_a_stack() {
        let call = Call::parse("    at f (d/a (1).js:10:2)").expect("a call");
        assert_eq!(call.function.as_deref(), Some("f"));
        assert_eq!((&*call.module, call.line, call.column), ("d/a (1).js", 10, 2));
        let call = Call::parse("    at <anonymous> (a.js:1:2)").expect("a call");
        assert_eq!(call.function, None);
        assert!(Call::parse("    at map (native)").is_none());
        assert!(Call::parse("    at a.js:3:4").is_some());
    }

    #[test]
    fn columns_are_characters() {
        assert_eq!(offset("é = f\nx".as_bytes(), 1, 5), Some(5));
        assert_eq!(offset(b"a\nbc", 2, 2), Some(3));
        assert_eq!(offset(b"a\nbc", 2, 9), Some(4));
        assert_eq!(offset(b"a\nbc", 3, 1), None);
    }
}
