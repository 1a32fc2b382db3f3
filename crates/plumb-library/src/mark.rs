//! File marks: `GLOB:KEY=VALUE`, with which a user changes the types and names of files.
//!
//! Marks are applied in order, to the files that are not excluded yet. They match the original
//! paths of files.

use plumb_diagnostic::{Code, Diagnostic, Failure, nearest};
use plumb_source::message::plain;
use plumb_source::{lexical, message};

use crate::file::{InputFile, TypeMark};
use crate::input_error::InputError;

/// A file mark does not have the form `GLOB:KEY=VALUE`, or has an unknown key or value.
///
/// Keys are `path`, `exclude`, `type`, `for-output` and `exclusive-for-output`. Types are
/// `yaml-template`, `yaml-plain`, `yaml-data-values`, `text-template`, `text-plain`, `starlark` and
/// `data`.
pub(crate) const WRONG_MARK: Code = Code::new("input/wrong-mark");

/// No file matches the path of a file mark.
///
/// `--files-inspect` lists all paths. A mark matches the path under which a file was found, not a
/// path that another mark gave it.
pub(crate) const UNMATCHED_MARK: Code = Code::new("input/unmatched-mark");

/// A file mark names one path, but several directories have a file with this path.
///
/// Give `-f` a directory above all of them: then their paths differ, and each can be marked.
pub(crate) const AMBIGUOUS_MARK: Code = Code::new("input/ambiguous-mark");

const SYNTAX: &str = "a mark is GLOB:KEY=VALUE, such as 'config/*.yml:type=yaml-plain'";
const KEYS: &str = "keys are path, exclude, type, for-output and exclusive-for-output";
const TYPES: &str = "types are yaml-template, yaml-plain, yaml-data-values, text-template, \
                     text-plain, starlark and data";

/// The effect of a mark on the files that it matches.
enum Effect<'a> {
    Rename(&'a str),
    Exclude,
    Type(TypeMark),
    ForOutput,
    ExclusiveForOutput,
}

/// Applies marks to files, and removes those that are excluded. Warnings are added to `warnings`.
/// Fails if a mark is not valid or matches no file.
pub fn apply(
    marks: &[String],
    mut files: Vec<InputFile>,
    warnings: &mut Vec<Diagnostic>,
) -> Result<Vec<InputFile>, Failure> {
    // As in ytt, a mark on a file that a later mark excludes still counts.
    let mut has_exclusive = false;
    let mut exclusive: Vec<bool> = vec![false; files.len()];
    for mark in marks {
        let (pattern, key, value) = parse(mark)?;
        let matched: Vec<bool> =
            files.iter().map(|it| pattern.matches(it.original_path())).collect();
        if !matched.contains(&true) {
            return Err(unmatched(mark, &pattern, &files));
        }
        let effect = effect(mark, key, value)?;
        if pattern.wildcards.is_empty() && matched.iter().filter(|it| **it).count() > 1 {
            let found = files.iter().zip(&matched).filter(|(_, is_matched)| **is_matched);
            warnings.push(ambiguous(mark, found.map(|(file, _)| file)));
        }
        for (at, file) in files.iter_mut().enumerate().filter(|&(at, _)| matched[at]) {
            match effect {
                Effect::Rename(path) => file.rename(path.to_owned()),
                Effect::Type(mark) => file.mark_type(mark),
                Effect::ForOutput => file.mark_output(true),
                Effect::ExclusiveForOutput => {
                    has_exclusive = true;
                    exclusive[at] = true;
                }
                Effect::Exclude => {}
            }
        }
        if matches!(effect, Effect::Exclude) {
            let mut is_kept = matched.iter().map(|it| !it);
            files.retain(|_| is_kept.next().unwrap_or(true));
            let mut is_kept = matched.iter().map(|it| !it);
            exclusive.retain(|_| is_kept.next().unwrap_or(true));
        }
    }
    if has_exclusive {
        for (file, is_exclusive) in files.iter_mut().zip(exclusive) {
            file.mark_output(is_exclusive);
        }
    }
    Ok(files)
}

fn parse(mark: &str) -> Result<(Glob, &str, &str), Failure> {
    let Some((path, pair)) = mark.split_once(':') else {
        return Err(wrong(InputError::MarkFormat(lexical::one_line(mark).into()), SYNTAX));
    };
    let Some((key, value)) = pair.split_once('=') else {
        return Err(wrong(InputError::MarkPair(lexical::one_line(mark).into()), SYNTAX));
    };
    Ok((Glob::new(path), key, value))
}

fn effect<'a>(mark: &str, key: &str, value: &'a str) -> Result<Effect<'a>, Failure> {
    let only_true = |effect: Effect<'a>| match value {
        "true" => Ok(effect),
        _ => Err(unknown_value(mark, "the only value is true")),
    };
    match key {
        "path" => Ok(Effect::Rename(value)),
        "exclude" => only_true(Effect::Exclude),
        "for-output" => only_true(Effect::ForOutput),
        "exclusive-for-output" => only_true(Effect::ExclusiveForOutput),
        "type" => match value {
            "yaml-template" => Ok(Effect::Type(TypeMark::YamlTemplate)),
            "yaml-plain" => Ok(Effect::Type(TypeMark::YamlPlain)),
            "yaml-data-values" => Ok(Effect::Type(TypeMark::YamlDataValues)),
            "text-template" => Ok(Effect::Type(TypeMark::TextTemplate)),
            "text-plain" => Ok(Effect::Type(TypeMark::TextPlain)),
            "starlark" => Ok(Effect::Type(TypeMark::Starlark)),
            "data" => Ok(Effect::Type(TypeMark::Data)),
            _ => Err(unknown_value(mark, TYPES)),
        },
        _ => Err(wrong(InputError::MarkKey(lexical::one_line(mark).into()), KEYS)),
    }
}

fn unknown_value(mark: &str, help: &'static str) -> Failure {
    wrong(InputError::MarkValue(lexical::one_line(mark).into()), help)
}

fn wrong(error: InputError, help: &'static str) -> Failure {
    Diagnostic::error(WRONG_MARK, error.message()).help(help).into()
}

fn unmatched(mark: &str, pattern: &Glob, files: &[InputFile]) -> Failure {
    let message = InputError::MarkUnmatched(lexical::one_line(mark).into()).message();
    let finding = Diagnostic::error(UNMATCHED_MARK, message);
    let Some(first) = files.first() else {
        return finding.help("no file was given with -f").into();
    };
    let written = mark.split_once(':').map_or(mark, |(path, _)| path);
    let written = written.strip_prefix("./").unwrap_or(written);
    let near = nearest(written, files.iter().map(InputFile::original_path));
    let renamed = files.iter().find(|it| pattern.matches(it.path()));
    let help = match (renamed, near) {
        (Some(file), _) => message!(
            "`{}` is the new name of a file: a mark matches the path that it was found at, `{}`",
            plain(lexical::one_line(file.path())),
            plain(lexical::one_line(file.original_path()))
        ),
        (None, Some(near)) => message!("did you mean `{}`?", plain(lexical::one_line(near))),
        (None, None) => message!(
            "a mark matches paths below the directory that -f names, such as `{}`",
            plain(lexical::one_line(first.original_path()))
        ),
    };
    finding.help(help).into()
}

fn ambiguous<'a>(mark: &str, files: impl Iterator<Item = &'a InputFile>) -> Diagnostic {
    let places: Vec<String> = files.map(|it| format!("`{}`", it.place())).collect();
    let message = message!(
        "the file mark `{}` matches {} files: {}",
        plain(lexical::one_line(mark)),
        places.len(),
        plain(places.join(", "))
    );
    Diagnostic::warning(AMBIGUOUS_MARK, message)
        .help("give -f a directory above them: then their paths differ")
}

/// A pattern in which the first `**/*` matches any path, and the first `*` after or before it
/// matches any name. Both match at least one character. All other characters match themselves.
struct Glob {
    /// The text before, between and after the wildcards.
    literals: Vec<String>,
    /// One fewer than literals, and at most two.
    wildcards: Vec<Wildcard>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Wildcard {
    Path,
    Name,
}

impl Glob {
    fn new(pattern: &str) -> Self {
        let (before, after) = match pattern.split_once("**/*") {
            Some((before, after)) => (before, Some(after)),
            None => (pattern, None),
        };
        let mut literals = vec![before];
        let mut wildcards = Vec::new();
        if let Some(after) = after {
            literals.push(after);
            wildcards.push(Wildcard::Path);
        }
        if let Some(at) = literals.iter().position(|it| it.contains('*')) {
            let (before, after) = literals[at].split_once('*').expect("it was just found");
            literals.splice(at..=at, [before, after]);
            wildcards.insert(at, Wildcard::Name);
        }
        Self { literals: literals.into_iter().map(str::to_owned).collect(), wildcards }
    }

    fn matches(&self, path: &str) -> bool {
        let Some(rest) = path.strip_prefix(self.literals[0].as_str()) else {
            return false;
        };
        match self.wildcards[..] {
            [] => rest.is_empty(),
            [only] => {
                rest.strip_suffix(self.literals[1].as_str()).is_some_and(|it| only.matches(it))
            }
            [first, second, ..] => {
                let (middle, last) = (self.literals[1].as_str(), self.literals[2].as_str());
                rest.strip_suffix(last).is_some_and(|rest| {
                    splits(rest, middle).any(|(it, then)| first.matches(it) && second.matches(then))
                })
            }
        }
    }
}

impl Wildcard {
    fn matches(self, text: &str) -> bool {
        !text.is_empty()
            && match self {
                Self::Path => !text.contains('\n'),
                Self::Name => !text.contains('/'),
            }
    }
}

/// Returns every way to split a text at a separator, including overlapping ones. An empty separator
/// is between any two characters.
fn splits<'a>(text: &'a str, separator: &'a str) -> impl Iterator<Item = (&'a str, &'a str)> {
    let places = text.char_indices().map(|(at, _)| at);
    places.filter_map(move |at| Some((&text[..at], text[at..].strip_prefix(separator)?)))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::{FileType, GivenFile};

    #[test]
    fn wildcards_stand_for_one_character_at_least() {
        let check = |pattern: &str, path: &str, expected: bool| {
            assert_eq!(Glob::new(pattern).matches(path), expected, "{pattern} on {path}");
        };
        check("a.yml", "a.yml", true);
        check("a.yml", "aayml", false);
        check("*.yml", "a.yml", true);
        check("*.yml", ".yml", false);
        check("*.yml", "d/a.yml", false);
        check("**/*", "d/e/a.yml", true);
        check("d/**/*", "d/a.yml", true);
        check("d/**/*", "d/", false);
        check("d/**/*.yml", "d/e/a.yml", true);
        check("**/*.txt", "a.yml", false);
        check("*/**/*", "d/a.yml", true);
        check("*/**/*", "a.yml", false);
        check("**/*/*.yml", "d/e/a.yml", true);
        check("**/*/*.yml", "a.yml", false);
        // Only the first of each is special.
        check("*/*.yml", "d/a.yml", false);
        check("*/*.yml", "d/*.yml", true);
        check("*a*", "xa*", true);
        check("**", "x*", true);
        check("**/**/*", "d/**/x", false);
    }

    fn files(paths: &[&str]) -> Vec<InputFile> {
        let given = |path: &&str| GivenFile { path: (*path).to_owned(), bytes: Arc::default() };
        crate::given(&paths.iter().map(given).collect::<Vec<_>>())
    }

    fn apply_all(marks: &[&str], paths: &[&str]) -> Result<Vec<InputFile>, String> {
        let marks: Vec<String> = marks.iter().map(|it| (*it).to_owned()).collect();
        apply(&marks, files(paths), &mut Vec::new())
            .map_err(|failure| failure.findings()[0].message.shown().to_owned())
    }

    #[test]
    fn an_excluded_file_cannot_be_marked_again() {
        let left = apply_all(&["a.yml:exclude=true"], &["a.yml", "b.yml"]).expect("a match");
        assert_eq!(left.len(), 1);
        assert_eq!(
            apply_all(&["a.yml:exclude=true", "a.yml:type=data"], &["a.yml"]).err().as_deref(),
            Some("the file mark `a.yml:type=data` matches no file")
        );
    }

    #[test]
    fn marks_match_the_path_that_a_file_was_found_under() {
        let marked = apply_all(&["a:path=b.yml", "a:type=text-plain"], &["a"]).expect("a match");
        assert_eq!((marked[0].path(), marked[0].file_type()), ("b.yml", FileType::Text));
    }

    #[test]
    fn one_exclusive_file_silences_the_others() {
        let marked = apply_all(&["a.yml:exclusive-for-output=true"], &["a.yml", "b.yml"]);
        let outputs: Vec<bool> =
            marked.expect("a match").iter().map(InputFile::is_for_output).collect();
        assert_eq!(outputs, [true, false]);
    }

    #[test]
    fn a_wrong_key_is_found_only_after_a_match() {
        let message = |mark: &str| apply_all(&[mark], &["a.yml"]).expect_err("it is wrong");
        assert_eq!(message("a.yml:x=true"), "unknown key in the file mark `a.yml:x=true`");
        assert!(message("b.yml:x=true").contains("matches no file"));
        assert_eq!(
            message("a.yml:exclude=yes"),
            "unknown value in the file mark `a.yml:exclude=yes`"
        );
        assert_eq!(message("a.yml:type=nope"), "unknown value in the file mark `a.yml:type=nope`");
        assert!(message("a.yml").starts_with("expected PATH:KEY=VALUE"));
        assert!(message("a.yml:type").starts_with("expected KEY=VALUE after"));
    }
}
