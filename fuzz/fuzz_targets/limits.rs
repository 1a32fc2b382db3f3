//! Programs that grow values and pass them to built-in functions, within a small budget. The
//! allocated memory stays below the limit, and the time is bounded by the step limit.
//!
//! Two bytes encode one step of the program: an operation, two of the eight values as its
//! arguments, and the number of repetitions. A step that fails is skipped; a limit ends the
//! program.

#![no_main]

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use libfuzzer_sys::fuzz_target;
use plumb::Limits;
use plumb_fuzz::bounds::{self, Allocator, Bounds};
use plumb_fuzz::prepared::{self, Prepared};
use plumb_fuzz::render_yaml;
use plumb_source::assume_deep_stack;

#[global_allocator]
static ALLOCATOR: Allocator = bounds::allocator();

/// As small as possible without ending most programs in their first steps. Work that is not counted
/// has no bound, so it exceeds small limits just as well as large ones.
const LIMITS: Limits =
    Limits::DEFAULT.steps(2_000).depth(200).native_depth(20).memory(256 << 10).regexp(64 << 10);

/// A tenth more than the limit, plus the memory for the program, its text and the search for
/// literals in a pattern.
const BOUNDS: Bounds = Bounds {
    memory: LIMITS.memory as usize / 10 * 11 + (2 << 20),
    time: Duration::from_millis(40),
};

/// Further steps are ignored: they only make the text longer.
const MAX_STEPS: usize = 48;

/// Expressions with two values, `A` and `B`. Each is the body of a function.
const OPERATIONS: &[&str] = &[
    "[A, B]",
    "(A, B)",
    "{'a': A, 'b': B}",
    "{B: A}",
    "A + B",
    "A * 3",
    "A * 1000",
    "A * B",
    "A - B",
    "A // B",
    "A % B",
    "A << 7",
    "A | B",
    "A ^ B",
    "A == B",
    "A < B",
    "A in B",
    "A[B]",
    "A[1:]",
    "A[::-1]",
    "A and B",
    "not A",
    "-A",
    "'%s' % (A,)",
    "'%r %d' % (A, B)",
    "'{} {}'.format(A, B)",
    "'%s' * 100 % (A,)",
    "[A for i in range(100)]",
    "{i: A for i in range(100)}",
    "[x for x in A]",
    "[(x, y) for x in A for y in B]",
    "{x: B for x in A}",
    "[A] * 500",
    "str(A)",
    "repr(A)",
    "list(A)",
    "tuple(A)",
    "dict(A)",
    "set(A)",
    "dict(a=A, b=B)",
    "dict(**A)",
    "sorted(A)",
    "sorted(A, key=lambda x: [x, B])",
    "sorted(A, key=str, reverse=True)",
    "reversed(A)",
    "enumerate(A)",
    "zip(A, B)",
    "zip(A, A, B)",
    "range(A)",
    "list(range(9999999))",
    "any(A)",
    "all(A)",
    "max(A)",
    "min(A, key=lambda x: str(x))",
    "len(A)",
    "hash(A)",
    "int(A)",
    "int(A, 16)",
    "int('9' * 4000)",
    "float(A)",
    "bool(A)",
    "chr(A)",
    "ord(A)",
    "type(A)",
    "dir(A)",
    "getattr(A, B)",
    "many(*A)",
    "many(*[A] * 300)",
    "named(**A)",
    "many(*range(9999999))",
    "print(A)",
    "append(A, B)",
    "extend(A, B)",
    "insert(A, B)",
    "update(A, B)",
    "A.pop()",
    "A.index(B)",
    "A.items()",
    "A.keys()",
    "A.values()",
    "A.get(B, B)",
    "A.setdefault(str(B), A)",
    "A.union(B)",
    "added(A, B)",
    "A.upper()",
    "A.title()",
    "A.split()",
    "A.split('a')",
    "A.splitlines()",
    "list(A.elems())",
    "list(A.codepoints())",
    "A.replace('a', B)",
    "A.replace('', 'ab')",
    "A.replace(B, '')",
    "A.join(B)",
    "','.join(A)",
    "A.strip(B)",
    "A.partition(B)",
    "A.rpartition('a')",
    "A.count(B)",
    "A.find(B)",
    "A.startswith(B)",
    "A.endswith(B)",
    "A.isalnum()",
    "A.format(B)",
    "A.format(**B)",
    "json.encode(A)",
    "json.encode(A, indent=8)",
    "json.decode(A)",
    "json.decode(json.encode(A))",
    "yaml.encode(A)",
    "yaml.decode(A)",
    "yaml.decode(yaml.encode(A))",
    "toml.encode(A)",
    "toml.decode(A)",
    "toml.encode({'a': A})",
    "struct.encode(A)",
    "struct.encode({'a': A, 'b': B})",
    "struct.decode(A)",
    "struct.make(a=A, b=B)",
    "struct.bind(len, A)",
    "md5.sum(A)",
    "sha256.sum(A)",
    "base64.encode(A)",
    "base64.decode(A)",
    "regexp.match(A, B)",
    "regexp.match('(a|b)*' * 20, A)",
    "regexp.replace('a*', A, B)",
    "regexp.replace('a', A, lambda x: x + B)",
    "regexp.replace('', A, 'xy')",
    "url.path_segment_encode(A)",
    "url.query_param_value_encode(A)",
    "url.query_params_encode(A)",
    "url.query_params_decode(A)",
    "url.parse(A)",
    "ip.parse_addr(A)",
    "ip.parse_cidr(A)",
    "version.parse(A)",
    "module.make('m', a=A)",
    "math.sqrt(A)",
    "math.ceil(A)",
    "overlay.apply(A, B)",
    "overlay.apply({'a': A}, {'a': B})",
    "overlay.apply(fragment(A), fragment(B))",
    "overlay.subset(A)",
    "template.replace(A)",
    "assert.equals(A, B)",
    "assert.one_of(A)",
    "assert.unique()(A)",
    "assert.matches('(a|b)*')(A)",
    "assert.max_len(3)(A)",
    "assert.cel('self.size() > 3')(A)",
    "assert.format('uri')(A)",
    "fragment(A)",
    "documents(A, B)",
    "text(A)",
    "loop(A)",
    "deep(A)",
    "nested(A, 8)",
    "held(A, 5)",
    "local(A, 10)",
    "lambda: (A, B)",
    "function(A, B)",
];

const START: &str = r#"#@ load("@ytt:json", "json")
#@ load("@ytt:yaml", "yaml")
#@ load("@ytt:toml", "toml")
#@ load("@ytt:struct", "struct")
#@ load("@ytt:md5", "md5")
#@ load("@ytt:sha256", "sha256")
#@ load("@ytt:base64", "base64")
#@ load("@ytt:regexp", "regexp")
#@ load("@ytt:url", "url")
#@ load("@ytt:ip", "ip")
#@ load("@ytt:version", "version")
#@ load("@ytt:module", "module")
#@ load("@ytt:math", "math")
#@ load("@ytt:overlay", "overlay")
#@ load("@ytt:template", "template")
#@ load("@ytt:assert", "assert")
#@ def run(steps):
#@   v = [0, 7, "a", "ab: 1\n", [1], {"a": 1}, ("b", 2), 1.5]
#@   for op, a, b, times in steps:
#@     for i in range(times):
#@       result = assert.try_to(lambda: operations[op](v[a], v[b]))
#@       if result[1] != None:
#@         break
#@       end
#@       v[a] = result[0]
#@     end
#@   end
#@   return v
#@ end
#@ def many(*args): return args
#@ def named(**args): return args
#@ def append(a, b):
#@   a.append(b)
#@   return a
#@ end
#@ def extend(a, b):
#@   a.extend(b)
#@   return a
#@ end
#@ def insert(a, b):
#@   a.insert(0, b)
#@   return a
#@ end
#@ def update(a, b):
#@   a.update(b)
#@   return a
#@ end
#@ def added(a, b):
#@   a += b
#@   return a
#@ end
#@ def fragment(x):
a: #@ x
b:
- #@ x
#@ end
#@ def text(x):
#@yaml/text-templated-strings
t: (@= str(x) @)-(@= str(x) @)
#@ end
#@ def loop(x):
l:
#@ for i in range(50):
- #@ x
- [1, 2]
#@ end
#@ end
#@ def deep(x):
#@   for i in range(200):
#@     x = [x]
#@   end
#@   return x
#@ end
#@ def nested(x, n):
#@   kept = [x] * 2000
#@   return max([n], key=lambda i: nested(x, n - 1)) if n > 0 else len(kept)
#@ end
#@ def held(x, n):
#@   kept = [y for y in x] if n > 0 else x
#@   return held(x, n - 1) if n > 0 else kept
#@ end
#@ def local(x, n):
#@   kept = x + x
#@   return sorted([n], key=lambda i: local(x + x, n - 1)) if n > 0 else kept
#@ end
#@ def function(a, b):
#@   def inner(c=a):
#@     return (b, c)
#@   end
#@   return inner
#@ end
#@ def documents(x, y):
---
a: #@ x
--- #@ y
#@ end
"#;

/// The file of the functions.
const LIBRARY: &str = "operations.lib.yml";

/// Compiled once for many inputs.
static PREPARED: Mutex<Option<Prepared>> = Mutex::new(None);

fuzz_target!(|input: &[u8]| {
    // `ulimit -s` makes the stack deep; starting a thread would take longer than most inputs.
    assume_deep_stack();
    let mut prepared = PREPARED.lock().unwrap_or_else(PoisonError::into_inner);
    let options = prepared::with(&mut prepared, || (LIBRARY, library()), program(input));
    let options = options.limits(LIMITS);
    BOUNDS.hold(&ALLOCATOR, || render_yaml(&options));
});

/// The functions, and a list of all operations.
fn library() -> String {
    let operations = OPERATIONS.iter().map(|it| format!("lambda A, B: {it}"));
    let operations: Vec<String> = operations.collect();
    format!("{START}#@ operations = [{}]\n", operations.join(", "))
}

/// A template that carries out the steps of an input.
fn program(input: &[u8]) -> String {
    let step = |step: &[u8]| {
        let (operation, a, b) =
            (usize::from(step[0]) % OPERATIONS.len(), step[1] & 7, step[1] >> 3 & 7);
        let times = [1, 1, 4, 24][usize::from(step[1] >> 6)];
        format!("({operation}, {a}, {b}, {times})")
    };
    let steps: Vec<String> = input.chunks_exact(2).take(MAX_STEPS).map(step).collect();
    format!("#@ load(\"{LIBRARY}\", \"run\")\nr: #@ run([{}])\n", steps.join(", "))
}
