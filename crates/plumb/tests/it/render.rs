//! From flags to files.

use std::sync::Arc;

use plumb::{Content, Options, Outcome, Rendered, Stage, World, input_files, peer, print, render};
use plumb_testkit::MemoryWorld;

fn run(world: &Arc<dyn World>, paths: &[&str], options: Options) -> Outcome<Rendered> {
    render(world, &with_paths(paths, options))
}

fn with_paths(paths: &[&str], options: Options) -> Options {
    options.paths(paths.iter().copied())
}

fn shared(world: MemoryWorld) -> Arc<dyn World> {
    Arc::new(world)
}

/// The files of an outcome, and whether each is text.
fn files(outcome: &Outcome<Rendered>) -> Vec<(&str, bool)> {
    let rendered = outcome.result.as_ref().expect("it can be rendered");
    let file = |it: &'_ plumb::OutputFile| matches!(it.content, Content::Text(_));
    rendered.files.iter().map(|it| (it.path.as_str(), file(it))).collect()
}

#[test]
fn text_comes_before_yaml_and_empty_files_not_at_all() {
    let world = shared(
        MemoryWorld::new()
            .file("d/a.yml", "a: 1\n")
            .file("d/empty.yml", "---\n# nothing\n---\n{}\n")
            .file("d/z/t.txt", "text\n")
            .file("d/notes.md", "not read\n")
            .file("d/x.lib.yml", "never: output\n"),
    );
    let outcome = run(&world, &["d"], Options::default());
    assert_eq!(files(&outcome), [("z/t.txt", true), ("a.yml", false)]);
}

#[test]
fn all_broken_files_are_found_and_ytt_tells_of_the_first() {
    let world = shared(
        MemoryWorld::new()
            .file("d/1.yml", "a: [\n")
            .file("d/2.yml", "a: 1\n")
            .file("d/3.yml", "a: {\n"),
    );
    let outcome = run(&world, &["d"], Options::default());
    let failure = outcome.result.expect_err("two are broken");
    assert_eq!((failure.findings().len(), outcome.reached), (2, Stage::Render));
    let reported = peer::render(&failure, &outcome.sources);
    assert!(reported.starts_with("Unmarshaling YAML template '1.yml': yaml: line "), "{reported}");
    assert!(!reported.contains("3.yml"), "{reported}");
}

#[test]
fn code_is_run_unless_a_file_is_plain() {
    let world = shared(
        MemoryWorld::new().file("yaml/a.yml", "a: #@ 1\n").file("text/a.txt", "(@= \"x\" @)\n"),
    );
    let text = |outcome: &Outcome<Rendered>| {
        let rendered = outcome.result.as_ref().expect("it can be rendered");
        match &rendered.files[0].content {
            Content::Text(written) => written.text.to_string(),
            Content::Yaml(documents) => documents[0].node.repr(),
        }
    };
    let mark = |mark: &str| Options::new().mark(mark);
    assert_eq!(text(&run(&world, &["yaml"], Options::default())), "{\"a\": 1}");
    assert_eq!(text(&run(&world, &["yaml"], mark("a.yml:type=yaml-plain"))), "{\"a\": None}");
    assert_eq!(text(&run(&world, &["text"], Options::default())), "x\n");
    assert_eq!(text(&run(&world, &["text"], mark("a.txt:type=text-plain"))), "(@= \"x\" @)\n");
}

#[test]
fn unread_files_are_listed_but_not_fetched() {
    let world = shared(MemoryWorld::new().file("d/a.yml", "a: [\n").file("d/_ytt_lib/b.yml", ""));
    let options = with_paths(&["d", "https://example.com/none.yml"], Options::new());
    let paths = input_files(&world, &options).result.expect("no file is read");
    assert_eq!(paths, ["a.yml", "none.yml"]);
}

#[test]
fn deep_input_needs_no_deep_stack_of_the_caller() {
    let deep = format!("a: {}1{}\n", "[".repeat(9_000), "]".repeat(9_000));
    let work = move || {
        let world = shared(MemoryWorld::new());
        let template = format!("#@ load(\"@ytt:json\", \"json\")\n{deep}b: #@ json.encode(1)\n");
        let outcome = render(&world, &Options::new().file("a.yml", template));
        let rendered = outcome.result.expect("it can be rendered");
        print::yaml(rendered.documents()).len()
    };
    let thread = std::thread::Builder::new().stack_size(256 << 10).spawn(work);
    let printed = thread.expect("a thread can be started").join().expect("the stack is enough");
    assert!(printed > 18_000, "{printed}");
}

#[test]
fn a_failure_is_an_error_with_its_messages() {
    let world = shared(MemoryWorld::new());
    let outcome = render(&world, &Options::new().file("a.yml", "a: #@ b\nc: #@ d\n"));
    let failure: Box<dyn std::error::Error> =
        outcome.result.expect_err("two names are not defined").into();
    let expected = "`b` is not defined\n`d` is not defined";
    assert_eq!(failure.to_string(), expected);
}

#[test]
fn files_and_paths_are_all_input_in_the_order_in_which_they_are_added() {
    let world = shared(MemoryWorld::new().file("d/b.yml", "b: 2\n").file("d/c.yml", "c: 3\n"));
    let given = plumb::GivenFile { path: "e.yml".to_owned(), bytes: (*b"e: 5\n").into() };
    let options = Options::new()
        .file("z.yml", "z: 1\n")
        .path("d")
        .file("a.yml", "a: 4\n")
        .files([given])
        .paths(["f.yml=d/b.yml"]);
    let paths = input_files(&world, &options).result.expect("all inputs are found");
    assert_eq!(paths, ["z.yml", "b.yml", "c.yml", "a.yml", "e.yml", "f.yml"]);
    let rendered = render(&world, &options).result.expect("it can be rendered");
    let printed = String::from_utf8(print::yaml(rendered.documents())).expect("YAML is UTF-8");
    assert_eq!(printed, "z: 1\n---\nb: 2\n---\nc: 3\n---\na: 4\n---\ne: 5\n---\nb: 2\n");
}
