//! The common files of every package, laid out as below `/usr`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::Result;

use super::cargo::Build;
use super::{components, empty, execute};

/// The other names of the program.
pub(super) const LINKS: [&str; 2] = ["ytt", "jk"];

/// The man pages of the other names: the name, and the page that describes what it does.
const MAN_PAGES: [(&str, &str); 2] = [("ytt", "plumb"), ("jk", "plumb-generate")];

/// Completions: the shell, and the directory in which it looks for them.
const COMPLETIONS: [(&str, &str); 3] = [
    ("bash", "share/bash-completion/completions/plumb"),
    ("zsh", "share/zsh/site-functions/_plumb"),
    ("fish", "share/fish/vendor_completions.d/plumb.fish"),
];

const DOCUMENTS: &str = "share/doc/plumb";

pub(super) struct Tree {
    pub(super) path: PathBuf,
    file_name: &'static str,
}

impl Tree {
    /// Builds the program and creates the tree in the directory of the packages.
    pub(super) fn new(build: &Build, out: &Path) -> Result<Self> {
        let path = empty(out.join("tree"))?;
        let tree = Self { path, file_name: build.file_name() };
        let built = build.program()?;
        tree.create("bin")?;
        fs::copy(built, tree.program())?;
        for link in LINKS {
            alias(&tree.path.join("bin"), build.file_name(), link)?;
        }
        tree.create("share/man/man1")?;
        for page in crate::files::with_extension(&build.root.join("docs/man"), "1")? {
            fs::copy(
                &page,
                tree.path.join("share/man/man1").join(page.file_name().unwrap_or_default()),
            )?;
        }
        for (name, page) in MAN_PAGES {
            let text = format!(".so man1/{page}.1\n");
            tree.write(&format!("share/man/man1/{name}.1"), text.as_bytes())?;
        }
        for (shell, file) in COMPLETIONS {
            let script = execute(Command::new(tree.program()).args(["completion", shell]))?;
            tree.write(file, &script)?;
        }
        for name in ["LICENSE", "README.md", "CHANGELOG.md"] {
            tree.write(&format!("{DOCUMENTS}/{name}"), &fs::read(build.root.join(name))?)?;
        }
        let all = components::of(&build.metadata, "plumb-cli")?;
        let mut licences = components::licences(&all)?;
        if let Some(page) = &build.page {
            licences += "\nThe page of `plumb website` contains the following packages.\n\n";
            licences += &fs::read_to_string(page.join("licences.txt"))?;
        }
        fs::write(tree.licences(), licences)?;
        fs::write(tree.components(), components::cyclonedx(&all, build)?)?;
        Ok(tree)
    }

    pub(super) fn program(&self) -> PathBuf {
        self.path.join("bin").join(self.file_name)
    }

    /// The licences of all dependencies.
    pub(super) fn licences(&self) -> PathBuf {
        self.path.join(DOCUMENTS).join("THIRD-PARTY-LICENSES.txt")
    }

    /// The list of components.
    pub(super) fn components(&self) -> PathBuf {
        self.path.join(DOCUMENTS).join("plumb.cdx.json")
    }

    fn create(&self, folder: &str) -> Result<()> {
        Ok(fs::create_dir_all(self.path.join(folder))?)
    }

    fn write(&self, file: &str, text: &[u8]) -> Result<()> {
        if let Some((folder, _)) = file.rsplit_once('/') {
            self.create(folder)?;
        }
        Ok(fs::write(self.path.join(file), text)?)
    }
}

/// Gives the program in a folder another name.
#[cfg(unix)]
pub(super) fn alias(folder: &Path, program: &str, name: &str) -> Result<()> {
    Ok(std::os::unix::fs::symlink(program, folder.join(name))?)
}

/// Gives the program in a folder another name: a script, because links need a privilege on this
/// system.
#[cfg(not(unix))]
pub(super) fn alias(folder: &Path, program: &str, name: &str) -> Result<()> {
    let script = format!("@\"%~dp0{program}\" --compat={name} %*\r\n");
    Ok(fs::write(folder.join(format!("{name}.cmd")), script)?)
}
