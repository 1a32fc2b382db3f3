//! The macro `message!`, which composes a `plumb_source::Message`.
//!
//! It is written like `format!`: `message!("key {} not in {type_name}", key)`. Every `{}` and
//! `{name}` must be a `plumb_source::Part`, so that a `String` of unknown content cannot become
//! part of a message. Formats such as `{:?}` are not supported. It is a procedural macro, which
//! needs a separate crate, because a declarative macro cannot read `{name}` inside a string.

use proc_macro::{
    Delimiter, Group, Ident, LexError, Literal, Punct, Spacing, Span, TokenStream, TokenTree,
};

/// Composes a message from text and parts.
#[proc_macro]
pub fn message(input: TokenStream) -> TokenStream {
    expand(input).unwrap_or_else(|MacroError(text)| {
        let error = format!("::core::compile_error!({text:?})");
        error.parse().expect("a call to compile_error with a string parses")
    })
}

/// A wrong use of the macro, with the text of the compile error.
#[derive(Debug, PartialEq, Eq)]
struct MacroError(String);

impl From<&str> for MacroError {
    fn from(text: &str) -> Self {
        Self(text.to_owned())
    }
}

impl From<LexError> for MacroError {
    fn from(error: LexError) -> Self {
        Self(error.to_string())
    }
}

/// A piece of the text: words, a name in braces, or a pair of braces.
#[derive(Debug, PartialEq, Eq)]
enum Piece {
    Words(String),
    Name(String),
    Next,
}

fn expand(input: TokenStream) -> Result<TokenStream, MacroError> {
    let mut arguments = arguments(input).into_iter();
    let text = arguments.next().and_then(only_literal);
    let text = text.ok_or("message! needs a string literal first")?;
    let span = text.span();
    let source = text.to_string();
    let start = source.find('"').ok_or("message! needs a string literal first")?;
    let end = source.rfind('"').filter(|end| *end > start).ok_or("unterminated string")?;
    let (open, close) = (&source[..=start], &source[end..]);
    let mut parts = TokenStream::new();
    for piece in pieces(&source[start + 1..end], source.starts_with('r'))? {
        let part = match piece {
            Piece::Words(words) => {
                let literal = format!("{open}{words}{close}");
                let literal = literal.parse::<Literal>()?;
                TokenStream::from(TokenTree::from(literal))
            }
            Piece::Name(name) => TokenTree::from(Ident::new(&name, span)).into(),
            Piece::Next => arguments.next().ok_or("message! has more {} than arguments")?,
        };
        let part = Group::new(Delimiter::Parenthesis, part);
        parts.extend([
            TokenTree::from(Punct::new('&', Spacing::Alone)),
            part.into(),
            Punct::new(',', Spacing::Alone).into(),
        ]);
    }
    if arguments.next().is_some() {
        return Err("message! has more arguments than {}".into());
    }
    let parts = TokenTree::from(Group::new(Delimiter::Bracket, parts));
    let list: TokenStream = [Punct::new('&', Spacing::Alone).into(), parts].into_iter().collect();
    let call = "::plumb_source::Message::of".parse::<TokenStream>();
    let mut call = call?;
    let mut list = Group::new(Delimiter::Parenthesis, list);
    list.set_span(Span::call_site());
    call.extend([TokenTree::from(list)]);
    Ok(call)
}

/// The arguments, separated by commas. A comma inside brackets is part of a group.
fn arguments(input: TokenStream) -> Vec<TokenStream> {
    let mut arguments = vec![TokenStream::new()];
    for token in input {
        match &token {
            TokenTree::Punct(it) if it.as_char() == ',' => arguments.push(TokenStream::new()),
            _ => arguments.last_mut().expect("it has an element").extend([token]),
        }
    }
    if arguments.last().is_some_and(TokenStream::is_empty) {
        arguments.pop();
    }
    arguments
}

fn only_literal(argument: TokenStream) -> Option<Literal> {
    let mut tokens = argument.into_iter();
    match (tokens.next(), tokens.next()) {
        (Some(TokenTree::Literal(literal)), None) => Some(literal),
        // Other macros pass a literal in a group without brackets.
        (Some(TokenTree::Group(group)), None) if group.delimiter() == Delimiter::None => {
            only_literal(group.stream())
        }
        _ => None,
    }
}

/// Splits the content of a literal. Escapes are not decoded.
fn pieces(text: &str, is_raw: bool) -> Result<Vec<Piece>, MacroError> {
    let mut pieces = Vec::new();
    let mut words = String::new();
    let mut rest = text;
    while let Some(at) = rest.find(['{', '}', '\\']) {
        words.push_str(&rest[..at]);
        let ahead = &rest[at..];
        rest = if ahead.starts_with('\\') && !is_raw {
            // The braces of `\u{e9}` are not placeholders.
            let is_unicode = ahead.starts_with("\\u{");
            let length = is_unicode.then(|| ahead.find('}')).flatten().map_or_else(
                || 1 + ahead[1..].chars().next().map_or(0, char::len_utf8),
                |end| end + 1,
            );
            words.push_str(&ahead[..length]);
            &ahead[length..]
        } else if ahead.starts_with("{{") || ahead.starts_with("}}") || ahead.starts_with('\\') {
            words.push_str(&ahead[..1]);
            &ahead[if ahead.starts_with('\\') { 1 } else { 2 }..]
        } else {
            let inside = ahead.strip_prefix('{').and_then(|it| it.split_once('}'));
            let (name, after) = inside.ok_or("a brace in message! has no counterpart")?;
            if !words.is_empty() {
                pieces.push(Piece::Words(std::mem::take(&mut words)));
            }
            let is_name = name.chars().all(|it| it.is_alphanumeric() || it == '_');
            pieces.push(match name {
                "" => Piece::Next,
                _ if is_name => Piece::Name(name.to_owned()),
                _ => return Err(MacroError(format!("message! does not support {{{name}}}"))),
            });
            after
        };
    }
    words.push_str(rest);
    if !words.is_empty() {
        pieces.push(Piece::Words(words));
    }
    Ok(pieces)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_braces_are_found_and_escapes_are_kept() {
        let words = |text: &str| Piece::Words(text.to_owned());
        let name = Piece::Name("type_name".to_owned());
        let read = pieces(r#"a {} of \u{e9}\" {{x}} {type_name}"#, false);
        assert_eq!(read, Ok(vec![words("a "), Piece::Next, words(r#" of \u{e9}\" {x} "#), name]));
        assert_eq!(pieces(r"\d{{2}}", true), Ok(vec![words(r"\d{2}")]));
        assert!(pieces("{x:?}", false).is_err());
        assert!(pieces("x}", false).is_err());
    }
}
