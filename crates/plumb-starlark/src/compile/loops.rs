//! Loops, including comprehensions, and conditions.

use super::count;
use super::emit::Compiler;
use super::op::{CONSTANT, Op, Register, Target};
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

pub(super) fn for_loop(
    compiler: &mut Compiler<'_>,
    head: &LoopHead,
    body: impl FnOnce(&mut Compiler<'_>) -> Result<()>,
) -> Result<()> {
    let LoopHead { target, iterable, at, collects } = *head;
    let iterator = compiler.allocate()?;
    let in_use = compiler.in_use();
    let from = compiler.operand(iterable)?;
    compiler.mark(at);
    compiler.emit(Op::Iterate { to: iterator, from });
    compiler.free(in_use);
    if let Some(to) = collects {
        compiler.emit(Op::Reserve { to, iterator });
    }
    let (start, end) = (compiler.label(), compiler.label());
    compiler.place(start);
    let to = compiler.perhaps(|it| {
        let to = next_element(it, target, iterator, end, at)?;
        it.loops.push((start, end));
        let done = body(it);
        it.loops.pop();
        done.map(|()| to)
    })?;
    compiler.emit(Op::Repeat { iterator, to, target: start });
    compiler.place(end);
    compiler.emit(Op::Clear { register: iterator });
    Ok(())
}

/// Gets the next element and assigns it. Returns the register that it is first put into.
fn next_element(
    compiler: &mut Compiler<'_>,
    target: ExprId,
    iterator: Register,
    end: Target,
    at: u32,
) -> Result<Register> {
    let target = compiler.source.ast.unparen(target);
    if let Expr::Ident(ident) = *compiler.source.ast.expr(target)
        && let Some(to) = compiler.own_register(ident)
    {
        compiler.emit(Op::Next { iterator, to, target: end });
        compiler.assign_certainly(to);
        return Ok(to);
    }
    let in_use = compiler.in_use();
    let to = compiler.allocate()?;
    compiler.emit(Op::Next { iterator, to, target: end });
    compiler.assign(target, to, at)?;
    compiler.free(in_use);
    Ok(to)
}

pub(super) fn while_loop(
    compiler: &mut Compiler<'_>,
    condition: ExprId,
    body: &[Stmt],
) -> Result<()> {
    let (start, end) = (compiler.label(), compiler.label());
    compiler.place(start);
    let in_use = compiler.in_use();
    jump_unless(compiler, condition, end)?;
    compiler.free(in_use);
    compiler.perhaps(|it| {
        it.loops.push((start, end));
        count::point(it, || PointKind::Branch(0), it.source.ast.start(condition));
        let done = it.statements(body);
        it.loops.pop();
        done
    })?;
    compiler.emit(Op::Loop { target: start });
    compiler.place(end);
    Ok(())
}

pub(super) fn comprehension(
    compiler: &mut Compiler<'_>,
    comprehension: &Comprehension,
    to: Register,
) -> Result<()> {
    compiler.mark_start();
    compiler.emit(match comprehension.body {
        ComprehensionBody::List(_) => Op::StartList { to },
        ComprehensionBody::Dict(_) => Op::StartDict { to, capacity: 0 },
    });
    clauses(compiler, comprehension, 0, to)?;
    compiler.emit(Op::Finish { register: to });
    Ok(())
}

fn clauses(
    compiler: &mut Compiler<'_>,
    comprehension: &Comprehension,
    index: usize,
    to: Register,
) -> Result<()> {
    let in_use = compiler.in_use();
    match comprehension.clauses.get(index) {
        Some(Clause::For { target, iterable, at }) => {
            // Without a condition, there will be as many elements.
            let collects = (comprehension.clauses.len() == 1).then_some(to);
            let (target, iterable, at) = (*target, *iterable, *at);
            let head = LoopHead { target, iterable, at, collects };
            for_loop(compiler, &head, |it| clauses(it, comprehension, index + 1, to))?;
        }
        Some(Clause::If(condition)) => {
            let skip = compiler.label();
            jump_unless(compiler, *condition, skip)?;
            clauses(compiler, comprehension, index + 1, to)?;
            compiler.place(skip);
        }
        None => element(compiler, comprehension.body, to)?,
    }
    compiler.free(in_use);
    Ok(())
}

fn element(compiler: &mut Compiler<'_>, body: ComprehensionBody, to: Register) -> Result<()> {
    match body {
        ComprehensionBody::List(value) => {
            let value = compiler.operand(value)?;
            compiler.emit(Op::Append { list: to, value });
        }
        ComprehensionBody::Dict(entry) => {
            let key = compiler.operand(entry.key)?;
            let value = compiler.operand(entry.value)?;
            compiler.mark(entry.colon);
            compiler.emit(Op::Insert { dict: to, key, value });
        }
    }
    Ok(())
}

pub(super) fn jump_unless(
    compiler: &mut Compiler<'_>,
    condition: ExprId,
    target: Target,
) -> Result<()> {
    jump_when(compiler, condition, false, target)
}

/// Jumps if the condition has the value `when`, and continues after it otherwise.
fn jump_when(
    compiler: &mut Compiler<'_>,
    condition: ExprId,
    when: bool,
    target: Target,
) -> Result<()> {
    match *compiler.source.ast.expr(condition) {
        Expr::Paren { inner, .. } => jump_when(compiler, inner, when, target),
        Expr::Unary { op: UnaryOp::Not, operand, .. } => {
            jump_when(compiler, operand, !when, target)
        }
        Expr::Binary { op: op @ (Operator::And | Operator::Or), .. } => {
            jump_chain(compiler, condition, op, when, target)
        }
        Expr::Binary { op: Operator::Compare(op), left, right, at } => {
            let left = compiler.operand(left)?;
            let right = compiler.operand(right)?;
            compiler.mark(at);
            compiler.emit(match compiler.number(right) {
                Some(number) if !when && left & CONSTANT == 0 => {
                    Op::JumpUnlessCompareSmall { op, left, right, number, target }
                }
                _ => Op::JumpIfCompare { op, when, left, right, target },
            });
            Ok(())
        }
        _ => {
            let operand = compiler.operand(condition)?;
            compiler.emit(Op::JumpIf { operand, when, target });
            Ok(())
        }
    }
}

/// Compiles `a and b and c`, or the same with `or`. All operands are compiled in a loop, so
/// that any number is possible.
fn jump_chain(
    compiler: &mut Compiler<'_>,
    condition: ExprId,
    chained: Operator,
    when: bool,
    target: Target,
) -> Result<()> {
    let mut operands = Vec::new();
    let mut first = condition;
    while let Expr::Binary { op, left, right, .. } = *compiler.source.ast.expr(first)
        && op == chained
    {
        operands.push(right);
        first = left;
    }
    // The value that decides the whole expression: false for `and`, true for `or`.
    let deciding = chained == Operator::Or;
    let end = compiler.label();
    let early = if when == deciding { target } else { end };
    let last = operands.first().copied();
    for operand in std::iter::once(first).chain(operands.iter().rev().copied()) {
        let in_use = compiler.in_use();
        if Some(operand) == last {
            jump_when(compiler, operand, when, target)?;
        } else {
            jump_when(compiler, operand, deciding, early)?;
        }
        compiler.free(in_use);
    }
    compiler.place(end);
    Ok(())
}
