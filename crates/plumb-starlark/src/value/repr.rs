//! Values as text: `repr(x)`, and `str(x)`, which differs only for strings.

use std::sync::Arc;

use ecow::EcoVec;
use hashbrown::HashSet;
use plumb_source::message::secret;
use plumb_source::{Limit, Text};

use super::dict::Entries;
use super::{Tuple, Value, float, int};
use crate::budget::too_many_steps;
use crate::error::{Error, Result};
use crate::language::Language;
use crate::text;

/// The maximum length of a text, independently of the memory limit. The text of lists that contain
/// each other many times would not fit into any memory.
pub(crate) const MAX_BYTES: usize = 256 << 20;
/// Messages only show the type of values whose text is longer, or takes more steps to write.
const SHOWN: Room = Room { bytes: 1 << 20, steps: 1 << 10, language: Language::Ytt };

/// The limits for writing a value: the maximum length of the text, and the remaining steps for work
/// that the length of the text does not show.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Room {
    pub(crate) bytes: usize,
    pub(crate) steps: u64,
    /// ytt does not show the fields of structs.
    pub(crate) language: Language,
}

impl Room {
    /// For hosts that write values outside an evaluation.
    const LARGEST: Self = Self { bytes: MAX_BYTES, steps: u64::MAX, language: Language::Ytt };

    /// Returns the fields of a value that is written like a dictionary of them.
    fn fields_of(&self, value: &Value) -> Result<Option<EcoVec<(Text, Value)>>> {
        match (self.language, value) {
            (Language::Modern, Value::Struct(it)) => {
                let fields = it.fields().map(|(name, value)| (name.clone(), value.clone()));
                Ok(Some(fields.collect()))
            }
            (Language::Modern, Value::Host(host)) if host.shows_fields() => {
                let mut fields = EcoVec::new();
                for name in host.attribute_names() {
                    if let Some(value) = host.attribute(&name)? {
                        fields.push((name, value));
                    }
                }
                Ok(Some(fields))
            }
            _ => Ok(None),
        }
    }

    fn spend(&mut self, steps: u64) -> Result<()> {
        self.steps = self.steps.checked_sub(steps).ok_or_else(too_many_steps)?;
        Ok(())
    }
}

impl Value {
    /// Returns the value as the dialect prints it, with strings quoted. Code of a run must use
    /// [`Thread::repr`](crate::Thread::repr), which charges for the work.
    pub fn repr(&self) -> Result<Text> {
        self.repr_within(&mut Room::LARGEST.clone())
    }

    /// Like [`repr`](Self::repr), within limits.
    pub(crate) fn repr_within(&self, room: &mut Room) -> Result<Text> {
        let mut out = Vec::new();
        write_repr(&mut out, self, room)?;
        Ok(Text::from_bytes(&out))
    }

    /// Like [`repr_within`](Self::repr_within), but without quotes around a string.
    pub(crate) fn to_text(&self, room: &mut Room) -> Result<Text> {
        match self {
            Self::String(text) => Ok(text.clone()),
            Self::Host(host) if !host.shows_fields() => {
                let text = host.to_text();
                check_length(text.len(), room.bytes)?;
                Ok(text)
            }
            _ => self.repr_within(room),
        }
    }

    /// For use in messages.
    pub(crate) fn shown(&self) -> plumb_source::message::Secret<String> {
        secret(self.short_repr())
    }

    /// For messages and for developers.
    pub(crate) fn short_repr(&self) -> String {
        match self.repr_within(&mut SHOWN.clone()) {
            Ok(text) => text.to_string(),
            Err(_) => format!("({})", self.type_name()),
        }
    }
}

/// Appends the result of `str(x)`.
pub(crate) fn write_text(out: &mut Vec<u8>, value: &Value, room: &mut Room) -> Result<()> {
    match value {
        Value::String(text) => {
            check_length(out.len() + text.len(), room.bytes)?;
            out.extend_from_slice(text.as_bytes());
            Ok(())
        }
        Value::Host(host) if !host.shows_fields() => {
            let text = host.to_text();
            check_length(out.len() + text.len(), room.bytes)?;
            out.extend_from_slice(text.as_bytes());
            Ok(())
        }
        _ => write_repr(out, value, room),
    }
}

/// Appends the result of `repr(x)`.
pub(crate) fn write_repr(out: &mut Vec<u8>, value: &Value, room: &mut Room) -> Result<()> {
    if !value.nests() {
        write_flat(out, value, room)?;
        return check_length(out.len(), room.bytes);
    }
    Writer { out, open: Vec::new(), path: HashSet::new(), room }.write(value)
}

/// Rejects text that is longer than allowed.
pub(crate) fn check_length(len: usize, max: usize) -> Result<()> {
    if len <= max {
        return Ok(());
    }
    let is_long = len > MAX_BYTES;
    Err(if is_long {
        Error::limit(Limit::Fixed, "string of more than 256 MiB")
    } else {
        Error::limit(Limit::Memory, "out of memory")
    })
}

/// Writes without recursion, because values may be nested a million levels deep.
struct Writer<'a> {
    out: &'a mut Vec<u8>,
    open: Vec<Open>,
    /// Lists and dictionaries that are being written. Finding one again means that it contains
    /// itself.
    path: HashSet<usize>,
    room: &'a mut Room,
}

/// A container that is not written completely yet.
enum Open {
    Sequence { elements: EcoVec<Value>, at: usize, close: &'static str, on_path: Option<usize> },
    Tuple { tuple: Tuple, at: usize },
    Dict { entries: Entries, at: usize, started: bool, value: bool, on_path: usize },
    Fields { fields: EcoVec<(Text, Value)>, at: usize },
}

impl Writer<'_> {
    fn write(mut self, value: &Value) -> Result<()> {
        self.begin(value)?;
        loop {
            check_length(self.out.len(), self.room.bytes)?;
            let Some(open) = self.open.last_mut() else { return Ok(()) };
            match step(open, self.out) {
                Some(next) => self.begin(&next)?,
                None => {
                    if let Some(done) = self.open.pop().and_then(|open| open.on_path()) {
                        self.path.remove(&done);
                    }
                }
            }
        }
    }

    /// Writes a value that contains no others, or opens one that does.
    fn begin(&mut self, value: &Value) -> Result<()> {
        match value {
            Value::List(list) => {
                let pointer = Arc::as_ptr(list) as usize;
                if !self.path.insert(pointer) {
                    self.out.extend_from_slice(b"[...]");
                    return Ok(());
                }
                self.out.push(b'[');
                let (elements, on_path) = (list.elements(), Some(pointer));
                self.open.push(Open::Sequence { elements, at: 0, close: "]", on_path });
            }
            Value::Tuple(tuple) => {
                self.out.push(b'(');
                self.open.push(Open::Tuple { tuple: tuple.clone(), at: 0 });
            }
            Value::Set(set) => {
                self.out.extend_from_slice(b"set([");
                let elements = set.elements().into_iter().collect();
                self.open.push(Open::Sequence { elements, at: 0, close: "])", on_path: None });
            }
            Value::Dict(dict) => {
                let on_path = Arc::as_ptr(dict) as usize;
                if !self.path.insert(on_path) {
                    self.out.extend_from_slice(b"{...}");
                    return Ok(());
                }
                self.out.push(b'{');
                let (entries, started, value) = (dict.entries(), false, false);
                self.open.push(Open::Dict { entries, at: 0, started, value, on_path });
            }
            other => match self.room.fields_of(other)? {
                Some(fields) => {
                    self.out.push(b'{');
                    self.open.push(Open::Fields { fields, at: 0 });
                }
                None => write_flat(self.out, other, self.room)?,
            },
        }
        Ok(())
    }
}

impl Open {
    fn on_path(&self) -> Option<usize> {
        match self {
            Self::Sequence { on_path, .. } => *on_path,
            Self::Tuple { .. } | Self::Fields { .. } => None,
            Self::Dict { on_path, .. } => Some(*on_path),
        }
    }
}

/// Writes the text before the next element and returns that element, or writes the end.
fn step(open: &mut Open, out: &mut Vec<u8>) -> Option<Value> {
    match open {
        Open::Sequence { elements, at, close, .. } => {
            let Some(element) = elements.get(*at) else {
                out.extend_from_slice(close.as_bytes());
                return None;
            };
            if *at > 0 {
                out.extend_from_slice(b", ");
            }
            *at += 1;
            Some(element.clone())
        }
        Open::Tuple { tuple, at } => {
            let Some(element) = tuple.get(*at) else {
                out.extend_from_slice(if tuple.len() == 1 { b",)" } else { b")" });
                return None;
            };
            if *at > 0 {
                out.extend_from_slice(b", ");
            }
            *at += 1;
            Some(element.clone())
        }
        Open::Fields { fields, at } => {
            let Some((name, value)) = fields.get(*at) else {
                out.push(b'}');
                return None;
            };
            if *at > 0 {
                out.extend_from_slice(b", ");
            }
            *at += 1;
            quote(out, name.as_bytes());
            out.extend_from_slice(b": ");
            Some(value.clone())
        }
        Open::Dict { entries, at, started, value, .. } => loop {
            if *at == entries.len() {
                out.push(b'}');
                return None;
            }
            let Some((key, held)) = entries.pair(*at) else {
                *at += 1;
                continue;
            };
            if std::mem::take(value) {
                *at += 1;
                out.extend_from_slice(b": ");
                return Some(held.clone());
            }
            if std::mem::replace(started, true) {
                out.extend_from_slice(b", ");
            }
            *value = true;
            return Some(key.clone());
        },
    }
}

/// Writes values that contain no others, or do not show them.
fn write_flat(out: &mut Vec<u8>, value: &Value, room: &mut Room) -> Result<()> {
    let mut number = itoa::Buffer::new();
    let short = match value {
        Value::None => "None",
        Value::Bool(true) => "True",
        Value::Bool(false) => "False",
        Value::Int(it) => number.format(*it),
        _ => return write_long(out, value, room),
    };
    out.extend_from_slice(short.as_bytes());
    Ok(())
}

/// Writes the remaining cases of [`write_flat`], which are not short.
fn write_long(out: &mut Vec<u8>, value: &Value, room: &mut Room) -> Result<()> {
    let text = match value {
        Value::BigInt(it) => {
            room.spend(int::conversion_steps(it.bits()))?;
            it.to_string()
        }
        Value::Float(it) => float::format(*it),
        Value::String(it) => return quote_within(out, it.as_bytes(), room.bytes),
        Value::Range(it) if it.step != 1 => {
            format!("range({}, {}, {})", it.start, it.stop, it.step)
        }
        Value::Range(it) if it.start != 0 => format!("range({}, {})", it.start, it.stop),
        Value::Range(it) => format!("range({})", it.stop),
        Value::StringIterable(it) => {
            quote_within(out, it.string.as_bytes(), room.bytes)?;
            format!(".{}()", it.method())
        }
        Value::Function(it) => format!("<function {}>", it.name()),
        Value::Builtin(it) => format!("<built-in function {}>", it.name()),
        Value::Method(it) => {
            let receiver = it.receiver().type_name();
            format!("<built-in method {} of {receiver} value>", it.name())
        }
        Value::Struct(_) => "struct(...)".to_owned(),
        Value::Module(it) => {
            out.extend_from_slice(b"<module ");
            quote(out, it.name().as_bytes());
            ">".to_owned()
        }
        Value::Host(it) => {
            out.extend_from_slice(it.repr().as_bytes());
            return Ok(());
        }
        Value::None
        | Value::Bool(_)
        | Value::Int(_)
        | Value::List(_)
        | Value::Tuple(_)
        | Value::Dict(_)
        | Value::Set(_) => return Ok(()),
    };
    out.extend_from_slice(text.as_bytes());
    Ok(())
}

/// Writes a string in double quotes, and escapes everything that is not printable.
pub(crate) fn quote(out: &mut Vec<u8>, bytes: &[u8]) {
    let quoted = quote_within(out, bytes, usize::MAX);
    quoted.expect("no text is that long");
}

/// Writes like [`quote`]. Fails if the text becomes longer than `max`, because escapes are longer
/// than the characters that they represent.
fn quote_within(out: &mut Vec<u8>, bytes: &[u8], max: usize) -> Result<()> {
    out.push(b'"');
    let mut at = 0;
    while at < bytes.len() {
        check_length(out.len(), max)?;
        let (c, size) = text::decode(&bytes[at..]);
        match c {
            Some(c) => escape(out, c, '"'),
            None => out.extend_from_slice(format!("\\x{:02x}", bytes[at]).as_bytes()),
        }
        at += size;
    }
    out.push(b'"');
    Ok(())
}

/// Writes a character in single quotes.
pub(crate) fn quote_char(out: &mut Vec<u8>, c: char) {
    out.push(b'\'');
    escape(out, c, '\'');
    out.push(b'\'');
}

fn escape(out: &mut Vec<u8>, c: char, quote: char) {
    let letter = match c {
        '\u{7}' => 'a',
        '\u{8}' => 'b',
        '\u{C}' => 'f',
        '\n' => 'n',
        '\r' => 'r',
        '\t' => 't',
        '\u{B}' => 'v',
        '\\' => '\\',
        _ if c == quote => quote,
        _ if text::is_printable(c) => return text::push_char(out, c),
        '\0'..='\u{1F}' | '\u{7F}' => {
            return out.extend_from_slice(format!("\\x{:02x}", u32::from(c)).as_bytes());
        }
        '\u{80}'..='\u{FFFF}' => {
            return out.extend_from_slice(format!("\\u{:04x}", u32::from(c)).as_bytes());
        }
        _ => return out.extend_from_slice(format!("\\U{:08x}", u32::from(c)).as_bytes()),
    };
    out.push(b'\\');
    text::push_char(out, letter);
}
