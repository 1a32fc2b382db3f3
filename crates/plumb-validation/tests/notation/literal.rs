//! Literals of the template language.

use std::sync::Arc;

use plumb_source::Origin;
use plumb_value::{Array, ArrayItem, Datum, Map, MapItem, Node};

use super::Names;

/// The arguments of an annotation.
pub(crate) fn arguments(text: &str, names: &Names) -> (Vec<Datum>, Vec<(Arc<str>, Datum)>) {
    let mut parser = Parser { text, names };
    let (mut args, mut kwargs) = (Vec::new(), Vec::new());
    loop {
        parser.skip();
        if parser.text.is_empty() {
            return (args, kwargs);
        }
        match parser.keyword() {
            Some(name) => kwargs.push((name.into(), parser.value())),
            None => args.push(parser.value()),
        }
        parser.skip();
        parser.eat(",");
    }
}

pub(crate) fn value(text: &str, names: &Names) -> Datum {
    let mut parser = Parser { text, names };
    let value = parser.value();
    parser.skip();
    assert!(parser.text.is_empty(), "unread: {}", parser.text);
    value
}

fn number(text: &str) -> Option<Node> {
    if !text.starts_with(|it: char| it.is_ascii_digit() || it == '-' || it == '.') {
        return None;
    }
    if let Ok(int) = text.parse() {
        return Some(Node::Int(int));
    }
    text.parse().map(Node::UInt).or_else(|_| text.parse().map(Node::Float)).ok()
}

struct Parser<'a> {
    text: &'a str,
    names: &'a Names,
}

impl<'a> Parser<'a> {
    fn skip(&mut self) {
        self.text = self.text.trim_start();
    }

    fn eat(&mut self, token: &str) -> bool {
        self.skip();
        let rest = self.text.strip_prefix(token);
        self.text = rest.unwrap_or(self.text);
        rest.is_some()
    }

    fn word(&self) -> &'a str {
        let end = self.text.find(|it: char| !it.is_alphanumeric() && !"_.+-".contains(it));
        &self.text[..end.unwrap_or(self.text.len())]
    }

    fn keyword(&mut self) -> Option<&'a str> {
        let word = self.word();
        let rest = self.text[word.len()..].trim_start().strip_prefix('=')?;
        self.text = rest;
        Some(word)
    }

    fn value(&mut self) -> Datum {
        self.skip();
        match self.text.chars().next() {
            Some(quote @ ('"' | '\'')) => Datum::Node(self.string(quote)),
            Some('[') => self.list(),
            Some('{') => self.dict(),
            Some('(') => self.tuple(),
            _ => self.atom(),
        }
    }

    fn atom(&mut self) -> Datum {
        let word = self.word();
        self.text = &self.text[word.len()..];
        match word {
            "True" | "true" => Datum::Node(Node::Bool(true)),
            "False" | "false" => Datum::Node(Node::Bool(false)),
            "None" | "null" => Datum::Node(Node::Null),
            _ => match (self.names.get(word), number(word)) {
                (Some(datum), _) => datum.clone(),
                (None, Some(number)) => Datum::Node(number),
                (None, None) => Datum::Node(word.into()),
            },
        }
    }

    fn string(&mut self, quote: char) -> Node {
        let mut out = String::new();
        let mut characters = self.text.char_indices().skip(1);
        while let Some((at, character)) = characters.next() {
            match character {
                '\\' => match characters.next() {
                    Some((_, 'n')) => out.push('\n'),
                    Some((_, other)) => out.push(other),
                    None => break,
                },
                _ if character == quote => {
                    self.text = &self.text[at + 1..];
                    return out.as_str().into();
                }
                _ => out.push(character),
            }
        }
        panic!("a string without an end: {}", self.text);
    }

    fn items(&mut self, close: &str) -> Vec<Datum> {
        let mut items = Vec::new();
        while !self.eat(close) {
            items.push(self.value());
            self.eat(",");
        }
        items
    }

    fn list(&mut self) -> Datum {
        self.eat("[");
        let items = self.items("]").into_iter().map(|it| {
            let node = it.to_node().expect("no functions in a list");
            ArrayItem::new(node, Origin::Unknown)
        });
        Datum::Node(Node::array(Array::new(items.collect(), Origin::Unknown)))
    }

    fn tuple(&mut self) -> Datum {
        self.eat("(");
        let is_grouping = !self.text.contains(',');
        let mut items = self.items(")");
        match items.pop() {
            Some(only) if items.is_empty() && is_grouping => only,
            Some(last) => Datum::Tuple(items.into_iter().chain([last]).collect()),
            None => Datum::Tuple(items),
        }
    }

    fn dict(&mut self) -> Datum {
        self.eat("{");
        let mut items = Vec::new();
        while !self.eat("}") {
            let key = self.value().to_node().expect("a plain key");
            assert!(self.eat(":"), "a colon behind {key:?}");
            let node = self.value().to_node().expect("no functions in a dict");
            items.push(MapItem::new(key, node, Origin::Unknown));
            self.eat(",");
        }
        Datum::Node(Node::map(Map::new(items, Origin::Unknown)))
    }
}
