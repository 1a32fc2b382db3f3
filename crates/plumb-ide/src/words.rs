//! Chains of names in code: `data.values.app.name`.

use plumb_source::Span;
use plumb_starlark::outline::{Name, VariableKind, Word, WordKind};

use crate::file::File;

/// A name with the attributes after it, up to the cursor's.
#[derive(Clone, Debug)]
pub(crate) struct Chain {
    pub(crate) parts: Vec<Part>,
    /// The index of the part that the cursor is on.
    pub(crate) at: usize,
}

/// One name of a chain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Part {
    pub(crate) name: String,
    pub(crate) span: Span,
}

impl Chain {
    /// The chain around an offset. A dot without a name after it has an empty one.
    pub(crate) fn at(file: &File, offset: u32) -> Option<Self> {
        let words = &file.outline.code.words;
        let own = |it: &&Word| it.span.file == file.id;
        let words: Vec<Word> = words.iter().filter(own).copied().collect();
        let touches = |it: &Word| it.span.start <= offset && offset <= it.span.end;
        let is_part = |it: &Word| matches!(it.kind, WordKind::Name | WordKind::Dot);
        let mut last = words.iter().rposition(touches)?;
        // Before a bracket or a colon, the name in front of it is meant.
        if !is_part(&words[last]) {
            last = last.checked_sub(1).filter(|it| touches(&words[*it]))?;
        }
        // Between a name and a dot, the cursor is on the name.
        if words[last].kind == WordKind::Dot && words[last].span.start == offset && last > 0 {
            last -= 1;
        }
        let mut parts = Vec::new();
        let mut index = last;
        match words[index].kind {
            WordKind::Name => {}
            WordKind::Dot => {
                let span = Span { start: words[index].span.end, ..words[index].span };
                parts.push(Part { name: String::new(), span });
                index = index.checked_sub(1)?;
            }
            _ => return None,
        }
        loop {
            if words[index].kind != WordKind::Name {
                return None;
            }
            let span = words[index].span;
            parts.push(Part { name: file.slice(span).to_owned(), span });
            let dot = index.checked_sub(1).filter(|it| words[*it].kind == WordKind::Dot);
            let Some(dot) = dot.filter(|it| words[*it].span.end == span.start) else { break };
            index = dot.checked_sub(1)?;
            if words[index].span.end != words[dot].span.start {
                return None;
            }
        }
        parts.reverse();
        let at = parts.len() - 1;
        Some(Self { parts, at })
    }

    /// The keys after `data.values`, up to the cursor's, if that is what the chain begins with.
    pub(crate) fn data_path(&self, file: &File) -> Option<Vec<&str>> {
        let is_data = self.module(file).is_some_and(|it| it == "data")
            || self.parts[0].name == "data" && self.variable(file).is_none_or(is_unknown);
        if !is_data || self.parts.get(1)?.name != "values" || self.at < 2 {
            return None;
        }
        Some(self.parts[2..=self.at].iter().map(|it| it.name.as_str()).collect())
    }

    /// The built-in module that the first name was loaded as.
    pub(crate) fn module<'a>(&self, file: &'a File) -> Option<&'a str> {
        let VariableKind::Loaded(load, name) = self.variable(file)? else { return None };
        let load = &file.outline.code.loads[load];
        let module = load.module.as_str()?.strip_prefix("@ytt:")?;
        (load.names[name].name.as_str() == Some(module)).then_some(module)
    }

    fn variable(&self, file: &File) -> Option<VariableKind> {
        let name = name_at(file, self.parts[0].span.start)?;
        Some(file.outline.code.variables[name.variable].kind)
    }
}

fn is_unknown(kind: VariableKind) -> bool {
    kind == VariableKind::Undefined
}

/// The occurrence of a variable at an offset.
pub(crate) fn name_at(file: &File, offset: u32) -> Option<&Name> {
    let names = &file.outline.code.names;
    let is_here =
        |it: &&Name| it.span.file == file.id && it.span.start <= offset && offset <= it.span.end;
    names.iter().find(is_here)
}
