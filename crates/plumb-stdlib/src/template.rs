//! `@ytt:template`: replaces one node with several.

use crate::arguments::one;
use crate::definition::{Member, ModuleDefinition};

pub(crate) static MODULE: ModuleDefinition = ModuleDefinition {
    name: "template",
    summary: "replacing nodes",
    members: &[Member::function(
        "template.replace(node)",
        "Puts the items of a node in place of the item that it is the value of.",
        |thread, args| plumb_template::replace(thread, one(args)?),
    )],
};
