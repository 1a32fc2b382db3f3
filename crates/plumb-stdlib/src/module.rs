//! `@ytt:module`: a name and members as one value.

use std::sync::Arc;

use plumb_source::message;
use plumb_source::message::{WantedCount, argument_count, wrong_type};
use plumb_starlark::{Args, Error, Module, Result, Value};

use crate::definition::{Member, ModuleDefinition};

pub(crate) static MODULE: ModuleDefinition = ModuleDefinition {
    name: "module",
    summary: "a name and members as one value",
    members: &[Member::function(
        "module.make(name, **members)",
        "A module with these members.",
        |_, args| make(args),
    )],
};

fn make(args: &Args<'_>) -> Result<Value> {
    let name = match (args.len(), args.get(0)) {
        (1, Some(Value::String(name))) => name.clone(),
        (1, Some(other)) => {
            let error = wrong_type("string", other.type_name());
            return Err(Error::new(message!("module.make: for parameter 1: {error}")));
        }
        (n, _) => {
            let error = argument_count(WantedCount::Of(1), n);
            return Err(Error::new(message!("module.make: {error}")));
        }
    };
    let members = args.named().map(|(name, value)| (name.clone(), value.clone()));
    Ok(Value::Module(Arc::new(Module::new(name, members))))
}
