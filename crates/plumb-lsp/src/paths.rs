//! Files as the protocol names them: `file:` URIs.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::str::FromStr as _;

use lsp_types::Uri;
use plumb_jsonschema::percent_decoded;

/// The scheme of documents that show rendered output.
pub(crate) const PREVIEW: &str = "plumb-preview";

/// The scheme of documents that explain the codes of findings.
pub(crate) const MANUAL: &str = "plumb-manual";

/// The path of a file. Returns `None` for other schemes, such as `untitled:` for an unsaved
/// document.
pub fn path_of(uri: &Uri) -> Option<PathBuf> {
    let path = uri.as_str().strip_prefix("file://")?;
    let path = percent_decoded(path.trim_start_matches("localhost"));
    // On Windows: `/c:/dir`.
    let bytes = path.as_bytes();
    let has_drive = bytes.len() > 2 && bytes[0] == b'/' && bytes[2] == b':';
    Some(PathBuf::from(if has_drive { &path[1..] } else { &path }))
}

/// The URI of a file. Returns `None` if its path cannot be converted.
pub fn uri_of(path: &Path) -> Option<Uri> {
    let path = path.to_str()?.replace('\\', "/");
    let mut uri = String::from(if path.starts_with('/') { "file://" } else { "file:///" });
    for byte in path.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'-' | b'.' | b'_' | b'~' | b':' => {
                uri.push(char::from(byte));
            }
            _ => write!(uri, "%{byte:02X}").ok()?,
        }
    }
    Uri::from_str(&uri).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_and_uris_are_inverse() {
        for path in ["/a/b.yml", "/a b/ü#?.yml", "/100%/x"] {
            let uri = uri_of(Path::new(path)).expect("it is UTF-8");
            assert_eq!(path_of(&uri).as_deref(), Some(Path::new(path)), "{}", uri.as_str());
        }
        let untitled = Uri::from_str("untitled:one").expect("a URI");
        assert_eq!(path_of(&untitled), None);
    }
}
