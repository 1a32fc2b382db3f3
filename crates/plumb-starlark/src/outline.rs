//! The information that an editor needs about a program: its words, names and functions, even if it
//! has errors.
//!
//! The result is flat data with places in the source. It describes what each name refers to in this
//! program. The contents of modules are not known here.

use hashbrown::HashMap;
use plumb_source::{Span, Text};

use crate::piece::{Piece, Script};
use crate::resolve::{self, BindingId, Kind, Resolved};
use crate::syntax::ast::{self, Ast, Body, Expr, FunctionId, Ident, Param, Stmt};
use crate::syntax::{self, Tok, Token};
use crate::{Environment, Error};

/// The outline of a program.
#[derive(Debug, Default)]
pub struct Outline {
    /// All syntax errors, at most one per line.
    pub errors: Vec<Error>,
    /// The words of the program, in its order. Words that do not come byte for byte from a source
    /// are left out.
    pub words: Vec<Word>,
    /// Each block, from the end of its first line to the end of the word that closes it.
    pub blocks: Vec<Span>,
    /// Every occurrence of a variable, in the order of the text.
    pub names: Vec<Name>,
    pub variables: Vec<Variable>,
    /// Named functions, in the order of the text.
    pub functions: Vec<FunctionOutline>,
    pub loads: Vec<Load>,
}

/// A word of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Word {
    pub kind: WordKind,
    pub span: Span,
}

/// The kind of a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WordKind {
    Name,
    Keyword,
    Number,
    String,
    /// An opening bracket, round, square or curly.
    Open,
    /// A closing bracket.
    Close,
    Dot,
    Comma,
    Equals,
    Colon,
    /// Any other operator.
    Operator,
}

/// An occurrence of a variable.
#[derive(Clone, Copy, Debug)]
pub struct Name {
    pub span: Span,
    /// The index of the variable.
    pub variable: usize,
    /// Whether the name is assigned here, also by `def`, `for`, `load` or as a parameter.
    pub is_definition: bool,
}

/// A variable, or a name of the language.
#[derive(Clone, Debug)]
pub struct Variable {
    pub name: Text,
    pub kind: VariableKind,
    /// The index of the function that it is local to. `None` for variables of the module, and of
    /// functions without a name.
    pub function: Option<usize>,
}

/// The kind of a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VariableKind {
    /// A function, by its index.
    Function(usize),
    /// Loaded from a module: the index of the load, and of the name in it.
    Loaded(usize, usize),
    Parameter,
    /// Assigned to.
    Plain,
    /// A name of the language, such as `len`.
    BuiltIn,
    /// Not defined anywhere.
    Undefined,
}

/// A function with a name.
#[derive(Clone, Debug)]
pub struct FunctionOutline {
    pub name: Text,
    /// The place of the name, if it comes from the source.
    pub span: Option<Span>,
    /// From `def` to the word that closes its body, if both come from the source.
    pub extent: Option<Span>,
    pub parameters: Vec<ParameterOutline>,
    /// The index of the enclosing function.
    pub parent: Option<usize>,
}

/// A parameter of a function.
#[derive(Clone, Debug)]
pub struct ParameterOutline {
    pub name: Text,
    pub kind: ParameterKind,
}

/// How arguments are passed to a parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ParameterKind {
    Required,
    Optional,
    /// `*args`, or `*` alone, which has no name.
    Star,
    /// `**kwargs`.
    StarStar,
}

/// A `load` statement.
#[derive(Clone, Debug)]
pub struct Load {
    pub module: Text,
    /// The place of the statement's first word.
    pub span: Option<Span>,
    pub names: Vec<LoadedOutline>,
}

/// A name of a `load` statement.
#[derive(Clone, Debug)]
pub struct LoadedOutline {
    /// The name in the module.
    pub name: Text,
    /// The place of the name in the module, inside its quotes.
    pub span: Option<Span>,
}

/// Describes a program. If it has errors, the correct parts are described.
pub fn outline(pieces: &[Piece<'_>], environment: &Environment) -> Outline {
    let Some(script) = Script::new(pieces.iter().copied(), environment.language()) else {
        return Outline::default();
    };
    let (ast, recovery) = syntax::parse_past_errors(&script);
    let (resolved, notes) = resolve::resolve_past_errors(&ast, &script, environment);
    let mut builder = Builder {
        ast: &ast,
        script: &script,
        resolved: &resolved,
        outer: notes.captures.into_iter().map(|(inner, outer)| (inner.0, outer)).collect(),
        ends: recovery.blocks.iter().copied().collect(),
        variables: HashMap::new(),
        functions: HashMap::new(),
        outline: Outline { errors: recovery.errors, ..Outline::default() },
    };
    builder.outline.words = recovery.words.iter().filter_map(|it| word(&script, it)).collect();
    builder.outline.blocks = builder.blocks(&recovery.blocks);
    builder.statements(&ast.body, None);
    builder.lambdas();
    let mut is_definition = vec![false; ast.idents as usize];
    for number in notes.definitions {
        is_definition[number as usize] = true;
    }
    builder.names(&is_definition);
    builder.outline
}

struct Builder<'a> {
    ast: &'a Ast,
    script: &'a Script,
    resolved: &'a Resolved,
    /// For each binding of a captured variable: the binding in the enclosing function.
    outer: HashMap<u32, BindingId>,
    /// Where each block ends, by the line break that it begins with.
    ends: std::collections::BTreeMap<u32, u32>,
    /// The variable of each binding.
    variables: HashMap<u32, usize>,
    /// The named function of each function.
    functions: HashMap<u32, usize>,
    outline: Outline,
}

impl Builder<'_> {
    fn blocks(&self, found: &[(u32, u32)]) -> Vec<Span> {
        let mut blocks: Vec<Span> =
            found.iter().filter_map(|&(start, end)| self.extent(start, end)).collect();
        blocks.sort();
        blocks
    }

    /// The source between two places of the text, if both come from the same one.
    fn extent(&self, start: u32, end: u32) -> Option<Span> {
        let (first, last) = (self.script.span(start)?, self.script.span(end.max(1) - 1)?);
        let is_whole = first.file == last.file && first.start <= last.start;
        is_whole.then(|| Span::new(first.file, first.start, last.end.max(last.start + 1)))
    }

    fn statements(&mut self, statements: &[Stmt], parent: Option<usize>) {
        for statement in statements {
            match statement {
                Stmt::Def { ident, function } => self.function(*ident, *function, parent),
                Stmt::If(it) => {
                    for (_, body) in &it.branches {
                        self.statements(body, parent);
                    }
                    self.statements(&it.otherwise, parent);
                }
                Stmt::For { body, .. } => self.statements(body, parent),
                Stmt::While { body, .. } => self.statements(body, parent),
                Stmt::Load(it) => {
                    let ast::Load { module, names, at } = &**it;
                    let load = self.outline.loads.len();
                    let span = self.script.range(*at, *at + 4);
                    let mut loaded = Vec::with_capacity(names.len());
                    for (index, name) in names.iter().enumerate() {
                        let end = name.from_at + length(&name.from);
                        let span = self.script.range(name.from_at, end);
                        loaded.push(LoadedOutline { name: name.from.clone(), span });
                        self.set_kind(name.to, VariableKind::Loaded(load, index), None);
                    }
                    self.outline.loads.push(Load { module: module.clone(), span, names: loaded });
                }
                Stmt::Expr(_)
                | Stmt::Assign { .. }
                | Stmt::Augment { .. }
                | Stmt::Break(_)
                | Stmt::Continue(_)
                | Stmt::Return { .. } => {}
            }
        }
    }

    fn function(&mut self, ident: Ident, id: FunctionId, parent: Option<usize>) {
        let function = self.ast.function(id);
        let index = self.outline.functions.len();
        self.functions.insert(id.0, index);
        let name = self.ast.name(ident.name).clone();
        let place = self.script.range(ident.at, ident.at + length(&name));
        let body_end = self.ends.range(function.end.saturating_sub(1)..).next();
        let extent = body_end.and_then(|(_, &end)| self.extent(function.at, end));
        self.set_kind(ident, VariableKind::Function(index), parent);
        self.outline.functions.push(FunctionOutline {
            name,
            span: place,
            extent,
            parameters: function.params.iter().map(|it| self.parameter(*it)).collect(),
            parent,
        });
        for param in &function.params {
            if let Some(ident) = ident_of(*param) {
                self.set_kind(ident, VariableKind::Parameter, Some(index));
            }
        }
        if let Body::Statements(body) = &function.body {
            self.statements(body, Some(index));
        }
    }

    fn parameter(&self, param: Param) -> ParameterOutline {
        let kind = match param {
            Param::Required(_) => ParameterKind::Required,
            Param::Optional { .. } => ParameterKind::Optional,
            Param::Star { .. } => ParameterKind::Star,
            Param::StarStar { .. } => ParameterKind::StarStar,
        };
        let name = ident_of(param).map(|it| self.ast.name(it.name).clone()).unwrap_or_default();
        ParameterOutline { name, kind }
    }

    /// The parameters of functions without a name.
    fn lambdas(&mut self) {
        for (id, function) in self.ast.functions.iter().enumerate() {
            let id = u32::try_from(id).expect("fewer than bytes of text");
            if self.functions.contains_key(&id) {
                continue;
            }
            for param in &function.params {
                if let Some(ident) = ident_of(*param) {
                    self.set_kind(ident, VariableKind::Parameter, None);
                }
            }
        }
    }

    /// The variable that an occurrence refers to. Returns `None` if it could not be resolved.
    fn variable(&mut self, ident: Ident) -> Option<usize> {
        let mut id = self.resolved.binding_of(ident)?;
        while let Some(&outer) = self.outer.get(&id.0) {
            id = outer;
        }
        if let Some(&known) = self.variables.get(&id.0) {
            return Some(known);
        }
        let binding = self.resolved.binding(id);
        let kind = match binding.kind {
            Kind::Constant(_) => VariableKind::BuiltIn,
            Kind::Undefined => VariableKind::Undefined,
            Kind::Local(_)
            | Kind::Shared(_)
            | Kind::Free(_)
            | Kind::Global(_)
            | Kind::SharedGlobal(_) => VariableKind::Plain,
        };
        let index = self.outline.variables.len();
        let name = self.ast.name(binding.name).clone();
        self.outline.variables.push(Variable { name, kind, function: None });
        self.variables.insert(id.0, index);
        Some(index)
    }

    fn set_kind(&mut self, ident: Ident, kind: VariableKind, function: Option<usize>) {
        if let Some(index) = self.variable(ident) {
            let variable = &mut self.outline.variables[index];
            variable.kind = kind;
            variable.function = function;
        }
    }

    /// All occurrences of variables, and the functions that plain ones are local to.
    fn names(&mut self, is_definition: &[bool]) {
        let ast = self.ast;
        let mut idents: Vec<Ident> = Vec::new();
        idents.extend(ast.exprs.iter().filter_map(|it| match it {
            Expr::Ident(ident) => Some(*ident),
            _ => None,
        }));
        idents.extend(ast.functions.iter().flat_map(|it| &it.params).copied().filter_map(ident_of));
        add_statement_idents(&ast.body, ast, &mut idents);
        idents.sort_by_key(|it| it.at);
        idents.dedup_by_key(|it| it.number);
        for ident in idents {
            let name = ast.name(ident.name);
            let place = self.script.range(ident.at, ident.at + length(name));
            let (Some(span), Some(variable)) = (place, self.variable(ident)) else { continue };
            if span.start == span.end {
                continue;
            }
            let is_definition = is_definition[ident.number as usize];
            self.outline.names.push(Name { span, variable, is_definition });
        }
        for (function, scope) in self.resolved.functions.iter().enumerate() {
            let function = u32::try_from(function).expect("fewer than bytes of text");
            let Some(&index) = self.functions.get(&function) else { continue };
            for local in &scope.locals {
                if let Some(&variable) = self.variables.get(&local.0) {
                    self.outline.variables[variable].function = Some(index);
                }
            }
        }
    }
}

/// Adds the names that `def` and `load` assign to.
fn add_statement_idents(statements: &[Stmt], ast: &Ast, to: &mut Vec<Ident>) {
    for statement in statements {
        match statement {
            Stmt::Def { ident, function } => {
                to.push(*ident);
                if let Body::Statements(body) = &ast.function(*function).body {
                    add_statement_idents(body, ast, to);
                }
            }
            Stmt::If(it) => {
                for (_, body) in &it.branches {
                    add_statement_idents(body, ast, to);
                }
                add_statement_idents(&it.otherwise, ast, to);
            }
            Stmt::For { body, .. } => add_statement_idents(body, ast, to),
            Stmt::While { body, .. } => add_statement_idents(body, ast, to),
            Stmt::Load(it) => to.extend(it.names.iter().map(|it| it.to)),
            Stmt::Expr(_)
            | Stmt::Assign { .. }
            | Stmt::Augment { .. }
            | Stmt::Break(_)
            | Stmt::Continue(_)
            | Stmt::Return { .. } => {}
        }
    }
}

fn ident_of(param: Param) -> Option<Ident> {
    match param {
        Param::Required(ident) | Param::Optional { ident, .. } | Param::StarStar { ident, .. } => {
            Some(ident)
        }
        Param::Star { ident, .. } => ident,
    }
}

fn word(script: &Script, token: &Token) -> Option<Word> {
    let kind = match token.tok {
        Tok::Ident => WordKind::Name,
        Tok::Int | Tok::Float => WordKind::Number,
        Tok::String | Tok::Bytes | Tok::FString => WordKind::String,
        Tok::LParen | Tok::LBrack | Tok::LBrace => WordKind::Open,
        Tok::RParen | Tok::RBrack | Tok::RBrace => WordKind::Close,
        Tok::Dot => WordKind::Dot,
        Tok::Comma => WordKind::Comma,
        Tok::Eq => WordKind::Equals,
        Tok::Colon => WordKind::Colon,
        Tok::Eof | Tok::Newline | Tok::Indent | Tok::Outdent | Tok::Host => return None,
        other if other.is_keyword() => WordKind::Keyword,
        _ => WordKind::Operator,
    };
    let span = script.range(token.start, token.end)?;
    let is_end =
        kind == WordKind::Name && &script.text[token.start as usize..token.end as usize] == b"end";
    Some(Word { kind: if is_end { WordKind::Keyword } else { kind }, span })
}

fn length(name: &Text) -> u32 {
    u32::try_from(name.len()).expect("a name is part of the text")
}

#[cfg(test)]
mod tests;
