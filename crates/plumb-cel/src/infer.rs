//! Finds the type of every part of an expression from the declared type of its variables, as an API
//! server does before it accepts a rule.

use std::collections::{HashMap, HashSet};
use std::ops::Range;
use std::sync::Arc;

use plumb_diagnostic::nearest;

use crate::CompileError;
use crate::ast::{Call, Comprehension, Element, Expr, Kind, Literal};
use crate::declared::{Declared, DeclaredKind};
use crate::macros::Macro;
use crate::signatures::{self, N_PARAMS, Signature};
use crate::types::{Bindings, Type};

/// The types of an expression, and the overloads of its calls.
#[derive(Debug, Default)]
pub(crate) struct Types {
    by_expr: HashMap<*const Expr, Type>,
    overloads: HashMap<*const Expr, Vec<&'static Signature>>,
    /// The variables that the expression reads.
    read: HashSet<usize>,
}

impl Types {
    pub(crate) fn of(&self, expr: &Expr) -> &Type {
        self.by_expr.get(&std::ptr::from_ref(expr)).unwrap_or(&Type::Dyn)
    }

    /// Whether the expression reads a variable that was given to it.
    pub(crate) fn uses(&self, variable: usize) -> bool {
        self.read.contains(&variable)
    }

    pub(crate) fn overloads(&self, expr: &Expr) -> &[&'static Signature] {
        self.overloads.get(&std::ptr::from_ref(expr)).map_or(&[], Vec::as_slice)
    }
}

/// Finds the types of an expression whose variables have the given types. The result must have the
/// type `wanted`.
pub(crate) fn infer(
    root: &Expr,
    variables: Vec<Type>,
    wanted: &Type,
) -> Result<Types, CompileError> {
    let mut inference = Inference {
        types: Types::default(),
        bindings: Bindings::default(),
        variables,
        allows_mixed: false,
    };
    inference.result(root, Some(wanted))?;
    let Inference { mut types, bindings, .. } = inference;
    types.by_expr.values_mut().for_each(|it| *it = bindings.resolved(it));
    Ok(types)
}

/// The type of an expression whose variables have the given types. It must be `wanted`, if given.
pub(crate) fn type_of(
    root: &Expr,
    variables: Vec<Type>,
    wanted: Option<&Type>,
) -> Result<Type, CompileError> {
    let mut inference = Inference {
        types: Types::default(),
        bindings: Bindings::default(),
        variables,
        allows_mixed: false,
    };
    inference.result(root, wanted)
}

struct Inference {
    types: Types,
    bindings: Bindings,
    variables: Vec<Type>,
    /// Whether the elements of a list may have different types: only in the arguments of `format`.
    allows_mixed: bool,
}

type Inferred = Result<Type, CompileError>;

impl Inference {
    /// The type of the whole expression.
    fn result(&mut self, root: &Expr, wanted: Option<&Type>) -> Inferred {
        let found = self.expr(root)?;
        let found = self.bindings.resolved(&found);
        let Some(wanted) = wanted.filter(|it| !found.is_same(it)) else { return Ok(found) };
        let message = format!("expected {wanted}, found {found}");
        let error = CompileError::new(message, root.at.clone());
        Err(match found {
            Type::Dyn => error.help("convert the result, or compare it with something"),
            _ => error.help("compare the result with something"),
        })
    }

    fn expr(&mut self, expr: &Expr) -> Inferred {
        let ty = self.kind(expr)?;
        self.types.by_expr.insert(std::ptr::from_ref(expr), ty.clone());
        Ok(ty)
    }

    fn kind(&mut self, expr: &Expr) -> Inferred {
        match &expr.kind {
            Kind::Literal(literal) => Ok(of_literal(literal)),
            Kind::Name(_) => unreachable!("the check replaced every name by a variable or a type"),
            Kind::Variable(at) => {
                self.types.read.insert(*at);
                Ok(self.variables[*at].clone())
            }
            Kind::Type(_) => Ok(Type::OfTypes),
            Kind::Select { operand, field, is_optional } => {
                let found = self.select(operand, field, &expr.at)?;
                let is_optional = *is_optional || self.is_optional(operand);
                Ok(if is_optional { Type::optional(found) } else { found })
            }
            Kind::Has { operand, field } => {
                self.select(operand, field, &expr.at)?;
                Ok(Type::Bool)
            }
            Kind::Index { operand, index, is_optional } => {
                let args = [self.expr(operand)?, self.expr(index)?];
                let name = if *is_optional { "_[?_]" } else { "_[_]" };
                self.resolve(expr, name, false, &args)
            }
            Kind::Call(call) => self.call(expr, call),
            Kind::Macro(comprehension) => self.comprehension(expr, comprehension),
            Kind::Not(operand) => {
                let arg = self.expr(operand)?;
                self.resolve(expr, "!_", false, &[arg])
            }
            Kind::Negate(operand) => {
                let arg = self.expr(operand)?;
                self.resolve(expr, "-_", false, &[arg])
            }
            Kind::Binary(operator, left, right) => {
                let args = [self.expr(left)?, self.expr(right)?];
                self.resolve(expr, &format!("_{}_", operator.symbol()), false, &args)
            }
            Kind::Logical(_, terms) => {
                for term in terms {
                    self.truth(term)?;
                }
                Ok(Type::Bool)
            }
            Kind::Conditional(parts) => {
                let [condition, then, otherwise] = &**parts;
                let args = [self.expr(condition)?, self.expr(then)?, self.expr(otherwise)?];
                self.resolve(expr, "_?_:_", false, &args)
            }
            Kind::List(elements) => {
                let mut item = None;
                for Element { value, is_optional } in elements {
                    let found = self.element(value, *is_optional)?;
                    item = Some(self.joined(item, found, &value.at)?);
                }
                Ok(Type::list(item.unwrap_or_else(|| self.bindings.new_param())))
            }
            Kind::Map(entries) => {
                let mut both: Option<(Type, Type)> = None;
                for entry in entries {
                    let key = self.expr(&entry.key)?;
                    let value = self.element(&entry.value, entry.is_optional)?;
                    both = Some(match both {
                        None => (key, value),
                        Some((keys, values)) => (
                            self.joined(Some(keys), key, &entry.key.at)?,
                            self.joined(Some(values), value, &entry.value.at)?,
                        ),
                    });
                }
                let (key, value) =
                    both.unwrap_or_else(|| (self.bindings.new_param(), self.bindings.new_param()));
                Ok(Type::map(key, value))
            }
        }
    }

    /// An expression that must be true or false.
    fn truth(&mut self, expr: &Expr) -> Result<(), CompileError> {
        let found = self.expr(expr)?;
        if self.bindings.fit(&found, &Type::Bool) {
            return Ok(());
        }
        let found = self.bindings.resolved(&found);
        let message = format!("expected true or false, found {found}");
        Err(CompileError::new(message, expr.at.clone()).help("compare it with something"))
    }

    fn is_optional(&self, expr: &Expr) -> bool {
        self.bindings.resolved(self.types.of(expr)).unwrapped().1
    }

    /// The type of a field, ignoring whether the field is optional.
    fn select(&mut self, operand: &Expr, field: &str, at: &Range<usize>) -> Inferred {
        let found = self.expr(operand)?;
        let found = self.bindings.resolved(&found);
        match found.unwrapped().0 {
            Type::Map(both) => Ok(both.1.clone()),
            Type::Object(declared) => field_of(declared, field, at),
            param @ Type::Param(_) => {
                self.bindings.fit(&Type::Dyn, param);
                Ok(Type::Dyn)
            }
            Type::Dyn => Ok(Type::Dyn),
            other => {
                let message = format!("expected a map before `.{field}`, found {other}");
                Err(CompileError::new(message, at.clone()))
            }
        }
    }

    /// An element of a list, or a value of a map.
    fn element(&mut self, value: &Expr, is_optional: bool) -> Inferred {
        let found = self.expr(value)?;
        if !is_optional {
            return Ok(found);
        }
        match self.bindings.resolved(&found) {
            Type::Optional(inner) => Ok(Type::clone(&inner)),
            Type::Dyn => Ok(Type::Dyn),
            other => {
                let message = format!("expected an optional value, found {other}");
                Err(CompileError::new(message, value.at.clone()))
            }
        }
    }

    /// The common type of all elements so far. Kubernetes requires elements of one type.
    fn joined(&mut self, all: Option<Type>, found: Type, at: &Range<usize>) -> Inferred {
        let Some(all) = all else {
            return Ok(found);
        };
        if self.bindings.fit(&all, &found) {
            return Ok(all.more_general(found));
        }
        if self.allows_mixed {
            return Ok(Type::Dyn);
        }
        let (all, found) = (self.bindings.resolved(&all), self.bindings.resolved(&found));
        let message = format!("expected {all} like the elements before it, found {found}");
        Err(CompileError::new(message, at.clone()).help("wrap elements of other types in `dyn(…)`"))
    }

    fn call(&mut self, expr: &Expr, call: &Call) -> Inferred {
        let mut args = Vec::with_capacity(call.args.len() + 1);
        let allowed = self.allows_mixed;
        self.allows_mixed |= call.name == "format" && call.target.is_some();
        for arg in call.target.as_deref().into_iter().chain(&call.args) {
            args.push(self.expr(arg)?);
        }
        self.allows_mixed = allowed;
        self.resolve(expr, &call.name, call.target.is_some(), &args)
    }

    /// Chooses the overloads that fit the arguments.
    fn resolve(&mut self, expr: &Expr, name: &str, is_member: bool, args: &[Type]) -> Inferred {
        let mut chosen = Vec::new();
        let mut result: Option<Type> = None;
        for signature in signatures::of(name, is_member) {
            if signature.args.len() != args.len() {
                continue;
            }
            let first = self.bindings.reserve(N_PARAMS);
            let wanted: Vec<Type> =
                signature.args.iter().map(|it| Signature::renamed(it, first)).collect();
            if !self.bindings.fit_all(args.iter().zip(&wanted)) {
                continue;
            }
            let found = Signature::renamed(&signature.result, first);
            let found = self.bindings.resolved(&found);
            result = Some(match result {
                Some(before) if before.is_same(&found) => before,
                Some(_) => Type::Dyn,
                None => found,
            });
            chosen.push(signature);
        }
        self.types.overloads.insert(std::ptr::from_ref(expr), chosen);
        result.ok_or_else(|| {
            let args: Vec<Type> = args.iter().map(|it| self.bindings.resolved(it)).collect();
            no_overload(expr, name, &args)
        })
    }

    fn comprehension(&mut self, expr: &Expr, it: &Comprehension) -> Inferred {
        let range = self.expr(&it.range)?;
        let range = self.bindings.resolved(&range);
        let names = match (it.r#macro, &range) {
            (Macro::OptionalMap | Macro::OptionalFlatMap, _) => {
                let inner = self.bindings.new_param();
                if !self.bindings.fit(&range, &Type::optional(inner.clone())) {
                    let message = format!("expected an optional value, found {range}");
                    return Err(CompileError::new(message, it.range.at.clone()));
                }
                vec![inner]
            }
            (_, Type::List(item)) if it.names.len() == 1 => vec![Type::clone(item)],
            (_, Type::List(item)) => vec![Type::Int, Type::clone(item)],
            (Macro::SortBy, Type::Map(_)) => {
                let message = format!("expected a list, found {range}");
                return Err(CompileError::new(message, it.range.at.clone()));
            }
            (_, Type::Map(both)) if it.names.len() == 1 => vec![both.0.clone()],
            (_, Type::Map(both)) => vec![both.0.clone(), both.1.clone()],
            (_, Type::Dyn | Type::Param(_)) => {
                self.bindings.fit(&Type::Dyn, &range);
                vec![Type::Dyn; it.names.len()]
            }
            _ => {
                let message = format!("expected a list or map, found {range}");
                let error = CompileError::new(message, it.range.at.clone());
                return Err(match range {
                    Type::Object(_) => {
                        error.help("the keys of the map are declared: check each of them by name")
                    }
                    _ => error,
                });
            }
        };
        let item = names[0].clone();
        let n_outside = self.variables.len();
        self.variables.extend(names);
        let result = self.body(expr, it, item, &range);
        self.variables.truncate(n_outside);
        result
    }

    fn body(&mut self, expr: &Expr, it: &Comprehension, item: Type, range: &Type) -> Inferred {
        if let Some(filter) = &it.filter {
            self.truth(filter)?;
        }
        Ok(match it.r#macro {
            Macro::All | Macro::Exists | Macro::ExistsOne => {
                self.truth(&it.body)?;
                Type::Bool
            }
            Macro::Filter => {
                self.truth(&it.body)?;
                Type::list(item)
            }
            Macro::Map | Macro::TransformList => Type::list(self.expr(&it.body)?),
            Macro::OptionalMap => Type::optional(self.expr(&it.body)?),
            Macro::OptionalFlatMap => {
                let found = self.expr(&it.body)?;
                let inner = Type::optional(self.bindings.new_param());
                if !self.bindings.fit(&found, &inner) {
                    let found = self.bindings.resolved(&found);
                    let message = format!("expected an optional value, found {found}");
                    let error = CompileError::new(message, it.body.at.clone());
                    return Err(error.help("use `optMap`"));
                }
                self.bindings.resolved(&inner)
            }
            Macro::TransformMap => Type::map(item, self.expr(&it.body)?),
            Macro::TransformMapEntry => {
                let found = self.expr(&it.body)?;
                let (key, value) = (self.bindings.new_param(), self.bindings.new_param());
                let wanted = Type::map(key, value);
                if !self.bindings.fit(&found, &wanted) {
                    let found = self.bindings.resolved(&found);
                    let message = format!("expected a map with one key, found {found}");
                    return Err(CompileError::new(message, it.body.at.clone()));
                }
                self.bindings.resolved(&wanted)
            }
            Macro::SortBy => {
                let keys = Type::list(self.expr(&it.body)?);
                self.resolve(expr, "sort", true, &[keys]).map_err(|_| {
                    let message = "expected a key that has an order, such as a number or a text";
                    CompileError::new(message, it.body.at.clone())
                })?;
                match range {
                    Type::List(_) => range.clone(),
                    _ => Type::list(Type::Dyn),
                }
            }
        })
    }
}

fn field_of(declared: &Arc<Declared>, field: &str, at: &Range<usize>) -> Inferred {
    let DeclaredKind::Object(fields) = &declared.kind else {
        return Ok(Type::Dyn);
    };
    // After a dot, a reserved word does not have to be escaped.
    let found = fields.get(field).or_else(|| fields.get(&format!("__{field}__")));
    found.map(Type::of).ok_or_else(|| {
        let message = format!("the schema does not declare a key `{field}`");
        let error = CompileError::new(message, at.clone());
        match nearest(field, fields.keys().map(String::as_str)) {
            Some(meant) => error.help(format!("did you mean `{meant}`?")),
            None => error,
        }
    })
}

fn of_literal(literal: &Literal) -> Type {
    match literal {
        Literal::Null => Type::Null,
        Literal::Bool(_) => Type::Bool,
        Literal::Int(_) => Type::Int,
        Literal::UInt(_) => Type::UInt,
        Literal::Double(_) => Type::Double,
        Literal::String(_) => Type::String,
        Literal::Bytes(_) => Type::Bytes,
    }
}

/// The error for a call whose arguments match no overload.
fn no_overload(expr: &Expr, name: &str, args: &[Type]) -> CompileError {
    let shown: Vec<String> = args.iter().map(Type::to_string).collect();
    let shown = match shown.as_slice() {
        [] => "no arguments".to_owned(),
        [only] => only.clone(),
        [most @ .., last] => format!("{} and {last}", most.join(", ")),
    };
    let symbol = match name {
        "_?_:_" => "?:",
        other => other.trim_matches('_'),
    };
    let symbol = if symbol.starts_with('[') { "[]" } else { symbol };
    let message = format!("`{symbol}` cannot be applied to {shown}");
    let error = CompileError::new(message, expr.at.clone());
    match (name, args) {
        ("_==_" | "_!=_", [Type::Null, _] | [_, Type::Null]) => {
            error.help("the value is never null here: use `has(…)` to check whether it exists")
        }
        (_, [Type::Double, Type::Int] | [Type::Int, Type::Double]) => {
            error.help("write `2.0` instead of `2`, or convert with `double(…)` or `int(…)`")
        }
        ("_[_]" | "_[?_]", [Type::Object(_), _]) => {
            error.help("the keys of the map are declared: write `.key`")
        }
        ("size" | "_in_", [.., Type::Object(_)]) => {
            error.help("the keys of the map are declared: use `has(….key)`")
        }
        ("contains", [Type::List(_) | Type::Map(_), _]) => error.help("write `item in list`"),
        _ => error,
    }
}
