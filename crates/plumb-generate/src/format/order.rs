//! The natural order of keys in printed YAML: `a2` before `a10`.

use std::cmp::Ordering;

use plumb_value::MapItem;

/// Sorts the items of a map in the order of printed YAML.
pub(crate) fn sort_keys(items: &mut [MapItem]) {
    items.sort_by(|left, right| natural(key(left), key(right)));
}

fn key(item: &MapItem) -> &str {
    item.key.as_str().unwrap_or_default()
}

/// Compares at the first difference: other characters sort before letters, and runs of digits are
/// compared as numbers.
fn natural(left: &str, right: &str) -> Ordering {
    let same = left.bytes().zip(right.bytes()).take_while(|(left, right)| left == right).count();
    let at = (0..=same).rev().find(|&at| left.is_char_boundary(at) && right.is_char_boundary(at));
    let at = at.expect("every string has a boundary at its start");
    let (before, left, right) = (&left[..at], &left[at..], &right[at..]);
    let (Some(first), Some(second)) = (left.chars().next(), right.chars().next()) else {
        return left.len().cmp(&right.len());
    };
    match (first.is_alphabetic(), second.is_alphabetic()) {
        (true, true) => first.cmp(&second),
        (true, false) => Ordering::Greater,
        (false, true) => Ordering::Less,
        (false, false) => {
            let (digits, other) = (digits(left), digits(right));
            let is_counting = tail_of_digits(before).bytes().any(|digit| digit != b'0');
            value(digits, is_counting)
                .cmp(&value(other, is_counting))
                .then(digits.len().cmp(&other.len()))
                .then(first.cmp(&second))
        }
    }
}

/// A key that orders runs of digits as numbers: first the number of digits, then the digits.
/// Leading zeros only count after other digits.
fn value(digits: &str, is_counting: bool) -> (usize, &str) {
    let counted = if is_counting { digits } else { digits.trim_start_matches('0') };
    (counted.len(), counted)
}

fn digits(text: &str) -> &str {
    let end = text.bytes().position(|byte| !byte.is_ascii_digit()).unwrap_or(text.len());
    &text[..end]
}

fn tail_of_digits(text: &str) -> &str {
    let start = text.bytes().rposition(|byte| !byte.is_ascii_digit()).map_or(0, |at| at + 1);
    &text[start..]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_ordered_as_people_count() {
        let ordered = [
            "", "-", "1", "2", "10", "a", "a-", "a0", "a1", "a01", "a2", "a10", "a12", "a100",
            "ab", "b1c", "b1d", "n", "y", "é",
        ];
        for (at, left) in ordered.iter().enumerate() {
            for (other, right) in ordered.iter().enumerate() {
                assert_eq!(natural(left, right), at.cmp(&other), "{left} and {right}");
            }
        }
    }
}
