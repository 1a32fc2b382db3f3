//! The values on a line of YAML.
//!
//! A line alone is ambiguous: `# x` is a comment, or a part of a block scalar. So the lines of a
//! source are scanned in order, and each begins with what the previous one left open. This is not a
//! parser: it also has to work for text with a syntax error, because such text is shown most often.
//! In case of doubt, something is a value.

use std::ops::Range;

use plumb_source::LineState;

/// Returns the values on a line, and the state at its end.
pub(super) fn scan(text: &str, state: LineState) -> (Vec<Range<usize>>, LineState) {
    let mut line = Line { text, hidden: Vec::new() };
    let next = line.scan(state);
    (line.hidden, next)
}

struct Line<'a> {
    text: &'a str,
    hidden: Vec<Range<usize>>,
}

impl Line<'_> {
    fn scan(&mut self, state: LineState) -> LineState {
        let start = self.skip_blanks(0);
        let is_inside = |parent: i32| start == self.text.len() || column(start) > parent;
        match state {
            _ if is_marker(self.text) => self.unless_open(),
            LineState::BlockScalar { parent } if is_inside(parent) => {
                self.hide(start..self.text.len());
                state
            }
            LineState::PlainScalar { parent }
                if is_inside(parent) && after_key(&self.text[start..]).is_none() =>
            {
                if !self.text[start..].starts_with('#') {
                    self.hide(start..self.plain_end(start));
                }
                state
            }
            LineState::Flow { depth } => self.flow(0, depth),
            LineState::Quoted { quote, depth } => self.quoted(start, start, quote, depth),
            LineState::Open
            | LineState::Code
            | LineState::BlockScalar { .. }
            | LineState::PlainScalar { .. } => self.unless_open(),
        }
    }

    /// Scans a line that does not continue a value of an earlier line.
    fn unless_open(&mut self) -> LineState {
        if let Some(after) = self.text.strip_prefix("---").filter(|_| is_marker(self.text)) {
            let at = self.skip_blanks(self.text.len() - after.len());
            return self.value(at, -1);
        }
        let mut at = self.skip_blanks(0);
        let mut parent = column(at) - 1;
        while self.text[at..].starts_with(['-', '?']) && self.is_end(at + 1) {
            parent = column(at);
            at = self.skip_blanks(at + 1);
        }
        if let Some(length) = after_key(&self.text[at..]) {
            parent = column(at);
            at = self.skip_blanks(at + length);
        }
        self.value(at, parent)
    }

    /// Scans a value in block style. Lines that continue it are indented by more than `parent`.
    fn value(&mut self, start: usize, parent: i32) -> LineState {
        let mut at = start;
        while self.text[at..].starts_with(['!', '&']) {
            let end = self.text[at..].find([' ', '\t']).map_or(self.text.len(), |it| at + it);
            at = self.skip_blanks(end);
        }
        let rest = &self.text[at..];
        match rest.chars().next() {
            None | Some('#') => {
                self.hide(start..start + self.text[start..at].trim_end().len());
                LineState::Open
            }
            Some('|' | '>') if is_header(rest) => {
                self.hide(start..start + self.text[start..at].trim_end().len());
                LineState::BlockScalar { parent }
            }
            Some('{' | '[') => {
                self.hide(start..start + self.text[start..at].trim_end().len());
                self.flow(at, 0)
            }
            Some(quote @ ('"' | '\'')) => self.quoted(start, at + 1, quote, 0),
            Some(first) => {
                self.hide(start..self.plain_end(start));
                if first == '*' { LineState::Open } else { LineState::PlainScalar { parent } }
            }
        }
    }

    /// Scans the rest of a quoted scalar, which begins at `from`, and what follows it.
    fn quoted(&mut self, start: usize, from: usize, quote: char, depth: u32) -> LineState {
        match closed(&self.text[from..], quote).map(|it| from + it) {
            None => {
                self.hide(start..self.text.len());
                LineState::Quoted { quote, depth }
            }
            Some(end) if depth > 0 => {
                self.hide(start..end);
                self.flow(end, depth)
            }
            Some(end) => {
                let is_last = self.is_nothing(end);
                self.hide(start..if is_last { end } else { self.text.len() });
                LineState::Open
            }
        }
    }

    /// Scans flow collections; `depth` of them are open. Their keys are not values.
    fn flow(&mut self, from: usize, mut depth: u32) -> LineState {
        let mut at = from;
        loop {
            at = self.skip_blanks(at);
            let Some(first) = self.text[at..].chars().next() else {
                return LineState::Flow { depth };
            };
            let after = at + first.len_utf8();
            match first {
                '#' if at == 0 || self.text[..at].ends_with([' ', '\t']) => {
                    return LineState::Flow { depth };
                }
                '{' | '[' => {
                    depth += 1;
                    at = after;
                }
                '}' | ']' => {
                    depth = depth.saturating_sub(1);
                    at = after;
                    if depth == 0 {
                        if !self.is_nothing(at) {
                            self.hide(at..self.text.len());
                        }
                        return LineState::Open;
                    }
                }
                ',' => at = after,
                ':' | '?' if self.is_flow_end(after) => at = after,
                '"' | '\'' => match closed(&self.text[after..], first).map(|it| after + it) {
                    None => return self.quoted(at, after, first, depth),
                    Some(end) => at = self.key_or_value(at..end),
                },
                _ => at = self.key_or_value(at..self.flow_scalar_end(at)),
            }
        }
    }

    /// Hides a scalar of a flow collection unless it is a key, and returns where to continue.
    fn key_or_value(&mut self, scalar: Range<usize>) -> usize {
        let is_quoted = self.text[..scalar.end].ends_with(['"', '\'']);
        let colon = self.skip_blanks(scalar.end);
        let is_key =
            self.text[colon..].starts_with(':') && (is_quoted || self.is_flow_end(colon + 1));
        if is_key {
            return colon + 1;
        }
        let end = scalar.end;
        self.hide(scalar);
        end
    }

    /// Returns where a scalar without quotes ends in a flow collection, without the blanks after
    /// it.
    fn flow_scalar_end(&self, start: usize) -> usize {
        let rest = &self.text[start..];
        let ends_here = |(at, letter): (usize, char)| match letter {
            ',' | '{' | '}' | '[' | ']' => true,
            ':' => self.is_flow_end(start + at + 1),
            '#' => rest[..at].ends_with([' ', '\t']),
            _ => false,
        };
        let mut letters = rest.char_indices();
        // The first letter is part of the scalar, whatever it is.
        let first = letters.next().map_or(0, |(_, letter)| letter.len_utf8());
        let end = letters.find(|it| ends_here(*it)).map_or(rest.len(), |(at, _)| at);
        start + rest[..end].trim_end().len().max(first)
    }

    /// Returns where a scalar without quotes ends in block style.
    fn plain_end(&self, start: usize) -> usize {
        let value = &self.text[start..];
        let end = value.find(" #").map_or(value.len(), |at| value[..at].trim_end().len());
        start + end
    }

    /// Returns whether only blanks or a comment follow.
    fn is_nothing(&self, at: usize) -> bool {
        let rest = self.text[at..].trim_start();
        rest.is_empty() || rest.starts_with('#') && rest.len() < self.text.len() - at
    }

    fn is_end(&self, at: usize) -> bool {
        self.text[at..].is_empty() || self.text[at..].starts_with([' ', '\t'])
    }

    /// Returns whether the character before this place ends a key in a flow collection.
    fn is_flow_end(&self, at: usize) -> bool {
        self.is_end(at) || self.text[at..].starts_with([',', '{', '}', '[', ']'])
    }

    fn skip_blanks(&self, at: usize) -> usize {
        skip_blanks(self.text, at)
    }

    fn hide(&mut self, range: Range<usize>) {
        if !range.is_empty() {
            self.hidden.push(range);
        }
    }
}

fn column(at: usize) -> i32 {
    i32::try_from(at).unwrap_or(i32::MAX)
}

/// Returns whether a line is `---` or `...`, with or without something after it.
fn is_marker(text: &str) -> bool {
    let after = text.strip_prefix("---").or_else(|| text.strip_prefix("..."));
    after.is_some_and(|it| it.is_empty() || it.starts_with([' ', '\t']))
}

/// Returns whether a text is the header of a block scalar, such as `|2-`.
fn is_header(text: &str) -> bool {
    let after = text[1..].trim_start_matches(|it: char| it.is_ascii_digit() || "+-".contains(it));
    let comment = after.trim_start();
    comment.is_empty() || comment.starts_with('#') && comment.len() < after.len()
}

/// Returns where a quoted scalar ends, after its closing quote. The text begins after the opening
/// quote, or on a later line.
fn closed(text: &str, quote: char) -> Option<usize> {
    let mut letters = text.char_indices().peekable();
    while let Some((at, letter)) = letters.next() {
        match letter {
            '\\' if quote == '"' => {
                letters.next();
            }
            '\'' if quote == '\'' && letters.peek().is_some_and(|it| it.1 == '\'') => {
                letters.next();
            }
            it if it == quote => return Some(at + 1),
            _ => {}
        }
    }
    None
}

/// Returns the length of a key including its colon.
fn after_key(text: &str) -> Option<usize> {
    let is_end = |at: usize| text[at..].starts_with([' ', '\t']) || at == text.len();
    let colon = match text.chars().next()? {
        '{' | '[' | '#' | '|' | '>' => return None,
        quote @ ('"' | '\'') => {
            let close = closed(&text[1..], quote)? + 1;
            let blanks = skip_blanks(text, close);
            text[blanks..].starts_with(':').then_some(blanks)?
        }
        _ => {
            let colon = text.match_indices(':').map(|(at, _)| at).find(|at| is_end(at + 1))?;
            // This is not a key of YAML but another format, such as `name = "a: b"`.
            let is_doubtful = text[..colon].contains(['"', '=']);
            (!is_doubtful).then_some(colon)?
        }
    };
    is_end(colon + 1).then_some(colon + 1)
}

fn skip_blanks(text: &str, at: usize) -> usize {
    text.len() - text[at..].trim_start_matches([' ', '\t']).len()
}
