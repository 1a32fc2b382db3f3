//! Expressions in the syntax of ECMA-262.
//!
//! The printed expression is the parsed one, not the text as written: classes are spelled out and
//! flags are applied. Every construct has the same meaning with and without the `u` flag. Only
//! characters outside the basic multilingual plane need the flag.

use std::fmt::{self, Write as _};

use regex_syntax::hir::{Class, Hir, HirKind, Look, Repetition};

pub(crate) fn print(hir: &Hir) -> String {
    let mut out = String::new();
    write(hir, &mut out);
    out
}

fn write(hir: &Hir, out: &mut String) {
    match hir.kind() {
        HirKind::Empty => out.push_str("(?:)"),
        HirKind::Literal(literal) => {
            String::from_utf8_lossy(&literal.0).chars().for_each(|it| escape(it, out));
        }
        HirKind::Class(class) => write_class(class, out),
        HirKind::Look(look) => out.push_str(assertion(*look)),
        HirKind::Repetition(repetition) => write_repetition(repetition, out),
        HirKind::Capture(capture) => grouped("(", &capture.sub, out),
        HirKind::Concat(parts) => {
            for part in parts {
                match part.kind() {
                    HirKind::Alternation(_) => grouped("(?:", part, out),
                    _ => write(part, out),
                }
            }
        }
        HirKind::Alternation(parts) => {
            for (at, part) in parts.iter().enumerate() {
                out.push_str(if at == 0 { "" } else { "|" });
                write(part, out);
            }
        }
    }
}

fn grouped(opening: &str, hir: &Hir, out: &mut String) {
    out.push_str(opening);
    write(hir, out);
    out.push(')');
}

fn write_repetition(repetition: &Repetition, out: &mut String) {
    let is_one = match repetition.sub.kind() {
        HirKind::Class(_) | HirKind::Capture(_) => true,
        HirKind::Literal(literal) => String::from_utf8_lossy(&literal.0).chars().count() == 1,
        _ => false,
    };
    if is_one {
        write(&repetition.sub, out);
    } else {
        grouped("(?:", &repetition.sub, out);
    }
    match (repetition.min, repetition.max) {
        (0, None) => out.push('*'),
        (1, None) => out.push('+'),
        (0, Some(1)) => out.push('?'),
        (min, None) => push(format_args!("{{{min},}}"), out),
        (min, Some(max)) if min == max => push(format_args!("{{{min}}}"), out),
        (min, Some(max)) => push(format_args!("{{{min},{max}}}"), out),
    }
    if !repetition.greedy {
        out.push('?');
    }
}

/// Expresses line boundaries by the characters next to them: the language has no flag for a part of
/// an expression.
fn assertion(look: Look) -> &'static str {
    match look {
        Look::Start => "^",
        Look::End => "$",
        Look::StartLF | Look::StartCRLF => "(?<![^\\n])",
        Look::EndLF | Look::EndCRLF => "(?![^\\n])",
        Look::WordAsciiNegate | Look::WordUnicodeNegate => "\\B",
        _ => "\\b",
    }
}

fn write_class(class: &Class, out: &mut String) {
    let ranges: Vec<(char, char)> = match class {
        Class::Unicode(class) => class.iter().map(|it| (it.start(), it.end())).collect(),
        Class::Bytes(class) => {
            class.iter().map(|it| (char::from(it.start()), char::from(it.end()))).collect()
        }
    };
    if let [('\0', char::MAX)] = ranges.as_slice() {
        out.push_str("[\\s\\S]");
        return;
    }
    // A class that excludes only a few characters is shorter when negated.
    let is_mostly_all = ranges.last().is_some_and(|&(_, last)| last == char::MAX);
    let (opening, ranges) = if is_mostly_all { ("[^", gaps(&ranges)) } else { ("[", ranges) };
    out.push_str(opening);
    for (first, last) in ranges {
        escape(first, out);
        if first != last {
            out.push('-');
            escape(last, out);
        }
    }
    out.push(']');
}

/// Returns the gaps between ranges. The last range must end with the last character of Unicode.
fn gaps(ranges: &[(char, char)]) -> Vec<(char, char)> {
    let mut gaps = Vec::new();
    let mut next = Some('\0');
    for &(first, last) in ranges {
        if let Some(start) = next.filter(|&start| start < first) {
            let end = (start..first).next_back();
            gaps.extend(end.map(|end| (start, end)));
        }
        next = (last..=char::MAX).nth(1);
    }
    gaps
}

fn push(text: fmt::Arguments<'_>, out: &mut String) {
    let _ = out.write_fmt(text);
}

fn escape(character: char, out: &mut String) {
    match character {
        '\n' => out.push_str("\\n"),
        '\r' => out.push_str("\\r"),
        '\t' => out.push_str("\\t"),
        '^' | '$' | '\\' | '.' | '*' | '+' | '?' | '(' | ')' | '[' | ']' | '{' | '}' | '|'
        | '/' => {
            out.push('\\');
            out.push(character);
        }
        '-' => out.push_str("\\x2d"),
        _ if character.is_control() => push(format_args!("\\u{:04x}", u32::from(character)), out),
        _ => out.push(character),
    }
}
