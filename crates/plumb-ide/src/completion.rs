//! What can be typed at a place.

use std::path::Path;

use plumb::World;
use plumb::types::{Field, Type};
use plumb::world::EntryKind;
use plumb_starlark::outline::VariableKind;

use crate::TextRange;
use crate::catalogue;
use crate::data_path::{Cursor, Step};
use crate::file::{File, FileKind, SCHEMA, VALUES};
use crate::hover::{documentation, header};
use crate::knowledge::{Knowledge, shown, steps, type_name};
use crate::navigation;
use crate::overlay::Overlay;
use crate::words::Chain;

/// Something that can be typed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Completion {
    pub label: String,
    pub kind: CompletionKind,
    /// What it is, on one line.
    pub detail: String,
    /// Documentation in Markdown; empty if there is none.
    pub documentation: String,
    /// What is replaced.
    pub range: TextRange,
    pub text: String,
}

/// What a completion is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CompletionKind {
    DataValue,
    Function,
    Variable,
    Module,
    Keyword,
    Annotation,
    Key,
    File,
}

pub(crate) fn completions(
    file: &File,
    path: &Path,
    offset: u32,
    overlay: &Overlay,
    knowledge: &Knowledge,
) -> Vec<Completion> {
    let line = file.line_before(offset);
    if let Some(found) = in_load(file, path, line, offset, overlay) {
        return found;
    }
    if file.kind == FileKind::Yaml
        && let Some(found) = annotations(file, line, offset)
    {
        return found;
    }
    if is_in_code(file, line) {
        return in_code(file, offset, knowledge);
    }
    keys(file, offset, knowledge)
}

/// Whether the cursor is in code: in a comment of a template, between `(@` and `@)`, or in a file of
/// code.
fn is_in_code(file: &File, line: &str) -> bool {
    match file.kind {
        FileKind::Starlark => true,
        FileKind::Text => {
            let opened = line.rfind("(@");
            opened.is_some_and(|at| line[at..].find("@)").is_none())
        }
        FileKind::Yaml => line.split_once("#@").is_some_and(|(_, rest)| rest.contains(' ')),
        FileKind::Other => false,
    }
}

fn in_code(file: &File, offset: u32, knowledge: &Knowledge) -> Vec<Completion> {
    let Some(chain) = Chain::at(file, offset) else { return names(file, offset..offset, offset) };
    let part = &chain.parts[chain.at];
    let range = part.span.start..offset.max(part.span.start);
    if let Some(keys) = chain.data_path(file) {
        return data_values(&keys[..keys.len() - 1], range, knowledge);
    }
    match chain.at {
        0 => names(file, range, offset),
        1 if chain.parts[0].name == "data" || chain.module(file).is_some() => {
            let module = chain.module(file).unwrap_or("data");
            let members = catalogue::module(module).map_or(&[][..], |it| &it.members);
            members.iter().map(|it| it.completion(CompletionKind::Function, &range)).collect()
        }
        _ => Vec::new(),
    }
}

fn data_values(parents: &[&str], range: TextRange, knowledge: &Knowledge) -> Vec<Completion> {
    let Some(field) = knowledge.field(&steps(parents)) else { return Vec::new() };
    let Type::Map(map) = &field.ty else { return Vec::new() };
    let entries = map.entries().filter_map(|(key, field)| Some((key.as_str()?, field)));
    let is_name = |key: &str| key.chars().all(|it| it.is_alphanumeric() || it == '_');
    entries
        .filter(|(key, _)| is_name(key))
        .map(|(key, field)| of_field(key, field, CompletionKind::DataValue, range.clone(), key))
        .collect()
}

fn of_field(
    key: &str,
    field: &Field,
    kind: CompletionKind,
    range: TextRange,
    text: &str,
) -> Completion {
    let default = shown(&field.default);
    let detail = if field.default.is_collection() {
        type_name(field)
    } else {
        format!("{} = {default}", type_name(field))
    };
    let (label, text) = (key.to_owned(), text.to_owned());
    Completion { label, kind, detail, documentation: documentation(field), range, text }
}

/// Variables, functions, names of the language and keywords.
fn names(file: &File, range: TextRange, offset: u32) -> Vec<Completion> {
    let code = &file.outline.code;
    let mut found = Vec::new();
    for variable in &code.variables {
        let is_visible = variable.function.is_none_or(|at| {
            let extent = code.functions[at].extent;
            extent.is_none_or(|it| it.start <= offset && offset <= it.end)
        });
        let name = variable.name.to_string();
        if !is_visible || name.is_empty() {
            continue;
        }
        let (kind, detail) = match variable.kind {
            VariableKind::Function(at) => (CompletionKind::Function, header(&code.functions[at])),
            VariableKind::Loaded(load, _) => {
                (CompletionKind::Module, format!("from {}", code.loads[load].module))
            }
            VariableKind::Parameter => (CompletionKind::Variable, "parameter".to_owned()),
            VariableKind::Plain => (CompletionKind::Variable, "variable".to_owned()),
            VariableKind::BuiltIn | VariableKind::Undefined => continue,
        };
        let (label, range, text) = (name.clone(), range.clone(), name);
        found.push(Completion { label, kind, detail, documentation: String::new(), range, text });
    }
    found.extend(
        catalogue::built_ins().iter().map(|it| it.completion(CompletionKind::Function, &range)),
    );
    found.extend(catalogue::KEYWORDS.iter().map(|(word, detail)| Completion {
        label: (*word).to_owned(),
        kind: CompletionKind::Keyword,
        detail: (*detail).to_owned(),
        documentation: String::new(),
        range: range.clone(),
        text: (*word).to_owned(),
    }));
    found
}

/// Inside the quotes of a `load`: modules and files, or what they export.
fn in_load(
    file: &File,
    path: &Path,
    line: &str,
    offset: u32,
    overlay: &Overlay,
) -> Option<Vec<Completion>> {
    let (_, arguments) = line.rsplit_once("load(")?;
    // An odd number of quotes before the cursor: it is inside a string.
    let pieces: Vec<&str> = arguments.split('"').collect();
    if pieces.len() % 2 == 1 || file.kind == FileKind::Other {
        return None;
    }
    let typed = pieces.last().copied().unwrap_or_default();
    let range = offset - u32::try_from(typed.len()).ok()?..offset;
    let simple = |label: String, kind: CompletionKind, detail: String| Completion {
        text: label.clone(),
        label,
        kind,
        detail,
        documentation: String::new(),
        range: range.clone(),
    };
    if pieces.len() == 2 {
        let modules = catalogue::modules().iter().map(|it| {
            simple(format!("@ytt:{}", it.name), CompletionKind::Module, it.summary.to_owned())
        });
        let files = loadable_files(path, overlay).into_iter();
        let files = files.map(|it| simple(it, CompletionKind::File, "file".to_owned()));
        return Some(modules.chain(files).collect());
    }
    let module = pieces[1];
    if let Some(name) = module.strip_prefix("@ytt:") {
        let module = catalogue::module(name)?;
        let summary = module.summary.to_owned();
        return Some(vec![simple(name.to_owned(), CompletionKind::Module, summary)]);
    }
    let loaded = navigation::loaded_file(path, module, overlay)?;
    let exported = navigation::exported(&loaded.1);
    Some(exported.map(|(name, what)| simple(name, CompletionKind::Function, what)).collect())
}

/// The files next to a file that it can load.
fn loadable_files(path: &Path, overlay: &Overlay) -> Vec<String> {
    let Some(directory) = path.parent() else { return Vec::new() };
    let entries = overlay.list(directory).unwrap_or_default();
    let is_loadable = |name: &str| {
        let extensions = [".star", ".yml", ".yaml", ".txt"];
        extensions.iter().any(|it| name.ends_with(it))
    };
    let files = entries.into_iter().filter(|it| it.kind == EntryKind::File);
    let names = files.filter_map(|it| it.name.to_str().map(str::to_owned));
    let own = path.file_name().and_then(|it| it.to_str());
    names.filter(|it| is_loadable(it) && Some(it.as_str()) != own).collect()
}

/// After `#@` without a space: annotations that apply to the document.
fn annotations(file: &File, line: &str, offset: u32) -> Option<Vec<Completion>> {
    let at = line.rfind("#@")?;
    let typed = &line[at + 2..];
    let is_name = |it: char| it.is_ascii_alphanumeric() || matches!(it, '/' | '-');
    if !typed.chars().all(is_name) {
        return None;
    }
    let range = offset - u32::try_from(typed.len()).ok()?..offset;
    let is_schema = file.declares(offset, &SCHEMA);
    let applies = |name: &str| match name.split_once('/') {
        Some(("schema", _)) => is_schema,
        Some(("overlay", _)) => !is_schema,
        _ => true,
    };
    let entries = catalogue::annotations().iter().filter(|it| applies(it.name));
    Some(entries.map(|it| it.completion(CompletionKind::Annotation, &range)).collect())
}

/// Keys of a document of data values that the schema declares and the document does not have yet.
fn keys(file: &File, offset: u32, knowledge: &Knowledge) -> Vec<Completion> {
    if file.kind != FileKind::Yaml || !file.declares(offset, &VALUES) {
        return Vec::new();
    }
    let Some(cursor) = Cursor::at(file, offset).filter(|it| !it.is_in_value) else {
        return Vec::new();
    };
    let Some(Field { ty: Type::Map(map), .. }) = knowledge.field(&cursor.parents) else {
        return Vec::new();
    };
    let given = given_keys(file, offset, &cursor.parents);
    let range = cursor.key_start..offset;
    let entries = map.entries().filter_map(|(key, field)| Some((key.as_str()?, field)));
    let entries = entries.filter(|(key, _)| !given.iter().any(|it| it == key));
    let completion = |(key, field): (&str, &Field)| {
        let text = if field.default.is_collection() {
            format!("{key}:")
        } else {
            format!("{key}: {}", shown(&field.default))
        };
        of_field(key, field, CompletionKind::Key, range.clone(), &text)
    };
    entries.map(completion).collect()
}

/// The keys that a map of the document has already.
fn given_keys(file: &File, offset: u32, path: &[Step]) -> Vec<String> {
    let start = |it: &plumb_value::Document| it.origin.span().map_or(0, |it| it.start);
    let Some(document) = file.documents.iter().rfind(|it| start(it) <= offset) else {
        return Vec::new();
    };
    let mut here = &document.node;
    for step in path {
        let Step::Key(key) = step else { return Vec::new() };
        let Some(next) = here.as_map().and_then(|it| it.get_str(key)) else { return Vec::new() };
        here = next;
    }
    let items = here.as_map().map_or(&[][..], |it| it.items());
    items.iter().filter_map(|it| it.key.as_str().map(str::to_owned)).collect()
}
