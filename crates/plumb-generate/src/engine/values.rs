//! Converts values of scripts to documents, and back.
//!
//! Values are converted as in JSON: property order is kept, `undefined` and holes are left out of
//! objects and become null in arrays, `toJSON` is called. Values that JSON would lose silently (a
//! Map, NaN, a function) are an error that names the field if [`Losses::Refused`].

use std::collections::{HashMap, HashSet};
use std::fmt::{self, Write as _};

use plumb_source::message::plain;
use plumb_source::{Message, Origin, Text};
use plumb_value::{Array, ArrayItem, Map, MapItem, Node};
use plumb_yaml::print::json::JsonError;
use rquickjs::atom::PredefinedAtom;
use rquickjs::function::This;
use rquickjs::object::Property;
use rquickjs::{Atom, Ctx, Exception, Function, Object, Type, Value};

use crate::error::Error;
use crate::format::{self, KeyOrder, MAX_DEPTH, Parsed};
use crate::run::{Input, Limit, Run};

/// How to treat values that cannot be expressed in JSON.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Losses {
    Refused,
    /// They are treated as by `JSON.stringify`: left out, or null.
    Accepted,
}

/// Why a value cannot be converted.
pub(super) enum ConversionError {
    /// The engine, or code of the script that was called, threw an exception.
    Thrown(rquickjs::Error),
    /// A value that JSON would lose, and the path to it.
    Misfit {
        found: Misfit,
        steps: Vec<Step>,
    },
    Other(Error),
}

/// A value that is not data.
#[derive(Debug)]
pub(super) enum Misfit {
    NotFinite(f64),
    BigInt,
    Symbol,
    Function,
    Circle,
    /// The message of `inspect`, such as `expected data, found a Map`.
    Object(String),
}

/// A step of the path to a value.
pub(super) enum Step {
    Key(String),
    Index(usize),
}

type Converted<T> = Result<T, ConversionError>;

/// Up to this depth, cycles are found by comparing with each open object.
const MAX_SEARCHED: usize = 64;

/// The number of values that are converted before the time is checked again.
const N_BETWEEN_LOOKS: usize = 4096;

/// Reads values of a script. Keys that occur repeatedly are read once.
///
/// Objects that are being read are on a separate stack. Otherwise, calls of the script would have
/// to share the native stack with deep values.
pub(super) struct Reader<'js, 's> {
    ctx: Ctx<'js>,
    run: &'s Run,
    /// Describes an object without a plain prototype: see `inspect` in `js/values.js`.
    inspect: Function<'js>,
    order: KeyOrder,
    losses: Losses,
    plain: Option<Object<'js>>,
    keys: HashMap<Atom<'js>, Text>,
    /// The objects that are being read, outermost first.
    open: Vec<Open<'js>>,
    /// The objects among them that are deeper than [`MAX_SEARCHED`].
    deep: HashSet<Object<'js>>,
    n_bytes: usize,
    n_values: usize,
}

/// An object that is being read.
struct Open<'js> {
    object: Object<'js>,
    content: Content<'js>,
}

/// Its contents: the part that was already read, and the rest.
enum Content<'js> {
    Array { array: rquickjs::Array<'js>, items: Vec<ArrayItem> },
    Map { keys: std::vec::IntoIter<Atom<'js>>, key: Option<Atom<'js>>, items: Vec<MapItem> },
}

/// The state of reading a value.
enum Begun<'js> {
    /// Completely; `None` if it is left out.
    Done(Option<Node>),
    /// It is an object, and its contents come next.
    Open(Open<'js>),
}

impl<'js, 's> Reader<'js, 's> {
    pub(super) fn new(
        run: &'s Run,
        inspect: Function<'js>,
        order: KeyOrder,
        losses: Losses,
    ) -> rquickjs::Result<Self> {
        let ctx = inspect.ctx().clone();
        let plain = Object::new(ctx.clone())?.get_prototype();
        Ok(Self {
            ctx,
            run,
            inspect,
            order,
            losses,
            plain,
            keys: HashMap::new(),
            open: Vec::new(),
            deep: HashSet::new(),
            n_bytes: 0,
            n_values: 0,
        })
    }

    /// Reads a value as a node. A value that would be left out becomes null.
    pub(super) fn read(mut self, value: Value<'js>) -> Converted<Node> {
        self.read_all(value).map_err(|mut error| {
            if let ConversionError::Misfit { steps, .. } = &mut error {
                steps.extend(self.open.iter().map(Open::step));
            }
            error
        })
    }

    fn read_all(&mut self, value: Value<'js>) -> Converted<Node> {
        let mut begun = self.begin(value)?;
        loop {
            match begun {
                Begun::Open(open) => self.push(open)?,
                Begun::Done(node) => match self.open.last_mut() {
                    Some(open) => {
                        let key = open.content.take_key().filter(|_| node.is_some());
                        let key = key.map(|it| self.key(it)).transpose()?;
                        let open = self.open.last_mut().expect("it was there just now");
                        open.content.add(key, node);
                    }
                    None => return Ok(node.unwrap_or_default()),
                },
            }
            let open = self.open.last_mut().expect("one was opened or added to");
            begun = match open.next()? {
                Some(value) => self.begin(value)?,
                None => Begun::Done(Some(self.pop())),
            };
        }
    }

    /// Opens an object, which must not be open already.
    fn push(&mut self, open: Open<'js>) -> Converted<()> {
        let depth = self.open.len();
        if depth == MAX_DEPTH {
            return Err(ConversionError::Other(Error::TooDeep(MAX_DEPTH)));
        }
        let mut searched = self.open.iter().take(MAX_SEARCHED);
        if searched.any(|it| it.object == open.object) || self.deep.contains(&open.object) {
            return Err(match self.losses {
                Losses::Refused => Misfit::Circle.into(),
                Losses::Accepted => Exception::throw_type(&self.ctx, "circular reference").into(),
            });
        }
        if depth >= MAX_SEARCHED {
            self.deep.insert(open.object.clone());
        }
        self.open.push(open);
        Ok(())
    }

    /// Closes the innermost object.
    fn pop(&mut self) -> Node {
        let open = self.open.pop().expect("one is open");
        if self.open.len() >= MAX_SEARCHED {
            self.deep.remove(&open.object);
        }
        match open.content {
            Content::Array { items, .. } => Node::array(Array::new(items, Origin::Unknown)),
            Content::Map { mut items, .. } => {
                if self.order == KeyOrder::Natural {
                    format::sort_keys(&mut items);
                }
                Node::map(Map::new(items, Origin::Unknown))
            }
        }
    }

    /// Begins to read a value, after calling its `toJSON` if it has one.
    fn begin(&mut self, value: Value<'js>) -> Converted<Begun<'js>> {
        let to_json = match value.type_of() {
            Type::BigInt => {
                let function = self.ctx.globals().get::<_, Object>("BigInt")?;
                to_json(&function.get::<_, Object>(PredefinedAtom::Prototype)?)?
            }
            _ => value.as_object().map(to_json).transpose()?.flatten(),
        };
        let Some(to_json) = to_json else {
            return self.begin_data(value);
        };
        let key = self.open.last().map(Open::step).map_or_else(String::new, |it| it.to_string());
        let data: Value = to_json.call((This(value.clone()), key))?;
        if let (true, Losses::Refused, Some(object)) =
            (data.is_null(), self.losses, value.as_object())
            && let Inspected::Misfit(words) = self.inspected(object)?
        {
            // For example, an invalid date.
            return Err(Misfit::Object(words).into());
        }
        self.begin_data(data)
    }

    /// Begins to read a value whose `toJSON` was called, or that has no `toJSON`.
    fn begin_data(&mut self, value: Value<'js>) -> Converted<Begun<'js>> {
        self.pay(size_of::<MapItem>())?;
        let node = match value.type_of() {
            Type::Undefined | Type::Uninitialized => return Ok(Begun::Done(None)),
            Type::Null => Node::Null,
            Type::Bool => Node::Bool(value.as_bool().unwrap_or_default()),
            Type::Int => Node::Int(i64::from(value.as_int().unwrap_or_default())),
            Type::Float => self.float(value.as_float().unwrap_or_default())?,
            Type::String => Node::String(self.text(&value)?),
            Type::Symbol => return self.lost(Misfit::Symbol),
            Type::BigInt if self.losses == Losses::Refused => return Err(Misfit::BigInt.into()),
            Type::BigInt => {
                // This makes the engine throw its own error.
                self.ctx.json_stringify(value)?;
                return Ok(Begun::Done(None));
            }
            _ if value.is_function() => return self.lost(Misfit::Function),
            _ => match value.into_object() {
                Some(object) => return self.begin_object(object),
                None => return Ok(Begun::Done(None)),
            },
        };
        Ok(Begun::Done(Some(node)))
    }

    fn begin_object(&mut self, object: Object<'js>) -> Converted<Begun<'js>> {
        if let Some(array) = object.as_array() {
            let content = Content::Array { array: array.clone(), items: Vec::new() };
            return Ok(Begun::Open(Open { object, content }));
        }
        let prototype = object.get_prototype();
        if prototype.is_some() && prototype != self.plain {
            match self.inspected(&object)? {
                Inspected::Misfit(words) if self.losses == Losses::Refused => {
                    return Err(Misfit::Object(words).into());
                }
                Inspected::Plain | Inspected::Misfit(_) => {}
                Inspected::Wraps(value) => return self.begin_data(value),
            }
        }
        let keys: Vec<Atom> = object.keys().collect::<rquickjs::Result<_>>()?;
        let items = Vec::with_capacity(keys.len());
        let content = Content::Map { keys: keys.into_iter(), key: None, items };
        Ok(Begun::Open(Open { object, content }))
    }

    /// A number. Integers are printed as in JavaScript, without a fraction below 10²¹; negative
    /// zero becomes zero.
    fn float(&self, value: f64) -> Converted<Node> {
        const MAX_EXACT: f64 = 9_007_199_254_740_992.0;
        if !value.is_finite() {
            return match self.losses {
                Losses::Refused => Err(Misfit::NotFinite(value).into()),
                Losses::Accepted => Ok(Node::Null),
            };
        }
        if value.fract() != 0.0 || value.abs() >= 1e21 {
            return Ok(Node::Float(value));
        }
        if value.abs() <= MAX_EXACT {
            #[expect(clippy::cast_possible_truncation, reason = "exact below 2⁵³")]
            return Ok(Node::Int(value as i64));
        }
        // The shortest digits, padded with zeros.
        let digits = value.to_string();
        let signed = digits.parse().map(Node::Int);
        Ok(signed.or_else(|_| digits.parse().map(Node::uint)).unwrap_or(Node::Float(value)))
    }

    fn text(&mut self, value: &Value<'js>) -> Converted<Text> {
        let string = value.as_string().expect("the type was looked at");
        let text = match string.to_string() {
            Ok(text) => Text::from(text),
            Err(rquickjs::Error::Utf8(_)) => self.mended(value)?,
            Err(error) => return Err(error.into()),
        };
        self.pay(text.len())?;
        Ok(text)
    }

    /// A text with lone surrogates, which are replaced.
    fn mended(&self, value: &Value<'js>) -> Converted<Text> {
        let json = self.ctx.json_stringify(value.clone())?;
        let json = json.map(|it| it.to_string()).transpose()?.unwrap_or_default();
        match format::node_from_json(&json)? {
            Node::String(text) => Ok(text),
            _ => Ok(Text::default()),
        }
    }

    fn key(&mut self, key: Atom<'js>) -> Converted<Text> {
        if let Some(known) = self.keys.get(&key) {
            return Ok(known.clone());
        }
        let text = self.text(key.to_js_string()?.as_value())?;
        self.keys.insert(key, text.clone());
        Ok(text)
    }

    fn lost(&self, misfit: Misfit) -> Converted<Begun<'js>> {
        match self.losses {
            Losses::Refused => Err(misfit.into()),
            Losses::Accepted => Ok(Begun::Done(None)),
        }
    }

    fn inspected(&self, object: &Object<'js>) -> Converted<Inspected<'js>> {
        let answer: Value = self.inspect.call((object.clone(),))?;
        if let Some(words) = answer.as_string() {
            return Ok(Inspected::Misfit(words.to_string()?));
        }
        match answer.as_array() {
            Some(wrapped) => Ok(Inspected::Wraps(wrapped.get(0)?)),
            None => Ok(Inspected::Plain),
        }
    }

    /// Counts the size of a value: parts that are shared in the engine are copied here.
    fn pay(&mut self, n_bytes: usize) -> Converted<()> {
        self.n_bytes += n_bytes;
        if self.n_bytes > self.run.request.limits.memory {
            self.run.limit_reached.set(Some(Limit::Memory));
            return Err(ConversionError::Other(Error::TooLarge));
        }
        self.n_values += 1;
        if self.n_values.is_multiple_of(N_BETWEEN_LOOKS) && (self.run.surroundings.stop)().is_some()
        {
            self.run.limit_reached.set(Some(Limit::Time));
            return Err(ConversionError::Other(Error::OutOfTime));
        }
        Ok(())
    }
}

impl<'js> Open<'js> {
    /// The next value in the object.
    fn next(&mut self) -> rquickjs::Result<Option<Value<'js>>> {
        match &mut self.content {
            Content::Array { array, items } if items.len() < array.len() => {
                array.get(items.len()).map(Some)
            }
            Content::Array { .. } => Ok(None),
            Content::Map { keys, key, .. } => {
                key.clone_from(&keys.next());
                key.as_ref().map(|key| self.object.get(key.clone())).transpose()
            }
        }
    }

    /// The step to the value that is being read.
    fn step(&self) -> Step {
        match &self.content {
            Content::Array { items, .. } => Step::Index(items.len()),
            Content::Map { key, .. } => {
                let name = key.as_ref().and_then(|it| it.to_js_string().ok()?.to_string().ok());
                Step::Key(name.unwrap_or_default())
            }
        }
    }
}

impl<'js> Content<'js> {
    /// The key of the value that was read last.
    fn take_key(&mut self) -> Option<Atom<'js>> {
        match self {
            Self::Array { .. } => None,
            Self::Map { key, .. } => key.take(),
        }
    }

    /// Adds the value that was read last. In an array, a value that is left out becomes null.
    fn add(&mut self, added: Option<Text>, node: Option<Node>) {
        match self {
            Self::Array { items, .. } => {
                items.push(ArrayItem::new(node.unwrap_or_default(), Origin::Unknown));
            }
            Self::Map { items, .. } => items.extend(
                added
                    .zip(node)
                    .map(|(key, node)| MapItem::new(Node::String(key), node, Origin::Unknown)),
            ),
        }
    }
}

/// The kind of an object.
enum Inspected<'js> {
    Plain,
    /// Something that is not data, with a description.
    Misfit(String),
    /// An object that wraps a text, a number or a boolean.
    Wraps(Value<'js>),
}

fn to_json<'js>(object: &Object<'js>) -> rquickjs::Result<Option<Function<'js>>> {
    let value: Value = object.get(PredefinedAtom::ToJSON)?;
    Ok(value.into_function())
}

/// A node as a value of the engine. Keys that are not strings are converted to strings.
pub(super) fn to_js<'js>(ctx: &Ctx<'js>, node: &Node) -> Converted<Value<'js>> {
    Ok(match node {
        Node::Null => Value::new_null(ctx.clone()),
        Node::Bool(value) => Value::new_bool(ctx.clone(), *value),
        #[expect(clippy::cast_precision_loss, reason = "numbers of scripts are floats")]
        Node::Int(value) => match i32::try_from(*value) {
            Ok(value) => Value::new_int(ctx.clone(), value),
            Err(_) => Value::new_float(ctx.clone(), *value as f64),
        },
        #[expect(clippy::cast_precision_loss, reason = "numbers of scripts are floats")]
        Node::UInt(value) => Value::new_float(ctx.clone(), *value as f64),
        Node::Float(value) if !value.is_finite() => {
            let error = JsonError::Number { value: *value, origin: Origin::Unknown };
            return Err(ConversionError::Other(error.into()));
        }
        Node::Float(value) => Value::new_number(ctx.clone(), *value),
        Node::String(text) => {
            rquickjs::String::from_str(ctx.clone(), &text.to_str_lossy())?.into_value()
        }
        Node::Array(array) => {
            let values = rquickjs::Array::new(ctx.clone())?;
            for (at, item) in array.items.iter().enumerate() {
                values.set(at, to_js(ctx, &item.node)?)?;
            }
            values.into_value()
        }
        Node::Map(map) => {
            let object = Object::new(ctx.clone())?;
            for item in map.items() {
                let value = to_js(ctx, &item.node)?;
                let property = Property::from(value).writable().enumerable().configurable();
                // The property is defined instead of set, so that `__proto__` is a key like any
                // other.
                object.prop(&*format::key_text(&item.key), property)?;
            }
            object.into_value()
        }
    })
}

/// The contents of a text as a value of the engine.
pub(super) fn parsed_to_js<'js>(ctx: &Ctx<'js>, parsed: Parsed) -> Converted<Value<'js>> {
    match parsed {
        Parsed::Json(json) => Ok(ctx.json_parse(json)?),
        Parsed::Node(node) => to_js(ctx, &node),
        Parsed::Documents(documents) => all_to_js(ctx, documents.iter().map(|it| &it.node)),
    }
}

/// The values of a file of the command line as an array.
pub(super) fn input_to_js<'js>(
    ctx: &Ctx<'js>,
    input: &Input,
    is_stream: bool,
) -> Converted<Value<'js>> {
    match input.json() {
        Some(json) if is_stream => Ok(ctx.json_parse(json)?),
        Some(json) => {
            let values = rquickjs::Array::new(ctx.clone())?;
            values.set(0, ctx.json_parse(json)?)?;
            Ok(values.into_value())
        }
        None => {
            let documents = input.documents().map_err(ConversionError::Other)?;
            all_to_js(ctx, documents.iter().map(|it| &it.node))
        }
    }
}

fn all_to_js<'js, 'n>(
    ctx: &Ctx<'js>,
    nodes: impl Iterator<Item = &'n Node>,
) -> Converted<Value<'js>> {
    let values = rquickjs::Array::new(ctx.clone())?;
    for (at, node) in nodes.enumerate() {
        values.set(at, to_js(ctx, node)?)?;
    }
    Ok(values.into_value())
}

impl ConversionError {
    /// Throws it as an exception of the script.
    pub(super) fn throw(self, ctx: &Ctx<'_>, run: &Run) -> rquickjs::Error {
        match self {
            Self::Thrown(error) => error,
            Self::Misfit { found, steps } => {
                let message = Message::from(plain(misfit_words(&found, &steps)));
                Exception::throw_type(ctx, &run.compose(&message))
            }
            Self::Other(error) => Exception::throw_message(ctx, &run.compose(&error.message())),
        }
    }
}

/// The message that a value cannot be written: where it is, and what it is.
pub(super) fn misfit_words(found: &Misfit, steps: &[Step]) -> String {
    let mut path = String::new();
    for step in steps {
        let _ = match step {
            Step::Index(index) => write!(path, "[{index}]"),
            Step::Key(key) => match (is_name(key), path.is_empty()) {
                (true, true) => write!(path, "{key}"),
                (true, false) => write!(path, ".{key}"),
                (false, _) => write!(path, "[{}]", serde_json::Value::from(key.as_str())),
            },
        };
    }
    match path.as_str() {
        "" => format!("cannot write the value: {found}"),
        path => format!("cannot write `{path}`: {found}"),
    }
}

fn is_name(key: &str) -> bool {
    let is_mark = |it: char| it == '_' || it == '$';
    let mut letters = key.chars();
    letters.next().is_some_and(|it| it.is_alphabetic() || is_mark(it))
        && letters.all(|it| it.is_alphanumeric() || is_mark(it) || it == '-')
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Key(key) => f.write_str(key),
            Self::Index(index) => index.fmt(f),
        }
    }
}

impl fmt::Display for Misfit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotFinite(value) if value.is_nan() => {
                f.write_str("expected a finite number, found NaN")
            }
            Self::NotFinite(value) => {
                let sign = if *value < 0.0 { "-" } else { "" };
                write!(f, "expected a finite number, found {sign}Infinity")
            }
            Self::BigInt => {
                f.write_str("expected data, found a BigInt; write Number(…) or String(…) of it")
            }
            Self::Symbol => f.write_str("expected data, found a symbol"),
            Self::Function => {
                f.write_str("expected data, found a function; call it, or leave it out")
            }
            Self::Circle => {
                f.write_str("expected data, found a circular reference to an object around it")
            }
            Self::Object(words) => f.write_str(words),
        }
    }
}

impl From<Misfit> for ConversionError {
    fn from(found: Misfit) -> Self {
        Self::Misfit { found, steps: Vec::new() }
    }
}

impl From<rquickjs::Error> for ConversionError {
    fn from(error: rquickjs::Error) -> Self {
        Self::Thrown(error)
    }
}

impl From<Error> for ConversionError {
    fn from(error: Error) -> Self {
        Self::Other(error)
    }
}
