//! Calls of functions, of methods, and of the host.

use plumb_source::room;

use super::code::{CallSite, HostSite, MethodSite, Skippable};
use super::emit::Compiler;
use super::op::{Op, Operand, Register};
use crate::error::Result;
use crate::methods::MethodId;
use crate::syntax::ast::{Arg, Expr, ExprId, Symbol};

/// `object.name(args)`.
#[derive(Clone, Copy)]
pub(super) struct MethodCall<'a> {
    name: Symbol,
    dot: u32,
    args: &'a [Arg],
    at: u32,
}

impl<'a> Compiler<'a> {
    /// Returns the method call, if an attribute is read only to be called.
    pub(super) fn method_call(
        &self,
        attribute: ExprId,
        then: Option<ExprId>,
    ) -> Option<MethodCall<'a>> {
        let Expr::Dot { name, at: dot, .. } = *self.source.ast.expr(attribute) else {
            return None;
        };
        match self.source.ast.expr(then?) {
            Expr::Call { args, at, .. } => Some(MethodCall { name, dot, args, at: *at }),
            _ => None,
        }
    }

    /// Calls a method without creating a bound method.
    pub(super) fn call_method(
        &mut self,
        call: MethodCall<'_>,
        object: Operand,
        to: Register,
    ) -> Result<()> {
        let MethodCall { name, dot, args, at } = call;
        let prepared = if self.cannot_fail(args) { None } else { Some(self.allocate()?) };
        let name = self.source.ast.name(name).clone();
        let method = MethodSite { id: MethodId::of(&name), name, prepared };
        // The site is complete only when the arguments are known, but `GetMethod` needs the name
        // before.
        let site = self.call_site(CallSite { method: Some(method), ..CallSite::default() });
        if let Some(prepared) = prepared {
            self.mark(dot);
            self.emit(Op::GetMethod { to: prepared, object, site });
        }
        let (first, known) = self.arguments(args)?;
        let call = &mut self.code.calls[site as usize];
        *call = CallSite { method: call.method.take(), ..known };
        self.mark(at);
        self.emit(Op::CallMethod { object, args: first, to, site });
        Ok(())
    }

    /// Returns whether evaluating the arguments can neither fail nor have side effects. In this
    /// case, the attribute can be looked up after them.
    fn cannot_fail(&self, args: &[Arg]) -> bool {
        args.iter().all(|arg| match *arg {
            Arg::Positional(value) | Arg::Named { value, .. } => {
                match self.source.ast.expr(self.source.ast.unparen(value)) {
                    Expr::Literal { .. } | Expr::Lambda(_) => true,
                    Expr::Ident(ident) => match self.own_register(*ident) {
                        Some(register) => self.assigned[register as usize],
                        None => false,
                    },
                    _ => false,
                }
            }
            Arg::Args { .. } | Arg::Kwargs { .. } => false,
        })
    }

    pub(super) fn call(
        &mut self,
        function: Operand,
        args: &[Arg],
        at: u32,
        to: Register,
    ) -> Result<()> {
        let (first, known) = self.arguments(args)?;
        let site = self.call_site(known);
        self.mark(at);
        self.emit(Op::Call { function, args: first, to, site });
        Ok(())
    }

    fn call_site(&mut self, site: CallSite) -> u32 {
        if self.code.calls.is_empty() {
            // Most functions have few calls.
            self.code.calls.reserve_exact(1);
        }
        self.code.calls.push(site);
        u32::try_from(self.code.calls.len() - 1).expect("fewer than bytes of text")
    }

    /// Evaluates arguments into consecutive registers: positional ones, named ones, and last `*`
    /// and `**`.
    fn arguments(&mut self, args: &[Arg]) -> Result<(Register, CallSite)> {
        let first = self.allocate_many(args.len())?;
        let mut site = CallSite::default();
        let (mut all, mut keywords) = (None, None);
        let mut next = first;
        for arg in args {
            let value = match *arg {
                Arg::Positional(value) => {
                    site.positional += 1;
                    value
                }
                Arg::Named { name, value, .. } => {
                    site.named.push(self.source.ast.name(name).clone());
                    value
                }
                Arg::Args { value, .. } => {
                    all = Some(value);
                    continue;
                }
                Arg::Kwargs { value, .. } => {
                    keywords = Some(value);
                    continue;
                }
            };
            self.expr_into(value, next)?;
            next += 1;
        }
        site.args = all.is_some();
        site.kwargs = keywords.is_some();
        for value in all.into_iter().chain(keywords) {
            self.expr_into(value, next)?;
            next += 1;
        }
        Ok((first, site))
    }

    pub(super) fn instruction(
        &mut self,
        op: u32,
        args: &[Arg],
        at: u32,
        to: Register,
    ) -> Result<()> {
        let in_use = self.in_use();
        let start = self.code.ops.len();
        let (first, call) = self.arguments(args)?;
        let site = u32::try_from(self.code.instructions.len()).expect("fewer than bytes of text");
        let call = (!args.is_empty()).then(|| Box::new(call));
        room::push(&mut self.code.instructions, HostSite { op, call });
        self.mark(at);
        self.emit(Op::Host { args: first, to, site });
        if self.is_toplevel() && !args.is_empty() {
            self.skippable(start, first);
        }
        self.free(in_use);
        Ok(())
    }

    /// Records that the operations from `start` on, which belong to an instruction, can be skipped
    /// after an error.
    fn skippable(&mut self, start: usize, first_register: Register) {
        let ops = &self.code.ops[start..];
        let is_call = |it: &Op| matches!(it, Op::Call { .. } | Op::CallMethod { .. });
        let last_call = ops.iter().rposition(is_call).unwrap_or(0);
        // The call may be in the loop of a comprehension, and be executed several times.
        let is_loop = |it: &Op| matches!(it, Op::Loop { .. });
        let after_loop = ops[last_call..].iter().rposition(is_loop).map(|it| last_call + it + 1);
        let index = |at: usize| u32::try_from(at).expect("fewer than bytes of text, times few");
        let from =
            index(start + after_loop.filter(|_| is_call(&ops[last_call])).unwrap_or(last_call));
        let end = index(self.code.ops.len());
        room::push(&mut self.code.skippable, Skippable { from, end, first_register });
    }
}
