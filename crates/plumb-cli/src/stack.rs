//! The last line of defence against bugs in Plumb: a large stack, and a report for panics.

use std::panic::{self, AssertUnwindSafe, PanicHookInfo};

use plumb_source::on_deep_stack;

use crate::exit::Exit;
use crate::report::{self, BUG};
use crate::{Name, command, run};

/// Runs a command, on a stack that is large enough for documents of every allowed depth if it reads
/// any. A panic ends it.
pub(crate) fn run_deep(name: Name, arguments: Vec<String>) -> (Name, Exit) {
    panic::set_hook(Box::new(move |info| report_bug(name, info)));
    let is_deep = command::reads_documents(&arguments);
    let run = || run(name, arguments);
    let run = AssertUnwindSafe(|| if is_deep { on_deep_stack(run) } else { run() });
    panic::catch_unwind(run).unwrap_or((name, Exit::Bug))
}

/// Reports a bug in Plumb, and asks the user to report it.
fn report_bug(name: Name, info: &PanicHookInfo<'_>) {
    let title = match name {
        Name::Plumb | Name::Jk => format!("error[{BUG}]: "),
        Name::Ytt => "ytt: Error: Internal error: ".to_owned(),
    };
    let what = info.payload_as_str().unwrap_or("unknown");
    let place = info.location().map(|it| format!(" at {}:{}", it.file(), it.line()));
    report::say(&format!(
        "{title}{what}{}\n\
         This is a bug in plumb {}. Please report it with this message and, if you can share it, \
         the input that leads to it.\nPlumb does not send anything itself.\n",
        place.unwrap_or_default(),
        env!("CARGO_PKG_VERSION")
    ));
}
