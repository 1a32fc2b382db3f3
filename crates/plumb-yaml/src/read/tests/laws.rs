//! Laws that are true for every text.

use plumb_source::{SourceKind, Sources};
use plumb_value::Document;
use proptest::prelude::*;

use super::super::error::Result;
use super::super::parser::Parser;
use super::super::{ReadOptions, beginning, input, parse};
use crate::print;

/// Pieces from which texts are composed, so that many of them are almost YAML.
const PIECES: &[&str] = &[
    "a",
    "b: ",
    "key: value\n",
    "- ",
    "-",
    "- x\n",
    "- k: v\n",
    "-1",
    "1.5",
    "true",
    "~",
    "? ",
    ": ",
    ":",
    ",",
    "[",
    "]",
    "{",
    "}",
    "&x ",
    "*x",
    "*x ",
    "<<: ",
    "!!str ",
    "!t ",
    "'",
    "\"",
    "'q'",
    "\"d\"",
    "\\n",
    "|\n",
    ">-\n",
    "|+\n",
    "\n",
    "\n  ",
    "\n    ",
    " ",
    "  ",
    "\t",
    "#c",
    " # c\n",
    "---",
    "---\n",
    "--- ",
    "...\n",
    "%YAML 1.1\n",
    "é",
    "¿…",
    "\u{2028}",
    "\r\n",
    "\r",
    "\u{feff}",
    "@",
    "x y",
    "z:\n",
    "z:\n  ",
    "\n- ",
    "\nk: ",
];

fn soup() -> impl Strategy<Value = String> {
    prop::collection::vec(prop::sample::select(PIECES), 0..24).prop_map(|pieces| pieces.concat())
}

fn read(bytes: &[u8], options: &ReadOptions) -> Option<Vec<Document>> {
    let file = Sources::new().add("a.yml", SourceKind::File, bytes.into());
    parse(file, bytes, options).ok()
}

fn by(text: &str, options: &ReadOptions, is_by_tokens: bool) -> Result<Vec<Document>> {
    let file = Sources::new().add("a.yml", SourceKind::File, text.as_bytes().into());
    let text = input::check(text.as_bytes())?;
    let mut parser = Parser::new(text, file, options);
    parser.is_by_tokens = is_by_tokens;
    parser.documents(beginning(text.as_bytes()))
}

fn printed(documents: &[Document]) -> Vec<u8> {
    let mut out = Vec::new();
    print::documents(documents, &mut out);
    out
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 2000,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn any_bytes_are_read_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..64)) {
        read(&bytes, &ReadOptions::default());
    }

    #[test]
    fn without_tokens_the_same_is_read(text in soup(), strict in any::<bool>()) {
        let options = ReadOptions { strict, ..ReadOptions::default() };
        let (direct, by_tokens) = (by(&text, &options, false), by(&text, &options, true));
        prop_assert_eq!(format!("{direct:?}"), format!("{by_tokens:?}"));
    }

    #[test]
    fn what_was_read_is_read_again_from_its_print(text in soup()) {
        // A string `<<` as a key is printed like a merge key, as in ytt.
        let text = text.replace("<<", "m");
        if let Some(documents) = read(text.as_bytes(), &ReadOptions::default()) {
            let once = printed(&documents);
            let again = read(&once, &ReadOptions::default());
            let again = again.map(|documents| printed(&documents));
            prop_assert_eq!(again.as_deref(), Some(once.as_slice()));
        }
    }

    #[test]
    fn leaving_comments_out_changes_no_value(text in soup()) {
        let options = ReadOptions { comments: false, ..ReadOptions::default() };
        let with = read(text.as_bytes(), &ReadOptions::default());
        let without = read(text.as_bytes(), &options);
        prop_assert_eq!(
            with.map(|documents| printed(&documents)),
            without.map(|documents| printed(&documents))
        );
    }
}
