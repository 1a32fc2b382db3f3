//! The root file system of a minimal container image, as an archive that
//! `packaging/image/Containerfile` unpacks.
//!
//! The program is statically linked. With glibc, a static program resolves host names only with
//! `/etc/hosts` and DNS. This is sufficient for an image; the other packages contain the
//! dynamically linked program.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};

use super::cargo::Build;
use super::tree::{LINKS, Tree, alias};
use super::{Outcome, archive, empty};

/// The CA certificates of this computer, for addresses that begin with `https://`.
const CERTIFICATES: &str = "etc/ssl/certs/ca-certificates.crt";

/// The user that programs in the image run as.
const USER: &str = "plumb:x:65532:65532::/work:/sbin/nologin\n";
const GROUP: &str = "plumb:x:65532:\n";

/// The program without shared libraries. Returns `None` if images are for another system than this
/// one.
pub(super) fn program(build: &Build) -> Result<Option<PathBuf>> {
    if !build.target.contains("linux") {
        return Ok(None);
    }
    let built = build.link(&["-C", "strip=symbols", "-C", "target-feature=+crt-static"])?;
    let kept = built.with_file_name("plumb-static");
    fs::copy(built, &kept).context("keeping the static program")?;
    Ok(Some(kept))
}

pub(super) fn write(
    build: &Build,
    tree: &Tree,
    program: Option<&Path>,
    out: &Path,
) -> Result<Outcome> {
    let Some(program) = program else {
        return Ok(Outcome::Skipped("images are made on Linux".into()));
    };
    let root = empty(out.join("image"))?;
    for name in ["usr/bin", "usr/share/doc/plumb", "etc/ssl/certs", "work"] {
        fs::create_dir_all(root.join(name))?;
    }
    fs::copy(program, root.join("usr/bin/plumb"))?;
    for link in LINKS {
        alias(&root.join("usr/bin"), "plumb", link)?;
    }
    for path in [tree.licences(), tree.components()] {
        let name = path.file_name().context("a file")?;
        fs::copy(&path, root.join("usr/share/doc/plumb").join(name))?;
    }
    fs::write(root.join("etc/passwd"), USER)?;
    fs::write(root.join("etc/group"), GROUP)?;
    fs::write(root.join("etc/nsswitch.conf"), "hosts: files dns\n")?;
    match fs::read(Path::new("/").join(CERTIFICATES)) {
        Ok(certificates) => fs::write(root.join(CERTIFICATES), certificates)?,
        Err(_) => println!("dist: image: no /{CERTIFICATES} here: https cannot be used in it"),
    }
    let path = out.join(format!("plumb-image-{}-{}.tar.gz", build.version, build.target));
    archive::pack(&path, &root, Path::new(""), build.time)?;
    Ok(Outcome::Made(vec![path]))
}
