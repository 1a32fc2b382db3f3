//! The pieces that a text is made of, as the scanner hands them to the parser.

use ecow::EcoString;

/// One piece of text, or a place where a block begins or ends.
#[derive(Debug)]
pub(super) struct Token<'a> {
    pub(super) place: Place,
    pub(super) content: Content<'a>,
}

/// What kind of token stands where. Small, so that the parser can look at it and decide.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
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

/// What a token says besides its kind.
#[derive(Debug)]
pub(super) enum Content<'a> {
    Nothing,
    /// A scalar, or the name of an anchor or alias, as it stands in the source.
    Borrowed(&'a str),
    /// A scalar that is not one piece of the source: escaped, folded or indented.
    Built(EcoString),
    Tag(Box<TagName>),
    TagDirective(Box<TagDirective>),
    Version {
        major: u8,
        minor: u8,
    },
}

/// A tag as it is written: `!handle!suffix`, or only a suffix for `!<suffix>` and `!`.
#[derive(Debug)]
pub(super) struct TagName {
    pub(super) handle: String,
    pub(super) suffix: String,
}

/// What a handle stands for.
#[derive(Debug)]
pub(super) struct TagDirective {
    pub(super) handle: String,
    pub(super) prefix: String,
}

/// A comment and its line, not yet given to a node.
#[derive(Clone, Copy, Debug)]
pub(super) struct FoundComment {
    pub(super) line: u32,
    /// From the `#` to the end of the line.
    pub(super) start: u32,
    pub(super) end: u32,
}
