//! One function being compiled: its registers, labels, constants and positions.

use std::cell::{Cell, RefCell};
use std::sync::Arc;

use hashbrown::HashMap;
use plumb_source::{Limit, Span, Text, message, room};

use super::code::{Capture, Code, First, Params, Positions, SharedRegister};
use super::count;
use super::op::{CONSTANT, MAX_OPERAND, Op, Operand, Register, Target};
use crate::Value;
use crate::coverage::{Point, PointKind};
use crate::error::{Error, Result};
use crate::piece::Script;
use crate::resolve::{BindingId, Kind, Resolved};
use crate::syntax::ast::{Ast, Body, FunctionId, Ident, Param, Symbol};
use crate::value::structs::AttributeName;

/// Compiles the top level of a module and all functions in it.
pub(super) fn compile_module(
    ast: &Ast,
    script: &Script,
    resolved: &Resolved,
    points: Option<&RefCell<Vec<Arc<Point>>>>,
) -> Result<Code> {
    let globals = resolved.globals.iter();
    let globals = globals.map(|&id| ast.name(resolved.binding(id).name).clone()).collect();
    let settled = resolved.globals.iter().map(|_| Cell::new(false)).collect();
    let program = Source { ast, script, resolved, globals, settled, points };
    let mut variables = resolved.module_locals.clone();
    let first_global = variables.len();
    variables.extend(&resolved.globals);
    let mut compiler = Compiler::new(&program, 0, &variables, first_global)?;
    compiler.code.name = Text::from("<toplevel>");
    compiler.statements(&ast.body)?;
    for (index, &id) in (0u32..).zip(&resolved.globals) {
        if matches!(resolved.binding(id).kind, Kind::SharedGlobal(_)) {
            compiler.emit(Op::Settle { index });
        } else {
            let from = compiler.global_register(index);
            compiler.emit(Op::Export { index, from });
        }
    }
    compiler.return_none()?;
    Ok(compiler.finish())
}

/// The state that all functions of a module share.
pub(super) struct Source<'a> {
    pub(super) ast: &'a Ast,
    pub(super) script: &'a Script,
    pub(super) resolved: &'a Resolved,
    globals: Arc<[Text]>,
    /// Variables of the module that certainly have their final values where the top level is being
    /// compiled, and so in all functions that are created there.
    settled: Vec<Cell<bool>>,
    /// The counters so far, if the program is compiled for coverage.
    pub(super) points: Option<&'a RefCell<Vec<Arc<Point>>>>,
}

pub(super) struct Compiler<'a> {
    pub(super) source: &'a Source<'a>,
    /// The place of the function itself.
    at: u32,
    pub(super) code: Code,
    positions: Positions,
    /// The next free register.
    next: usize,
    /// Variables, by register, that are certainly assigned here.
    pub(super) assigned: Vec<bool>,
    /// Variables that became assigned, in order. A variable that a branch assigns is not certainly
    /// assigned after it.
    pub(super) newly_assigned: Vec<Register>,
    /// The operation after each label.
    labels: Vec<Option<u32>>,
    constants: HashMap<ConstantKey, u32>,
    names: HashMap<Symbol, u32>,
    /// Labels of the surrounding loops: the targets of `continue` and `break`.
    pub(super) loops: Vec<(Target, Target)>,
}

/// Constants that are stored once.
#[derive(PartialEq, Eq, Hash)]
enum ConstantKey {
    Int(i64),
    Float(u64),
    String(Text),
    None,
    Bool(bool),
}

impl<'a> Compiler<'a> {
    fn new(
        source: &'a Source<'a>,
        at: u32,
        variables: &[BindingId],
        first_global: usize,
    ) -> Result<Self> {
        let resolved = source.resolved;
        let name = |&id| source.ast.name(resolved.binding(id).name).clone();
        let mut code = Code {
            variables: variables.iter().map(name).collect(),
            first_global,
            globals: Arc::clone(&source.globals),
            ..Code::default()
        };
        for (register, &id) in variables.iter().enumerate() {
            let binding = resolved.binding(id);
            if matches!(binding.kind, Kind::Shared(_)) {
                let register = Register::try_from(register).map_err(|_| too_many())?;
                code.shared.push(SharedRegister { register, settle: !binding.changes });
            }
        }
        let mut compiler = Self {
            source,
            at,
            code,
            positions: Positions::default(),
            next: 0,
            assigned: vec![false; variables.len()],
            newly_assigned: Vec::new(),
            labels: Vec::new(),
            constants: HashMap::new(),
            names: HashMap::new(),
            loops: Vec::new(),
        };
        compiler.reserve(variables.len())?;
        Ok(compiler)
    }

    pub(super) fn is_toplevel(&self) -> bool {
        self.code.first_global != usize::MAX
    }

    fn finish(mut self) -> Code {
        let Self { code, labels, .. } = &mut self;
        for op in &mut code.ops {
            if let Op::Jump { target }
            | Op::Loop { target }
            | Op::JumpIf { target, .. }
            | Op::JumpIfCompare { target, .. }
            | Op::JumpUnlessCompareSmall { target, .. }
            | Op::Next { target, .. }
            | Op::Repeat { target, .. } = op
            {
                *target = labels[*target as usize].expect("every label is placed");
            }
        }
        let mut code = self.code;
        code.set_positions(self.positions);
        code
    }

    /// Compiles an inner function.
    pub(super) fn function(&self, id: FunctionId) -> Result<Code> {
        let Source { ast, resolved, script, .. } = *self.source;
        let (function, scope) = (ast.function(id), resolved.scope(id));
        let mut inner = Compiler::new(self.source, function.at, &scope.locals, usize::MAX)?;
        inner.code.name =
            function.name.map_or_else(|| Text::from("lambda"), |name| ast.name(name).clone());
        inner.code.span = header(script, function.at, function.end);
        let name = |&id| ast.name(resolved.binding(id).name).clone();
        let params = scope.params as usize;
        let plain = params - usize::from(scope.varargs) - usize::from(scope.kwargs);
        inner.code.set_params(Params {
            names: scope.locals[..plain].iter().map(name).collect(),
            keyword_only: scope.keyword_only as usize,
            defaults: defaults(&function.params).into(),
            varargs: scope.varargs,
            kwargs: scope.kwargs,
        });
        inner.assigned[..params].fill(true);
        inner.code.free = scope.free.iter().map(name).collect();
        for &outer in &scope.free {
            inner.code.captures.push(match resolved.binding(outer).kind {
                Kind::Free(index) => Capture::Free(index),
                Kind::Shared(index) => {
                    Capture::Register(Register::try_from(index).map_err(|_| too_many())?)
                }
                _ => unreachable!("only variables of functions are captured"),
            });
        }
        let name = inner.code.name.clone();
        count::point(&mut inner, || PointKind::Function(name), function.at);
        inner.body(&function.body)?;
        Ok(inner.finish())
    }

    fn body(&mut self, body: &Body) -> Result<()> {
        match body {
            Body::Statements(statements) => {
                if let Some(op) = super::statements::first_building(self.source.ast, statements) {
                    self.code.builds = true;
                    self.emit(Op::StartContext { op });
                }
                self.statements(statements)?;
                self.return_none()
            }
            Body::Expression(value) => {
                let from = self.operand(*value)?;
                self.emit(Op::Return { from });
                Ok(())
            }
        }
    }

    /// The end of a function without a value.
    pub(super) fn return_none(&mut self) -> Result<()> {
        self.mark_start();
        let from = if self.code.builds {
            let to = self.allocate()?;
            self.emit(Op::EndContextEmpty { to });
            to
        } else {
            self.constant(Value::None)?
        };
        self.emit(Op::Return { from });
        Ok(())
    }

    pub(super) fn emit(&mut self, op: Op) {
        room::push(&mut self.code.ops, op);
    }

    /// Sets the place for errors, from the next operation on.
    pub(super) fn mark(&mut self, at: u32) {
        let span = self.source.script.span(at);
        let op = u32::try_from(self.code.ops.len()).expect("fewer than bytes of text, times few");
        if matches!(self.positions.first, First::Pending) {
            self.positions.first = First::Known(span);
        }
        match self.positions.places.last_mut() {
            Some(last) if last.0 == op => last.1 = span,
            Some(last) if last.1 == span => {}
            _ => room::push(&mut self.positions.places, (op, span)),
        }
    }

    /// Marks that an operation without a place follows. If it is the first of the function, it gets
    /// the place of the function.
    pub(super) fn mark_start(&mut self) {
        if matches!(self.positions.first, First::Pending) && !self.code.builds {
            self.mark(self.at);
        }
    }

    fn reserve(&mut self, count: usize) -> Result<()> {
        self.next += count;
        if self.next > MAX_OPERAND {
            return Err(too_many());
        }
        self.code.registers = self.code.registers.max(self.next);
        Ok(())
    }

    /// Returns a free register.
    pub(super) fn allocate(&mut self) -> Result<Register> {
        self.allocate_many(1)
    }

    /// Returns the first of `count` free registers in a row.
    pub(super) fn allocate_many(&mut self, count: usize) -> Result<Register> {
        let first = self.next;
        self.reserve(count)?;
        Ok(Register::try_from(first).expect("checked in `reserve`"))
    }

    /// Returns the number of registers in use, for [`free`](Self::free).
    pub(super) fn in_use(&self) -> usize {
        self.next
    }

    /// Frees the registers that were allocated since [`in_use`](Self::in_use).
    pub(super) fn free(&mut self, in_use: usize) {
        self.next = in_use;
    }

    pub(super) fn label(&mut self) -> Target {
        self.labels.push(None);
        u32::try_from(self.labels.len() - 1).expect("fewer than bytes of text")
    }

    pub(super) fn place(&mut self, label: Target) {
        let here = u32::try_from(self.code.ops.len()).expect("fewer than bytes of text, times few");
        self.labels[label as usize] = Some(here);
    }

    /// Returns an operand for a constant. It is a register if there are too many constants to
    /// address.
    pub(super) fn constant(&mut self, value: Value) -> Result<Operand> {
        let index = self.constant_index(value);
        if (index as usize) < MAX_OPERAND {
            return Ok(CONSTANT | Operand::try_from(index).expect("checked"));
        }
        let to = self.allocate()?;
        self.emit(Op::Constant { to, index });
        Ok(to)
    }

    pub(super) fn constant_index(&mut self, value: Value) -> u32 {
        self.mark_start();
        let next = u32::try_from(self.code.constants.len()).expect("fewer than bytes of text");
        let key = match &value {
            Value::Int(it) => Some(ConstantKey::Int(*it)),
            Value::Float(it) => Some(ConstantKey::Float(it.to_bits())),
            Value::String(it) => Some(ConstantKey::String(it.clone())),
            Value::None => Some(ConstantKey::None),
            Value::Bool(it) => Some(ConstantKey::Bool(*it)),
            _ => None,
        };
        if let Some(key) = key {
            let index = *self.constants.entry(key).or_insert(next);
            if index < next {
                return index;
            }
        }
        room::push(&mut self.code.constants, value);
        next
    }

    /// Returns the number that an operand is, if it is a constant and fits.
    pub(super) fn number<T: TryFrom<i64>>(&self, operand: Operand) -> Option<T> {
        let index = operand.checked_sub(CONSTANT)?;
        match self.code.constants.get(index as usize) {
            Some(Value::Int(number)) => T::try_from(*number).ok(),
            _ => None,
        }
    }

    pub(super) fn name(&mut self, symbol: Symbol) -> u32 {
        let next = u32::try_from(self.code.names.len()).expect("fewer than bytes of text");
        let index = *self.names.entry(symbol).or_insert(next);
        if index == next {
            let name = self.source.ast.name(symbol).clone();
            if self.code.names.is_empty() {
                // Most functions have few names.
                self.code.names.reserve_exact(1);
            }
            self.code.names.push(AttributeName::new(name));
        }
        index
    }

    pub(super) fn global_register(&self, index: u32) -> Register {
        let register = self.code.first_global + index as usize;
        Register::try_from(register).expect("variables were counted in `new`")
    }

    pub(super) fn assign_certainly(&mut self, register: Register) {
        if let Some(assigned) = self.assigned.get_mut(register as usize)
            && !std::mem::replace(assigned, true)
        {
            self.newly_assigned.push(register);
        }
    }

    /// Records that a variable of the module has its final value from here on.
    pub(super) fn settle_certainly(&mut self, index: u32) {
        if self.is_toplevel() && !self.source.settled[index as usize].replace(true) {
            self.newly_assigned.push(self.global_register(index));
        }
    }

    /// Returns the number of a variable of the module that certainly has its final value here.
    pub(super) fn settled_global(&self, ident: Ident) -> Option<u32> {
        match self.source.resolved.of_ident(ident).kind {
            Kind::SharedGlobal(index) if self.source.settled[index as usize].get() => Some(index),
            _ => None,
        }
    }

    /// Compiles code that may not run: its assignments are not certain afterwards.
    pub(super) fn perhaps<T>(&mut self, part: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        let before = self.newly_assigned.len();
        let result = part(self);
        for register in self.newly_assigned.drain(before..) {
            self.assigned[register as usize] = false;
            if let Some(index) = (register as usize).checked_sub(self.code.first_global) {
                self.source.settled[index].set(false);
            }
        }
        result
    }
}

fn header(script: &Script, start: u32, end: u32) -> Option<Span> {
    let (start, end) = (script.span(start)?, script.span(end)?);
    let one_line = start.file == end.file && start.start <= end.end;
    Some(if one_line { start.to(end) } else { start })
}

/// Returns, for the parameters from the first with a default on, whether each has one.
fn defaults(params: &[Param]) -> Vec<bool> {
    let mut star = false;
    let mut defaults = Vec::new();
    for param in params {
        match param {
            Param::Optional { .. } => defaults.push(true),
            Param::Required(_) if star => defaults.push(false),
            Param::Required(_) => {}
            Param::Star { .. } | Param::StarStar { .. } => star = true,
        }
    }
    defaults
}

fn too_many() -> Error {
    Error::limit(Limit::Fixed, message!("function with more than {MAX_OPERAND} variables"))
}
