//! `date-time`: a timestamp in the syntax of RFC 3339, such as `2024-02-29T23:59:60Z`.

use crate::FormatError;

pub(crate) fn check(text: &str) -> Result<(), FormatError> {
    let mut rest = text.as_bytes();
    let year = digits(&mut rest, 4).ok_or("it does not begin with a year of four digits")?;
    let month = after(&mut rest, b"-").ok_or("its year is not followed by a month")?;
    let day = after(&mut rest, b"-").ok_or("its month is not followed by a day")?;
    if !(1..=12).contains(&month) {
        return Err("its month is not between 1 and 12");
    }
    if day == 0 || day > days_in(year, month) {
        return Err("its month does not have that day");
    }
    let hour = after(&mut rest, b"Tt").ok_or("its date is not followed by T and a time")?;
    let minute = after(&mut rest, b":").ok_or("its hour is not followed by minutes")?;
    let second = after(&mut rest, b":").ok_or("its minutes are not followed by seconds")?;
    if hour > 23 || minute > 59 || second > 60 {
        return Err("there is no such time of day");
    }
    if let [b'.', after @ ..] = rest {
        let length = after.iter().take_while(|it| it.is_ascii_digit()).count();
        if length == 0 {
            return Err("the decimal point after its seconds is not followed by a digit");
        }
        rest = &after[length..];
    }
    let offset = offset(rest)?;
    // A leap second is the last second of a day in UTC.
    if second == 60 && (hour * 60 + minute - offset).rem_euclid(24 * 60) != 24 * 60 - 1 {
        return Err("there is no leap second at that time");
    }
    Ok(())
}

/// Reads the offset from UTC in minutes. It must be the rest of the text.
fn offset(rest: &[u8]) -> Result<i32, FormatError> {
    let (sign, mut rest) = match rest {
        [b'Z' | b'z'] => return Ok(0),
        [b'+', rest @ ..] => (1, rest),
        [b'-', rest @ ..] => (-1, rest),
        _ => return Err("it does not end with Z or an offset from UTC"),
    };
    let hours = digits(&mut rest, 2);
    let minutes = after(&mut rest, b":");
    match (hours, minutes) {
        (Some(hours), Some(minutes)) if hours <= 23 && minutes <= 59 && rest.is_empty() => {
            Ok(sign * (hours * 60 + minutes))
        }
        _ => Err("its offset from UTC is not of the form +00:00"),
    }
}

fn after(rest: &mut &[u8], separators: &[u8]) -> Option<i32> {
    let (first, after) = rest.split_first()?;
    if !separators.contains(first) {
        return None;
    }
    *rest = after;
    digits(rest, 2)
}

fn digits(rest: &mut &[u8], length: usize) -> Option<i32> {
    let (digits, after) = rest.split_at_checked(length)?;
    if !digits.iter().all(u8::is_ascii_digit) {
        return None;
    }
    *rest = after;
    Some(digits.iter().fold(0, |number, digit| number * 10 + i32::from(digit - b'0')))
}

fn days_in(year: i32, month: i32) -> i32 {
    match month {
        4 | 6 | 9 | 11 => 30,
        2 if year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) => 29,
        2 => 28,
        _ => 31,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments() {
        let right = [
            "2024-02-29T00:00:00Z",
            "1985-04-12T23:20:50.52Z",
            "1996-12-19t16:39:57-08:00",
            "1990-12-31T23:59:60Z",
            "1990-12-31T15:59:60-08:00",
            "2000-02-29T12:00:00.123456789+23:59",
        ];
        for text in right {
            assert_eq!(check(text), Ok(()), "{text}");
        }
        let wrong = [
            "",
            "2023-02-29T00:00:00Z",
            "1900-02-29T00:00:00Z",
            "2024-13-01T00:00:00Z",
            "2024-00-01T00:00:00Z",
            "2024-01-00T00:00:00Z",
            "2024-01-01",
            "2024-01-01 00:00:00Z",
            "2024-01-01T24:00:00Z",
            "2024-01-01T00:60:00Z",
            "2024-01-01T00:00:60Z",
            "2024-01-01T00:00:00",
            "2024-01-01T00:00:00.Z",
            "2024-01-01T00:00:00+0000",
            "2024-01-01T00:00:00+24:00",
            "2024-01-01T00:00:00Zx",
            "24-01-01T00:00:00Z",
            "2024-1-1T00:00:00Z",
        ];
        for text in wrong {
            assert!(check(text).is_err(), "{text}");
        }
    }
}
