//! `@ytt:md5` and `@ytt:sha256`: checksums of strings in lower-case hexadecimal.

use std::fmt::Write as _;

use md5::Md5;
use plumb_source::Text;
use plumb_starlark::{Args, Result, Value};
use sha2::{Digest, Sha256};

use crate::arguments::{function, one_text};

pub(crate) fn md5_members() -> Vec<(Text, Value)> {
    vec![("sum".into(), function("md5.sum", |_, args| sum::<Md5>(args)))]
}

pub(crate) fn sha256_members() -> Vec<(Text, Value)> {
    vec![("sum".into(), function("sha256.sum", |_, args| sum::<Sha256>(args)))]
}

fn sum<D: Digest>(args: &Args<'_>) -> Result<Value> {
    let digest = D::digest(one_text(args)?.as_bytes());
    let mut hex = String::with_capacity(digest.len() * 2);
    for byte in digest {
        let _ = write!(hex, "{byte:02x}");
    }
    Ok(hex.into())
}
