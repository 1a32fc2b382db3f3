//! All problems of a YAML text.
//!
//! The set is closed. It distinguishes what libyaml distinguishes, so that another crate can express
//! each kind in libyaml's words. Our words, and what to do, are in `explain`.

use plumb_diagnostic::Code;
use plumb_source::Message;

use crate::resolve::TagError;

/// The text is not valid YAML.
///
/// The message says what was expected at the marked place. Also look at the lines before it: an
/// unclosed quote or bracket, or a wrong indentation, is often only detected later.
pub const SYNTAX: Code = Code::new("yaml/syntax");

/// The text is not UTF-8, or contains characters that YAML does not allow.
///
/// Save the file as UTF-8, and write control characters as escapes in double quotes (`"\x07"`).
pub const ENCODING: Code = Code::new("yaml/encoding");

/// An alias (`*name`) refers to an unknown anchor, or to the value that contains it.
///
/// Write the anchor (`&name`) before its aliases, in the same document.
pub const ANCHOR: Code = Code::new("yaml/anchor");

/// A tag (`!!int`) does not fit the text.
///
/// Change the text, or remove the tag.
pub const TAG: Code = Code::new("yaml/tag");

/// The value of a merge key (`<<`) is not a map.
///
/// Merge one map at a time: `<<: *name`.
pub const MERGE: Code = Code::new("yaml/merge");

/// In strict mode, YAML must not be ambiguous.
///
/// Quote the text if it is a string, or write the value in its plain form (`true`, `493`).
pub const STRICT: Code = Code::new("yaml/strict");

/// The document is nested too deeply, or becomes too large.
///
/// Aliases within aliases multiply: a few lines can expand to more than fits in memory.
pub const LIMIT: Code = Code::new("yaml/limit");

/// Why a text cannot be read.
#[derive(Clone, Debug, PartialEq)]
pub enum SyntaxErrorKind {
    // Encoding.
    InvalidLeadingOctet,
    InvalidTrailingOctet,
    IncompleteSequence,
    OverlongSequence,
    InvalidCharacter,
    ControlCharacter,
    TooLarge,

    // Tokens.
    /// No key or value begins with this character.
    CannotStartToken(char),
    /// The `-` of an item.
    BlockEntryNotAllowed,
    /// The `?` of a key.
    KeyNotAllowed,
    /// The `:` after a key.
    ValueNotAllowed,
    MissingColon,
    DocumentIndicatorInQuotes,
    EndInQuotes,
    UnknownEscape,
    EscapeDigits,
    EscapeValue,
    TabInPlain,
    TabInBlock,
    ZeroIndentation,
    BlockHeaderEnd,
    AnchorName,
    TagBang,
    TagUri,
    TagEnd,
    VerbatimTagEnd,
    UriEscape,
    UriLeadingOctet,
    UriTrailingOctet,
    DirectiveName,
    DirectiveNameEnd,
    UnknownDirective,
    DirectiveEnd,
    VersionNumber,
    VersionLength,
    VersionDot,
    TagDirectiveSpace,
    TagDirectiveEnd,

    // Structure.
    DocumentStart,
    DuplicateVersion,
    IncompatibleVersion,
    DuplicateTagDirective,
    UndefinedHandle,
    /// A value is missing.
    NodeContent,
    /// The `-` of the next item of a list is missing.
    BlockEntry,
    /// The next key of a map is missing.
    BlockKey,
    /// A list in brackets has no `,` or `]` here.
    FlowSequenceEnd,
    /// A map in braces has no `,` or `}` here.
    FlowMappingEnd,

    // Values.
    UnknownAnchor(String),
    SelfReference(String),
    NotMergeable,
    Tag(TagError),
    /// The reason why a scalar is ambiguous.
    Strict(Message),

    // Limits.
    TooDeep(usize),
    TooManyAliased(u64),
}

/// The part of the reader that finds a problem. libyaml counts lines differently in each part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Finder {
    Input,
    Scanner,
    Parser,
    Decoder,
}

impl SyntaxErrorKind {
    pub(super) fn code(&self) -> Code {
        match self {
            Self::InvalidLeadingOctet
            | Self::InvalidTrailingOctet
            | Self::IncompleteSequence
            | Self::OverlongSequence
            | Self::InvalidCharacter
            | Self::ControlCharacter => ENCODING,
            Self::UnknownAnchor(_) | Self::SelfReference(_) => ANCHOR,
            Self::NotMergeable => MERGE,
            Self::Tag(_) => TAG,
            Self::Strict(..) => STRICT,
            Self::TooLarge | Self::TooDeep(_) | Self::TooManyAliased(_) => LIMIT,
            _ => SYNTAX,
        }
    }

    pub(super) fn finder(&self) -> Finder {
        match self {
            Self::InvalidLeadingOctet
            | Self::InvalidTrailingOctet
            | Self::IncompleteSequence
            | Self::OverlongSequence
            | Self::InvalidCharacter
            | Self::ControlCharacter
            | Self::TooLarge => Finder::Input,
            Self::DocumentStart
            | Self::DuplicateVersion
            | Self::IncompatibleVersion
            | Self::DuplicateTagDirective
            | Self::UndefinedHandle
            | Self::NodeContent
            | Self::BlockEntry
            | Self::BlockKey
            | Self::FlowSequenceEnd
            | Self::FlowMappingEnd => Finder::Parser,
            Self::UnknownAnchor(_)
            | Self::SelfReference(_)
            | Self::NotMergeable
            | Self::Tag(_)
            | Self::Strict(..) => Finder::Decoder,
            _ => Finder::Scanner,
        }
    }

    /// Returns whether the problem ends reading immediately, not only at the end of its document.
    pub(super) fn is_reported_at_once(&self) -> bool {
        !matches!(
            self,
            Self::SelfReference(_) | Self::NotMergeable | Self::Tag(_) | Self::Strict(..)
        )
    }
}
