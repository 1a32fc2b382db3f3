//! The code of one function.

use std::sync::Arc;

use plumb_source::{Span, Text};

use super::op::{CONSTANT, Op, Operand, Register};
use crate::Value;
use crate::coverage::Point;
use crate::methods::MethodId;
use crate::value::literal::KnownKeys;
use crate::value::structs::{AttributeName, ShapeOfCall};

/// A compiled function. The variables that it captures are in [`Function`](crate::value::Function).
pub(crate) struct Code {
    pub(crate) name: Text,
    pub(crate) span: Option<Span>,
    pub(crate) params: Params,
    /// The number of parameters, if all can be given by position and no inner function captures
    /// one.
    pub(super) plain_params: Option<usize>,
    pub(crate) ops: Vec<Op>,
    pub(crate) constants: Vec<Value>,
    /// Names of attributes that are read or set.
    pub(crate) names: Vec<AttributeName>,
    /// The keys of dictionaries that are written as literals.
    pub(crate) keys: Vec<Arc<KnownKeys>>,
    pub(crate) functions: Vec<Arc<Code>>,
    pub(crate) calls: Vec<CallSite>,
    pub(crate) instructions: Vec<HostSite>,
    /// Operands of instructions in which an error does not have to end the program, in the order of
    /// the code. Only the top level of a module has any.
    pub(super) skippable: Vec<Skippable>,
    pub(crate) loads: Vec<LoadSite>,
    /// The counters of its operations, if it was compiled for coverage.
    pub(crate) points: Vec<Arc<Point>>,
    pub(crate) registers: usize,
    /// Registers whose variable an inner function captures.
    pub(crate) shared: Vec<SharedRegister>,
    /// The sources of the captured variables when the function is created.
    pub(crate) captures: Vec<Capture>,
    /// Names of the variables in the first registers.
    pub(crate) variables: Box<[Text]>,
    /// Variables from this register on belong to the module.
    pub(crate) first_global: usize,
    /// Names of the module's variables, by their number.
    pub(crate) globals: Arc<[Text]>,
    /// Names of captured variables.
    pub(crate) free: Box<[Text]>,
    /// Whether the host keeps a context for each call.
    pub(crate) builds: bool,
    /// The places for errors, each with the first operation to which it applies.
    pub(super) positions: Vec<(u32, Option<Span>)>,
    /// The first place in the function that is known. A call with wrong arguments is reported
    /// there.
    pub(crate) first_position: Option<Span>,
}

/// The parameters of a function.
#[derive(Default)]
pub(crate) struct Params {
    /// The names, without `*args` and `**kwargs`.
    pub(crate) names: Box<[Text]>,
    pub(crate) keyword_only: usize,
    /// For the last parameters: whether each has a default.
    pub(crate) defaults: Box<[bool]>,
    pub(crate) varargs: bool,
    pub(crate) kwargs: bool,
}

#[derive(Clone, Copy)]
pub(crate) struct SharedRegister {
    pub(crate) register: Register,
    /// Whether the value from the call is the only value of the variable.
    pub(crate) settle: bool,
}

#[derive(Clone, Copy)]
pub(crate) enum Capture {
    Register(Register),
    Free(u32),
}

/// The information that the compiler has about one call.
#[derive(Default)]
pub(crate) struct CallSite {
    pub(crate) positional: u16,
    /// Names of the arguments that follow.
    pub(crate) named: Vec<Text>,
    /// Whether `*args` and `**kwargs` follow those.
    pub(crate) args: bool,
    pub(crate) kwargs: bool,
    /// The shape of structs that are created from the named arguments.
    pub(crate) shape: ShapeOfCall,
    /// The attribute that is called.
    pub(crate) method: Option<MethodSite>,
}

pub(crate) struct MethodSite {
    pub(crate) name: Text,
    pub(crate) id: Option<MethodId>,
    /// The register of [`Op::GetMethod`], if there was one.
    pub(crate) prepared: Option<Register>,
}

/// An instruction of the host.
pub(crate) struct HostSite {
    pub(crate) op: u32,
    /// Its arguments. Most instructions have none.
    pub(super) call: Option<Box<CallSite>>,
}

/// A call without arguments.
static NO_ARGUMENTS: CallSite = CallSite {
    positional: 0,
    named: Vec::new(),
    args: false,
    kwargs: false,
    shape: ShapeOfCall::new(),
    method: None,
};

impl HostSite {
    /// The arguments of the instruction.
    pub(crate) fn call(&self) -> &CallSite {
        self.call.as_deref().unwrap_or(&NO_ARGUMENTS)
    }
}

/// The operations of an instruction that can be skipped because of an error in one of them.
#[derive(Clone, Copy)]
pub(crate) struct Skippable {
    /// From this operation on, no call follows an error, so skipping the rest has no visible effect
    /// on other code.
    pub(super) from: u32,
    /// The operation after the instruction.
    pub(crate) end: u32,
    /// The first register that only this instruction uses.
    pub(crate) first_register: Register,
}

pub(crate) struct LoadSite {
    pub(crate) module: Text,
    pub(crate) names: Vec<Text>,
}

impl CallSite {
    /// Returns whether there is one argument, by position.
    pub(crate) fn has_single_argument(&self) -> bool {
        self.positional == 1 && self.named.is_empty() && !self.args && !self.kwargs
    }
}

impl Params {
    /// The number of parameters that can be given by position.
    pub(crate) fn positional(&self) -> usize {
        self.names.len() - self.keyword_only
    }
}

/// The place of the first operation that has one.
#[derive(Clone, Copy, Default)]
pub(crate) enum First {
    #[default]
    Pending,
    /// Known, although the text may have no place for it.
    Known(Option<Span>),
}

/// The tables that the compiler fills for a function.
#[derive(Default)]
pub(crate) struct Positions {
    pub(crate) places: Vec<(u32, Option<Span>)>,
    pub(crate) first: First,
}

impl Code {
    /// Returns whether an operand is a temporary register: its value is used once.
    #[inline]
    pub(crate) fn is_temporary(&self, operand: Operand) -> bool {
        operand & CONSTANT == 0 && operand as usize >= self.variables.len()
    }

    /// Returns whether a call with this many positional arguments and no others needs no binding:
    /// each argument is in the register of its parameter.
    #[inline]
    pub(crate) fn takes_exactly(&self, positional: usize) -> bool {
        self.plain_params == Some(positional)
    }

    /// Returns the operations to skip because of an error in an operation. Returns `None` if the
    /// error must end the program.
    pub(crate) fn skippable(&self, at: usize) -> Option<Skippable> {
        let next = self.skippable.partition_point(|it| it.end as usize <= at);
        self.skippable.get(next).copied().filter(|it| it.from as usize <= at)
    }

    pub(crate) fn set_params(&mut self, params: Params) {
        let is_plain = !params.varargs && !params.kwargs && params.keyword_only == 0;
        self.plain_params = (is_plain && self.shared.is_empty()).then_some(params.names.len());
        self.params = params;
    }

    pub(crate) fn set_positions(&mut self, positions: Positions) {
        self.positions = positions.places;
        self.first_position = match positions.first {
            First::Pending => None,
            First::Known(span) => span,
        };
    }

    /// Returns the place of an operation.
    pub(crate) fn position(&self, op: usize) -> Option<Span> {
        let after = self.positions.partition_point(|&(from, _)| from as usize <= op);
        match after.checked_sub(1) {
            Some(at) => self.positions[at].1,
            None => self.first_position,
        }
    }
}

impl Default for Code {
    fn default() -> Self {
        Self {
            name: Text::new(),
            span: None,
            params: Params::default(),
            plain_params: None,
            ops: Vec::new(),
            constants: Vec::new(),
            names: Vec::new(),
            keys: Vec::new(),
            functions: Vec::new(),
            calls: Vec::new(),
            instructions: Vec::new(),
            skippable: Vec::new(),
            loads: Vec::new(),
            points: Vec::new(),
            registers: 0,
            shared: Vec::new(),
            captures: Vec::new(),
            variables: Box::default(),
            first_global: usize::MAX,
            globals: Arc::new([]),
            free: Box::default(),
            builds: false,
            positions: Vec::new(),
            first_position: None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The allocator has blocks of 512 and of 640 bytes. Each lambda has its own code.
    #[test]
    fn the_code_of_a_function_fits_a_block_of_512_bytes() {
        assert!(size_of::<Code>() + 2 * size_of::<usize>() <= 512);
    }
}
