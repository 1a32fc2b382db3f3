//! URLs in the form that Kubernetes accepts: absolute ones or a path.

use crate::functions::special::Special;
use crate::functions::{Context, Function, global, member};
use crate::operate::{OperationError, Outcome};
use crate::value::{Entries, Value};

pub(super) const FUNCTIONS: &[Function] = &[
    global("url", 1..=1, |args, context| {
        parse(args, context).map(|it| Value::special(Special::Url(it)))
    }),
    global("isURL", 1..=1, is),
    member("getScheme", 0..=0, |args, _| part(args, |it| it.scheme.clone())),
    member("getHost", 0..=0, |args, _| part(args, |it| it.host.clone())),
    member("getHostname", 0..=0, |args, _| part(args, |it| it.split_host().0.to_owned())),
    member("getPort", 0..=0, |args, _| part(args, |it| it.split_host().1.to_owned())),
    member("getEscapedPath", 0..=0, |args, _| part(args, |it| it.path.clone())),
    member("getQuery", 0..=0, query),
];

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Url {
    scheme: String,
    /// Including the port.
    host: String,
    path: String,
    query: String,
}

impl Url {
    fn parse(text: &str) -> Option<Self> {
        // Spaces are escaped, as Go does it; a host has none.
        let text = &*text.replace(' ', "%20");
        plumb_format::Format::UriReference.check_text(text).ok()?;
        let text = text.split_once('#').map_or(text, |(text, _)| text);
        let (text, query) = text.split_once('?').unwrap_or((text, ""));
        let (scheme, rest) = match text.split_once(':') {
            Some((scheme, rest)) if !scheme.contains('/') => (scheme.to_ascii_lowercase(), rest),
            _ => (String::new(), text),
        };
        let (host, path) = match rest.strip_prefix("//") {
            Some(rest) => {
                let (authority, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
                (authority.rsplit_once('@').map_or(authority, |(_, host)| host), path)
            }
            None => ("", rest),
        };
        // A request has an absolute path or a scheme.
        let is_request = (!scheme.is_empty() || path.starts_with('/')) && !host.contains("%20");
        is_request.then(|| Self {
            scheme,
            host: host.to_owned(),
            path: path.to_owned(),
            query: query.to_owned(),
        })
    }

    /// The name of the host, without brackets, and the port.
    fn split_host(&self) -> (&str, &str) {
        if let Some(rest) = self.host.strip_prefix('[') {
            let (name, after) = rest.split_once(']').unwrap_or((rest, ""));
            return (name, after.strip_prefix(':').unwrap_or_default());
        }
        self.host.split_once(':').unwrap_or((&self.host, ""))
    }
}

/// Returns whether a text is a URL for Kubernetes.
pub(super) fn is_url(text: &str) -> bool {
    Url::parse(text).is_some()
}

fn parse(args: &[Value<'_>], context: &mut Context<'_>) -> Result<Url, OperationError> {
    let Value::String(text) = &args[0] else {
        return Err(OperationError::Types);
    };
    context.budget.pay_for_bytes(text.len())?;
    Url::parse(text).ok_or_else(|| {
        OperationError::other(
            "the string is not a URL, such as `https://example.com/path` or `/path`",
        )
    })
}

fn is<'a>(args: &[Value<'a>], context: &mut Context<'_>) -> Outcome<'a> {
    match parse(args, context) {
        Err(error @ (OperationError::Types | OperationError::Limit)) => Err(error),
        result => Ok(Value::Bool(result.is_ok())),
    }
}

fn of<'v>(value: &'v Value<'_>) -> Result<&'v Url, OperationError> {
    match value {
        Value::Special(special) => match &**special {
            Special::Url(url) => Ok(url),
            _ => Err(OperationError::Types),
        },
        _ => Err(OperationError::Types),
    }
}

fn part<'a>(args: &[Value<'a>], part: fn(&Url) -> String) -> Outcome<'a> {
    Ok(Value::text(part(of(&args[0])?)))
}

/// The parameters as a map from names to lists of values, unescaped.
fn query<'a>(args: &[Value<'a>], context: &mut Context<'_>) -> Outcome<'a> {
    let query = &of(&args[0])?.query;
    context.budget.pay_for_bytes(query.len())?;
    let mut entries: Vec<(String, Vec<Value<'a>>)> = Vec::new();
    for pair in query.split('&').filter(|it| !it.is_empty()) {
        let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
        let (name, value) = (unescaped(name), Value::text(unescaped(value)));
        context.budget.pay(entries.len())?;
        match entries.iter_mut().find(|(it, _)| *it == name) {
            Some((_, values)) => values.push(value),
            None => entries.push((name, vec![value])),
        }
    }
    let entries = entries.into_iter().map(|(name, it)| (Value::text(name), Value::list(it)));
    Ok(Value::Map(Entries::Values(entries.collect())))
}

fn unescaped(text: &str) -> String {
    let mut out = Vec::with_capacity(text.len());
    let mut bytes = text.bytes();
    while let Some(byte) = bytes.next() {
        out.push(match byte {
            b'+' => b' ',
            b'%' => {
                // The parser has rejected everything else.
                let digits = [bytes.next(), bytes.next()].map(|it| it.unwrap_or(b'0'));
                let digits = str::from_utf8(&digits).unwrap_or_default();
                u8::from_str_radix(digits, 16).unwrap_or(b'%')
            }
            other => other,
        });
    }
    String::from_utf8_lossy(&out).into_owned()
}
