//! Parses the text of an annotation into rules.
//!
//! All errors of an annotation are reported at once, unless it is not JSON at all.

use std::collections::HashMap;
use std::collections::hash_map::Entry as NameEntry;

use plumb_source::Origin;
use plumb_source::message::plain;
use plumb_value::{MapItem, Node};

use super::draft::{Draft, DraftError, KEYS};
use super::{Constraint, Entry, Note, RuleError, RuleErrorKind, Rules};
use crate::json::{self, Key, Reader, Shape, SyntaxError};
use crate::spell;

impl Rules {
    /// Reads an annotation of a template. Returns `None` if it is null or an empty string. Any
    /// other value that is not a string is an error, because its author expects rules.
    pub(crate) fn of(annotation: &MapItem) -> Option<Self> {
        let found = match &annotation.node {
            Node::Null => return None,
            Node::String(text) => {
                let text = text.to_str_lossy();
                return (!text.is_empty()).then(|| Self::parse(&text, annotation.origin));
            }
            Node::Array(_) => "a list",
            Node::Map(_) => "an object",
            Node::Bool(_) => "a boolean",
            Node::Int(_) | Node::UInt(_) | Node::Float(_) => "a number",
        };
        let message = format!("an annotation must be a string, not {found}");
        let rule_error = RuleError::new(RuleErrorKind::Parse, 0..0, plain(message));
        let rule_error =
            rule_error.hint("write `|` after the key, and the rules as JSON on the next lines");
        let mut rules = Self::parse("", annotation.origin);
        rules.unusable.push(rule_error);
        Some(rules)
    }

    /// Parses an annotation. An empty one has no rules. Errors are stored in the result.
    pub fn parse(text: &str, origin: Origin) -> Self {
        let mut rules =
            Self { text: text.into(), origin, entries: Vec::new(), unusable: Vec::new() };
        if text.is_empty() {
            return rules;
        }
        if text.len() > MAX_BYTES {
            let message = format!("an annotation must not be longer than {MAX_BYTES} bytes");
            let rule_error = RuleError::new(RuleErrorKind::Parse, 0..0, plain(message));
            rules.text = "".into();
            rules.unusable = vec![
                rule_error.hint("this is the limit of Kubernetes for all annotations together"),
            ];
            return rules;
        }
        let mut parser = Parser {
            text,
            rule_errors: Vec::new(),
            names: HashMap::new(),
            n_rules: 0,
            n_notes: 0,
            n_patterns: 0,
        };
        match parser.annotation() {
            Ok(entries) => {
                rules.entries = entries;
                rules.unusable = parser.rule_errors;
            }
            Err(error) => {
                rules.unusable = vec![not_json(text, error)];
            }
        }
        rules
    }
}

pub(super) struct Parser<'a> {
    pub(super) text: &'a str,
    /// The errors that make the whole annotation unusable.
    rule_errors: Vec<RuleError>,
    /// The names of rules, with the number of the first rule of each name.
    names: HashMap<String, usize>,
    n_rules: usize,
    n_notes: usize,
    n_patterns: usize,
}

/// The number of bytes that Kubernetes allows for all annotations of an object.
const MAX_BYTES: usize = 256 << 10;

/// The greatest number of rules in an annotation.
const MAX_RULES: usize = 4096;

/// The maximum number of errors, and of notes, that are reported.
const MAX_REPORTED: usize = 200;

/// The maximum number of compiled patterns of an annotation that are kept. Others are compiled
/// again for each virtual machine, because a compiled pattern can be large.
const MAX_KEPT_PATTERNS: usize = 32;

impl<'a> Parser<'a> {
    fn annotation(&mut self) -> Result<Vec<Entry>, SyntaxError> {
        let mut reader = json::reader(self.text);
        let mut entries = Vec::new();
        match reader.shape()? {
            Shape::Null => reader.null()?,
            Shape::Array => reader.array(|reader| {
                if entries.len() == MAX_RULES {
                    return Err(reader.too_many_values());
                }
                let draft = self.element(reader)?;
                entries.extend(draft.map(|draft| self.entry(draft)));
                Ok(())
            })?,
            shape => self.mistyped(&mut reader, "an annotation with rules", "a list", shape)?,
        }
        reader.end()?;
        Ok(entries)
    }

    /// Adds an error that makes the whole annotation unusable.
    pub(super) fn unusable(&mut self, rule_error: RuleError) {
        if self.rule_errors.len() < MAX_REPORTED {
            self.rule_errors.push(rule_error);
        }
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

    /// Reads a member of a rule. Case is ignored in keys, and null counts as a missing key. If a
    /// key occurs twice, the last one is used. Each of these cases adds a note.
    fn member(
        &mut self,
        reader: &mut Reader<'a>,
        key: &Key<'_>,
        draft: &mut Draft,
    ) -> Result<(), SyntaxError> {
        let known = KEYS.iter().find(|it| it.eq_ignore_ascii_case(&key.text));
        let Some(known) = known else {
            draft.has_unknown_key = true;
            if draft.takes_notes() {
                let meant = spell::nearest(&key.text, KEYS.into_iter());
                let meant = meant.map_or(String::new(), |it| format!("; did you mean `{it}`?"));
                let message = format!("unknown key `{}` is ignored{meant}", key.text);
                draft.notes.push(Note::ignored(key.at.clone(), plain(message)));
            }
            return reader.skip();
        };
        if draft.keys.iter().any(|(it, _)| it == known) {
            if draft.takes_notes() {
                let message = format!("`{known}` is given twice; the last one is used");
                draft.notes.push(Note::ignored(key.at.clone(), plain(message)));
            }
        } else {
            draft.keys.push((known, key.at.clone()));
        }
        if *known != key.text && draft.takes_notes() {
            let message = format!("`{}` is read as `{known}`: use this spelling", key.text);
            draft.notes.push(Note::doubtful(key.at.clone(), plain(message)));
        }
        let is_null = reader.shape()? == Shape::Null;
        if is_null && *known != "path" && draft.takes_notes() {
            let message = format!("`{known}` is null, which counts as missing");
            draft.notes.push(Note::ignored(key.at.clone(), plain(message)));
        }
        match *known {
            "name" => {
                draft.is_named = true;
                draft.name = self.string(reader, known)?;
            }
            "rule" => draft.kind = self.string(reader, known)?,
            "message" => draft.message = self.string(reader, known)?,
            "regex" => draft.regex = self.regex(reader)?,
            "path" => draft.path = self.path(reader, known)?,
            "valid" if is_null => {
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

    fn entry(&mut self, mut draft: Draft) -> Entry {
        let mut rule_errors = Vec::new();
        let place = draft.name.as_ref().map_or(&draft.at, |name| &name.at).clone();
        draft.note_empty_name();
        let name = draft.name.take().map_or(String::new(), |name| name.text);
        let message = draft.message.take().map_or(String::new(), |message| message.text);
        draft.note_misspelt_guard();
        draft.note_idle_arguments();
        draft.note_missing_argument();
        let mut notes = std::mem::take(&mut draft.notes);
        notes.truncate(MAX_REPORTED.saturating_sub(self.n_notes));
        self.n_notes += notes.len();
        let field = draft.path.as_ref().map_or(String::new(), |path| path.text.clone());
        let just_warning = draft.just_warning;
        let missing = draft.missing_keys(&message);
        let is_complete = missing.iter().all(|key| *key == "name");
        if !missing.is_empty() {
            let keys: Vec<String> = missing.iter().map(|it| format!("`{it}`")).collect();
            let rule_error =
                RuleError::new(RuleErrorKind::MissingKey, place.clone(), "missing required key");
            rule_errors.push(rule_error.own(plain(format!("{} must be given", keys.join(", ")))));
        }
        let mut rule = None;
        self.n_rules += 1;
        let first = match self.names.entry(name.clone()) {
            NameEntry::Occupied(first) => Some(*first.get()),
            NameEntry::Vacant(free) => {
                free.insert(self.n_rules);
                None
            }
        };
        if let Some(first) = first {
            let rule_error =
                RuleError::new(RuleErrorKind::DuplicateName, place.clone(), "duplicate Rule Name");
            let hint = format!("rule {first} of the list has this name too");
            rule_errors.push(rule_error.own("another rule has the same name").hint(plain(hint)));
        } else if is_complete {
            match draft.into_rule(self.n_patterns < MAX_KEPT_PATTERNS) {
                Ok(known) => {
                    self.n_patterns +=
                        usize::from(matches!(known.constraint, Constraint::Regex(..)));
                    rule = Some(known);
                }
                Err(DraftError::RuleError(rule_error)) => rule_errors.push(rule_error),
                Err(DraftError::Ignored(note)) => notes.push(note),
            }
        }
        Entry { name, at: place, field, message, just_warning, rule_errors, notes, rule }
    }
}

/// The error for a text that is not JSON, at the mistake that caused it if that is known.
fn not_json(text: &str, error: SyntaxError) -> RuleError {
    let syntax_hint = json::syntax_hint(text, &error);
    let (mut message, mut words) = (error.message(), error.words());
    // The character was written by the author of the rules.
    message.reveal(|_| true);
    words.reveal(|_| true);
    let rule_error = RuleError::new(RuleErrorKind::Parse, error.at, message);
    match syntax_hint {
        Some(syntax_hint) => RuleError { at: syntax_hint.at, ..rule_error }
            .own(plain(syntax_hint.words))
            .hint(syntax_hint.hint),
        None => rule_error.own(words),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check_unusable(text: &str, at: &str, message: &str) {
        let rules = Rules::parse(text, Origin::Unknown);
        let rule_error = rules.unusable.first().expect("the annotation is unusable");
        assert_eq!(
            (rule_error.message.shown(), &text[rule_error.at.clone()]),
            (message, at),
            "{text}"
        );
    }

    fn check_rule_error(text: &str, kind: RuleErrorKind, at: &str) {
        let rules = Rules::parse(text, Origin::Unknown);
        assert!(rules.unusable.is_empty(), "{:?}", rules.unusable);
        let rule_error = rules.entries.iter().flat_map(|it| &it.rule_errors).next();
        let rule_error = rule_error.expect("a rule is faulty");
        assert_eq!((rule_error.kind, &text[rule_error.at.clone()]), (kind, at), "{text}");
    }

    #[test]
    fn what_is_wrong_is_shown_at_its_place() {
        check_unusable("{}", "{}", "an annotation with rules must be a list, not an object");
        check_unusable("[1]", "1", "a rule must be an object, not a number");
        check_unusable(r#"[{"name": 7}]"#, "7", "`name` must be a string, not a number");
        check_unusable(r#"[{"path": ".a"}]"#, r#"".a""#, "invalid JSONPath");
        check_unusable(r#"[{"path": "jsonpath::.a\"[0}"}]"#, "[0}", "unterminated array");
        check_unusable(r#"[{"min": "1Gi"}]"#, r#""1Gi""#, "invalid JSONPath");
        check_unusable(r#"[{"min": 1e400}]"#, "1e400", "`min` is out of range: 1e400");
        check_unusable(
            r#"[{"values": ["a", []]}]"#,
            "[]",
            "an element of `values` must be a string, a number or a boolean, not a list",
        );
        check_unusable(
            r#"[{"path": null}]"#,
            "null",
            "`path` must be a path that starts with `jsonpath::`, not null",
        );
    }

    #[test]
    fn faults_of_one_rule_leave_the_others_usable() {
        let complete = r#""path": "jsonpath::.a", "message": "m", "min": 1"#;
        check_rule_error("[null]", RuleErrorKind::MissingKey, "null");
        check_rule_error(r#"[{"name": "a"}]"#, RuleErrorKind::MissingKey, r#""a""#);
        let twice = format!(
            r#"[{{"name": "a", "rule": "integer", {complete}}}, {{"name": "a"  , "rule": "integer", {complete}}}]"#
        );
        check_rule_error(&twice, RuleErrorKind::DuplicateName, r#""a""#);
        for kind in ["Integer", "integer-value", "regexp", "STRING", "interger", "regx", "strings"]
        {
            let text = format!(r#"[{{"name": "a", "rule": "{kind}", {complete}}}]"#);
            check_rule_error(&text, RuleErrorKind::UnknownRule, &format!("{kind:?}"));
        }
    }

    #[test]
    fn kinds_and_keys_of_later_versions_are_ignored() {
        for kind in ["cidr", "integer64", "regex2", "stringlist", "enumeration"] {
            let text = format!(
                r#"[{{"name": "a", "rule": "{kind}", "path": "jsonpath::.a", "message": "m", "net": 1}}]"#
            );
            let rules = Rules::parse(&text, Origin::Unknown);
            let entry = &rules.entries[0];
            assert!(entry.rule_errors.is_empty() && entry.rule.is_none(), "{kind}");
            let notes: Vec<&str> = entry.notes.iter().map(|note| &text[note.at.clone()]).collect();
            assert_eq!(notes, [r#""net""#, &format!("{kind:?}")]);
        }
    }
}
