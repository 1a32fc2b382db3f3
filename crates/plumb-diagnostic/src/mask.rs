//! Lines of source without the values in them, which may be secret.
//!
//! What leads a reader to the place is kept: indentation, keys, comments and code. All lines of the
//! text of a block scalar or of a quoted string are values, whatever they look like.

mod text;
mod yaml;

use std::ops::Range;

pub(crate) use plumb_source::message::MASK;
use plumb_source::message::{plain, secret};
use plumb_source::{LineState, Message, Part, Source, SourceKind, Span, message};

/// Empty values and the like, which are not secret and which explain why a value is required.
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
            SourceKind::Text => {
                let state = source.line_state(line, text::state_after);
                text::outside_code(&whole, state == LineState::Code)
            }
            SourceKind::File => {
                yaml::scan(&whole, source.line_state(line, |text, it| yaml::scan(text, it).1)).0
            }
            SourceKind::Environment | SourceKind::Flag if line == source.first_line() => {
                rest(&whole, value_of_argument(source, &whole))
            }
            SourceKind::Environment | SourceKind::Flag | SourceKind::Memory => rest(&whole, 0),
        };
        let is_secret = |it: &Range<usize>| !NOTHING.contains(&whole[it.clone()].trim());
        let hidden = hidden.into_iter().filter(is_secret).collect();
        Self { whole, hidden }
    }

    /// Shows what was hidden at a place that contains no value, if the place is on this line. If
    /// the place is a part of a rule's text, the whole text on the line is shown.
    pub(crate) fn reveal(&mut self, source: &Source, line: u32, span: Span) {
        let (first, last) = (source.line(span.start), source.line(span.end));
        if self.hidden.is_empty() || !(first..=last).contains(&line) {
            return;
        }
        let offset = |at: u32| self.offset(source.column(at) as usize - 1);
        let start = if line == first { offset(span.start) } else { 0 };
        let end = if line == last { offset(span.end) } else { self.whole.len() };
        self.hidden.retain(|it| it.end < start || end < it.start);
    }

    pub(crate) fn shown(&self) -> String {
        Message::of(&[self]).masked().into_owned()
    }

    /// Converts a column of the whole line, in characters, to a byte offset of the masked line. A
    /// column inside a value becomes the start or the end of its mask.
    pub(crate) fn place(&self, column: usize, bound: Bound) -> usize {
        let at = self.offset(column);
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

impl Masked {
    /// Converts a column of the whole line, in characters, to a byte offset.
    fn offset(&self, column: usize) -> usize {
        self.whole.char_indices().nth(column).map_or(self.whole.len(), |(at, _)| at)
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

/// Returns where the value begins in the argument of a flag or a variable. Flags other than
/// `--data-value` have a longer name, and no key in the argument.
fn value_of_argument(source: &Source, text: &str) -> usize {
    let has_key = source.kind() == SourceKind::Environment || source.name().ends_with("arg)");
    text.find('=').filter(|_| has_key).map_or(0, |at| at + 1)
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
            ("key: {a: secret,", "key: {a: ***,"),
            ("key: {a: secret} b", "key: {a: ***}***"),
            ("[{a: ''}, !x &y z]", "[{a: ''}, ***]"),
            ("--- secret", "--- ***"),
            ("--- #@ f()", "--- #@ f()"),
            ("", ""),
            ("key: \"\"", "key: \"\""),
            ("key: []", "key: []"),
            ("'it''s", "***"),
            ("- |", "- |"),
            ("key: !!binary |- # why", "key: *** |- # why"),
            ("key: |x", "key: ***"),
            ("? secret", "? ***"),
            (": secret", ": ***"),
            ("{\"password\":\"a\\\"b: c\",\"n\":1}", "{\"password\":***,\"n\":***}"),
            ("key: \"a \\\" # b\" # why", "key: *** # why"),
            ("key:\tsecret", "key:\t***"),
            ("key = \"a: b\"", "***"),
        ];
        for (line, expected) in cases {
            assert_eq!(shown(SourceKind::File, "a.yml", line), expected);
        }
    }

    /// The lines of a text with their values masked.
    fn lines(text: &str) -> Vec<String> {
        let sources = Sources::new();
        let file = sources.add("a.yml", SourceKind::File, text.as_bytes().into());
        let source = sources.get(file);
        let lines = 1..=u32::try_from(text.lines().count()).expect("few lines");
        lines.map(|line| Masked::of(&source, line).shown()).collect()
    }

    #[test]
    fn the_lines_of_a_block_scalar_are_values_whatever_they_look_like() {
        let text = "a: |  # text\n  # secret\n\n  secret: x\n  - secret: y\n #@ code\nb: 1\n\
                    - c: >-\n   #@ secret\n  d: 1\n- |\n secret: 1\n--- |\n# secret\nsecret: x\n---\ne: f\n";
        let expected = [
            "a: |  # text",
            "  ***",
            "",
            "  ***",
            "  ***",
            " ***",
            "b: ***",
            "- c: >-",
            "   ***",
            "  d: ***",
            "- |",
            " ***",
            "--- |",
            "***",
            "***",
            "---",
            "e: ***",
        ];
        assert_eq!(lines(text), expected);
    }

    #[test]
    fn the_lines_of_a_quoted_or_plain_scalar_are_values() {
        let text = "a: \"x\n  secret: y\n  # secret\n  it\\\" goes on\" # end\nb: 'it''s\n  c: d' #@ x\n\
                    c: one\n  two\n  # a comment\n  three # why\nd: 1\ne:\n  secret\n  f: x\ng: 1\n";
        let expected = [
            "a: ***",
            "  ***",
            "  ***",
            "  *** # end",
            "b: ***",
            "  *** #@ x",
            "c: ***",
            "  ***",
            "  # a comment",
            "  *** # why",
            "d: ***",
            "e:",
            "  ***",
            "  f: ***",
            "g: ***",
        ];
        assert_eq!(lines(text), expected);
    }

    #[test]
    fn the_keys_of_a_flow_collection_stay_on_all_its_lines() {
        let text = "{\n  \"name\": \"secret\", # why\n  \"list\": [1, \"a\n  b: c\"], d: e,\n  f:\n    secret\n}\ng: [x,\n y]\nh: 1\n";
        let expected = [
            "{",
            "  \"name\": ***, # why",
            "  \"list\": [***, ***",
            "  ***], d: ***,",
            "  f:",
            "    ***",
            "}",
            "g: [***,",
            " ***]",
            "h: ***",
        ];
        assert_eq!(lines(text), expected);
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
