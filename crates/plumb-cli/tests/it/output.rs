//! The destinations of results.

use std::fs;

use crate::sandbox::Sandbox;

#[test]
fn formats_are_chosen_by_flag() {
    let sandbox = Sandbox::new("output-formats").with("a.yml", "a: [1]\n---\nb: 2\n");
    assert_eq!(sandbox.ytt(&["-f", "a.yml", "-o", "json"]).output(), "{\"a\":[1]}{\"b\":2}");
    assert_eq!(sandbox.plumb(&["-f", "a.yml", "-o", "json"]).output(), "{\"a\":[1]}\n{\"b\":2}\n");
    let places = sandbox.plumb(&["-f", "a.yml", "-o", "pos"]).output();
    assert!(places.contains("a.yml:3 |   b: 2\n"), "{places}");
}

#[test]
fn files_are_put_beside_those_that_are_there() {
    let sandbox = Sandbox::new("output-files")
        .with("in/a/x.yml", "x:   1\n")
        .with("in/t.txt", "text\n")
        .with("out/old.yml", "old\n")
        .with("out/a/x.yml", "to be replaced\n");
    let told = sandbox.plumb(&["-f", "in", "--output-files", "./out/"]).output();
    assert_eq!(told, "creating: out/t.txt\ncreating: out/a/x.yml\n");
    assert_eq!(sandbox.list("out"), ["out/a", "out/a/x.yml", "out/old.yml", "out/t.txt"]);
    assert_eq!(sandbox.read("out/a/x.yml").as_deref(), Some("x: 1\n"));
}

#[test]
fn an_emptied_directory_holds_the_new_files_alone() {
    let sandbox =
        Sandbox::new("output-emptied").with("a.yml", "a: 1\n").with("out/deep/old.yml", "old\n");
    let told = sandbox.plumb(&["-f", "a.yml", "--dangerous-emptied-output-directory", "out"]);
    assert_eq!(told.output(), "creating: out/a.yml\n");
    assert_eq!(sandbox.list("."), ["a.yml", "out", "out/a.yml"]);
    let new = sandbox.plumb(&["-f", "a.yml", "--dangerous-emptied-output-directory", "x/y"]);
    assert_eq!(new.output(), "creating: x/y/a.yml\n");
}

#[cfg(unix)]
#[test]
fn what_holds_more_than_output_is_not_emptied() {
    let sandbox = Sandbox::new("output-not-emptied").with("a.yml", "a: 1\n");
    let above = sandbox.path("").parent().expect("the sandbox is in it").display().to_string();
    let linked = Sandbox::new("output-not-emptied-link");
    std::os::unix::fs::symlink(sandbox.path(""), linked.path("link")).expect("a link can be made");
    let link = linked.path("link").display().to_string();
    for directory in ["/", ".", "./", "..", "./.", above.as_str(), link.as_str()] {
        let flags = ["-f", "a.yml", "--dangerous-emptied-output-directory", directory];
        let refused = sandbox.ytt(&flags).failure(1);
        assert_eq!(
            refused,
            "ytt: Error: Expected output directory path to not be one of '/', '.', './', ''\n"
        );
    }
    assert_eq!(sandbox.read("a.yml").as_deref(), Some("a: 1\n"));
}

#[test]
fn nothing_is_written_when_anything_failed() {
    let sandbox = Sandbox::new("output-failed")
        .with("good.yml", "a: 1\n")
        .with("broken.yml", "a: [\n")
        .with("kept/old.yml", "old\n");
    for flag in ["--output-files", "--dangerous-emptied-output-directory"] {
        sandbox.plumb(&["-f", "good.yml", "-f", "broken.yml", flag, "out"]).failure(1);
        sandbox.plumb(&["-f", "good.yml", "-f", "broken.yml", flag, "kept"]).failure(1);
        let file_below_file = ["-f", "x=good.yml", "-f", "x/y.yml=good.yml"];
        let marked = ["--file-mark", "good.yml:type=yaml-plain", flag, "new"];
        sandbox.plumb(&[&file_below_file[..], &marked].concat()).failure(1);
    }
    assert_eq!(sandbox.list("."), ["broken.yml", "good.yml", "kept", "kept/old.yml"]);
}

#[test]
fn no_file_leaves_the_output_directory() {
    let sandbox =
        Sandbox::new("output-roots").with("a.yml", "a: 1\n").with("other/keep.yml", "k\n");
    let escape = ["-f", "../../b.yml=a.yml", "--output-files", "out/deep"];
    assert!(sandbox.ytt(&escape).failure(1).contains("leads out of the output directory"));
    let absolute = sandbox.ytt(&["-f", "/b.yml=a.yml", "--output-files", "out"]);
    assert_eq!(absolute.output(), "creating: out/b.yml\n");
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("../other", sandbox.path("out/link"))
            .expect("links can be made");
        let through = ["-f", "link/new/b.yml=a.yml", "--output-files", "out"];
        assert!(sandbox.ytt(&through).failure(1).contains("leads out of the output directory"));
    }
    assert_eq!(sandbox.list("other"), ["other/keep.yml"]);
}

#[test]
fn two_results_of_one_path_are_told() {
    let sandbox = Sandbox::new("output-twice").with("a.yml", "a: 1\n").with("d/a.yml", "a: 2\n");
    let flags = |flag| ["-f", "a.yml", "-f", "d", flag, "out"];
    let own = "two output files have the same path: `a.yml`";
    assert!(sandbox.plumb(&flags("--output-files")).failure(1).contains(own));
    let message = "Multiple files have same output destination paths: a.yml";
    let emptied = sandbox.ytt(&flags("--dangerous-emptied-output-directory")).failure(1);
    assert!(emptied.contains(message), "{emptied}");
    let told = sandbox.ytt(&flags("--output-files")).output();
    assert_eq!(told, "creating: out/a.yml\ncreating: out/a.yml\n");
    assert_eq!(sandbox.read("out/a.yml").as_deref(), Some("a: 2\n"));
}

#[test]
fn files_that_stay_the_same_are_not_written() {
    for flag in ["--output-files", "--dangerous-emptied-output-directory"] {
        let sandbox =
            Sandbox::new("output-same").with("d/a.yml", "a: 1\n").with("d/b.yml", "b: 1\n");
        sandbox.plumb(&["-f", "d", flag, "out"]).output();
        let long_ago = std::time::SystemTime::UNIX_EPOCH;
        for path in ["out/a.yml", "out/b.yml"] {
            let file = fs::File::options().write(true).open(sandbox.path(path)).expect("ours");
            file.set_modified(long_ago).expect("ours");
        }
        let sandbox = sandbox.with("d/b.yml", "b: 2\n").with("d/c.yml", "c: 1\n");
        let told = sandbox.plumb(&["-f", "d", flag, "out"]).output();
        assert_eq!(told, "creating: out/a.yml\ncreating: out/b.yml\ncreating: out/c.yml\n");
        let modified = |path: &str| {
            let metadata = fs::metadata(sandbox.path(path)).expect("it was written");
            metadata.modified().expect("there are times")
        };
        assert_eq!(modified("out/a.yml"), long_ago, "{flag}");
        assert_ne!(modified("out/b.yml"), long_ago, "{flag}");
    }
}

#[test]
#[cfg(unix)]
fn files_are_for_their_owner_unless_they_were_others_before() {
    use std::os::unix::fs::PermissionsExt as _;
    let sandbox = Sandbox::new("output-modes").with("d/a.yml", "a: 1\n").with("d/b.yml", "b: 1\n");
    let sandbox = sandbox.with("out/a.yml", "old\n");
    let old = fs::Permissions::from_mode(0o644);
    fs::set_permissions(sandbox.path("out/a.yml"), old).expect("it is ours");
    sandbox.plumb(&["-f", "d", "--output-files", "out"]).output();
    let mode = |path: &str| {
        let metadata = fs::metadata(sandbox.path(path)).expect("it was written");
        metadata.permissions().mode() & 0o777
    };
    assert_eq!((mode("out/a.yml"), mode("out/b.yml")), (0o644, 0o700));
}

#[test]
fn text_is_not_printed_but_told_of() {
    let sandbox = Sandbox::new("output-text").with("a.yml", "a: 1\n").with("t.txt", "text\n");
    let ytt = sandbox.ytt(&["-f", "."]);
    assert_eq!((ytt.code, ytt.stdout.as_str()), (Some(0), "a: 1\n"));
    assert!(ytt.stderr.starts_with("\nWarning: Found Non-YAML templates in input."));
    let plumb = sandbox.plumb(&["-f", "."]);
    assert_eq!((plumb.code, plumb.stdout.as_str()), (Some(0), "a: 1\n"));
    assert!(plumb.stderr.contains("`t.txt`"), "{}", plumb.stderr);
}
