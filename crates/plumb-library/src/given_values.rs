//! Data values that come from the command line and the environment.
//!
//! Flags are processed by kind, independently of their order: first files, then the environment,
//! then single values, and last single values in files. Within a kind, flags are processed in
//! order. Values that the caller has parsed come after all flags. Later values take precedence.

use std::sync::Arc;

use plumb_diagnostic::{Code, Diagnostic, Failure, Failures, SilentDrops};
use plumb_source::{FileId, Origin, SourceKind, Sources, Span, Text, World, lexical};
use plumb_value::{Document, Map, MapItem, Node};
use plumb_yaml::ReadOptions;

use crate::activity::{Activity, GivenBy};
use crate::collect::collect;
use crate::file::{FileType, InputFile};
use crate::flag::{DataValueFlag, DataValueKind, SetValue};
use crate::input_error::InputError;
use crate::merge::{LeafAnnotations, Merge};
use crate::symlink::SymlinkPolicy;
use crate::{keys, last_keys, plain, value_key};

/// The path of a single data value is a directory.
///
/// `--data-value-file KEY=PATH` uses the content of one file. For a directory of plain YAML files,
/// use `--data-values-file PATH`.
pub(crate) const VALUE_IS_DIRECTORY: Code = Code::new("data-values/is-directory");

/// A plain file of data values contains template code, which would not run.
///
/// Remove the comments that start with `#@`. To keep them, write `#@data/values` and `---` at the
/// top of the file, and give it with `-f`.
pub(crate) const VALUES_NOT_PLAIN: Code = Code::new("data-values/not-plain");

/// Values that one flag, or one document of a file, sets.
#[derive(Clone, Debug)]
pub struct GivenValues {
    /// The values.
    pub document: Document,
    /// How the values are merged with earlier ones.
    pub merge: Merge,
    /// The library that they are for, as it was written (`@name~alias`); `None` for the root.
    pub library: Option<String>,
}

/// The context for reading data values.
#[derive(Clone, Copy)]
pub struct ValueSources<'a> {
    /// Reads files and environment variables.
    pub world: &'a dyn World,
    /// The sources of the run, to which arguments and files are added.
    pub sources: &'a Sources,
    /// Which symbolic links are followed.
    pub symlinks: &'a SymlinkPolicy,
    /// How values without effect, such as duplicate keys, are reported.
    pub drops: SilentDrops,
    /// The options of the YAML reader.
    pub reading: &'a ReadOptions,
}

/// Reads the values of all flags, in the order in which they are merged. Warnings are added to
/// `warnings`; values with a mistake are left out, and the mistake is added to `failures`.
pub fn given_values(
    flags: &[DataValueFlag],
    set: &[SetValue],
    from: ValueSources<'_>,
    warnings: &mut Vec<Diagnostic>,
    failures: &mut Failures,
) -> Vec<GivenValues> {
    const ORDER: [DataValueKind; 6] = [
        DataValueKind::ValuesFile,
        DataValueKind::Environment,
        DataValueKind::EnvironmentYaml,
        DataValueKind::Text,
        DataValueKind::Yaml,
        DataValueKind::File,
    ];
    let mut reader =
        Reader { from, annotations: LeafAnnotations::new(), values: Vec::new(), warnings };
    for kind in ORDER {
        for flag in flags.iter().filter(|flag| flag.kind == kind) {
            failures.keep(reader.read(flag));
        }
    }
    for value in set {
        failures.keep(reader.set(value));
    }
    reader.values
}

struct Reader<'a> {
    from: ValueSources<'a>,
    annotations: LeafAnnotations,
    values: Vec<GivenValues>,
    warnings: &'a mut Vec<Diagnostic>,
}

impl Reader<'_> {
    fn read(&mut self, flag: &DataValueFlag) -> Result<(), Failure> {
        let argument = &flag.argument;
        let given_by = match flag.kind {
            DataValueKind::ValuesFile | DataValueKind::File => GivenBy::File,
            DataValueKind::Environment | DataValueKind::EnvironmentYaml => {
                GivenBy::Variables(argument.clone())
            }
            DataValueKind::Text | DataValueKind::Yaml => GivenBy::Pair,
        };
        match flag.kind {
            DataValueKind::ValuesFile => self.values_file(argument),
            DataValueKind::Environment | DataValueKind::EnvironmentYaml => {
                self.environment(flag.kind, argument)
            }
            DataValueKind::Text | DataValueKind::Yaml => self.pair(flag.kind, argument),
            DataValueKind::File => self.file(argument),
        }
        .map_err(|failure| failure.at(self.argument(flag)).within(Activity::ReadValues(given_by)))
    }

    fn set(&mut self, set: &SetValue) -> Result<(), Failure> {
        let split = value_key::split_key_library(&set.key);
        let path = split.and_then(|(library, key)| Ok((library, value_key::of_flag(key)?)));
        let (library, path) = path.map_err(|failure| match set.origin.span() {
            Some(span) => failure.at(span),
            None => failure,
        })?;
        keys::check_unique(&Document::new(set.value.clone(), set.origin))?;
        self.push_leaf(set.origin, &path, set.value.clone(), library);
        Ok(())
    }

    /// Adds the argument of a flag as a source that findings can point to.
    fn argument(&self, flag: &DataValueFlag) -> Span {
        let flag_name = flag_name(flag.kind);
        let (name, title) = (format!("({flag_name} arg)"), format!("--{flag_name}"));
        let bytes = flag.argument.as_bytes();
        let kind = SourceKind::Flag;
        let file = self.from.sources.add_elsewhere(&name, &title, kind, bytes.into());
        Span::new(file, 0, u32::try_from(bytes.len()).expect("a source is at most 4 GiB"))
    }

    fn values_file(&mut self, argument: &str) -> Result<(), Failure> {
        let (library, path) = value_key::split_library(argument)?;
        let files =
            self.files(path).map_err(|it| it.within(Activity::FindValuesFiles(path.to_owned())))?;
        // A directory may contain other files in its subdirectories.
        let is_meant = |file: &&InputFile| {
            !file.original_path().contains('/') || file.file_type() == FileType::Yaml
        };
        for input in files.iter().filter(is_meant) {
            let name = input.path();
            let file = input
                .source(self.from.world, self.from.sources)
                .map_err(|it| it.within(Activity::ReadFile(name.to_owned())))?;
            let documents = self
                .parse(file)
                .map_err(|it| it.within(Activity::ParseValuesFile(name.to_owned())))?;
            for mut document in documents.into_iter().filter(|it| !it.node.is_null()) {
                check_plain(&document)
                    .and_then(|()| self.settle_keys(&mut document))
                    .map_err(|it| it.within(Activity::CheckValuesFile(path.to_owned())))?;
                let library = library.map(str::to_owned);
                self.values.push(GivenValues { document, merge: Merge::Plain, library });
            }
        }
        Ok(())
    }

    /// Rejects a duplicate key in a map; called as ytt, the last value is used.
    fn settle_keys(&mut self, document: &mut Document) -> Result<(), Failure> {
        match self.from.drops {
            SilentDrops::Refuse => keys::check_unique(document),
            SilentDrops::Warn => {
                self.warnings.extend(keys::duplicates(document));
                last_keys::keep(std::slice::from_mut(document), self.from.sources);
                Ok(())
            }
        }
    }

    fn environment(&mut self, kind: DataValueKind, argument: &str) -> Result<(), Failure> {
        let (library, prefix) = value_key::split_key_library(argument)?;
        let name = format!("({} arg) {prefix}", flag_name(kind));
        let start = [prefix.as_bytes(), b"_"].concat();
        for (variable, value) in self.from.world.environment() {
            let Some(key) = variable.as_bytes().strip_prefix(start.as_slice()) else {
                continue;
            };
            let title = format!("environment variable {variable}");
            let node = self
                .value(kind, value.as_bytes(), &title)
                .map_err(|it| it.within(Activity::ReadVariable(variable.to_string())))?;
            let line = [variable.as_bytes(), b"=", value.as_bytes()].concat();
            let kind = SourceKind::Environment;
            let file = self.from.sources.add_elsewhere(&name, &title, kind, line.into());
            self.push_leaf(self.whole(file), &value_key::of_variable(key)?, node, library);
        }
        Ok(())
    }

    fn pair(&mut self, kind: DataValueKind, argument: &str) -> Result<(), Failure> {
        let Some((key, value)) = argument.split_once('=') else {
            return Err(value_key::wrong(InputError::WithoutValue.message()));
        };
        let title = format!("--{} {key}", flag_name(kind));
        let node = self
            .value(kind, value.as_bytes(), &title)
            .map_err(|it| it.within(Activity::ReadValueOf(key.to_owned())))?;
        let (library, key) = value_key::split_key_library(key)?;
        let name = format!("({} arg)", flag_name(kind));
        let text = argument.as_bytes().into();
        let file = self.from.sources.add_elsewhere(&name, &title, SourceKind::Flag, text);
        self.push_leaf(self.whole(file), &value_key::of_flag(key)?, node, library);
        Ok(())
    }

    fn file(&mut self, argument: &str) -> Result<(), Failure> {
        let Some((key, path)) = argument.split_once('=') else {
            let help =
                "write KEY=PATH; to read all data values from a file, use --data-values-file";
            return Err(value_key::wrong_with(InputError::WithoutFile.message(), help));
        };
        let files =
            self.files(path).map_err(|it| it.within(Activity::FindValueFile(path.to_owned())))?;
        let [input] = files.as_slice() else {
            let message = InputError::IsDirectory(lexical::one_line(path).into()).message();
            return Err(Diagnostic::error(VALUE_IS_DIRECTORY, message).into());
        };
        let file = input
            .source(self.from.world, self.from.sources)
            .map_err(|it| it.within(Activity::ReadFile(path.to_owned())))?;
        let bytes = Arc::clone(self.from.sources.get(file).bytes());
        let (library, key) = value_key::split_key_library(key)?;
        let node = Node::String(Text::from_bytes(&bytes));
        let name = format!("(data-value-file arg) {key}={path}");
        let title = format!("--data-value-file {key}={}", lexical::public_url(path));
        let file = self.from.sources.add_elsewhere(&name, &title, SourceKind::Flag, bytes);
        self.push_leaf(self.whole(file), &value_key::of_flag(key)?, node, library);
        Ok(())
    }

    fn files(&mut self, path: &str) -> Result<Vec<InputFile>, Failure> {
        let ValueSources { world, symlinks, drops, .. } = self.from;
        let collected = collect(world, &[path.to_owned()], symlinks, drops)?;
        self.warnings.extend(collected.warnings);
        Ok(collected.files)
    }

    /// Converts a text to a value according to the kind of its flag; `title` names the flag in
    /// messages.
    fn value(&self, kind: DataValueKind, text: &[u8], title: &str) -> Result<Node, Failure> {
        match kind {
            DataValueKind::Yaml | DataValueKind::EnvironmentYaml => {
                let sources = self.from.sources;
                let file = sources.add_elsewhere("", title, SourceKind::Flag, text.into());
                let first = self
                    .parse(file)
                    .map_err(|it| it.within(Activity::ParseValue))?
                    .into_iter()
                    .next();
                first.iter().try_for_each(keys::check_unique)?;
                Ok(first.map(|it| it.node).unwrap_or_default())
            }
            DataValueKind::Text
            | DataValueKind::Environment
            | DataValueKind::File
            | DataValueKind::ValuesFile => Ok(Node::String(Text::from_bytes(text))),
        }
    }

    fn parse(&self, file: FileId) -> Result<Vec<Document>, Failure> {
        let source = self.from.sources.get(file);
        plumb_yaml::parse(file, source.bytes(), self.from.reading).map_err(Failure::from)
    }

    /// The origin that covers a whole source.
    fn whole(&self, file: FileId) -> Origin {
        let length = self.from.sources.get(file).bytes().len();
        let end = u32::try_from(length).expect("a source is at most 4 GiB");
        Origin::Written(Span::new(file, 0, end))
    }

    /// Adds a document in which keys lead to one value. The value is replaced as a whole.
    fn push_leaf(&mut self, origin: Origin, keys: &[Text], value: Node, library: Option<&str>) {
        let mut node = value;
        for (at, key) in keys.iter().rev().enumerate() {
            let mut item = MapItem::new(Node::String(key.clone()), node, origin);
            item.meta = self.annotations.of_step(at == 0);
            node = Node::map(Map::new(vec![item], origin));
        }
        let library = library.map(str::to_owned);
        let document = Document::new(node, origin);
        self.values.push(GivenValues { document, merge: Merge::Leaf(keys.to_vec()), library });
    }
}

fn flag_name(kind: DataValueKind) -> &'static str {
    match kind {
        DataValueKind::Text => "data-value",
        DataValueKind::Yaml => "data-value-yaml",
        DataValueKind::File => "data-value-file",
        DataValueKind::ValuesFile => "data-values-file",
        DataValueKind::Environment => "data-values-env",
        DataValueKind::EnvironmentYaml => "data-values-env-yaml",
    }
}

/// Rejects template code, because it would not be run.
fn check_plain(document: &Document) -> Result<(), Failure> {
    let Some(comment) = plain::code(document) else {
        return Ok(());
    };
    let finding = Diagnostic::error(VALUES_NOT_PLAIN, InputError::NotPlain.message());
    Err(finding.label(comment.span, "").help("remove comments that start with `#@`").into())
}
