//! Chains of names in code: `data.values.app.name`.

use plumb_source::Span;
use plumb_starlark::outline::{Name, VariableKind, Word, WordKind};

use crate::file::File;

/// The maximum length of a chain of assignments that is followed to the data values: `a =
/// data.values.a`, `b = a.b`.
const MAX_ASSIGNMENTS: usize = 8;

/// A name with the attributes after it, up to the one at the cursor.
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
    /// The chain around an offset. If no name follows a dot, the chain ends with an empty name.
    pub(crate) fn at(file: &File, offset: u32) -> Option<Self> {
        let words = &file.outline.code.words;
        let own = |it: &&Word| it.span.file == file.id;
        let words: Vec<Word> = words.iter().filter(own).copied().collect();
        let touches = |it: &Word| it.span.start <= offset && offset <= it.span.end;
        let is_part = |it: &Word| matches!(it.kind, WordKind::Name | WordKind::Dot);
        let mut last = words.iter().rposition(touches)?;
        // At a bracket or a colon, the cursor counts as being on the name before it.
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

    /// The keys after `data.values`, up to the cursor's. The chain begins with `data.values`, or
    /// with a variable that is assigned a part of the data values.
    pub(crate) fn data_path(&self, file: &File) -> Option<Vec<String>> {
        // A name alone is a variable, even if it refers to a data value.
        let keys = self.keys(file, MAX_ASSIGNMENTS).filter(|_| self.at > 0)?;
        (!keys.is_empty()).then_some(keys)
    }

    /// The keys that lead from the data values to what the chain names.
    fn keys(&self, file: &File, n_assignments: usize) -> Option<Vec<String>> {
        let is_data = self.module(file).is_some_and(|it| it == "data")
            || self.parts[0].name == "data" && self.variable(file).is_none_or(is_unknown);
        let (mut keys, n_known) = if is_data {
            self.parts.get(1).filter(|it| it.name == "values")?;
            (Vec::new(), 2)
        } else {
            let value = self.assigned(file).filter(|_| n_assignments > 0)?;
            (value.keys(file, n_assignments - 1)?, 1)
        };
        keys.extend(self.parts[n_known..=self.at].iter().map(|it| it.name.clone()));
        Some(keys)
    }

    /// The chain that is assigned to the first name, if the name has only one value.
    fn assigned(&self, file: &File) -> Option<Self> {
        let name = name_at(file, self.parts[0].span.start)?;
        let code = &file.outline.code;
        if code.variables[name.variable].kind != VariableKind::Plain {
            return None;
        }
        let mut definitions =
            code.names.iter().filter(|it| it.variable == name.variable && it.is_definition);
        let definition = definitions.next().filter(|_| definitions.next().is_none())?;
        let at = code.words.iter().position(|it| it.span == definition.span)?;
        let [equals, value @ ..] = code.words.get(at + 1..)? else { return None };
        if equals.kind != WordKind::Equals {
            return None;
        }
        let line_end = file.line_end(definition.span.end);
        let line: Vec<&Word> = value.iter().take_while(|it| it.span.start < line_end).collect();
        let is_chain = line.iter().all(|it| matches!(it.kind, WordKind::Name | WordKind::Dot));
        Self::at(file, line.last().filter(|_| is_chain)?.span.end)
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
