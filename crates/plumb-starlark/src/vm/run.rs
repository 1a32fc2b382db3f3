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
    /// If nothing waits here: the function that was last called from here, if a variable of a
    /// module refers to it. It is usually called again, and then needs no other reference.
    function: Option<Arc<Function>>,
    /// The operation after the call.
    next: usize,
    base: usize,
    to: Register,
    /// Whether its registers may own memory.
    owns: bool,
    /// Whether to keep the function that was called.
    keeps: bool,
}

/// Why a function stopped.
pub(super) enum Stop<'g> {
    /// With a small integer, which is not moved through memory.
    ReturnInt(i64),
    /// With the value of an operand.
    Return(Operand),
    /// To call a function that a variable of the module refers to. Its step and its depth are
    /// counted, and its arguments are in the registers of its parameters.
    CallGlobal {
        callee: &'g Arc<Function>,
        args: Register,
        to: Register,
        given: u8,
    },
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

    /// Makes a function wait for the one that is called.
    #[inline]
    fn push(&mut self, function: &mut Arc<Function>, callee: Arc<Function>) -> &mut Caller {
        let caller = self.next_caller();
        caller.function = Some(std::mem::replace(function, callee));
        caller.keeps = false;
        caller
    }

    /// Like [`push`](Self::push), if a variable of a module refers to the function that is called.
    #[inline]
    fn push_kept(&mut self, function: &mut Arc<Function>, callee: &Arc<Function>) -> &mut Caller {
        let caller = self.next_caller();
        match &mut caller.function {
            Some(kept) if Arc::ptr_eq(kept, callee) => std::mem::swap(kept, function),
            other => *other = Some(std::mem::replace(function, Arc::clone(callee))),
        }
        caller.keeps = true;
        caller
    }

    #[inline]
    fn next_caller(&mut self) -> &mut Caller {
        if self.depth == self.callers.len() {
            self.callers.push(Caller::default());
        }
        let caller = &mut self.callers[self.depth];
        self.depth += 1;
        caller
    }

    /// Continues with the function that waits for this one.
    #[inline]
    fn pop(&mut self, function: &mut Arc<Function>) -> Option<&Caller> {
        let depth = self.depth.checked_sub(1)?;
        let caller = self.callers.get_mut(depth)?;
        if caller.keeps {
            std::mem::swap(caller.function.as_mut()?, function);
        } else {
            *function = caller.function.take()?;
        }
        self.depth = depth;
        Some(caller)
    }

    /// Makes sure that registers up to `end` exist.
    #[inline]
    fn grow(&mut self, end: usize) {
        if self.stack.len() < end {
            self.stack.resize_with(end, Slot::default);
        }
    }

    /// Returns the registers of a function from `base` on.
    fn registers(&mut self, base: usize, count: usize) -> &mut [Slot] {
        self.grow(base + count);
        &mut self.stack[base..base + count]
    }
}

impl Caller {
    /// Writes the fields one by one: the processor would have to wait for them before it could
    /// move them together.
    #[inline]
    fn set(&mut self, next: usize, base: usize, to: Register, owns: bool) {
        (self.next, self.base, self.to, self.owns) = (next, base, to, owns);
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
        let (mut base, mut next) = (0, 0);
        // Whether registers of the function may own memory. Many functions only use numbers.
        let mut owns = true;
        loop {
            if !std::ptr::addr_eq(function.globals.as_ptr(), Arc::as_ptr(&globals)) {
                globals = match function.globals.upgrade() {
                    Some(globals) => globals,
                    None => return Err(self.fail(machine, function, next, heap::ended())),
                };
            }
            let registers = &mut machine.stack[base..base + function.code.registers];
            let stopped = execute(self, &function, &globals, registers, &mut next, &mut owns);
            match stopped {
                Ok(Stop::ReturnInt(value)) => {
                    let registers = machine.registers(base, function.code.registers);
                    if owns {
                        release(registers);
                    }
                    debug_assert!(registers.iter().all(Slot::is_plain), "`owns` was set");
                    let Some(caller) = machine.pop(&mut function) else {
                        return Ok((Value::Int(value), Ready { function, globals }));
                    };
                    self.depth += 1;
                    (base, next, owns) = (caller.base, caller.next, caller.owns);
                    let to = base + caller.to as usize;
                    machine.stack[to].set_int(value);
                }
                Ok(Stop::Return(from)) => {
                    let registers = machine.registers(base, function.code.registers);
                    let value = if function.code.is_temporary(from) {
                        registers[from as usize].take()
                    } else {
                        operand(registers, &function.code.constants, from).clone()
                    };
                    if owns {
                        release(registers);
                    }
                    let Some(caller) = machine.pop(&mut function) else {
                        return Ok((value, Ready { function, globals }));
                    };
                    self.depth += 1;
                    (base, next, owns) = (caller.base, caller.next, true);
                    let to = base + caller.to as usize;
                    machine.stack[to].set(value);
                }
                Ok(Stop::CallGlobal { callee, args, to, given }) => {
                    let (from, inner) = (base, base + args as usize);
                    machine.grow(inner + callee.code.registers);
                    let given = given as usize;
                    let arguments = &machine.stack[inner..inner + given];
                    let owned = arguments.iter().any(|it| !it.is_plain());
                    let n_variables = callee.code.variables.len();
                    if n_variables > given {
                        let unset = &mut machine.stack[inner + given..inner + n_variables];
                        unset.iter_mut().for_each(Slot::clear);
                    }
                    machine.push_kept(&mut function, callee).set(next, from, to, owns);
                    (base, next, owns) = (inner, 0, owned);
                }
                Ok(Stop::Call { function: callee, args, to, passed }) => {
                    let entered =
                        self.enter(machine, &callee, &function, base + args as usize, passed);
                    machine.push(&mut function, callee).set(next, base, to, owns);
                    if let Err(error) = entered {
                        let mut error = error.about_call(function.code.span);
                        error.push_frame(frame(&function, function.code.first_position));
                        return Err(self.unwind(machine, function, error));
                    }
                    base += args as usize;
                    (next, owns) = (0, true);
                }
                Ok(Stop::Measure) => {
                    if let Err(error) = self.measure(machine, &function) {
                        return Err(self.fail(machine, function, next, error));
                    }
                }
                Err(error) => match self.survive(machine, &function, next - 1, error) {
                    Ok(end) => next = end,
                    Err(error) => return Err(self.fail(machine, function, next, error)),
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
        function: Arc<Function>,
        next: usize,
        mut error: Error,
    ) -> Error {
        let at = next - 1;
        self.abandon(&function.code, at);
        error.push_frame(frame(&function, function.code.position(at)));
        self.unwind(machine, function, error)
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

    /// Leaves all functions that wait because of an error, and adds their frames to it.
    fn unwind(
        &mut self,
        machine: &mut Machine,
        mut function: Arc<Function>,
        mut error: Error,
    ) -> Error {
        while let Some(caller) = machine.pop(&mut function) {
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

/// Drops what registers own. What was created last goes first: it often refers to what is older,
/// which is then freed in the order in which it was allocated.
fn release(registers: &mut [Slot]) {
    registers.iter_mut().rev().for_each(Slot::release);
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
