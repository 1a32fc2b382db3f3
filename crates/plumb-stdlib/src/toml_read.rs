//! Parses TOML: tables, keys and values. As in ytt, a header or a dotted key may open a table again
//! as long as no value is lost.

use std::collections::BTreeMap;
use std::sync::Arc;

use plumb_starlark::{Dict, Error, Result, Value};

use crate::toml_error::{TomlError, TomlErrorKind, TomlPart};
use crate::toml_scan::{ScanErrorKind, Scanner, TomlResult, is_of_bare_key, quoted};

/// The maximum nesting depth of arrays and tables.
pub(crate) const MAX_DEPTH: usize = 500;

/// Parses a text to dictionaries with sorted keys.
pub(crate) fn read(text: &[u8]) -> Result<Value> {
    if text.contains(&0) {
        let kind = TomlErrorKind::NullByte;
        return Err(Error::new(TomlError { line: 1, counted_line: 1, key: None, kind }));
    }
    let scanner = Scanner::new(text);
    let mut reader = Reader { scanner, context: Vec::new(), key: String::new() };
    let root = reader.document().map_err(|error| match error.kind {
        ScanErrorKind::NotData(error) => error,
        ScanErrorKind::Syntax(kind) => {
            let (line, counted_line) = (error.line, error.counted_line);
            Error::new(TomlError { line, counted_line, key: reader.last_key(), kind })
        }
    })?;
    table_value(root)
}

struct Reader<'a> {
    scanner: Scanner<'a>,
    /// The keys of the table that is being read.
    context: Vec<String>,
    /// The key in that table whose value is being read.
    key: String,
}

#[derive(Default)]
struct Table {
    items: BTreeMap<String, Item>,
    /// Whether only its subtables were named so far, so that it may still get its own header.
    is_implicit: bool,
}

enum Item {
    Scalar(Value),
    Array(Vec<Item>),
    Table(Table),
    /// An array of tables, written with `[[header]]`.
    Tables(Vec<Table>),
}

impl Reader<'_> {
    fn document(&mut self) -> TomlResult<Table> {
        let mut root = Table::default();
        loop {
            self.scanner.skip_blanks_and_lines()?;
            match self.scanner.peek()? {
                None => return Ok(root),
                Some('[') => self.header(&mut root)?,
                Some(_) => {
                    let header = self.context.clone();
                    let path = self.path()?;
                    self.assign(root.at(&header), &header, path, 0)?;
                    self.context = header;
                    self.key.clear();
                }
            }
            self.scanner.skip_blanks()?;
            match self.scanner.peek()? {
                None | Some('#' | '\n' | '\r') => {}
                Some(_) => return Err(self.scanner.unexpected(TomlPart::LineEnd)),
            }
        }
    }

    /// `[a.b]` and `[[a.b]]`.
    fn header(&mut self, root: &mut Table) -> TomlResult<()> {
        self.scanner.bump();
        let is_array = self.scanner.peek()? == Some('[');
        if is_array {
            self.scanner.bump();
        }
        let mut path = Vec::new();
        loop {
            self.scanner.skip_blanks()?;
            match self.scanner.peek()? {
                None | Some(']') => {
                    let error = TomlErrorKind::EmptyName { is_before_dot: false };
                    return Err(self.scanner.at_next(error));
                }
                Some('.') => {
                    let error = TomlErrorKind::EmptyName { is_before_dot: true };
                    return Err(self.scanner.at_next(error));
                }
                Some(_) => path.push(self.name()?),
            }
            self.scanner.skip_blanks()?;
            match self.scanner.peek()? {
                Some('.') => self.scanner.bump(),
                Some(']') => break,
                _ => return Err(self.scanner.unexpected(TomlPart::HeaderEnd)),
            }
        }
        self.scanner.bump();
        if is_array {
            if self.scanner.peek()? != Some(']') {
                return Err(self.scanner.unexpected(TomlPart::SecondBracket));
            }
            self.scanner.bump();
        }
        self.open(root, path, is_array)
    }

    /// Selects the table that a header names.
    fn open(&mut self, root: &mut Table, mut path: Vec<String>, is_array: bool) -> TomlResult<()> {
        self.context.clear();
        let name = path.pop().expect("a header has at least one name");
        let mut holder = root;
        for (at, part) in path.iter().enumerate() {
            let item = holder.items.entry(part.clone()).or_insert_with(Item::implicit);
            let Some(table) = item.as_table() else {
                let key = path_text(&path[..=at]);
                return Err(self.scanner.here(TomlErrorKind::NotATable(key)));
            };
            holder = table;
        }
        self.context = path;
        let error: Option<fn(String) -> TomlErrorKind> =
            match (holder.items.get_mut(&name), is_array) {
                (None, true) => {
                    holder.items.insert(name.clone(), Item::Tables(vec![Table::default()]));
                    None
                }
                (None, false) => {
                    holder.items.insert(name.clone(), Item::Table(Table::default()));
                    None
                }
                (Some(Item::Tables(tables)), true) => {
                    tables.push(Table::default());
                    None
                }
                (Some(Item::Table(table)), false) if table.is_implicit => {
                    table.is_implicit = false;
                    None
                }
                (Some(_), true) => Some(TomlErrorKind::NotTables),
                (Some(_), false) => Some(TomlErrorKind::KeyTwice),
            };
        if let Some(error) = error {
            let key = path_text(&[self.context.as_slice(), &[name]].concat());
            return Err(self.scanner.here(error(key)));
        }
        self.context.push(name);
        Ok(())
    }

    /// Parses the parts of a key, up to and including its `=`.
    fn path(&mut self) -> TomlResult<Vec<String>> {
        let mut path = Vec::new();
        loop {
            self.scanner.skip_blanks()?;
            match self.scanner.peek()? {
                None | Some('=') if path.is_empty() => {
                    let error = TomlErrorKind::EmptyKey { is_after_dot: false };
                    return Err(self.scanner.here(error));
                }
                None | Some('=') => {
                    let error = TomlErrorKind::EmptyKey { is_after_dot: true };
                    return Err(self.scanner.here(error));
                }
                Some('.') if path.is_empty() => {
                    return Err(self.scanner.at_next(TomlErrorKind::Dot { is_first: true }));
                }
                Some('.') => {
                    return Err(self.scanner.at_next(TomlErrorKind::Dot { is_first: false }));
                }
                Some(_) => path.push(self.name()?),
            }
            self.scanner.skip_blanks()?;
            match self.scanner.peek()? {
                Some('.') => self.scanner.bump(),
                Some('=') => break,
                None => return Err(self.scanner.ended(TomlPart::KeyEnd)),
                Some(_) => return Err(self.scanner.unexpected(TomlPart::KeyEnd)),
            }
        }
        self.scanner.bump();
        Ok(path)
    }

    /// Parses one part of a key. The caller rejects a part that is empty and not quoted.
    fn name(&mut self) -> TomlResult<String> {
        match self.scanner.peek()? {
            Some('"') => self.scanner.basic_string(),
            Some('\'') => self.scanner.literal_string(),
            _ => self.scanner.bare_key(),
        }
    }

    /// Parses the value of a key and adds it to the table that `header` leads to.
    fn assign(
        &mut self,
        table: &mut Table,
        header: &[String],
        mut path: Vec<String>,
        depth: usize,
    ) -> TomlResult<()> {
        let key = path.pop().expect("a key has at least one part");
        self.context = [header, path.as_slice()].concat();
        self.key.clone_from(&key);
        let item = self.value(depth)?;
        let defined =
            |path: &[String]| TomlErrorKind::KeyTwice(path_text(&[header, path].concat()));
        let mut holder = table;
        for (at, part) in path.iter().enumerate() {
            let item = holder.items.entry(part.clone()).or_insert_with(Item::implicit);
            let Some(table) = item.as_table() else {
                return Err(self.scanner.here(defined(&path[..=at])));
            };
            holder = table;
        }
        if holder.items.contains_key(&key) {
            path.push(key);
            return Err(self.scanner.here(defined(&path)));
        }
        holder.items.insert(key, item);
        Ok(())
    }

    fn value(&mut self, depth: usize) -> TomlResult<Item> {
        if depth > MAX_DEPTH {
            return Err(self.scanner.here(TomlErrorKind::TooDeep));
        }
        self.scanner.skip_blanks()?;
        match self.scanner.peek()? {
            Some('[') => self.array(depth).map(Item::Array),
            Some('{') => self.inline_table(depth).map(Item::Table),
            _ => self.scanner.scalar().map(Item::Scalar),
        }
    }

    fn array(&mut self, depth: usize) -> TomlResult<Vec<Item>> {
        self.scanner.bump();
        let mut items = Vec::new();
        loop {
            self.scanner.skip_blanks_and_lines()?;
            match self.scanner.peek()? {
                Some(']') => break,
                Some(',') => return Err(self.scanner.at_next(TomlErrorKind::Comma)),
                _ => items.push(self.value(depth + 1)?),
            }
            self.scanner.skip_blanks_and_lines()?;
            match self.scanner.peek()? {
                Some(',') => self.scanner.bump(),
                Some(']') => break,
                _ => return Err(self.scanner.unexpected(TomlPart::ArrayEnd)),
            }
        }
        self.scanner.bump();
        Ok(items)
    }

    fn inline_table(&mut self, depth: usize) -> TomlResult<Table> {
        self.scanner.bump();
        let (outer_context, outer_key) = (self.context.clone(), std::mem::take(&mut self.key));
        self.context.push(outer_key.clone());
        let header = self.context.clone();
        let mut table = Table::default();
        let mut is_first = true;
        loop {
            self.skip_inside_line()?;
            match self.scanner.peek()? {
                Some('}') if is_first => break,
                Some('}') => {
                    return Err(self.scanner.at_next(TomlErrorKind::LastComma));
                }
                Some(',') => return Err(self.scanner.at_next(TomlErrorKind::Comma)),
                _ => {}
            }
            is_first = false;
            let path = self.path()?;
            self.assign(&mut table, &header, path, depth + 1)?;
            self.context.clone_from(&header);
            self.skip_inside_line()?;
            match self.scanner.peek()? {
                Some(',') => self.scanner.bump(),
                Some('}') => break,
                _ => return Err(self.scanner.unexpected(TomlPart::TableEnd)),
            }
        }
        self.scanner.bump();
        (self.context, self.key) = (outer_context, outer_key);
        Ok(table)
    }

    /// Skips blanks inside an inline table, which must end on the line on which it began.
    fn skip_inside_line(&mut self) -> TomlResult<()> {
        self.scanner.skip_blanks()?;
        self.scanner.skip_comment()?;
        match self.scanner.peek()? {
            Some('\n' | '\r') => Err(self.scanner.before_line_end(TomlErrorKind::LineBreakInTable)),
            _ => Ok(()),
        }
    }

    fn last_key(&self) -> Option<String> {
        let mut text = path_text(&self.context);
        if !self.key.is_empty() {
            if !text.is_empty() {
                text.push('.');
            }
            text.push_str(&self.key);
        }
        (!text.is_empty()).then(|| quoted(&text))
    }
}

impl Table {
    /// Returns the table that a header named.
    fn at(&mut self, header: &[String]) -> &mut Self {
        header.iter().fold(self, |table, part| {
            let item = table.items.get_mut(part);
            item.and_then(Item::as_table).expect("the header made this table")
        })
    }
}

impl Item {
    /// Creates a table that was not named itself, only as the parent of a subtable.
    fn implicit() -> Self {
        Self::Table(Table { is_implicit: true, ..Table::default() })
    }

    /// The table, or the last one of an array of tables.
    fn as_table(&mut self) -> Option<&mut Table> {
        match self {
            Self::Table(table) => Some(table),
            Self::Tables(tables) => tables.last_mut(),
            Self::Scalar(_) | Self::Array(_) => None,
        }
    }
}

fn table_value(table: Table) -> Result<Value> {
    let items = table.items.into_iter().map(|(key, item)| Ok((Value::from(key), to_value(item)?)));
    let items = items.collect::<Result<Vec<_>>>()?;
    Ok(Value::Dict(Arc::new(Dict::from_items(items)?)))
}

fn to_value(item: Item) -> Result<Value> {
    Ok(match item {
        Item::Scalar(value) => value,
        Item::Array(items) => {
            Value::list(items.into_iter().map(to_value).collect::<Result<Vec<_>>>()?)
        }
        Item::Table(table) => table_value(table)?,
        Item::Tables(tables) => {
            Value::list(tables.into_iter().map(table_value).collect::<Result<Vec<_>>>()?)
        }
    })
}

/// Formats a dotted key in the syntax of TOML.
fn path_text(path: &[String]) -> String {
    let is_bare = |part: &str| !part.is_empty() && part.chars().all(is_of_bare_key);
    let parts = path.iter().map(|it| if is_bare(it) { it.clone() } else { quoted(it) });
    parts.collect::<Vec<_>>().join(".")
}
