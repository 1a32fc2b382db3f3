//! Resolves imports to modules.
//!
//! Relative paths start at the importing module. `@jkcfg/std` is built in, whatever `node_modules`
//! contains. Everything else is searched in the root, then in `node_modules` from the importing
//! module up to the root, then in the libraries. No import leaves its root.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use plumb_source::message::{plain, secret};
use plumb_source::root::{self, Root, RootError};
use plumb_source::{EntryKind, Message, message};

use super::package::Package;
use super::{Content, builtin};
use crate::Dialect;
use crate::error::Doing;
use crate::run::Run;

/// The suffixes that are tried for a path that is not a file itself.
const SUFFIXES: [&str; 8] =
    [".mjs", ".js", ".ts", ".mts", "/index.mjs", "/index.js", "/index.ts", "/index.mts"];

/// An import that cannot be resolved.
#[derive(Clone, Debug)]
pub(crate) struct ResolveError {
    pub(crate) specifier: String,
    pub(crate) referrer: String,
    /// The paths that were tried, each with the rule that led to it.
    pub(crate) candidates: Vec<(String, &'static str)>,
    /// The directory of an existing package that has no ES module of this name.
    pub(crate) commonjs: Option<String>,
    dialect: Dialect,
}

/// The importer of modules that the command line names: code in the root.
pub(crate) const TOP_LEVEL: &str = "<toplevel>";

/// The name of the module for `specifier` in the module called `referrer`.
pub(crate) fn resolve(run: &Run, referrer: &str, specifier: &str) -> Result<String, ResolveError> {
    let mut search = Search { run, candidates: Vec::new(), commonjs: None };
    let found = search.run(referrer, specifier);
    trace(run, referrer, specifier, found.as_deref().unwrap_or("not found"));
    found.ok_or_else(|| {
        let (specifier, referrer) = (specifier.to_owned(), referrer.to_owned());
        let Search { candidates, commonjs, .. } = search;
        let dialect = run.request.dialect;
        ResolveError { specifier, referrer, candidates, commonjs, dialect }
    })
}

fn trace(run: &Run, referrer: &str, specifier: &str, found: &str) {
    if run.request.reporting.traces_imports && !builtin::is_builtin(referrer) {
        let line = format!("debug: import {specifier} from {referrer} -> {found}\n");
        run.log(line.as_bytes());
    }
}

impl ResolveError {
    /// Whether it is named on the command line instead of in an import.
    pub(crate) fn is_of_command_line(&self) -> bool {
        self.referrer == TOP_LEVEL
    }

    /// The message for a specifier that is not written in the module: it may have been computed
    /// from values.
    pub(crate) fn message_of_computed(&self) -> Message {
        let whole = self.message();
        let (first, rest) = whole.split_once('\n').unwrap_or((&whole, ""));
        let Some((before, after)) = first.split_once(&self.specifier) else {
            return Message::from(secret(whole));
        };
        let first = message!("{}{}{}", plain(before), secret(&self.specifier), plain(after));
        match rest {
            "" => first,
            rest => message!("{first}\n{}", secret(rest)),
        }
    }

    /// The message: the import that failed, and the paths that were tried.
    pub(crate) fn message(&self) -> String {
        let Self { specifier, referrer, candidates, .. } = self;
        let mut message = match self.dialect {
            Dialect::Plumb if self.is_of_command_line() => {
                format!("there is no script '{specifier}'")
            }
            Dialect::Plumb | Dialect::Jk => {
                format!("could not import '{specifier}' from '{referrer}'")
            }
        };
        if !candidates.is_empty() {
            message.push_str("\ncandidates considered:");
        }
        for (path, rule) in candidates {
            let _ = write!(message, "\n  {path} ({rule})");
        }
        message
    }
}

struct Search<'a> {
    run: &'a Run,
    candidates: Vec<(String, &'static str)>,
    commonjs: Option<String>,
}

/// The place of an import.
struct Importer {
    root: usize,
    directory: PathBuf,
}

impl Search<'_> {
    fn run(&mut self, referrer: &str, specifier: &str) -> Option<String> {
        if builtin::is_builtin(referrer) {
            return for_builtin(specifier);
        }
        if builtin::is_internal(specifier) {
            return None;
        }
        let importer = self.importer(referrer)?;
        if specifier.starts_with("./") || specifier.starts_with("../") || specifier == "." {
            return self.relative(&importer, specifier);
        }
        if specifier.starts_with('/') {
            self.candidates.push((specifier.to_owned(), "absolute paths are not imported"));
            return None;
        }
        if builtin::is_resource(specifier) {
            return Some(self.resource(&importer));
        }
        if specifier == "@jkcfg/std" || specifier.starts_with("@jkcfg/std/") {
            self.candidates.push((specifier.to_owned(), "standard module"));
            return builtin::public_name(specifier).map(str::to_owned);
        }
        self.bare(&importer, specifier)
    }

    fn importer(&self, referrer: &str) -> Option<Importer> {
        let modules = self.run.modules.borrow();
        // Code that a script compiles at run time counts as code in the root.
        let content = modules.get(referrer).map(|entry| &entry.content);
        Some(match content {
            Some(Content::File { root, path }) => {
                Importer { root: *root, directory: path.parent()?.to_owned() }
            }
            Some(Content::Text(_) | Content::Expression(_) | Content::Resource(_)) | None => {
                Importer { root: 0, directory: PathBuf::new() }
            }
        })
    }

    fn resource(&self, importer: &Importer) -> String {
        let root = self.run.modules.borrow().root(importer.root);
        let resource = self.run.add_resource(root.full(&importer.directory));
        let name = format!("@jkcfg/std/resource ({resource})");
        self.run.modules.borrow_mut().add(name, Content::Resource(resource))
    }

    fn relative(&mut self, importer: &Importer, specifier: &str) -> Option<String> {
        let path = importer.directory.join(specifier);
        self.file(importer.root, &path, "relative").map(|it| self.add(importer.root, it))
    }

    fn bare(&mut self, importer: &Importer, specifier: &str) -> Option<String> {
        if let Some(path) = self.file(0, Path::new(specifier), "root") {
            return Some(self.add(0, path));
        }
        for directory in importer.directory.ancestors() {
            if directory.ends_with("node_modules") {
                continue;
            }
            let modules = directory.join("node_modules");
            if self.kind(importer.root, &modules) != Some(EntryKind::Directory) {
                self.note(importer.root, &modules, "node_modules");
                continue;
            }
            if let Some(path) = self.installed(importer.root, &modules, specifier) {
                return Some(self.add(importer.root, path));
            }
            let package = modules.join(specifier);
            if self.kind(importer.root, &package) == Some(EntryKind::Directory) {
                let package = self.root(importer.root).full(&package);
                self.commonjs = Some(package.to_string_lossy().into_owned());
            }
        }
        let n_roots = 1 + self.run.request.libraries.len();
        (1..n_roots).find_map(|root| {
            let path = self.file(root, Path::new(specifier), "library")?;
            Some(self.add(root, path))
        })
    }

    /// A module in a `node_modules` directory.
    fn installed(&mut self, root: usize, modules: &Path, specifier: &str) -> Option<PathBuf> {
        let n_names = if specifier.starts_with('@') { 2 } else { 1 };
        let end = specifier.match_indices('/').nth(n_names - 1).map_or(specifier.len(), |it| it.0);
        let (name, subpath) = specifier.split_at(end);
        let package = modules.join(name);
        let manifest = self.package(root, &package);
        if subpath.is_empty() {
            return self.package_entry(root, &package, manifest.as_ref());
        }
        let export = manifest.and_then(|it| it.export(&format!(".{subpath}")));
        if let Some(export) = export
            && let Some(path) = self.exact(root, &package.join(export), "package.json exports")
        {
            return Some(path);
        }
        let path = modules.join(specifier);
        if self.kind(root, &path) == Some(EntryKind::Directory) {
            // A file with an extension takes precedence over a directory of the same name.
            let with_extension = SUFFIXES.iter().filter(|it| it.starts_with('.'));
            for suffix in with_extension {
                if let Some(path) = self.exact(root, &appended(&path, suffix), "node_modules") {
                    return Some(path);
                }
            }
            let manifest = self.package(root, &path);
            return self.package_entry(root, &path, manifest.as_ref());
        }
        self.file(root, &path, "node_modules")
    }

    /// The module for the name of a package: `module`, then `exports`, then `main` of a package of
    /// ES modules, then its index.
    fn package_entry(
        &mut self,
        root: usize,
        directory: &Path,
        manifest: Option<&Package>,
    ) -> Option<PathBuf> {
        if let Some(module) = manifest.and_then(Package::module)
            && let Some(path) = self.file(root, &directory.join(module), "package.json module")
        {
            return Some(path);
        }
        if let Some(export) = manifest.and_then(|it| it.export("."))
            && let Some(path) = self.exact(root, &directory.join(export), "package.json exports")
        {
            return Some(path);
        }
        if let Some(main) = manifest.and_then(Package::main)
            && let Some(path) = self.file(root, &directory.join(main), "package.json main")
        {
            return Some(path);
        }
        self.file(root, directory, "node_modules")
    }

    fn package(&self, root: usize, directory: &Path) -> Option<Package> {
        let root = self.root(root);
        let located = root.locate(self.run.world(), &directory.join("package.json")).ok()?;
        located.kind?;
        let bytes = self.run.world().read(&root.full(&located.path)).ok()?;
        Package::parse(&bytes)
    }

    /// A file, with or without its extension, or the index of a directory.
    fn file(&mut self, root: usize, path: &Path, rule: &'static str) -> Option<PathBuf> {
        if let Some(found) = self.exact(root, path, rule) {
            return Some(found);
        }
        let by_suffix =
            SUFFIXES.iter().find_map(|suffix| self.exact(root, &appended(path, suffix), rule));
        // TypeScript imports `x.js` and means `x.ts`.
        by_suffix.or_else(|| {
            let extension = match path.extension()?.to_str()? {
                "js" => "ts",
                "mjs" => "mts",
                _ => return None,
            };
            self.exact(root, &path.with_extension(extension), rule)
        })
    }

    fn exact(&mut self, root: usize, path: &Path, rule: &'static str) -> Option<PathBuf> {
        let at = self.root(root);
        match at.locate(self.run.world(), path) {
            Ok(located) if located.kind == Some(EntryKind::File) => Some(located.path),
            Ok(_) => {
                self.note(root, path, rule);
                None
            }
            Err(root_error) => {
                self.note_outside(root, path, &root_error);
                None
            }
        }
    }

    fn kind(&self, root: usize, path: &Path) -> Option<EntryKind> {
        self.root(root).locate(self.run.world(), path).ok()?.kind
    }

    fn note(&mut self, root: usize, path: &Path, rule: &'static str) {
        let path = self.root(root).full(&root::below(path).unwrap_or_default());
        self.candidates.push((path.to_string_lossy().into_owned(), rule));
    }

    fn note_outside(&mut self, root: usize, path: &Path, root_error: &RootError) {
        let why = match root_error {
            RootError::Absolute | RootError::Parent => "outside the root",
            RootError::Link => "a link that leaves the root",
            RootError::World(_) => "unreadable",
        };
        let path = self.root(root).full(path);
        let path = match root_error {
            RootError::World(_) => Doing::Reading.words(root_error),
            RootError::Absolute | RootError::Parent | RootError::Link => {
                path.to_string_lossy().into_owned()
            }
        };
        self.candidates.push((path, why));
    }

    fn root(&self, at: usize) -> Rc<Root> {
        self.run.modules.borrow().root(at)
    }

    fn add(&self, root: usize, path: PathBuf) -> String {
        self.run.modules.borrow_mut().add_file(root, path)
    }
}

/// The imports of built-in modules: each other, and the modules that the command line names.
fn for_builtin(specifier: &str) -> Option<String> {
    match specifier.strip_prefix("plumb:entry/") {
        Some(name) => Some(name.to_owned()),
        None if builtin::is_internal(specifier) => Some(specifier.to_owned()),
        None => builtin::public_name(specifier).map(str::to_owned),
    }
}

fn appended(path: &Path, suffix: &str) -> PathBuf {
    let mut path = path.as_os_str().to_owned();
    path.push(suffix);
    path.into()
}
