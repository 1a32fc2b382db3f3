//! Translates a pattern of PCRE into the syntax of the engine.
//!
//! Constructs that the engine does not support are rejected here by name, because the engine would
//! give them another meaning.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::ops::Range;

use super::PatternError;
use super::class::{self, Class};

/// A pattern in the syntax of the engine.
pub(super) struct Translated {
    pub text: String,
    /// The number of capturing groups. It is zero if nothing refers to a group.
    pub n_groups: usize,
    /// Whether a part of the pattern calls itself. The engine limits the depth of such calls.
    pub is_recursive: bool,
    /// Whether the result depends on [`LastLine`].
    pub has_end: bool,
}

/// Whether the texts that a pattern is matched with end with a line break. If not, `$` and `\Z`
/// have a simpler translation.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum LastLine {
    Open,
    Ended,
}

/// Rewrites a pattern. Constructs that are unknown in both syntaxes are left to the engine, which
/// rejects them.
pub(super) fn translate(pattern: &str, last_line: LastLine) -> Result<Translated, PatternError> {
    let mut translator = Translator {
        rest: pattern,
        last_line,
        has_end: false,
        out: String::new(),
        level: Level::default(),
        outer: Vec::new(),
        n_groups: 0,
        n_all_groups: count_groups(pattern),
        openings: Vec::new(),
        around: vec![Vec::new()],
        calls: Vec::new(),
        references: Vec::new(),
        names: HashMap::new(),
    };
    translator.pattern()?;
    if translator.refers_to_called_group() {
        return Err(unsupported("a reference to a group that is also called"));
    }
    let is_recursive = translator.is_recursive();
    let has_end = translator.has_end;
    if translator.calls.is_empty() && translator.references.is_empty() {
        let text = without_captures(&translator.out, &translator.openings);
        return Ok(Translated { text, n_groups: 0, is_recursive, has_end });
    }
    Ok(Translated { text: translator.out, n_groups: translator.n_groups, is_recursive, has_end })
}

/// Replaces the openings of capturing groups: while the engine matches, each of them takes memory
/// in proportion to the pattern.
fn without_captures(text: &str, openings: &[Range<usize>]) -> String {
    let mut out = String::with_capacity(text.len() + 2 * openings.len());
    let mut copied = 0;
    for opening in openings {
        out.push_str(&text[copied..opening.start]);
        out.push_str("(?:");
        copied = opening.end;
    }
    out.push_str(&text[copied..]);
    out
}

pub(super) struct Translator<'a> {
    pub rest: &'a str,
    last_line: LastLine,
    /// Whether there is a `$` or `\Z`.
    has_end: bool,
    pub out: String,
    /// The group that is being read, or the whole pattern.
    level: Level,
    /// The enclosing groups.
    outer: Vec<Level>,
    /// The number of capturing groups so far.
    n_groups: usize,
    n_all_groups: usize,
    /// Where the openings of capturing groups are in the output.
    openings: Vec<Range<usize>>,
    /// For each capturing group, the enclosing groups.
    around: Vec<Vec<usize>>,
    /// Calls of groups: the groups that enclose the call, and the group that it names.
    calls: Vec<(Vec<usize>, Group)>,
    /// The groups that back references and conditions name.
    references: Vec<Group>,
    /// The numbers of named groups.
    names: HashMap<String, usize>,
}

/// A group that is open.
#[derive(Clone, Copy, Default)]
struct Level {
    flags: Flags,
    /// Its number, if it captures. The pattern as a whole is group 0.
    number: Option<usize>,
    /// Whether the following text is in a group that was added for its flags. PCRE restores flags
    /// at the end of every group, the engine only at the end of such a group.
    is_wrapped: bool,
    is_look_behind: bool,
    /// Whether it is a look-around that serves as a condition.
    is_condition: bool,
    /// If it has a condition, how many alternatives it has so far.
    n_alternatives: Option<usize>,
}

/// A group by number or by name.
enum Group {
    Number(usize),
    Name(String),
}

#[derive(Clone, Copy, Default, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "flags are independent of each other")]
struct Flags {
    ignore_case: bool,
    multi_line: bool,
    dot_all: bool,
    swap_greed: bool,
    /// The only flag that the engine does not need.
    extended: bool,
}

impl Flags {
    /// The opening of a group with these flags.
    fn opening(self) -> String {
        let flags = [
            ('i', self.ignore_case),
            ('m', self.multi_line),
            ('s', self.dot_all),
            ('U', self.swap_greed),
        ];
        let with = |wanted: bool| flags.iter().filter(move |it| it.1 == wanted).map(|it| it.0);
        let on: String = with(true).collect();
        let off: String = with(false).collect();
        if off.is_empty() { format!("(?{on}:") } else { format!("(?{on}-{off}:") }
    }
}

/// Larger counts are rejected: they cost memory, and KubeVirt's validator rejects them too.
const MAX_REPEAT: u32 = 1000;

/// The deepest nesting that the engine supports.
const MAX_DEPTH: usize = 64;

/// The maximum number of calls of groups. The engine inlines them.
const MAX_CALLS: usize = 64;

/// Matches at the start of a line. There is no line after the last line break.
const LINE_START: &str = r"(?:\A|^(?!\z))";
const WORD_BOUNDARY: &str =
    r"(?-i:(?<=[A-Za-z0-9_])(?![A-Za-z0-9_])|(?<![A-Za-z0-9_])(?=[A-Za-z0-9_]))";
const NO_WORD_BOUNDARY: &str =
    r"(?-i:(?<=[A-Za-z0-9_])(?=[A-Za-z0-9_])|(?<![A-Za-z0-9_])(?![A-Za-z0-9_]))";
/// Matches everywhere. Unlike empty text, it is not an empty alternative for the engine.
const NOTHING: &str = "(?=)";
const LINE_BREAK: &str = r"(?>\r\n|[\n\x0B\x0C\r\x{85}\x{2028}\x{2029}])";

impl<'a> Translator<'a> {
    fn pattern(&mut self) -> Result<(), PatternError> {
        self.level.number = Some(0);
        while let Some(char) = self.next() {
            match char {
                '\\' => self.escape()?,
                '[' => class::translate(self)?,
                '(' => self.group()?,
                ')' => {
                    self.unwrap();
                    if self.level.n_alternatives == Some(1) {
                        // The engine treats an empty alternative as one that never matches.
                        self.out.push('|');
                        self.out.push_str(NOTHING);
                    }
                    self.out.push_str(if self.level.is_condition { "))" } else { ")" });
                    let is_condition = self.level.is_condition;
                    self.level = self.outer.pop().ok_or("unmatched closing parenthesis")?;
                    if is_condition {
                        self.begin_conditional();
                    }
                }
                '|' => {
                    // Flags that were set in one alternative also apply to the alternatives after
                    // it.
                    let is_wrapped = self.level.is_wrapped;
                    self.unwrap();
                    if let Some(n_alternatives) = &mut self.level.n_alternatives {
                        *n_alternatives += 1;
                        if *n_alternatives > 2 {
                            return Err("a condition has more than two alternatives".into());
                        }
                    }
                    self.out.push('|');
                    if self.level.n_alternatives.is_some() {
                        self.out.push_str(NOTHING);
                    }
                    if is_wrapped {
                        self.wrap();
                    }
                }
                '$' if !self.level.flags.multi_line => self.end(),
                '^' if self.level.flags.multi_line => self.out.push_str(LINE_START),
                '{' => self.brace()?,
                '}' | ']' => self.literal(char),
                '#' if self.level.flags.extended => self.skip_line(),
                _ if self.level.flags.extended && char.is_ascii_whitespace() => {}
                '^' | '$' | '.' | '*' | '+' | '?' => self.out.push(char),
                _ => self.literal(char),
            }
        }
        if !self.outer.is_empty() {
            return Err("missing closing parenthesis".into());
        }
        self.unwrap();
        Ok(())
    }

    /// Starts a group for the flags of this level. The flags end with the group.
    fn wrap(&mut self) {
        self.out.push_str(&self.level.flags.opening());
        self.level.is_wrapped = true;
    }

    fn unwrap(&mut self) {
        if std::mem::take(&mut self.level.is_wrapped) {
            self.out.push(')');
        }
    }

    /// Enters a group. `captures` says whether it is a capturing one.
    fn enter(&mut self, captures: bool) -> Result<(), PatternError> {
        if self.outer.len() == MAX_DEPTH {
            return Err(PatternError::malformed(format!(
                "groups must not be nested more than {MAX_DEPTH} levels deep"
            )));
        }
        self.n_groups += usize::from(captures);
        let number = captures.then_some(self.n_groups);
        if captures {
            self.around.push(self.around().collect());
        }
        let inner = Level { flags: self.level.flags, number, ..Level::default() };
        self.outer.push(std::mem::replace(&mut self.level, inner));
        Ok(())
    }

    /// Writes the opening of a capturing group.
    fn open(&mut self, opening: &str) {
        let start = self.out.len();
        self.out.push_str(opening);
        self.openings.push(start..self.out.len());
    }

    /// Reads the text after an opening parenthesis that determines the kind of group.
    fn group(&mut self) -> Result<(), PatternError> {
        if let Some(verb) = self.rest.strip_prefix('*') {
            return self.verb(verb);
        }
        let Some(kind) = self.rest.strip_prefix('?') else {
            self.enter(true)?;
            self.open("(");
            return Ok(());
        };
        if kind.starts_with('#') {
            let end = self.rest.find(')').ok_or("unterminated comment")?;
            self.rest = &self.rest[end + 1..];
            return Ok(());
        }
        if let Some(reference) = kind.strip_prefix("P=") {
            let (name, rest) = reference.split_once(')').ok_or("unterminated name")?;
            self.refer(Group::Name(name.to_owned()));
            self.rest = rest;
            return Ok(());
        }
        if let Some((called, rest)) = self.call_of(kind)? {
            self.rest = rest;
            return self.call(called);
        }
        let is_flag = |it: char| it.is_ascii_alphabetic() || it == '-' || it == '^';
        let length = kind.find(|it| !is_flag(it)).unwrap_or(kind.len());
        if kind[length..].starts_with([')', ':']) && !kind.starts_with("P<") {
            return self.flag_group(&kind[..length], &kind[length..]);
        }
        self.rest = kind;
        if let Some(name) = kind.strip_prefix('\'') {
            let (name, rest) = name.split_once('\'').ok_or("unterminated group name")?;
            self.named_group(name, rest)?;
        } else if kind.starts_with("<=") || kind.starts_with("<!") {
            self.enter(false)?;
            self.level.is_look_behind = true;
            let _ = write!(self.out, "(?{}", &kind[..2]);
            self.rest = &kind[2..];
        } else if let Some(name) = kind.strip_prefix("P<").or_else(|| kind.strip_prefix('<')) {
            let (name, rest) = name.split_once('>').ok_or("unterminated group name")?;
            self.named_group(name, rest)?;
        } else if kind.starts_with(['=', '!', '>', ':']) {
            self.enter(false)?;
            self.out.push_str("(?");
            let mark = self.next();
            self.out.extend(mark);
        } else if let Some(condition) = kind.strip_prefix('(') {
            self.condition(condition)?;
        } else {
            let end = kind.find(')').map_or(kind.len(), |at| at + 1);
            let start: String = kind[..end].chars().take(1).collect();
            return Err(unsupported(&match start.as_str() {
                "|" => "`(?|…)`".to_owned(),
                "C" => "a callout, `(?C)`,".to_owned(),
                other => format!("`(?{other}`"),
            }));
        }
        Ok(())
    }

    fn named_group(&mut self, name: &str, rest: &'a str) -> Result<(), PatternError> {
        if self.names.contains_key(name) {
            return Err(PatternError::malformed(format!("two groups have the name `{name}`")));
        }
        self.enter(true)?;
        self.open(&format!("(?<{name}>"));
        self.names.insert(name.to_owned(), self.n_groups);
        self.rest = rest;
        Ok(())
    }

    /// `(*FAIL)`, `(*atomic:…)` and other names of groups. Verbs that direct backtracking are not
    /// supported.
    fn verb(&mut self, verb: &'a str) -> Result<(), PatternError> {
        let end = verb.find([')', ':']).unwrap_or(verb.len());
        let (name, rest) = verb.split_at(end);
        let opening = match name {
            "F" | "FAIL" if rest.starts_with(')') => {
                self.out.push_str("(?!)");
                self.rest = &rest[1..];
                return Ok(());
            }
            "atomic" => "(?>",
            "pla" | "positive_lookahead" => "(?=",
            "nla" | "negative_lookahead" => "(?!",
            "plb" | "positive_lookbehind" => "(?<=",
            "nlb" | "negative_lookbehind" => "(?<!",
            _ => return Err(unsupported(&format!("`(*{name})`"))),
        };
        let Some(rest) = rest.strip_prefix(':') else {
            return Err(PatternError::malformed(format!("`(*{name}` needs a colon")));
        };
        self.rest = rest;
        self.enter(false)?;
        self.level.is_look_behind = opening.starts_with("(?<");
        self.out.push_str(opening);
        Ok(())
    }

    /// Reads the condition of `(?(condition)then|else)`, after its opening parenthesis.
    fn condition(&mut self, condition: &'a str) -> Result<(), PatternError> {
        if self.outer.iter().chain([&self.level]).any(|it| it.is_look_behind) {
            return Err(unsupported("a condition in a look-behind"));
        }
        let look_around = ["?=", "?!", "?<=", "?<!"];
        if let Some(opening) = look_around.iter().find(|it| condition.starts_with(**it)) {
            self.enter(false)?;
            self.enter(false)?;
            self.level.is_condition = true;
            let _ = write!(self.out, "(?(({opening}");
            self.rest = &condition[opening.len()..];
            return Ok(());
        }
        let (text, rest) = condition.split_once(')').ok_or("unterminated condition")?;
        let name = match text.as_bytes() {
            [b'<', .., b'>'] | [b'\'', .., b'\''] => &text[1..text.len() - 1],
            _ => text,
        };
        let is_about_calls = text == "R"
            || text
                .strip_prefix('R')
                .is_some_and(|it| it.starts_with('&') || it.bytes().all(|it| it.is_ascii_digit()));
        let group = match self.number(text) {
            Some(number) => number?,
            None if text == "DEFINE" => 0,
            None => match self.names.get(name) {
                Some(number) => *number,
                None if is_about_calls || text.starts_with("VERSION") => {
                    return Err(unsupported(&format!("the condition `(?({text})`")));
                }
                None => {
                    return Err(PatternError::malformed(format!(
                        "there is no group `{name}` before this condition"
                    )));
                }
            },
        };
        self.references.push(Group::Number(group));
        if group > 0 && self.around().any(|it| it == group) {
            return Err(unsupported("a condition on the group that it is in"));
        }
        self.rest = rest;
        self.enter(false)?;
        if group == 0 {
            self.out.push_str("(?(DEFINE)");
        } else {
            let _ = write!(self.out, "(?({group})");
            self.begin_conditional();
        }
        Ok(())
    }

    /// Starts the first alternative after a condition. The engine does not accept an empty one.
    fn begin_conditional(&mut self) {
        self.level.n_alternatives = Some(1);
        self.out.push_str(NOTHING);
    }

    /// The number of a group, counted from here if it has a sign. `None` if the text is not a
    /// number.
    fn number(&self, text: &str) -> Option<Result<usize, PatternError>> {
        let digits = text.trim_start_matches(['+', '-']);
        if digits.is_empty() || !digits.bytes().all(|it| it.is_ascii_digit()) {
            return None;
        }
        let number: usize = digits.parse().unwrap_or(usize::MAX);
        let number = match text.as_bytes()[0] {
            b'+' => self.n_groups.checked_add(number),
            b'-' => (self.n_groups + 1).checked_sub(number).filter(|it| *it > 0),
            _ => Some(number),
        };
        let number = number.filter(|it| *it <= self.n_all_groups);
        Some(number.ok_or_else(|| PatternError::malformed(format!("there is no group `{text}`"))))
    }

    /// The group that a call names: `(?1)`, `(?-1)`, `(?R)`, `(?&name)`, `(?P>name)`.
    fn call_of<'k>(&self, kind: &'k str) -> Result<Option<(Group, &'k str)>, PatternError> {
        let Some((inside, rest)) = kind.split_once(')') else { return Ok(None) };
        let called = if inside == "R" {
            Group::Number(0)
        } else if let Some(name) = inside.strip_prefix('&').or_else(|| inside.strip_prefix("P>")) {
            Group::Name(name.to_owned())
        } else if let Some(number) = self.number(inside) {
            Group::Number(number?)
        } else {
            return Ok(None);
        };
        Ok(Some((called, rest)))
    }

    /// A back reference.
    fn refer(&mut self, group: Group) {
        let _ = match &group {
            Group::Number(number) => write!(self.out, r"\k<{number}>"),
            Group::Name(name) => write!(self.out, r"\k<{name}>"),
        };
        self.references.push(group);
    }

    fn call(&mut self, called: Group) -> Result<(), PatternError> {
        if self.calls.len() == MAX_CALLS {
            return Err(PatternError::malformed(format!(
                "a pattern must not have more than {MAX_CALLS} calls of groups"
            )));
        }
        let _ = match &called {
            Group::Number(number) => write!(self.out, r"\g<{number}>"),
            Group::Name(name) => write!(self.out, r"\g<{name}>"),
        };
        self.calls.push((self.around().collect(), called));
        Ok(())
    }

    /// The numbers of the groups that are open.
    fn around(&self) -> impl Iterator<Item = usize> {
        self.outer.iter().chain([&self.level]).filter_map(|it| it.number)
    }

    /// The number of a group, if there is such a group.
    fn number_of(&self, group: &Group) -> Option<usize> {
        match group {
            Group::Number(number) => Some(*number),
            Group::Name(name) => self.names.get(name).copied(),
        }
    }

    /// Whether a back reference or a condition refers to a group that is called, or to a part of
    /// one. In PCRE, a call does not change the text that a group has matched; in the engine it
    /// does.
    fn refers_to_called_group(&self) -> bool {
        let called: Vec<usize> = self.calls.iter().filter_map(|it| self.number_of(&it.1)).collect();
        self.references.iter().filter_map(|it| self.number_of(it)).any(|group| {
            let around = self.around.get(group).map_or(&[][..], |it| it);
            called.iter().any(|it| *it == group || around.contains(it))
        })
    }

    /// Whether a group calls itself, directly or through others.
    fn is_recursive(&self) -> bool {
        let calls: Vec<(&[usize], usize)> = self
            .calls
            .iter()
            .filter_map(|(around, called)| Some((&around[..], self.number_of(called)?)))
            .collect();
        // A call reaches the group that it names, and everything that the calls inside that group
        // reach.
        calls.iter().any(|(around, first)| {
            let mut reached = vec![*first];
            let mut at = 0;
            while at < reached.len() {
                let group = reached[at];
                let inside = calls.iter().filter(|it| it.0.contains(&group)).map(|it| it.1);
                for called in inside {
                    if !reached.contains(&called) {
                        reached.push(called);
                    }
                }
                at += 1;
            }
            around.iter().any(|it| reached.contains(it))
        })
    }

    /// `(?i-m)`, which applies to the end of its group, or `(?i-m:…)`.
    fn flag_group(&mut self, flags: &str, rest: &'a str) -> Result<(), PatternError> {
        let mut new = self.level.flags;
        let (on, off) = flags.split_once('-').unwrap_or((flags, ""));
        for (flags, value) in [(on, true), (off, false)] {
            if flags.contains("xx") {
                return Err(unsupported("the flag `xx`"));
            }
            for flag in flags.chars() {
                match flag {
                    'i' => new.ignore_case = value,
                    'm' => new.multi_line = value,
                    's' => new.dot_all = value,
                    'U' => new.swap_greed = value,
                    'x' => new.extended = value,
                    '^' | 'J' | 'n' | 'a' | 'r' => {
                        return Err(unsupported(&format!("the flag `{flag}`")));
                    }
                    _ => return Err(PatternError::malformed(format!("unknown flag `{flag}`"))),
                }
            }
        }
        self.rest = &rest[1..];
        if rest.starts_with(':') {
            self.enter(false)?;
            self.level.flags = new;
            self.out.push_str(&new.opening());
        } else if new != self.level.flags {
            self.unwrap();
            self.level.flags = new;
            self.wrap();
        }
        Ok(())
    }

    /// Reads a quantifier, or a literal brace.
    fn brace(&mut self) -> Result<(), PatternError> {
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
            return Err(PatternError::malformed(format!(
                "invalid repeat count: `{{{counts}}}` is above {MAX_REPEAT}"
            )));
        }
        let least = if least.is_empty() { "0" } else { least };
        let most = if counts.contains(',') { format!(",{most}") } else { String::new() };
        let _ = write!(self.out, "{{{least}{most}}}");
        self.rest = rest;
        Ok(())
    }

    fn escape(&mut self) -> Result<(), PatternError> {
        if self.rest.starts_with("N{")
            && !self.rest[2..].starts_with(|it: char| it.is_ascii_digit())
        {
            return Err(unsupported(r"`\N{…}`"));
        }
        if let Some(class) = Class::escaped(self.rest) {
            self.rest = &self.rest[1..];
            self.out.push_str(&class.outside());
            return Ok(());
        }
        let Some(char) = self.next() else {
            return Err("nothing follows the last `\\`".into());
        };
        match char {
            'b' => self.out.push_str(WORD_BOUNDARY),
            'B' => self.out.push_str(NO_WORD_BOUNDARY),
            'R' => self.out.push_str(LINE_BREAK),
            'Z' => self.end(),
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
                let called = match self.number(&name) {
                    Some(number) => Group::Number(number?),
                    None => Group::Name(name),
                };
                self.call(called)?;
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

    /// Matches at the end of the text, or before a line break at its end. A look-ahead is avoided
    /// if possible, because the engine matches it by backtracking, and other patterns in linear
    /// time.
    fn end(&mut self) {
        self.has_end = true;
        self.out.push_str(match self.last_line {
            LastLine::Open => r"\z",
            LastLine::Ended => r"(?=\n?\z)",
        });
    }

    /// `\1` refers to a group; if there is no such group, the number is a character in octal.
    fn numbered(&mut self, first: char) -> Result<(), PatternError> {
        let length = self.rest.bytes().take_while(u8::is_ascii_digit).count();
        let number = format!("{first}{}", &self.rest[..length]);
        let is_reference = length == 0
            || first >= '8'
            || number.parse().is_ok_and(|it: usize| it <= self.n_groups);
        if is_reference {
            let known = number.parse().ok().filter(|it: &usize| *it <= self.n_all_groups);
            let number = known
                .ok_or_else(|| PatternError::malformed(format!("there is no group `{number}`")))?;
            self.rest = &self.rest[length..];
            self.refer(Group::Number(number));
        } else {
            let char = class::octal(self, first)?;
            self.literal(char);
        }
        Ok(())
    }

    /// `\k<name>`, `\k{name}`, `\k'name'`, `\g{1}`, `\g1`, `\g{-1}`.
    fn reference(&mut self) -> Result<(), PatternError> {
        let name = self.bracketed().or_else(|| {
            let is_part = |it: char| it.is_ascii_digit() || it == '-' || it == '+';
            let length = self.rest.find(|it| !is_part(it)).unwrap_or(self.rest.len());
            let name = self.rest[..length].to_owned();
            self.rest = &self.rest[length..];
            (!name.is_empty()).then_some(name)
        });
        let name = name.ok_or("a reference needs a name or a number")?;
        let group = match self.number(&name) {
            Some(number) => Group::Number(number?),
            None => Group::Name(name),
        };
        self.refer(group);
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

    /// Appends a literal character.
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

    /// The text up to `\E`. The `\E` is consumed.
    pub(super) fn until_end_of_quote(&mut self) -> &'a str {
        let (quoted, rest) = self.rest.split_once(r"\E").unwrap_or((self.rest, ""));
        self.rest = rest;
        quoted
    }
}

/// The error about a construct of PCRE that the engine does not support.
fn unsupported(what: &str) -> PatternError {
    PatternError::Unsupported(what.to_owned())
}

/// The number of capturing groups of a pattern. Classes and quotes are skipped.
fn count_groups(pattern: &str) -> usize {
    let (mut rest, mut n_groups, mut in_class) = (pattern, 0, false);
    while let Some(at) = rest.find(['\\', '[', ']', '(']) {
        let (found, after) = rest[at..].split_at(1);
        rest = after;
        match found {
            "\\" => {
                rest = match after.strip_prefix('Q') {
                    Some(quoted) => quoted.split_once(r"\E").map_or("", |(_, rest)| rest),
                    None => {
                        let mut chars = after.chars();
                        chars.next();
                        chars.as_str()
                    }
                };
            }
            "[" if !in_class => {
                in_class = true;
                rest = rest.strip_prefix('^').unwrap_or(rest);
                rest = rest.strip_prefix(']').unwrap_or(rest);
            }
            "]" => in_class = false,
            "(" if !in_class => {
                let is_named = ["?<", "?P<", "?'"].iter().any(|it| rest.starts_with(it));
                let is_look_behind = rest.starts_with("?<=") || rest.starts_with("?<!");
                let is_plain = !rest.starts_with(['?', '*']);
                n_groups += usize::from(is_plain || is_named && !is_look_behind);
                // The parenthesis of a condition does not open a group.
                rest = rest.strip_prefix("?(").unwrap_or(rest);
            }
            _ => {}
        }
    }
    n_groups
}
