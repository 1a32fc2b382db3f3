//! Expressions for values, and the similarity of keys.

use plumb_value::Node;

use crate::literal::spelled;

/// Words that cannot follow a dot in the template language.
const RESERVED: [&str; 34] = [
    "and", "as", "assert", "async", "await", "break", "class", "continue", "def", "del", "elif",
    "else", "except", "finally", "for", "from", "global", "if", "import", "in", "is", "lambda",
    "load", "nonlocal", "not", "or", "pass", "raise", "return", "try", "while", "with", "yield",
    "end",
];

/// The expression for the data value at a path.
pub(crate) fn expression(path: &[&str]) -> String {
    let mut out = "data.values".to_owned();
    for step in path {
        if is_identifier(step) {
            out.push('.');
            out.push_str(step);
        } else {
            out.extend(["[", &quoted(step), "]"]);
        }
    }
    out
}

/// A text in the template language.
pub(crate) fn quoted(text: &str) -> String {
    spelled(&Node::from(text).repr())
}

fn is_identifier(text: &str) -> bool {
    let is_part = |it: u8| it.is_ascii_alphanumeric() || it == b'_';
    text.bytes().next().is_some_and(|it| !it.is_ascii_digit())
        && text.bytes().all(is_part)
        && !RESERVED.contains(&text)
}

/// Whether the key of a value and the key in the output mean the same, such as `pullPolicy` and
/// `imagePullPolicy`.
pub(crate) fn is_alike(value: &str, key: &str) -> bool {
    const MIN_LENGTH: usize = 4;
    let plain = |it: &str| -> String {
        let letters = it.chars().filter(char::is_ascii_alphanumeric);
        letters.map(|it| it.to_ascii_lowercase()).collect()
    };
    let (value, key) = (plain(value), plain(key));
    let (short, long) = if value.len() < key.len() { (&value, &key) } else { (&key, &value) };
    let n_common =
        short.bytes().zip(long.bytes()).take_while(|(left, right)| left == right).count();
    short == long
        || short.len() >= MIN_LENGTH
            && (long.starts_with(short.as_str()) || long.ends_with(short.as_str()))
        || n_common > MIN_LENGTH + 1 && n_common + 1 >= short.len()
}

/// The number of equal keys at the end of both paths.
pub(crate) fn n_same_at_end(left: &[&str], right: &[&str]) -> usize {
    let pairs = left.iter().rev().zip(right.iter().rev());
    pairs.take_while(|(left, right)| left == right).count()
}
