//! `quantity`: an amount in the syntax of Kubernetes, such as `500m`, `1.5Gi` or `12e6`.

use crate::FormatError;

const SUFFIXES: [&str; 16] =
    ["", "n", "u", "m", "k", "M", "G", "T", "P", "E", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei"];

pub(crate) fn check(text: &str) -> Result<(), FormatError> {
    if text.is_empty() {
        return Err("it is empty");
    }
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    let end = unsigned.find(|it: char| !it.is_ascii_digit() && it != '.');
    let (number, suffix) = unsigned.split_at(end.unwrap_or(unsigned.len()));
    if !number.bytes().any(|it| it.is_ascii_digit()) {
        return Err("it does not begin with a number");
    }
    if number.matches('.').count() > 1 {
        return Err("its number has more than one point");
    }
    if SUFFIXES.contains(&suffix) || is_exponent(suffix) {
        Ok(())
    } else {
        Err("the text after its number is not a suffix such as Mi")
    }
}

fn is_exponent(suffix: &str) -> bool {
    let Some(exponent) = suffix.strip_prefix(['e', 'E']) else {
        return false;
    };
    let digits = exponent.strip_prefix(['+', '-']).unwrap_or(exponent);
    !digits.is_empty() && digits.bytes().all(|it| it.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts() {
        let right = [
            "0",
            "500m",
            "1.5Gi",
            "12e6",
            "1E",
            "1E3",
            "1e-3",
            "+5k",
            "-5",
            ".5",
            "5.",
            "128974848",
        ];
        for text in right {
            assert_eq!(check(text), Ok(()), "{text}");
        }
        let wrong = [
            "", "Gi", ".", "1.2.3", "5K", "5gi", "1e", "1e3.5", "5 Gi", "5Gib", "--5", "1ee3", "5é",
        ];
        for text in wrong {
            assert!(check(text).is_err(), "{text}");
        }
    }
}
