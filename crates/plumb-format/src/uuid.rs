//! `uuid`: 32 hexadecimal digits in groups of 8-4-4-4-12, in the syntax of RFC 9562.

use crate::FormatError;

const GROUPS: [usize; 5] = [8, 4, 4, 4, 12];

pub(crate) fn check(text: &str) -> Result<(), FormatError> {
    let lengths: Vec<usize> = text.split('-').map(str::len).collect();
    if lengths != GROUPS {
        return Err("it is not in groups of 8-4-4-4-12 digits");
    }
    if text.bytes().all(|it| it == b'-' || it.is_ascii_hexdigit()) {
        Ok(())
    } else {
        Err("it contains a character other than a hexadecimal digit")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn identifiers() {
        for text in ["123e4567-e89b-12d3-a456-426614174000", "F81D4FAE-7DEC-11D0-A765-00A0C91E6BF6"]
        {
            assert_eq!(check(text), Ok(()), "{text}");
        }
        let wrong = [
            "",
            "123e4567e89b12d3a456426614174000",
            "123e4567-e89b-12d3-a456-42661417400",
            "123e4567-e89b-12d3-a456-42661417400g",
            "{123e4567-e89b-12d3-a456-426614174000}",
            "éé4567-e89b-12d3-a456-426614174000",
        ];
        for text in wrong {
            assert!(check(text).is_err(), "{text}");
        }
    }
}
