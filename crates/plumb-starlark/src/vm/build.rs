//! Operations that build texts, lists and dictionaries: the most frequent ones of programs. The loop
//! calls them directly.

use std::sync::Arc;

use super::execute::operand;
use super::slot::Slot;
use super::thread::Thread;
use crate::compile::{Code, Operand, Register};
use crate::error::{Error, Result};
use crate::value::Dict;
use crate::value::literal::{KnownKeys, Literal};
use crate::value::measure::{EMPTY_DICT, changed, shallow};
use crate::value::table::Entry;
use crate::value_error::ValueError;
use crate::{Value, ops};

/// The most elements for which a comprehension allocates memory before it knows them.
const MAX_RESERVED: usize = 1 << 16;
/// It may take at most this part of the remaining memory.
const PART: usize = 64;

/// Adds an element to a list that is not complete.
#[inline(never)]
pub(super) fn append(
    thread: &mut Thread<'_>,
    code: &Code,
    registers: &mut [Slot],
    (list, value): (Register, Operand),
) {
    thread.meter.ask_unprocessed(size_of::<Value>());
    let value = read(code, registers, value);
    if let Slot::Elements(elements) = &mut registers[list as usize] {
        elements.push(value);
    }
}

/// Sets a key of a dictionary that is not complete.
#[inline(never)]
pub(super) fn insert(
    thread: &mut Thread<'_>,
    code: &Code,
    registers: &mut [Slot],
    (dict, key, value): (Register, Operand, Operand),
) -> Result<()> {
    thread.meter.ask_unprocessed(3 * size_of::<Value>());
    thread.count_key(operand(registers, &code.constants, key))?;
    let (key, value) = (read(code, registers, key), read(code, registers, value));
    if let Slot::Entries(table) = &mut registers[dict as usize] {
        table.insert(key, value)?;
    }
    Ok(())
}

/// Like [`insert`]. An existing key is an error.
#[inline(never)]
pub(super) fn insert_new(
    thread: &mut Thread<'_>,
    code: &Code,
    registers: &mut [Slot],
    (dict, key, value): (Register, Operand, Operand),
) -> Result<()> {
    thread.count_key(operand(registers, &code.constants, key))?;
    let new = operand(registers, &code.constants, key).clone();
    let value = read(code, registers, value);
    if let Slot::Entries(table) = &mut registers[dict as usize]
        && !table.insert(new, value)?
    {
        let key = operand(registers, &code.constants, key);
        return Err(Error::new(ValueError::KeyTwice { key: key.shown().into() }));
    }
    Ok(())
}

/// Creates a dictionary with known keys of the values in registers, which are moved out.
#[inline]
pub(super) fn dict(
    thread: &mut Thread<'_>,
    keys: &Arc<KnownKeys>,
    values: &mut [Slot],
) -> Result<Value> {
    let is_small = values.iter().all(|it| Literal::is_small(it.value()));
    let values = values.iter_mut().map(Slot::take);
    let dict = if is_small {
        thread.meter.ask(EMPTY_DICT + keys.len() * size_of::<Value>())?;
        Dict::from(Literal::new(keys, values))
    } else {
        thread.meter.ask(EMPTY_DICT + changed(keys.len()))?;
        Dict::from(keys.table(values))
    };
    Ok(Value::Dict(Arc::new(dict)))
}

/// Allocates memory for as many elements as an iterator has.
pub(super) fn reserve(
    thread: &mut Thread<'_>,
    registers: &mut [Slot],
    to: Register,
    iterator: Register,
) {
    let count = match &registers[iterator as usize] {
        Slot::Iterator(values) => values.size_hint().1.unwrap_or(0),
        _ => 0,
    };
    let most = (thread.meter.memory_left() / PART / size_of::<Entry>()).min(MAX_RESERVED);
    let count = count.min(most);
    match &mut registers[to as usize] {
        Slot::Elements(elements) => {
            thread.meter.ask_unprocessed(count * size_of::<Value>());
            elements.reserve(count);
        }
        Slot::Entries(table) => {
            thread.meter.ask_unprocessed(count * size_of::<Entry>());
            table.reserve(count);
        }
        _ => {}
    }
}

/// Computes the sum of two texts, in place if the left one is not needed again.
#[inline(never)]
pub(super) fn add_texts(
    thread: &mut Thread<'_>,
    code: &Code,
    registers: &mut [Slot],
    (to, left, right): (Register, Operand, Operand),
) -> Result<()> {
    let max = thread.meter.max_text();
    if left != to || right == to {
        let values = [left, right].map(|it| operand(registers, &code.constants, it));
        let [Value::String(left), Value::String(right)] = values else { return Ok(()) };
        thread.meter.check(0)?;
        let sum = Value::String(ops::join(left, right, max)?);
        thread.meter.ask(shallow(&sum))?;
        registers[to as usize].set(sum);
        return Ok(());
    }
    let mut sum = registers[to as usize].take();
    let right = operand(registers, &code.constants, right);
    let added = match thread.meter.ask(shallow(right)) {
        Ok(()) => ops::add_in_place(thread.heap(), &mut sum, right, thread.meter.max_text()),
        failed => failed,
    };
    registers[to as usize].set(sum);
    added
}

/// Returns the value of an operand. It is moved if it is not needed again.
#[inline]
fn read(code: &Code, registers: &mut [Slot], from: Operand) -> Value {
    if code.is_temporary(from) {
        registers[from as usize].take()
    } else {
        operand(registers, &code.constants, from).clone()
    }
}
