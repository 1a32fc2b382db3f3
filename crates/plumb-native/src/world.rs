//! Files, standard input, network and environment of the process.

use std::fs::{self, File, FileType};
use std::io::{self, ErrorKind, Read, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use plumb_source::{Cores, Entry, EntryKind, OutputTree, Text, World, WorldError, WorldErrorKind};

use crate::{fetch, write};

/// The file system, standard input, network and environment of this process.
///
/// Lines that templates print go to standard error.
#[derive(Debug)]
pub struct NativeWorld {
    is_stdin_read: AtomicBool,
    /// The largest size of a file, standard input or an HTTP response, in bytes.
    max_size: u64,
}

/// The largest size of a source.
const MAX_SIZE: u64 = u32::MAX as u64;

impl Default for NativeWorld {
    fn default() -> Self {
        Self { is_stdin_read: AtomicBool::new(false), max_size: MAX_SIZE }
    }
}

impl NativeWorld {
    /// A world that fails to read more than this many bytes from one file, standard input or URL.
    pub fn with_max_size(bytes: u64) -> Self {
        Self { max_size: bytes.min(MAX_SIZE), ..Self::default() }
    }

    fn too_large(&self, path: &str) -> WorldError {
        let kind = match self.max_size {
            MAX_SIZE => WorldErrorKind::TooLarge,
            bytes => WorldErrorKind::Other(format!(
                "larger than the {} MiB that a file may have",
                bytes >> 20
            )),
        };
        WorldError::new("read", path, kind)
    }
}

impl World for NativeWorld {
    fn entry(&self, path: &Path) -> Result<EntryKind, WorldError> {
        let metadata =
            fs::symlink_metadata(path).map_err(|it| WorldError::from_io("lstat", path, &it))?;
        Ok(kind_of(metadata.file_type()))
    }

    fn list(&self, directory: &Path) -> Result<Vec<Entry>, WorldError> {
        let opened =
            fs::read_dir(directory).map_err(|it| WorldError::from_io("open", directory, &it))?;
        let mut entries = Vec::new();
        for entry in opened {
            let entry = entry.map_err(|it| WorldError::from_io("readdirent", directory, &it))?;
            let kind =
                entry.file_type().map_err(|it| WorldError::from_io("lstat", &entry.path(), &it))?;
            entries.push(Entry { name: entry.file_name().into(), kind: kind_of(kind) });
        }
        entries.sort_by(|left, right| left.name.as_os_str().cmp(right.name.as_os_str()));
        Ok(entries)
    }

    fn link_target(&self, link: &Path) -> Result<PathBuf, WorldError> {
        fs::read_link(link).map_err(|it| WorldError::from_io("readlink", link, &it))
    }

    fn read(&self, path: &Path) -> Result<Arc<[u8]>, WorldError> {
        let file = File::open(path).map_err(|it| WorldError::from_io("open", path, &it))?;
        let read =
            read_whole(file, self.max_size).map_err(|it| WorldError::from_io("read", path, &it))?;
        read.ok_or_else(|| self.too_large(&path.to_string_lossy()))
    }

    fn stdin(&self) -> Result<Arc<[u8]>, WorldError> {
        if self.is_stdin_read.swap(true, Ordering::Relaxed) {
            return Err(WorldError::new("", "", WorldErrorKind::AlreadyRead));
        }
        let mut bytes = Vec::new();
        let read = io::stdin().lock().take(self.max_size + 1).read_to_end(&mut bytes);
        read.map_err(|it| WorldError::from_io("read", Path::new("/dev/stdin"), &it))?;
        if bytes.len() as u64 > self.max_size {
            return Err(self.too_large("/dev/stdin"));
        }
        Ok(bytes.into())
    }

    fn fetch(&self, url: &str) -> Result<Arc<[u8]>, WorldError> {
        fetch::get(url, self.max_size)
    }

    fn environment(&self) -> Vec<(Text, Text)> {
        let text = |it: std::ffi::OsString| Text::from_bytes(it.as_encoded_bytes());
        std::env::vars_os().map(|(name, value)| (text(name), text(value))).collect()
    }

    fn directory(&self) -> Result<PathBuf, WorldError> {
        std::env::current_dir().map_err(|it| WorldError::from_io("getwd", Path::new("."), &it))
    }

    fn print(&self, line: &Text) {
        // Best effort: a closed standard error must not end the run.
        let _ = io::stderr().lock().write_all(format!("{line}\n").as_bytes());
    }

    fn cores(&self) -> Cores {
        Cores::new(std::thread::available_parallelism().map_or(1, usize::from))
    }

    fn write(&self, tree: &OutputTree<'_>) -> Result<(), WorldError> {
        write::write_tree(tree)
    }
}

/// Allocates memory of the right size first, so that a large file is never in memory twice. A pipe,
/// or a file that changes meanwhile, is read to its end. Returns `None` if it is too large.
fn read_whole(file: File, max_size: u64) -> io::Result<Option<Arc<[u8]>>> {
    let length = file.metadata()?.len();
    if length > max_size {
        return Ok(None);
    }
    let expected = usize::try_from(length).unwrap_or(usize::MAX);
    let mut file = file.take(max_size + 1);
    let mut rest = Vec::new();
    let is_within = |read: usize| read as u64 <= max_size;
    if expected == 0 {
        file.read_to_end(&mut rest)?;
        return Ok(is_within(rest.len()).then(|| rest.into()));
    }
    let mut whole: Arc<[u8]> = std::iter::repeat_n(0, expected).collect();
    let space = Arc::get_mut(&mut whole).expect("no one else has it yet");
    let mut filled = 0;
    while filled < expected {
        match file.read(&mut space[filled..]) {
            Ok(0) => return Ok(Some(space[..filled].into())),
            Ok(n) => filled += n,
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    file.read_to_end(&mut rest)?;
    let whole = if rest.is_empty() { whole } else { [&whole[..], &rest].concat().into() };
    Ok(is_within(whole.len()).then_some(whole))
}

fn kind_of(file_type: FileType) -> EntryKind {
    match () {
        () if file_type.is_file() => EntryKind::File,
        () if file_type.is_dir() => EntryKind::Directory,
        () if file_type.is_symlink() => EntryKind::Symlink,
        () if is_pipe(file_type) => EntryKind::Pipe,
        () => EntryKind::Other,
    }
}

#[cfg(unix)]
fn is_pipe(file_type: FileType) -> bool {
    use std::os::unix::fs::FileTypeExt as _;
    file_type.is_fifo()
}

#[cfg(not(unix))]
fn is_pipe(_: FileType) -> bool {
    false
}
