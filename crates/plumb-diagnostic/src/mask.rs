//! Lines of source without the values in them, which may be secret.
//!
//! What stays is what leads a reader to the place: indentation, keys, comments and code. In case
//! of doubt (flow collections, the text of a block scalar) all of a line is taken for a value.

use plumb_source::{Source, SourceKind};

/// What stands in the place of a value.
const MASK: &str = "***";

/// Values that are no secret, and that explain why a value is asked for.
const NOTHING: [&str; 9] = ["", "\"\"", "''", "[]", "{}", "null", "~", "0", "0.0"];

/// A line of a source with its value masked, and where the mask begins, if there is one.
pub(crate) fn masked(source: &Source, line: &str) -> (String, Option<usize>) {
    let start = match source.kind() {
        SourceKind::Environment => Some(after_equals(line)),
        // The argument of `--data-value`; other flags have a name that goes on, and no key in it.
        SourceKind::Flag if source.name().ends_with("arg)") => Some(after_equals(line)),
        SourceKind::Flag | SourceKind::Memory => Some(0),
        SourceKind::File | SourceKind::Text => value_start(line),
        SourceKind::Module => None,
    };
    let start = start.filter(|at| !NOTHING.contains(&line[*at..].trim_end()));
    match start {
        Some(start) => (format!("{}{MASK}", &line[..start]), Some(start)),
        None => (line.to_owned(), None),
    }
}

fn after_equals(line: &str) -> usize {
    line.find('=').map_or(0, |at| at + 1)
}

/// Where the value on a line of YAML begins. Code and comments are no values.
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

/// The place, unless a comment stands there.
fn shown_from(line: &str, at: usize) -> Option<usize> {
    let rest = &line[at..];
    (!rest.starts_with('#')).then_some(at)
}

/// The length of a key and its colon.
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
        masked(&sources.get(file), line).0
    }

    #[test]
    fn keys_comments_and_code_stay() {
        let cases = [
            ("password: hunter2", "password: ***"),
            ("  - name: \"a: b\" # why", "  - name: ***"),
            ("\"quoted key\":  x", "\"quoted key\":  ***"),
            ("url: http://x:80", "url: ***"),
            ("http://x:80", "***"),
            ("- secret", "- ***"),
            ("-", "-"),
            ("key:", "key:"),
            ("key: |", "key: |"),
            ("key: #@ data.values.x", "key: #@ data.values.x"),
            ("#@assert/validate min=1", "#@assert/validate min=1"),
            ("  #! a comment: x", "  #! a comment: x"),
            ("{a: secret}", "***"),
            ("key: {a: secret}", "key: ***"),
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
    fn flags_and_variables_show_their_key() {
        let flag = "(data-value arg)";
        assert_eq!(shown(SourceKind::Flag, flag, "db.password=a=b"), "db.password=***");
        assert_eq!(shown(SourceKind::Flag, "(data-value-file arg) k=f", "a=b"), "***");
        assert_eq!(shown(SourceKind::Environment, "(env) P", "P_key=b"), "P_key=***");
    }
}
