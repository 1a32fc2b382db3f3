//! Expressions: one function for all binary operators (by precedence), one for suffixes, one for
//! expressions without operators.

use plumb_source::{Text, message};

use super::ast::{
    Arg, Body, Clause, Comprehension, ComprehensionBody, Entry, Expr, ExprId, Function, Operator,
    UnaryOp,
};
use super::literals::Ended;
use super::parser::Parser;
use super::token::Tok;
use crate::Value;
use crate::code_error::{CodeErrorKind, Wanted};
use crate::error::{Error, Result};
use crate::ops::{BinaryOp, CompareOp};
use crate::piece::{Effect, Placed, Takes};
use crate::program_error::ProgramError;

const NOT: u8 = 2;
const COMPARISON: u8 = 3;

impl Parser<'_> {
    /// One expression, or several with commas, which form a tuple.
    pub(super) fn expression(&mut self, in_parens: bool) -> Result<ExprId> {
        let first = self.test()?;
        if self.tok() != Tok::Comma {
            return Ok(first);
        }
        let at = self.ast.start(first);
        let items = self.rest_of_list(first, in_parens)?.into();
        Ok(self.push(Expr::Tuple { items, at }))
    }

    fn rest_of_list(&mut self, first: ExprId, trailing_comma: bool) -> Result<Vec<ExprId>> {
        let mut items = vec![first];
        while self.tok() == Tok::Comma {
            let at = self.advance()?;
            if ends_list(self.tok()) {
                if !trailing_comma {
                    return Err(self.error(at, ProgramError::BareTuple));
                }
                break;
            }
            items.push(self.test()?);
        }
        Ok(items)
    }

    /// One expression without commas.
    pub(super) fn test(&mut self) -> Result<ExprId> {
        self.nested(Self::test_inner)
    }

    fn test_inner(&mut self) -> Result<ExprId> {
        if self.tok() == Tok::Lambda {
            return self.lambda(Self::test);
        }
        let then = self.binary(0)?;
        if self.tok() != Tok::If {
            return Ok(then);
        }
        let at = self.advance()?;
        let condition = self.binary(0)?;
        if self.tok() != Tok::Else {
            let error = self.error(at, ProgramError::NoElse);
            return self.or_make_up(error, then);
        }
        self.advance()?;
        let otherwise = self.test()?;
        Ok(self.push(Expr::Conditional { condition, then, otherwise }))
    }

    /// One expression that does not continue with `if`, as after the `if` of a comprehension.
    fn test_without_condition(&mut self) -> Result<ExprId> {
        if self.tok() == Tok::Lambda {
            return self.nested(|it| it.lambda(Self::test_without_condition));
        }
        self.binary(0)
    }

    fn lambda(&mut self, body: impl FnOnce(&mut Self) -> Result<ExprId>) -> Result<ExprId> {
        let at = self.advance()?;
        let params = if self.tok() == Tok::Colon { Vec::new() } else { self.params()? };
        let end = self.consume(Tok::Colon)? + 1;
        let body = Body::Expression(body(self)?);
        let function = self.push_function(Function { name: None, params, body, at, end });
        Ok(self.push(Expr::Lambda(function)))
    }

    /// Parses operators of at least that precedence. All associate to the left, except comparisons,
    /// which do not associate.
    fn binary(&mut self, least: u8) -> Result<ExprId> {
        let mut left = if self.tok() == Tok::Not && least <= NOT {
            let at = self.advance()?;
            let operand = self.nested(|it| it.binary(NOT))?;
            self.push(Expr::Unary { op: UnaryOp::Not, operand, at })
        } else {
            self.primary_with_suffix()?
        };
        let mut previous: Option<Tok> = None;
        loop {
            if self.tok() == Tok::Not {
                self.advance()?;
                if self.tok() != Tok::In {
                    return Err(self.unexpected(self.tok(), Wanted::Token(Tok::In)));
                }
                self.token.tok = Tok::NotIn;
            }
            let tok = self.tok();
            let Some((precedence, op)) = operator(tok).filter(|it| it.0 >= least) else {
                return Ok(left);
            };
            if let Some(previous) = previous.filter(|_| precedence == COMPARISON) {
                let words = message!(
                    "`{}` and `{}` cannot be in one comparison: use parentheses, or `and`",
                    previous.text(),
                    tok.text()
                );
                let kind = CodeErrorKind::Chained { before: previous, after: tok };
                return Err(self.unwanted_kind(words, kind));
            }
            let at = self.advance()?;
            if matches!(op, Operator::And | Operator::Or) {
                self.continue_line()?;
            }
            let right = self.nested(|it| it.binary(precedence + 1))?;
            left = self.push(Expr::Binary { op, left, right, at });
            previous = (precedence == COMPARISON).then_some(tok);
        }
    }

    /// Skips the line break after an operator if the next line begins with an operand. In ytt, such
    /// a line break is an error.
    fn continue_line(&mut self) -> Result<()> {
        if self.tok() != Tok::Newline {
            return Ok(());
        }
        let incomplete = self.no_operand();
        match self.advance() {
            Ok(_) if begins_operand(self.tok()) => Ok(()),
            Ok(_) | Err(_) => Err(incomplete),
        }
    }

    fn no_operand(&self) -> Error {
        self.unexpected(self.tok(), Wanted::Operand)
    }

    pub(super) fn primary_with_suffix(&mut self) -> Result<ExprId> {
        let mut object = self.primary()?;
        loop {
            object = match self.tok() {
                Tok::Dot => {
                    let at = self.advance()?;
                    let (name, _) = self.name()?;
                    self.push(Expr::Dot { object, name, at })
                }
                Tok::LBrack => self.index_or_slice(object)?,
                Tok::LParen => {
                    let (args, at) = self.call_suffix()?;
                    self.push(Expr::Call { function: object, args, at })
                }
                _ => return Ok(object),
            };
        }
    }

    fn index_or_slice(&mut self, object: ExprId) -> Result<ExprId> {
        let at = self.advance()?;
        let mut bounds = [None; 3];
        if self.tok() != Tok::Colon {
            let key = self.expression(false)?;
            if self.tok() == Tok::RBrack {
                self.advance()?;
                return Ok(self.push(Expr::Index { object, key, at }));
            }
            bounds[0] = Some(key);
        }
        if self.tok() == Tok::Colon {
            self.advance()?;
            if !matches!(self.tok(), Tok::Colon | Tok::RBrack) {
                bounds[1] = Some(self.test()?);
            }
        }
        if self.tok() == Tok::Colon {
            self.advance()?;
            if self.tok() != Tok::RBrack {
                bounds[2] = Some(self.test()?);
            }
        }
        self.consume(Tok::RBrack)?;
        Ok(self.push(Expr::Slice { object, bounds: Box::new(bounds), at }))
    }

    /// Arguments in parentheses, and where they open.
    fn call_suffix(&mut self) -> Result<(Box<[Arg]>, u32)> {
        let at = self.consume(Tok::LParen)?;
        let args = if self.tok() == Tok::RParen { Box::default() } else { self.args()? };
        self.consume(Tok::RParen)?;
        Ok((args, at))
    }

    fn args(&mut self) -> Result<Box<[Arg]>> {
        let first = self.open_args.len();
        let result = self.args_from(first);
        let args = self.open_args[first..].into();
        self.open_args.truncate(first);
        result.map(|()| args)
    }

    /// Reads arguments, and adds them to the open ones, of which the first is at `first`.
    fn args_from(&mut self, first: usize) -> Result<()> {
        let mut stars = false;
        // Only a recovering parser gets here with a line break, after an unclosed bracket.
        while !matches!(self.tok(), Tok::RParen | Tok::Eof | Tok::Newline) {
            if self.open_args.len() > first {
                self.consume(Tok::Comma)?;
            }
            if matches!(self.tok(), Tok::RParen | Tok::Newline) {
                if stars {
                    return Err(self.unexpected(Tok::RParen, Wanted::Argument));
                }
                break;
            }
            if matches!(self.tok(), Tok::Star | Tok::StarStar) {
                stars = true;
                let double = self.tok() == Tok::StarStar;
                let at = self.advance()?;
                let value = self.test()?;
                let arg = if double { Arg::Kwargs { value, at } } else { Arg::Args { value, at } };
                self.open_args.push(arg);
                continue;
            }
            let value = self.test()?;
            let arg = if self.tok() == Tok::Eq {
                let Expr::Ident(ident) = *self.ast.expr(value) else {
                    return self.fail(ProgramError::ArgumentName);
                };
                self.advance()?;
                Arg::Named { name: ident.name, value: self.test()?, at: ident.at }
            } else {
                Arg::Positional(value)
            };
            self.open_args.push(arg);
        }
        Ok(())
    }

    fn primary(&mut self) -> Result<ExprId> {
        match self.tok() {
            Tok::Ident => {
                let ident = self.ident()?;
                Ok(self.push(Expr::Ident(ident)))
            }
            Tok::Int | Tok::Float | Tok::String | Tok::Bytes => {
                let value = self.literal().expect("these words have a value");
                let at = self.advance()?;
                Ok(self.push(Expr::Literal { value, at }))
            }
            Tok::FString => self.nested(Self::f_string),
            Tok::LBrack => self.list(),
            Tok::LBrace => self.dict(),
            Tok::LParen => self.parenthesized(),
            Tok::Minus => self.unary(UnaryOp::Minus),
            Tok::Plus => self.unary(UnaryOp::Plus),
            Tok::Tilde => self.unary(UnaryOp::Invert),
            Tok::Host => self.host(),
            _ => {
                let error = self.no_operand();
                self.or_make_up(error, ())?;
                Ok(self.made_up_operand())
            }
        }
    }

    /// An f-string is the format `"…%s…" % (…)`.
    fn f_string(&mut self) -> Result<ExprId> {
        let depth = self.blocks.lexer.depth;
        let result = self.f_string_parts();
        if result.is_err() {
            self.blocks.lexer.depth = depth;
        }
        result
    }

    fn f_string_parts(&mut self) -> Result<ExprId> {
        let at = self.token.start;
        let quotes = self.blocks.lexer.quotes_of(at);
        let mut format = Vec::new();
        let mut items = Vec::new();
        let first = self.literal().expect("this word has a value");
        push_format(&mut format, first.as_text().map_or(&[], |it| it.as_bytes()));
        loop {
            // As in brackets, the expression may continue on the next line.
            self.blocks.lexer.depth += 1;
            self.advance()?;
            items.push(self.f_string_value()?);
            format.extend_from_slice(b"%s");
            let (text, ended) = self.blocks.lexer.rest_of_f_string(quotes, at)?;
            push_format(&mut format, &text);
            if ended == Ended::Quotes {
                break;
            }
        }
        self.advance()?;
        let value = Value::String(Text::from_bytes(&format));
        let left = self.push(Expr::Literal { value, at });
        let right = self.push(Expr::Tuple { items: items.into(), at });
        Ok(self.push(Expr::Binary { op: Operator::Binary(BinaryOp::Modulo), left, right, at }))
    }

    /// The expression between braces. The closing brace is then the current word.
    fn f_string_value(&mut self) -> Result<ExprId> {
        if self.tok() == Tok::RBrace {
            return self.fail("expected an expression between '{' and '}' of an f-string");
        }
        let value = match self.test() {
            Err(_) if self.blocks.lexer.is_at_conversion() => {
                let message = "an f-string has no conversion after '!': write repr(x)";
                return self.blocks.lexer.error_here(message);
            }
            value => value?,
        };
        match self.tok() {
            Tok::RBrace => Ok(value),
            Tok::Colon => self
                .fail("an f-string has no format after ':': use % or format(), as in \"%d\" % x"),
            Tok::Eq => {
                self.fail("an f-string has no '=' after an expression: write its name before '{'")
            }
            other => Err(self.unexpected(other, Wanted::EndInFString)),
        }
    }

    fn unary(&mut self, op: UnaryOp) -> Result<ExprId> {
        let at = self.advance()?;
        let operand = self.nested(Self::primary_with_suffix)?;
        Ok(self.push(Expr::Unary { op, operand, at }))
    }

    fn parenthesized(&mut self) -> Result<ExprId> {
        let at = self.advance()?;
        if self.tok() == Tok::RParen {
            self.advance()?;
            return Ok(self.push(Expr::Tuple { items: Box::default(), at }));
        }
        let inner = self.expression(true)?;
        self.consume(Tok::RParen)?;
        Ok(self.push(Expr::Paren { inner, at }))
    }

    /// An instruction of the host is parsed as a call.
    fn host(&mut self) -> Result<ExprId> {
        let placed = self.script.instructions[self.instructions];
        let Placed { op, effect, .. } = placed;
        if placed.effect == Effect::BuildsAlone && self.blocks.lexer.depth > 0 {
            // It is still the current word. No continuation of an expression begins with it.
            let (args, at) = (Box::default(), self.token.start);
            return Ok(self.push(Expr::Host { op, effect, args, at }));
        }
        self.instructions += 1;
        self.advance()?;
        let (args, at) = self.call_suffix()?;
        if placed.takes == Takes::Arguments && self.token.start < placed.operands_end {
            self.after_arguments()?;
        }
        if placed.takes == Takes::Value && !matches!(args[..], [Arg::Positional(_)]) {
            let error = self.error(at, "expected exactly one value");
            self.or_make_up(error, ())?;
        }
        Ok(self.push(Expr::Host { op, effect, args, at }))
    }

    /// Reads an instruction without operands, if it is the current word and a whole statement. Its
    /// brackets and the line break after them are not written by anyone, so nothing else can follow.
    pub(super) fn bare_instruction(&mut self) -> Result<Option<ExprId>> {
        if self.tok() != Tok::Host || self.recovers() {
            return Ok(None);
        }
        let Placed { op, effect, takes, .. } = self.script.instructions[self.instructions];
        if takes != Takes::Nothing || !self.blocks.skip_brackets() {
            return Ok(None);
        }
        self.instructions += 1;
        let at = self.token.end;
        self.advance()?;
        Ok(Some(self.push(Expr::Host { op, effect, args: Box::default(), at })))
    }

    /// Rejects text after a bracket that closes the arguments of an instruction too early. In ytt,
    /// they are arguments of a call inside another call, so the outer call continues.
    fn after_arguments(&mut self) -> Result<()> {
        match self.tok() {
            Tok::Comma => {
                self.advance()?;
                self.args()?;
                let error = self.error(self.token.start, "unexpected ')'");
                self.or_make_up(error, ())
            }
            Tok::Ident
            | Tok::Int
            | Tok::Float
            | Tok::String
            | Tok::Bytes
            | Tok::FString
            | Tok::Colon
            | Tok::Lambda => self.consume(Tok::Comma).map(drop),
            _ => Ok(()),
        }
    }

    fn list(&mut self) -> Result<ExprId> {
        let at = self.advance()?;
        if self.tok() == Tok::RBrack {
            self.advance()?;
            return Ok(self.push(Expr::List { items: Box::default(), at }));
        }
        let first = self.test()?;
        if self.tok() == Tok::For {
            return self.comprehension(ComprehensionBody::List(first), Tok::RBrack, at);
        }
        let items = self.rest_of_list(first, true)?.into();
        self.consume(Tok::RBrack)?;
        Ok(self.push(Expr::List { items, at }))
    }

    fn dict(&mut self) -> Result<ExprId> {
        let at = self.advance()?;
        let mut entries = Vec::new();
        while !matches!(self.tok(), Tok::RBrace | Tok::Newline) {
            let entry = self.entry()?;
            if entries.is_empty() && self.tok() == Tok::For {
                return self.comprehension(ComprehensionBody::Dict(entry), Tok::RBrace, at);
            }
            entries.push(entry);
            if self.tok() != Tok::Comma {
                break;
            }
            self.advance()?;
        }
        self.consume(Tok::RBrace)?;
        Ok(self.push(Expr::Dict { entries: entries.into(), at }))
    }

    fn entry(&mut self) -> Result<Entry> {
        let key = self.test()?;
        let colon = self.consume(Tok::Colon)?;
        let value = self.test()?;
        Ok(Entry { key, value, colon })
    }

    fn comprehension(&mut self, body: ComprehensionBody, end: Tok, at: u32) -> Result<ExprId> {
        let mut clauses = Vec::new();
        while self.tok() != end {
            clauses.push(match self.tok() {
                Tok::For => {
                    let at = self.advance()?;
                    let target = self.loop_variables()?;
                    self.consume(Tok::In)?;
                    let iterable = self.nested(|it| it.binary(0))?;
                    Clause::For { target, iterable, at }
                }
                Tok::If => {
                    self.advance()?;
                    Clause::If(self.nested(Self::test_without_condition)?)
                }
                other => return Err(self.unexpected(other, Wanted::Clause { end })),
            });
        }
        self.advance()?;
        let comprehension = Comprehension { body, clauses, at };
        Ok(self.push(Expr::Comprehension(Box::new(comprehension))))
    }

    /// The variables of a `for`, which end at `in`.
    pub(super) fn loop_variables(&mut self) -> Result<ExprId> {
        let first = self.nested(Self::primary_with_suffix)?;
        if self.tok() != Tok::Comma {
            return Ok(first);
        }
        let at = self.ast.start(first);
        let mut items = vec![first];
        while self.tok() == Tok::Comma {
            self.advance()?;
            if ends_list(self.tok()) {
                break;
            }
            items.push(self.nested(Self::primary_with_suffix)?);
        }
        Ok(self.push(Expr::Tuple { items: items.into(), at }))
    }
}

fn ends_list(tok: Tok) -> bool {
    use Tok::{Eof, Eq, Newline, RBrace, RBrack, RParen, Semi};
    matches!(tok, Eof | Newline | Eq | RBrace | RBrack | RParen | Semi)
}

/// Returns whether an operand of a binary operator can begin with this word. An instruction of the
/// host after a line break is a statement.
fn begins_operand(tok: Tok) -> bool {
    use Tok::{
        Bytes, FString, Float, Ident, Int, LBrace, LBrack, LParen, Minus, Not, Plus, String, Tilde,
    };
    let is_literal = matches!(tok, Int | Float | String | Bytes | FString);
    is_literal || matches!(tok, Ident | LBrack | LBrace | LParen | Minus | Plus | Tilde | Not)
}

/// Adds text to a format.
fn push_format(format: &mut Vec<u8>, text: &[u8]) {
    for part in text.split_inclusive(|&byte| byte == b'%') {
        format.extend_from_slice(part);
        if part.ends_with(b"%") {
            format.push(b'%');
        }
    }
}

/// Returns the precedence of an operator and its meaning.
fn operator(tok: Tok) -> Option<(u8, Operator)> {
    let binary = |precedence, op| Some((precedence, Operator::Binary(op)));
    let compare = |op| Some((COMPARISON, Operator::Compare(op)));
    match tok {
        Tok::Or => Some((0, Operator::Or)),
        Tok::And => Some((1, Operator::And)),
        Tok::EqEq => compare(CompareOp::Equal),
        Tok::NotEq => compare(CompareOp::NotEqual),
        Tok::Lt => compare(CompareOp::Less),
        Tok::Gt => compare(CompareOp::Greater),
        Tok::Le => compare(CompareOp::LessOrEqual),
        Tok::Ge => compare(CompareOp::GreaterOrEqual),
        Tok::In => binary(COMPARISON, BinaryOp::In),
        Tok::NotIn => Some((COMPARISON, Operator::NotIn)),
        Tok::Pipe => binary(4, BinaryOp::Or),
        Tok::Circumflex => binary(5, BinaryOp::Xor),
        Tok::Amp => binary(6, BinaryOp::And),
        Tok::LtLt => binary(7, BinaryOp::ShiftLeft),
        Tok::GtGt => binary(7, BinaryOp::ShiftRight),
        Tok::Minus => binary(8, BinaryOp::Subtract),
        Tok::Plus => binary(8, BinaryOp::Add),
        Tok::Star => binary(9, BinaryOp::Multiply),
        Tok::Percent => binary(9, BinaryOp::Modulo),
        Tok::Slash => binary(9, BinaryOp::Divide),
        Tok::SlashSlash => binary(9, BinaryOp::FloorDivide),
        _ => None,
    }
}
