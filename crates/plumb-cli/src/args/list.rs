//! Lists in one argument: values separated by commas, quoted if they contain a comma themselves.

use std::fmt;

/// Why a list cannot be split. Its message is Go's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ListError {
    /// Where the mistake is, in bytes.
    offset: usize,
    kind: ListErrorKind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ListErrorKind {
    /// A quote in a value that is not quoted.
    BareQuote,
    /// A quoted value without a closing quote, or with text after it.
    StrayQuote,
}

impl fmt::Display for ListError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let what = match self.kind {
            ListErrorKind::BareQuote => "bare \" in non-quoted-field",
            ListErrorKind::StrayQuote => "extraneous or missing \" in quoted-field",
        };
        write!(f, "parse error on line 1, column {}: {what}", self.offset + 1)
    }
}

/// Splits a list. The empty text is the empty list.
pub(super) fn split(text: &str) -> Result<Vec<String>, ListError> {
    let mut values = Vec::new();
    let mut rest = (!text.is_empty()).then_some(text);
    while let Some(text_here) = rest {
        let at = text.len() - text_here.len();
        let (value, after) =
            if text_here.starts_with('"') { quoted(text_here, at)? } else { plain(text_here, at)? };
        values.push(value);
        rest = after;
    }
    Ok(values)
}

/// A value up to the next comma, and the text after that comma.
fn plain(text: &str, at: usize) -> Result<(String, Option<&str>), ListError> {
    let (value, after) = match text.split_once(',') {
        Some((value, after)) => (value, Some(after)),
        None => (text, None),
    };
    match value.find('"') {
        Some(quote) => Err(ListError { offset: at + quote, kind: ListErrorKind::BareQuote }),
        None => Ok((value.to_owned(), after)),
    }
}

/// A value between quotes, in which two quotes denote one.
fn quoted(text: &str, at: usize) -> Result<(String, Option<&str>), ListError> {
    let mut value = String::new();
    let mut rest = &text[1..];
    while let Some((before, after)) = rest.split_once('"') {
        value.push_str(before);
        rest = match after.strip_prefix('"') {
            Some(rest) => rest,
            None if after.is_empty() => return Ok((value, None)),
            None => {
                let quote = at + text.len() - after.len() - 1;
                let behind = after.strip_prefix(',').ok_or_else(|| stray_quote(quote))?;
                return Ok((value, Some(behind)));
            }
        };
        value.push('"');
    }
    Err(stray_quote(at + text.len()))
}

fn stray_quote(offset: usize) -> ListError {
    ListError { offset, kind: ListErrorKind::StrayQuote }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commas_part_values_unless_quoted() {
        assert_eq!(split("").expect("right"), Vec::<String>::new());
        assert_eq!(split("a,b").expect("right"), ["a", "b"]);
        assert_eq!(split("a,").expect("right"), ["a", ""]);
        assert_eq!(split("\"a,b\",c").expect("right"), ["a,b", "c"]);
        assert_eq!(split("\"a\"\"b\"").expect("right"), ["a\"b"]);
    }

    #[test]
    fn a_stray_quote_is_refused() {
        let refused = |text: &str| split(text).expect_err("it has a stray quote").to_string();
        assert!(refused("a\"b").contains("column 2: bare \" in non-quoted"));
        assert!(refused("\"a\"b").contains("column 3: extraneous"));
        assert!(refused("\"a").contains("column 3: extraneous"));
    }
}
