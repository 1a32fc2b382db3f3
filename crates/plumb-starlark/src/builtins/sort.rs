//! Sorting with a comparison that can fail, and with one that cannot.

use std::cmp::Ordering;

use crate::error::{Error, ErrorKind, Result};
use crate::ops::CompareOp;
use crate::value::compare::{elements_of_key, simple_order};
use crate::{Thread, Value};

/// The number of elements that are sorted by insertion.
const BLOCK: usize = 20;

/// Returns the positions of keys in their order. Equal ones keep theirs. If keys cannot be
/// compared, returns the error of the last such pair, as the dialect does.
pub(super) fn sort(thread: &mut Thread<'_>, keys: &[Value], reverse: bool) -> Result<Vec<usize>> {
    match ranked(keys) {
        Some(ranked) => Ok(sort_simple(keys, ranked, reverse)),
        None => sort_any(thread, keys, reverse),
    }
}

/// A key that can be compared with all others without an error, and in less than one step.
struct Ranked {
    /// Orders most keys without a comparison: of two keys, the one with the lower rank is not
    /// greater. Two halves take less space than one number of 128 bits.
    rank: (u64, u64),
    /// The position of the key.
    at: u32,
}

impl Ranked {
    fn rank(&self) -> u128 {
        u128::from(self.rank.0) << 64 | u128::from(self.rank.1)
    }
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
        #[expect(clippy::cast_possible_truncation, reason = "the lower half")]
        Ranked { rank: ((rank >> 64) as u64, rank as u64), at }
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

/// Returns the positions of the keys in their order.
fn sort_simple(keys: &[Value], mut ranked: Vec<Ranked>, reverse: bool) -> Vec<usize> {
    if reverse {
        for Ranked { rank: (upper, lower), .. } in &mut ranked {
            (*upper, *lower) = (!*upper, !*lower);
        }
    }
    ranked.sort_unstable_by_key(|it| (it.rank(), it.at));
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
    ranked.into_iter().map(|it| it.at as usize).collect()
}

/// Returns the positions of the keys in their order, by comparing them as the dialect does.
fn sort_any(thread: &mut Thread<'_>, keys: &[Value], reverse: bool) -> Result<Vec<usize>> {
    let mut failed: Option<Error> = None;
    let mut less = |left: &Value, right: &Value| {
        if failed.as_ref().is_some_and(|it| it.kind() == ErrorKind::Limit) {
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
                let ranked = ranked(&keys).expect("these keys are simple");
                let order = sort_simple(&keys, ranked, reverse);
                assert_eq!(order, by_insertion(&keys, reverse), "{keys:?}, reversed: {reverse}");
            }
        }
    }
}
