//! `-x`, `+x`, `~x`, `not x`.

use plumb_source::message;

use crate::Value;
use crate::code_error::CodeErrorKind;
use crate::error::{Error, Result};
use crate::syntax::ast::UnaryOp;
use crate::value::int;

pub(crate) fn unary(op: UnaryOp, operand: &Value) -> Result<Value> {
    Ok(match (op, operand) {
        (UnaryOp::Not, _) => Value::Bool(!operand.truth()),
        (UnaryOp::Minus, Value::Int(it)) => match it.checked_neg() {
            Some(negated) => Value::Int(negated),
            None => int::from_big(-num_bigint::BigInt::from(*it)),
        },
        (UnaryOp::Minus, Value::BigInt(it)) => int::from_big(-&**it),
        (UnaryOp::Minus, Value::Float(it)) => Value::Float(-it),
        (UnaryOp::Plus, Value::Int(_) | Value::BigInt(_) | Value::Float(_)) => operand.clone(),
        (UnaryOp::Invert, Value::Int(it)) => Value::Int(!it),
        (UnaryOp::Invert, Value::BigInt(it)) => int::from_big(!&**it),
        (UnaryOp::Minus | UnaryOp::Plus | UnaryOp::Invert, _) => {
            let symbol = match op {
                UnaryOp::Minus => "-",
                UnaryOp::Plus => "+",
                UnaryOp::Invert => "~",
                UnaryOp::Not => "not",
            };
            let operand = operand.type_name();
            let words = message!("the operator `{symbol}` is not defined for {operand}");
            return Err(Error::of_code(words, CodeErrorKind::UnaryOperation { symbol, operand }));
        }
    })
}
