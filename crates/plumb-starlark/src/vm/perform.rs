//! The effect of each operation.
//!
//! One function has one arm for each operation. Everything longer than a few lines is a function
//! below or in [`invoke`](super::invoke). Common cases do not get here: see
//! [`execute`](super::execute).

use std::sync::{Arc, Weak};

use ecow::EcoVec;
use plumb_source::message::plain;
use plumb_source::{Span, Text, message};

use super::execute::operand;
use super::invoke::{arguments, clear};
use super::run::Stop;
use super::slot::Slot;
use super::thread::{Globals, Thread};
use super::{build, invoke, unite, variables};
use crate::code_error::CodeErrorKind;
use crate::compile::{Capture, Code, LoadSite, Op, Operand, Register};
use crate::error::{Error, Result};
use crate::heap::Heap;
use crate::ops::{self, BinaryOp};
use crate::value::function::Variable;
use crate::value::measure::{EMPTY_DICT, EMPTY_LIST, shallow};
use crate::value::table::Table;
use crate::value::{Function, List, Tuple};
use crate::value_error::ValueError;
use crate::{Value, spell};

/// The result of an operator.
enum Computed {
    /// It takes only a few bytes, so nothing is charged for it.
    Small(Value),
    /// It may be large.
    New(Value),
}

impl Thread<'_> {
    /// Performs one operation. `next` is the one after it. If the function stops, returns the
    /// reason.
    #[expect(clippy::too_many_lines, reason = "one arm for each operation, most of them one line")]
    #[inline(never)]
    #[expect(
        clippy::too_many_arguments,
        reason = "the machine code passes them in registers: a struct would be written to memory"
    )]
    pub(super) fn perform(
        &mut self,
        op: Op,
        function: &Function,
        globals: &[Variable],
        registers: &mut [Slot],
        next: &mut usize,
    ) -> Result<Option<Stop<'static>>> {
        let code = &*function.code;
        let constants = &code.constants[..];
        macro_rules! value {
            ($operand:expr) => {
                operand(registers, constants, $operand)
            };
        }
        /// The value of an operand. A temporary operand is not read again, so its value is moved.
        macro_rules! read {
            ($operand:expr) => {
                if code.is_temporary($operand) {
                    registers[$operand as usize].take()
                } else {
                    value!($operand).clone()
                }
            };
        }
        macro_rules! put {
            ($to:expr, $value:expr) => {{
                let value = $value;
                registers[$to as usize].set(value);
            }};
        }
        /// Like `put`, for results that may be large.
        macro_rules! put_new {
            ($to:expr, $value:expr) => {{
                let value = $value;
                self.meter.ask(shallow(&value))?;
                registers[$to as usize].set(value);
                if self.meter.is_due() {
                    return Ok(Some(Stop::Measure));
                }
            }};
        }
        match op {
            Op::Copy { .. }
            | Op::Take { .. }
            | Op::Jump { .. }
            | Op::JumpIf { .. }
            | Op::Append { .. }
            | Op::Insert { .. }
            | Op::InsertNew { .. }
            | Op::GetMethod { .. }
            | Op::CallMethod { .. }
            | Op::Next { .. }
            | Op::Return { .. } => unreachable!("the loop executes these"),
            Op::Constant { to, index } => put!(to, constants[index as usize].clone()),
            Op::Clear { register } => registers[register as usize].clear(),
            Op::Check { register } => {
                if matches!(registers[register as usize], Slot::Empty) {
                    return Err(variables::unassigned(code, register as usize));
                }
            }
            Op::GetGlobal { to, index } => {
                let value = globals[index as usize].get();
                put!(to, value.ok_or_else(|| variables::unassigned_global(code, index))?);
            }
            Op::SetGlobal { index, from, settle } => {
                let value = registers[from as usize].take();
                globals[index as usize].assign(value, settle);
            }
            Op::Export { index, from } => {
                if let Slot::Value(value) = std::mem::take(&mut registers[from as usize]) {
                    globals[index as usize].settle(value);
                }
            }
            Op::Count { point } => code.points[point as usize].hit(),
            Op::Settle { index } => globals[index as usize].settle_as_is(),
            Op::GetVariable { to, register } => {
                match variables::variable(registers, register).and_then(|it| it.get()) {
                    Some(value) => put!(to, value),
                    None => return Err(variables::unassigned(code, register as usize)),
                }
            }
            Op::SetVariable { register, from, settle } => {
                let value = registers[from as usize].take();
                if let Some(variable) = variables::variable(registers, register) {
                    variable.assign(self.heap(), value, settle);
                }
            }
            Op::GetFree { to, index } => {
                let value = function.captured[index as usize].get();
                put!(to, value.ok_or_else(|| variables::unassigned_free(code, index))?);
            }
            Op::Unary { op, to, operand } => put_new!(to, ops::unary(op, value!(operand))?),
            Op::Add { to, left, right } | Op::AddSmall { to, left, right, .. } => {
                let (left, right) = (value!(left), value!(right));
                self.meter.check(ops::sum_size(left, right))?;
                put_new!(to, ops::binary(BinaryOp::Add, left, right, self.meter.max_text())?);
            }
            Op::Subtract { to, left, right } | Op::SubtractSmall { to, left, right, .. } => {
                let (left, right) = (value!(left), value!(right));
                if let Some(difference) = unite::difference(self, left, right)? {
                    put_new!(to, difference);
                    return Ok(None);
                }
                put_new!(to, ops::binary(BinaryOp::Subtract, left, right, 0)?);
            }
            Op::Binary { op, to, left, right } | Op::BinarySmall { op, to, left, right, .. } => {
                match self.result_of(op, value!(left), value!(right))? {
                    Computed::Small(value) => put!(to, value),
                    Computed::New(value) => put_new!(to, value),
                }
            }
            Op::NotIn { to, left, right } => {
                let (left, right) = (value!(left), value!(right));
                self.count_key(left)?;
                put!(to, Value::Bool(!self.contains(left, right)?));
            }
            Op::Compare { op, to, left, right } => {
                put!(to, Value::Bool(self.compare(op, value!(left), value!(right))?));
            }
            Op::AddInPlace { register, right } => {
                if register == right {
                    let right = value!(right);
                    self.meter.check(ops::sum_size(right, right))?;
                    put_new!(register, double(self.heap(), right, self.meter.max_text())?);
                    return Ok(None);
                }
                self.add_in_place(registers, constants, register, right)?;
                if self.meter.is_due() {
                    return Ok(Some(Stop::Measure));
                }
            }
            Op::UniteInPlace { register, right } => {
                let (left, right) = (registers[register as usize].value(), value!(right));
                if unite::unite(self, left, right)? {
                    return Ok(None);
                }
                let max_text = self.meter.max_text();
                put_new!(register, ops::binary(BinaryOp::Or, left, right, max_text)?);
            }
            Op::AddInPlaceGlobal { index, right } => {
                let (variable, right) = (&globals[index as usize], value!(right));
                self.count_added(&variable.get().unwrap_or_default(), right)?;
                let max_text = self.meter.max_text();
                variables::add_to_global(self.heap(), variable, right, max_text)?;
            }
            Op::AddInPlaceVariable { register, right } => {
                if let Some(variable) = variables::variable(registers, register) {
                    let right = value!(right);
                    self.count_added(&variable.get().unwrap_or_default(), right)?;
                    let max_text = self.meter.max_text();
                    variables::add_to_shared(self.heap(), variable, right, max_text)?;
                }
            }
            Op::Loop { target } | Op::Repeat { target, .. } => {
                self.meter.count(1)?;
                *next = target as usize;
                if self.meter.is_due() {
                    return Ok(Some(Stop::Measure));
                }
            }
            Op::JumpIfCompare { op, when, left, right, target } => {
                let holds = self.compare(op, value!(left), value!(right))?;
                if holds == when {
                    *next = target as usize;
                }
            }
            Op::JumpUnlessCompareSmall { op, left, right, target, .. } => {
                if !self.compare(op, value!(left), value!(right))? {
                    *next = target as usize;
                }
            }
            Op::GetAttribute { to, object, name } => {
                let name = &code.names[name as usize];
                let object = value!(object);
                put!(to, ops::get_attribute(object, &name.name, self.language())?);
            }
            Op::SetAttribute { object, name } => {
                ops::set_attribute(value!(object), &code.names[name as usize].name)?;
            }
            Op::GetIndex { to, object, key } => {
                self.count_key(value!(key))?;
                put!(to, ops::get_index(value!(object), value!(key))?);
            }
            Op::SetIndex { object, key, value } => {
                self.meter.ask(3 * size_of::<Value>())?;
                self.count_key(value!(key))?;
                if let Value::Dict(dict) = value!(object) {
                    self.count_first_change(dict);
                }
                let (key, value) = (read!(key), read!(value));
                ops::set_index(self.heap(), value!(object), key, value)?;
            }
            Op::Slice { to, object, bounds } => {
                let bound = |at: u16| value!(bounds + at);
                put_new!(to, ops::slice(value!(object), bound(0), bound(1), bound(2))?);
            }
            Op::NewList { to, first, count } => {
                let list: List = taken(registers, first, count).collect();
                put_new!(to, Value::List(Arc::new(list)));
            }
            Op::ExtendList { list, first, count } => {
                let more: Vec<Value> = taken(registers, first, count).collect();
                self.meter.ask(more.len() * size_of::<Value>())?;
                if let Value::List(list) = value!(list) {
                    list.build(more)?;
                }
            }
            Op::StartList { to } => {
                self.meter.ask(EMPTY_LIST)?;
                registers[to as usize] = Slot::Elements(EcoVec::new());
            }
            Op::NewTuple { to, first, count } => {
                let tuple = match count {
                    2 => {
                        let left = registers[first as usize].take();
                        let right = registers[first as usize + 1].take();
                        Tuple::from(EcoVec::from([left, right]))
                    }
                    _ => taken(registers, first, count).collect(),
                };
                put_new!(to, Value::Tuple(tuple));
            }
            Op::ListToTuple { to, list } => {
                if let Value::List(list) = registers[list as usize].take() {
                    put!(to, Value::Tuple(Tuple::from(list.elements())));
                }
            }
            Op::NewDict { to, first, keys } => {
                let keys = &code.keys[keys as usize];
                let values = &mut registers[first as usize..first as usize + keys.len()];
                put!(to, build::dict(self, keys, values)?);
                if self.meter.is_due() {
                    return Ok(Some(Stop::Measure));
                }
            }
            Op::StartDict { to, capacity } => {
                self.meter.ask(EMPTY_DICT)?;
                let table = Table::with_capacity(capacity as usize);
                registers[to as usize] = Slot::Entries(Box::new(table));
            }
            Op::Finish { register } => {
                registers[register as usize].finish();
                if self.meter.is_due() {
                    return Ok(Some(Stop::Measure));
                }
            }
            Op::NewFunction { to, function: index, defaults } => {
                let code = &code.functions[index as usize];
                let made = new_function(function, code, registers, defaults);
                put_new!(to, Value::Function(Arc::new(made)));
            }
            Op::Reserve { to, iterator } => build::reserve(self, registers, to, iterator),
            Op::Iterate { to, from } => {
                let from = value!(from);
                let Some(values) = from.iterate() else {
                    return Err(not_iterable(from.type_name()));
                };
                registers[to as usize] = Slot::Iterator(Box::new(values));
            }
            Op::Unpack { from, first, count } => {
                let values = unpack(value!(from), count as usize)?;
                for (register, value) in registers[first as usize..].iter_mut().zip(values) {
                    *register = Slot::Value(value);
                }
            }
            Op::Call { function: callee, args, to, site } => {
                let call = &code.calls[site as usize];
                if call.args || call.kwargs {
                    let callee = value!(callee).clone();
                    let stop = invoke::call_spread(self, callee, call, registers, args, to)?;
                    return Ok(stop.or_else(|| self.meter.is_due().then_some(Stop::Measure)));
                }
                let result = self.call_with(value!(callee), &arguments(call, registers, args))?;
                clear(call, registers, args);
                put_new!(to, result);
            }
            Op::CallGlobal { global, args, to, site, .. } => {
                let callee = globals[global as usize].get();
                let callee =
                    callee.ok_or_else(|| variables::unassigned_global(code, global.into()))?;
                let call = &code.calls[site as usize];
                let result = self.call_with(&callee, &arguments(call, registers, args))?;
                clear(call, registers, args);
                put_new!(to, result);
            }
            Op::Host { args, to, site } => {
                let site = &code.instructions[site as usize];
                put!(to, invoke::instruction(self, site, registers, args)?);
            }
            Op::StartContext { op } => {
                let host = self.host;
                host.start_context(self, op)?;
            }
            Op::EndContext { to, from } => {
                let (host, returned) = (self.host, value!(from).clone());
                put!(to, host.end_context(self, Some(returned))?);
            }
            Op::EndContextEmpty { to } => {
                let host = self.host;
                put!(to, host.end_context(self, None)?);
            }
            Op::Load { first, site } => {
                let from = code.position(*next - 1);
                let values = self.load(&code.loads[site as usize], from)?;
                for (register, value) in registers[first as usize..].iter_mut().zip(values) {
                    *register = Slot::Value(value);
                }
            }
        }
        Ok(None)
    }

    /// Computes the result of an operator.
    #[inline]
    fn result_of(&mut self, op: BinaryOp, left: &Value, right: &Value) -> Result<Computed> {
        if let (Value::Int(_), Value::Int(_)) = (left, right)
            && op != BinaryOp::ShiftLeft
        {
            return Ok(Computed::Small(ops::binary(op, left, right, 0)?));
        }
        if op == BinaryOp::In {
            self.count_key(left)?;
            return Ok(Computed::Small(Value::Bool(self.contains(left, right)?)));
        }
        if op == BinaryOp::Or
            && let Some(union) = unite::union(self, left, right)?
        {
            return Ok(Computed::New(union));
        }
        Ok(Computed::New(self.binary(op, left, right)?))
    }

    /// Performs `register += right`.
    #[inline]
    fn add_in_place(
        &mut self,
        registers: &mut [Slot],
        constants: &[Value],
        register: Register,
        right: Operand,
    ) -> Result<()> {
        let left = registers[register as usize].value();
        self.count_added(left, operand(registers, constants, right))?;
        let mut sum = registers[register as usize].take();
        let right = operand(registers, constants, right);
        let added = ops::add_in_place(self.heap(), &mut sum, right, self.meter.max_text());
        registers[register as usize].set(sum);
        added
    }

    /// Charges for `left += right`, which appends to a list before it is measured.
    fn count_added(&mut self, left: &Value, right: &Value) -> Result<()> {
        if let Value::List(list) = left
            && let Some(elements) = right.iterate()
        {
            let (least, most) = elements.size_hint();
            let added = most.unwrap_or(least);
            self.count_steps(added)?;
            let room = (list.len().saturating_add(added)).saturating_mul(2 * size_of::<Value>());
            self.meter.check(room)?;
            return self.meter.ask(added.saturating_mul(2 * size_of::<Value>()));
        }
        self.meter.ask(shallow(right))
    }

    fn load(&mut self, site: &LoadSite, from: Option<Span>) -> Result<Vec<Value>> {
        let LoadSite { module, names } = site;
        let host = self.host;
        let loaded = host.load(self, module, from).map_err(|error| error.while_loading(module))?;
        // Like ytt, reports the last of several names that are not found.
        let missing = names.iter().rfind(|name| loaded.get(name).is_none());
        match missing {
            Some(name) => Err(not_found(name, module, &loaded)),
            None => Ok(names.iter().filter_map(|name| loaded.get(name).cloned()).collect()),
        }
    }
}

fn not_found(name: &Text, module: &Text, loaded: &Globals) -> Error {
    let known: Vec<Text> = loaded.iter().map(|(name, _)| name.clone()).collect();
    let nearest = spell::nearest(name, &known).cloned();
    let hint = nearest.as_ref().map(|it| message!(": did you mean `{}`?", plain(it)));
    let words = message!("{} does not define `{}`{hint}", plain(module), plain(name));
    let (name, module) = (name.clone(), module.clone());
    Error::of_code(words, CodeErrorKind::NotInModule { name, module, nearest, known })
}

fn not_iterable(found: &'static str) -> Error {
    let words = message!("expected a list or another iterable value, found {found}");
    Error::of_code(words, CodeErrorKind::NotIterable { found })
}

/// `x += x`
fn double(heap: &Heap, value: &Value, max_text: usize) -> Result<Value> {
    let mut sum = value.clone();
    ops::add_in_place(heap, &mut sum, value, max_text)?;
    Ok(sum)
}

/// Moves the values of consecutive registers out.
fn taken(
    registers: &mut [Slot],
    first: Register,
    count: u16,
) -> impl ExactSizeIterator<Item = Value> {
    let first = first as usize;
    registers[first..first + count as usize].iter_mut().map(Slot::take)
}

fn unpack(value: &Value, count: usize) -> Result<Vec<Value>> {
    let Some(mut values) = value.iterate() else {
        let error = ValueError::Unpack { found: value.type_name(), wanted: count };
        return Err(Error::new(error.clone()).with_detail(error));
    };
    let unpacked: Vec<Value> = values.by_ref().take(count).collect();
    if unpacked.len() < count {
        let found = Some(unpacked.len());
        return Err(Error::new(ValueError::UnpackCount { found, wanted: count }));
    }
    if values.next().is_some() {
        let found = value.length();
        return Err(Error::new(ValueError::UnpackCount { found, wanted: count }));
    }
    Ok(unpacked)
}

fn new_function(
    outer: &Function,
    code: &Arc<Code>,
    registers: &mut [Slot],
    defaults: Register,
) -> Function {
    let mut given = registers[defaults as usize..].iter_mut();
    let defaults = code.params.defaults.iter();
    let defaults = defaults.map(|&has| if has { given.next().map(Slot::take) } else { None });
    let defaults: Box<[Option<Value>]> = defaults.collect();
    let captured = code.captures.iter().map(|capture| match *capture {
        Capture::Register(register) => {
            variables::variable(registers, register).cloned().unwrap_or_default()
        }
        Capture::Free(index) => Arc::clone(&outer.captured[index as usize]),
    });
    let captured = captured.collect();
    Function { code: Arc::clone(code), globals: Weak::clone(&outer.globals), defaults, captured }
}
