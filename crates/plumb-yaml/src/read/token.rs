//! The tokens that the scanner passes to the parser.

use lean_string::LeanString;
use plumb_source::Text;

/// One piece of text, or a place where a block begins or ends.
#[derive(Debug)]
pub(super) struct Token<'a> {
    pub(super) place: TokenPlace,
    pub(super) content: Content<'a>,
}

/// The kind and the place of a token. It is small, so that the parser can copy it.
#[derive(Clone, Copy, Debug)]
pub(super) struct TokenPlace {
    pub(super) kind: Kind,
    /// Whether a scalar begins and ends on one line.
    pub(super) is_one_line: bool,
    /// Counted from 0, with every line break of YAML.
    pub(super) line: u32,
    pub(super) start: u32,
    pub(super) end: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    StreamEnd,
    VersionDirective,
    TagDirective,
    DocumentStart,
    DocumentEnd,
    BlockSequenceStart,
    BlockMappingStart,
    BlockEnd,
    FlowSequenceStart,
    FlowSequenceEnd,
    FlowMappingStart,
    FlowMappingEnd,
    BlockEntry,
    FlowEntry,
    Key,
    Value,
    Alias,
    Anchor,
    Tag,
    PlainScalar,
    QuotedScalar,
}

/// The content of a token besides its kind.
#[derive(Debug)]
pub(super) enum Content<'a> {
    Nothing,
    /// A scalar, or the name of an anchor or alias, as written in the source.
    Borrowed(&'a str),
    /// A scalar that is not one piece of the source: escaped, folded or indented.
    Built(LeanString),
    Tag(Box<TagName>),
    TagDirective(Box<TagDirective>),
    Version {
        major: u8,
        minor: u8,
    },
}

impl Content<'_> {
    /// Returns the text of a scalar or a name.
    pub(super) fn text(&self) -> &str {
        match self {
            Self::Borrowed(text) => text,
            Self::Built(text) => text,
            _ => unreachable!("the kind of the token says so"),
        }
    }

    /// Returns the text of a scalar. A text that was built is not copied.
    pub(super) fn into_text(self) -> Text {
        match self {
            Self::Built(text) => text.into(),
            _ => self.text().into(),
        }
    }
}

/// A tag as it is written: `!handle!suffix`, or only a suffix for `!<suffix>` and `!`.
#[derive(Debug)]
pub(super) struct TagName {
    pub(super) handle: String,
    pub(super) suffix: String,
}

/// The prefix that a handle is replaced by.
#[derive(Debug)]
pub(super) struct TagDirective {
    pub(super) handle: String,
    pub(super) prefix: String,
}

/// A comment and its line, not yet assigned to a node.
#[derive(Clone, Copy, Debug)]
pub(super) struct FoundComment {
    pub(super) line: u32,
    /// From the `#` to the end of the line.
    pub(super) start: u32,
    pub(super) end: u32,
}
