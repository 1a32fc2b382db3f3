//! Keys on one line, for the outline of places.

use plumb_source::Origin;
use plumb_value::Node;

use super::leaf::Leaf;
use super::style::Style;
use super::{Flavour, number, text};

/// Something that must still be written.
enum Piece<'a> {
    Mark(&'static str),
    Node(&'a Node),
    Line(u32),
}

/// Appends a key: a string without quotes, other scalars as in YAML, collections in brackets. In
/// ytt's flavour, everything except strings is printed as by Go's formatter, which also shows the
/// lines of items. `line` returns these lines.
pub(super) fn write(
    key: &Node,
    flavour: Flavour,
    mut line: impl FnMut(Origin) -> u32,
    out: &mut Vec<u8>,
) {
    match (key, flavour) {
        (Node::String(text), _) => return out.extend_from_slice(text.as_bytes()),
        (Node::Null, Flavour::Ytt) => return out.extend_from_slice(b"%!s(<nil>)"),
        _ => {}
    }
    let mut open = vec![Piece::Node(key)];
    while let Some(piece) = open.pop() {
        match piece {
            Piece::Mark(mark) => out.extend_from_slice(mark.as_bytes()),
            Piece::Node(node) => match flavour {
                Flavour::Plumb => flow(node, &mut open, out),
                Flavour::Ytt => go(node, &mut line, &mut open, out),
            },
            Piece::Line(line) => {
                wrapped("int", out, |out| number::unsigned(line.into(), out));
            }
        }
    }
}

/// Appends a scalar, or opens a collection, as flow YAML.
fn flow<'a>(node: &'a Node, open: &mut Vec<Piece<'a>>, out: &mut Vec<u8>) {
    match node {
        Node::Map(map) => {
            out.push(b'{');
            open.push(Piece::Mark("}"));
            for (at, item) in map.items().iter().enumerate().rev() {
                open.push(Piece::Node(&item.node));
                open.push(Piece::Mark(": "));
                open.push(Piece::Node(&item.key));
                open.push(Piece::Mark(if at == 0 { "" } else { ", " }));
            }
        }
        Node::Array(array) => {
            out.push(b'[');
            open.push(Piece::Mark("]"));
            for (at, item) in array.items.iter().enumerate().rev() {
                open.push(Piece::Node(&item.node));
                open.push(Piece::Mark(if at == 0 { "" } else { ", " }));
            }
        }
        _ => match Leaf::of(node) {
            Some(Leaf::Text(text, shape)) if shape.style == Style::Literal => {
                text::double(text, out);
            }
            Some(leaf) => _ = leaf.write(0, out),
            None => {}
        },
    }
}

/// Appends a scalar, or opens a collection, as Go's `%s` does.
fn go<'a>(
    node: &'a Node,
    line: &mut impl FnMut(Origin) -> u32,
    open: &mut Vec<Piece<'a>>,
    out: &mut Vec<u8>,
) {
    match node {
        Node::Null => out.extend_from_slice(b"<nil>"),
        Node::Bool(value) => wrapped("bool", out, |out| {
            out.extend_from_slice(if *value { b"true" } else { b"false" });
        }),
        Node::Int(value) => wrapped("int", out, |out| number::integer(*value, out)),
        Node::UInt(value) => wrapped("uint64", out, |out| number::unsigned(*value, out)),
        Node::Float(value) => wrapped("float64", out, |out| number::go_float(*value, out)),
        Node::String(text) => out.extend_from_slice(text.as_bytes()),
        Node::Map(map) => {
            out.push(b'[');
            open.push(Piece::Mark("]"));
            for (at, item) in map.items().iter().enumerate().rev() {
                let line = Piece::Line(line(item.origin));
                struct_of([Piece::Node(&item.key), Piece::Node(&item.node), line], open);
                open.push(Piece::Mark(if at == 0 { "" } else { " " }));
            }
        }
        Node::Array(array) => {
            out.push(b'[');
            open.push(Piece::Mark("]"));
            let is_read = matches!(array.origin, Origin::Written(_));
            for (at, item) in array.items.iter().enumerate().rev() {
                if is_read {
                    struct_of([Piece::Node(&item.node), Piece::Line(line(item.origin))], open);
                } else {
                    open.push(Piece::Node(&item.node));
                }
                open.push(Piece::Mark(if at == 0 { "" } else { " " }));
            }
        }
    }
}

fn struct_of<'a, const N: usize>(fields: [Piece<'a>; N], open: &mut Vec<Piece<'a>>) {
    open.push(Piece::Mark("}"));
    for (at, field) in fields.into_iter().enumerate().rev() {
        open.push(field);
        open.push(Piece::Mark(if at == 0 { "{" } else { " " }));
    }
}

/// Appends a value that is not a string as Go's `%s` does.
fn wrapped(kind: &str, out: &mut Vec<u8>, value: impl FnOnce(&mut Vec<u8>)) {
    out.extend_from_slice(b"%!s(");
    out.extend_from_slice(kind.as_bytes());
    out.push(b'=');
    value(out);
    out.push(b')');
}
