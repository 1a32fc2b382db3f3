//! Loops, including comprehensions, and conditions.

use super::emit::Compiler;
use super::op::{Op, Register, Target};
use crate::Value;
use crate::coverage::PointKind;
use crate::error::Result;
use crate::syntax::ast::{
    Clause, Comprehension, ComprehensionBody, Expr, ExprId, Operator, Stmt, UnaryOp,
};

/// The first line of a loop.
pub(super) struct LoopHead {
    pub(super) target: ExprId,
    pub(super) iterable: ExprId,
    pub(super) at: u32,
    /// The list or dictionary to which each round of a comprehension adds one element.
    pub(super) collects: Option<Register>,
}

impl Compiler<'_> {
    pub(super) fn for_loop(
        &mut self,
        head: &LoopHead,
        body: impl FnOnce(&mut Self) -> Result<()>,
    ) -> Result<()> {
        let LoopHead { target, iterable, at, collects } = *head;
        let iterator = self.allocate()?;
        let in_use = self.in_use();
        let from = self.operand(iterable)?;
        self.mark(at);
        self.emit(Op::Iterate { to: iterator, from });
        self.free(in_use);
        if let Some(to) = collects {
            self.emit(Op::Reserve { to, iterator });
        }
        let (start, end) = (self.label(), self.label());
        self.place(start);
        self.perhaps(|it| {
            it.next_element(target, iterator, end, at)?;
            it.loops.push((start, end));
            let done = body(it);
            it.loops.pop();
            done
        })?;
        self.emit(Op::Loop { target: start });
        self.place(end);
        self.emit(Op::Clear { register: iterator });
        Ok(())
    }

    fn next_element(
        &mut self,
        target: ExprId,
        iterator: Register,
        end: Target,
        at: u32,
    ) -> Result<()> {
        let target = self.source.ast.unparen(target);
        if let Expr::Ident(ident) = *self.source.ast.expr(target)
            && let Some(to) = self.own_register(ident)
        {
            self.emit(Op::Next { iterator, to, target: end });
            self.assign_certainly(to);
            return Ok(());
        }
        let in_use = self.in_use();
        let to = self.allocate()?;
        self.emit(Op::Next { iterator, to, target: end });
        self.assign(target, to, at)?;
        self.free(in_use);
        Ok(())
    }

    pub(super) fn while_loop(&mut self, condition: ExprId, body: &[Stmt]) -> Result<()> {
        let (start, end) = (self.label(), self.label());
        self.place(start);
        let in_use = self.in_use();
        self.jump_unless(condition, end)?;
        self.free(in_use);
        self.perhaps(|it| {
            it.loops.push((start, end));
            it.count(|| PointKind::Branch(0), it.source.ast.start(condition));
            let done = it.statements(body);
            it.loops.pop();
            done
        })?;
        self.emit(Op::Loop { target: start });
        self.place(end);
        Ok(())
    }

    pub(super) fn comprehension(
        &mut self,
        comprehension: &Comprehension,
        to: Register,
    ) -> Result<()> {
        self.mark_start();
        self.emit(match comprehension.body {
            ComprehensionBody::List(_) => Op::StartList { to },
            ComprehensionBody::Dict(_) => Op::StartDict { to, capacity: 0 },
        });
        self.clauses(comprehension, 0, to)?;
        self.emit(Op::Finish { register: to });
        Ok(())
    }

    fn clauses(&mut self, comprehension: &Comprehension, index: usize, to: Register) -> Result<()> {
        let in_use = self.in_use();
        match comprehension.clauses.get(index) {
            Some(Clause::For { target, iterable, at }) => {
                // Without a condition, there will be as many elements.
                let collects = (comprehension.clauses.len() == 1).then_some(to);
                let (target, iterable, at) = (*target, *iterable, *at);
                let head = LoopHead { target, iterable, at, collects };
                self.for_loop(&head, |it| it.clauses(comprehension, index + 1, to))?;
            }
            Some(Clause::If(condition)) => {
                let skip = self.label();
                self.jump_unless(*condition, skip)?;
                self.clauses(comprehension, index + 1, to)?;
                self.place(skip);
            }
            None => self.element(comprehension.body, to)?,
        }
        self.free(in_use);
        Ok(())
    }

    fn element(&mut self, body: ComprehensionBody, to: Register) -> Result<()> {
        match body {
            ComprehensionBody::List(value) => {
                let value = self.operand(value)?;
                self.emit(Op::Append { list: to, value });
            }
            ComprehensionBody::Dict(entry) => {
                let key = self.operand(entry.key)?;
                let value = self.operand(entry.value)?;
                self.mark(entry.colon);
                self.emit(Op::Insert { dict: to, key, value });
            }
        }
        Ok(())
    }

    pub(super) fn jump_unless(&mut self, condition: ExprId, target: Target) -> Result<()> {
        self.jump_when(condition, false, target)
    }

    /// Jumps if the condition has the value `when`, and continues after it otherwise.
    fn jump_when(&mut self, condition: ExprId, when: bool, target: Target) -> Result<()> {
        match *self.source.ast.expr(condition) {
            Expr::Paren { inner, .. } => self.jump_when(inner, when, target),
            Expr::Unary { op: UnaryOp::Not, operand, .. } => self.jump_when(operand, !when, target),
            Expr::Binary { op: op @ (Operator::And | Operator::Or), .. } => {
                self.jump_chain(condition, op, when, target)
            }
            Expr::Binary { op: Operator::Compare(op), left, right, at } => {
                let left = self.operand(left)?;
                let right = self.operand(right)?;
                self.mark(at);
                self.emit(Op::JumpIfCompare { op, when, left, right, target });
                Ok(())
            }
            _ => {
                let operand = self.operand(condition)?;
                self.emit(Op::JumpIf { operand, when, target });
                Ok(())
            }
        }
    }

    /// Compiles `a and b and c`, or the same with `or`. All operands are compiled in a loop, so
    /// that any number is possible.
    fn jump_chain(
        &mut self,
        condition: ExprId,
        chained: Operator,
        when: bool,
        target: Target,
    ) -> Result<()> {
        let mut operands = Vec::new();
        let mut first = condition;
        while let Expr::Binary { op, left, right, .. } = *self.source.ast.expr(first)
            && op == chained
        {
            operands.push(right);
            first = left;
        }
        // The value that decides the whole expression: false for `and`, true for `or`.
        let deciding = chained == Operator::Or;
        let end = self.label();
        let early = if when == deciding { target } else { end };
        let last = operands.first().copied();
        for operand in std::iter::once(first).chain(operands.iter().rev().copied()) {
            let in_use = self.in_use();
            if Some(operand) == last {
                self.jump_when(operand, when, target)?;
            } else {
                self.jump_when(operand, deciding, early)?;
            }
            self.free(in_use);
        }
        self.place(end);
        Ok(())
    }

    pub(super) fn none(&mut self) -> Result<super::Operand> {
        self.constant(Value::None)
    }
}
