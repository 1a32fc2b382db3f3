//! Completion in the rules of virtual machines: JSON in the string of an annotation.

use plumb::machine_rules;

use crate::TextRange;
use crate::completion::{Completion, CompletionKind};
use crate::file::{File, FileKind};

/// The keys of annotations that contain rules.
const ANNOTATIONS: [&str; 2] = ["vm.kubevirt.io/validations", "validations"];

/// What a path of a rule begins with.
const PREFIX: &str = "jsonpath::";

/// What can be typed in a rule. Returns `None` if the offset is not in the text of rules.
pub(crate) fn completions(file: &File, offset: u32) -> Option<Vec<Completion>> {
    if file.kind != FileKind::Yaml {
        return None;
    }
    let rules = rules_before(file, offset)?;
    let position = Position::at(rules);
    let length = u32::try_from(position.typed.len()).ok()?;
    let range = offset - length..offset;
    let found = match &position.key {
        None if position.depth < 2 => Vec::new(),
        None => keys(&position, &range),
        Some(key) => values(key, &position, &range),
    };
    Some(found)
}

/// The text of the rules around an offset, up to the offset.
fn rules_before(file: &File, offset: u32) -> Option<&str> {
    let before = std::str::from_utf8(file.text.get(..offset as usize)?).ok()?;
    let indent = |line: &str| line.len() - line.trim_start_matches(' ').len();
    let mut smallest = usize::MAX;
    let mut at = before.len();
    for line in before.split_inclusive('\n').rev() {
        at -= line.len();
        let text = line.trim();
        if text.is_empty() {
            continue;
        }
        let is_key = indent(line) < smallest;
        let name = text.split(':').next().unwrap_or_default().trim_matches(['"', '\'']);
        if is_key && ANNOTATIONS.contains(&name) && text.contains(':') {
            let value = text.split_once(": ").map_or("", |it| it.1).trim_start();
            let is_block = value.starts_with(['|', '>']);
            // On the line of the key, the rules begin after the colon.
            let skipped =
                if is_block { line.len() } else { line.find(": ").map_or(line.len(), |it| it + 2) };
            return before.get(at + skipped..);
        }
        let is_json =
            text.starts_with(['[', ']', '{', '}', '"', ',']) || text.ends_with([',', '[', '{']);
        if !is_json && at + line.len() < before.len() {
            return None;
        }
        smallest = smallest.min(indent(line));
    }
    None
}

/// The position of the cursor in the JSON.
#[derive(Debug, PartialEq, Eq)]
struct Position {
    /// How many brackets are open.
    depth: usize,
    /// The keys of the object so far.
    given: Vec<String>,
    /// The key whose value is being typed.
    key: Option<String>,
    /// The word so far, without its quote.
    typed: String,
    is_in_string: bool,
    /// The kind of the rule, if it is given already.
    kind: Option<String>,
}

impl Position {
    fn at(text: &str) -> Self {
        let mut objects: Vec<(Vec<String>, Option<String>, Option<String>)> = Vec::new();
        let mut word = String::new();
        let (mut is_in_string, mut is_escaped) = (false, false);
        let mut last: Option<String> = None;
        for letter in text.chars() {
            if is_in_string {
                match letter {
                    '\\' if !is_escaped => is_escaped = true,
                    '"' if !is_escaped => {
                        is_in_string = false;
                        last = Some(std::mem::take(&mut word));
                    }
                    _ => {
                        is_escaped = false;
                        word.push(letter);
                    }
                }
                continue;
            }
            match letter {
                '"' => {
                    is_in_string = true;
                    word.clear();
                }
                '[' | '{' => {
                    objects.push((Vec::new(), None, None));
                    (word, last) = (String::new(), None);
                }
                ']' | '}' => {
                    objects.pop();
                    (word, last) = (String::new(), None);
                }
                ':' => {
                    if let (Some(object), Some(key)) = (objects.last_mut(), last.take()) {
                        object.0.push(key.clone());
                        object.1 = Some(key);
                    }
                    word.clear();
                }
                ',' => {
                    if let Some(object) = objects.last_mut() {
                        if object.1.as_deref() == Some("rule") {
                            object.2 = last.take();
                        }
                        object.1 = None;
                    }
                    (word, last) = (String::new(), None);
                }
                _ if letter.is_whitespace() => word.clear(),
                _ => word.push(letter),
            }
        }
        let depth = objects.len();
        let (given, key, kind) = objects.pop().unwrap_or_default();
        Self { depth, given, key, typed: word, is_in_string, kind }
    }
}

fn keys(position: &Position, range: &TextRange) -> Vec<Completion> {
    let of_kind = |key: &str| {
        let mut kinds = machine_rules::kinds().iter().filter(|it| it.1.contains(&key)).peekable();
        kinds.peek().is_none() || kinds.any(|it| Some(it.0) == position.kind.as_deref())
    };
    let is_wanted = |key: &str| position.kind.is_none() || of_kind(key);
    let keys =
        machine_rules::keys().iter().filter(|it| !position.given.iter().any(|key| key == *it));
    keys.filter(|it| is_wanted(it))
        .map(|key| {
            let text =
                if position.is_in_string { (*key).to_owned() } else { format!("\"{key}\": ") };
            completion(key, describe(key), text, range)
        })
        .collect()
}

fn values(key: &str, position: &Position, range: &TextRange) -> Vec<Completion> {
    let quoted = |text: &str| {
        if position.is_in_string { text.to_owned() } else { format!("\"{text}\"") }
    };
    match key {
        "rule" => machine_rules::kinds()
            .iter()
            .map(|(kind, keys)| completion(kind, &keys.join(", "), quoted(kind), range))
            .collect(),
        "justWarning" => {
            ["true", "false"].iter().map(|it| completion(it, "", (*it).to_owned(), range)).collect()
        }
        "path" | "valid" | "min" | "max" if position.is_in_string => paths(position, range),
        "path" | "valid" => vec![completion(PREFIX, "a path", format!("\"{PREFIX}."), range)],
        _ => Vec::new(),
    }
}

/// The fields after the last dot of a path.
fn paths(position: &Position, range: &TextRange) -> Vec<Completion> {
    let Some(path) = position.typed.strip_prefix(PREFIX) else {
        return vec![completion(PREFIX, "a path", format!("{PREFIX}."), range)];
    };
    let (before, last) = path.rsplit_once('.').unwrap_or(("", path));
    let length = u32::try_from(last.len()).unwrap_or_default();
    let range = range.end - length..range.end;
    let fields = machine_rules::fields(before).into_iter();
    fields.map(|it| completion(it, "field", it.to_owned(), &range)).collect()
}

fn completion(label: &str, detail: &str, text: String, range: &TextRange) -> Completion {
    Completion {
        label: label.to_owned(),
        kind: CompletionKind::Key,
        detail: detail.to_owned(),
        documentation: String::new(),
        range: range.clone(),
        text,
    }
}

fn describe(key: &str) -> &'static str {
    match key {
        "name" => "the name of the rule, unique in its template",
        "rule" => "the kind: integer, string, regex or enum",
        "path" => "the value that is checked",
        "message" => "what is reported if the value breaks the rule",
        "valid" => "the rule applies only if this path exists",
        "justWarning" => "whether the rule only warns",
        "values" => "the values that are allowed",
        "min" => "the smallest value",
        "max" => "the greatest value",
        "regex" => "the pattern that the value must match",
        _ => "a limit for the length",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_in_incomplete_json() {
        let at = Position::at("[{\"name\": \"a\", \"rule\": \"integer\", \"mi");
        assert_eq!((at.depth, at.key, at.typed.as_str()), (2, None, "mi"));
        assert_eq!(
            (at.given, at.kind),
            (vec!["name".to_owned(), "rule".to_owned()], Some("integer".to_owned()))
        );
        let value = Position::at("[{\"path\": \"jsonpath::.spec.");
        assert_eq!(value.key.as_deref(), Some("path"));
        assert_eq!((value.typed.as_str(), value.is_in_string), ("jsonpath::.spec.", true));
        assert_eq!(Position::at("[{\"a\": \"x\\\"y\"}, {").depth, 2);
    }
}
