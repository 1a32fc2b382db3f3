//! Runs without code are printed while they are read, with the same result.

use std::fmt::Write as _;
use std::ops::ControlFlow;
use std::sync::Arc;

use plumb::print::{Flavour, printable_in_pieces, yaml_in_pieces};
use plumb::world::Cores;
use plumb::{
    Dialect, Limits, Options, Outcome, Printable, SilentDrops, World, render, render_printable,
};
use plumb_testkit::MemoryWorld;

type Files<'a> = &'a [(&'a str, &'a str)];

/// The bytes of a result, or the messages of its findings.
fn printed<T>(
    outcome: &Outcome<T>,
    print: impl FnOnce(&T, &mut (dyn FnMut(&[u8]) -> ControlFlow<()> + Send)) -> ControlFlow<()>,
) -> Result<String, String> {
    let result = outcome.result.as_ref().map_err(ToString::to_string)?;
    let mut bytes = Vec::new();
    let _ = print(result, &mut |piece| {
        bytes.extend_from_slice(piece);
        ControlFlow::Continue(())
    });
    Ok(String::from_utf8(bytes).expect("YAML is UTF-8"))
}

/// Much plain input, which makes it worth printing files ahead.
fn long() -> String {
    let mut long = String::new();
    for number in 0..11_000 {
        let _ = write!(long, "---\nname: n{number}\nlist: [a, {number}]\ntext: |\n  a\n  b\n");
    }
    long
}

/// Renders files and a long one in both ways. Returns whether they were printed while they were read.
fn is_printed_ahead(files: Files<'_>, options: &Options) -> bool {
    let world = MemoryWorld::new().file("d/long.yml", long());
    let world = files.iter().fold(world, |world, (path, text)| world.file(path, text));
    let world: Arc<dyn World> = Arc::new(world);
    let mut is_ahead = false;
    for (flavour, silent_drops) in
        [(Flavour::Plumb, SilentDrops::Refuse), (Flavour::Ytt, SilentDrops::Warn)]
    {
        let mut options = options.clone().path("d");
        options.silent_drops = silent_drops;
        let trees = render(&world, &options);
        let ahead = render_printable(&world, &options, flavour);
        let expected = printed(&trees, |it, write| {
            yaml_in_pieces(|| Cores::ONE, it.documents(), flavour, &trees.sources, write)
        });
        let found = printed(&ahead, |it, write| {
            printable_in_pieces(|| Cores::ONE, it, flavour, &ahead.sources, write)
        });
        assert_eq!(found, expected);
        let messages = |warnings: &[plumb::Diagnostic]| -> Vec<String> {
            warnings.iter().map(|it| format!("{:?}", it.message)).collect()
        };
        assert_eq!(messages(&ahead.warnings), messages(&trees.warnings));
        is_ahead = matches!(ahead.result, Ok(Printable::Printed(_)));
    }
    is_ahead
}

#[test]
fn plain_files_are_printed_ahead() {
    let files: Files<'_> = &[
        ("d/a.yml", "a: 1\n---\n---\n{}\n---\nb: &x [1, 2]\nc: *x\n---\n'text'\n"),
        ("d/b.yml", "---\n# nothing\n---\n{}\n"),
        ("d/empty.yml", ""),
        ("d/e.md", "{{ data }}"),
        ("d/A.yml", "---\na: 1\nb: 2\na: 3\n"),
        ("d/b/c.yml", "- c\n"),
        ("d/keys.yml", "? [1, 2]\n: {? {a: b} : c}\n? [1,\n 2]\n: d\n"),
        ("d/directive.yml", "%YAML 1.1\n---\na: yes\n...\n---\nb: 0x1F\n"),
        ("d/carriage.yml", "a: 1\r\n---\r\nb: \"\\u2028\"\r\n"),
        ("d/plain.yml", "a: 1 #@ x\n"),
    ];
    assert!(is_printed_ahead(files, &Options::new().mark("plain.yml:type=yaml-plain")));
    assert!(!is_printed_ahead(files, &Options::new()));
    assert!(is_printed_ahead(&[], &Options::new()));
}

#[test]
fn files_that_others_look_at_are_not_printed_ahead() {
    let deep = format!("{}1{}", "{a: ".repeat(500), "}".repeat(500));
    let many = format!("a: &a [{}]\nb: [{}]\n", "x, ".repeat(500), "*a, ".repeat(500));
    let files = [
        ("d/b.star", "x = 1\n"),
        ("d/b.txt", "text\n"),
        ("d/b.lib.yml", "b: 1\n"),
        ("d/a.yml", "a: {{ b }}\n"),
        ("d/a.yml", "a: [\n"),
        ("d/a.yml", &deep),
        ("d/a.yml", &many),
    ];
    for file in files {
        assert!(!is_printed_ahead(&[file], &Options::new()), "{file:?}");
    }
    let values = Options::new().mark("a.yml:type=yaml-data-values");
    assert!(!is_printed_ahead(&[("d/a.yml", "a: 1\n")], &values));
}

#[test]
fn limits_and_options_apply_to_printed_files() {
    let mut strict = Options::new();
    strict.dialect = Dialect::Strict;
    is_printed_ahead(&[("d/a.yml", "a: on\n")], &strict);
    is_printed_ahead(&[], &Options::new().data_value("unknown", "1"));
    let mut commented = Options::new();
    commented.keeps_comments = true;
    assert!(!is_printed_ahead(&[("d/a.yml", "a: 1 # one\n")], &commented));

    let world: Arc<dyn World> = Arc::new(MemoryWorld::new().file("d/long.yml", long()));
    let outcome = render_printable(&world, &Options::new().path("d"), Flavour::Plumb);
    let Ok(Printable::Printed(files)) = outcome.result else { panic!("it is printed ahead") };
    let bound = files[0].text.bound;
    for memory in [bound, bound - 1] {
        let limits = Limits::default().memory(memory);
        is_printed_ahead(&[], &Options::new().limits(limits));
    }
}
