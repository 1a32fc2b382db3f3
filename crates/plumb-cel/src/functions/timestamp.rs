//! Timestamps, in the calendar and in the syntax of RFC 3339.

use std::cmp::Ordering;
use std::fmt::Write as _;

use crate::operate::OperationError;

pub(super) const SECOND: i128 = 1_000_000_000;
pub(super) const DAY: i128 = 86_400 * SECOND;

/// The first and the last second of the valid range.
const FIRST_SECOND: i128 = -62_135_596_800;
const YEARS: std::ops::RangeInclusive<i128> = FIRST_SECOND..=253_402_300_799;

/// A timestamp, and the time zone in which it was written and is shown.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Timestamp {
    /// Since 1970.
    pub(crate) nanoseconds: i128,
    /// How many minutes the zone is ahead of UTC.
    zone: i128,
}

impl Timestamp {
    /// A timestamp in UTC, in seconds since 1970.
    pub(crate) fn from_second(second: i64) -> Result<Self, OperationError> {
        Self::in_range(i128::from(second) * SECOND, 0)
    }

    /// Parses a text as Go does: hours may have one digit, and fractions may follow a comma.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let mut rest = text;
        let year = digits(&mut rest, 4)?;
        let month = after(&mut rest, '-')?;
        let day = after(&mut rest, '-')?;
        // The last day of a month is the day before the next month starts.
        let is_date = (1..=12).contains(&month)
            && (1..=days_of(year, month + 1, 1) - days_of(year, month, 1)).contains(&day);
        rest = rest.strip_prefix('T')?;
        let n_digits = rest.find(':').filter(|it| *it < 3)?;
        let hour = digits(&mut rest, n_digits)?;
        let minute = after(&mut rest, ':')?;
        let second = after(&mut rest, ':')?;
        let mut below = 0;
        if let Some(fraction) = rest.strip_prefix(['.', ',']) {
            let (fraction, after) = fraction.split_at(fraction.find(['Z', '+', '-'])?);
            below = amount(&format!("0.{fraction}"), SECOND).filter(|_| !fraction.is_empty())?;
            rest = after;
        }
        let zone = match rest {
            "Z" => 0,
            _ => {
                let sign = if rest.starts_with('-') { -1 } else { 1 };
                rest = rest.strip_prefix(['+', '-'])?;
                let hours = digits(&mut rest, 2).filter(|it| *it <= 24)?;
                let minutes = after(&mut rest, ':').filter(|it| *it <= 60)?;
                sign * (hours * 60 + minutes)
            }
        };
        if !is_date || hour > 23 || minute > 59 || second > 59 || !matches!(rest, "Z" | "") {
            return None;
        }
        let seconds = hour * 3600 + (minute - zone) * 60 + second;
        Self::in_range(days_of(year, month, day) * DAY + seconds * SECOND + below, zone).ok()
    }

    /// The timestamp a number of nanoseconds later, in the same zone.
    pub(crate) fn plus(self, nanoseconds: i128) -> Result<Self, OperationError> {
        Self::in_range(self.nanoseconds + nanoseconds, self.zone)
    }

    /// Whole seconds since 1970.
    pub(crate) fn second(self) -> i128 {
        self.nanoseconds.div_euclid(SECOND)
    }

    /// Whether it is in the first second of the valid range.
    pub(super) fn is_first(self) -> bool {
        self.nanoseconds == FIRST_SECOND * SECOND
    }

    pub(super) fn shown(self) -> String {
        let local = self.nanoseconds + self.zone * 60 * SECOND;
        let date = Date::of_day(local.div_euclid(DAY));
        let of_day = local.rem_euclid(DAY);
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
        let _ = match self.zone {
            0 => write!(shown, "Z"),
            zone => {
                let sign = if zone < 0 { '-' } else { '+' };
                write!(shown, "{sign}{:02}:{:02}", zone.abs() / 60, zone.abs() % 60)
            }
        };
        shown
    }

    /// The year must have at most four digits.
    fn in_range(nanoseconds: i128, zone: i128) -> Result<Self, OperationError> {
        if YEARS.contains(&nanoseconds.div_euclid(SECOND)) {
            Ok(Self { nanoseconds, zone })
        } else {
            Err(OperationError::other("the time is not within the years 1 to 9999"))
        }
    }
}

impl PartialEq for Timestamp {
    fn eq(&self, other: &Self) -> bool {
        self.nanoseconds == other.nanoseconds
    }
}

impl Eq for Timestamp {}

impl PartialOrd for Timestamp {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Timestamp {
    fn cmp(&self, other: &Self) -> Ordering {
        self.nanoseconds.cmp(&other.nanoseconds)
    }
}

/// A decimal number of units. Fractions of a nanosecond are dropped.
pub(super) fn amount(number: &str, unit: i128) -> Option<i128> {
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

/// Reads a separator and two digits.
fn after(rest: &mut &str, separator: char) -> Option<i128> {
    *rest = rest.strip_prefix(separator)?;
    digits(rest, 2)
}

fn digits(rest: &mut &str, n_digits: usize) -> Option<i128> {
    let (digits, after) = rest.split_at_checked(n_digits)?;
    *rest = after;
    digits.bytes().all(|it| it.is_ascii_digit()).then(|| digits.parse().ok())?
}

/// A day of the calendar; months and days are counted from 1.
pub(super) struct Date {
    pub(super) year: i128,
    pub(super) month: i128,
    pub(super) day: i128,
}

impl Date {
    /// The date of a day, counted from 1 January 1970. Years start in March here, so that a leap
    /// day is the last day of its year.
    pub(super) fn of_day(day: i128) -> Self {
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
pub(super) fn days_of(year: i128, month: i128, day: i128) -> i128 {
    let year = year - i128::from(month <= 2);
    let era = year.div_euclid(400);
    let year_of_era = year.rem_euclid(400);
    let month_from_march = (month + 9) % 12;
    let of_year = (153 * month_from_march + 2) / 5 + day - 1;
    let of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + of_year;
    era * 146_097 + of_era - 719_468
}
