//! `@ytt:library`: libraries below a `_ytt_lib`, evaluated with their own values.

use std::sync::Arc;

use plumb_diagnostic::Failure;
use plumb_source::message::term;
use plumb_source::{Message, Origin, Text, message};
use plumb_starlark::{Args, Budget, Builtin, Doc, Error, Module, Tally, Value};
use plumb_stdlib::{Member, ModuleDefinition};
use plumb_template::convert::{self, Data};
use plumb_template::datum::type_words;
use plumb_template::{Fragment, FragmentContent, to_structs};
use plumb_value::{Document, Expected};

use crate::activity::Activity;
use crate::argument::ArgumentError;
use crate::declared::prepare_schema;
use crate::environment::{Environment, FileLoader, ModuleSource};
use crate::evaluation::{Evaluation, Evaluations, Input};
use crate::input_error::InputError;
use crate::layer::{Layer, LayerKind};
use crate::plain;
use crate::reference::LibraryRef;
use crate::render::Rendered;
use crate::run::{LibraryOptions, Run};
use crate::tree::DirectoryId;

/// The keyword arguments of `library.get`.
const OPTIONS: [&str; 5] = [
    "alias",
    "ignore_unknown_comments",
    "implicit_map_key_overrides",
    "strict",
    "dangerous_data_values_disable_validation",
];
/// The keyword arguments of `eval`.
const EVAL_OPTIONS: [&str; 2] =
    ["output_disable_validation", "data_value_schema_disable_validation"];

/// The file that loads the module, and the cache of evaluations.
pub(crate) struct Context {
    pub(crate) loader: FileLoader,
    pub(crate) evaluations: Arc<Evaluations>,
}

pub(crate) static MODULE: ModuleDefinition<Context> = ModuleDefinition {
    name: "library",
    summary: "other libraries below _ytt_lib",
    members: &[Member::created(
        "library.get(name, alias=None)",
        "A library, which has `with_data_values(…)`, `eval()`, `export(…)` and `data_values()`.",
        get,
    )],
};

/// Creates `library.get` for the file that loads the module.
fn get(doc: &Doc, Context { loader, evaluations }: &Context) -> Value {
    // The environment itself is not captured, because it stores values that may refer to this
    // function.
    let Environment { run, modules, options: defaults, visible, .. } = &*loader.environment;
    let (run, modules, evaluations) =
        (Arc::clone(run), Arc::clone(modules), Arc::clone(evaluations));
    let (defaults, home) = (*defaults, loader.home);
    let (values, schemas) = (visible.library_values.clone(), visible.library_schemas.clone());
    let owner = Arc::clone(&run);
    function(&owner, doc.full_name(), None, move |args| {
        let path = one_text(args)?;
        let (alias, options) = options(args, defaults)?;
        if path.starts_with('@') {
            return Err(ArgumentError::AtSign(path).message().into());
        }
        let options = options.inside()?;
        let root = run.find_library(home, &path)?;
        Ok(Instance {
            run: Arc::clone(&run),
            modules: Arc::clone(&modules),
            evaluations: Arc::clone(&evaluations),
            root,
            options,
            name: LibraryRef { path, alias },
            values: values.clone(),
            schemas: schemas.clone(),
        }
        .value())
    })
}

/// Reads the keyword arguments of `library.get`. Missing ones are taken from the calling library.
fn options(
    args: &Args<'_>,
    mut options: LibraryOptions,
) -> Result<(String, LibraryOptions), Message> {
    let mut alias = String::new();
    for (name, value) in args.named() {
        match &*name.to_str_lossy() {
            "alias" => alias = text(value)?,
            "ignore_unknown_comments" => options.ignores_unknown_comments = flag(value)?,
            "implicit_map_key_overrides" => options.overrides_map_keys = flag(value)?,
            "strict" => options.is_strict = flag(value)?,
            "dangerous_data_values_disable_validation" => {
                options.skips_validation |= flag(value)?;
            }
            other => return Err(ArgumentError::unknown(other, &OPTIONS).message()),
        }
    }
    Ok((alias, options))
}

/// A library with the values that it was given so far. It is immutable: each step creates a new
/// instance.
#[derive(Clone)]
struct Instance {
    run: Arc<Run>,
    modules: Arc<ModuleSource>,
    evaluations: Arc<Evaluations>,
    root: DirectoryId,
    options: LibraryOptions,
    name: LibraryRef,
    values: Vec<Layer>,
    schemas: Vec<Layer>,
}

/// Why a function failed: because of its arguments, or because of findings in the library.
enum InstanceError {
    Arguments(Message),
    Library(Failure),
}

impl Instance {
    fn value(self) -> Value {
        let evaluating = Activity::EvaluateLibrary(self.name.to_string());
        let exporting = Activity::ExportFromLibrary(self.name.to_string());
        let members = [
            (
                "with_data_values".into(),
                self.method("library.with_data_values", None, Self::with_data_values),
            ),
            (
                "with_data_values_schema".into(),
                self.method("library.with_data_values_schema", None, Self::with_schema),
            ),
            ("eval".into(), self.method("library.eval", Some(evaluating), Self::eval)),
            ("export".into(), self.method("library.export", Some(exporting.clone()), Self::export)),
            (
                "data_values".into(),
                self.method("library.data_values", Some(exporting), Self::data_values),
            ),
        ];
        Value::Module(Arc::new(Module::new("library", members)))
    }

    fn method(
        &self,
        name: &'static str,
        activity: Option<Activity>,
        act: fn(&Self, &Args<'_>) -> Result<Value, InstanceError>,
    ) -> Value {
        let instance = self.clone();
        function(&self.run, name, activity, move |args| act(&instance, args))
    }

    fn with_data_values(&self, args: &Args<'_>) -> Result<Value, InstanceError> {
        let document = document(one(args)?, self.run.runtime.budget())?;
        let mut kind = LayerKind::Overlay;
        for (name, value) in args.named() {
            if *name != "plain" {
                return Err(ArgumentError::UnknownOfValues(name.to_string()).message().into());
            }
            if flag(value)? {
                expect_no_annotations(&document)?;
                kind = LayerKind::Plain;
            }
        }
        let mut instance = self.clone();
        instance.values.push(Layer::new(document, kind, Vec::new()));
        Ok(instance.value())
    }

    fn with_schema(&self, args: &Args<'_>) -> Result<Value, InstanceError> {
        let mut document = document(one(args)?, self.run.runtime.budget())?;
        prepare_schema(&mut document).map_err(InstanceError::Library)?;
        let sources = &self.run.sources;
        let checked = self.run.check(|work| plumb_schema::Schema::check(&document, sources, work));
        checked.and_then(|it| it).map_err(InstanceError::Library)?;
        let mut instance = self.clone();
        instance.schemas.push(Layer::new(document, LayerKind::Overlay, Vec::new()));
        Ok(instance.value())
    }

    /// Returns the documents of the library.
    fn eval(&self, args: &Args<'_>) -> Result<Value, InstanceError> {
        none(args)?;
        let mut instance = self.clone();
        for (name, value) in args.named() {
            if *name == "output_disable_validation" {
                instance.options.skips_output_validation |= flag(value)?;
            } else if *name == "data_value_schema_disable_validation" {
                instance.options.skips_validation |= flag(value)?;
            } else {
                return Err(ArgumentError::unknown(&name.to_str_lossy(), &EVAL_OPTIONS)
                    .message()
                    .into());
            }
        }
        let rendered = instance.rendered().map_err(InstanceError::Library)?;
        let documents: Vec<Document> =
            rendered.files.iter().flat_map(|file| file.documents.iter().cloned()).collect();
        Ok(Fragment::from(FragmentContent::Documents(Arc::new(documents))).into())
    }

    fn data_values(&self, args: &Args<'_>) -> Result<Value, InstanceError> {
        none(args)?;
        let evaluation = self.evaluation().map_err(InstanceError::Library)?;
        let values = to_structs(&evaluation.values.node, self.run.runtime.budget());
        values.map_err(|limit| limit.message().clone().into())
    }

    fn export(&self, args: &Args<'_>) -> Result<Value, InstanceError> {
        let name = one_text(args)?;
        let mut wanted_path = None;
        for (keyword, value) in args.named() {
            match &*keyword.to_str_lossy() {
                "path" => wanted_path = Some(text(value)?),
                other => {
                    let error = ArgumentError::UnknownOfExport(other.to_owned());
                    return Err(error.message().into());
                }
            }
        }
        if name.starts_with('_') {
            return Err(ArgumentError::Private.message().into());
        }
        let rendered = self.rendered().map_err(InstanceError::Library)?;
        let symbol = Text::from(name.as_str());
        let exports = rendered.exports.iter().filter_map(|(path, globals)| {
            let is_wanted =
                wanted_path.as_ref().is_none_or(|wanted| wanted.is_empty() || wanted == path);
            Some((path, globals.get(&symbol).filter(|_| is_wanted)?))
        });
        let found: Vec<_> = exports.collect();
        match &found[..] {
            [] => Err(ArgumentError::NoSymbol(name).message().into()),
            [(_, value)] => Ok((*value).clone()),
            several => {
                let paths = several.iter().map(|(path, _)| (*path).clone()).collect();
                Err(ArgumentError::Symbols { name, paths }.message().into())
            }
        }
    }

    fn evaluation(&self) -> Result<Arc<Evaluation>, Failure> {
        let input = Input {
            root: self.root,
            options: self.options,
            schemas: self.meant_here(&self.schemas),
            values: self.meant_here(&self.values),
        };
        self.evaluations.evaluation(&self.run, &self.modules, input)
    }

    fn rendered(&self) -> Result<Arc<Rendered>, Failure> {
        self.evaluation()?.rendered()
    }

    /// Returns the layers for this library, and the layers for its inner libraries.
    fn meant_here(&self, layers: &[Layer]) -> [Vec<Layer>; 2] {
        let seen = layers.iter().filter_map(|layer| layer.for_library(&self.name));
        let (own, inner) = seen.partition(|layer| !layer.is_for_another_library());
        [own, inner]
    }
}

/// Converts a value to a document. Values that code created have no place.
fn document(value: &Value, budget: &Budget) -> Result<Document, Message> {
    let data = convert::to_data(value, Origin::Unknown, &mut Tally::kept(budget));
    match data.map_err(|error| error.message().clone())? {
        Data::Node(node) => Ok(Document::new(node, Origin::Unknown)),
        Data::Documents(_) => Err(message!("expected a map, {}", message::found("a document set"))),
    }
}

/// Plain values are merged without annotations, so they must have none.
fn expect_no_annotations(document: &Document) -> Result<(), Message> {
    if plain::is_annotated(&document.node) {
        return Err(InputError::NotPlain.message());
    }
    Ok(())
}

/// A function of the module or of a library. `activity` describes what it does.
fn function(
    run: &Arc<Run>,
    name: &'static str,
    activity: Option<Activity>,
    act: impl Fn(&Args<'_>) -> Result<Value, InstanceError> + Send + Sync + 'static,
) -> Value {
    let run = Arc::clone(run);
    Value::Builtin(Arc::new(Builtin::new(name, move |_, args| {
        act(args).map_err(|problem| problem.into_error(name, activity.as_ref(), &run))
    })))
}

impl InstanceError {
    fn into_error(self, function: &'static str, activity: Option<&Activity>, run: &Run) -> Error {
        match self {
            Self::Arguments(message) => {
                let activity = activity.map(|it| term("", it.clone()));
                Error::new(message!("{function}: {activity}{message}"))
            }
            Self::Library(failure) => {
                let failure = match activity {
                    Some(activity) => failure.within(activity.clone()),
                    None => failure,
                };
                let text = run.runtime.text(&failure);
                Error::new(message!("{function}: {text}")).with_detail(failure)
            }
        }
    }
}

impl<M: Into<Message>> From<M> for InstanceError {
    fn from(message: M) -> Self {
        Self::Arguments(message.into())
    }
}

fn one<'a>(args: &Args<'a>) -> Result<&'a Value, &'static str> {
    match (args.len(), args.get(0)) {
        (1, Some(value)) => Ok(value),
        _ => Err("expected exactly one argument"),
    }
}

fn none(args: &Args<'_>) -> Result<(), &'static str> {
    match args.len() {
        0 => Ok(()),
        _ => Err("expected no arguments"),
    }
}

fn one_text(args: &Args<'_>) -> Result<String, Message> {
    text(one(args)?)
}

fn text(value: &Value) -> Result<String, Message> {
    match value {
        Value::String(text) => Ok(text.to_str_lossy().into_owned()),
        other => Err(message!("expected a string, {}", message::found(other.type_name()))),
    }
}

fn flag(value: &Value) -> Result<bool, Message> {
    match value {
        Value::Bool(it) => Ok(*it),
        other => {
            let expected = Expected::Boolean.words();
            Err(message!("expected {expected}, {}", message::found(type_words(other))))
        }
    }
}
