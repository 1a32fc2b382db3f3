//! Lines of a limited width.
//!
//! A scalar that is longer than the width is continued on the next line, at a space. The space is
//! not lost: a reader joins the two lines with a space.

use super::style::Style;
use super::{STEP, indentation};

/// Folds the scalar that was written from `start` on, in a style other than a block. Further lines
/// are indented one step more than `indent`.
pub(super) fn fold(start: usize, style: Style, indent: usize, width: usize, out: &mut Vec<u8>) {
    let line = out[..start].iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
    if out.len() - line <= width {
        return;
    }
    let mut column = out[line..start].iter().filter(|&&byte| is_char(byte)).count();
    let scalar = out.split_off(start);
    for (at, &byte) in scalar.iter().enumerate() {
        if width < column && is_fold(&scalar, at, style) {
            out.push(b'\n');
            indentation(indent + STEP, out);
            column = indent + STEP;
            if scalar[at + 1] == b' ' {
                out.push(b'\\');
                column += 1;
            }
        } else {
            out.push(byte);
            column += usize::from(is_char(byte));
        }
    }
}

/// Returns whether there is a space that can be replaced by a line break. The first of several
/// spaces can be replaced only in double quotes, because a backslash can then separate the other
/// spaces from the indentation.
fn is_fold(scalar: &[u8], at: usize, style: Style) -> bool {
    let inside = match style {
        Style::Plain | Style::Literal => 1..scalar.len() - 1,
        Style::Single | Style::Double => 2..scalar.len() - 2,
    };
    scalar[at] == b' '
        && inside.contains(&at)
        && scalar[at - 1] != b' '
        && (scalar[at + 1] != b' ' || style == Style::Double)
}

/// Returns whether a byte begins a character.
fn is_char(byte: u8) -> bool {
    byte & 0xc0 != 0x80
}
