//! Finds the input files of `-f` flags, in order.
//!
//! Each flag names a file, a directory, a URL or standard input, and may give it another name as
//! `NAME=PATH`. Files of one flag come before those of the next; files of a directory are sorted by
//! the bytes of their paths. This order determines the order of overlays and of the output.

use std::path::Path;
use std::sync::Arc;

use plumb_diagnostic::{Code, Diagnostic, Failure, SilentDrops, nearest};
use plumb_source::message::plain;
use plumb_source::{
    EntryKind, PATH_HELP, World, WorldError, WorldErrorKind, lexical, message, root,
};

use crate::activity::Activity;
use crate::file::{Content, InputFile};
use crate::input_error::InputError;
use crate::symlink::{self, SymlinkPolicy};

/// A path does not exist, or cannot be accessed.
///
/// Paths start from the working directory.
pub(crate) const NOT_FOUND: Code = Code::new("input/not-found");

/// A directory cannot be listed.
///
/// Change its permissions, or name its files one by one.
pub(crate) const NOT_LISTED: Code = Code::new("input/not-listed");

/// A path is a device or a socket, not a file.
///
/// Leave it out, or pass its content on standard input (`-f -`).
pub(crate) const NOT_A_FILE: Code = Code::new("input/not-a-file");

/// `NAME=PATH` has more than one `=`.
///
/// A path or URL that contains `=` cannot be given a name: pass its content with `-f NAME=-`.
pub(crate) const TWO_NAMES: Code = Code::new("input/two-names");

/// A directory was given a new name, but its files keep their names.
///
/// The name would have no effect. Leave it out, and rename files with `--file-mark
/// 'GLOB:path=NEW'`.
pub(crate) const RENAMED_DIRECTORY: Code = Code::new("input/renamed-directory");

/// A symbolic link leads to a directory, whose files are not read.
///
/// Give the directory itself to `-f`, or the link with a `/` after it.
pub(crate) const LINKED_DIRECTORY: Code = Code::new("input/linked-directory");

/// A directory that was given contains no files.
///
/// Nothing is read from it. Check the path: it starts from the working directory.
pub(crate) const EMPTY_DIRECTORY: Code = Code::new("input/empty-directory");

/// Input files, and warnings about those that were left out.
#[derive(Debug, Default)]
pub struct Collected {
    /// The files, in the order of input.
    pub files: Vec<InputFile>,
    /// Warnings, such as for a directory without files.
    pub warnings: Vec<Diagnostic>,
}

/// A file whose content is already known.
#[derive(Clone, Debug)]
pub struct GivenFile {
    /// The path by which the run refers to the file.
    pub path: String,
    /// The content.
    pub bytes: Arc<[u8]>,
}

/// Finds the files that the arguments of `-f` name. Fails if a path does not exist or a directory
/// cannot be listed.
pub fn collect(
    world: &dyn World,
    arguments: &[String],
    policy: &SymlinkPolicy,
    drops: SilentDrops,
) -> Result<Collected, Failure> {
    let mut collection = Collection { world, policy, drops, collected: Collected::default() };
    for argument in arguments {
        collection.add(argument)?;
    }
    if drops == SilentDrops::Refuse {
        collection.collected.files.iter_mut().for_each(InputFile::skip_byte_order_mark);
    }
    Ok(collection.collected)
}

/// Converts files whose content is already known to input files, in the given order.
pub fn given(files: &[GivenFile]) -> Vec<InputFile> {
    let content = |file: &GivenFile| Content::Given(Arc::clone(&file.bytes));
    files.iter().map(|file| InputFile::new(content(file), file.path.clone())).collect()
}

struct Collection<'a> {
    world: &'a dyn World,
    policy: &'a SymlinkPolicy,
    drops: SilentDrops,
    collected: Collected,
}

impl Collection<'_> {
    fn add(&mut self, argument: &str) -> Result<(), Failure> {
        let (name, path) = split_name(argument)?;
        let file = if path == "-" {
            InputFile::new(Content::Stdin(self.world.stdin()), "stdin.yml".to_owned())
        } else if path.starts_with("http://") || path.starts_with("https://") {
            let base = lexical::base_name(path).to_owned();
            InputFile::new(Content::Url(path.to_owned()), base)
        } else {
            match self.world.entry(Path::new(path)) {
                Ok(EntryKind::Directory) => return self.add_directory(name, path),
                Ok(kind) => self.local_file(Path::new(path), kind, base_name(path))?,
                Err(error) => return Err(self.not_found(path, &error)),
            }
        };
        self.push(file, name);
        Ok(())
    }

    fn push(&mut self, mut file: InputFile, name: Option<&str>) {
        if let Some(name) = name {
            file.rename(name.to_owned());
        }
        self.collected.files.push(file);
    }

    fn add_directory(&mut self, name: Option<&str>, path: &str) -> Result<(), Failure> {
        if let Some(name) = name {
            let message = message!(
                "the new name `{}` of the directory `{}` is not used",
                plain(lexical::one_line(name)),
                plain(lexical::one_line(path))
            );
            let help = "files of a directory keep their paths; use --file-mark 'GLOB:path=NEW' to change one";
            self.drop(Diagnostic::warning(RENAMED_DIRECTORY, message).help(help))?;
        }
        let mut files = self
            .walk(Path::new(path))
            .map_err(|failure| failure.within(Activity::ListFiles(path.to_owned())))?;
        if files.is_empty() && self.drops == SilentDrops::Refuse {
            let message =
                message!("the directory `{}` contains no files", plain(lexical::one_line(path)));
            let help = "check the path: it starts from the working directory";
            let warning = Diagnostic::warning(EMPTY_DIRECTORY, message).help(help);
            self.collected.warnings.push(warning);
        }
        files.sort_by(|left, right| left.path().cmp(right.path()));
        self.collected.files.append(&mut files);
        Ok(())
    }

    /// Returns all files below a directory. Uses an explicit stack: a tree may be deeper than the
    /// call stack.
    fn walk(&mut self, root: &Path) -> Result<Vec<InputFile>, Failure> {
        let mut files = Vec::new();
        let mut ahead = vec![(root.to_owned(), String::new(), EntryKind::Directory)];
        while let Some((path, below_root, kind)) = ahead.pop() {
            if kind != EntryKind::Directory {
                files.push(self.local_file(&path, kind, below_root)?);
                continue;
            }
            let entries = self.world.list(&path).map_err(|error| not_listed(&error))?;
            for entry in entries.into_iter().rev() {
                let name = entry.name.to_string_lossy();
                let below_root = match below_root.as_str() {
                    "" => name.into_owned(),
                    above => format!("{above}/{name}"),
                };
                ahead.push((lexical::clean(&path.join(&entry.name)), below_root, entry.kind));
            }
        }
        Ok(files)
    }

    fn local_file(
        &mut self,
        path: &Path,
        kind: EntryKind,
        found_as: String,
    ) -> Result<InputFile, Failure> {
        match kind {
            EntryKind::File | EntryKind::Pipe => {}
            EntryKind::Symlink => {
                symlink::check(self.world, path, self.policy)?;
                self.check_destination(path)?;
            }
            EntryKind::Directory | EntryKind::Other => {
                let message = InputError::NotRegular(lexical::shown(path)).message();
                let help = "leave it out, or pass its content on standard input with -f -";
                return Err(Diagnostic::error(NOT_A_FILE, message).help(help).into());
            }
        }
        Ok(InputFile::new(Content::Disk(path.to_owned()), found_as))
    }

    /// Warns if a link leads to a directory: it is not followed, because links can form cycles.
    fn check_destination(&mut self, link: &Path) -> Result<(), Failure> {
        let kind = root::resolve(self.world, link).and_then(|it| self.world.entry(&it));
        if kind != Ok(EntryKind::Directory) {
            return Ok(());
        }
        let link = plain(lexical::shown(link));
        let message =
            message!("the symbolic link `{}` leads to a directory, which is not read", link);
        let help = message!("name the directory itself with -f, or write -f {}/", link);
        self.drop(Diagnostic::warning(LINKED_DIRECTORY, message).help(help))
    }

    fn not_found(&self, path: &str, error: &WorldError) -> Failure {
        let finding = Diagnostic::error(NOT_FOUND, plain(error.words()));
        let finding = match (&error.kind, self.near(path)) {
            (WorldErrorKind::NotFound, Some(near)) => {
                finding.help(message!("did you mean `{}`?", plain(near)))
            }
            (WorldErrorKind::NotFound | WorldErrorKind::NotADirectory, _) => {
                finding.help(PATH_HELP)
            }
            _ => finding,
        };
        let finding = finding.with_facts(error.clone());
        Failure::from(finding).within(Activity::CheckFile(path.to_owned()))
    }

    /// Returns the path that was probably meant: one with a similar name in the same directory.
    fn near(&self, path: &str) -> Option<String> {
        let path = path.trim_end_matches('/');
        let (above, name) = match path.rsplit_once('/') {
            Some((above, name)) => (format!("{above}/"), name),
            None => (String::new(), path),
        };
        let directory = if above.is_empty() { "." } else { above.as_str() };
        let entries = self.world.list(Path::new(directory)).ok()?;
        let names: Vec<_> = entries.iter().map(|it| it.name.to_string_lossy()).collect();
        let near = nearest(name, names.iter().map(|it| &**it))?;
        Some(format!("{above}{near}"))
    }

    fn drop(&mut self, finding: Diagnostic) -> Result<(), Failure> {
        self.collected.warnings.push(self.drops.apply(finding).map_err(|it| *it)?);
        Ok(())
    }
}

/// Splits `NAME=PATH`. An empty name counts as no name.
fn split_name(argument: &str) -> Result<(Option<&str>, &str), Failure> {
    let Some((name, path)) = argument.split_once('=') else {
        return Ok((None, argument));
    };
    if !path.contains('=') {
        return Ok(((!name.is_empty()).then_some(name), path));
    }
    let message = InputError::SeveralNames(argument.to_owned()).message();
    let help =
        "a path or URL that contains `=` cannot be given a name; pass its content with -f NAME=-";
    Err(Diagnostic::error(TWO_NAMES, message).help(help).into())
}

/// Returns the last component of a path on disk.
fn base_name(path: &str) -> String {
    lexical::base_name(&path.replace(std::path::MAIN_SEPARATOR, "/")).to_owned()
}

fn not_listed(error: &WorldError) -> Failure {
    let finding = Diagnostic::error(NOT_LISTED, plain(error.words()));
    let finding = match error.kind {
        WorldErrorKind::PermissionDenied => finding
            .help("change its permissions so that you can list it, or name the files one by one"),
        _ => finding,
    };
    finding.with_facts(error.clone()).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_precedes_the_only_equals_sign() {
        assert_eq!(split_name("a.yml").expect("one name"), (None, "a.yml"));
        assert_eq!(split_name("b.yml=a.yml").expect("two names"), (Some("b.yml"), "a.yml"));
        assert_eq!(split_name("=a.yml").expect("no name"), (None, "a.yml"));
        assert!(split_name("a=b=c").is_err());
    }
}
