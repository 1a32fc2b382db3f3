//! Variables in registers, and variables that functions share.

use std::sync::Arc;

use plumb_source::message;

use super::slot::Slot;
use crate::Value;
use crate::compile::{Code, Register};
use crate::error::{Error, Result};
use crate::ops;
use crate::value::function::Variable;

pub(super) fn unassigned(code: &Code, register: usize) -> Error {
    let kind = if register >= code.first_global { "global" } else { "local" };
    let name = &code.variables[register];
    Error::new(message!("{kind} variable {name} referenced before assignment"))
}

pub(super) fn unassigned_global(code: &Code, index: u32) -> Error {
    let name = &code.globals[index as usize];
    Error::new(message!("global variable {name} referenced before assignment"))
}

pub(super) fn unassigned_free(code: &Code, index: u32) -> Error {
    let name = &code.free[index as usize];
    Error::new(message!("local variable {name} referenced before assignment"))
}

pub(super) fn variable(registers: &[Slot], register: Register) -> Option<&Arc<Variable>> {
    match &registers[register as usize] {
        Slot::Variable(variable) => Some(variable),
        Slot::Empty | Slot::Value(_) | Slot::Iterator(_) => None,
    }
}

pub(super) fn assign(variable: &Variable, value: Value, settle: bool) {
    if settle { variable.settle(value) } else { variable.set(value) }
}

/// Computes `variable += right`, and changes the value in place.
pub(super) fn add_to(variable: &Variable, right: &Value, max_text: usize) -> Result<()> {
    let mut sum = variable.take_to_change().unwrap_or_default();
    let added = ops::add_in_place(&mut sum, right, max_text);
    variable.set(sum);
    added
}
