//! Texts that someone is typing.

use super::*;
use crate::parse_past_errors;

/// The documents that can be read, in flow style, then the line and message of each error.
fn recovered(text: &str) -> String {
    let sources = Sources::new();
    let file = sources.add("a.yml", SourceKind::File, text.as_bytes().into());
    let (documents, errors) = parse_past_errors(file, text.as_bytes(), &ReadOptions::default());
    let documents = documents.iter().filter(|it| !it.is_injected);
    let mut shown: Vec<String> = documents.map(|it| show(&it.node)).collect();
    for error in errors {
        let line = sources.get(file).line(error.span().start);
        shown.push(format!("{line}: {}", error.diagnostic().message.shown()));
    }
    shown.join("\n")
}

#[test]
fn a_half_typed_key_is_left_out() {
    let text = "a: 1\nna\nb: 2\n";
    assert_eq!(
        recovered(text),
        "{\"a\": 1, \"b\": 2}\n2: expected `:` after a key, found the end of the line"
    );
    let text = "a:\n  x: 1\n  na\nb: 2\n";
    assert_eq!(
        recovered(text),
        "{\"a\": {\"x\": 1}, \"b\": 2}\n3: expected `:` after a key, found the end of the line"
    );
}

#[test]
fn a_wrong_indentation_leaves_out_its_block() {
    let text = "a:\n  x: 1\n   y:\n     z: 2\n  w: 3\nb: 2\n";
    assert_eq!(
        recovered(text),
        "{\"a\": {\"x\": 1, \"w\": 3}, \"b\": 2}\n3: expected the rest of a text, found a key"
    );
    let text = "a:\n    x: 1\n  y: 2\nb: 2\n";
    assert_eq!(
        recovered(text),
        "{\"a\": {\"x\": 1}, \"b\": 2}\n3: expected the keys of the map in one column, found one in another column"
    );
}

#[test]
fn an_unclosed_quote_ends_with_its_line() {
    let text = "a: \"x\nb: 2\n";
    assert_eq!(
        recovered(text),
        "{\"a\": null, \"b\": 2}\n1: expected a closing `\"`, found the end of the text"
    );
    let text = "a: \"x\nb: 2\nc: \"y\"\nd: 4\n";
    assert_eq!(
        recovered(text),
        "{\"a\": null, \"b\": 2, \"c\": \"y\", \"d\": 4}\n\
         1: expected the end of the line after the closing quote, found text"
    );
}

#[test]
fn an_unclosed_bracket_ends_with_its_line() {
    let text = "a: [1, 2\nb: 2\nc: {x: 1\nd: 4\n";
    assert_eq!(
        recovered(text),
        "{\"a\": null, \"b\": 2, \"c\": null, \"d\": 4}\n\
         1: expected a closing `]`, found a key\n3: expected a closing `}`, found a key"
    );
}

#[test]
fn each_document_has_its_errors() {
    let text = "a: 1\nna\n---\nb: *x\nc: 1\n---\nd: 4\n";
    assert_eq!(
        recovered(text),
        "{\"a\": 1}\n{\"b\": null, \"c\": 1}\n{\"d\": 4}\n\
         2: expected `:` after a key, found the end of the line\n\
         4: expected the name of an anchor after `*`, found the unknown name `x`"
    );
}

#[test]
fn comments_of_templates_are_kept() {
    let text = "a: 1 #@ x\nna #@ if y:\nb: 2\n";
    let sources = Sources::new();
    let file = sources.add("a.yml", SourceKind::File, text.as_bytes().into());
    let (documents, errors) = parse_past_errors(file, text.as_bytes(), &ReadOptions::default());
    assert_eq!(errors.len(), 1);
    let map = documents[0].node.as_map().expect("a map");
    let comments = map.items()[1].meta.comments();
    assert_eq!(comments.iter().map(|it| it.text.to_string()).collect::<Vec<_>>(), ["@ if y:"]);
}

#[test]
fn any_part_of_a_text_is_read() {
    let text = "#@ load(\"x\")\n---\na: &x {b: [1, \"two\", 'three']}\nc:\n- d: |\n    text\n  e: *x\n\
                - !!int 4\n---\nf: \"a\\nb\n  c\" #@ g\n? h\n: i\n...\n";
    let check = |text: &str| {
        let sources = Sources::new();
        let file = sources.add("a.yml", SourceKind::File, text.as_bytes().into());
        let (documents, errors) = parse_past_errors(file, text.as_bytes(), &ReadOptions::default());
        let strict = parse(file, text.as_bytes(), &ReadOptions::default());
        assert_eq!(strict.is_ok(), errors.is_empty(), "{text:?}");
        if let Ok(strict) = strict {
            let show = |it: &[Document]| it.iter().map(|it| show(&it.node)).collect::<Vec<_>>();
            assert_eq!(show(&strict), show(&documents));
        }
        assert!(!documents.is_empty(), "{text:?}");
    };
    for at in 0..text.len() {
        check(&text[..at]);
        check(&text[at..]);
        check(&format!("{}{}", &text[..at], &text[at + 1..]));
        for junk in ["[", "]", "{", "\"", "'", "\n", ": ", "- ", "\t", "@", "|", "*", "%", "#"] {
            check(&format!("{}{junk}{}", &text[..at], &text[at..]));
        }
    }
}

#[test]
fn a_long_text_of_errors_is_read_to_its_end() {
    for line in ["a\n", "[\n", "\"\n", "a: b: c\n", "- a\nb\n", "\u{1}\n", "*x\n", "  a:\n b:\n"] {
        recovered(&line.repeat(5_000));
    }
}
