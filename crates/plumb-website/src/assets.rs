//! The files of the page, in the form in which the program contains them and in the form in which
//! they are sent.

use std::io::{self, Read as _};

use axum::body::Bytes;
use axum::http::HeaderValue;
use sha2::{Digest as _, Sha256};

use crate::StartError;
use crate::encoding::Encoding;

/// A file of the page, compressed in two ways.
#[derive(Clone, Copy, Debug)]
pub struct Asset {
    /// The path below the root, such as `app.js`.
    pub name: &'static str,
    pub brotli: &'static [u8],
    pub gzip: &'static [u8],
}

/// All files, and the header that is sent with every answer.
#[derive(Debug)]
pub(crate) struct Site {
    files: Vec<File>,
    /// The Content-Security-Policy.
    pub policy: HeaderValue,
}

/// A file that can be sent.
#[derive(Debug)]
pub(crate) struct File {
    name: &'static str,
    pub media_type: &'static str,
    brotli: Content,
    gzip: Content,
    /// Not compressed, for clients that ask for it.
    plain: Content,
}

/// The bytes of a file in one encoding.
#[derive(Debug)]
pub(crate) struct Content {
    pub bytes: Bytes,
    pub tag: HeaderValue,
}

impl Site {
    pub(crate) fn new(assets: &'static [Asset]) -> Result<Self, StartError> {
        let read = |it: &'static Asset| {
            File::new(it).map_err(|error| StartError::Asset { name: it.name, error })
        };
        let files = assets.iter().map(read).collect::<Result<Vec<_>, _>>()?;
        let policy =
            policy(&files).map_err(|error| StartError::Asset { name: "index.html", error })?;
        Ok(Self { files, policy })
    }

    /// The file of a path. Paths are compared literally: nothing is decoded or resolved.
    pub(crate) fn find(&self, path: &str) -> Option<&File> {
        let name = match path.strip_prefix('/')? {
            "" => "index.html",
            name => name,
        };
        self.files.iter().find(|it| it.name == name)
    }
}

impl File {
    fn new(asset: &'static Asset) -> io::Result<Self> {
        let mut plain = Vec::new();
        flate2::read::GzDecoder::new(asset.gzip).read_to_end(&mut plain)?;
        let digest = Sha256::digest(&plain);
        let version = digest.iter().take(8).fold(0, |bits, it| bits << 8 | u64::from(*it));
        let content = |bytes: Bytes, encoding: Encoding| {
            let tag = format!("\"{version:016x}-{}\"", encoding.name());
            let tag = HeaderValue::try_from(tag).expect("digits and letters");
            Content { bytes, tag }
        };
        Ok(Self {
            name: asset.name,
            media_type: media_type(asset.name),
            brotli: content(Bytes::from_static(asset.brotli), Encoding::Brotli),
            gzip: content(Bytes::from_static(asset.gzip), Encoding::Gzip),
            plain: content(plain.into(), Encoding::Identity),
        })
    }

    pub(crate) fn content(&self, encoding: Encoding) -> &Content {
        match encoding {
            Encoding::Brotli => &self.brotli,
            Encoding::Gzip => &self.gzip,
            Encoding::Identity => &self.plain,
        }
    }
}

fn media_type(name: &str) -> &'static str {
    match name.rsplit('.').next() {
        Some("html") => "text/html; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("wasm") => "application/wasm",
        Some("txt") => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}

/// The policy that the page declares, plus a rule that forbids frames, which a page cannot declare.
fn policy(files: &[File]) -> io::Result<HeaderValue> {
    let missing = |what| io::Error::new(io::ErrorKind::InvalidData, what);
    let page = files.iter().find(|it| it.name == "index.html").ok_or(missing("it is missing"))?;
    let page = str::from_utf8(&page.plain.bytes).map_err(|_| missing("it is not UTF-8"))?;
    let own = page
        .split_once("http-equiv=\"Content-Security-Policy\" content=\"")
        .and_then(|(_, rest)| rest.split_once('"'))
        .ok_or(missing("it has no Content-Security-Policy"))?
        .0;
    HeaderValue::try_from(format!("{own}; frame-ancestors 'none'"))
        .map_err(|_| missing("its Content-Security-Policy is not a header"))
}
