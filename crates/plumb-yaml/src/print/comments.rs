//! Comments of printed nodes.
//!
//! A comment is printed above its node, or next to it if both fit on one line. Its text comes from
//! templates and computed values, so line breaks and characters that YAML does not allow are
//! escaped or split: they must not end the comment.

use plumb_value::{Meta, OutputComment, ShownComments};

use super::{indentation, text};

/// The characters that end a line in YAML 1.1.
const BREAKS: [char; 5] = ['\n', '\r', '\u{85}', '\u{2028}', '\u{2029}'];

/// The comments of a node, each line with its `#`.
#[derive(Debug, Default)]
pub(super) struct Comments {
    pub(super) above: Vec<String>,
    pub(super) beside: Option<String>,
}

impl Comments {
    pub(super) fn of(meta: &Meta, shown: ShownComments) -> Self {
        let mut comments = Self::default();
        if meta.is_empty() {
            return comments;
        }
        if shown == ShownComments::All {
            comments.add_written(meta);
        }
        if let Some(computed) = OutputComment::of(meta) {
            if let Some(above) = computed.above {
                comments.above.extend(lines(&above.to_str_lossy()));
            }
            if let Some(beside) = computed.beside {
                comments.set_beside(lines(&beside.to_str_lossy()));
            }
        }
        comments
    }

    fn add_written(&mut self, meta: &Meta) {
        for comment in meta.comments() {
            let Some(text) = comment.plain_text() else { continue };
            let line = written(&String::from_utf8_lossy(text));
            if comment.is_inline {
                self.set_beside(vec![line]);
            } else {
                self.above.push(line);
            }
        }
    }

    /// Only one line fits next to a node: further lines go above it.
    fn set_beside(&mut self, mut lines: Vec<String>) {
        self.above.extend(self.beside.take());
        if lines.len() == 1 {
            self.beside = lines.pop();
        } else {
            self.above.append(&mut lines);
        }
    }

    /// Moves the comment next to the node to the lines above it.
    pub(super) fn lift(&mut self) {
        self.above.extend(self.beside.take());
    }

    /// Appends the lines above the node.
    pub(super) fn write_above(&self, indent: usize, out: &mut Vec<u8>) {
        for line in &self.above {
            indentation(indent, out);
            out.extend_from_slice(line.as_bytes());
            out.push(b'\n');
        }
    }
}

/// A comment as it was written, from the text after its `#` or `#!`.
fn written(text: &str) -> String {
    // `#@` would be code if the output was read as a template.
    let gap = if text.starts_with('@') { " " } else { "" };
    safe(format!("#{gap}{}", text.trim_end()))
}

/// The lines of a computed text. A line that begins with `#` is a comment already, such as
/// `#cloud-config`.
fn lines(text: &str) -> Vec<String> {
    let text = text.replace("\r\n", "\n");
    let lines = text.trim_end().split(BREAKS).map(str::trim_end);
    let comment = |line: &str| match line {
        "" => "#".to_owned(),
        line if line.starts_with('#') && !line.starts_with("#@") => safe(line.to_owned()),
        line => safe(format!("# {line}")),
    };
    lines.map(comment).collect()
}

/// Escapes characters that YAML does not allow, or that end a line.
fn safe(line: String) -> String {
    if !line.contains(is_hidden) {
        return line;
    }
    let mut out = Vec::with_capacity(line.len() + 8);
    for char in line.chars() {
        if is_hidden(char) {
            text::escape(char, &mut out);
        } else {
            out.extend_from_slice(char.encode_utf8(&mut [0; 4]).as_bytes());
        }
    }
    String::from_utf8(out).expect("escapes are ASCII, and the rest was UTF-8")
}

fn is_hidden(char: char) -> bool {
    matches!(
        char,
        '\0'..='\u{8}'
            | '\n'..='\u{1f}'
            | '\u{7f}'..='\u{9f}'
            | '\u{2028}'
            | '\u{2029}'
            | '\u{feff}'
            | '\u{fffe}'
            | '\u{ffff}'
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_cannot_leave_its_comment() {
        assert_eq!(
            lines("a\nb: 1\r\nc\u{2028}d\u{85}e\n\n"),
            ["# a", "# b: 1", "# c", "# d", "# e"]
        );
        assert_eq!(lines("bell \u{7} tab \t esc \u{1b} 😀"), ["# bell \\a tab \t esc \\e 😀"]);
        assert_eq!(lines("a\n\n  b  "), ["# a", "#", "#   b"]);
        assert_eq!(lines(""), ["#"]);
    }

    #[test]
    fn a_text_that_is_a_comment_stays_as_it_is() {
        assert_eq!(lines("#cloud-config"), ["#cloud-config"]);
        assert_eq!(lines("#@ code"), ["# #@ code"]);
        assert_eq!(written(" a "), "# a");
        assert_eq!(written("@ code"), "# @ code");
    }
}
