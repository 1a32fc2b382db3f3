//! Operations that count, in programs that are compiled for coverage.

use std::sync::Arc;

use super::emit::Compiler;
use super::op::Op;
use crate::coverage::{Point, PointKind};
use crate::syntax::ast::{Expr, Stmt};

/// Counts how often the next operation is reached. Does nothing in other programs.
pub(super) fn point(compiler: &mut Compiler<'_>, kind: impl FnOnce() -> PointKind, at: u32) {
    let Some(points) = compiler.source.points else { return };
    let point = Arc::new(Point::new(kind(), compiler.source.script.span(at)));
    points.borrow_mut().push(Arc::clone(&point));
    let index = u32::try_from(compiler.code.points.len()).expect("fewer than bytes of text");
    compiler.code.points.push(point);
    compiler.emit(Op::Count { point: index });
}

/// Counts how often a statement is executed.
pub(super) fn statement(compiler: &mut Compiler<'_>, statement: &Stmt) {
    let ast = compiler.source.ast;
    let at = match statement {
        Stmt::Expr(value) => {
            if let Expr::Host { op, at, .. } = *ast.expr(*value) {
                return point(compiler, || PointKind::Instruction(op), at);
            }
            ast.start(*value)
        }
        Stmt::Assign { target, .. } | Stmt::Augment { target, .. } => ast.start(*target),
        Stmt::Def { function, .. } => ast.function(*function).at,
        Stmt::If(it) => match it.branches.first() {
            Some((condition, _)) => ast.start(*condition),
            None => return,
        },
        Stmt::While { condition, .. } => ast.start(*condition),
        Stmt::Load(it) => it.at,
        Stmt::For { at, .. } | Stmt::Return { at, .. } | Stmt::Break(at) | Stmt::Continue(at) => {
            *at
        }
    };
    point(compiler, || PointKind::Statement, at);
}
