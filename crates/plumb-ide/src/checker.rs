//! Runs the targets that use a file, as `plumb check` does, over unsaved buffers.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use plumb::world::EntryKind;
use plumb::{Cancel, DataValueKind, Diagnostic, Failure, Options, Session, World};
use plumb_project::{Ending, Finished, Kept, Project, Request, Shown, Use, Work, Writing};
use plumb_source::{SourceKind, lexical};

use crate::file::File;
use crate::finding::{Converter, FileFinding};
use crate::knowledge::Knowledge;
use crate::overlay::Overlay;
use crate::rendered::Output;

/// A session keeps all texts that it has read. It is replaced when old versions of files take more
/// space than the files themselves, and more than this number of bytes. What was compiled from a
/// text takes about ten times as much.
const MAX_OLD_BYTES: usize = 256 << 10;

/// The name of the only target of a directory or file without a project.
const ONLY_TARGET: &str = "default";

/// The code of syntax errors of YAML.
const YAML_SYNTAX: &str = "yaml/syntax";

/// Checks files, and remembers what it read.
pub struct Checker {
    overlay: Arc<Overlay>,
    roots: BTreeMap<PathBuf, Root>,
    /// Paths that have changed since each root last handled them.
    changed: BTreeSet<PathBuf>,
}

/// The result of checking a file: findings of its whole project.
#[derive(Clone, Debug)]
pub struct Checked {
    /// The key of the project; see [`project_root`].
    pub root: PathBuf,
    /// All findings by file. Files without findings are left out.
    pub findings: BTreeMap<PathBuf, Vec<FileFinding>>,
    pub knowledge: Arc<Knowledge>,
}

/// A project, or a directory or file without one.
#[derive(Default)]
struct Root {
    session: Session,
    project: Option<Project>,
    /// Why the project file cannot be used.
    mistake: Option<Failure>,
    results: Vec<Option<Finished>>,
    knowledge: Arc<Knowledge>,
    /// The size of all texts after the first run of the session: one version of each file.
    n_first_bytes: Option<usize>,
}

impl Checker {
    /// A checker that has read nothing yet.
    pub fn new(overlay: Arc<Overlay>) -> Self {
        Self { overlay, roots: BTreeMap::new(), changed: BTreeSet::new() }
    }

    /// Records that a file or its buffer may have changed.
    pub fn change(&mut self, path: &Path) {
        self.changed.insert(lexical::clean(path));
    }

    /// Brings the targets of a file's project up to date. Returns `None` if that was cancelled.
    pub fn check(&mut self, path: &Path, cancel: &Cancel) -> Option<Checked> {
        let changed = std::mem::take(&mut self.changed);
        for (key, root) in &mut self.roots {
            root.forget(key, &changed);
        }
        let key = project_root(&self.overlay, path);
        let overlay = Arc::clone(&self.overlay);
        let root = self.roots.entry(key.clone()).or_default();
        let findings = root.update(&key, &overlay, cancel)?;
        Some(root.checked(key, &overlay, &findings))
    }
}

/// The root of the project of a file: the project file; or the nearest directory above the file
/// that has a schema or data values; or the file itself.
pub fn project_root(overlay: &Overlay, path: &Path) -> PathBuf {
    let path = lexical::clean(path);
    let Some(directory) = path.parent() else { return path };
    if path.file_name().is_some_and(|it| it == plumb_project::FILE_NAME) {
        return path;
    }
    if let Some(project) = Project::find(overlay, directory) {
        return lexical::clean(&project);
    }
    let declaring = directory.ancestors().find(|it| declares_values(overlay, it));
    declaring.map_or_else(|| path.clone(), Path::to_owned)
}

/// Whether a file in a directory, not below it, contains a schema or data values.
fn declares_values(overlay: &Overlay, directory: &Path) -> bool {
    let is_yaml = |path: &Path| path.extension().is_some_and(|it| it == "yml" || it == "yaml");
    let entries = overlay.list(directory).unwrap_or_default();
    entries.iter().filter(|it| it.kind == EntryKind::File && is_yaml(&it.name)).any(|it| {
        let text = overlay.text(&directory.join(&it.name)).unwrap_or_default();
        let needle = b"#@data/values";
        text.windows(needle.len()).any(|window| window == needle)
    })
}

impl Root {
    /// Drops the results that depend on changed files.
    fn forget(&mut self, key: &Path, changed: &BTreeSet<PathBuf>) {
        if changed.contains(key) {
            self.project = None;
            self.mistake = None;
            self.results.clear();
        }
        let is_affected = |finished: &Finished| {
            finished.dependencies.iter().any(|it| {
                let lists = |path: &PathBuf| {
                    it.used == Use::Listed && path.parent() == Some(it.path.as_path())
                };
                changed.contains(&it.path) || changed.iter().any(lists)
            })
        };
        for result in &mut self.results {
            if result.as_ref().is_some_and(is_affected) {
                *result = None;
            }
        }
        if self.has_many_old_texts() {
            *self = Self { knowledge: Arc::clone(&self.knowledge), ..Self::default() };
        }
    }

    fn has_many_old_texts(&self) -> bool {
        let n_first_bytes = self.n_first_bytes.unwrap_or_default();
        let n_old_bytes = self.session.sources().size().saturating_sub(n_first_bytes);
        n_old_bytes > MAX_OLD_BYTES.max(n_first_bytes)
    }

    /// Runs the targets without a result. Returns all findings of the project.
    fn update(
        &mut self,
        key: &Path,
        overlay: &Arc<Overlay>,
        cancel: &Cancel,
    ) -> Option<Vec<Diagnostic>> {
        if self.project.is_none() && self.mistake.is_none() {
            match read_project(key, overlay, &self.session) {
                Ok(project) => {
                    self.results = project.targets.iter().map(|_| None).collect();
                    self.project = Some(project);
                }
                Err(failure) => self.mistake = Some(failure),
            }
        }
        let Some(project) = &self.project else {
            return self.mistake.as_ref().map(|it| it.findings().to_vec());
        };
        let missing = (0..self.results.len()).filter(|at| self.results[*at].is_none());
        let world: Arc<dyn World> = Arc::clone(overlay) as _;
        let request = Request {
            project,
            session: &self.session,
            targets: missing.collect(),
            writing: Writing::InMemory,
            denies_warnings: false,
            kept: Kept::Everything,
            cancel: cancel.clone(),
            timer: &|_| cancel.clone(),
            progress: &|_| {},
        };
        if !request.targets.is_empty() {
            let finished = plumb_project::run(&world, &request);
            if cancel.reason().is_some() {
                return None;
            }
            for run in finished {
                let at = run.target;
                self.results[at] = Some(run);
            }
            self.learn(&overlay.directory().unwrap_or_default());
            self.n_first_bytes.get_or_insert_with(|| self.session.sources().size());
        }
        let results = self.results.iter().flatten();
        Some(plumb_project::findings(self.project.as_ref()?, results, &self.session.sources()))
    }

    /// Whether a target reads a file as a template, or may do so: a run that fails early does not
    /// read all files of its directories.
    fn is_template(&self, path: &Path) -> bool {
        let is_project = path.ends_with(plumb_project::FILE_NAME);
        let Some(project) = &self.project else { return !is_project };
        let renders = project.targets.iter().zip(&self.results).filter_map(|(target, result)| {
            matches!(target.work, Work::Render(_)).then_some(result.as_ref()?)
        });
        let mut dependencies = renders.flat_map(|it| &it.dependencies);
        let is_input = dependencies.any(|it| match it.used {
            Use::LookedAt | Use::Read => it.path == path,
            Use::Listed => path.parent() == Some(it.path.as_path()),
            Use::Missed => false,
        });
        is_input && !is_project && !self.knowledge.is_values_file(path)
    }

    /// Stores the results of the last runs.
    fn learn(&mut self, here: &Path) {
        let Some(project) = &self.project else { return };
        let targets = project.targets.iter().zip(&mut self.results).map(|(target, result)| {
            let before = self.knowledge.targets.iter().find(|it| it.name == target.name);
            let mut known = before.cloned().unwrap_or_default();
            known.name.clone_from(&target.name);
            known.kube_options = match &target.work {
                Work::Render(render) if !render.options.kube_schemas.is_empty() => {
                    let options = render.options.clone().session(self.session.clone());
                    Some(Arc::new(options))
                }
                _ => None,
            };
            known.values_files = if let Work::Render(render) = &target.work {
                values_files(&render.options, here)
            } else {
                Vec::new()
            };
            if let Some(result) = result {
                let read = result.dependencies.iter().filter(|it| it.used == Use::Read);
                known.reads = read.map(|it| it.path.clone()).collect();
                let inspection = &result.inspection;
                known.schema = inspection.schema.clone().or(known.schema);
                known.values = inspection.values.clone().or(known.values);
                if let Ending::Done(product) = &mut result.ending
                    && let Some(Shown::Documents(rendered)) = product.shown.take()
                {
                    let sources = Arc::clone(&result.sources);
                    known.output = Some(Arc::new(Output::new(rendered, sources, here)));
                }
            }
            known
        });
        let targets = targets.collect();
        self.knowledge = Arc::new(Knowledge { targets });
    }

    fn checked(&self, root: PathBuf, overlay: &Overlay, findings: &[Diagnostic]) -> Checked {
        let here = overlay.directory().unwrap_or_default();
        let sources = self.session.sources();
        let converter = Converter { overlay, sources: &sources, here: &here };
        let mut by_file: BTreeMap<PathBuf, Vec<FileFinding>> = BTreeMap::new();
        for finding in findings {
            if let Some((path, finding)) = converter.finding(finding) {
                by_file.entry(path).or_default().push(finding);
            }
        }
        for path in overlay.buffers() {
            if project_root(overlay, &path) == root {
                let is_template = self.is_template(&path);
                add_syntax_errors(&path, is_template, overlay, &mut by_file);
            }
        }
        for findings in by_file.values_mut() {
            findings.sort_by_key(|it| it.range.start);
        }
        Checked { root, findings: by_file, knowledge: Arc::clone(&self.knowledge) }
    }
}

/// The plain files of data values that options name.
fn values_files(options: &Options, here: &Path) -> Vec<PathBuf> {
    let flags = options.data_values.iter().filter(|it| it.kind == DataValueKind::ValuesFile);
    flags.map(|it| lexical::clean(&here.join(&it.argument))).collect()
}

/// Adds the syntax errors after the first one, at which a run stops reading a file. Of a file that
/// is not a template, only the YAML is read.
fn add_syntax_errors(
    path: &Path,
    is_template: bool,
    overlay: &Overlay,
    to: &mut BTreeMap<PathBuf, Vec<FileFinding>>,
) {
    let Some(text) = overlay.text(path) else { return };
    let file = File::read(path, text);
    let is_meant = |it: &&Diagnostic| is_template || it.code.as_str() == YAML_SYNTAX;
    let mut findings = file.findings.iter().filter(is_meant).peekable();
    if findings.peek().is_none() {
        return;
    }
    let here = PathBuf::new();
    let converter = Converter { overlay, sources: &file.sources, here: &here };
    let known = to.entry(path.to_owned()).or_default();
    for finding in findings {
        let Some((_, finding)) = converter.finding(finding) else { continue };
        let line = file.line(finding.range.start);
        let is_known =
            |it: &FileFinding| it.code == finding.code && file.line(it.range.start) == line;
        if !known.iter().any(is_known) {
            known.push(finding);
        }
    }
}

/// Reads the project file, or creates a project for a directory or file without one.
fn read_project(key: &Path, overlay: &Arc<Overlay>, session: &Session) -> Result<Project, Failure> {
    let sources = session.sources();
    if key.file_name().is_some_and(|it| it == plumb_project::FILE_NAME) {
        return Project::read(&**overlay, key, &sources);
    }
    let world: Arc<dyn World> = Arc::clone(overlay) as _;
    let target = if plumb::machines::contains_machines(&world, &key.to_string_lossy()) {
        serde_json::json!({ "vm-check": machines(key, overlay) })
    } else {
        serde_json::json!({ "file": [key.to_string_lossy()] })
    };
    let text = serde_json::json!({ "targets": { ONLY_TARGET: target } }).to_string();
    let file = sources.add("(no project file)", SourceKind::Memory, text.as_bytes().into());
    Project::of_source(file, Path::new(plumb_project::FILE_NAME), &sources)
}

/// A file with virtual machines, and the templates that they may name: those in the nearest
/// directory `templates`.
fn machines(file: &Path, overlay: &Overlay) -> serde_json::Value {
    let mut directories = file.ancestors().skip(1).map(|it| it.join("templates"));
    let is_directory = |it: &PathBuf| overlay.entry(it).ok() == Some(EntryKind::Directory);
    let templates: Option<PathBuf> =
        directories.find(is_directory).filter(|it| !file.starts_with(it));
    serde_json::json!({
        "machines": [file.to_string_lossy()],
        "templates": templates.iter().map(|it| it.to_string_lossy()).collect::<Vec<_>>(),
    })
}
