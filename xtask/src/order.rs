//! `cargo xtask order`: records which functions small runs execute, so that the linker can place them next to each
//! other (`crates/plumb-cli/build.rs`; docs/performance.md, "Start-up").
//!
//! A name that is no longer in the program has no effect, and a new function is only placed less well. So the list is
//! written now and then, after larger changes.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context as _, Result, ensure};

use crate::instructions::{self, Run};

const LIST: &str = "crates/plumb-cli/order.txt";
const HEADER: &str = "\
# Functions that small runs execute, by crate: the linker places them next to each other.\n\
# Written by `cargo xtask order`.\n";

/// What `cargo xtask bench --start` measures comes first.
const FIRST: &str = "hot";
const SECOND: &str = "warm";

/// Constants of crates that the first runs use come first too, if there are at most so many bytes of them: larger ones
/// are tables, of which a run uses little.
const SMALL: u64 = 36_000;

/// The sections of functions by the name of the function: each with the crate that it is in.
type Sections = HashMap<String, Vec<(String, String)>>;

pub(crate) fn run(root: &Path) -> Result<()> {
    let directory = std::env::temp_dir().join(format!("plumb-order-{}", std::process::id()));
    fs::create_dir_all(&directory)?;
    let list = in_directory(root, &directory);
    fs::remove_dir_all(&directory)?;
    fs::write(root.join(LIST), list?)?;
    println!("{LIST} is written; `cargo build --release` links the programs with it");
    Ok(())
}

fn in_directory(root: &Path, directory: &Path) -> Result<String> {
    let map = directory.join("map");
    let status = Command::new("cargo")
        .args([
            "rustc",
            "--release",
            "--package",
            "plumb-cli",
            "--bin",
            "plumb",
            "--",
            "-C",
            "strip=none",
            "-C",
        ])
        .arg(format!("link-arg=-Wl,-Map={}", map.display()))
        .env("PLUMB_LINK", "plain")
        .current_dir(root)
        .status()?;
    ensure!(status.success(), "the build failed");
    let map = fs::read_to_string(map)?;
    let sections = sections(&map);
    ensure!(!sections.is_empty(), "the linker is not lld: its map is not understood");
    fs::write(directory.join("line.yml"), "a: #@ 1 + 1\n")?;
    fs::write(
        directory.join("line.js"),
        "export default [{ path: 'hello.yaml', value: { hello: 'world' } }];\n",
    )?;
    let run = |arguments: &[&str]| Run {
        name: arguments.join(" "),
        directory: directory.to_owned(),
        arguments: arguments.iter().map(|&it| it.to_owned()).collect(),
    };
    let first = vec![run(&["version"]), run(&["-f", "line.yml"])];
    let mut second = instructions::small(root)?;
    second.sort_by(|a, b| a.name.cmp(&b.name));
    second.push(run(&["generate", "--stdout", "line.js"]));
    let program = crate::target_directory()?.join("release/plumb");
    let (mut listed, mut used) = (BTreeSet::new(), BTreeSet::new());
    let mut list = HEADER.to_owned();
    for (group, runs) in [(FIRST, first), (SECOND, second)] {
        writeln!(list, "[{group}]")?;
        for run in runs {
            let executed = executed(&program, &run, directory)?;
            let found = executed.iter().filter_map(|it| sections.get(it)).flatten();
            let new: BTreeSet<_> = found.filter(|it| listed.insert((*it).clone())).collect();
            let mut crates: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
            for (krate, section) in new {
                crates.entry(krate).or_default().push(section);
            }
            writeln!(list, "# {}", run.name)?;
            for (krate, sections) in crates {
                if group == FIRST {
                    used.insert(krate.to_owned());
                }
                writeln!(list, "{krate}\n {}", sections.join("\n "))?;
            }
        }
    }
    let constants = constants(&map);
    used.retain(|it| constants.get(it).is_some_and(|&size| size <= SMALL));
    writeln!(list, "[data]\n{}", Vec::from_iter(used).join("\n"))?;
    Ok(list)
}

/// The functions of the program that a run executes, by their names in the program's table of symbols.
fn executed(program: &Path, run: &Run, directory: &Path) -> Result<BTreeSet<String>> {
    let profile = directory.join("profile");
    let status = Command::new("valgrind")
        .args(["--tool=callgrind", "--demangle=no"])
        .arg(format!("--callgrind-out-file={}", profile.display()))
        .arg(program)
        .args(&run.arguments)
        .current_dir(&run.directory)
        .env_clear()
        .env("PATH", std::env::var_os("PATH").unwrap_or_default())
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .context("starting valgrind")?;
    ensure!(status.code().is_some_and(|it| it < 2), "{} failed ({status})", run.name);
    Ok(functions(&fs::read_to_string(profile)?, &program.display().to_string()))
}

/// The functions of an object in a profile of callgrind, in which a name is written out only where it occurs first.
fn functions(profile: &str, object: &str) -> BTreeSet<String> {
    let (mut objects, mut names) = (HashMap::new(), HashMap::new());
    let mut is_ours = false;
    let mut found = BTreeSet::new();
    for line in profile.lines() {
        let Some((key, value)) = line.split_once('=') else { continue };
        let (id, text) = value.split_once(' ').unwrap_or((value, ""));
        match key {
            "ob" | "cob" => {
                if !text.is_empty() {
                    objects.insert(id, text);
                }
                is_ours = if key == "ob" { objects.get(id) == Some(&object) } else { is_ours };
            }
            "fn" | "cfn" => {
                if !text.is_empty() {
                    names.insert(id, text);
                }
                if key == "fn" && is_ours {
                    // A function that calls itself has a suffix such as '2.
                    let name = names.get(id).map(|it| it.split('\'').next().unwrap_or(it));
                    found.extend(name.map(str::to_owned));
                }
            }
            _ => {}
        }
    }
    found
}

/// The sections of a map that lld writes, with lines like
/// `1310  1310  5  16  /target/libplumb-0f.rlib(plumb.o):(.text._ZN5plumb3run17h0123456789abcdefE)`.
/// Hashes, which differ between versions of the compiler and of crates, become patterns.
fn sections(map: &str) -> Sections {
    let mut sections = Sections::new();
    for line in map.lines() {
        let Some((place, name)) = line.rsplit_once(":(.text.") else { continue };
        let (Some(name), Some(krate)) = (name.strip_suffix(')'), krate(place)) else { continue };
        let kinds = ["unlikely.", "startup.", "exit.", "hot."];
        let function = kinds.iter().find_map(|it| name.strip_prefix(it)).unwrap_or(name);
        sections.entry(function.to_owned()).or_default().push((krate.to_owned(), pattern(name)));
    }
    sections
}

/// The bytes of constants without addresses, by crate.
fn constants(map: &str) -> HashMap<String, u64> {
    let mut sizes = HashMap::new();
    for line in map.lines() {
        let Some((place, _)) = line.split_once(":(.rodata") else { continue };
        let size = place.split_whitespace().nth(2).and_then(|it| u64::from_str_radix(it, 16).ok());
        if let (Some(krate), Some(size)) = (krate(place), size) {
            *sizes.entry(krate.to_owned()).or_default() += size;
        }
    }
    sizes
}

/// The crate of a section: `plumb` in `…/libplumb-0123456789abcdef.rlib(…)`.
fn krate(place: &str) -> Option<&str> {
    let (library, _) = place.split_once(".rlib(")?;
    let (_, name) = library.rsplit_once("/lib")?;
    Some(name.rsplit_once('-')?.0)
}

/// The name of a section with patterns instead of hashes.
fn pattern(name: &str) -> String {
    const HASH: usize = "17h0123456789abcdefE".len();
    if let Some((path, hash)) = name.split_at_checked(name.len().saturating_sub(HASH))
        && hash.starts_with("17h")
        && hash.ends_with('E')
    {
        return format!("{path}17h*");
    }
    // In the other scheme, `Cs1a2B3c4D5e6_3std` is the crate `std`.
    let mut parts = name.split("Cs");
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let rest = part.split_once('_').filter(|(hash, rest)| {
            hash.bytes().all(|it| it.is_ascii_alphanumeric())
                && rest.starts_with(|it: char| it.is_ascii_digit())
        });
        match rest {
            Some((_, rest)) => out.extend(["Cs*_", rest]),
            None => out.extend(["Cs", part]),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_of_the_program_are_found() {
        let profile = "ob=(1) /lib/ld.so\nfn=(1) start\n1 2\ncob=(2) /plumb\ncfn=(2) main\ncalls=1 0\n\
                       ob=(2)\nfn=(2)\n1 2\ncfn=(1)\nfn=(3) deep'2\n";
        assert_eq!(Vec::from_iter(functions(profile, "/plumb")), ["deep", "main"]);
    }

    #[test]
    fn sections_have_a_crate_and_no_hash() {
        let map = "\
   1310   1310   5   16         /t/deps/libplumb_yaml-0f.rlib(plumb_yaml-0f.o):(.text._ZN4read17h0123456789abcdefE)
   1310   1310   5   16         /t/libstd-1.rlib(std-1.o):(.text.unlikely._RNvNtCsjrHSEGnQ3l9_3std2fs4read)
   1310   1310   5   16         /t/deps/plumb-1.o:(.text.main)
   1310   1310   5    1                 main
   1310   1310  10   16         /t/libstd-1.rlib(std-1.o):(.rodata)
   1310   1310  20   16         /t/libstd-1.rlib(std-1.o):(.rodata..Lanon.1)\n";
        let found = sections(map);
        let yaml = ("plumb_yaml".to_owned(), "_ZN4read17h*".to_owned());
        let std = ("std".to_owned(), "unlikely._RNvNtCs*_3std2fs4read".to_owned());
        assert_eq!(found["_ZN4read17h0123456789abcdefE"], [yaml]);
        assert_eq!(found["_RNvNtCsjrHSEGnQ3l9_3std2fs4read"], [std]);
        assert_eq!(found.len(), 2);
        assert_eq!(constants(map), HashMap::from([("std".to_owned(), 0x30)]));
    }
}
