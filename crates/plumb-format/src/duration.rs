//! `duration`: a duration in the syntax of ISO 8601, such as `P1DT12H` or `P2W`.
//!
//! The last number may have a decimal fraction.

use crate::FormatError;

pub(crate) fn check(text: &str) -> Result<(), FormatError> {
    let rest = text.strip_prefix('P').ok_or("it does not begin with P")?;
    if let Some(weeks) = rest.strip_suffix('W') {
        return check_number(weeks);
    }
    let (date, time) = match rest.split_once('T') {
        Some((_, "")) => return Err("no time follows its T"),
        Some((date, time)) => (date, time),
        None => (rest, ""),
    };
    if date.is_empty() && time.is_empty() {
        return Err("no length of time follows its P");
    }
    check_parts(date, "YMD", time.is_empty())?;
    check_parts(time, "HMS", true)
}

/// Checks numbers with designators, which must be in this order and occur at most once.
fn check_parts(parts: &str, designators: &str, is_last: bool) -> Result<(), FormatError> {
    let mut rest = parts;
    let mut designators = designators.chars();
    while !rest.is_empty() {
        let end = rest.find(|it: char| it.is_ascii_alphabetic());
        let end = end.ok_or("its last number has no designator")?;
        let designator = rest[end..].chars().next();
        if !designators.any(|it| Some(it) == designator) {
            return Err("its designators are not those of ISO 8601 in their order");
        }
        let number = &rest[..end];
        rest = &rest[end + 1..];
        check_number(number)?;
        let may_have_fraction = is_last && rest.is_empty();
        if number.contains(['.', ',']) && !may_have_fraction {
            return Err("a number other than its last has a fraction");
        }
    }
    Ok(())
}

fn check_number(number: &str) -> Result<(), FormatError> {
    let is_digits = |it: &str| !it.is_empty() && it.bytes().all(|it| it.is_ascii_digit());
    let is_number = match number.split_once(['.', ',']) {
        Some((whole, fraction)) => is_digits(whole) && is_digits(fraction),
        None => is_digits(number),
    };
    if is_number { Ok(()) } else { Err("a designator has no number before it") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_of_time() {
        let right = ["P1Y", "P1Y2M3DT4H5M6S", "PT0S", "P2W", "P1Y2D", "PT1.5H", "P0,5D", "PT36H"];
        for text in right {
            assert_eq!(check(text), Ok(()), "{text}");
        }
        let wrong = [
            "", "P", "PT", "1D", "P1", "PD", "P1DT", "P1S", "PT1D", "P1M1Y", "P1Y1Y", "P1.5DT1H",
            "P1W1D", "PT1H5", "P-1D", "p1d", "P1.D", "P1é",
        ];
        for text in wrong {
            assert!(check(text).is_err(), "{text}");
        }
    }
}
