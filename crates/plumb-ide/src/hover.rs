//! A description of what is under the cursor: a data value, a function, a variable or an
//! annotation.

use std::borrow::Cow;
use std::path::Path;

use plumb::types::{Field, masked};
use plumb_source::Text;
use plumb_starlark::outline::{FunctionOutline, ParameterKind, VariableKind};

use crate::TextRange;
use crate::catalogue;
use crate::data_path::{Cursor, Step};
use crate::file::{File, FileKind, SCHEMA, VALUES};
use crate::hints;
use crate::knowledge::{Knowledge, shown, steps, type_name};
use crate::navigation;
use crate::overlay::Overlay;
use crate::question::Question;
use crate::words::{Chain, name_at};

/// A description in Markdown, and what it describes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hover {
    pub range: TextRange,
    pub markdown: String,
}

pub(crate) fn hover(question: &Question<'_>) -> Option<Hover> {
    let Question { file, path, offset, knowledge, .. } = *question;
    let computed = of_computed(file, path, offset, knowledge);
    let found = of_code(question)
        .or_else(|| of_annotation(file, offset))
        .or_else(|| of_key(file, offset, knowledge));
    match (found, computed) {
        (Some(found), Some(computed)) => {
            let markdown = format!("{}\n\n---\n\n{}", found.markdown, computed.markdown);
            Some(Hover { markdown, ..found })
        }
        (found, computed) => found.or(computed),
    }
}

/// The rendered value of the computed item on the line.
fn of_computed(file: &File, path: &Path, offset: u32, knowledge: &Knowledge) -> Option<Hover> {
    let (range, computed) = hints::computed_at(file, path, offset, knowledge)?;
    let lines = computed.values.iter().map(|(value, targets)| {
        let targets: Vec<String> = targets.iter().map(|it| format!("`{it}`")).collect();
        format!("Renders to {} in {}", quoted(value), targets.join(", "))
    });
    Some(Hover { range, markdown: lines.collect::<Vec<_>>().join("\n\n") })
}

fn of_code(question: &Question<'_>) -> Option<Hover> {
    let Question { file, path, offset, overlay, knowledge } = *question;
    let chain = Chain::at(file, offset)?;
    let part = &chain.parts[chain.at];
    let range = part.span.start..part.span.end;
    if let Some(keys) = chain.data_path(file) {
        let path = steps(&keys);
        let markdown = data_value(&keys.join("."), &path, knowledge)?;
        return Some(Hover { range, markdown });
    }
    if chain.at == 1
        && let Some(module) = chain.module(file)
    {
        let entry = catalogue::member(module, &part.name)?;
        return Some(Hover { range, markdown: entry.markdown() });
    }
    if chain.at > 0 {
        return None;
    }
    let code = &file.outline.code;
    let name = name_at(file, part.span.start)?;
    let variable = &code.variables[name.variable];
    let markdown = match variable.kind {
        VariableKind::Function(at) => format!("```python\n{}\n```", header(&code.functions[at])),
        VariableKind::BuiltIn => catalogue::built_in(&part.name)?.markdown(),
        VariableKind::Loaded(load, at) => {
            let load = &code.loads[load];
            let name = &load.names[at].name;
            match chain.module(file).and_then(catalogue::module) {
                Some(module) => format!("`@ytt:{}`: {}", module.name, module.summary),
                None => {
                    let loaded = loaded_header(path, &load.module.to_str_lossy(), name, overlay);
                    let loaded = loaded.map(|it| format!("```python\n{it}\n```\n\n"));
                    let from = format!("`{name}`, loaded from `{}`", load.module);
                    loaded.unwrap_or_default() + &from
                }
            }
        }
        VariableKind::Parameter => format!("`{}`: a parameter", part.name),
        VariableKind::Plain => format!("`{}`: a variable", part.name),
        VariableKind::Undefined => return None,
    };
    Some(Hover { range, markdown })
}

/// The first line of the definition of a function in another file.
fn loaded_header(from: &Path, module: &str, name: &Text, overlay: &Overlay) -> Option<String> {
    let (_, loaded) = navigation::loaded_file(from, module, overlay)?;
    let functions = &loaded.outline.code.functions;
    functions.iter().find(|it| it.parent.is_none() && it.name == *name).map(header)
}

/// The first line of a function's definition.
pub(crate) fn header(function: &FunctionOutline) -> String {
    let parameters = function.parameters.iter().map(|it| match it.kind {
        ParameterKind::Required => it.name.to_string(),
        ParameterKind::Optional => format!("{}=…", it.name),
        ParameterKind::Star => format!("*{}", it.name),
        ParameterKind::StarStar => format!("**{}", it.name),
    });
    format!("def {}({})", function.name, parameters.collect::<Vec<_>>().join(", "))
}

fn of_annotation(file: &File, offset: u32) -> Option<Hover> {
    let is_here = |start: u32, end: u32| start <= offset && offset <= end;
    let annotations = &file.outline.annotations;
    let found = annotations.iter().find(|it| is_here(it.span.start, it.span.end))?;
    let entry = catalogue::annotation(&found.name)?;
    Some(Hover { range: found.span.start..found.span.end, markdown: entry.markdown() })
}

/// A key of a schema or of data values.
fn of_key(file: &File, offset: u32, knowledge: &Knowledge) -> Option<Hover> {
    let declares = file.declares(offset, &SCHEMA) || file.declares(offset, &VALUES);
    if file.kind != FileKind::Yaml || !declares {
        return None;
    }
    let end = file.text[offset as usize..].iter().position(|it| matches!(it, b':' | b'\n'));
    let end = offset + u32::try_from(end.unwrap_or(0)).ok()?;
    let cursor = Cursor::at(file, end).filter(|it| !it.is_in_value && !it.key.is_empty())?;
    let path = cursor.keys();
    let names: Vec<&str> = path
        .iter()
        .map(|it| match it {
            Step::Key(key) => key.as_str(),
            Step::Item => "[]",
        })
        .collect();
    let markdown = data_value(&names.join("."), &path, knowledge)?;
    Some(Hover { range: cursor.key_start..end, markdown })
}

/// The type, documentation, rules and default of a data value, and its value in each target.
fn data_value(name: &str, path: &[Step], knowledge: &Knowledge) -> Option<String> {
    let field = knowledge.field(path);
    let values = knowledge.values(path);
    if field.is_none() && values.is_empty() {
        return None;
    }
    let mut lines = Vec::new();
    match field {
        Some(field) => lines.push(format!("**{name}**: {}", type_name(field))),
        None => lines.push(format!("**{name}**: not declared in a schema")),
    }
    lines.extend(field.map(documentation));
    if let Some(field) = field {
        lines.push(format!("Default: {}", quoted(&shown(&masked(field, &field.default)))));
    }
    for (target, value) in values {
        let value = field.map_or(Cow::Borrowed(value), |field| masked(field, value));
        lines.push(format!("In `{target}`: {}", quoted(&shown(&value))));
    }
    lines.retain(|it| !it.is_empty());
    Some(lines.join("\n\n"))
}

/// The title, description, rules and examples of a field.
pub(crate) fn documentation(field: &Field) -> String {
    let docs = &field.docs;
    let mut lines = Vec::new();
    if !docs.title.is_empty() {
        lines.push(docs.title.clone());
    }
    if !docs.description.is_empty() {
        lines.push(docs.description.clone());
    }
    if let Some(reason) = &docs.deprecation {
        lines.push(format!("Deprecated: {reason}"));
    }
    for rule in field.validations.iter().flat_map(|it| &it.rules) {
        lines.push(format!("Must be: {}", rule.describe()));
    }
    for example in &docs.examples {
        let value = quoted(&shown(&example.value));
        lines.push(format!("Example: {value} {}", example.description).trim_end().to_owned());
    }
    lines.join("\n\n")
}

/// Text as code: in backticks on one line, or as a block.
fn quoted(text: &str) -> String {
    if text.contains('\n') { format!("\n```yaml\n{text}\n```") } else { format!("`{text}`") }
}
