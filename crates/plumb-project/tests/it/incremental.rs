//! The targets that run again after a change.

use std::fmt::Write as _;
use std::path::PathBuf;
use std::sync::Arc;

use plumb::{Cancel, Failure, World};
use plumb_project::{Change, Ending, Incremental, Project, Update, Writing};

use crate::disk::Disk;

/// A project over a disk.
struct Build {
    disk: Arc<Disk>,
    incremental: Incremental,
}

impl Build {
    fn new(disk: Arc<Disk>, writing: Writing) -> Self {
        let world: Arc<dyn World> = Arc::clone(&disk) as _;
        let incremental = Incremental::new(world, "plumb.yml".into(), writing);
        Self { disk, incremental }
    }

    /// Runs stale targets. Returns the names of the targets that were run.
    fn update(&mut self) -> Result<Vec<String>, Failure> {
        let all = |project: &Project| Ok((0..project.targets.len()).collect());
        let ran = self.incremental.update(&Update {
            choose: &all,
            denies_warnings: false,
            timer: &|_| Cancel::default(),
            progress: &|_| {},
        })?;
        let project = self.incremental.project().expect("it is valid");
        Ok(ran.iter().map(|&at| project.targets[at].name.clone()).collect())
    }

    /// Reports that a path has changed, and runs stale targets.
    fn changed(&mut self, path: &str) -> Vec<String> {
        self.incremental.change(&Change::Paths(vec![path.into()]));
        self.update().expect("the project is valid")
    }

    fn put(&mut self, path: &str, text: &str) -> Vec<String> {
        self.disk.put(path, text);
        self.changed(path)
    }

    fn remove(&mut self, path: &str) -> Vec<String> {
        self.disk.remove(path);
        self.changed(path)
    }

    /// The endings of the targets, one letter each.
    fn endings(&self) -> String {
        let project = self.incremental.project().expect("it is valid");
        let ending = |at| match self.incremental.result(at).map(|it| &it.ending) {
            Some(Ending::Done(_)) => 'd',
            Some(Ending::Failed(_)) => 'f',
            Some(Ending::NotRun(_)) => 'n',
            Some(Ending::Refused) => 'r',
            None => '-',
        };
        (0..project.targets.len()).map(ending).collect()
    }
}

const NAMED: &str = "#@ load('@ytt:data', 'data')\nname: #@ data.values.name\n";
const SCHEMA: &str = "#@data/values-schema\n---\nname: ''\n";

/// A project of many targets, each with a file of values.
fn many(n_targets: usize) -> Arc<Disk> {
    let disk = Disk::new(&[("config/a.yml", NAMED), ("config/schema.yml", SCHEMA)]);
    let mut project = "defaults: {file: config}\ntargets:\n".to_owned();
    for at in 0..n_targets {
        let settings = format!("{{data-values-file: v/{at}.yml, output-files: out/{at}}}");
        let _ = writeln!(project, "  t{at}: {settings}");
        disk.put(&format!("v/{at}.yml"), &format!("name: n{at}\n"));
    }
    disk.put("plumb.yml", &project);
    disk
}

#[test]
fn only_the_targets_that_use_a_changed_file_run_again() {
    let mut build = Build::new(many(100), Writing::Real);
    assert_eq!(build.update().map(|it| it.len()).ok(), Some(100));
    assert_eq!(build.update().ok(), Some(Vec::new()), "nothing has changed");
    let n_reads = build.disk.n_reads();
    assert_eq!(build.put("v/7.yml", "name: other\n"), ["t7"]);
    assert_eq!(build.disk.n_reads(), n_reads + 1, "only the changed file is read again");
    assert_eq!(build.disk.files()[&PathBuf::from("out/7/a.yml")], b"name: other\n");
    assert_eq!(build.put("config/a.yml", "a: 1\n").len(), 100);
}

#[test]
fn what_is_saved_without_an_edit_or_is_not_used_changes_nothing() {
    let mut build = Build::new(many(3), Writing::Real);
    build.update().expect("the project is valid");
    assert!(build.changed("v/1.yml").is_empty());
    assert!(build.put("README.md", "about\n").is_empty());
    assert!(build.put("v/3.yml", "name: unused\n").is_empty());
    assert!(build.changed("out").is_empty(), "that was the build itself");
}

#[test]
fn a_file_that_is_deleted_during_a_build_fails_only_the_targets_that_read_it() {
    let disk = many(4);
    disk.delete_when_read("v/2.yml");
    let mut build = Build::new(disk, Writing::Real);
    build.update().expect("the project is valid");
    assert_eq!(build.endings(), "ddfd");
    let Some(Ending::Failed(failure)) = build.incremental.result(2).map(|it| &it.ending) else {
        panic!("it failed");
    };
    let message = failure.findings()[0].message.shown();
    assert!(message.contains("v/2.yml") && message.contains("no such file"), "{message}");
    let has_output =
        |at: usize| build.disk.files().contains_key(&PathBuf::from(format!("out/{at}/a.yml")));
    assert_eq!([0, 1, 2, 3].map(has_output), [true, true, false, true]);
    // All targets read this file, but it is read only once: all fail, and nothing is written.
    let disk = many(3);
    disk.delete_when_read("config/a.yml");
    let mut build = Build::new(disk, Writing::Real);
    build.update().expect("the project is valid");
    assert_eq!(build.endings(), "fff");
    assert!(build.disk.files().keys().all(|it| !it.starts_with("out")));
    assert_eq!(build.put("config/a.yml", NAMED).len(), 3);
    assert_eq!(build.endings(), "ddd");
}

#[test]
fn a_file_is_added_to_a_directory_and_removed_again() {
    let mut build = Build::new(many(2), Writing::Real);
    build.update().expect("the project is valid");
    assert_eq!(build.put("config/new.yml", "new: 1\n"), ["t0", "t1"]);
    assert!(build.disk.files().contains_key(&PathBuf::from("out/0/new.yml")));
    assert_eq!(build.remove("config/new.yml"), ["t0", "t1"]);
    assert_eq!(build.remove("config"), ["t0", "t1"]);
    assert_eq!(build.endings(), "ff");
    build.disk.put("config/a.yml", "a: 1\n");
    build.disk.put("config/schema.yml", SCHEMA);
    assert_eq!(build.changed("config"), ["t0", "t1"]);
    assert_eq!(build.endings(), "dd");
}

#[test]
fn a_broken_project_file_keeps_the_results() {
    let mut build = Build::new(many(3), Writing::Real);
    build.update().expect("the project is valid");
    let valid = String::from_utf8(build.disk.files()[&PathBuf::from("plumb.yml")].clone());
    let valid = valid.expect("it is text");
    build.disk.put("plumb.yml", "targets: [\n");
    build.incremental.change(&Change::Paths(vec!["plumb.yml".into()]));
    assert!(build.update().is_err());
    assert!(build.update().is_err(), "it is still broken");
    build.disk.put("v/2.yml", "name: meanwhile\n");
    build.incremental.change(&Change::Paths(vec!["v/2.yml".into()]));
    assert!(build.update().is_err());
    assert_eq!(build.put("plumb.yml", &valid), ["t2"]);
}

#[test]
fn only_targets_with_other_settings_run_again_after_a_change_of_the_project_file() {
    let mut build = Build::new(many(3), Writing::Real);
    build.update().expect("the project is valid");
    let project = "defaults: {file: config}\ntargets:\n\
        \x20 new: {data-values-file: v/0.yml, output-files: out/new}\n\
        \x20 t2: {data-values-file: v/2.yml, output-files: out/2}\n\
        \x20 t1: {data-values-file: v/0.yml, output-files: out/1}\n";
    assert_eq!(build.put("plumb.yml", project), ["new", "t1"]);
    assert_eq!(build.put("v/2.yml", "name: x\n"), ["t2"]);
}

/// Reads what `parts` writes.
const CHAIN: &str = "targets:\n\
    \x20 all: {file: out/parts, output-files: out/all}\n\
    \x20 parts: {file: config, output-files: out/parts}\n";

#[test]
fn a_target_runs_again_if_what_it_reads_was_written_differently() {
    for writing in [Writing::Real, Writing::InMemory] {
        let disk = Disk::new(&[("plumb.yml", CHAIN), ("config/a.yml", "a: #@ 1 + 1\n")]);
        let mut build = Build::new(disk, writing);
        assert_eq!(build.update().ok(), Some(vec!["all".to_owned(), "parts".to_owned()]));
        assert_eq!(build.put("config/a.yml", "a: #@ 2 + 0\n"), ["parts"], "the output is the same");
        assert_eq!(build.put("config/a.yml", "a: #@ 3\n"), ["all", "parts"]);
        assert_eq!(build.put("config/a.yml", "a: #@ 1 // 0\n"), ["all", "parts"]);
        assert_eq!(build.endings(), "nf");
        assert_eq!(build.put("config/a.yml", "a: #@ 3\n"), ["all", "parts"]);
        assert_eq!(build.endings(), "dd");
    }
}

#[test]
fn a_target_that_reads_its_own_output_does_not_run_forever() {
    let project = "targets: {all: {file: ., output-files: out}}\n";
    let disk = Disk::new(&[("plumb.yml", project), ("a.yml", "a: 1\n")]);
    let mut build = Build::new(disk, Writing::Real);
    assert_eq!(build.update().ok(), Some(vec!["all".to_owned()]));
    assert!(build.changed("out").is_empty());
    assert_eq!(build.put("a.yml", "a: 2\n"), ["all"]);
    assert!(build.changed(".").is_empty());
}

/// After any changes, the results equal those of a run from scratch, and only affected targets are
/// run.
#[test]
fn the_results_are_those_of_a_run_from_scratch() {
    let projects = [
        CHAIN,
        "targets:\n  all: {file: [out/parts, v], output-files: out/all}\n  parts: {file: config, \
         data-values-file: v/0.yml, output-files: out/parts}\n  third: {file: [out/all, config/b.yml]}\n",
        "targets: {parts: {file: config, output-files: out/parts}, other: {file: v}}\n",
        "targets: {\n",
    ];
    let texts = ["a: 1\n", "a: #@ 1 // 0\n", NAMED, SCHEMA, "a: [\n", ""];
    let paths =
        ["config/a.yml", "config/b.yml", "config/sub/c.yml", "v/0.yml", "v/1.yml", "config"];
    for seed in 0..40_u64 {
        // A linear congruential generator is random enough here.
        let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
        let mut random = |n: usize| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            usize::try_from(state >> 33).expect("31 bits") % n
        };
        let disk = Disk::new(&[("plumb.yml", projects[0]), ("config/a.yml", texts[0])]);
        let mut build = Build::new(disk, Writing::InMemory);
        let _ = build.update();
        for step in 0..25 {
            let mut changed = Vec::new();
            for _ in 0..=random(2) {
                let path = paths[random(paths.len())];
                match random(8) {
                    0 => build.disk.put("plumb.yml", projects[random(projects.len())]),
                    1 | 2 => build.disk.remove(path),
                    _ if path == "config" => build.disk.remove(path),
                    _ => build.disk.put(path, texts[random(texts.len())]),
                }
                changed.extend([PathBuf::from(path), PathBuf::from("plumb.yml")]);
            }
            build.incremental.change(&Change::Paths(changed));
            let updated = build.update();
            let mut scratch = Build::new(build.disk.copy(), Writing::InMemory);
            let from_scratch = scratch.update();
            assert_eq!(updated.is_ok(), from_scratch.is_ok(), "seed {seed}, step {step}");
            if updated.is_ok() {
                let found = (build.endings(), shown(&build));
                assert_eq!(found, (scratch.endings(), shown(&scratch)), "seed {seed}, step {step}");
            }
            let again = build.update().unwrap_or_default();
            assert!(again.is_empty(), "seed {seed}, step {step}: {again:?}");
        }
    }
}

/// The messages and output files of all targets.
fn shown(build: &Build) -> Vec<String> {
    let project = build.incremental.project().expect("it is valid");
    let results = (0..project.targets.len()).filter_map(|at| build.incremental.result(at));
    let text = |it: &plumb_project::Finished| match &it.ending {
        Ending::Failed(failure) => failure.to_string(),
        other => format!("{other:?}"),
    };
    results.map(text).collect()
}
