//! Hints about how to correct an error of the language.

use plumb_diagnostic::nearest;
use plumb_source::message::plain;
use plumb_source::{Message, Sources, message};
use plumb_starlark::Error;

use crate::known;

/// The modules of the standard library: `load("@ytt:NAME", "NAME")` loads each.
pub const MODULES: [&str; 18] = [
    "assert", "base64", "data", "ip", "json", "library", "math", "md5", "module", "overlay",
    "regexp", "sha256", "struct", "template", "toml", "url", "version", "yaml",
];

/// Returns ytt's hint for people who know another language, or `None` if it has no hint for this
/// error.
pub(crate) fn hint(error: &Error, sources: &Sources) -> Option<&'static str> {
    let message = error.message().shown();
    Some(match message {
        "undefined: true" => "use 'True' instead of 'true' for boolean assignment",
        "undefined: false" => "use 'False' instead of 'false' for boolean assignment",
        "got newline, want ':'" => "missing colon at the end of 'if/for/def' statement?",
        "undefined: null" => "use 'None' instead of 'null' to indicate no value",
        "undefined: nil" => "use 'None' instead of 'nil' to indicate no value",
        "undefined: none" => "use 'None' instead of 'none' to indicate no value",
        "unhandled index operation struct[string]" => {
            "use getattr(...) to access struct field programmatically"
        }
        "got '&', want primary expression" if line_has(error, sources, "&&") => {
            "use 'and' instead of '&&' for logical-and"
        }
        "got '|', want primary expression" if line_has(error, sources, "||") => {
            "use 'or' instead of '||' for logical-or"
        }
        _ => {
            let operation = message.strip_prefix("unknown binary op: ")?;
            if operation.contains(" | ") {
                "use 'or' instead of '|' for logical-or"
            } else if operation.contains(" & ") {
                "use 'and' instead of '&' for logical-and"
            } else {
                return None;
            }
        }
    })
}

fn line_has(error: &Error, sources: &Sources, operator: &str) -> bool {
    error.frames().iter().filter_map(|frame| frame.span).any(|span| {
        let source = sources.get(span.file);
        source.line_text(source.line(span.start)).contains(operator)
    })
}

/// Returns what to do if the code that failed is an annotation with a space after `#@`.
pub(crate) fn spaced_annotation(error: &Error, sources: &Sources) -> Option<Message> {
    let span = error.frames().iter().find_map(|frame| frame.span)?;
    let source = sources.get(span.file);
    let line = source.line_text(source.line(span.start));
    let code = line.trim_start().strip_prefix("#@")?;
    let name = code.strip_prefix([' ', '\t'])?.split_whitespace().next()?;
    let is_annotation = name.contains('/') && known::is_known(name);
    is_annotation.then(|| {
        message!("write `#@{}` without the space: it is an annotation, not code", plain(name))
    })
}

/// Returns what to do, for errors about which ytt has no hint.
pub(crate) fn remedy(message: &str) -> Option<Message> {
    if let Some(name) = message.strip_prefix("undefined: ") {
        let is_module = MODULES.contains(&name);
        return is_module.then(|| {
            message!("load it first: `load(\"@ytt:{}\", \"{}\")`", plain(name), plain(name))
        });
    }
    if let Some((_, rest)) = message.split_once("builtin ytt library does not have module '") {
        let (name, _) = rest.split_once('\'')?;
        return Some(match nearest(name, MODULES.into_iter()) {
            Some(meant) => message!("did you mean \"@ytt:{}\"?", plain(meant)),
            None => message!("the modules are {}", plain(MODULES.join(", "))),
        });
    }
    if let Some(types) = message.strip_prefix("unknown binary op: ") {
        let (left, right) = types.split_once(" + ")?;
        let is_one_string = (left == "string") != (right == "string");
        return is_one_string.then(|| "`str(x)` makes a string of any value".into());
    }
    let remedy = match message {
        "mismatched set of block openings (if/else/elif/for/def) and closing (end)" => {
            "close the block that begins here with `end`"
        }
        "unexpected end" => {
            "no block is open here: remove the word, or look for the `if`, `for` or `def` that is \
             missing"
        }
        "use of reserved keyword 'pass' is not allowed" => {
            "leave it out: a block may be empty, and `end` closes it"
        }
        "got identifier, want ','" => "write a comma between arguments, and put a text in quotes",
        "got else, want primary expression" => "write a colon after it: `else:`",
        _ => return None,
    };
    Some(remedy.into())
}
