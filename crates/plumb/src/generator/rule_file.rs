//! Functions in files of plain code (`rules.star`), for commands that validate values with them.

use std::path::Path;
use std::sync::{Arc, Mutex};

use plumb_diagnostic::{Code, Diagnostic, Failure};
use plumb_generate::{RuleFunction, Validator};
use plumb_source::message::plain;
use plumb_source::{Message, Text, World, lexical, message};
use plumb_template::{RuntimeOwner, datum};
use plumb_validation::Violation;
use plumb_value::{Datum, Document};

use crate::modules::{Modules, Reach};

/// A file of rules cannot be read, or has no such function.
///
/// `--validate FILE.star:FUNCTION` names a file and a function that it defines at its top level.
pub const RULE_FILE: Code = Code::new("rules/no-such-function");

/// A function in a file of rules.
#[derive(Debug)]
pub(super) struct FileRule {
    function: RuleFunction,
    _runtime: RuntimeOwner,
}

impl Validator for FileRule {
    fn validate(&self, document: &Document, index: usize) -> Vec<Violation> {
        self.function.validate(document, index)
    }
}

/// The function called `name` in the file at `path`, which the runtime evaluates.
pub(super) fn rule(
    world: &Arc<dyn World>,
    path: &Path,
    name: &str,
    runtime: RuntimeOwner,
) -> Result<FileRule, Failure> {
    let modules = Modules {
        world: Arc::clone(world),
        runtime: Arc::clone(&runtime),
        reach: Reach::Below(path.parent().unwrap_or(Path::new("")).to_owned()),
        extra: Vec::new(),
        not_read: RULE_FILE,
        under_way: Mutex::default(),
    };
    let globals = Arc::new(modules).evaluate(path)?;
    let value = globals.get(&Text::from(name));
    let function = value.and_then(|it| datum::from_argument(it, &runtime).ok());
    match function {
        Some(Datum::Function(function)) => {
            Ok(FileRule { function: RuleFunction(function), _runtime: runtime })
        }
        Some(other) => {
            let kind = other.type_name();
            Err(refused(message!(
                "`{}` of {} is a {kind}, not a function",
                plain(&name),
                plain(lexical::shown(path))
            )))
        }
        None => Err(refused(message!(
            "{} has no function `{}`",
            plain(lexical::shown(path)),
            plain(&name)
        ))),
    }
}

fn refused(message: impl Into<Message>) -> Failure {
    Diagnostic::error(RULE_FILE, message).into()
}
