//! The files that are collected.

use plumb_diagnostic::Failure;
use plumb_library::{SilentDrops, SymlinkPolicy, collect};
use plumb_peer as peer;
use plumb_source::{EntryKind, Sources};
use plumb_testkit::MemoryWorld;

fn paths(world: &MemoryWorld, arguments: &[&str]) -> Result<Vec<String>, String> {
    let arguments: Vec<String> = arguments.iter().map(|it| (*it).to_owned()).collect();
    let collected = collect(world, &arguments, &SymlinkPolicy::default(), SilentDrops::Refuse);
    let reported = |failure: Failure| peer::text(&failure, &Sources::new()).shown().to_owned();
    Ok(collected.map_err(reported)?.files.iter().map(|it| it.path().to_owned()).collect())
}

#[test]
fn files_of_a_directory_are_sorted_by_their_whole_path() {
    let world = MemoryWorld::new()
        .file("d/a/z.yml", "")
        .file("d/a-b.yml", "")
        .file("d/.hidden", "")
        .file("d/B.yml", "");
    let sorted = paths(&world, &["d/"]).expect("all is there");
    assert_eq!(sorted, [".hidden", "B.yml", "a-b.yml", "a/z.yml"]);
}

#[test]
fn every_kind_of_argument_has_a_name() {
    let world = MemoryWorld::new().file("d/a.yml", "").stdin("");
    let arguments = ["d/a.yml", "-", "https://example.com/x/b.yml", "c.yml=d/a.yml"];
    let named = paths(&world, &arguments).expect("all is there");
    assert_eq!(named, ["a.yml", "stdin.yml", "b.yml", "c.yml"]);
}

#[test]
fn paths_that_cannot_be_read_are_reported() {
    let world = MemoryWorld::new()
        .file("d/a.yml", "")
        .locked("d/secret", EntryKind::Directory)
        .locked("device", EntryKind::Other);
    let check = |argument: &str, expected: &str| {
        assert_eq!(paths(&world, &[argument]).expect_err(argument), expected);
    };
    check("nope", "Checking file 'nope': lstat nope: no such file or directory");
    check("d", "Listing files 'd': open d/secret: permission denied");
    check("device", "Expected file 'device' to be a regular file, but was not");
    check(
        "a=b=c",
        "Expected file 'a=b=c' to only have single '=' sign to for relative path assignment",
    );
}

#[test]
fn a_directory_keeps_its_names() {
    let world = MemoryWorld::new().file("d/a.yml", "");
    let arguments = ["new=d".to_owned()];
    let collect = |drops| collect(&world, &arguments, &SymlinkPolicy::default(), drops);
    assert!(collect(SilentDrops::Refuse).is_err());
    let collected = collect(SilentDrops::Warn).expect("it is only a warning");
    assert_eq!((collected.files[0].path(), collected.warnings.len()), ("a.yml", 1));
}
