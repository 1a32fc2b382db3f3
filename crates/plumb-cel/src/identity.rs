//! Equality and `+` of lists, which depend on what distinguishes their items. The list on the left
//! decides, as in Kubernetes.

use crate::declared::Identity;
use crate::operate::{self, Budget, OperationError, Outcome};
use crate::value::{List, Value};

/// Whether two lists of the same length are equal.
pub(crate) fn equal(
    left: &List<'_>,
    right: &List<'_>,
    budget: &mut Budget,
) -> Result<bool, OperationError> {
    for (at, item) in left.iter().enumerate() {
        let is_equal = match left.identity() {
            Identity::Position => match right.get(at) {
                Some(other) => operate::equal(&item, &other, budget)?,
                None => false,
            },
            identity => match find(right, &item, identity, budget)? {
                Some(at) => {
                    let other = right.get(at).expect("it was found there");
                    operate::equal(&item, &other, budget)?
                }
                None => false,
            },
        };
        if !is_equal {
            return Ok(false);
        }
    }
    Ok(true)
}

/// `left + right`: a set contains each item once, and an item of a list of type `map` replaces the
/// item with the same keys.
pub(crate) fn joined<'a>(left: &List<'a>, right: &List<'a>, budget: &mut Budget) -> Outcome<'a> {
    let mut values: Vec<Value<'a>> = left.iter().collect();
    match left.identity() {
        Identity::Position => values.extend(right.iter()),
        identity => {
            for item in right.iter() {
                match find(left, &item, identity, budget)? {
                    Some(at) => values[at] = item,
                    None => values.push(item),
                }
            }
        }
    }
    Ok(Value::List(List::Values(values.into(), left.schema())))
}

/// The position of the item that counts as the same.
fn find(
    list: &List<'_>,
    item: &Value<'_>,
    identity: &Identity,
    budget: &mut Budget,
) -> Result<Option<usize>, OperationError> {
    for (at, other) in list.iter().enumerate() {
        if is_same_item(&other, item, identity, budget)? {
            return Ok(Some(at));
        }
    }
    Ok(None)
}

fn is_same_item(
    left: &Value<'_>,
    right: &Value<'_>,
    identity: &Identity,
    budget: &mut Budget,
) -> Result<bool, OperationError> {
    let (Identity::Keys(keys), Value::Map(left), Value::Map(right)) = (identity, left, right)
    else {
        return operate::equal(left, right, budget);
    };
    for key in keys {
        let key = Value::text(key.as_str());
        let is_equal =
            match (operate::lookup(left, &key, budget)?, operate::lookup(right, &key, budget)?) {
                (Some(left), Some(right)) => operate::equal(&left, &right, budget)?,
                (None, None) => true,
                _ => false,
            };
        if !is_equal {
            return Ok(false);
        }
    }
    Ok(true)
}
