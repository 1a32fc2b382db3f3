//! Parses tokens into an expression: the grammar of CEL, by recursive descent.

use std::ops::Range;

use crate::CompileError;
use crate::ast::{Call, Element, Entry, Expr, Kind, Literal, Logic, MAX_DEPTH, Operator};
use crate::macros;
use crate::token::{Token, tokens};

type Parsed<T = Expr> = Result<T, CompileError>;

/// Words that cannot be names.
pub(crate) const RESERVED: [&str; 18] = [
    "as",
    "break",
    "const",
    "continue",
    "else",
    "for",
    "function",
    "if",
    "import",
    "in",
    "let",
    "loop",
    "namespace",
    "package",
    "return",
    "var",
    "void",
    "while",
];

pub(crate) fn parse(source: &str) -> Parsed {
    let tokens = tokens(source)?;
    let mut parser = Parser { tokens, at: 0, depth: 0 };
    if *parser.peek() == Token::End {
        return Err(CompileError::new("the expression is empty", 0..source.len())
            .help("write what must be true of `self`, such as `self.min <= self.max`"));
    }
    let expr = parser.expr()?;
    match parser.peek() {
        Token::End => Ok(expr),
        _ => Err(parser.unexpected("an operator or the end")),
    }
}

struct Parser {
    tokens: Vec<(Token, Range<usize>)>,
    at: usize,
    /// The number of open brackets and operators.
    depth: u16,
}

impl Parser {
    fn peek(&self) -> &Token {
        &self.tokens[self.at].0
    }

    fn previous(&self) -> Option<&Token> {
        Some(&self.tokens[self.at.checked_sub(1)?].0)
    }

    fn is_after_not(&self) -> bool {
        matches!(self.previous(), Some(Token::Name(name)) if name == "not")
    }

    fn here(&self) -> Range<usize> {
        self.tokens[self.at].1.clone()
    }

    /// The end of the last token that was consumed.
    fn end(&self) -> usize {
        self.tokens[self.at.saturating_sub(1)].1.end
    }

    fn advance(&mut self) -> Token {
        let token = self.tokens[self.at].0.clone();
        self.at = self.tokens.len().min(self.at + 2) - 1;
        token
    }

    fn take(&mut self, symbol: &'static str) -> bool {
        let is_here = *self.peek() == Token::Symbol(symbol);
        if is_here {
            self.advance();
        }
        is_here
    }

    fn expect(&mut self, symbol: &'static str) -> Parsed<()> {
        if self.take(symbol) { Ok(()) } else { Err(self.unexpected(&format!("`{symbol}`"))) }
    }

    fn unexpected(&self, wanted: &str) -> CompileError {
        let found = self.peek().described();
        let error = CompileError::new(format!("expected {wanted}, found {found}"), self.here());
        match self.peek() {
            Token::Symbol("=") => error.help("to compare, write `==`"),
            Token::Name(name) if name == "and" => error.help("`and` is `&&`"),
            Token::Name(name) if name == "or" => error.help("`or` is `||`"),
            Token::Name(name) if name == "not" => error.help("`not` is `!`"),
            Token::Name(name) if name == "is" => error.help("to compare, write `==`"),
            _ if self.is_after_not() => error.help("`not` is `!`"),
            _ => error,
        }
    }

    /// Creates an expression. Rejects one that would need too much stack to evaluate.
    fn made(&self, kind: Kind, start: usize) -> Parsed {
        let expr = Expr::new(kind, start..self.end());
        if expr.depth > MAX_DEPTH { Err(too_deep(expr.at)) } else { Ok(expr) }
    }

    fn expr(&mut self) -> Parsed {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(too_deep(self.here()));
        }
        let start = self.here().start;
        let condition = self.logical(Logic::Or)?;
        let expr = if self.take("?") {
            let then = self.logical(Logic::Or)?;
            self.expect(":")?;
            let otherwise = self.expr()?;
            self.made(Kind::Conditional(Box::new([condition, then, otherwise])), start)?
        } else {
            condition
        };
        self.depth -= 1;
        Ok(expr)
    }

    fn logical(&mut self, logic: Logic) -> Parsed {
        let start = self.here().start;
        let symbol = match logic {
            Logic::And => "&&",
            Logic::Or => "||",
        };
        let mut terms = Vec::new();
        loop {
            terms.push(match logic {
                Logic::Or => self.logical(Logic::And)?,
                Logic::And => self.relation()?,
            });
            if !self.take(symbol) {
                break;
            }
        }
        match terms.len() {
            1 => Ok(terms.remove(0)),
            _ => self.made(Kind::Logical(logic, terms), start),
        }
    }

    fn relation(&mut self) -> Parsed {
        let start = self.here().start;
        let mut left = self.sum()?;
        loop {
            let operator = match self.peek() {
                Token::Symbol("==") => Operator::Equal,
                Token::Symbol("!=") => Operator::NotEqual,
                Token::Symbol("<") => Operator::Less,
                Token::Symbol("<=") => Operator::LessOrEqual,
                Token::Symbol(">") => Operator::Greater,
                Token::Symbol(">=") => Operator::GreaterOrEqual,
                Token::Name(name) if name == "in" => Operator::In,
                _ => return Ok(left),
            };
            self.advance();
            let right = self.sum()?;
            left = self.made(Kind::Binary(operator, Box::new(left), Box::new(right)), start)?;
        }
    }

    fn sum(&mut self) -> Parsed {
        let start = self.here().start;
        let mut left = self.product()?;
        loop {
            let operator = match self.peek() {
                Token::Symbol("+") => Operator::Add,
                Token::Symbol("-") => Operator::Subtract,
                _ => return Ok(left),
            };
            self.advance();
            let right = self.product()?;
            left = self.made(Kind::Binary(operator, Box::new(left), Box::new(right)), start)?;
        }
    }

    fn product(&mut self) -> Parsed {
        let start = self.here().start;
        let mut left = self.unary()?;
        loop {
            let operator = match self.peek() {
                Token::Symbol("*") => Operator::Multiply,
                Token::Symbol("/") => Operator::Divide,
                Token::Symbol("%") => Operator::Remainder,
                _ => return Ok(left),
            };
            self.advance();
            let right = self.unary()?;
            left = self.made(Kind::Binary(operator, Box::new(left), Box::new(right)), start)?;
        }
    }

    /// Repeated signs are counted, not nested.
    fn unary(&mut self) -> Parsed {
        let start = self.here().start;
        let symbol = match self.peek() {
            Token::Symbol(symbol @ ("!" | "-")) => *symbol,
            _ => return self.member(),
        };
        let mut n_signs = 0_usize;
        while self.take(symbol) {
            n_signs += 1;
        }
        if symbol == "-" && n_signs == 1 && *self.peek() == Token::Int(1 << 63) {
            self.advance();
            return self.made(Kind::Literal(Literal::Int(i64::MIN)), start);
        }
        let operand = self.member()?;
        if n_signs.is_multiple_of(2) && symbol == "!" {
            let once = self.made(Kind::Not(Box::new(operand)), start)?;
            return self.made(Kind::Not(Box::new(once)), start);
        }
        match (symbol, operand.kind) {
            // The smallest integer has no positive counterpart: its negation fails when it is
            // evaluated.
            ("-", Kind::Literal(Literal::Int(value))) if value != i64::MIN => {
                let value = if n_signs.is_multiple_of(2) { value } else { -value };
                self.made(Kind::Literal(Literal::Int(value)), start)
            }
            ("-", Kind::Literal(Literal::Double(value))) => {
                let value = if n_signs.is_multiple_of(2) { value } else { -value };
                self.made(Kind::Literal(Literal::Double(value)), start)
            }
            (_, kind) => {
                let operand = Box::new(Expr { kind, ..operand });
                let kind = match symbol {
                    "!" => Kind::Not(operand),
                    _ if n_signs.is_multiple_of(2) => return Ok(*operand),
                    _ => Kind::Negate(operand),
                };
                self.made(kind, start)
            }
        }
    }

    fn member(&mut self) -> Parsed {
        let start = self.here().start;
        let mut expr = self.primary()?;
        loop {
            let kind = match self.peek() {
                Token::Symbol(symbol @ ("." | ".?")) => {
                    let is_optional = *symbol == ".?";
                    self.advance();
                    self.after_dot(expr, is_optional, start)?
                }
                Token::Symbol(symbol @ ("[" | "[?")) => {
                    let is_optional = *symbol == "[?";
                    self.advance();
                    let index = Box::new(self.expr()?);
                    self.expect("]")?;
                    Kind::Index { operand: Box::new(expr), index, is_optional }
                }
                _ => return Ok(expr),
            };
            expr = self.made(kind, start)?;
        }
    }

    /// A field, or a function that is called on the operand before the dot.
    fn after_dot(&mut self, operand: Expr, is_optional: bool, start: usize) -> Parsed<Kind> {
        let name_at = self.here();
        let (name, is_quoted) = match self.peek() {
            Token::Name(name) => (name.clone(), false),
            Token::Quoted(name) => (name.clone(), true),
            _ => return Err(self.unexpected("the name of a field")),
        };
        self.advance();
        let is_call = !is_optional && !is_quoted && self.take("(");
        if is_call {
            let args = self.arguments(")")?;
            let target = Some(Box::new(operand));
            return self
                .call(Call { name, name_at, target, args, function: None, pattern: None }, start);
        }
        if !is_quoted && matches!(name.as_str(), "in" | "true" | "false" | "null") {
            let message =
                format!("`{name}` is a reserved word of CEL and cannot be the name of a field");
            let help = format!("write `__{name}__`, as Kubernetes does, or [\"{name}\"]");
            return Err(CompileError::new(message, name_at).help(help));
        }
        Ok(Kind::Select { operand: Box::new(operand), field: name, is_optional })
    }

    fn arguments(&mut self, closing: &'static str) -> Parsed<Vec<Expr>> {
        let mut args = Vec::new();
        while !self.take(closing) {
            args.push(self.expr()?);
            if !self.take(",") {
                self.expect(closing)?;
                break;
            }
        }
        Ok(args)
    }

    /// Expands a call that began at an offset and has just been read.
    fn call(&self, call: Call, start: usize) -> Parsed<Kind> {
        macros::expand(call, start..self.end())
    }

    fn primary(&mut self) -> Parsed {
        let start = self.here().start;
        let literal = match self.peek() {
            Token::Symbol(".") => {
                let is_behind_question = self.previous() == Some(&Token::Symbol("?"));
                let help = if is_behind_question {
                    "for a field that may be missing, write `self.?field`"
                } else {
                    "write the name without the dot"
                };
                return Err(self.unexpected("a value").help(help));
            }
            Token::Symbol("(") => {
                self.advance();
                let inner = self.expr()?;
                self.expect(")")?;
                return Ok(Expr { at: start..self.end(), ..inner });
            }
            Token::Symbol("[") => return self.list(start),
            Token::Symbol("[?") => {
                // Two symbols without a space between them.
                self.advance();
                return self.list_from(start, true);
            }
            Token::Symbol("{") => return self.map(start),
            Token::Name(name) => match name.as_str() {
                "true" => Literal::Bool(true),
                "false" => Literal::Bool(false),
                "null" => Literal::Null,
                _ => return self.name(start),
            },
            Token::Int(value) => Literal::Int(
                i64::try_from(*value)
                    .map_err(|_| CompileError::new("the number is too large", self.here()))?,
            ),
            Token::UInt(value) => Literal::UInt(*value),
            Token::Double(value) => Literal::Double(*value),
            Token::String(text) => Literal::String(text.clone()),
            Token::Bytes(bytes) => Literal::Bytes(bytes.clone()),
            Token::Quoted(_) | Token::Symbol(_) | Token::End => {
                return Err(self.unexpected("a value"));
            }
        };
        self.advance();
        self.made(Kind::Literal(literal), start)
    }

    fn name(&mut self, start: usize) -> Parsed {
        let name_at = self.here();
        let Token::Name(name) = self.advance() else {
            return Err(self.unexpected("a name"));
        };
        if RESERVED.contains(&name.as_str()) {
            let error = CompileError::new(
                format!("`{name}` is a reserved word and cannot be a name"),
                name_at,
            );
            return Err(match name.as_str() {
                "if" | "else" => error.help("write a choice as `condition ? one : other`"),
                "for" | "while" => error.help("to check each item, write `list.all(item, …)`"),
                _ => error,
            });
        }
        if *self.peek() == Token::Symbol("{") {
            let message = "objects of a named type cannot be created here";
            return Err(CompileError::new(message, name_at).help("a map is `{\"key\": value}`"));
        }
        let kind = if self.take("(") {
            let args = self.arguments(")")?;
            let call = Call { name, name_at, target: None, args, function: None, pattern: None };
            self.call(call, start)?
        } else {
            Kind::Name(name)
        };
        self.made(kind, start)
    }

    fn list(&mut self, start: usize) -> Parsed {
        self.advance();
        self.list_from(start, false)
    }

    fn list_from(&mut self, start: usize, is_first_optional: bool) -> Parsed {
        let mut elements = Vec::new();
        let mut is_optional = is_first_optional;
        while is_optional || !self.take("]") {
            is_optional = is_optional || self.take("?");
            elements.push(Element { value: self.expr()?, is_optional });
            is_optional = false;
            if !self.take(",") {
                self.expect("]")?;
                break;
            }
        }
        self.made(Kind::List(elements), start)
    }

    fn map(&mut self, start: usize) -> Parsed {
        self.advance();
        let mut entries = Vec::new();
        while !self.take("}") {
            let is_optional = self.take("?");
            let key = self.expr()?;
            self.expect(":")?;
            entries.push(Entry { key, value: self.expr()?, is_optional });
            if !self.take(",") {
                self.expect("}")?;
                break;
            }
        }
        self.made(Kind::Map(entries), start)
    }
}

fn too_deep(at: Range<usize>) -> CompileError {
    CompileError::new(format!("the expression nests more than {MAX_DEPTH} levels deep"), at)
        .help("split it into several rules")
}
