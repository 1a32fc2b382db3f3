//! Enters and leaves functions.
//!
//! Functions of the program call each other without using the native stack: `execute` stays within
//! one function and returns why it stopped, and the next one is entered here.

use std::sync::Arc;

use plumb_source::{Limit, Span, Text};

use super::call::{self, Spread};
use super::execute::{execute, operand};
use super::slot::Slot;
use super::thread::Thread;
use crate::Value;
use crate::args::Args;
use crate::compile::{Code, Op, Operand, Register};
use crate::error::{Error, Frame, Result};
use crate::heap;
use crate::value::Function;
use crate::value::function::Variable;
use crate::value::measure::Measurement;

/// The maximum number of errors before a program ends.
const MAX_SURVIVED: usize = 100;

/// Registers of all active functions, and where each continues.
#[derive(Default)]
pub(super) struct Machine {
    stack: Vec<Slot>,
    /// Functions that wait, and then places for more of them.
    callers: Vec<Caller>,
    /// How many functions wait.
    depth: usize,
}

/// A function that waits for one it called.
#[derive(Default)]
struct Caller {
    /// `None` if nothing waits here.
    function: Option<Arc<Function>>,
    /// The operation after the call.
    next: usize,
    base: usize,
    to: Register,
}

/// Why a function stopped.
pub(super) enum Stop {
    /// With the value of an operand.
    Return(Operand),
    Call {
        function: Arc<Function>,
        args: Register,
        to: Register,
        passed: Passed,
    },
    /// To measure the memory in use, and then continue.
    Measure,
}

/// A function that can run, with the variables of its module.
struct Ready {
    function: Arc<Function>,
    globals: Arc<[Variable]>,
}

pub(super) enum Passed {
    /// Arguments are in registers, as described by the call site.
    InPlace(u32),
    Spread(Box<Spread>),
}

impl Machine {
    /// Drops the values that functions left in registers when they ended with an error.
    pub(super) fn clear(&mut self) {
        self.stack.clear();
        self.callers.clear();
        self.depth = 0;
    }

    /// Returns the functions that wait, the first one that was called first.
    fn waiting(&self) -> impl Iterator<Item = &Arc<Function>> {
        self.callers[..self.depth].iter().filter_map(|it| it.function.as_ref())
    }

    /// Adds a function that waits. Its fields are written one by one: the processor would have to
    /// wait for them before it could move them together.
    #[inline]
    fn push(&mut self, function: Arc<Function>, next: usize, base: usize, to: Register) {
        if self.depth == self.callers.len() {
            self.callers.push(Caller::default());
        }
        let caller = &mut self.callers[self.depth];
        caller.function = Some(function);
        (caller.next, caller.base, caller.to) = (next, base, to);
        self.depth += 1;
    }

    /// Removes the function that waits for the one that ends.
    #[inline]
    fn pop(&mut self) -> Option<(Arc<Function>, &Caller)> {
        let depth = self.depth.checked_sub(1)?;
        let caller = &mut self.callers[depth];
        let function = caller.function.take()?;
        self.depth = depth;
        Some((function, caller))
    }

    /// Returns the registers of a function from `base` on.
    fn registers(&mut self, base: usize, count: usize) -> &mut [Slot] {
        if self.stack.len() < base + count {
            self.stack.resize_with(base + count, Slot::default);
        }
        &mut self.stack[base..base + count]
    }
}

impl Thread<'_> {
    pub(super) fn run_function(
        &mut self,
        machine: &mut Machine,
        function: Arc<Function>,
        args: &Args<'_>,
    ) -> Result<Value> {
        let (positional, names, named) = args.slots();
        let given = positional.len() + named.len();
        let registers = machine.registers(0, given.max(function.code.registers));
        for (register, slot) in registers.iter_mut().zip(positional.iter().chain(named)) {
            *register = Slot::Value(slot.value().clone());
        }
        bind(&function, registers, positional.len(), names)?;
        let (value, _) = self.run_bound(machine, Ready::new(function)?)?;
        Ok(value)
    }

    /// Calls a function with one value after the other, and passes on the results. The function and
    /// its registers are prepared once.
    pub(super) fn run_each(
        &mut self,
        machine: &mut Machine,
        function: &Arc<Function>,
        values: &[Value],
        mut keep: impl FnMut(Value),
    ) -> Result<()> {
        let mut ready = None;
        for value in values {
            let registers = machine.registers(0, function.code.registers.max(1));
            registers[0].set(value.clone_element());
            if function.code.takes_exactly(1) {
                call::clear_variables(function, registers, 1);
            } else {
                bind(function, registers, 1, &[])?;
            }
            let prepared = match ready.take() {
                Some(ready) => ready,
                None => Ready::new(Arc::clone(function))?,
            };
            let outer = self.meter.enter();
            let result = self.run_bound(machine, prepared);
            self.meter.leave(outer);
            let (value, again) = result?;
            keep(value);
            ready = Some(again);
        }
        Ok(())
    }

    /// Runs a function whose arguments are in its registers. Returns it to be called again.
    fn run_bound(&mut self, machine: &mut Machine, ready: Ready) -> Result<(Value, Ready)> {
        let Ready { mut function, mut globals } = ready;
        let mut base = 0;
        let mut next = 0;
        loop {
            if !std::ptr::addr_eq(function.globals.as_ptr(), Arc::as_ptr(&globals)) {
                globals = match function.globals.upgrade() {
                    Some(globals) => globals,
                    None => return Err(self.fail(machine, &function, next, heap::ended())),
                };
            }
            let registers = machine.registers(base, function.code.registers);
            let stopped = execute(self, &function, &globals, registers, &mut next);
            match stopped {
                Ok(Stop::Return(from)) => {
                    let registers = machine.registers(base, function.code.registers);
                    let constants = &function.code.constants[..];
                    // A number is not moved through memory.
                    let small = match operand(registers, constants, from) {
                        Value::Int(it) => Some(*it),
                        _ => None,
                    };
                    let value = match small {
                        Some(_) => Value::None,
                        None if function.code.is_temporary(from) => registers[from as usize].take(),
                        None => operand(registers, constants, from).clone(),
                    };
                    // What was created last goes first: it often refers to what is older, which is
                    // then freed in the order in which it was allocated.
                    registers.iter_mut().rev().for_each(Slot::release);
                    let Some((waiting, caller)) = machine.pop() else {
                        let value = small.map_or(value, Value::Int);
                        return Ok((value, Ready { function, globals }));
                    };
                    self.depth += 1;
                    (base, next) = (caller.base, caller.next);
                    let to = base + caller.to as usize;
                    match small {
                        Some(small) => machine.stack[to].set_int(small),
                        None => machine.stack[to].set(value),
                    }
                    function = waiting;
                }
                Ok(Stop::Call { function: callee, args, to, passed }) => {
                    let entered =
                        self.enter(machine, &callee, &function, base + args as usize, passed);
                    let caller = std::mem::replace(&mut function, callee);
                    machine.push(caller, next, base, to);
                    if let Err(error) = entered {
                        let mut error = error.about_call(function.code.span);
                        error.push_frame(frame(&function, function.code.first_position));
                        return Err(self.unwind(machine, error));
                    }
                    base += args as usize;
                    next = 0;
                }
                Ok(Stop::Measure) => {
                    if let Err(error) = self.measure(machine, &function) {
                        return Err(self.fail(machine, &function, next, error));
                    }
                }
                Err(error) => match self.survive(machine, &function, next - 1, error) {
                    Ok(end) => next = end,
                    Err(error) => return Err(self.fail(machine, &function, next, error)),
                },
            }
        }
    }

    /// Skips the instruction that failed at an operation, and returns where to continue. Returns
    /// the error if it must end the program.
    fn survive(
        &mut self,
        machine: &mut Machine,
        function: &Function,
        at: usize,
        mut error: Error,
    ) -> Result<usize> {
        let Some(survived) = &mut self.survived else { return Err(error) };
        // A function of the program may have been interrupted before it finished.
        let is_interrupted = error.frames().iter().any(|it| it.span.is_some());
        let is_limit = error.reached().is_some();
        if is_interrupted || is_limit || machine.depth > 0 {
            return Err(error);
        }
        let Some(skippable) = function.code.skippable(at) else { return Err(error) };
        let is_known = survived.iter().any(|&(it, _)| it == at);
        if !is_known && survived.len() == MAX_SURVIVED {
            return Err(error);
        }
        if !is_known {
            error.push_frame(frame(function, function.code.position(at)));
            survived.push((at, error));
        }
        // Iterators of comprehensions would prevent changes of the collections that they iterate
        // over.
        let registers = machine.registers(0, function.code.registers);
        registers[skippable.first_register as usize..].fill_with(Slot::default);
        Ok(skippable.end as usize)
    }

    /// Measures the values that the active functions can reach.
    fn measure(&mut self, machine: &Machine, current: &Function) -> Result<()> {
        let roots = |measurement: &mut Measurement<'_>| {
            measurement.add_function(current);
            machine.waiting().for_each(|it| measurement.add_function(it));
            for slot in &machine.stack {
                match slot {
                    Slot::Value(value) => measurement.add(value),
                    Slot::Variable(variable) => measurement.add_some(variable.get()),
                    Slot::Elements(elements) => measurement.add_elements(elements),
                    Slot::Entries(table) => measurement.add_entries(table),
                    Slot::Empty | Slot::Iterator(_) => {}
                }
            }
        };
        let reachable = self.heap().measure(roots);
        self.meter.measured(reachable)
    }

    /// Leaves a function because of an error in the operation before `next`.
    fn fail(
        &mut self,
        machine: &mut Machine,
        function: &Function,
        next: usize,
        mut error: Error,
    ) -> Error {
        let at = next - 1;
        self.abandon(&function.code, at);
        error.push_frame(frame(function, function.code.position(at)));
        self.unwind(machine, error)
    }

    /// Creates the registers of a function that is called.
    #[expect(
        clippy::too_many_arguments,
        reason = "the machine code passes them in registers: a struct would be written to memory"
    )]
    fn enter(
        &mut self,
        machine: &mut Machine,
        callee: &Function,
        caller: &Function,
        base: usize,
        passed: Passed,
    ) -> Result<()> {
        let Some(depth) = self.depth.checked_sub(1) else {
            return Err(Error::limit(Limit::Depth, "too many nested calls"));
        };
        self.depth = depth;
        self.count_steps(1)?;
        let needed = callee.code.registers;
        match passed {
            Passed::InPlace(site) => {
                let site = &caller.code.calls[site as usize];
                let positional = site.positional as usize;
                let given = positional + site.named.len();
                let registers = machine.registers(base, given.max(needed));
                if site.named.is_empty() && callee.code.takes_exactly(positional) {
                    call::clear_variables(callee, registers, given);
                    return Ok(());
                }
                call::bind(callee, registers, positional, &site.named)
            }
            Passed::Spread(spread) => {
                let Spread { positional, names, named } = *spread;
                let count = positional.len();
                let registers = machine.registers(base, needed.max(count + named.len()));
                for (register, slot) in
                    registers.iter_mut().zip(positional.into_iter().chain(named))
                {
                    *register = slot;
                }
                call::bind(callee, registers, count, &names)
            }
        }
    }

    /// Leaves all functions because of an error, and adds their frames to it.
    fn unwind(&mut self, machine: &mut Machine, mut error: Error) -> Error {
        while let Some((function, caller)) = machine.pop() {
            let at = caller.next - 1;
            self.abandon(&function.code, at);
            error.push_frame(frame(&function, function.code.position(at)));
        }
        error
    }

    /// Informs the host that a function with a context ends at this operation with an error.
    fn abandon(&self, code: &Code, at: usize) {
        let outside = matches!(
            code.ops[at],
            Op::StartContext { .. }
                | Op::EndContext { .. }
                | Op::EndContextEmpty { .. }
                | Op::Return { .. }
        );
        if code.builds && !outside {
            self.host.abandon_context();
        }
    }
}

impl Ready {
    fn new(function: Arc<Function>) -> Result<Self> {
        let globals = function.globals.upgrade().ok_or_else(heap::ended)?;
        Ok(Self { function, globals })
    }
}

/// Binds the arguments of a call from native code.
fn bind(
    function: &Function,
    registers: &mut [Slot],
    positional: usize,
    names: &[Text],
) -> Result<()> {
    call::bind(function, registers, positional, names).map_err(|error| {
        let mut error = error.about_call(function.code.span);
        error.push_frame(frame(function, function.code.first_position));
        error
    })
}

fn frame(function: &Function, span: Option<Span>) -> Frame {
    Frame { function: Some(function.name().to_string()), span, gap: None, host: None }
}
