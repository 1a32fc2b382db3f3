//! `plumb website`: serves the playground, if the program contains it.

use plumb::{Code, Diagnostic, Sources};
use plumb_source::Message;

use super::{Command, flags_alone};
use crate::args::{Spec, Takes, Topic, UsageError};
use crate::exit::Exit;
use crate::report::Report;

/// The playground cannot be served.
///
/// Either the program was built without the page, or it cannot listen on the address, which is in
/// use or does not belong to this machine. The message says which.
pub(crate) const NOT_SERVED: Code = Code::new("website/not-served");

#[derive(Debug)]
pub(super) struct Flags {
    listen: String,
    redirects_to_https: bool,
}

impl Default for Flags {
    fn default() -> Self {
        Self { listen: "localhost:8080".to_owned(), redirects_to_https: true }
    }
}

pub(super) const SPECS: &[Spec<Flags>] = &[
    Spec {
        long: "listen-addr",
        short: None,
        takes: Takes::One("ADDRESS", |flags, value| flags.listen = value),
        topic: Topic::Other,
        help: "The address and port to listen on (default localhost:8080), or only a port, on localhost; port 0 chooses a free one, and :8080 listens on all addresses",
    },
    Spec {
        long: "redirect-to-https",
        short: None,
        takes: Takes::Nothing(|flags| &mut flags.redirects_to_https),
        topic: Topic::Other,
        help: "Redirect clients on other machines to HTTPS, unless a proxy says that they use it (X-Forwarded-Proto); this is the default, =false serves them plain HTTP",
    },
];

pub(super) fn run(report: &Report, arguments: Vec<String>) -> Result<Exit, UsageError> {
    let flags = match flags_alone(report, Command::Website, arguments, SPECS)? {
        Ok(flags) => flags,
        Err(exit) => return Ok(exit),
    };
    Ok(match serve(report, flags) {
        Ok(exit) => exit,
        Err(message) => {
            report.failure(&Diagnostic::error(NOT_SERVED, message).into(), &Sources::new())
        }
    })
}

#[cfg(feature = "website")]
fn serve(report: &Report, flags: Flags) -> Result<Exit, Message> {
    use plumb_website::{Options, PAGE};

    let Flags { listen, redirects_to_https } = flags;
    let mut exit = Exit::Fine;
    let options = Options { listen, redirects_to_https, files: PAGE };
    let served = plumb_website::serve(&options, |address| {
        exit = report.print(format!("Listening on http://{address}\n").as_bytes());
        if redirects_to_https && !address.ip().is_loopback() {
            report.note(
                "note: other machines are redirected to HTTPS, which a proxy must provide; \
                 --redirect-to-https=false serves them plain HTTP\n",
            );
        }
    });
    match served {
        Ok(()) => Ok(exit),
        Err(error) => Err(plumb_source::message::plain(error).into()),
    }
}

#[cfg(not(feature = "website"))]
fn serve(_: &Report, _: Flags) -> Result<Exit, Message> {
    Err("this program was built without the playground: install a package of a release, or run \
         `web/make.sh` and build with `--features website`"
        .into())
}
