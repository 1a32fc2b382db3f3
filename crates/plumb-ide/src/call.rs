//! The call around the cursor: its function, its parameters, and which of them is being typed.

use std::path::Path;

use plumb_starlark::outline::{FunctionOutline, VariableKind, Word, WordKind};

use crate::catalogue;
use crate::file::File;
use crate::hover::header;
use crate::navigation;
use crate::overlay::Overlay;
use crate::words::{Chain, name_at};

/// The function of a call that is being typed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Signature {
    /// How the function is called.
    pub label: String,
    /// What it does; empty if that is not known.
    pub documentation: String,
    pub parameters: Vec<String>,
    /// The index of the parameter at the cursor.
    pub active: Option<usize>,
}

/// The call around an offset. Returns `None` if there is none, or its function is not known.
pub(crate) fn signature(
    file: &File,
    path: &Path,
    offset: u32,
    overlay: &Overlay,
) -> Option<Signature> {
    if let Some(found) = of_annotation(file, offset) {
        return Some(found);
    }
    let words: Vec<Word> =
        file.outline.code.words.iter().filter(|it| it.span.file == file.id).copied().collect();
    let open = enclosing_call(&words, offset)?;
    let (label, documentation) = function(file, path, words[open - 1].span.end, overlay)?;
    let parameters = parameters(&label);
    let arguments: Vec<Word> =
        words[open + 1..].iter().take_while(|it| it.span.end <= offset).copied().collect();
    let active = active(file, &arguments, &parameters);
    Some(Signature { label, documentation, parameters, active })
}

/// The index of the bracket of the innermost call that is open at an offset.
fn enclosing_call(words: &[Word], offset: u32) -> Option<usize> {
    let before = words.partition_point(|it| it.span.end <= offset);
    let mut depth = 0_u32;
    for at in (0..before).rev() {
        match words[at].kind {
            WordKind::Close => depth += 1,
            WordKind::Open if depth > 0 => depth -= 1,
            WordKind::Open => {
                let name = words.get(at.checked_sub(1)?)?;
                let is_call = name.kind == WordKind::Name && name.span.end == words[at].span.start;
                if is_call {
                    return Some(at);
                }
            }
            _ => {}
        }
    }
    None
}

/// How the function whose name ends at an offset is called, and what it does.
fn function(file: &File, path: &Path, end: u32, overlay: &Overlay) -> Option<(String, String)> {
    let chain = Chain::at(file, end)?;
    let part = &chain.parts[chain.at];
    if chain.at == 1 {
        let entry = catalogue::member(chain.module(file)?, &part.name)?;
        return Some((entry.signature.clone(), entry.summary.to_owned()));
    }
    if chain.at > 0 {
        return None;
    }
    let code = &file.outline.code;
    let described = |it: &FunctionOutline| {
        let label = header(it);
        (label.trim_start_matches("def ").to_owned(), String::new())
    };
    match code.variables[name_at(file, part.span.start)?.variable].kind {
        VariableKind::Function(at) => Some(described(&code.functions[at])),
        VariableKind::BuiltIn => {
            let entry = catalogue::built_in(&part.name)?;
            Some((entry.signature.clone(), entry.summary.to_owned()))
        }
        VariableKind::Loaded(load, at) => {
            let load = &code.loads[load];
            let (_, loaded) = navigation::loaded_file(path, &load.module.to_str_lossy(), overlay)?;
            let functions = &loaded.outline.code.functions;
            let name = &load.names[at].name;
            functions.iter().find(|it| it.name == *name && it.parent.is_none()).map(described)
        }
        VariableKind::Parameter | VariableKind::Plain | VariableKind::Undefined => None,
    }
}

/// The arguments of an annotation.
fn of_annotation(file: &File, offset: u32) -> Option<Signature> {
    let annotations = &file.outline.annotations;
    let found = annotations.iter().rfind(|it| {
        let end = file.line_end(it.span.end).max(it.arguments.end);
        it.span.end < offset && offset <= end
    })?;
    let entry = catalogue::annotation(&found.name)?;
    let (_, arguments) = entry.signature.split_once(' ')?;
    let parameters: Vec<String> = split(arguments);
    let typed: Vec<Word> = file
        .outline
        .code
        .words
        .iter()
        .filter(|it| it.span.file == file.id)
        .filter(|it| it.span.start >= found.span.end && it.span.end <= offset)
        .copied()
        .collect();
    // Inside a nested call, the nested call is used.
    if enclosing_call(&typed, offset).is_some() {
        return None;
    }
    let active = active(file, &typed, &parameters);
    let (label, documentation) = (entry.signature.clone(), entry.summary.to_owned());
    Some(Signature { label, documentation, parameters, active })
}

/// The parameter that the last of some arguments is for.
fn active(file: &File, arguments: &[Word], parameters: &[String]) -> Option<usize> {
    let mut depth = 0_u32;
    let (mut index, mut start) = (0, 0);
    for (at, word) in arguments.iter().enumerate() {
        match word.kind {
            WordKind::Open => depth += 1,
            WordKind::Close => depth = depth.saturating_sub(1),
            WordKind::Comma if depth == 0 => {
                index += 1;
                start = at + 1;
            }
            _ => {}
        }
    }
    if let [name, equals, ..] = &arguments[start..]
        && equals.kind == WordKind::Equals
    {
        let name = file.slice(name.span);
        return parameters.iter().position(|it| parameter_name(it) == name);
    }
    let n_positional = parameters.iter().take_while(|it| !it.starts_with('*')).count();
    if index >= n_positional {
        parameters.iter().position(|it| it.starts_with('*'))
    } else {
        Some(index)
    }
}

/// The name of a parameter: `indent` of `indent=2`.
fn parameter_name(parameter: &str) -> &str {
    parameter.split('=').next().unwrap_or_default().trim()
}

/// The parameters in a signature.
fn parameters(signature: &str) -> Vec<String> {
    let Some((_, rest)) = signature.split_once('(') else { return Vec::new() };
    let inside = rest.rsplit_once(')').map_or(rest, |it| it.0);
    split(inside)
}

/// Splits at the commas that are not inside brackets.
fn split(list: &str) -> Vec<String> {
    let mut parts = Vec::new();
    let (mut depth, mut start) = (0_i32, 0);
    for (at, letter) in list.char_indices() {
        match letter {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(list[start..at].trim().to_owned());
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(list[start..].trim().to_owned());
    parts.retain(|it| !it.is_empty());
    parts
}

/// The parameters that can still be given by name in the call around an offset.
pub(crate) fn keyword_parameters(
    file: &File,
    path: &Path,
    offset: u32,
    overlay: &Overlay,
) -> Vec<String> {
    let Some(found) = signature(file, path, offset, overlay) else { return Vec::new() };
    let names = found.parameters.iter().filter(|it| !it.starts_with('*'));
    let names = names.map(|it| parameter_name(it).trim_matches(['[', ']']).to_owned());
    let is_name =
        |it: &String| !it.is_empty() && it.chars().all(|it| it.is_alphanumeric() || it == '_');
    names.filter(is_name).collect()
}
