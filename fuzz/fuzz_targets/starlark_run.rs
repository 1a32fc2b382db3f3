//! Any text is rejected, stopped by a limit, or runs: it never panics, and always ends.

#![no_main]

use std::any::Any;

use libfuzzer_sys::fuzz_target;
use plumb_starlark::{Environment, Fragment, Host, Limits, Piece, Program, Thread};

struct Silent;

impl Host for Silent {
    fn as_any(&self) -> &dyn Any {
        self
    }
}

const LIMITS: Limits =
    Limits::DEFAULT.steps(20_000).depth(1_000).native_depth(20).memory(16 << 20).regexp(0);

fuzz_target!(|text: &[u8]| {
    let pieces = [Piece::Code(Fragment { text, span: None })];
    if let Ok(program) = Program::compile(&pieces, Environment::standard()) {
        let _ = Thread::new(&Silent, LIMITS).run(&program);
    }
});
