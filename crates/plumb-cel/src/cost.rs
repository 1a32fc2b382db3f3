//! The cost of an expression in the worst case, as an API server estimates it before it accepts a
//! rule.
//!
//! The figures are those of Kubernetes, whose estimate depends on the sizes that a schema declares.
//! Odd rules are copied from the server: a variable over the items of a literal counts as large as
//! `self`, and comparing two values of the same cost can have different costs.

use std::sync::Arc;

use crate::ast::{Call, Comprehension, Element, Entry, Expr, Kind, Literal, Operator};
use crate::declared::{Declared, DeclaredKind};
use crate::infer::Types;
use crate::macros::Macro;
use crate::signatures::Signature;
use crate::size::{EntrySize, PER_CHARACTER, PER_PATTERN_CHARACTER, Size, scaled};
use crate::types::Type;

const NEW_LIST: u64 = 10;
const NEW_MAP: u64 = 30;
/// The length that is assumed for the regular expression of a named format.
const FORMAT_PATTERN: f64 = 128.0;

/// Returns the highest cost of an expression for any value that fits the declaration.
pub(crate) fn cost(
    root: &Expr,
    types: &Types,
    declared: &Arc<Declared>,
    n_variables: usize,
) -> u64 {
    let own = Local { path: Path::At(declared), size: None, entry: None };
    let mut coster = Coster { types, root: declared, locals: vec![own; n_variables] };
    coster.expr(root).cost
}

/// Where a value comes from.
#[derive(Clone, Copy, Debug)]
enum Path<'a> {
    /// It is computed.
    Nowhere,
    At(&'a Declared),
    /// It is part of a declared value, but is not declared itself.
    Lost,
}

#[derive(Clone, Debug)]
struct Local<'a> {
    path: Path<'a>,
    size: Option<Size>,
    entry: Option<EntrySize>,
}

/// The estimate for a part of an expression.
#[derive(Clone, Debug)]
struct Estimate<'a> {
    cost: u64,
    path: Path<'a>,
    size: Option<Size>,
    entry: Option<EntrySize>,
}

impl Estimate<'_> {
    fn size_or_unknown(&self) -> Size {
        self.size.unwrap_or(Size::UNKNOWN)
    }
}

struct Coster<'a> {
    types: &'a Types,
    root: &'a Declared,
    locals: Vec<Local<'a>>,
}

impl<'a> Coster<'a> {
    fn expr(&mut self, expr: &Expr) -> Estimate<'a> {
        match &expr.kind {
            Kind::Literal(literal) => Estimate {
                cost: 0,
                path: Path::Nowhere,
                size: Some(Size::exactly(length(literal))),
                entry: None,
            },
            Kind::Variable(at) => {
                let local = self.locals[*at].clone();
                self.local(expr, &local)
            }
            Kind::Name(_) | Kind::Type(_) => self.placed(expr, 1, Path::At(self.root)),
            Kind::Select { operand, field, is_optional: false } => {
                let below = self.expr(operand);
                let is_read = matches!(
                    self.types.of(operand),
                    Type::Map(_) | Type::Object(_) | Type::Special(_)
                );
                let path = self.step(below.path, Step::Field(field));
                self.placed(expr, below.cost.saturating_add(is_read.into()), path)
            }
            Kind::Has { operand, .. } => {
                let below = self.expr(operand);
                self.placed(expr, below.cost, Path::Nowhere)
            }
            Kind::Index { operand, index, is_optional } => {
                let args = [self.expr(operand), self.expr(index)];
                self.index(expr, &args, *is_optional)
            }
            Kind::Call(call) => self.call(expr, call),
            Kind::Macro(comprehension) => self.comprehension(expr, comprehension),
            Kind::Select { operand, is_optional: true, .. }
            | Kind::Not(operand)
            | Kind::Negate(operand) => {
                let below = self.expr(operand);
                self.placed(expr, below.cost.saturating_add(1), Path::Nowhere)
            }
            Kind::Binary(operator, left, right) => {
                let args = [self.expr(left), self.expr(right)];
                self.binary(expr, *operator, [left, right], &args)
            }
            Kind::Logical(_, terms) => {
                let cost =
                    terms.iter().fold(0u64, |sum, it| sum.saturating_add(self.expr(it).cost));
                self.placed(expr, cost, Path::Nowhere)
            }
            Kind::Conditional(parts) => self.conditional(parts),
            Kind::List(elements) => self.list(elements),
            Kind::Map(entries) => self.map(entries),
        }
    }

    fn conditional(&mut self, [condition, then, otherwise]: &[Expr; 3]) -> Estimate<'a> {
        let condition = self.expr(condition);
        let (then, otherwise) = (self.expr(then), self.expr(otherwise));
        let entry = both(then.entry, otherwise.entry);
        Estimate {
            cost: condition.cost.saturating_add(then.cost.max(otherwise.cost)),
            path: Path::Nowhere,
            size: Some(then.size_or_unknown().or(otherwise.size_or_unknown())),
            entry,
        }
    }

    fn map(&mut self, entries: &[Entry]) -> Estimate<'a> {
        let mut cost = NEW_MAP;
        let (mut key, mut value) = (Size::NONE, Size::NONE);
        for entry in entries {
            let (of_key, of_value) = (self.expr(&entry.key), self.expr(&entry.value));
            cost = cost.saturating_add(of_key.cost).saturating_add(of_value.cost);
            key = key.or(of_key.size_or_unknown());
            value = value.or(of_value.size_or_unknown());
        }
        if entries.is_empty() {
            (key, value) = (Size::exactly(0), Size::exactly(0));
        }
        Estimate {
            cost,
            path: Path::Nowhere,
            size: Some(Size::exactly(entries.len() as u64)),
            entry: Some(EntrySize { is_list: false, key, value }),
        }
    }

    fn list(&mut self, elements: &[Element]) -> Estimate<'a> {
        let mut cost = NEW_LIST;
        let mut value = Size::NONE;
        for element in elements {
            let item = self.expr(&element.value);
            cost = cost.saturating_add(item.cost);
            value = value.or(item.size_or_unknown());
        }
        if elements.is_empty() {
            value = Size::exactly(0);
        }
        Estimate {
            cost,
            path: Path::Nowhere,
            size: Some(Size::exactly(elements.len() as u64)),
            entry: Some(EntrySize { is_list: true, key: Size::ONE, value }),
        }
    }

    /// The estimate for an expression whose size depends only on its place and type.
    fn placed(&self, expr: &Expr, cost: u64, path: Path<'a>) -> Estimate<'a> {
        Estimate { cost, path, size: size_at(path, self.types.of(expr)), entry: None }
    }

    fn local(&self, expr: &Expr, local: &Local<'a>) -> Estimate<'a> {
        let mut estimate = self.placed(expr, 1, local.path);
        estimate.size = estimate.size.or(local.size);
        estimate.entry = local.entry;
        estimate
    }

    /// The place of a part of a value. The server looks up parts of computed values in `self`.
    fn step(&self, path: Path<'a>, step: Step<'_>) -> Path<'a> {
        let declared = match path {
            Path::Nowhere => return Path::At(self.root),
            Path::Lost => return Path::Lost,
            Path::At(declared) => declared,
        };
        let found = match (step, &declared.kind) {
            (Step::Value, DeclaredKind::List(item) | DeclaredKind::Map(item)) => Some(&**item),
            (Step::Key, DeclaredKind::Map(_)) => Some(KEY),
            (Step::Field(name), DeclaredKind::Object(fields)) => fields.get(name).map(|it| &**it),
            _ => None,
        };
        found.map_or(Path::Lost, Path::At)
    }

    fn index(&mut self, expr: &Expr, args: &[Estimate<'a>; 2], is_optional: bool) -> Estimate<'a> {
        let [operand, index] = args;
        let cost = operand.cost.saturating_add(index.cost).saturating_add(1);
        let overloads = self.types.overloads(expr);
        let is_plain = |it: &&Signature| !matches!(it.args[0], Type::Optional(_));
        if is_optional || !overloads.iter().any(is_plain) {
            return self.placed(expr, cost, Path::Nowhere);
        }
        let mut estimate = self.placed(expr, cost, self.step(operand.path, Step::Value));
        estimate.size = operand.entry.map(|it| it.value).or(estimate.size);
        estimate
    }

    fn binary(
        &mut self,
        expr: &Expr,
        operator: Operator,
        sides: [&Expr; 2],
        args: &[Estimate<'a>; 2],
    ) -> Estimate<'a> {
        let [left, right] = args;
        let below = left.cost.saturating_add(right.cost);
        let (left_size, right_size) = (left.size_or_unknown(), right.size_or_unknown());
        let smaller = left_size.max.min(right_size.max);
        let mut estimate = self.placed(expr, below, Path::Nowhere);
        let mut most = 0;
        let mut size: Option<Size> = None;
        for overload in self.types.overloads(expr) {
            let (cost, of_result) = match (operator, &overload.args[0], &overload.args[1]) {
                (Operator::Equal, ..) if self.is_cheap_to_compare(sides) => (1, None),
                (Operator::Equal | Operator::NotEqual, ..)
                | (
                    Operator::Less
                    | Operator::LessOrEqual
                    | Operator::Greater
                    | Operator::GreaterOrEqual,
                    Type::String | Type::Bytes,
                    _,
                ) => (scaled(smaller, PER_CHARACTER), None),
                (Operator::In, _, Type::List(_)) => (right_size.max, None),
                (Operator::Add, Type::List(_), _) => (1, Some(left_size.plus(right_size))),
                (Operator::Add, Type::String | Type::Bytes, _) => {
                    let size = left_size.plus(right_size);
                    (size.cost(PER_CHARACTER), Some(size))
                }
                _ => (1, None),
            };
            most = most.max(cost);
            if matches!(overload.args[0], Type::List(_) | Type::String | Type::Bytes)
                && operator == Operator::Add
            {
                estimate.entry = both(left.entry, right.entry);
            }
            size = match (size, of_result) {
                (Some(before), Some(found)) => Some(before.or(found)),
                (before, found) => before.or(found).or(estimate.size),
            };
        }
        estimate.cost = below.saturating_add(most);
        estimate.size = size;
        estimate
    }

    /// Whether Kubernetes compares both sides at a fixed price.
    fn is_cheap_to_compare(&self, [left, right]: [&Expr; 2]) -> bool {
        let (left, right) = (self.types.of(left), self.types.of(right));
        let is_cheap = matches!(
            left,
            Type::Special("net.IP" | "net.CIDR" | "kubernetes.Quantity" | "kubernetes.Semver")
        );
        is_cheap && left.is_same(right)
    }

    fn call(&mut self, expr: &Expr, call: &Call) -> Estimate<'a> {
        let target = call.target.as_deref().map(|it| (self.expr(it), self.types.of(it).clone()));
        let args: Vec<Estimate<'a>> = call.args.iter().map(|it| self.expr(it)).collect();
        let costs = target.iter().map(|it| it.0.cost).chain(args.iter().map(|it| it.cost));
        let below = costs.fold(0, u64::saturating_add);
        if call.name == "dyn" {
            let mut estimate = args.into_iter().next().expect("dyn has an argument");
            estimate.cost = below.saturating_add(1);
            estimate.path = Path::Nowhere;
            return estimate;
        }
        let mut estimate = self.placed(expr, below, Path::Nowhere);
        let mut most = 0;
        let mut size: Option<Size> = None;
        for overload in self.types.overloads(expr) {
            let asked = Asked { call, overload, target: target.as_ref(), args: &args };
            let (cost, found) = self.function(&asked);
            most = most.max(cost);
            size = match (size, found) {
                (Some(before), Some(found)) => Some(before.or(found)),
                (before, found) => before.or(found).or(estimate.size),
            };
        }
        estimate.cost = below.saturating_add(most);
        estimate.size = size;
        estimate
    }

    /// The cost of a function without its arguments, and the size of its result, if the function
    /// determines it.
    fn function(&self, asked: &Asked<'_, 'a>) -> (u64, Option<Size>) {
        let Asked { call, overload, target, args } = asked;
        let of_arg = |at: usize| args.get(at).map_or(Size::UNKNOWN, Estimate::size_or_unknown);
        let of_target = target.map_or(Size::UNKNOWN, |it| it.0.size_or_unknown());
        let read = |size: Size| size.cost(PER_CHARACTER);
        let matched = |text: Size, pattern: Size| {
            read(text.plus(Size::ONE)).saturating_mul(pattern.cost(PER_PATTERN_CHARACTER))
        };
        let is_text = |at: usize| matches!(overload.args.get(at), Some(Type::String));
        match (call.name.as_str(), target.is_some()) {
            ("isSorted" | "sum" | "max" | "min" | "indexOf" | "lastIndexOf", true) => {
                (self.traversed(asked, of_target), None)
            }
            ("url", false) => (read(of_arg(0)), Some(of_arg(0))),
            ("lowerAscii" | "upperAscii" | "substring" | "trim", true) => {
                (read(of_target), Some(of_target))
            }
            ("replace", true) => {
                let cost = of_target.cost(2.0 * PER_CHARACTER);
                (cost, Some(replaced(of_target, of_arg(0), of_arg(1))))
            }
            ("split", true) => {
                let cost = of_target.cost(2.0 * PER_CHARACTER);
                let most = call.args.get(1).and_then(whole).unwrap_or(of_target.max);
                (cost, Some(Size::at_most(most)))
            }
            ("join", true) => {
                let size = self.joined(asked, of_target);
                (read(size), Some(size))
            }
            ("find" | "findAll", true) => {
                (matched(of_target, of_arg(0)), Some(Size::at_most(of_target.max)))
            }
            ("ip.isCanonical", false) => (of_arg(0).cost(2.0 * PER_CHARACTER), None),
            ("containsIP" | "containsCIDR", true) => {
                // An address has at most 16 bytes.
                let two = scaled(32, PER_CHARACTER);
                let one = scaled(16, PER_CHARACTER) + 1;
                let base = if call.name == "containsIP" { two } else { two + one };
                let parsed = if is_text(1) { read(of_arg(0)) } else { 0 };
                (base.saturating_add(parsed), None)
            }
            ("validate", true) => {
                let cost = scaled(read(of_arg(0)), FORMAT_PATTERN * PER_PATTERN_CHARACTER);
                (cost, None)
            }
            ("format", true) => (read(of_target), None),
            ("bytes", false) if is_text(0) => {
                let size = of_arg(0);
                let most = size.max.wrapping_mul(4);
                (read(size), Some(Size { min: size.min, max: most }))
            }
            ("string", false) if matches!(overload.args[0], Type::Bytes) => {
                let size = of_arg(0);
                (read(size), Some(Size { min: size.min / 4, max: size.max }))
            }
            ("strings.quote", false) => {
                let size = of_arg(0);
                let most = size.max.wrapping_mul(2).wrapping_add(2);
                (read(size), Some(Size { min: size.min.wrapping_add(2), max: most }))
            }
            (
                "cidr" | "isIP" | "isCIDR" | "ip" | "quantity" | "isQuantity" | "semver"
                | "isSemver",
                false,
            )
            | ("startsWith" | "endsWith", true) => (read(of_arg(0)), None),
            ("matches", true) => (matched(of_target, of_arg(0)), None),
            ("contains", true) => (read(of_target).saturating_mul(read(of_arg(0))), None),
            ("sets.contains" | "sets.intersects", false) => {
                (of_arg(0).times(of_arg(1)).max.saturating_add(1), None)
            }
            ("sets.equivalent", false) => {
                (of_arg(0).times(of_arg(1)).cost(2.0).saturating_add(1), None)
            }
            ("slice", true) => {
                let start = call.args.first().and_then(whole).unwrap_or(0);
                let end = call.args.get(1).and_then(whole).unwrap_or(of_target.max);
                allocated(1.0, Size::exactly(end.wrapping_sub(start)))
            }
            ("lists.range", false) => {
                let n = call.args.first().and_then(whole).unwrap_or(u64::MAX);
                allocated(1.0, Size::exactly(n))
            }
            ("reverse", true) => allocated(1.0, of_target),
            ("flatten", true) => {
                let depth = call.args.first().map_or(1, |it| whole(it).unwrap_or(u64::MAX));
                #[expect(clippy::cast_precision_loss, reason = "it is an estimate")]
                let depth = depth as f64;
                allocated(depth, of_target)
            }
            ("distinct", true) => allocated(2.0, of_target.times(of_target)),
            ("sort", true) => sorted(overload, of_target),
            _ => (1, None),
        }
    }

    /// The cost of a function that looks at each item of a list, or at each character of a text.
    fn traversed(&self, asked: &Asked<'_, 'a>, of_target: Size) -> u64 {
        let Some((target, Type::List(item))) = asked.target.map(|it| (&it.0, &it.1)) else {
            return of_target.cost(PER_CHARACTER);
        };
        let of_item = match **item {
            Type::String | Type::Bytes => {
                let size = size_at(self.step_if_any(target.path), &Type::Dyn);
                1u64.saturating_add(size.unwrap_or(Size::UNKNOWN).cost(PER_CHARACTER))
            }
            _ => 1,
        };
        of_target.max.saturating_mul(of_item)
    }

    /// The place of the items of a declared list. Nothing is known about the items of a computed
    /// list.
    fn step_if_any(&self, path: Path<'a>) -> Path<'a> {
        match path {
            Path::Nowhere => Path::Nowhere,
            other => self.step(other, Step::Value),
        }
    }

    fn joined(&self, asked: &Asked<'_, 'a>, of_list: Size) -> Size {
        let mut size = Size::exactly(0);
        if let Some((target, Type::List(_))) = asked.target.map(|it| (&it.0, &it.1)) {
            let item = size_at(self.step_if_any(target.path), &Type::Dyn);
            size = of_list.times(item.unwrap_or(Size::UNKNOWN));
        }
        if let Some(separator) = asked.args.first() {
            let n = Size { min: of_list.min.saturating_sub(1), max: of_list.max.saturating_sub(1) };
            size = size.plus(separator.size_or_unknown().times(n));
        }
        size
    }

    fn comprehension(&mut self, expr: &Expr, it: &Comprehension) -> Estimate<'a> {
        let range = self.expr(&it.range);
        match it.r#macro {
            Macro::OptionalMap | Macro::OptionalFlatMap => {
                return self.optional_map(expr, it, &range);
            }
            Macro::SortBy => return self.sort_by(expr, it, &range),
            _ => {}
        }
        let is_list = match range.entry {
            Some(entry) => entry.is_list,
            None => matches!(self.types.of(&it.range), Type::List(_)),
        };
        let (key, value) = self.entries_of(&range, is_list);
        let one = if is_list { value.clone() } else { key.clone() };
        let n_outside = self.locals.len();
        match it.names.len() {
            1 => self.locals.push(one.clone()),
            _ => self.locals.extend([key, value]),
        }
        let filter = it.filter.as_ref().map_or(0, |it| self.expr(it).cost);
        let body = self.expr(&it.body);
        let item_size = self.size_of_local(&one, &it.range, is_list);
        self.locals.truncate(n_outside);
        let n = range.size_or_unknown();
        let Loop { start, each, end, collects } = Loop::of(it.r#macro, filter, body.cost);
        let cost = range
            .cost
            .saturating_add(start)
            .saturating_add(n.max.saturating_mul(each))
            .saturating_add(end);
        let collected = match it.r#macro {
            Macro::Filter => item_size,
            _ => body.size,
        };
        let empty = EntrySize { is_list: true, key: Size::ONE, value: Size::exactly(0) };
        let entry = (collects == Collects::List).then(|| {
            let value = collected.unwrap_or(Size::UNKNOWN);
            empty.or(EntrySize { is_list: true, key: Size::ONE, value })
        });
        let size = match collects {
            Collects::Nothing => Size::ONE,
            Collects::List | Collects::Map => n,
        };
        Estimate { cost, path: Path::Nowhere, size: Some(size), entry }
    }

    /// The variables for the key and the value of an entry.
    fn entries_of(&self, range: &Estimate<'a>, is_list: bool) -> (Local<'a>, Local<'a>) {
        let key = if is_list { Step::Field("@indices") } else { Step::Key };
        let local = |path, size| Local { path, size, entry: None };
        (
            local(self.step(range.path, key), range.entry.map(|it| it.key)),
            local(self.step(range.path, Step::Value), range.entry.map(|it| it.value)),
        )
    }

    /// The size of the item that `filter` keeps.
    fn size_of_local(&self, local: &Local<'a>, range: &Expr, is_list: bool) -> Option<Size> {
        let ty = match self.types.of(range) {
            Type::List(item) if is_list => Type::clone(item),
            Type::Map(both) => both.0.clone(),
            _ => Type::Dyn,
        };
        size_at(local.path, &ty).or(local.size)
    }

    /// `target.hasValue() ? optional.of(body) : optional.none()`, where the body sees
    /// `target.value()`.
    fn optional_map(
        &mut self,
        expr: &Expr,
        it: &Comprehension,
        range: &Estimate<'a>,
    ) -> Estimate<'a> {
        let size = match self.types.of(&it.range) {
            Type::Optional(inner) => size_at(Path::Nowhere, inner),
            _ => None,
        };
        self.locals.push(Local { path: Path::Nowhere, size, entry: None });
        let body = self.expr(&it.body);
        self.locals.pop();
        let value = range.cost.saturating_add(1);
        let bound = NEW_LIST.saturating_add(value).saturating_add(body.cost);
        let wraps = u64::from(it.r#macro == Macro::OptionalMap);
        let cost = value.saturating_add(bound.saturating_add(wraps));
        let size = match it.r#macro {
            Macro::OptionalMap => size_at(Path::Nowhere, self.types.of(expr)),
            _ => body.size,
        };
        let otherwise = size_at(Path::Nowhere, self.types.of(expr)).unwrap_or(Size::UNKNOWN);
        let size = Some(size.unwrap_or(Size::UNKNOWN).or(otherwise));
        Estimate { cost, path: Path::Nowhere, size, entry: None }
    }

    /// A list of keys is computed first, and then sorted together with the list.
    fn sort_by(&mut self, expr: &Expr, it: &Comprehension, range: &Estimate<'a>) -> Estimate<'a> {
        let (_, value) = self.entries_of(range, true);
        self.locals.push(value);
        let body = self.expr(&it.body);
        self.locals.pop();
        let n = range.size_or_unknown();
        let Loop { start, each, end, .. } = Loop::of(Macro::Map, 0, body.cost);
        let keys = 1u64
            .saturating_add(start)
            .saturating_add(n.max.saturating_mul(each))
            .saturating_add(end);
        let (sorted, size) = self
            .types
            .overloads(expr)
            .iter()
            .map(|it| sorted(it, n))
            .max_by_key(|it| it.0)
            .unwrap_or((1, None));
        let cost = NEW_LIST
            .saturating_add(range.cost)
            .saturating_add(1)
            .saturating_add(keys)
            .saturating_add(sorted);
        Estimate { cost, path: Path::Nowhere, size, entry: None }
    }
}

/// A part of a value.
#[derive(Clone, Copy)]
enum Step<'n> {
    Field(&'n str),
    /// An item of a list, or a value of a map.
    Value,
    Key,
}

/// The keys of a map. The server does not give them a size.
const KEY: &Declared = &Declared::NO_SIZE;

/// A call whose cost is estimated.
struct Asked<'q, 'a> {
    call: &'q Call,
    overload: &'q Signature,
    target: Option<&'q (Estimate<'a>, Type)>,
    args: &'q [Estimate<'a>],
}

/// What a macro costs besides its range.
struct Loop {
    /// Before the first item.
    start: u64,
    /// For each item.
    each: u64,
    end: u64,
    collects: Collects,
}

#[derive(PartialEq, Eq)]
enum Collects {
    Nothing,
    List,
    Map,
}

impl Loop {
    fn of(r#macro: Macro, filter: u64, body: u64) -> Self {
        // A step that adds to a list reads the list so far and makes a list of one item.
        let append = |item: u64| item.saturating_add(2 + NEW_LIST);
        let (start, each, end, collects) = match r#macro {
            Macro::All => (0, body.saturating_add(3), 1, Collects::Nothing),
            Macro::Exists => (0, body.saturating_add(4), 1, Collects::Nothing),
            Macro::ExistsOne => (0, body.saturating_add(2), 2, Collects::Nothing),
            Macro::Filter => (NEW_LIST, body.saturating_add(append(1)), 1, Collects::List),
            Macro::TransformMap => (NEW_MAP, body.saturating_add(3), 1, Collects::Map),
            Macro::TransformMapEntry => (NEW_MAP, body.saturating_add(2), 1, Collects::Map),
            Macro::Map
            | Macro::TransformList
            | Macro::OptionalMap
            | Macro::OptionalFlatMap
            | Macro::SortBy => (NEW_LIST, append(body), 1, Collects::List),
        };
        Self { start, each: each.saturating_add(filter), end, collects }
    }
}

/// The size of a value at a place, or of a type whose values all have one size.
fn size_at(path: Path<'_>, ty: &Type) -> Option<Size> {
    match path {
        Path::At(declared) => Some(Size::at_most(declared.max_elements)),
        Path::Nowhere | Path::Lost => ty.is_scalar().then_some(Size::ONE),
    }
}

fn both(left: Option<EntrySize>, right: Option<EntrySize>) -> Option<EntrySize> {
    Some(left?.or(right?))
}

fn length(literal: &Literal) -> u64 {
    match literal {
        Literal::String(text) => text.chars().count() as u64,
        Literal::Bytes(bytes) => bytes.len() as u64,
        Literal::Null
        | Literal::Bool(_)
        | Literal::Int(_)
        | Literal::UInt(_)
        | Literal::Double(_) => 1,
    }
}

/// A literal integer. A negative one counts as zero.
fn whole(expr: &Expr) -> Option<u64> {
    match expr.kind {
        Kind::Literal(Literal::Int(value)) => Some(u64::try_from(value).unwrap_or(0)),
        _ => None,
    }
}

/// The cost of a function that creates a list of a given size.
fn allocated(factor: f64, size: Size) -> (u64, Option<Size>) {
    (size.cost(factor).saturating_add(1 + NEW_LIST), Some(size))
}

fn sorted(overload: &Signature, size: Size) -> (u64, Option<Size>) {
    let is_long = matches!(&overload.args[0], Type::List(item)
        if matches!(**item, Type::String | Type::Bytes));
    allocated(if is_long { 2.0 + PER_CHARACTER } else { 2.0 }, size.times(size))
}

/// The size of a text after a replacement.
fn replaced(text: Size, part: Size, by: Size) -> Size {
    let (mut n, mut kept) = (Size::exactly(0), Size::exactly(0));
    if part.min == 0 {
        // An empty text is found around every character.
        n.max = text.max.saturating_add(1);
        kept.max = text.max;
    } else if by.max <= part.min {
        kept.max = text.max;
    } else {
        n.max = text.max.div_ceil(part.min);
    }
    if part.max == 0 {
        n.min = text.min.saturating_add(1);
        kept.min = text.min;
    } else if part.max <= by.min {
        kept.min = text.min;
    } else {
        n.min = text.min.div_ceil(part.max);
    }
    n.times(by).plus(kept)
}
