//! A pattern of PCRE in the syntax of the engine.

use std::fmt::Write as _;

use super::class::{self, Class};

/// Rewrites a pattern; what neither side knows is left for the engine to refuse.
pub(super) fn translate(pattern: &str) -> Result<String, String> {
    let mut translator = Translator {
        rest: pattern,
        out: String::new(),
        flags: Flags::default(),
        open: Vec::new(),
        n_groups: pattern.matches('(').count(),
    };
    translator.pattern()?;
    Ok(translator.out)
}

pub(super) struct Translator<'a> {
    pub rest: &'a str,
    pub out: String,
    flags: Flags,
    /// The flags that come back when a group closes.
    open: Vec<Flags>,
    /// At most this many groups can be referred to.
    n_groups: usize,
}

/// The flags that change what a pattern's text means here; the others are passed on.
#[derive(Clone, Copy, Default)]
struct Flags {
    multi_line: bool,
    extended: bool,
}

/// Larger counts are refused: they cost memory, and KubeVirt's validator refuses them too.
const MAX_REPEAT: u32 = 1000;

/// The end of the text, or before its last line break.
const END: &str = r"(?=\n?\z)";
const WORD_BOUNDARY: &str =
    r"(?-i:(?<=[A-Za-z0-9_])(?![A-Za-z0-9_])|(?<![A-Za-z0-9_])(?=[A-Za-z0-9_]))";
const NO_WORD_BOUNDARY: &str =
    r"(?-i:(?<=[A-Za-z0-9_])(?=[A-Za-z0-9_])|(?<![A-Za-z0-9_])(?![A-Za-z0-9_]))";
const LINE_BREAK: &str = r"(?>\r\n|[\n\x0B\x0C\r\x{85}\x{2028}\x{2029}])";

impl Translator<'_> {
    fn pattern(&mut self) -> Result<(), String> {
        while let Some(char) = self.next() {
            match char {
                '\\' => self.escape()?,
                '[' => class::translate(self)?,
                '(' => self.group()?,
                ')' => {
                    self.flags = self.open.pop().ok_or("unmatched closing parenthesis")?;
                    self.out.push(')');
                }
                '$' if !self.flags.multi_line => self.out.push_str(END),
                '{' => self.brace()?,
                '}' | ']' => self.literal(char),
                '#' if self.flags.extended => self.skip_line(),
                _ if self.flags.extended && char.is_ascii_whitespace() => {}
                '^' | '$' | '.' | '|' | '*' | '+' | '?' => self.out.push(char),
                _ => self.literal(char),
            }
        }
        Ok(())
    }

    /// What follows an opening parenthesis and says what kind of group it is.
    fn group(&mut self) -> Result<(), String> {
        let Some(kind) = self.rest.strip_prefix('?') else {
            self.open.push(self.flags);
            self.out.push('(');
            return Ok(());
        };
        if kind.starts_with('#') {
            let end = self.rest.find(')').ok_or("unterminated comment")?;
            self.rest = &self.rest[end + 1..];
            return Ok(());
        }
        if let Some(call) = call_of(kind) {
            self.rest = &kind[kind.find(')').map_or(kind.len(), |at| at + 1)..];
            self.out.push_str(&call);
            return Ok(());
        }
        let is_flag = |it: char| it.is_ascii_alphabetic() || it == '-' || it == '^';
        let length = kind.find(|it| !is_flag(it)).unwrap_or(kind.len());
        if kind[length..].starts_with([')', ':']) && !kind.starts_with("P<") {
            return self.flag_group(&kind[..length], &kind[length..]);
        }
        self.open.push(self.flags);
        self.out.push_str("(?");
        self.rest = kind;
        if let Some(name) = kind.strip_prefix('\'') {
            let end = name.find('\'').ok_or("unterminated group name")?;
            let _ = write!(self.out, "<{}>", &name[..end]);
            self.rest = &name[end + 1..];
        } else if let Some(name) = kind.strip_prefix("P<").or_else(|| kind.strip_prefix('<')) {
            let end = if name.starts_with(['=', '!']) { Some(0) } else { name.find('>') };
            let end = end.ok_or("unterminated group name")?;
            self.out.push('<');
            self.out.push_str(&name[..end]);
            self.rest = &name[end..];
            let closing = self.next().ok_or("unterminated group")?;
            self.out.push(closing);
        } else if kind.starts_with(['=', '!', '>', ':', '|', '~']) {
            let mark = self.next();
            self.out.extend(mark);
        } else if let Some(condition) = kind.strip_prefix('(') {
            let end = condition.find(')').ok_or("unterminated condition")?;
            self.out.push_str(&kind[..end + 2]);
            self.rest = &condition[end + 1..];
        }
        Ok(())
    }

    /// `(?i-m)`, which holds to the end of the group it stands in, or `(?i-m:…)`.
    fn flag_group(&mut self, flags: &str, rest: &str) -> Result<(), String> {
        let before = self.flags;
        let (on, off) = flags.split_once('-').unwrap_or((flags, ""));
        let mut passed = String::new();
        for (flags, value) in [(on, true), (off, false)] {
            let mut engine = String::new();
            for flag in flags.chars() {
                match flag {
                    'm' => self.flags.multi_line = value,
                    'x' => self.flags.extended = value,
                    'i' | 's' | 'U' => {}
                    _ => return Err(format!("unknown flag `{flag}`")),
                }
                if flag != 'x' {
                    engine.push(flag);
                }
            }
            if !engine.is_empty() {
                passed.push_str(if value { "" } else { "-" });
                passed.push_str(&engine);
            }
        }
        self.rest = &self.rest[self.rest.len() - rest.len() + 1..];
        if rest.starts_with(':') {
            self.open.push(before);
            let _ = write!(self.out, "(?{passed}:");
        } else if !passed.is_empty() {
            let _ = write!(self.out, "(?{passed})");
        }
        Ok(())
    }

    /// A quantifier, or a brace that stands for itself.
    fn brace(&mut self) -> Result<(), String> {
        let Some((counts, rest)) = self.rest.split_once('}') else {
            self.literal('{');
            return Ok(());
        };
        let (least, most) = counts.split_once(',').unwrap_or((counts, counts));
        let is_count = |it: &str| it.bytes().all(|it| it.is_ascii_digit());
        if !is_count(least) || !is_count(most) || least.len() + most.len() == 0 {
            self.literal('{');
            return Ok(());
        }
        let is_few = |it: &str| it.is_empty() || it.parse().is_ok_and(|it: u32| it <= MAX_REPEAT);
        if !is_few(least) || !is_few(most) {
            return Err(format!("invalid repeat count: `{{{counts}}}` is above {MAX_REPEAT}"));
        }
        let least = if least.is_empty() { "0" } else { least };
        let most = if counts.contains(',') { format!(",{most}") } else { String::new() };
        let _ = write!(self.out, "{{{least}{most}}}");
        self.rest = rest;
        Ok(())
    }

    fn escape(&mut self) -> Result<(), String> {
        if let Some(class) = Class::escaped(self.rest) {
            self.rest = &self.rest[1..];
            self.out.push_str(&class.outside());
            return Ok(());
        }
        let Some(char) = self.next() else {
            return Err("nothing follows the last `\\`".to_owned());
        };
        match char {
            'b' => self.out.push_str(WORD_BOUNDARY),
            'B' => self.out.push_str(NO_WORD_BOUNDARY),
            'R' => self.out.push_str(LINE_BREAK),
            'Z' => self.out.push_str(END),
            'A' | 'z' | 'G' | 'K' => {
                self.out.push('\\');
                self.out.push(char);
            }
            '1'..='9' => self.numbered(char)?,
            'p' | 'P' => {
                let property = class::property(self, char)?;
                self.out.push_str(&property);
            }
            'g' if self.rest.starts_with(['<', '\'']) => {
                let name = self.bracketed().ok_or("unterminated name")?;
                let _ = write!(self.out, r"\g<{name}>");
            }
            'g' | 'k' => self.reference()?,
            'Q' => {
                let quoted = self.until_end_of_quote();
                quoted.chars().for_each(|it| self.literal(it));
            }
            'E' => {}
            _ => {
                let char = class::character(self, char)?;
                self.literal(char);
            }
        }
        Ok(())
    }

    /// `\1` refers to a group; a number that no group has is a character in octal.
    fn numbered(&mut self, first: char) -> Result<(), String> {
        let length = self.rest.bytes().take_while(u8::is_ascii_digit).count();
        let number = format!("{first}{}", &self.rest[..length]);
        let is_reference = length == 0 || number.parse().is_ok_and(|it: usize| it <= self.n_groups);
        if is_reference {
            self.rest = &self.rest[length..];
            let _ = write!(self.out, r"\k<{number}>");
        } else {
            let char = class::octal(self, first)?;
            self.literal(char);
        }
        Ok(())
    }

    /// `\k<name>`, `\k{name}`, `\k'name'`, `\g{1}`, `\g1`, `\g{-1}`.
    fn reference(&mut self) -> Result<(), String> {
        let name = self.bracketed().or_else(|| {
            let length = self.rest.find(|it: char| !it.is_ascii_digit() && it != '-')?;
            let name = self.rest[..length].to_owned();
            self.rest = &self.rest[length..];
            (!name.is_empty()).then_some(name)
        });
        let name = name.ok_or("a reference needs a name or a number")?;
        let _ = write!(self.out, r"\k<{name}>");
        Ok(())
    }

    /// A name in `<>`, `{}` or quotes.
    fn bracketed(&mut self) -> Option<String> {
        let close = match self.rest.chars().next()? {
            '<' => '>',
            '{' => '}',
            '\'' => '\'',
            _ => return None,
        };
        let (name, rest) = self.rest[1..].split_once(close)?;
        self.rest = rest;
        Some(name.to_owned())
    }

    fn skip_line(&mut self) {
        self.rest = self.rest.split_once('\n').map_or("", |(_, rest)| rest);
    }

    /// A character that stands for itself.
    fn literal(&mut self, char: char) {
        if char.is_ascii() && !char.is_ascii_alphanumeric() {
            let _ = write!(self.out, r"\x{:02X}", u32::from(char));
        } else {
            self.out.push(char);
        }
    }
}

impl<'a> Translator<'a> {
    pub(super) fn next(&mut self) -> Option<char> {
        let char = self.rest.chars().next()?;
        self.rest = &self.rest[char.len_utf8()..];
        Some(char)
    }

    /// The text up to `\E`, which is consumed.
    pub(super) fn until_end_of_quote(&mut self) -> &'a str {
        let (quoted, rest) = self.rest.split_once(r"\E").unwrap_or((self.rest, ""));
        self.rest = rest;
        quoted
    }
}

/// A call of a group (`(?1)`, `(?R)`, `(?&name)`, `(?P>name)`) or a reference (`(?P=name)`).
fn call_of(kind: &str) -> Option<String> {
    let (inside, _) = kind.split_once(')')?;
    if let Some(name) = inside.strip_prefix("P=") {
        return Some(format!(r"\k<{name}>"));
    }
    let name = inside.strip_prefix('&').or_else(|| inside.strip_prefix("P>")).unwrap_or(inside);
    let is_number = !inside.is_empty() && inside.bytes().all(|it| it.is_ascii_digit());
    match inside {
        "R" => Some(r"\g<0>".to_owned()),
        _ if is_number || name != inside => Some(format!(r"\g<{name}>")),
        _ => None,
    }
}
