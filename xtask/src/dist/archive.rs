//! Archives whose bytes depend only on their content, and checksums of all packages.

use std::fmt::Write as _;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use anyhow::Result;
use flate2::Compression;
use flate2::write::GzEncoder;
use sha2::{Digest as _, Sha256};

use super::Outcome;
use super::cargo::Build;
use super::tree::Tree;

/// The tarball: a folder named after the archive, with the files for `/usr/local`.
pub(super) fn write(build: &Build, tree: &Tree, out: &Path) -> Result<Outcome> {
    let path = out.join(format!("{}.tar.gz", build.name()));
    pack(&path, &tree.path, Path::new(&build.name()), build.time)?;
    Ok(Outcome::Made(vec![path]))
}

/// Writes an archive of a folder, whose entries are below `name`.
pub(super) fn pack(path: &Path, folder: &Path, name: &Path, time: u64) -> Result<()> {
    let file = GzEncoder::new(File::create(path)?, Compression::best());
    let mut archive = tar::Builder::new(file);
    append(&mut archive, folder, name, time)?;
    archive.into_inner()?.finish()?;
    Ok(())
}

/// Appends a folder with everything in it, in the order of names, owned by root.
fn append(
    archive: &mut tar::Builder<impl io::Write>,
    folder: &Path,
    name: &Path,
    time: u64,
) -> Result<()> {
    let mut entries = fs::read_dir(folder)?.collect::<io::Result<Vec<_>>>()?;
    entries.sort_by_key(fs::DirEntry::file_name);
    for entry in entries {
        let (path, name) = (entry.path(), name.join(entry.file_name()));
        let mut header = tar::Header::new_gnu();
        header.set_mtime(time);
        header.set_uid(0);
        header.set_gid(0);
        header.set_size(0);
        let kind = entry.file_type()?;
        if kind.is_dir() {
            header.set_entry_type(tar::EntryType::Directory);
            header.set_mode(0o755);
            archive.append_data(&mut header, &name, io::empty())?;
            append(archive, &path, &name, time)?;
        } else if kind.is_symlink() {
            header.set_entry_type(tar::EntryType::Symlink);
            header.set_mode(0o777);
            archive.append_link(&mut header, &name, fs::read_link(&path)?)?;
        } else {
            let is_program = folder.ends_with("bin");
            header.set_mode(if is_program { 0o755 } else { 0o644 });
            header.set_size(entry.metadata()?.len());
            archive.append_data(&mut header, &name, File::open(&path)?)?;
        }
    }
    Ok(())
}

/// Writes `SHA256SUMS` for all files in a folder.
pub(super) fn checksums(folder: &Path) -> Result<()> {
    let mut lines = String::new();
    let mut entries = fs::read_dir(folder)?.collect::<io::Result<Vec<_>>>()?;
    entries.sort_by_key(fs::DirEntry::file_name);
    for entry in entries {
        let name = entry.file_name();
        if entry.file_type()?.is_file() && name != "SHA256SUMS" {
            writeln!(lines, "{}  {}", checksum(&entry.path())?, name.to_string_lossy())?;
        }
    }
    Ok(fs::write(folder.join("SHA256SUMS"), lines)?)
}

/// The SHA-256 of a file in hexadecimal digits.
pub(super) fn checksum(path: &Path) -> Result<String> {
    let digest = Sha256::digest(fs::read(path)?);
    let mut digits = String::new();
    for byte in digest {
        write!(digits, "{byte:02x}")?;
    }
    Ok(digits)
}

/// The archives in a folder, sorted.
pub(super) fn all(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut paths = crate::files::with_extension(folder, "gz")?;
    paths.retain(|it| it.to_string_lossy().ends_with(".tar.gz"));
    Ok(paths)
}
