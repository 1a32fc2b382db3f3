//! What can be typed at a position.

use std::path::Path;

use plumb::World;
use plumb::types::{Field, Type, masked};
use plumb::world::EntryKind;
use plumb_starlark::outline::VariableKind;
use plumb_value::Node;

use crate::TextRange;
use crate::call;
use crate::catalogue;
use crate::data_path::{Cursor, Step};
use crate::file::{File, FileKind, SCHEMA, VALUES};
use crate::hover::{documentation, header};
use crate::knowledge::{Knowledge, shown, steps, type_name};
use crate::kube;
use crate::links::{self, Taker};
use crate::machine_rules;
use crate::navigation;
use crate::overlay::Overlay;
use crate::question::Question;
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
    /// A parameter of the function that is being called.
    Parameter,
    /// Several words with places to fill in: `$1`, `$0`, `${1:example}`.
    Snippet,
}

pub(crate) fn completions(question: &Question<'_>) -> Vec<Completion> {
    let Question { file, path, offset, overlay, knowledge } = *question;
    let line = file.line_before(offset);
    if let Some(found) =
        in_load(file, path, line, offset, overlay).or_else(|| in_path(path, line, offset, overlay))
    {
        return found;
    }
    if file.kind == FileKind::Yaml
        && let Some(found) = annotations(file, line, offset)
    {
        return found;
    }
    if is_in_code(file, line) {
        let mut found = in_code(file, offset, knowledge);
        let is_name = Chain::at(file, offset).is_none_or(|it| it.at == 0);
        if is_name {
            let parameters = parameters(file, path, offset, overlay);
            found.splice(0..0, parameters);
            found.extend(snippets(file, line, offset));
        }
        return found;
    }
    if let Some(found) = machine_rules::completions(file, offset) {
        return found;
    }
    if file.declares(offset, &VALUES) {
        return keys(file, offset, knowledge);
    }
    kube::fields(file, offset, overlay, knowledge)
}

/// Whether the cursor is in code: in a comment of a template, between `(@` and `@)`, or in a file
/// of code.
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

fn data_values(parents: &[String], range: TextRange, knowledge: &Knowledge) -> Vec<Completion> {
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
    let detail = if field.default.is_collection() {
        type_name(field)
    } else {
        format!("{} = {}", type_name(field), shown(&masked(field, &field.default)))
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

/// The parameters of the call around the cursor that can be given by name.
fn parameters(file: &File, path: &Path, offset: u32, overlay: &Overlay) -> Vec<Completion> {
    let range = typed_name(file, offset);
    let names = call::keyword_parameters(file, path, offset, overlay).into_iter();
    let completion = |name: String| Completion {
        label: format!("{name}="),
        kind: CompletionKind::Parameter,
        detail: "argument".to_owned(),
        documentation: String::new(),
        range: range.clone(),
        text: format!("{name}="),
    };
    names.map(completion).collect()
}

/// Blocks with their `end`, at the beginning of a line of code.
fn snippets(file: &File, line: &str, offset: u32) -> Vec<Completion> {
    let (code, mark) = match file.kind {
        FileKind::Yaml => (line.trim_start().strip_prefix("#@"), "#@ "),
        FileKind::Text => (line.rsplit_once("(@").map(|it| it.1.trim_start_matches('-')), ""),
        FileKind::Starlark => (Some(line), ""),
        FileKind::Other => (None, ""),
    };
    let is_first_word =
        code.is_some_and(|it| it.trim_start().chars().all(|it| it.is_alphanumeric() || it == '_'));
    if !is_first_word {
        return Vec::new();
    }
    let (after, before) = if file.kind == FileKind::Text { (" @)", "(@ ") } else { ("", mark) };
    let heads = [
        ("if", "if ${1:condition}:"),
        ("for", "for ${1:item} in ${2:items}:"),
        ("def", "def ${1:name}(${2}):"),
    ];
    let snippet = |(name, head): (&str, &str)| Completion {
        label: format!("{name} … end"),
        kind: CompletionKind::Snippet,
        detail: format!("{name} with its end"),
        documentation: String::new(),
        range: typed_name(file, offset),
        text: format!("{head}{after}\n$0\n{before}end"),
    };
    heads.into_iter().map(snippet).collect()
}

/// The name before the cursor.
fn typed_name(file: &File, offset: u32) -> TextRange {
    let line = file.line_before(offset);
    let is_name = |it: &char| it.is_alphanumeric() || *it == '_';
    let length: usize = line.chars().rev().take_while(is_name).map(char::len_utf8).sum();
    offset - u32::try_from(length).unwrap_or_default()..offset
}

/// Inside the quotes of `data.read` and `library.get`: files and libraries.
fn in_path(path: &Path, line: &str, offset: u32, overlay: &Overlay) -> Option<Vec<Completion>> {
    let (before, typed) = line.rsplit_once('"')?;
    let call = before.strip_suffix('(')?;
    let is_name = |it: char| it.is_alphanumeric() || it == '_';
    let (rest, name) = call.rsplit_once('.')?;
    let module = rest.rsplit(|it| !is_name(it)).next()?;
    let range = offset - u32::try_from(typed.len()).ok()?..offset;
    let completion = |(label, detail): (String, &str)| Completion {
        text: label.clone(),
        label,
        kind: CompletionKind::File,
        detail: detail.to_owned(),
        documentation: String::new(),
        range: range.clone(),
    };
    let found: Vec<(String, &str)> = match links::taker(name, module)? {
        Taker::Load => return None,
        Taker::DataRead => {
            names_in(path.parent()?, EntryKind::File, overlay).map(|it| (it, "file")).collect()
        }
        Taker::Library => {
            let directory = links::libraries(path, overlay)?;
            let names = names_in(&directory, EntryKind::Directory, overlay);
            names.map(|it| (it, "library")).collect()
        }
    };
    Some(found.into_iter().map(completion).collect())
}

fn names_in(
    directory: &Path,
    kind: EntryKind,
    overlay: &Overlay,
) -> impl Iterator<Item = String> + use<> {
    let entries = overlay.list(directory).unwrap_or_default();
    let entries = entries.into_iter().filter(move |it| it.kind == kind);
    entries.filter_map(|it| it.name.to_str().map(str::to_owned))
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

/// After `#@` without a space: annotations that are valid in the document.
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

/// The keys that a map of the document already has.
pub(crate) fn given_keys(file: &File, offset: u32, path: &[Step]) -> Vec<String> {
    let Some(document) = file.document_at(offset) else { return Vec::new() };
    let mut here = &document.node;
    for step in path {
        let next = match step {
            Step::Key(key) => here.as_map().and_then(|it| it.get_str(key)),
            Step::Item => item_at(here, offset),
        };
        let Some(next) = next else { return Vec::new() };
        here = next;
    }
    let items = here.as_map().map_or(&[][..], |it| it.items());
    items.iter().filter_map(|it| it.key.as_str().map(str::to_owned)).collect()
}

/// The last item of an array that begins before an offset.
fn item_at(node: &Node, offset: u32) -> Option<&Node> {
    let items = &node.as_array()?.items;
    let begins =
        |it: &&plumb_value::ArrayItem| it.origin.span().is_some_and(|it| it.start <= offset);
    items.iter().rfind(begins).map(|it| &it.node)
}
