//! `@ytt:template`: replaces one node with several.

use plumb_source::Text;
use plumb_starlark::Value;

use crate::arguments::{function, one};

pub(crate) fn members() -> Vec<(Text, Value)> {
    let replace =
        function("template.replace", |thread, args| plumb_template::replace(thread, one(args)?));
    vec![("replace".into(), replace)]
}
