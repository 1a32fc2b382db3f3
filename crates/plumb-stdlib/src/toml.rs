//! `@ytt:toml`: converts values to TOML text and back.

use std::sync::Arc;

use plumb_source::{Origin, Text};
use plumb_starlark::{Args, Result, Tally, Thread, Value};
use plumb_template::convert;

use crate::arguments::{allow_named, one, one_text};
use crate::definition::{Member, ModuleDefinition};
use crate::json::indent;
use crate::memory::{Decoded, check_decoded, check_printed};
use crate::toml_read;
use crate::toml_text;

/// Spaces per level if `indent` is not given.
const DEFAULT_INDENT: usize = 2;

pub(crate) static MODULE: ModuleDefinition = ModuleDefinition {
    name: "toml",
    summary: "values as TOML text",
    members: &[
        Member::function("toml.encode(value, indent=0)", "Writes a value as TOML.", encode),
        Member::function("toml.decode(text)", "Reads TOML.", decode),
    ],
};

fn encode(thread: &mut Thread<'_>, args: &Args<'_>) -> Result<Value> {
    let value = one(args)?;
    allow_named(args, &["indent"])?;
    let budget = Arc::clone(thread.budget());
    let mut tally = Tally::borrowed(&budget);
    let node = convert::to_node(value, Origin::Unknown, &mut tally)?;
    let indent = match indent(args)? {
        0 => DEFAULT_INDENT,
        given => given,
    };
    check_printed(thread, &node, indent)?;
    Ok(Text::from_bytes(&toml_text::encode(&node, indent)?).into())
}

fn decode(thread: &mut Thread<'_>, args: &Args<'_>) -> Result<Value> {
    let text = one_text(args)?;
    check_decoded(thread, text, Decoded::Values)?;
    toml_read::read(text.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_become_dictionaries_with_sorted_keys() {
        let check = |text: &str, expected: &str| {
            let shown = toml_read::read(text.as_bytes()).and_then(|value| value.repr());
            assert_eq!(shown.expect("TOML").to_string(), expected, "{text}");
        };
        check(
            "b=1\na=2\n[t]\nz=1\ny=[1,2.5,'x',{k=1}]\n[[q]]\n[[q]]\nx=1",
            r#"{"a": 2, "b": 1, "q": [{}, {"x": 1}], "t": {"y": [1, 2.5, "x", {"k": 1}], "z": 1}}"#,
        );
        check("", "{}");
        check(
            "a=0xff\nb=0o17\nc=0b11\nd=1_000\ne=+5\nf=-0",
            r#"{"a": 255, "b": 15, "c": 3, "d": 1000, "e": 5, "f": 0}"#,
        );
        check("h=inf\ni=-inf\nj=nan", r#"{"h": +Inf, "i": -Inf, "j": NaN}"#);
        check("a.b.c=1\na.d=2", r#"{"a": {"b": {"c": 1}, "d": 2}}"#);
        check("a=\"\\u00e9\\U0001F600\"", r#"{"a": "é😀"}"#);
        check("a='''\nx\n'''\nb=\"\"\"\nx \\\n  y\"\"\"", r#"{"a": "x\n", "b": "x y"}"#);
        check("a=1\r\nb=2 # c\r\n", r#"{"a": 1, "b": 2}"#);
    }

    #[test]
    fn a_table_may_be_opened_again_as_long_as_nothing_is_lost() {
        let check = |text: &str, expected: &str| {
            let shown = toml_read::read(text.as_bytes()).and_then(|value| value.repr());
            assert_eq!(shown.expect("TOML").to_string(), expected, "{text}");
        };
        check("a.b=1\n[a]\nc=2", r#"{"a": {"b": 1, "c": 2}}"#);
        check("a={b=1}\na.c=2", r#"{"a": {"b": 1, "c": 2}}"#);
        check("a={b=1}\n[a.c]", r#"{"a": {"b": 1, "c": {}}}"#);
        check("[[a]]\n[a.b]\nc=1\n[[a]]\n[a.b]", r#"{"a": [{"b": {"c": 1}}, {"b": {}}]}"#);
    }

    #[test]
    fn a_mistake_is_shown_with_its_line_and_key() {
        let check = |text: &[u8], expected: &str| {
            let error = toml_read::read(text).expect_err("broken TOML");
            assert_eq!(error.message().shown(), expected, "{}", String::from_utf8_lossy(text));
        };
        let with_key = |text: &[u8], line: usize, key: &str, expected: &str| {
            check(text, &format!("line {line}, key \"{key}\": {expected}"));
        };
        with_key(b"a=1\na=2", 2, "a", "the key `a` is defined twice");
        with_key(b"[a]\nb=1\n[a.b]", 3, "a", "the key `a.b` is defined twice");
        with_key(b"a.b=1\na=2", 2, "a", "the key `a` is defined twice");
        with_key(b"a=1\nb=", 2, "b", "expected a value, found the end of the text");
        with_key(b"a=\n1", 1, "a", "expected a value, found the end of the line");
        with_key(
            b"a=1\nb='x",
            2,
            "b",
            "expected ' at the end of a string, found the end of the text",
        );
        with_key(b"a=\"x\ny\"", 1, "a", "expected a string to end on its line, found a line break");
        with_key(
            b"a={b=1,\nc=2}",
            1,
            "a.b",
            "expected an inline table to end on its line, found a line break",
        );
        with_key(b"a={b=1,}", 1, "a.b", "expected a key after the comma, found `}`");
        with_key(b"a=01", 1, "a", "expected a number without leading zeros, found \"01\"");
        with_key(b"a=1e400", 1, "a", "expected a number that fits in 64 bits, found 1e400");
        with_key(b"a=1979-13-27", 1, "a", "expected a date or time, found \"1979-13-27\"");
        with_key(b"a=\"\xff\"", 1, "a", "expected text in UTF-8, found another byte");
        let deep = format!("a={}", "[".repeat(100_000));
        with_key(deep.as_bytes(), 1, "a", "expected at most 500 levels of arrays and tables");
        check(b"a=1\n[a.b]", "line 2: expected `a` to be a table, found another value");
        check(b"[a]\n[[a]]", "line 2: expected `a` to be an array of tables, found another value");
        check(b"a=1 b=2", "line 1: expected the end of the line, found `b`");
        check(
            b"a=[1979-05-27]",
            "expected a value that templates have, found the date or time 1979-05-27 (hint: put \
             it in quotes)",
        );
    }
}
