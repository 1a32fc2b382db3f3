//! The keys of a target: the long names of flags, and a few that are not flags.

use plumb_flags::{Flag, Spec, Takes, template};

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
    /// What the values refer to, which decides how they are read.
    pub(crate) meaning: Meaning,
}

/// What the value of a flag refers to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Meaning {
    /// A path that is read: `PATH`, or `NAME=PATH`, a URL, or `-`.
    Input,
    /// A path that is read, after `KEY=`.
    KeyedInput,
    /// A directory that is written to.
    Output,
    /// Not a path.
    Other,
}

/// Keys that are not flags.
pub(crate) const EXTENDS: &str = "extends";
pub(crate) const ENV: &str = "env";

/// Keys that are not flags, with what they mean.
pub(crate) const OTHER_KEYS: [(&str, &str); 2] = [
    (
        EXTENDS,
        "The target whose keys this target inherits. A key that is given again replaces the inherited one",
    ),
    (
        ENV,
        "The environment variables that the target may read; a name can end in `*`. Default: none",
    ),
];

/// Flags of the main command that have no meaning in a target: they print instead of writing, read
/// from the command line, or concern the program.
const NOT_IN_TARGETS: [&str; 11] = [
    "bulk-in",
    "bulk-out",
    "files-inspect",
    "data-values-inspect",
    "data-values-schema-inspect",
    "crd-group",
    "crd-version",
    "crd-kind",
    "crd-plural",
    "debug",
    "version",
];

/// The directory that a target writes to.
pub(crate) const OUTPUT_FILES: &str = "output-files";
pub(crate) const EMPTIED: &str = "dangerous-emptied-output-directory";

/// The keys of targets that are flags, in the order of the help.
pub fn keys() -> impl Iterator<Item = Key> {
    let specs = template::SPECS.iter().filter(|it| !NOT_IN_TARGETS.contains(&it.long));
    specs.map(Key::of)
}

/// Returns the key of this name. Returns `None` if there is none.
pub(crate) fn find(name: &str) -> Option<Key> {
    keys().find(|it| it.flag.long == name)
}

/// Whether this is a flag of the main command that is not a key.
pub(crate) fn is_left_out(name: &str) -> bool {
    NOT_IN_TARGETS.contains(&name)
}

/// The names of all keys of targets, for messages about unknown ones.
pub(crate) fn names() -> impl Iterator<Item = &'static str> {
    keys().map(|it| it.flag.long).chain(OTHER_KEYS.into_iter().map(|(name, _)| name))
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
            (OUTPUT_FILES | EMPTIED, _) => Meaning::Output,
            (_, Some("PATH" | "DIR")) => Meaning::Input,
            (_, Some("KEY=PATH")) => Meaning::KeyedInput,
            _ => Meaning::Other,
        };
        Self { flag, arity, meaning }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_flag_is_a_key_or_is_left_out_on_purpose() {
        assert_eq!(keys().count() + NOT_IN_TARGETS.len(), template::SPECS.len());
        for name in NOT_IN_TARGETS {
            assert!(template::SPECS.iter().any(|it| it.long == name), "--{name} does not exist");
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
        assert!(keys().filter(is_path).map(|it| it.meaning).all(|it| it != Meaning::Other));
    }
}
