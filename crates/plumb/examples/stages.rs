//! Measures the time of each stage of a run at two sizes, and how it grows.
//!
//! `parse` and `print` are called directly. Each of the other measurements is a whole run with
//! input for which almost all work is in that stage. `cargo xtask bench` writes the table to
//! docs/performance.md.

#![expect(
    clippy::disallowed_methods,
    clippy::print_stdout,
    reason = "a measurement: it reads the clock and talks to the terminal"
)]

use std::fmt::Write as _;
use std::sync::Arc;
use std::time::Instant;

use plumb::world::MemoryWorld;
use plumb::{Options, Sources, World, data_values, render};
use plumb_source::SourceKind;
use plumb_value::Document;
use plumb_yaml::{ReadOptions, parse, print};

/// The larger size is this many times the smaller.
const FACTOR: usize = 4;
const N_RUNS: usize = 7;

fn main() {
    println!("{:<10}{:>8}{:>10}{:>10}{:>8}", "stage", "N", "ms", "ms at 4N", "growth");
    row("parse", 2_000, |n| {
        let text = documents(n);
        Box::new(move || drop(parsed(&text)))
    });
    row("print", 2_000, |n| {
        let documents = parsed(&documents(n));
        Box::new(move || {
            let mut out = Vec::new();
            print::documents(&documents, &mut out);
            assert!(!out.is_empty(), "documents are printed");
        })
    });
    row("evaluate", 2_000, |n| run_of(&[("config.yml", template(n))], Last::Render));
    row("overlay", 1_000, |n| {
        run_of(&[("in.yml", documents(n)), ("overlay.yml", OVERLAY.to_owned())], Last::Render)
    });
    row("conform", 2_000, |n| run_of(&keys(n, ""), Last::DataValues));
    row("validate", 2_000, |n| run_of(&keys(n, RULE), Last::DataValues));
}

/// Prints the time at two sizes. `prepare` returns the function to measure.
fn row(stage: &str, n: usize, prepare: impl Fn(usize) -> Box<dyn Fn()>) {
    let milliseconds = |n| {
        let act = prepare(n);
        let run = || {
            let started = Instant::now();
            act();
            started.elapsed().as_secs_f64() * 1e3
        };
        (0..N_RUNS).map(|_| run()).fold(f64::INFINITY, f64::min)
    };
    let (small, large) = (milliseconds(n), milliseconds(n * FACTOR));
    let growth = (large / small).log2() / 2.0;
    println!("{stage:<10}{n:>8}{small:>10.2}{large:>10.2}{growth:>8.2}");
}

fn parsed(text: &str) -> Vec<Document> {
    let file = Sources::new().add("in.yml", SourceKind::File, text.as_bytes().into());
    let options = ReadOptions { comments: false, ..ReadOptions::default() };
    parse(file, text.as_bytes(), &options).expect("right YAML")
}

/// The last stage of a run.
#[derive(Clone, Copy)]
enum Last {
    Render,
    DataValues,
}

/// A whole run on these files.
fn run_of(files: &[(&str, String)], last: Last) -> Box<dyn Fn()> {
    let world = files.iter().fold(MemoryWorld::new(), |it, (path, text)| it.file(path, text));
    let world: Arc<dyn World> = Arc::new(world);
    let options = files.iter().fold(Options::new(), |it, (path, _)| it.path(*path));
    Box::new(move || {
        let failure = match last {
            Last::Render => render(&world, &options).result.err(),
            Last::DataValues => data_values(&world, &options).result.err(),
        };
        assert!(failure.is_none(), "{failure:?}");
    })
}

fn documents(n: usize) -> String {
    let mut out = String::new();
    for at in 0..n {
        write!(
            out,
            "---\napiVersion: v1\nkind: Service\nmetadata:\n  name: app-{at}\n  labels:\n    \
             app: app-{at}\n    tier: backend\nspec:\n  type: ClusterIP\n  ports:\n  - name: http\n    \
             port: 80\n    targetPort: {}\n",
            8000 + at % 1000
        )
        .expect("a string can be written to");
    }
    out
}

fn template(n: usize) -> String {
    format!(
        "#@ for at in range({n}):\n---\nkind: Service\nmetadata:\n  name: #@ \"app-%d\" % at\n  \
         labels:\n    app: #@ \"app-%d\" % at\n    tier: backend\nspec:\n  ports:\n  - name: http\n    \
         port: #@ 8000 + at % 1000\n#@ end\n"
    )
}

const OVERLAY: &str = "#@ load(\"@ytt:overlay\", \"overlay\")
#@overlay/match by=overlay.subset({\"kind\": \"Service\"}), expects=\"1+\"
---
metadata:
  labels:
    #@overlay/match missing_ok=True
    managed: \"yes\"
spec:
  ports:
  #@overlay/match by=\"name\"
  - name: http
    port: 8080
";

const RULE: &str = "  #@schema/validation min_len=1, max_len=9\n";

/// A schema of `n` keys, and data values for all of them.
fn keys(n: usize, rule: &str) -> [(&'static str, String); 2] {
    let mut schema = String::from("#@data/values-schema\n---\nkeys:\n");
    let mut values = String::from("#@data/values\n---\nkeys:\n");
    for at in 0..n {
        writeln!(schema, "{rule}  key_{at}: text").expect("a string can be written to");
        writeln!(values, "  key_{at}: other").expect("a string can be written to");
    }
    [("schema.yml", schema), ("values.yml", values)]
}
