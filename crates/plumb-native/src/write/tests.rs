//! A run that stops at each of its steps, like a killed process, and the next run.

use std::cell::Cell;
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

use plumb_source::{Access, Occupant, OutputTree, WorldError, WorldErrorKind};

use super::{Step, journal, write};

/// A directory that is removed at the end.
struct Scratch(PathBuf);

impl Scratch {
    fn new(test: &str) -> Self {
        let path = std::env::temp_dir().join(format!("plumb-write-{}-{test}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).expect("writable");
        Self(path)
    }

    fn out(&self) -> PathBuf {
        self.0.join("out")
    }

    /// Writes the old files, and removes everything else.
    fn put_old(&self) {
        for entry in fs::read_dir(&self.0).expect("readable").flatten() {
            fs::remove_dir_all(entry.path()).expect("ours");
        }
        for (path, text) in OLD {
            let path = self.out().join(path);
            fs::create_dir_all(path.parent().expect("a parent")).expect("writable");
            fs::write(path, text).expect("writable");
        }
    }

    /// All files with their contents, by path.
    fn files(&self) -> Vec<(String, String)> {
        let mut files = Vec::new();
        let mut left = vec![self.0.clone()];
        while let Some(directory) = left.pop() {
            for entry in fs::read_dir(&directory).expect("readable").flatten() {
                let path = entry.path();
                if path.is_dir() {
                    left.push(path);
                } else {
                    let name = path.strip_prefix(&self.0).expect("below").display().to_string();
                    files.push((name.replace('\\', "/"), fs::read_to_string(&path).expect("text")));
                }
            }
        }
        files.sort();
        files
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

const OLD: [(&str, &str); 5] = [
    ("a.yml", "old a"),
    ("d/b.yml", "old b"),
    ("d/same.yml", "same"),
    ("other.txt", "not ours"),
    ("e/f/other.txt", "not ours either"),
];

const NEW: [(&str, &str); 5] = [
    ("a.yml", "new a"),
    ("d/b.yml", "new b"),
    ("d/same.yml", "same"),
    ("n/m/c.yml", "new c"),
    ("z.yml", "new z"),
];

fn new_files() -> Vec<(PathBuf, Vec<u8>)> {
    NEW.iter().map(|(path, text)| (PathBuf::from(path), text.as_bytes().to_vec())).collect()
}

fn expected(files: &[(&str, &str)]) -> Vec<(String, String)> {
    let mut files: Vec<(String, String)> =
        files.iter().map(|(path, text)| (format!("out/{path}"), (*text).to_owned())).collect();
    files.sort();
    files
}

fn all_new(occupant: Occupant) -> Vec<(String, String)> {
    let kept = OLD.iter().filter(|it| occupant == Occupant::Kept && it.0.contains("other"));
    expected(&NEW.iter().chain(kept).copied().collect::<Vec<_>>())
}

fn write_to(
    directory: &Path,
    occupant: Occupant,
    before: &dyn Fn(Step) -> Result<(), WorldError>,
) -> Result<(), WorldError> {
    let files = new_files();
    write(&OutputTree { directory, occupant, access: Access::Usual, files: &files }, before)
}

/// Runs until a step, and stops there as if it were killed. Returns `None` if there is no such
/// step.
fn killed_at(scratch: &Scratch, occupant: Occupant, step: usize) -> Option<Step> {
    let (n_steps, last) = (Cell::new(0), Cell::new(Step::Preparing));
    let ended = catch_unwind(AssertUnwindSafe(|| {
        write_to(&scratch.out(), occupant, &|it| {
            last.set(it);
            n_steps.set(n_steps.get() + 1);
            if n_steps.get() > step {
                // Without a message: the hook of the tests would print it for each step.
                std::panic::resume_unwind(Box::new(()));
            }
            Ok(())
        })
    }));
    match ended {
        Ok(written) => {
            written.expect("nothing is in the way");
            None
        }
        Err(_) => Some(last.get()),
    }
}

/// Whether each file is old or new.
fn is_mixed(files: &[(String, String)], occupant: Occupant) -> bool {
    let new = all_new(occupant);
    let old = expected(&OLD);
    files.iter().all(|it| new.contains(it) || old.contains(it) || is_hidden(&it.0))
}

fn is_hidden(path: &str) -> bool {
    path.contains(journal::NAME) || path.contains(".plumb-new")
}

#[test]
fn killed_at_any_step_the_next_run_completes_the_output() {
    for occupant in [Occupant::Kept, Occupant::Removed] {
        let scratch = Scratch::new(&format!("next-{occupant:?}"));
        for step in 0.. {
            assert!(step < 100, "it ends");
            scratch.put_old();
            let Some(_) = killed_at(&scratch, occupant, step) else {
                assert!(step > 5, "there are steps");
                break;
            };
            assert!(is_mixed(&scratch.files(), occupant), "{occupant:?} {step}");
            write_to(&scratch.out(), occupant, &|_| Ok(())).expect("nothing is in the way");
            assert_eq!(scratch.files(), all_new(occupant), "{occupant:?} {step}");
        }
    }
}

#[test]
fn killed_at_any_step_what_is_left_is_finished_or_undone_by_any_run() {
    let scratch = Scratch::new("any");
    for step in 0.. {
        scratch.put_old();
        let Some(last) = killed_at(&scratch, Occupant::Kept, step) else {
            break;
        };
        // A run that writes something else.
        let files = [("x.yml", "x"), ("y.yml", "y")].map(|(path, text)| (path.into(), text.into()));
        let directory = scratch.out();
        let (occupant, access) = (Occupant::Kept, Access::Usual);
        let tree = OutputTree { directory: &directory, occupant, access, files: &files };
        write(&tree, &|_| Ok(())).expect("nothing is in the way");
        let found: Vec<_> = scratch
            .files()
            .into_iter()
            .filter(|(path, _)| path != "out/x.yml" && path != "out/y.yml")
            .collect();
        let wanted = match last {
            Step::Preparing => expected(&OLD),
            Step::Committing => all_new(Occupant::Kept),
        };
        assert_eq!(found, wanted, "{step}");
    }
}

/// Nobody may lose work because of an earlier, killed run: with `fmt -w`, the files are sources.
#[test]
fn files_that_were_edited_after_a_kill_stay_as_they_are() {
    let scratch = Scratch::new("edited");
    let edited = ["a.yml", "d/b.yml", "z.yml"].map(|it| scratch.out().join(it));
    let later = std::time::SystemTime::now() + std::time::Duration::from_mins(1);
    for step in 0.. {
        scratch.put_old();
        let Some(_) = killed_at(&scratch, Occupant::Kept, step) else {
            break;
        };
        for path in &edited {
            fs::write(path, "edited").expect("writable");
            let file = fs::File::options().write(true).open(path).expect("writable");
            file.set_modified(later).expect("ours");
        }
        let (directory, occupant, access) = (scratch.out(), Occupant::Kept, Access::Usual);
        let tree = OutputTree { directory: &directory, occupant, access, files: &[] };
        write(&tree, &|_| Ok(())).expect("nothing is in the way");
        for path in &edited {
            let text = fs::read_to_string(path).expect("it is there");
            assert_eq!(text, "edited", "{} at step {step}", path.display());
        }
        assert!(!scratch.files().iter().any(|it| is_hidden(&it.0)), "nothing is left at {step}");
    }
}

/// A file that someone deleted is neither written again nor restored.
#[test]
fn files_that_were_deleted_after_a_kill_stay_deleted() {
    for deleted in [&["a.yml", "d/b.yml"][..], &["d"], &["n"], &["a.yml", "d", "n"]] {
        let scratch = Scratch::new("deleted");
        for step in 0.. {
            scratch.put_old();
            let Some(_) = killed_at(&scratch, Occupant::Kept, step) else {
                break;
            };
            let paths: Vec<PathBuf> = deleted.iter().map(|it| scratch.out().join(it)).collect();
            let was_there: Vec<bool> = paths.iter().map(|it| it.exists()).collect();
            for path in &paths {
                let _ = fs::remove_file(path).or_else(|_| fs::remove_dir_all(path));
            }
            let (directory, occupant, access) = (scratch.out(), Occupant::Kept, Access::Usual);
            let tree = OutputTree { directory: &directory, occupant, access, files: &[] };
            write(&tree, &|_| Ok(())).expect("nothing is in the way");
            for (path, was_there) in paths.iter().zip(was_there) {
                // A new file is written, together with its directory, unless it already existed
                // once.
                let is_back = path.exists() && was_there && !path.join("m/c.yml").is_file();
                assert!(!is_back, "{} at step {step}", path.display());
            }
            let files = scratch.files();
            assert!(is_mixed(&files, Occupant::Kept), "{files:?} at step {step}");
            assert!(!files.iter().any(|it| is_hidden(&it.0)), "nothing is left at {step}");
        }
    }
}

#[test]
fn killed_again_while_it_recovers() {
    let scratch = Scratch::new("again");
    for first in 0.. {
        for second in (0..21).step_by(4) {
            scratch.put_old();
            if killed_at(&scratch, Occupant::Kept, first).is_none() {
                assert!(first > 5, "there are steps");
                return;
            }
            let _ = killed_at(&scratch, Occupant::Kept, second);
            assert!(is_mixed(&scratch.files(), Occupant::Kept), "{first} {second}");
            write_to(&scratch.out(), Occupant::Kept, &|_| Ok(())).expect("nothing is in the way");
            assert_eq!(scratch.files(), all_new(Occupant::Kept), "{first} {second}");
        }
    }
}

/// A failure at any step before files are moved to their destinations changes nothing.
#[test]
fn a_signal_at_any_step_changes_nothing() {
    for occupant in [Occupant::Kept, Occupant::Removed] {
        let scratch = Scratch::new(&format!("signal-{occupant:?}"));
        for step in 0.. {
            scratch.put_old();
            let n_steps = Cell::new(0);
            let ended = write_to(&scratch.out(), occupant, &|it| {
                n_steps.set(n_steps.get() + 1);
                if n_steps.get() > step && it == Step::Preparing {
                    return Err(WorldError::new(
                        "write",
                        "out",
                        WorldErrorKind::Other("ended".to_owned()),
                    ));
                }
                Ok(())
            });
            if ended.is_ok() {
                break;
            }
            assert_eq!(scratch.files(), expected(&OLD), "{occupant:?} {step}");
        }
    }
}

#[test]
#[cfg(unix)]
fn a_change_that_cannot_be_made_takes_back_the_others() {
    let scratch = Scratch::new("undo");
    scratch.put_old();
    // A directory appears in the place of a file while the others are moved.
    let is_blocked = Cell::new(false);
    let out = scratch.out();
    let ended = write_to(&out, Occupant::Kept, &|it| {
        if it == Step::Committing && !is_blocked.replace(true) {
            fs::create_dir_all(out.join("z.yml/full")).expect("writable");
        }
        Ok(())
    });
    assert!(ended.is_err(), "a directory is in the way");
    fs::remove_dir_all(out.join("z.yml")).expect("it is ours");
    assert_eq!(scratch.files(), expected(&OLD));
    assert!(!out.join("n").exists(), "directories that were made are gone");
}

#[test]
#[cfg(unix)]
fn what_stays_the_same_stays_the_same_file() {
    use std::os::unix::fs::MetadataExt as _;
    for occupant in [Occupant::Kept, Occupant::Removed] {
        let scratch = Scratch::new(&format!("same-{occupant:?}"));
        scratch.put_old();
        let same = || {
            let metadata = fs::metadata(scratch.out().join("d/same.yml")).expect("there");
            (metadata.ino(), metadata.mtime(), metadata.mtime_nsec())
        };
        let was = same();
        write_to(&scratch.out(), occupant, &|_| Ok(())).expect("nothing is in the way");
        assert_eq!(same(), was, "{occupant:?}");
    }
}

#[test]
fn a_journal_that_leads_out_is_not_followed() {
    let scratch = Scratch::new("out");
    scratch.put_old();
    let own = scratch.out().join(journal::NAME);
    fs::create_dir(&own).expect("writable");
    fs::write(own.join("new-0"), "bad").expect("writable");
    fs::write(own.join("journal"), b"put\0../outside.yml\0").expect("writable");
    let refused = write_to(&scratch.out(), Occupant::Kept, &|_| Ok(())).expect_err("it leads out");
    assert!(refused.to_string().contains("leads out of the output directory"), "{refused}");
    assert!(!scratch.0.join("outside.yml").exists());
}

#[test]
fn runs_at_the_same_time_do_not_mix() {
    const N_RUNS: usize = 4;
    const N_FILES: usize = 10;
    let scratch = Scratch::new("runs");
    let out = scratch.out();
    for _ in 0..10 {
        std::thread::scope(|scope| {
            for run in 0..N_RUNS {
                let out = &out;
                scope.spawn(move || {
                    let files: Vec<(PathBuf, Vec<u8>)> = (0..N_FILES)
                        .map(|at| (format!("d{at}/f.yml").into(), format!("run {run}").into()))
                        .collect();
                    let (occupant, access) = (Occupant::Kept, Access::Usual);
                    let tree = OutputTree { directory: out, occupant, access, files: &files };
                    write(&tree, &|_| Ok(())).expect("each has its turn");
                });
            }
        });
        let files = scratch.files();
        assert_eq!(files.len(), N_FILES, "{files:?}");
        assert!(files.iter().all(|it| it.1 == files[0].1), "{files:?}");
    }
}
