//! Semantic tokens: the words of code inside comments and text templates, which a YAML grammar
//! would show as plain comments and text.

use plumb_starlark::outline::{VariableKind, WordKind};

use crate::TextRange;
use crate::file::File;

/// A word to be coloured.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Token {
    pub range: TextRange,
    pub kind: TokenKind,
}

/// What a word is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenKind {
    Keyword,
    Number,
    String,
    Operator,
    Variable,
    Parameter,
    Function,
    /// A loaded name.
    Namespace,
    /// A name after a dot.
    Property,
    /// An annotation.
    Decorator,
}

pub(crate) fn tokens(file: &File) -> Vec<Token> {
    let code = &file.outline.code;
    let mut tokens = Vec::new();
    let mut after_dot = false;
    let mut names = code.names.iter().filter(|it| it.span.file == file.id).peekable();
    for word in code.words.iter().filter(|it| it.span.file == file.id) {
        let kind = match word.kind {
            WordKind::Keyword => Some(TokenKind::Keyword),
            WordKind::Number => Some(TokenKind::Number),
            WordKind::String => Some(TokenKind::String),
            WordKind::Operator | WordKind::Equals => Some(TokenKind::Operator),
            WordKind::Name if after_dot => Some(TokenKind::Property),
            WordKind::Name => {
                while names.next_if(|it| it.span.start < word.span.start).is_some() {}
                let name = names.peek().filter(|it| it.span == word.span);
                Some(match name.map(|it| code.variables[it.variable].kind) {
                    Some(VariableKind::Function(_) | VariableKind::BuiltIn) => TokenKind::Function,
                    Some(VariableKind::Loaded(..)) => TokenKind::Namespace,
                    Some(VariableKind::Parameter) => TokenKind::Parameter,
                    Some(VariableKind::Plain | VariableKind::Undefined) | None => {
                        TokenKind::Variable
                    }
                })
            }
            WordKind::Open
            | WordKind::Close
            | WordKind::Dot
            | WordKind::Comma
            | WordKind::Colon => None,
        };
        after_dot = word.kind == WordKind::Dot;
        tokens.extend(kind.map(|kind| Token { range: word.span.start..word.span.end, kind }));
    }
    for annotation in &file.outline.annotations {
        let range = annotation.span.start..annotation.span.end;
        tokens.push(Token { range, kind: TokenKind::Decorator });
    }
    tokens.sort_by_key(|it| it.range.start);
    tokens.dedup_by_key(|it| it.range.start);
    tokens
}
