//! `@ytt:md5` and `@ytt:sha256`: checksums of strings in lower-case hexadecimal.

use std::fmt::Write as _;

use md5::Md5;
use plumb_starlark::{Args, Result, Value};
use sha2::{Digest, Sha256};

use crate::arguments::one_text_or_bytes;
use crate::definition::{Member, ModuleDefinition};

pub(crate) static MD5: ModuleDefinition = ModuleDefinition {
    name: "md5",
    summary: "hashes",
    members: &[Member::function(
        "md5.sum(text)",
        "The MD5 hash of a text or bytes, in hexadecimal digits.",
        |_, args| sum::<Md5>(args),
    )],
};

pub(crate) static SHA256: ModuleDefinition = ModuleDefinition {
    name: "sha256",
    summary: "hashes",
    members: &[Member::function(
        "sha256.sum(text)",
        "The SHA-256 hash of a text or bytes, in hexadecimal digits.",
        |_, args| sum::<Sha256>(args),
    )],
};

fn sum<D: Digest>(args: &Args<'_>) -> Result<Value> {
    let digest = D::digest(one_text_or_bytes(args)?);
    let mut hex = String::with_capacity(digest.len() * 2);
    for byte in digest {
        let _ = write!(hex, "{byte:02x}");
    }
    Ok(hex.into())
}
