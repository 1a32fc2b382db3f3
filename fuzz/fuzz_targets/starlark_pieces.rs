//! A program in pieces is rejected or compiled, independently of where it is cut, and errors point
//! into its text.

#![no_main]

use libfuzzer_sys::fuzz_target;
use plumb_source::{SourceKind, Sources, Span};
use plumb_starlark::{Effect, Environment, Fragment, Instruction, Operands, Piece, Program};

fuzz_target!(|text: &[u8]| {
    let file = Sources::new().add("fuzz", SourceKind::File, text.into());
    let mut pieces = Vec::new();
    let mut at = 0u32;
    for (op, line) in (0..).zip(text.split(|&byte| byte == b'\n')) {
        let length = u32::try_from(line.len()).expect("inputs are short");
        let fragment = Fragment { text: line, span: Some(Span::new(file, at, at + length)) };
        let operands = match op % 4 {
            0 | 1 => None,
            2 => Some(Operands::Value(fragment)),
            _ => Some(Operands::Arguments(fragment)),
        };
        pieces.push(match operands {
            None => Piece::Code(fragment),
            Some(operands) => {
                let (span, effect) = (fragment.span, Effect::Builds);
                Piece::Host(Instruction { op, span, operands, effect })
            }
        });
        at += length + 1;
    }
    let Err(errors) = Program::compile(&pieces, Environment::standard()) else { return };
    assert!(!errors.is_empty(), "an error has a message");
    for frame in errors.iter().flat_map(|error| error.frames()) {
        let end = frame.span.map_or(0, |span| span.end as usize);
        assert!(end <= text.len(), "{errors:?}");
    }
});
