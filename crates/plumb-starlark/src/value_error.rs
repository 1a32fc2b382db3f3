//! Errors of operations and of built-in functions: typed facts, and our messages for them. Errors
//! for which there is advice are in [`CodeErrorKind`](crate::CodeErrorKind).

use plumb_source::message::plain;
use plumb_source::{Message, Text, message};

use crate::error::parts_of_messages;
use crate::ops::binary::{MAX_REPEAT, MAX_SHIFT};
use crate::value::compare::MAX_DEPTH;

/// Values that an operation does not accept.
#[derive(Clone, Debug)]
pub enum ValueError {
    /// A division, or a division that is rounded down.
    DivisionByZero { is_floored: bool },
    /// `in` before a value of the type `container`, which can contain only what is `wanted`.
    Contained { container: &'static str, wanted: &'static str, found: &'static str },
    /// A value of this type has no slices.
    Slice { found: &'static str },
    /// The step of a slice is of this type.
    SliceStep { found: &'static str },
    /// The items of a value of this type cannot be assigned.
    ItemAssignment { object: &'static str },
    /// The fields of a value of this type cannot be assigned.
    FieldAssignment { object: &'static str, name: Text },
    /// A value of this type is assigned to several names.
    Unpack { found: &'static str, wanted: usize },
    /// A wrong number of values is assigned to several names: `None` if it is larger and not known.
    UnpackCount { found: Option<usize>, wanted: usize },
    /// A value of this type cannot be a key of a dictionary. The type is one that has elements that
    /// can change.
    Unhashable { found: &'static str, can_change: bool },
    /// A variable of a function or of a module has no value yet.
    Unassigned { name: Text, is_local: bool },
    /// A list, or else a dictionary or a set, cannot be changed now: in a loop over it, or because
    /// its module has ended.
    Unchangeable { verb: &'static str, is_list: bool, is_in_loop: bool },
    /// A value of this type has no length.
    NoLength { found: &'static str },
    /// A function that compares is called without values.
    NothingToCompare { function: &'static str },
    /// A function that compares is called with a value of this type, which has no elements.
    NotComparable { found: &'static str },
    /// An element of what is joined is of this type.
    Joined { found: &'static str },
    /// The separator of a text is of this type.
    Separator { found: &'static str },
    /// An element of a tuple, where all should be strings, is of this type.
    ElementNotText { index: usize, found: &'static str },
    /// An element is not a pair.
    Pair { index: usize, found: NotAPair },
    /// An argument is given twice by this name, which is in quotes.
    ArgumentTwice { name: Message },
    /// The number of repetitions of a sequence does not fit in 64 bits.
    Repetitions { times: Message },
    /// A repeated sequence would have this number of elements.
    RepeatedElements { total: i64 },
    /// The number of bits to shift by is negative or too large.
    Shift { count: i64 },
    /// An argument of `zip`, counted from 1, is of this type.
    NotZippable { position: usize, found: &'static str },
    /// Two values are nested too deeply to be compared.
    TooDeepToCompare,
    /// A dictionary literal has the same key twice.
    KeyTwice { key: Message },
}

/// What is found instead of a key and a value.
#[derive(Clone, Copy, Debug)]
pub enum NotAPair {
    /// A value of this type has no elements.
    Single(&'static str),
    /// A value of this type has elements, but no length.
    Endless(&'static str),
    /// This number of elements.
    Elements(usize),
}

impl ValueError {
    fn words(&self) -> Message {
        match self {
            Self::DivisionByZero { .. } => "division by zero".into(),
            Self::Contained { container, wanted, found } => message!(
                "expected {wanted} on the left of `in`, because {container} is on the right; found \
                 {found}"
            ),
            Self::Slice { found } => {
                message!("expected a string, a list or a tuple to slice, found {found}")
            }
            Self::SliceStep { found } => {
                message!("invalid step of a slice: expected int, found {found}")
            }
            Self::ItemAssignment { object } => {
                message!("expected a list or a dict to assign an item to, found {object}")
            }
            Self::FieldAssignment { object, name } => {
                message!("cannot assign to the field `{name}` of {object}")
            }
            Self::Unpack { found, wanted } => {
                message!("expected {wanted} values to unpack, found {found}")
            }
            Self::UnpackCount { found: Some(found), wanted } => {
                message!("expected {wanted} values to unpack, found {found}")
            }
            Self::UnpackCount { found: None, wanted } => {
                message!("expected {wanted} values to unpack, found more")
            }
            Self::Unhashable { found, .. } => {
                message!("expected a value that can be a key or an element of a set, found {found}")
            }
            Self::Unassigned { name, is_local } => message!(
                "the {} variable `{}` is used before it is assigned",
                if *is_local { "local" } else { "global" },
                plain(name)
            ),
            Self::Unchangeable { verb, is_list, is_in_loop } => message!(
                "cannot {verb} a {} {}",
                if *is_list { "list" } else { "dict or set" },
                if *is_in_loop { "in a loop over it" } else { "of a file that has ended" }
            ),
            Self::NoLength { found } => {
                message!("expected a string or another value with a length, found {found}")
            }
            Self::NothingToCompare { function } => {
                message!("{function}: expected at least 1 argument, found 0")
            }
            Self::NotComparable { found } => {
                message!("expected a list or several arguments, found {found}")
            }
            Self::Joined { found } => message!("expected strings, found {found}"),
            Self::Separator { found } => {
                message!("expected a separator that is a string, found {found}")
            }
            Self::ElementNotText { index, found } => {
                message!("expected a tuple of strings, found {found} at index {index}")
            }
            Self::Pair { index, found } => {
                message!(
                    "expected pairs of key and value, found {} at index {index}",
                    found.words()
                )
            }
            Self::ArgumentTwice { name } => {
                message!("expected one value for the argument {name}, found two")
            }
            Self::Repetitions { .. } | Self::RepeatedElements { .. } => {
                message!("the result must have fewer than {MAX_REPEAT} elements: repeat less often")
            }
            Self::Shift { count } if *count < 0 => {
                message!("expected a number of bits that is not negative, found {count}")
            }
            Self::Shift { count } => {
                message!("expected at most {MAX_SHIFT} bits to shift by, found {count}")
            }
            Self::NotZippable { position, found } => {
                message!(
                    "expected a list or another iterable value as argument {position}, found {found}"
                )
            }
            Self::TooDeepToCompare => {
                message!("expected at most {MAX_DEPTH} levels of values to compare, found more")
            }
            Self::KeyTwice { key } => message!("the key {key} is in the dict twice"),
        }
    }
}

impl NotAPair {
    fn words(self) -> Message {
        match self {
            Self::Single(found) | Self::Endless(found) => found.into(),
            Self::Elements(1) => "1 element".into(),
            Self::Elements(n) => message!("{n} elements"),
        }
    }
}

parts_of_messages!(ValueError);
