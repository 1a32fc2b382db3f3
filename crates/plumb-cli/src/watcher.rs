//! Watches files and directories for changes.
//!
//! Directories are watched, not files: otherwise, a file that an editor replaces by renaming
//! another one would be missed. If something is missing, the nearest directory above it is watched
//! until it exists. A directory that is replaced by another one is watched again.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

use notify::event::{AccessKind, AccessMode, ModifyKind};
use notify::{Event, EventKind, RecommendedWatcher, RecursiveMode, Watcher as _};
use plumb::native::NativeWorld;
use plumb::{Code, Diagnostic, Failure, lexical, paths};
use plumb_project::Change;
use plumb_source::message;
use plumb_source::message::plain;

/// The system cannot watch a directory for changes.
///
/// On Linux, the number of watched directories is limited: raise `fs.inotify.max_user_watches` and
/// `fs.inotify.max_user_instances` with `sysctl`, or end other programs that watch files. Network
/// file systems may not report changes at all; run the command without `--watch` there.
pub(crate) const NOT_WATCHED: Code = Code::new("cli/not-watched");

/// A change is complete if nothing else happens for this time.
const QUIET: Duration = Duration::from_millis(40);

/// How long changes are collected, even if more of them arrive.
const MAX_COLLECTED: Duration = Duration::from_millis(500);

pub(crate) struct Watcher {
    system: RecommendedWatcher,
    events: Receiver<notify::Result<Event>>,
    here: PathBuf,
    world: NativeWorld,
    /// The watched directories: their real paths, and the absolute paths by which they are known.
    directories: BTreeMap<PathBuf, BTreeSet<PathBuf>>,
    /// Files that are known by a symbolic link: their real paths, and those of the links.
    links: HashMap<PathBuf, BTreeSet<PathBuf>>,
    /// The paths that are being watched.
    known: HashSet<PathBuf>,
}

impl Watcher {
    pub(crate) fn new() -> Result<Self, Failure> {
        let (sender, events) = mpsc::channel();
        let system = notify::recommended_watcher(sender)
            .map_err(|error| not_watched(Path::new("."), &error))?;
        let here = std::env::current_dir().unwrap_or_default();
        let (directories, links, known) = Default::default();
        let world = NativeWorld::default();
        Ok(Self { system, events, here, world, directories, links, known })
    }

    /// Watches these paths. Returns the directories that were not watched before: their contents
    /// may have changed just before.
    pub(crate) fn watch(&mut self, paths: &[&Path]) -> Result<Vec<PathBuf>, Failure> {
        let mut new = Vec::new();
        for path in paths {
            if self.known.contains(*path) {
                continue;
            }
            let whole = lexical::absolute(path, &self.here);
            for directory in directories(&whole) {
                self.add(directory, &mut new)?;
            }
            // A link is known by its own path, and the file by its real one.
            if let Ok(real) = paths::resolve(&self.world, &whole)
                && real != whole
                && real.is_file()
            {
                self.add(real.parent().unwrap_or(Path::new("/")), &mut new)?;
                self.links.entry(real).or_default().insert(whole);
            }
            self.known.insert((*path).to_owned());
        }
        Ok(new)
    }

    fn add(&mut self, directory: &Path, new: &mut Vec<PathBuf>) -> Result<(), Failure> {
        // It may have disappeared meanwhile. The directory above it is watched, and has then
        // changed.
        let Ok(real) = paths::resolve(&self.world, directory) else { return Ok(()) };
        if !self.directories.contains_key(&real) {
            match self.system.watch(&real, RecursiveMode::NonRecursive) {
                Ok(()) => {}
                Err(_) if !real.exists() => return Ok(()),
                Err(error) => return Err(not_watched(directory, &error)),
            }
        }
        if self.directories.entry(real).or_default().insert(directory.to_owned()) {
            new.push(directory.to_owned());
        }
        Ok(())
    }

    /// Waits until something changes, and then until nothing more does for a short time.
    pub(crate) fn wait(&mut self) -> Change {
        let mut paths = BTreeSet::new();
        let mut is_known = true;
        let mut until = None;
        loop {
            let event = match until {
                None => self.events.recv().map_err(|_| RecvTimeoutError::Disconnected),
                Some(_) => self.events.recv_timeout(QUIET),
            };
            match event {
                Ok(Ok(event)) if is_only_read(event.kind) => continue,
                Ok(Ok(event)) => {
                    is_known &= !event.need_rescan();
                    self.take(&event, &mut paths);
                }
                // An event was lost.
                Ok(Err(_)) => is_known = false,
                Err(_) => break,
            }
            let until = *until.get_or_insert_with(|| Instant::now() + MAX_COLLECTED);
            if Instant::now() > until {
                break;
            }
        }
        if is_known {
            Change::Paths(paths.into_iter().collect())
        } else {
            self.known.clear();
            Change::Anything
        }
    }

    /// Adds the paths of an event as users know them. Stops watching directories that may have been
    /// replaced.
    fn take(&mut self, event: &Event, paths: &mut BTreeSet<PathBuf>) {
        let mut changed = BTreeSet::new();
        for path in &event.paths {
            if let (Some(above), Some(name)) = (path.parent(), path.file_name()) {
                let known = self.directories.get(above).into_iter().flatten();
                changed.extend(known.map(|it| it.join(name)));
            }
            changed.extend(self.directories.get(path).into_iter().flatten().cloned());
            changed.extend(self.links.get(path).into_iter().flatten().cloned());
        }
        let is_content = matches!(event.kind, EventKind::Modify(ModifyKind::Data(_)));
        if !is_content {
            self.forget(&changed);
        }
        paths.extend(changed);
    }

    /// Stops watching these paths and what is inside them, so that they can be watched again.
    fn forget(&mut self, changed: &BTreeSet<PathBuf>) {
        let is_inside = |path: &Path| path.ancestors().any(|it| changed.contains(it));
        let here = self.here.clone();
        self.known.retain(|it| !is_inside(&lexical::absolute(it, &here)));
        let system = &mut self.system;
        self.directories.retain(|real, known| {
            known.retain(|it| !is_inside(it));
            if known.is_empty() {
                // If it no longer exists, the system has already forgotten it.
                let _ = system.unwatch(real);
            }
            !known.is_empty()
        });
    }
}

/// The directories to watch for a path: the nearest one above it, and the path itself if it is a
/// directory.
fn directories(path: &Path) -> impl Iterator<Item = &Path> {
    let above = path.ancestors().skip(1).find(|it| it.is_dir());
    above.into_iter().chain(Some(path).filter(|it| it.is_dir()))
}

/// Whether nothing was written.
fn is_only_read(kind: EventKind) -> bool {
    match kind {
        EventKind::Access(AccessKind::Close(AccessMode::Write)) => false,
        EventKind::Access(_) => true,
        _ => false,
    }
}

fn not_watched(directory: &Path, error: &notify::Error) -> Failure {
    let message = message!("cannot watch `{}`: {}", plain(lexical::shown(directory)), plain(error));
    Diagnostic::error(NOT_WATCHED, message).help("run the command again without --watch").into()
}
