//! Lists in one argument: values separated by commas, quoted if they contain a comma themselves.

/// Splits a list. The empty text is the empty list.
pub(super) fn split(text: &str) -> Result<Vec<String>, String> {
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
fn plain(text: &str, at: usize) -> Result<(String, Option<&str>), String> {
    let (value, after) = match text.split_once(',') {
        Some((value, after)) => (value, Some(after)),
        None => (text, None),
    };
    match value.find('"') {
        Some(quote) => Err(problem(at + quote, "bare \" in non-quoted-field")),
        None => Ok((value.to_owned(), after)),
    }
}

/// A value between quotes, in which two quotes denote one.
fn quoted(text: &str, at: usize) -> Result<(String, Option<&str>), String> {
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

fn stray_quote(offset: usize) -> String {
    problem(offset, "extraneous or missing \" in quoted-field")
}

fn problem(offset: usize, what: &str) -> String {
    format!("parse error on line 1, column {}: {what}", offset + 1)
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
        assert!(split("a\"b").expect_err("bare").contains("column 2: bare \" in non-quoted"));
        assert!(split("\"a\"b").expect_err("behind").contains("column 3: extraneous"));
        assert!(split("\"a").expect_err("open").contains("column 3: extraneous"));
    }
}
