//! The environment of the files of a library: data values, other files, and the built-in modules.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock};

use plumb_diagnostic::{Code, Diagnostic, Failure, SilentDrops};
use plumb_source::message::plain;
use plumb_source::{FileId, Span, Text, lexical, message};
use plumb_starlark::{Error, Globals, Result as StarlarkResult, Thread, Value};
use plumb_stdlib::work::{self, Built};
use plumb_template::{
    Compiled, Evaluated, Loader, Options, Output, Template, TemplateOutline, TextOrigin,
    TextOutput, UnknownModule, outline_module, outline_text, outline_yaml,
};
use plumb_validation::Validation;
use plumb_value::{Annotation, Document, Node};

use crate::activity::{Activity, TemplateKind};
use crate::find_error::FindError;
use crate::layer::Layer;
use crate::printed::Printed;
use crate::run::{LibraryOptions, Run};
use crate::tree::DirectoryId;
use crate::{FileType, InputFile, keys, missing_values, output_comment};

/// Files load each other in a cycle.
///
/// Move the shared code to a file that loads none of them.
pub(crate) const LOAD_CYCLE: Code = Code::new("template/load-cycle");

/// One evaluation of a library: all its files have the same data values.
pub(crate) struct Environment {
    pub(crate) run: Arc<Run>,
    pub(crate) modules: Arc<ModuleSource>,
    /// The directory that absolute paths start from.
    pub(crate) root: DirectoryId,
    pub(crate) options: LibraryOptions,
    pub(crate) visible: Visible,
    /// Rules for all output documents, which files add while they are evaluated. `None` if there is
    /// no output, because data values or a schema are evaluated.
    output_rules: Option<Arc<Mutex<Vec<Validation>>>>,
    loaded: Mutex<HashMap<usize, LoadedFile>>,
    /// Whether templates can refer to all values by name; determined when a template first needs
    /// the values.
    named: Arc<OnceLock<Result<(), Failure>>>,
}

/// Creates the built-in module with this name (`json` for `@ytt:json`) for a file. Returns `None`
/// if there is no such module. Modules can evaluate libraries, so they are passed to the
/// environment, which does not depend on them.
pub(crate) type ModuleSource = dyn Fn(&str, &FileLoader) -> Option<Value> + Send + Sync;

/// The data values that the files of a library see, and those for inner libraries.
#[derive(Clone, Default)]
pub(crate) struct Visible {
    /// The values, or `None` if there is a mistake in them: files that need them cannot be
    /// evaluated.
    pub(crate) values: Option<Node>,
    /// Layers for inner libraries.
    pub(crate) library_values: Vec<Layer>,
    pub(crate) library_schemas: Vec<Layer>,
}

/// The use of the documents of the files.
#[derive(Clone, Copy)]
pub(crate) enum Documents {
    ComeOut,
    /// They are data values, a schema or a part of a schema.
    AreUsed,
}

/// The output of a YAML file.
pub(crate) enum YamlOutput {
    Documents(Vec<Document>),
    Printed(Arc<Printed>),
}

/// The state of a file that others load.
enum LoadedFile {
    /// It is being evaluated. A file that loads it now is part of a cycle.
    UnderWay,
    Done(Globals),
    /// It has failed. The first file that loaded it reports the failure.
    Failed,
}

impl Environment {
    pub(crate) fn new(
        run: Arc<Run>,
        modules: Arc<ModuleSource>,
        root: DirectoryId,
        options: LibraryOptions,
        mut visible: Visible,
    ) -> Self {
        if run.runtime.keeps_comments()
            && let Some(values) = &mut visible.values
        {
            // Their comments are meant for the people who set them.
            values.remove_comments();
        }
        Self {
            run,
            modules,
            root,
            options,
            visible,
            output_rules: None,
            loaded: Mutex::default(),
            named: Arc::default(),
        }
    }

    /// Lets files add rules for the output documents.
    pub(crate) fn with_output_rules(self) -> Self {
        Self { output_rules: Some(Arc::default()), ..self }
    }

    /// Returns the rules for all output documents that the files have added so far.
    pub(crate) fn output_rules(&self) -> Vec<Validation> {
        let rules = self.output_rules.as_ref();
        rules
            .map(|it| it.lock().expect("no holder of this lock panics").clone())
            .unwrap_or_default()
    }

    /// Returns the output of a YAML file.
    pub(crate) fn output(self: &Arc<Self>, file: usize) -> Result<YamlOutput, Failure> {
        let parsed = self.run.parsed(file, self.options.is_strict)?;
        match &parsed.printed {
            Some(printed) => Ok(YamlOutput::Printed(Arc::clone(printed))),
            None if !parsed.is_template && self.is_used_once(file) => {
                Ok(YamlOutput::Documents(self.with_feet(parsed.take_documents())))
            }
            None => self.documents(file).map(YamlOutput::Documents),
        }
    }

    /// Returns whether nobody needs the documents of a file after its output is known. The root
    /// library is evaluated once; other libraries may be evaluated several times.
    fn is_used_once(&self, file: usize) -> bool {
        self.output_rules.is_some()
            && self.options.depth == 0
            && !self.run.is_shared()
            && !self.run.file(file).is_library()
    }

    /// Returns the documents of a YAML file, evaluated if it is a template.
    pub(crate) fn documents(self: &Arc<Self>, file: usize) -> Result<Vec<Document>, Failure> {
        let parsed = self.run.parsed(file, self.options.is_strict)?;
        let documents = if parsed.is_template {
            match self.evaluate(file)?.output {
                Output::Documents(documents) => documents,
                Output::Text(_) | Output::Nothing => Vec::new(),
            }
        } else {
            parsed.documents().clone()
        };
        Ok(self.with_feet(documents))
    }

    /// Moves comments after the last node to the document before them, if comments are kept.
    fn with_feet(&self, mut documents: Vec<Document>) -> Vec<Document> {
        if self.run.runtime.keeps_comments() {
            output_comment::move_to_foot(&mut documents);
        }
        documents
    }

    /// Returns the text of a text file, evaluated if it is a template.
    pub(crate) fn text(self: &Arc<Self>, file: usize) -> Result<TextOutput, Failure> {
        let input = self.run.file(file);
        if !input.is_template() && !input.is_library() {
            let id = self.run.source(file)?;
            let source = self.run.sources.get(id);
            let bytes = source.bytes();
            let end = u32::try_from(bytes.len()).expect("a source is at most 4 GiB");
            let origins = vec![TextOrigin { start: 0, span: Span::new(id, 0, end) }];
            return Ok(TextOutput { text: Text::from_bytes(bytes), origins });
        }
        match self.evaluate(file)?.output {
            Output::Text(written) => Ok(written),
            Output::Documents(_) | Output::Nothing => Ok(TextOutput::default()),
        }
    }

    /// Returns the names that others can load from a file. It is evaluated once.
    pub(crate) fn globals(self: &Arc<Self>, file: usize) -> Result<Globals, Failure> {
        match self.lock().get(&file) {
            Some(LoadedFile::Done(globals)) => return Ok(globals.clone()),
            Some(LoadedFile::UnderWay) => return Err(self.cycle(file)),
            Some(LoadedFile::Failed) => return Err(Failure::consequence()),
            None => {}
        }
        self.lock().insert(file, LoadedFile::UnderWay);
        let evaluated = self.evaluate(file);
        match evaluated {
            Ok(evaluated) => {
                self.lock().insert(file, LoadedFile::Done(evaluated.globals.clone()));
                Ok(evaluated.globals)
            }
            Err(failure) => {
                self.lock().insert(file, LoadedFile::Failed);
                Err(failure)
            }
        }
    }

    fn evaluate(self: &Arc<Self>, file: usize) -> Result<Evaluated, Failure> {
        let template = self.template(file)?;
        let loader = FileLoader { environment: Arc::clone(self), home: self.run.tree.home(file) };
        template.evaluate(Arc::new(loader)).map_err(|failure| {
            let failure = self.with_missing_values(file, failure);
            self.while_evaluating(file, failure)
        })
    }

    /// Adds all data values that a file refers to but that do not exist. ytt reports only the first
    /// one.
    fn with_missing_values(&self, file: usize, failure: Failure) -> Failure {
        let is_strict = self.run.runtime.silent_drops() == SilentDrops::Refuse;
        let (Some(values), true) = (&self.visible.values, is_strict) else { return failure };
        let Ok(source) = self.run.source(file) else { return failure };
        let outline = || self.outline(file, source).code;
        missing_values::completed(failure, source, outline, values, &self.run.sources)
    }

    fn outline(&self, file: usize, source: FileId) -> TemplateOutline {
        let (sources, vocabulary) = (&self.run.sources, self.run.runtime.vocabulary());
        match self.run.file(file).file_type() {
            FileType::Yaml => match self.run.parsed_again(file, self.options.is_strict) {
                Ok(parsed) => outline_yaml(&parsed.documents(), sources, vocabulary),
                Err(_) => TemplateOutline::default(),
            },
            FileType::Text => outline_text(source, sources, vocabulary),
            FileType::Starlark | FileType::Data => outline_module(source, sources, vocabulary),
        }
    }

    /// Compiles the YAML templates among these files, except those that another run is compiling.
    pub(crate) fn compile_ahead(&self, files: &[usize]) {
        if !self.run.is_shared() {
            return;
        }
        let is_strict = self.options.is_strict;
        for &file in files {
            let input = self.run.file(file);
            let is_template = input.file_type() == FileType::Yaml
                && input.is_for_output()
                && self.run.parsed(file, is_strict).is_ok_and(|it| it.is_template);
            if is_template && self.run.begin_compile(file, self.options, self.options_of(input)) {
                // A mistake is reported when the file is evaluated.
                let _ = self.compiled(file);
            }
        }
    }

    fn template(&self, file: usize) -> Result<Template, Failure> {
        let runtime = &self.run.runtime;
        if self.run.file(file).file_type() == FileType::Yaml {
            // A file that is not YAML is reported as such: it was not compiled yet.
            self.run.parsed(file, self.options.is_strict)?;
        }
        let template = self.compiled(file).and_then(|it| Template::new(runtime, &it));
        template.map_err(|failure| {
            // Mistakes in the code are reported when it is evaluated.
            if failure.is_traced() {
                return self.while_evaluating(file, failure);
            }
            let input = self.run.file(file);
            let kind = match input.file_type() {
                FileType::Yaml => TemplateKind::Yaml,
                FileType::Text => TemplateKind::Text,
                FileType::Starlark | FileType::Data => TemplateKind::Code,
            };
            failure.within(Activity::Compile(kind, input.path().to_owned()))
        })
    }

    fn compiled(&self, file: usize) -> Result<Arc<Compiled>, Failure> {
        let input = self.run.file(file);
        let runtime = &self.run.runtime;
        let options = self.options_of(input);
        match input.file_type() {
            FileType::Yaml => {
                let parsed = self.run.parsed(file, self.options.is_strict)?;
                let compile = || {
                    if self.is_used_once(file) {
                        return Compiled::yaml(runtime, parsed.take_documents().into(), options);
                    }
                    Compiled::yaml(runtime, parsed.documents().as_slice().into(), options)
                };
                self.run.compiled(file, self.options, options, compile)
            }
            FileType::Text => {
                let source = self.run.source(file)?;
                let compile = || Compiled::text(runtime, source);
                self.run.compiled(file, self.options, options, compile)
            }
            FileType::Starlark | FileType::Data => {
                let source = self.run.source(file)?;
                let compile = || Ok(Compiled::module(runtime, source));
                self.run.compiled(file, self.options, options, compile)
            }
        }
    }

    fn options_of(&self, input: &InputFile) -> Options {
        Options {
            // Plain YAML has plain comments.
            ignores_unknown_comments: self.options.ignores_unknown_comments
                || input.is_data_values()
                || self.run.runtime.keeps_comments(),
            overrides_map_keys: self.options.overrides_map_keys,
            keeps_comments: self.run.runtime.keeps_comments(),
        }
    }

    fn while_evaluating(&self, file: usize, failure: Failure) -> Failure {
        match self.run.file(file).file_type() {
            FileType::Text => failure.within(Activity::Evaluate(TemplateKind::Text)),
            FileType::Starlark => failure.within(Activity::Evaluate(TemplateKind::Code)),
            FileType::Yaml | FileType::Data => failure,
        }
    }

    fn check_named(&self) -> Result<(), Failure> {
        let check = || {
            let values = self.visible.values.as_ref();
            values.map_or(Ok(()), keys::check_named)
        };
        self.named.get_or_init(check).clone()
    }

    fn cycle(&self, file: usize) -> Failure {
        let path = self.run.file(file).path();
        let message = message!(
            "'{}' loads itself, through other files or directly",
            plain(lexical::one_line(path))
        );
        Diagnostic::error(LOAD_CYCLE, message)
            .help("move what both files need into a third file that loads neither")
            .into()
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, HashMap<usize, LoadedFile>> {
        self.loaded.lock().expect("no holder of this lock panics")
    }
}

/// Loads modules for one file.
#[derive(Clone)]
pub(crate) struct FileLoader {
    pub(crate) environment: Arc<Environment>,
    /// The directory of the file: the start of relative paths.
    pub(crate) home: DirectoryId,
}

impl Loader for FileLoader {
    fn load(
        &self,
        _thread: &mut Thread<'_>,
        module: &Text,
        _from: Option<Span>,
    ) -> StarlarkResult<Globals> {
        self.find(&module.to_str_lossy())
    }

    fn require_of_output(&self, rules: Annotation) -> StarlarkResult<()> {
        let Some(kept) = &self.environment.output_rules else {
            return Err(Error::new(
                "expected to be called by a template, because data values are not output",
            ));
        };
        let validation =
            Validation::from_annotation(&rules).map_err(|problem| Error::new(problem.message()))?;
        let budget = self.environment.run.runtime.budget();
        work::within(budget, Built::Kept, |work| validation.count(work)).map_err(Error::from)?;
        kept.lock().expect("no holder of this lock panics").push(validation);
        Ok(())
    }
}

impl FileLoader {
    fn find(&self, module: &str) -> StarlarkResult<Globals> {
        let Some(rest) = module.strip_prefix('@') else {
            return load_file(&self.environment, self.home, module);
        };
        let Some((library, path)) = rest.split_once(':') else {
            return Err(Error::new(FindError::NoColon.message()));
        };
        if library == "ytt" {
            // Libraries get data values too.
            if self.environment.visible.values.is_none() && matches!(path, "data" | "library") {
                return Err(Error::new("data values are wrong").with_detail(Failure::consequence()));
            }
            if path == "data" {
                self.environment.check_named().map_err(|failure| {
                    Error::new(self.environment.run.runtime.text(&failure)).with_detail(failure)
                })?;
            }
            return self.load_builtin(path);
        }
        let run = &self.environment.run;
        let root = run.find_library(self.home, library).map_err(Error::new)?;
        load_file(&self.environment.rooted_at(root)?, root, path)
    }

    fn load_builtin(&self, name: &str) -> StarlarkResult<Globals> {
        match (self.environment.modules)(name, self) {
            Some(module) => Ok([(Text::from(name), module)].into_iter().collect()),
            None => {
                let name = name.to_owned();
                let error = Error::new(FindError::NoModule(name.clone()).message());
                Err(error.with_detail(UnknownModule { name }))
            }
        }
    }
}

fn load_file(
    environment: &Arc<Environment>,
    from: DirectoryId,
    path: &str,
) -> StarlarkResult<Globals> {
    let run = &environment.run;
    let found = match path.strip_prefix('/') {
        Some(path) => run.tree.find_file(environment.root, path),
        None => run.tree.find_file(from, path),
    };
    let file = found.map_err(Error::new)?;
    let input = run.file(file);
    let shown = || lexical::one_line(input.path()).into_owned();
    if !input.is_library() {
        return Err(Error::new(FindError::NotLoadable(shown()).message()));
    }
    if input.file_type() == FileType::Data {
        return Err(Error::new(FindError::Data(shown()).message()));
    }
    // Mistakes in the file are reported at their place there.
    environment
        .globals(file)
        .map_err(|failure| Error::new(run.runtime.text(&failure)).with_detail(failure))
}

impl Environment {
    /// Returns the same environment for a library of code, whose paths start at its own root.
    fn rooted_at(self: &Arc<Self>, root: DirectoryId) -> StarlarkResult<Arc<Self>> {
        Ok(Arc::new(Self {
            run: Arc::clone(&self.run),
            modules: Arc::clone(&self.modules),
            root,
            options: self.options.inside().map_err(Error::new)?,
            visible: self.visible.clone(),
            output_rules: self.output_rules.clone(),
            loaded: Mutex::default(),
            named: Arc::clone(&self.named),
        }))
    }
}
