//! A thread with room for deep input, and the last line of defence against our own bugs.

use std::panic::{self, PanicHookInfo};
use std::thread;

use crate::exit::Exit;
use crate::report::{self, BUG};
use crate::{Name, run};

/// Stack sizes to try, largest first. Only the pages that are used cost memory, but some systems
/// refuse even to reserve much.
const STACKS: [usize; 4] = [1 << 30, 1 << 28, 1 << 26, 1 << 24];

/// Runs a command on a stack that documents of any allowed depth fit on. A panic ends it.
pub(crate) fn run_deep(name: Name, arguments: &[String]) -> (Name, Exit) {
    panic::set_hook(Box::new(move |info| confess(name, info)));
    for size in STACKS {
        let arguments = arguments.to_vec();
        let thread = thread::Builder::new().stack_size(size);
        if let Ok(thread) = thread.spawn(move || run(name, arguments)) {
            return thread.join().unwrap_or((name, Exit::Bug));
        }
    }
    // A system that starts no threads at all still has the stack that we stand on.
    let arguments = arguments.to_vec();
    panic::catch_unwind(|| run(name, arguments)).unwrap_or((name, Exit::Bug))
}

/// Tells of a bug of ours, and how to report it.
fn confess(name: Name, info: &PanicHookInfo<'_>) {
    let title = match name {
        Name::Plumb | Name::Jk => format!("error[{BUG}]: "),
        Name::Ytt => "ytt: Error: Internal error: ".to_owned(),
    };
    let what = info.payload_as_str().unwrap_or("unknown");
    let place = info.location().map(|it| format!(" at {}:{}", it.file(), it.line()));
    report::say(&format!(
        "{title}{what}{}\n\
         This is a bug of plumb {}. Please report it with this message and, if you may share it, \
         the input that leads to it.\nNothing is sent anywhere by itself.\n",
        place.unwrap_or_default(),
        env!("CARGO_PKG_VERSION")
    ));
}
