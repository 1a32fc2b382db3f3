//! Arguments of annotations and flow values: literals, the matchers of the `overlay` module, and
//! functions that a test passes by name.

use std::any::Any;
use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

use plumb_overlay::Matcher;
use plumb_source::Origin;
use plumb_value::{Array, ArrayItem, CallError, Callable, Datum, Map, MapItem, Node, Opaque};

/// The functions of a test, by their names in its text.
pub(crate) type Names = HashMap<&'static str, Datum>;

type Body = dyn Fn(&[Datum]) -> Result<Datum, CallError> + Send + Sync;

struct Function {
    name: &'static str,
    body: Box<Body>,
}

/// A function as a user would write it, under a name.
pub(crate) fn function(
    name: &'static str,
    body: impl Fn(&[Datum]) -> Result<Datum, CallError> + Send + Sync + 'static,
) -> (&'static str, Datum) {
    (name, Datum::Function(Arc::new(Function { name, body: Box::new(body) })))
}

/// A function that always returns the same.
pub(crate) fn constant(name: &'static str, result: Datum) -> (&'static str, Datum) {
    function(name, move |_| Ok(result.clone()))
}

impl Callable for Function {
    fn name(&self) -> &str {
        self.name
    }

    fn arity(&self) -> Option<usize> {
        None
    }

    fn call(&self, args: Vec<Datum>) -> Result<Datum, CallError> {
        (self.body)(&args)
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

impl fmt::Debug for Function {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

/// A list that is not plain data.
#[derive(Debug)]
struct FunctionList(Vec<Datum>);

impl Opaque for FunctionList {
    fn type_name(&self) -> &'static str {
        "list"
    }

    fn method(&self, _name: &str) -> Option<Arc<dyn Callable>> {
        None
    }

    fn as_any(&self) -> &dyn Any {
        self
    }

    fn elements(&self) -> Option<Vec<Datum>> {
        Some(self.0.clone())
    }
}

type Arguments = (Vec<Datum>, Vec<(Arc<str>, Datum)>);

/// `1, "a", by=overlay.all`
pub(crate) fn arguments(text: &str, names: &Names) -> Arguments {
    let mut reader = Reader { rest: text, names, origin: Origin::Unknown };
    let arguments = reader.arguments();
    assert!(reader.rest.trim().is_empty(), "cannot read `{}` of `{text}`", reader.rest);
    arguments
}

/// A YAML scalar or flow collection. Anything that is not a literal is a plain string.
pub(crate) fn yaml(text: &str, origin: Origin) -> Node {
    if text.starts_with(['{', '[', '"']) {
        let mut reader = Reader { rest: text, names: &Names::new(), origin };
        let datum = reader.value();
        assert!(reader.rest.is_empty(), "cannot read `{}` of `{text}`", reader.rest);
        return datum.to_node().expect("YAML holds plain data");
    }
    plain(text)
}

fn plain(text: &str) -> Node {
    match text {
        "~" | "null" | "None" => Node::Null,
        "true" | "True" => Node::Bool(true),
        "false" | "False" => Node::Bool(false),
        _ => text
            .parse()
            .map(Node::Int)
            .or_else(|_| text.parse().map(Node::uint))
            .or_else(|_| text.parse().map(Node::Float))
            .unwrap_or_else(|_| text.into()),
    }
}

pub(crate) fn show(datum: &Datum) -> String {
    match datum {
        Datum::Node(node) => crate::notation::show(node, false),
        Datum::Function(function) => function.name().to_owned(),
        Datum::Tuple(_) | Datum::Documents(_) | Datum::Opaque(_) => format!("{datum:?}"),
    }
}

struct Reader<'a> {
    rest: &'a str,
    names: &'a Names,
    /// The origin of collections.
    origin: Origin,
}

impl Reader<'_> {
    fn arguments(&mut self) -> Arguments {
        let (mut args, mut kwargs) = Arguments::default();
        loop {
            self.rest = self.rest.trim_start();
            if self.rest.is_empty() || self.rest.starts_with(')') {
                return (args, kwargs);
            }
            let word = self.word().to_owned();
            if !word.is_empty() && self.rest[word.len()..].starts_with('=') {
                self.rest = &self.rest[word.len() + 1..];
                let value = self.value();
                kwargs.push((word.as_str().into(), value));
            } else {
                args.push(self.value());
            }
            self.eat(',');
        }
    }

    fn value(&mut self) -> Datum {
        self.rest = self.rest.trim_start();
        if self.eat('"') {
            let end = self.rest.find('"').expect("a closing quote");
            let text = Node::from(&self.rest[..end]);
            self.rest = &self.rest[end + 1..];
            return Datum::Node(text);
        }
        if self.eat('[') {
            return self.list();
        }
        if self.eat('(') {
            let (parts, _) = self.arguments();
            self.eat(')');
            return Datum::Tuple(parts);
        }
        if self.eat('{') {
            return self.map();
        }
        let word = self.word().to_owned();
        assert!(!word.is_empty(), "cannot read `{}`", self.rest);
        self.rest = &self.rest[word.len()..];
        if let Some(datum) = self.names.get(word.as_str()) {
            return datum.clone();
        }
        if self.eat('(') {
            let (parts, _) = self.arguments();
            self.eat(')');
            return call(&word, parts);
        }
        if word == "overlay.all" { Matcher::all().into_datum() } else { Datum::Node(plain(&word)) }
    }

    /// A list of plain data is an array. A list that contains functions only exists in the
    /// language.
    fn list(&mut self) -> Datum {
        let mut parts = Vec::new();
        while !self.eat(']') {
            parts.push(self.value());
            self.eat(',');
        }
        match Datum::Tuple(parts.clone()).to_node() {
            None => Datum::Opaque(Arc::new(FunctionList(parts))),
            Some(Node::Array(array)) => {
                let nodes = array.items.iter().map(|it| it.node.clone());
                let items = nodes.map(|node| ArrayItem::new(node, self.origin)).collect();
                Datum::Node(Node::array(Array::new(items, self.origin)))
            }
            Some(other) => Datum::Node(other),
        }
    }

    fn map(&mut self) -> Datum {
        let mut items = Vec::new();
        while !self.eat('}') {
            let key = self.value().to_node().expect("a plain key");
            assert!(self.eat(':'), "a colon before `{}`", self.rest);
            let node = self.value().to_node().expect("plain data");
            items.push(MapItem::new(key, node, self.origin));
            self.eat(',');
        }
        Datum::Node(Node::map(Map::new(items, self.origin)))
    }

    fn word(&self) -> &str {
        let is_part = |c: char| c.is_alphanumeric() || "_.-+/~".contains(c);
        let end = self.rest.find(|c| !is_part(c)).unwrap_or(self.rest.len());
        &self.rest[..end]
    }

    fn eat(&mut self, wanted: char) -> bool {
        self.rest = self.rest.trim_start();
        match self.rest.strip_prefix(wanted) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }
}

fn call(name: &str, mut parts: Vec<Datum>) -> Datum {
    let matcher = match name {
        "overlay.index" => match parts[..] {
            [Datum::Node(Node::Int(at))] => Ok(Matcher::index(at)),
            _ => panic!("overlay.index takes a number"),
        },
        "overlay.map_key" => {
            Ok(Matcher::map_key(parts[0].as_str().expect("overlay.map_key takes a name").into()))
        }
        "overlay.subset" => Matcher::subset(&parts[0]),
        "overlay.and_op" => Matcher::and(parts),
        "overlay.or_op" => Matcher::or(parts),
        "overlay.not_op" => Matcher::not(parts.remove(0)),
        _ => panic!("no function {name}"),
    };
    matcher.expect("a matcher").into_datum()
}
