//! The targets of a project, and what each of them does.

use std::path::{Path, PathBuf};
use std::time::Duration;

use plumb::print::Format;
use plumb::world::Occupant;
use plumb::{Diagnostic, Failure, Options, Sources, World};
use plumb_diagnostic::Code;
use plumb_flags::{BadNumber, Spec, Takes, template};
use plumb_source::message::plain;
use plumb_source::{FileId, Message, SourceKind, Span, lexical, message};
use plumb_yaml::ReadOptions;

use crate::inherit;
use crate::key::{EMPTIED, Key, Meaning, OUTPUT_FILES};
use crate::order::{self, Order};
use crate::paths::Base;
use crate::read::{self, Entry, Setting, WRONG_VALUE, Written};

/// There is no project file.
///
/// `plumb build`, `plumb check` and `plumb test` look for `plumb.yml` in the working directory and in
/// the directories above it; `--project DIR` names another directory. To use Plumb without a project
/// file, name files with `-f`.
pub const NO_PROJECT: Code = Code::new("project/not-found");

/// The name of project files.
pub const FILE_NAME: &str = "plumb.yml";

/// The targets of a project file, in its order.
#[derive(Debug)]
pub struct Project {
    /// The path of the project file.
    pub path: PathBuf,
    pub targets: Vec<Target>,
    pub(crate) order: Order,
}

/// One target.
#[derive(Debug)]
pub struct Target {
    pub name: String,
    /// The place of the name in the project file.
    pub place: Option<Span>,
    pub work: Work,
    /// The environment variables that it may read. A name that ends in `*` stands for all names
    /// that begin with the rest.
    pub env: Vec<String>,
    /// Paths that it is known to read.
    pub(crate) reads: Vec<PathBuf>,
}

/// What a target does.
#[derive(Debug)]
pub enum Work {
    Render(Render),
}

/// Renders templates.
#[derive(Debug)]
pub struct Render {
    pub options: Options,
    /// The directory that the files are written to. If it is missing, they are only validated.
    pub output: Option<Output>,
    /// The format if the target is printed.
    pub format: Format,
    pub time_limit: Option<Duration>,
    /// The largest size of a file in bytes.
    pub max_file_size: Option<u64>,
}

/// A directory that a target writes to.
#[derive(Clone, Debug)]
pub struct Output {
    pub directory: PathBuf,
    pub occupant: Occupant,
    /// Where the project file names it.
    pub(crate) place: Option<Span>,
}

impl Project {
    /// Finds the project file of a directory: in it, or in the nearest directory above it. Returns
    /// `None` if there is none. The path is relative if that of the directory is.
    pub fn find(world: &dyn World, directory: &Path) -> Option<PathBuf> {
        let here = world.directory().ok()?;
        let n_above = lexical::absolute(directory, &here).components().count();
        let mut above = directory.to_owned();
        for _ in 0..n_above {
            let path = above.join(FILE_NAME);
            if world.entry(&path).is_ok() {
                return Some(path);
            }
            above.push("..");
            above = lexical::clean(&above);
        }
        None
    }

    /// Reads a project file. Fails with all mistakes in it.
    pub fn read(world: &dyn World, path: &Path, sources: &Sources) -> Result<Self, Failure> {
        let bytes = world
            .read(path)
            .map_err(|error| Failure::from(Diagnostic::error(NO_PROJECT, plain(error.words()))))?;
        let name = path.to_string_lossy();
        let file = sources.add_file(&name, path, SourceKind::File, bytes);
        Self::of_source(file, path, sources)
    }

    /// Reads the text of a project file. Paths in it are relative to the directory of `path`.
    pub fn of_source(file: FileId, path: &Path, sources: &Sources) -> Result<Self, Failure> {
        let reading = ReadOptions { comments: false, ..ReadOptions::default() };
        let documents = plumb_yaml::parse(file, sources.get(file).bytes(), &reading)?;
        let mut findings = Vec::new();
        let text = read::read(&documents, &mut findings);
        let settings = inherit::inherit(&text, &mut findings);
        let is_whole = findings.is_empty();
        let base = Base::of_file(path);
        let mut targets = Vec::new();
        for (target, settings) in text.targets.iter().zip(settings) {
            let builder = Builder { base: &base, is_whole, findings: &mut findings };
            targets.extend(builder.target(&target.name, &settings));
        }
        if findings.is_empty() && targets.is_empty() {
            findings.push(no_targets(file));
        }
        let order = order::order(&targets, &base, &mut findings);
        findings.sort_by_key(|it| it.labels.first().map(|it| it.span));
        findings.dedup_by(|left, right| {
            let place = |it: &Diagnostic| it.labels.first().map(|it| it.span);
            place(left) == place(right) && left.message == right.message
        });
        if findings.is_empty() {
            Ok(Self { path: path.to_owned(), targets, order })
        } else {
            Err(findings.into())
        }
    }

    /// Returns the index of the target of this name. Fails if there is none.
    pub fn target(&self, name: &str) -> Result<usize, Failure> {
        let position = self.targets.iter().position(|it| it.name == name);
        let names = self.targets.iter().map(|it| it.name.as_str());
        position.ok_or_else(|| inherit::unknown_target(name, names).into())
    }

    /// A finding that says how to get a project file.
    pub fn not_found(directory: &Path) -> Diagnostic {
        let shown = if directory.as_os_str().is_empty() { Path::new(".") } else { directory };
        let message = message!(
            "there is no {} in `{}` or in a directory above it",
            plain(FILE_NAME),
            plain(shown.display())
        );
        Diagnostic::error(NO_PROJECT, message)
            .help("write one, or name another directory with --project DIR")
    }
}

impl Target {
    /// The directory that it writes to. Returns `None` if it writes nothing.
    pub fn output(&self) -> Option<&Output> {
        match &self.work {
            Work::Render(render) => render.output.as_ref(),
        }
    }
}

fn no_targets(file: FileId) -> Diagnostic {
    Diagnostic::error(WRONG_VALUE, "the project file has no targets")
        .label(Span::new(file, 0, 0), "")
        .help("add one: `targets: {prod: {file: config, output-files: out}}`")
}

/// Makes a target of its settings.
struct Builder<'a> {
    base: &'a Base,
    /// Whether everything in the file was understood. Otherwise a key may be missing only because it
    /// was misspelt, or is inherited from a target that was.
    is_whole: bool,
    findings: &'a mut Vec<Diagnostic>,
}

impl Builder<'_> {
    fn target(mut self, name: &Written, settings: &[Entry]) -> Option<Target> {
        let n_before = self.findings.len();
        let mut env = Vec::new();
        for entry in settings {
            if let Setting::Env(names) = &entry.setting {
                env = names.iter().map(|it| it.text.clone()).collect();
            }
        }
        let mut reads = Vec::new();
        for entry in settings {
            self.collect_reads(entry, &mut reads);
        }
        let work = Work::Render(self.render(name, settings, &env)?);
        let target = Target { name: name.text.clone(), place: name.place, work, env, reads };
        (self.findings.len() == n_before).then_some(target)
    }

    fn render(&mut self, name: &Written, settings: &[Entry], env: &[String]) -> Option<Render> {
        let mut flags = template::Flags::default();
        for entry in settings {
            self.set(&mut flags, template::SPECS, entry);
        }
        let place =
            |key: &str| settings.iter().find(|it| it.setting.key() == key).and_then(|it| it.place);
        if flags.files.is_empty() && self.is_whole {
            let message = message!("the target `{}` has no input", plain(&name.text));
            let finding = Diagnostic::error(WRONG_VALUE, message).at(name.place, "");
            self.findings.push(finding.help("name templates with `file`"));
        }
        self.check_variables(settings, env);
        let output = match (flags.emptied_directory.as_str(), flags.output_files.as_str()) {
            ("", "") => None,
            ("", directory) => Some((directory, Occupant::Kept, place(OUTPUT_FILES))),
            (directory, "") => Some((directory, Occupant::Removed, place(EMPTIED))),
            (_, _) => {
                let message = message!(
                    "a target has either `{}` or `{}`, not both",
                    plain(OUTPUT_FILES),
                    plain(EMPTIED)
                );
                let finding = Diagnostic::error(WRONG_VALUE, message).at(place(EMPTIED), "");
                self.findings.push(finding);
                None
            }
        };
        let output = output.map(|(directory, occupant, place)| Output {
            directory: lexical::clean(Path::new(directory)),
            occupant,
            place,
        });
        let format = self.format(&flags, output.is_some(), place("output"));
        let bad = |it: BadNumber| bad_number(&it, place(it.flag));
        let (time_limit, max_file_size) = (flags.time_limit(), flags.max_file_size());
        let (time_limit, max_file_size) = match (time_limit, max_file_size) {
            (Ok(time), Ok(size)) => (time, size),
            (time, size) => {
                self.findings.extend([time.err(), size.err()].into_iter().flatten().map(bad));
                return None;
            }
        };
        match flags.options() {
            Ok(options) => Some(Render { options, output, format, time_limit, max_file_size }),
            Err(error) => {
                self.findings.push(bad(error));
                None
            }
        }
    }

    /// The format in which the target is printed. Files are always YAML.
    fn format(&mut self, flags: &template::Flags, is_written: bool, place: Option<Span>) -> Format {
        let mut format = Format::Yaml;
        for name in flags.outputs.iter().flatten().rev() {
            format = match name.as_str() {
                "yaml" => Format::Yaml,
                "json" => Format::Json,
                "pos" => Format::Positions,
                other => {
                    let message = message!("a target cannot be printed as {}", plain(other));
                    let finding = Diagnostic::error(WRONG_VALUE, message).at(place, "");
                    self.findings.push(finding.help("use `yaml`, `json` or `pos`"));
                    continue;
                }
            };
        }
        if is_written && format != Format::Yaml {
            let message = message!(
                "`output` has no effect with `{}`: files are written as YAML",
                plain(OUTPUT_FILES)
            );
            self.findings.push(Diagnostic::error(WRONG_VALUE, message).at(place, ""));
        }
        format
    }

    /// Refuses data values from variables that the target may not read.
    fn check_variables(&mut self, settings: &[Entry], env: &[String]) {
        for entry in settings {
            let Setting::Flag(key, prefixes) = &entry.setting else { continue };
            if !key.flag.long.starts_with("data-values-env") {
                continue;
            }
            for prefix in prefixes {
                let start = format!("{}_", prefix.text);
                let may_match = |name: &String| match name.strip_suffix('*') {
                    Some(rest) => rest.starts_with(&start) || start.starts_with(rest),
                    None => name.starts_with(&start),
                };
                if env.iter().any(may_match) {
                    continue;
                }
                let message = message!("no variable in `env` begins with `{}`", plain(&start));
                let help = message!("allow the variables: `env: [{}*]`", plain(&start));
                let finding = Diagnostic::error(WRONG_VALUE, message).at(prefix.place, "");
                self.findings.push(finding.help(help));
            }
        }
    }

    /// Sets a flag as the command line would.
    fn set<T>(&mut self, flags: &mut T, specs: &[Spec<T>], entry: &Entry) {
        let spec = |key: &Key| {
            let spec = specs.iter().find(|it| it.long == key.flag.long);
            spec.expect("keys are made of these flags")
        };
        match &entry.setting {
            Setting::Switch(key, is_on) => {
                if let Takes::Nothing(place) = spec(key).takes {
                    *place(flags) = *is_on;
                }
            }
            Setting::Flag(key, values) => {
                let rebased = values.iter().filter_map(|it| self.rebased(*key, it));
                let rebased: Vec<String> = rebased.collect();
                match spec(key).takes {
                    Takes::Nothing(_) => {}
                    Takes::One(_, set) | Takes::Each(_, set) | Takes::OneOf(_, _, set) => {
                        for value in rebased {
                            set(flags, value);
                        }
                    }
                    Takes::Many(_, set) | Takes::ManyOf(_, _, set) => set(flags, rebased),
                }
            }
            Setting::Extends(_) | Setting::Env(_) => {}
        }
    }

    /// The value of a flag, as seen from the working directory. Returns `None`, with a finding, if
    /// it is not allowed.
    fn rebased(&mut self, key: Key, value: &Written) -> Option<String> {
        let text = value.text.as_str();
        if value.text.is_empty() {
            let message = message!("`{}` has an empty value", plain(key.flag.long));
            self.findings.push(Diagnostic::error(WRONG_VALUE, message).at(value.place, ""));
            return None;
        }
        let (before, path) = match key.meaning {
            Meaning::Other => return Some(value.text.clone()),
            Meaning::Output => ("", text),
            Meaning::Input | Meaning::KeyedInput => match text.split_once('=') {
                Some((name, path)) => (&text[..=name.len()], path),
                None => ("", text),
            },
        };
        if path == "-" {
            let message = "a target cannot read standard input";
            let finding = Diagnostic::error(WRONG_VALUE, message).at(value.place, "");
            self.findings.push(finding.help("save the input to a file, and name that file"));
            return None;
        }
        Some(format!("{before}{}", self.base.path(path)))
    }

    /// Adds the paths that a setting makes the target read.
    fn collect_reads(&self, entry: &Entry, reads: &mut Vec<PathBuf>) {
        let Setting::Flag(key, values) = &entry.setting else { return };
        if !matches!(key.meaning, Meaning::Input | Meaning::KeyedInput) {
            return;
        }
        for value in values {
            let path = value.text.split_once('=').map_or(value.text.as_str(), |(_, path)| path);
            if !crate::paths::is_url(path) {
                reads.push(PathBuf::from(self.base.path(path)));
            }
        }
    }
}

fn bad_number(error: &BadNumber, place: Option<Span>) -> Diagnostic {
    let message: Message = message!("expected {} for `{}`", error.expected, plain(error.flag));
    Diagnostic::error(WRONG_VALUE, message).at(place, "")
}
