//! Tokens to documents: one node with its properties.

use plumb_value::Node;

use super::error::Result;
use super::error_kind::SyntaxErrorKind;
use super::frame::{Done, State};
use super::parser::{Context, Parser, error};
use super::strict;
use super::token::{Content, Kind, TagName, Token, TokenPlace};
use crate::resolve::{self, CORE_TAG_PREFIX, Scalar};

/// The tag of a merge key. A merge key may also have no tag.
const MERGE_TAG: &str = "tag:yaml.org,2002:merge";

/// The anchor and the tag before a node.
#[derive(Default)]
struct Properties<'a> {
    anchor: Option<&'a str>,
    tag: Option<String>,
}

impl<'a> Parser<'a> {
    /// Reads a scalar or an alias. If a collection begins, opens it and returns `None`.
    pub(super) fn node(&mut self, place: TokenPlace, context: Context) -> Result<Option<Done>> {
        match place.kind {
            Kind::PlainScalar | Kind::QuotedScalar => {
                Ok(Some(self.scalar(place, place, &Properties::default())))
            }
            Kind::Alias => self.alias(place).map(Some),
            Kind::Anchor | Kind::Tag => {
                let properties = self.properties(place)?;
                let behind = self.scanner.peek()?;
                self.content(place, behind, context, &properties)
            }
            _ => self.content(place, place, context, &Properties::default()),
        }
    }

    /// Reads the text after the properties of a node, which begins at `start`.
    fn content(
        &mut self,
        start: TokenPlace,
        place: TokenPlace,
        context: Context,
        properties: &Properties<'a>,
    ) -> Result<Option<Done>> {
        let state = match place.kind {
            Kind::PlainScalar | Kind::QuotedScalar => {
                return Ok(Some(self.scalar(start, place, properties)));
            }
            Kind::BlockEntry if context == Context::BlockItem => State::IndentlessSequence,
            Kind::FlowSequenceStart => State::FlowSequence,
            Kind::FlowMappingStart => State::FlowMapKey,
            Kind::BlockSequenceStart if context != Context::Flow => State::BlockSequence,
            Kind::BlockMappingStart if context != Context::Flow => State::BlockMapKey,
            _ if properties.anchor.is_some() || properties.tag.is_some() => {
                let empty = TokenPlace { kind: Kind::PlainScalar, ..start };
                return Ok(Some(self.resolve(start, empty, Content::Borrowed(""), properties)));
            }
            _ => return Err(error(SyntaxErrorKind::NodeContent, place)),
        };
        let start = TokenPlace { end: place.end, ..start };
        self.builder.open(state, properties.anchor, start)?;
        self.builder.top_mut().indicator = place;
        if state != State::IndentlessSequence {
            self.scanner.take();
        }
        Ok(None)
    }

    /// An anchor and a tag, in either order, or one of them.
    fn properties(&mut self, first: TokenPlace) -> Result<Properties<'a>> {
        let mut properties = Properties::default();
        let mut tag = None;
        let mut place = first;
        loop {
            match place.kind {
                Kind::Anchor if properties.anchor.is_none() => {
                    if let Content::Borrowed(name) = self.scanner.take().content {
                        properties.anchor = Some(name);
                    }
                }
                Kind::Tag if tag.is_none() => {
                    if let Content::Tag(name) = self.scanner.take().content {
                        tag = Some((*name, place));
                    }
                }
                _ => break,
            }
            place = self.scanner.peek()?;
        }
        if let Some((name, place)) = tag {
            properties.tag = Some(self.full_tag(name, place)?);
        }
        Ok(properties)
    }

    /// Replaces the handle of a tag by its prefix.
    fn full_tag(&self, name: TagName, place: TokenPlace) -> Result<String> {
        let TagName { handle, suffix } = name;
        let declared = self.tag_directives.iter().find(|it| it.handle == handle);
        let prefix = match (declared, handle.as_str()) {
            (Some(directive), _) => &directive.prefix,
            (None, "") => "",
            (None, "!") => "!",
            (None, "!!") => CORE_TAG_PREFIX,
            (None, _) => return Err(error(SyntaxErrorKind::UndefinedHandle, place)),
        };
        Ok(format!("{prefix}{suffix}"))
    }

    fn alias(&mut self, place: TokenPlace) -> Result<Done> {
        let Content::Borrowed(name) = self.scanner.take().content else {
            unreachable!("the kind of the token says so");
        };
        self.builder.alias(name, place)
    }

    /// The value of a scalar without properties.
    pub(super) fn bare_scalar(&mut self, token: Token<'_>) -> Done {
        let Token { place, content } = token;
        if place.kind != Kind::PlainScalar {
            return Done::scalar(Node::String(content.into_text()), place, false);
        }
        if self.builder.is_strict {
            return self.resolve(place, place, content, &Properties::default());
        }
        let text = content.text();
        let node = match resolve::plain(text) {
            Scalar::Text => Node::String(self.builder.texts.text(text)),
            scalar => scalar.into_node(text),
        };
        Done::scalar(node, place, text == "<<")
    }

    fn scalar(
        &mut self,
        start: TokenPlace,
        place: TokenPlace,
        properties: &Properties<'a>,
    ) -> Done {
        let whole = TokenPlace { start: start.start, line: start.line, ..place };
        let content = self.scanner.take().content;
        self.resolve(whole, place, content, properties)
    }

    /// Returns the value of a scalar. A problem with it is kept until the document ends. `whole` is
    /// its place with its properties.
    fn resolve(
        &mut self,
        whole: TokenPlace,
        place: TokenPlace,
        content: Content<'_>,
        properties: &Properties<'a>,
    ) -> Done {
        let is_plain = place.kind == Kind::PlainScalar;
        let text = content.text();
        let is_merge = text == "<<"
            && match properties.tag.as_deref() {
                None => is_plain,
                Some(tag) => matches!(tag, "!" | MERGE_TAG),
            };
        let result = match properties.tag.as_deref() {
            Some(tag) => resolve::tagged(tag, text).map_err(SyntaxErrorKind::Tag),
            None if !is_plain => Ok(Node::String(content.into_text())),
            None if self.builder.is_strict => strict::plain(text).map_err(SyntaxErrorKind::Strict),
            None => Ok(resolve::plain(text).into_node(text)),
        };
        let node = result.unwrap_or_else(|problem| {
            // A merged value must be a map: that error is reported instead.
            if !self.builder.awaits_merge() {
                self.builder.keep_error(problem, place);
            }
            Node::Null
        });
        let done = Done::scalar(node, whole, is_merge);
        if let Some(anchor) = properties.anchor {
            self.builder.anchors.define(anchor, &done);
        }
        done
    }
}
