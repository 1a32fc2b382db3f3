//! Calls that operations make.

use super::call::{self, Spread};
use super::execute::operand;
use super::run::{Passed, Stop};
use super::slot::Slot;
use super::thread::Thread;
use crate::args::Args;
use crate::compile::{CallSite, Code, HostSite, Operand, Register};
use crate::error::Result;
use crate::ops;
use crate::value::measure::{made, shallow};
use crate::{Value, methods};

#[expect(
    clippy::too_many_arguments,
    reason = "the machine code passes them in registers: a struct would be written to memory"
)]
pub(super) fn call_spread(
    thread: &mut Thread<'_>,
    callee: Value,
    site: &CallSite,
    registers: &mut [Slot],
    args: Register,
    to: Register,
) -> Result<Option<Stop<'static>>> {
    let spread = call::spread(thread, site, &mut registers[args as usize..])?;
    if let Value::Function(function) = callee {
        let passed = Passed::Spread(Box::new(spread));
        return Ok(Some(Stop::Call { function, args, to, passed }));
    }
    let Spread { positional, names, named } = &spread;
    let result = thread.call_with(&callee, &Args::new(positional, names, named))?;
    thread.meter.ask(made(&result))?;
    registers[to as usize] = Slot::Value(result);
    Ok(None)
}

/// Executes an instruction of the host with the arguments in registers.
#[inline]
pub(super) fn instruction(
    thread: &mut Thread<'_>,
    site: &HostSite,
    registers: &mut [Slot],
    args: Register,
) -> Result<Value> {
    let (host, call) = (thread.host, site.call());
    let result = if call.args || call.kwargs {
        let spread = call::spread(thread, call, &mut registers[args as usize..])?;
        let args = Args::new(&spread.positional, &spread.names, &spread.named);
        host.instruction(thread, site.op, &args)?
    } else {
        host.instruction(thread, site.op, &arguments(call, registers, args))?
    };
    clear(call, registers, args);
    Ok(result)
}

/// Calls a native function with the arguments in registers.
#[inline(never)]
pub(super) fn call_builtin(
    thread: &mut Thread<'_>,
    code: &Code,
    registers: &mut [Slot],
    (callee, args, to, site): (Operand, Register, Register, u32),
) -> Result<()> {
    let Value::Builtin(builtin) = operand(registers, &code.constants, callee) else {
        return Ok(());
    };
    let site = &code.calls[site as usize];
    let result = thread.call_native_function(builtin, &arguments(site, registers, args));
    let bytes = result.as_ref().map_or(0, shallow);
    clear(site, registers, args);
    // The result is moved once: it was just written, and the processor would wait for each copy.
    registers[to as usize].set(result?);
    thread.meter.ask(bytes)
}

/// Prepares a method call whose arguments can fail.
#[inline(never)]
pub(super) fn get_method(
    thread: &mut Thread<'_>,
    code: &Code,
    registers: &mut [Slot],
    (to, object, site): (Register, Operand, u32),
) -> Result<()> {
    let Some(method) = &code.calls[site as usize].method else { return Ok(()) };
    let object = operand(registers, &code.constants, object);
    if methods::by_id(object, method.id, thread.language()).is_some() {
        registers[to as usize].clear();
    } else {
        let value = ops::get_attribute(object, &method.name, thread.language())?;
        registers[to as usize].set(value);
    }
    Ok(())
}

pub(super) fn call_method(
    thread: &mut Thread<'_>,
    code: &Code,
    registers: &mut [Slot],
    (object, args, to, site): (Operand, Register, Register, u32),
) -> Result<Option<Stop<'static>>> {
    let index = site;
    let site = &code.calls[index as usize];
    let Some(method) = &site.method else { return Ok(None) };
    let receiver = operand(registers, &code.constants, object);
    if let Some(definition) = methods::by_id(receiver, method.id, thread.language()) {
        if let Some(keep) = definition.keeps
            && site.has_single_argument()
        {
            let argument = registers[args as usize].take();
            keep(thread, operand(registers, &code.constants, object), argument)?;
            thread.meter.ask(size_of::<Value>())?;
            registers[to as usize].set(Value::None);
            return Ok(None);
        }
        let result = if site.args || site.kwargs {
            let receiver = receiver.clone();
            let Spread { positional, names, named } =
                call::spread(thread, site, &mut registers[args as usize..])?;
            let args = Args::new(&positional, &names, &named);
            thread.call_native(definition, &receiver, &args)?
        } else {
            thread.call_native(definition, receiver, &arguments(site, registers, args))?
        };
        clear(site, registers, args);
        // A method usually adds about the size of its arguments to its receiver.
        thread.meter.ask(made(&result) + size_of::<Value>())?;
        registers[to as usize] = Slot::Value(result);
        return Ok(None);
    }
    let callee = match method.prepared {
        Some(prepared) => registers[prepared as usize].take(),
        None => ops::get_attribute(receiver, &method.name, thread.language())?,
    };
    call_value(thread, callee, code, registers, (args, to, index))
}

/// Calls a value that is not in a register.
pub(super) fn call_value(
    thread: &mut Thread<'_>,
    callee: Value,
    code: &Code,
    registers: &mut [Slot],
    (args, to, index): (Register, Register, u32),
) -> Result<Option<Stop<'static>>> {
    let site = &code.calls[index as usize];
    if site.args || site.kwargs {
        return call_spread(thread, callee, site, registers, args, to);
    }
    if let Value::Function(function) = callee {
        let passed = Passed::InPlace(index);
        return Ok(Some(Stop::Call { function, args, to, passed }));
    }
    let result = thread.call_with(&callee, &arguments(site, registers, args))?;
    clear(site, registers, args);
    thread.meter.ask(made(&result))?;
    registers[to as usize] = Slot::Value(result);
    Ok(None)
}

pub(super) fn arguments<'a>(
    site: &'a CallSite,
    registers: &'a [Slot],
    first: Register,
) -> Args<'a> {
    let args = &registers[first as usize..];
    let (positional, rest) = args.split_at(site.positional as usize);
    Args::new(positional, &site.named, &rest[..site.named.len()]).at_site(&site.shape)
}

/// Drops arguments after a native call: a string with two references cannot grow in place.
pub(super) fn clear(site: &CallSite, registers: &mut [Slot], first: Register) {
    let first = first as usize;
    let count = site.positional as usize + site.named.len();
    for slot in &mut registers[first..first + count] {
        slot.clear();
    }
}
