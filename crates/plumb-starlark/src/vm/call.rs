//! Moves the arguments of a call into the registers of the function.

use std::sync::Arc;

use plumb_source::message::{Positional, WrongCall};
use plumb_source::{Message, Text};

use super::slot::Slot;
use super::thread::Thread;
use crate::Value;
use crate::builtins::collect;
use crate::compile::{CallSite, Params};
use crate::error::{Error, Result, UnknownKeyword};
use crate::value::function::SharedVariable;
use crate::value::measure::touched;
use crate::value::{Dict, Function, Tuple};

/// The arguments of a call with `*args` or `**kwargs`, expanded.
#[derive(Default)]
pub(super) struct Spread {
    pub(super) positional: Vec<Slot>,
    pub(super) names: Vec<Text>,
    pub(super) named: Vec<Slot>,
}

/// Expands arguments that are in registers, within the limits.
pub(super) fn spread(
    thread: &mut Thread<'_>,
    site: &CallSite,
    args: &mut [Slot],
) -> Result<Spread> {
    let mut args = args.iter_mut().map(std::mem::take);
    let positional = args.by_ref().take(site.positional as usize).collect();
    let named = args.by_ref().take(site.named.len()).collect();
    let mut spread = Spread { positional, names: site.named.clone(), named };
    let all = if site.args { args.next() } else { None };
    if let Some(kwargs) = args.next().filter(|_| site.kwargs) {
        thread.count_bytes(touched(kwargs.value()))?;
        add_keywords(&mut spread, kwargs.value())?;
    }
    if let Some(all) = all {
        let Some(values) = all.value().iterate() else {
            return Err(wrong(WrongCall::NoElements { found: all.value().type_name() }));
        };
        let values = collect(thread, values)?;
        spread.positional.extend(values.into_iter().map(Slot::Value));
    }
    Ok(spread)
}

fn add_keywords(spread: &mut Spread, mapping: &Value) -> Result<()> {
    let items = match mapping {
        Value::Dict(dict) => Some(dict.items()),
        Value::Struct(fields) => {
            let fields = fields.fields();
            Some(fields.map(|(name, value)| (Value::String(name.clone()), value.clone())).collect())
        }
        Value::Host(host) => host.items(),
        _ => None,
    };
    let Some(items) = items else {
        return Err(wrong(WrongCall::NoKeys { found: mapping.type_name() }));
    };
    for (key, value) in items {
        let Value::String(name) = key else {
            return Err(wrong(WrongCall::KeyNotString { found: key.type_name() }));
        };
        spread.names.push(name);
        spread.named.push(Slot::Value(value));
    }
    Ok(())
}

/// Clears the registers of variables that are not parameters: they may contain values of earlier
/// computations.
#[inline]
pub(super) fn clear_variables(function: &Function, registers: &mut [Slot], given: usize) {
    if let Some(unset) = registers.get_mut(given..function.code.variables.len()) {
        unset.iter_mut().for_each(Slot::clear);
    }
}

/// Binds arguments at the start of a function's registers to its parameters, by position and then
/// by name. There are at least as many registers as arguments.
pub(super) fn bind(
    function: &Function,
    registers: &mut [Slot],
    positional: usize,
    names: &[Text],
) -> Result<()> {
    let params = &function.code.params;
    let given = positional + names.len();
    clear_variables(function, registers, given);
    let plain = !params.varargs && !params.kwargs && params.keyword_only == 0;
    if !(plain && names.is_empty() && positional == params.names.len()) {
        Binding { function, params, registers: &mut *registers }.bind(positional, names)?;
    }
    for shared in &function.code.shared {
        let slot = &mut registers[shared.register as usize];
        let value = match std::mem::take(slot) {
            Slot::Value(value) => Some(value),
            _ => None,
        };
        *slot = Slot::Variable(Arc::new(SharedVariable::new(value, shared.settle)));
    }
    Ok(())
}

struct Binding<'a> {
    function: &'a Function,
    params: &'a Params,
    registers: &'a mut [Slot],
}

impl Binding<'_> {
    fn bind(&mut self, positional: usize, names: &[Text]) -> Result<()> {
        let (function, params) = (self.function.name(), self.params);
        let count = params.names.len();
        let given = positional + names.len();
        if count == 0 && !params.varargs && !params.kwargs {
            if given > 0 {
                let (function, wanted) = (function.to_string(), Positional::None);
                return Err(wrong(WrongCall::TooMany { function, wanted, found: given }));
            }
            return Ok(());
        }
        let named: Vec<Slot> =
            self.registers[positional..given].iter_mut().map(std::mem::take).collect();
        let by_position = params.positional();
        if positional > by_position && !params.varargs {
            let wanted = if params.defaults.len() > params.keyword_only {
                Positional::AtMost(by_position)
            } else {
                Positional::Exactly(by_position)
            };
            let function = function.to_string();
            return Err(wrong(WrongCall::TooMany { function, wanted, found: positional }));
        }
        let taken = positional.min(by_position);
        if params.varargs {
            let rest = self.registers[taken..positional].iter_mut().map(Slot::take);
            let rest: Tuple = rest.collect();
            self.registers[count] = Slot::Value(Value::Tuple(rest));
        }
        self.by_name(names, named)?;
        if taken < count || params.keyword_only > 0 {
            self.defaults(taken)?;
        }
        Ok(())
    }

    fn by_name(&mut self, names: &[Text], named: Vec<Slot>) -> Result<()> {
        let (function, params) = (self.function.name(), self.params);
        let keywords = params.kwargs.then(Dict::default);
        for (name, value) in names.iter().zip(named) {
            let function = || function.to_string();
            let quoted = || Message::from(Value::String(name.clone()).shown());
            let twice = || wrong(WrongCall::Twice { function: function(), parameter: quoted() });
            if let Some(at) = params.names.iter().position(|it| it == name) {
                if !matches!(self.registers[at], Slot::Empty) {
                    return Err(twice());
                }
                self.registers[at] = value;
                continue;
            }
            let Some(keywords) = &keywords else {
                let error = wrong(WrongCall::Unknown { function: function(), parameter: quoted() });
                let parameters = params.names.to_vec();
                let detail = UnknownKeyword { name: name.clone(), parameters };
                return Err(error.with_detail(detail));
            };
            let Slot::Value(value) = value else { continue };
            if !keywords.build(Value::String(name.clone()), value)? {
                return Err(twice());
            }
        }
        if let Some(keywords) = keywords {
            let at = params.names.len() + usize::from(params.varargs);
            self.registers[at] = Slot::Value(Value::Dict(Arc::new(keywords)));
        }
        Ok(())
    }

    /// Fills in parameters that were not given. `from` is the first that may be missing.
    fn defaults(&mut self, from: usize) -> Result<()> {
        let names = &self.params.names;
        let first_default = names.len() - self.function.defaults.len();
        let mut missing = Vec::new();
        for (at, name) in names.iter().enumerate().skip(from) {
            if !matches!(self.registers[at], Slot::Empty) {
                continue;
            }
            let default = at.checked_sub(first_default).map(|it| &self.function.defaults[it]);
            match default {
                Some(Some(value)) => self.registers[at] = Slot::Value(value.clone()),
                Some(None) | None => missing.push(name.to_string()),
            }
        }
        if missing.is_empty() {
            return Ok(());
        }
        let function = self.function.name().to_string();
        Err(wrong(WrongCall::Missing { function, parameters: missing }))
    }
}

fn wrong(call: WrongCall) -> Error {
    Error::new(call)
}
