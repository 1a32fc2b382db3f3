//! Variables in registers, and variables that functions share.

use std::sync::Arc;

use super::slot::Slot;
use crate::Value;
use crate::compile::{Code, Register};
use crate::error::{Error, Result};
use crate::heap::Heap;
use crate::ops;
use crate::value::function::{SharedVariable, Variable};
use crate::value_error::ValueError;

pub(super) fn unassigned(code: &Code, register: usize) -> Error {
    let is_local = register < code.first_global;
    Error::new(ValueError::Unassigned { name: code.variables[register].clone(), is_local })
}

pub(super) fn unassigned_global(code: &Code, index: u32) -> Error {
    let name = code.globals[index as usize].clone();
    Error::new(ValueError::Unassigned { name, is_local: false })
}

pub(super) fn unassigned_free(code: &Code, index: u32) -> Error {
    let name = code.free[index as usize].clone();
    Error::new(ValueError::Unassigned { name, is_local: true })
}

pub(super) fn variable(registers: &[Slot], register: Register) -> Option<&Arc<SharedVariable>> {
    match &registers[register as usize] {
        Slot::Variable(variable) => Some(variable),
        _ => None,
    }
}

/// Computes `variable += right` for a variable of a module, and changes the value in place.
pub(super) fn add_to_global(
    heap: &Heap,
    variable: &Variable,
    right: &Value,
    max_text: usize,
) -> Result<()> {
    let mut sum = variable.take_to_change().unwrap_or_default();
    let added = ops::add_in_place(heap, &mut sum, right, max_text);
    variable.set(sum);
    added
}

/// Computes `variable += right` for a variable that inner functions see.
pub(super) fn add_to_shared(
    heap: &Heap,
    variable: &Arc<SharedVariable>,
    right: &Value,
    max_text: usize,
) -> Result<()> {
    let mut sum = variable.take_to_change().unwrap_or_default();
    let added = ops::add_in_place(heap, &mut sum, right, max_text);
    variable.assign(heap, sum, false);
    added
}
