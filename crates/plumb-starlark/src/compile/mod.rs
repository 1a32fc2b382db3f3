//! Compiles the tree to code for the machine in [`vm`](crate::vm).
//!
//! Every function gets registers: first its variables, then temporary values. An operation names
//! the registers (or constants) that it reads and the one that it writes, so the sum of two
//! variables is one operation and copies nothing.

mod calls;
mod code;
mod count;
mod emit;
mod expressions;
mod loops;
mod op;
mod statements;

use std::cell::RefCell;
use std::fmt;
use std::sync::Arc;

use plumb_source::{Limit, Text};

pub(crate) use code::{CallSite, Capture, Code, HostSite, LoadSite, Params};
pub(crate) use op::{CONSTANT, Op, Operand, Register};

use crate::coverage::Point;
use crate::error::Error;
use crate::piece::{Joined, Piece};
use crate::resolve;
use crate::{Environment, syntax};

/// A compiled program. It can be run any number of times, on any thread. Clones share the code.
#[derive(Clone)]
pub struct Program {
    pub(crate) toplevel: Arc<Code>,
    /// Names of the module's variables.
    pub(crate) globals: Arc<[Text]>,
    /// The counters, if it was compiled for coverage.
    points: Arc<[Arc<Point>]>,
}

impl fmt::Debug for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Program").finish_non_exhaustive()
    }
}

impl Program {
    /// Compiles the pieces of a program, which may use the names of the environment.
    ///
    /// # Errors
    ///
    /// Returns one error for a text that is not a program, and all errors for undefined names. The
    /// list is never empty.
    pub fn compile(pieces: &[Piece<'_>], environment: &Environment) -> Result<Self, Vec<Error>> {
        Self::compile_joined(Joined::new(pieces.iter().copied(), environment), environment)
    }

    /// Like [`Program::compile`], of pieces that were joined before.
    ///
    /// # Errors
    ///
    /// See [`Program::compile`].
    pub fn compile_joined(joined: Joined, environment: &Environment) -> Result<Self, Vec<Error>> {
        Self::with_points(joined, environment, None)
    }

    /// Like [`Program::compile_joined`], but the program counts which parts are executed: see
    /// [`Program::points`].
    ///
    /// # Errors
    ///
    /// See [`Program::compile`].
    pub fn compile_counting(joined: Joined, environment: &Environment) -> Result<Self, Vec<Error>> {
        Self::with_points(joined, environment, Some(&RefCell::default()))
    }

    /// The counters of the program. Empty unless it was compiled for coverage.
    pub fn points(&self) -> &[Arc<Point>] {
        &self.points
    }

    fn with_points(
        joined: Joined,
        environment: &Environment,
        points: Option<&RefCell<Vec<Arc<Point>>>>,
    ) -> Result<Self, Vec<Error>> {
        let script = joined
            .0
            .ok_or_else(|| vec![Error::limit(Limit::Fixed, "program of more than 2 GiB")])?;
        let ast = syntax::parse(&script).map_err(|error| vec![error])?;
        let resolved = resolve::resolve(&ast, &script, environment)?;
        let toplevel =
            emit::compile_module(&ast, &script, &resolved, points).map_err(|error| vec![error])?;
        let names = resolved.globals.iter().map(|&id| ast.name(resolved.binding(id).name).clone());
        let points = points.map(|it| it.take().into()).unwrap_or_default();
        Ok(Self { toplevel: Arc::new(toplevel), globals: names.collect(), points })
    }
}
