//! Writes rendered files to a directory, with checks that protect existing files.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use plumb_diagnostic::{Code, Diagnostic, Failure};
use plumb_library::{InputFile, OutputError};
use plumb_source::message::plain;
use plumb_source::{
    Access, Occupant, OutputTree, World, WorldError, WorldErrorKind, lexical, message, root,
};

use crate::{OutputFile, print};

/// The output cannot be written.
///
/// The disk is full, the directory is not writable, or there is a directory at the path of a file.
/// The old files are unchanged: either all files are replaced, or none.
pub const NOT_WRITTEN: Code = Code::new("output/not-written");

/// Two results have the same path, so only one of them could be kept.
///
/// Files of a directory are written with their paths relative to it. A single file is written with
/// its name. Change one of the paths: `-f NAME=PATH`, or `--file-mark 'GLOB:path=NAME'`.
const SAME_PATH: Code = Code::new("output/same-path");

/// A directory that should be emptied may contain important files.
///
/// `--dangerous-emptied-output-directory` deletes everything in its directory. It rejects the root,
/// the working directory and the directories above it: use a directory that contains only output.
const NOT_EMPTIED: Code = Code::new("output/not-emptied");

/// The output directory is inside an input directory, so the results of an earlier run are read as
/// templates.
///
/// Keep templates in a separate directory (`-f config --output-files rendered`), or leave the
/// results out with `--file-mark 'rendered/**/*:exclude=true'`.
const READ_BACK: Code = Code::new("output/read-back");

/// Directories that are never emptied, as written on the command line.
const SUSPICIOUS: [&str; 4] = ["/", ".", "./", ""];

/// Fails if two files have the same path.
pub fn check_paths(files: &[OutputFile]) -> Result<(), Failure> {
    let mut seen = HashSet::new();
    match files.iter().find(|file| !seen.insert(&file.path)) {
        None => Ok(()),
        Some(file) => {
            let message = OutputError::SamePath(lexical::one_line(&file.path).into()).message();
            let help =
                "give one of them another path: -f NAME=PATH, or --file-mark 'GLOB:path=NAME'";
            Err(Diagnostic::error(SAME_PATH, message).help(help).into())
        }
    }
}

/// Writes all files, or none of them. Does not empty a directory that contains the working
/// directory. Returns the paths below the directory, with the contents that were written.
pub fn write(
    world: &dyn World,
    directory: &Path,
    occupant: Occupant,
    files: &[OutputFile],
) -> Result<Vec<(PathBuf, Vec<u8>)>, Failure> {
    if occupant == Occupant::Removed {
        check_directory(world, directory)?;
    }
    let files = print::files(files);
    let tree = OutputTree { directory, occupant, access: Access::Owner, files: &files };
    world.write(&tree).map_err(|error| not_written(&error))?;
    Ok(files)
}

/// Returns a warning if templates of this run are in the output directory, and that directory
/// itself was not given as input. Returns `None` otherwise.
pub fn read_back(world: &dyn World, directory: &Path, inputs: &[InputFile]) -> Option<Diagnostic> {
    let here = world.directory().ok()?;
    let output = lexical::absolute(directory, &here);
    let mut before = None;
    let read = inputs.iter().filter(|it| it.is_for_output()).filter_map(|it| {
        // The answer is the same for all files of a directory, which are consecutive.
        let below = it.original_path().rsplit_once('/').map(|(directory, _)| directory);
        let directory = (it.disk_path()?.parent().map(Path::as_os_str), below);
        if before.replace(directory) == Some(directory) {
            return None;
        }
        let path = lexical::absolute(it.disk_path()?, &here);
        // After its path below the argument of `-f` is removed, that argument remains.
        let n_below = Path::new(it.original_path()).components().count();
        let argument = path.ancestors().nth(n_below)?;
        let is_inside = output.starts_with(argument) && output != argument;
        (is_inside && path.starts_with(&output)).then(|| it.disk_path()).flatten()
    });
    let first = lexical::shown({ read }.next()?);
    let message =
        message!("the output directory is read as input: `{}` is used as a template", plain(first));
    let shown = lexical::shown(directory);
    Some(
        Diagnostic::warning(READ_BACK, message)
            .help("give -f a directory that does not contain the output")
            .help(message!("or exclude it: --file-mark '{}/**/*:exclude=true'", plain(shown))),
    )
}

/// Fails if the directory is the root, the working directory, or a directory that contains it.
fn check_directory(world: &dyn World, directory: &Path) -> Result<(), Failure> {
    let here = world.directory().map_err(|error| not_written(&error))?;
    let whole = lexical::absolute(directory, &here);
    // A link may lead to a directory that contains the working directory. A missing directory
    // cannot.
    let resolved = root::resolve(world, &whole).unwrap_or_else(|_| whole.clone());
    let is_suspicious = SUSPICIOUS.iter().any(|it| directory == Path::new(it))
        || here.starts_with(whole)
        || here.starts_with(resolved);
    if !is_suspicious {
        return Ok(());
    }
    let help = "name a directory that contains only output";
    Err(Diagnostic::error(NOT_EMPTIED, OutputError::NotEmptied.message()).help(help).into())
}

/// The failure of a run whose files cannot be written.
pub fn not_written(error: &WorldError) -> Failure {
    let finding = Diagnostic::error(NOT_WRITTEN, plain(error.words()));
    let finding = match error.kind {
        WorldErrorKind::PermissionDenied => {
            finding.help("choose a directory that you may write to")
        }
        _ => finding,
    };
    finding.with_facts(error.clone()).into()
}
