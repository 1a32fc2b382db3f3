//! From flags to files.

use std::sync::Arc;

use plumb::{Content, Input, Options, Outcome, Output, Stage, Wanted, World, peer, render};
use plumb_testkit::MemoryWorld;

fn run(world: &Arc<dyn World>, paths: &[&str], options: Options) -> Outcome {
    let paths = paths.iter().map(|it| (*it).to_owned()).collect();
    render(world, &Options { input: Input::Paths(paths), ..options })
}

fn shared(world: MemoryWorld) -> Arc<dyn World> {
    Arc::new(world)
}

/// The files of an outcome, and whether each is text.
fn files(outcome: &Outcome) -> Vec<(&str, bool)> {
    let Ok(Output::Files(files)) = &outcome.result else {
        panic!("no files: {:?}", outcome.result);
    };
    let file = |it: &'_ plumb::OutputFile| matches!(it.content, Content::Text(_));
    files.iter().map(|it| (it.path.as_str(), file(it))).collect()
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
    let told = peer::render(&failure, &outcome.sources);
    assert!(told.starts_with("Unmarshaling YAML template '1.yml': yaml: line "), "{told}");
    assert!(!told.contains("3.yml"), "{told}");
}

#[test]
fn code_is_run_unless_a_file_is_plain() {
    let world = shared(
        MemoryWorld::new().file("yaml/a.yml", "a: #@ 1\n").file("text/a.txt", "(@= \"x\" @)\n"),
    );
    let text = |outcome: &Outcome| {
        let Ok(Output::Files(files)) = &outcome.result else { panic!("{:?}", outcome.result) };
        match &files[0].content {
            Content::Text(text) => text.to_string(),
            Content::Yaml(documents) => documents[0].node.repr(),
        }
    };
    let mark = |mark: &str| Options { marks: vec![mark.to_owned()], ..Options::default() };
    assert_eq!(text(&run(&world, &["yaml"], Options::default())), "{\"a\": 1}");
    assert_eq!(text(&run(&world, &["yaml"], mark("a.yml:type=yaml-plain"))), "{\"a\": None}");
    assert_eq!(text(&run(&world, &["text"], Options::default())), "x\n");
    assert_eq!(text(&run(&world, &["text"], mark("a.txt:type=text-plain"))), "(@= \"x\" @)\n");
}

#[test]
fn unread_files_are_listed_but_not_fetched() {
    let world = shared(MemoryWorld::new().file("d/a.yml", "a: [\n").file("d/_ytt_lib/b.yml", ""));
    let options = Options { wanted: Wanted::FileList, ..Options::default() };
    let outcome = run(&world, &["d", "https://example.com/none.yml"], options);
    let Ok(Output::Report(document)) = outcome.result else {
        panic!("no list");
    };
    let list = document.node.as_array().expect("a list");
    let paths: Vec<_> = list.items.iter().filter_map(|it| it.node.as_str()).collect();
    assert_eq!(paths, ["a.yml", "none.yml"]);
}
