//! Sorting by a comparison that can fail, and by one that cannot.

use std::cmp::Ordering;

use crate::error::{Error, ErrorKind, Result};
use crate::ops::CompareOp;
use crate::value::compare::{elements_of_key, simple_order};
use crate::{Thread, Value};

/// Elements that are sorted by insertion.
const BLOCK: usize = 20;

/// Returns the positions of keys in their order. Equal ones keep theirs. If keys cannot be compared,
/// returns the error of the last such pair, as the dialect does.
pub(super) fn sort(thread: &mut Thread<'_>, keys: &[Value], reverse: bool) -> Result<Vec<usize>> {
    match simple(keys) {
        Some(ranked) => Ok(sort_simple(keys, ranked, reverse)),
        None => sort_any(thread, keys, reverse),
    }
}

/// A key that can be compared with all others without an error, and in less than one step.
struct Ranked {
    /// Orders most keys without looking at them: of two keys, the one with the lower numbers is not
    /// the greater one.
    rank: (u64, u64),
    /// The position of the key.
    at: usize,
}

/// Returns all keys with their ranks if they are integers, short texts, or tuples of these. In each
/// column of tuples, all have the same type. Returns `None` for other keys.
fn simple(keys: &[Value]) -> Option<Vec<Ranked>> {
    let first = keys.first()?;
    let ranked = keys.iter().enumerate().map(|(at, key)| {
        let is_cheap = elements_of_key(key)? < Thread::ELEMENTS_PER_STEP;
        let rank = rank(columns(key))?;
        (is_cheap && is_alike(first, key)).then_some(Ranked { rank, at })
    });
    ranked.collect()
}

/// Returns the values that decide the order of a key, the most important first.
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

/// Returns the rank of a key by its columns: the first bytes of a text, or an integer and the first
/// bytes of what follows it.
fn rank(columns: &[Value]) -> Option<(u64, u64)> {
    match columns {
        [Value::String(text), ..] => {
            let (first, rest) = first_bytes(text.as_bytes());
            Some((first, first_bytes(rest).0))
        }
        [Value::Int(number), rest @ ..] => {
            let second = match rest {
                [Value::Int(number), ..] => unsigned(*number),
                [Value::String(text), ..] => first_bytes(text.as_bytes()).0,
                _ => 0,
            };
            Some((unsigned(*number), second))
        }
        _ => None,
    }
}

/// Returns the number at the same place in the order of unsigned ones.
fn unsigned(number: i64) -> u64 {
    number.cast_unsigned() ^ (1 << 63)
}

/// Returns the first bytes of a text as a number in the same order, and the rest.
fn first_bytes(text: &[u8]) -> (u64, &[u8]) {
    let mut first = [0; 8];
    let (start, rest) = text.split_at(text.len().min(first.len()));
    first[..start.len()].copy_from_slice(start);
    (u64::from_be_bytes(first), rest)
}

/// Returns the positions of the keys in their order.
fn sort_simple(keys: &[Value], mut ranked: Vec<Ranked>, reverse: bool) -> Vec<usize> {
    let by_columns = |left: &Ranked, right: &Ranked| {
        let (left, right) = (columns(&keys[left.at]), columns(&keys[right.at]));
        let orders = left.iter().zip(right).filter_map(|(a, b)| simple_order(a, b));
        orders.into_iter().find(|it| it.is_ne()).unwrap_or(Ordering::Equal)
    };
    ranked.sort_unstable_by(|left, right| {
        let order = left.rank.cmp(&right.rank).then_with(|| by_columns(left, right));
        let order = if reverse { order.reverse() } else { order };
        order.then(left.at.cmp(&right.at))
    });
    ranked.into_iter().map(|it| it.at).collect()
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
