//! Changes that correct findings, beyond the spellings that their messages offer.

use std::path::Path;

use plumb_starlark::outline::WordKind;
use plumb_value::Node;

use crate::catalogue;
use crate::data_path::{Cursor, Step};
use crate::declare;
use crate::file::{File, FileKind};
use crate::knowledge::{Knowledge, steps};
use crate::overlay::Overlay;
use crate::words::Chain;
use crate::{Edit, FileFinding, Fix, TextRange};

/// The changes that correct a finding of a file.
pub(crate) fn fixes(
    file: &File,
    path: &Path,
    finding: &FileFinding,
    overlay: &Overlay,
    knowledge: &Knowledge,
) -> Vec<Fix> {
    let fixer = Fixer { file, path, finding, overlay, knowledge };
    let found = match finding.code {
        "template/syntax" => fixer.add_end(),
        "template/undefined" => fixer.load_module(),
        "template/evaluation" => fixer.declare_used(),
        "template/unknown-comment" => fixer.mark_comment(),
        "overlay/no-match" => Some(fixer.allow_missing()),
        "schema/unknown-key" => fixer.declare_given(),
        "schema/type-mismatch" | "kube/wrong-type" | "yaml/strict" => fixer.quote(),
        _ => None,
    };
    let mut fixes = finding.fixes.clone();
    fixes.extend(found);
    fixes
}

struct Fixer<'a> {
    file: &'a File,
    path: &'a Path,
    finding: &'a FileFinding,
    overlay: &'a Overlay,
    knowledge: &'a Knowledge,
}

impl Fixer<'_> {
    fn fix(&self, title: String, range: TextRange, text: String) -> Fix {
        let edit = Edit { path: self.path.to_owned(), range, text };
        Fix { title, edits: vec![edit] }
    }

    /// Closes a block of code that is still open.
    fn add_end(&self) -> Option<Fix> {
        if !self.finding.message.contains("end") {
            return None;
        }
        let open = open_block(self.file)?;
        let title = "Add the missing `end`".to_owned();
        if self.file.kind == FileKind::Text {
            let end = u32::try_from(self.file.text.len()).ok()?;
            return Some(self.fix(title, end..end, "(@ end @)\n".to_owned()));
        }
        let column = open - self.file.line_start(open);
        let at = block_end(self.file, open);
        let indent = " ".repeat(column as usize);
        let code = if self.file.kind == FileKind::Yaml { "#@ end" } else { "end" };
        let breaks = at > 0 && self.file.text.get(at as usize - 1) != Some(&b'\n');
        let start = if breaks { "\n" } else { "" };
        Some(self.fix(title, at..at, format!("{start}{indent}{code}\n")))
    }

    /// Loads the built-in module that is used but not loaded.
    fn load_module(&self) -> Option<Fix> {
        let chain = Chain::at(self.file, self.finding.range.start)?;
        let name = &chain.parts[0].name;
        let module = catalogue::module(name)?;
        let statement = format!("load(\"@ytt:{0}\", \"{0}\")", module.name);
        let line = match self.file.kind {
            FileKind::Yaml => format!("#@ {statement}\n"),
            FileKind::Text => format!("(@ {statement} -@)\n"),
            FileKind::Starlark => format!("{statement}\n"),
            FileKind::Other => return None,
        };
        Some(self.fix(format!("Load `@ytt:{}`", module.name), 0..0, line))
    }

    /// Declares a data value that a template uses. Its type is not known, so it is declared as a
    /// string.
    fn declare_used(&self) -> Option<Fix> {
        // The finding begins at the dot before the name, or at the name.
        let at = self.finding.range.end;
        let chain = Chain::at(self.file, at)?;
        let keys = chain.data_path(self.file)?;
        let path = steps(&keys);
        let parent = &path[..path.len() - 1];
        let is_missing = self.knowledge.field(&path).is_none();
        if !is_missing || self.knowledge.field(parent).is_none() {
            return None;
        }
        self.declaration(&path, &Node::String("".into()))
    }

    /// Declares a data value that is given, with the type of its value.
    fn declare_given(&self) -> Option<Fix> {
        if self.file.kind != FileKind::Yaml {
            return None;
        }
        let key_end = self.key_end()?;
        let path = Cursor::at(self.file, key_end)?.keys();
        let value = self.file.node_at(self.finding.range.start)?;
        self.declaration(&path, value)
    }

    fn key_end(&self) -> Option<u32> {
        let start = self.finding.range.start;
        let rest = self.file.text.get(start as usize..)?;
        let length = rest.iter().position(|it| matches!(it, b':' | b'\n'))?;
        Some(start + u32::try_from(length).ok()?)
    }

    fn declaration(&self, path: &[Step], value: &Node) -> Option<Fix> {
        let edit = declare::declaration(path, value, self.overlay, self.knowledge)?;
        let names: Vec<&str> = path
            .iter()
            .map(|it| match it {
                Step::Key(key) => key.as_str(),
                Step::Item => "[]",
            })
            .collect();
        let title = format!("Declare `{}` in the schema", names.join("."));
        Some(Fix { title, edits: vec![edit] })
    }

    /// Turns a plain comment into one that templates ignore.
    fn mark_comment(&self) -> Option<Fix> {
        let start = self.finding.range.start;
        let is_comment = self.file.text.get(start as usize) == Some(&b'#');
        is_comment.then(|| self.fix("Write `#!`".to_owned(), start..start + 1, "#!".to_owned()))
    }

    /// Allows an overlay item to match nothing.
    fn allow_missing(&self) -> Fix {
        let title = "Add `missing_ok=True`".to_owned();
        let start = self.finding.range.start;
        let line = self.file.line_start(start);
        let above = self.file.outline.annotations.iter().rfind(|it| {
            it.name == "overlay/match" && it.span.start < start && self.belongs(it.span.end, line)
        });
        if let Some(annotation) = above {
            let has_arguments = self.file.outline.code.words.iter().any(|it| {
                it.span.file == self.file.id
                    && it.span.start >= annotation.span.end
                    && it.span.end <= self.file.line_end(annotation.span.end)
                    && it.kind != WordKind::Close
            });
            let at = self.file.line_end(annotation.span.end);
            let text = if has_arguments { ", missing_ok=True" } else { " missing_ok=True" };
            return self.fix(title, at..at, text.to_owned());
        }
        let indent = " ".repeat((start - line) as usize);
        let text = format!("{indent}#@overlay/match missing_ok=True\n");
        self.fix(title, line..line, text)
    }

    /// Whether only comments are between an annotation and the line of an item.
    fn belongs(&self, end: u32, line: u32) -> bool {
        let from = (self.file.line_end(end) as usize + 1).min(line as usize);
        let between = &self.file.text[from..line as usize];
        between.split(|it| *it == b'\n').all(|it| {
            let trimmed = it.trim_ascii_start();
            trimmed.is_empty() || trimmed.starts_with(b"#")
        })
    }

    /// Quotes a value that is not read as a string.
    fn quote(&self) -> Option<Fix> {
        let message = &self.finding.message;
        let wants_string = message.contains("a string, not")
            || message.contains("expected string")
            || self.finding.code == "yaml/strict";
        if !wants_string || self.file.kind != FileKind::Yaml {
            return None;
        }
        let start = self.finding.range.start;
        let line = start..self.file.line_end(start);
        let text = std::str::from_utf8(self.file.text.get(line.start as usize..line.end as usize)?);
        let text = text.ok()?;
        let value = match text.find(": ").map(|it| it + 2).or(text.starts_with("- ").then_some(2)) {
            Some(at) => at,
            None if self.finding.code == "yaml/strict" => 0,
            None => return None,
        };
        let rest = &text[value..];
        let plain = rest.split(" #").next().unwrap_or_default();
        let value = value + (plain.len() - plain.trim_start().len());
        let plain = plain.trim();
        let is_plain =
            !plain.is_empty() && !plain.starts_with(['"', '\'', '[', '{', '|', '>', '&', '*', '#']);
        if !is_plain {
            return None;
        }
        let start = line.start + u32::try_from(value).ok()?;
        let end = start + u32::try_from(plain.len()).ok()?;
        let quoted = format!("\"{}\"", plain.replace('\\', "\\\\").replace('"', "\\\""));
        Some(self.fix(format!("Quote it: `{quoted}`"), start..end, quoted))
    }
}

/// Where the innermost block without an `end` begins: the position of its first word.
fn open_block(file: &File) -> Option<u32> {
    let code = &file.outline.code;
    let mut open: Vec<u32> = Vec::new();
    let mut last_line = None;
    for word in code.words.iter().filter(|it| it.span.file == file.id) {
        let line = file.line_start(word.span.start);
        let is_first = last_line != Some(line);
        last_line = Some(line);
        if !is_first || word.kind != WordKind::Keyword {
            continue;
        }
        match file.slice(word.span) {
            "if" | "for" | "while" | "def" => open.push(word.span.start),
            "end" => {
                open.pop();
            }
            _ => {}
        }
    }
    let word = open.pop()?;
    // In YAML, the column is that of the comment.
    let line = file.line_start(word);
    let text = &file.text[line as usize..word as usize];
    let indent = text.iter().take_while(|it| **it == b' ').count();
    Some(line + u32::try_from(indent).ok()?)
}

/// Where a block ends: before the first line that is indented less than its first line.
fn block_end(file: &File, open: u32) -> u32 {
    let column = (open - file.line_start(open)) as usize;
    let mut at = file.line_end(open) as usize + 1;
    let mut end = at.min(file.text.len());
    let length = file.text.len();
    for line in file.text[end..].split_inclusive(|it| *it == b'\n') {
        let indent = line.iter().take_while(|it| **it == b' ').count();
        let is_blank = line.trim_ascii().is_empty();
        if !is_blank && (indent < column || line.starts_with(b"---")) {
            break;
        }
        at += line.len();
        if !is_blank {
            end = at.min(length);
        }
    }
    u32::try_from(end).unwrap_or(u32::MAX)
}
