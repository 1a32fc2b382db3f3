//! References to container images: `image("registry.example/app:1.2").tag() == "1.2"`.

use crate::functions::special::Special;
use crate::functions::{Context, Function, global, member};
use crate::operate::{OperationError, Outcome};
use crate::value::Value;

pub(super) const FUNCTIONS: &[Function] = &[
    global("image", 1..=1, |args, context| {
        parse(args, context).map(|it| Value::special(Special::Image(it)))
    }),
    global("isImage", 1..=1, is),
    member("containsDigest", 0..=0, |args, _| Ok(Value::Bool(!of(args)?.digest.is_empty()))),
    member("registry", 0..=0, |args, _| Ok(Value::text(of(args)?.registry.as_str()))),
    member("repository", 0..=0, |args, _| Ok(Value::text(of(args)?.repository.as_str()))),
    member("identifier", 0..=0, |args, _| Ok(Value::text(of(args)?.identifier()))),
    member("tag", 0..=0, |args, _| Ok(Value::text(of(args)?.tag.as_str()))),
    member("digest", 0..=0, |args, _| Ok(Value::text(of(args)?.digest.as_str()))),
];

/// The default registry, and the default directory in it.
const REGISTRY: &str = "index.docker.io";
const DIRECTORY: &str = "library";
const TAG: &str = "latest";

/// An image with its tag or its digest: if there is a digest, the tag is not needed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Image {
    registry: String,
    repository: String,
    tag: String,
    digest: String,
}

impl Image {
    fn parse(text: &str) -> Option<Self> {
        plumb_format::Format::ImageReference.check_text(text).ok()?;
        let (rest, digest) = text.split_once('@').unwrap_or((text, ""));
        let (registry, rest) = match rest.split_once('/') {
            Some((first, rest)) if is_registry(first) => (first, rest),
            _ => (REGISTRY, rest),
        };
        let (path, tag) = rest.split_once(':').unwrap_or((rest, TAG));
        let is_bare = registry == REGISTRY && !path.contains('/');
        let repository = if is_bare { format!("{DIRECTORY}/{path}") } else { path.to_owned() };
        let tag = if digest.is_empty() { tag } else { "" };
        Some(Self {
            registry: registry.to_owned(),
            repository,
            tag: tag.to_owned(),
            digest: digest.to_owned(),
        })
    }

    fn identifier(&self) -> &str {
        if self.digest.is_empty() { &self.tag } else { &self.digest }
    }
}

/// Whether the text before the first slash is a registry and not a directory.
fn is_registry(text: &str) -> bool {
    text.contains(['.', ':']) || text == "localhost"
}

fn parse(args: &[Value<'_>], context: &mut Context<'_>) -> Result<Image, OperationError> {
    let Value::String(text) = &args[0] else {
        return Err(OperationError::Types);
    };
    context.budget.pay_for_bytes(text.len())?;
    Image::parse(text)
        .ok_or_else(|| OperationError::other("the string is not a reference to an image"))
}

fn is<'a>(args: &[Value<'a>], context: &mut Context<'_>) -> Outcome<'a> {
    match parse(args, context) {
        Err(error @ (OperationError::Types | OperationError::Limit)) => Err(error),
        result => Ok(Value::Bool(result.is_ok())),
    }
}

fn of<'v>(args: &'v [Value<'_>]) -> Result<&'v Image, OperationError> {
    match &args[0] {
        Value::Special(special) => match &**special {
            Special::Image(image) => Ok(image),
            _ => Err(OperationError::Types),
        },
        _ => Err(OperationError::Types),
    }
}
