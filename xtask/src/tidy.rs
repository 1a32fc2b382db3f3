//! `cargo xtask tidy`: rules of the repository that the compiler does not check. Each rule is also
//! a test.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};

use crate::{annotations, codes, doctests, files, manual, modules, names, shapes, tables, words};

pub(crate) fn run(root: &Path) -> Result<()> {
    let problems = [
        layers(root)?,
        owners(root)?,
        packages(root)?,
        keywords(root)?,
        annotations::problems(root)?,
        peers(root)?,
        case_titles(root)?,
        modules::circles(root)?,
        shapes::small_files(root)?,
        shapes::scattered_types(root)?,
        manual::problems(root)?,
        tables::problems(root)?,
        readmes(root)?,
        versions(root)?,
        doctests::problems(root)?,
        codes::problems(root)?,
        names::problems(root)?,
        words::rejected(root)?,
        words::undocumented(root)?,
    ]
    .concat();
    ensure!(problems.is_empty(), "untidy:\n{}", problems.join("\n"));
    Ok(())
}

/// The maximum number of lines of ARCHITECTURE.md: two screens.
const MAX_ARCHITECTURE: usize = 100;

/// Compares the dependencies of crates with those that the layer table of ARCHITECTURE.md allows.
fn layers(root: &Path) -> Result<Vec<String>> {
    let architecture = std::fs::read_to_string(root.join("ARCHITECTURE.md"))?;
    let allowed = layer_table(&architecture);
    let mut problems = Vec::new();
    let n_lines = architecture.lines().count();
    if n_lines > MAX_ARCHITECTURE {
        problems
            .push(format!("ARCHITECTURE.md has {n_lines} lines, at most {MAX_ARCHITECTURE} fit"));
    }
    let used = used_crates(root)?;
    for (name, uses) in &used {
        let Some(may_use) = allowed.get(name) else {
            problems.push(format!("ARCHITECTURE.md does not list {name}"));
            continue;
        };
        let beyond = uses.difference(may_use);
        problems.extend(beyond.map(|it| format!("{name} uses {it}; ARCHITECTURE.md forbids it")));
    }
    let gone = allowed.keys().filter(|name| !used.contains_key(*name));
    problems.extend(gone.map(|name| format!("ARCHITECTURE.md lists {name}, which does not exist")));
    Ok(problems)
}

/// Files that repeat the version of the workspace: the manual, and packages that others install.
const VERSIONS: [(&str, &str); 2] = [
    ("docs/book.toml", "title = \"Plumb {}\""),
    ("packaging/ci/gitlab.yml", "PLUMB_VERSION: \"{}\""),
];

/// Compares the version in files with the version of the workspace.
fn versions(root: &Path) -> Result<Vec<String>> {
    let manifest: toml::Table = std::fs::read_to_string(root.join("Cargo.toml"))?.parse()?;
    let version = manifest["workspace"]["package"]["version"].as_str().context("a version")?;
    let mut problems = Vec::new();
    for (file, line) in VERSIONS {
        let line = line.replace("{}", version);
        if !std::fs::read_to_string(root.join(file))?.contains(&line) {
            problems.push(format!("{file} must contain `{line}`"));
        }
    }
    let dependencies = manifest["workspace"]["dependencies"].as_table().context("dependencies")?;
    let required = dependencies.iter().filter_map(|(name, it)| Some((name, it.get("version")?)));
    let ours = required.filter(|(name, _)| *name == "plumb" || name.starts_with("plumb-"));
    let others = ours.filter(|(_, it)| it.as_str() != Some(version));
    problems.extend(others.map(|(name, _)| format!("Cargo.toml must require {name} {version}")));
    Ok(problems)
}

/// Compares the README of each crate with its manifest: the first paragraph must be the
/// description.
fn readmes(root: &Path) -> Result<Vec<String>> {
    let mut problems = Vec::new();
    for entry in std::fs::read_dir(root.join("crates"))? {
        let folder = entry?.path();
        let manifest: toml::Table = std::fs::read_to_string(folder.join("Cargo.toml"))?.parse()?;
        let package = &manifest["package"];
        let [name, description] = ["name", "description"]
            .map(|key| package.get(key).and_then(toml::Value::as_str).unwrap_or_default());
        let readme = std::fs::read_to_string(folder.join("README.md")).unwrap_or_default();
        if !readme.starts_with(&format!("# {name}\n\n{description}.\n")) {
            let shown = folder.strip_prefix(root)?.display();
            problems
                .push(format!("{shown}/README.md must begin with the description in Cargo.toml"));
        }
    }
    problems.sort();
    Ok(problems)
}

/// Finds code that repeats a function of another crate.
fn owners(root: &Path) -> Result<Vec<String>> {
    let mut problems = Vec::new();
    for path in files::with_extension(&root.join("crates"), "rs")? {
        let text = std::fs::read_to_string(&path)?;
        let is_owner = path.starts_with(root.join("crates/plumb-diagnostic"));
        let numbers = labels_of_optional_places(&text).filter(|_| !is_owner);
        let shown = path.strip_prefix(root)?.display();
        problems.extend(numbers.map(|it| format!("{shown}:{it}: use Diagnostic::at instead")));
        let numbers = followed_links(&text).filter(|_| !follows_links(&path));
        problems.extend(numbers.map(|it| format!("{shown}:{it}: use plumb_source::root instead")));
        for owner in
            OWNERS.iter().filter(|it| it.applies_to(path.strip_prefix(root).unwrap_or(&path)))
        {
            let numbers = owner.repeated_in(&text);
            problems.extend(numbers.map(|it| format!("{shown}:{it}: use {} instead", owner.item)));
        }
    }
    Ok(problems)
}

/// An item that must be implemented only once, and how to recognize code that repeats it.
struct Owner {
    item: &'static str,
    /// The file of the item.
    file: &'static str,
    /// Prefixes of other paths that may contain the marks.
    others: &'static [&'static str],
    marks: &'static [&'static str],
}

const OWNERS: [Owner; 4] = [
    Owner {
        item: "plumb_source::spelling",
        file: "crates/plumb-source/src/spelling.rs",
        // It converts words to letters before it uses that function.
        others: &["crates/plumb-kubevirt/src/spell.rs"],
        marks: &["fn distance(", "fn distance_", "fn edit_distance", "levenshtein", "strsim"],
    },
    Owner {
        item: "plumb_yaml::json",
        file: "crates/plumb-yaml/src/json.rs",
        others: &[],
        marks: &["looking for beginning of", "after object key", "after array element"],
    },
    Owner {
        item: "plumb_jsonschema::percent_decoded",
        file: "crates/plumb-jsonschema/src/uri.rs",
        // They reject invalid escapes, each as its specification requires.
        others: &["crates/plumb-cel/src/functions/url.rs", "crates/plumb-stdlib/src/url_escape.rs"],
        marks: &["first == b'%'", "fn percent_decode"],
    },
    Owner {
        item: "a name that begins with MAX_ or MIN_",
        file: "",
        others: &[],
        marks: &["const MOST_", "const LEAST_", "const MOST:", "const LEAST: usize"],
    },
];

impl Owner {
    /// Whether a file must not repeat the item. Its path starts at the root of the repository.
    fn applies_to(&self, path: &Path) -> bool {
        let path = path.to_string_lossy().replace('\\', "/");
        let is_test = path.contains("/tests/") || path.contains("/tests.rs");
        !is_test && path != self.file && !self.others.iter().any(|it| path.starts_with(it))
    }

    /// The numbers of lines outside of tests that repeat the item.
    fn repeated_in(&self, text: &str) -> impl Iterator<Item = usize> {
        let lines = words::before_tests(text).lines().enumerate();
        let is_method = |line: &str| line.contains("(&self");
        lines
            .filter(move |(_, line)| self.marks.iter().any(|mark| line.contains(mark)))
            .filter(move |(_, line)| !is_method(line))
            .map(|(at, _)| at + 1)
    }
}

/// Packages of others that do the work of a crate of ours. docs/design gives the reasons. Tests may
/// compare ours with them.
const OTHER_PACKAGES: [(&str, &str); 8] = [
    ("boon", "plumb_jsonschema"),
    ("cel", "plumb_cel"),
    ("clap", "plumb_flags"),
    ("edit-distance", "plumb_source::spelling"),
    ("jsonschema", "plumb_jsonschema"),
    ("serde_yaml", "plumb_yaml"),
    ("starlark", "plumb_starlark"),
    ("strsim", "plumb_source::spelling"),
];

/// Finds crates that use a package which repeats a crate of ours.
fn packages(root: &Path) -> Result<Vec<String>> {
    let mut problems = Vec::new();
    for entry in std::fs::read_dir(root.join("crates"))? {
        let path = entry?.path().join("Cargo.toml");
        let manifest: toml::Table = std::fs::read_to_string(&path)?.parse()?;
        let shown = path.strip_prefix(root)?.display();
        for name in packages_of(&manifest) {
            let ours = OTHER_PACKAGES.iter().find(|(other, _)| other == name);
            problems.extend(ours.map(|(_, ours)| format!("{shown}: use {ours} instead of {name}")));
        }
    }
    problems.sort();
    Ok(problems)
}

/// The numbers of lines that add a label for an optional place by hand: one line adds the label,
/// and the next line returns the finding unchanged.
fn labels_of_optional_places(text: &str) -> impl Iterator<Item = usize> {
    let pairs = text.lines().zip(text.lines().skip(1)).enumerate();
    pairs.filter_map(|(index, (some, none))| {
        let (name, rest) = some.trim().strip_prefix("Some(span) => ")?.split_once('.')?;
        let is_repeated = rest.starts_with("label(span, ")
            && none.trim().strip_prefix("None => ").is_some_and(|it| it.starts_with(name));
        is_repeated.then_some(index + 1)
    })
}

/// Worlds that delegate every call to another world.
const WORLDS_ABOVE_OTHERS: [&str; 5] = [
    "plumb-cli/src/git.rs",
    "plumb-project/src/cache.rs",
    "plumb-project/src/target_world.rs",
    "plumb-project/src/unwritten.rs",
    "plumb-source/src/world.rs",
];

/// Whether a file may follow symbolic links: the file of `plumb_source::root`, worlds above others,
/// and tests, which compare results with the operating system.
fn follows_links(path: &Path) -> bool {
    let is_test = path
        .components()
        .any(|it| matches!(it.as_os_str().to_str(), Some("tests" | "examples" | "plumb-testkit")));
    let is_world = WORLDS_ABOVE_OTHERS.iter().any(|it| path.ends_with(it));
    is_test || is_world || path.ends_with("plumb-source/src/root.rs")
}

/// The numbers of lines that read the target of a symbolic link.
fn followed_links(text: &str) -> impl Iterator<Item = usize> {
    let asks = [".link_target(", "World::link_target", "canonicalize("];
    let lines = text.lines().enumerate();
    lines.filter(move |(_, line)| asks.iter().any(|it| line.contains(it))).map(|(at, _)| at + 1)
}

/// Reads rows such as ``| `plumb-yaml` | purpose | source, value |``, with names without their
/// prefix.
fn layer_table(architecture: &str) -> BTreeMap<String, BTreeSet<String>> {
    let mut table = BTreeMap::new();
    for line in architecture.lines() {
        let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
        let [name, _, may_use] = cells[..] else { continue };
        let Some(name) = name.strip_prefix('`').and_then(|it| it.strip_suffix('`')) else {
            continue;
        };
        let may_use = may_use.split(", ").filter(|it| !it.is_empty() && *it != "–");
        table.insert(name.to_owned(), may_use.map(crate_name).collect());
    }
    table
}

fn crate_name(short: &str) -> String {
    match short {
        "plumb" => short.to_owned(),
        _ => format!("plumb-{short}"),
    }
}

/// The workspace crates that each crate uses: under `[dependencies]`, for some platforms, and to
/// build. Tests may use any crate.
fn used_crates(root: &Path) -> Result<BTreeMap<String, BTreeSet<String>>> {
    let mut used = BTreeMap::new();
    for entry in std::fs::read_dir(root.join("crates"))? {
        let path = entry?.path().join("Cargo.toml");
        let manifest: toml::Table = std::fs::read_to_string(&path)
            .with_context(|| format!("reading {}", path.display()))?
            .parse()?;
        let name = manifest["package"]["name"].as_str().context("a package has a name")?;
        used.insert(name.to_owned(), dependencies(&manifest));
    }
    Ok(used)
}

fn dependencies(manifest: &toml::Table) -> BTreeSet<String> {
    let names = packages_of(manifest);
    names.filter(|it| *it == "plumb" || it.starts_with("plumb-")).cloned().collect()
}

/// The names of the packages that a crate uses, except those of its tests.
fn packages_of(manifest: &toml::Table) -> impl Iterator<Item = &String> {
    let platforms = manifest.get("target").and_then(toml::Value::as_table).into_iter();
    let platforms = platforms.flat_map(toml::Table::values).filter_map(toml::Value::as_table);
    let tables = platforms.chain([manifest]);
    let sections = tables.flat_map(|it| [it.get("dependencies"), it.get("build-dependencies")]);
    sections.flatten().filter_map(toml::Value::as_table).flat_map(toml::Table::keys)
}

/// The code that may contain the words of other programs: the crate with ytt's words, the renderer
/// with jk's words, and the code that selects them.
const PEERS: [&str; 4] =
    ["crates/plumb-peer/", "crates/plumb-generate/src/", "crates/plumb/src/", "crates/plumb-cli/"];

/// Finds code outside of [`PEERS`] that contains words of another program. A stage attaches facts,
/// and `plumb-peer` turns them into ytt's words.
fn peers(root: &Path) -> Result<Vec<String>> {
    let mut problems = Vec::new();
    for path in files::with_extension(&root.join("crates"), "rs")? {
        let shown = path.strip_prefix(root)?.to_string_lossy().replace('\\', "/");
        let is_test = shown.contains("/tests/") || shown.contains("/tests.rs");
        if is_test || PEERS.iter().any(|it| shown.starts_with(it)) {
            continue;
        }
        let text = std::fs::read_to_string(&path)?;
        let numbers = words_of_peers(&text);
        problems.extend(
            numbers.map(|it| format!("{shown}:{it}: attach facts, and word them in plumb-peer")),
        );
    }
    Ok(problems)
}

/// The numbers of lines outside of tests that name a peer, or contain the beginning of an error of
/// ytt.
fn words_of_peers(text: &str) -> impl Iterator<Item = usize> {
    const BEGINNINGS: [&str; 8] = [
        "(in following order: ",
        "\"Extracting data value",
        "\"Unmarshaling YAML",
        "\"Deserializing ",
        "\"Validating final ",
        "\"starlark.",
        "\"*starlark.",
        "strconv.Parse",
    ];
    let lines = words::before_tests(text).lines().enumerate();
    let names_peer = |line: &str| {
        let mut words = line.split(|it: char| !it.is_ascii_alphabetic());
        words.any(|it| it.eq_ignore_ascii_case("peer"))
    };
    let begins = |line: &str| BEGINNINGS.iter().any(|it| line.contains(it));
    lines.filter(move |(_, line)| names_peer(line) || begins(line)).map(|(at, _)| at + 1)
}

/// The table of the keywords of schemas.
const KEYWORD_TABLE: &str = "crates/plumb-jsonschema/src/keyword.rs";

/// Files about other languages, which have keys with the same names.
const OTHER_LANGUAGES: [&str; 4] = [
    "crates/plumb-kubevirt/src/export/policy.rs",
    "crates/plumb-kubevirt/src/rule",
    "crates/plumb-kubevirt/src/spell.rs",
    "crates/plumb-report/src/sarif.rs",
];

/// Checks that keywords of schemas are spelled only in one table. A name that is also a common
/// word, such as `type`, may be a string elsewhere; an unambiguous name, such as `minLength`, may
/// not.
fn keywords(root: &Path) -> Result<Vec<String>> {
    let table = std::fs::read_to_string(root.join(KEYWORD_TABLE))?;
    let names: Vec<&str> =
        table.lines().filter_map(keyword_of_row).filter(|it| is_telling(it)).collect();
    ensure!(!names.is_empty(), "{KEYWORD_TABLE} has no rows");
    let mut problems = Vec::new();
    for path in files::with_extension(&root.join("crates"), "rs")? {
        let is_test = path
            .components()
            .any(|it| matches!(it.as_os_str().to_str(), Some("tests" | "examples")));
        let is_owner = path.starts_with(root.join("crates/plumb-jsonschema"));
        if is_test || is_owner || OTHER_LANGUAGES.iter().any(|it| path.starts_with(root.join(it))) {
            continue;
        }
        let text = std::fs::read_to_string(&path)?;
        let code = words::before_tests(&text);
        let code =
            code.lines().enumerate().filter(|(_, line)| !line.trim_start().starts_with("//"));
        for (at, line) in code {
            let spelled = names.iter().filter(|it| line.contains(&format!("\"{it}\"")));
            problems.extend(spelled.map(|it| {
                let path = path.strip_prefix(root).unwrap_or(&path).display();
                format!("{path}:{}: use plumb_jsonschema::Keyword for `{it}`", at + 1)
            }));
        }
    }
    Ok(problems)
}

/// The name in a row such as `    MinLength = "minLength": Count, Validation, ALL;`.
fn keyword_of_row(line: &str) -> Option<&str> {
    let (_, rest) = line.strip_suffix(';')?.split_once(" = \"")?;
    rest.split_once("\": ").map(|(name, _)| name)
}

fn is_telling(name: &str) -> bool {
    name.starts_with(['$'])
        || name.starts_with("x-")
        || name.contains(|it: char| it.is_ascii_uppercase())
}

/// Checks that no two cases have the same title, because it is the name of the test. In the manual
/// and the examples, a section without a console is not a case.
fn case_titles(root: &Path) -> Result<Vec<String>> {
    let mut seen: BTreeMap<String, PathBuf> = BTreeMap::new();
    let mut problems = Vec::new();
    for path in files::case_files(root)? {
        let text = std::fs::read_to_string(&path)?;
        let is_of_crate = path.starts_with(root.join("crates"));
        for section in manual::sections(&text).filter(|it| is_of_crate || it.has_console) {
            if let Some(other) = seen.insert(section.title.to_owned(), path.clone()) {
                let (title, path, other) = (section.title, path.display(), other.display());
                problems.push(format!("two cases are called `{title}`: {other} and {path}"));
            }
        }
    }
    Ok(problems)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::Scratch;

    #[test]
    fn the_repository_keeps_its_own_rules() {
        run(&crate::root()).expect("a tidy repository");
    }

    #[test]
    fn a_crate_that_uses_another_layer_is_found() {
        let manifest =
            "[package]\nname = \"plumb-a\"\n[dependencies]\nplumb-b = \"1\"\nserde = \"1\"\n";
        let files = [
            ("crates/plumb-a/Cargo.toml", manifest),
            ("crates/plumb-c/Cargo.toml", "[package]\nname = \"plumb-c\"\n"),
            ("ARCHITECTURE.md", "| `plumb-a` | x | source |\n| `plumb-d` | x | – |\n"),
        ];
        let scratch = Scratch::new("layers", &files);
        let expected = [
            "plumb-a uses plumb-b; ARCHITECTURE.md forbids it",
            "ARCHITECTURE.md does not list plumb-c",
            "ARCHITECTURE.md lists plumb-d, which does not exist",
        ];
        assert_eq!(layers(&scratch.0).expect("a repository"), expected);
        let long = "| `plumb-c` | x | – |\n".repeat(101);
        let files = [files[1], ("ARCHITECTURE.md", &*long)];
        let scratch = Scratch::new("long-layers", &files);
        let expected = ["ARCHITECTURE.md has 101 lines, at most 100 fit"];
        assert_eq!(layers(&scratch.0).expect("a repository"), expected);
    }

    #[test]
    fn a_package_that_repeats_a_crate_is_found() {
        let manifest = "[dependencies]\njsonschema = \"1\"\n[dev-dependencies]\ncel = \"1\"\n";
        let scratch = Scratch::new("packages", &[("crates/a/Cargo.toml", manifest)]);
        let expected = ["crates/a/Cargo.toml: use plumb_jsonschema instead of jsonschema"];
        assert_eq!(packages(&scratch.0).expect("a repository"), expected);
    }

    #[test]
    fn cases_of_the_same_name_are_found() {
        let files = [
            ("crates/a/cases/one.md", "## A case\n\n## Another\n"),
            ("docs/src/two.md", "## A case\n\n```console\n$ x\n```\n\n## Another\n"),
            ("examples/README.md", ""),
        ];
        let scratch = Scratch::new("titles", &files);
        let problems = case_titles(&scratch.0).expect("a repository");
        assert_eq!(problems.len(), 1, "the second `Another` has no console, so it is not a case");
        assert!(problems[0].starts_with("two cases are called `A case`"));
    }

    #[test]
    fn keywords_and_links_are_found_in_files() {
        let files = [
            (KEYWORD_TABLE, "    MinLength = \"minLength\": Count, Validation, ALL;\n"),
            ("crates/a/src/lib.rs", "// \"minLength\"\nlet it = \"minLength\";\n"),
            ("crates/a/src/link.rs", "world.link_target(path)\n"),
            ("crates/plumb-stdlib/src/x.rs", "let peer = 1;\n"),
        ];
        let scratch = Scratch::new("files", &files);
        let expected = "crates/a/src/lib.rs:2: use plumb_jsonschema::Keyword for `minLength`";
        assert_eq!(keywords(&scratch.0).expect("a repository"), [expected]);
        let expected = "crates/a/src/link.rs:1: use plumb_source::root instead";
        assert_eq!(owners(&scratch.0).expect("a repository"), [expected]);
        let expected = "crates/plumb-stdlib/src/x.rs:1: attach facts, and word them in plumb-peer";
        assert_eq!(peers(&scratch.0).expect("a repository"), [expected]);
    }

    #[test]
    fn a_label_of_an_optional_place_is_found() {
        let text =
            "match it {\n    Some(span) => finding.label(span, \"\"),\n    None => finding,\n}";
        assert_eq!(labels_of_optional_places(text).collect::<Vec<_>>(), [2]);
        let other = text.replace("None => finding,", "None => return,");
        assert_eq!(labels_of_optional_places(&other).count(), 0);
    }

    #[test]
    fn code_that_follows_links_is_found() {
        let text =
            "fn f() {\n    let it = world.link_target(path)?;\n    fs::canonicalize(path)\n}";
        assert_eq!(followed_links(text).collect::<Vec<_>>(), [2, 3]);
        let definition = "    fn link_target(&self, link: &Path) -> Result<PathBuf, WorldError>;";
        assert_eq!(followed_links(definition).count(), 0);
        assert!(follows_links(Path::new("crates/plumb-source/src/root.rs")));
        assert!(!follows_links(Path::new("crates/plumb-generate/src/root.rs")));
    }

    #[test]
    fn words_of_another_program_are_found() {
        let text = "let peer_line = 1;\nlet it = it.in_peer_words();\nwithin(\"Deserializing YAML value\")\n\
                    term(\"a boolean\", \"starlark.Bool\")\nlet whisper = 1;\n\
                    use x::Peer;\n#[cfg(test)]\nmod tests {\nlet peer = 3;";
        assert_eq!(words_of_peers(text).collect::<Vec<_>>(), [1, 2, 3, 4, 6]);
    }

    #[test]
    fn an_item_that_is_repeated_is_found() {
        let [spelling, json, percent, limits] = &OWNERS;
        let text = "fn distance(from: &str, to: &str) -> usize {\n}\n#[cfg(test)]\nmod tests {\nfn distance() {}";
        assert_eq!(spelling.repeated_in(text).collect::<Vec<_>>(), [1]);
        assert_eq!(spelling.repeated_in("    fn distance(&self) -> usize {").count(), 0);
        let text = "let x = 1;\nErr(unexpected(byte, \"after object key\"))";
        assert_eq!(json.repeated_in(text).collect::<Vec<_>>(), [2]);
        assert_eq!(percent.repeated_in("if *first == b'%' {").count(), 1);
        assert_eq!(limits.repeated_in("const MOST_ITEMS: usize = 1;").count(), 1);
        assert!(json.applies_to(Path::new("crates/plumb-stdlib/src/json_text.rs")));
        assert!(!json.applies_to(Path::new("crates/plumb-yaml/src/json.rs")));
        assert!(!json.applies_to(Path::new("crates/plumb-regexp/src/tests.rs")));
        assert!(!percent.applies_to(Path::new("crates/plumb-cel/src/functions/url.rs")));
    }

    #[test]
    fn keywords_are_read_from_their_rows() {
        let row = "    MinLength = \"minLength\": Count, Validation, ALL;";
        assert_eq!(keyword_of_row(row), Some("minLength"));
        assert_eq!(keyword_of_row("    let name = \"a\";"), None);
        assert!(is_telling("$ref") && is_telling("minLength") && !is_telling("type"));
    }

    #[test]
    fn dependencies_of_all_kinds_are_found() {
        let manifest = "[dependencies]\nplumb-yaml = \"1\"\nserde = \"1\"\n\
                        [target.'cfg(unix)'.dependencies]\nplumb-native = \"1\"\n\
                        [build-dependencies]\nplumb = \"1\"\n[dev-dependencies]\nplumb-cli = \"1\"";
        let found = dependencies(&manifest.parse().expect("TOML"));
        assert_eq!(Vec::from_iter(found), ["plumb", "plumb-native", "plumb-yaml"]);
    }

    #[test]
    fn the_layer_table_is_read_from_its_rows() {
        let table =
            layer_table("| crate | purpose | may use |\n| `plumb-yaml` | x | source, value |");
        let expected = ["plumb-source".to_owned(), "plumb-value".to_owned()];
        assert_eq!(table["plumb-yaml"], expected.into());
    }
}
