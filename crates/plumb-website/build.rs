//! With the feature `page`: finds the files of the page, and writes the table that contains them.

#![expect(clippy::disallowed_methods, reason = "a build script reads files")]

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    if env::var_os("CARGO_FEATURE_PAGE").is_none() {
        return;
    }
    let here = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets it"));
    let page = here.join("../../web/dist");
    println!("cargo::rerun-if-changed={}", page.display());
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets it"));
    match table(&page) {
        Ok(table) => fs::write(out.join("page.rs"), table).expect("the directory is ours to write"),
        Err(error) => {
            println!("cargo::error=the page is not in web/dist: run web/make.sh ({error})");
        }
    }
}

/// The files of a directory that were compressed in both ways, as an expression.
fn table(directory: &Path) -> io::Result<String> {
    let mut names = Vec::new();
    for entry in fs::read_dir(directory)? {
        let name = entry?.file_name().into_string().map_err(|_| io::ErrorKind::InvalidData)?;
        names.extend(name.strip_suffix(".br").map(str::to_owned));
    }
    if !names.iter().any(|it| it == "index.html") {
        return Err(io::Error::new(io::ErrorKind::NotFound, "no index.html.br"));
    }
    names.sort();
    let mut table = String::from("&[\n");
    for name in names {
        let path = |suffix: &str| directory.join(format!("{name}{suffix}"));
        fs::metadata(path(".gz"))?;
        let (brotli, gzip) = (path(".br").display().to_string(), path(".gz").display().to_string());
        writeln!(
            table,
            "    Asset {{ name: {name:?}, brotli: include_bytes!({brotli:?}), gzip: include_bytes!({gzip:?}) }},"
        )
        .expect("a string can be written to");
    }
    table.push(']');
    Ok(table)
}
