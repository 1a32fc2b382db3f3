//! Walks the tree and visits its names in the order of the text.

use hashbrown::HashSet;

use plumb_source::message::plain;

use super::scope::Resolver;
use crate::program_error::{ArgumentOrder, ParameterKind, ProgramError, Target};
use crate::syntax::ast::{
    Arg, Body, Clause, Comprehension, ComprehensionBody, Expr, ExprId, FunctionId, Ident,
    LoadedName, Param, Stmt, Symbol,
};

/// The maximum number of arguments of each kind in one call.
const MAX_ARGUMENTS: usize = 255;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Assignment {
    Plain,
    Augmented,
}

impl<'a> Resolver<'a> {
    pub(super) fn statements(&mut self, statements: &'a [Stmt]) {
        for statement in statements {
            self.statement(statement);
        }
    }

    fn statement(&mut self, statement: &'a Stmt) {
        match statement {
            Stmt::Expr(value) => self.expr(*value),
            Stmt::Assign { target, value, .. } => {
                self.expr(*value);
                self.assign(*target, Assignment::Plain);
            }
            Stmt::Augment { target, value, .. } => {
                self.expr(*value);
                self.assign(*target, Assignment::Augmented);
            }
            Stmt::Def { ident, function } => {
                self.bind(*ident);
                self.function(*function);
            }
            Stmt::If(it) => {
                for (condition, body) in &it.branches {
                    self.expr(*condition);
                    self.statements(body);
                }
                self.statements(&it.otherwise);
            }
            Stmt::For { target, iterable, body, .. } => {
                self.expr(*iterable);
                self.repeats += 1;
                self.assign(*target, Assignment::Plain);
                self.loop_body(body);
                self.repeats -= 1;
            }
            Stmt::While { condition, body } => {
                self.repeats += 1;
                self.expr(*condition);
                self.loop_body(body);
                self.repeats -= 1;
            }
            Stmt::Break(at) if self.loops == 0 => self.error(*at, ProgramError::Break),
            Stmt::Continue(at) if self.loops == 0 => self.error(*at, ProgramError::Continue),
            Stmt::Break(_) | Stmt::Continue(_) => {}
            Stmt::Return { value, at } => {
                if !self.in_function() {
                    self.error(*at, ProgramError::Return);
                }
                if let Some(value) = value {
                    self.expr(*value);
                }
            }
            Stmt::Load(it) => self.load(&it.names, it.at),
        }
    }

    fn loop_body(&mut self, body: &'a [Stmt]) {
        self.loops += 1;
        self.statements(body);
        self.loops -= 1;
    }

    fn load(&mut self, names: &[LoadedName], at: u32) {
        if self.in_function() {
            self.error(at, ProgramError::LoadInFunction);
        }
        for LoadedName { from, from_at, to } in names {
            if from.is_empty() {
                self.error(*from_at, ProgramError::EmptyLoadedName);
                continue;
            }
            if from.as_bytes()[0] == b'_' {
                self.error(*from_at, ProgramError::PrivateName { name: from.clone() });
            }
            self.bind_local(*to);
        }
    }

    fn assign(&mut self, target: ExprId, how: Assignment) {
        match self.ast.expr(target) {
            Expr::Ident(ident) => {
                self.bind(*ident);
            }
            Expr::Index { object, key, .. } => {
                self.expr(*object);
                self.expr(*key);
            }
            Expr::Dot { object, .. } => self.expr(*object),
            sequence @ (Expr::Tuple { items, at } | Expr::List { items, at }) => {
                let is_list = matches!(sequence, Expr::List { .. });
                if items.is_empty() {
                    let found = if is_list { Target::EmptyList } else { Target::EmptyTuple };
                    self.error(*at, ProgramError::Target(found));
                }
                if how == Assignment::Augmented {
                    self.error(*at, ProgramError::AugmentedTargets { is_list });
                }
                for item in items {
                    self.assign(*item, how);
                }
            }
            Expr::Paren { inner, .. } => self.assign(*inner, how),
            Expr::Literal { .. } => self.refuse(target, Target::Literal),
            Expr::Dict { .. } => self.refuse(target, Target::Dict),
            Expr::Comprehension(_) => self.refuse(target, Target::Comprehension),
            Expr::Conditional { .. } => self.refuse(target, Target::Conditional),
            Expr::Unary { .. } => self.refuse(target, Target::Unary),
            Expr::Binary { .. } => self.refuse(target, Target::Binary),
            Expr::Slice { .. } => self.refuse(target, Target::Slice),
            Expr::Call { .. } | Expr::Host { .. } => self.refuse(target, Target::Call),
            Expr::Lambda(_) => self.refuse(target, Target::Lambda),
        }
    }

    fn refuse(&mut self, target: ExprId, found: Target) {
        self.error(self.ast.start(target), ProgramError::Target(found));
    }

    /// Descends into the leading operands in a loop, because there may be a million of them.
    fn expr(&mut self, id: ExprId) {
        let mut chain = Vec::new();
        let mut first = id;
        while let Some(leading) = self.ast.leading(first) {
            chain.push(first);
            first = leading;
        }
        self.first_operand(first);
        for id in chain.into_iter().rev() {
            self.rest_of(id);
        }
    }

    fn first_operand(&mut self, id: ExprId) {
        match self.ast.expr(id) {
            Expr::Ident(ident) => self.use_name(*ident),
            Expr::Paren { inner, .. } => self.expr(*inner),
            Expr::List { items, .. } | Expr::Tuple { items, .. } => {
                for &item in items {
                    self.expr(item);
                }
            }
            Expr::Dict { entries, .. } => {
                for entry in entries {
                    self.expr(entry.key);
                    self.expr(entry.value);
                }
            }
            Expr::Comprehension(comprehension) => self.comprehension(comprehension),
            Expr::Unary { operand, .. } => self.expr(*operand),
            Expr::Lambda(function) => self.function(*function),
            Expr::Host { args, .. } => self.args(args, id),
            Expr::Conditional { condition, then, otherwise } => {
                self.expr(*condition);
                self.expr(*then);
                self.expr(*otherwise);
            }
            Expr::Literal { .. }
            | Expr::Binary { .. }
            | Expr::Dot { .. }
            | Expr::Index { .. }
            | Expr::Slice { .. }
            | Expr::Call { .. } => {}
        }
    }

    /// Visits what follows the leading operand.
    fn rest_of(&mut self, id: ExprId) {
        match self.ast.expr(id) {
            Expr::Binary { right, .. } => self.expr(*right),
            Expr::Index { key, .. } => self.expr(*key),
            Expr::Slice { bounds, .. } => {
                for bound in bounds.iter().flatten() {
                    self.expr(*bound);
                }
            }
            Expr::Call { args, .. } => self.args(args, id),
            _ => {}
        }
    }

    fn comprehension(&mut self, comprehension: &'a Comprehension) {
        let Comprehension { body, clauses, .. } = comprehension;
        // The iterable of the first clause is outside the comprehension, as the last `x` in `[x for
        // x in x]`.
        if let Some(Clause::For { iterable, .. }) = clauses.first() {
            self.expr(*iterable);
        }
        self.push_block(None);
        self.repeats += 1;
        for (index, clause) in clauses.iter().enumerate() {
            match clause {
                Clause::For { target, iterable, .. } => {
                    self.assign(*target, Assignment::Plain);
                    if index > 0 {
                        self.expr(*iterable);
                    }
                }
                Clause::If(condition) => self.expr(*condition),
            }
        }
        match body {
            ComprehensionBody::List(value) => self.expr(*value),
            ComprehensionBody::Dict(entry) => {
                self.expr(entry.key);
                self.expr(entry.value);
            }
        }
        self.repeats -= 1;
        self.pop_block();
    }

    fn args(&mut self, args: &[Arg], call: ExprId) {
        let (mut args_seen, mut kwargs_seen) = (false, false);
        let mut names: HashSet<Symbol> = HashSet::new();
        let mut positional = 0;
        for arg in args {
            match *arg {
                Arg::Kwargs { value, at } => {
                    if kwargs_seen {
                        self.error(
                            at,
                            ProgramError::SeveralStars { stars: "**", are_arguments: true },
                        );
                    }
                    kwargs_seen = true;
                    self.expr(value);
                }
                Arg::Args { value, at } => {
                    if kwargs_seen {
                        self.error(
                            at,
                            ProgramError::ArgumentOrder(ArgumentOrder::StarAfterKeywords),
                        );
                    } else if args_seen {
                        self.error(
                            at,
                            ProgramError::SeveralStars { stars: "*", are_arguments: true },
                        );
                    }
                    args_seen = true;
                    self.expr(value);
                }
                Arg::Named { name, value, at } => {
                    if kwargs_seen {
                        self.error(at, ProgramError::ArgumentOrder(ArgumentOrder::AfterKeywords));
                    }
                    if !names.insert(name) {
                        let name = self.ast.name(name).clone();
                        self.error(at, ProgramError::ArgumentTwice { name });
                    }
                    self.expr(value);
                }
                Arg::Positional(value) => {
                    positional += 1;
                    let at = self.ast.start(value);
                    if args_seen {
                        self.error(at, ProgramError::ArgumentOrder(ArgumentOrder::AfterStar));
                    } else if kwargs_seen {
                        self.error(at, ProgramError::ArgumentOrder(ArgumentOrder::AfterKeywords));
                    } else if !names.is_empty() {
                        self.error(
                            at,
                            ProgramError::ArgumentOrder(ArgumentOrder::PositionalAfterNamed),
                        );
                    }
                    self.expr(value);
                }
            }
        }
        for (count, kind) in [(positional, "positional"), (names.len(), "keyword")] {
            if count > MAX_ARGUMENTS {
                let (at, limit) = (self.ast.start(call), MAX_ARGUMENTS);
                self.error(
                    at,
                    plain(format!("{count} {kind} arguments in call, limit is {limit}")),
                );
            }
        }
    }

    fn function(&mut self, id: FunctionId) {
        let ast: &'a crate::syntax::ast::Ast = self.ast;
        let function = ast.function(id);
        for param in &function.params {
            if let Param::Optional { default, .. } = param {
                self.expr(*default);
            }
        }
        let repeats = std::mem::take(&mut self.repeats);
        let loops = std::mem::take(&mut self.loops);
        self.push_block(Some(id));
        self.params(id, &function.params);
        match &function.body {
            Body::Statements(statements) => self.statements(statements),
            Body::Expression(value) => self.expr(*value),
        }
        self.resolve_local_uses(self.block);
        self.pop_block();
        self.repeats = repeats;
        self.loops = loops;
    }

    fn params(&mut self, id: FunctionId, params: &[Param]) {
        let mut optional_seen = false;
        let mut star: Option<(Option<Ident>, u32)> = None;
        let mut star_star: Option<Ident> = None;
        let mut keyword_only = 0;
        for param in params {
            let after = star_star.map(|ident| self.ast.name(ident.name).clone());
            match *param {
                Param::Required(ident) => {
                    if let Some(name) = after {
                        let kind = ParameterKind::Required;
                        self.error(ident.at, ProgramError::AfterKeywords { kind, name });
                    } else if star.is_some() {
                        keyword_only += 1;
                    } else if optional_seen {
                        self.error(ident.at, ProgramError::RequiredAfterOptional);
                    }
                    self.param(ident, ident.at);
                }
                Param::Optional { ident, at, .. } => {
                    if let Some(name) = after {
                        let kind = ParameterKind::Optional;
                        self.error(at, ProgramError::AfterKeywords { kind, name });
                    } else if star.is_some() {
                        keyword_only += 1;
                    }
                    self.param(ident, at);
                    optional_seen = true;
                }
                Param::Star { ident, at } => {
                    if let Some(name) = after {
                        let kind = ParameterKind::Star;
                        self.error(at, ProgramError::AfterKeywords { kind, name });
                    } else if star.is_some() {
                        self.error(
                            at,
                            ProgramError::SeveralStars { stars: "*", are_arguments: false },
                        );
                    } else {
                        star = Some((ident, at));
                    }
                }
                Param::StarStar { ident, at } => {
                    if after.is_some() {
                        self.error(
                            at,
                            ProgramError::SeveralStars { stars: "**", are_arguments: false },
                        );
                    }
                    star_star = Some(ident);
                }
            }
        }
        // Bound last, so that the other parameters are consecutive.
        match star {
            Some((Some(ident), _)) => self.param(ident, ident.at),
            Some((None, at)) if keyword_only == 0 => {
                self.error(at, ProgramError::BareStar);
            }
            Some((None, _)) | None => {}
        }
        if let Some(ident) = star_star {
            self.param(ident, ident.at);
        }
        let scope = &mut self.resolved.functions[id.0 as usize];
        scope.params = u32::try_from(scope.locals.len()).expect("fewer than names");
        scope.keyword_only = keyword_only;
        scope.varargs = matches!(star, Some((Some(_), _)));
        scope.kwargs = star_star.is_some();
    }

    fn param(&mut self, ident: Ident, at: u32) {
        if self.bind(ident) {
            let name = self.ast.name(ident.name).clone();
            self.error(at, ProgramError::ParameterTwice { name });
        }
    }
}
