//! Sorting by a comparison that can fail.

use crate::error::{Error, ErrorKind, Result};
use crate::ops::CompareOp;
use crate::{Thread, Value};

/// Elements that are sorted by insertion.
const BLOCK: usize = 20;

/// Sorts values by their keys, and keeps the order of equal ones. If keys cannot be compared,
/// returns the error of the last such pair, as the dialect does.
pub(super) fn sort(
    thread: &mut Thread<'_>,
    pairs: &mut Vec<(Value, Value)>,
    reverse: bool,
) -> Result<()> {
    let mut failed: Option<Error> = None;
    let mut less = |left: &(Value, Value), right: &(Value, Value)| {
        if failed.as_ref().is_some_and(|it| it.kind() == ErrorKind::Limit) {
            return false;
        }
        let (left, right) = if reverse { (right, left) } else { (left, right) };
        thread.compare(CompareOp::Less, &left.0, &right.0).unwrap_or_else(|error| {
            failed = Some(error);
            false
        })
    };
    for block in pairs.chunks_mut(BLOCK) {
        for end in 1..block.len() {
            let mut at = end;
            while at > 0 && less(&block[at], &block[at - 1]) {
                block.swap(at, at - 1);
                at -= 1;
            }
        }
    }
    let mut width = BLOCK;
    while width < pairs.len() {
        let mut merged = Vec::with_capacity(pairs.len());
        let mut rest = std::mem::take(pairs).into_iter();
        while rest.len() > 0 {
            let left: Vec<_> = rest.by_ref().take(width).collect();
            let right: Vec<_> = rest.by_ref().take(width).collect();
            merge(left, right, &mut merged, &mut less);
        }
        *pairs = merged;
        width *= 2;
    }
    failed.map_or(Ok(()), Err)
}

fn merge<T>(left: Vec<T>, right: Vec<T>, out: &mut Vec<T>, less: &mut impl FnMut(&T, &T) -> bool) {
    let (mut left, mut right) = (left.into_iter().peekable(), right.into_iter().peekable());
    while let (Some(first), Some(second)) = (left.peek(), right.peek()) {
        let next = if less(second, first) { right.next() } else { left.next() };
        out.extend(next);
    }
    out.extend(left);
    out.extend(right);
}
