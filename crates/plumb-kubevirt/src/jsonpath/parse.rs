//! Parses text into a [`JsonPath`].
//!
//! Some rules of kubectl's dialect are surprising: a bracket ends at the next `]`, a comma always
//! makes a union, and a key in brackets is split at its dots. Plumb has the same rules, because
//! authors rely on them.

use std::ops::Range;

use super::unquote::unquote;
use super::{Action, Block, End, JsonPath, Literal, Operator, Slice, Step};

/// An error in the syntax of a template.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SyntaxError {
    /// The bytes of the text that are wrong; empty if something is missing.
    pub at: Range<usize>,
    pub message: String,
}

type Result<T> = std::result::Result<T, SyntaxError>;

impl JsonPath {
    /// Parses a template.
    ///
    /// # Errors
    ///
    /// If a bracket, brace or quote is not closed, or an expression is malformed. The error
    /// contains the place in `text`.
    pub fn parse(text: &str) -> Result<Self> {
        let mut parser = Parser { text, at: 0, base: 0, end: text.len() };
        parser.blocks().map(|blocks| Self { blocks })
    }
}

struct Parser<'a> {
    text: &'a str,
    at: usize,
    /// Where `text` starts in the template.
    base: usize,
    /// Where `text` ends in the template. The closing character may be missing.
    end: usize,
}

impl<'a> Parser<'a> {
    fn blocks(&mut self) -> Result<Vec<Block>> {
        let mut blocks = Vec::new();
        while !self.rest().is_empty() {
            let length = self.rest().find('{').unwrap_or(self.rest().len());
            if length > 0 {
                blocks.push(Block::Text(Literal::Text(self.take(length).to_owned())));
            } else {
                self.at += 1;
                blocks.push(Block::Expression(self.expression()?));
            }
        }
        Ok(blocks)
    }

    /// Reads the steps up to the closing brace, and consumes the brace.
    fn expression(&mut self) -> Result<Vec<Step>> {
        let mut steps = Vec::new();
        loop {
            if self.rest().starts_with("[?(") {
                steps.push(self.filter()?);
                continue;
            }
            if self.rest().starts_with("..") {
                self.descend(&mut steps)?;
                continue;
            }
            let start = self.at;
            let Some(char) = self.next() else { return Err(self.unclosed()) };
            match char {
                '}' => return Ok(steps),
                '\r' | '\n' => return Err(self.unclosed()),
                // These denote the current object, where a path starts by default.
                ' ' | '@' | '$' => {}
                '[' => self.bracket(start, &mut steps)?,
                '"' | '\'' => steps.push(self.quoted(start, char)?),
                '.' => steps.push(self.field(start)),
                '+' | '-' => steps.push(self.number(start)?),
                _ if char.is_numeric() => steps.push(self.number(start)?),
                _ if char == '_' || char.is_alphabetic() => steps.push(self.word(start)),
                _ => return Err(self.unrecognized(start, char)),
            }
        }
    }

    fn descend(&mut self, steps: &mut Vec<Step>) -> Result<()> {
        let start = self.at;
        self.at += 2;
        if matches!(steps.last(), Some(Step { action: Action::Descend, .. })) {
            return Err(self.error(start..self.at, "invalid multiple recursive descent"));
        }
        steps.push(self.step(start, Action::Descend));
        if self.rest().starts_with(|it: char| it == '_' || it.is_alphanumeric()) {
            let start = self.at;
            steps.push(self.field(start));
        }
        Ok(())
    }

    /// Reads a name up to the next character that cannot be part of one. A backslash removes the
    /// special meaning of the character after it.
    fn field(&mut self, start: usize) -> Step {
        let mut name = String::new();
        while let Some(char) = self.rest().chars().next() {
            if char == '\\' {
                self.at += 1;
                name.extend(self.next().filter(|it| *it != '\\'));
            } else if is_terminator(char) {
                break;
            } else {
                self.at += char.len_utf8();
                name.push(char);
            }
        }
        let action = if name == "*" { Action::Wildcard } else { Action::Field(name) };
        self.step(start, action)
    }

    fn number(&mut self, start: usize) -> Result<Step> {
        let length = self.rest().find(|it: char| it != '.' && !it.is_numeric());
        self.at += length.unwrap_or(self.rest().len());
        let text = &self.text[start..self.at];
        let literal = match (text.parse(), text.parse()) {
            (Ok(value), _) => Literal::Int(value),
            (_, Ok(value)) => Literal::Float(value),
            (Err(_), Err(_)) => {
                return Err(self.error(start..self.at, &format!("cannot parse number {text}")));
            }
        };
        Ok(self.step(start, Action::Literal(literal)))
    }

    /// `true`, `false`, `range` or `end`.
    fn word(&mut self, start: usize) -> Step {
        let length = self.rest().find(is_terminator).unwrap_or(self.rest().len());
        self.at += length;
        let action = match &self.text[start..self.at] {
            "true" => Action::Literal(Literal::Bool(true)),
            "false" => Action::Literal(Literal::Bool(false)),
            "range" => Action::Range,
            "end" => Action::End,
            _ => Action::Unknown,
        };
        self.step(start, action)
    }

    fn quoted(&mut self, start: usize, quote: char) -> Result<Step> {
        let mut previous = quote;
        loop {
            match self.next() {
                None | Some('\n') => {
                    return Err(self.error(start..self.at, "unterminated quoted string"));
                }
                Some(char) if char == quote && previous != '\\' => break,
                Some(char) => previous = char,
            }
        }
        let text = &self.text[start..self.at];
        let Some(value) = unquote(text) else {
            let message = format!("unquote string {text} error invalid syntax");
            return Err(self.error(start..self.at, &message));
        };
        Ok(self.step(start, Action::Literal(Literal::Text(value))))
    }

    /// Reads the contents of brackets: a union, a key or a slice.
    fn bracket(&mut self, start: usize, steps: &mut Vec<Step>) -> Result<()> {
        let inside = self.at;
        let Some(length) =
            self.rest().find([']', '\n']).filter(|it| !self.rest()[*it..].starts_with('\n'))
        else {
            return Err(self.error(start..self.text.len(), "unterminated array"));
        };
        let text = self.take(length);
        self.at += 1;
        if text.contains(',') {
            let union = self.union(text, inside)?;
            steps.push(self.step(start, Action::Union(union)));
        } else if let Some(key) = key_of(text) {
            steps.extend(self.within(&format!(".{key}"), inside)?);
        } else {
            let slice = self.slice(text, start)?;
            steps.push(self.step(start, Action::Slice(slice)));
        }
        Ok(())
    }

    fn union(&self, text: &str, inside: usize) -> Result<Vec<Vec<Step>>> {
        let mut at = inside;
        let mut members = Vec::new();
        for part in text.split(',') {
            let blanks = part.len() - part.trim_start_matches(' ').len();
            members.push(self.within(
                &format!("[{}]", part.trim_matches(' ')),
                (at + blanks).saturating_sub(1),
            )?);
            at += part.len() + 1;
        }
        Ok(members)
    }

    fn slice(&self, text: &str, start: usize) -> Result<Slice> {
        if text == "*" {
            return Ok(Slice { start: None, end: End::Last, step: None });
        }
        let parts: std::result::Result<Vec<_>, NumberError> = text.split(':').map(part).collect();
        let end = |part: Option<i64>| part.map_or(End::Last, End::At);
        match parts.as_deref() {
            Ok(&[first]) => Ok(Slice { start: first, end: End::Next, step: None }),
            Ok(&[first, second]) => Ok(Slice { start: first, end: end(second), step: None }),
            Ok(&[first, second, third]) => {
                Ok(Slice { start: first, end: end(second), step: third })
            }
            Ok(_) | Err(NumberError) => {
                Err(self.error(start..self.at, &format!("invalid array index {text}")))
            }
        }
    }

    /// `[?(left OP right)]` or `[?(path)]`. A parenthesis inside quotes does not close it.
    fn filter(&mut self) -> Result<Step> {
        let start = self.at;
        self.at += 3;
        let inside = self.at;
        let mut quote: Option<char> = None;
        let mut is_closed = false;
        let mut previous = '(';
        loop {
            match self.next() {
                None | Some('\n') => return Err(self.error(start..self.at, "unterminated filter")),
                Some(char @ ('"' | '\'')) => match quote {
                    None => quote = Some(char),
                    Some(open) => is_closed |= char == open && previous != '\\',
                },
                Some(')') if quote.is_some() == is_closed => break,
                Some(_) => {}
            }
            previous = self.text[..self.at].chars().next_back().unwrap_or_default();
        }
        let text = &self.text[inside..self.at - 1];
        if self.next() != Some(']') {
            return Err(self.error(start..self.at, "unclosed array expect ]"));
        }
        let action = self.condition(text, inside)?;
        Ok(self.step(start, action))
    }

    fn condition(&self, text: &str, inside: usize) -> Result<Action> {
        let comparison = text.find(['!', '<', '>', '=']).filter(|it| *it > 0).and_then(|left| {
            let rest = &text[left..];
            let length =
                rest.find(|it| !matches!(it, '!' | '<' | '>' | '=')).filter(|it| *it < rest.len());
            length.map(|length| (left, length))
        });
        let Some((left, length)) = comparison else {
            return self.within(text, inside).map(Action::Exists);
        };
        let right = left + length;
        let operator = match &text[left..right] {
            "==" => Operator::Equal,
            "!=" => Operator::NotEqual,
            "<" => Operator::Less,
            "<=" => Operator::LessOrEqual,
            ">" => Operator::Greater,
            ">=" => Operator::GreaterOrEqual,
            _ => return Ok(Action::Unknown),
        };
        let left = self.within(&text[..left], inside)?;
        let right = self.within(&text[right..], inside + right)?;
        Ok(Action::Compare { left, operator, right })
    }

    /// The steps of an expression that is nested in this one, at `at`.
    fn within(&self, text: &str, at: usize) -> Result<Vec<Step>> {
        let base = self.base + at;
        let end = (base + text.len()).min(self.end);
        let mut parser = Parser { text: &format!("{text}}}"), at: 0, base, end };
        parser.expression()
    }

    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    fn next(&mut self) -> Option<char> {
        let char = self.rest().chars().next()?;
        self.at += char.len_utf8();
        Some(char)
    }

    fn take(&mut self, length: usize) -> &'a str {
        let text = &self.rest()[..length];
        self.at += length;
        text
    }

    fn step(&self, start: usize, action: Action) -> Step {
        Step { action, at: self.placed(start..self.at) }
    }

    fn error(&self, at: Range<usize>, message: &str) -> SyntaxError {
        SyntaxError { at: self.placed(at), message: message.to_owned() }
    }

    /// Where a part of `text` is in the template.
    fn placed(&self, part: Range<usize>) -> Range<usize> {
        let place = |at: usize| (self.base + at).min(self.end);
        place(part.start)..place(part.end)
    }

    fn unclosed(&self) -> SyntaxError {
        self.error(self.at..self.at, "unclosed action")
    }

    fn unrecognized(&self, start: usize, char: char) -> SyntaxError {
        let code = u32::from(char);
        let message = format!("unrecognized character in action: U+{code:04X} '{char}'");
        self.error(start..self.at, &message)
    }
}

fn is_terminator(char: char) -> bool {
    matches!(char, ' ' | '\t' | '\r' | '\n' | '.' | ',' | '[' | ']' | '$' | '@' | '{' | '}')
}

/// The text between single quotes. Returns `None` if there is more than that.
fn key_of(text: &str) -> Option<&str> {
    text.strip_prefix('\'')?.strip_suffix('\'').filter(|key| !key.contains('\''))
}

struct NumberError;

/// A part of a slice: a number, or `None` if it is empty.
fn part(text: &str) -> std::result::Result<Option<i64>, NumberError> {
    if text.is_empty() {
        return Ok(None);
    }
    let digits = text.strip_prefix('-').unwrap_or(text);
    let is_number = digits.bytes().all(|it| it.is_ascii_digit());
    is_number.then(|| text.parse().ok()).flatten().map(Some).ok_or(NumberError)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check_error(text: &str, at: Range<usize>, message: &str) {
        let error = JsonPath::parse(text).expect_err("the text is not a template");
        assert_eq!((error.message.as_str(), error.at), (message, at), "{text}");
    }

    fn names(text: &str) -> Vec<String> {
        let template = JsonPath::parse(text).expect("the text is a template");
        let path = template.plain_path().expect("the path is plain");
        path.into_iter().map(str::to_owned).collect()
    }

    #[test]
    fn names_end_at_dots_and_brackets_unless_escaped() {
        assert_eq!(names("{.a.b}"), ["a", "b"]);
        assert_eq!(names(r"{.kubevirt\.io/x}"), ["kubevirt.io/x"]);
        assert_eq!(names("{['a']['b']}"), ["a", "b"]);
        assert_eq!(names(r"{.a['x\.y'] }"), ["a", "x.y"]);
        assert_eq!(names("{.a['x.y']}"), ["a", "x", "y"]);
        assert_eq!(names("{$.a[*].b}"), ["a", "*", "b"]);
        assert_eq!(names("{.a.}"), ["a", ""]);
    }

    #[test]
    fn an_error_points_at_what_is_wrong() {
        check_error("{.a", 3..3, "unclosed action");
        check_error("{.a\n.b}", 4..4, "unclosed action");
        check_error("{.a[0}", 3..6, "unterminated array");
        check_error("{.a[x]}", 3..6, "invalid array index x");
        check_error("{.a[1:2:3:4]}", 3..12, "invalid array index 1:2:3:4");
        check_error("{....a}", 3..5, "invalid multiple recursive descent");
        check_error("{.a(}{(}", 6..7, "unrecognized character in action: U+0028 '('");
        check_error("{.a[?(@.b==\"x\")}", 3..16, "unclosed array expect ]");
        check_error("{.a[?(@.b}", 3..10, "unterminated filter");
        check_error(
            "{.a[?(@.b==\"x\" && @.c)]}",
            15..16,
            "unrecognized character in action: U+0026 '&'",
        );
        check_error("{.a['b',x]}", 7..10, "invalid array index x");
        check_error("{[0,?(@.a]", 3..10, "unterminated filter");
        check_error("{'a}", 1..4, "unterminated quoted string");
    }

    #[test]
    fn no_text_is_too_much() {
        for part in ["[?(", "['", "{range .a}", "..a", "[0,", "[?(@.a==[?(", "\\"] {
            let text = format!("{{{}", part.repeat(20_000));
            let _ = JsonPath::parse(&text);
            let _ = JsonPath::parse(&format!("{text})]}}"));
        }
    }
}
