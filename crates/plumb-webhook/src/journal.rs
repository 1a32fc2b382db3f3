//! The log: one line for each event, with a timestamp.

use std::sync::{Mutex, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

use crate::Log;

/// The destination of the log.
pub(crate) struct Journal {
    log: Log,
    requests: Mutex<Quota>,
}

/// The numbers of written and dropped lines about requests in the current second.
#[derive(Default)]
struct Quota {
    second: u64,
    n_written: usize,
    n_left_out: usize,
}

/// The greatest number of lines about requests in a second.
const MAX_LINES: usize = 50;

/// The maximum length of lines about requests, in bytes. Longer lines are truncated.
const MAX_LENGTH: usize = 500;

impl Journal {
    pub(crate) fn new(log: Log) -> Self {
        Self { log, requests: Mutex::default() }
    }

    /// Writes a line about the server itself.
    pub(crate) fn say(&self, text: &str) {
        self.say_at(SystemTime::now(), text);
    }

    /// Writes a line about a request. It may contain text from clients, so it is kept on one line,
    /// and the number of lines in a second is limited.
    pub(crate) fn say_of_request(&self, text: &str) {
        let now = SystemTime::now();
        let second = seconds(now);
        let mut quota = self.requests.lock().unwrap_or_else(PoisonError::into_inner);
        if quota.second != second {
            let n_left_out = quota.n_left_out;
            *quota = Quota { second, ..Quota::default() };
            if n_left_out > 0 {
                self.say_at(now, &format!("left out {n_left_out} lines about requests"));
            }
        }
        if quota.n_written == MAX_LINES {
            quota.n_left_out += 1;
            return;
        }
        quota.n_written += 1;
        drop(quota);
        self.say_at(now, &one_line(text));
    }

    fn say_at(&self, now: SystemTime, text: &str) {
        (self.log)(&format!("{} {text}", timestamp(now)));
    }
}

/// The text without line breaks and other control characters, truncated if it is too long.
fn one_line(text: &str) -> String {
    let mut line = String::new();
    for char in text.chars() {
        if line.len() > MAX_LENGTH {
            line.push('…');
            break;
        }
        if char.is_control() {
            line.extend(char.escape_default());
        } else {
            line.push(char);
        }
    }
    line
}

fn seconds(time: SystemTime) -> u64 {
    time.duration_since(UNIX_EPOCH).map_or(0, |it| it.as_secs())
}

/// The time in the syntax of RFC 3339, in UTC and with milliseconds.
fn timestamp(time: SystemTime) -> String {
    let since = time.duration_since(UNIX_EPOCH).unwrap_or_default();
    let (days, second) = (since.as_secs() / 86_400, since.as_secs() % 86_400);
    let (year, month, day) = date(days);
    let (hour, minute, second) = (second / 3600, second / 60 % 60, second % 60);
    let millis = since.subsec_millis();
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{millis:03}Z")
}

/// Year, month and day of a number of days since 1970. Years start in March here, so that a leap
/// day is the last day of its year.
fn date(days: u64) -> (u64, u64, u64) {
    let days = days + 719_468;
    let (era, day_of_era) = (days / 146_097, days % 146_097);
    let year_of_era =
        (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    let year = era * 400 + year_of_era + u64::from(month <= 2);
    (year, month, day)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::time::Duration;

    use super::*;

    #[test]
    fn times_are_those_of_the_calendar() {
        let check = |millis: u64, expected: &str| {
            assert_eq!(timestamp(UNIX_EPOCH + Duration::from_millis(millis)), expected);
        };
        check(0, "1970-01-01T00:00:00.000Z");
        check(951_782_399_999, "2000-02-28T23:59:59.999Z");
        check(951_782_400_000, "2000-02-29T00:00:00.000Z");
        check(1_709_251_199_500, "2024-02-29T23:59:59.500Z");
        check(1_735_689_600_000, "2025-01-01T00:00:00.000Z");
        check(4_107_542_400_000, "2100-03-01T00:00:00.000Z");
    }

    #[test]
    fn what_clients_send_stays_on_one_line_and_is_cut_off() {
        assert_eq!(one_line("a\nb\u{1b}[2J"), "a\\nb\\u{1b}[2J");
        assert!(one_line(&"x".repeat(10_000)).len() < 600);
    }

    #[test]
    fn a_flood_of_requests_is_not_a_flood_of_lines() {
        let lines = Arc::new(Mutex::new(Vec::new()));
        let kept = Arc::clone(&lines);
        let log: Log = Arc::new(move |line| kept.lock().expect("no panic").push(line.to_owned()));
        let journal = Journal::new(log);
        for _ in 0..10_000 {
            journal.say_of_request("denied");
        }
        // A slow run may take several seconds.
        let n_lines = lines.lock().expect("no panic").len();
        assert!((MAX_LINES..2000).contains(&n_lines), "{n_lines}");
    }
}
