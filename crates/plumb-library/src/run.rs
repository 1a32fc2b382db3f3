//! The state that all libraries of a run share: the files, each parsed once, and the environment.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, LazyLock, Mutex, OnceLock, PoisonError, RwLock, RwLockReadGuard};

use memchr::memmem::Finder;
use plumb_diagnostic::{Diagnostic, Failure, SilentDrops};
use plumb_source::{Cores, FileId, Message, Sources, World, message};
use plumb_starlark::Budget;
use plumb_stdlib::work::{self, Built};
use plumb_template::{Compiled, LIMIT, Options, Runtime};
use plumb_validation::{ASSERT_VALIDATE, Work};
use plumb_value::Document;
use plumb_yaml::{Limits, ReadOptions};

use crate::activity::Activity;
use crate::printed::Printed;
use crate::purpose::Purpose;
use crate::{DirectoryId, FileType, InputFile, Tree, last_keys};

/// The number of bytes of YAML for which a thread is worthwhile.
const WORTH_THREADS: usize = 256 << 10;
/// The maximum number of batches in which files are given to threads.
const MAX_BATCHES: usize = 64;

/// Finders are created once, because most files are short.
static RULES: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new(ASSERT_VALIDATE));
static SCHEMAS: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new("schema/"));

/// The shared state of a run.
pub struct Run {
    pub(crate) world: Arc<dyn World>,
    pub(crate) sources: Arc<Sources>,
    pub(crate) runtime: Arc<Runtime>,
    pub(crate) tree: Arc<Tree>,
    /// The documents of each file, parsed in normal and in strict mode.
    parsed: Vec<[ParsedOnce; 2]>,
    reading: Limits,
    /// The files that other runs have parsed.
    shared: Option<Arc<Parses>>,
    /// The compiled files of inner libraries, if there is only one run: it may evaluate a library
    /// many times.
    compiled: CompiledFiles,
    /// Whether a file that was read mentions `@assert/validate`. Otherwise, documents do not have
    /// to be searched for it.
    mentions_rules: AtomicBool,
    /// Whether a file that was read mentions annotations of schemas.
    mentions_schemas: AtomicBool,
}

/// How the files of a library are read and checked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of the command line")]
pub struct LibraryOptions {
    /// Whether only the strict subset of YAML is accepted.
    pub is_strict: bool,
    /// Whether comments without `#@` and `#!` are ignored instead of being an error.
    pub ignores_unknown_comments: bool,
    /// Whether a duplicate key replaces the earlier one instead of being an error.
    pub overrides_map_keys: bool,
    /// Whether rules on data values are skipped; types are always checked.
    pub skips_validation: bool,
    /// Whether rules on output documents are skipped.
    pub skips_output_validation: bool,
    /// The number of libraries that contain or load this one.
    pub depth: usize,
}

/// The maximum nesting of libraries. A library that evaluates itself would never end.
const MAX_DEPTH: usize = 50;

impl LibraryOptions {
    /// The options of a library that a file of this one uses.
    pub(crate) fn inside(self) -> Result<Self, Message> {
        if self.depth >= MAX_DEPTH {
            return Err(message!(
                "libraries use each other more than {MAX_DEPTH} levels deep: one of them uses itself"
            ));
        }
        Ok(Self { depth: self.depth + 1, ..self })
    }
}

impl Run {
    /// Returns the library with a name in the `_ytt_lib` of a directory, or, if the name begins
    /// with a slash, in the `_ytt_lib` of the root of the input. ytt does not support such names.
    pub(crate) fn find_library(
        &self,
        from: DirectoryId,
        path: &str,
    ) -> Result<DirectoryId, Message> {
        match path.strip_prefix('/') {
            Some(path) if self.runtime.silent_drops() == SilentDrops::Refuse => {
                self.tree.find_library(DirectoryId::ROOT, path)
            }
            _ => self.tree.find_library(from, path),
        }
    }
}

/// The kinds of work with a schema.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SchemaWork {
    /// Checks values, which are kept with their defaults.
    Check,
    /// Checks values, which are dropped afterwards.
    Try,
    /// Writes the schema in another language.
    Export,
    /// Checks the output against the rules that it carries, which are dropped.
    Output,
}

/// Checks values against a schema, or exports it. Each part counts as a step of a run, and the
/// values that are built count as memory.
pub fn check_within<T>(
    budget: &Budget,
    kind: SchemaWork,
    check: impl FnOnce(&Work<'_>) -> T,
) -> Result<T, Failure> {
    let built = match kind {
        SchemaWork::Try | SchemaWork::Output => Built::Dropped,
        SchemaWork::Check | SchemaWork::Export => Built::Kept,
    };
    work::within(budget, built, check).map_err(|limit| {
        let doing = match kind {
            SchemaWork::Check | SchemaWork::Try => "checking values against their schema",
            SchemaWork::Export => "exporting the schema",
            SchemaWork::Output => "checking the output against its rules",
        };
        let message = message!("{doing}: {}", limit.message);
        let help = limit.limit.flag().map(|flag| {
            message!("if there are not too many values, defaults or alternatives, raise {flag}")
        });
        let mut finding = Diagnostic::error(LIMIT, message);
        finding.help.extend(help);
        finding.into()
    })
}

/// The files of several runs over the same sources: each is parsed and compiled once. The runs must
/// have runtimes with the same [`Registry`](plumb_template::Registry).
#[derive(Debug, Default)]
pub struct Parses {
    parsed: Mutex<HashMap<ParseKey, Arc<Shared<Parsed>>>>,
    compiled: CompiledFiles,
}

type CompiledFiles = Mutex<HashMap<CompileKey, Arc<Shared<Compiled>>>>;

/// A result that several runs use. The first run that needs it computes it.
#[derive(Debug)]
struct Shared<T> {
    is_begun: AtomicBool,
    result: OnceLock<Result<Arc<T>, Failure>>,
}

impl<T> Default for Shared<T> {
    fn default() -> Self {
        Self { is_begun: AtomicBool::new(false), result: OnceLock::new() }
    }
}

impl<T> Shared<T> {
    /// Returns whether no run has started to compute the result. In this case, the caller must
    /// compute it.
    ///
    /// Runs that start at the same time use the same files in the same order, and would wait for
    /// each other at every file. Instead, each run first computes the results that no other run has
    /// started.
    fn begin(&self) -> bool {
        !self.is_begun.swap(true, Ordering::Relaxed)
    }

    fn get(&self, compute: impl FnOnce() -> Result<Arc<T>, Failure>) -> Result<Arc<T>, Failure> {
        self.is_begun.store(true, Ordering::Relaxed);
        self.result.get_or_init(compute).clone()
    }
}

/// The inputs of a compiled file.
#[derive(Debug, PartialEq, Eq, Hash)]
struct CompileKey {
    file: FileId,
    kind: FileType,
    is_strict: bool,
    is_data_values: bool,
    options: Options,
    silent_drops: SilentDrops,
    limits: Limits,
}

/// The inputs of the documents of a file.
#[derive(Debug, PartialEq, Eq, Hash)]
#[expect(clippy::struct_excessive_bools, reason = "each decides how a file is read")]
struct ParseKey {
    file: FileId,
    is_strict: bool,
    may_be_template: bool,
    is_data_values: bool,
    keeps_comments: bool,
    limits: Limits,
}

type ParsedOnce = OnceLock<Result<Arc<Parsed>, Failure>>;

/// A YAML file.
#[derive(Debug)]
pub(crate) struct Parsed {
    /// Empty if they are printed, or taken.
    documents: RwLock<Vec<Document>>,
    /// The documents as text, if nothing else is needed of them.
    pub(crate) printed: Option<Arc<Printed>>,
    /// Whether it contains code or an annotation.
    pub(crate) is_template: bool,
    mentions_rules: bool,
    mentions_schemas: bool,
    /// Whether it contains declarations, determined for each purpose on first use.
    declares: [OnceLock<Result<bool, Failure>>; Purpose::ALL.len()],
}

impl Parsed {
    /// A file without code whose documents are printed.
    pub(crate) fn printed(printed: Printed) -> Self {
        Self {
            documents: RwLock::default(),
            printed: Some(Arc::new(printed)),
            is_template: false,
            mentions_rules: false,
            mentions_schemas: false,
            declares: Default::default(),
        }
    }

    /// Returns the documents of the file.
    pub(crate) fn documents(&self) -> RwLockReadGuard<'_, Vec<Document>> {
        self.documents.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes the documents of a file that is not used again. Overlays then change them in place.
    pub(crate) fn take_documents(&self) -> Vec<Document> {
        std::mem::take(&mut *self.documents.write().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Run {
    /// Creates the shared state of a run over the files of a tree. `reading` limits the YAML
    /// reader; `shared` contains the files that other runs over the same sources have parsed.
    pub fn new(
        world: Arc<dyn World>,
        runtime: Arc<Runtime>,
        tree: Arc<Tree>,
        reading: Limits,
        shared: Option<Arc<Parses>>,
    ) -> Arc<Self> {
        let sources = Arc::clone(&runtime.sources);
        let parsed = tree.files().iter().map(|_| Default::default()).collect();
        Arc::new(Self {
            world,
            sources,
            runtime,
            tree,
            parsed,
            reading,
            shared,
            compiled: Mutex::default(),
            mentions_rules: AtomicBool::new(false),
            mentions_schemas: AtomicBool::new(false),
        })
    }

    /// Checks values against a schema, within the limits of the run.
    pub(crate) fn check<T>(&self, check: impl FnOnce(&Work<'_>) -> T) -> Result<T, Failure> {
        check_within(self.runtime.budget(), SchemaWork::Check, check)
    }

    pub(crate) fn file(&self, at: usize) -> &InputFile {
        &self.tree.files()[at]
    }

    /// Returns whether a document of the run can have an `@assert/validate`.
    pub(crate) fn mentions_rules(&self) -> bool {
        self.mentions_rules.load(Ordering::Relaxed)
    }

    /// Returns whether a document of the run can have an annotation of a schema.
    pub(crate) fn mentions_schemas(&self) -> bool {
        self.mentions_schemas.load(Ordering::Relaxed)
    }

    pub(crate) fn source(&self, at: usize) -> Result<FileId, Failure> {
        self.file(at).source(&*self.world, &self.sources)
    }

    /// Returns the documents of a YAML file, which is read on the first call.
    pub(crate) fn parsed(&self, at: usize, is_strict: bool) -> Result<Arc<Parsed>, Failure> {
        let parse = || self.parse(at, is_strict, self.cores_for(at));
        self.parsed[at][usize::from(is_strict)].get_or_init(parse).clone()
    }

    /// Returns the documents of a YAML file, even if they were taken before: then it is read again.
    pub(crate) fn parsed_again(&self, at: usize, is_strict: bool) -> Result<Arc<Parsed>, Failure> {
        let parsed = self.parsed(at, is_strict)?;
        if !parsed.documents().is_empty() {
            return Ok(parsed);
        }
        self.parse_source(self.file(at), self.source(at)?, is_strict, self.cores_for(at))
    }

    /// Sets the documents of a YAML file, unless it was read before.
    pub(crate) fn set_parsed(&self, at: usize, is_strict: bool, parsed: Parsed) {
        self.parsed[at][usize::from(is_strict)].get_or_init(|| Ok(Arc::new(parsed)));
    }

    /// Returns the limits of the YAML reader.
    pub(crate) fn reading(&self) -> Limits {
        self.reading
    }

    /// Returns the number of threads for reading one file.
    fn cores_for(&self, at: usize) -> Cores {
        let size = self.source(at).map_or(0, |it| self.sources.get(it).bytes().len());
        if size < WORTH_THREADS { Cores::ONE } else { self.world.cores() }
    }

    /// Returns whether a document of a YAML file declares data values, or a schema.
    pub(crate) fn is_declared(
        &self,
        at: usize,
        is_strict: bool,
        purpose: Purpose,
    ) -> Result<bool, Failure> {
        let parsed = self.parsed(at, is_strict)?;
        if !parsed.is_template {
            return Ok(false);
        }
        let look = || purpose.is_declared_in(&parsed.documents(), &self.sources);
        parsed.declares[purpose as usize].get_or_init(look).clone()
    }

    /// Reads YAML files that will all be needed, on several threads if there is enough to read. A
    /// mistake in a file is reported when the file is used.
    pub(crate) fn parse_ahead(&self, files: &[usize], is_strict: bool) {
        // Sources are numbered in the order of their creation, which must be deterministic.
        let size = |&at: &usize| self.source(at).map_or(0, |it| self.sources.get(it).bytes().len());
        let n_bytes: usize = files.iter().map(size).sum();
        if files.len() < 2 || n_bytes < WORTH_THREADS {
            return self.parse_unbegun(files, is_strict);
        }
        let batches: Vec<&[usize]> = files.chunks(files.len().div_ceil(MAX_BATCHES)).collect();
        self.world.cores().map(&batches, |batch| {
            for &at in *batch {
                let parsed = &self.parsed[at][usize::from(is_strict)];
                parsed.get_or_init(|| self.parse(at, is_strict, Cores::ONE));
            }
        });
    }

    fn parse(&self, at: usize, is_strict: bool, cores: Cores) -> Result<Arc<Parsed>, Failure> {
        let parsed = self.parse_once(at, is_strict, cores)?;
        self.mentions_rules.fetch_or(parsed.mentions_rules, Ordering::Relaxed);
        self.mentions_schemas.fetch_or(parsed.mentions_schemas, Ordering::Relaxed);
        Ok(parsed)
    }

    /// Returns whether other runs use the files too.
    pub(crate) fn is_shared(&self) -> bool {
        self.shared.is_some()
    }

    /// Reads the files that no other run is reading.
    fn parse_unbegun(&self, files: &[usize], is_strict: bool) {
        if !self.is_shared() {
            return;
        }
        for &at in files {
            let shared = self.shared_parse(at, is_strict);
            if shared.is_ok_and(|it| it.is_some_and(|it| it.begin())) {
                // A mistake is reported when the file is used.
                let _ = self.parsed(at, is_strict);
            }
        }
    }

    /// The documents of a file that several runs use. Returns `None` if there is only one run.
    fn shared_parse(
        &self,
        at: usize,
        is_strict: bool,
    ) -> Result<Option<Arc<Shared<Parsed>>>, Failure> {
        let Some(shared) = &self.shared else { return Ok(None) };
        let input = self.file(at);
        let key = ParseKey {
            file: self.source(at)?,
            is_strict,
            may_be_template: may_be_template(input),
            is_data_values: input.is_data_values(),
            keeps_comments: self.runtime.keeps_comments(),
            limits: self.reading,
        };
        let mut parses = shared.parsed.lock().unwrap_or_else(PoisonError::into_inner);
        Ok(Some(Arc::clone(parses.entry(key).or_default())))
    }

    fn parse_once(&self, at: usize, is_strict: bool, cores: Cores) -> Result<Arc<Parsed>, Failure> {
        let file = self.source(at)?;
        let parse = || self.parse_source(self.file(at), file, is_strict, cores);
        match self.shared_parse(at, is_strict)? {
            Some(shared) => shared.get(parse),
            None => parse(),
        }
    }

    /// Returns a compiled file. Calls `compile` unless the same file was compiled before, by
    /// another run or as part of the same inner library.
    pub(crate) fn compiled(
        &self,
        at: usize,
        library: LibraryOptions,
        options: Options,
        compile: impl FnOnce() -> Result<Compiled, Failure>,
    ) -> Result<Arc<Compiled>, Failure> {
        let compile = || compile().map(Arc::new);
        match self.shared_compile(at, library, options)? {
            Some(shared) => shared.get(compile),
            None => compile(),
        }
    }

    /// Returns whether a file that several runs use was not compiled yet, and no other run is
    /// compiling it. In this case, the caller must compile it.
    pub(crate) fn begin_compile(
        &self,
        at: usize,
        library: LibraryOptions,
        options: Options,
    ) -> bool {
        let shared = self.shared_compile(at, library, options);
        shared.is_ok_and(|it| it.is_some_and(|it| it.begin()))
    }

    /// A file that is compiled once. Returns `None` if it is used only once.
    fn shared_compile(
        &self,
        at: usize,
        library: LibraryOptions,
        options: Options,
    ) -> Result<Option<Arc<Shared<Compiled>>>, Failure> {
        let compiled = match &self.shared {
            Some(shared) => &shared.compiled,
            None if library.depth > 0 => &self.compiled,
            None => return Ok(None),
        };
        let input = self.file(at);
        let key = CompileKey {
            file: self.source(at)?,
            kind: input.file_type(),
            is_strict: library.is_strict,
            is_data_values: input.is_data_values(),
            options,
            silent_drops: self.runtime.silent_drops(),
            limits: self.reading,
        };
        let mut compiled = compiled.lock().unwrap_or_else(PoisonError::into_inner);
        Ok(Some(Arc::clone(compiled.entry(key).or_default())))
    }

    fn parse_source(
        &self,
        input: &InputFile,
        file: FileId,
        is_strict: bool,
        cores: Cores,
    ) -> Result<Arc<Parsed>, Failure> {
        let source = self.sources.get(file);
        let has_code = may_be_template(input) && source.contains(b"#@");
        let limits = self.reading;
        let comments = has_code || self.runtime.keeps_comments();
        let options = ReadOptions { strict: is_strict, comments, limits, ..ReadOptions::default() };
        let mut documents =
            plumb_yaml::parse_on(cores, file, source.bytes(), &options).map_err(|error| {
                Failure::from(error).within(Activity::ParseTemplate(input.path().to_owned()))
            })?;
        let is_template = has_code && plumb_template::is_template(&documents);
        if !is_template && !input.is_data_values() {
            last_keys::keep(&mut documents, &self.sources);
        }
        Ok(Arc::new(Parsed {
            documents: RwLock::new(documents),
            printed: None,
            is_template,
            mentions_rules: is_template && RULES.find(source.bytes()).is_some(),
            mentions_schemas: is_template && SCHEMAS.find(source.bytes()).is_some(),
            declares: Default::default(),
        }))
    }
}

fn may_be_template(input: &InputFile) -> bool {
    input.is_template() || input.is_library()
}
