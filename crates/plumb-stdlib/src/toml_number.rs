//! Numbers of TOML, and its dates and times, which templates cannot represent.

use plumb_source::message;
use plumb_source::message::secret;
use plumb_starlark::{Error, Value};

use crate::toml_error::{NumberRule, TomlErrorKind, TomlPart};
use crate::toml_scan::{ScanError, ScanErrorKind, Scanner, TomlResult, quoted};

/// A notation for integers in a base other than ten.
struct Notation {
    prefix: &'static str,
    radix: u32,
}

const NOTATIONS: [Notation; 3] = [
    Notation { prefix: "0x", radix: 16 },
    Notation { prefix: "0o", radix: 8 },
    Notation { prefix: "0b", radix: 2 },
];

/// Parses a value that begins with a digit or a sign, or is `inf` or `nan`.
pub(crate) fn read(scanner: &mut Scanner<'_>) -> TomlResult<Value> {
    let whole = scanner.rest();
    let sign = if whole.starts_with(['+', '-']) { &whole[..1] } else { "" };
    sign.chars().for_each(|_| scanner.bump());
    let unsigned = scanner.rest();
    for (name, value) in [("inf", f64::INFINITY), ("nan", f64::NAN)] {
        if unsigned.starts_with(name) {
            name.chars().for_each(|_| scanner.bump());
            return Ok(Value::Float(if sign == "-" { -value } else { value }));
        }
    }
    match scanner.peek()? {
        Some('0'..='9') => {}
        Some('.') => return Err(scanner.at_next(TomlErrorKind::LeadingPoint)),
        Some(letter @ ('i' | 'n')) => {
            let sign = sign.to_owned();
            return Err(scanner.here(TomlErrorKind::NotInfinity { sign, letter }));
        }
        _ => return Err(scanner.unexpected(TomlPart::Digit)),
    }
    if let Some(notation) = NOTATIONS.iter().find(|it| unsigned.starts_with(it.prefix)) {
        return prefixed(scanner, sign, notation);
    }
    scanner.take_while(|it| it.is_ascii_digit() || it == '_')?;
    match scanner.peek()? {
        Some('.' | 'e' | 'E') => {
            scanner.take_while(|it| it.is_ascii_digit() || "._eE+-".contains(it))?;
            float(scanner, taken(whole, scanner))
        }
        Some('-' | ':') => {
            let is_part = |it: char| it.is_ascii_digit() || "-:.+TtZz".contains(it);
            scanner.take_while(is_part)?;
            let time = scanner.rest().strip_prefix(' ');
            if time.is_some_and(|it| it.starts_with(|it: char| it.is_ascii_digit())) {
                scanner.bump();
                scanner.take_while(is_part)?;
            }
            Err(date(scanner, taken(whole, scanner)))
        }
        _ => integer(scanner, taken(whole, scanner), 10),
    }
}

/// Returns the text that was read since `whole` was the rest.
fn taken<'a>(whole: &'a str, scanner: &Scanner<'_>) -> &'a str {
    &whole[..whole.len() - scanner.rest().len()]
}

fn prefixed(scanner: &mut Scanner<'_>, sign: &str, notation: &Notation) -> TomlResult<Value> {
    let Notation { prefix, radix } = *notation;
    if !sign.is_empty() {
        let sign = sign.to_owned();
        return Err(scanner.here(TomlErrorKind::Signed { sign, prefix }));
    }
    let whole = scanner.rest();
    prefix.chars().for_each(|_| scanner.bump());
    let found = scanner.peek()?.unwrap_or('\0');
    if !found.is_digit(radix) {
        return Err(scanner.here(TomlErrorKind::NotInBase { radix, prefix, found }));
    }
    scanner.take_while(|it| it.is_digit(radix) || it == '_')?;
    integer(scanner, taken(whole, scanner), radix)
}

fn integer(scanner: &Scanner<'_>, text: &str, radix: u32) -> TomlResult<Value> {
    let invalid =
        |rule| scanner.here(TomlErrorKind::Number { is_float: false, text: quoted(text), rule });
    if !are_underscores_inside(text) {
        return Err(invalid(NumberRule::Underscores));
    }
    if radix == 10 && has_leading_zeros(text) {
        return Err(invalid(NumberRule::LeadingZeros));
    }
    let digits = text.replace('_', "");
    let digits = if radix == 10 { &digits } else { &digits[2..] };
    match i64::from_str_radix(digits, radix) {
        Ok(value) => Ok(Value::Int(value)),
        Err(_) => {
            let text = text.to_owned();
            Err(scanner.here(TomlErrorKind::Range { is_float: false, text }))
        }
    }
}

fn float(scanner: &Scanner<'_>, text: &str) -> TomlResult<Value> {
    let invalid =
        |rule| scanner.here(TomlErrorKind::Number { is_float: true, text: quoted(text), rule });
    if !text.split(['.', 'e', 'E']).all(are_underscores_inside) {
        return Err(invalid(NumberRule::Underscores));
    }
    if has_leading_zeros(text) {
        return Err(invalid(NumberRule::LeadingZeros));
    }
    let mut after_points = text.split('.').skip(1);
    if after_points.any(|it| !it.starts_with(|it: char| it.is_ascii_digit())) {
        return Err(invalid(NumberRule::DigitsAfterPoint));
    }
    match text.replace('_', "").parse::<f64>() {
        Ok(value) if value.is_finite() => Ok(Value::Float(value)),
        Ok(_) => {
            let text = text.to_owned();
            Err(scanner.here(TomlErrorKind::Range { is_float: true, text }))
        }
        Err(_) => Err(scanner.here(TomlErrorKind::NotAFloat(quoted(text)))),
    }
}

/// Returns whether every underscore is between digits. An empty text is valid, a sign alone is not.
fn are_underscores_inside(text: &str) -> bool {
    let is_digits = |it: &str| !it.is_empty() && it.chars().all(|it| it.is_ascii_hexdigit());
    let unsigned = text.trim_start_matches(['+', '-']);
    let digits = NOTATIONS.iter().find_map(|it| unsigned.strip_prefix(it.prefix));
    text.is_empty() || digits.unwrap_or(unsigned).split('_').all(is_digits)
}

fn has_leading_zeros(text: &str) -> bool {
    let rest = text.trim_start_matches(['+', '-']).strip_prefix('0').unwrap_or_default();
    rest.starts_with(|it: char| it.is_ascii_digit() || it == '_')
}

/// The error for a date or time, which templates cannot represent.
fn date(scanner: &Scanner<'_>, text: &str) -> ScanError {
    if !is_date_or_time(text) {
        return scanner.here(TomlErrorKind::NotATime(quoted(text)));
    }
    let not_data = Error::new(message!(
        "expected a value that templates have, found the date or time {} (hint: put it in \
         quotes)",
        secret(text)
    ));
    scanner.error_here(ScanErrorKind::NotData(not_data))
}

fn is_date_or_time(text: &str) -> bool {
    if is_time(text) {
        return true;
    }
    let Some((date, rest)) = text.split_at_checked("2006-01-02".len()) else {
        return false;
    };
    let Some(time) = rest.strip_prefix(['T', 't', ' ']) else {
        return is_date(date) && rest.is_empty();
    };
    let offset_at = time.len().saturating_sub("+07:00".len());
    let local = match (time.strip_suffix(['Z', 'z']), time[offset_at..].strip_prefix(['+', '-'])) {
        (Some(local), _) => Some(local),
        (None, Some(offset)) => {
            numbers(offset, ':', &[(0, 23), (0, 59)]).map(|_| &time[..offset_at])
        }
        (None, None) => Some(time),
    };
    is_date(date) && local.is_some_and(is_time)
}

fn is_date(text: &str) -> bool {
    let Some((year, month_and_day)) = text.split_once('-') else {
        return false;
    };
    let (4, Ok(year)) = (year.len(), year.parse::<u32>()) else {
        return false;
    };
    let is_leap = year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    let n_days = |month| match month {
        2 if is_leap => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    };
    let numbers = numbers(month_and_day, '-', &[(1, 12), (1, 31)]);
    numbers.is_some_and(|it| it[1] <= n_days(it[0]))
}

fn is_time(text: &str) -> bool {
    let (clock, fraction) = text.split_once('.').unwrap_or((text, "0"));
    let is_fraction = !fraction.is_empty() && fraction.bytes().all(|it| it.is_ascii_digit());
    is_fraction && numbers(clock, ':', &[(0, 23), (0, 59), (0, 59)]).is_some()
}

/// Parses numbers of two digits, each within its limits.
fn numbers(text: &str, separator: char, limits: &[(u32, u32)]) -> Option<Vec<u32>> {
    let parts: Vec<&str> = text.split(separator).collect();
    if parts.len() != limits.len() {
        return None;
    }
    let number = |(part, (least, most)): (&&str, &(u32, u32))| {
        let is_plain = part.len() == 2 && part.bytes().all(|it| it.is_ascii_digit());
        part.parse().ok().filter(|it| is_plain && (least..=most).contains(&it))
    };
    parts.iter().zip(limits).map(number).collect()
}
