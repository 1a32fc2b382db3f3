//! Expressions.

use std::sync::Arc;

use super::code::Capture;
use super::emit::Compiler;
use super::op::{CONSTANT, Op, Operand, Register};
use super::{calls, count, loops};
use crate::Value;
use crate::coverage::PointKind;
use crate::error::Result;
use crate::ops::BinaryOp;
use crate::resolve::Kind;
use crate::syntax::ast::{Entry, Expr, ExprId, FunctionId, Ident, Operator, Param};
use crate::value::literal::KnownKeys;
use crate::value::table::Table;

/// The maximum number of elements of a list or tuple that are in registers at a time.
pub(super) const CHUNK: usize = 64;

impl Compiler<'_> {
    /// Returns the operand for the value of an expression: the register of a variable, a constant,
    /// or a new register.
    pub(super) fn operand(&mut self, id: ExprId) -> Result<Operand> {
        let id = self.source.ast.unparen(id);
        match self.source.ast.expr(id) {
            Expr::Ident(ident) => self.variable(*ident, None),
            Expr::Literal { value, .. } => self.constant(value.clone()),
            _ => {
                let to = self.allocate()?;
                self.expr_into(id, to)?;
                Ok(to)
            }
        }
    }

    /// Returns the operand of a variable. A variable without its own register is loaded into `to`,
    /// or a new register.
    fn variable(&mut self, ident: Ident, to: Option<Register>) -> Result<Operand> {
        let kind = self.source.resolved.of_ident(ident).kind;
        if let Kind::Constant(index) = kind {
            let value = self.source.resolved.constants[index as usize].clone();
            return self.constant(value);
        }
        self.mark(ident.at);
        if let Some(register) = self.own_register(ident) {
            if !self.assigned[register as usize] {
                self.emit(Op::Check { register });
            }
            return Ok(register);
        }
        let to = match to {
            Some(to) => to,
            None => self.allocate()?,
        };
        self.emit(match kind {
            Kind::Shared(index) => {
                let register = Register::try_from(index).expect("counted in `new`");
                Op::GetVariable { to, register }
            }
            Kind::Free(index) => Op::GetFree { to, index },
            Kind::SharedGlobal(index) => Op::GetGlobal { to, index },
            Kind::Local(_) | Kind::Global(_) | Kind::Constant(_) | Kind::Undefined => {
                unreachable!("these are handled, or refused by the resolver")
            }
        });
        Ok(to)
    }

    /// Returns whether evaluating an expression writes its register last, after all reads. In this
    /// case, it may be the register of a variable that the expression itself uses.
    pub(super) fn writes_last(&self, id: ExprId) -> bool {
        match self.source.ast.expr(id) {
            Expr::Paren { inner, .. } => self.writes_last(*inner),
            Expr::List { items, .. } | Expr::Tuple { items, .. } => items.len() <= CHUNK,
            Expr::Binary { op: Operator::And | Operator::Or, .. }
            | Expr::Dict { .. }
            | Expr::Comprehension(_)
            | Expr::Conditional { .. } => false,
            Expr::Ident(_)
            | Expr::Literal { .. }
            | Expr::Unary { .. }
            | Expr::Binary { .. }
            | Expr::Dot { .. }
            | Expr::Index { .. }
            | Expr::Slice { .. }
            | Expr::Call { .. }
            | Expr::Lambda(_)
            | Expr::Host { .. } => true,
        }
    }

    /// Evaluates an expression into a register.
    ///
    /// Descends into the leading operands in a loop, to support chains of any length: the result of
    /// each operator is the leading operand of the next.
    pub(super) fn expr_into(&mut self, id: ExprId, to: Register) -> Result<()> {
        let (in_use, outer) = (self.in_use(), to);
        let id = self.source.ast.unparen(id);
        let mut chain = Vec::new();
        let mut first = id;
        while let Some(leading) = self.source.ast.leading(first) {
            self.mark_early(first);
            chain.push(first);
            first = leading;
        }
        if chain.is_empty() {
            self.leaf_into(first, to)?;
        } else {
            let mut leading = match calls::global_call(self, first, chain.last().copied()) {
                Some(called) => {
                    chain.pop();
                    let to = if chain.is_empty() { outer } else { self.allocate()? };
                    calls::call_global(self, called, to)?;
                    to
                }
                None => self.operand(first)?,
            };
            let between = if chain.len() > 1 { self.allocate()? } else { to };
            while let Some(id) = chain.pop() {
                let in_use = self.in_use();
                let to = if chain.is_empty() { outer } else { between };
                if let Some(called) = calls::method_call(self, id, chain.last().copied()) {
                    chain.pop();
                    let to = if chain.is_empty() { outer } else { between };
                    calls::call_method(self, called, leading, to)?;
                    leading = to;
                } else {
                    self.apply(id, leading, to)?;
                    leading = to;
                }
                self.free(in_use);
            }
        }
        self.free(in_use);
        Ok(())
    }

    /// A slice is marked before its operands, because it has no other place.
    fn mark_early(&mut self, id: ExprId) {
        if let Expr::Slice { at, .. } = self.source.ast.expr(id) {
            self.mark(*at);
        }
    }

    /// An operator whose leading operand is known.
    fn apply(&mut self, id: ExprId, leading: Operand, to: Register) -> Result<()> {
        match self.source.ast.expr(id) {
            Expr::Binary { op: op @ (Operator::And | Operator::Or), right, .. } => {
                self.logical(*op, leading, *right, to)
            }
            Expr::Binary { op, right, at, .. } => {
                let right = self.operand(*right)?;
                self.mark(*at);
                self.emit(operation(*op, to, leading, right, self.number(right)));
                Ok(())
            }
            Expr::Dot { name, at, .. } => {
                self.mark(*at);
                let name = self.name(*name);
                self.emit(Op::GetAttribute { to, object: leading, name });
                Ok(())
            }
            Expr::Index { key, at, .. } => {
                let key = self.operand(*key)?;
                self.mark(*at);
                self.emit(Op::GetIndex { to, object: leading, key });
                Ok(())
            }
            Expr::Slice { bounds, .. } => {
                let first = self.allocate_many(3)?;
                for (register, bound) in (first..).zip(&**bounds) {
                    if let Some(bound) = bound {
                        self.expr_into(*bound, register)?;
                    } else {
                        let from = self.constant(Value::None)?;
                        self.emit(Op::Copy { to: register, from });
                    }
                }
                self.emit(Op::Slice { to, object: leading, bounds: first });
                Ok(())
            }
            Expr::Call { args, at, .. } => calls::call(self, leading, args, *at, to),
            _ => unreachable!("other expressions have no leading operand"),
        }
    }

    /// `and` and `or`, which may leave out their right operand.
    fn logical(&mut self, op: Operator, left: Operand, right: ExprId, to: Register) -> Result<()> {
        let end = self.label();
        if left != to {
            self.emit(Op::Copy { to, from: left });
        }
        let when = op == Operator::Or;
        self.emit(Op::JumpIf { operand: to, when, target: end });
        self.expr_into(right, to)?;
        self.place(end);
        Ok(())
    }

    /// An expression without a leading operand.
    fn leaf_into(&mut self, id: ExprId, to: Register) -> Result<()> {
        match self.source.ast.expr(id) {
            Expr::Ident(ident) => {
                let from = self.variable(*ident, Some(to))?;
                if from != to {
                    self.emit(Op::Copy { to, from });
                }
                Ok(())
            }
            Expr::Literal { value, .. } => {
                let index = self.constant_index(value.clone());
                self.emit(Op::Constant { to, index });
                Ok(())
            }
            Expr::Paren { inner, .. } => self.expr_into(*inner, to),
            Expr::List { items, .. } => self.list(items, to),
            Expr::Tuple { items, .. } => self.tuple(items, to),
            Expr::Dict { entries, .. } => self.dict(entries, to),
            Expr::Comprehension(comprehension) => loops::comprehension(self, comprehension, to),
            Expr::Conditional { condition, then, otherwise } => {
                let (no, end) = (self.label(), self.label());
                let at = self.source.ast.start(*condition);
                loops::jump_unless(self, *condition, no)?;
                count::point(self, || PointKind::Branch(0), at);
                self.expr_into(*then, to)?;
                self.emit(Op::Jump { target: end });
                self.place(no);
                count::point(self, || PointKind::Branch(1), at);
                self.expr_into(*otherwise, to)?;
                self.place(end);
                Ok(())
            }
            Expr::Unary { op, operand, at } => {
                let operand = self.operand(*operand)?;
                self.mark(*at);
                self.emit(Op::Unary { op: *op, to, operand });
                Ok(())
            }
            Expr::Lambda(function) => self.new_function(*function, to, None),
            Expr::Host { op, args, at, .. } => calls::instruction(self, *op, args, *at, to),
            Expr::Binary { .. }
            | Expr::Dot { .. }
            | Expr::Index { .. }
            | Expr::Slice { .. }
            | Expr::Call { .. } => unreachable!("these have a leading operand"),
        }
    }

    /// Evaluates up to [`CHUNK`] expressions into registers in a row.
    pub(super) fn chunk(&mut self, items: &[ExprId]) -> Result<(Register, u16)> {
        let first = self.allocate_many(items.len())?;
        for (register, &item) in (first..).zip(items) {
            self.expr_into(item, register)?;
        }
        Ok((first, u16::try_from(items.len()).expect("at most CHUNK")))
    }

    fn list(&mut self, items: &[ExprId], to: Register) -> Result<()> {
        let in_use = self.in_use();
        let mut chunks = items.chunks(CHUNK);
        let (first, count) = self.chunk(chunks.next().unwrap_or_default())?;
        self.mark_start();
        self.emit(Op::NewList { to, first, count });
        self.free(in_use);
        for chunk in chunks {
            let (first, count) = self.chunk(chunk)?;
            self.emit(Op::ExtendList { list: to, first, count });
            self.free(in_use);
        }
        Ok(())
    }

    fn tuple(&mut self, items: &[ExprId], to: Register) -> Result<()> {
        if items.len() <= CHUNK {
            let (first, count) = self.chunk(items)?;
            self.mark_start();
            self.emit(Op::NewTuple { to, first, count });
            return Ok(());
        }
        self.list(items, to)?;
        self.emit(Op::ListToTuple { to, list: to });
        Ok(())
    }

    fn dict(&mut self, entries: &[Entry], to: Register) -> Result<()> {
        self.mark_start();
        if let Some(keys) = self.known_keys(entries) {
            let first = self.allocate_many(entries.len())?;
            for (register, entry) in (first..).zip(entries) {
                self.expr_into(entry.value, register)?;
            }
            let index = u32::try_from(self.code.keys.len()).expect("fewer than bytes of text");
            self.code.keys.push(Arc::new(keys));
            self.emit(Op::NewDict { to, first, keys: index });
            return Ok(());
        }
        let capacity = u16::try_from(entries.len()).unwrap_or(u16::MAX);
        self.emit(Op::StartDict { to, capacity });
        for entry in entries {
            let in_use = self.in_use();
            let key = self.operand(entry.key)?;
            let value = self.operand(entry.value)?;
            self.mark(entry.colon);
            self.emit(Op::InsertNew { dict: to, key, value });
            self.free(in_use);
        }
        self.emit(Op::Finish { register: to });
        Ok(())
    }

    /// Returns the keys of a small dictionary if they are known to be different.
    fn known_keys(&self, entries: &[Entry]) -> Option<KnownKeys> {
        if entries.len() > Table::SMALL {
            return None;
        }
        let key = |entry: &Entry| match self.source.ast.expr(entry.key) {
            Expr::Literal { value: key, .. } => Some(key.clone()),
            _ => None,
        };
        KnownKeys::new(entries.iter().map(key).collect::<Option<_>>()?)
    }

    /// Creates a function. `global` is the variable of the module that it is then assigned to, and
    /// that is not assigned again.
    pub(super) fn new_function(
        &mut self,
        id: FunctionId,
        to: Register,
        global: Option<u32>,
    ) -> Result<()> {
        let function = self.source.ast.function(id);
        self.mark(function.at);
        let in_use = self.in_use();
        let values: Vec<ExprId> = function
            .params
            .iter()
            .filter_map(|param| match param {
                Param::Optional { default, .. } => Some(*default),
                Param::Required(_) | Param::Star { .. } | Param::StarStar { .. } => None,
            })
            .collect();
        let defaults = self.allocate_many(values.len())?;
        for (register, value) in (defaults..).zip(values) {
            self.expr_into(value, register)?;
        }
        if let Some(index) = global {
            // Its body cannot run before it is assigned.
            self.settle_certainly(index);
        }
        let code = self.function(id)?;
        debug_assert!(
            code.captures.iter().all(|capture| match capture {
                Capture::Register(register) => {
                    self.code.shared.iter().any(|it| it.register == *register)
                }
                Capture::Free(_) => true,
            }),
            "captured variables are shared"
        );
        let index = u32::try_from(self.code.functions.len()).expect("fewer than bytes of text");
        self.code.functions.push(Arc::new(code));
        self.emit(Op::NewFunction { to, function: index, defaults });
        self.free(in_use);
        Ok(())
    }
}

/// The operation of an operator with two operands. `number` is the right one, if it is known.
fn operation(op: Operator, to: Register, left: Operand, right: Operand, number: Option<i32>) -> Op {
    let number = number.filter(|_| left & CONSTANT == 0);
    match (op, number) {
        (Operator::Compare(op), _) => Op::Compare { op, to, left, right },
        (Operator::NotIn, _) => Op::NotIn { to, left, right },
        (Operator::Binary(BinaryOp::Add), Some(number)) => Op::AddSmall { to, left, right, number },
        (Operator::Binary(BinaryOp::Add), None) => Op::Add { to, left, right },
        (Operator::Binary(BinaryOp::Subtract), Some(number)) => {
            Op::SubtractSmall { to, left, right, number }
        }
        (Operator::Binary(BinaryOp::Subtract), None) => Op::Subtract { to, left, right },
        (Operator::Binary(op), Some(number)) => Op::BinarySmall { op, to, left, right, number },
        (Operator::Binary(op), None) => Op::Binary { op, to, left, right },
        (Operator::And | Operator::Or, _) => unreachable!("they are jumps"),
    }
}
