//! Data values from flags and the environment.

use plumb_diagnostic::Failures;
use plumb_library::{
    DataValueFlag, DataValueKind, SilentDrops, SymlinkPolicy, ValueSources, given_values,
};
use plumb_peer as peer;
use plumb_source::Sources;
use plumb_testkit::MemoryWorld;
use plumb_yaml::{ReadOptions, print};

/// The documents that flags give, in order.
fn given(world: &MemoryWorld, flags: &[(DataValueKind, &str)]) -> Result<String, String> {
    let flag =
        |&(kind, argument): &(_, &str)| DataValueFlag { kind, argument: argument.to_owned() };
    let flags: Vec<DataValueFlag> = flags.iter().map(flag).collect();
    let sources = Sources::new();
    let from = ValueSources {
        world,
        sources: &sources,
        symlinks: &SymlinkPolicy::default(),
        drops: SilentDrops::Refuse,
        reading: &ReadOptions::default(),
    };
    let mut failures = Failures::default();
    let values = given_values(&flags, &[], from, &mut Vec::new(), &mut failures);
    failures.into_result().map_err(|failure| peer::text(&failure, &sources).shown().to_owned())?;
    let mut out = Vec::new();
    print::documents(values.iter().map(|it| &it.document), &mut out);
    Ok(String::from_utf8(out).expect("the values are"))
}

#[test]
fn kinds_come_in_their_own_order() {
    let world = MemoryWorld::new()
        .file("v.yml", "file: 1\n---\n---\nfile: 2\n")
        .file("text", "text\n")
        .variable("P_env__key", "1")
        .variable("Q_other", "2");
    let flags = [
        (DataValueKind::File, "kv_file=text"),
        (DataValueKind::Yaml, "yaml=[1]"),
        (DataValueKind::Text, "a.b=1"),
        (DataValueKind::EnvironmentYaml, "P"),
        (DataValueKind::Environment, "P"),
        (DataValueKind::ValuesFile, "v.yml"),
    ];
    let expected = "file: 1\n---\nfile: 2\n---\nenv:\n  key: \"1\"\n---\nenv:\n  key: 1\n---\n\
                    a:\n  b: \"1\"\n---\nyaml:\n- 1\n---\nkv_file: |\n  text\n";
    assert_eq!(given(&world, &flags).as_deref(), Ok(expected));
}

#[test]
fn a_directory_of_values_may_hold_other_files_below_it() {
    let world = MemoryWorld::new()
        .file("d/a.yml", "a: 1\n")
        .file("d/v.json", "{\"j\": 1}")
        .file("d/sub/b.yml", "b: 1\n")
        .file("d/sub/README.md", "a: b: c\n");
    let values = given(&world, &[(DataValueKind::ValuesFile, "d")]);
    assert_eq!(values.as_deref(), Ok("a: 1\n---\nb: 1\n---\nj: 1\n"));
}

#[test]
fn mistakes_name_the_flag() {
    let world = MemoryWorld::new().file("d/a", "").file("d/b", "").variable("P_a", "[x");
    let check = |kind, argument: &str, expected: &str| {
        assert_eq!(given(&world, &[(kind, argument)]).expect_err(argument), expected);
    };
    check(DataValueKind::Text, "a", "Extracting data value from KV: Expected format key=value");
    check(
        DataValueKind::Text,
        "a:b=1",
        "Extracting data value from KV: Expected at most one library-key separator ':' in 'a:b'",
    );
    check(
        DataValueKind::File,
        "a=d",
        "Extracting data value from file: Expected 'd' to be a file, but is a directory",
    );
    let reported = given(&world, &[(DataValueKind::EnvironmentYaml, "P")]).expect_err("not YAML");
    assert!(reported.starts_with(
        "Extracting data values from env under prefix 'P': Extracting data value from env variable 'P_a': Deserializing YAML value: yaml: "
    ));
}
