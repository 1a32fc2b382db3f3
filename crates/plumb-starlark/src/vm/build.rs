//! Operations that build texts, lists and dictionaries, which programs do most of the time. The loop
//! calls them directly.

use super::execute::operand;
use super::meter::LARGE;
use super::slot::Slot;
use super::thread::Thread;
use crate::Value;
use crate::compile::{Code, Operand, Register};
use crate::error::{Result, bail};
use crate::ops;
use crate::value::measure::{shallow, touched};
use crate::value::table::Entry;

/// The most elements for which a comprehension allocates memory before it knows them.
const MAX_RESERVED: usize = 1 << 16;
/// The part of the memory that is left that it may take.
const PART: usize = 64;

impl Thread<'_> {
    /// Adds an element to a list that is not complete.
    #[inline(never)]
    pub(super) fn append(
        &mut self,
        code: &Code,
        registers: &mut [Slot],
        (list, value): (Register, Operand),
    ) {
        self.meter.ask_unprocessed(size_of::<Value>());
        let value = read(code, registers, value);
        if let Slot::Elements(elements) = &mut registers[list as usize] {
            elements.push(value);
        }
    }

    /// Sets a key of a dictionary that is not complete.
    #[inline(never)]
    pub(super) fn insert(
        &mut self,
        code: &Code,
        registers: &mut [Slot],
        (dict, key, value): (Register, Operand, Operand),
    ) -> Result<()> {
        self.meter.ask_unprocessed(3 * size_of::<Value>());
        self.count_key(operand(registers, &code.constants, key))?;
        let (key, value) = (read(code, registers, key), read(code, registers, value));
        if let Slot::Entries(table) = &mut registers[dict as usize] {
            table.insert(key, value)?;
        }
        Ok(())
    }

    /// Like [`insert`](Self::insert). An existing key is an error.
    #[inline(never)]
    pub(super) fn insert_new(
        &mut self,
        code: &Code,
        registers: &mut [Slot],
        (dict, key, value): (Register, Operand, Operand),
    ) -> Result<()> {
        self.count_key(operand(registers, &code.constants, key))?;
        let new = operand(registers, &code.constants, key).clone();
        let value = read(code, registers, value);
        if let Slot::Entries(table) = &mut registers[dict as usize]
            && !table.insert(new, value)?
        {
            let key = operand(registers, &code.constants, key);
            bail!("duplicate key: {}", key.shown());
        }
        Ok(())
    }

    /// Allocates memory for as many elements as an iterator has.
    pub(super) fn reserve(&mut self, registers: &mut [Slot], to: Register, iterator: Register) {
        let count = match &registers[iterator as usize] {
            Slot::Iterator(values) => values.size_hint().1.unwrap_or(0),
            _ => 0,
        };
        let most = (self.meter.memory_left() / PART / size_of::<Entry>()).min(MAX_RESERVED);
        let count = count.min(most);
        match &mut registers[to as usize] {
            Slot::Elements(elements) => {
                self.meter.ask_unprocessed(count * size_of::<Value>());
                elements.reserve(count);
            }
            Slot::Entries(table) => {
                self.meter.ask_unprocessed(count * size_of::<Entry>());
                table.reserve(count);
            }
            _ => {}
        }
    }

    /// Computes the sum of two texts, in place if the left one is not needed again.
    #[inline(never)]
    pub(super) fn add_texts(
        &mut self,
        code: &Code,
        registers: &mut [Slot],
        (to, left, right): (Register, Operand, Operand),
    ) -> Result<()> {
        let max = self.meter.max_text();
        if left != to || right == to {
            let values = [left, right].map(|it| operand(registers, &code.constants, it));
            let [Value::String(left), Value::String(right)] = values else { return Ok(()) };
            self.meter.check(0)?;
            let sum = Value::String(ops::join(left, right, max)?);
            self.meter.ask(shallow(&sum))?;
            registers[to as usize].set(sum);
            return Ok(());
        }
        let mut sum = registers[to as usize].take();
        let right = operand(registers, &code.constants, right);
        let added = match self.meter.ask(shallow(right)) {
            Ok(()) => ops::add_in_place(self.heap(), &mut sum, right, self.meter.max_text()),
            failed => failed,
        };
        registers[to as usize].set(sum);
        added
    }

    /// Charges for hashing a key. A short text takes no longer than a step.
    #[inline]
    pub(super) fn count_key(&mut self, key: &Value) -> Result<()> {
        match key {
            Value::String(text) if text.len() > LARGE => self.count_bytes(text.len()),
            Value::Tuple(_) | Value::BigInt(_) | Value::Host(_) => self.count_bytes(touched(key)),
            _ => Ok(()),
        }
    }
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
