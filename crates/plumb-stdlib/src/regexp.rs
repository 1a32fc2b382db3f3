//! `@ytt:regexp`: regular expressions in the syntax of RE2.

use plumb_regexp::Regexp;
use plumb_source::Text;
use plumb_starlark::{Args, Error, Result, Thread, Value};

use crate::arguments::{function, text, two};
use crate::regexp_template::Template;

pub(crate) fn members() -> Vec<(Text, Value)> {
    vec![
        ("match".into(), function("regexp.match", |_, args| is_match(args))),
        ("replace".into(), function("regexp.replace", replace)),
    ]
}

fn is_match(args: &Args<'_>) -> Result<Value> {
    let (pattern, target) = two(args)?;
    let (pattern, target) = (text(pattern)?, text(target)?);
    Ok(Value::Bool(compile(pattern)?.is_match(target.as_bytes())))
}

fn replace(thread: &mut Thread<'_>, args: &Args<'_>) -> Result<Value> {
    let (3, Some(pattern), Some(source), Some(replacement)) =
        (args.len(), args.get(0), args.get(1), args.get(2))
    else {
        return Err(Error::new("expected exactly 3 arguments"));
    };
    let regexp = compile(text(pattern)?)?;
    let source = text(source)?.as_bytes();
    let mut out = Vec::with_capacity(source.len());
    let mut copied = 0;
    let template = if replacement.is_callable() {
        None
    } else {
        Some(Template::parse(text(replacement)?.as_bytes()))
    };
    for captures in regexp.matcher().captures_iter(source) {
        let Some(found) = captures.get_match() else { continue };
        out.extend_from_slice(&source[copied..found.start()]);
        copied = found.end();
        match &template {
            Some(template) => template.expand(&captures, source, &mut out),
            None => {
                let matched = Text::from_bytes(&source[found.range()]);
                let returned = thread.call(replacement, &[matched.into()], &[])?;
                out.extend_from_slice(text(&returned)?.as_bytes());
            }
        }
    }
    out.extend_from_slice(&source[copied..]);
    Ok(Text::from_bytes(&out).into())
}

fn compile(pattern: &Text) -> Result<Regexp> {
    Regexp::new(&pattern.to_str_lossy()).map_err(|error| Error::new(error.to_string()))
}
