//! `bytes`: immutable sequences of bytes, as in the specification of Starlark. ytt does not have
//! them.

use std::any::Any;
use std::sync::Arc;

use plumb_source::Text;
use plumb_source::message::wrong_type;

use super::{Builtin, HostValue, Value, int, repr};
use crate::conversion_error::ConversionError;
use crate::error::{Error, Result, bail};
use crate::ops::binary::{find_bytes, not_contained, repetitions};
use crate::ops::index::position;
use crate::ops::slice::sliced;
use crate::ops::{BinaryOp, CompareOp};
use crate::text;

/// The bytes of a `bytes` value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bytes(Text);

const TYPE: &str = "bytes";

impl Bytes {
    /// A value of these bytes.
    pub fn value(bytes: &[u8]) -> Value {
        Value::host(Self(Text::from_bytes(bytes)))
    }

    /// Returns the bytes.
    pub fn as_slice(&self) -> &[u8] {
        self.0.as_bytes()
    }

    fn quoted(&self) -> Vec<u8> {
        let mut out = vec![b'b'];
        repr::quote(&mut out, self.as_slice());
        out
    }
}

impl HostValue for Bytes {
    fn type_name(&self) -> &'static str {
        TYPE
    }

    fn as_any(&self) -> &dyn Any {
        self
    }

    fn repr(&self) -> Text {
        Text::from_bytes(&self.quoted())
    }

    /// Each byte that is not part of a character is replaced.
    fn to_text(&self) -> Text {
        let mut out = Vec::with_capacity(self.0.len());
        for (_, c) in text::chars(self.as_slice()) {
            text::push_char(&mut out, c);
        }
        Text::from_bytes(&out)
    }

    fn size(&self) -> usize {
        self.0.len()
    }

    fn truth(&self) -> bool {
        !self.0.is_empty()
    }

    fn attribute(&self, name: &Text) -> Result<Option<Value>> {
        if name != "elems" {
            return Ok(None);
        }
        let bytes = self.clone();
        let elems = Builtin::new("elems", move |_, args| {
            args.check("elems", 0, 0)?;
            Ok(Value::host(Elements(bytes.clone())))
        });
        Ok(Some(Value::Builtin(Arc::new(elems))))
    }

    fn attribute_names(&self) -> Vec<Text> {
        vec![Text::from("elems")]
    }

    fn index(&self, key: &Value) -> Result<Option<Value>> {
        let at = position(TYPE, self.0.len(), key)?;
        Ok(Some(Value::Int(i64::from(self.as_slice()[at]))))
    }

    fn slice(&self, from: &Value, to: &Value, step: &Value) -> Result<Value> {
        sliced(self.as_slice(), from, to, step).map(|bytes| Self::value(&bytes))
    }

    fn contains(&self, item: &Value) -> Option<Result<bool>> {
        if let Some(part) = item.downcast::<Self>() {
            return Some(Ok(find_bytes(self.as_slice(), part.as_slice()).is_some()));
        }
        let Ok(number) = int::to_index(item) else {
            return Some(Err(not_contained("bytes", "bytes or an integer", item)));
        };
        Some(match u8::try_from(number) {
            Ok(byte) => Ok(self.as_slice().contains(&byte)),
            Err(_) => Err(Error::new(ConversionError::Byte { value: item.shown().into() })),
        })
    }

    fn length(&self) -> Option<usize> {
        Some(self.0.len())
    }

    fn compare(&self, op: CompareOp, other: &Value) -> Option<Result<bool>> {
        let other = other.downcast::<Self>()?;
        Some(Ok(op.holds(self.as_slice().cmp(other.as_slice()))))
    }

    fn hash(&self) -> Result<u64> {
        Ok(u64::from(fnv(self.as_slice())))
    }
}

/// The result of `elems()`.
struct Elements(Bytes);

impl HostValue for Elements {
    fn type_name(&self) -> &'static str {
        "bytes.elems"
    }

    fn as_any(&self) -> &dyn Any {
        self
    }

    fn repr(&self) -> Text {
        let mut out = self.0.quoted();
        out.extend_from_slice(b".elems()");
        Text::from_bytes(&out)
    }

    fn iterate(&self) -> Option<Box<dyn Iterator<Item = Value> + Send + Sync>> {
        let bytes = self.0.0.clone();
        let mut at = 0;
        Some(Box::new(std::iter::from_fn(move || {
            let byte = *bytes.as_bytes().get(at)?;
            at += 1;
            Some(Value::Int(i64::from(byte)))
        })))
    }
}

/// Computes `left + right` and `left * right` if bytes are among the operands.
pub(crate) fn binary(
    op: BinaryOp,
    left: &Value,
    right: &Value,
    max_text: usize,
) -> Result<Option<Value>> {
    match (op, left.downcast::<Bytes>(), right.downcast::<Bytes>()) {
        (BinaryOp::Add, Some(left), Some(right)) => {
            repr::check_length(left.0.len() + right.0.len(), max_text)?;
            Ok(Some(Bytes::value(&[left.as_slice(), right.as_slice()].concat())))
        }
        (BinaryOp::Multiply, Some(bytes), None) => repeated(bytes, right, max_text),
        (BinaryOp::Multiply, None, Some(bytes)) => repeated(bytes, left, max_text),
        _ => Ok(None),
    }
}

fn repeated(bytes: &Bytes, times: &Value, max_text: usize) -> Result<Option<Value>> {
    if !matches!(times, Value::Int(_) | Value::BigInt(_)) {
        return Ok(None);
    }
    let times = repetitions(bytes.0.len(), times)?;
    repr::check_length(bytes.0.len() * times, max_text)?;
    Ok(Some(Bytes::value(&bytes.as_slice().repeat(times))))
}

/// Converts a value as `bytes(x)` does.
pub(crate) fn of(value: &Value) -> Result<Value> {
    if value.downcast::<Bytes>().is_some() {
        return Ok(value.clone());
    }
    if let Value::String(string) = value {
        return Ok(Value::host(Bytes(Bytes(string.clone()).to_text())));
    }
    let Some(elements) = value.iterate() else {
        let wanted = "string, bytes, or iterable of ints";
        bail!("bytes: {}", wrong_type(wanted, value.type_name()));
    };
    let byte = |(at, element): (usize, Value)| match int::to_index(&element).map(u8::try_from) {
        Ok(Ok(byte)) => Ok(byte),
        Ok(Err(_)) => {
            bail!("bytes: {}", ConversionError::ByteAt { index: at, value: element.shown().into() })
        }
        Err(_) => bail!("bytes: at index {at}, {}", wrong_type("int", element.type_name())),
    };
    let bytes: Vec<u8> = elements.enumerate().map(byte).collect::<Result<_>>()?;
    Ok(Bytes::value(&bytes))
}

/// Returns the number of bytes, or of the elements of bytes. Returns 0 for other values.
pub(crate) fn length(value: &Value) -> usize {
    let bytes = value.downcast::<Bytes>();
    let bytes = bytes.or_else(|| value.downcast::<Elements>().map(|it| &it.0));
    bytes.map_or(0, |it| it.0.len())
}

/// The 32-bit FNV-1a hash, which the specification prescribes.
pub(crate) fn fnv(bytes: &[u8]) -> u32 {
    bytes.iter().fold(0x811c_9dc5, |hash, byte| (hash ^ u32::from(*byte)).wrapping_mul(0x0100_0193))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hash_is_fnv_1a() {
        assert_eq!(fnv(b""), 0x811c_9dc5);
        assert_eq!(fnv(b"a"), 0xe40c_292c);
        assert_eq!(fnv(b"foobar"), 0xbf9c_f968);
    }
}
