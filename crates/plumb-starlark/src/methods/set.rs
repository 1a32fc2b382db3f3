//! The only method of sets.

use std::sync::Arc;

use plumb_source::message;

use super::of_elements;
use crate::Value;
use crate::args::Args;
use crate::error::Result;
use crate::value::builtin::MethodDefinition;
use crate::vm::Thread;

pub(super) const METHODS: &[MethodDefinition] = &[of_elements("union", union)];

fn union(thread: &mut Thread<'_>, receiver: &Value, args: &Args<'_>) -> Result<Value> {
    let [others] = args.unpack::<1>("union", 1)?;
    let (Value::Set(set), Some(others)) = (receiver, others) else { return Ok(Value::None) };
    let others = others.iterable()?;
    thread.count_steps(others.size_hint().1.unwrap_or(0))?;
    let union = set
        .union(others)
        .map_err(|error| error.map_message(|message| message!("union: {message}")))?;
    Ok(Value::Set(Arc::new(union)))
}
