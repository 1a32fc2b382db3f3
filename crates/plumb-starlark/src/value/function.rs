//! Functions of the program, and the variables that they share.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, Weak};

use plumb_source::{Span, Text};

use super::Value;
use crate::compile::Code;
use crate::heap::{Heap, Tied};

/// A function from a `def` or `lambda`.
pub struct Function {
    pub(crate) code: Arc<Code>,
    /// The variables of its module, which the [heap](crate::heap) owns.
    pub(crate) globals: Weak<[Variable]>,
    /// Defaults of the last parameters. `None` means that the parameter must be given by name.
    pub(crate) defaults: Box<[Option<Value>]>,
    /// Variables of surrounding functions.
    pub(crate) captured: Box<[Arc<SharedVariable>]>,
}

impl Function {
    /// The name; `lambda` for functions without one.
    pub fn name(&self) -> &Text {
        &self.code.name
    }

    /// Returns the place of its header.
    pub fn span(&self) -> Option<Span> {
        self.code.span
    }

    /// Returns how many parameters can be given by position.
    pub fn positional_parameters(&self) -> usize {
        self.code.params.positional()
    }

    /// Returns how many parameters must be given by position: those without a default.
    pub fn required_parameters(&self) -> usize {
        let params = &self.code.params;
        params.positional().min(params.names.len() - self.defaults.len())
    }

    /// Returns whether it takes any number of positional arguments.
    pub fn has_varargs(&self) -> bool {
        self.code.params.varargs
    }

    pub(crate) fn take_values(&mut self, out: &mut Vec<Value>) {
        out.extend(self.defaults.iter_mut().filter_map(Option::take));
        for variable in &mut self.captured {
            if let Some(variable) = Arc::get_mut(variable) {
                out.extend(variable.variable.take());
            }
        }
    }
}

/// A variable of a function that inner functions also see.
#[derive(Default)]
pub(crate) struct SharedVariable {
    variable: Variable,
    /// Whether the heap tracks it, because its value may contain a function that sees it.
    is_tied: AtomicBool,
}

impl SharedVariable {
    /// A variable with a value, which is its final one if it should be settled.
    pub(crate) fn new(value: Option<Value>, settle: bool) -> Self {
        let shared = Self::default();
        match value {
            Some(value) if settle => shared.variable.settle(value),
            Some(value) => shared.variable.set(value),
            None => {}
        }
        shared
    }

    pub(crate) fn get(&self) -> Option<Value> {
        self.variable.get()
    }

    /// Assigns a value. A value that may contain the variable is not settled: the heap must be able
    /// to take it out.
    pub(crate) fn assign(self: &Arc<Self>, heap: &Heap, value: Value, settle: bool) {
        if !value.nests() {
            return self.variable.assign(value, settle);
        }
        if !self.is_tied.swap(true, Ordering::Relaxed) {
            heap.tie(Tied::Variable(Arc::downgrade(self)));
        }
        self.variable.set(value);
    }

    /// Takes the value out to change it in place. The caller assigns another.
    pub(crate) fn take_to_change(&self) -> Option<Value> {
        self.variable.take_to_change()
    }

    /// Drops the value of a variable that is tied.
    pub(crate) fn empty(&self) {
        let value = self.variable.lock().take();
        drop(value);
    }
}

/// A variable that more than one function can see.
///
/// One that is assigned only once, and every global of a module that has ended, is read without a
/// lock.
#[derive(Default)]
pub(crate) struct Variable {
    settled: OnceLock<Value>,
    changing: Mutex<Option<Value>>,
}

impl Variable {
    pub(crate) fn get(&self) -> Option<Value> {
        match self.settled.get() {
            Some(value) => Some(value.clone()),
            None => self.lock().clone(),
        }
    }

    /// Returns the value if it is final.
    #[inline]
    pub(crate) fn settled(&self) -> Option<&Value> {
        self.settled.get()
    }

    fn lock(&self) -> MutexGuard<'_, Option<Value>> {
        self.changing.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn set(&self, value: Value) {
        *self.lock() = Some(value);
    }

    /// Sets the variable, and makes the value final if it should be settled.
    pub(crate) fn assign(&self, value: Value, settle: bool) {
        if settle { self.settle(value) } else { self.set(value) }
    }

    /// Sets the variable to its final value.
    pub(crate) fn settle(&self, value: Value) {
        if let Err(value) = self.settled.set(value) {
            // Compiled code does not reach this, but a later value must take precedence.
            self.set(value);
        }
    }

    /// Makes the current value of the variable final.
    pub(crate) fn settle_as_is(&self) {
        if let Some(value) = self.lock().take() {
            self.settle(value);
        }
    }

    /// Takes the value out to change it in place. The caller puts one back.
    pub(crate) fn take_to_change(&self) -> Option<Value> {
        match self.settled.get() {
            Some(value) => Some(value.clone()),
            None => self.lock().take(),
        }
    }

    fn take(&mut self) -> Option<Value> {
        let changing = self.changing.get_mut().unwrap_or_else(PoisonError::into_inner);
        self.settled.take().or_else(|| changing.take())
    }
}
