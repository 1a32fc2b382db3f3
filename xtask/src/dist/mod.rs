//! `cargo xtask dist`: packages for every channel, made from one build in `target/dist`.
//!
//! Each kind of package has a file. All of them contain a [`Tree`]: the program with its links, man
//! pages, completions and licences. A kind that needs a program which is not installed is skipped
//! with a message. At the end `packaging/try` installs every package that was made into an empty
//! directory, and renders an example.

mod archive;
mod cargo;
mod components;
mod deb;
mod image;
mod manifests;
mod npm;
mod page;
mod tree;
mod wheel;

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, Result, bail, ensure};

use tree::Tree;

// There is no `\` after the opening quote, because it would remove the spaces of the first line.
pub(crate) const HELP: &str = "  dist [KIND]... [--quick] [--url URL] [--plumb PATH]
                                 make packages in target/dist and try each of them; kinds are
                                 tarball, deb, wheel, npm, image and manifests (Homebrew, Scoop);
                                 --quick: with the program of `cargo build --release`
";

/// The kinds of packages, in the order in which they are made: manifests name the archives.
const KINDS: [&str; 6] = ["tarball", "deb", "wheel", "npm", "image", "manifests"];

/// The options of the command.
struct Options {
    kinds: Vec<String>,
    /// The address of the directory that users will download from.
    url: Option<String>,
    /// A program to use instead of building one, for manifests.
    plumb: Option<PathBuf>,
    profile: cargo::Profile,
}

/// The outcome for one kind of package.
enum Outcome {
    Made(Vec<PathBuf>),
    /// Skipped, because this program is missing, with a hint how to install it.
    Skipped(String),
}

pub(crate) fn run(root: &Path, arguments: &[String]) -> Result<()> {
    let options = parse(arguments)?;
    if options.kinds != ["manifests"] {
        page::build(root)?;
    }
    let build = cargo::Build::new(root, options.profile)?;
    let out = build.directory.join("dist");
    std::fs::create_dir_all(&out)?;
    if options.kinds == ["manifests"] {
        let plumb = match options.plumb {
            Some(path) => path,
            None => build.program()?,
        };
        let made = manifests::write(&build, &out, options.url.as_deref(), &plumb)?;
        return report("manifests", &Outcome::Made(made));
    }
    ensure!(options.plumb.is_none(), "--plumb is for `dist manifests` only");
    // The program is linked twice, first without shared libraries.
    let wants_image = options.kinds.iter().any(|it| it == "image");
    let program = if wants_image { image::program(&build)? } else { None };
    let tree = Tree::new(&build, &out)?;
    let mut trials = Vec::new();
    for kind in &options.kinds {
        let outcome = match kind.as_str() {
            "tarball" => archive::write(&build, &tree, &out),
            "deb" => deb::write(&build, &tree, &out),
            "wheel" => wheel::write(&build, &tree, &out),
            "npm" => npm::write(&build, &tree, &out),
            "image" => image::write(&build, &tree, program.as_deref(), &out),
            _ => manifests::write(&build, &out, options.url.as_deref(), &tree.program())
                .map(Outcome::Made),
        };
        let outcome = outcome.with_context(|| format!("making the {kind}"))?;
        report(kind, &outcome)?;
        if matches!(outcome, Outcome::Made(_)) && kind != "manifests" {
            trials.push(kind.as_str());
        }
    }
    for path in [tree.licences(), tree.components()] {
        std::fs::copy(&path, out.join(path.file_name().context("a file")?))?;
    }
    archive::checksums(&out)?;
    attempt(root, &out, &trials)
}

fn parse(arguments: &[String]) -> Result<Options> {
    let mut options =
        Options { kinds: Vec::new(), url: None, plumb: None, profile: cargo::Profile::ReleaseLto };
    let mut arguments = arguments.iter();
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--url" => options.url = Some(arguments.next().context("--url requires one")?.clone()),
            "--quick" => options.profile = cargo::Profile::Release,
            "--plumb" => {
                options.plumb = Some(arguments.next().context("--plumb requires a path")?.into());
            }
            kind if KINDS.contains(&kind) => options.kinds.push(kind.to_owned()),
            other => bail!("no such kind of package: {other} (kinds are {})", KINDS.join(", ")),
        }
    }
    if options.kinds.is_empty() {
        options.kinds = KINDS.map(str::to_owned).to_vec();
    }
    options.kinds.sort_by_key(|kind| KINDS.iter().position(|it| it == kind));
    Ok(options)
}

fn report(kind: &str, outcome: &Outcome) -> Result<()> {
    match outcome {
        Outcome::Made(paths) => {
            for path in paths {
                let size = std::fs::metadata(path)?.len();
                println!("dist: {kind}: {} ({size} bytes)", path.display());
            }
        }
        Outcome::Skipped(reason) => println!("dist: {kind}: SKIPPED: {reason}"),
    }
    Ok(())
}

/// Installs every package into an empty directory and renders the example `hello`.
fn attempt(root: &Path, out: &Path, kinds: &[&str]) -> Result<()> {
    let status = Command::new("sh")
        .arg(root.join("packaging/try"))
        .arg(out)
        .arg(root.join("examples/hello"))
        .args(kinds)
        .status()
        .context("running packaging/try (it needs sh)")?;
    ensure!(status.success(), "a package does not work");
    Ok(())
}

/// Whether a program can be started.
fn installed(program: &str, arguments: &[&str]) -> bool {
    let output = Command::new(program).args(arguments).output();
    output.is_ok_and(|it| it.status.success())
}

/// Runs a program. Its output is shown only if it fails.
fn execute(command: &mut Command) -> Result<Vec<u8>> {
    let output = command.output().with_context(|| format!("starting {command:?}"))?;
    ensure!(
        output.status.success(),
        "{command:?} failed:\n{}{}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    );
    Ok(output.stdout)
}

/// Moves the packages that a tool has written to the directory of all packages.
fn take(from: &Path, out: &Path) -> Result<Outcome> {
    let mut made = Vec::new();
    for entry in std::fs::read_dir(from)? {
        let entry = entry?;
        let path = out.join(entry.file_name());
        std::fs::rename(entry.path(), &path)?;
        made.push(path);
    }
    ensure!(!made.is_empty(), "no package was written");
    made.sort();
    std::fs::remove_dir(from)?;
    Ok(Outcome::Made(made))
}

/// Creates an empty directory, and removes an existing one first.
fn empty(path: PathBuf) -> Result<PathBuf> {
    if path.exists() {
        std::fs::remove_dir_all(&path)?;
    }
    std::fs::create_dir_all(&path)?;
    Ok(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_kinds_are_made_unless_some_are_named_and_manifests_come_last() {
        let words = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
        assert_eq!(parse(&[]).expect("no arguments").kinds, KINDS);
        let options = parse(&words("manifests deb --url https://example.com")).expect("kinds");
        assert_eq!(options.kinds, ["deb", "manifests"]);
        assert_eq!(options.url.as_deref(), Some("https://example.com"));
        assert!(parse(&words("rpm")).is_err());
    }
}
