//! The policy for symbolic links.
//!
//! A link in a directory of templates could lead to any file of the machine, so links are followed
//! only if their final target is allowed.

use std::path::{Path, PathBuf};

use plumb_diagnostic::{Code, Diagnostic, Failure};
use plumb_source::root::resolve;
use plumb_source::{World, WorldError, WorldErrorKind, lexical};

use crate::activity::Activity;
use crate::input_error::InputError;

/// The target of a symbolic link is not allowed.
///
/// Allow it, or a directory above it, with `--allow-symlink-destination`.
pub(crate) const SYMLINK_NOT_ALLOWED: Code = Code::new("input/symlink-not-allowed");

/// The target of a symbolic link does not exist, cannot be read, or is the link itself.
///
/// Change the link so that it leads to a file, or remove it.
pub(crate) const SYMLINK_BROKEN: Code = Code::new("input/symlink-broken");

/// Which symbolic links are followed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SymlinkPolicy {
    /// Every link is followed.
    AllowAll,
    /// Only links whose final target is one of these paths, or below one of them.
    AllowInto(Vec<PathBuf>),
}

impl Default for SymlinkPolicy {
    fn default() -> Self {
        Self::AllowInto(Vec::new())
    }
}

/// Rejects a link that the policy does not allow.
pub(crate) fn check(world: &dyn World, link: &Path, policy: &SymlinkPolicy) -> Result<(), Failure> {
    let SymlinkPolicy::AllowInto(allowed) = policy else {
        return Ok(());
    };
    let checking = || Activity::CheckSymlink(lexical::shown(link));
    let destination = match resolve(world, link) {
        Ok(destination) => destination,
        Err(error) if is_pipe(&error) => return Ok(()),
        Err(error) => {
            let error = InputError::BrokenSymlink { link: lexical::shown(link), error };
            let finding = Diagnostic::error(SYMLINK_BROKEN, error.message());
            return Err(finding.within(checking()).into());
        }
    };
    if is_in_any(world, &destination, allowed) {
        return Ok(());
    }
    let (link, destination) = (lexical::shown(link), lexical::shown(&destination));
    let message = InputError::SymlinkNotAllowed { link, destination }.message();
    let finding = Diagnostic::error(SYMLINK_NOT_ALLOWED, message).within(checking());
    Err(finding.help("allow it with --allow-symlink-destination PATH").into())
}

fn is_in_any(world: &dyn World, destination: &Path, allowed: &[PathBuf]) -> bool {
    let Ok(directory) = world.directory() else {
        return false;
    };
    let destination = lexical::absolute(destination, &directory);
    allowed.iter().any(|it| destination.starts_with(lexical::absolute(it, &directory)))
}

/// The shell's `<(command)` is a link to `/proc/NUMBER/fd/pipe:[NUMBER]`, which is not a file, so
/// such a link is not a risk.
fn is_pipe(error: &WorldError) -> bool {
    let steps: Vec<&str> = error.subject.split('/').collect();
    let is_number = |it: &str| !it.is_empty() && it.bytes().all(|byte| byte.is_ascii_digit());
    match steps[..] {
        ["", "proc", process, "fd", pipe] if error.kind == WorldErrorKind::NotFound => {
            let number = pipe.strip_prefix("pipe:[").and_then(|it| it.strip_suffix(']'));
            is_number(process) && number.is_some_and(is_number)
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_pipe_of_a_process_is_a_pipe() {
        let missing = |path: &str| WorldError::new("lstat", path, WorldErrorKind::NotFound);
        assert!(is_pipe(&missing("/proc/12/fd/pipe:[345]")));
        assert!(!is_pipe(&missing("/proc/12/fd/pipe:[]")));
        assert!(!is_pipe(&missing("/proc/self/fd/pipe:[345]")));
        assert!(!is_pipe(&missing("/home/proc/12/fd/pipe:[345]")));
    }
}
