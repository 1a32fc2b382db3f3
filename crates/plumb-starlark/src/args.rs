//! The arguments of a call to native code, and their validation with the dialect's messages.

use plumb_source::message::{WantedCount, WrongCall, argument_count, wrong_type};
use plumb_source::{Message, Part, Text, message};

use crate::Value;
use crate::error::{Error, Result, UnknownKeyword, bail};
use crate::value::structs::ShapeOfCall;
use crate::value::{Struct, Values, int};
use crate::vm::Slot;

/// The arguments of one call.
#[derive(Clone, Copy)]
pub struct Args<'a> {
    positional: &'a [Slot],
    names: &'a [Text],
    /// The named arguments, as many as there are names.
    named: &'a [Slot],
    /// The shape of the call, if it has a place in a program.
    shape: Option<&'a ShapeOfCall>,
}

/// A parameter of a native function that takes arguments by name.
#[derive(Clone, Copy, Debug)]
pub enum Parameter {
    Required(&'static str),
    Optional(&'static str),
}

/// An argument, and the name of its parameter in messages.
#[derive(Clone)]
pub struct Argument<'a> {
    function: &'static str,
    parameter: Called<'a>,
    pub value: &'a Value,
}

/// The name of a parameter. It is formatted only if a message shows it.
#[derive(Clone, Copy)]
enum Called<'a> {
    /// By its position, counted from 0.
    Position(usize),
    Name(&'static str),
    /// By the name that the caller gave.
    Keyword(&'a Text),
}

impl<'a> Args<'a> {
    pub(crate) fn new(positional: &'a [Slot], names: &'a [Text], named: &'a [Slot]) -> Self {
        Self { positional, names, named, shape: None }
    }

    /// The same arguments, of a call at a place in a program that names them all.
    pub(crate) fn at_site(self, shape: &'a ShapeOfCall) -> Self {
        Self { shape: Some(shape), ..self }
    }

    /// A struct of the named arguments. If a name occurs twice, the later value is used.
    pub fn to_struct(&self) -> Struct {
        match self.shape {
            Some(shape) => {
                Struct::of_call(shape, self.names, self.named.iter().map(|it| it.value().clone()))
            }
            None => self.named().map(|(name, value)| (name.clone(), value.clone())).collect(),
        }
    }

    /// Returns the number of positional arguments.
    pub fn len(&self) -> usize {
        self.positional.len()
    }

    /// Returns whether there are no positional arguments.
    pub fn is_empty(&self) -> bool {
        self.positional.is_empty() && self.names.is_empty()
    }

    /// Returns a positional argument, counted from 0. Returns `None` if there are not that many.
    pub fn get(&self, index: usize) -> Option<&'a Value> {
        self.positional.get(index).map(Slot::value)
    }

    /// Returns the positional arguments.
    pub fn positional(&self) -> impl ExactSizeIterator<Item = &'a Value> + use<'a> {
        self.positional.iter().map(Slot::value)
    }

    /// Returns the named arguments, in the order in which they were given.
    pub fn named(&self) -> impl ExactSizeIterator<Item = (&'a Text, &'a Value)> + use<'a> {
        self.names.iter().zip(self.named.iter().map(Slot::value))
    }

    pub(crate) fn slots(&self) -> (&'a [Slot], &'a [Text], &'a [Slot]) {
        (self.positional, self.names, self.named)
    }

    /// Checks that there are `least` to `most` positional arguments and no named ones.
    pub fn check(&self, function: &'static str, least: usize, most: usize) -> Result<()> {
        if !self.names.is_empty() {
            bail!("{function}: unexpected keyword arguments");
        }
        let got = self.len();
        if got < least {
            let wanted =
                if least < most { WantedCount::AtLeast(least) } else { WantedCount::Of(least) };
            bail!("{function}: {}", argument_count(wanted, got));
        }
        if got > most {
            let wanted =
                if most > least { WantedCount::AtMost(most) } else { WantedCount::Of(most) };
            bail!("{function}: {}", argument_count(wanted, got));
        }
        Ok(())
    }

    /// Returns the arguments of a function that takes up to `MAX_ARGUMENTS` positional ones.
    pub fn unpack<const MAX_ARGUMENTS: usize>(
        &self,
        function: &'static str,
        least: usize,
    ) -> Result<[Option<Argument<'a>>; MAX_ARGUMENTS]> {
        self.check(function, least, MAX_ARGUMENTS)?;
        Ok(std::array::from_fn(|index| {
            let value = self.get(index)?;
            Some(Argument { function, parameter: Called::Position(index), value })
        }))
    }

    /// Returns the arguments of a function that takes any number of positional ones.
    pub(crate) fn unpack_all(
        &self,
        function: &'static str,
    ) -> Result<impl Iterator<Item = Argument<'a>> + use<'a>> {
        self.check(function, 0, usize::MAX)?;
        let values = self.positional().enumerate();
        Ok(values.map(move |(index, value)| Argument {
            function,
            parameter: Called::Position(index),
            value,
        }))
    }

    /// Returns the arguments of a function that takes them by position or by name.
    pub(crate) fn unpack_named<const COUNT: usize>(
        &self,
        function: &'static str,
        parameters: [Parameter; COUNT],
    ) -> Result<[Option<Argument<'a>>; COUNT]> {
        if self.len() > COUNT {
            let error = argument_count(WantedCount::AtMost(COUNT), self.len());
            bail!("{function}: {error}");
        }
        let mut found: [Option<Argument<'a>>; COUNT] = std::array::from_fn(|index| {
            let (value, parameter) = (self.get(index)?, Called::Name(parameters[index].name()));
            Some(Argument { function, parameter, value })
        });
        for (name, value) in self.named() {
            let parameter = Called::Keyword(name);
            let Some(index) = parameters.iter().position(|it| name == it.name()) else {
                let message = message!("{function}: unexpected keyword argument {parameter}");
                let parameters = parameters.iter().map(|it| Text::from(it.name())).collect();
                let detail = UnknownKeyword { name: name.clone(), parameters };
                return Err(Error::new(message).with_detail(detail));
            };
            if found[index].is_some() {
                let error = WrongCall::TwiceInBuiltIn { parameter: message!("{parameter}") };
                bail!("{function}: {error}");
            }
            found[index] = Some(Argument { function, parameter, value });
        }
        for (argument, parameter) in found.iter().zip(parameters) {
            match parameter {
                Parameter::Required(name) if argument.is_none() => {
                    let error = WrongCall::MissingInBuiltIn { parameter: name };
                    bail!("{function}: {error}");
                }
                Parameter::Required(_) => {}
                Parameter::Optional(_) => break,
            }
        }
        Ok(found)
    }
}

impl Parameter {
    fn name(self) -> &'static str {
        match self {
            Self::Required(name) | Self::Optional(name) => name,
        }
    }
}

impl Part for Called<'_> {
    fn add_to(&self, message: &mut Message) {
        match self {
            Self::Position(index) => message.push(&(index + 1)),
            Self::Name(name) => message.push(name),
            Self::Keyword(name) => message.push(&Value::String((*name).clone()).shown()),
        }
    }
}

impl<'a> Argument<'a> {
    fn wrong(&self, message: &Message) -> Error {
        let Self { function, parameter, .. } = *self;
        Error::new(message!("{function}: for parameter {parameter}: {message}"))
    }

    fn wants(&self, wanted: &'static str) -> Error {
        self.wrong(&wrong_type(wanted, self.value.type_name()).into())
    }

    /// Returns the argument as a string. Fails if it is of another type.
    pub fn text(&self) -> Result<&'a Text> {
        self.value.as_text().ok_or_else(|| self.wants("string"))
    }

    /// Returns the argument as a boolean. Fails if it is of another type.
    pub fn bool(&self) -> Result<bool> {
        match self.value {
            Value::Bool(it) => Ok(*it),
            _ => Err(self.wants("bool")),
        }
    }

    /// Returns the argument as an integer. Fails if it is of another type, or does not fit in 32
    /// bits.
    pub fn index(&self) -> Result<i64> {
        int::to_index(self.value).map_err(|error| self.wrong(error.message()))
    }

    pub(crate) fn iterable(&self) -> Result<Values> {
        self.value.iterate().ok_or_else(|| self.wants("iterable"))
    }

    /// Returns the argument if it can be called. Fails otherwise.
    pub fn callable(&self) -> Result<&'a Value> {
        if self.value.is_callable() { Ok(self.value) } else { Err(self.wants("callable")) }
    }
}
