//! Quoted text in a template: Go's escapes, in single or double quotes.

/// The value of quoted text. Returns `None` if an escape is malformed.
pub(super) fn unquote(quoted: &str) -> Option<String> {
    let quote = quoted.chars().next()?;
    let inner = quoted.strip_prefix(quote)?.strip_suffix(quote)?;
    let mut bytes = Vec::with_capacity(inner.len());
    let mut rest = inner;
    while let Some(char) = rest.chars().next() {
        rest = &rest[char.len_utf8()..];
        if char == '\\' {
            rest = escape(rest, quote, &mut bytes)?;
        } else {
            bytes.extend(char.encode_utf8(&mut [0; 4]).bytes());
        }
    }
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

/// Appends the character that the escape denotes, and returns the text after it.
fn escape<'a>(rest: &'a str, quote: char, bytes: &mut Vec<u8>) -> Option<&'a str> {
    let char = rest.chars().next()?;
    let after = &rest[char.len_utf8()..];
    let byte = match char {
        'a' => 7,
        'b' => 8,
        'f' => 12,
        'n' => b'\n',
        'r' => b'\r',
        't' => b'\t',
        'v' => 11,
        '\\' => b'\\',
        '\'' | '"' if char == quote => u8::try_from(char).ok()?,
        'x' => return code(after, 2, 16, bytes, Code::Byte),
        '0'..='7' => return code(rest, 3, 8, bytes, Code::Byte),
        'u' => return code(after, 4, 16, bytes, Code::Character),
        'U' => return code(after, 8, 16, bytes, Code::Character),
        _ => return None,
    };
    bytes.push(byte);
    Some(after)
}

#[derive(Clone, Copy)]
enum Code {
    Byte,
    Character,
}

fn code<'a>(
    text: &'a str,
    digits: usize,
    radix: u32,
    bytes: &mut Vec<u8>,
    code: Code,
) -> Option<&'a str> {
    let number = text.get(..digits).filter(|it| it.bytes().all(|it| it.is_ascii_alphanumeric()))?;
    let value = u32::from_str_radix(number, radix).ok()?;
    match code {
        Code::Byte => bytes.push(u8::try_from(value).ok()?),
        Code::Character => {
            bytes.extend(char::from_u32(value)?.encode_utf8(&mut [0; 4]).bytes());
        }
    }
    Some(&text[digits..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_stand_for_their_characters() {
        assert_eq!(unquote(r#""a\n\t\x41\101\u00e9\"""#).as_deref(), Some("a\n\tAAé\""));
        assert_eq!(unquote(r"'it\'s'").as_deref(), Some("it's"));
        assert_eq!(unquote(r"'\xc3\xa9'").as_deref(), Some("é"));
        assert_eq!(unquote(r"'\q'"), None);
        assert_eq!(unquote(r"'\x4'"), None);
        assert_eq!(unquote(r"'\400'"), None);
    }
}
