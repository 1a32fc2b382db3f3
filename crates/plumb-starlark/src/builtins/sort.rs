//! Sorting with a comparison that can fail, and with one that cannot.

use std::cmp::Ordering;

use ecow::EcoVec;
use plumb_source::Text;

use crate::error::{Error, Result};
use crate::ops::CompareOp;
use crate::value::compare::{elements_of_key, simple_order};
use crate::{Thread, Value};

/// The number of elements that are sorted by insertion.
const BLOCK: usize = 20;

/// Returns keys in their order. Equal ones keep theirs. If keys cannot be compared, returns the error
/// of the last such pair, as the dialect does.
pub(super) fn sort(thread: &mut Thread<'_>, keys: &[Value], reverse: bool) -> Result<Order> {
    match ranked(keys) {
        Some(ranked) => Ok(sort_simple(keys, ranked, reverse)),
        None => sort_any(thread, keys, reverse).map(Order::Positions),
    }
}

/// The order of keys, by their positions.
pub(super) enum Order {
    Ranked(Vec<Ranked>),
    Positions(Vec<usize>),
}

impl Order {
    /// Returns values in this order.
    pub(super) fn arrange(&self, values: &[Value]) -> EcoVec<Value> {
        let mut arranged = EcoVec::with_capacity(values.len());
        match self {
            Self::Ranked(ranked) => {
                arranged.extend(ranked.iter().map(|it| values[it.at as usize].clone_element()));
            }
            Self::Positions(positions) => {
                arranged.extend(positions.iter().map(|&at| values[at].clone_element()));
            }
        }
        arranged
    }
}

/// A key that can be compared with all others without an error, and in less than one step.
pub(super) struct Ranked {
    /// Orders most keys without looking at them: of two keys, the one with the lower number is not
    /// the greater one. Two halves take less space than one number of 128 bits.
    rank: (u64, u64),
    /// The position of the key.
    at: u32,
}

impl Ranked {
    fn new(rank: u128, at: u32) -> Self {
        #[expect(clippy::cast_possible_truncation, reason = "the lower half")]
        Self { rank: ((rank >> 64) as u64, rank as u64), at }
    }

    fn rank(&self) -> u128 {
        u128::from(self.rank.0) << 64 | u128::from(self.rank.1)
    }
}

/// Keys that are computed one after the other. As long as all of them fit in a rank, only the ranks
/// are kept, which takes less memory than the keys.
pub(super) struct Keys {
    /// Of the keys in `ranked`.
    shape: Option<Shape>,
    ranked: Vec<Ranked>,
    /// All keys, from the first one on that does not fit.
    values: Option<Vec<Value>>,
}

/// Which values a rank is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Shape {
    Int,
    Text,
    IntAndInt,
    IntAndText,
}

impl Keys {
    pub(super) fn with_capacity(count: usize) -> Self {
        Self { shape: None, ranked: Vec::with_capacity(count), values: None }
    }

    pub(super) fn push(&mut self, key: Value) {
        if let Some(values) = &mut self.values {
            values.push(key);
            return;
        }
        if let Some((shape, rank)) = pack(&key)
            && let Ok(at) = u32::try_from(self.ranked.len())
            && self.shape.is_none_or(|it| it == shape)
        {
            self.shape = Some(shape);
            self.ranked.push(Ranked::new(rank, at));
            return;
        }
        let mut values = Vec::with_capacity(self.ranked.capacity());
        let shape = self.shape.unwrap_or(Shape::Int);
        values.extend(self.ranked.drain(..).map(|it| unpack(shape, it.rank())));
        values.push(key);
        self.values = Some(values);
    }

    /// Returns the keys in their order, as [`sort`] does.
    pub(super) fn sort(mut self, thread: &mut Thread<'_>, reverse: bool) -> Result<Order> {
        if let Some(values) = &self.values {
            return sort(thread, values, reverse);
        }
        sort_by_rank(&mut self.ranked, reverse);
        Ok(Order::Ranked(self.ranked))
    }
}

/// Returns the rank of a key that says all about it: ranks have the order of the keys.
fn pack(key: &Value) -> Option<(Shape, u128)> {
    let pair = match key {
        Value::Int(number) => return Some((Shape::Int, u128::from(raised(*number)) << 64)),
        Value::String(text) => return Some((Shape::Text, u128::from_be_bytes(bytes_of(text, 0)?))),
        Value::Tuple(pair) => pair,
        _ => return None,
    };
    match &pair[..] {
        [Value::Int(first), Value::Int(second)] => {
            let rank = u128::from(raised(*first)) << 64 | u128::from(raised(*second));
            Some((Shape::IntAndInt, rank))
        }
        [Value::Int(number), Value::String(text)] => {
            let number = i32::try_from(*number).ok()?.cast_unsigned() ^ (1 << 31);
            let text = u128::from_be_bytes(bytes_of(text, size_of::<u32>())?);
            Some((Shape::IntAndText, u128::from(number) << 96 | text))
        }
        _ => None,
    }
}

/// Returns the key that has a rank.
fn unpack(shape: Shape, rank: u128) -> Value {
    #[expect(clippy::cast_possible_truncation, reason = "the parts that were joined")]
    let (upper, lower) = ((rank >> 64) as u64, rank as u64);
    let number = |raised: u64| Value::Int(raised.cast_signed() ^ i64::MIN);
    let bytes = rank.to_be_bytes();
    let text = |from: usize| {
        let length = usize::from(bytes[bytes.len() - 1]);
        Value::String(Text::from_bytes(&bytes[from..from + length]))
    };
    match shape {
        Shape::Int => number(upper),
        Shape::Text => text(0),
        Shape::IntAndInt => Value::tuple([number(upper), number(lower)]),
        Shape::IntAndText => {
            let number = i64::from(((upper >> 32) as u32 ^ (1 << 31)).cast_signed());
            Value::tuple([Value::Int(number), text(size_of::<u32>())])
        }
    }
}

/// Returns a number that has the order of a signed one.
fn raised(number: i64) -> u64 {
    (number ^ i64::MIN).cast_unsigned()
}

/// Returns the bytes of a text from a position on, and then its length: of two texts that differ
/// only in zeros at the end, the shorter one comes first.
fn bytes_of(text: &Text, from: usize) -> Option<[u8; 16]> {
    let mut bytes = [0; 16];
    let last = bytes.len() - 1;
    bytes[from..last].get_mut(..text.len())?.copy_from_slice(text.as_bytes());
    bytes[last] = u8::try_from(text.len()).ok()?;
    Some(bytes)
}

/// Returns all keys with their ranks if they are integers, short texts, or tuples of these. In each
/// column of the tuples, all values must have the same type. Returns `None` for other keys.
fn ranked(keys: &[Value]) -> Option<Vec<Ranked>> {
    let first = keys.first()?;
    u32::try_from(keys.len()).ok()?;
    let (mut least, mut most) = (i64::MAX, i64::MIN);
    for key in keys {
        if elements_of_key(key)? >= Thread::ELEMENTS_PER_STEP || !is_alike(first, key) {
            return None;
        }
        match columns(key) {
            [Value::Int(number), ..] => (least, most) = (least.min(*number), most.max(*number)),
            [Value::String(_), ..] => {}
            _ => return None,
        }
    }
    let is_narrow = u32::try_from(most.abs_diff(least)).is_ok();
    let ranked = keys.iter().zip(0..).map(|(key, at)| {
        let rank = match columns(key) {
            [Value::Int(number), rest @ ..] => {
                let (number, second) = (u128::from(number.abs_diff(least)), rank_of(rest.first()));
                if is_narrow { number << 96 | second >> 32 } else { number << 64 | second >> 64 }
            }
            texts => rank_of(texts.first()),
        };
        Ranked::new(rank, at)
    });
    Some(ranked.collect())
}

/// Returns the values that determine the order of a key, the most important first.
fn columns(key: &Value) -> &[Value] {
    match key {
        Value::Tuple(tuple) => tuple,
        other => std::slice::from_ref(other),
    }
}

fn is_alike(left: &Value, right: &Value) -> bool {
    if matches!(left, Value::Tuple(_)) != matches!(right, Value::Tuple(_)) {
        return false;
    }
    let (left, right) = (columns(left), columns(right));
    let is_same_type = |left, right| std::mem::discriminant(left) == std::mem::discriminant(right);
    left.len() == right.len() && left.iter().zip(right).all(|(a, b)| is_same_type(a, b))
}

/// Returns the rank of one column: the first bytes of a text, or an integer in the upper half.
fn rank_of(column: Option<&Value>) -> u128 {
    match column {
        Some(Value::String(text)) => {
            let mut first = [0; 16];
            let length = text.len().min(first.len());
            first[..length].copy_from_slice(&text.as_bytes()[..length]);
            u128::from_be_bytes(first)
        }
        Some(Value::Int(number)) => u128::from(number.cast_unsigned() ^ (1 << 63)) << 64,
        _ => 0,
    }
}

/// Returns keys in their order.
fn sort_simple(keys: &[Value], mut ranked: Vec<Ranked>, reverse: bool) -> Order {
    sort_by_rank(&mut ranked, reverse);
    let is_known_by_rank = keys
        .first()
        .is_some_and(|it| matches!(columns(it), [Value::Int(_)] | [Value::Int(_), Value::Int(_)]));
    if !is_known_by_rank {
        let by_columns = |left: &Ranked, right: &Ranked| {
            let (left, right) = (&keys[left.at as usize], &keys[right.at as usize]);
            let (left, right) = if reverse { (right, left) } else { (left, right) };
            let orders = columns(left).iter().zip(columns(right));
            let mut orders = orders.filter_map(|(a, b)| simple_order(a, b));
            orders.find(|it| it.is_ne()).unwrap_or(Ordering::Equal)
        };
        for alike in ranked.chunk_by_mut(|left, right| left.rank == right.rank) {
            alike.sort_by(by_columns);
        }
    }
    Order::Ranked(ranked)
}

/// Sorts keys by their ranks. Those with equal ranks keep their order.
fn sort_by_rank(ranked: &mut [Ranked], reverse: bool) {
    if reverse {
        for Ranked { rank: (upper, lower), .. } in &mut *ranked {
            (*upper, *lower) = (!*upper, !*lower);
        }
    }
    ranked.sort_unstable_by_key(|it| (it.rank(), it.at));
}

/// Returns the positions of the keys in their order, by comparing them as the dialect does.
fn sort_any(thread: &mut Thread<'_>, keys: &[Value], reverse: bool) -> Result<Vec<usize>> {
    let mut failed: Option<Error> = None;
    let mut less = |left: &Value, right: &Value| {
        if failed.as_ref().is_some_and(|it| it.reached().is_some()) {
            return false;
        }
        let (left, right) = if reverse { (right, left) } else { (left, right) };
        thread.compare(CompareOp::Less, left, right).unwrap_or_else(|error| {
            failed = Some(error);
            false
        })
    };
    // Positions are moved instead of values, which are larger.
    let mut order: Vec<usize> = (0..keys.len()).collect();
    for block in order.chunks_mut(BLOCK) {
        for end in 1..block.len() {
            let mut at = end;
            while at > 0 && less(&keys[block[at]], &keys[block[at - 1]]) {
                block.swap(at, at - 1);
                at -= 1;
            }
        }
    }
    let mut merged = Vec::with_capacity(order.len());
    let mut width = BLOCK;
    while width < order.len() {
        merged.clear();
        for both in order.chunks(2 * width) {
            let (left, right) = both.split_at(width.min(both.len()));
            merge(left, right, &mut merged, |second, first| less(&keys[second], &keys[first]));
        }
        std::mem::swap(&mut order, &mut merged);
        width *= 2;
    }
    failed.map_or(Ok(order), Err)
}

/// Merges two sorted runs. Of equal elements, those on the left come first.
fn merge(
    mut left: &[usize],
    mut right: &[usize],
    out: &mut Vec<usize>,
    mut less: impl FnMut(usize, usize) -> bool,
) {
    while let ([first, rest_of_left @ ..], [second, rest_of_right @ ..]) = (left, right) {
        if less(*second, *first) {
            out.push(*second);
            right = rest_of_right;
        } else {
            out.push(*first);
            left = rest_of_left;
        }
    }
    out.extend_from_slice(left);
    out.extend_from_slice(right);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::compare::compare;

    /// The order that comparing every pair of keys gives.
    fn by_insertion(keys: &[Value], reverse: bool) -> Vec<usize> {
        let mut order: Vec<usize> = Vec::new();
        for (at, key) in keys.iter().enumerate() {
            let is_before = |other: &usize| {
                let (left, right) = (key, &keys[*other]);
                let (left, right) = if reverse { (right, left) } else { (left, right) };
                compare(CompareOp::Less, left, right).expect("they can be compared")
            };
            let place = order.iter().position(is_before).unwrap_or(order.len());
            order.insert(place, at);
        }
        order
    }

    #[test]
    fn a_packed_key_can_be_unpacked() {
        let keys = [
            Value::Int(i64::MIN),
            Value::Int(7),
            Value::from(""),
            Value::from("fifteen bytes\0\0"),
            Value::tuple([Value::Int(-1), Value::Int(i64::MAX)]),
            Value::tuple([Value::Int(i64::from(i32::MIN)), Value::from("eleven byte")]),
            Value::tuple([Value::Int(12), Value::from("é")]),
        ];
        for key in keys {
            let (shape, rank) = pack(&key).expect("it fits");
            assert!(
                compare(CompareOp::Equal, &key, &unpack(shape, rank)).expect("alike"),
                "{key:?}"
            );
        }
        let too_long = ["sixteen bytes...", "twelve bytes"].map(Value::from);
        assert!(pack(&too_long[0]).is_none());
        assert!(pack(&Value::tuple([Value::Int(1), too_long[1].clone()])).is_none());
    }

    #[test]
    fn ranks_give_the_order_of_comparisons() {
        let numbers = [3, -1, i64::MAX, 0, i64::MIN, 3, 1 << 32, -1].map(Value::Int);
        let texts =
            ["b", "", "a\0", "a", "abcdefghijklmnopq", "abcdefghijklmnopp", "é", "a", "b\0a"];
        let texts = texts.map(Value::from);
        let pairs = |left: &[Value], right: &[Value]| -> Vec<Value> {
            let all = left.iter().flat_map(|a| right.iter().map(move |b| (a.clone(), b.clone())));
            all.map(|(a, b)| Value::tuple([a, b])).collect()
        };
        let narrow = [7, 5, 7, 6].map(Value::Int);
        let cases = [
            numbers.to_vec(),
            texts.to_vec(),
            pairs(&numbers, &texts),
            pairs(&narrow, &texts),
            pairs(&narrow, &numbers),
            pairs(&numbers, &numbers),
            pairs(&texts, &numbers),
        ];
        for keys in cases {
            for reverse in [false, true] {
                let expected = by_insertion(&keys, reverse);
                let positions: Vec<Value> = (0..keys.len()).map(Value::from).collect();
                let positions = |order: Order| -> Vec<usize> {
                    let at = |it: &Value| match it {
                        Value::Int(at) => usize::try_from(*at).expect("a position"),
                        _ => usize::MAX,
                    };
                    order.arrange(&positions).iter().map(at).collect()
                };
                let ranked = ranked(&keys).expect("these keys are simple");
                let order = positions(sort_simple(&keys, ranked, reverse));
                assert_eq!(order, expected, "{keys:?}, reversed: {reverse}");
                let mut collected = Keys::with_capacity(0);
                for key in &keys {
                    collected.push(key.clone());
                }
                let mut thread = Thread::new(&(), crate::Limits::default());
                let order = collected.sort(&mut thread, reverse).expect("they can be compared");
                assert_eq!(positions(order), expected, "{keys:?}, reversed: {reverse}");
            }
        }
    }
}
