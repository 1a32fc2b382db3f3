//! A thread of evaluation, which runs programs and calls their functions.

use std::sync::Arc;

use ecow::EcoVec;
use plumb_source::message::WrongCall;
use plumb_source::{Cancel, Text};

use super::host::Host;
use super::meter::{LARGE, Meter};
use super::run::Machine;
use super::slot::Slot;
use super::unite;
use crate::args::Args;
use crate::budget::Budget;
use crate::compile::Program;
use crate::error::{Error, ErrorKind, Result};
use crate::heap::Heap;
use crate::language::Language;
use crate::limits::Limits;
use crate::ops::{self, BinaryOp, CompareOp, interpolate};
use crate::value::builtin::{MethodDefinition, Reads};
use crate::value::compare::compare_within;
use crate::value::function::Variable;
use crate::value::int;
use crate::value::measure::{changed, made, searched, touched};
use crate::value::repr::{Room, check_length};
use crate::value::{Builtin, Dict, Function};
use crate::{Module, Value};

/// A larger buffer for text is not used again.
const MAX_BUFFER: usize = 4 << 10;

/// Runs programs for one host, within limits that all its runs share.
pub struct Thread<'h> {
    pub(super) host: &'h dyn Host,
    pub(super) meter: Meter,
    /// Calls that can still be nested.
    pub(super) depth: u32,
    regexp_limit: usize,
    /// Machines that are not in use.
    spare: Vec<Machine>,
    /// An empty buffer for text that is being written.
    buffer: Vec<u8>,
    /// Errors in operands of instructions, after which the program continued without the
    /// instruction, and the operations that they are in. `None` if the first error ends the
    /// program.
    pub(super) survived: Option<Vec<(usize, Error)>>,
}

/// Results of calls that native code keeps. The program cannot reach them, so they are counted
/// here.
pub(crate) struct Results {
    pub values: EcoVec<Value>,
    bytes: usize,
}

/// The variables of a module that has ended, frozen. Cloning shares them.
#[derive(Clone, Default)]
pub struct Globals(Arc<[(Text, Value)]>);

impl<'h> Thread<'h> {
    /// Elements that a comparison visits in about as long as one step takes.
    pub(crate) const ELEMENTS_PER_STEP: u64 = 8;

    /// A thread with its own budget.
    pub fn new(host: &'h dyn Host, limits: Limits) -> Self {
        Self::within(host, Budget::new(limits, Cancel::default()))
    }

    /// A thread that shares a budget with others.
    pub fn within(host: &'h dyn Host, budget: Arc<Budget>) -> Self {
        let limits = budget.limits();
        Self {
            host,
            meter: Meter::new(budget),
            depth: limits.depth,
            regexp_limit: limits.regexp,
            spare: Vec::new(),
            buffer: Vec::new(),
            survived: None,
        }
    }

    /// Returns the host that the thread runs for.
    pub fn host(&self) -> &'h dyn Host {
        self.host
    }

    /// Returns the remaining budget of this thread and the others of the run.
    pub fn budget(&self) -> &Arc<Budget> {
        self.meter.budget()
    }

    /// Returns the language that the thread runs.
    pub(crate) fn language(&self) -> Language {
        self.meter.budget().language()
    }

    /// Returns the owner of the variables of the run.
    pub(crate) fn heap(&self) -> &Heap {
        self.meter.budget().heap()
    }

    /// Returns the maximum size of the compiled form of a regular expression, in bytes.
    pub fn regexp_limit(&self) -> usize {
        self.regexp_limit
    }

    /// Runs a program to its end.
    pub fn run(&mut self, program: &Program) -> Result<Globals> {
        let variables: Arc<[Variable]> =
            program.globals.iter().map(|_| Variable::default()).collect();
        let toplevel = Function {
            code: Arc::clone(&program.toplevel),
            globals: Arc::downgrade(&variables),
            defaults: Box::default(),
            captured: Box::default(),
        };
        self.heap().check()?;
        self.heap().own(&variables);
        let ended = self.start(|thread, machine| {
            thread.run_function(machine, Arc::new(toplevel), &Args::new(&[], &[], &[]))
        });
        let values: Vec<Option<Value>> = variables.iter().map(Variable::get).collect();
        values.iter().flatten().for_each(Value::freeze);
        self.meter.ended();
        let kept = self.heap().keep(values.iter().flatten());
        ended.and(self.budget().hold(kept))?;
        let named = program.globals.iter().cloned().zip(values);
        Ok(named.filter_map(|(name, value)| Some((name, value?))).collect())
    }

    /// Runs a program as far as possible, and returns all of its errors.
    ///
    /// An error in an operand of an instruction at the top level does not end the program if only
    /// the instruction depends on it: the instruction is skipped. This requires that no calls were
    /// still to be made, because they could have changed values that later code sees.
    pub fn run_past_errors(
        &mut self,
        program: &Program,
    ) -> std::result::Result<Globals, Vec<Error>> {
        self.survived = Some(Vec::new());
        let result = self.run(program);
        let survived = self.survived.take().unwrap_or_default();
        let survived: Vec<Error> = survived.into_iter().map(|(_, error)| error).collect();
        match result {
            Ok(globals) if survived.is_empty() => Ok(globals),
            Ok(_) => Err(survived),
            Err(last) => Err(survived.into_iter().chain([last]).collect()),
        }
    }

    /// Calls a callable value.
    pub fn call(
        &mut self,
        function: &Value,
        positional: &[Value],
        named: &[(Text, Value)],
    ) -> Result<Value> {
        let positional: Vec<Slot> = positional.iter().cloned().map(Slot::Value).collect();
        let names: Vec<Text> = named.iter().map(|(name, _)| name.clone()).collect();
        let named: Vec<Slot> = named.iter().map(|(_, value)| Slot::Value(value.clone())).collect();
        self.call_with(function, &Args::new(&positional, &names, &named))
    }

    /// Calls a callable value with one argument.
    pub(crate) fn call_one(&mut self, function: &Value, argument: Value) -> Result<Value> {
        self.call_with(function, &Args::new(&[Slot::Value(argument)], &[], &[]))
    }

    /// Calls a function of the program with each of the values, and passes on the results. It has
    /// asked for the memory of what it made.
    pub(crate) fn call_with_each(
        &mut self,
        function: &Arc<Function>,
        values: &[Value],
        keep: impl FnMut(Value),
    ) -> Result<()> {
        if values.is_empty() {
            return Ok(());
        }
        self.call_function(|thread, machine| thread.run_each(machine, function, values, keep))
    }

    /// Calls a native function with each of the values, and keeps all results. Call
    /// [`drop_results`](Self::drop_results) when they are no longer needed.
    pub(crate) fn call_each(&mut self, function: &Value, values: &[Value]) -> Result<Results> {
        let mut results = Results { values: EcoVec::with_capacity(values.len()), bytes: 0 };
        for value in values {
            let result = self.call_one(function, value.clone())?;
            let bytes = made(&result);
            results.values.push(result);
            results.bytes += bytes;
            self.meter.ask(bytes)?;
            self.check_results(&mut results)?;
        }
        Ok(results)
    }

    fn check_results(&mut self, results: &mut Results) -> Result<()> {
        if self.meter.check(0).is_ok() {
            return Ok(());
        }
        // Shared texts were counted more than once.
        let bytes = self.heap().measure(|it| it.add_elements(&results.values));
        let bytes = usize::try_from(bytes).unwrap_or(usize::MAX).min(results.bytes);
        self.meter.give_back(results.bytes - bytes);
        results.bytes = bytes;
        self.meter.check(0)
    }

    pub(crate) fn drop_results(&mut self, results: Results) {
        self.meter.give_back(results.bytes);
        drop(results);
    }

    /// Calls a callable value, passing arguments on.
    pub(crate) fn call_with(&mut self, function: &Value, args: &Args<'_>) -> Result<Value> {
        match function {
            Value::Function(function) => self.call_function(|thread, machine| {
                let outer = thread.meter.enter();
                let result = thread.run_function(machine, Arc::clone(function), args);
                thread.meter.leave(outer);
                result
            }),
            Value::Builtin(builtin) => self.call_native_function(builtin, args),
            Value::Method(method) => self.call_native(method.definition, &method.receiver, args),
            Value::Host(host) if host.is_callable() => {
                self.count_arguments(args)?;
                host.call(self, args)
            }
            other => Err(Error::new(WrongCall::NotAFunction { found: other.type_name() })),
        }
    }

    /// Calls a function that is not written in the language.
    #[inline]
    pub(super) fn call_native_function(
        &mut self,
        function: &Builtin,
        args: &Args<'_>,
    ) -> Result<Value> {
        if !function.is_constant() {
            self.count_arguments(args)?;
        }
        function.call(self, args)
    }

    /// Calls a method of a built-in type.
    pub(super) fn call_native(
        &mut self,
        method: &MethodDefinition,
        receiver: &Value,
        args: &Args<'_>,
    ) -> Result<Value> {
        match method.reads {
            Reads::Nothing => {}
            Reads::Keys => {
                let keys = args.positional();
                let keys = keys.filter(|it| matches!(it, Value::String(_) | Value::Tuple(_)));
                self.count_bytes(keys.map(touched).fold(0, usize::saturating_add))?;
            }
            Reads::Arguments => self.count_arguments(args)?,
            Reads::All => {
                self.count_bytes(touched(receiver))?;
                self.count_arguments(args)?;
            }
        }
        (method.native)(self, receiver, args)
    }

    /// Charges for the arguments that native code is about to read. This is the only place that
    /// charges for calls of native functions, so a new function does not have to do it. A function
    /// itself only counts work beyond reading its arguments once.
    fn count_arguments(&mut self, args: &Args<'_>) -> Result<()> {
        let (positional, _, named) = args.slots();
        let bytes = positional.iter().chain(named).map(|it| touched(it.value()));
        let bytes = bytes.fold(0, usize::saturating_add);
        self.count_bytes(bytes)
    }

    /// Calls a function of the program from native code.
    fn call_function<T>(
        &mut self,
        run: impl FnOnce(&mut Self, &mut Machine) -> Result<T>,
    ) -> Result<T> {
        self.budget().enter_native()?;
        let result = self.start(run);
        self.budget().leave_native();
        result
    }

    /// Runs a function on a separate machine.
    fn start<T>(&mut self, run: impl FnOnce(&mut Self, &mut Machine) -> Result<T>) -> Result<T> {
        let mut machine = self.spare.pop().unwrap_or_default();
        let depth = self.depth;
        let result = run(self, &mut machine);
        self.depth = depth;
        if result.is_err() {
            machine.clear();
        }
        self.spare.push(machine);
        result.map_err(|error| match error.kind() {
            ErrorKind::Limit(_) => self.budget().reach(error),
            _ => error,
        })
    }

    /// Counts the step and the depth of a call, if neither limit is near. Returns whether they were
    /// counted.
    #[inline]
    pub(super) fn descend(&mut self) -> bool {
        if self.depth == 0 || !self.meter.step_reserved() {
            return false;
        }
        self.depth -= 1;
        true
    }

    /// Counts work done by native code: the number of elements that it visited.
    pub fn count_steps(&mut self, steps: usize) -> Result<()> {
        self.meter.count(steps as u64)
    }

    /// Counts text that native code processed.
    pub fn count_bytes(&mut self, bytes: usize) -> Result<()> {
        self.meter.count_bytes(bytes)
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

    /// Charges for the memory that the first change of a dictionary allocates. It must be called
    /// before each change.
    #[inline]
    pub(crate) fn count_first_change(&mut self, dict: &Dict) {
        if !dict.is_changed() {
            self.meter.ask_unprocessed(changed(dict.len()));
        }
    }

    /// Compares two values, and charges for what the comparison visits.
    pub(crate) fn compare(&mut self, op: CompareOp, left: &Value, right: &Value) -> Result<bool> {
        if let (Value::Int(left), Value::Int(right)) = (left, right) {
            return Ok(op.holds(left.cmp(right)));
        }
        if let (Value::Set(left), Value::Set(right)) = (left, right)
            && let Some(result) = unite::compare_sets(self, op, left, right)?
        {
            return Ok(result);
        }
        let max_elements = self.meter.steps_left().saturating_mul(Self::ELEMENTS_PER_STEP);
        let (result, elements) = compare_within(op, left, right, max_elements);
        self.meter.count(elements / Self::ELEMENTS_PER_STEP)?;
        result
    }

    /// Returns whether a list, a tuple or another container contains a value, and charges for what
    /// is compared.
    pub(super) fn contains(&mut self, item: &Value, container: &Value) -> Result<bool> {
        self.count_bytes(searched(container))?;
        let elements = match container {
            Value::List(list) => list.elements(),
            Value::Tuple(tuple) => tuple.elements(),
            other => return Ok(ops::binary(BinaryOp::In, item, other, 0)?.truth()),
        };
        for element in &elements {
            let is_equal = match (element, item) {
                (Value::Int(left), Value::Int(right)) => left == right,
                (Value::String(_), _) if !matches!(item, Value::String(_)) => false,
                _ => self.compare(CompareOp::Equal, element, item)?,
            };
            if is_equal {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Returns a value as the dialect prints it, with strings quoted, and charges for it.
    pub fn repr(&mut self, value: &Value) -> Result<Text> {
        self.write(|room| value.repr_within(room))
    }

    /// Writes values as text, and charges for what the length of the text does not show.
    pub(crate) fn write<T>(&mut self, write: impl FnOnce(&mut Room) -> Result<T>) -> Result<T> {
        let steps = self.meter.steps_left();
        let mut room = Room { bytes: self.max_text(), steps, language: self.language() };
        let written = write(&mut room);
        self.meter.count(steps - room.steps)?;
        written
    }

    /// Computes an operation of values that are not both small integers, and charges for what the
    /// size of the result does not show.
    pub(super) fn binary(&mut self, op: BinaryOp, left: &Value, right: &Value) -> Result<Value> {
        match (op, left) {
            (BinaryOp::Modulo, Value::String(format)) => {
                let mut out = std::mem::take(&mut self.buffer);
                let text = self.write(|room| interpolate(format, right, room, &mut out));
                if out.capacity() <= MAX_BUFFER {
                    out.clear();
                    self.buffer = out;
                }
                return text.map(Value::String);
            }
            (BinaryOp::Multiply, _) => self.meter.check(ops::product_size(left, right))?,
            (BinaryOp::Subtract, Value::Set(_)) => {
                if let Some(difference) = unite::difference(self, left, right)? {
                    return Ok(difference);
                }
            }
            _ => {}
        }
        self.meter.count(int::product_steps(int::big_bits(left), int::big_bits(right)))?;
        ops::binary(op, left, right, self.meter.max_text())
    }

    /// Fails if a new text of this many bytes is too long.
    pub fn check_text(&self, bytes: usize) -> Result<()> {
        check_length(bytes, self.max_text())
    }

    /// Returns the maximum number of bytes of a new text.
    pub fn max_text(&self) -> usize {
        self.meter.max_text()
    }

    /// Counts bytes of documents that a host builds, which stay in memory until the run ends.
    pub fn count_built(&mut self, bytes: usize) -> Result<()> {
        self.meter.build(bytes)
    }

    /// Returns how many more bytes can be used before the memory limit is reached.
    pub fn memory_left(&self) -> usize {
        self.meter.memory_left()
    }

    /// Fails if that many more bytes would exceed the memory limit.
    pub fn check_memory(&self, bytes: usize) -> Result<()> {
        self.meter.check(bytes)
    }
}

impl Globals {
    /// Returns the variable with that name.
    pub fn get(&self, name: &Text) -> Option<&Value> {
        let at = self.0.binary_search_by(|(it, _)| it.cmp(name)).ok()?;
        Some(&self.0[at].1)
    }

    /// Returns all variables by name, ascending.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&Text, &Value)> {
        self.0.iter().map(|(name, value)| (name, value))
    }
}

/// Names that begin with an underscore are private to the module, and are left out.
impl FromIterator<(Text, Value)> for Globals {
    fn from_iter<I: IntoIterator<Item = (Text, Value)>>(variables: I) -> Self {
        let public = variables.into_iter().filter(|(name, _)| !name.as_bytes().starts_with(b"_"));
        let mut variables: Vec<_> = public.collect();
        variables.sort_by(|(a, _), (b, _)| a.cmp(b));
        Self(variables.into())
    }
}

impl From<Module> for Globals {
    fn from(module: Module) -> Self {
        module.members().iter().cloned().collect()
    }
}
