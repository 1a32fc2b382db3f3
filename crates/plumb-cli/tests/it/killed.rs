//! A process that is killed while it writes: at any time, each file is either old or new, never
//! partial, and the next run cleans up.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::process::ExitStatusExt as _;
use std::path::Path;
use std::process::{Command, ExitStatus};
use std::time::{Duration, Instant};

use crate::sandbox::Sandbox;

const N_FILES: usize = 40;
const N_LINES: usize = 1_000;
/// How often a run is killed, each time a little later.
const N_MOMENTS: u32 = 10;

fn content(what: &str, at: usize) -> String {
    format!("{what}: file {at}\n").repeat(N_LINES)
}

/// The ways to write files.
#[derive(Clone, Copy, Debug)]
enum Way {
    Beside,
    Emptied,
    Generated,
}

impl Way {
    fn arguments(self) -> &'static [&'static str] {
        match self {
            Self::Beside => &["-f", "in", "--output-files", "out"],
            Self::Emptied => &["-f", "in", "--dangerous-emptied-output-directory", "out"],
            Self::Generated => &["generate", "-o", "out", "config.js"],
        }
    }
}

/// A directory `out` with old files. A run replaces them and, if it empties the directory, removes
/// one.
fn sandbox(test: &str) -> Sandbox {
    let script = format!(
        "const value = (at) => `new: file ${{at}}\\n`.repeat({N_LINES}).trimEnd();
         export default Array.from({{ length: {N_FILES} }}, (_, at) =>
           ({{ path: `d/${{at}}.txt`, value: value(at) }}));"
    );
    let sandbox = Sandbox::new(test)
        .with("config.js", script)
        .with("next/x.yml", "x: 1\n")
        .with("next/y.yml", "y: 1\n");
    (0..N_FILES).fold(sandbox, |it, at| it.with(&format!("in/d/{at}.txt"), content("new", at)))
}

fn put_old(sandbox: &Sandbox) {
    let _ = fs::remove_dir_all(sandbox.path("out"));
    fs::create_dir_all(sandbox.path("out/d")).expect("writable");
    for at in 0..N_FILES {
        fs::write(sandbox.path(&format!("out/d/{at}.txt")), content("old", at)).expect("writable");
    }
    fs::write(sandbox.path("out/d/extra.txt"), "old\n").expect("writable");
}

/// The number of old and of new files, and the names of all others.
fn count(sandbox: &Sandbox) -> (usize, usize, Vec<String>) {
    let (mut n_old, mut n_new, mut others) = (0, 0, Vec::new());
    let found: BTreeMap<String, String> = sandbox
        .list("out")
        .into_iter()
        .filter(|path| sandbox.path(path).is_file())
        .map(|path| (sandbox.read(&path).expect("readable"), path))
        .map(|(text, path)| (path, text))
        .collect();
    for (path, text) in found {
        let stem = Path::new(&path).file_stem().and_then(|it| it.to_str()).unwrap_or_default();
        match stem.parse::<usize>() {
            Ok(at) if text == content("old", at) => n_old += 1,
            Ok(at) if text == content("new", at) => n_new += 1,
            _ => others.push(path),
        }
    }
    (n_old, n_new, others)
}

/// Starts a run, sends it a signal after a delay, and returns its exit status.
fn ended_after(sandbox: &Sandbox, way: Way, signal: &str, delay: Duration) -> ExitStatus {
    let mut child = sandbox.command("plumb", way.arguments()).spawn().expect("it starts");
    std::thread::sleep(delay);
    let id = child.id().to_string();
    let _ = Command::new("kill").args([signal, &id]).output().expect("kill is there");
    child.wait().expect("it ends")
}

/// Kills runs at times from their start to their end, and calls `check` after each.
fn at_every_moment(
    sandbox: &Sandbox,
    way: Way,
    signal: &str,
    check: impl Fn(ExitStatus, (usize, usize, Vec<String>)),
) {
    put_old(sandbox);
    let start = Instant::now();
    let whole = sandbox.plumb(way.arguments());
    assert_eq!(whole.code, Some(0), "{}", whole.stderr);
    let whole = start.elapsed();
    for moment in 0..N_MOMENTS {
        put_old(sandbox);
        let status = ended_after(sandbox, way, signal, whole * moment / N_MOMENTS);
        check(status, count(sandbox));
    }
}

fn is_leftover(path: &str) -> bool {
    path.contains(".plumb-")
}

/// Another run into the directory completes or reverts the changes, and removes the rest.
fn is_put_in_order(sandbox: &Sandbox, way: Way) {
    let next = sandbox.plumb(&["-f", "next", "--output-files", "out"]);
    assert_eq!(next.code, Some(0), "{way:?}: {}", next.stderr);
    let (n_old, n_new, others) = count(sandbox);
    assert!(n_old == 0 || n_new == 0, "{way:?}: {n_old} old, {n_new} new");
    assert_eq!(n_old + n_new, N_FILES, "{way:?}");
    let others: Vec<_> = others.iter().filter(|it| *it != "out/d/extra.txt").collect();
    assert_eq!(others, ["out/x.yml", "out/y.yml"], "{way:?}");
    let left: Vec<_> = sandbox.list(".").into_iter().filter(|it| is_leftover(it)).collect();
    assert_eq!(left, Vec::<String>::new(), "{way:?}");
}

#[test]
fn killed_while_files_are_put_beside_others() {
    let sandbox = sandbox("killed-beside");
    for way in [Way::Beside, Way::Generated] {
        at_every_moment(&sandbox, way, "-KILL", |_, (n_old, n_new, others)| {
            assert_eq!(n_old + n_new, N_FILES, "{way:?}: {others:?}");
            let strange: Vec<_> = others.iter().filter(|it| !is_leftover(it)).collect();
            assert_eq!(strange, ["out/d/extra.txt"], "{way:?}");
            is_put_in_order(&sandbox, way);
        });
    }
}

#[test]
fn killed_while_a_directory_is_replaced() {
    let sandbox = sandbox("killed-emptied");
    at_every_moment(&sandbox, Way::Emptied, "-KILL", |_, (n_old, n_new, others)| {
        let is_old = (n_old, n_new) == (N_FILES, 0) && others == ["out/d/extra.txt"];
        let is_new = (n_old, n_new) == (0, N_FILES) && others.is_empty();
        assert!(is_old || is_new, "{n_old} old, {n_new} new, {others:?}");
        is_put_in_order(&sandbox, Way::Emptied);
    });
}

#[test]
fn told_to_end_it_tidies_up() {
    let sandbox = sandbox("killed-told");
    for (signal, number) in [("-TERM", 15), ("-INT", 2)] {
        for way in [Way::Beside, Way::Emptied, Way::Generated] {
            at_every_moment(&sandbox, way, signal, |status, (n_old, n_new, mut others)| {
                let has_ended = status.signal() == Some(number) || status.code() == Some(0);
                assert!(has_ended, "{way:?}: {status:?}");
                assert!(n_old == 0 || n_new == 0, "{way:?}: {n_old} old, {n_new} new");
                assert_eq!(n_old + n_new, N_FILES, "{way:?}");
                others.retain(|it| it != "out/d/extra.txt");
                assert_eq!(others, Vec::<String>::new(), "{way:?}");
                let beside = sandbox.list(".");
                let left: Vec<_> = beside.iter().filter(|it| it.contains(".plumb-")).collect();
                assert_eq!(left, Vec::<&String>::new(), "{way:?}");
            });
        }
    }
}

const N_TARGETS: usize = 6;
const N_FILES_OF_TARGET: usize = 15;

/// How many files of a target are old, and how many are new.
fn counted(sandbox: &Sandbox, target: usize) -> (usize, usize) {
    let texts = (0..N_FILES_OF_TARGET)
        .map(|at| (at, sandbox.read(&format!("out/{target}/{at}.txt")).unwrap_or_default()));
    let texts: Vec<(usize, String)> = texts.collect();
    let count = |what| texts.iter().filter(|(at, text)| *text == content(what, *at)).count();
    (count("old"), count("new"))
}

#[test]
fn interrupted_while_several_targets_are_written() {
    let files = (0..N_FILES_OF_TARGET).map(|at| (format!("in/{at}.txt"), content("new", at)));
    let sandbox =
        files.fold(Sandbox::new("killed-targets"), |it, (path, text)| it.with(&path, text));
    let targets = (0..N_TARGETS).map(|it| format!("  t{it}: {{output-files: out/{it}}}\n"));
    let project = format!("defaults: {{file: in}}\ntargets:\n{}", targets.collect::<String>());
    let sandbox = sandbox.with("plumb.yml", project);
    let put_old = || {
        for (target, at) in
            (0..N_TARGETS).flat_map(|it| (0..N_FILES_OF_TARGET).map(move |at| (it, at)))
        {
            let directory = sandbox.path(&format!("out/{target}"));
            fs::create_dir_all(&directory).expect("writable");
            fs::write(directory.join(format!("{at}.txt")), content("old", at)).expect("writable");
        }
    };
    put_old();
    let start = Instant::now();
    assert_eq!(sandbox.plumb(&["build", "-q"]).output(), "");
    let whole = start.elapsed();
    for moment in 0..2 * N_MOMENTS {
        put_old();
        let mut child = sandbox.command("plumb", &["build", "-q"]).spawn().expect("it starts");
        std::thread::sleep(whole * moment / (2 * N_MOMENTS));
        let id = child.id().to_string();
        Command::new("kill").args(["-INT", &id]).output().expect("kill is there");
        let status = child.wait().expect("it ends");
        assert!(status.signal() == Some(2) || status.code() == Some(0), "{status:?}");
        let counts: Vec<_> = (0..N_TARGETS).map(|it| counted(&sandbox, it)).collect();
        let is_whole =
            |it: &(usize, usize)| *it == (N_FILES_OF_TARGET, 0) || *it == (0, N_FILES_OF_TARGET);
        assert!(counts.iter().all(is_whole), "old and new files of each target: {counts:?}");
        let left: Vec<_> = sandbox.list(".").into_iter().filter(|it| is_leftover(it)).collect();
        assert_eq!(left, Vec::<String>::new());
    }
    // Another build completes the rest.
    assert_eq!(sandbox.plumb(&["build", "-q"]).output(), "");
    let are_new = (0..N_TARGETS).all(|it| counted(&sandbox, it) == (0, N_FILES_OF_TARGET));
    assert!(are_new);
}
