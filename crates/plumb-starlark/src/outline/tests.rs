//! Outlines of programs that someone is typing.

use plumb_source::{SourceKind, Sources};

use super::*;
use crate::Fragment;
use crate::piece::{Effect, Instruction, Operands};

fn outline_of(text: &str) -> Outline {
    let sources = Sources::new();
    let file = sources.add("a.star", SourceKind::Module, text.as_bytes().into());
    let span = Some(Span::new(file, 0, u32::try_from(text.len()).expect("short")));
    let pieces = [Piece::Code(Fragment { text: text.as_bytes(), span })];
    outline(&pieces, Environment::standard())
}

/// The errors, then the functions with their parameters and the lines of their extents, then the
/// names of all variables that are defined.
fn shown(text: &str) -> String {
    let outline = outline_of(text);
    let line = |at: u32| text[..(at as usize).min(text.len())].matches('\n').count() + 1;
    let mut lines = Vec::new();
    for error in &outline.errors {
        let span = error.word().or_else(|| error.frames().iter().find_map(|it| it.span));
        let at = span.map_or(0, |it| line(it.start));
        lines.push(format!("{at}: {}", error.message().shown()));
    }
    for function in &outline.functions {
        let names: Vec<&str> =
            function.parameters.iter().filter_map(|it| it.name.as_str()).collect();
        let extent = function.extent.map(|it| format!(" {}-{}", line(it.start), line(it.end)));
        let extent = extent.unwrap_or_default();
        lines.push(format!("def {}({}){extent}", function.name, names.join(", ")));
    }
    let defined = outline.names.iter().filter(|it| it.is_definition);
    let mut defined: Vec<String> =
        defined.map(|it| outline.variables[it.variable].name.to_string()).collect();
    defined.dedup();
    lines.push(defined.join(" "));
    lines.join("\n")
}

#[test]
fn a_missing_end_leaves_the_functions_known() {
    let text = "def a(x):\n  y = x\n\ndef b():\n  return 1\nend\nz = b()\n";
    assert_eq!(
        shown(text),
        "1: expected `end` to close this block, found the end of the code\n\
         def a(x) 1-8\ndef b() 4-6\na x y b z"
    );
}

#[test]
fn a_half_written_call_does_not_hide_what_follows() {
    let text = "x = f(1, \ndef g(a):\n  return a\nend\ny = g(\n";
    assert_eq!(
        shown(text),
        "1: expected `)`, found the end of the line\n6: expected `)`, found the end of the code\ndef g(a) 2-4\nx g a y"
    );
}

#[test]
fn a_dot_without_a_name_is_an_attribute_without_a_name() {
    let text = "load(\"@ytt:data\", \"data\")\nx = data.values.\ny = 1\n";
    assert_eq!(shown(text), "2: expected a name, found the end of the line\ndata x y");
    let outline = outline_of(text);
    let uses = outline.names.iter().filter(|it| !it.is_definition).count();
    assert_eq!(uses, 1, "`data` is found");
}

#[test]
fn a_header_without_a_colon_still_opens_its_block() {
    let text = "if x\n  a = 1\nelse\n  b = 2\nend\nfor i in\n  c = i\nend\ndef f\n  d = 1\nend\n";
    let shown = shown(text);
    assert!(!shown.contains("unexpected end"), "{shown}");
    assert!(shown.ends_with("a b i c f d") || shown.ends_with("a b i c d"), "{shown}");
}

#[test]
fn all_errors_are_found_and_one_for_each_line() {
    let text = "x = 1 +\ny = )(\nz = \"abc\nw = [1, 2\nend\nv = 3 $ 4 $ 5\nu = 1\n";
    let outline = outline_of(text);
    assert!(outline.errors.len() >= 5, "{}", shown(text));
    assert!(shown(text).ends_with('u'), "{}", shown(text));
}

#[test]
fn an_instruction_ends_what_is_open_before_it() {
    let sources = Sources::new();
    let add = |text: &str| {
        let file = sources.add("a.yml", SourceKind::File, text.as_bytes().into());
        Some(Span::new(file, 0, u32::try_from(text.len()).expect("short")))
    };
    let value = |text: &'static str| {
        let fragment = Fragment { text: text.as_bytes(), span: add(text) };
        let operands = Operands::Value(fragment);
        Piece::Host(Instruction { op: 0, span: fragment.span, operands, effect: Effect::Builds })
    };
    let code =
        |text: &'static str| Piece::Code(Fragment { text: text.as_bytes(), span: add(text) });
    let pieces = [
        code("x = f("),
        value("g(a"),
        value("\"text"),
        value("data.values."),
        value(""),
        value("b"),
        code("y = 1"),
    ];
    let outline = outline(&pieces, Environment::standard());
    let names: Vec<&str> = outline
        .names
        .iter()
        .filter_map(|it| outline.variables[it.variable].name.as_str())
        .collect();
    assert_eq!(names, ["x", "f", "g", "a", "data", "b", "y"]);
    let messages: Vec<&str> = outline.errors.iter().map(|it| it.message().shown()).collect();
    assert_eq!(
        messages,
        [
            "expected `)`, found the end of the line",
            "expected `)`, found the end of the line",
            "expected the end of the string, found the end of the line",
            "expected a name, found `)`"
        ]
    );
}

#[test]
fn captured_variables_are_one_variable() {
    let text = "n = 1\ndef f(a):\n  def g():\n    return a + n\n  end\n  return g\nend\n";
    let outline = outline_of(text);
    let count = |name: &str| {
        let of_name = |it: &&Name| outline.variables[it.variable].name.as_str() == Some(name);
        let indices: Vec<usize> =
            outline.names.iter().filter(of_name).map(|it| it.variable).collect();
        assert!(indices.windows(2).all(|it| it[0] == it[1]), "{name}: {indices:?}");
        indices.len()
    };
    assert_eq!((count("a"), count("n"), count("g")), (2, 2, 2));
    let a = outline.variables.iter().find(|it| it.name.as_str() == Some("a")).expect("it is there");
    assert_eq!((a.kind, a.function), (VariableKind::Parameter, Some(0)));
}

const WHOLE: &str = "load(\"@ytt:data\", \"data\", d=\"data\")\n\
    def f(a, b=1, *c, **e):\n  if a and b or not c:\n    return [x for x in a if x]\n  \
    elif e[\"k\"] == 'v':\n    y = {\"a\": 1, 2: (3, 4)}\n  else:\n    while True:\n      \
    break\n    end\n  end\n  z, w = f(*a, **e), lambda q: q if q else data.values.x.y[1:2]\nend\n";

#[test]
fn a_program_without_errors_has_none_here() {
    assert_eq!(outline_of(WHOLE).errors.len(), 0, "{}", shown(WHOLE));
}

/// A law of recovery: every text has an outline, and the first error is that of the strict parser.
#[test]
fn any_part_of_a_program_is_outlined() {
    let check = |text: &str| {
        let found = outline_of(text);
        let fragment = Fragment { text: text.as_bytes(), span: None };
        let pieces = [Piece::Code(fragment)].into_iter();
        let script = Script::new(pieces, crate::Language::Modern).expect("short");
        let strict = syntax::parse(&script).err().map(|it| it.message().shown().to_owned());
        assert_eq!(strict.is_some(), !found.errors.is_empty(), "{text:?}: {strict:?}");
    };
    let bytes = WHOLE.as_bytes();
    for at in 0..bytes.len() {
        check(&WHOLE[..at]);
        check(&WHOLE[at..]);
        check(&format!("{}{}", &WHOLE[..at], &WHOLE[at + 1..]));
        for junk in ["(", ")", "\"", "\n", "end\n", ":", ".", "$", "\\", "'''", "@", "else:", "if "]
        {
            check(&format!("{}{junk}{}", &WHOLE[..at], &WHOLE[at..]));
        }
    }
}

#[test]
fn endless_input_does_not_exhaust_the_stack() {
    for line in ["end\n", "def(\n", "if x\n", "(", "else:\n", "def f():\n", "x.", "@", "[a for "] {
        outline_of(&line.repeat(20_000));
    }
}
