//! All problems of a YAML text: the messages, and what to do.
//!
//! The set is closed. The words are those of libyaml, because people search for them.

use plumb_diagnostic::Code;

use plumb_source::message::{plain, secret, term};
use plumb_source::{Message, message};

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

/// A problem of a text.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum SyntaxErrorKind {
    // Encoding.
    InvalidLeadingOctet,
    InvalidTrailingOctet,
    IncompleteSequence,
    OverlongSequence,
    InvalidCharacter,
    ControlCharacter,
    TooLarge,

    // Tokens.
    CannotStartToken(char),
    BlockEntryNotAllowed,
    KeyNotAllowed,
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
    NodeContent,
    BlockEntry,
    BlockKey,
    FlowSequenceEnd,
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

    /// Returns what to do, if there is more to say than the message.
    pub(super) fn help(&self) -> Option<Message> {
        Some(Message::from(match self {
            Self::InvalidLeadingOctet
            | Self::InvalidTrailingOctet
            | Self::IncompleteSequence
            | Self::OverlongSequence
            | Self::InvalidCharacter => "save the file as UTF-8, without a UTF-16 byte order mark",
            Self::ControlCharacter => {
                "write it as an escape in double quotes, such as `\"\\x07\"`, or remove it"
            }
            Self::CannotStartToken('\t') => "indent with spaces: YAML does not allow tabs here",
            Self::CannotStartToken(_) => {
                "quote a text that begins with a reserved character: `@`, `%`, `|`, `>` or a backtick"
            }
            Self::BlockEntryNotAllowed => "start the list on a new line",
            Self::KeyNotAllowed => "start the map on a new line",
            Self::ValueNotAllowed => {
                "quote a text that contains `: `, or start the map on a new line"
            }
            Self::DocumentIndicatorInQuotes | Self::EndInQuotes => "close the quote",
            Self::UnknownEscape => "write `\\\\` for a backslash, or use single quotes",
            Self::TabInPlain | Self::TabInBlock => "indent with spaces",
            Self::IncompatibleVersion => "remove the line, or write `%YAML 1.1`",
            Self::UndefinedHandle => "declare the handle with a `%TAG` line before the document",
            Self::FlowSequenceEnd => "put `,` between items, and `]` after the last one",
            Self::FlowMappingEnd => "put `,` between items, and `}` after the last one",
            Self::DocumentStart => "put `---` before the next document",
            Self::UnknownAnchor(_) => "define the anchor (`&name`) earlier in the same document",
            Self::NotMergeable => "merge one map at a time: `<<: *name`",
            Self::Strict(..) => "put quotes around a text that should be a string",
            Self::TooManyAliased(_) => "aliases within aliases multiply: write the values out",
            _ => return None,
        }))
    }
}

/// The value of a merge key is not a map.
pub struct MergeError;

/// A scalar was read in strict mode.
pub struct StrictMode;

impl SyntaxErrorKind {
    /// Returns the message, mostly in libyaml's words.
    pub(super) fn message(&self) -> Message {
        Message::from(match self {
            Self::InvalidLeadingOctet => "invalid leading UTF-8 octet",
            Self::InvalidTrailingOctet => "invalid trailing UTF-8 octet",
            Self::IncompleteSequence => "incomplete UTF-8 octet sequence",
            Self::OverlongSequence => "invalid length of a UTF-8 sequence",
            Self::InvalidCharacter => "invalid Unicode character",
            Self::ControlCharacter => "control characters are not allowed",
            Self::TooLarge => "input is larger than 4 GiB",
            Self::CannotStartToken(_) => "found character that cannot start any token",
            Self::BlockEntryNotAllowed => "block sequence entries are not allowed in this context",
            Self::KeyNotAllowed => "mapping keys are not allowed in this context",
            Self::ValueNotAllowed => "mapping values are not allowed in this context",
            Self::MissingColon => "could not find expected ':'",
            Self::DocumentIndicatorInQuotes => "found unexpected document indicator",
            Self::EndInQuotes => "found unexpected end of stream",
            Self::UnknownEscape => "found unknown escape character",
            Self::EscapeDigits => "did not find expected hexdecimal number",
            Self::EscapeValue => "found invalid Unicode character escape code",
            Self::TabInPlain => "found a tab character that violates indentation",
            Self::TabInBlock => "found a tab character where an indentation space is expected",
            Self::ZeroIndentation => "found an indentation indicator equal to 0",
            Self::BlockHeaderEnd | Self::DirectiveEnd => {
                "did not find expected comment or line break"
            }
            Self::AnchorName => "did not find expected alphabetic or numeric character",
            Self::TagBang => "did not find expected '!'",
            Self::TagUri => "did not find expected tag URI",
            Self::TagEnd | Self::TagDirectiveEnd => {
                "did not find expected whitespace or line break"
            }
            Self::VerbatimTagEnd => "did not find the expected '>'",
            Self::UriEscape => "did not find URI escaped octet",
            Self::UriLeadingOctet => "found an incorrect leading UTF-8 octet",
            Self::UriTrailingOctet => "found an incorrect trailing UTF-8 octet",
            Self::DirectiveName => "could not find expected directive name",
            Self::DirectiveNameEnd => "found unexpected non-alphabetical character",
            Self::UnknownDirective => "found unknown directive name",
            Self::VersionNumber => "did not find expected version number",
            Self::VersionLength => "found extremely long version number",
            Self::VersionDot => "did not find expected digit or '.' character",
            Self::TagDirectiveSpace => "did not find expected whitespace",
            Self::DocumentStart => "did not find expected <document start>",
            Self::DuplicateVersion => "found duplicate %YAML directive",
            Self::IncompatibleVersion => "found incompatible YAML document",
            Self::DuplicateTagDirective => "found duplicate %TAG directive",
            Self::UndefinedHandle => "found undefined tag handle",
            Self::NodeContent => "did not find expected node content",
            Self::BlockEntry => "did not find expected '-' indicator",
            Self::BlockKey => "did not find expected key",
            Self::FlowSequenceEnd => "did not find expected ',' or ']'",
            Self::FlowMappingEnd => "did not find expected ',' or '}'",
            Self::UnknownAnchor(name) => {
                return message!("unknown anchor '{}' referenced", secret(name));
            }
            Self::SelfReference(name) => {
                return message!("anchor '{}' value contains itself", secret(name));
            }
            Self::NotMergeable => {
                return term("expected a map as the value of `<<`", MergeError).into();
            }
            Self::Tag(error) => return error.message(),
            Self::Strict(problem) => return message!("{}{problem}", term("", StrictMode)),
            Self::TooDeep(limit) => return message!("nested deeper than {limit} levels"),
            Self::TooManyAliased(limit) => {
                return message!("aliases expand to more than {} values", plain(limit));
            }
        })
    }
}
