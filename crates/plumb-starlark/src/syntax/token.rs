//! The tokens of the language.

/// One token, and its place in the joined text. The value of a number or string is in the lexer.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Token {
    pub(crate) tok: Tok,
    pub(crate) start: u32,
    pub(crate) end: u32,
}

macro_rules! tokens {
    ($($name:ident $text:literal,)*) => {
        /// The kinds of tokens, with their texts.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Tok { $($name,)* }

        impl Tok {
            /// Returns the text of a punctuation mark or keyword, or the name of another kind in
            /// Starlark's specification.
            pub fn text(self) -> &'static str {
                match self { $(Self::$name => $text,)* }
            }
        }
    };
}

tokens! {
    Illegal "illegal token",
    Eof "end of file",
    Newline "newline",
    Indent "indent",
    Outdent "outdent",
    Ident "identifier",
    Host "identifier",
    Int "int literal",
    Float "float literal",
    String "string literal",
    Bytes "bytes literal",
    FString "f-string",
    Plus "+",
    Minus "-",
    Star "*",
    Slash "/",
    SlashSlash "//",
    Percent "%",
    Amp "&",
    Pipe "|",
    Circumflex "^",
    LtLt "<<",
    GtGt ">>",
    Tilde "~",
    Dot ".",
    Comma ",",
    Eq "=",
    Semi ";",
    Colon ":",
    LParen "(",
    RParen ")",
    LBrack "[",
    RBrack "]",
    LBrace "{",
    RBrace "}",
    Lt "<",
    Gt ">",
    Ge ">=",
    Le "<=",
    EqEq "==",
    NotEq "!=",
    PlusEq "+=",
    MinusEq "-=",
    StarEq "*=",
    SlashEq "/=",
    SlashSlashEq "//=",
    PercentEq "%=",
    AmpEq "&=",
    PipeEq "|=",
    CircumflexEq "^=",
    LtLtEq "<<=",
    GtGtEq ">>=",
    StarStar "**",
    And "and",
    Break "break",
    Continue "continue",
    Def "def",
    Elif "elif",
    Else "else",
    For "for",
    If "if",
    In "in",
    Lambda "lambda",
    Load "load",
    Not "not",
    NotIn "not in",
    Or "or",
    Pass "pass",
    Return "return",
    While "while",
}

impl Tok {
    /// Returns whether the kind is a punctuation mark.
    pub fn is_punctuation(self) -> bool {
        (Self::Plus as u8..=Self::StarStar as u8).contains(&(self as u8))
    }

    /// Returns the keyword with that spelling. Reserved words without a meaning are `Illegal`.
    pub(crate) fn keyword(word: &[u8]) -> Option<Self> {
        Some(match word {
            b"and" => Self::And,
            b"break" => Self::Break,
            b"continue" => Self::Continue,
            b"def" => Self::Def,
            b"elif" => Self::Elif,
            b"else" => Self::Else,
            b"for" => Self::For,
            b"if" => Self::If,
            b"in" => Self::In,
            b"lambda" => Self::Lambda,
            b"load" => Self::Load,
            b"not" => Self::Not,
            b"or" => Self::Or,
            b"pass" => Self::Pass,
            b"return" => Self::Return,
            b"while" => Self::While,
            b"as" | b"class" | b"del" | b"except" | b"finally" | b"from" | b"global"
            | b"import" | b"is" | b"nonlocal" | b"raise" | b"try" | b"with" | b"yield" => {
                Self::Illegal
            }
            _ => return None,
        })
    }

    pub(crate) fn is_keyword(self) -> bool {
        self == Self::Illegal || self as u8 >= Self::And as u8
    }
}
