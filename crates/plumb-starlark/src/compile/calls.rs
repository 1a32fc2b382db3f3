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

/// Returns the method call, if an attribute is read only to be called.
pub(super) fn method_call<'a>(
    compiler: &Compiler<'a>,
    attribute: ExprId,
    then: Option<ExprId>,
) -> Option<MethodCall<'a>> {
    let Expr::Dot { name, at: dot, .. } = *compiler.source.ast.expr(attribute) else {
        return None;
    };
    match compiler.source.ast.expr(then?) {
        Expr::Call { args, at, .. } => Some(MethodCall { name, dot, args, at: *at }),
        _ => None,
    }
}

/// Calls a method without creating a bound method.
pub(super) fn call_method(
    compiler: &mut Compiler<'_>,
    call: MethodCall<'_>,
    object: Operand,
    to: Register,
) -> Result<()> {
    let MethodCall { name, dot, args, at } = call;
    let prepared = if cannot_fail(compiler, args) { None } else { Some(compiler.allocate()?) };
    let name = compiler.source.ast.name(name).clone();
    let method = MethodSite { id: MethodId::of(&name), name, prepared };
    // The site is complete only when the arguments are known, but `GetMethod` needs the name
    // before.
    let site = call_site(compiler, CallSite { method: Some(method), ..CallSite::default() });
    if let Some(prepared) = prepared {
        compiler.mark(dot);
        compiler.emit(Op::GetMethod { to: prepared, object, site });
    }
    let (first, known) = arguments(compiler, args)?;
    let call = &mut compiler.code.calls[site as usize];
    *call = CallSite { method: call.method.take(), ..known };
    compiler.mark(at);
    compiler.emit(Op::CallMethod { object, args: first, to, site });
    Ok(())
}

/// Returns whether evaluating the arguments can neither fail nor have side effects. In this
/// case, the attribute can be looked up after them.
fn cannot_fail(compiler: &Compiler<'_>, args: &[Arg]) -> bool {
    args.iter().all(|arg| match *arg {
        Arg::Positional(value) | Arg::Named { value, .. } => {
            match compiler.source.ast.expr(compiler.source.ast.unparen(value)) {
                Expr::Literal { .. } | Expr::Lambda(_) => true,
                Expr::Ident(ident) => match compiler.own_register(*ident) {
                    Some(register) => compiler.assigned[register as usize],
                    None => false,
                },
                _ => false,
            }
        }
        Arg::Args { .. } | Arg::Kwargs { .. } => false,
    })
}

pub(super) fn call(
    compiler: &mut Compiler<'_>,
    function: Operand,
    args: &[Arg],
    at: u32,
    to: Register,
) -> Result<()> {
    let (first, known) = arguments(compiler, args)?;
    let site = call_site(compiler, known);
    compiler.mark(at);
    compiler.emit(Op::Call { function, args: first, to, site });
    Ok(())
}

/// `name(args)`, where the name is a variable of the module that certainly has its final value.
#[derive(Clone, Copy)]
pub(super) struct GlobalCall<'a> {
    global: u16,
    count: u8,
    args: &'a [Arg],
    at: u32,
}

/// Returns the call, if a variable is read only to be called. It needs no register: it will have
/// the same value after the arguments.
pub(super) fn global_call<'a>(
    compiler: &mut Compiler<'a>,
    variable: ExprId,
    then: Option<ExprId>,
) -> Option<GlobalCall<'a>> {
    let ast = compiler.source.ast;
    let Expr::Ident(ident) = *ast.expr(variable) else { return None };
    let Expr::Call { args, at, .. } = ast.expr(then?) else { return None };
    let global = u16::try_from(compiler.settled_global(ident)?).ok()?;
    let count = u8::try_from(args.len()).ok()?;
    if !args.iter().all(|it| matches!(it, Arg::Positional(_))) {
        return None;
    }
    compiler.mark(ident.at);
    Some(GlobalCall { global, count, args, at: *at })
}

/// Calls a variable of the module.
pub(super) fn call_global(
    compiler: &mut Compiler<'_>,
    call: GlobalCall<'_>,
    to: Register,
) -> Result<()> {
    let GlobalCall { global, count, args, at } = call;
    let in_use = compiler.in_use();
    let (first, known) = arguments(compiler, args)?;
    let site = call_site(compiler, known);
    compiler.mark(at);
    compiler.emit(Op::CallGlobal { global, count, args: first, to, site });
    compiler.free(in_use);
    Ok(())
}

fn call_site(compiler: &mut Compiler<'_>, site: CallSite) -> u32 {
    if compiler.code.calls.is_empty() {
        // Most functions have few calls.
        compiler.code.calls.reserve_exact(1);
    }
    compiler.code.calls.push(site);
    u32::try_from(compiler.code.calls.len() - 1).expect("fewer than bytes of text")
}

/// Evaluates arguments into consecutive registers: positional ones, named ones, and last `*`
/// and `**`.
fn arguments(compiler: &mut Compiler<'_>, args: &[Arg]) -> Result<(Register, CallSite)> {
    let first = compiler.allocate_many(args.len())?;
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
                site.named.push(compiler.source.ast.name(name).clone());
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
        compiler.expr_into(value, next)?;
        next += 1;
    }
    site.args = all.is_some();
    site.kwargs = keywords.is_some();
    for value in all.into_iter().chain(keywords) {
        compiler.expr_into(value, next)?;
        next += 1;
    }
    Ok((first, site))
}

pub(super) fn instruction(
    compiler: &mut Compiler<'_>,
    op: u32,
    args: &[Arg],
    at: u32,
    to: Register,
) -> Result<()> {
    let in_use = compiler.in_use();
    let start = compiler.code.ops.len();
    let (first, call) = arguments(compiler, args)?;
    let site = u32::try_from(compiler.code.instructions.len()).expect("fewer than bytes of text");
    let call = (!args.is_empty()).then(|| Box::new(call));
    room::push(&mut compiler.code.instructions, HostSite { op, call });
    compiler.mark(at);
    compiler.emit(Op::Host { args: first, to, site });
    if compiler.is_toplevel() && !args.is_empty() {
        skippable(compiler, start, first);
    }
    compiler.free(in_use);
    Ok(())
}

/// Records that the operations from `start` on, which belong to an instruction, can be skipped
/// after an error.
fn skippable(compiler: &mut Compiler<'_>, start: usize, first_register: Register) {
    let ops = &compiler.code.ops[start..];
    let is_call =
        |it: &Op| matches!(it, Op::Call { .. } | Op::CallGlobal { .. } | Op::CallMethod { .. });
    let last_call = ops.iter().rposition(is_call).unwrap_or(0);
    // The call may be in the loop of a comprehension, and be executed several times.
    let is_loop = |it: &Op| matches!(it, Op::Loop { .. } | Op::Repeat { .. });
    let after_loop = ops[last_call..].iter().rposition(is_loop).map(|it| last_call + it + 1);
    let index = |at: usize| u32::try_from(at).expect("fewer than bytes of text, times few");
    let from = index(start + after_loop.filter(|_| is_call(&ops[last_call])).unwrap_or(last_call));
    let end = index(compiler.code.ops.len());
    room::push(&mut compiler.code.skippable, Skippable { from, end, first_register });
}
