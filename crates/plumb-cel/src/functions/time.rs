//! Durations and points in time, in nanoseconds.

use std::fmt::Write as _;

use plumb_format::Format;

use crate::functions::{Context, Function, member};
use crate::operate::{OperationError, Outcome};
use crate::value::Value;

pub(crate) const SECOND: i128 = 1_000_000_000;
const DAY: i128 = 86_400 * SECOND;

/// The first and the last second that a point in time may be in.
pub(super) const FIRST_SECOND: i128 = -62_135_596_800;
const YEARS: std::ops::RangeInclusive<i128> = FIRST_SECOND..=253_402_300_799;

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

/// A point in time, if its year has four digits.
pub(crate) fn in_range<'a>(time: i128) -> Outcome<'a> {
    if YEARS.contains(&time.div_euclid(SECOND)) {
        Ok(Value::Timestamp(time))
    } else {
        Err(OperationError::other("the time is not within the years 1 to 9999"))
    }
}

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

/// The time that clocks show in a time zone, or in UTC if none is given.
fn local(args: &[Value<'_>]) -> Result<i128, OperationError> {
    match args {
        [Value::Timestamp(time)] => Ok(*time),
        [Value::Timestamp(time), Value::String(zone)] => {
            let offset = offset(zone, time.div_euclid(SECOND));
            let unknown = || {
                OperationError::other(
                    "the time zone is not known: write `Europe/Berlin` or `+01:00`",
                )
            };
            Ok(time + offset.ok_or_else(unknown)? * SECOND)
        }
        _ => Err(OperationError::Types),
    }
}

/// How many seconds the clocks of a time zone are ahead of UTC at a time.
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

/// A decimal number of units. Fractions of a nanosecond are cut off.
fn amount(number: &str, unit: i128) -> Option<i128> {
    let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
    if whole.is_empty() && fraction.is_empty() || fraction.contains('.') {
        return None;
    }
    let whole: i128 = if whole.is_empty() { 0 } else { whole.parse().ok()? };
    let fraction = &fraction[..fraction.len().min(18)];
    let below: i128 = if fraction.is_empty() { 0 } else { fraction.parse().ok()? };
    let scale = 10_i128.pow(u32::try_from(fraction.len()).ok()?);
    whole.checked_mul(unit)?.checked_add(below * unit / scale)
}

/// Parses a point in time in the syntax of RFC 3339.
pub(crate) fn timestamp(text: &str) -> Option<i128> {
    Format::DateTime.check_text(text).ok()?;
    let number = |range: std::ops::Range<usize>| text.get(range)?.parse::<i128>().ok();
    let days = days_of(number(0..4)?, number(5..7)?, number(8..10)?);
    let seconds = number(11..13)? * 3600 + number(14..16)? * 60 + number(17..19)?;
    let rest = text.get(19..)?;
    let zone = rest.find(['Z', 'z', '+', '-'])?;
    let fraction = rest[..zone].strip_prefix('.').unwrap_or_default();
    let offset = match &rest.as_bytes()[zone..] {
        [b'Z' | b'z'] => 0,
        [sign, hours @ .., _, _, _] => {
            let hours: i128 = str::from_utf8(hours).ok()?.parse().ok()?;
            let minutes: i128 = rest.get(rest.len() - 2..)?.parse().ok()?;
            let offset = hours * 3600 + minutes * 60;
            if *sign == b'-' { -offset } else { offset }
        }
        _ => return None,
    };
    let below = amount(&format!("0.{fraction}"), SECOND)?;
    Some(days * DAY + (seconds - offset) * SECOND + below)
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

pub(super) fn shown_timestamp(time: i128) -> String {
    let date = Date::of_day(time.div_euclid(DAY));
    let of_day = time.rem_euclid(DAY);
    let (seconds, below) = (of_day / SECOND, of_day % SECOND);
    let mut shown = format!(
        "{:04}-{:02}-{:02}T{:02}:{:02}:{:02}",
        date.year,
        date.month,
        date.day,
        seconds / 3600,
        seconds / 60 % 60,
        seconds % 60
    );
    if below > 0 {
        let _ = write!(shown, ".{}", format!("{below:09}").trim_end_matches('0'));
    }
    shown.push('Z');
    shown
}

/// A day of the calendar; months and days are counted from 1.
struct Date {
    year: i128,
    month: i128,
    day: i128,
}

impl Date {
    /// The date of a day, counted from 1 January 1970. Years start in March here, so that a leap
    /// day is the last day of its year.
    fn of_day(day: i128) -> Self {
        let day = day + 719_468;
        let era = day.div_euclid(146_097);
        let of_era = day.rem_euclid(146_097);
        let year_of_era = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
        let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
        let month_from_march = (5 * of_year + 2) / 153;
        let day = of_year - (153 * month_from_march + 2) / 5 + 1;
        let month = if month_from_march < 10 { month_from_march + 3 } else { month_from_march - 9 };
        let year = year_of_era + era * 400 + i128::from(month <= 2);
        Self { year, month, day }
    }
}

/// The day of a date, counted from 1 January 1970.
fn days_of(year: i128, month: i128, day: i128) -> i128 {
    let year = year - i128::from(month <= 2);
    let era = year.div_euclid(400);
    let year_of_era = year.rem_euclid(400);
    let month_from_march = (month + 9) % 12;
    let of_year = (153 * month_from_march + 2) / 5 + day - 1;
    let of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + of_year;
    era * 146_097 + of_era - 719_468
}
