//! Snapshots: values from an earlier run of a test, in a YAML file next to the suite file. Plumb
//! writes them; people review them.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path as FilePath, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use plumb::document::{Document, Map, MapItem};
use plumb::world::{Access, Occupant, OutputTree, WorldErrorKind};
use plumb::{Sources, World};
use plumb_diagnostic::{Code, Diagnostic, Failure, Label};
use plumb_source::message::plain;
use plumb_source::{Origin, SourceKind, Span, lexical, message, root};
use plumb_validation::is_same_value;
use plumb_value::Node;
use plumb_yaml::ReadOptions;

use crate::differ;

/// A value differs from its snapshot.
///
/// If the change is intended, run `plumb test --update`, and review the change of the snapshot like
/// any other change.
const DIFFERS: Code = Code::new("test/snapshot-differs");

/// A value has no snapshot, and snapshots are not written in CI.
///
/// Run `plumb test` without the environment variable `CI`, and commit the file in `__snapshot__`.
const MISSING: Code = Code::new("test/snapshot-missing");

/// A snapshot does not belong to a test.
///
/// The test was removed or renamed. `plumb test --update` removes the snapshot.
const OBSOLETE: Code = Code::new("test/snapshot-obsolete");

/// A file of snapshots cannot be read.
///
/// It was probably edited by hand, or contains markers of a merge conflict. Correct it, or delete
/// it and run `plumb test --update`.
const UNREADABLE: Code = Code::new("test/snapshot-unreadable");

/// A file of snapshots cannot be written.
///
/// The message says why. The old file is unchanged.
const NOT_WRITTEN: Code = Code::new("test/snapshot-not-written");

/// The directory of snapshots, next to suite files.
const DIRECTORY: &str = "__snapshot__";

/// The help for a file that cannot be read.
const CORRECT: &str = "correct the file, or delete it and run `plumb test --update`";

/// What happens to snapshots.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Snapshots {
    /// A missing snapshot is a failure: it would not be committed.
    Check,
    /// A missing snapshot is written.
    WriteNew,
    /// All snapshots are written again, and those that do not belong to a test are removed.
    Update,
}

/// How many snapshots were written and removed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Changed {
    pub n_written: usize,
    pub n_removed: usize,
}

/// The snapshots of one suite file.
pub(crate) struct SnapshotFile {
    path: PathBuf,
    mode: Snapshots,
    /// What the file contains, by test and number.
    old: Result<BTreeMap<Name, Old>, Failure>,
    state: Mutex<State>,
}

/// The test, and the number of the snapshot in it.
type Name = (String, i64);

struct Old {
    node: Node,
    place: Option<Span>,
}

#[derive(Default)]
struct State {
    used: BTreeSet<Name>,
    new: BTreeMap<Name, Node>,
}

impl SnapshotFile {
    /// Reads the snapshots of a suite file. They are empty if there is no file.
    pub(crate) fn read(
        world: &dyn World,
        suite_file: &FilePath,
        mode: Snapshots,
        sources: &Sources,
    ) -> Self {
        let path = path_of(suite_file);
        let directory = suite_file.parent().unwrap_or(FilePath::new(""));
        let leads_out = [path.parent().unwrap_or(&path), &path]
            .into_iter()
            .any(|it| root::leads_out(world, directory, it).unwrap_or(false));
        let old = match world.read(&path) {
            _ if leads_out => {
                let finding = unreadable("a link leads out of the directory of the suite");
                Err(finding.help("replace the link by a directory or file").into())
            }
            Ok(bytes) => {
                let name = path.to_string_lossy();
                let file = sources.add_file(&name, &path, SourceKind::File, bytes);
                let reading = ReadOptions { comments: false, ..ReadOptions::default() };
                let documents = plumb_yaml::parse(file, sources.get(file).bytes(), &reading);
                match documents {
                    Ok(documents) => entries(&documents),
                    Err(error) => {
                        let mut finding = unreadable("the file is not YAML").help(CORRECT);
                        for found in Failure::from(error).into_findings().into_iter().take(1) {
                            let labels = found.labels.into_iter().take(1);
                            let message = found.message;
                            finding
                                .labels
                                .extend(labels.map(|it| Label { message: message.clone(), ..it }));
                        }
                        Err(finding.into())
                    }
                }
            }
            Err(error)
                if matches!(
                    error.kind,
                    WorldErrorKind::NotFound | WorldErrorKind::NotADirectory
                ) =>
            {
                Ok(BTreeMap::new())
            }
            Err(error) => Err(Diagnostic::error(UNREADABLE, plain(error.words())).into()),
        };
        Self { path, mode, old, state: Mutex::default() }
    }

    /// Compares a value with its snapshot. Returns `None` if they are equal, or if the snapshot is
    /// written.
    pub(crate) fn check(
        &self,
        test: &str,
        number: i64,
        node: &Node,
        origin: Origin,
    ) -> Option<Diagnostic> {
        let name = (test.to_owned(), number);
        let mut state = self.lock();
        state.used.insert(name.clone());
        let Ok(old) = &self.old else {
            // The reason is reported once for the file.
            return Some(Diagnostic::error(UNREADABLE, "the snapshot cannot be read"));
        };
        let finding = match old.get(&name) {
            Some(old) if is_same_value(&old.node, node) => return None,
            _ if self.mode == Snapshots::Update => None,
            Some(old) => {
                let message = "the value differs from its snapshot";
                let finding = Diagnostic::error(DIFFERS, message).at(old.place, "the snapshot");
                let mut finding = finding.at(origin, "this value");
                finding.diff = differ::compare(&old.node, node, origin);
                Some(finding.help("if the change is intended, run `plumb test --update`"))
            }
            None if self.mode == Snapshots::Check => {
                let finding = Diagnostic::error(MISSING, "there is no snapshot of this value");
                let help = message!(
                    "run `plumb test` without the variable CI, and commit {}",
                    plain(lexical::shown(&self.path))
                );
                Some(finding.at(origin, "this value").help(help))
            }
            None => None,
        };
        if finding.is_none() {
            state.new.insert(name, node.clone());
        }
        finding
    }

    /// The mistakes in the file itself.
    pub(crate) fn mistakes(&self) -> Vec<Diagnostic> {
        self.old.as_ref().err().map(|it| it.findings().to_vec()).unwrap_or_default()
    }

    /// Writes new snapshots. `tests` are all tests of the suite file, in its order; if some of them
    /// did not run, nothing is obsolete. Returns findings about snapshots without a test.
    pub(crate) fn finish(
        &self,
        world: &dyn World,
        tests: &[String],
        are_all_run: bool,
        findings: &mut Vec<Diagnostic>,
    ) -> Changed {
        let state = self.lock();
        let Ok(old) = &self.old else { return Changed::default() };
        let is_obsolete = |name: &Name| are_all_run && !state.used.contains(name);
        let is_removed = |name: &Name| is_obsolete(name) && self.mode == Snapshots::Update;
        let removed = old.keys().filter(|it| is_removed(it)).count();
        if self.mode != Snapshots::Update {
            for (name, old) in old.iter().filter(|it| is_obsolete(it.0)) {
                let message =
                    message!("the snapshot of `{}` does not belong to a test", plain(&name.0));
                let finding = Diagnostic::warning(OBSOLETE, message).at(old.place, "");
                findings.push(finding.help("`plumb test --update` removes it"));
            }
        }
        let changed = Changed { n_written: state.new.len(), n_removed: removed };
        if changed == Changed::default() {
            return changed;
        }
        let mut all: BTreeMap<&Name, &Node> =
            old.iter().map(|(name, it)| (name, &it.node)).collect();
        all.retain(|name, _| !is_removed(name));
        all.extend(&state.new);
        match self.write(world, &all, tests) {
            Ok(()) => changed,
            Err(error) => {
                findings.push(Diagnostic::error(NOT_WRITTEN, plain(error.words())));
                Changed::default()
            }
        }
    }

    fn write(
        &self,
        world: &dyn World,
        all: &BTreeMap<&Name, &Node>,
        tests: &[String],
    ) -> Result<(), plumb::world::WorldError> {
        let mut names: Vec<&String> = all.keys().map(|it| &it.0).collect();
        names.dedup();
        // Those without a test are last.
        names.sort_by_key(|it| tests.iter().position(|test| test == *it).unwrap_or(usize::MAX));
        let item = |key: Node, node: Node| MapItem::new(key, node, Origin::Unknown);
        let map = |items: Vec<MapItem>| Node::map(Map::new(items, Origin::Unknown));
        let tests = names.into_iter().map(|test| {
            let of_test = all.iter().filter(|(name, _)| name.0 == *test);
            let numbered = of_test.map(|(name, node)| item(Node::Int(name.1), (*node).clone()));
            item(test.as_str().into(), map(numbered.collect()))
        });
        let document = Document::new(map(tests.collect()), Origin::Unknown);
        let name = self.path.file_name().unwrap_or_default();
        let files = [(PathBuf::from(name), plumb::print::yaml([&document]))];
        let directory = self.path.parent().unwrap_or(FilePath::new(""));
        let (occupant, access) = (Occupant::Kept, Access::Usual);
        world.write(&OutputTree { directory, occupant, access, files: &files })
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The file of the snapshots of a suite file.
fn path_of(suite_file: &FilePath) -> PathBuf {
    let name = suite_file.file_name().unwrap_or_default().to_string_lossy();
    let directory = suite_file.parent().unwrap_or(FilePath::new(""));
    directory.join(DIRECTORY).join(format!("{name}.snap"))
}

fn unreadable(why: &'static str) -> Diagnostic {
    Diagnostic::error(UNREADABLE, message!("the snapshots cannot be read: {why}"))
}

fn entries(documents: &[Document]) -> Result<BTreeMap<Name, Old>, Failure> {
    let mut entries = BTreeMap::new();
    let documents = documents.iter().filter(|it| !it.is_injected && !it.node.is_null());
    let wrong = |origin: Origin| {
        Failure::from(
            unreadable("expected names of tests, with numbers below them")
                .at(origin, "")
                .help(CORRECT),
        )
    };
    for document in documents {
        let tests = document.node.as_map().ok_or_else(|| wrong(document.origin))?;
        for test in tests.items() {
            let name = test.key.as_str().ok_or_else(|| wrong(test.origin))?;
            let numbered = test.node.as_map().ok_or_else(|| wrong(test.origin))?;
            for item in numbered.items() {
                let Node::Int(number) = item.key else { return Err(wrong(item.origin)) };
                let old = Old { node: item.node.clone(), place: item.origin.span() };
                entries.insert((name.to_owned(), number), old);
            }
        }
    }
    Ok(entries)
}
