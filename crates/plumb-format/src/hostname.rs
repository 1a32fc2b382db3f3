//! `hostname`: the name of a host in the syntax of RFC 1123, without a trailing dot.

use crate::FormatError;

const LONGEST_NAME: usize = 253;
const LONGEST_LABEL: usize = 63;

pub(crate) fn check(text: &str) -> Result<(), FormatError> {
    if text.is_empty() {
        return Err("it is empty");
    }
    if text.len() > LONGEST_NAME {
        return Err("it is longer than 253 characters");
    }
    text.split('.').try_for_each(check_label)
}

fn check_label(label: &str) -> Result<(), FormatError> {
    if label.is_empty() {
        return Err("one of its labels is empty");
    }
    if label.len() > LONGEST_LABEL {
        return Err("one of its labels is longer than 63 characters");
    }
    if label.starts_with('-') || label.ends_with('-') {
        return Err("one of its labels begins or ends with a hyphen");
    }
    if label.bytes().all(|it| it.is_ascii_alphanumeric() || it == b'-') {
        Ok(())
    } else {
        Err("it contains a character other than a letter, digit, hyphen or dot")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names() {
        let longest = format!("{0}.{0}.{0}.{1}", "a".repeat(63), "a".repeat(61));
        for text in ["localhost", "a", "3com.example", "xn--bcher-kva.example", longest.as_str()] {
            assert_eq!(check(text), Ok(()), "{text}");
        }
        let too_long = format!("{longest}a");
        let wrong = [
            "",
            ".",
            "a.",
            ".a",
            "a..b",
            "-a",
            "a-",
            "a_b",
            "bücher.example",
            "a b",
            &"a".repeat(64),
            &too_long,
        ];
        for text in wrong {
            assert!(check(text).is_err(), "{text}");
        }
    }
}
