//! Lines of source without the values in them, which may be secret.
//!
//! What leads a reader to the place is kept: indentation, keys, comments and code. In case of doubt
//! (the text of a block scalar, a collection that continues on the next line), the whole line is
//! treated as a value.

mod flow;
mod text;

use std::ops::Range;

pub(crate) use plumb_source::message::MASK;
use plumb_source::message::{plain, secret};
use plumb_source::{Message, Part, Source, SourceKind, message};

/// Values that are not secret, and that explain why a value is required.
const NOTHING: [&str; 9] = ["", "\"\"", "''", "[]", "{}", "null", "~", "0", "0.0"];

/// A line with its values masked.
pub(crate) struct Masked {
    whole: String,
    /// The masked byte ranges of the whole line, in order.
    hidden: Vec<Range<usize>>,
}

/// Which end of a range a place is.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Bound {
    Start,
    End,
}

impl Masked {
    /// A line without masks.
    pub(crate) fn nothing(whole: String) -> Self {
        Self { whole, hidden: Vec::new() }
    }

    /// A line of a source with its values masked.
    pub(crate) fn of(source: &Source, line: u32) -> Self {
        let whole = source.line_text(line);
        let hidden = match source.kind() {
            SourceKind::Module => Vec::new(),
            SourceKind::Text => text::outside_code(&whole, is_within_code(source, line)),
            SourceKind::File => value_start(&whole).map_or_else(Vec::new, |at| values(&whole, at)),
            SourceKind::Environment | SourceKind::Flag if line == source.first_line() => {
                rest(&whole, value_of_argument(source, &whole))
            }
            SourceKind::Environment | SourceKind::Flag | SourceKind::Memory => rest(&whole, 0),
        };
        let is_secret = |it: &Range<usize>| !NOTHING.contains(&whole[it.clone()].trim());
        let hidden = hidden.into_iter().filter(is_secret).collect();
        Self { whole, hidden }
    }

    pub(crate) fn shown(&self) -> String {
        Message::of(&[self]).masked().into_owned()
    }

    /// Converts a column of the whole line, in characters, to a byte offset of the masked line. A
    /// column inside a value becomes the start or the end of its mask.
    pub(crate) fn place(&self, column: usize, bound: Bound) -> usize {
        let at = self.whole.char_indices().nth(column).map_or(self.whole.len(), |(at, _)| at);
        let before = self.hidden.iter().take_while(|it| it.end <= at);
        let (n_hidden, n_masks) =
            before.fold((0, 0), |(bytes, masks), it| (bytes + it.len(), masks + 1));
        let shown = at - n_hidden + n_masks * MASK.len();
        match self.hidden.iter().find(|it| it.contains(&at)) {
            Some(hidden) if at > hidden.start => {
                let start = shown - (at - hidden.start);
                if bound == Bound::Start { start } else { start + MASK.len() }
            }
            _ => shown,
        }
    }
}

/// Returns a line of a source, in which everything that may be secret is marked as a value.
pub fn line_of_source(source: &Source, line: u32) -> Message {
    Message::of(&[&Masked::of(source, line)])
}

/// Returns the whole argument of a flag or variable, with its value marked as a value.
pub fn argument(source: &Source) -> Message {
    let text = String::from_utf8_lossy(source.bytes());
    let (key, value) = text.split_at(value_of_argument(source, &text));
    message!("{}{}", plain(key), secret(value))
}

/// Adds the line, with the masked ranges as values.
impl Part for Masked {
    fn add_to(&self, message: &mut Message) {
        let mut from = 0;
        for hidden in &self.hidden {
            message.push(&plain(&self.whole[from..hidden.start]));
            message.push(&secret(&self.whole[hidden.clone()]));
            from = hidden.end;
        }
        message.push(&plain(&self.whole[from..]));
    }
}

/// Returns everything from `start` to the end of the line.
fn rest(line: &str, start: usize) -> Vec<Range<usize>> {
    std::iter::once(start..line.len()).collect()
}

/// Returns the values of a line of YAML from `start` on. Comments and code after them are not
/// included.
fn values(line: &str, start: usize) -> Vec<Range<usize>> {
    if let Some(scalars) = flow::scalars(&line[start..]) {
        return scalars.into_iter().map(|it| start + it.start..start + it.end).collect();
    }
    let value = &line[start..];
    let end = match value.chars().next() {
        Some('"' | '\'') => flow::quoted_end(value).filter(|end| {
            let behind = value[*end..].trim_start();
            behind.is_empty() || behind.starts_with('#')
        }),
        Some('{' | '[') => None,
        _ => value.match_indices(" #").next().map(|(at, _)| value[..at].trim_end().len()),
    };
    std::iter::once(start..start + end.unwrap_or(value.len())).collect()
}

/// Returns whether a line of a text template begins inside code.
fn is_within_code(source: &Source, line: u32) -> bool {
    let before = (source.first_line()..line).map(|it| source.line_text(it));
    before.fold(false, |is_within, line| text::ends_within_code(&line, is_within))
}

/// Returns where the value begins in the argument of a flag or a variable. Flags other than
/// `--data-value` have a longer name, and no key in the argument.
fn value_of_argument(source: &Source, text: &str) -> usize {
    let has_key = source.kind() == SourceKind::Environment || source.name().ends_with("arg)");
    text.find('=').filter(|_| has_key).map_or(0, |at| at + 1)
}

/// Returns where the value on a line of YAML begins. Code and comments are not values.
fn value_start(line: &str) -> Option<usize> {
    let mut at = skip_blanks(line, 0);
    if line.starts_with("---") {
        at = skip_blanks(line, 3);
        return shown_from(line, at);
    }
    while line[at..].starts_with("- ") || &line[at..] == "-" {
        at = skip_blanks(line, at + 1);
    }
    match after_key(&line[at..]) {
        Some(length) => {
            let at = skip_blanks(line, at + length);
            let is_block_header = line[at..].starts_with(['|', '>']);
            shown_from(line, at).filter(|_| !is_block_header)
        }
        None => shown_from(line, at),
    }
}

/// Returns the place, or `None` if a comment begins there.
fn shown_from(line: &str, at: usize) -> Option<usize> {
    let rest = &line[at..];
    (!rest.starts_with('#')).then_some(at)
}

/// Returns the length of a key including its colon.
fn after_key(text: &str) -> Option<usize> {
    let is_end = |at: usize| text[at..].starts_with([' ', '\t']) || at == text.len();
    let colon = match text.chars().next()? {
        '{' | '[' | '#' | '|' | '>' => return None,
        quote @ ('"' | '\'') => {
            let close = text[1..].find(quote)? + 1;
            let blanks = skip_blanks(text, close + 1);
            text[blanks..].starts_with(':').then_some(blanks)?
        }
        _ => text.match_indices(':').map(|(at, _)| at).find(|at| is_end(at + 1))?,
    };
    is_end(colon + 1).then_some(colon + 1)
}

fn skip_blanks(text: &str, at: usize) -> usize {
    text.len() - text[at..].trim_start_matches([' ', '\t']).len()
}

#[cfg(test)]
mod tests {
    use plumb_source::Sources;

    use super::*;

    fn shown(kind: SourceKind, name: &str, line: &str) -> String {
        let sources = Sources::new();
        let file = sources.add(name, kind, line.as_bytes().into());
        Masked::of(&sources.get(file), 1).shown()
    }

    #[test]
    fn keys_comments_and_code_stay() {
        let cases = [
            ("password: hunter2", "password: ***"),
            ("  - name: \"a: b\" # why", "  - name: *** # why"),
            ("a: b #@ c", "a: *** #@ c"),
            ("a: \"b\" c #@ d", "a: ***"),
            ("\"quoted key\":  x", "\"quoted key\":  ***"),
            ("url: http://x:80", "url: ***"),
            ("http://x:80", "***"),
            ("- secret", "- ***"),
            ("-", "-"),
            ("key:", "key:"),
            ("<<: *base", "<<: ***"),
            ("key: |", "key: |"),
            ("key: #@ data.values.x", "key: #@ data.values.x"),
            ("#@assert/validate min=1", "#@assert/validate min=1"),
            ("  #! a comment: x", "  #! a comment: x"),
            ("{a: secret}", "{a: ***}"),
            (
                "key: {a: secret, 'b c': [x, 1], d: \"e}\"} # f",
                "key: {a: ***, 'b c': [***, ***], d: ***} # f",
            ),
            ("key: {a: b c, d}", "key: {a: ***, ***}"),
            ("key: { u: http://x:80 }", "key: { u: *** }"),
            ("key: {a: secret,", "key: ***"),
            ("key: {a: secret} b", "key: ***"),
            ("[{a: ''}, !x &y z]", "[{a: ''}, ***]"),
            ("--- secret", "--- ***"),
            ("--- #@ f()", "--- #@ f()"),
            ("", ""),
            ("key: \"\"", "key: \"\""),
            ("key: []", "key: []"),
            ("'it''s", "***"),
        ];
        for (line, expected) in cases {
            assert_eq!(shown(SourceKind::File, "a.yml", line), expected);
        }
    }

    #[test]
    fn of_text_templates_the_code_stays() {
        let sources = Sources::new();
        let text = "user=(@= name @) x\nplain\n(@ for x in\n y: @)z";
        let file = sources.add("a.txt", SourceKind::Text, text.as_bytes().into());
        let shown = |line| Masked::of(&sources.get(file), line).shown();
        assert_eq!(shown(1), "***(@= name @)***");
        assert_eq!(shown(2), "***");
        assert_eq!(shown(3), "(@ for x in");
        assert_eq!(shown(4), " y: @)***");
    }

    #[test]
    fn places_move_with_what_is_hidden() {
        let sources = Sources::new();
        let line = "a: {b: secret, c: dé}";
        let file = sources.add("a.yml", SourceKind::File, line.as_bytes().into());
        let masked = Masked::of(&sources.get(file), 1);
        assert_eq!(masked.shown(), "a: {b: ***, c: ***}");
        let place = |column| (masked.place(column, Bound::Start), masked.place(column, Bound::End));
        assert_eq!(place(4), (4, 4));
        assert_eq!(place(7), (7, 7));
        assert_eq!(place(9), (7, 10));
        assert_eq!(place(13), (10, 10));
        assert_eq!(place(18), (15, 15));
        assert_eq!(place(20), (18, 18));
    }

    #[test]
    fn flags_and_variables_show_their_key() {
        let flag = "(data-value arg)";
        assert_eq!(shown(SourceKind::Flag, flag, "db.password=a=b"), "db.password=***");
        assert_eq!(shown(SourceKind::Flag, "(data-value-file arg) k=f", "a=b"), "***");
        assert_eq!(shown(SourceKind::Environment, "(env) P", "P_key=b"), "P_key=***");
    }
}
