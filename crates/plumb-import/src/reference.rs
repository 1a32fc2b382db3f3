//! References within a document.

use plumb_value::Node;

/// What a reference such as `#/definitions/port` leads to.
pub(crate) fn resolve<'a>(document: &'a Node, reference: &str) -> Option<&'a Node> {
    let path = reference.strip_prefix('#')?;
    let mut node = document;
    for step in path.split('/').skip(1) {
        let step = unescaped(step);
        node = match node {
            Node::Map(map) => map.get_str(&step)?,
            Node::Array(array) => &array.items.get(step.parse::<usize>().ok()?)?.node,
            _ => return None,
        };
    }
    Some(node)
}

/// A step without the escapes of JSON pointers (`~1` for a slash) and of URIs (`%20`).
fn unescaped(step: &str) -> String {
    let mut bytes = Vec::with_capacity(step.len());
    let mut rest = step.as_bytes();
    while let [first, after @ ..] = rest {
        let code = (*first == b'%').then(|| after.get(..2)).flatten();
        let code = code.and_then(|it| std::str::from_utf8(it).ok());
        match code.and_then(|it| u8::from_str_radix(it, 16).ok()) {
            Some(byte) => {
                bytes.push(byte);
                rest = &after[2..];
            }
            None => {
                bytes.push(*first);
                rest = after;
            }
        }
    }
    String::from_utf8_lossy(&bytes).replace("~1", "/").replace("~0", "~")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_are_undone() {
        assert_eq!(unescaped("a~1b~0c%20d%"), "a/b~c d%");
    }
}
