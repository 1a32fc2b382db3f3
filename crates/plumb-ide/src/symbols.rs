//! The outline of a file: functions and variables of code, documents and keys of YAML.

use std::path::{Path, PathBuf};

use plumb_starlark::outline::VariableKind;
use plumb_value::Node;

use crate::TextRange;
use crate::file::{File, FileKind, SCHEMA, VALUES};
use crate::knowledge::Knowledge;
use crate::overlay::Overlay;

/// The maximum depth of keys that are listed.
const MAX_DEPTH: usize = 12;

/// A named part of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Symbol {
    pub name: String,
    pub kind: SymbolKind,
    /// The whole part.
    pub range: TextRange,
    /// The name in it.
    pub selection: TextRange,
    pub children: Vec<Symbol>,
}

/// The kind of a part of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SymbolKind {
    Document,
    Key,
    Item,
    Function,
    Variable,
}

pub(crate) fn symbols(file: &File) -> Vec<Symbol> {
    let mut symbols = code_symbols(file);
    let n_documents = file.documents.iter().filter(|it| !it.is_injected).count();
    for (at, document) in file.documents.iter().filter(|it| !it.is_injected).enumerate() {
        let children = below(file, &document.node, 0);
        let start = document.origin.span().map_or(0, |it| it.start);
        let declares = |names: &[&str]| {
            plumb_template::annotation_names(&document.meta).any(|it| names.contains(&it))
        };
        let name = match () {
            () if declares(&SCHEMA) => "schema".to_owned(),
            () if declares(&VALUES) => "data values".to_owned(),
            () => title(&document.node).unwrap_or_else(|| format!("document {}", at + 1)),
        };
        if n_documents == 1 && title(&document.node).is_none() && start == 0 {
            symbols.extend(children);
            continue;
        }
        let end = children.last().map_or(start, |it| it.range.end).max(start);
        let (range, selection) = (start..end, start..start);
        symbols.push(Symbol { name, kind: SymbolKind::Document, range, selection, children });
    }
    symbols
}

/// The maximum number of symbols of a project that are returned.
const MAX_FOUND: usize = 200;

/// The symbols in all files whose names contain the letters of a query, in order.
pub(crate) fn workspace_symbols(
    query: &str,
    overlay: &Overlay,
    knowledge: &Knowledge,
) -> Vec<(PathBuf, Symbol)> {
    let query: Vec<char> = query.chars().flat_map(char::to_lowercase).collect();
    let mut found = Vec::new();
    for path in knowledge.files() {
        let Some(text) = overlay.text(path).filter(|_| FileKind::of(path) != FileKind::Other)
        else {
            continue;
        };
        add_matching(symbols(&File::read(path, text)), &query, path, &mut found);
        if found.len() >= MAX_FOUND {
            break;
        }
    }
    found.truncate(MAX_FOUND);
    found
}

fn add_matching(
    symbols: Vec<Symbol>,
    query: &[char],
    path: &Path,
    found: &mut Vec<(PathBuf, Symbol)>,
) {
    for mut symbol in symbols {
        let children = std::mem::take(&mut symbol.children);
        let mut letters = symbol.name.chars().flat_map(char::to_lowercase);
        if query.iter().all(|wanted| letters.any(|it| it == *wanted)) {
            found.push((path.to_owned(), symbol));
        }
        add_matching(children, query, path, found);
    }
}

/// The kind and name of a Kubernetes resource.
fn title(node: &Node) -> Option<String> {
    let map = node.as_map()?;
    let kind = map.get_str("kind")?.as_str()?;
    let name = map.get_str("metadata").and_then(|it| it.as_map()?.get_str("name")?.as_str());
    Some(name.map_or_else(|| kind.to_owned(), |name| format!("{kind} {name}")))
}

fn code_symbols(file: &File) -> Vec<Symbol> {
    let code = &file.outline.code;
    let mut symbols = Vec::new();
    for function in &code.functions {
        let Some(span) = function.span.filter(|it| it.file == file.id) else { continue };
        let extent = function.extent.filter(|it| it.contains(span)).unwrap_or(span);
        symbols.push(Symbol {
            name: function.name.to_string(),
            kind: SymbolKind::Function,
            range: extent.start..extent.end,
            selection: span.start..span.end,
            children: Vec::new(),
        });
    }
    let mut seen = Vec::new();
    for name in code.names.iter().filter(|it| it.is_definition && it.span.file == file.id) {
        let variable = &code.variables[name.variable];
        let is_global = variable.kind == VariableKind::Plain && variable.function.is_none();
        if !is_global || seen.contains(&name.variable) {
            continue;
        }
        seen.push(name.variable);
        let range = name.span.start..name.span.end;
        symbols.push(Symbol {
            name: variable.name.to_string(),
            kind: SymbolKind::Variable,
            range: range.clone(),
            selection: range,
            children: Vec::new(),
        });
    }
    symbols.sort_by_key(|it| it.selection.start);
    symbols
}

fn below(file: &File, node: &Node, depth: usize) -> Vec<Symbol> {
    if depth == MAX_DEPTH {
        return Vec::new();
    }
    let mut symbols = Vec::new();
    match node {
        Node::Map(map) => {
            for item in map.items() {
                let Some(span) = item.origin.span().filter(|it| it.file == file.id) else {
                    continue;
                };
                let name = crate::knowledge::shown(&item.key);
                let length = u32::try_from(name.len()).unwrap_or_default();
                let children = below(file, &item.node, depth + 1);
                let end = children.last().map_or(span.end, |it| it.range.end).max(span.end);
                symbols.push(Symbol {
                    selection: span.start..(span.start + length).min(end),
                    range: span.start..end,
                    name,
                    kind: SymbolKind::Key,
                    children,
                });
            }
        }
        Node::Array(array) => {
            for (at, item) in array.items.iter().enumerate() {
                let Some(span) = item.origin.span().filter(|it| it.file == file.id) else {
                    continue;
                };
                let children = below(file, &item.node, depth + 1);
                let named = item.node.as_map().and_then(|it| it.get_str("name")?.as_str());
                let end = children.last().map_or(span.end, |it| it.range.end).max(span.end);
                symbols.push(Symbol {
                    name: named.map_or_else(|| at.to_string(), str::to_owned),
                    kind: SymbolKind::Item,
                    range: span.start..end,
                    selection: span.start..span.start,
                    children,
                });
            }
        }
        _ => {}
    }
    symbols
}
