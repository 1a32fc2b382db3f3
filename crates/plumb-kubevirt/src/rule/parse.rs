//! From the text of an annotation to rules.
//!
//! Everything that is wrong with an annotation is told at once, unless it is not JSON at all.

use std::collections::HashSet;
use std::ops::Range;

use plumb_source::Origin;

use super::bound::{self, Bound};
use super::path::{PREFIX, RulePath};
use super::{Choice, Constraint, Entry, Fault, FaultKind, Guard, Note, Rule, Rules};
use crate::json::{Key, Reader, Shape, SyntaxError};
use crate::pattern::Pattern;

/// The kinds of rules, for those who misspell one.
const KINDS: [&str; 4] = ["integer", "string", "regex", "enum"];

impl Rules {
    /// Reads an annotation; an empty one has no rules.
    pub fn parse(text: &str, origin: Origin) -> Self {
        let mut rules =
            Self { text: text.into(), origin, entries: Vec::new(), unusable: Vec::new() };
        if text.is_empty() {
            return rules;
        }
        let mut parser = Parser { text, faults: Vec::new(), names: HashSet::new() };
        match parser.annotation() {
            Ok(entries) => {
                rules.entries = entries;
                rules.unusable = parser.faults;
            }
            Err(error) => {
                rules.unusable = vec![Fault::new(FaultKind::Parse, error.at, error.message)];
            }
        }
        rules
    }
}

struct Parser<'a> {
    text: &'a str,
    faults: Vec<Fault>,
    names: HashSet<String>,
}

/// A rule while its keys are read.
#[derive(Default)]
struct Draft {
    at: Range<usize>,
    name: Option<Written>,
    kind: Option<Written>,
    message: Option<Written>,
    regex: Option<Written>,
    path: Option<RulePath>,
    guard: Option<RulePath>,
    just_warning: bool,
    values: Vec<Choice>,
    min: Option<Bound>,
    max: Option<Bound>,
    min_length: Option<Bound>,
    max_length: Option<Bound>,
    /// Whether the key is there, even if it is null.
    is_named: bool,
    has_arguments: bool,
    keys: Vec<&'static str>,
    notes: Vec<Note>,
}

struct Written {
    text: String,
    at: Range<usize>,
}

impl<'a> Parser<'a> {
    fn annotation(&mut self) -> Result<Vec<Entry>, SyntaxError> {
        let mut reader = Reader::new(self.text);
        let mut entries = Vec::new();
        match reader.shape()? {
            Shape::Null => reader.null()?,
            Shape::Array => reader.array(|reader| {
                let draft = self.element(reader)?;
                entries.extend(draft.map(|draft| self.entry(draft)));
                Ok(())
            })?,
            shape => self.mistyped(&mut reader, "an annotation with rules", "a list", shape)?,
        }
        reader.end()?;
        Ok(entries)
    }

    fn element(&mut self, reader: &mut Reader<'a>) -> Result<Option<Draft>, SyntaxError> {
        let start = reader.position();
        let mut draft = Draft::default();
        match reader.shape()? {
            Shape::Null => reader.null()?,
            Shape::Object => reader.object(|reader, key| self.member(reader, &key, &mut draft))?,
            shape => {
                self.mistyped(reader, "a rule", "an object", shape)?;
                return Ok(None);
            }
        }
        draft.at = start..reader.position();
        Ok(Some(draft))
    }

    /// Keys are the same in upper and lower case; of a key given twice, the last counts.
    fn member(
        &mut self,
        reader: &mut Reader<'a>,
        key: &Key<'_>,
        draft: &mut Draft,
    ) -> Result<(), SyntaxError> {
        let known = KEYS.iter().find(|it| it.eq_ignore_ascii_case(&key.text));
        let Some(known) = known else {
            draft.has_arguments = true;
            let message = format!("the key `{}` is not known, and ignored", key.text);
            draft.notes.push(Note { at: key.at.clone(), message });
            return reader.skip();
        };
        if draft.keys.contains(known) {
            let message = format!("`{known}` is given twice: the last counts");
            draft.notes.push(Note { at: key.at.clone(), message });
        }
        draft.keys.push(known);
        draft.has_arguments |= ARGUMENTS.contains(known);
        match *known {
            "name" => {
                draft.is_named = true;
                draft.name = self.string(reader, known)?;
            }
            "rule" => draft.kind = self.string(reader, known)?,
            "message" => draft.message = self.string(reader, known)?,
            "regex" => draft.regex = self.string(reader, known)?,
            "path" => draft.path = self.path(reader, known)?,
            "valid" if reader.shape()? == Shape::Null => {
                draft.guard = None;
                reader.null()?;
            }
            "valid" => draft.guard = self.path(reader, known)?,
            "justWarning" => draft.just_warning = self.bool(reader, known)?,
            "values" => draft.values = self.values(reader)?,
            "min" => draft.min = self.bound(reader, known)?,
            "max" => draft.max = self.bound(reader, known)?,
            "minLength" => draft.min_length = self.bound(reader, known)?,
            "maxLength" => draft.max_length = self.bound(reader, known)?,
            _ => unreachable!("`KEYS` has no other"),
        }
        Ok(())
    }

    fn string(
        &mut self,
        reader: &mut Reader<'a>,
        key: &str,
    ) -> Result<Option<Written>, SyntaxError> {
        let start = reader.position();
        match reader.shape()? {
            Shape::Null => reader.null().map(|()| None),
            Shape::String => {
                let text = reader.string()?.into_owned();
                Ok(Some(Written { text, at: start..reader.position() }))
            }
            shape => self.mistyped(reader, &format!("`{key}`"), "a string", shape).map(|()| None),
        }
    }

    fn bool(&mut self, reader: &mut Reader<'a>, key: &str) -> Result<bool, SyntaxError> {
        match reader.shape()? {
            Shape::Null => reader.null().map(|()| false),
            Shape::Bool => reader.bool(),
            shape => {
                let expected = "`true` or `false`";
                self.mistyped(reader, &format!("`{key}`"), expected, shape).map(|()| false)
            }
        }
    }

    fn path(
        &mut self,
        reader: &mut Reader<'a>,
        key: &str,
    ) -> Result<Option<RulePath>, SyntaxError> {
        let shape = reader.shape()?;
        if shape != Shape::String {
            let expected = format!("a path that starts with `{PREFIX}`");
            return self.mistyped(reader, &format!("`{key}`"), &expected, shape).map(|()| None);
        }
        let start = reader.position();
        let text = reader.string()?;
        Ok(self.well_formed(&text, start..reader.position()))
    }

    fn well_formed(&mut self, text: &str, at: Range<usize>) -> Option<RulePath> {
        RulePath::parse(text, at, self.text).map_err(|fault| self.faults.push(fault)).ok()
    }

    fn bound(&mut self, reader: &mut Reader<'a>, key: &str) -> Result<Option<Bound>, SyntaxError> {
        let start = reader.position();
        match reader.shape()? {
            Shape::Null => reader.null().map(|()| None),
            Shape::Number => {
                let text = reader.number()?;
                let value = bound::round(text);
                if value.is_none() {
                    let message = format!("`{key}` is out of range: {text}");
                    let at = start..reader.position();
                    self.faults.push(Fault::new(FaultKind::Parse, at, message));
                }
                Ok(value.map(Bound::Literal))
            }
            Shape::String => {
                let text = reader.string()?;
                Ok(self.well_formed(&text, start..reader.position()).map(Bound::Path))
            }
            shape => {
                let expected = format!("a number, or a path that starts with `{PREFIX}`");
                self.mistyped(reader, &format!("`{key}`"), &expected, shape).map(|()| None)
            }
        }
    }

    /// Strings and paths, or numbers; all of one kind, since the value is compared as text.
    fn values(&mut self, reader: &mut Reader<'a>) -> Result<Vec<Choice>, SyntaxError> {
        let mut choices = Vec::new();
        let mut first: Option<Shape> = None;
        match reader.shape()? {
            Shape::Null => reader.null()?,
            Shape::Array => reader.array(|reader| {
                let shape = reader.shape()?;
                let kind = if shape == Shape::Null { Shape::String } else { shape };
                if *first.get_or_insert(kind) != kind {
                    let expected = "all strings or all numbers";
                    return self.mistyped(reader, "the elements of `values`", expected, shape);
                }
                choices.extend(self.choice(reader, shape)?);
                Ok(())
            })?,
            shape => self.mistyped(reader, "`values`", "a list", shape)?,
        }
        Ok(choices)
    }

    fn choice(
        &mut self,
        reader: &mut Reader<'a>,
        shape: Shape,
    ) -> Result<Option<Choice>, SyntaxError> {
        let start = reader.position();
        match shape {
            Shape::Null => reader.null().map(|()| Some(Choice::Literal(String::new()))),
            Shape::Number => reader.number().map(|text| Some(Choice::Literal(text.to_owned()))),
            Shape::String => {
                let text = reader.string()?;
                if text.starts_with(PREFIX) {
                    return Ok(self.well_formed(&text, start..reader.position()).map(Choice::Path));
                }
                Ok(Some(Choice::Literal(text.into_owned())))
            }
            Shape::Bool | Shape::Array | Shape::Object => {
                let expected = "strings or numbers";
                self.mistyped(reader, "the elements of `values`", expected, shape).map(|()| None)
            }
        }
    }

    /// Tells of a value of the wrong type, and reads over it.
    fn mistyped(
        &mut self,
        reader: &mut Reader<'a>,
        what: &str,
        expected: &str,
        found: Shape,
    ) -> Result<(), SyntaxError> {
        let start = reader.position();
        reader.skip()?;
        let verb = if what.starts_with("the ") { "are" } else { "is" };
        let message = format!("{what} {verb} {expected}, not {}", describe(found));
        self.faults.push(Fault::new(FaultKind::Parse, start..reader.position(), message));
        Ok(())
    }

    fn entry(&mut self, mut draft: Draft) -> Entry {
        let mut faults = Vec::new();
        let place = draft.name.as_ref().map_or(&draft.at, |name| &name.at).clone();
        let name = draft.name.take().map_or(String::new(), |name| name.text);
        let message = draft.message.take().map_or(String::new(), |message| message.text);
        let mut notes = std::mem::take(&mut draft.notes);
        let field = draft.path.as_ref().map_or(String::new(), |path| path.text.clone());
        let just_warning = draft.just_warning;
        let missing = draft.missing_keys(&message);
        let is_complete = missing.iter().all(|key| *key == "name");
        if !missing.is_empty() {
            let keys: Vec<String> = missing.iter().map(|it| format!("`{it}`")).collect();
            let fault = Fault::new(FaultKind::MissingKey, place.clone(), "missing required key");
            faults.push(fault.own(format!("{} must be given", keys.join(", "))));
        }
        let mut rule = None;
        if !self.names.insert(name.clone()) {
            let fault = Fault::new(FaultKind::DuplicateName, place, "duplicate Rule Name");
            faults.push(fault.own("another rule has the same name"));
        } else if is_complete {
            match draft.into_rule(place) {
                Ok(known) => rule = Some(known),
                Err(Unknown::Fault(fault)) => faults.push(fault),
                Err(Unknown::Ignored(note)) => notes.push(note),
            }
        }
        Entry { name, field, message, just_warning, faults, notes, rule }
    }
}

/// Why a complete rule is none that can be applied.
enum Unknown {
    Fault(Fault),
    Ignored(Note),
}

impl Draft {
    fn missing_keys(&self, message: &str) -> Vec<&'static str> {
        let is_missing = [
            ("rule", self.kind.as_ref().is_none_or(|kind| kind.text.is_empty())),
            ("name", !self.is_named),
            ("path", self.path.is_none()),
            ("message", message.is_empty()),
        ];
        is_missing.into_iter().filter(|(_, it)| *it).map(|(key, _)| key).collect()
    }

    fn into_rule(self, at: Range<usize>) -> Result<Rule, Unknown> {
        let kind = self.kind.expect("a complete rule has a kind");
        let path = self.path.expect("a complete rule has a path");
        let constraint = match kind.text.as_str() {
            "integer" => Constraint::Integer { min: self.min, max: self.max },
            "string" => {
                Constraint::String { min_length: self.min_length, max_length: self.max_length }
            }
            "enum" => Constraint::Enum(self.values),
            "regex" => {
                let (text, at) = self.regex.map_or((String::new(), 0..0), |it| (it.text, it.at));
                Constraint::Regex(Pattern::new(text), at)
            }
            other => return Err(unknown_kind(other, kind.at.clone(), self.has_arguments)),
        };
        Ok(Rule { at, path, guard: self.guard.map(Guard::new), constraint })
    }
}

/// A kind of another name comes from a later version of the format, and is ignored, as the format
/// asks. One that is a known kind misspelt is not: its author wants it applied. Nor is one without
/// arguments, which says nothing in any version.
fn unknown_kind(kind: &str, at: Range<usize>, has_arguments: bool) -> Unknown {
    let lower = kind.to_lowercase();
    let meant = KINDS.iter().find(|it| lower.contains(**it) || is_misspelt(&lower, it));
    let hint = match meant {
        Some(meant) => format!("did you mean `{meant}`?"),
        None if !has_arguments => {
            "a rule without arguments cannot be one of a later kind".to_owned()
        }
        None => {
            let message = format!("rules of kind `{kind}` are not known: this one is ignored");
            return Unknown::Ignored(Note { at, message });
        }
    };
    let fault = Fault::new(FaultKind::UnknownRule, at, "unrecognized Rule type");
    Unknown::Fault(fault.own(format!("there is no such kind of rule as `{kind}`")).hint(hint))
}

/// Whether at most two letters are missing, added or exchanged.
fn is_misspelt(word: &str, meant: &str) -> bool {
    let word: Vec<char> = word.chars().take(meant.len() + 3).collect();
    let mut row: Vec<usize> = (0..=meant.len()).collect();
    for (at, letter) in word.iter().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], at + 1);
        for (column, expected) in meant.chars().enumerate() {
            let exchanged = diagonal + usize::from(*letter != expected);
            diagonal = row[column + 1];
            row[column + 1] = exchanged.min(diagonal + 1).min(row[column] + 1);
        }
    }
    row[meant.len()] <= 2
}

const KEYS: [&str; 12] = [
    "name",
    "rule",
    "path",
    "message",
    "valid",
    "justWarning",
    "values",
    "min",
    "max",
    "minLength",
    "maxLength",
    "regex",
];

const ARGUMENTS: [&str; 6] = ["values", "min", "max", "minLength", "maxLength", "regex"];

fn describe(shape: Shape) -> &'static str {
    match shape {
        Shape::Null => "null",
        Shape::Bool => "a boolean",
        Shape::Number => "a number",
        Shape::String => "a string",
        Shape::Array => "a list",
        Shape::Object => "an object",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check_unusable(text: &str, at: &str, message: &str) {
        let rules = Rules::parse(text, Origin::Unknown);
        let fault = rules.unusable.first().expect("the annotation is unusable");
        assert_eq!((fault.message.as_str(), &text[fault.at.clone()]), (message, at), "{text}");
    }

    fn check_fault(text: &str, kind: FaultKind, at: &str) {
        let rules = Rules::parse(text, Origin::Unknown);
        assert!(rules.unusable.is_empty(), "{:?}", rules.unusable);
        let fault = rules.entries.iter().flat_map(|it| &it.faults).next();
        let fault = fault.expect("a rule is faulty");
        assert_eq!((fault.kind, &text[fault.at.clone()]), (kind, at), "{text}");
    }

    #[test]
    fn what_is_wrong_is_shown_at_its_place() {
        check_unusable("{}", "{}", "an annotation with rules is a list, not an object");
        check_unusable("[1]", "1", "a rule is an object, not a number");
        check_unusable(r#"[{"name": 7}]"#, "7", "`name` is a string, not a number");
        check_unusable(r#"[{"path": ".a"}]"#, r#"".a""#, "invalid JSONPath");
        check_unusable(r#"[{"path": "jsonpath::.a\"[0}"}]"#, "[0}", "unterminated array");
        check_unusable(r#"[{"min": "1Gi"}]"#, r#""1Gi""#, "invalid JSONPath");
        check_unusable(r#"[{"min": 1e400}]"#, "1e400", "`min` is out of range: 1e400");
        check_unusable(
            r#"[{"values": ["a", 1]}]"#,
            "1",
            "the elements of `values` are all strings or all numbers, not a number",
        );
        check_unusable(
            r#"[{"path": null}]"#,
            "null",
            "`path` is a path that starts with `jsonpath::`, not null",
        );
    }

    #[test]
    fn faults_of_one_rule_leave_the_others_usable() {
        let complete = r#""path": "jsonpath::.a", "message": "m", "min": 1"#;
        check_fault("[null]", FaultKind::MissingKey, "null");
        check_fault(r#"[{"name": "a"}]"#, FaultKind::MissingKey, r#""a""#);
        let twice = format!(
            r#"[{{"name": "a", "rule": "integer", {complete}}}, {{"name": "a"  , "rule": "integer", {complete}}}]"#
        );
        check_fault(&twice, FaultKind::DuplicateName, r#""a""#);
        for kind in ["Integer", "integer-value", "regexp", "STRING", "interger", "regx"] {
            let text = format!(r#"[{{"name": "a", "rule": "{kind}", {complete}}}]"#);
            check_fault(&text, FaultKind::UnknownRule, &format!("{kind:?}"));
        }
    }

    #[test]
    fn kinds_and_keys_of_later_versions_are_ignored() {
        let text =
            r#"[{"name": "a", "rule": "cidr", "path": "jsonpath::.a", "message": "m", "net": 1}]"#;
        let rules = Rules::parse(text, Origin::Unknown);
        let entry = &rules.entries[0];
        assert!(entry.faults.is_empty() && entry.rule.is_none());
        let notes: Vec<&str> = entry.notes.iter().map(|note| &text[note.at.clone()]).collect();
        assert_eq!(notes, [r#""net""#, r#""cidr""#]);
    }
}
