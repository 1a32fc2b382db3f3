//! The targets of a project, and what each of them does.

use std::path::{Path, PathBuf};
use std::time::Duration;

#[cfg(feature = "generators")]
use plumb::GeneratorOptions;
use plumb::print::Format;
use plumb::world::Occupant;
use plumb::{Diagnostic, Failure, MachineOptions, Options, Sources, World};
use plumb_diagnostic::Code;
use plumb_source::message::plain;
use plumb_source::{FileId, SourceKind, Span, lexical, message};
use plumb_yaml::ReadOptions;

use crate::inherit;
use crate::order::{self, Order};
use crate::paths::Base;
use crate::read::{self, WRONG_VALUE};
use crate::settings::Builder;

/// There is no project file.
///
/// `plumb build`, `plumb check` and `plumb test` look for `plumb.yml` in the working directory and
/// in the directories above it; `--project DIR` names another directory. To use Plumb without a
/// project file, name files with `-f`.
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
    /// The paths that it is known to read.
    pub(crate) reads: Vec<NamedPath>,
    /// All its settings as text. Targets with the same text have the same result.
    pub(crate) settings: String,
}

/// A path in the project file, relative to the working directory.
#[derive(Debug)]
pub(crate) struct NamedPath {
    pub(crate) path: PathBuf,
    pub(crate) place: Option<Span>,
}

/// The work of a target.
#[derive(Debug)]
pub enum Work {
    Render(Box<Render>),
    #[cfg(feature = "generators")]
    Generate(Box<Generate>),
    Machines(MachineOptions),
}

/// Renders templates.
#[derive(Debug)]
pub struct Render {
    pub options: Options,
    /// The directory that the files are written to. If it is missing, they are only validated.
    pub output: Option<Output>,
    /// The format in which the target is printed.
    pub format: Format,
    pub time_limit: Option<Duration>,
    /// The largest size of a file in bytes.
    pub max_file_size: Option<u64>,
}

/// Runs a generator.
#[cfg(feature = "generators")]
#[derive(Debug)]
pub struct Generate {
    pub options: GeneratorOptions,
    pub output: Output,
    pub time_limit: Option<Duration>,
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
    /// `None` if there is none. The path is relative if the path of the directory is relative.
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

    /// These targets and all targets whose output they read, directly or through others, in the
    /// order of the project file.
    pub(crate) fn with_prerequisites(&self, targets: &[usize]) -> Vec<usize> {
        let mut is_chosen = vec![false; self.targets.len()];
        let mut ahead = targets.to_vec();
        while let Some(at) = ahead.pop() {
            if !std::mem::replace(&mut is_chosen[at], true) {
                ahead.extend(&self.order.after[at]);
            }
        }
        (0..is_chosen.len()).filter(|&at| is_chosen[at]).collect()
    }

    /// A finding that explains how to create a project file.
    pub fn not_found(directory: &Path) -> Diagnostic {
        let shown = if directory.as_os_str().is_empty() { Path::new(".") } else { directory };
        let message = message!(
            "there is no {} in `{}` or in a directory above it",
            plain(FILE_NAME),
            plain(lexical::shown(shown))
        );
        Diagnostic::error(NO_PROJECT, message)
            .help("plumb init writes one; --project DIR names another directory")
    }
}

impl Target {
    /// Whether it produces documents or files.
    pub fn has_documents(&self) -> bool {
        match self.work {
            Work::Render(_) => true,
            #[cfg(feature = "generators")]
            Work::Generate(_) => true,
            Work::Machines(_) => false,
        }
    }

    /// The directory that it writes to. Returns `None` if it does not write files.
    pub fn output(&self) -> Option<&Output> {
        match &self.work {
            Work::Render(render) => render.output.as_ref(),
            #[cfg(feature = "generators")]
            Work::Generate(generate) => Some(&generate.output),
            Work::Machines(_) => None,
        }
    }
}

fn no_targets(file: FileId) -> Diagnostic {
    Diagnostic::error(WRONG_VALUE, "the project file has no targets")
        .label(Span::new(file, 0, 0), "")
        .help("add one: `targets: {prod: {file: config, output-files: out}}`")
}
