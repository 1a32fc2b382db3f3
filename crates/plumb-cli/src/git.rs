//! The files of a Git revision, read with `git` and without touching the work tree.

use std::collections::BTreeMap;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::{Arc, Mutex, PoisonError};

use plumb::world::{Entry, EntryKind, OutputTree, World, WorldError, WorldErrorKind};
use plumb::{Code, Diagnostic, Failure, lexical};
use plumb_source::message::plain;
use plumb_source::{message, pass_on, root};

/// A Git revision cannot be read.
///
/// `plumb diff --against REV` reads the files of a revision with the program `git`, which must be
/// installed. The project must be in a Git repository, and the revision must name a commit, such as
/// `HEAD`, `main` or `v1.2`.
pub(crate) const NO_REVISION: Code = Code::new("cli/no-revision");

/// A world in which a repository has the files of one revision. Everything outside the repository
/// is unchanged.
pub(crate) struct GitWorld {
    outside: Arc<dyn World>,
    here: PathBuf,
    /// The directory of the repository.
    top: PathBuf,
    /// The entries of the revision by their absolute paths, with the directories.
    entries: BTreeMap<PathBuf, GitEntry>,
    blobs: Mutex<Blobs>,
}

#[derive(Clone, Debug)]
enum GitEntry {
    Directory,
    File(String),
    Link(String),
}

/// A process that prints the contents of objects.
struct Blobs {
    child: Child,
    requests: ChildStdin,
    answers: BufReader<ChildStdout>,
}

impl GitWorld {
    /// The files of a revision of the repository that contains this directory.
    pub(crate) fn new(
        outside: Arc<dyn World>,
        directory: &Path,
        revision: &str,
    ) -> Result<Self, Failure> {
        let here = outside.directory().unwrap_or_default();
        let directory = lexical::absolute(directory, &here);
        let git = |arguments: &[&str]| git(&directory, arguments);
        let top = git(&["rev-parse", "--show-toplevel"])
            .map_err(|words| not_read("the project is not in a Git repository", &words.0))?;
        let top = PathBuf::from(String::from_utf8_lossy(&top).trim_end_matches('\n'));
        let commit = format!("{revision}^{{commit}}");
        let commit = git(&["rev-parse", "--verify", "--quiet", "--end-of-options", &commit])
            .map_err(|words| {
                let message = message!("there is no revision `{}`", plain(revision));
                let finding = Diagnostic::error(NO_REVISION, message);
                let finding = finding.help("name a branch, a tag or a commit: --against HEAD");
                Failure::from(if words.0.is_empty() {
                    finding
                } else {
                    finding.help(plain(words.0))
                })
            })?;
        let commit = String::from_utf8_lossy(&commit).trim().to_owned();
        let listed = git(&["ls-tree", "-r", "-t", "-z", "--full-tree", &commit])
            .map_err(|words| not_read("the files of the revision cannot be listed", &words.0))?;
        let mut entries: BTreeMap<PathBuf, GitEntry> =
            listed.split(|it| *it == 0).filter_map(|line| entry(line, &top)).collect();
        entries.insert(top.clone(), GitEntry::Directory);
        let blobs = Blobs::start(&directory)
            .map_err(|error| not_read("git cannot be started", &error.to_string()))?;
        Ok(Self { outside, here, top, entries, blobs: Mutex::new(blobs) })
    }

    /// What is at a path: `Err` if it is outside the repository.
    fn at(&self, path: &Path) -> Result<Option<&GitEntry>, ()> {
        let whole = lexical::absolute(path, &self.here);
        if !whole.starts_with(&self.top) {
            return Err(());
        }
        Ok(self.entries.get(&whole))
    }

    fn blob(&self, id: &str, path: &Path) -> Result<Arc<[u8]>, WorldError> {
        let mut blobs = self.blobs.lock().unwrap_or_else(PoisonError::into_inner);
        blobs.get(id).map_err(|error| WorldError::from_io("read", path, &error))
    }
}

fn missing(action: &'static str, path: &Path) -> WorldError {
    WorldError::new(action, path.to_string_lossy(), WorldErrorKind::NotFound)
}

impl World for GitWorld {
    pass_on!(outside: stdin, fetch, environment, directory, print, cores);

    fn entry(&self, path: &Path) -> Result<EntryKind, WorldError> {
        match self.at(path) {
            Err(()) => self.outside.entry(path),
            Ok(None) => Err(missing("lstat", path)),
            Ok(Some(GitEntry::Directory)) => Ok(EntryKind::Directory),
            Ok(Some(GitEntry::File(_))) => Ok(EntryKind::File),
            Ok(Some(GitEntry::Link(_))) => Ok(EntryKind::Symlink),
        }
    }

    fn list(&self, directory: &Path) -> Result<Vec<Entry>, WorldError> {
        let resolved = match self.at(directory) {
            Err(()) => return self.outside.list(directory),
            Ok(None | Some(GitEntry::Link(_))) => root::resolve(self, directory)?,
            Ok(Some(_)) => directory.to_owned(),
        };
        let whole = lexical::absolute(&resolved, &self.here);
        match self.entries.get(&whole) {
            Some(GitEntry::Directory) => {}
            Some(GitEntry::File(_) | GitEntry::Link(_)) => {
                let kind = WorldErrorKind::NotADirectory;
                return Err(WorldError::new("open", directory.to_string_lossy(), kind));
            }
            None => return Err(missing("open", directory)),
        }
        let below = self.entries.range(whole.clone()..).skip(1);
        let below = below.map_while(|(path, entry)| Some((path.strip_prefix(&whole).ok()?, entry)));
        let direct = below.filter(|(name, _)| name.components().count() == 1);
        let listed = direct.map(|(name, entry)| {
            let kind = match entry {
                GitEntry::Directory => EntryKind::Directory,
                GitEntry::File(_) => EntryKind::File,
                GitEntry::Link(_) => EntryKind::Symlink,
            };
            Entry { name: name.to_owned(), kind }
        });
        Ok(listed.collect())
    }

    fn link_target(&self, link: &Path) -> Result<PathBuf, WorldError> {
        match self.at(link) {
            Err(()) => self.outside.link_target(link),
            Ok(Some(GitEntry::Link(id))) => {
                let target = self.blob(id, link)?;
                Ok(PathBuf::from(String::from_utf8_lossy(&target).into_owned()))
            }
            Ok(_) => Err(missing("readlink", link)),
        }
    }

    fn read(&self, path: &Path) -> Result<Arc<[u8]>, WorldError> {
        if let Ok(Some(GitEntry::File(id))) = self.at(path) {
            return self.blob(id, path);
        }
        if self.at(path).is_err() {
            return self.outside.read(path);
        }
        // The path, or a directory above it, is a link.
        let resolved = root::resolve(self, path)
            .map_err(|it| WorldError::new("open", path.to_string_lossy(), it.kind))?;
        match self.at(&resolved) {
            Err(()) => self.outside.read(&resolved),
            Ok(Some(GitEntry::File(id))) => self.blob(id, path),
            Ok(_) => {
                let kind = WorldErrorKind::IsADirectory;
                Err(WorldError::new("read", path.to_string_lossy(), kind))
            }
        }
    }

    fn write(&self, tree: &OutputTree<'_>) -> Result<(), WorldError> {
        let kind = WorldErrorKind::Other("a revision cannot be changed".to_owned());
        Err(WorldError::new("write", tree.directory.to_string_lossy(), kind))
    }
}

impl Blobs {
    fn start(directory: &Path) -> std::io::Result<Self> {
        let mut command = Command::new("git");
        command.args(["cat-file", "--batch"]).current_dir(directory);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn()?;
        let requests = child.stdin.take().expect("it is piped");
        let answers = BufReader::new(child.stdout.take().expect("it is piped"));
        Ok(Self { child, requests, answers })
    }

    fn get(&mut self, id: &str) -> std::io::Result<Arc<[u8]>> {
        writeln!(self.requests, "{id}")?;
        self.requests.flush()?;
        let mut head = String::new();
        self.answers.read_line(&mut head)?;
        // The id, the type and the size.
        let size = head.split_whitespace().nth(2).and_then(|it| it.parse::<usize>().ok());
        let size = size.ok_or_else(|| std::io::Error::other("git does not have the object"))?;
        let mut bytes = vec![0; size + 1];
        self.answers.read_exact(&mut bytes)?;
        bytes.pop();
        Ok(bytes.into())
    }
}

impl Drop for Blobs {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The error message of `git`. It may be empty.
struct GitError(String);

/// Runs `git`.
fn git(directory: &Path, arguments: &[&str]) -> Result<Vec<u8>, GitError> {
    let mut command = Command::new("git");
    command.args(arguments).current_dir(directory).stdin(Stdio::null());
    let output = command.output().map_err(|error| GitError(format!("git: {error}")))?;
    if output.status.success() {
        return Ok(output.stdout);
    }
    let words = String::from_utf8_lossy(&output.stderr);
    Err(GitError(words.trim().lines().next().unwrap_or_default().to_owned()))
}

/// Reads a line of `git ls-tree`: mode, type and id, and after a tab the path. A submodule is an
/// empty directory.
fn entry(line: &[u8], top: &Path) -> Option<(PathBuf, GitEntry)> {
    let tab = line.iter().position(|it| *it == b'\t')?;
    let head = std::str::from_utf8(&line[..tab]).ok()?;
    let path = top.join(String::from_utf8_lossy(&line[tab + 1..]).as_ref());
    let mut words = head.split(' ');
    let (mode, kind, id) = (words.next()?, words.next()?, words.next()?.to_owned());
    let entry = match (mode, kind) {
        ("120000", _) => GitEntry::Link(id),
        (_, "blob") => GitEntry::File(id),
        _ => GitEntry::Directory,
    };
    Some((path, entry))
}

fn not_read(what: &'static str, words: &str) -> Failure {
    let finding = Diagnostic::error(NO_REVISION, what);
    let said = Some(words).filter(|it| !it.is_empty());
    let help = said.map(|it| message!("git says: {}", plain(it)));
    help.into_iter().fold(finding, Diagnostic::help).into()
}
