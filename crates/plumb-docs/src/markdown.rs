//! A reference as Markdown, with tables as GitHub, GitLab and mdBook show them.
//!
//! Anchors are separate elements, because these programs derive anchors from headings in different
//! ways. A value of several lines does not fit into a table: it is shown after the table.

use std::fmt::Write as _;

use crate::prose::{Part, parts};
use crate::{Default, Heading, Key, Reference, Section};

/// The deepest heading of Markdown.
const DEEPEST: usize = 6;

/// The longest value that is shown in a table.
const LONGEST: usize = 60;

/// Returns a reference as Markdown. `above` is the level of the heading above it; with 0, the
/// reference begins with its title.
pub fn markdown(reference: &Reference, above: usize) -> String {
    let mut out = String::new();
    let above = if above == 0 {
        let _ = writeln!(out, "# {}\n", prose(&reference.title));
        1
    } else {
        above
    };
    paragraphs(&reference.description, &mut out);
    if !reference.rules.is_empty() {
        let _ = writeln!(out, "Expected: {}\n", prose(&reference.rules.join("; ")));
    }
    let link = |key: &Key| format!("[{}](#{})", code(&key.path), key.anchor);
    let required: Vec<String> = reference.required().map(link).collect();
    if !required.is_empty() {
        let _ = writeln!(out, "**Required:** {}\n", required.join(", "));
    }
    for section in &reference.sections {
        write_section(section, above, &mut out);
    }
    let text = out.trim_end().len();
    out.truncate(text);
    out.push('\n');
    out
}

fn write_section(section: &Section, above: usize, out: &mut String) {
    let hashes = "#".repeat((above + section.level).min(DEEPEST));
    let heading = match &section.heading {
        Heading::Words(text) => prose(text),
        Heading::Path(path) => code(path),
    };
    let _ = writeln!(out, "<a id=\"{}\"></a>\n\n{hashes} {heading}\n", section.anchor);
    paragraphs(&section.remark, out);
    paragraphs(&section.description, out);
    if section.keys.is_empty() {
        return;
    }
    out.push_str("| Key | Type | Default | Description |\n|---|---|---|---|\n");
    for key in &section.keys {
        let _ = writeln!(
            out,
            "| <a id=\"{}\"></a>{} | {} | {} | {} |",
            key.anchor,
            cell(&code(&key.name)),
            cell(&key.type_name),
            cell(&default(key)),
            cell(&description(key))
        );
    }
    out.push('\n');
    section.keys.iter().for_each(|key| write_blocks(key, out));
}

/// The values of a key that do not fit into the table.
fn write_blocks(key: &Key, out: &mut String) {
    let mut block = |head: String, text: &str| {
        let fence = fence(text, "```");
        let _ = writeln!(out, "{head}:\n\n{fence}yaml\n{text}\n{fence}\n");
    };
    if let Default::Value(value) = &key.default
        && !fits(value)
    {
        block(format!("Default of {}", code(&key.path)), value);
    }
    for example in key.examples.iter().filter(|it| !fits(&it.value)) {
        let about = match example.description.as_str() {
            "" => String::new(),
            about => format!(" ({})", prose(about)),
        };
        block(format!("Example of {}{about}", code(&key.path)), &example.value);
    }
}

fn default(key: &Key) -> String {
    match &key.default {
        Default::Required => "**required**".to_owned(),
        Default::Absent => "*not set*".to_owned(),
        Default::Hidden => "*hidden*".to_owned(),
        Default::Below => String::new(),
        Default::Value(value) if fits(value) => code(value),
        Default::Value(_) => "*see below*".to_owned(),
    }
}

/// The parts of a description, one per line.
fn description(key: &Key) -> String {
    let mut lines = Vec::new();
    if let Some(reason) = &key.deprecation {
        lines.push(format!("**Deprecated:** {}", prose(reason)));
    }
    if !key.title.is_empty() {
        lines.push(format!("**{}**", prose(&key.title)));
    }
    if !key.description.is_empty() {
        lines.push(prose(&key.description));
    }
    if !key.rules.is_empty() {
        lines.push(format!("Expected: {}", prose(&key.rules.join("; "))));
    }
    for example in &key.examples {
        let value =
            if fits(&example.value) { code(&example.value) } else { "*see below*".to_owned() };
        let about = match example.description.as_str() {
            "" => String::new(),
            about => format!(" ({})", prose(about)),
        };
        lines.push(format!("Example: {value}{about}"));
    }
    for link in &key.below {
        lines.push(format!("Keys: [{}](#{})", code(&link.text), link.anchor));
    }
    lines.join("\n")
}

fn fits(value: &str) -> bool {
    !value.contains('\n') && value.chars().count() <= LONGEST
}

fn paragraphs(text: &str, out: &mut String) {
    if !text.trim().is_empty() {
        let _ = writeln!(out, "{}\n", prose(text.trim()));
    }
}

/// A text in a cell of a table: on one line, with escaped bars.
fn cell(text: &str) -> String {
    text.trim().replace('|', "\\|").replace('\n', "<br>")
}

/// Text of an author. Characters with a meaning in Markdown are escaped, except in code.
fn prose(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for part in parts(text) {
        match part {
            Part::Code(text) => out.push_str(&code(text)),
            Part::Link(link) => {
                let _ = write!(out, "<{link}>");
            }
            Part::Words(words) => escape(words, &mut out),
        }
    }
    out
}

fn escape(words: &str, out: &mut String) {
    let mut before = ' ';
    let mut letters = words.chars().peekable();
    while let Some(letter) = letters.next() {
        let is_inside =
            before.is_alphanumeric() && letters.peek().is_some_and(|next| next.is_alphanumeric());
        match letter {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '_' if is_inside => out.push('_'),
            '\\' | '*' | '_' | '[' | ']' | '`' => {
                out.push('\\');
                out.push(letter);
            }
            _ => out.push(letter),
        }
        before = letter;
    }
}

/// A text as code: within as many backticks as it requires.
fn code(text: &str) -> String {
    if text.is_empty() {
        return String::new();
    }
    let fence = fence(text, "`");
    let pad = if text.starts_with('`') || text.ends_with('`') { " " } else { "" };
    format!("{fence}{pad}{text}{pad}{fence}")
}

/// Backticks that do not occur in a text, at least as many as `shortest`.
fn fence(text: &str, shortest: &str) -> String {
    let mut fence = shortest.to_owned();
    while text.contains(&fence) {
        fence.push('`');
    }
    fence
}
