//! Operations that count, in programs that are compiled for coverage.

use std::sync::Arc;

use super::emit::Compiler;
use super::op::Op;
use crate::coverage::{Point, PointKind};
use crate::syntax::ast::{Expr, Stmt};

impl Compiler<'_> {
    /// Counts how often the next operation is reached. Does nothing in other programs.
    pub(super) fn count(&mut self, kind: impl FnOnce() -> PointKind, at: u32) {
        let Some(points) = self.source.points else { return };
        let point = Arc::new(Point::new(kind(), self.source.script.span(at)));
        points.borrow_mut().push(Arc::clone(&point));
        let index = u32::try_from(self.code.points.len()).expect("fewer than bytes of text");
        self.code.points.push(point);
        self.emit(Op::Count { point: index });
    }

    /// Counts how often a statement is executed.
    pub(super) fn count_statement(&mut self, statement: &Stmt) {
        let ast = self.source.ast;
        let at = match statement {
            Stmt::Expr(value) => {
                if let Expr::Host { op, at, .. } = *ast.expr(*value) {
                    return self.count(|| PointKind::Instruction(op), at);
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
            Stmt::For { at, .. }
            | Stmt::Return { at, .. }
            | Stmt::Break(at)
            | Stmt::Continue(at) => *at,
        };
        self.count(|| PointKind::Statement, at);
    }
}
