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
    // Positions are moved instead of values, which are larger.
    let mut order: Vec<usize> = (0..pairs.len()).collect();
    for block in order.chunks_mut(BLOCK) {
        for end in 1..block.len() {
            let mut at = end;
            while at > 0 && less(&pairs[block[at]], &pairs[block[at - 1]]) {
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
            merge(left, right, &mut merged, |second, first| less(&pairs[second], &pairs[first]));
        }
        std::mem::swap(&mut order, &mut merged);
        width *= 2;
    }
    *pairs = order.into_iter().map(|at| std::mem::take(&mut pairs[at])).collect();
    failed.map_or(Ok(()), Err)
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
