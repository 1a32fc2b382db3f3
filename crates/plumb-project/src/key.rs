//! The keys of a target: the long names of flags, and a few that are not flags.

#[cfg(feature = "generators")]
use plumb_flags::script;
use plumb_flags::{Flag, Spec, Takes, template};

/// The kind of a target, which determines its keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// Renders templates.
    Render,
    /// Runs a generator.
    Generate,
    /// Validates virtual machines.
    Machines,
}

/// How many values a key has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arity {
    /// `true` or `false`.
    Switch,
    One,
    /// A list, or a single value.
    Many,
}

/// A key that is the long name of a flag.
#[derive(Clone, Copy, Debug)]
pub struct Key {
    pub flag: Flag,
    pub arity: Arity,
    /// The meaning of the values, which determines how they are read.
    pub(crate) meaning: Meaning,
}

/// The meaning of the value of a flag.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Meaning {
    /// A path that is read: `PATH`, or `NAME=PATH`, a URL, or `-`.
    Input,
    /// A path that is read, after `KEY=`.
    KeyedInput,
    /// A path, or the name of a module.
    Module,
    /// A directory that is written to.
    Output,
    /// Not a path.
    Other,
}

/// Keys that are not flags.
pub(crate) const EXTENDS: &str = "extends";
pub(crate) const GENERATE: &str = "generate";
pub(crate) const VM_CHECK: &str = "vm-check";
pub(crate) const ENV: &str = "env";
pub(crate) const TEMPLATES: &str = "templates";
pub(crate) const MACHINES: &str = "machines";

/// Keys that are not flags, with their descriptions.
pub(crate) const OTHER_KEYS: [(&str, &str); 4] = [
    (
        EXTENDS,
        "The target whose keys this target inherits. A key that is given again replaces the inherited one",
    ),
    (GENERATE, "A script in JavaScript or TypeScript that describes files"),
    (VM_CHECK, "Validate VirtualMachines against the rules of their templates"),
    (
        ENV,
        "The environment variables that the target may read; a name can end in `*`. Default: none",
    ),
];

/// Flags that are not keys of a target: they print instead of writing, read from the command line,
/// or concern the whole program.
const NOT_IN_TARGETS: [&str; 17] = [
    "bulk-in",
    "bulk-out",
    "files-inspect",
    "data-values-inspect",
    "data-values-schema-inspect",
    "crd-group",
    "crd-version",
    "crd-kind",
    "crd-plural",
    "crd-drop-null",
    "debug",
    "version",
    "cache",
    "verbose",
    "debug-imports",
    "stdout",
    "emit-dependencies",
];

/// The directory that a target writes to.
pub(crate) const OUTPUT_FILES: &str = "output-files";
pub(crate) const EMPTIED: &str = "dangerous-emptied-output-directory";
/// The directory that a generator writes to.
pub(crate) const OUTPUT_DIRECTORY: &str = "output-directory";

/// The keys of targets of a kind that are flags, in the order of the help.
pub fn keys(kind: Kind) -> Vec<Key> {
    let mut keys: Vec<Key> = match kind {
        Kind::Render => template::SPECS.iter().map(Key::of).collect(),
        #[cfg(feature = "generators")]
        Kind::Generate => script::generate().iter().map(Key::of).collect(),
        #[cfg(not(feature = "generators"))]
        Kind::Generate => Vec::new(),
        Kind::Machines => Vec::new(),
    };
    keys.retain(|it| !NOT_IN_TARGETS.contains(&it.flag.long));
    keys
}

/// The keys of all kinds that are flags. A flag that several kinds have occurs several times.
pub(crate) fn all_keys() -> impl Iterator<Item = Key> {
    Kind::ALL.into_iter().flat_map(keys)
}

/// Returns the key with this name in targets of any kind. Returns `None` if there is none.
pub(crate) fn find(name: &str) -> Option<Key> {
    all_keys().find(|it| it.flag.long == name)
}

/// Whether this is a flag that is not a key.
pub(crate) fn is_left_out(name: &str) -> bool {
    NOT_IN_TARGETS.contains(&name)
}

/// The names of all keys of targets, for messages about unknown ones.
pub(crate) fn names() -> impl Iterator<Item = &'static str> {
    all_keys().map(|it| it.flag.long).chain(OTHER_KEYS.into_iter().map(|(name, _)| name))
}

impl Kind {
    const ALL: [Self; 3] = [Self::Render, Self::Generate, Self::Machines];

    /// The command that does the same as a target of this kind.
    pub(crate) fn command(self) -> &'static str {
        match self {
            Self::Render => "plumb",
            Self::Generate => "plumb generate",
            Self::Machines => "plumb vm check",
        }
    }
}

impl Key {
    fn of<T>(spec: &Spec<T>) -> Self {
        let arity = match spec.takes {
            Takes::Nothing(_) => Arity::Switch,
            Takes::One(..) | Takes::OneOf(..) => Arity::One,
            Takes::Each(..) | Takes::Many(..) | Takes::ManyOf(..) => Arity::Many,
        };
        let flag = spec.flag();
        let meaning = match (flag.long, flag.value) {
            (OUTPUT_FILES | EMPTIED | OUTPUT_DIRECTORY, _) => Meaning::Output,
            (_, Some("PATH" | "DIR")) => Meaning::Input,
            (_, Some("KEY=PATH")) => Meaning::KeyedInput,
            (_, Some("MODULE")) => Meaning::Module,
            _ => Meaning::Other,
        };
        Self { flag, arity, meaning }
    }
}

#[cfg(all(test, feature = "generators"))]
mod tests {
    use super::*;

    #[test]
    fn every_flag_is_a_key_or_is_left_out_on_purpose() {
        let scripts = script::generate();
        let flags = template::SPECS.iter().map(|it| it.long);
        let flags: Vec<&str> = flags.chain(scripts.iter().map(|it| it.long)).collect();
        assert_eq!(all_keys().count() + NOT_IN_TARGETS.len(), flags.len());
        for name in NOT_IN_TARGETS {
            assert!(flags.contains(&name), "--{name} does not exist");
        }
    }

    #[test]
    fn the_name_of_a_value_says_whether_it_is_a_path() {
        let meaning = |name| find(name).map(|it| it.meaning);
        assert_eq!(meaning("file"), Some(Meaning::Input));
        assert_eq!(meaning("data-value-file"), Some(Meaning::KeyedInput));
        assert_eq!(meaning("data-values-file"), Some(Meaning::Input));
        assert_eq!(meaning("kube-schemas"), Some(Meaning::Input));
        assert_eq!(meaning("allow-symlink-destination"), Some(Meaning::Input));
        assert_eq!(meaning("output-files"), Some(Meaning::Output));
        assert_eq!(meaning("data-value"), Some(Meaning::Other));
        let is_path = |it: &Key| it.flag.value.is_some_and(|it| it.contains("PATH") || it == "DIR");
        assert!(all_keys().filter(is_path).map(|it| it.meaning).all(|it| it != Meaning::Other));
    }
}
