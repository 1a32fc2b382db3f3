//! Where names and data values are defined and used, in all files of a project.

use std::path::{Path, PathBuf};

use plumb_source::{Span, lexical};
use plumb_starlark::outline::{Outline, VariableKind, WordKind};
use plumb_value::Node;

use crate::TextRange;
use crate::file::{File, FileKind, SCHEMA, VALUES};
use crate::knowledge::{Knowledge, steps};
use crate::overlay::Overlay;
use crate::question::Question;
use crate::words::{Chain, name_at};

/// A place in a file.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Location {
    pub path: PathBuf,
    pub start: u32,
    pub end: u32,
}

impl Location {
    fn new(path: &Path, span: Span) -> Self {
        Self { path: path.to_owned(), start: span.start, end: span.end }
    }

    /// The range in its file.
    pub fn range(&self) -> TextRange {
        self.start..self.end
    }
}

/// What the cursor is on.
pub(crate) enum Referent {
    /// A data value, by its keys.
    DataValue(Vec<String>),
    /// A variable of the file, by its index.
    Variable(usize),
}

pub(crate) fn referent(
    file: &File,
    path: &Path,
    offset: u32,
    knowledge: &Knowledge,
) -> Option<Referent> {
    if let Some(chain) = Chain::at(file, offset) {
        if let Some(keys) = chain.data_path(file) {
            return Some(Referent::DataValue(keys));
        }
        if chain.at > 0 {
            return None;
        }
    }
    if let Some(name) = name_at(file, offset) {
        return Some(Referent::Variable(name.variable));
    }
    let declared = declared_keys(file, path, knowledge);
    let at = declared.into_iter().find(|it| it.1.start <= offset && offset <= it.1.end)?;
    Some(Referent::DataValue(at.0))
}

pub(crate) fn definition(question: &Question<'_>) -> Vec<Location> {
    let Question { file, path, offset, overlay, knowledge } = *question;
    match referent(file, path, offset, knowledge) {
        Some(Referent::DataValue(keys)) => declarations(&keys, overlay, knowledge),
        Some(Referent::Variable(variable)) => {
            let code = &file.outline.code;
            if let VariableKind::Loaded(load, name) = code.variables[variable].kind {
                let load = &code.loads[load];
                let module = load.module.to_str_lossy();
                let name = load.names[name].name.to_str_lossy();
                if let Some((path, loaded)) = loaded_file(path, &module, overlay) {
                    return global_definitions(&loaded, &path, &name);
                }
            }
            occurrences(file, path, variable, true)
        }
        None => loaded_path(file, path, offset, overlay).into_iter().collect(),
    }
}

/// The file that a `load` names, if the cursor is on its name.
fn loaded_path(file: &File, path: &Path, offset: u32, overlay: &Overlay) -> Option<Location> {
    let is_here = |it: Span| it.file == file.id && it.start <= offset && offset <= it.end;
    let words = file.outline.code.words.iter();
    let word = words.into_iter().find(|it| it.kind == WordKind::String && is_here(it.span))?;
    let name = file.slice(word.span).trim_matches(['"', '\'']);
    let (path, _) = loaded_file(path, name, overlay)?;
    Some(Location { path, start: 0, end: 0 })
}

pub(crate) fn references(question: &Question<'_>) -> Vec<Location> {
    let Question { file, path, offset, overlay, knowledge } = *question;
    let mut found = match referent(file, path, offset, knowledge) {
        Some(Referent::DataValue(keys)) => data_value_uses(&keys, path, overlay, knowledge),
        Some(Referent::Variable(variable)) => {
            variable_uses(file, path, variable, overlay, knowledge)
        }
        None => Vec::new(),
    };
    found.sort();
    found.dedup();
    found
}

fn occurrences(file: &File, path: &Path, variable: usize, only_definitions: bool) -> Vec<Location> {
    let names = file.outline.code.names.iter();
    let is_meant = |it: &&plumb_starlark::outline::Name| {
        it.variable == variable
            && it.span.file == file.id
            && (it.is_definition || !only_definitions)
    };
    names.filter(is_meant).map(|it| Location::new(path, it.span)).collect()
}

/// The uses of a variable in its file and, for a global variable, in the files that load it.
fn variable_uses(
    file: &File,
    path: &Path,
    variable: usize,
    overlay: &Overlay,
    knowledge: &Knowledge,
) -> Vec<Location> {
    let code = &file.outline.code;
    let known = &code.variables[variable];
    if let VariableKind::Loaded(load, at) = known.kind {
        let load = &code.loads[load];
        let (module, name) = (load.module.to_str_lossy(), load.names[at].name.to_str_lossy());
        if let Some((home, loaded)) = loaded_file(path, &module, overlay)
            && let Some(variable) = global(&loaded.outline.code, &name)
        {
            return global_uses(&loaded, &home, variable, overlay, knowledge);
        }
        return occurrences(file, path, variable, false);
    }
    if known.function.is_some() {
        return occurrences(file, path, variable, false);
    }
    global_uses(file, path, variable, overlay, knowledge)
}

fn global_uses(
    file: &File,
    path: &Path,
    variable: usize,
    overlay: &Overlay,
    knowledge: &Knowledge,
) -> Vec<Location> {
    let mut found = occurrences(file, path, variable, false);
    let name = file.outline.code.variables[variable].name.clone();
    for other in knowledge.files() {
        if lexical::clean(other) == lexical::clean(path) {
            continue;
        }
        let Some(text) = overlay.text(other) else { continue };
        let is_mentioned = text.windows(name.len().max(1)).any(|it| it == name.as_bytes());
        if !is_mentioned || FileKind::of(other) == FileKind::Other {
            continue;
        }
        let other_file = File::read(other, text);
        let code = &other_file.outline.code;
        for (at, variable) in code.variables.iter().enumerate() {
            let VariableKind::Loaded(load, loaded) = variable.kind else { continue };
            let load = &code.loads[load];
            let is_same_file = module_path(other, &load.module.to_str_lossy(), overlay)
                .is_some_and(|it| it == lexical::clean(path));
            let loaded = &load.names[loaded];
            if !is_same_file || loaded.name != name {
                continue;
            }
            found.extend(loaded.span.map(|it| Location::new(other, it)));
            if variable.name == name {
                found.extend(occurrences(&other_file, other, at, false));
            }
        }
    }
    found
}

fn global(code: &Outline, name: &str) -> Option<usize> {
    code.variables.iter().position(|it| {
        let is_defined = matches!(it.kind, VariableKind::Function(_) | VariableKind::Plain);
        is_defined && it.function.is_none() && it.name.as_str() == Some(name)
    })
}

fn global_definitions(file: &File, path: &Path, name: &str) -> Vec<Location> {
    let variable = global(&file.outline.code, name);
    variable.map_or_else(Vec::new, |it| occurrences(file, path, it, true))
}

/// The names that a file exports, with their kinds.
pub(crate) fn exported(file: &File) -> impl Iterator<Item = (String, String)> {
    let code = &file.outline.code;
    let globals = code.variables.iter().filter(|it| it.function.is_none());
    let found: Vec<(String, String)> = globals
        .filter_map(|it| match it.kind {
            VariableKind::Function(at) => {
                Some((it.name.to_string(), crate::hover::header(&code.functions[at])))
            }
            VariableKind::Plain => Some((it.name.to_string(), "variable".to_owned())),
            _ => None,
        })
        .filter(|it| !it.0.starts_with('_') && !it.0.is_empty())
        .collect();
    found.into_iter()
}

/// The path of a module that is a file next to another, or below it.
pub(crate) fn module_path(from: &Path, module: &str, overlay: &Overlay) -> Option<PathBuf> {
    if module.starts_with('@') || module.is_empty() {
        return None;
    }
    let mut directory = from.parent()?;
    let Some(from_root) = module.strip_prefix('/') else {
        return Some(lexical::clean(&directory.join(module)));
    };
    // The path starts at the root of the library, which is one of the directories above.
    loop {
        let path = directory.join(from_root);
        if overlay.text(&path).is_some() {
            return Some(lexical::clean(&path));
        }
        directory = directory.parent()?;
    }
}

/// Reads a module that is a file to its end, despite errors.
pub(crate) fn loaded_file(from: &Path, module: &str, overlay: &Overlay) -> Option<(PathBuf, File)> {
    let path = module_path(from, module, overlay)?;
    let file = File::read(&path, overlay.text(&path)?);
    Some((path, file))
}

/// Where schemas declare a data value. If no schema declares it, where it is set.
fn declarations(keys: &[String], overlay: &Overlay, knowledge: &Knowledge) -> Vec<Location> {
    let declared = knowledge.field(&steps(keys)).and_then(|it| it.origin.span());
    let mut set = Vec::new();
    for path in knowledge.files() {
        let Some(text) = overlay.text(path) else { continue };
        let file = File::read(path, text);
        let is_schema = |span: Span| file.declares(span.start, &SCHEMA);
        for (found, span) in declared_keys(&file, path, knowledge) {
            if found == keys && (declared.is_none() || is_schema(span)) {
                set.push(Location::new(path, span));
            }
        }
    }
    set
}

/// Where data values set the data value at an offset. Returns `None` if there is no data value.
pub(crate) fn settings(question: &Question<'_>) -> Option<Vec<Location>> {
    let Question { file, path, offset, overlay, knowledge } = *question;
    let found = referent(file, path, offset, knowledge);
    let Some(Referent::DataValue(keys)) = found else { return None };
    let mut set = Vec::new();
    for path in knowledge.files() {
        let Some(text) = overlay.text(path) else { continue };
        let file = File::read(path, text);
        let is_schema = |span: Span| file.declares(span.start, &SCHEMA);
        let declared = declared_keys(&file, path, knowledge).into_iter();
        let found = declared.filter(|it| it.0 == keys && !is_schema(it.1));
        set.extend(found.map(|it| Location::new(path, it.1)));
    }
    Some(set)
}

/// The keys of schemas and data values in a file: their paths and places. Paths through arrays are
/// left out.
pub(crate) fn declared_keys(
    file: &File,
    path: &Path,
    knowledge: &Knowledge,
) -> Vec<(Vec<String>, Span)> {
    let mut found = Vec::new();
    let is_values_file = knowledge.is_values_file(path);
    for document in &file.documents {
        let is_declared = is_values_file
            || plumb_template::annotation_names(&document.meta)
                .any(|it| SCHEMA.contains(&it) || VALUES.contains(&it));
        if is_declared {
            add_keys(file, &document.node, &mut Vec::new(), &mut found);
        }
    }
    found
}

fn add_keys(
    file: &File,
    node: &Node,
    path: &mut Vec<String>,
    found: &mut Vec<(Vec<String>, Span)>,
) {
    let Some(map) = node.as_map() else { return };
    for item in map.items() {
        let (Some(key), Some(span)) = (item.key.as_str(), item.origin.span()) else { continue };
        let length = u32::try_from(key.len()).unwrap_or_default();
        path.push(key.to_owned());
        // A quoted key begins with its quote. Keys with escapes have no place.
        let starts = [span.start, span.start + 1].into_iter();
        let mut places = starts.map(|start| Span { start, end: start + length, ..span });
        if let Some(place) = places.find(|it| file.slice(*it) == key) {
            found.push((path.clone(), place));
        }
        add_keys(file, &item.node, path, found);
        path.pop();
    }
}

/// The uses of a data value in code, and the keys that declare or set it.
fn data_value_uses(
    keys: &[String],
    path: &Path,
    overlay: &Overlay,
    knowledge: &Knowledge,
) -> Vec<Location> {
    let Some(last) = keys.last() else { return Vec::new() };
    let mut paths: Vec<PathBuf> = knowledge.files().into_iter().cloned().collect();
    paths.push(lexical::clean(path));
    paths.sort();
    paths.dedup();
    let mut found = Vec::new();
    for path in paths {
        let Some(text) = overlay.text(&path) else { continue };
        if !text.windows(last.len().max(1)).any(|it| it == last.as_bytes()) {
            continue;
        }
        let file = File::read(&path, text);
        let declared = declared_keys(&file, &path, knowledge).into_iter().filter(|it| it.0 == keys);
        found.extend(declared.map(|it| Location::new(&path, it.1)));
        for word in &file.outline.code.words {
            let is_last = word.kind == WordKind::Name && file.slice(word.span) == last;
            let chain = is_last.then(|| Chain::at(&file, word.span.end)).flatten();
            let is_same = chain.is_some_and(|it| it.data_path(&file).is_some_and(|it| it == keys));
            if is_same {
                found.push(Location::new(&path, word.span));
            }
        }
    }
    found
}
