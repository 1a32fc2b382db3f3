//! Errors in our words: their places, and what to do about the mistakes that newcomers make.

use super::*;

/// The places of an error with their notes, then its message, then its help.
fn explained(text: &str) -> String {
    let sources = Sources::new();
    let file = sources.add("a.yml", SourceKind::File, text.as_bytes().into());
    let error = parse(file, text.as_bytes(), &ReadOptions::default()).expect_err(text);
    let finding = error.diagnostic();
    let source = sources.get(file);
    let mut out = String::new();
    for label in &finding.labels {
        let (line, column) = (source.line(label.span.start), source.column(label.span.start));
        let note = label.message.shown();
        let _ = write!(out, "{line}:{column} {note}{}", if note.is_empty() { "" } else { "; " });
    }
    let _ = write!(out, "{}", finding.message.masked());
    for help in &finding.help {
        let _ = write!(out, "\n{}", help.masked());
    }
    out
}

#[track_caller]
fn check_words(text: &str, expected: &str) {
    assert_eq!(explained(text), expected, "{text}");
}

#[test]
fn tabs_are_named() {
    let tab = "2:1 expected spaces as indentation, found a tab\n\
               indent with spaces: YAML does not allow tabs as indentation";
    for text in ["a:\n\tb: 1\n", "a: b\n\tc\n", "a: |\n\tb\n"] {
        check_words(text, tab);
    }
    check_words("-\ta\n", "1:2 expected a space, found a tab\nwrite a space instead of the tab");
}

#[test]
fn a_missing_space_is_found_at_its_colon_or_dash() {
    check_words(
        "a: 1\nb:2\nc: 3\n",
        "2:2 expected a space after `:`, found text\n\
         write `key: value`, with a space after the colon",
    );
    check_words(
        "- a\n-b\n",
        "2:1 expected a space after `-`, found text\nwrite a space after the `-` of an item",
    );
}

#[test]
fn a_missing_colon_is_found_at_its_key() {
    let after_key = "write `: ` after a key; a text that continues must be indented further than \
                     its key";
    for (text, place) in [
        ("a: 1\nb\nc: 2\n", "2:1"),
        ("a: 1\nb", "2:1"),
        ("name\n  first: x\n", "1:1"),
        ("foo\nbar: 1\n", "1:1"),
    ] {
        let message = "expected `:` after a key, found the end of the line";
        check_words(text, &format!("{place} {message}\n{after_key}"));
    }
    let long = format!("a: 1\n{}: 2\n", "x".repeat(2000));
    check_words(
        &long,
        "2:1 expected a key of at most 1024 characters, found a longer one\n\
         write `? ` before a longer key",
    );
}

#[test]
fn a_second_colon_needs_quotes_or_another_indentation() {
    check_words(
        "a: x: y\n",
        "1:5 expected the end of the value, found `: `\n\
         put quotes around a text that contains `: `, or start the map on a new line",
    );
    check_words(
        "a: 1\n  b: 2\n",
        "2:3 expected the rest of a text, found a key\n\
         check the indentation: this line continues the text of the line before it",
    );
    check_words(
        "a: one\n  two\n  three: x\n",
        "3:3 expected the rest of a text, found a key\n\
         put quotes around a text that contains `: `, or check the indentation: this line \
         continues the text of the line before it",
    );
}

#[test]
fn an_unclosed_quote_is_found_where_it_opens() {
    check_words(
        "a: \"x\nb: 2\n",
        "1:4 the string begins here; expected a closing `\"`, found the end of the text\n\
         write `\"` where the string ends",
    );
    check_words(
        "a: 'x\n---\nb: 2\n",
        "1:4 the string begins here; expected a closing `'`, found `---`\n\
         write `'` where the string ends",
    );
    check_words(
        "a: \"x\nb: 2\nc: \"y\"\n",
        "1:4 the string begins here; 3:5 and has ended before this; expected the end of the line \
         after the closing quote, found text\nclose the quote where the string should end",
    );
    check_words(
        "a: 'it's'\n",
        "1:8 expected the end of the line after the closing quote, found text\n\
         put the whole text in quotes; in single quotes, write `''` for `'`",
    );
}

#[test]
fn an_unclosed_bracket_is_found_where_it_opens() {
    for (text, found) in [
        ("a: [1, 2\nb: 2\n", "a key"),
        ("a: &x [1, 2", "the end of the text"),
        ("a: [1,\n", "the end of the text"),
        ("a: [b: 1\n", "the end of the text"),
    ] {
        let column = text.find('[').unwrap_or_default() + 1;
        check_words(
            text,
            &format!(
                "1:{column} the list begins here; expected a closing `]`, found {found}\n\
                 write `]` after the last item"
            ),
        );
    }
    check_words(
        "a: {x: 1\nb: 2\n",
        "1:4 the map begins here; expected a closing `}`, found a key\n\
         write `}` after the last item",
    );
    check_words(
        "a: [\"x\"\n  \"y\"]\n",
        "2:3 expected `,` or `]`, found a string in quotes\n\
         put `,` between items, and `]` after the last one",
    );
    check_words(
        "a: [1]]\n",
        "1:7 expected the end of the line, found `]`\n\
         remove it: there is no opening bracket for it",
    );
}

#[test]
fn a_wrong_indentation_is_explained() {
    let key = "expected the keys of the map in one column, found one in another column\n\
               check the indentation: the keys of a map must begin in the same column";
    check_words("a:\n  b: 1\n c: 2", &format!("3:2 {key}"));
    check_words("a:\n    b: 1\n  c: 2", &format!("3:3 {key}"));
    check_words(
        "  a: 1\nb: 2\n",
        "2:1 expected `---` or the end of the text, found a key\n\
         check the indentation: the keys of a map must begin in the same column",
    );
    check_words(
        "a:\n  - b\n - c\n",
        "3:2 expected the items of the list in one column, found one in another column\n\
         check the indentation: the items of a list must begin in the same column",
    );
    check_words(
        "a: 1\n- b\n",
        "2:1 expected a key, found an item of a list\n\
         check the indentation: an item of a list cannot be among the keys of a map",
    );
    check_words(
        "- a\nb: 1\n",
        "2:1 expected an item of the list, found a key\n\
         put `- ` before it if it is an item of the list; otherwise check the indentation: a key \
         cannot be among the items of a list",
    );
}

#[test]
fn texts_that_begin_with_a_reserved_character_need_quotes() {
    for (text, place, found) in [
        ("a: *.example.com", "1:4 expected a name after `*`", "another character"),
        ("a: !x{", "1:6 expected a space after a tag", "`{`"),
        ("%x: 1", "1:1 expected `%YAML` or `%TAG` at the start of a line", "another `%`"),
    ] {
        let first = &text.strip_prefix("a: ").unwrap_or(text)[..1];
        check_words(
            text,
            &format!("{place}, found {found}\nput quotes around a text that begins with `{first}`"),
        );
    }
    // Which character it is may be secret.
    for text in ["a: @x", "a: `x`", "a: %x"] {
        check_words(
            text,
            "1:4 expected a key or a value, found a reserved character\n\
             put quotes around a text that begins with `@`, `%`, `|`, `>` or a backtick; code \
             begins with `#@`",
        );
    }
    check_words(
        "a: >=1.2",
        "1:5 expected the end of the line after `|` or `>`, found other text\n\
         put quotes around a text that begins with `|` or `>`; a text of several lines begins on \
         the next line",
    );
    check_words(
        "a: - b",
        "1:4 expected a value, found an item of a list\n\
         start the list on a new line, or put quotes around a text that begins with `- `",
    );
    check_words(
        "a: \"C:\\Users\"",
        "1:9 expected eight hexadecimal digits after `\\U`, found fewer\n\
         write `\\\\` for a backslash, or put the text in single quotes",
    );
}

#[test]
fn templates_in_other_languages_and_conflicts_are_recognized() {
    let help = |text: &str| explained(text).split_once('\n').expect("help").1.to_owned();
    let helm = "this looks like a Helm template, which Plumb does not run: write `#@ \
                data.values.…` instead of `{{ … }}`, or put quotes around the text to keep it";
    assert_eq!(help("image: {{ .Values.image }}:{{ .Values.tag }}\n"), helm);
    assert_eq!(help("{{- if .Values.x }}\na: 1\n{{- end }}\n"), helm);
    let jinja = "this looks like a template in another language, which Plumb does not run: write \
                 `#@ if …:` or `#@ for …:` instead of `{% … %}`";
    assert_eq!(help("{% if x %}\na: 1\n{% endif %}\n"), jinja);
    let conflict = "resolve the merge conflict: remove the lines that begin with `<<<<<<<`, \
                    `=======` and `>>>>>>>`";
    for text in ["<<<<<<< HEAD\na: 1\n", "a: 1\n=======\nb: 1\n", "a: 1\n>>>>>>> x\n"] {
        assert_eq!(help(text), conflict);
    }
}

#[test]
fn values_are_masked() {
    check_words(
        "a: *hunter2",
        "1:4 expected the name of an anchor after `*`, found the unknown name `***`\n\
         define the anchor (`&name`) earlier in the same document, or put quotes around a text \
         that begins with `*`",
    );
    check_words(
        "a: !!int hunter2",
        "1:10 expected a value of type `!!int`, found `!!str`\nchange the value, or remove the tag",
    );
    // The anchor is known, so it is a name.
    check_words(
        "a: &x [*x]",
        "1:8 the value of the anchor `x` must not contain itself\n\
         use the alias outside of the value that has the anchor",
    );
}

#[test]
fn a_control_character_is_found() {
    check_words(
        "a: \u{7}",
        "1:4 expected printable text, found a control character\n\
         write it as an escape in double quotes, such as `\"\\x07\"`, or remove it",
    );
}

#[test]
fn a_message_without_a_place_has_the_line() {
    let error = read("a: 1\nb: [1").expect_err("it is not closed");
    let message = error.message();
    assert_eq!(message.shown(), "line 2: expected a closing `]`, found the end of the text");
}
