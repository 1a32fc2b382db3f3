//! Translates TypeScript to JavaScript by removing types.
//!
//! Types are replaced by spaces, so that every other character keeps its place and errors need no
//! source map. Enums, namespaces with values and parameter properties become JavaScript in their
//! place (`values`). Decorators, `accessor` fields and JSX are rejected.

mod depth;
mod imports;
mod jsx;
mod types;
mod values;

use std::ops::Range;

use oxc_allocator::Allocator;
use oxc_ast_visit::Visit;
use oxc_parser::Parser;
use oxc_span::{GetSpan, SourceType};

use depth::Stack;
use types::Types;

/// Why a text cannot be translated.
#[derive(Debug)]
pub(crate) struct TranslationError {
    pub(crate) message: String,
    /// A byte offset.
    at: usize,
}

/// The language of a module.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Syntax {
    TypeScript,
    /// TypeScript with JSX: assertions such as `<T>x` are JSX elements, which are rejected.
    TypeScriptWithJsx,
}

/// The JavaScript of a TypeScript module.
pub(crate) fn strip(text: &str, syntax: Syntax) -> Result<String, TranslationError> {
    let refused = |message: &str| TranslationError { message: message.to_owned(), at: 0 };
    let bytes = match Stack::for_text(text) {
        Stack::AtHand => return strip_here(text, syntax),
        Stack::Bytes(bytes) => bytes,
        Stack::TooMuch => {
            return Err(refused("a module of this size is not read: move data to a JSON file"));
        }
    };
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(bytes);
        let parsing = thread.spawn_scoped(scope, || strip_here(text, syntax));
        let parsing = parsing.map_err(|_| refused("there is no memory to read this module"))?;
        parsing.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}

fn strip_here(text: &str, syntax: Syntax) -> Result<String, TranslationError> {
    let allocator = Allocator::default();
    let source_type = match syntax {
        Syntax::TypeScript => SourceType::ts(),
        Syntax::TypeScriptWithJsx => SourceType::tsx(),
    };
    let parsed = Parser::new(&allocator, text, source_type).parse();
    if let Some(diagnostic) = parsed.diagnostics.iter().next() {
        if let Some(error) = jsx::error(text) {
            return Err(error);
        }
        let at = diagnostic.labels.iter().next().map_or(0, |label| label.offset() as usize);
        return Err(TranslationError { message: diagnostic.message.to_string(), at });
    }
    let mut types = Types::new(text);
    types.visit_program(&parsed.program);
    types.finish()
}

impl TranslationError {
    fn new(node: &impl GetSpan, message: impl Into<String>) -> Self {
        Self { message: message.into(), at: node.span().start as usize }
    }

    /// Line and column, both counted from 1.
    pub(crate) fn position(&self, text: &str) -> (usize, usize) {
        let before = text.get(..self.at).unwrap_or(text);
        let line = before.matches('\n').count() + 1;
        let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
        (line, column)
    }
}

/// The changes of a text.
#[derive(Default)]
struct Edits(Vec<(Range<usize>, Fill)>);

/// The text at the start of a blanked range; the rest becomes spaces.
enum Fill {
    Space,
    /// Separates statements between which only a type was removed.
    Semicolon,
    /// The closing parenthesis of parameters, moved after a return type of several lines: the arrow
    /// must be on the same line. It is put at the end of the range.
    Parenthesis,
    /// A text that replaces the range and keeps its lines. For an empty range, it is inserted.
    Text(String),
}

impl Edits {
    fn blank(&mut self, range: Range<usize>) {
        self.0.push((range, Fill::Space));
    }

    /// The text with every range blanked. Lines and columns are kept.
    fn apply(mut self, text: &str) -> String {
        // Insertions come before replacements at the same place.
        self.0.sort_by_key(|(range, _)| {
            (range.start, !range.is_empty(), std::cmp::Reverse(range.end))
        });
        let mut out = String::with_capacity(text.len());
        let mut done = 0;
        for (range, fill) in self.0 {
            // The range is inside one that is already blank.
            if range.start < done {
                continue;
            }
            out.push_str(&text[done..range.start]);
            let start = out.len();
            out.extend(text[range.clone()].chars().map(|it| match it {
                '\n' | '\r' | '\u{2028}' | '\u{2029}' => it,
                _ => ' ',
            }));
            match fill {
                Fill::Text(text) => out.insert_str(start, &text),
                Fill::Space => {}
                Fill::Semicolon => out.replace_range(start..=start, ";"),
                Fill::Parenthesis => {
                    out.pop();
                    out.push(')');
                }
            }
            done = range.end;
        }
        out.push_str(&text[done..]);
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(typescript: &str, javascript: &str) {
        let stripped =
            strip(typescript, Syntax::TypeScript).expect("a module without anything but types");
        let squeeze = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        assert_eq!(squeeze(&stripped), squeeze(javascript), "of {typescript}");
        assert_eq!(stripped.chars().count(), typescript.chars().count());
        assert_eq!(stripped.matches('\n').count(), typescript.matches('\n').count());
    }

    #[test]
    fn annotations_go() {
        check("let a: number = 1, b!: string;", "let a = 1, b ;");
        check(
            "function f<T>(this: X, a?: T, ...r: T[]): a is T { return a!; }",
            "function f ( a , ...r ) { return a ; }",
        );
        check("function g(this: X) {}", "function g( ) {}");
        check("let x = y as const satisfies Z; f<number>(<any>x);", "let x = y ; f ( x);");
        check("try {} catch (e: unknown) {}", "try {} catch (e ) {}");
    }

    #[test]
    fn declarations_of_types_go() {
        check("interface A { a: 1 }\n(f)()", ";\n(f)()");
        check("export type B = 1; declare const c: 2; declare function d(): void;", "; ; ;");
        check("function o(a: 1): 1;\nfunction o(a) { return a }", ";\nfunction o(a) { return a }");
        check("declare module 'x' { } declare global { } export default interface D {}", "; ; ;");
    }

    #[test]
    fn classes_lose_what_only_types_have() {
        check(
            "abstract class A<T> extends B<T> implements C, D { private readonly x?: T = 1; declare y: 2; abstract z(): void; static async m?(): Promise<void> {} [k: string]: any }",
            "class A extends B { x = 1; static async m () {} }",
        );
        check("class A { private a = 1\n public ['b'] = 2 }", "class A { a = 1\n ; ['b'] = 2 }");
    }

    #[test]
    fn imports_of_types_go() {
        check("import type { A } from './a'; f()", "; f()");
        check(
            "import { type A, b, C } from './a'; let x: C = b;",
            "import { b, } from './a'; let x = b;",
        );
        check("import D, { E } from './a'; let x: D = E;", "import { E } from './a'; let x = E;");
        check("import { F } from './f'; let x: F;", "; let x ;");
        check(
            "import './effect'; export type { G } from './g'; export { type H, i } from './h';",
            "import './effect'; ; export { i } from './h';",
        );
        check(
            "import { J } from './j'; interface K {} export { J, K };",
            "import { J } from './j'; ; export { J, };",
        );
    }

    #[test]
    fn an_arrow_stays_on_the_line_of_its_parenthesis() {
        check("const f = (a: 1): {\n  b: 2\n} => a;", "const f = (a \n \n ) => a;");
        check("const f = async <T,>(a: T): Promise<T> => a;", "const f = async (a ) => a;");
    }

    fn check_values(typescript: &str, javascript: &str) {
        let made = strip(typescript, Syntax::TypeScript).expect("a module that can be run");
        let squeeze = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        assert_eq!(squeeze(&made), squeeze(javascript), "of {typescript}");
        assert_eq!(made.matches('\n').count(), typescript.matches('\n').count());
    }

    #[test]
    fn enums_become_objects() {
        check_values(
            "export const enum E {\n  A, // one, two\n  B = 1 << 2,\n  'c-d' = 'x' + `y`, /* , */\n  D = A | E.B,\n}",
            "export var E; (function (E) {\n E[E[\"A\"] = 0] = \"A\"; // one, two\n\
             E[E[\"B\"] = ( 1 << 2)] = \"B\"; E[\"c-d\"] = 'x' + `y`; /* , */\n\
             E[E[\"D\"] = ( E.A | E.B)] = \"D\"; })(E || (E = {}));",
        );
        check_values(
            "enum E { A = 5, B } enum E { C = B as number }",
            "var E; (function (E) { E[E[\"A\"] = ( 5)] = \"A\"; E[E[\"B\"] = E[\"A\"] + 1] = \"B\"; })(E || (E = {})); \
             (function (E) { E[E[\"C\"] = ( E.B )] = \"C\"; })(E || (E = {}));",
        );
    }

    #[test]
    fn namespaces_become_objects() {
        check_values(
            "namespace T { export interface A {} type B = 1; namespace U {} } f()",
            "; f()",
        );
        check_values(
            "namespace N { const a = 1; export const b: number = a; export function f(): void {} export let c = 1 }",
            "var N; (function (N) { const a = 1; const b = a;; N.b = b; function f() {}; N.f = f; \
             let c = 1; Object.defineProperty(N, \"c\", { enumerable: true, configurable: true, \
             get: () => c, set: (value) => { c = value; } }); })(N || (N = {}));",
        );
        check_values(
            "export namespace A.B { export enum E { X } }",
            "export var A; (function (A) {var B; (function (B) { var E; (function (E) { \
             E[E[\"X\"] = 0] = \"X\"; })(E = B.E || (B.E = {})); })(B = A.B || (A.B = {}));})(A || (A = {}));",
        );
        check_values(
            "function f() {} namespace f { export const a = 1 } namespace f { export const b = a }",
            "function f() {} (function (f) { const a = 1; f.a = a; })(f || (f = {})); \
             (function (f) { const { a } = f; const b = a; f.b = b; })(f || (f = {}));",
        );
    }

    #[test]
    fn parameters_become_properties() {
        check_values(
            "class A { constructor(private readonly x: number, public y = 2, z?: 1) { f() } }",
            "class A { x; y; constructor( x , y = 2, z ) {; this.x = x; this.y = y; f() } }",
        );
        check_values(
            "class A extends B { constructor(override x: 1) { 'use strict'; super(x); f() } }",
            "class A extends B { x; constructor( x ) { 'use strict'; super(x);; this.x = x; f() } }",
        );
    }

    #[test]
    fn what_cannot_be_run_is_refused() {
        for (text, position) in [
            ("let a;\n  enum E { A = 'a', B }", (2, 21)),
            ("namespace N { export { a } }", (1, 15)),
            ("class A extends B { constructor(private x: 1) { if (x) super(); } }", (1, 21)),
            ("@d class A {}", (1, 1)),
            ("class A { accessor x = 1 }", (1, 11)),
            ("const a = <div>text</div>;", (1, 11)),
            ("import a = require('a');", (1, 1)),
            ("let a: = 1", (1, 8)),
        ] {
            let error = strip(text, Syntax::TypeScript).expect_err(text);
            assert_eq!(error.position(text), position, "{text}: {}", error.message);
        }
    }

    #[test]
    fn deep_code_does_not_exhaust_the_stack() {
        const KINDS: [&str; 24] = [
            "(",
            "[",
            "{",
            "!",
            "new ",
            "typeof ",
            "await ",
            "a=>",
            "a?b:",
            "a?a:b?",
            "a:",
            "do ",
            "if(1)",
            "for(;;)",
            "a.",
            "a+",
            "a(",
            "`${",
            "<T>",
            "class{x=",
            "function(){",
            "let x:[",
            "let x:A<",
            "a as keyof ",
        ];
        // It does not matter here whether the text is valid code.
        let check = |text: &str| {
            if let Err(error) = strip(text, Syntax::TypeScript) {
                assert!(!error.message.contains("no memory"), "{}", error.message);
            }
        };
        for kind in KINDS {
            check(&format!("x = {}1", kind.repeat(5_000)));
        }
        for (start, kind) in [("type A = ", "["), ("type A = ", "B<"), ("let x: ", "(a: ")] {
            check(&format!("{start}{}1", kind.repeat(5_000)));
        }
    }
}
