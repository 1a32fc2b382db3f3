//! Lists, and lists as sets.

use std::cmp::Ordering;

use crate::ast::Operator;
use crate::declared::{Declared, DeclaredKind};
use crate::functions::convert::int_of;
use crate::functions::{Context, Function, global, member, strings};
use crate::operate::{self, Budget, OperationError, Outcome};
use crate::value::{List, Value};

pub(super) const FUNCTIONS: &[Function] = &[
    global("lists.range", 1..=1, range),
    member("isSorted", 0..=0, is_sorted),
    member("sum", 0..=0, sum),
    member("min", 0..=0, |args, context| extreme(args, context, Ordering::Less)),
    member("max", 0..=0, |args, context| extreme(args, context, Ordering::Greater)),
    member("indexOf", 1..=2, index_of),
    member("lastIndexOf", 1..=2, last_index_of),
    member("slice", 2..=2, slice),
    member("flatten", 0..=1, flatten),
    member("distinct", 0..=0, distinct),
    member("sort", 0..=0, sort),
    member("reverse", 0..=0, reverse),
    global("sets.contains", 2..=2, |args, context| sets(args, context, [false, true])),
    global("sets.equivalent", 2..=2, |args, context| sets(args, context, [true, true])),
    global("sets.intersects", 2..=2, intersects),
];

fn list<'v, 'a>(value: &'v Value<'a>) -> Result<&'v List<'a>, OperationError> {
    match value {
        Value::List(list) => Ok(list),
        _ => Err(OperationError::Types),
    }
}

fn is_sorted<'a>(args: &[Value<'a>], context: &mut Context<'_>) -> Outcome<'a> {
    let mut last: Option<Value<'a>> = None;
    for item in list(&args[0])?.iter() {
        context.budget.pay(1)?;
        if let Some(last) = &last
            && operate::compare(last, &item, context.budget)? == Some(Ordering::Greater)
        {
            return Ok(Value::Bool(false));
        }
        last = Some(item);
    }
    Ok(Value::Bool(true))
}

fn sum<'a>(args: &[Value<'a>], context: &mut Context<'_>) -> Outcome<'a> {
    let list = list(&args[0])?;
    let mut items = list.iter();
    let item_kind = list.schema().and_then(Declared::each).map(|it| &it.kind);
    let none = match item_kind {
        Some(DeclaredKind::Duration) => Value::Duration(0),
        Some(DeclaredKind::Double) => Value::Double(0.0),
        _ => Value::Int(0),
    };
    let first = items.next().unwrap_or(none);
    items.try_fold(first, |total, item| {
        context.budget.pay(1)?;
        match item {
            Value::String(_) | Value::List(_) | Value::Bytes(_) => Err(OperationError::Types),
            _ => operate::binary(Operator::Add, &total, &item, context.budget),
        }
    })
}

fn extreme<'a>(args: &[Value<'a>], context: &mut Context<'_>, wanted: Ordering) -> Outcome<'a> {
    let mut items = list(&args[0])?.iter();
    let first = items.next().ok_or_else(|| OperationError::other("the list is empty"))?;
    items.try_fold(first, |best, item| {
        context.budget.pay(1)?;
        let order = operate::compare(&item, &best, context.budget)?;
        Ok(if order == Some(wanted) { item } else { best })
    })
}

fn index_of<'a>(args: &[Value<'a>], context: &mut Context<'_>) -> Outcome<'a> {
    let Value::List(list) = &args[0] else {
        return strings::index_of(args, context);
    };
    find(&mut list.iter().enumerate(), args, context)
}

fn last_index_of<'a>(args: &[Value<'a>], context: &mut Context<'_>) -> Outcome<'a> {
    let Value::List(list) = &args[0] else {
        return strings::last_index_of(args, context);
    };
    find(&mut (0..list.len()).zip(list.iter()).rev(), args, context)
}

fn find<'a>(
    items: &mut dyn Iterator<Item = (usize, Value<'a>)>,
    args: &[Value<'a>],
    context: &mut Context<'_>,
) -> Outcome<'a> {
    let [_, wanted] = args else {
        return Err(OperationError::Types);
    };
    for (at, item) in items {
        if operate::equal(&item, wanted, context.budget)? {
            return Ok(int_of(at));
        }
    }
    Ok(Value::Int(-1))
}

fn slice<'a>(args: &[Value<'a>], context: &mut Context<'_>) -> Outcome<'a> {
    let list = list(&args[0])?;
    let (Value::Int(start), Value::Int(end)) = (&args[1], &args[2]) else {
        return Err(OperationError::Types);
    };
    let bounds = (usize::try_from(*start), usize::try_from(*end));
    let (Ok(start), Ok(end)) = bounds else {
        return Err(OperationError::other("an index of a slice is negative"));
    };
    if start > end || end > list.len() {
        return Err(OperationError::other("the slice is outside of the list"));
    }
    context.budget.pay(end - start)?;
    Ok(Value::list(list.iter().skip(start).take(end - start).collect()))
}

fn flatten<'a>(args: &[Value<'a>], context: &mut Context<'_>) -> Outcome<'a> {
    let depth = match args.get(1) {
        None => 1,
        Some(Value::Int(depth)) if *depth >= 0 => *depth,
        Some(_) => return Err(OperationError::Types),
    };
    let mut out = Vec::new();
    // A stack of the values left to process, each with the number of levels that it may be
    // flattened.
    let mut left: Vec<(Value<'a>, i64)> =
        list(&args[0])?.iter().rev().map(|it| (it, depth)).collect();
    context.budget.pay(left.len())?;
    while let Some((value, depth)) = left.pop() {
        match value {
            Value::List(inner) if depth > 0 => {
                context.budget.pay(inner.len())?;
                left.extend(inner.iter().rev().map(|it| (it, depth - 1)));
            }
            other => out.push(other),
        }
    }
    Ok(Value::list(out))
}

fn distinct<'a>(args: &[Value<'a>], context: &mut Context<'_>) -> Outcome<'a> {
    let mut kept: Vec<Value<'a>> = Vec::new();
    for item in list(&args[0])?.iter() {
        let mut is_new = true;
        for other in &kept {
            is_new = is_new && !operate::equal(other, &item, context.budget)?;
        }
        if is_new {
            kept.push(item);
        }
    }
    Ok(Value::list(kept))
}

fn sort<'a>(args: &[Value<'a>], context: &mut Context<'_>) -> Outcome<'a> {
    let items = list(&args[0])?.iter().map(|it| (it.clone(), it)).collect();
    sorted_by_key(items, context.budget)
}

/// Returns the second element of each pair, ordered by the first.
pub(crate) fn sorted_by_key<'a>(
    mut pairs: Vec<(Value<'a>, Value<'a>)>,
    budget: &mut Budget,
) -> Outcome<'a> {
    // The cost is charged in advance: a comparison that fails would leave the list partly sorted.
    let n_rounds = pairs.len().checked_ilog2().unwrap_or_default() as usize + 1;
    for (key, _) in &pairs {
        let n_bytes = if let Value::String(text) = key { text.len() } else { 0 };
        budget.pay(n_rounds)?;
        budget.pay_for_bytes(n_bytes * n_rounds)?;
        if operate::compare(&pairs[0].0, key, budget)?.is_none() {
            return Err(OperationError::other("NaN cannot be ordered"));
        }
    }
    let mut paid = Budget::new(u64::MAX);
    pairs.sort_by(|left, right| {
        let order = operate::compare(&left.0, &right.0, &mut paid).ok().flatten();
        order.expect("each key was compared with the first one, so all are comparable")
    });
    Ok(Value::list(pairs.into_iter().map(|it| it.1).collect()))
}

/// The numbers from zero up to a limit, exclusive.
fn range<'a>(args: &[Value<'a>], context: &mut Context<'_>) -> Outcome<'a> {
    let Value::Int(end) = &args[0] else {
        return Err(OperationError::Types);
    };
    context.budget.pay(usize::try_from(*end).unwrap_or_default())?;
    Ok(Value::list((0..*end).map(Value::Int).collect()))
}

fn reverse<'a>(args: &[Value<'a>], context: &mut Context<'_>) -> Outcome<'a> {
    let list = list(&args[0])?;
    context.budget.pay(list.len())?;
    Ok(Value::list(list.iter().rev().collect()))
}

/// Checks, as `asked`, whether the first list contains all items of the second, and vice versa.
fn sets<'a>(args: &[Value<'a>], context: &mut Context<'_>, asked: [bool; 2]) -> Outcome<'a> {
    let [left, right] = [list(&args[0])?, list(&args[1])?];
    for (is_asked, of, within) in [(asked[1], right, &args[0]), (asked[0], left, &args[1])] {
        for item in of.iter().filter(|_| is_asked) {
            if !operate::contains(within, &item, context.budget)? {
                return Ok(Value::Bool(false));
            }
        }
    }
    Ok(Value::Bool(true))
}

fn intersects<'a>(args: &[Value<'a>], context: &mut Context<'_>) -> Outcome<'a> {
    list(&args[1])?;
    for item in list(&args[0])?.iter() {
        if operate::contains(&args[1], &item, context.budget)? {
            return Ok(Value::Bool(true));
        }
    }
    Ok(Value::Bool(false))
}
