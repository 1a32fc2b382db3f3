//! Statements, and the parts of the parser that they share with expressions.
//!
//! A recursive-descent parser. Nesting is counted: a program that exceeds [`MAX_NESTING`] is
//! rejected, so that no input can exhaust the native stack here or in a later stage.

use hashbrown::HashMap;
use plumb_source::message::{plain, term};
use plumb_source::{Limit, Message, Text, message, room};

use super::ast::{
    Arg, Ast, Body, Expr, ExprId, Function, FunctionId, Ident, If, Load, LoadedName, Param, Stmt,
    Symbol,
};
use super::blocks::Blocks;
use super::lexer::Lexer;
use super::recovery::Recovery;
use super::token::{Tok, Token};
use crate::Value;
use crate::code_error::{CodeErrorKind, Wanted};
use crate::error::{Error, ErrorKind, InstructionInLoad, Result};
use crate::ops::BinaryOp;
use crate::piece::Script;
use crate::program_error::ProgramError;

/// The maximum nesting of brackets, blocks and operators.
pub(super) const MAX_NESTING: u32 = 250;

/// The least number of bytes of text per expression in most programs, without instructions.
const BYTES_PER_EXPR: usize = 8;

/// Reads a program.
pub(crate) fn parse(script: &Script) -> Result<Ast> {
    let mut parser = Parser::new(script, None)?;
    parser.program()?;
    Ok(parser.ast)
}

/// Reads a program with syntax errors: returns the correct parts, and all errors.
pub(crate) fn parse_past_errors(script: &Script) -> (Ast, Recovery) {
    let recovery = Some(Box::default());
    let mut parser = Parser::new(script, recovery).expect("a recovering lexer does not fail");
    parser.program().expect("a recovering parser does not fail");
    let recovery = parser.blocks.lexer.recovery.take().expect("it was given");
    (parser.ast, *recovery)
}

pub(super) struct Parser<'a> {
    pub(super) script: &'a Script,
    pub(super) blocks: Blocks<'a>,
    pub(super) token: Token,
    pub(super) ast: Ast,
    symbols: HashMap<Box<[u8]>, Symbol>,
    depth: u32,
    pub(super) instructions: usize,
    /// Arguments of the calls that are being read, the innermost last.
    pub(super) open_args: Vec<Arg>,
}

impl<'a> Parser<'a> {
    fn new(script: &'a Script, recovery: Option<Box<Recovery>>) -> Result<Self> {
        let mut blocks = Blocks::new(Lexer::new(script));
        blocks.lexer.recovery = recovery;
        let token = blocks.next()?;
        let n_exprs = script.instructions.len() + script.text.len() / BYTES_PER_EXPR;
        let ast = Ast {
            exprs: Vec::with_capacity(n_exprs),
            functions: Vec::new(),
            body: Vec::new(),
            names: Vec::new(),
            idents: 0,
        };
        let symbols = HashMap::new();
        let open_args = Vec::new();
        Ok(Self { script, blocks, token, ast, symbols, depth: 0, instructions: 0, open_args })
    }

    fn program(&mut self) -> Result<()> {
        let mut body = Vec::new();
        while self.tok() != Tok::Eof {
            if matches!(self.tok(), Tok::Newline | Tok::Outdent) {
                self.advance()?;
            } else {
                self.statement(&mut body)?;
            }
        }
        self.ast.body = body;
        Ok(())
    }

    pub(super) fn tok(&self) -> Tok {
        self.token.tok
    }

    /// Returns the value of the current token if it is a number or string. Can be called once.
    pub(super) fn literal(&mut self) -> Option<Value> {
        let is_literal =
            matches!(self.tok(), Tok::Int | Tok::Float | Tok::String | Tok::Bytes | Tok::FString);
        if is_literal { self.blocks.lexer.literal.take() } else { None }
    }

    /// Advances to the next token. Returns the offset of the previous one.
    pub(super) fn advance(&mut self) -> Result<u32> {
        let start = self.token.start;
        self.token = self.blocks.next()?;
        Ok(start)
    }

    pub(super) fn error(&self, at: u32, message: impl Into<Message>) -> Error {
        Error::at(ErrorKind::Syntax, self.script.spot(at), message)
    }

    /// Returns an error after the unexpected token.
    pub(super) fn fail<T>(&self, message: impl Into<Message>) -> Result<T> {
        Err(self.unwanted(message))
    }

    /// See [`Parser::fail`].
    pub(super) fn unwanted(&self, message: impl Into<Message>) -> Error {
        let error = self.error(self.blocks.lexer.position(), message);
        let error = error.about(self.script.spot(self.token.start));
        match self.tok() {
            Tok::Host => error.after(self.script.code_before(self.token.start)),
            _ => error,
        }
    }

    /// Returns an error after a token that is not the expected one.
    pub(super) fn unexpected(&self, found: Tok, wanted: Wanted) -> Error {
        let words = message!("expected {}, found {}", wanted.words(), found.words());
        self.unwanted_kind(words, CodeErrorKind::Unexpected { found, wanted })
    }

    /// Returns an error after the unexpected token, with our words for the facts.
    pub(super) fn unwanted_kind(&self, words: Message, kind: CodeErrorKind) -> Error {
        self.unwanted(term(words, kind.clone())).with_detail(kind)
    }

    pub(super) fn consume(&mut self, tok: Tok) -> Result<u32> {
        if self.tok() != tok {
            let error = self.unexpected(self.tok(), Wanted::Token(tok));
            return self.or_make_up(error, self.token.start);
        }
        self.advance()
    }

    /// Runs a part of the parser that may recurse.
    pub(super) fn nested<T>(&mut self, part: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        if self.depth == MAX_NESTING {
            let at = self.script.spot(self.token.start);
            let message = plain(format!("nested too deeply (more than {MAX_NESTING} levels)"));
            return Err(Error::at(ErrorKind::Limit(Limit::Fixed), at, message));
        }
        self.depth += 1;
        let result = part(self);
        self.depth -= 1;
        result
    }

    pub(super) fn push(&mut self, expr: Expr) -> ExprId {
        let id = ExprId(u32::try_from(self.ast.exprs.len()).expect("fewer than bytes of text"));
        room::push(&mut self.ast.exprs, expr);
        id
    }

    pub(super) fn push_function(&mut self, function: Function) -> FunctionId {
        let id = u32::try_from(self.ast.functions.len()).expect("fewer than bytes of text");
        room::push(&mut self.ast.functions, function);
        FunctionId(id)
    }

    fn symbol(&mut self, name: &[u8]) -> Symbol {
        let next = Symbol(u32::try_from(self.ast.names.len()).expect("fewer than bytes of text"));
        let symbol = *self.symbols.entry_ref(name).or_insert(next);
        if symbol == next {
            self.ast.names.push(Text::from_bytes(name));
        }
        symbol
    }

    fn number_ident(&mut self, name: Symbol, at: u32) -> Ident {
        let number = self.ast.idents;
        self.ast.idents += 1;
        Ident { name, at, number }
    }

    /// Parses a name that refers to a variable.
    pub(super) fn ident(&mut self) -> Result<Ident> {
        let (name, at) = self.name()?;
        Ok(self.number_ident(name, at))
    }

    pub(super) fn name(&mut self) -> Result<(Symbol, u32)> {
        if self.tok() == Tok::Host {
            // It is parsed like any other name here; the mistake is what follows it.
            self.instructions += 1;
            let symbol = self.symbol(b"@");
            return Ok((symbol, self.advance()?));
        }
        if self.tok() != Tok::Ident {
            if self.tok().is_keyword() {
                let word = String::from_utf8_lossy(self.blocks.text(&self.token));
                let word = word.into_owned();
                let words = message!("expected a name, found the reserved word `{}`", plain(&word));
                let error = self.unwanted_kind(words, CodeErrorKind::ReservedName { word });
                return self.missing_name(error);
            }
            let error = self.unexpected(self.tok(), Wanted::Name);
            return self.missing_name(error);
        }
        let name = self.blocks.text(&self.token);
        let symbol = self.symbol(name);
        let at = self.advance()?;
        Ok((symbol, at))
    }

    fn missing_name(&mut self, error: Error) -> Result<(Symbol, u32)> {
        let at = self.token.start;
        let at = self.or_make_up(error, at)?;
        Ok((self.symbol(b""), at))
    }

    /// Adds one statement, or several if they share a line. A recovering parser continues after a
    /// statement that it cannot read.
    fn statement(&mut self, to: &mut Vec<Stmt>) -> Result<()> {
        self.or_skip(to, Self::strict_statement)
    }

    /// Reads a statement. A recovering parser skips it if that fails, or if nothing was read.
    fn or_skip(
        &mut self,
        to: &mut Vec<Stmt>,
        read: impl FnOnce(&mut Self, &mut Vec<Stmt>) -> Result<()>,
    ) -> Result<()> {
        if !self.recovers() {
            return read(self, to);
        }
        let begun = self.begun();
        if let Err(error) = read(self, to) {
            self.skip_statement(error, begun, to);
        } else if self.token.start == begun.start && self.tok() != Tok::Eof {
            let error = self.unwanted("expected a statement");
            self.advance()?;
            self.skip_statement(error, begun, to);
        }
        Ok(())
    }

    fn strict_statement(&mut self, to: &mut Vec<Stmt>) -> Result<()> {
        let compound = match self.tok() {
            Tok::Def => self.nested(Self::def)?,
            Tok::If => self.nested(Self::if_statement)?,
            Tok::For => self.nested(Self::for_statement)?,
            Tok::While => self.nested(Self::while_statement)?,
            _ => return self.simple_statements(to),
        };
        to.push(compound);
        Ok(())
    }

    fn def(&mut self) -> Result<Stmt> {
        let at = self.advance()?;
        let ident = self.ident()?;
        self.consume(Tok::LParen)?;
        let params = self.params()?;
        let end = self.consume(Tok::RParen)? + 1;
        self.header_end()?;
        let body = Body::Statements(self.suite()?);
        let name = Some(ident.name);
        let function = self.push_function(Function { name, params, body, at, end });
        Ok(Stmt::Def { ident, function })
    }

    fn if_statement(&mut self) -> Result<Stmt> {
        let mut branches = Vec::new();
        loop {
            self.advance()?;
            let condition = self.condition()?;
            self.header_end()?;
            branches.push((condition, self.suite()?));
            if self.tok() != Tok::Elif {
                break;
            }
        }
        let mut otherwise = Vec::new();
        if self.tok() == Tok::Else {
            self.advance()?;
            self.header_end()?;
            otherwise = self.suite()?;
        }
        Ok(Stmt::If(Box::new(If { branches, otherwise })))
    }

    fn for_statement(&mut self) -> Result<Stmt> {
        let at = self.advance()?;
        let target = self.loop_variables()?;
        self.consume(Tok::In)?;
        let iterable = match self.expression(false) {
            Err(error) => self.skip_to_colon(error)?,
            Ok(iterable) => iterable,
        };
        self.header_end()?;
        let body = self.suite()?.into_boxed_slice();
        Ok(Stmt::For { target, iterable, body, at })
    }

    fn while_statement(&mut self) -> Result<Stmt> {
        self.advance()?;
        let condition = self.condition()?;
        self.header_end()?;
        let body = self.suite()?;
        Ok(Stmt::While { condition, body })
    }

    fn condition(&mut self) -> Result<ExprId> {
        match self.test() {
            Err(error) => self.skip_to_colon(error),
            condition => condition,
        }
    }

    /// Consumes the colon at the end of a block's header. Without one, the block still begins on
    /// the next line.
    fn header_end(&mut self) -> Result<()> {
        let lacks_colon = self.tok() == Tok::Newline;
        self.consume(Tok::Colon)?;
        if lacks_colon {
            self.blocks.open_next();
        }
        Ok(())
    }

    /// Parses what follows the colon of a block: statements up to `end`, or on the same line.
    fn suite(&mut self) -> Result<Vec<Stmt>> {
        let mut statements = Vec::new();
        if self.tok() != Tok::Newline {
            self.or_skip(&mut statements, Self::simple_statements)?;
            return Ok(statements);
        }
        self.advance()?;
        self.block(&mut statements)?;
        Ok(statements)
    }

    /// Parses the statements of a block, up to the `end` that closes it.
    pub(super) fn block(&mut self, to: &mut Vec<Stmt>) -> Result<()> {
        self.consume(Tok::Indent)?;
        while !matches!(self.tok(), Tok::Outdent | Tok::Eof) {
            self.statement(to)?;
        }
        self.consume(Tok::Outdent)?;
        Ok(())
    }

    /// Adds statements separated by `;`, up to the line break after them.
    fn simple_statements(&mut self, to: &mut Vec<Stmt>) -> Result<()> {
        room::push(to, self.small_statement()?);
        while self.tok() == Tok::Semi {
            self.advance()?;
            if matches!(self.tok(), Tok::Newline | Tok::Eof) {
                break;
            }
            to.push(self.small_statement()?);
        }
        if self.tok() != Tok::Eof {
            self.consume(Tok::Newline)?;
        }
        Ok(())
    }

    fn small_statement(&mut self) -> Result<Stmt> {
        match self.tok() {
            Tok::Return => {
                let at = self.advance()?;
                let ends = matches!(self.tok(), Tok::Eof | Tok::Newline | Tok::Semi);
                let value = if ends { None } else { Some(self.expression(false)?) };
                return Ok(Stmt::Return { value, at });
            }
            Tok::Break => return Ok(Stmt::Break(self.advance()?)),
            Tok::Continue => return Ok(Stmt::Continue(self.advance()?)),
            Tok::Load => return self.load(),
            _ => {}
        }
        if let Some(instruction) = self.bare_instruction()? {
            return Ok(Stmt::Expr(instruction));
        }
        let target = self.expression(false)?;
        if self.tok() == Tok::Eq {
            let at = self.advance()?;
            let value = self.expression(false)?;
            return Ok(Stmt::Assign { target, value, at });
        }
        if let Some(op) = augmented(self.tok()) {
            let at = self.advance()?;
            let value = self.expression(false)?;
            return Ok(Stmt::Augment { op, target, value, at });
        }
        Ok(Stmt::Expr(target))
    }

    fn load(&mut self) -> Result<Stmt> {
        let at = self.advance()?;
        let opening = self.consume(Tok::LParen)?;
        let Some(Value::String(module)) = self.literal() else {
            let words = "expected the path of a module in quotes as the first operand of `load`";
            return Err(self.unwanted_kind(words.into(), CodeErrorKind::LoadedModule));
        };
        self.advance()?;
        let mut names = Vec::new();
        while !matches!(self.tok(), Tok::RParen | Tok::Eof) {
            self.consume(Tok::Comma)?;
            match self.tok() {
                Tok::RParen => break,
                Tok::String => names.push(self.loaded_name(None)?),
                Tok::Ident => {
                    let to = self.ident()?;
                    let name = self.ast.name(to.name).clone();
                    if self.tok() != Tok::Eq {
                        let words = message!(
                            "expected \"{}\" in quotes as an operand of `load`",
                            plain(&name)
                        );
                        let kind = CodeErrorKind::LoadedName { name };
                        return Err(self.unwanted_kind(words, kind));
                    }
                    self.advance()?;
                    if self.tok() != Tok::String {
                        return self.fail(plain(format!(
                            "original name of loaded symbol must be quoted: \
                             {name}=\"originalname\""
                        )));
                    }
                    names.push(self.loaded_name(Some(to))?);
                }
                Tok::Host => {
                    let op = self.script.instructions[self.instructions].op;
                    let message = "expected the name of a symbol to load";
                    return Err(self.unwanted(message).with_detail(InstructionInLoad { op }));
                }
                other => {
                    let words = message!(
                        "expected \"name\" or localname=\"name\" as an operand of `load`, found {}",
                        other.words()
                    );
                    let kind = CodeErrorKind::LoadOperand { found: other };
                    return Err(self.unwanted_kind(words, kind));
                }
            }
        }
        self.consume(Tok::RParen)?;
        if names.is_empty() {
            let words = "expected the name of a symbol to load, found none";
            let kind = CodeErrorKind::NothingLoaded;
            let error = self.error(opening, term(words, kind.clone()));
            return Err(error.with_detail(kind));
        }
        Ok(Stmt::Load(Box::new(Load { module, names, at })))
    }

    /// Parses the quoted name of a load. Without `to`, it is also the name of the variable.
    fn loaded_name(&mut self, to: Option<Ident>) -> Result<LoadedName> {
        let Some(Value::String(from)) = self.literal() else {
            return self.fail(ProgramError::LoadedNameNotText);
        };
        let from_at = self.advance()? + 1;
        let to = to.unwrap_or_else(|| {
            let symbol = self.symbol(from.as_bytes());
            self.number_ident(symbol, from_at)
        });
        Ok(LoadedName { from, from_at, to })
    }

    /// Parses parameters up to the `)` of a `def` or the `:` of a `lambda`.
    pub(super) fn params(&mut self) -> Result<Vec<Param>> {
        let mut params = Vec::new();
        let mut stars = false;
        while !matches!(self.tok(), Tok::RParen | Tok::Colon | Tok::Eof) {
            if !params.is_empty() {
                self.consume(Tok::Comma)?;
            }
            if self.tok() == Tok::RParen {
                if stars {
                    return Err(self.unexpected(Tok::RParen, Wanted::Parameter));
                }
                break;
            }
            if matches!(self.tok(), Tok::Star | Tok::StarStar) {
                stars = true;
                let double = self.tok() == Tok::StarStar;
                let at = self.advance()?;
                params.push(if double {
                    Param::StarStar { ident: self.ident()?, at }
                } else if self.tok() == Tok::Ident {
                    Param::Star { ident: Some(self.ident()?), at }
                } else {
                    Param::Star { ident: None, at }
                });
                continue;
            }
            let ident = self.ident()?;
            params.push(if self.tok() == Tok::Eq {
                let at = self.advance()?;
                Param::Optional { ident, default: self.test()?, at }
            } else {
                Param::Required(ident)
            });
        }
        Ok(params)
    }
}

/// The operator of an augmented assignment.
fn augmented(tok: Tok) -> Option<BinaryOp> {
    Some(match tok {
        Tok::PlusEq => BinaryOp::Add,
        Tok::MinusEq => BinaryOp::Subtract,
        Tok::StarEq => BinaryOp::Multiply,
        Tok::SlashEq => BinaryOp::Divide,
        Tok::SlashSlashEq => BinaryOp::FloorDivide,
        Tok::PercentEq => BinaryOp::Modulo,
        Tok::AmpEq => BinaryOp::And,
        Tok::PipeEq => BinaryOp::Or,
        Tok::CircumflexEq => BinaryOp::Xor,
        Tok::LtLtEq => BinaryOp::ShiftLeft,
        Tok::GtGtEq => BinaryOp::ShiftRight,
        _ => return None,
    })
}
