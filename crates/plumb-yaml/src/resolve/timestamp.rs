//! Recognises dates and times.
//!
//! Accepted are `Y-M-D`, `Y-M-D h:m:s` and `Y-M-D[Tt]h:m:s` with a zone; the year has four digits,
//! the other fields one or two; seconds may have a fraction.

/// Returns whether a text is an existing date, with or without a time of day.
pub(super) fn is_timestamp(text: &str) -> bool {
    // The fifth byte excludes almost all other texts.
    text.as_bytes().get(4) == Some(&b'-') && Fields(text.as_bytes()).timestamp().is_some()
}

/// The remaining text.
struct Fields<'a>(&'a [u8]);

impl Fields<'_> {
    fn timestamp(&mut self) -> Option<()> {
        self.date()?;
        match self.0.first() {
            None => return Some(()),
            Some(b' ') => {
                while let [b' ', rest @ ..] = self.0 {
                    self.0 = rest;
                }
                self.time()?;
            }
            Some(b'T' | b't') => {
                self.0 = &self.0[1..];
                self.time()?;
                self.zone()?;
            }
            Some(_) => return None,
        }
        self.0.is_empty().then_some(())
    }

    fn date(&mut self) -> Option<()> {
        let (year, rest) = self.0.split_at_checked(4)?;
        if !year.iter().all(u8::is_ascii_digit) {
            return None;
        }
        self.0 = rest;
        let year = year.iter().fold(0, |value, digit| value * 10 + u32::from(digit - b'0'));
        self.literal(b'-')?;
        let month = self.number(1..=12)?;
        self.literal(b'-')?;
        self.number(1..=days_in(month, year)).map(drop)
    }

    fn time(&mut self) -> Option<()> {
        self.number(0..=23)?;
        self.literal(b':')?;
        self.number(0..=59)?;
        self.literal(b':')?;
        self.number(0..=59)?;
        if let [b'.' | b',', digit, ..] = self.0
            && digit.is_ascii_digit()
        {
            let n_digits = self.0[1..].iter().take_while(|byte| byte.is_ascii_digit()).count();
            self.0 = &self.0[1 + n_digits..];
        }
        Some(())
    }

    fn zone(&mut self) -> Option<()> {
        if let [b'Z', rest @ ..] = self.0 {
            self.0 = rest;
            return Some(());
        }
        let &[b'+' | b'-', h1, h2, b':', m1, m2, ref rest @ ..] = self.0 else {
            return None;
        };
        if ![h1, h2, m1, m2].iter().all(u8::is_ascii_digit) {
            return None;
        }
        let (hours, minutes) = ((h1 - b'0') * 10 + h2 - b'0', (m1 - b'0') * 10 + m2 - b'0');
        self.0 = rest;
        (hours <= 24 && minutes <= 60).then_some(())
    }

    fn literal(&mut self, expected: u8) -> Option<()> {
        let (&found, rest) = self.0.split_first()?;
        self.0 = rest;
        (found == expected).then_some(())
    }

    /// One or two digits.
    fn number(&mut self, range: std::ops::RangeInclusive<u32>) -> Option<u32> {
        let n_digits = self.0.iter().take(2).take_while(|byte| byte.is_ascii_digit()).count();
        let (digits, rest) = self.0.split_at(n_digits);
        self.0 = rest;
        let value = digits.iter().fold(0, |value, digit| value * 10 + u32::from(digit - b'0'));
        (n_digits > 0 && range.contains(&value)).then_some(value)
    }
}

fn days_in(month: u32, year: u32) -> u32 {
    match month {
        2 if year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400)) => {
            29
        }
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_must_exist() {
        assert!(is_timestamp("2020-01-01"));
        assert!(is_timestamp("2020-1-1"));
        assert!(is_timestamp("2020-02-29"));
        assert!(!is_timestamp("2019-02-29"));
        assert!(!is_timestamp("2020-13-01"));
        assert!(!is_timestamp("2020-00-01"));
        assert!(!is_timestamp("20200-01-01"));
        assert!(!is_timestamp("2020-01-01x"));
        assert!(!is_timestamp("2020-01-"));
    }

    #[test]
    fn times_need_seconds_and_a_zone_after_a_t() {
        assert!(is_timestamp("2020-01-01 10:11:12"));
        assert!(is_timestamp("2020-01-01   1:1:1.5"));
        assert!(is_timestamp("2020-01-01T10:11:12Z"));
        assert!(is_timestamp("2020-01-01t10:11:12.123456789012+02:00"));
        assert!(!is_timestamp("2020-01-01 10:11:12 Z"));
        assert!(!is_timestamp("2020-01-01T10:11:12"));
        assert!(!is_timestamp("2020-01-01T10:11Z"));
        assert!(!is_timestamp("2020-01-01T24:00:00Z"));
        assert!(!is_timestamp("2020-01-01T10:11:12+2"));
        assert!(!is_timestamp("2020-01-01 "));
    }
}
