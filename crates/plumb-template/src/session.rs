//! A running evaluation: executes the instructions of templates.

use std::any::Any;
use std::cell::RefCell;
use std::sync::Arc;

use plumb_diagnostic::{Diagnostic, Failure};
use plumb_source::message::term;
use plumb_source::{Origin, Span, Text, message};
use plumb_starlark::{Args, Error, Globals, Host, Result, Tally, Thread, Value, ValueError};
use plumb_value::{Annotation, AnnotationDefinition, Array, Map, Node, Reads};

use crate::build::{BuildError, Builder, Built, Replacement};
use crate::convert::{self, Data};
use crate::datum;
use crate::known::argument_finding;
use crate::program::{AnnotationName, Operation};
use crate::runtime::{Registered, Runtime};
use crate::template::{TextOrigin, TextOutput};
use crate::text::NotText;
use crate::{Fragment, FragmentContent, Loader};

/// The host of a thread: the results of the active functions so far.
pub(crate) struct Session {
    runtime: Arc<Runtime>,
    loader: Option<Arc<dyn Loader>>,
    contexts: RefCell<Vec<Context>>,
    /// The template of the last instruction. The next one usually belongs to the same template.
    recent: RefCell<Option<Arc<Registered>>>,
}

/// The result of a template or an active function so far.
#[derive(Debug)]
enum Context {
    Yaml(Builder),
    Text(TextOutput),
}

impl Session {
    pub(crate) fn new(runtime: Arc<Runtime>, loader: Option<Arc<dyn Loader>>) -> Self {
        Self { runtime, loader, contexts: RefCell::new(Vec::new()), recent: RefCell::new(None) }
    }

    /// Begins the result of a YAML template.
    pub(crate) fn start_yaml(&self, overrides_map_keys: bool) {
        self.contexts.borrow_mut().push(Context::Yaml(Builder::new(overrides_map_keys)));
    }

    /// Returns the result of the template after its program has ended.
    pub(crate) fn finish_yaml(&self) -> Built {
        match self.contexts.borrow_mut().pop() {
            Some(Context::Yaml(builder)) => builder.finish(),
            Some(Context::Text(_)) | None => Built::Nothing,
        }
    }

    pub(crate) fn finish_text(&self) -> TextOutput {
        match self.contexts.borrow_mut().pop() {
            Some(Context::Text(built)) => built,
            Some(Context::Yaml(_)) | None => TextOutput::default(),
        }
    }

    /// Implements `template.replace`: the value replaces the current node.
    pub(crate) fn replace(&self, value: &Value) -> Result<()> {
        let origin = self.with_builder(Builder::placeholder_origin)?;
        let mut tally = Tally::kept(self.runtime.budget());
        let (data, levels) = convert::to_data_with_levels(value, origin, &mut tally)?;
        self.check_levels(levels)?;
        let replacement = match data {
            Data::Documents(documents) => Replacement::Documents(documents.to_vec()),
            Data::Node(node) => {
                let is_written = value.downcast::<Fragment>().is_some();
                Replacement::Node { node, is_written }
            }
        };
        self.with_builder(|builder| builder.replace(replacement))?
            .map_err(|error| Error::new(error.0))
    }

    pub(crate) fn runtime(&self) -> &Arc<Runtime> {
        &self.runtime
    }

    pub(crate) fn loader(&self) -> Option<&dyn Loader> {
        self.loader.as_deref()
    }

    /// Calls a function with the template of an instruction. The function must not call this
    /// method.
    fn with_registered<T>(&self, op: u32, act: impl FnOnce(&Registered) -> T) -> T {
        if let Some(registered) = &*self.recent.borrow()
            && registered.has(op)
        {
            return act(registered);
        }
        let found = self.runtime.find(op);
        let result = act(&found);
        self.recent.replace(Some(found));
        result
    }

    fn with_builder<T>(&self, act: impl FnOnce(&mut Builder) -> T) -> Result<T> {
        match self.contexts.borrow_mut().last_mut() {
            Some(Context::Yaml(builder)) => Ok(act(builder)),
            Some(Context::Text(_)) | None => Err(Error::new("unsupported operation")),
        }
    }

    /// Appends to the text that is being built. Growing copies the text, so twice its length is in
    /// use.
    fn add_text(&self, thread: &mut Thread<'_>, piece: &Text, span: Span) -> Result<()> {
        let mut contexts = self.contexts.borrow_mut();
        // Only the text of a file has origins.
        let is_file = contexts.len() == 1;
        let origin = if is_file { size_of::<TextOrigin>() } else { 0 };
        thread.count_built(piece.len().saturating_add(origin).saturating_mul(2))?;
        if let Some(Context::Text(built)) = contexts.last_mut() {
            if is_file && !piece.is_empty() {
                built.origins.push(TextOrigin { start: built.text.len(), span });
            }
            built.text.push(piece);
        }
        Ok(())
    }

    fn carry_out(
        &self,
        thread: &mut Thread<'_>,
        registered: &Registered,
        op: u32,
        args: &Args<'_>,
    ) -> Result<()> {
        let plan = &registered.plan;
        match registered.operation(op) {
            Operation::Start(tag) => {
                thread.count_built(convert::ITEM)?;
                let started = self.with_builder(|builder| builder.start(plan, *tag))?;
                started.map_err(|error| registered.instruction_error("start_node", &error))
            }
            Operation::Add { parent, constant } => {
                thread.count_built(convert::ITEM)?;
                let added = self.with_builder(|builder| builder.add(plan, *parent, constant))?;
                added.map_err(|error| registered.instruction_error("start_node", &error))
            }
            Operation::SetScalar(node) => self.set_node(registered, node.clone()),
            Operation::SetValue(span) => self.set_value(registered, args, *span),
            Operation::Annotate(tag, name, span) => {
                let AnnotationName { name, definition } = plan.name(*name);
                self.check_arguments(*definition, *span, args)?;
                let annotation = self.annotation(name, *span, args, 0)?;
                self.with_builder(|builder| builder.annotate(*tag, annotation))
            }
            Operation::AnnotateQuoted(tag, name, span) => {
                let name = &plan.name(*name).name;
                let became = args.get(0).unwrap_or(&Value::None);
                if became.as_text().is_none_or(|it| *it != **name) {
                    let error = misread_name(became, registered.number_after(op));
                    return Err(registered.instruction_error("start_node_annotation", &error));
                }
                let annotation = self.annotation(name, *span, args, 1)?;
                self.with_builder(|builder| builder.annotate(*tag, annotation))
            }
            Operation::SetKey(tag) => {
                let key = Node::String(self.finish_text().text);
                self.with_builder(|builder| builder.set_key(*tag, key))
            }
            Operation::SetText => {
                let text = Node::String(self.finish_text().text);
                self.set_node(registered, text)
            }
            Operation::StartText => {
                self.contexts.borrow_mut().push(Context::Text(TextOutput::default()));
                Ok(())
            }
            Operation::AddText(text, span) => self.add_text(thread, text, *span),
            Operation::AddTextValue(span) => self.add_text_value(thread, registered, args, *span),
            Operation::End => Ok(()),
        }
    }

    /// Records a value with this nesting depth. Fails if the result would be nested too deeply.
    fn check_levels(&self, levels: u32) -> Result<()> {
        let levels = self.with_builder(|builder| builder.nest(levels))?;
        if levels > convert::MAX_DEPTH { Err(convert::too_deep()) } else { Ok(()) }
    }

    fn set_node(&self, registered: &Registered, node: Node) -> Result<()> {
        let set = self.with_builder(|builder| builder.set_value(node))?;
        set.map_err(|error| registered.instruction_error("set_node", &error))
    }

    fn set_value(&self, registered: &Registered, args: &Args<'_>, span: Span) -> Result<()> {
        let value = args.get(0).unwrap_or(&Value::None);
        if value.downcast::<Replaced>().is_some() {
            return Ok(());
        }
        let mut tally = Tally::kept(self.runtime.budget());
        let converted = convert::to_data_with_levels(value, Origin::Computed(span), &mut tally);
        let (data, levels) =
            converted.map_err(|error| registered.instruction_failure("set_node", &error))?;
        self.check_levels(levels)?;
        match data {
            Data::Node(node) if value.downcast::<Fragment>().is_some() => {
                self.set_node(registered, node)
            }
            Data::Node(node) => self.set_node(registered, made_by_code(node, span)),
            Data::Documents(_) => {
                let refusal = self.with_builder(Builder::refuse_documents)?;
                Err(registered.instruction_error("set_node", &refusal))
            }
        }
    }

    fn add_text_value(
        &self,
        thread: &mut Thread<'_>,
        registered: &Registered,
        args: &Args<'_>,
        span: Span,
    ) -> Result<()> {
        match args.get(0) {
            Some(Value::String(text)) => self.add_text(thread, text, span),
            other => {
                let value = other.unwrap_or(&Value::None);
                let mut tally = Tally::borrowed(self.runtime.budget());
                let error = match convert::to_data(value, Origin::Unknown, &mut tally) {
                    Err(error) if error.reached().is_some() => return Err(error),
                    Err(error) => error.message().clone(),
                    Ok(_) => {
                        let found = convert::type_words(value);
                        let words =
                            message!("expected a string, found {found}: write `str(…)` around it");
                        term(words, NotText { found }).into()
                    }
                };
                Err(registered.instruction_error("set_node", &BuildError(error)))
            }
        }
    }

    /// Reports arguments that an annotation does not read. Unknown annotations may have any.
    fn check_arguments(
        &self,
        definition: Option<&AnnotationDefinition>,
        span: Span,
        args: &Args<'_>,
    ) -> Result<()> {
        let Some(definition) = definition else { return Ok(()) };
        let keywords = args.named().map(|(name, _)| name.to_str_lossy());
        let finding = argument_finding(definition, args.positional().len(), keywords, span);
        let Some(finding) = finding.or_else(|| self.mention_finding(definition, span, args)) else {
            return Ok(());
        };
        self.runtime.report_drop(span, finding).map_err(|refused| {
            Error::new(refused.message.clone()).with_detail(Failure::from(*refused))
        })
    }

    /// Returns a finding about names of annotations in the arguments of an annotation.
    fn mention_finding(
        &self,
        definition: &AnnotationDefinition,
        span: Span,
        args: &Args<'_>,
    ) -> Option<Diagnostic> {
        if definition.reads != Reads::AnnotationNames {
            return None;
        }
        let vocabulary = self.runtime.vocabulary();
        let names = args.positional().filter_map(Value::as_text);
        names.filter_map(Text::as_str).find_map(|it| vocabulary.mention_finding(it, span))
    }

    /// Creates an annotation with the arguments from position `from` on.
    fn annotation(
        &self,
        name: &Arc<str>,
        span: Span,
        args: &Args<'_>,
        from: usize,
    ) -> Result<Annotation> {
        let datum = |value: &Value| datum::from_value(value, &self.runtime, Origin::Computed(span));
        // A collected `Result` does not know its length, and would reserve too much.
        let mut positional = Vec::with_capacity(args.positional().len().saturating_sub(from));
        for value in args.positional().skip(from) {
            positional.push(datum(value)?);
        }
        let mut kwargs = Vec::with_capacity(args.named().len());
        for (name, value) in args.named() {
            kwargs.push((Arc::from(&*name.to_str_lossy()), datum(value)?));
        }
        let uses = self.runtime.coverage().and_then(|it| it.uses(span));
        Ok(Annotation { uses, ..Annotation::new(Arc::clone(name), positional, kwargs, Some(span)) })
    }
}

/// The error for a name of an annotation that changes, or is not valid, when it is read as code.
fn misread_name(became: &Value, node_number: usize) -> BuildError {
    BuildError(match became.as_text() {
        Some(name) => message!("expected to find {name} on node node tag {node_number}"),
        None => message!("expected a string, {}", message::found(became.type_name())),
    })
}

/// Marks a node as the result of the expression at `span`, even if it is shared with a node that
/// was written. This only matters for empty collections.
fn made_by_code(node: Node, span: Span) -> Node {
    let origin = Origin::Computed(span);
    match node {
        Node::Map(map) if map.is_empty() => Node::map(Map::new(Vec::new(), origin)),
        Node::Array(array) if array.items.is_empty() => Node::array(Array::new(Vec::new(), origin)),
        other => other,
    }
}

impl Host for Session {
    fn instruction(&self, thread: &mut Thread<'_>, op: u32, args: &Args<'_>) -> Result<Value> {
        self.with_registered(op, |registered| self.carry_out(thread, registered, op, args))?;
        Ok(Value::None)
    }

    fn start_context(&self, _thread: &mut Thread<'_>, op: u32) -> Result<()> {
        let context = self.with_registered(op, |registered| {
            if registered.operation(op).builds_text() {
                Context::Text(TextOutput::default())
            } else {
                Context::Yaml(Builder::new(registered.options.overrides_map_keys))
            }
        });
        self.contexts.borrow_mut().push(context);
        Ok(())
    }

    fn end_context(&self, _thread: &mut Thread<'_>, returned: Option<Value>) -> Result<Value> {
        let context = self.contexts.borrow_mut().pop();
        if let Some(returned) = returned {
            return Ok(returned);
        }
        Ok(match context {
            Some(Context::Text(built)) => Value::String(built.text),
            Some(Context::Yaml(builder)) => {
                let levels = builder.levels();
                let content = match builder.finish() {
                    Built::Nothing => FragmentContent::Empty,
                    Built::Documents(documents) => FragmentContent::Documents(Arc::new(documents)),
                    Built::Node(node) => FragmentContent::from(&node),
                };
                Fragment::of_levels(content, levels).into()
            }
            None => Value::None,
        })
    }

    fn abandon_context(&self) {
        self.contexts.borrow_mut().pop();
    }

    fn load(&self, thread: &mut Thread<'_>, module: &Text, from: Option<Span>) -> Result<Globals> {
        match &self.loader {
            Some(loader) => loader.load(thread, module, from),
            None => Err(Error::new("load is not possible here")),
        }
    }

    fn print(&self, message: &Text) {
        self.runtime.print(message);
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

/// The result of `template.replace`: the node already has its value.
pub(crate) struct Replaced;

impl plumb_starlark::HostValue for Replaced {
    fn type_name(&self) -> &'static str {
        "noop"
    }

    fn as_any(&self) -> &dyn Any {
        self
    }

    fn repr(&self) -> Text {
        "noop".into()
    }

    /// As in ytt, so `template.replace(x) or y` is `y`.
    fn truth(&self) -> bool {
        false
    }

    fn hash(&self) -> Result<u64> {
        Err(Error::new(ValueError::Unhashable { found: self.type_name(), can_change: true }))
    }
}
