//! Our words for errors in YAML texts: what was expected and found, where, and what to do.
//!
//! The place where a reader notices an error is often not the place of the mistake: an unclosed
//! quote is noticed at the end of the text. So the lines around the error, and what was being read,
//! decide what is shown. Values are not shown, because they may be secret.

use std::ops::Range;

use plumb_source::message::{plain, secret};
use plumb_source::{Message, message};

use super::error::Open;
use super::error_kind::SyntaxErrorKind as Kind;
use super::site::{Site, has_key, indentation, is_item};
use crate::resolve::{TagError, TagMismatch};

const HELM: &str = "this looks like a Helm template, which Plumb does not run: write `#@ data.values.…` \
     instead of `{{ … }}`, or put quotes around the text to keep it";

const JINJA: &str = "this looks like a template in another language, which Plumb does not run: write \
     `#@ if …:` or `#@ for …:` instead of `{% … %}`";

const CONFLICT: &str = "resolve the merge conflict: remove the lines that begin with `<<<<<<<`, `=======` and `>>>>>>>`";

const CONTINUED: &str = "check the indentation: this line continues the text of the line before it";

const CONTINUED_TEXT: &str = "put quotes around a text that contains `: `, or check the indentation: \
     this line continues the text of the line before it";

const ITEM_AMONG_KEYS: &str =
    "check the indentation: an item of a list cannot be among the keys of a map";

const DIFFERENT_KEY: &str =
    "check the indentation: the keys of a map must begin in the same column";

const DIFFERENT_ITEM: &str =
    "check the indentation: the items of a list must begin in the same column";

const KEY_AMONG_ITEMS: &str = "put `- ` before it if it is an item of the list; otherwise check the \
     indentation: a key cannot be among the items of a list";

const AFTER_KEY: &str =
    "write `: ` after a key; a text that continues must be indented further than its key";

const UTF_8: &str = "save the file as UTF-8";

const QUOTE_COLON: &str =
    "put quotes around a text that contains `: `, or start the map on a new line";

/// An error in our words.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Explanation {
    pub(super) message: Message,
    /// Where the mistake probably is.
    pub(super) place: Range<usize>,
    /// What is at the place, if that is not obvious.
    pub(super) note: &'static str,
    /// Another place, and what is there.
    pub(super) other: Option<(Range<usize>, &'static str)>,
    /// What to do.
    pub(super) help: Option<Message>,
}

/// Explains an error that was noticed at a place.
pub(super) fn explain(
    kind: &Kind,
    bytes: &[u8],
    place: Range<usize>,
    open: Option<Open>,
) -> Explanation {
    let site = Site::new(bytes, place);
    let mut explanation = by_kind(kind, &site, open);
    if is_structure(kind) {
        let lines = [site.line(), site.line_before(), site.at(explanation.place.clone()).line()];
        let lines = lines.map(|it| site.text(it));
        if let Some(help) = lines.iter().find_map(|it| foreign(it)) {
            explanation.help = Some(help.into());
        }
    }
    explanation
}

/// Returns whether text that is not YAML can be the cause.
fn is_structure(kind: &Kind) -> bool {
    matches!(
        kind,
        Kind::BlockEntryNotAllowed
            | Kind::KeyNotAllowed
            | Kind::ValueNotAllowed
            | Kind::MissingColon
            | Kind::CannotStartToken(_)
            | Kind::BlockHeaderEnd
            | Kind::NodeContent
            | Kind::BlockKey
            | Kind::BlockEntry
            | Kind::FlowMappingEnd
            | Kind::FlowSequenceEnd
            | Kind::DocumentStart
    )
}

/// Returns what to do about a line that is not YAML.
fn foreign(line: &[u8]) -> Option<&'static str> {
    let has = |text: &[u8]| line.windows(2).any(|it| it == text);
    let marks: [&[u8]; 3] = [b"<<<<<<<", b"=======", b">>>>>>>"];
    if marks.iter().any(|it| line.starts_with(it)) {
        Some(CONFLICT)
    } else if has(b"{{") && has(b"}}") {
        Some(HELM)
    } else if has(b"{%") && has(b"%}") {
        Some(JINJA)
    } else {
        None
    }
}

impl Explanation {
    fn new(message: impl Into<Message>, site: &Site<'_>) -> Self {
        let (place, message) = (site.place.clone(), message.into());
        Self { message, place, note: "", other: None, help: None }
    }

    fn help(self, help: impl Into<Message>) -> Self {
        Self { help: Some(help.into()), ..self }
    }

    fn note(self, note: &'static str) -> Self {
        Self { note, ..self }
    }
}

#[expect(clippy::too_many_lines, reason = "one arm for each kind, most of them a few lines")]
fn by_kind(kind: &Kind, site: &Site<'_>, open: Option<Open>) -> Explanation {
    let found = || site.found();
    let explain = |message: Message| Explanation::new(message, site);
    match kind {
        Kind::InvalidLeadingOctet
        | Kind::InvalidTrailingOctet
        | Kind::IncompleteSequence
        | Kind::OverlongSequence
        | Kind::InvalidCharacter => {
            explain("expected text in UTF-8, found other bytes".into()).help(UTF_8)
        }
        Kind::ControlCharacter => control_character(site),
        Kind::TooLarge => explain("expected at most 4 GiB of text, found more".into()),
        Kind::CannotStartToken('\t') | Kind::TabInPlain | Kind::TabInBlock => tab(site),
        Kind::CannotStartToken(_) => reserved(site),
        Kind::BlockEntryNotAllowed if site.byte_before() == Some(b':') => explain(
            "expected a value, found an item of a list".into(),
        )
        .help("start the list on a new line, or put quotes around a text that begins with `- `"),
        Kind::BlockEntryNotAllowed => after_value(site),
        Kind::KeyNotAllowed => explain("expected a value, found `?`".into())
            .help("start the map on a new line, or put quotes around a text that begins with `? `"),
        Kind::ValueNotAllowed => second_colon(site),
        Kind::MissingColon => missing_colon(site, open),
        Kind::DocumentIndicatorInQuotes | Kind::EndInQuotes => unclosed_quote(site, open),
        Kind::UnknownEscape => explain(
            "expected an escape of YAML such as `\\n` after the backslash, found another character"
                .into(),
        )
        .help("write `\\\\` for a backslash, or put the text in single quotes"),
        Kind::EscapeDigits => escape_digits(site),
        Kind::EscapeValue => {
            explain("expected the number of a Unicode character, found another number".into())
                .help("write a character above U+FFFF as `\\U` and eight digits")
        }
        Kind::ZeroIndentation => {
            explain("expected an indentation from 1 to 9 after `|` or `>`, found 0".into())
        }
        Kind::BlockHeaderEnd => explain(
            "expected the end of the line after `|` or `>`, found other text".into(),
        )
        .help(
            "put quotes around a text that begins with `|` or `>`; a text of several lines begins \
             on the next line",
        ),
        Kind::AnchorName => anchor_name(site),
        Kind::TagUri => in_tag("expected the name of a tag after `!`", site),
        Kind::TagEnd => in_tag("expected a space after a tag", site),
        Kind::VerbatimTagEnd => in_tag("expected `>` at the end of a tag", site),
        Kind::UriEscape => in_tag("expected two hexadecimal digits after `%` in a tag", site),
        Kind::UriLeadingOctet | Kind::UriTrailingOctet => {
            explain("expected UTF-8 in the escapes of a tag, found other bytes".into())
        }
        Kind::DirectiveName | Kind::DirectiveNameEnd | Kind::UnknownDirective => {
            let message = "expected `%YAML` or `%TAG` at the start of a line, found another `%`";
            let start = site.line().start;
            Explanation::new(message, &site.at(start..start + 1))
                .help("put quotes around a text that begins with `%`")
        }
        Kind::DirectiveEnd => {
            explain(message!("expected the end of the line after a directive, found {}", found()))
        }
        Kind::VersionNumber | Kind::VersionLength | Kind::VersionDot => {
            explain(message!("expected a version such as `1.1` after `%YAML`, found {}", found()))
        }
        Kind::TagBang | Kind::TagDirectiveSpace | Kind::TagDirectiveEnd => {
            explain(message!("expected `%TAG !name! prefix`, found {}", found()))
        }
        Kind::DocumentStart => document_start(site),
        Kind::DuplicateVersion => {
            explain("expected one `%YAML` line before a document, found a second one".into())
                .help("remove one of the lines")
        }
        Kind::IncompatibleVersion => {
            explain("expected version 1.1 of YAML, found another version".into())
                .help("remove the line, or write `%YAML 1.1`")
        }
        Kind::DuplicateTagDirective => {
            explain("expected one `%TAG` line for each handle, found a second one".into())
                .help("remove one of the lines")
        }
        Kind::UndefinedHandle => {
            explain("expected a tag with a declared handle, found an unknown handle".into())
                .help("declare the handle with a `%TAG` line before the document")
        }
        Kind::NodeContent => node_content(site, open),
        Kind::BlockEntry => block_entry(site, open),
        Kind::BlockKey => block_key(site, open),
        Kind::FlowSequenceEnd => flow_end(b']', site, open),
        Kind::FlowMappingEnd => flow_end(b'}', site, open),
        Kind::UnknownAnchor(name) => {
            let message = "expected the name of an anchor after `*`, found the unknown name";
            explain(message!("{message} `{}`", secret(name))).help(
                "define the anchor (`&name`) earlier in the same document, or put quotes around a \
                 text that begins with `*`",
            )
        }
        // An anchor that exists is a name. An unknown one may be a text without quotes.
        Kind::SelfReference(name) => {
            explain(message!("the value of the anchor `{}` must not contain itself", plain(name)))
                .help("use the alias outside of the value that has the anchor")
        }
        Kind::NotMergeable => explain("expected a map as the value of `<<`".into())
            .help("merge one map at a time: `<<: *name`"),
        Kind::Tag(TagError::Mismatch(TagMismatch { found, wanted, .. })) => {
            let (wanted, found) = (plain(wanted), plain(found));
            explain(message!("expected a value of type `{wanted}`, found `{found}`"))
                .help("change the value, or remove the tag")
        }
        Kind::Tag(TagError::InvalidBase64) => {
            explain("expected base64 after `!!binary`, found other text".into())
                .help("change the value, or remove the tag")
        }
        Kind::Strict(reason) => {
            explain(reason.clone()).help("put quotes around a text that should be a string")
        }
        Kind::TooDeep(limit) => explain(message!("nested deeper than {limit} levels")),
        Kind::TooManyAliased(limit) => {
            explain(message!("aliases expand to more than {} values", plain(limit)))
                .help("aliases within aliases multiply: write the values out")
        }
    }
}

fn control_character(site: &Site<'_>) -> Explanation {
    Explanation::new("expected printable text, found a control character", site)
        .help("write it as an escape in double quotes, such as `\"\\x07\"`, or remove it")
}

fn tab(site: &Site<'_>) -> Explanation {
    if site.is_first_on_line() && site.byte_before().is_none() {
        return Explanation::new("expected spaces as indentation, found a tab", site)
            .help("indent with spaces: YAML does not allow tabs as indentation");
    }
    Explanation::new("expected a space, found a tab", site).help("write a space instead of the tab")
}

/// A character that YAML reserves, or that has no meaning here.
fn reserved(site: &Site<'_>) -> Explanation {
    let message = message!("expected a key or a value, found {}", site.found());
    Explanation::new(message, site).help(
        "put quotes around a text that begins with `@`, `%`, `|`, `>` or a backtick; code begins \
         with `#@`",
    )
}

/// A second `: ` on a line, or one in a text that continues.
fn second_colon(site: &Site<'_>) -> Explanation {
    let before = site.trimmed_line_before();
    let is_first_key = !site.start_of_line().windows(2).any(|it| it == b": ");
    if !is_first_key || before.is_empty() {
        return Explanation::new("expected the end of the value, found `: `", site)
            .help(QUOTE_COLON);
    }
    let line = site.text(site.line());
    let key = site.at(site.line().start + indentation(line)..site.place.end);
    let text = site.text(before.clone());
    if has_key(text) || is_item(text) && has_key(&text[1..]) {
        return Explanation::new("expected the rest of a text, found a key", &key).help(CONTINUED);
    }
    // A text that continues the value of a key is indented.
    let own = indentation(line);
    if own == 0 || own > indentation(site.text(site.line_before())) {
        let message = "expected `:` after a key, found the end of the line";
        return Explanation::new(message, &site.at(before)).help(AFTER_KEY);
    }
    Explanation::new("expected the rest of a text, found a key", &key).help(CONTINUED_TEXT)
}

fn missing_colon(site: &Site<'_>, open: Option<Open>) -> Explanation {
    const MAX_LENGTH: usize = 1024;
    let Some(Open::Key(start)) = open else {
        return Explanation::new("expected `:` after a key", site).help(AFTER_KEY);
    };
    let key = site.at(start..start);
    let text = key.rest_of_line();
    if text.len() > MAX_LENGTH && site.line() == key.line() {
        let message =
            message!("expected a key of at most {MAX_LENGTH} characters, found a longer one");
        return Explanation::new(message, &key).help("write `? ` before a longer key");
    }
    let colon = text.windows(2).position(|it| it[0] == b':' && !it[1].is_ascii_whitespace());
    if let Some(at) = colon {
        let colon = site.at(start + at..start + at + 1);
        return Explanation::new("expected a space after `:`, found text", &colon)
            .help("write `key: value`, with a space after the colon");
    }
    if matches!(text, [b'-', next, ..] if *next != b'-') && is_item(site.text(key.line_before())) {
        let dash = site.at(start..start + 1);
        return Explanation::new("expected a space after `-`, found text", &dash)
            .help("write a space after the `-` of an item");
    }
    let key = site.at(start..start + text.trim_ascii_end().len());
    Explanation::new("expected `:` after a key, found the end of the line", &key).help(AFTER_KEY)
}

fn unclosed_quote(site: &Site<'_>, open: Option<Open>) -> Explanation {
    let Some(Open::Quote(start)) = open else {
        return Explanation::new(
            message!("expected a closing quote, found {}", site.found()),
            site,
        );
    };
    let quote = site.at(start..start + 1);
    let mark = if quote.byte() == Some(b'\'') { "'" } else { "\"" };
    let message = message!("expected a closing `{mark}`, found {}", site.found());
    Explanation::new(message, &quote)
        .note("the string begins here")
        .help(message!("write `{mark}` where the string ends"))
}

fn escape_digits(site: &Site<'_>) -> Explanation {
    let start = site.place.start;
    let (letter, n_digits) = match site.text(start.saturating_sub(1)..start) {
        b"x" => ("x", "two"),
        b"u" => ("u", "four"),
        _ => ("U", "eight"),
    };
    let message =
        message!("expected {n_digits} hexadecimal digits after `\\{letter}`, found fewer");
    Explanation::new(message, site)
        .help("write `\\\\` for a backslash, or put the text in single quotes")
}

fn anchor_name(site: &Site<'_>) -> Explanation {
    let start = site.start_of_line();
    let is_name = |it: &&u8| it.is_ascii_alphanumeric() || matches!(it, b'_' | b'-');
    let n_name = start.iter().rev().take_while(is_name).count();
    let indicator = site.place.start.saturating_sub(n_name + 1);
    let mark = if site.text(indicator..indicator + 1) == b"&" { "&" } else { "*" };
    let place = site.at(indicator..site.place.end);
    let what = if n_name == 0 {
        message!("expected a name after `{mark}`")
    } else {
        message!("expected letters, digits, `-` and `_` in the name after `{mark}`")
    };
    Explanation::new(message!("{what}, found another character"), &place)
        .help(message!("put quotes around a text that begins with `{mark}`"))
}

fn in_tag(expected: &'static str, site: &Site<'_>) -> Explanation {
    Explanation::new(message!("{expected}, found {}", site.found()), site)
        .help("put quotes around a text that begins with `!`")
}

/// Something after a value on the same line.
fn after_value(site: &Site<'_>) -> Explanation {
    let found = site.found();
    let is_bracket = matches!(site.byte(), Some(b']' | b'}'));
    let (after, help) = match site.byte_before() {
        _ if is_bracket => ("", Some("remove it: there is no opening bracket for it")),
        Some(b'\'') => (
            " after the closing quote",
            Some("put the whole text in quotes; in single quotes, write `''` for `'`"),
        ),
        Some(b'"') => (
            " after the closing quote",
            Some("put the whole text in quotes; in double quotes, write `\\\"` for `\"`"),
        ),
        Some(b']') => (" after `]`", Some("put quotes around a text that begins with `[`")),
        Some(b'}') => (" after `}`", Some("put quotes around a text that begins with `{`")),
        _ => ("", None),
    };
    let mut explanation =
        Explanation::new(message!("expected the end of the line{after}, found {found}"), site);
    explanation.help = help.map(Message::from);
    explanation
}

/// The end of a string of several lines is followed by text: probably the string should have ended
/// earlier.
fn after_quote(site: &Site<'_>, open: Option<Open>) -> Option<Explanation> {
    let Some(Open::Quote(start)) = open else { return None };
    let message =
        message!("expected the end of the line after the closing quote, found {}", site.found());
    let quote = site.at(start..start + 1);
    let mut explanation = Explanation::new(message, &quote).note("the string begins here");
    explanation.other = Some((site.place.clone(), "and has ended before this"));
    Some(explanation.help("close the quote where the string should end"))
}

fn document_start(site: &Site<'_>) -> Explanation {
    let expected = message!("expected `---` or the end of the text, found {}", site.found());
    let before = site.text(site.line_before());
    if !site.is_first_on_line() {
        after_value(site)
    } else if indentation(site.text(site.line())) < indentation(before) {
        Explanation::new(expected, site).help(if is_item(before) {
            DIFFERENT_ITEM
        } else {
            DIFFERENT_KEY
        })
    } else if matches!(site.byte(), Some(b']' | b'}')) {
        Explanation::new(expected, site).help("remove it: there is no opening bracket for it")
    } else {
        Explanation::new(expected, site).help("put `---` before the next document")
    }
}

fn node_content(site: &Site<'_>, open: Option<Open>) -> Explanation {
    if let Some(unclosed) = unclosed_bracket(site, open) {
        return unclosed;
    }
    let explanation = Explanation::new(message!("expected a value, found {}", site.found()), site);
    match site.byte() {
        Some(byte @ (b']' | b'}' | b',')) => explanation.help(message!(
            "remove it, or put quotes around a text that begins with `{}`",
            plain(char::from(byte))
        )),
        Some(b'-') => {
            explanation.help("separate the items of a list in brackets by `,`, without `-`")
        }
        _ => explanation,
    }
}

fn block_entry(site: &Site<'_>, open: Option<Open>) -> Explanation {
    if let Some(explanation) = after_quote(site, open) {
        return explanation;
    }
    if !site.is_first_on_line() {
        return after_value(site);
    }
    let explanation =
        Explanation::new(message!("expected an item of the list, found {}", site.found()), site);
    let line = site.text(site.line());
    let before = site.text(site.line_before());
    if site.byte() == Some(b'-') {
        explanation.help("write a space after the `-` of an item")
    } else if indentation(line) < indentation(before) && indentation(line) > 0 {
        explanation.help(DIFFERENT_KEY)
    } else if has_key(site.rest_of_line()) {
        explanation.help(KEY_AMONG_ITEMS)
    } else {
        explanation.help(DIFFERENT_ITEM)
    }
}

fn block_key(site: &Site<'_>, open: Option<Open>) -> Explanation {
    if let Some(explanation) = after_quote(site, open) {
        return explanation;
    }
    if !site.is_first_on_line() {
        return after_value(site);
    }
    let line = site.text(site.line());
    let before = site.text(site.line_before());
    if is_item(line) && is_item(before) {
        let message = "expected the items of the list in one column, found one in another column";
        Explanation::new(message, site).help(DIFFERENT_ITEM)
    } else if is_item(line) {
        Explanation::new("expected a key, found an item of a list", site).help(ITEM_AMONG_KEYS)
    } else if matches!(site.byte(), Some(b']' | b'}')) {
        Explanation::new(message!("expected a key, found {}", site.found()), site)
            .help("remove it: there is no opening bracket for it")
    } else if has_key(line) {
        let message = "expected the keys of the map in one column, found one in another column";
        Explanation::new(message, site).help(DIFFERENT_KEY)
    } else {
        Explanation::new(message!("expected a key, found {}", site.found()), site)
            .help(DIFFERENT_KEY)
    }
}

fn flow_end(closing: u8, site: &Site<'_>, open: Option<Open>) -> Explanation {
    if let Some(explanation) = unclosed_bracket(site, open) {
        return explanation;
    }
    let closing = if closing == b']' { "]" } else { "}" };
    let message = message!("expected `,` or `{closing}`, found {}", site.found());
    let explanation = Explanation::new(message, site);
    if site.byte() == Some(b':') {
        let help = "put `,` between items; put quotes around a text that contains `: `";
        return explanation.help(help);
    }
    explanation.help(message!("put `,` between items, and `{closing}` after the last one"))
}

/// A list or map in brackets that is not closed: its text ends, or continues with a line outside of
/// it.
fn unclosed_bracket(site: &Site<'_>, open: Option<Open>) -> Option<Explanation> {
    let Some(Open::Bracket(start)) = open else { return None };
    let bracket = site.at(start..start + 1);
    if !site.is_at_end() && !site.is_outside_of(&bracket) {
        return None;
    }
    let (closing, note) = match bracket.byte() {
        Some(b'[') => ("]", "the list begins here"),
        _ => ("}", "the map begins here"),
    };
    let found = if site.byte() == Some(b':') { "a key".into() } else { site.found() };
    let message = message!("expected a closing `{closing}`, found {found}");
    let explanation = Explanation::new(message, &bracket).note(note);
    Some(explanation.help(message!("write `{closing}` after the last item")))
}
