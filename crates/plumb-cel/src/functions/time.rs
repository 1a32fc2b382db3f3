//! Durations in nanoseconds, and the parts of durations and timestamps.

use std::fmt::Write as _;

use crate::functions::timestamp::{DAY, Date, SECOND, amount, days_of};
use crate::functions::{Context, Function, member};
use crate::operate::{OperationError, Outcome};
use crate::value::Value;

pub(super) const FUNCTIONS: &[Function] = &[
    member("getHours", 0..=1, |args, _| part(args, 3600 * SECOND, 24)),
    member("getMinutes", 0..=1, |args, _| part(args, 60 * SECOND, 60)),
    member("getSeconds", 0..=1, |args, _| part(args, SECOND, 60)),
    member("getMilliseconds", 0..=1, |args, _| part(args, SECOND / 1000, 1000)),
    member("getFullYear", 0..=1, |args, _| date_part(args, |date| date.year)),
    member("getMonth", 0..=1, |args, _| date_part(args, |date| date.month - 1)),
    member("getDate", 0..=1, |args, _| date_part(args, |date| date.day)),
    member("getDayOfMonth", 0..=1, |args, _| date_part(args, |date| date.day - 1)),
    member("getDayOfYear", 0..=1, |args, _| {
        date_part(args, |date| days_of(date.year, date.month, date.day) - days_of(date.year, 1, 1))
    }),
    member("getDayOfWeek", 0..=1, day_of_week),
];

/// A duration in whole units, or the part of the time of day in this unit, modulo `n_units`.
fn part<'a>(args: &[Value<'a>], unit: i128, n_units: i128) -> Outcome<'a> {
    let value = match args {
        [Value::Duration(span)] => i128::from(*span) / unit,
        _ => local(args)?.div_euclid(unit).rem_euclid(n_units),
    };
    number(value)
}

fn date_part<'a>(args: &[Value<'a>], part: fn(Date) -> i128) -> Outcome<'a> {
    number(part(Date::of_day(local(args)?.div_euclid(DAY))))
}

fn day_of_week<'a>(args: &[Value<'a>], _: &mut Context<'_>) -> Outcome<'a> {
    // The first day of 1970 was a Thursday, and a week starts on Sunday.
    number((local(args)?.div_euclid(DAY) + 4).rem_euclid(7))
}

/// The local time in a time zone, or in UTC if no zone is given.
fn local(args: &[Value<'_>]) -> Result<i128, OperationError> {
    match args {
        [Value::Timestamp(time)] => Ok(time.nanoseconds),
        [Value::Timestamp(time), Value::String(zone)] => {
            let offset = offset(zone, time.second());
            let unknown = || {
                OperationError::other(
                    "the time zone is unknown: write a name such as `Europe/Berlin`, or `+01:00`",
                )
            };
            Ok(time.nanoseconds + offset.ok_or_else(unknown)? * SECOND)
        }
        _ => Err(OperationError::Types),
    }
}

/// The offset of a time zone from UTC at a time, in seconds.
fn offset(zone: &str, second: i128) -> Option<i128> {
    if let Some((hours, minutes)) = zone.split_once(':') {
        let sign = if hours.starts_with('-') { -1 } else { 1 };
        let digits = hours.strip_prefix(['-', '+']).unwrap_or(hours);
        let number = |it: &str| it.parse::<u8>().ok().filter(|_| it.len() <= 2);
        let (hours, minutes) = (number(digits)?, number(minutes)?);
        return Some(sign * (i128::from(hours) * 3600 + i128::from(minutes) * 60));
    }
    let zone = jiff::tz::TimeZone::get(if zone.is_empty() { "UTC" } else { zone }).ok()?;
    let at = jiff::Timestamp::from_second(i64::try_from(second).ok()?).ok()?;
    Some(zone.to_offset(at).seconds().into())
}

fn number<'a>(value: i128) -> Outcome<'a> {
    i64::try_from(value)
        .map(Value::Int)
        .map_err(|_| OperationError::other("the time is out of range"))
}

/// Parses a duration in the syntax of Go: `1h30m`, `500ms`, `-1.5s`.
pub(crate) fn duration(text: &str) -> Option<i64> {
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    if unsigned == "0" {
        return Some(0);
    }
    let mut rest = unsigned;
    let mut total: i128 = 0;
    loop {
        let end = rest.find(|it: char| !it.is_ascii_digit() && it != '.')?;
        let (number, after) = rest.split_at(end);
        let letters = after.find(|it: char| it.is_ascii_digit() || it == '.');
        let (unit, after) = after.split_at(letters.unwrap_or(after.len()));
        let unit = match unit {
            "ns" => 1,
            "us" | "µs" | "μs" => 1000,
            "ms" => SECOND / 1000,
            "s" => SECOND,
            "m" => 60 * SECOND,
            "h" => 3600 * SECOND,
            _ => return None,
        };
        total = total.checked_add(amount(number, unit)?)?;
        rest = after;
        if rest.is_empty() {
            let total = if text.starts_with('-') { -total } else { total };
            return i64::try_from(total).ok();
        }
    }
}

pub(super) fn shown_duration(span: i64) -> String {
    let magnitude = i128::from(span).unsigned_abs();
    let (seconds, below) = (magnitude / SECOND.unsigned_abs(), magnitude % SECOND.unsigned_abs());
    let sign = if span < 0 { "-" } else { "" };
    let mut shown = format!("{sign}{seconds}");
    if below > 0 {
        let _ = write!(shown, ".{}", format!("{below:09}").trim_end_matches('0'));
    }
    shown.push('s');
    shown
}
