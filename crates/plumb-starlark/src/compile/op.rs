//! The operations of the machine.

use crate::ops::{BinaryOp, CompareOp};
use crate::syntax::ast::UnaryOp;

/// A register of the function that runs.
pub(crate) type Register = u16;

/// A register to read, or a constant if [`CONSTANT`] is set.
pub(crate) type Operand = u16;

pub(crate) const CONSTANT: Operand = 0x8000;
/// The number of registers and constants that an operand can address.
pub(crate) const MAX_OPERAND: usize = CONSTANT as usize;

/// The target of a jump: the index of an operation, or of a label until the code is complete.
pub(crate) type Target = u32;

#[derive(Clone, Copy, Debug)]
pub(crate) enum Op {
    /// Copies a value.
    Copy {
        to: Register,
        from: Operand,
    },
    /// Moves a value that is not used again.
    Take {
        to: Register,
        from: Register,
    },
    Constant {
        to: Register,
        index: u32,
    },
    Clear {
        register: Register,
    },
    /// Fails if the variable is not assigned.
    Check {
        register: Register,
    },
    GetGlobal {
        to: Register,
        index: u32,
    },
    SetGlobal {
        index: u32,
        from: Register,
        settle: bool,
    },
    /// At the end of the module: makes a variable of the top level global.
    Export {
        index: u32,
        from: Register,
    },
    /// At the end of the module: makes the value of a shared variable final.
    Settle {
        index: u32,
    },
    GetVariable {
        to: Register,
        register: Register,
    },
    SetVariable {
        register: Register,
        from: Register,
        settle: bool,
    },
    GetFree {
        to: Register,
        index: u32,
    },
    Unary {
        op: UnaryOp,
        to: Register,
        operand: Operand,
    },
    Add {
        to: Register,
        left: Operand,
        right: Operand,
    },
    Subtract {
        to: Register,
        left: Operand,
        right: Operand,
    },
    Binary {
        op: BinaryOp,
        to: Register,
        left: Operand,
        right: Operand,
    },
    /// `left + number`, where the number is also the constant `right`.
    AddSmall {
        to: Register,
        left: Register,
        right: Operand,
        number: i32,
    },
    SubtractSmall {
        to: Register,
        left: Register,
        right: Operand,
        number: i32,
    },
    BinarySmall {
        op: BinaryOp,
        to: Register,
        left: Register,
        right: Operand,
        number: i32,
    },
    NotIn {
        to: Register,
        left: Operand,
        right: Operand,
    },
    Compare {
        op: CompareOp,
        to: Register,
        left: Operand,
        right: Operand,
    },
    /// `+=` on a variable of the function.
    AddInPlace {
        register: Register,
        right: Operand,
    },
    /// `|=`: a dictionary is changed in place.
    UniteInPlace {
        register: Register,
        right: Operand,
    },
    AddInPlaceGlobal {
        index: u32,
        right: Operand,
    },
    AddInPlaceVariable {
        register: Register,
        right: Operand,
    },
    Jump {
        target: Target,
    },
    /// A backward jump, which counts as a step.
    Loop {
        target: Target,
    },
    JumpIf {
        operand: Operand,
        when: bool,
        target: Target,
    },
    JumpIfCompare {
        op: CompareOp,
        when: bool,
        left: Operand,
        right: Operand,
        target: Target,
    },
    /// Jumps if the comparison with a number is false. The number is also the constant `right`.
    JumpUnlessCompareSmall {
        op: CompareOp,
        left: Register,
        right: Operand,
        number: i16,
        target: Target,
    },
    GetAttribute {
        to: Register,
        object: Operand,
        name: u32,
    },
    SetAttribute {
        object: Operand,
        name: u32,
    },
    GetIndex {
        to: Register,
        object: Operand,
        key: Operand,
    },
    SetIndex {
        object: Operand,
        key: Operand,
        value: Operand,
    },
    /// The bounds are in three registers from `bounds` on.
    Slice {
        to: Register,
        object: Operand,
        bounds: Register,
    },
    /// Creates a list of the values in `count` consecutive registers.
    NewList {
        to: Register,
        first: Register,
        count: u16,
    },
    ExtendList {
        list: Register,
        first: Register,
        count: u16,
    },
    /// Begins a list that elements are appended to. `Finish` completes it.
    StartList {
        to: Register,
    },
    Append {
        list: Register,
        value: Operand,
    },
    NewTuple {
        to: Register,
        first: Register,
        count: u16,
    },
    /// Creates a tuple of the elements of a list that nothing else refers to.
    ListToTuple {
        to: Register,
        list: Register,
    },
    /// Creates a dictionary of the values in consecutive registers and of keys that are known.
    NewDict {
        to: Register,
        first: Register,
        keys: u32,
    },
    /// Begins a dictionary with space for some entries. `Finish` completes it.
    StartDict {
        to: Register,
        capacity: u16,
    },
    Insert {
        dict: Register,
        key: Operand,
        value: Operand,
    },
    /// Like `Insert`, but an existing key is an error.
    InsertNew {
        dict: Register,
        key: Operand,
        value: Operand,
    },
    /// Completes a list or a dictionary.
    Finish {
        register: Register,
    },
    /// Defaults are in registers from `defaults` on.
    NewFunction {
        to: Register,
        function: u32,
        defaults: Register,
    },
    /// Makes room in a list or dictionary that is not complete for all elements of an iterator.
    Reserve {
        to: Register,
        iterator: Register,
    },
    Iterate {
        to: Register,
        from: Operand,
    },
    /// Gets the next element, or jumps if there is none.
    Next {
        iterator: Register,
        to: Register,
        target: Target,
    },
    /// At the end of a loop: counts a step and gets the next element, or continues after the loop if
    /// there is none. The target is the operation `Next` of the loop.
    Repeat {
        iterator: Register,
        to: Register,
        target: Target,
    },
    Unpack {
        from: Operand,
        first: Register,
        count: u16,
    },
    /// Arguments are in registers from `args` on.
    Call {
        function: Operand,
        args: Register,
        to: Register,
        site: u32,
    },
    /// Calls a variable of the module that is final before this operation, with arguments by
    /// position only.
    CallGlobal {
        global: u16,
        count: u8,
        args: Register,
        to: Register,
        site: u32,
    },
    /// Prepares a method call whose arguments can fail: fails now if there is no such attribute.
    GetMethod {
        to: Register,
        object: Operand,
        site: u32,
    },
    CallMethod {
        object: Operand,
        args: Register,
        to: Register,
        site: u32,
    },
    Host {
        args: Register,
        to: Register,
        site: u32,
    },
    StartContext {
        op: u32,
    },
    EndContext {
        to: Register,
        from: Operand,
    },
    /// Like `EndContext`, for a return without a value.
    EndContextEmpty {
        to: Register,
    },
    Load {
        first: Register,
        site: u32,
    },
    Return {
        from: Operand,
    },
    /// Counts, in programs that are compiled for coverage.
    Count {
        point: u32,
    },
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_operation_is_twelve_bytes() {
        assert_eq!(size_of::<Op>(), 12);
    }
}
