//! The links that are followed.

use plumb_library::{SilentDrops, SymlinkPolicy, collect};
use plumb_peer as peer;
use plumb_source::Sources;
use plumb_testkit::MemoryWorld;

fn check(world: &MemoryWorld, argument: &str, allowed: &[&str]) -> Result<usize, String> {
    let policy = SymlinkPolicy::AllowInto(allowed.iter().map(Into::into).collect());
    let collected = collect(world, &[argument.to_owned()], &policy, SilentDrops::Refuse);
    let reported = |failure| peer::text(&failure, &Sources::new()).shown().to_owned();
    collected.map(|it| it.files.len()).map_err(reported)
}

#[test]
fn a_link_needs_a_destination_that_is_allowed() {
    let world = MemoryWorld::new()
        .file("real/a.yml", "")
        .link("d/one.yml", "../real/a.yml")
        .link("two.yml", "d/one.yml")
        .link("/elsewhere/three.yml", "/work/two.yml");
    for link in ["d/one.yml", "two.yml", "/elsewhere/three.yml"] {
        assert!(check(&world, link, &[]).is_err(), "{link}");
        assert!(check(&world, link, &["d", "two.yml", "re"]).is_err(), "{link}");
        for allowed in ["real", "real/a.yml", ".", "/", "/work", "d/../real"] {
            assert_eq!(check(&world, link, &[allowed]), Ok(1), "{link} into {allowed}");
        }
    }
    let reported = check(&world, "two.yml", &["d"]).expect_err("not allowed");
    assert!(
        reported.contains("symlink file 'two.yml' -> 'real/a.yml' to be allowed"),
        "{reported}"
    );
}

#[test]
fn a_link_without_a_target_is_reported() {
    let world = MemoryWorld::new()
        .file("a.yml", "")
        .link("gone.yml", "nope.yml")
        .link("circle.yml", "circle.yml")
        .link("below.yml", "a.yml/b.yml");
    let reported = |link: &str| check(&world, link, &["."]).expect_err(link);
    assert!(
        reported("gone.yml").ends_with("Eval symlink: lstat nope.yml: no such file or directory")
    );
    assert!(reported("circle.yml").ends_with("Eval symlink: EvalSymlinks: too many links"));
    assert!(reported("below.yml").ends_with("Eval symlink: not a directory"));
}

#[test]
fn the_output_of_a_command_is_no_link_to_a_file() {
    let world = MemoryWorld::new()
        .link("/dev/fd/63", "/proc/7/fd/pipe:[99]")
        .link("/dev/fd/64", "/proc/7/fd/x");
    // The target of a process substitution can be read, but has no path.
    let world = world.file("/proc/7/fd/0", "");
    assert_eq!(check(&world, "x.yml=/dev/fd/63", &[]), Ok(1));
    assert!(check(&world, "x.yml=/dev/fd/64", &[]).is_err());
}
