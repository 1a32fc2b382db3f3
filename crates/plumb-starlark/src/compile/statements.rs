//! Statements.

use super::code::LoadSite;
use super::count;
use super::emit::Compiler;
use super::expressions::CHUNK;
use super::loops::{self, LoopHead};
use super::op::{Op, Operand, Register};
use crate::coverage::PointKind;
use crate::error::Result;
use crate::ops::BinaryOp;
use crate::piece::Effect;
use crate::resolve::Kind;
use crate::syntax::ast::{Ast, Expr, ExprId, Ident, LoadedName, Stmt};

impl<'a> Compiler<'a> {
    pub(super) fn statements(&mut self, statements: &[Stmt]) -> Result<()> {
        for statement in statements {
            let in_use = self.in_use();
            count::statement(self, statement);
            self.statement(statement)?;
            self.free(in_use);
        }
        Ok(())
    }

    fn statement(&mut self, statement: &Stmt) -> Result<()> {
        match statement {
            Stmt::Expr(value) => {
                if !matches!(self.source.ast.expr(*value), Expr::Literal { .. }) {
                    let to = self.allocate()?;
                    self.expr_into(*value, to)?;
                }
                Ok(())
            }
            Stmt::Assign { target, value, at } => self.assignment(*target, *value, *at),
            Stmt::Augment { op, target, value, at } => {
                self.augment(*target, Augmentation { op: *op, value: *value, at: *at })
            }
            Stmt::Def { ident, function } => {
                let from = self.allocate()?;
                let binding = self.source.resolved.of_ident(*ident);
                let global = match binding.kind {
                    Kind::SharedGlobal(index) if !binding.changes => Some(index),
                    _ => None,
                };
                self.new_function(*function, from, global)?;
                self.set(*ident, from);
                Ok(())
            }
            Stmt::If(it) => self.branches(&it.branches, &it.otherwise),
            Stmt::For { target, iterable, body, at } => {
                let (target, iterable) = (*target, *iterable);
                let head = LoopHead { target, iterable, at: *at, collects: None };
                loops::for_loop(self, &head, |it| {
                    count::point(it, || PointKind::Branch(0), *at);
                    it.statements(body)
                })
            }
            Stmt::While { condition, body } => loops::while_loop(self, *condition, body),
            Stmt::Break(_) => {
                let (_, end) = *self.loops.last().expect("the resolver refuses others");
                self.emit(Op::Jump { target: end });
                Ok(())
            }
            Stmt::Continue(_) => {
                let (start, _) = *self.loops.last().expect("the resolver refuses others");
                self.emit(Op::Loop { target: start });
                Ok(())
            }
            Stmt::Return { value, .. } => self.return_statement(*value),
            Stmt::Load(it) => self.load(it.module.clone(), &it.names, it.at),
        }
    }

    fn return_statement(&mut self, value: Option<ExprId>) -> Result<()> {
        let Some(value) = value else { return self.return_none() };
        let mut from = self.operand(value)?;
        if self.code.builds {
            let to = self.allocate()?;
            self.emit(Op::EndContext { to, from });
            from = to;
        }
        self.emit(Op::Return { from });
        Ok(())
    }

    fn branches(&mut self, branches: &[(ExprId, Vec<Stmt>)], otherwise: &[Stmt]) -> Result<()> {
        let end = self.label();
        for (number, (condition, body)) in (0u32..).zip(branches) {
            let next = self.label();
            let in_use = self.in_use();
            loops::jump_unless(self, *condition, next)?;
            self.free(in_use);
            count::point(self, || PointKind::Branch(number), self.source.ast.start(*condition));
            self.perhaps(|it| it.statements(body))?;
            self.emit(Op::Jump { target: end });
            self.place(next);
        }
        if let Some((first, _)) = branches.first() {
            let number = u32::try_from(branches.len()).expect("fewer than bytes of text");
            count::point(self, || PointKind::Branch(number), self.source.ast.start(*first));
        }
        self.perhaps(|it| it.statements(otherwise))?;
        self.place(end);
        Ok(())
    }

    fn load(&mut self, module: plumb_source::Text, names: &[LoadedName], at: u32) -> Result<()> {
        let first = self.allocate_many(names.len())?;
        let site = u32::try_from(self.code.loads.len()).expect("fewer than bytes of text");
        let from = names.iter().map(|name| name.from.clone()).collect();
        self.code.loads.push(LoadSite { module, names: from });
        self.mark(at);
        self.emit(Op::Load { first, site });
        for (register, name) in (first..).zip(names) {
            self.set(name.to, register);
        }
        Ok(())
    }

    fn assignment(&mut self, target: ExprId, value: ExprId, at: u32) -> Result<()> {
        let target = self.source.ast.unparen(target);
        if let Expr::Ident(ident) = *self.source.ast.expr(target)
            && let Some(register) = self.own_register(ident)
            && self.writes_last(value)
        {
            self.expr_into(value, register)?;
            self.assign_certainly(register);
            return Ok(());
        }
        if let Some((targets, values)) = self.pairwise(target, value) {
            let first = self.chunk(values)?.0;
            self.mark_start();
            for (register, &target) in (first..).zip(targets) {
                self.assign(target, register, at)?;
            }
            return Ok(());
        }
        let from = self.allocate()?;
        self.expr_into(value, from)?;
        self.assign(target, from, at)
    }

    /// Returns the targets and the values of an assignment such as `a, b = b, a`. No tuple has to
    /// be created: all values are computed, and then assigned.
    fn pairwise(&self, target: ExprId, value: ExprId) -> Option<(&'a [ExprId], &'a [ExprId])> {
        let ast = self.source.ast;
        let items = |id| match ast.expr(ast.unparen(id)) {
            Expr::Tuple { items, .. } | Expr::List { items, .. } => Some(&items[..]),
            _ => None,
        };
        let (targets, values) = (items(target)?, items(value)?);
        (targets.len() == values.len() && values.len() <= CHUNK).then_some((targets, values))
    }

    /// Returns the register of a variable, if it is in one.
    pub(super) fn own_register(&self, ident: Ident) -> Option<Register> {
        match self.source.resolved.of_ident(ident).kind {
            Kind::Local(index) => {
                Some(Register::try_from(index).expect("variables were counted in `new`"))
            }
            Kind::Global(index) => Some(self.global_register(index)),
            Kind::Shared(_)
            | Kind::Free(_)
            | Kind::SharedGlobal(_)
            | Kind::Constant(_)
            | Kind::Undefined => None,
        }
    }

    /// Assigns a value in its own register to any target.
    pub(super) fn assign(&mut self, target: ExprId, from: Register, at: u32) -> Result<()> {
        match self.source.ast.expr(target) {
            Expr::Paren { inner, .. } => self.assign(*inner, from, at),
            Expr::Ident(ident) => {
                self.set(*ident, from);
                Ok(())
            }
            Expr::Tuple { items, .. } | Expr::List { items, .. } => {
                let count = items.len();
                let first = self.allocate_many(count)?;
                self.mark(at);
                let count = u16::try_from(count).expect("no more than registers");
                self.emit(Op::Unpack { from, first, count });
                for (register, &item) in (first..).zip(items) {
                    self.assign(item, register, at)?;
                }
                Ok(())
            }
            Expr::Index { object, key, at } => {
                let object = self.operand(*object)?;
                let key = self.operand(*key)?;
                self.mark(*at);
                self.emit(Op::SetIndex { object, key, value: from });
                Ok(())
            }
            Expr::Dot { object, name, at } => {
                let object = self.operand(*object)?;
                self.mark(*at);
                let name = self.name(*name);
                self.emit(Op::SetAttribute { object, name });
                Ok(())
            }
            _ => unreachable!("the resolver refuses other targets"),
        }
    }

    /// Assigns a value in its own register to a variable.
    pub(super) fn set(&mut self, ident: Ident, from: Register) {
        let binding = self.source.resolved.of_ident(ident);
        let settle = !binding.changes;
        match binding.kind {
            Kind::Shared(index) => {
                let register = Register::try_from(index).expect("counted in `new`");
                self.emit(Op::SetVariable { register, from, settle });
                self.assign_certainly(register);
            }
            Kind::SharedGlobal(index) => {
                self.emit(Op::SetGlobal { index, from, settle });
                if settle {
                    self.settle_certainly(index);
                }
            }
            Kind::Local(_) | Kind::Global(_) => {
                let to = self.own_register(ident).expect("both live in registers");
                self.emit(Op::Take { to, from });
                self.assign_certainly(to);
            }
            Kind::Free(_) | Kind::Constant(_) | Kind::Undefined => {
                unreachable!("an assigned name is bound where it is assigned")
            }
        }
    }

    fn augment(&mut self, target: ExprId, change: Augmentation) -> Result<()> {
        let target = self.source.ast.unparen(target);
        match *self.source.ast.expr(target) {
            Expr::Ident(ident) => self.augment_variable(ident, target, change),
            Expr::Index { object, key, at: bracket } => {
                let object = self.operand(object)?;
                let key = self.operand(key)?;
                let to = self.allocate()?;
                self.mark(bracket);
                self.emit(Op::GetIndex { to, object, key });
                self.augment_register(to, change)?;
                self.mark(bracket);
                self.emit(Op::SetIndex { object, key, value: to });
                Ok(())
            }
            Expr::Dot { object, name, at: dot } => {
                let object = self.operand(object)?;
                let to = self.allocate()?;
                let name = self.name(name);
                self.mark(dot);
                self.emit(Op::GetAttribute { to, object, name });
                self.augment_register(to, change)?;
                self.mark(dot);
                self.emit(Op::SetAttribute { object, name });
                Ok(())
            }
            _ => unreachable!("the resolver refuses other targets"),
        }
    }

    /// The old value is in a register, and the new one replaces it.
    fn augment_register(&mut self, register: Register, change: Augmentation) -> Result<()> {
        let Augmentation { op, value, at } = change;
        let right = self.operand(value)?;
        self.mark(at);
        self.emit(match op {
            BinaryOp::Add => Op::AddInPlace { register, right },
            BinaryOp::Or => Op::UniteInPlace { register, right },
            _ => Op::Binary { op, to: register, left: register, right },
        });
        Ok(())
    }

    fn augment_variable(
        &mut self,
        ident: Ident,
        target: ExprId,
        change: Augmentation,
    ) -> Result<()> {
        let Augmentation { op, value, at } = change;
        if self.own_register(ident).is_some() {
            let register = self.operand(target)?;
            return self.augment_register(register, change);
        }
        let to = self.allocate()?;
        self.expr_into(target, to)?;
        if op != BinaryOp::Add {
            self.augment_register(to, change)?;
            self.set(ident, to);
            return Ok(());
        }
        // Read only to fail if it is not assigned. The variable itself is changed, so that a
        // growing string is not copied at each step.
        self.emit(Op::Clear { register: to });
        let right: Operand = self.operand(value)?;
        self.mark(at);
        match self.source.resolved.of_ident(ident).kind {
            Kind::SharedGlobal(index) => self.emit(Op::AddInPlaceGlobal { index, right }),
            Kind::Shared(index) => {
                let register = Register::try_from(index).expect("counted in `new`");
                self.emit(Op::AddInPlaceVariable { register, right });
            }
            _ => unreachable!("an assigned name is bound where it is assigned"),
        }
        Ok(())
    }
}

/// The operator, the right side and the place of an assignment such as `x += 1`.
#[derive(Clone, Copy)]
struct Augmentation {
    op: BinaryOp,
    value: ExprId,
    at: u32,
}

/// Returns the first instruction with which a function builds something, without looking into inner
/// functions.
pub(super) fn first_building(ast: &Ast, statements: &[Stmt]) -> Option<u32> {
    statements.iter().find_map(|statement| match statement {
        Stmt::Expr(value) => building(ast, *value),
        Stmt::If(it) => { it.branches.iter() }
            .find_map(|(_, body)| first_building(ast, body))
            .or_else(|| first_building(ast, &it.otherwise)),
        Stmt::For { body, .. } => first_building(ast, body),
        Stmt::While { body, .. } => first_building(ast, body),
        Stmt::Assign { .. }
        | Stmt::Augment { .. }
        | Stmt::Def { .. }
        | Stmt::Break(_)
        | Stmt::Continue(_)
        | Stmt::Return { .. }
        | Stmt::Load(_) => None,
    })
}

fn building(ast: &Ast, value: ExprId) -> Option<u32> {
    match ast.expr(value) {
        Expr::Host { op, effect, .. } if *effect != Effect::None => Some(*op),
        _ => None,
    }
}
