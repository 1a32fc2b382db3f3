//! The loop that executes operations.
//!
//! It contains only what is common and short: integers that fit in a word, jumps, elements of
//! collections, calls and returns. Other frequent operations are calls of functions in
//! [`build`](super::build) and [`invoke`](super::invoke). Everything else is in
//! [`perform`](super::perform), which can do any operation: an operation whose common case does not
//! apply is performed there from its beginning. So the loop stays small enough that its state is in
//! the registers of the processor.

use std::sync::Arc;

use super::run::{Passed, Stop};
use super::slot::Slot;
use super::thread::Thread;
use super::{build, invoke};
use crate::compile::{CONSTANT, Code, Op, Operand, Register};
use crate::error::Result;
use crate::ops;
use crate::value::function::Variable;
use crate::value::{Function, Value};

/// Executes operations from `next` on until the function stops. `owns` becomes true before a register
/// gets a value that owns memory.
///
/// It is inlined into its only caller, so that calls and returns of the program do not need
/// native calls.
#[expect(clippy::too_many_lines, reason = "the common cases of operations, one after the other")]
#[expect(clippy::inline_always, reason = "measured: a third of the time of small functions")]
#[expect(clippy::too_many_arguments, reason = "it is inlined, so none of them is passed")]
#[inline(always)]
pub(super) fn execute<'g>(
    thread: &mut Thread<'_>,
    function: &Function,
    globals: &'g [Variable],
    registers: &mut [Slot],
    next: &mut usize,
    owns: &mut bool,
) -> Result<Stop<'g>> {
    let code = &*function.code;
    let (ops, constants) = (&code.ops[..], &code.constants[..]);
    let mut at = *next;
    macro_rules! value {
        ($operand:expr) => {
            operand(registers, constants, $operand)
        };
    }
    /// An operand, if it is a small integer.
    macro_rules! small {
        ($operand:expr) => {
            small_operand(registers, constants, $operand)
        };
    }
    /// The register, if it contains a small integer.
    macro_rules! small_register {
        ($register:expr) => {
            match registers.get($register as usize) {
                Some(Slot::Value(Value::Int(it))) => Some(*it),
                _ => None,
            }
        };
    }
    /// Both operands, if they are small integers.
    macro_rules! both_small {
        ($left:expr, $right:expr) => {
            small!($left).and_then(|left| small!($right).map(|right| (left, right)))
        };
    }
    /// Puts the next element of a loop into a register. The value is false if there is none.
    macro_rules! next_element {
        ($iterator:expr, $to:expr) => {
            match &mut registers[$iterator as usize] {
                Slot::Iterator(values) => {
                    if let Some(value) = values.next_int() {
                        registers[$to as usize].set_int(value);
                        true
                    } else if let Some(value) = values.next_of_list() {
                        *owns = true;
                        let value = value.clone_element();
                        registers[$to as usize].set(value);
                        true
                    } else if let Some(value) = values.next() {
                        *owns = true;
                        registers[$to as usize].set(value);
                        true
                    } else {
                        false
                    }
                }
                _ => false,
            }
        };
    }
    loop {
        let op = &ops[at];
        at += 1;
        match *op {
            Op::Copy { to, from } => {
                if let Some(number) = small!(from) {
                    registers[to as usize].set_int(number);
                    continue;
                }
                let value = value!(from).clone();
                *owns |= !value.is_plain();
                registers[to as usize].set(value);
                continue;
            }
            Op::Take { to, from } => {
                registers[to as usize] = std::mem::take(&mut registers[from as usize]);
                continue;
            }
            Op::GetGlobal { to, index } => {
                *owns = true;
                // Most of these are functions, which need no call to be cloned.
                if let Some(Value::Function(function)) = globals[index as usize].settled() {
                    registers[to as usize].set(Value::Function(Arc::clone(function)));
                    continue;
                }
                if let Some(value) = globals[index as usize].settled() {
                    registers[to as usize].set(value.clone());
                    continue;
                }
            }
            Op::Add { to, left, right } => {
                if let Some((a, b)) = both_small!(left, right)
                    && let Some(sum) = a.checked_add(b)
                {
                    registers[to as usize].set_int(sum);
                    continue;
                }
                if let (Value::String(_), Value::String(_)) = (value!(left), value!(right)) {
                    (*next, *owns) = (at, true);
                    build::add_texts(thread, code, registers, (to, left, right))?;
                    if thread.meter.is_due() {
                        return Ok(Stop::Measure);
                    }
                    continue;
                }
            }
            Op::AddSmall { to, left, number, .. } => {
                if let Some(left) = small_register!(left)
                    && let Some(sum) = left.checked_add(number.into())
                {
                    registers[to as usize].set_int(sum);
                    continue;
                }
            }
            Op::SubtractSmall { to, left, number, .. } => {
                if let Some(left) = small_register!(left)
                    && let Some(difference) = left.checked_sub(number.into())
                {
                    registers[to as usize].set_int(difference);
                    continue;
                }
            }
            Op::BinarySmall { op, to, left, number, .. } => {
                if let Some(left) = small_register!(left)
                    && let Some(result) = ops::small(op, left, number.into())
                {
                    registers[to as usize].set_int(result);
                    continue;
                }
            }
            Op::JumpUnlessCompareSmall { op, left, number, target, .. } => {
                if let Some(left) = small_register!(left) {
                    if !op.holds_for(left, number.into()) {
                        at = target as usize;
                    }
                    continue;
                }
            }
            Op::Subtract { to, left, right } => {
                if let Some((a, b)) = both_small!(left, right)
                    && let Some(difference) = a.checked_sub(b)
                {
                    registers[to as usize].set_int(difference);
                    continue;
                }
            }
            Op::Binary { op, to, left, right } => {
                if let Some((a, b)) = both_small!(left, right)
                    && let Some(result) = ops::small(op, a, b)
                {
                    registers[to as usize].set_int(result);
                    continue;
                }
            }
            Op::AddInPlace { register, right } => {
                if let Some((a, b)) = both_small!(register, right)
                    && let Some(sum) = a.checked_add(b)
                {
                    registers[register as usize].set_int(sum);
                    continue;
                }
            }
            Op::Compare { op, to, left, right } => {
                if let Some((a, b)) = both_small!(left, right) {
                    registers[to as usize].set(Value::Bool(op.holds_for(a, b)));
                    continue;
                }
            }
            Op::Jump { target } => {
                at = target as usize;
                continue;
            }
            Op::Loop { target } if thread.meter.step() => {
                at = target as usize;
                continue;
            }
            Op::JumpIf { operand, when, target } => {
                if value!(operand).truth() == when {
                    at = target as usize;
                }
                continue;
            }
            Op::JumpIfCompare { op, when, left, right, target } => {
                if let Some((a, b)) = both_small!(left, right) {
                    if op.holds_for(a, b) == when {
                        at = target as usize;
                    }
                    continue;
                }
            }
            Op::GetAttribute { to, object, name } => {
                if let Value::Struct(fields) = value!(object)
                    && let Some(value) = fields.attribute(&code.names[name as usize])
                {
                    if let Value::Int(number) = *value {
                        registers[to as usize].set_int(number);
                        continue;
                    }
                    let value = value.clone();
                    *owns |= !value.is_plain();
                    registers[to as usize].set(value);
                    continue;
                }
            }
            Op::GetIndex { to, object, key }
                if get_element(registers, constants, (to, object, key)) =>
            {
                *owns = true;
                continue;
            }
            Op::Next { iterator, to, target } => {
                if !next_element!(iterator, to) {
                    at = target as usize;
                }
                continue;
            }
            Op::Repeat { iterator, to, target } if thread.meter.step() => {
                if next_element!(iterator, to) {
                    at = target as usize + 1;
                }
                continue;
            }
            Op::Call { function: callee, args, to, site } => {
                let call = &code.calls[site as usize];
                if !(call.args || call.kwargs)
                    && let Some(function) = called(registers, constants, callee, code)
                {
                    *next = at;
                    let passed = Passed::InPlace(site);
                    return Ok(Stop::Call { function, args, to, passed });
                }
                if !(call.args || call.kwargs)
                    && let Value::Builtin(_) = value!(callee)
                {
                    (*next, *owns) = (at, true);
                    invoke::call_builtin(thread, code, registers, (callee, args, to, site))?;
                    if thread.meter.is_due() {
                        return Ok(Stop::Measure);
                    }
                    continue;
                }
            }
            Op::CallGlobal { global, count, args, to, site } => {
                if let Some(Value::Function(callee)) = globals[global as usize].settled() {
                    *next = at;
                    if callee.code.takes_exactly(count.into()) && thread.descend() {
                        return Ok(Stop::CallGlobal { callee, args, to, given: count });
                    }
                    let (function, passed) = (Arc::clone(callee), Passed::InPlace(site));
                    return Ok(Stop::Call { function, args, to, passed });
                }
            }
            Op::GetMethod { to, object, site } => {
                (*next, *owns) = (at, true);
                invoke::get_method(thread, code, registers, (to, object, site))?;
                continue;
            }
            Op::CallMethod { object, args, to, site } => {
                (*next, *owns) = (at, true);
                if let Some(stop) =
                    invoke::call_method(thread, code, registers, (object, args, to, site))?
                {
                    return Ok(stop);
                }
                if thread.meter.is_due() {
                    return Ok(Stop::Measure);
                }
                continue;
            }
            Op::Append { list, value } => {
                if let Some(number) = small!(value)
                    && let Slot::Elements(elements) = &mut registers[list as usize]
                {
                    thread.meter.ask_unprocessed(size_of::<Value>());
                    elements.push(Value::Int(number));
                    continue;
                }
                build::append(thread, code, registers, (list, value));
                continue;
            }
            Op::Insert { dict, key, value } => {
                *next = at;
                build::insert(thread, code, registers, (dict, key, value))?;
                continue;
            }
            Op::InsertNew { dict, key, value } => {
                *next = at;
                build::insert_new(thread, code, registers, (dict, key, value))?;
                continue;
            }
            Op::Return { from } => {
                *next = at;
                return Ok(match small!(from) {
                    Some(number) => Stop::ReturnInt(number),
                    None => Stop::Return(from),
                });
            }
            _ => {}
        }
        (*next, *owns) = (at, true);
        if let Some(stop) = thread.perform(*op, function, globals, registers, next)? {
            return Ok(stop);
        }
        at = *next;
    }
}

#[inline]
pub(super) fn operand<'a>(
    registers: &'a [Slot],
    constants: &'a [Value],
    operand: Operand,
) -> &'a Value {
    if operand & CONSTANT == 0 {
        registers[operand as usize].value()
    } else {
        &constants[(operand ^ CONSTANT) as usize]
    }
}

/// Returns an operand that is a small integer.
#[inline]
fn small_operand(registers: &[Slot], constants: &[Value], operand: Operand) -> Option<i64> {
    if operand & CONSTANT == 0 {
        match registers.get(operand as usize) {
            Some(Slot::Value(Value::Int(it))) => Some(*it),
            _ => None,
        }
    } else {
        match constants.get((operand ^ CONSTANT) as usize) {
            Some(Value::Int(it)) => Some(*it),
            _ => None,
        }
    }
}

/// Puts an element into a register in the usual case: of a list by an index from its start, or of a
/// dictionary by a text or a small integer. Returns whether it was found.
///
/// It is cloned right into the register: the processor would have to wait for a copy in between.
#[inline(never)]
fn get_element(
    registers: &mut [Slot],
    constants: &[Value],
    (to, object, key): (Register, Operand, Operand),
) -> bool {
    let (to, object) = (to as usize, object as usize);
    let constant = constants.get((key ^ CONSTANT) as usize);
    let (to, object, key) = if let (true, Some(key)) = (key & CONSTANT != 0, constant) {
        let Ok([to, object]) = registers.get_disjoint_mut([to, object]) else { return false };
        (to, object, key)
    } else {
        let all = registers.get_disjoint_mut([to, object, key as usize]);
        let Ok([to, object, key]) = all else { return false };
        (to, object, key.value())
    };
    // What is dropped may do anything, and is dropped without a lock.
    to.clear();
    match (object.value(), key) {
        (Value::List(list), Value::Int(at)) => list.read(|elements| {
            let found = usize::try_from(*at).ok().and_then(|at| elements.get(at));
            found.map(|value| to.set(value.clone())).is_some()
        }),
        (Value::Dict(dict), Value::String(_) | Value::Int(_)) => {
            let found = dict.look_up(key, |found| found.map(|value| to.set(value.clone())));
            matches!(found, Ok(Some(())))
        }
        _ => false,
    }
}

/// Returns the function of the program that is called. It is moved out of a register that is not
/// needed again. Returns `None` for other values.
#[inline]
fn called(
    registers: &mut [Slot],
    constants: &[Value],
    callee: Operand,
    code: &Code,
) -> Option<Arc<Function>> {
    if code.is_temporary(callee) {
        let register = &mut registers[callee as usize];
        if !matches!(register, Slot::Value(Value::Function(_))) {
            return None;
        }
        return match std::mem::take(register) {
            Slot::Value(Value::Function(function)) => Some(function),
            _ => None,
        };
    }
    match operand(registers, constants, callee) {
        Value::Function(function) => Some(Arc::clone(function)),
        _ => None,
    }
}
