//! Tokens to documents: the grammar.
//!
//! The grammar is libyaml's, state by state. Its results go directly into the document model (see
//! `build`). Open collections are kept on an explicit stack, so that no nesting can overflow the
//! call stack.

use plumb_source::FileId;
use plumb_value::{Document, Node};

use super::ReadOptions;
use super::build::Builder;
use super::comments::Target;
use super::direct::Direct;
use super::error::{Beginning, Open, ReadError, Result};
use super::error_kind::SyntaxErrorKind;
use super::frame::{Done, State};
use super::scanner::{LongQuote, Scanner};
use super::token::{Content, Kind, TagDirective, Token, TokenPlace};

pub(super) struct Parser<'a> {
    pub(super) scanner: Scanner<'a>,
    pub(super) builder: Builder<'a>,
    pub(super) tag_directives: Vec<TagDirective>,
    /// Whether everything is read by tokens, to test that the result is the same.
    #[cfg(test)]
    pub(super) is_by_tokens: bool,
}

/// The context of a node, which determines what it can be.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Context {
    Block,
    /// The key or value of a block map, where a sequence needs no indentation.
    BlockItem,
    Flow,
}

impl<'a> Parser<'a> {
    pub(super) fn new(text: &'a str, file: FileId, options: &ReadOptions) -> Self {
        Self {
            scanner: Scanner::new(text, options),
            builder: Builder::new(text, file, options),
            tag_directives: Vec::new(),
            #[cfg(test)]
            is_by_tokens: false,
        }
    }

    /// Reads only the end of a text, from `start` on. A line must begin there.
    pub(super) fn of_piece(
        text: &'a str,
        start: usize,
        file: FileId,
        options: &ReadOptions,
    ) -> Self {
        let mut parser = Self::new(text, file, options);
        parser.scanner.cursor.begin_at(start);
        parser
    }

    /// All documents of the text.
    pub(super) fn documents(mut self, begins: Beginning) -> Result<Vec<Document>> {
        self.read_documents(begins).map_err(|error| self.located(error))
    }

    /// Adds to an error what was being read when it was found.
    #[cold]
    pub(super) fn located(&self, error: ReadError) -> ReadError {
        let quote = self.scanner.long_quote;
        let has_lines = |quote: &LongQuote| {
            let text = self.scanner.cursor.get(quote.start, error.start());
            quote.end_line == Some(error.line()) && text.is_some_and(|it| it.contains('\n'))
        };
        let open = match error.kind() {
            SyntaxErrorKind::EndInQuotes | SyntaxErrorKind::DocumentIndicatorInQuotes => {
                quote.map(|it| Open::Quote(it.start))
            }
            SyntaxErrorKind::MissingColon => Some(Open::Key(self.scanner.keys.start_in_block())),
            _ => match quote.filter(has_lines) {
                Some(quote) => Some(Open::Quote(quote.start)),
                None => self.open_bracket().map(Open::Bracket),
            },
        };
        error.while_reading(open)
    }

    /// Returns where the innermost open list or map in brackets begins. Returns `None` in a block.
    fn open_bracket(&self) -> Option<usize> {
        let mut frames = self.builder.frames.iter().rev().take_while(|it| it.state.is_flow());
        // Its place also contains its anchor and tag, and ends after the bracket.
        frames.find(|it| !it.state.is_pair()).map(|it| it.start.end as usize - 1)
    }

    /// Like [`Parser::documents`]. After an error, the parser keeps its position.
    pub(super) fn read_documents(&mut self, begins: Beginning) -> Result<Vec<Document>> {
        let mut documents = Vec::new();
        if begins == Beginning::Unmarked {
            self.scanner.imply_document_start();
        }
        while let Some(mut document) = self.document(documents.is_empty(), begins)? {
            self.builder.finish_document(&mut document, &mut self.scanner.comments)?;
            documents.push(document);
        }
        documents.extend(self.builder.comments.injected_document());
        Ok(documents)
    }

    fn document(&mut self, is_first: bool, begins: Beginning) -> Result<Option<Document>> {
        let mut place = self.scanner.peek()?;
        while !is_first && place.kind == Kind::DocumentEnd {
            place = self.scanner.skip()?;
        }
        let start = match place.kind {
            Kind::StreamEnd => return Ok(None),
            Kind::VersionDirective | Kind::TagDirective | Kind::DocumentStart => {
                self.explicit_start()?
            }
            _ if is_first => TokenPlace { end: place.start, ..place },
            _ => self.explicit_start()?,
        };
        let origin = self.builder.origin(start.start, start.end);
        self.builder.open_document(origin);
        // Without a marker, the first document has no place until all comments are assigned.
        if !is_first || begins == Beginning::Marked {
            self.builder.comments.register(&self.scanner.comments, start.line, Target::Document);
        }
        let node = self.document_content()?;
        if self.scanner.peek()?.kind == Kind::DocumentEnd {
            self.scanner.take();
        }
        self.tag_directives.clear();
        Ok(Some(Document::new(node, origin)))
    }

    /// The directives and the marker of a document.
    fn explicit_start(&mut self) -> Result<TokenPlace> {
        let start = self.scanner.peek()?;
        let mut has_version = false;
        loop {
            let place = self.scanner.peek()?;
            match place.kind {
                Kind::VersionDirective if has_version => {
                    return Err(error(SyntaxErrorKind::DuplicateVersion, place));
                }
                Kind::VersionDirective => {
                    let Content::Version { major: 1, minor: 1 } = self.scanner.take().content
                    else {
                        return Err(error(SyntaxErrorKind::IncompatibleVersion, place));
                    };
                    has_version = true;
                }
                Kind::TagDirective => self.tag_directive(place)?,
                Kind::DocumentStart => {
                    self.scanner.take();
                    return Ok(TokenPlace { end: start.end, ..start });
                }
                _ => return Err(error(SyntaxErrorKind::DocumentStart, place)),
            }
        }
    }

    fn tag_directive(&mut self, place: TokenPlace) -> Result<()> {
        let Token { content: Content::TagDirective(directive), .. } = self.scanner.take() else {
            unreachable!("the kind of the token says so");
        };
        if self.tag_directives.iter().any(|it| it.handle == directive.handle) {
            return Err(error(SyntaxErrorKind::DuplicateTagDirective, place));
        }
        self.tag_directives.push(*directive);
        Ok(())
    }

    fn document_content(&mut self) -> Result<Node> {
        let place = self.scanner.peek()?;
        if matches!(
            place.kind,
            Kind::VersionDirective
                | Kind::TagDirective
                | Kind::DocumentStart
                | Kind::DocumentEnd
                | Kind::StreamEnd
        ) {
            return Ok(Node::Null);
        }
        let mut done = self.node(place, Context::Block)?;
        loop {
            if let Some(node) = done {
                if self.builder.frames.is_empty() {
                    return Ok(node.node);
                }
                self.builder.deliver(node, &self.scanner.comments);
            }
            #[cfg(test)]
            if self.is_by_tokens {
                done = self.step()?;
                continue;
            }
            while self.direct_step()? == Direct::Result {}
            done = self.step()?;
        }
    }

    /// Continues with the innermost open collection. Returns its next key or value, or the
    /// collection itself if it ends here. Returns `None` if another one begins.
    fn step(&mut self) -> Result<Option<Done>> {
        let place = self.scanner.peek()?;
        match self.builder.top().state {
            State::BlockSequence => self.block_sequence(place),
            State::IndentlessSequence => self.indentless_sequence(place),
            State::BlockMapKey => self.block_map_key(place),
            State::BlockMapValue => self.block_map_value(place),
            State::FlowSequence => self.flow_sequence(place),
            State::FlowMapKey => self.flow_map_key(place),
            State::FlowMapValue => self.flow_map_value(place),
            State::FlowMapLoneKey => unreachable!("its key is delivered before the next step"),
            State::FlowMapNoValue => Ok(Some(Done::empty(place.start, place.line))),
            State::FlowPairKey => self.flow_pair_key(place),
            State::FlowPairValue => self.flow_pair_value(place),
            State::FlowPairEnd => Ok(Some(self.builder.close(place.start))),
        }
    }

    fn block_sequence(&mut self, place: TokenPlace) -> Result<Option<Done>> {
        match place.kind {
            Kind::BlockEntry => {
                self.builder.begin_entry(place, &self.scanner.comments);
                self.scanner.take();
                self.entry_value(place)
            }
            Kind::BlockEnd => {
                self.scanner.take();
                Ok(Some(self.builder.close(place.end)))
            }
            _ => Err(error(SyntaxErrorKind::BlockEntry, place)),
        }
    }

    fn indentless_sequence(&mut self, place: TokenPlace) -> Result<Option<Done>> {
        if place.kind != Kind::BlockEntry {
            return Ok(Some(self.builder.close(place.start)));
        }
        self.builder.begin_entry(place, &self.scanner.comments);
        self.scanner.take();
        self.entry_value(place)
    }

    /// Reads the text after the dash of an item.
    pub(super) fn entry_value(&mut self, dash: TokenPlace) -> Result<Option<Done>> {
        let next = self.scanner.peek()?;
        let is_empty = match next.kind {
            Kind::BlockEntry | Kind::BlockEnd => true,
            Kind::Key | Kind::Value => self.builder.top().state == State::IndentlessSequence,
            _ => false,
        };
        if is_empty {
            return Ok(Some(Done::empty(dash.end, dash.line)));
        }
        self.node(next, Context::Block)
    }

    fn block_map_key(&mut self, place: TokenPlace) -> Result<Option<Done>> {
        match place.kind {
            Kind::Key => {
                let next = self.scanner.skip()?;
                if matches!(next.kind, Kind::Key | Kind::Value | Kind::BlockEnd) {
                    return Ok(Some(Done::empty(place.end, place.line)));
                }
                self.node(next, Context::BlockItem)
            }
            Kind::BlockEnd => {
                self.scanner.take();
                Ok(Some(self.builder.close(place.end)))
            }
            _ => Err(error(SyntaxErrorKind::BlockKey, place)),
        }
    }

    fn block_map_value(&mut self, place: TokenPlace) -> Result<Option<Done>> {
        if place.kind != Kind::Value {
            return Ok(Some(Done::empty(place.start, place.line)));
        }
        self.scanner.take();
        self.block_value(place)
    }

    /// Reads the text after the `:` of a block map.
    pub(super) fn block_value(&mut self, colon: TokenPlace) -> Result<Option<Done>> {
        let next = self.scanner.peek()?;
        if matches!(next.kind, Kind::Key | Kind::Value | Kind::BlockEnd) {
            return Ok(Some(Done::empty(colon.end, colon.line)));
        }
        self.node(next, Context::BlockItem)
    }

    fn flow_sequence(&mut self, mut place: TokenPlace) -> Result<Option<Done>> {
        let is_first = self.builder.top_mut().leave_first();
        if place.kind != Kind::FlowSequenceEnd && !is_first {
            if place.kind != Kind::FlowEntry {
                return Err(error(SyntaxErrorKind::FlowSequenceEnd, place));
            }
            self.builder.top_mut().indicator = place;
            place = self.scanner.skip()?;
        }
        if place.kind == Kind::FlowSequenceEnd {
            self.scanner.take();
            return Ok(Some(self.builder.close(place.end)));
        }
        self.builder.begin_flow_entry(place, &self.scanner.comments);
        if place.kind == Kind::Key {
            self.scanner.take();
            self.builder.open(State::FlowPairKey, None, place)?;
            return Ok(None);
        }
        self.node(place, Context::Flow)
    }

    fn flow_pair_key(&mut self, place: TokenPlace) -> Result<Option<Done>> {
        if matches!(place.kind, Kind::Value | Kind::FlowEntry | Kind::FlowSequenceEnd) {
            // The token is dropped, as in libyaml: the next token shows what is missing.
            self.scanner.take();
            return Ok(Some(Done::empty(place.end, place.line)));
        }
        self.node(place, Context::Flow)
    }

    fn flow_pair_value(&mut self, place: TokenPlace) -> Result<Option<Done>> {
        if place.kind == Kind::Value {
            let next = self.scanner.skip()?;
            if !matches!(next.kind, Kind::FlowEntry | Kind::FlowSequenceEnd) {
                return self.node(next, Context::Flow);
            }
        }
        Ok(Some(Done::empty(place.start, place.line)))
    }

    fn flow_map_key(&mut self, mut place: TokenPlace) -> Result<Option<Done>> {
        let is_first = self.builder.top_mut().leave_first();
        if place.kind != Kind::FlowMappingEnd && !is_first {
            if place.kind != Kind::FlowEntry {
                return Err(error(SyntaxErrorKind::FlowMappingEnd, place));
            }
            place = self.scanner.skip()?;
        }
        match place.kind {
            Kind::FlowMappingEnd => {
                self.scanner.take();
                Ok(Some(self.builder.close(place.end)))
            }
            Kind::Key => {
                let next = self.scanner.skip()?;
                if matches!(next.kind, Kind::Value | Kind::FlowEntry | Kind::FlowMappingEnd) {
                    return Ok(Some(Done::empty(next.start, next.line)));
                }
                self.node(next, Context::Flow)
            }
            _ => {
                self.builder.top_mut().state = State::FlowMapLoneKey;
                self.node(place, Context::Flow)
            }
        }
    }

    fn flow_map_value(&mut self, mut place: TokenPlace) -> Result<Option<Done>> {
        if place.kind == Kind::Value {
            place = self.scanner.skip()?;
            if !matches!(place.kind, Kind::FlowEntry | Kind::FlowMappingEnd) {
                return self.node(place, Context::Flow);
            }
        }
        Ok(Some(Done::empty(place.start, place.line)))
    }
}

/// A problem with a token.
pub(super) fn error(problem: SyntaxErrorKind, place: TokenPlace) -> ReadError {
    let TokenPlace { line, start, end, .. } = place;
    ReadError::new(problem, start as usize, end as usize, line)
}
