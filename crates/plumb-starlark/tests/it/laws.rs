//! Laws for all programs: they end, within their limits, and nothing panics.

use std::any::Any;
use std::fmt::Write;

use plumb_source::Limit;
use plumb_starlark::{Environment, Error, Fragment, Host, Limits, Piece, Program, Thread};

struct Silent;

impl Host for Silent {
    fn as_any(&self) -> &dyn Any {
        self
    }
}

const SMALL: Limits =
    Limits::DEFAULT.steps(200_000).depth(10_000).native_depth(20).memory(64 << 20).regexp(0);

fn run_within(source: &str, limits: Limits) -> Result<(), Error> {
    let pieces = [Piece::Code(Fragment { text: source.as_bytes(), span: None })];
    let program = Program::compile(&pieces, Environment::standard())
        .map_err(|mut errors| errors.remove(0))?;
    Thread::new(&Silent, limits).run(&program).map(|_| ())
}

fn run(source: &str) -> Result<(), Error> {
    run_within(source, SMALL)
}

fn check_limit(source: &str, message: &str) {
    let error = run(source).expect_err("it is stopped");
    assert!(error.reached().is_some(), "{source}: {error:?}");
    assert_eq!(error.message().shown(), message, "{source}");
}

#[test]
fn an_endless_loop_is_stopped() {
    check_limit("while True:\nx = 1\nend", "too many steps");
    check_limit("x = [1]\nfor i in range(1000000000): x = [i]", "too many steps");
    check_limit("def f():\n while True: x = 1\nend\nf()", "too many steps");
    check_limit("any([False for x in range(1000000)])", "too many steps");
    check_limit("sorted(range(100000000))", "too many steps");
}

#[test]
fn endless_recursion_is_stopped() {
    check_limit("def f(): return f()\nf()", "too many nested calls");
    check_limit(
        "def f(n): return 1 + g(n)\ndef g(n): return f(n + 1)\nf(0)",
        "too many nested calls",
    );
    let through_native = "def f(x): return sorted([1], key=f)\nf(1)";
    check_limit(through_native, "too many calls inside native functions");
}

/// A lookup by hash costs no more in a large dictionary than in a small one.
#[test]
fn lookups_are_not_counted_by_the_size_of_the_dictionary() {
    let source = "d = {i: i for i in range(20000)}\nn = len([i for i in range(20000) if i in d])\n";
    run_within(source, SMALL).expect("few steps are needed");
    let source = "d = {'all': range(20000)}\nd['all'] = list(d['all'])\n\
                  n = len([i for i in range(20000) if d.get('all')])\n";
    run_within(source, SMALL).expect("no list is copied");
}

#[test]
fn keys_are_paid_for_by_their_parts() {
    let key = "k = ((1,) * 100,) * 100\n";
    for code in [
        "d = {}\nfor i in range(10000): d[k] = i",
        "d = {}\nfor i in range(10000): k in d",
        "d = {k: 1}\nfor i in range(10000): d[k]",
        "d = {}\nfor i in range(10000): d.get(k)",
        "for i in range(10000): {k: 1}",
    ] {
        check_limit(&format!("{key}{code}"), "too many steps");
    }
}

#[test]
fn comparisons_in_native_functions_are_paid_for_by_what_they_visit() {
    let shared = "a = [1] * 100\nb = [a] * 100\nc = [b] * 1000\nd = [a] * 99 + [[2]]\n";
    for code in ["sorted(c)", "max(c)", "min(c, key=lambda it: [it, 1])", "c.index(d)"] {
        check_limit(&format!("{shared}{code}"), "too many steps");
    }
}

#[test]
fn a_comparison_ends_before_it_visits_more_than_is_paid_for() {
    // One comparison would visit a hundred million elements and more.
    let shared = "a = {'a': 1}\nfor i in range(4):\n  a = [a] * 500\nend\nb = a[:]\ns = 'x' * 100000\nt = [s + 'y'] * 10000\nu = [s + 'y'] * 10000\n";
    for code in
        ["a == b", "sorted(a, key=lambda it: [it, 1])", "a in [b]", "a[0] in a[1:]", "t == u"]
    {
        let limits = Limits::default().steps(20_000);
        let error = run_within(&format!("{shared}x = {code}"), limits).expect_err(code);
        assert_eq!(error.message().shown(), "too many steps", "{code}");
    }
}

#[test]
fn recursion_goes_as_deep_as_the_limit_and_no_machine_stack_is_used() {
    let limits = Limits::default().depth(1_000_000).steps(10_000_000);
    let deep = "def f(n):\nif n == 0:\nreturn 0\nend\nreturn 1 + f(n - 1)\nend\nf(500000)";
    assert!(run_within(deep, limits).is_ok());
}

#[test]
fn memory_is_bounded() {
    let stopped = [
        "s = 'x'\nfor i in range(60): s = s + s",
        "s = 'x'\nfor i in range(60): s += s",
        "l = [0]\nfor i in range(60): l = l + l",
        "l = [0]\nfor i in range(60): l += l",
        "l = [0]\nfor i in range(60): l.extend(l)",
        "t = (0,)\nfor i in range(60): t = t + t",
        "l = []\nwhile True: l.append('x' * 1000)",
        "d = {}\nfor i in range(10000000): d[i] = [i, i, i, i]",
        "l = []\ndef f(x):\n while True: l.append('x' * 1000)\nend\nsorted([1], key=f)",
        "l = ['x' * 1000]\ndef f(): return [l.append('y' * 10000) for i in range(100000)]\nf()",
        "s = 'x' * 1000000\nl = [s.upper() for i in range(1000)]",
        "x = 12345678901234567890\nwhile True: x = x * x",
        "s = 'ab' * 100\nwhile True: s = s.replace('a', s)",
        "s = ','\nwhile True: s = s.join([s, s, s])",
        "s = 'x'\nwhile True: s = '%s%s' % (s, s)",
        "x = [0] * 100000000",
        "x = 'ab' * 50000000",
        "list(range(2000000000))",
        "zip(range(2000000000), range(2000000000))",
    ];
    for source in stopped {
        let error = run(source).expect_err("it is stopped");
        assert!(error.reached().is_some(), "{source}: {error:?}");
    }
}

#[test]
fn what_the_program_has_lost_in_a_cycle_counts_and_is_measured_once() {
    for lost in [
        "l = [0] * 1000\n  l.append(l)",
        "l = [0] * 1000\n  l[0] = l\n  l.append((l, [l]))",
        "d = {1: [0] * 1000}\n  d[2] = d",
        "d = {1: [0] * 1000}\n  d[d.get] = 1",
        "l = [0] * 1000\n  f = lambda: (f, l)",
        "t = ([0] * 1000,)\n  f = lambda: t\n  t += (f,)",
    ] {
        let source = format!("def f():\n  {lost}\nend\nfor i in range(100000): f()");
        let limits = Limits::default().memory(4 << 20);
        let error = run_within(&source, limits).expect_err(lost);
        assert_eq!(error.message().shown(), "out of memory", "{lost}");
    }
}

#[test]
fn what_is_dropped_does_not_count_against_memory() {
    let churn = "for i in range(20):\ns = 'x' * 10000000\nend";
    let limits = SMALL.steps(100_000_000);
    assert!(run_within(churn, limits).is_ok());
}

#[test]
fn deep_values_are_handled_without_recursion() {
    let nest = "x = []\nfor i in range(100000): x = [x]\n";
    let tuples = "x = ()\nfor i in range(100000): x = (x,)\n";
    let fine = ["str(x)", "{'a': x}", "y = [x] + [x]", "len('%s' % x)", "x"];
    for last in fine {
        for start in [nest, tuples] {
            let source = format!("{start}{last}");
            assert!(run(&source).is_ok(), "{last}");
        }
    }
    assert!(run(&format!("{tuples}y = {{x: 1}}")).is_ok());
    let too_deep = run(&format!("{nest}x == [x]")).expect_err("too deep to compare");
    let words = "expected at most 10 levels of values to compare, found more";
    assert_eq!(too_deep.message().shown(), words);
    assert!(run("f = 1\nfor i in range(100000):\ndef f(g=f): return g\nend").is_ok());
    assert!(run("f = [1].append\nfor i in range(100000): f = [f].append").is_ok());
}

#[test]
fn values_that_hold_themselves_are_handled() {
    assert!(run("x = []\nx.append(x)\nx.append((x, {1: x}))\nstr(x)\ny = str([x, x])").is_ok());
    assert!(run("x = {}\nx['a'] = x\nstr(x)\nlen(str(x))").is_ok());
    assert!(run("def f():\ndef g(): return g\nreturn g\nend\nx = f()").is_ok());
    let shared = "x = (1,)\nfor i in range(60): x = (x, x)\n";
    assert!(run(shared).is_ok());
    let hashed = run(&format!("{shared}y = {{x: 1}}")).expect_err("too large");
    assert_eq!(hashed.reached(), Some(Limit::Steps));
}

#[test]
fn deep_syntax_is_refused_with_a_message() {
    for (open, close) in
        [("(", ")"), ("[", "]"), ("{1:", "}"), ("-", ""), ("not ", ""), ("f(", ")")]
    {
        let source = format!("x = {}1{}", open.repeat(100_000), close.repeat(100_000));
        let error = run(&source).expect_err("too deep");
        assert_eq!(error.reached(), Some(Limit::Fixed), "{open}");
        assert!(error.message().shown().starts_with("nested too deeply"), "{error:?}");
    }
    let blocks = format!("{}x = 1\n{}", "if True:\n".repeat(100_000), "end\n".repeat(100_000));
    assert_eq!(run(&blocks).expect_err("too deep").reached(), Some(Limit::Fixed));
    let lambdas = format!("x = {}1", "lambda: ".repeat(100_000));
    assert_eq!(run(&lambdas).expect_err("too deep").reached(), Some(Limit::Fixed));
    let conditions = format!("x = {}1", "1 if 0 else ".repeat(100_000));
    assert_eq!(run(&conditions).expect_err("too deep").reached(), Some(Limit::Fixed));
}

#[test]
fn long_syntax_is_no_deep_syntax() {
    let many = 100_000;
    assert!(run(&format!("x = 0{}", " + 1".repeat(many))).is_ok());
    assert!(run(&format!("x = 1{}", " and 1".repeat(many))).is_ok());
    assert!(run(&format!("if 0{}: x = 1", " or 0".repeat(many))).is_ok());
    assert!(run(&format!("x = ''{}", ".strip()".repeat(many))).is_ok());
    assert!(run(&format!("x = [{}]", "1, ".repeat(many))).is_ok());
    assert!(run(&format!("x = ({})", "1, ".repeat(many))).is_ok());
    assert!(run(&"x = 1\n".repeat(many)).is_ok());
    assert!(run(&format!("if 0:\n{}end", "elif 0:\nx = 1\n".repeat(many))).is_ok());
    let names = (0..30_000).fold(String::new(), |mut names, n| {
        let _ = writeln!(names, "x{n} = {n}");
        names
    });
    assert!(run(&names).is_ok());
}

#[test]
fn too_many_variables_are_refused_with_a_message() {
    let names = (0..40_000).fold(String::new(), |mut names, n| {
        let _ = writeln!(names, "x{n} = {n}");
        names
    });
    assert_eq!(run(&names).expect_err("too many").reached(), Some(Limit::Fixed));
}

/// Tokens of valid programs, and tokens that break them.
const WORDS: &[&str] = &[
    "x",
    "y",
    "f",
    "g",
    "x",
    "y",
    "1",
    "2",
    "0",
    "-1",
    "1.5",
    "'a'",
    "'%s'",
    "None",
    "True",
    "[]",
    "{}",
    "()",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    ":",
    ",",
    ".",
    "=",
    "+=",
    "*=",
    "==",
    "<",
    "+",
    "-",
    "*",
    "/",
    "//",
    "%",
    "&",
    "|",
    "^",
    "<<",
    ">>",
    "~",
    "in",
    "not",
    "and",
    "or",
    "if",
    "else",
    "elif",
    "for",
    "while",
    "def",
    "return",
    "lambda",
    "end",
    "break",
    "continue",
    "load",
    "\n",
    "\n",
    "\n",
    ";",
    "range",
    "len",
    "sorted",
    "str",
    "repr",
    "list",
    "dict",
    "set",
    "zip",
    "max",
    "append",
    "format",
    "split",
    "join",
    "items",
    "get",
    "pop",
    "update",
    "upper",
    "x = ",
    "for x in ",
    "def f(x):\n",
    "if x:\n",
    "end\n",
    "f(x)",
    "x.y",
    "[x for x in y]",
    "**",
    "#",
    "\\",
    "\u{e9}",
];

/// Pseudo-random numbers, which are the same in every run.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, limit: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).expect("31 bits") % limit
    }
}

#[test]
fn no_words_in_any_order_make_it_panic() {
    let mut numbers = Numbers(1);
    let mut ran = 0;
    for _ in 0..5_000 {
        let mut source = String::from("x = [1, 2]\ny = {'a': 1}\ndef f(a=1, *b): return a\n");
        for _ in 0..=numbers.below(12) {
            source.push_str(WORDS[numbers.below(WORDS.len())]);
            source.push(' ');
        }
        let limits = SMALL.steps(2_000);
        ran += usize::from(run_within(&source, limits).is_ok());
    }
    assert!(ran > 50, "some of them are programs: {ran}");
}
